//! The library: one SQLite file, one writer thread, a few read-only connections.
//!
//! Only domain verbs with owned values leave this crate: no closure, no rusqlite type. It knows no provider, no embedder
//! and no ranking policy.

mod backup;
pub mod candidate;
mod codes;
mod connection;
pub mod doctor;
pub mod error;
mod index;
pub mod job;
mod kernel;
pub mod keyword;
mod migrate;
pub mod nearest;
pub mod place;
pub mod rebuild;
mod report;
mod room;
pub mod scope;
pub mod table;
pub mod vector;
mod version;

pub use codes::FOLDER as CODES;
pub use error::{Error, Result};
pub use place::Place;
pub use room::KINDS;
pub use sibyl_space::{hash, hex, short_hash};

use connection::Pool;
use std::path::Path;
use std::sync::Arc;

/// An open library.
#[derive(Clone)]
pub struct Store {
    pool: Pool,
    place: Arc<Place>,
    indexes: Arc<index::Indexes>,
}

/// File name of the library inside its data folder.
pub const LIBRARY_FILE: &str = "library.sibyl";

impl Store {
    /// Opens the library at `place`, and makes it where there is none. Once it is moved away from there, everything that
    /// would change it fails with [`Error::Moved`].
    ///
    /// # Errors
    /// [`Error::NotALibrary`] for a file of another program, [`Error::NewerLibrary`] for one that a newer
    /// version wrote, else storage and I/O errors.
    pub fn open(place: Place) -> Result<Self> {
        std::fs::create_dir_all(&place.folder).map_err(|e| Error::io(&place.folder, e))?;
        let place = Arc::new(place);
        Ok(Self { pool: Pool::open(Arc::clone(&place))?, place, indexes: Arc::default() })
    }

    /// Where it lies.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// The data folder.
    pub fn folder(&self) -> &Path {
        &self.place.folder
    }
}

/// The present moment (ISO 8601, UTC, seconds).
pub fn now() -> String {
    let seconds = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |elapsed| elapsed.as_secs());
    iso_8601(seconds)
}

/// `seconds` since 1970 as ISO 8601. Days to date after H. Hinnant, "chrono-Compatible Low-Level Date Algorithms".
fn iso_8601(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Counts the generation `name` up, so that caches and derived files know that rows changed.
fn touch(tx: &rusqlite::Transaction<'_>, name: &str) -> rusqlite::Result<()> {
    tx.prepare_cached("UPDATE generation SET value = value + 1 WHERE name = ?1")?.execute([name])?;
    Ok(())
}

/// Parses the JSON of a column.
fn json<T: serde::de::DeserializeOwned>(text: &str, column: usize) -> rusqlite::Result<T> {
    serde_json::from_str(text).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, Box::new(error))
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, date) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_827_696, "2000-02-29T12:34:56Z"),
            (1_704_067_199, "2023-12-31T23:59:59Z"),
            (1_798_761_600, "2027-01-01T00:00:00Z"),
        ] {
            assert_eq!(super::iso_8601(seconds), date);
        }
    }
}
