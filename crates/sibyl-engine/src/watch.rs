//! Watching an open library for what other programs write to it.

use crate::error::Result;
use crate::library::Library;
use crate::store::change::ChangeMark;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;

/// Time within which a change is reported.
const LOOK: Duration = Duration::from_millis(300);

/// What was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Changed {
    /// Documents and chunks.
    Chunks,
    /// Vectors.
    Vectors,
    /// Corpora and their settings.
    Corpora,
    /// Jobs and their files.
    Jobs,
    /// Workspaces.
    Workspaces,
    /// Reviewers' findings.
    Reviews,
    /// Assessments, and what programs propose in them.
    Assessments,
    /// Recorded searches.
    Runs,
    /// Questions with their answers.
    Answers,
    /// Gold sets.
    Gold,
    /// Runs of evaluations.
    Evaluations,
    /// Settings.
    Settings,
    /// The thesaurus.
    Thesaurus,
    /// Whether the library is sound, or another file replaces it.
    Condition,
}

/// The changes that the store counts, by the names under which it counts them.
const COUNTED: [(&str, Changed); 13] = [
    ("chunk", Changed::Chunks),
    ("vector", Changed::Vectors),
    ("corpus", Changed::Corpora),
    ("job", Changed::Jobs),
    ("workspace", Changed::Workspaces),
    ("review", Changed::Reviews),
    ("assessment", Changed::Assessments),
    ("run", Changed::Runs),
    ("answer", Changed::Answers),
    ("gold", Changed::Gold),
    ("evaluation", Changed::Evaluations),
    ("setting", Changed::Settings),
    ("thesaurus", Changed::Thesaurus),
];

impl Library {
    /// Changes by other programs from now on, reported within a second. Each message names everything that changed
    /// since the one before, which may include changes of this program.
    ///
    /// # Errors
    /// Storage errors.
    pub async fn changes_by_others(&self) -> Result<mpsc::Receiver<Vec<Changed>>> {
        let mut feed = self.store().changes(LOOK).await?;
        let mut seen = feed.borrow_and_update().clone();
        let (sender, receiver) = mpsc::channel(1);
        let library = Arc::downgrade(&self.0);
        tokio::spawn(async move {
            loop {
                let Ok(place) = sender.reserve().await else { return };
                tokio::select! {
                    () = sender.closed() => return,
                    more = feed.changed() => if more.is_err() { return },
                }
                let now = feed.borrow_and_update().clone();
                let changed = changes(&seen, &now);
                seen = now;
                if changed.contains(&Changed::Settings) {
                    let Some(library) = library.upgrade().map(Library) else { return };
                    library.models().look_for_providers().await;
                }
                if !changed.is_empty() {
                    place.send(changed);
                }
            }
        });
        Ok(receiver)
    }
}

fn changes(seen: &ChangeMark, now: &ChangeMark) -> Vec<Changed> {
    let condition = (seen.damaged, seen.replaced) != (now.damaged, now.replaced);
    let counted = COUNTED.iter().filter(|(name, _)| now.counts.get(*name) != seen.counts.get(*name));
    condition.then_some(Changed::Condition).into_iter().chain(counted.map(|(_, changed)| *changed)).collect()
}
