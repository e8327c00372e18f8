//! The desktop shell: it opens the window and translates calls; all work is done behind `sibyl-api`.

mod event;
mod host;
mod rpc;
mod shell;

use host::Host;
use sibyl_api::LogWriter;
use std::process::ExitCode;
use tauri::Manager as _;
use tracing_subscriber::prelude::*;
use tracing_subscriber::{EnvFilter, fmt, registry};

/// Opens the window and runs until it is closed.
pub fn run() -> ExitCode {
    if let Some(code) = sibyl_api::door::reader_child() {
        return code;
    }
    let disk = LogWriter::default();
    log(disk.clone());
    let builder = tauri::Builder::default()
        .plugin(tauri_plugin_single_instance::init(|app, _arguments, _folder| {
            // A second start shows the window that is there.
            if let Some(window) = app.get_webview_window("main")
                && let Err(error) = window.unminimize().and_then(|()| window.set_focus())
            {
                tracing::warn!(%error, "the window could not be raised");
            }
        }))
        .plugin(tauri_plugin_window_state::Builder::default().build())
        .plugin(tauri_plugin_dialog::init())
        .setup(move |app| {
            let folder = match std::env::var_os(sibyl_api::door::DATA_DIR) {
                Some(folder) => folder.into(),
                None => app.path().app_data_dir()?,
            };
            if let Err(error) = disk.open(&folder) {
                tracing::error!(%error, "nothing is logged to disk");
            }
            let host = Host::default();
            app.manage(host.clone());
            let handle = app.handle().clone();
            tauri::async_runtime::spawn(async move { host.open(&folder, &handle).await });
            Ok(())
        })
        .invoke_handler(tauri::generate_handler![rpc::rpc, rpc::rpc_cancel]);
    match builder.run(tauri::generate_context!()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!(%error, "the window could not be opened");
            ExitCode::FAILURE
        }
    }
}

/// Logs to standard error as the environment says, and to disk what the window may want to show.
fn log(disk: LogWriter) {
    let asked = EnvFilter::try_from_env("SIBYL_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
    let stderr = fmt::layer().with_writer(std::io::stderr).with_filter(asked);
    let kept = EnvFilter::try_from_env("SIBYL_LOG")
        .unwrap_or_else(|_| EnvFilter::new("warn,sibyl_engine=info,sibyl_desktop=info"));
    let disk = fmt::layer().json().with_writer(move || disk.clone()).with_filter(kept);
    registry().with(stderr).with(disk).init();
}
