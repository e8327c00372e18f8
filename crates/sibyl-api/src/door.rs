//! What every door does in the same way: open the library, handle the first start, follow a job, receive changes.

use crate::command::maintenance::RestoredBackup;
use crate::keys::Keys;
use crate::{ApiError, Result, written};
use serde::Serialize;
use serde_json::Value;
use sibyl_engine::condition::{self, Condition, State};
use sibyl_engine::ingest::{IngestRequest, JobEvent, Stage};
use sibyl_engine::library::Incoming;
use sibyl_engine::log;
use sibyl_engine::store::backup::Backup;
use sibyl_engine::store::rescue::Rescued;
use sibyl_engine::store::table::workspace::DEFAULT_WORKSPACE;
use sibyl_engine::watch::Changed;
use sibyl_engine::{Library, Location, OpenOptions, Place, Work};
use sibyl_text::source_type;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::mpsc;

/// Environment variable that names the data folder.
pub const DATA_DIR: &str = "SIBYL_DATA_DIR";
/// Environment variable that names the folder with what ships.
pub const SHIPPED_DIR: &str = "SIBYL_SHIPPED_DIR";

/// Every program calls this first, before it starts a thread. A child process that reads an untrusted file ends
/// here.
pub fn begin() -> Option<ExitCode> {
    share_arenas();
    sibyl_engine::reader::run_reader_if_asked()
}

/// Makes all threads take memory from a few arenas. Left alone, glibc gives nearly every thread an arena of its
/// own, which keeps the most that any thread in it ever needed. A server then held twice the memory, and more of
/// it from hour to hour (`cargo xtask prove memory`).
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn share_arenas() {
    const ARENAS: libc::c_int = 2;
    // SAFETY: `mallopt` may be called at any time, and no other thread runs yet.
    let _set = unsafe { libc::mallopt(libc::M_ARENA_MAX, ARENAS) }; // if it cannot be set, more memory is held
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
const fn share_arenas() {}

/// Where the library is: in the folder that was `named`, else in `home`, the system's place for application data,
/// or where it was moved to from there.
///
/// # Errors
/// As [`Place::of`], and if `home` is not known.
pub fn place(named: Option<PathBuf>, home: impl FnOnce() -> Result<PathBuf>) -> Result<Arc<dyn Location>> {
    Ok(Arc::new(match named {
        Some(folder) => Place::named(folder),
        None => Place::of(home()?)?,
    }))
}

/// Opens the library at `place` with every model that can be used. `works` says whether this program takes over
/// waiting jobs, as a window or a server does. A command that ends works only on its own.
///
/// # Errors
/// As [`Library::open`].
pub async fn open(place: Arc<dyn Location>, works: bool) -> Result<Library> {
    let mut options = OpenOptions::at(place);
    options.shipped = shipped();
    options.keys = Arc::new(Keys::default());
    options.work = if works { Work::All } else { Work::Asked };
    Ok(Library::open(options).await?)
}

/// The folder with what ships: named by the environment, beside the installed program, or in the checkout that the
/// program was built in.
fn shipped() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os(SHIPPED_DIR) {
        return Some(named.into());
    }
    let program = std::env::current_exe().ok()?;
    let installed = ["../lib/Sibyl/data", "../Resources/data", "data"];
    let beside = installed.iter().map(|place| program.parent().map(|folder| folder.join(place)));
    let above = program.ancestors().skip(2).map(|folder| Some(folder.join("data")));
    beside.chain(above).flatten().find(|folder| folder.join("models").is_dir() && holds_standards(folder))
}

/// Whether `folder` holds something of a kind of source that ships.
fn holds_standards(folder: &Path) -> bool {
    let mut paths = source_type::all().iter().filter_map(|kind| kind.ships).flat_map(|ships| ships.paths);
    paths.any(|path| folder.join(path).exists())
}

/// Environment variable that names the folder with the built interface.
pub const UI_DIR: &str = "SIBYL_UI_DIR";

/// The folder with the built interface: named by the environment, beside the installed program, or in the checkout
/// that the program was built in.
pub fn interface() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os(UI_DIR) {
        return Some(named.into());
    }
    let program = std::env::current_exe().ok()?;
    let installed = ["../lib/Sibyl/ui", "../Resources/ui", "ui"];
    let beside = installed.iter().map(|place| program.parent().map(|folder| folder.join(place)));
    let above = program.ancestors().skip(2).map(|folder| Some(folder.join("ui/dist")));
    beside.chain(above).flatten().find(|folder| folder.join("index.html").is_file())
}

/// Begins ingesting what ships, the first time a library is opened; `None` if that was done before. What was
/// deleted later is not brought back.
///
/// # Errors
/// As [`Library::ingest`].
pub async fn first_start(library: &Library, interactive: bool) -> Result<Option<i64>> {
    if library.shipped().is_none() || !library.ingest().begin_first_start().await? {
        return Ok(None);
    }
    let request = IngestRequest::shipped(interactive);
    Ok(Some(library.ingest().start(DEFAULT_WORKSPACE, request).await?))
}

/// Marks the first start as done, for a caller that ingests what ships by itself.
///
/// # Errors
/// Storage errors.
pub async fn skip_first_start(library: &Library) -> Result<()> {
    library.ingest().begin_first_start().await?;
    Ok(())
}

/// The events of a job of `workspace` until it comes to rest.
///
/// # Errors
/// `not_found` if the workspace has no such job.
pub async fn follow(library: &Library, workspace: &str, job: i64) -> Result<mpsc::Receiver<JobEvent>> {
    library.jobs().follow(workspace, job).await.map_err(ApiError::from)
}

/// Cache tags of what other programs change from now on, reported within a second.
///
/// # Errors
/// Storage errors.
pub async fn changes(library: &Library) -> Result<mpsc::Receiver<Vec<&'static str>>> {
    let mut changes = library.changes_by_others().await?;
    let (sender, tags) = mpsc::channel(1);
    tokio::spawn(async move {
        while let Some(changed) = changes.recv().await {
            let told: BTreeSet<&str> =
                changed.iter().flat_map(|&changed| shown_by(changed)).copied().collect();
            if sender.send(told.into_iter().collect()).await.is_err() {
                return;
            }
        }
    });
    Ok(tags)
}

/// What a window receives without asking.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Told {
    /// Cache tags of what changed.
    pub tags: Vec<&'static str>,
    /// The state of a job.
    pub job: Option<JobEvent>,
}

impl Told {
    /// Reports that whatever has one of `tags` changed.
    pub fn changed(tags: &[&'static str]) -> Self {
        Self { tags: tags.to_vec(), job: None }
    }
}

/// Sends `listener` every job event of this program and every change by other programs, as long as it returns that
/// somebody listens. It keeps no library open.
pub fn tell(library: &Library, listener: impl Fn(Told) -> bool + Clone + Send + 'static) {
    let mut jobs = library.jobs().events();
    let hears = listener.clone();
    tokio::spawn(async move {
        let mut last: HashMap<i64, (usize, Stage)> = HashMap::new();
        loop {
            match jobs.recv().await {
                Ok(event) => {
                    let before = last.insert(event.job, (event.files_done, event.stage));
                    let tags = tags(&event, before).to_vec();
                    if !hears(Told { tags, job: Some(event) }) {
                        return;
                    }
                }
                Err(RecvError::Lagged(_)) => {} // Every event describes the whole state.
                Err(RecvError::Closed) => return,
            }
        }
    });
    let library = library.clone();
    tokio::spawn(async move {
        match changes(&library).await {
            Ok(mut changes) => {
                // The library closes with its last owner, which must not be this task.
                drop(library);
                while let Some(tags) = changes.recv().await {
                    if !listener(Told::changed(&tags)) {
                        return;
                    }
                }
            }
            Err(error) => {
                tracing::warn!(code = error.code, "changes by other programs are not seen: {error}")
            }
        }
    });
}

/// What a job event changes. Most only move a bar.
fn tags(event: &JobEvent, before: Option<(usize, Stage)>) -> &'static [&'static str] {
    if event.state.at_rest() {
        &["jobs", "corpora", "documents", "chunks", "vectors"]
    } else if before.is_none_or(|(done, stage)| stage != event.stage || done / 25 != event.files_done / 25) {
        &["jobs", "corpora", "documents"]
    } else {
        &[]
    }
}

/// Cache tags of the queries that show what was changed.
const fn shown_by(changed: Changed) -> &'static [&'static str] {
    match changed {
        Changed::Chunks => &["corpora", "documents", "chunks"],
        Changed::Vectors => &["vectors"],
        Changed::Corpora => &["corpora"],
        Changed::Jobs => &["jobs"],
        Changed::Workspaces => &["workspaces"],
        Changed::Reviews => &["reviews"],
        Changed::Assessments => &["assessments"],
        Changed::Runs => &["runs"],
        Changed::Answers => &["answers"],
        Changed::Gold => &["gold"],
        Changed::Evaluations => &["evaluations"],
        Changed::Settings => &["settings", "models"],
        Changed::Thesaurus => &["thesaurus"],
        Changed::Condition => &["condition"],
    }
}

/// A place for a file that a caller sends, and its maximum size in bytes. Once it is kept, a request names it as
/// [`Source::sent`](sibyl_engine::ingest::Source::sent).
///
/// # Errors
/// `io` if the data folder cannot be written, `invalid` if too many files wait already; storage errors.
pub async fn receive(library: &Library) -> Result<(Incoming, u64)> {
    Ok((library.ingest().receive()?, library.ingest().most_bytes().await?))
}

/// Backups of the library at `place`, the newest first. The library need not open.
///
/// # Errors
/// `io` if they cannot be listed.
pub async fn backups(place: &dyn Location) -> Result<Vec<Backup>> {
    Ok(place.backups().await.map_err(sibyl_engine::Error::from)?)
}

/// Makes the backup `name` replace the library at `place` at the next start. The library need not open.
///
/// # Errors
/// As `backup.restore`.
pub async fn restore(place: &dyn Location, name: String) -> Result<RestoredBackup> {
    let bytes = place.restore(&name).await.map_err(sibyl_engine::Error::from)?;
    Ok(RestoredBackup { name, bytes })
}

/// Saves what can be read of the library at `place` into the file that replaces it at the next start. The library
/// need not open.
///
/// # Errors
/// As `library.rescue`.
pub async fn rescue(place: &dyn Location) -> Result<Rescued> {
    Ok(place.rescue().await.map_err(sibyl_engine::Error::from)?)
}

/// Reasons not to rely on `library`: it is known to be damaged, or other programs write to its folder.
///
/// # Errors
/// As `library.condition`.
pub async fn warnings(library: &Library) -> Result<Vec<String>> {
    let damage = match library.store().damage() {
        Some(_) => library.upkeep().condition().await?.message,
        None => None,
    };
    Ok(damage.into_iter().chain(condition::warning(library.folder())).collect())
}

/// Reads everything that `library` stores.
///
/// # Errors
/// `damaged` if something is.
pub async fn check(library: &Library) -> Result<()> {
    Ok(library.store().check().await.map_err(sibyl_engine::Error::from)?)
}

/// Answers what can be answered about a library at `place` that does not open because of `error`: its condition,
/// its backups, both ways back, and the log. `None` for every other command.
pub async fn without_library(
    place: &dyn Location,
    error: &ApiError,
    command: &str,
    input: &Value,
) -> Option<Result<Value>> {
    let name = || input["name"].as_str().unwrap_or_default().to_owned();
    Some(match command {
        "library.condition" => unopened(place, error).await.and_then(|condition| written(&condition)),
        "backup.list" => backups(place).await.and_then(|backups| written(&backups)),
        "log.tail" => match serde_json::from_value(input.clone()) {
            Ok(query) => log::last_lines(place.folder(), query)
                .await
                .map_err(ApiError::from)
                .and_then(|lines| written(&lines)),
            Err(error) => Err(ApiError::invalid(format!("log.tail: {error}"))),
        },
        "library.rescue" => rescue(place).await.and_then(|rescued| written(&rescued)),
        "backup.restore" => restore(place, name()).await.and_then(|restored| written(&restored)),
        _ => return None,
    })
}

/// The condition of a library at `place` that does not open because of `error`.
async fn unopened(place: &dyn Location, error: &ApiError) -> Result<Condition> {
    let (state, message) = match place.is_replaced().await.map_err(sibyl_engine::Error::from)? {
        true => (State::Replaced, sibyl_engine::store::Error::Replaced.to_string()),
        false => (State::Damaged, error.message.clone()),
    };
    Ok(Condition {
        state,
        message: Some(message),
        place: condition::warning(place.folder()),
        backups: Some(backups(place).await?),
        no_backup: Some("the library does not open".to_owned()),
    })
}

/// Begins ingesting what the owner of this machine opened for it, whoever asked.
///
/// # Errors
/// As `ingest.start`.
pub async fn ingest(library: &Library, workspace: &str, request: IngestRequest) -> Result<i64> {
    Ok(library.ingest().start(workspace, request).await?)
}
