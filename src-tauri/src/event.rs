//! What the window is told without asking: what changed, and how jobs stand.

use serde_json::json;
use sibyl_api::{JobEvent, Library, Stage, door};
use std::collections::HashMap;
use tauri::{AppHandle, Emitter as _};
use tokio::sync::broadcast::error::RecvError;

const EVENT: &str = "sibyl://event";

/// Tag of the link that waits to be followed.
pub const LINK: &str = "link";

/// Tells the window that what carries one of `tags` changed.
pub fn changed(app: &AppHandle, tags: &[&str]) {
    emit(app, &json!({ "tags": tags }));
}

/// Tells the window about every job of this program until it ends.
pub fn forward(library: Library, app: AppHandle) {
    tauri::async_runtime::spawn(async move {
        let mut events = library.jobs().events();
        let mut last: HashMap<i64, (usize, Stage)> = HashMap::new();
        loop {
            match events.recv().await {
                Ok(event) => {
                    let tags = tags(&event, last.insert(event.job, (event.files_done, event.stage)));
                    emit(&app, &json!({ "tags": tags, "job": event }));
                }
                Err(RecvError::Lagged(_)) => {} // Every event carries the whole picture.
                Err(RecvError::Closed) => return,
            }
        }
    });
}

/// Tells the window what other programs change in its library.
pub fn watch(library: Library, app: AppHandle) {
    tauri::async_runtime::spawn(async move {
        match door::changes(&library).await {
            Ok(mut changes) => {
                // The library closes with its last owner, which must not be this task.
                drop(library);
                while let Some(tags) = changes.recv().await {
                    changed(&app, &tags);
                }
            }
            Err(error) => {
                tracing::warn!(code = error.code, "changes by other programs are not seen: {error}")
            }
        }
    });
}

/// What an event of a job changes. Most only move a bar.
fn tags(event: &JobEvent, before: Option<(usize, Stage)>) -> &'static [&'static str] {
    if event.state.at_rest() {
        &["jobs", "corpora", "documents", "chunks", "vectors"]
    } else if before.is_none_or(|(done, stage)| stage != event.stage || done / 25 != event.files_done / 25) {
        &["jobs", "corpora", "documents"]
    } else {
        &[]
    }
}

fn emit(app: &AppHandle, payload: &serde_json::Value) {
    if let Err(error) = app.emit(EVENT, payload) {
        tracing::warn!(%error, "the window was not told");
    }
}
