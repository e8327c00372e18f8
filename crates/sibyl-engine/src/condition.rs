//! The condition of the library: whether its file is sound and can be written, where it is, and its backups.

mod shared;

use crate::error::Result;
use crate::library::{Library, Upkeep};
use crate::store::backup::Backup;
use crate::store::rescue::Rescued;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// Whether the library can be relied on and written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Nothing is known to be wrong.
    Sound,
    /// Pages of the library file cannot be read.
    Damaged,
    /// The folder or the file is write-protected.
    ReadOnly,
    /// A rescued library or a backup replaces it at the next start.
    Replaced,
}

/// The condition of the library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Condition {
    /// The gravest known problem.
    pub state: State,
    /// What is wrong and what to do; `None` if nothing is.
    pub message: Option<String>,
    /// Why the data folder is a bad place for a library; `None` if nothing speaks against it.
    pub place: Option<String>,
    /// Backups in the data folder, the newest first; `None` if a remote caller asks, who is not told.
    pub backups: Option<Vec<Backup>>,
    /// Why no backup is made at present; `None` if they are made.
    pub no_backup: Option<String>,
}

impl Condition {
    /// The part that may be shown to a caller on another machine.
    #[must_use]
    pub fn without_places(self) -> Self {
        let message = self.message.filter(|_| self.state != State::ReadOnly);
        Self { state: self.state, message, place: None, backups: None, no_backup: None }
    }
}

/// Time between two looks whether a backup is due.
const LOOK: Duration = Duration::from_mins(10);
/// Space that must stay free besides a new backup: as much as the library takes.
const ROOM: u64 = 2;

impl Upkeep<'_> {
    /// The condition of the library.
    ///
    /// # Errors
    /// [`crate::Error::Io`] where the backups cannot be listed, and storage errors.
    pub async fn condition(&self) -> Result<Condition> {
        let store = self.library.store();
        let place = store.location();
        // The replacement cures the damage.
        let (state, message) = if place.is_replaced().await? {
            (State::Replaced, Some(crate::store::Error::Replaced.to_string()))
        } else if let Some(what) = store.damage() {
            (State::Damaged, Some(crate::store::Error::Corrupt(what.to_owned()).to_string()))
        } else if store.is_read_only() {
            let folder = place.folder().to_owned();
            (State::ReadOnly, Some(crate::store::Error::ReadOnly { folder }.to_string()))
        } else {
            (State::Sound, None)
        };
        let no_backup = match state {
            State::Sound => self.no_backup().await,
            State::Damaged => Some("the library is damaged; its backups are kept as they are".to_owned()),
            State::ReadOnly | State::Replaced => Some("the library cannot be written".to_owned()),
        };
        let folder = place.folder().to_owned();
        let warning = tokio::task::spawn_blocking(move || warning(&folder)).await?;
        Ok(Condition { state, message, place: warning, backups: Some(place.backups().await?), no_backup })
    }

    /// Why no backup can be made.
    async fn no_backup(&self) -> Option<String> {
        // Settings that cannot be read are damage, which is reported elsewhere.
        let keep = self.library.settings().await.map_or(0, |settings| settings.integer("backup_keep"));
        if keep == 0 {
            return Some("the setting backup_keep is 0".to_owned());
        }
        let (bytes, free) = (self.disk_bytes().ok()?, self.free_bytes()?);
        (free < bytes.saturating_mul(ROOM)).then(|| {
            format!(
                "the disk has {} MB free and the library uses {} MB; a backup is made when twice as much is free",
                free / 1_000_000,
                bytes / 1_000_000
            )
        })
    }

    /// Makes a backup now, and deletes the oldest beyond the setting `backup_keep` (at least one is kept).
    ///
    /// # Errors
    /// As [`crate::store::Store::keep_backup`]; [`crate::store::Error::Corrupt`] where the library is damaged: a
    /// backup of it would push a sound one out.
    pub async fn keep_backup(&self) -> Result<Backup> {
        let store = self.library.store();
        store.check().await?;
        let keep = self.library.settings().await?.integer("backup_keep");
        Ok(store.keep_backup(keep).await?)
    }

    /// Makes a backup if one is due at `now`.
    ///
    /// # Errors
    /// As [`Self::keep_backup`].
    pub async fn keep_backup_if_due(&self, now: SystemTime) -> Result<Option<Backup>> {
        let store = self.library.store();
        let unwritable = store.is_read_only() || store.location().is_replaced().await?;
        if unwritable || store.damage().is_some() || self.no_backup().await.is_some() {
            return Ok(None);
        }
        let hours = self.library.settings().await?.integer("backup_hours");
        let every = Duration::from_hours(u64::try_from(hours).unwrap_or(1));
        let due = store.location().is_backup_due(every, now).await?;
        if due { self.keep_backup().await.map(Some) } else { Ok(None) }
    }

    /// As [`crate::Location::rescue`].
    ///
    /// # Errors
    /// As there.
    pub async fn rescue(&self) -> Result<Rescued> {
        Ok(self.library.store().location().rescue().await?)
    }

    /// As [`crate::Location::restore`].
    ///
    /// # Errors
    /// As there.
    pub async fn restore_backup(&self, name: &str) -> Result<u64> {
        Ok(self.library.store().location().restore(name).await?)
    }
}

/// Why `folder` is a bad place for a library; `None` if nothing speaks against it.
pub fn warning(folder: &Path) -> Option<String> {
    shared::warning(folder)
}

impl Library {
    /// Reads the whole file in the background, and makes backups when they are due, as long as the library is
    /// open.
    pub(crate) fn look_after_itself(&self) {
        let library = Arc::downgrade(&self.0);
        tokio::spawn(async move {
            loop {
                let Some(library) = library.upgrade().map(Library) else { return };
                if let Err(error) = look(&library).await {
                    tracing::warn!(code = error.code(), "no backup was made: {error}");
                }
                drop(library);
                tokio::time::sleep(LOOK).await;
            }
        });
    }
}

async fn look(library: &Library) -> Result<()> {
    if library.store().damage().is_none() {
        library.store().check().await?;
    }
    library.upkeep().keep_backup_if_due(SystemTime::now()).await?;
    Ok(())
}
