//! Watched folders: what changes in them is ingested once it has settled.
//!
//! The system reports changes where it can; a folder is also checked from time to time, since network drives report
//! nothing. A check compares names, sizes and times with those that were ingested last, and nothing is ingested before
//! two checks in a row saw the same: a file that is still being written has another size by then.

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
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant, UNIX_EPOCH};
use tokio::sync::{Mutex, Notify, OwnedMutexGuard, oneshot};
use ts_rs::TS;

/// Time between two checks that must see the same before anything is ingested.
const SETTLE: Duration = Duration::from_secs(2);
/// How often it is asked whether a folder is due, which is known without the library.
const BEAT: Duration = Duration::from_millis(500);
/// How often it is asked whether another program changed the library.
const FOREIGN: Duration = Duration::from_secs(2);
/// How often leases are seen to, whatever changed.
const RENEWAL: Duration = Duration::from_secs(LEASE as u64 / 4);
/// How long a folder may take to be looked into before that shows in its state.
const SILENCE: Duration = Duration::from_secs(60);
/// How often a folder that is not there is looked for.
const ABSENT: Duration = Duration::from_secs(5);
/// How long a folder that never rests is waited for: a log that is always written must not hold the other files back.
const RESTLESS: Duration = Duration::from_secs(300);
/// Deepest nesting of folders that is searched, as in ingesting.
const MAX_DEPTH: usize = 64;
/// Seconds between two looks where nothing else is said.
pub const DEFAULT_EVERY: u32 = 300;

/// A folder to be watched.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
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
    /// What happens to documents whose file is gone.
    pub gone: Gone,
    /// Seconds between two checks of the folder; 0 where it relies on the system's notifications alone.
    pub every: u32,
    /// How it stands.
    pub state: WatchState,
    /// When it was last checked (ISO 8601, UTC).
    pub looked_at: Option<String>,
    /// The job that last ingested it.
    pub job: Option<i64>,
    /// Why it cannot be checked: a stable code.
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

    /// Watches a folder from now on: the window and servers ingest what it holds and what changes in it. Returns its
    /// id.
    ///
    /// # Errors
    /// [`Error::Io`] where the folder cannot be found, [`Error::UnfitPath`] where it is a file, overlaps with one that is
    /// watched or holds the library itself, [`Error::Invalid`] without a corpus for it to go to.
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
    /// [`Error::NotFound`] where the workspace has no such folder.
    pub async fn change_watch(&self, workspace: &str, id: i64, change: WatchedFolderChange) -> Result<()> {
        self.library.store().change_watched_folder(workspace, id, change).await?;
        self.library.0.watched.notify_one();
        Ok(())
    }

    /// Watches a folder of `workspace` no longer. Its documents stay.
    ///
    /// # Errors
    /// [`Error::NotFound`] where the workspace has no such folder.
    pub async fn unwatch(&self, workspace: &str, id: i64) -> Result<()> {
        self.library.store().remove_watched_folder(workspace, id).await?;
        self.library.0.watched.notify_one();
        Ok(())
    }

    /// Takes a watched folder of `workspace` in now, whatever changed. Returns the job.
    ///
    /// # Errors
    /// [`Error::NotFound`] where the workspace has no such folder; [`Error::Io`] and [`Error::UnfitPath`] where the folder
    /// is not there, does not answer, or is empty: nothing is deleted then.
    pub async fn look_now(&self, workspace: &str, id: i64) -> Result<i64> {
        let row = self.library.store().watched_folder(workspace, id).await?;
        let path = Path::new(&row.path);
        let glance = tokio::time::timeout(SILENCE, glance(path, snapshot, None)?);
        let seen = glance.await.map_err(|_| silent(path, SILENCE))?.map_err(|_| Error::Closed)?.seen?;
        take_in(self.library, &row, seen).await
    }
}

/// Ingests what a folder holds; `seen` is what a check saw.
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

/// A hash of the names, sizes and times of the files below `folder`. Hidden files and folders count as little as in
/// ingesting. Links are looked at and not followed: one may lead in a circle, or to the rest of the disk.
///
/// # Errors
/// [`Error::Io`] where the folder is not there or cannot be listed, [`Error::UnfitPath`] where it holds no file at all: a
/// drive that is not plugged in often leaves an empty folder behind.
fn snapshot(folder: &Path) -> Result<String> {
    fs::read_dir(folder).map_err(|error| Error::io(folder, error))?;
    let visible = |entry: &walkdir::DirEntry| {
        entry.depth() == 0 || !entry.file_name().to_string_lossy().starts_with('.')
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
        return Err(Error::unfit(
            folder,
            "is empty, so nothing was changed or deleted; if it is on an external or network drive, connect the drive. \
             To remove documents that you no longer need, delete them in the Library",
        ));
    }
    Ok(crate::store::hex(&digest.finalize()))
}

/// How folders are looked into.
#[derive(Clone, Copy)]
struct Looking {
    /// What tells one state of a folder from another.
    snapshot: fn(&Path) -> Result<String>,
    /// How long it may take before that shows.
    silence: Duration,
}

/// What a look gives.
struct Glance {
    seen: Result<String>,
    /// What the system reports changes with, where it was asked to.
    told: Option<notify::RecommendedWatcher>,
}

/// Checks the folder at `path`, and has the system report changes in it by `stirred`, where that is wanted. It does so
/// on a thread of its own, as long as it takes: what a drive holds up takes no place from others, and keeps no program
/// from ending.
fn glance(
    path: &Path,
    snapshot: fn(&Path) -> Result<String>,
    stirred: Option<Arc<AtomicBool>>,
) -> Result<oneshot::Receiver<Glance>> {
    let (sender, glance) = oneshot::channel();
    let folder = path.to_owned();
    let look = move || {
        let told = stirred.and_then(|stirred| listen(&folder, stirred));
        // Whoever asked may have gone.
        let _ = sender.send(Glance { seen: snapshot(&folder), told });
    };
    let started = std::thread::Builder::new().name("watched-folder".to_owned()).spawn(look);
    started.map_err(|error| Error::io(path, error))?;
    Ok(glance)
}

/// Has the system report changes below `folder`, where it can.
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

/// Why a folder cannot be looked into that has not answered for `time`.
fn silent(folder: &Path, time: Duration) -> Error {
    let message = format!(
        "the folder has not answered for {} s; check the drive and the network. Nothing is changed or deleted meanwhile",
        time.as_secs_f64()
    );
    Error::io(folder, io::Error::new(ErrorKind::TimedOut, message))
}

/// A folder that this program watches.
struct Held {
    /// Kept as long as the system is to report changes; it ends with the folder.
    told: Option<notify::RecommendedWatcher>,
    /// Whether the system told of a change since the last look.
    stirred: Arc<AtomicBool>,
    /// What was seen last and since when, where that was not ingested yet.
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
        tokio::spawn(tend(self, Looking { snapshot, silence: SILENCE }));
    }
}

/// Folders that this program watches. Each is locked while it is looked into.
type Watched = HashMap<i64, (WatchedFolderRow, Arc<Mutex<Held>>)>;

/// Sees to watched folders as long as `library` is open.
fn tend(library: &Library, looking: Looking) -> impl Future<Output = ()> + Send + use<> {
    tend_open(Arc::downgrade(&library.0), Arc::clone(&library.0.watched), looking)
}

async fn tend_open(library: Weak<Inner>, changed: Arc<Notify>, looking: Looking) {
    let mut watched = Watched::new();
    let (mut version, mut asked, mut leased) = (None, Instant::now(), None);
    loop {
        let Some(open) = library.upgrade().map(Library) else { return };
        if asked.elapsed() >= FOREIGN || version.is_none() {
            asked = Instant::now();
            // What cannot be asked is asked again with the leases.
            let now = open.store().foreign_version().await.ok();
            if now != version {
                (version, leased) = (now, None);
            }
        }
        if leased.is_none_or(|at: Instant| at.elapsed() >= RENEWAL) {
            leased = Some(Instant::now());
            match hold(&open, &mut watched).await {
                // Nobody works here any more; whoever wants something changed gets an error.
                Ok(()) | Err(Error::Store(sibyl_store::Error::Moved { .. })) => {}
                Err(error) => {
                    tracing::warn!(code = error.code(), "watched folders could not be checked: {error}");
                }
            }
        }
        for (row, held) in watched.values() {
            // One that is being looked into is left to it.
            let Ok(held) = Arc::clone(held).try_lock_owned() else { continue };
            if held.is_due() {
                tokio::spawn(look(library.clone(), row.clone(), held, looking));
            }
        }
        // The library closes with its last owner, which must not be this task.
        drop(open);
        if tokio::time::timeout(BEAT, changed.notified()).await.is_ok() {
            leased = None;
        }
    }
}

/// Leases every folder that nobody watches, and renews leases in their second half.
async fn hold(library: &Library, watched: &mut Watched) -> Result<()> {
    let (store, queue, moment) = (library.store(), &library.0.queue, unix_now());
    let rows = store.watchable_folders().await?;
    let dead = queue.dead(rows.iter().filter_map(|row| row.owner.clone()).collect());
    let mut mine = Vec::new();
    for row in rows {
        let own = row.owner.as_ref() == Some(&queue.owner);
        let free = row.owner.as_ref().is_none_or(|owner| dead.contains(owner)) || row.lease_until < moment;
        let renewed = row.lease_until <= moment + LEASE / 2;
        let held = if own && !renewed {
            true
        } else if own || free {
            store.lease_watched_folder(row.id, row.owner.clone(), &queue.owner, moment + LEASE).await?
        } else {
            false
        };
        if held {
            mine.push(row);
        }
    }
    watched.retain(|id, _| mine.iter().any(|row| row.id == *id));
    for row in mine {
        let held = || Arc::new(Mutex::new(Held::new()));
        watched
            .entry(row.id)
            .and_modify(|(known, _)| known.clone_from(&row))
            .or_insert_with(|| (row, held()));
    }
    Ok(())
}

/// Looks into a folder. The library may close meanwhile.
async fn look(
    library: Weak<Inner>,
    row: WatchedFolderRow,
    mut held: OwnedMutexGuard<Held>,
    looking: Looking,
) {
    let looked = look_into(&library, &row, &mut held, looking).await;
    match looked {
        Ok(()) | Err(Error::Store(sibyl_store::Error::Moved { .. })) => {}
        // It was removed meanwhile.
        Err(Error::Store(sibyl_store::Error::NotFound { .. })) => {}
        Err(error) => {
            held.next = Some(Instant::now() + ABSENT);
            tracing::warn!(code = error.code(), "{} could not be checked: {error}", row.path);
        }
    }
}

async fn look_into(
    library: &Weak<Inner>,
    row: &WatchedFolderRow,
    held: &mut Held,
    looking: Looking,
) -> Result<()> {
    let open = || library.upgrade().map(Library);
    let path = Path::new(&row.path);
    held.stirred.store(false, Ordering::Release);
    let stirred = held.told.is_none().then(|| Arc::clone(&held.stirred));
    let mut glance = glance(path, looking.snapshot, stirred)?;
    let Glance { seen, told } = match tokio::time::timeout(looking.silence, &mut glance).await {
        Ok(glance) => glance,
        Err(_) => {
            if let Some(library) = open() {
                trouble(&library, row, &silent(path, looking.silence)).await?;
            }
            glance.await
        }
    }
    .map_err(|_| Error::Closed)?;
    held.told = held.told.take().or(told);
    let Some(library) = open() else { return Ok(()) };
    // Somebody may have changed how it is watched, or taken it in by hand.
    let row = library.store().watched_folder(&row.workspace, row.id).await?;
    if row.paused || row.owner.as_ref() != Some(&library.0.queue.owner) {
        held.next = Some(Instant::now() + ABSENT);
        return Ok(());
    }
    weigh(&library, &row, held, seen).await
}

/// Takes a folder in where it has settled in another state than before; `seen` is what a look saw.
async fn weigh(
    library: &Library,
    row: &WatchedFolderRow,
    held: &mut Held,
    seen: Result<String>,
) -> Result<()> {
    let every = (row.every > 0).then(|| Instant::now() + Duration::from_secs(row.every.into()));
    let failed = match row.job {
        Some(job) => {
            let former = library.store().job_row(&row.workspace, job).await;
            former.is_ok_and(|former| former.state == JobState::Failed)
        }
        None => false,
    };
    match seen {
        // What was ingested by a job that failed, or before the folder could not be checked, such as a drive that went
        // in the middle, is ingested again.
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

/// Notes why a folder cannot be ingested, once.
async fn trouble(library: &Library, row: &WatchedFolderRow, error: &Error) -> Result<()> {
    let told = (error.code().to_owned(), error.to_string());
    if row.trouble.as_ref() == Some(&told) {
        return Ok(());
    }
    let looked = Looked { trouble: Some(told), ..Looked::default() };
    Ok(library.store().note_watched_folder(row.id, looked).await?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::OpenOptions;
    use crate::reader::ReaderProgram;
    use crate::store::table::workspace::DEFAULT_WORKSPACE;

    /// Files of the large folder, and folders that they lie in.
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
        assert_eq!(Some(&look()), seen.last(), "what is hidden is left out");
        seen.dedup();
        assert_eq!(seen.len(), 4, "{seen:?}");
    }

    /// A drive that does not answer until there is a file called `plug` beside it.
    fn held_up(folder: &Path) -> Result<String> {
        while folder.ends_with("drive") && !folder.with_file_name("plug").exists() {
            std::thread::sleep(Duration::from_millis(10));
        }
        snapshot(folder)
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_drive_that_does_not_answer_says_so_and_holds_no_other_folder_up() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["drive", "inbox"] {
            fs::create_dir(folder.path().join(name)).unwrap();
            fs::write(folder.path().join(name).join("note.md"), format!("# {name}\n\nWords.\n")).unwrap();
        }
        let options =
            OpenOptions { reader: ReaderProgram::InProcess, ..OpenOptions::new(folder.path().join("data")) };
        let library = Library::open(options).await.unwrap();
        for name in ["drive", "inbox"] {
            let path = folder.path().join(name).to_string_lossy().into_owned();
            let request = WatchRequest { path, corpus: name.to_owned(), gone: Gone::Mark, every: 0 };
            library.ingest().watch(DEFAULT_WORKSPACE, request).await.unwrap();
        }
        let looking = Looking { snapshot: held_up, silence: Duration::from_millis(50) };
        tokio::spawn(tend(&library, looking));
        let stand = async |wanted: [(WatchState, usize); 2]| {
            let began = Instant::now();
            loop {
                let folders = library.ingest().watched(DEFAULT_WORKSPACE).await.unwrap();
                let workspace = library.store().workspace(DEFAULT_WORKSPACE).await.unwrap().id;
                let documents = library.store().documents(workspace, None).await.unwrap();
                let now = folders.iter().map(|folder| {
                    let holds =
                        |name: &str| documents.iter().filter(|d| Path::new(&d.root).ends_with(name)).count();
                    (folder.state, holds(&folder.corpus))
                });
                if now.eq(wanted) {
                    return folders;
                }
                assert!(began.elapsed() < Duration::from_secs(60), "{folders:#?}");
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let folders = stand([(WatchState::Trouble, 0), (WatchState::Watching, 1)]).await;
        let message = folders[0].message.as_deref().unwrap_or_default();
        assert!(message.contains("has not answered for 0.05 s"), "{message}");
        fs::write(folder.path().join("plug"), "").unwrap();
        stand([(WatchState::Watching, 1), (WatchState::Watching, 1)]).await;
    }
}
