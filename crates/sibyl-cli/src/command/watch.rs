//! `sibyl watch`.

use super::ingest::end_of;
use super::{Outcome, gone, maintain, print};
use crate::arguments::watch::Watch;
use crate::output::{cell, table};
use crate::session::Session;
use sibyl_api::command::Nothing;
use sibyl_api::command::held::{HeldAnswer, HeldDecide, HeldList};
use sibyl_api::command::watch::{
    WatchAdd, WatchChange, WatchChangeRequest, WatchId, WatchList, WatchRemove, WatchRun, WatchRunRequest,
};
use sibyl_api::{ApiError, EmbedPlan, HeldBecause, WatchRequest, WatchState, WatchedFolder};

pub async fn watch(session: &Session, command: Option<Watch>) -> Outcome {
    match command.unwrap_or(Watch::List) {
        Watch::List => {}
        Watch::Add { folder, corpus, gone, every } => {
            let path = folder.to_string_lossy().into_owned();
            session.call::<WatchAdd>(WatchRequest { path, corpus, gone, every }).await?;
        }
        Watch::Remove { id } => {
            session.call::<WatchRemove>(WatchId { id }).await?;
        }
        Watch::Pause { id } => {
            session.call::<WatchChange>(paused(id, true)).await?;
        }
        Watch::Resume { id } => {
            session.call::<WatchChange>(paused(id, false)).await?;
        }
        Watch::Run { id } => {
            // The program ends with the job, so nothing may be left to a later one.
            let asked = WatchRunRequest { id, embed: EmbedPlan::Complete };
            let job = session.call::<WatchRun>(asked).await?.id;
            session.follow(&session.common.workspace, job).await?;
            return Ok(end_of(&maintain::job(session, job).await?));
        }
        Watch::Confirm { folder, away } => {
            // No single command deletes both what is gone and what is on a disconnected drive.
            let because = if away { HeldBecause::Away } else { HeldBecause::Many };
            return decide(session, &folder, Some(because)).await;
        }
        Watch::Refuse { folder } => return decide(session, &folder, None).await,
    }
    let folders = session.call::<WatchList>(Nothing {}).await?;
    let held = session.call::<HeldList>(Nothing {}).await?;
    print(&session.common, folders.as_slice(), |folders| list(folders) + &gone::held(&held))
}

/// Pauses or resumes the folder with this id.
const fn paused(id: i64, paused: bool) -> WatchChangeRequest {
    WatchChangeRequest { id, paused: Some(paused), gone: None, every: None }
}

/// Decides about what is held back of `folder`, a watched folder by its number or any folder by its path. What is
/// held `because` of that is deleted or marked; with `None` everything is kept.
async fn decide(session: &Session, folder: &str, because: Option<HeldBecause>) -> Outcome {
    let root = match folder.parse::<i64>() {
        Ok(id) => {
            let folders = session.call::<WatchList>(Nothing {}).await?;
            let watched = folders.into_iter().find(|known| known.id == id).map(|known| known.path);
            watched.ok_or_else(|| {
                let message = format!("folder {id} is not watched; `sibyl watch` lists those that are");
                ApiError::new("not_found", message)
            })?
        }
        // A folder that is away cannot be looked up, so its name in the list counts.
        Err(_) => std::fs::canonicalize(folder)
            .map_or_else(|_| folder.to_owned(), |path| path.to_string_lossy().into_owned()),
    };
    let held = session.call::<HeldList>(Nothing {}).await?;
    let mut others = held.iter().filter(|one| one.root == root);
    if because.is_some_and(|because| !others.clone().any(|one| one.reason == because))
        && let Some(other) = others.next()
    {
        let cure = match other.reason {
            HeldBecause::Away => {
                "their folder is away: connect the drive, or add `--away` to delete or mark them"
            }
            HeldBecause::Many => "their folder is there and they are gone from it: leave out `--away`",
        };
        return Err(ApiError::invalid(format!(
            "{} documents of {root} are held back, but {cure}",
            other.files.count
        )));
    }
    let asked = HeldAnswer { root, corpus: None, reason: because, confirmed: because.is_some() };
    let outcome = session.call::<HeldDecide>(asked).await?;
    print(&session.common, &outcome, |outcome| {
        format!(
            "{} documents deleted, {} marked as missing, {} kept. `sibyl restore` restores what was deleted.\n",
            outcome.deleted, outcome.marked, outcome.kept
        )
    })
}

fn list(folders: &[WatchedFolder]) -> String {
    if folders.is_empty() {
        return "No folder is watched; `sibyl watch add FOLDER --corpus NAME` watches one.\n".to_owned();
    }
    let rows = folders.iter().map(|folder| {
        vec![
            folder.id.to_string(),
            folder.corpus.clone(),
            cell(&folder.state),
            folder.gone.name().to_owned(),
            folder.every.to_string(),
            folder.looked_at.clone().unwrap_or_else(|| "never".to_owned()),
            folder.path.clone(),
        ]
    });
    let mut out =
        table(&["folder", "corpus", "state", "if gone", "every", "last update", "path"], &[0, 4], rows);
    for folder in folders {
        if let Some(message) = &folder.message {
            out.push_str(&format!("{}: {message}\n", folder.id));
        }
        if let Some(settled) = &folder.settled {
            let last = gone::settled(settled);
            out.extend(last.lines().map(|line| format!("{}: last update: {line}\n", folder.id)));
        }
    }
    if folders.iter().any(|folder| folder.state == WatchState::Waiting) {
        out.push_str("Folders are watched only while the window or `sibyl serve` is running; neither is.\n");
    }
    out
}
