//! Calls of the window: one door for the whole command list.

use crate::event;
use crate::host::Host;
use crate::shell;
use serde_json::Value;
use sibyl_api::{ApiError, Call, CommandKind, Door, Progress, ProgressListener};
use std::sync::Arc;
use tauri::ipc::{Channel, JavaScriptChannelId};
use tauri::{Manager as _, State, Webview};

/// Runs a command of the list, or one of the shell's own. A stream reports its progress through the channel
/// `progress`.
#[tauri::command]
pub async fn rpc(
    webview: Webview,
    host: State<'_, Host>,
    command: String,
    input: Value,
    request_id: String,
    workspace: String,
    progress: Option<JavaScriptChannelId>,
) -> Result<Value, ApiError> {
    let app = webview.app_handle().clone();
    if command.starts_with("shell.") {
        return shell::run(&app, &host, &command, &input).await;
    }
    let library = match host.library().await {
        Ok(library) => library,
        Err(error) => return host.without_library(error, &command, &input).await,
    };
    let progress = progress.map(|id| {
        let channel: Channel<Progress> = id.channel_on(webview);
        // A page that is gone hears nothing any more, and its call is cancelled elsewhere.
        Arc::new(move |told| drop(channel.send(told))) as ProgressListener
    });
    let call = Call { library, door: Door::Local, workspace, request_id: request_id.clone(), progress };
    let kept = call.library.clone();
    let running = tauri::async_runtime::spawn({
        let command = command.clone();
        async move { sibyl_api::dispatch(&command, call, input).await }
    });
    host.started(&request_id, running.inner().abort_handle());
    let answer = running.await;
    host.ended(&request_id);
    let answer = answer.unwrap_or_else(|error| Err(ended(error)));
    match &answer {
        // What had arrived of an answer is in the log before the page looks for it there.
        Err(error) if error.code == "cancelled" => kept.answer().settled().await,
        Err(error) => tracing::info!(command, request_id, code = error.code, "a call failed: {error}"),
        Ok(_) => {}
    }
    if let Some(entry) =
        sibyl_api::entry(&command).filter(|entry| entry.kind != CommandKind::Query && answer.is_ok())
    {
        event::changed(&app, entry.tags);
    }
    answer
}

/// Why a call ended without an answer: it was cancelled, or it panicked.
fn ended(error: tauri::Error) -> ApiError {
    match error {
        tauri::Error::JoinError(error) => error.into(),
        error => ApiError::new("internal", error.to_string()),
    }
}

/// Cancels a call by its request id.
#[tauri::command]
pub fn rpc_cancel(host: State<'_, Host>, request_id: String) {
    host.cancel(&request_id);
}
