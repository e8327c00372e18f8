//! Watching an open library for what other programs write to it.

use crate::error::{Error, Result};
use crate::library::Library;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;

/// Time between two looks. One asks SQLite for a number that it keeps in memory.
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
    /// Whether the library is sound, or another file takes its place.
    Condition,
}

/// The changes that the store counts, by the name it counts them under.
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

/// A state of the library.
struct Seen {
    version: i64,
    counts: BTreeMap<String, i64>,
    condition: (bool, bool),
}

impl Library {
    /// What other programs change from now on, told within a second. Each message names everything that changed since
    /// the one before, which may include changes of this program.
    ///
    /// # Errors
    /// Storage errors.
    pub async fn changes_by_others(&self) -> Result<mpsc::Receiver<Vec<Changed>>> {
        let mut seen = look(self).await?;
        let (sender, receiver) = mpsc::channel(1);
        let library = Arc::downgrade(&self.0);
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(LOOK).await;
                let Ok(place) = sender.reserve().await else { return };
                let Some(library) = library.upgrade().map(Library) else { return };
                match changes(&library, &mut seen).await {
                    Ok(changed) if changed.is_empty() => {}
                    Ok(changed) => place.send(changed),
                    Err(Error::Closed | Error::Store(sibyl_store::Error::Closed)) => return,
                    Err(error) => {
                        tracing::warn!(
                            code = error.code(),
                            "changes by other programs are not seen: {error}"
                        );
                    }
                }
            }
        });
        Ok(receiver)
    }
}

async fn look(library: &Library) -> Result<Seen> {
    // The version first: whatever is written between the two is found by the next look.
    let condition = condition(library);
    let version = library.store().foreign_version().await?;
    Ok(Seen { version, counts: library.store().change_counts().await?, condition })
}

/// Whether the library is known to be damaged, and whether another file takes its place.
fn condition(library: &Library) -> (bool, bool) {
    (library.store().damage().is_some(), library.store().place().is_replaced())
}

async fn changes(library: &Library, seen: &mut Seen) -> Result<Vec<Changed>> {
    let condition = condition(library);
    if seen.condition != condition {
        seen.condition = condition;
        return Ok(vec![Changed::Condition]);
    }
    if library.store().foreign_version().await? == seen.version {
        return Ok(Vec::new());
    }
    let now = look(library).await?;
    let differs = |name: &str| now.counts.get(name) != seen.counts.get(name);
    let changed: Vec<Changed> =
        COUNTED.iter().filter(|(name, _)| differs(name)).map(|(_, changed)| *changed).collect();
    *seen = now;
    if changed.contains(&Changed::Settings) {
        library.models().look_for_providers().await;
    }
    Ok(changed)
}
