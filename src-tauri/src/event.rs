//! What the window receives without asking: changes, and the states of jobs.

use sibyl_api::door::Told;
use sibyl_api::{Library, door};
use tauri::{AppHandle, Emitter as _};

const EVENT: &str = "sibyl://event";

/// Tag of the link that waits to be followed.
pub const LINK: &str = "link";

/// Notifies the window that whatever has one of `tags` changed.
pub fn changed(app: &AppHandle, tags: &[&'static str]) {
    emit(app, &Told::changed(tags));
}

/// Notifies the window of every job event of this program, and of changes by other programs in its library.
pub fn forward(library: &Library, app: AppHandle) {
    door::tell(library, move |told| {
        emit(&app, &told);
        true
    });
}

fn emit(app: &AppHandle, told: &Told) {
    if let Err(error) = app.emit(EVENT, told) {
        tracing::warn!(%error, "the window was not told");
    }
}
