//! What a server serves, and its start options.

use crate::body::LARGE_AT_ONCE;
use crate::caller::{Granted, RequestId};
use crate::interface::Interface;
use crate::kept::Streams;
use crate::metrics::Metrics;
use crate::pace::Pace;
use crate::token::Tokens;
use serde_json::Value;
use sibyl_api::door::{self, Told};
use sibyl_api::schema::Schemas;
use sibyl_api::{ApiError, Call, Command, CommandKind, Door, Library, Scope};
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::{Semaphore, broadcast, watch};

/// Notifies `listeners` of what the command called `name` changed.
pub(crate) fn tell_changed(listeners: &broadcast::Sender<Told>, name: &str) {
    if let Some(entry) = sibyl_api::entry(name).filter(|entry| entry.kind != CommandKind::Query) {
        // Nobody may listen.
        let _ = listeners.send(Told::changed(entry.tags));
    }
}

/// How a server is started.
pub struct Options {
    /// Address to listen at.
    pub host: String,
    /// Port; 0 takes a free one.
    pub port: u16,
    /// The tokens that sign in.
    pub tokens: Tokens,
    /// The widest scope of any token.
    pub allow: Scope,
    /// Names of the machine, besides those of the loopback.
    pub hosts: Vec<String>,
    /// Origins of web pages that may call, such as `https://tools.example`.
    pub origins: Vec<String>,
    /// Requests per second and token.
    pub rate: u32,
    /// Certificate and key for HTTPS.
    pub tls: Option<Tls>,
    /// Workspace that is served.
    pub workspace: String,
    /// Folder of documents that `POST /ingest` may name a path in.
    pub documents: Option<PathBuf>,
    /// The one report that MCP tools search.
    pub report: Option<String>,
    /// What a browser is shown; nothing if none is served.
    pub interface: Option<Interface>,
}

/// What HTTPS needs.
pub struct Tls {
    /// File of the certificate and those that vouch for it, in PEM.
    pub certificate: PathBuf,
    /// File of its private key, in PEM.
    pub key: PathBuf,
}

/// Requests that run at once. More are refused, so that none waits without an end.
const AT_ONCE: usize = 256;

/// Maximum number of events that a listener may be behind; one further behind requests everything again.
const BEHIND: usize = 256;

/// What every request needs.
pub(crate) struct Served {
    pub library: Library,
    pub options: Options,
    pub schemas: Schemas,
    pub metrics: Metrics,
    pub pace: Pace,
    pub room: Semaphore,
    /// Turns of large bodies.
    pub large: Arc<Semaphore>,
    pub streams: Streams,
    /// Notifies listeners of events in the library.
    pub told: broadcast::Sender<Told>,
    /// Becomes true when the server is to end.
    pub closing: watch::Receiver<bool>,
}

impl Served {
    /// A server of `library`; `schemas` are those of everything that it answers.
    pub(crate) fn new(
        library: Library,
        options: Options,
        schemas: Schemas,
        closing: watch::Receiver<bool>,
    ) -> Self {
        let pace = Pace::new(options.rate);
        let (told, _) = broadcast::channel(BEHIND);
        let happens = told.clone();
        door::tell(&library, move |what| {
            // Nobody may listen now, and somebody later.
            let _ = happens.send(what);
            true
        });
        Self {
            library,
            options,
            schemas,
            metrics: Metrics::default(),
            pace,
            room: Semaphore::new(AT_ONCE),
            large: Arc::new(Semaphore::new(LARGE_AT_ONCE)),
            streams: Streams::default(),
            told,
            closing,
        }
    }

    /// A call of a caller with `granted`.
    pub(crate) fn call(&self, granted: Granted, request_id: &RequestId) -> Call {
        Call {
            library: self.library.clone(),
            door: Door::Remote { most: granted.scope },
            workspace: self.options.workspace.clone(),
            request_id: request_id.0.to_string(),
            progress: None,
        }
    }

    /// Runs command `C` for a caller with `granted`, and reports what it changed. Its answer names places on this
    /// machine's disk: parts of it are only passed on through [`sibyl_api::without_places`].
    pub(crate) async fn run<C: Command>(
        &self,
        granted: Granted,
        request_id: &RequestId,
        input: C::Input,
    ) -> Result<C::Output, ApiError> {
        let answer = self.call(granted, request_id).run::<C>(input).await?;
        tell_changed(&self.told, C::NAME);
        Ok(answer)
    }

    /// Runs a command of the list with an answer for remote callers, and reports what it changed.
    pub(crate) async fn dispatch(&self, command: &str, call: Call, input: Value) -> Result<Value, ApiError> {
        let answer = sibyl_api::dispatch(command, call, input).await?;
        tell_changed(&self.told, command);
        Ok(answer)
    }

    /// Returns when the server is to end.
    pub(crate) async fn closed(&self) {
        // A sender that is gone has nothing more to serve.
        let _ = self.closing.clone().wait_for(|closing| *closing).await;
    }
}
