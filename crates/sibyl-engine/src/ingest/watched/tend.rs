//! Tending watched folders: they are leased, checked when due, and ingested once they have settled.

use super::{Glance, Looking, SILENCE, glance, silent, snapshot, take_in, trouble};
use crate::error::{Error, Result};
use crate::ingest::{EmbedPlan, JobState};
use crate::library::queue::{LEASE, unix_now};
use crate::library::{Inner, Library};
use crate::store::change::ChangeMark;
use crate::store::moment;
use crate::store::table::held::HeldDocuments;
use crate::store::table::watched_folder::WatchedFolderRow;
use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};
use tokio::sync::{Mutex, Notify, OwnedMutexGuard, watch};

/// Time between two checks that must see the same before anything is ingested.
const SETTLE: Duration = Duration::from_secs(2);
/// How often folders are tested for being due, which is known without the library.
const BEAT: Duration = Duration::from_millis(500);
/// Time in which a change of the library by another program is noticed.
const FOREIGN: Duration = Duration::from_secs(2);
/// How often leases are seen to, whatever changed.
const RENEWAL: Duration = Duration::from_secs(LEASE as u64 / 4);
/// How often a folder that is not there is looked for.
const ABSENT: Duration = Duration::from_secs(5);
/// How long to wait for a folder that never settles: a log that is always written must not hold the other files
/// back.
const RESTLESS: Duration = Duration::from_secs(300);

/// A folder that this program watches.
struct Held {
    /// Kept as long as the system is to report changes; it ends with the folder.
    told: Option<notify::RecommendedWatcher>,
    /// Whether the system reported a change since the last check.
    stirred: Arc<AtomicBool>,
    /// The last state seen and since when, if it was not ingested yet.
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
        // While it has not settled, its changes are no reason to check more often.
        let waits = self.pending.is_some();
        (!waits && self.stirred.load(Ordering::Acquire))
            || self.next.is_some_and(|next| Instant::now() >= next)
    }
}

impl Library {
    /// Watches folders as long as the library is open, except those that another program watches.
    pub(crate) fn watch_folders(&self) {
        tokio::spawn(tend(self, Looking { snapshot, silence: SILENCE, settle: SETTLE }));
    }
}

/// Folders that this program watches. Each is locked while it is checked.
type Watched = HashMap<i64, (WatchedFolderRow, Arc<Mutex<Held>>)>;

/// Sees to watched folders as long as `library` is open.
fn tend(library: &Library, looking: Looking) -> impl Future<Output = ()> + Send + use<> {
    tend_open(Arc::downgrade(&library.0), Arc::clone(&library.0.watched), looking)
}

async fn tend_open(library: Weak<Inner>, changed: Arc<Notify>, looking: Looking) {
    let mut watched = Watched::new();
    let (mut feed, mut leased): (Option<watch::Receiver<ChangeMark>>, _) = (None, None);
    loop {
        let Some(open) = library.upgrade().map(Library) else { return };
        match &mut feed {
            Some(changes) if changes.has_changed().unwrap_or_default() => {
                changes.mark_unchanged();
                leased = None;
            }
            Some(_) => {}
            // What cannot be asked now is asked again.
            None => feed = open.store().changes(FOREIGN).await.ok(),
        }
        if leased.is_none_or(|at: Instant| at.elapsed() >= RENEWAL) {
            leased = Some(Instant::now());
            match hold(&open, &mut watched).await {
                // Nobody works here any more; whoever wants a change gets an error.
                Ok(()) | Err(Error::Store(sibyl_store::Error::Moved { .. })) => {}
                Err(error) => {
                    tracing::warn!(code = error.code(), "watched folders could not be checked: {error}");
                }
            }
        }
        for (row, held) in watched.values() {
            // One that is being checked is left alone.
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
    let (store, queue, moment) = (library.store(), library.queue(), unix_now());
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
    let mut held_in: HashMap<String, Vec<HeldDocuments>> = HashMap::new();
    for (row, held) in watched.values() {
        if !held_in.contains_key(&row.workspace) {
            let workspace = store.workspace(&row.workspace).await?.id;
            held_in.insert(row.workspace.clone(), store.held_documents(workspace).await?);
        }
        if holds_too_long(library, row, &held_in[&row.workspace]).await?
            && let Ok(held) = held.try_lock()
        {
            held.stirred.store(true, Ordering::Release);
        }
    }
    Ok(())
}

/// Whether documents of a folder, of those `held` in its workspace, were held back for the full time. The folder has to
/// be ingested once more then, but while a job ingests it, the job sees to them.
async fn holds_too_long(library: &Library, row: &WatchedFolderRow, held: &[HeldDocuments]) -> Result<bool> {
    let until =
        held.iter().filter(|held| held.root == row.path).filter_map(|held| held.until.as_deref()).min();
    if until.is_none_or(|until| until > moment(library.now()).as_str()) {
        return Ok(false);
    }
    Ok(state_of_job(library, row).await.is_none_or(JobState::at_rest))
}

/// The state of the job that ingested a folder last, if known.
async fn state_of_job(library: &Library, row: &WatchedFolderRow) -> Option<JobState> {
    let former = library.store().job_row(&row.workspace, row.job?).await;
    former.ok().map(|former| former.state)
}

/// Checks a folder. The library may close meanwhile.
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
    // Somebody may have changed how it is watched, or ingested it by hand.
    let row = library.store().watched_folder(&row.workspace, row.id).await?;
    if row.paused || row.owner.as_ref() != Some(&library.queue().owner) {
        held.next = Some(Instant::now() + ABSENT);
        return Ok(());
    }
    weigh(&library, &row, held, seen, looking.settle).await
}

/// Ingests a folder if it has been in another state than before for the time `settle`; `seen` is the result of a
/// check.
async fn weigh(
    library: &Library,
    row: &WatchedFolderRow,
    held: &mut Held,
    seen: Result<String>,
    settle: Duration,
) -> Result<()> {
    let every = (row.every > 0).then(|| Instant::now() + Duration::from_secs(row.every.into()));
    let failed = state_of_job(library, row).await == Some(JobState::Failed);
    let workspace = library.store().workspace(&row.workspace).await?.id;
    let waiting = library.store().held_documents(workspace).await?;
    let late = holds_too_long(library, row, &waiting).await?;
    match seen {
        // What a job that failed ingested is ingested again. So is what was ingested before the folder could not
        // be checked, for example because a drive was disconnected midway.
        Ok(seen) if seen == row.seen && row.trouble.is_none() && !failed && !late => {
            (held.pending, held.restless, held.next) = (None, None, every);
        }
        Ok(seen) => {
            let restless = *held.restless.get_or_insert_with(Instant::now);
            let before = held.pending.take().filter(|(before, _)| *before == seen);
            let since = before.map_or_else(Instant::now, |(_, since)| since);
            if since.elapsed() >= settle || restless.elapsed() >= RESTLESS {
                (held.restless, held.next) = (None, every);
                if let Err(error) = take_in(library, row, seen, EmbedPlan::Instant).await {
                    held.next = Some(Instant::now() + ABSENT);
                    trouble(library, row, &error).await?;
                }
            } else {
                (held.pending, held.next) = (Some((seen, since)), Some(since + settle));
            }
        }
        Err(error) => {
            // The system reports nothing about a folder that comes back.
            (held.told, held.pending, held.restless) = (None, None, None);
            held.next = Some(Instant::now() + ABSENT);
            trouble(library, row, &error).await?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::OpenOptions;
    use crate::ingest::Gone;
    use crate::ingest::watched::{WatchRequest, WatchState, WatchedFolderChange};
    use crate::reader::ReaderProgram;
    use crate::store::table::workspace::DEFAULT_WORKSPACE;
    use std::fs;

    /// A drive that does not respond until there is a file called `plug` beside it.
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
        let silence = Duration::from_millis(50);
        let looking = Looking { snapshot: held_up, silence, settle: SETTLE };
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

    /// A program on the library beside `inbox` that watches no folder of itself.
    async fn program(folder: &Path) -> Library {
        let options =
            OpenOptions { reader: ReaderProgram::InProcess, ..OpenOptions::new(folder.join("data")) };
        Library::open(options).await.unwrap()
    }

    /// Checks each folder that `library` watches as if it had settled. Gives how many it watches, and how many
    /// jobs there are then.
    async fn look_once(library: &Library, watched: &mut Watched) -> (usize, usize) {
        let looking = Looking { snapshot, silence: SILENCE, settle: Duration::ZERO };
        hold(library, watched).await.unwrap();
        for (row, held) in watched.values() {
            let mut held = held.lock().await;
            look_into(&Arc::downgrade(&library.0), row, &mut held, looking).await.unwrap();
        }
        let jobs = library.jobs().list(DEFAULT_WORKSPACE).await.unwrap();
        for job in &jobs {
            library.jobs().wait(DEFAULT_WORKSPACE, job.id).await.unwrap();
        }
        (watched.len(), jobs.len())
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_folder_is_ingested_once_by_one_program_and_not_again_after_a_restart_nor_while_paused() {
        let folder = tempfile::tempdir().unwrap();
        let inbox = folder.path().join("inbox");
        let write = |name: &str| fs::write(inbox.join(name), format!("# {name}\n\nWords.\n")).unwrap();
        fs::create_dir(&inbox).unwrap();
        write("one.md");
        let (window, other) = (program(folder.path()).await, program(folder.path()).await);
        let path = inbox.to_string_lossy().into_owned();
        let request = WatchRequest { path, corpus: "inbox".to_owned(), gone: Gone::Mark, every: 1 };
        let id = window.ingest().watch(DEFAULT_WORKSPACE, request).await.unwrap();
        let mut watched = Watched::new();
        assert_eq!(look_once(&window, &mut watched).await, (1, 1));
        assert_eq!(look_once(&window, &mut watched).await, (1, 1), "nothing changed");
        write("two.md");
        assert_eq!(look_once(&other, &mut Watched::new()).await, (0, 1), "the window has the lease");
        assert_eq!(look_once(&window, &mut watched).await, (1, 2));
        drop((window, other));

        let window = program(folder.path()).await;
        let mut watched = Watched::new();
        let began = Instant::now();
        // The last tasks of a program end after it was closed, and its leases with them.
        while watched.is_empty() {
            assert!(began.elapsed() < Duration::from_secs(60), "nobody has the lease any more");
            tokio::time::sleep(Duration::from_millis(20)).await;
            hold(&window, &mut watched).await.unwrap();
        }
        assert_eq!(look_once(&window, &mut watched).await, (1, 2), "it was ingested before the restart");
        write("three.md");
        assert_eq!(look_once(&window, &mut watched).await, (1, 3));
        let change = WatchedFolderChange { paused: Some(true), ..WatchedFolderChange::default() };
        window.ingest().change_watch(DEFAULT_WORKSPACE, id, change).await.unwrap();
        write("four.md");
        assert_eq!(look_once(&window, &mut watched).await.1, 3, "it is paused");
    }
}
