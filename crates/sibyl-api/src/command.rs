//! What a command is, and the commands by domain.
//!
//! Over 500 lines: what a command is, the macro that declares one and the tests of both are read together.

/// Declares a command: name, kind, gravest effect, cache tags, then input, output and body. A `remote` command may
/// be called through a remote door at the route that follows, `unless` its input names a place on the disk of the
/// library's machine. The library can supply (`completed`) what an input leaves out, before it is read.
macro_rules! command {
    (
        $(#[doc = $doc:literal])*
        $name:ident = $wire:literal: $kind:ident, $effect:ident, [$($tag:literal),* $(,)?]
        $(, remote $method:ident $path:literal $(unless |$given:ident| $names_disk:expr)?)?
        $(, completed $complete:path)?;
        ($call:ident, $input:ident: $in:ty) -> $out:ty $body:block
    ) => {
        $(#[doc = $doc])*
        pub struct $name;

        impl $crate::command::Command for $name {
            const NAME: &'static str = $wire;
            const SUMMARY: &'static str = concat!($($doc),*);
            const KIND: $crate::command::CommandKind = $crate::command::CommandKind::$kind;
            const EFFECT: $crate::command::Effect = $crate::command::Effect::$effect;
            $(
                const REMOTE: bool = true;
                const ROUTE: Option<$crate::command::Route> =
                    Some($crate::command::Route { method: $crate::command::Method::$method, path: $path });
                $(
                    const TAKES_FILES: bool = true;
                    fn names_disk($given: &$in) -> bool {
                        $names_disk
                    }
                )?
            )?
            const TAGS: &'static [&'static str] = &[$($tag),*];
            type Input = $in;
            type Output = $out;
            $(
                const COMPLETED: bool = true;
                async fn complete(call: &$crate::command::Call, input: &mut serde_json::Value) -> $crate::Result<()> {
                    $complete(call, input).await
                }
            )?

            async fn run($call: $crate::command::Call, $input: $in) -> $crate::Result<$out> $body
        }
    };
}

pub mod answer;
pub mod assess;
pub mod bin;
pub mod chunk;
pub mod document;
pub mod evaluate;
pub mod figure;
pub mod gold;
pub mod held;
pub mod ingest;
pub mod library;
pub mod maintenance;
pub mod neighbour;
pub mod passage;
pub mod phrasing;
pub mod proposal;
pub mod review;
pub mod run;
pub mod sample;
pub mod search;
pub mod secret;
pub mod settings;
pub mod source_type;
pub mod standards;
pub mod strategy;
pub mod thesaurus;
pub mod watch;
pub mod workspace;

use crate::Result;
use crate::wire::Types;
use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use sibyl_engine::Library;
use sibyl_engine::answer::AnswerEvent;
use sibyl_engine::assess::AssessmentProgress;
use sibyl_engine::evaluate::EvaluateProgress;
use std::fmt;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::Poll;
use tracing::Instrument as _;

/// Whether a command reads or changes something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommandKind {
    /// Reads; may be repeated and cached.
    Query,
    /// Changes something; runs once.
    Mutation,
    /// Runs for long and reports to [`Call::progress`] how far it has come; runs once.
    Stream,
}

impl CommandKind {
    /// Its name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Query => "query",
            Self::Mutation => "mutation",
            Self::Stream => "stream",
        }
    }
}

/// The gravest thing a command may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// Reads the library.
    Read,
    /// Changes the library or the settings.
    Write,
    /// May send the text of the call to a provider that the user has allowed, at the price of a query.
    Egress,
    /// May send documents to such a provider, at a price that grows with them.
    Spend,
}

impl Effect {
    /// What a caller must be allowed to do to run it.
    pub const fn scope(self) -> Scope {
        match self {
            Self::Read | Self::Egress => Scope::Read,
            Self::Write => Scope::Write,
            Self::Spend => Scope::Spend,
        }
    }
}

/// What a remote caller is allowed; each includes those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// To read, search and ask. The text of a question may go to a provider where the settings allow one.
    Read,
    /// To change and delete.
    Write,
    /// To ingest and embed, which may cost money.
    Spend,
}

impl Scope {
    /// All scopes, the least first.
    pub const ALL: [Self; 3] = [Self::Read, Self::Write, Self::Spend];

    /// Its name in options, token files and documentation.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Spend => "spend",
        }
    }

    /// The scope called `name`; `None` if there is none.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.name() == name)
    }
}

/// The door that a call comes through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Door {
    /// A program of the person at this machine, who may do everything.
    Local,
    /// A server that others can reach. It runs commands declared remote, as far as its owner allows.
    Remote {
        /// What it allows.
        most: Scope,
    },
}

impl Door {
    /// Refuses the command `entry` if this door may not run it.
    ///
    /// # Errors
    /// `forbidden` says why.
    pub fn admit(self, entry: &Entry) -> Result<()> {
        let Self::Remote { most } = self else { return Ok(()) };
        let name = entry.name;
        let why = if !entry.remote {
            format!("`{name}` is not served to other machines; run it on the machine that has the library")
        } else if entry.effect.scope() > most {
            let needed = entry.effect.scope().name();
            format!(
                "`{name}` needs the scope `{needed}`; start the server with `--allow {needed}` and sign in with a token of that scope"
            )
        } else {
            return Ok(());
        };
        Err(crate::ApiError::new("forbidden", why))
    }
}

/// HTTP method of a [`Route`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Reads.
    Get,
    /// Runs.
    Post,
    /// Deletes.
    Delete,
}

impl Method {
    /// Its name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Delete => "DELETE",
        }
    }
}

/// Where a command answers over REST.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Route {
    /// HTTP method.
    pub method: Method,
    /// Path with `{name}` for input fields.
    pub path: &'static str,
}

/// What accompanies every call beside its input.
#[derive(Clone)]
pub struct Call {
    /// The open library.
    pub library: Library,
    /// The door it comes through.
    pub door: Door,
    /// Name of the workspace the caller works in.
    pub workspace: String,
    /// Id of this call in logs.
    pub request_id: String,
    /// Receives how far a stream has come.
    pub progress: Option<ProgressListener>,
}

/// What a stream reports on its way to its answer.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Progress {
    /// How far an evaluation has come.
    Evaluating(EvaluateProgress),
    /// What happens while a question is answered.
    Answering(AnswerEvent),
    /// How far the proposals of an assessment have come.
    Assessing(AssessmentProgress),
}

/// Receives the progress of a stream.
pub type ProgressListener = Arc<dyn Fn(Progress) + Send + Sync>;

/// One command. Implementations translate; the engine works.
pub trait Command: Send + Sync + 'static {
    /// Dotted name, such as `chunk.preview`.
    const NAME: &'static str;
    /// What it does, in a sentence or two.
    const SUMMARY: &'static str;
    /// Whether it asks or changes.
    const KIND: CommandKind;
    /// The gravest thing it may do.
    const EFFECT: Effect;
    /// Whether a remote door may call it.
    const REMOTE: bool = false;
    /// Where it answers over REST.
    const ROUTE: Option<Route> = None;
    /// Whether its input may hold whole files, so that a door accepts a longer one.
    const TAKES_FILES: bool = false;
    /// Whether `input` names a place on the disk of the library's machine. Remote doors refuse such inputs.
    fn names_disk(_input: &Self::Input) -> bool {
        false
    }
    /// Cache tags: what a query shows, what a mutation changes.
    const TAGS: &'static [&'static str];
    /// What it takes.
    type Input: DeserializeOwned + JsonSchema + Send + 'static;
    /// Its answer.
    type Output: Serialize + JsonSchema + Send + 'static;

    /// Whether the library has values for what an input leaves out.
    const COMPLETED: bool = false;
    /// Puts into `input` the values that it leaves out and the library has.
    fn complete(_call: &Call, _input: &mut Value) -> impl Future<Output = Result<()>> + Send {
        std::future::ready(Ok(()))
    }

    /// Runs it.
    fn run(call: Call, input: Self::Input) -> impl Future<Output = Result<Self::Output>> + Send;
}

/// The future of [`Entry::run`].
pub type Answer = Pin<Box<dyn Future<Output = Result<Value>> + Send>>;

/// A command as data: one row of the list.
#[derive(Clone, Copy)]
pub struct Entry {
    /// Dotted name.
    pub name: &'static str,
    /// What it does, in a sentence or two.
    pub summary: &'static str,
    /// Whether it asks or changes.
    pub kind: CommandKind,
    /// The gravest thing it may do.
    pub effect: Effect,
    /// Whether a remote door may call it.
    pub remote: bool,
    /// Where it answers over REST.
    pub route: Option<Route>,
    /// Whether its input may hold whole files.
    pub takes_files: bool,
    /// Cache tags.
    pub tags: &'static [&'static str],
    /// Runs it on JSON.
    pub run: fn(Call, Value) -> Answer,
    /// Whether the library has values for what its input leaves out.
    pub(crate) completed: bool,
    /// Schemas of its input and of its answer.
    pub(crate) describe: fn(&mut Types) -> (Value, Value),
}

impl Entry {
    /// The row of command `C`.
    pub const fn of<C: Command>() -> Self {
        Self {
            name: C::NAME,
            summary: C::SUMMARY.trim_ascii(),
            kind: C::KIND,
            effect: C::EFFECT,
            remote: C::REMOTE,
            route: C::ROUTE,
            takes_files: C::TAKES_FILES,
            tags: C::TAGS,
            run: run_json::<C>,
            completed: C::COMPLETED,
            describe: |types| (types.read::<C::Input>(), types.written::<C::Output>()),
        }
    }
}

fn run_json<C: Command>(call: Call, mut input: Value) -> Answer {
    let request_id = call.request_id.clone();
    traced::<C, _>(&request_id, async move {
        let far = call.is_far();
        call.door.admit(&Entry::of::<C>())?;
        C::complete(&call, &mut input).await?;
        let input = read(input, format_args!("the input of `{}`", C::NAME))?;
        let mut output = written(&call.admitted::<C>(input).await?)?;
        if far {
            without_places(&mut output);
        }
        Ok(output)
    })
}

/// `work` of command `C` with the id of its request in its log. A panic becomes an error with the code `internal`.
fn traced<'a, C: Command, T: 'a>(
    request_id: &str,
    work: impl Future<Output = Result<T>> + Send + 'a,
) -> Pin<Box<dyn Future<Output = Result<T>> + Send + 'a>> {
    // At the highest level, so that no log filter removes the request id from its lines.
    let span = tracing::error_span!("command", command = C::NAME, request_id);
    // On the heap: a search is too large for the stack of every caller.
    Box::pin(caught(work).instrument(span))
}

/// `answer` as JSON.
///
/// # Errors
/// `internal` if it holds what JSON cannot, such as a path that is not Unicode.
pub fn written(answer: &(impl Serialize + ?Sized)) -> Result<Value> {
    serde_json::to_value(answer)
        .map_err(|error| crate::ApiError::new("internal", format!("the answer cannot be written: {error}")))
}

/// `input` as a `T`; `called` is what it is called in an error.
///
/// # Errors
/// `invalid` names the field that does not fit, and what it should be.
pub fn read<T: DeserializeOwned>(input: Value, called: impl fmt::Display) -> Result<T> {
    serde_path_to_error::deserialize(input).map_err(|error| {
        let path = error.path().to_string();
        let field = if path == "." { String::new() } else { format!("`{path}`: ") };
        let fault = plain(&error.inner().to_string());
        crate::ApiError::invalid(format!("{called} cannot be read: {field}{fault}"))
    })
}

/// `fault` with a caller's words for a number instead of Rust's type names.
fn plain(fault: &str) -> String {
    let Some((before, expected)) = fault.rsplit_once("expected ") else { return fault.to_owned() };
    let named = match expected {
        "usize" | "u8" | "u16" | "u32" | "u64" => "a whole number, 0 or more",
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        other => other,
    };
    format!("{before}expected {named}")
}

/// Fields of answers that name places on this machine's disk.
const PLACES: [&str; 3] = ["folder", "origin", "root"];

/// Whether `value`, a field `origin`, names the kind of thing a figure stands in, such as `key_figure`. A place on
/// disk begins at its root.
fn is_kind_of_origin(value: &str) -> bool {
    !value.is_empty() && value.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
}

/// Empties the fields of `output` that say where something lies on this machine's disk.
pub fn without_places(output: &mut Value) {
    match output {
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::String(place)
                        if PLACES.contains(&name.as_str())
                            && !(name == "origin" && is_kind_of_origin(place)) =>
                    {
                        place.clear();
                    }
                    value => without_places(value),
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(without_places),
        _ => {}
    }
}

/// The result of `work`; a panic becomes an error with the code `internal`.
async fn caught<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    let mut work = pin!(work);
    poll_fn(|context| {
        catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(context))).unwrap_or_else(|payload| {
            Poll::Ready(Err(sibyl_engine::Error::panicked(payload.as_ref()).into()))
        })
    })
    .await
}

/// An id for a request, unique in this process.
pub fn request_id() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    format!("{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

impl Call {
    /// A local call in `workspace`, with a request id of its own.
    pub fn new(library: Library, workspace: &str) -> Self {
        let (door, workspace) = (Door::Local, workspace.to_owned());
        Self { library, door, workspace, request_id: request_id(), progress: None }
    }

    /// Whether the caller is on another machine.
    pub(crate) const fn is_far(&self) -> bool {
        matches!(self.door, Door::Remote { .. })
    }

    /// Runs command `C` and returns its answer unchanged. Local callers also get the places on this machine's disk
    /// that [`without_places`] keeps from remote ones. Nothing completes `input`: it says all that is wanted.
    ///
    /// # Errors
    /// `forbidden` if the door may not run it or `input` names a place on disk from afar; otherwise those of the
    /// command.
    pub async fn run<C: Command>(self, input: C::Input) -> Result<C::Output> {
        let request_id = self.request_id.clone();
        traced::<C, _>(&request_id, async move {
            self.door.admit(&Entry::of::<C>())?;
            self.admitted::<C>(input).await
        })
        .await
    }

    async fn admitted<C: Command>(self, input: C::Input) -> Result<C::Output> {
        if self.is_far() && C::names_disk(&input) {
            let message =
                "a path on the server's disk cannot be named from another machine; send the file itself";
            return Err(crate::ApiError::new("forbidden", message));
        }
        C::run(self, input).await
    }

    /// Row id of the caller's workspace.
    ///
    /// # Errors
    /// `not_found` if it does not exist.
    pub async fn workspace_id(&self) -> Result<i64> {
        Ok(self.library.store().workspace(&self.workspace).await?.id)
    }
}

/// Limit of a list that is to have all rows: as many as a database can count.
pub(crate) const ALL_ROWS: usize = i64::MAX as usize;

/// Input of a command without fields.
#[derive(Debug, Clone, Copy, Default, serde::Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use sibyl_engine::OpenOptions;

    #[test]
    fn an_input_that_does_not_fit_is_refused_in_words_that_callers_use() {
        #[derive(Debug, serde::Deserialize)]
        #[allow(dead_code, reason = "it is only read")]
        struct Wanted {
            limit: Option<usize>,
            name: String,
        }
        let error = read::<Wanted>(json!({ "limit": -1, "name": "a" }), "the arguments").unwrap_err();
        assert_eq!(
            error.message,
            "the arguments cannot be read: `limit`: invalid value: integer `-1`, expected a whole number, 0 or more"
        );
        let error = read::<Wanted>(json!({ "name": 1 }), "the arguments").unwrap_err();
        assert!(
            error.message.ends_with("`name`: invalid type: integer `1`, expected a string"),
            "{}",
            error.message
        );
    }

    command! {
        /// Panics once it has waited.
        Panics = "test.panics": Query, Read, [];
        (_call, _input: Nothing) -> Nothing {
            tokio::task::yield_now().await;
            panic!("seven is no even number")
        }
    }

    #[tokio::test]
    async fn a_door_runs_what_it_may_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(OpenOptions::new(folder.path())).await.unwrap();
        let text = json!({ "sources": [{ "kind": "upload", "name": "a.txt", "bytes": "YQ==" }], "embed": "nothing" });
        let call = async |door: Door, command: &str, input: Value| {
            let call = Call { door, ..Call::new(library.clone(), crate::DEFAULT_WORKSPACE) };
            crate::dispatch(command, call, input).await.map_err(|error| error.code)
        };
        let (careful, free) = (Door::Remote { most: Scope::Write }, Door::Remote { most: Scope::Spend });
        let refused = Err("forbidden".to_owned());
        assert_eq!(call(careful, "ingest.start", text.clone()).await, refused, "it may spend");
        assert_eq!(
            call(free, "workspace.create", json!({ "name": "west" })).await,
            refused,
            "it is not remote"
        );
        assert!(library.jobs().list(crate::DEFAULT_WORKSPACE).await.unwrap().is_empty(), "nothing has begun");
        assert!(call(careful, "job.list", json!({})).await.is_ok());
        assert!(call(free, "ingest.start", text).await.is_ok());
        assert!(call(Door::Local, "workspace.create", json!({ "name": "west" })).await.is_ok());
    }

    #[tokio::test]
    async fn an_answer_as_json_is_the_typed_one_and_others_read_no_places() {
        let folder = tempfile::tempdir().unwrap();
        let opened = Library::open(OpenOptions::new(folder.path())).await.unwrap();
        let call = |door| Call { door, ..Call::new(opened.clone(), crate::DEFAULT_WORKSPACE) };
        let far = Door::Remote { most: Scope::Read };
        let name = library::LibraryOverview::NAME;
        let typed = call(far).run::<library::LibraryOverview>(Nothing {}).await.unwrap();
        let near = crate::dispatch(name, call(Door::Local), json!({})).await.unwrap();
        let others = crate::dispatch(name, call(far), json!({})).await.unwrap();
        assert_eq!(near["folder"], typed.folder);
        assert_eq!(others["folder"], "");
        assert_eq!((&near["chunks"], &others["chunks"]), (&json!(typed.chunks), &json!(typed.chunks)));
    }

    #[test]
    fn what_is_remote_has_a_route_and_queries_change_nothing() {
        for entry in crate::COMMANDS {
            assert_eq!(entry.remote, entry.route.is_some(), "{}", entry.name);
            let harmless = matches!(entry.effect, Effect::Read | Effect::Egress);
            assert!(entry.kind != CommandKind::Query || harmless, "{} asks and changes", entry.name);
        }
    }

    /// Writes the log into memory.
    #[derive(Clone, Default)]
    struct Log(std::sync::Arc<std::sync::Mutex<Vec<u8>>>);

    impl std::io::Write for Log {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[tokio::test]
    async fn a_command_that_panics_is_an_internal_error_and_is_logged() {
        let log = Log::default();
        let writer = log.clone();
        let subscriber =
            tracing_subscriber::fmt().with_ansi(false).with_writer(move || writer.clone()).finish();
        let _guard = tracing::subscriber::set_default(subscriber);
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(OpenOptions::new(folder.path())).await.unwrap();
        let call = Call::new(library, crate::DEFAULT_WORKSPACE);
        let error = (Entry::of::<Panics>().run)(call, json!({})).await.unwrap_err();
        assert_eq!(error.code, "internal");
        assert!(error.message.contains("seven is no even number"), "{error}");
        let logged = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
        let line = logged.lines().find(|line| line.contains("seven is no even number"));
        assert!(line.is_some_and(|line| line.contains("ERROR")), "{logged}");
    }
}
