//! The open library of the window. It opens in the background, so that the window is there at once; calls wait.

use crate::event;
use parking_lot::Mutex;
use serde_json::Value;
use sibyl_api::{ApiError, Library, Location, door};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use tauri::AppHandle;
use tokio::sync::watch;
use tokio::task::AbortHandle;

/// What the window shares between its calls.
#[derive(Clone)]
pub struct Host {
    opened: watch::Sender<Option<Result<Library, ApiError>>>,
    running: Arc<Mutex<HashMap<String, AbortHandle>>>,
    place: Arc<OnceLock<Arc<dyn Location>>>,
    link: Arc<Mutex<Option<String>>>,
}

impl Default for Host {
    fn default() -> Self {
        Self {
            opened: watch::Sender::new(None),
            running: Arc::default(),
            place: Arc::default(),
            link: Arc::default(),
        }
    }
}

impl Host {
    /// Opens the library at `place`, notifies the window of its events, and handles the first start.
    pub async fn open(&self, place: Result<Arc<dyn Location>, ApiError>, app: &AppHandle) {
        let opened = match place {
            Ok(place) => door::open(Arc::clone(self.place.get_or_init(|| place)), true).await,
            Err(error) => Err(error),
        };
        if let Ok(library) = &opened {
            event::forward(library, app.clone());
            if let Err(error) = door::first_start(library, true).await {
                tracing::error!(code = error.code, "the shipped standards are not ingested: {error}");
            }
        }
        self.opened.send_replace(Some(opened));
    }

    /// The library, once it is open.
    pub async fn library(&self) -> Result<Library, ApiError> {
        let mut opened = self.opened.subscribe();
        let closed = || ApiError::new("closed", "the library is closing; start the program again");
        let state = opened.wait_for(Option::is_some).await.map_err(|_| closed())?;
        state.clone().unwrap_or_else(|| Err(closed()))
    }

    /// The folder of the library, also of one that does not open.
    pub async fn folder(&self) -> Result<PathBuf, ApiError> {
        match self.place.get() {
            Some(place) => Ok(place.folder().to_owned()),
            None => Ok(self.library().await?.folder().to_owned()),
        }
    }

    /// Answers what can be answered even though the library does not open because of `error`.
    pub async fn without_library(
        &self,
        error: ApiError,
        command: &str,
        input: &Value,
    ) -> Result<Value, ApiError> {
        let Some(place) = self.place.get().filter(|_| error.code == "damaged") else { return Err(error) };
        door::without_library(&**place, &error, command, input).await.unwrap_or(Err(error))
    }

    /// Remembers a running call, so that it can be cancelled.
    pub fn started(&self, request: &str, call: AbortHandle) {
        self.running.lock().insert(request.to_owned(), call);
    }

    /// Forgets a call that has ended.
    pub fn ended(&self, request: &str) {
        self.running.lock().remove(request);
    }

    /// Stops a call; one that has ended is left alone.
    pub fn cancel(&self, request: &str) {
        if let Some(call) = self.running.lock().remove(request) {
            call.abort();
        }
    }

    /// Keeps the last of `links` until the window, which may not be there yet, follows it.
    pub fn follow(&self, links: impl Iterator<Item = String>) {
        if let Some(link) = links.last() {
            *self.link.lock() = Some(link);
        }
    }

    /// The link that waits to be followed, once.
    pub fn link(&self) -> Option<String> {
        self.link.lock().take()
    }
}
