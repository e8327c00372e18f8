//! Watched folders: what changes in them is ingested once it has settled.
//!
//! The system reports changes where it can. A folder is also checked from time to time, since network drives
//! report nothing. A check compares names, sizes and times with those of the last ingest. Nothing is ingested
//! before two checks in a row saw the same: a file that is still being written changes its size.

mod tend;

use super::source::is_temporary;
use super::{EmbedPlan, Gone, GoneReport, IngestRequest, Source};
use crate::error::{Error, Result};
use crate::library::queue::unix_now;
use crate::library::{Ingest, Library};
pub use crate::store::table::watched_folder::WatchedFolderChange;
use crate::store::table::watched_folder::{Looked, NewWatchedFolder, WatchedFolderRow};
use notify::{RecursiveMode, Watcher as _};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, UNIX_EPOCH};
use tokio::sync::oneshot;

/// Time after which a check of a folder that is still running shows in its state.
const SILENCE: Duration = Duration::from_secs(60);
/// Deepest nesting of folders that is searched, as in ingesting.
const MAX_DEPTH: usize = 64;
/// Default number of seconds between two checks.
pub const DEFAULT_EVERY: u32 = 300;

/// A folder to be watched.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WatchRequest {
    /// The folder.
    pub path: String,
    /// Name of the corpus that its files go to; created if it does not exist.
    pub corpus: String,
    /// What happens to documents whose file is gone; by default, they are marked.
    #[serde(default = "default_gone")]
    pub gone: Gone,
    /// Seconds between two checks of the folder, for drives that report no changes; 0 relies on the system's
    /// notifications alone.
    #[serde(default = "default_every")]
    pub every: u32,
}

const fn default_every() -> u32 {
    DEFAULT_EVERY
}

const fn default_gone() -> Gone {
    Gone::Mark
}

/// The state of a watched folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WatchState {
    /// A program watches it.
    Watching,
    /// Nobody watches it until it is resumed.
    Paused,
    /// No program that watches folders is open: neither the window nor a server.
    Waiting,
    /// It cannot be checked; nothing is deleted meanwhile.
    Trouble,
}

/// A watched folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WatchedFolder {
    /// Its id.
    pub id: i64,
    /// The folder.
    pub path: String,
    /// Name of the corpus that its files go to.
    pub corpus: String,
    /// What happens to documents whose file is gone.
    pub gone: Gone,
    /// Seconds between two checks of the folder; 0 relies on the system's notifications alone.
    pub every: u32,
    /// Its state.
    pub state: WatchState,
    /// When it was last checked (ISO 8601, UTC).
    pub looked_at: Option<String>,
    /// The job that last ingested it.
    pub job: Option<i64>,
    /// Why it cannot be checked: a stable code.
    pub code: Option<String>,
    /// The same in words, with the cure.
    pub message: Option<String>,
    /// What became of the documents whose files that job did not find; `None` before the first.
    pub settled: Option<GoneReport>,
}

impl Ingest<'_> {
    /// The watched folders of `workspace`, by path.
    ///
    /// # Errors
    /// Unknown workspace and storage errors.
    pub async fn watched(&self, workspace: &str) -> Result<Vec<WatchedFolder>> {
        let store = self.library.store();
        store.workspace(workspace).await?;
        let mut folders = Vec::new();
        for row in store.watched_folders(workspace).await? {
            let settled = match row.job {
                // The oldest jobs are deleted.
                Some(job) => store.job_row(workspace, job).await.ok().map(|job| job.report.gone),
                None => None,
            };
            folders.push(self.seen(row, settled));
        }
        Ok(folders)
    }

    fn seen(&self, row: WatchedFolderRow, settled: Option<GoneReport>) -> WatchedFolder {
        let queue = self.library.queue();
        let alive = row.owner.as_ref().is_some_and(|owner| *owner == queue.owner || queue.lives(owner));
        let state = match (&row.trouble, row.paused) {
            (_, true) => WatchState::Paused,
            (Some(_), false) => WatchState::Trouble,
            (None, false) if alive && row.lease_until >= unix_now() => WatchState::Watching,
            (None, false) => WatchState::Waiting,
        };
        let WatchedFolderRow { id, path, corpus, gone, every, looked_at, job, trouble, .. } = row;
        let (code, message) = trouble.unzip();
        WatchedFolder { id, path, corpus, gone, every, state, looked_at, job, code, message, settled }
    }

    /// Watches a folder from now on: the window and servers ingest its contents and what changes in it. Returns
    /// its id.
    ///
    /// # Errors
    /// [`Error::Io`] if the folder cannot be found. [`Error::UnfitPath`] if it is a file, overlaps with a watched
    /// folder or holds the library itself. [`Error::Invalid`] without a corpus for it to go to.
    pub async fn watch(&self, workspace: &str, request: WatchRequest) -> Result<i64> {
        let corpus = request.corpus.trim();
        if corpus.is_empty() {
            return Err(Error::Invalid("a watched folder needs a corpus; name one, old or new".to_owned()));
        }
        let path = fs::canonicalize(&request.path).map_err(|error| Error::io(&request.path, error))?;
        if !path.is_dir() {
            return Err(Error::unfit(
                path,
                "is a file; only folders can be watched, so choose the folder that contains it",
            ));
        }
        let own = fs::canonicalize(self.library.folder()).map_err(|e| Error::io(self.library.folder(), e))?;
        if own.starts_with(&path) || path.starts_with(&own) {
            return Err(Error::unfit(
                path,
                "contains or belongs to Sibyl's own data, which changes whenever Sibyl ingests files; choose a different folder",
            ));
        }
        for other in self.library.store().watched_folders(workspace).await? {
            let other = PathBuf::from(other.path);
            if path != other && (path.starts_with(&other) || other.starts_with(&path)) {
                let why = format!(
                    "overlaps with {}, which is already watched; stop watching that one first, or choose another folder",
                    other.display()
                );
                return Err(Error::unfit(path, why));
            }
        }
        let new = NewWatchedFolder {
            workspace: workspace.to_owned(),
            path: path.to_string_lossy().into_owned(),
            corpus: corpus.to_owned(),
            gone: request.gone,
            every: request.every,
        };
        let id = self.library.store().add_watched_folder(new).await?;
        self.library.0.watched.notify_one();
        Ok(id)
    }

    /// Pauses or resumes a watched folder of `workspace`, or changes how it is watched.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the workspace has no such folder.
    pub async fn change_watch(&self, workspace: &str, id: i64, change: WatchedFolderChange) -> Result<()> {
        self.library.store().change_watched_folder(workspace, id, change).await?;
        self.library.0.watched.notify_one();
        Ok(())
    }

    /// Watches a folder of `workspace` no longer. Its documents stay.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the workspace has no such folder.
    pub async fn unwatch(&self, workspace: &str, id: i64) -> Result<()> {
        self.library.store().remove_watched_folder(workspace, id).await?;
        self.library.0.watched.notify_one();
        Ok(())
    }

    /// Ingests a watched folder of `workspace` now, whatever changed; `embed` says what is embedded before the job
    /// ends. Returns the job.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the workspace has no such folder. [`Error::FolderAway`] if the folder is not there
    /// or is empty, and [`Error::Io`] if it does not respond: nothing is deleted then.
    pub async fn look_now(&self, workspace: &str, id: i64, embed: EmbedPlan) -> Result<i64> {
        let row = self.library.store().watched_folder(workspace, id).await?;
        let path = Path::new(&row.path);
        let seen = match tokio::time::timeout(SILENCE, glance(path, snapshot, None)?).await {
            Ok(glance) => glance.map_err(|_| Error::Closed)?.seen,
            Err(_) => Err(silent(path, SILENCE)),
        };
        match seen {
            Ok(seen) => take_in(self.library, &row, seen, embed).await,
            Err(error) => {
                trouble(self.library, &row, &error).await?;
                Err(error)
            }
        }
    }
}

/// Notes why a folder cannot be ingested, once.
async fn trouble(library: &Library, row: &WatchedFolderRow, error: &Error) -> Result<()> {
    let told = (error.code().to_owned(), error.to_string());
    if row.trouble.as_ref() == Some(&told) {
        return Ok(());
    }
    let looked = Looked { trouble: Some(told), ..Looked::default() };
    Ok(library.store().note_watched_folder(row.id, looked).await?)
}

/// Ingests the contents of a folder; `seen` is what a check saw.
async fn take_in(library: &Library, row: &WatchedFolderRow, seen: String, embed: EmbedPlan) -> Result<i64> {
    let request = IngestRequest {
        sources: vec![Source::path(&row.path)],
        corpus: Some(row.corpus.clone()),
        gone: row.gone,
        embed,
        ..IngestRequest::default()
    };
    let job = library.ingest().start(&row.workspace, request).await?;
    let looked = Looked { seen: Some(seen), job: Some(job), trouble: None };
    library.store().note_watched_folder(row.id, looked).await?;
    Ok(job)
}

/// A hash of the names, sizes and times of the files below `folder`. Hidden files and folders, and those that
/// programs leave while they work, are ignored, as in ingesting. Links are listed and not followed: one may lead
/// in a circle, or to the rest of the disk.
///
/// # Errors
/// [`Error::FolderAway`] if the folder is not there or holds no file at all: an unplugged drive often leaves an
/// empty folder behind. [`Error::Io`] if it cannot be listed.
fn snapshot(folder: &Path) -> Result<String> {
    fs::read_dir(folder).map_err(|error| match error.kind() {
        ErrorKind::NotFound => Error::FolderAway { path: folder.to_owned(), empty: false },
        _ => Error::io(folder, error),
    })?;
    let visible = |entry: &walkdir::DirEntry| {
        let name = entry.file_name().to_string_lossy();
        entry.depth() == 0 || !(name.starts_with('.') || is_temporary(&name))
    };
    let walk = walkdir::WalkDir::new(folder).follow_links(false).max_depth(MAX_DEPTH).sort_by_file_name();
    let (mut digest, mut files) = (Sha256::new(), 0_usize);
    for entry in walk.into_iter().filter_entry(visible) {
        // The job reports what cannot be listed.
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
        return Err(Error::FolderAway { path: folder.to_owned(), empty: true });
    }
    Ok(crate::store::hex(&digest.finalize()))
}

/// How folders are checked.
#[derive(Clone, Copy)]
struct Looking {
    /// A value that differs between two states of a folder.
    snapshot: fn(&Path) -> Result<String>,
    /// How long it may take before that shows.
    silence: Duration,
    /// Time between two checks that must see the same before anything is ingested.
    settle: Duration,
}

/// The result of a check.
struct Glance {
    seen: Result<String>,
    /// The system's watcher that reports changes, if there is one.
    told: Option<notify::RecommendedWatcher>,
}

/// Checks the folder at `path` and, if wanted, has the system report changes in it through `stirred`. It runs on a
/// thread of its own, for as long as it takes. A drive that does not respond then blocks no other check and keeps
/// no program from ending.
fn glance(
    path: &Path,
    snapshot: fn(&Path) -> Result<String>,
    stirred: Option<Arc<AtomicBool>>,
) -> Result<oneshot::Receiver<Glance>> {
    let (sender, glance) = oneshot::channel();
    let folder = path.to_owned();
    let look = move || {
        let told = stirred.and_then(|stirred| listen(&folder, stirred));
        // The caller may have gone.
        let _ = sender.send(Glance { seen: snapshot(&folder), told });
    };
    let started = std::thread::Builder::new().name("watched-folder".to_owned()).spawn(look);
    started.map_err(|error| Error::io(path, error))?;
    Ok(glance)
}

/// Has the system report changes below `folder`, if it can.
fn listen(folder: &Path, stirred: Arc<AtomicBool>) -> Option<notify::RecommendedWatcher> {
    if !folder.is_dir() {
        return None;
    }
    let heard = move |event: notify::Result<notify::Event>| {
        if event.is_ok_and(|event| !event.kind.is_access()) {
            stirred.store(true, Ordering::Release);
        }
    };
    let told = notify::RecommendedWatcher::new(heard, notify::Config::default().with_follow_symlinks(false));
    let listening = told.and_then(|mut watcher| {
        watcher.watch(folder, RecursiveMode::Recursive)?;
        Ok(watcher)
    });
    listening
        .inspect_err(|error| {
            tracing::warn!("the system does not report changes in {}: {error}", folder.display())
        })
        .ok()
}

/// Why a folder that has not responded for `time` cannot be checked.
fn silent(folder: &Path, time: Duration) -> Error {
    let message = format!(
        "the folder has not answered for {} s; check the drive and the network. Nothing is changed or deleted meanwhile",
        time.as_secs_f64()
    );
    Error::io(folder, io::Error::new(ErrorKind::TimedOut, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files of the large folder, and folders that contain them.
    const FILES: usize = 10_000;
    const FOLDERS: usize = 100;

    #[test]
    fn each_change_among_ten_thousand_files_is_seen_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = |file: usize| folder.path().join(format!("{:02}/{file}.md", file % FOLDERS));
        for file in 0..FILES {
            fs::create_dir_all(path(file).parent().unwrap()).unwrap();
            fs::write(path(file), "# Note\n").unwrap();
        }
        let look = || snapshot(folder.path()).unwrap();
        let mut seen = vec![look()];
        assert_eq!(look(), seen[0], "nothing changed");
        fs::write(path(17), "# Another note\n").unwrap();
        seen.push(look());
        fs::rename(path(4_711), path(4_711).with_extension("txt")).unwrap();
        seen.push(look());
        fs::remove_file(path(9_999)).unwrap();
        seen.push(look());
        fs::write(folder.path().join("00/.hidden.md"), "# Hidden\n").unwrap();
        fs::write(folder.path().join("00/~$17.docx"), "Reviewer").unwrap();
        assert_eq!(Some(&look()), seen.last(), "what is hidden and what locks a file is left out");
        seen.dedup();
        assert_eq!(seen.len(), 4, "{seen:?}");
    }
}
