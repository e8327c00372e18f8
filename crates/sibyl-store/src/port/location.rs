//! Where a library is, whether or not it opens there.

use super::Store;
use crate::backup::Backup;
use crate::error::{Error, Result};
use crate::rescue::Rescued;
use async_trait::async_trait;
use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// Where a library is. Nothing that is asked here opens it, except [`Self::open`].
#[async_trait]
pub trait Location: Debug + Send + Sync {
    /// Opens the library, or makes it if there is none. Once it is moved away from there, everything that would
    /// change it fails with [`Error::Moved`].
    ///
    /// # Errors
    /// [`Error::NotALibrary`] for what another program keeps there,
    /// [`Error::NewerLibrary`] for a library that a newer version wrote, else storage
    /// and I/O errors.
    async fn open(&self) -> Result<Arc<dyn Store>>;

    /// Whether there is a library.
    async fn has_library(&self) -> Result<bool>;

    /// Begins the library as a copy of the one in the file `ready`, without its jobs and settings, if there is none
    /// yet. Returns whether it did. It does not if there is a library, or was one that left backups. Nor does it if
    /// `ready` does not exist or is of an earlier version than this program. A crash leaves the whole of it or
    /// nothing.
    ///
    /// # Errors
    /// [`Error::Corrupt`] if `ready` is damaged.
    /// [`Error::NotALibrary`] and [`Error::NewerLibrary`] if
    /// this program cannot open it. Else storage and I/O errors; no library has begun then.
    async fn begin_as(&self, ready: &Path) -> Result<bool>;

    /// Where programs put files that belong to the library and that the store does not keep: logs, files that are
    /// being sent, what they try out.
    fn folder(&self) -> &Path;

    /// Whether [`move_to`](super::Upkeep::move_to) can move the library.
    fn is_movable(&self) -> bool;

    /// The library's folder from the next start on, if it is no longer this one.
    ///
    /// # Errors
    /// [`Error::Io`] and [`Error::Invalid`] if what names it cannot be read
    /// or names no folder.
    async fn next(&self) -> Result<Option<PathBuf>>;

    /// Whether another library, rescued or from a backup, takes the place of this one at the next start.
    async fn is_replaced(&self) -> Result<bool>;

    /// Refuses if the library is no longer this one at the next start.
    ///
    /// # Errors
    /// [`Error::Replaced`] or [`Error::Moved`] then, else as [`Self::next`].
    async fn stays(&self) -> Result<()> {
        if self.is_replaced().await? {
            return Err(Error::Replaced);
        }
        self.next().await?.map_or(Ok(()), |folder| Err(Error::Moved { folder }))
    }

    /// How a person recognises, in [`Self::folder`], the library that another one took the place of.
    fn kept_as(&self) -> &'static str;

    /// The backups that [`keep_backup`](super::Upkeep::keep_backup) made, the newest first.
    ///
    /// # Errors
    /// [`Error::Io`] if they cannot be listed.
    async fn backups(&self) -> Result<Vec<Backup>>;

    /// Whether a backup is due at `now`: the newest is at least `every` old, and the library has changed since. A
    /// clock that was set back does not make one due early.
    ///
    /// # Errors
    /// As [`Self::backups`].
    async fn is_backup_due(&self, every: Duration, now: SystemTime) -> Result<bool>;

    /// Makes the backup `name` take the place of the library at the next start. The present library is kept beside
    /// it. Returns its size in bytes.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such backup,
    /// [`Error::BadCopy`] if it is not sound, [`Error::Io`] if nothing can
    /// be written there.
    async fn restore(&self, name: &str) -> Result<u64>;

    /// Saves what can be read of the library into one that takes its place at the next start. The damaged one is
    /// not changed.
    ///
    /// # Errors
    /// [`Error::Unreadable`] if nothing can be read: only a backup helps then.
    /// [`Error::Io`] and storage errors if nothing can be written; nothing of it remains then.
    async fn rescue(&self) -> Result<Rescued>;
}
