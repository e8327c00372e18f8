//! The library. Its interface is in [`port`], and one SQLite file implements it, with one writer thread and a few
//! read-only connections.
//!
//! Only domain verbs with owned values leave this crate: no closure, no rusqlite type. It knows no provider, no embedder
//! and no ranking policy.

pub mod backup;
pub mod candidate;
pub mod change;
mod codes;
mod connection;
pub mod doctor;
pub mod edition;
pub mod error;
mod field;
mod index;
pub mod job;
mod kernel;
pub mod keyword;
mod migrate;
mod named;
pub mod nearest;
pub mod origin;
pub mod place;
pub mod port;
mod ready;
pub mod rebuild;
pub mod report;
pub mod rescue;
mod room;
pub mod scope;
mod sqlite;
pub mod table;
pub mod vector;

pub use error::{Error, Result};
pub use place::Place;
pub use port::{Location, Store};
pub use room::bytes_of;
pub use sibyl_space::{hash, hex, short_hash};

use connection::Pool;
use std::path::Path;
use std::sync::Arc;

/// A library in one SQLite file, open.
#[derive(Clone)]
pub struct SqliteStore {
    pool: Pool,
    place: Arc<Place>,
    indexes: Arc<index::Indexes>,
}

/// File name of the library inside its data folder.
pub const LIBRARY_FILE: &str = "library.sibyl";

/// Opens the library at `place`, or makes it if there is none. Once it is moved away from there, everything that
/// would change it fails with [`Error::Moved`].
///
/// # Errors
/// [`Error::NotALibrary`] for a file of another program, [`Error::NewerLibrary`] for one that a newer
/// version wrote, else storage and I/O errors.
pub fn open(place: Place) -> Result<Arc<dyn Store>> {
    Ok(Arc::new(SqliteStore::open(place)?))
}

impl SqliteStore {
    /// As [`open`].
    ///
    /// # Errors
    /// As [`open`].
    pub fn open(place: Place) -> Result<Self> {
        std::fs::create_dir_all(&place.folder).map_err(|e| Error::io(&place.folder, e))?;
        let place = Arc::new(place);
        Ok(Self { pool: Pool::open(Arc::clone(&place))?, place, indexes: Arc::default() })
    }

    pub(crate) fn place(&self) -> &Place {
        &self.place
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.place.folder
    }
}

/// The present moment (ISO 8601, UTC, seconds).
pub fn now() -> String {
    moment(jiff::Timestamp::now().as_second())
}

/// The moment `unix` (Unix seconds) in the form of [`now`].
pub fn moment(unix: i64) -> String {
    let moment = jiff::Timestamp::from_second(unix).unwrap_or_default();
    moment.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// The moment that `text` (RFC 3339) names, in the form of [`now`]; `None` if it names none.
pub fn moment_of(text: &str) -> Option<String> {
    text.parse::<jiff::Timestamp>().ok().map(|at| moment(at.as_second()))
}

/// The moment `seconds` after `at`, both in the form of [`now`]; `at` itself if it is not in that form.
pub fn later(at: &str, seconds: i64) -> String {
    let unix = at.parse::<jiff::Timestamp>().map(jiff::Timestamp::as_second);
    unix.map_or_else(|_| at.to_owned(), |unix| moment(unix.saturating_add(seconds)))
}

/// Increments the generation `name`, so that caches and derived files know that rows changed.
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
    fn moments_sort_as_text_and_say_whole_seconds() {
        let moment = super::now();
        assert!("2024-01-01T00:00:00Z" < moment.as_str() && moment.as_str() < "2999", "{moment}");
        assert_eq!(moment.parse::<jiff::Timestamp>().unwrap().subsec_nanosecond(), 0, "{moment}");
    }
}
