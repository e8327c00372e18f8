//! The desktop shell: it opens the window and translates calls; all work is done behind `sibyl-api`.

use std::process::ExitCode;

/// Opens the window and runs until it is closed.
pub fn run() -> ExitCode {
    match tauri::Builder::default().run(tauri::generate_context!()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!(%error, "the window could not be opened");
            ExitCode::FAILURE
        }
    }
}
