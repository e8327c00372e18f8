//! The desktop shell: it opens the window and translates calls; all work is done behind `sibyl-api`.

mod event;
mod host;
mod rpc;
mod shell;

use host::Host;
use sibyl_api::LogWriter;
use std::process::ExitCode;
use tauri::Manager as _;
use tauri_plugin_deep_link::DeepLinkExt as _;
use tracing_subscriber::prelude::*;
use tracing_subscriber::{EnvFilter, fmt, registry};

/// Opens the window and runs until it is closed.
pub fn run() -> ExitCode {
    if let Some(code) = sibyl_api::door::begin() {
        return code;
    }
    let disk = LogWriter::default();
    log(disk.clone());
    #[cfg(target_os = "linux")]
    if gtk::init().is_err() {
        tracing::error!(
            "no display was found through DISPLAY or WAYLAND_DISPLAY, and the window needs one; set one of them, or \
             use the command line (sibyl), or sibyl serve --ui with a browser"
        );
        return ExitCode::FAILURE;
    }
    let builder = tauri::Builder::default()
        .plugin(tauri_plugin_single_instance::init(|app, _arguments, _folder| {
            // A second start shows the existing window; a link that it was given goes to the listener below.
            if let Some(window) = app.get_webview_window("main")
                && let Err(error) = window.unminimize().and_then(|()| window.set_focus())
            {
                tracing::warn!(%error, "the window could not be raised");
            }
        }))
        .plugin(tauri_plugin_deep_link::init())
        .plugin(tauri_plugin_window_state::Builder::default().build())
        .plugin(tauri_plugin_dialog::init())
        .setup(move |app| {
            let home = app.path().app_data_dir()?;
            let named = std::env::var_os(sibyl_api::door::DATA_DIR).map(Into::into);
            let place = sibyl_api::door::place(named, || Ok(home.clone()));
            let folder = place.as_ref().map_or(home.as_path(), |place| place.folder());
            if let Err(error) = disk.open(folder) {
                tracing::error!(%error, "nothing is logged to disk");
            }
            let host = Host::default();
            app.manage(host.clone());
            let handle = app.handle().clone();
            if let Some(links) = app.deep_link().get_current()? {
                host.follow(links.iter().map(ToString::to_string));
            }
            app.deep_link().on_open_url({
                let (host, handle) = (host.clone(), handle.clone());
                move |opened| {
                    host.follow(opened.urls().iter().map(ToString::to_string));
                    event::changed(&handle, &[event::LINK]);
                }
            });
            tauri::async_runtime::spawn(async move { host.open(place, &handle).await });
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
