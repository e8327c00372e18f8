//! `sibyl watch`.

use super::show::cell;
use super::{End, Outcome, maintain, print};
use crate::arguments::watch::Watch;
use crate::output::table;
use crate::session::Session;
use serde_json::{Value, json};

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
            let job =
                session.call("watch.run", json!({ "id": id })).await?["id"].as_i64().unwrap_or_default();
            session.follow(&session.common.workspace, job).await?;
            return maintain::job(session, job).await;
        }
    }
    let folders = session.call("watch.list", json!({})).await?;
    print(&session.common, &folders, list);
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
    if folders.iter().any(|folder| folder["state"] == "waiting") {
        out.push_str("Folders are watched only while the window or `sibyl serve` is running; neither is.\n");
    }
    out
}
