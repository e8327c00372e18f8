//! `sibyl watch`.

use super::ingest::end_of;
use super::show::cell;
use super::{End, Outcome, gone, maintain, print};
use crate::arguments::watch::Watch;
use crate::output::{number, table, text};
use crate::session::Session;
use serde::Deserialize as _;
use serde_json::{Value, json};
use sibyl_api::{ApiError, WatchState};

pub async fn watch(session: &Session, command: Option<Watch>) -> Outcome {
    match command.unwrap_or(Watch::List) {
        Watch::List => {}
        Watch::Add { folder, corpus, gone, every } => {
            let path = folder.to_string_lossy();
            let input = json!({ "path": path, "corpus": corpus, "gone": gone.name(), "every": every });
            session.call("watch.add", input).await?;
        }
        Watch::Remove { id } => drop(session.call("watch.remove", json!({ "id": id })).await?),
        Watch::Pause { id } => drop(session.call("watch.change", json!({ "id": id, "paused": true })).await?),
        Watch::Resume { id } => {
            drop(session.call("watch.change", json!({ "id": id, "paused": false })).await?);
        }
        Watch::Run { id } => {
            // The program ends with the job, so nothing may be left to a later one.
            let asked = json!({ "id": id, "embed": "complete" });
            let job = session.call("watch.run", asked).await?["id"].as_i64().unwrap_or_default();
            session.follow(&session.common.workspace, job).await?;
            return Ok(end_of(&maintain::job(session, job).await?));
        }
        Watch::Confirm { folder } => return decide(session, &folder, true).await,
        Watch::Refuse { folder } => return decide(session, &folder, false).await,
    }
    let folders = session.call("watch.list", json!({})).await?;
    let held = session.call("held.list", json!({})).await?;
    print(&session.common, &folders, |folders| list(folders) + &gone::held(&held));
    Ok(End::Done)
}

/// Decides about what is held back of `folder`: a watched folder by its number, or any by its path.
async fn decide(session: &Session, folder: &str, confirmed: bool) -> Outcome {
    let root = match folder.parse::<i64>() {
        Ok(id) => {
            let folders = session.call("watch.list", json!({})).await?;
            let watched = folders.as_array().into_iter().flatten().find(|known| known["id"] == id);
            let path = watched.map(|known| text(known, "path").to_owned());
            path.ok_or_else(|| {
                let message = format!("folder {id} is not watched; `sibyl watch` lists those that are");
                ApiError::new("not_found", message)
            })?
        }
        // A folder that is away cannot be looked up: its name as it is listed is what counts.
        Err(_) => std::fs::canonicalize(folder)
            .map_or_else(|_| folder.to_owned(), |path| path.to_string_lossy().into_owned()),
    };
    let outcome = session.call("held.decide", json!({ "root": root, "confirmed": confirmed })).await?;
    print(&session.common, &outcome, |outcome| {
        format!(
            "{} documents deleted, {} marked as missing, {} kept. `sibyl restore` restores what was deleted.\n",
            number(outcome, "deleted"),
            number(outcome, "marked"),
            number(outcome, "kept")
        )
    });
    Ok(End::Done)
}

fn list(folders: &Value) -> String {
    let folders: Vec<&Value> = folders.as_array().into_iter().flatten().collect();
    if folders.is_empty() {
        return "No folder is watched; `sibyl watch add FOLDER --corpus NAME` watches one.\n".to_owned();
    }
    let row = |folder: &&Value| {
        ["id", "corpus", "state", "gone", "every", "looked_at", "path"].map(|key| cell(&folder[key])).to_vec()
    };
    let rows: Vec<Vec<String>> = folders.iter().map(row).collect();
    let mut out =
        table(&["folder", "corpus", "state", "if gone", "every", "last update", "path"], &[0, 4], &rows);
    for folder in &folders {
        if let Some(message) = folder["message"].as_str() {
            out.push_str(&format!("{}: {message}\n", cell(&folder["id"])));
        }
    }
    let waits = |folder: &&Value| {
        WatchState::deserialize(&folder["state"]).is_ok_and(|state| state == WatchState::Waiting)
    };
    if folders.iter().any(waits) {
        out.push_str("Folders are watched only while the window or `sibyl serve` is running; neither is.\n");
    }
    out
}
