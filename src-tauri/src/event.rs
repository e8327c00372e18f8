//! What the window is sent without asking: what changed, and how jobs stand.

use sibyl_api::door::Told;
use sibyl_api::{Library, door};
use tauri::{AppHandle, Emitter as _};

const EVENT: &str = "sibyl://event";

/// Tag of the link that waits to be followed.
pub const LINK: &str = "link";

/// Tells the window that what carries one of `tags` changed.
pub fn changed(app: &AppHandle, tags: &[&'static str]) {
    emit(app, &Told::changed(tags));
}

/// Tells the window about every job of this program, and what other programs change in its library.
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
