//! Native dialogs of the window.

use serde_json::{Value, json};
use sibyl_api::ApiError;
use tauri::AppHandle;
use tauri_plugin_dialog::{DialogExt as _, FilePath};
use tokio::sync::oneshot;

/// Runs a dialog; `paths` is empty where the user gave up.
pub async fn run(app: &AppHandle, command: &str, input: &Value) -> Result<Value, ApiError> {
    let dialog = app.dialog().file();
    let (answer, answered) = oneshot::channel();
    let many = |paths: Option<Vec<FilePath>>| {
        // The window may have gone; nobody waits then.
        let _ = answer.send(paths.unwrap_or_default());
    };
    match command {
        "shell.pick_files" => dialog.pick_files(many),
        "shell.pick_folders" => dialog.pick_folders(many),
        "shell.save_file" => {
            let name = input["name"].as_str().unwrap_or_default();
            dialog.set_file_name(name).save_file(move |path| many(path.map(|path| vec![path])));
        }
        _ => return Err(ApiError::new("unknown_command", format!("there is no command `{command}`"))),
    }
    let picked = answered.await.map_err(|_| ApiError::new("cancelled", "cancelled"))?;
    let paths: Vec<String> = picked.iter().map(ToString::to_string).collect();
    Ok(json!({ "paths": paths }))
}
