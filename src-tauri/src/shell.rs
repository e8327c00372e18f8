//! What the window itself does for a page: native dialogs, the file manager, links from outside, ending the
//! program.

use crate::host::Host;
use serde_json::{Value, json};
use sibyl_api::{ApiError, Pack, read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tauri::AppHandle;
use tauri_plugin_dialog::{DialogExt as _, FilePath};
use tokio::sync::oneshot;

/// Runs a command of the shell. Dialogs answer with `paths`, which are empty where the user gave up; `shell.link` with
/// the link that the program was opened with, once.
pub async fn run(app: &AppHandle, host: &Host, command: &str, input: &Value) -> Result<Value, ApiError> {
    let name = input["name"].as_str().unwrap_or_default();
    let paths = match command {
        "shell.pick_files" => picked(app, Pick::Files).await?,
        "shell.pick_folders" => picked(app, Pick::Folders).await?,
        "shell.save_file" => picked(app, Pick::Place(name)).await?,
        "shell.save_text" => {
            let places = picked(app, Pick::Place(name)).await?;
            for place in &places {
                write(place, input["text"].as_str().unwrap_or_default().as_bytes())?;
            }
            places
        }
        "shell.save_bytes" => {
            let pack: Pack = read(input.clone(), "the file")?;
            let bytes = pack.bytes()?;
            let places = picked(app, Pick::Place(name)).await?;
            for place in &places {
                write(place, &bytes)?;
            }
            places
        }
        "shell.show_folder" => {
            let folder = host.folder().await?;
            show(&folder)?;
            vec![folder]
        }
        "shell.link" => return Ok(json!(host.link())),
        "shell.quit" => {
            app.exit(0);
            Vec::new()
        }
        _ => return Err(ApiError::new("unknown_command", format!("command `{command}` does not exist"))),
    };
    Ok(json!({ "paths": paths }))
}

/// What a dialog asks for.
enum Pick<'a> {
    Files,
    Folders,
    /// A place for a file that is called so at first.
    Place(&'a str),
}

async fn picked(app: &AppHandle, pick: Pick<'_>) -> Result<Vec<PathBuf>, ApiError> {
    let dialog = app.dialog().file();
    let (answer, answered) = oneshot::channel();
    let many = |paths: Option<Vec<FilePath>>| {
        // The window may have gone; nobody waits then.
        let _ = answer.send(paths.unwrap_or_default());
    };
    match pick {
        Pick::Files => dialog.pick_files(many),
        Pick::Folders => dialog.pick_folders(many),
        Pick::Place(name) => {
            dialog.set_file_name(name).save_file(move |path| many(path.map(|path| vec![path])));
        }
    }
    let paths = answered.await.map_err(|_| ApiError::new("cancelled", "cancelled"))?;
    paths.into_iter().map(|path| path.into_path().map_err(|error| io(&error))).collect()
}

fn write(place: &Path, bytes: &[u8]) -> Result<(), ApiError> {
    std::fs::write(place, bytes)
        .map_err(|error| io(&format!("{} cannot be written: {error}; choose another place", place.display())))
}

/// Opens a folder in the file manager of the system.
fn show(folder: &Path) -> Result<(), ApiError> {
    let program = if cfg!(target_os = "windows") {
        "explorer"
    } else if cfg!(target_os = "macos") {
        "open"
    } else {
        "xdg-open"
    };
    let mut manager = Command::new(program)
        .arg(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| io(&format!("`{program}` cannot be started: {error}; the path can be copied")))?;
    // It may stay open as long as it likes; somebody has to notice its end.
    std::thread::spawn(move || manager.wait());
    Ok(())
}

fn io(error: &dyn std::fmt::Display) -> ApiError {
    ApiError::new("io", error.to_string())
}
