//! Looking after a library: settings, changes by others, checks, copies and the space it takes.

use super::Location;
use crate::backup::Backup;
use crate::change::ChangeMark;
use crate::doctor::Health;
use crate::error::Result;
use crate::rebuild::Rebuilt;
use async_trait::async_trait;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::sync::watch;

/// Looking after a library: settings, changes by others, checks, copies and the space it takes.
#[async_trait]
pub trait Upkeep: Send + Sync {
    /// Writes a copy of the library, in its present state and without unused space, to `target`. Returns its size
    /// in bytes.
    ///
    /// # Errors
    /// [`Error::Exists`](crate::Error::Exists) if `target` exists, else storage and I/O errors; then nothing is
    /// left behind.
    async fn back_up(&self, target: &Path) -> Result<u64>;

    /// As [`Self::back_up`], into `folder`, where the copy opens as a library.
    ///
    /// # Errors
    /// As [`Self::back_up`].
    async fn copy_into(&self, folder: &Path) -> Result<u64>;

    /// Adds a backup to the [backups](super::Location::backups) and opens it to see that it is sound. Then it keeps the
    /// newest, `keep` in all including this one, and deletes the others.
    ///
    /// # Errors
    /// As [`Self::back_up`], and [`Error::ReadOnly`](crate::Error::ReadOnly); no earlier backup is deleted then.
    async fn keep_backup(&self, keep: usize) -> Result<Backup>;

    /// Reads everything that is stored, without understanding it. Damage is remembered: [`Self::damage`] reports it
    /// from then on.
    ///
    /// # Errors
    /// [`Error::Corrupt`](crate::Error::Corrupt) if something is damaged, else storage errors.
    async fn check(&self) -> Result<()>;

    /// What showed that the library is damaged: since it was opened here, or to another program before.
    fn damage(&self) -> Option<&str>;

    /// Whether the library can only be read, because it is write-protected.
    fn is_read_only(&self) -> bool;

    /// Copies the library to `folder` and has programs look for it there from their next start on. Nothing is written
    /// meanwhile, and nothing to this one after it: every change is in the copy, or was refused.
    ///
    /// # Errors
    /// [`Error::Invalid`](crate::Error::Invalid) if it is not [movable](super::Location::is_movable), a job is
    /// running, or `folder` is relative, not empty, inside the library's own or has a library already.
    /// [`Error::Moved`](crate::Error::Moved) if the library was moved already. Else as [`Self::back_up`]; the library
    /// then stays where it is.
    async fn move_to(&self, folder: PathBuf) -> Result<u64>;

    /// Verifies everything that is stored, and what is derived from it. Chunks are checked against their documents,
    /// the keyword index against the chunks, keys and fields against the metadata, vectors against their spaces.
    /// Former texts are checked against what was kept and what cites them.
    ///
    /// # Errors
    /// Only if nothing can be read at all; everything else is a finding.
    async fn doctor(&self) -> Result<Health>;

    /// Rebuilds everything that is derived from stored rows: keyword index, references and fields in one transaction,
    /// and what makes vectors quick to compare. It marks the figures of all documents as to be made anew. Other
    /// programs see the old ones until it is done.
    async fn rebuild(&self) -> Result<Rebuilt>;

    /// Brings the keyword index into its fastest form, after many chunks were added or removed.
    async fn optimize_keyword(&self) -> Result<()>;

    /// Whether the file or folder called `name` in the [folder](super::Location::folder) of the library is the
    /// store's own, and so part of what it [weighs](Self::weigh).
    fn owns(&self, name: &str) -> bool;

    /// What the store keeps, part by part: name and bytes, always the same parts in the same order. This reads
    /// everything.
    ///
    /// # Errors
    /// [`Error::Io`](crate::Error::Io) if files cannot be listed, and storage errors.
    async fn weigh(&self) -> Result<Vec<(&'static str, u64)>>;

    /// Gives back the room that nothing uses. Keys stay.
    ///
    /// # Errors
    /// Storage errors, such as another program that is writing; the library is then unchanged.
    async fn compact(&self) -> Result<()>;

    /// The state of the library, renewed in about `within` where another program wrote something or the condition
    /// of the library changed. A new state may include changes of this program, but they alone do not produce one.
    /// The feed ends with the store.
    ///
    /// # Errors
    /// Storage errors if the present state cannot be read; about later errors the feed says nothing until they are
    /// over.
    async fn changes(&self, within: Duration) -> Result<watch::Receiver<ChangeMark>>;

    /// Stored settings by name. Settings that were never changed are not included.
    async fn setting_values(&self) -> Result<Vec<(String, Value)>>;

    /// Stores settings in one transaction; `None` forgets one.
    async fn put_settings(&self, values: Vec<(String, Option<Value>)>) -> Result<()>;

    /// Where it is.
    fn location(&self) -> &dyn Location;
}
