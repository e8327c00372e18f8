//! Watched folders: what changes in them is taken in once it has settled.
//!
//! The system tells of changes where it can; a folder is also looked into from time to time, since network drives tell
//! nothing. A look compares names, sizes and times with those that were taken in last, and nothing is ingested before
//! two looks in a row saw the same: a file that is still being written has another size by then.

use super::{EmbedPlan, Gone, IngestRequest, JobState, Source};
use crate::error::{Error, Result};
use crate::library::queue::{LEASE, unix_now};
use crate::library::{Ingest, Inner, Library};
pub use crate::store::table::watched_folder::WatchedFolderChange;
use crate::store::table::watched_folder::{Looked, NewWatchedFolder, WatchedFolderRow};
use notify::{RecursiveMode, Watcher as _};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant, UNIX_EPOCH};
use ts_rs::TS;

/// Time between two looks that must see the same before anything is taken in.
const SETTLE: Duration = Duration::from_secs(2);
/// How often folders are seen to.
const BEAT: Duration = Duration::from_millis(500);
/// How often a folder that is not there is looked for.
const ABSENT: Duration = Duration::from_secs(5);
/// How long a folder that never rests is waited for: a log that is always written must not hold the other files back.
const RESTLESS: Duration = Duration::from_secs(300);
/// Deepest nesting of folders that is looked into, as in an import.
const MAX_DEPTH: usize = 64;
/// Seconds between two looks where nothing else is said.
pub const DEFAULT_EVERY: u32 = 300;

/// A folder to be watched.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct WatchRequest {
    /// The folder.
    pub path: String,
    /// Name of the corpus that its files go to; made where there is none of that name.
    pub corpus: String,
    /// What becomes of documents whose file is gone; they are marked where nothing is said.
    #[serde(default = "default_gone")]
    pub gone: Gone,
    /// Seconds between two looks, for drives that tell of no change; 0 relies on the system alone.
    #[serde(default = "default_every")]
    pub every: u32,
}

const fn default_every() -> u32 {
    DEFAULT_EVERY
}

const fn default_gone() -> Gone {
    Gone::Mark
}

/// How a watched folder stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum WatchState {
    /// A program watches it.
    Watching,
    /// Nobody watches it until it is resumed.
    Paused,
    /// No program that watches folders is open: neither the window nor a server.
    Waiting,
    /// It cannot be looked into; nothing is deleted meanwhile.
    Trouble,
}

/// A watched folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct WatchedFolder {
    /// Its id.
    pub id: i64,
    /// The folder.
    pub path: String,
    /// Name of the corpus that its files go to.
    pub corpus: String,
    /// What becomes of documents whose file is gone.
    pub gone: Gone,
    /// Seconds between two looks; 0 where it relies on the system alone.
    pub every: u32,
    /// How it stands.
    pub state: WatchState,
    /// When it was looked into last (ISO 8601, UTC).
    pub looked_at: Option<String>,
    /// The job that took it in last.
    pub job: Option<i64>,
    /// Why it cannot be looked into: a stable code.
    pub code: Option<String>,
    /// The same in words, with the cure.
    pub message: Option<String>,
}

impl Ingest<'_> {
    /// The watched folders of `workspace`, by path.
    ///
    /// # Errors
    /// Unknown workspace and storage errors.
    pub async fn watched(&self, workspace: &str) -> Result<Vec<WatchedFolder>> {
        let store = self.library.store();
        store.workspace(workspace).await?;
        let rows = store.watched_folders(workspace).await?;
        Ok(rows.into_iter().map(|row| self.seen(row)).collect())
    }

    fn seen(&self, row: WatchedFolderRow) -> WatchedFolder {
        let queue = &self.library.0.queue;
        let alive = row.owner.as_ref().is_some_and(|owner| *owner == queue.owner || queue.lives(owner));
        let state = match (&row.trouble, row.paused) {
            (_, true) => WatchState::Paused,
            (Some(_), false) => WatchState::Trouble,
            (None, false) if alive && row.lease_until >= unix_now() => WatchState::Watching,
            (None, false) => WatchState::Waiting,
        };
        let WatchedFolderRow { id, path, corpus, gone, every, looked_at, job, trouble, .. } = row;
        let (code, message) = trouble.unzip();
        WatchedFolder { id, path, corpus, gone, every, state, looked_at, job, code, message }
    }

    /// Watches a folder from now on: the window and servers take in what it holds and what changes in it. Returns its id.
    ///
    /// # Errors
    /// [`Error::Io`] where the folder cannot be found, [`Error::Invalid`] where it is a file, is watched already, has no
    /// corpus to go to, or holds the library itself.
    pub async fn watch(&self, workspace: &str, request: WatchRequest) -> Result<i64> {
        let corpus = request.corpus.trim();
        if corpus.is_empty() {
            return Err(Error::Invalid("a watched folder needs a corpus; name one, old or new".to_owned()));
        }
        let path = fs::canonicalize(&request.path).map_err(|error| Error::io(&request.path, error))?;
        if !path.is_dir() {
            return Err(Error::Invalid(format!(
                "{} is a file; only folders can be watched, so choose the folder it lies in",
                path.display()
            )));
        }
        let own = fs::canonicalize(self.library.folder()).map_err(|e| Error::io(self.library.folder(), e))?;
        if own.starts_with(&path) || path.starts_with(&own) {
            return Err(Error::Invalid(format!(
                "{} holds Sibyl's own data, which changes with every import; choose another folder",
                path.display()
            )));
        }
        for other in self.library.store().watched_folders(workspace).await? {
            let other = PathBuf::from(other.path);
            if path != other && (path.starts_with(&other) || other.starts_with(&path)) {
                return Err(Error::Invalid(format!(
                    "{} overlaps with {}, which is already watched; stop watching that one first, or choose another folder",
                    path.display(),
                    other.display()
                )));
            }
        }
        let new = NewWatchedFolder {
            workspace: workspace.to_owned(),
            path: path.to_string_lossy().into_owned(),
            corpus: corpus.to_owned(),
            gone: request.gone,
            every: request.every,
        };
        Ok(self.library.store().add_watched_folder(new).await?)
    }

    /// Pauses or resumes a watched folder of `workspace`, or changes how it is watched.
    ///
    /// # Errors
    /// [`Error::NotFound`] where the workspace has no such folder.
    pub async fn change_watch(&self, workspace: &str, id: i64, change: WatchedFolderChange) -> Result<()> {
        Ok(self.library.store().change_watched_folder(workspace, id, change).await?)
    }

    /// Watches a folder of `workspace` no longer. Its documents stay.
    ///
    /// # Errors
    /// [`Error::NotFound`] where the workspace has no such folder.
    pub async fn unwatch(&self, workspace: &str, id: i64) -> Result<()> {
        Ok(self.library.store().remove_watched_folder(workspace, id).await?)
    }

    /// Takes a watched folder of `workspace` in now, whatever changed. Returns the job.
    ///
    /// # Errors
    /// [`Error::NotFound`] where the workspace has no such folder; [`Error::Io`] and [`Error::Invalid`] where the folder
    /// is not there or empty: nothing is deleted then.
    pub async fn look_now(&self, workspace: &str, id: i64) -> Result<i64> {
        let row = self.library.store().watched_folder(workspace, id).await?;
        let path = PathBuf::from(&row.path);
        let seen = tokio::task::spawn_blocking(move || snapshot(&path)).await??;
        take_in(self.library, &row, seen).await
    }
}

/// Takes in what a folder holds; `seen` is what a look saw.
async fn take_in(library: &Library, row: &WatchedFolderRow, seen: String) -> Result<i64> {
    let request = IngestRequest {
        sources: vec![Source::path(&row.path)],
        corpus: Some(row.corpus.clone()),
        gone: row.gone,
        embed: EmbedPlan::Instant,
        ..IngestRequest::default()
    };
    let job = library.ingest().start(&row.workspace, request).await?;
    let looked = Looked { seen: Some(seen), job: Some(job), trouble: None };
    library.store().note_watched_folder(row.id, looked).await?;
    Ok(job)
}

/// A hash of the names, sizes and times of the files below `folder`. Hidden files and folders count as little as in an
/// import. Links are looked at and not followed: one may lead in a circle, or to the rest of the disk.
///
/// # Errors
/// [`Error::Io`] where the folder is not there or cannot be listed, [`Error::Invalid`] where it holds no file at all: a
/// drive that is not plugged in often leaves an empty folder behind.
fn snapshot(folder: &Path) -> Result<String> {
    fs::read_dir(folder).map_err(|error| Error::io(folder, error))?;
    let visible = |entry: &walkdir::DirEntry| {
        entry.depth() == 0 || !entry.file_name().to_string_lossy().starts_with('.')
    };
    let walk = walkdir::WalkDir::new(folder).follow_links(false).max_depth(MAX_DEPTH).sort_by_file_name();
    let (mut digest, mut files) = (Sha256::new(), 0_usize);
    for entry in walk.into_iter().filter_entry(visible) {
        // What cannot be listed is told by the import.
        let Ok(entry) = entry else { continue };
        if entry.file_type().is_dir() {
            continue;
        }
        files += 1;
        let metadata = entry.metadata().ok();
        let bytes = metadata.as_ref().map_or(0, fs::Metadata::len);
        let time = metadata
            .and_then(|file| file.modified().ok())
            .and_then(|time| time.duration_since(UNIX_EPOCH).ok())
            .map_or(0, |elapsed| elapsed.as_nanos());
        digest.update(entry.path().as_os_str().as_encoded_bytes());
        digest.update([0]);
        digest.update(bytes.to_le_bytes());
        digest.update(time.to_le_bytes());
    }
    if files == 0 {
        return Err(Error::Invalid(format!(
            "{} is empty, so nothing was changed or deleted; if it lies on another drive, connect that. Documents that \
             you no longer need can be deleted in the Library",
            folder.display()
        )));
    }
    Ok(crate::store::hex(&digest.finalize()))
}

/// A folder that this program watches.
struct Held {
    /// Kept as long as the system is to tell of changes; it ends with the folder.
    told: Option<notify::RecommendedWatcher>,
    /// Whether the system told of a change since the last look.
    stirred: Arc<AtomicBool>,
    /// What was seen last and since when, where that was not taken in yet.
    pending: Option<(String, Instant)>,
    /// Since when it has not rested.
    restless: Option<Instant>,
    /// When to look again.
    next: Option<Instant>,
}

impl Held {
    fn new() -> Self {
        Self {
            told: None,
            stirred: Arc::default(),
            pending: None,
            restless: None,
            // What changed while nobody watched.
            next: Some(Instant::now()),
        }
    }

    /// Has the system tell of changes below `path`, where it can.
    fn listen(&mut self, path: &Path) {
        let stirred = Arc::clone(&self.stirred);
        let heard = move |event: notify::Result<notify::Event>| {
            if event.is_ok_and(|event| !event.kind.is_access()) {
                stirred.store(true, Ordering::Release);
            }
        };
        let told =
            notify::RecommendedWatcher::new(heard, notify::Config::default().with_follow_symlinks(false));
        let listening = told.and_then(|mut watcher| {
            watcher.watch(path, RecursiveMode::Recursive)?;
            Ok(watcher)
        });
        self.told = listening
            .inspect_err(|error| {
                tracing::warn!("the system tells of no changes in {}: {error}", path.display());
            })
            .ok();
    }

    fn is_due(&self) -> bool {
        // While it has not settled, its changes are no reason to look more often.
        let waits = self.pending.is_some();
        (!waits && self.stirred.load(Ordering::Acquire))
            || self.next.is_some_and(|next| Instant::now() >= next)
    }
}

impl Library {
    /// Watches folders as long as the library is open, but for those that another program watches.
    pub(crate) fn watch_folders(&self) {
        tokio::spawn(tend(Arc::downgrade(&self.0)));
    }
}

async fn tend(library: Weak<Inner>) {
    let mut held: HashMap<i64, Held> = HashMap::new();
    loop {
        let Some(open) = library.upgrade().map(Library) else { return };
        match see_to(&open, &mut held).await {
            // Nobody works here any more; whoever wants something changed is told.
            Ok(()) | Err(Error::Store(sibyl_store::Error::Moved { .. })) => {}
            Err(error) => {
                tracing::warn!(code = error.code(), "watched folders cannot be seen to: {error}");
            }
        }
        drop(open);
        tokio::time::sleep(BEAT).await;
    }
}

async fn see_to(library: &Library, held: &mut HashMap<i64, Held>) -> Result<()> {
    let (store, queue) = (library.store(), &library.0.queue);
    let dead = queue.dead(store.watched_folder_owners().await?);
    let rows = store.hold_watched_folders(&queue.owner, dead, unix_now(), LEASE).await?;
    held.retain(|id, _| rows.iter().any(|row| row.id == *id));
    for row in rows {
        let one = held.entry(row.id).or_insert_with(Held::new);
        if one.is_due() {
            look(library, &row, one).await?;
        }
    }
    Ok(())
}

/// Looks into a folder; takes it in where it has settled in another state than before.
async fn look(library: &Library, row: &WatchedFolderRow, held: &mut Held) -> Result<()> {
    let path = PathBuf::from(&row.path);
    if held.told.is_none() && path.is_dir() {
        held.listen(&path);
    }
    held.stirred.store(false, Ordering::Release);
    let every = (row.every > 0).then(|| Instant::now() + Duration::from_secs(row.every.into()));
    let failed = match row.job {
        Some(job) => {
            let former = library.store().job_row(&row.workspace, job).await;
            former.is_ok_and(|former| former.state == JobState::Failed)
        }
        None => false,
    };
    match tokio::task::spawn_blocking(move || snapshot(&path)).await? {
        // What was taken in by a job that failed, or before the folder could not be looked into, such as a drive that went
        // in the middle, is taken in again.
        Ok(seen) if seen == row.seen && row.trouble.is_none() && !failed => {
            (held.pending, held.restless, held.next) = (None, None, every);
        }
        Ok(seen) => {
            let restless = *held.restless.get_or_insert_with(Instant::now);
            let before = held.pending.take().filter(|(before, _)| *before == seen);
            let since = before.map_or_else(Instant::now, |(_, since)| since);
            if since.elapsed() >= SETTLE || restless.elapsed() >= RESTLESS {
                (held.restless, held.next) = (None, every);
                if let Err(error) = take_in(library, row, seen).await {
                    held.next = Some(Instant::now() + ABSENT);
                    trouble(library, row, &error).await?;
                }
            } else {
                (held.pending, held.next) = (Some((seen, since)), Some(since + SETTLE));
            }
        }
        Err(error) => {
            // The system tells nothing of a folder that comes back.
            (held.told, held.pending, held.restless) = (None, None, None);
            held.next = Some(Instant::now() + ABSENT);
            trouble(library, row, &error).await?;
        }
    }
    Ok(())
}

/// Notes why a folder cannot be taken in, once.
async fn trouble(library: &Library, row: &WatchedFolderRow, error: &Error) -> Result<()> {
    let told = (error.code().to_owned(), error.to_string());
    if row.trouble.as_ref() == Some(&told) {
        return Ok(());
    }
    let looked = Looked { trouble: Some(told), ..Looked::default() };
    Ok(library.store().note_watched_folder(row.id, looked).await?)
}
