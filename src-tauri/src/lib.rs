//! The desktop shell: it opens the window and translates calls; all work is done behind `sibyl-api`.

mod dialog;
mod event;
mod host;
mod rpc;

use host::Host;
use std::process::ExitCode;
use tauri::Manager as _;

/// Opens the window and runs until it is closed.
pub fn run() -> ExitCode {
    if let Some(code) = sibyl_api::door::reader_child() {
        return code;
    }
    tracing_subscriber::fmt()
        .with_env_filter(
            tracing_subscriber::EnvFilter::try_from_env("SIBYL_LOG")
                .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn")),
        )
        .with_writer(std::io::stderr)
        .init();
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
        .setup(|app| {
            let folder = match std::env::var_os(sibyl_api::door::DATA_DIR) {
                Some(folder) => folder.into(),
                None => app.path().app_data_dir()?,
            };
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
