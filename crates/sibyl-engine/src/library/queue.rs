//! This program's end of the queue of jobs: its name in leases, the jobs it was asked for, and the other live
//! programs.

use super::event::JobEvent;
use crate::error::{Error, Result};
use crate::store::short_hash;
use parking_lot::Mutex;
use sibyl_store::job::{JobKind, JobState, Stage};
use sibyl_store::table::job::JobRow;
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::{Notify, broadcast, watch};
use tracing::Span;

/// Length of a lease in seconds. It is renewed every second, and void at once when its owner's process has ended.
pub(crate) const LEASE: i64 = 120;
/// Kinds of jobs that this program runs side by side, one of each at a time. Making vectors may take hours; what
/// is added meanwhile is searchable at once.
pub(crate) const LANES: [JobKind; 2] = [JobKind::Ingest, JobKind::Embed];
/// The stage an event of a job names when nobody here works on it.
pub(crate) const RESTING_STAGE: Stage = Stage::Store;
/// Age from which a lock file without an owner is removed.
const TIDY_AGE: Duration = Duration::from_secs(60);
/// Folder of the owners' lock files, below the data folder.
const OWNERS: &str = "owners";

/// This program's end of the queue.
pub(crate) struct Queue {
    /// Name of this program in leases.
    pub(crate) owner: String,
    pub(crate) events: broadcast::Sender<JobEvent>,
    /// What the jobs this program works on are asked to do.
    pub(crate) wishes: Mutex<HashMap<i64, watch::Sender<Option<JobState>>>>,
    folder: PathBuf,
    /// Locked as long as this process lives; the operating system frees it, whatever ends the process.
    _alive: Option<File>,
    /// Jobs asked for here, each with the request that asked, which its lines in the log then name.
    pub(crate) asked: Mutex<HashMap<i64, Span>>,
    /// How jobs ended here whose end could not be stored, each with the cause.
    unstored: Mutex<HashMap<i64, (JobState, Option<String>)>>,
    /// One for each lane.
    pub(crate) wake: [Notify; LANES.len()],
    pub(crate) working: AtomicBool,
}

impl Queue {
    /// The queue of the data folder `library`. If nothing can be written, there is nothing to work on.
    pub(crate) fn new(library: &Path, read_only: bool) -> Result<Self> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let folder = library.join(OWNERS);
        let moment = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_nanos());
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let process = std::process::id().to_string();
        let owner = short_hash(&[&process, &moment.to_string(), &count.to_string()]);
        let alive = (!read_only).then(|| live(&folder, &owner)).transpose()?;
        Ok(Self {
            owner,
            events: broadcast::channel(1024).0,
            wishes: Mutex::default(),
            folder,
            _alive: alive,
            asked: Mutex::default(),
            unstored: Mutex::default(),
            wake: Default::default(),
            working: AtomicBool::new(false),
        })
    }

    /// Which of `owners` belong to processes that have ended.
    pub(crate) fn dead(&self, owners: Vec<String>) -> Vec<String> {
        owners.into_iter().filter(|owner| *owner != self.owner && !self.lives(owner)).collect()
    }

    pub(crate) fn lives(&self, owner: &str) -> bool {
        match OpenOptions::new().write(true).open(self.folder.join(owner)) {
            Ok(file) => file.try_lock().is_err(),
            Err(error) => error.kind() != std::io::ErrorKind::NotFound,
        }
    }

    /// Accepts `job` for a caller who asks for it now.
    pub(crate) fn ask(&self, job: i64) {
        self.asked.lock().insert(job, Span::current());
        self.wake.iter().for_each(Notify::notify_one);
    }

    /// Keeps in mind how `job` ended, as it could not be stored.
    pub(crate) fn ended_unstored(&self, job: i64, state: JobState, error: Option<String>) {
        self.unstored.lock().insert(job, (state, error));
    }

    /// How `row` ended where its end could not be stored.
    pub(crate) fn unstored_end(&self, row: &JobRow) -> Option<(JobState, Option<String>)> {
        let held = row.state == JobState::Running && row.owner.as_ref() == Some(&self.owner);
        let unstored = self.unstored.lock();
        held.then(|| unstored.get(&row.id).cloned()).flatten()
    }

    pub(crate) fn wish(&self, job: i64, wish: JobState) {
        if let Some(wishes) = self.wishes.lock().get(&job) {
            wishes.send_replace(Some(wish));
        }
    }

    /// Removes the lock files of processes that have ended.
    pub(crate) fn tidy(&self) {
        for entry in std::fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let owner = entry.file_name().to_string_lossy().into_owned();
            // A new one may not be locked yet.
            let age =
                entry.metadata().and_then(|file| file.modified()).ok().and_then(|made| made.elapsed().ok());
            if age.is_none_or(|age| age < TIDY_AGE) {
                continue;
            }
            if owner != self.owner && !self.lives(&owner) {
                // Somebody else may have removed it meanwhile.
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
}

/// Makes and locks the file that shows that `owner` is alive.
fn live(folder: &Path, owner: &str) -> Result<File> {
    std::fs::create_dir_all(folder).map_err(|error| Error::io(folder, error))?;
    let path = folder.join(owner);
    let alive = File::create(&path).map_err(|error| Error::io(&path, error))?;
    alive.lock().map_err(|error| Error::io(&path, error))?;
    Ok(alive)
}

impl Drop for Queue {
    fn drop(&mut self) {
        // A file that stays is removed by the next program that works here.
        let _ = std::fs::remove_file(self.folder.join(&self.owner));
    }
}

/// The present moment in Unix seconds.
pub(crate) fn unix_now() -> i64 {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(elapsed.as_secs()).unwrap_or(i64::MAX)
}
