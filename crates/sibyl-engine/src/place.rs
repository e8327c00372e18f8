//! Moving the library to another folder.

use crate::error::Result;
use crate::library::Upkeep;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A library that was moved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Moved {
    /// The folder of the library from the next start on.
    pub folder: String,
    /// The folder that keeps the former one.
    pub former: String,
    /// Size of the library file there.
    pub bytes: u64,
}

impl Upkeep<'_> {
    /// The library's folder from the next start on, if it was moved since this one.
    ///
    /// # Errors
    /// As [`crate::Location::next`].
    pub async fn moved_to(&self) -> Result<Option<PathBuf>> {
        Ok(self.library.store().location().next().await?)
    }

    /// Whether the library can be moved: not where its folder was named by hand.
    pub fn is_movable(&self) -> bool {
        self.library.store().location().is_movable()
    }

    /// Copies the library to `folder`, checks the copy, and leaves word of it for the next start. Until then this
    /// one stays as it is and is only read: every program that has it open refuses to change it.
    ///
    /// # Errors
    /// As [`crate::store::port::Upkeep::move_to`].
    pub async fn move_to(&self, folder: PathBuf) -> Result<Moved> {
        let bytes = self.library.store().move_to(folder.clone()).await?;
        Ok(Moved {
            folder: folder.display().to_string(),
            former: self.library.folder().display().to_string(),
            bytes,
        })
    }
}
