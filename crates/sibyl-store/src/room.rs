//! What takes up space, in the library file and beside it, and releasing what is free.

use super::{LIBRARY_FILE, SqliteStore, backup, codes};
use crate::error::{Error, Result};
use crate::place::REPLACED;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// What the library file is made of.
const KINDS: [&str; 6] = ["vectors", "originals", "text", "keyword", "records", "free"];

/// What the store keeps beside it: data written but not yet in it, codes of vectors, backups, and libraries that
/// another one took the place of.
const BESIDE: [&str; 4] = ["write_ahead_log", "codes", "backups", "replaced"];

/// Index in [`KINDS`] of the pages that nothing uses.
const FREE: usize = 5;

/// Index in [`KINDS`] of the contents of `table`.
fn kind_of(table: &str) -> usize {
    match table {
        "vector" | "space" => 0,
        "source" | "job_upload" => 1,
        "document" | "chunk" | "chunk_key" | "chunk_field" | "kept_text" => 2,
        _ if table.starts_with("keyword") => 3,
        _ => 4,
    }
}

/// What the file or folder called `name` in the data folder is to the store: the library itself, or the place in
/// [`BESIDE`]. `None` if it belongs to something else.
fn part_of(name: &str) -> Option<Option<usize>> {
    match name.strip_prefix(LIBRARY_FILE) {
        Some("") => Some(None),
        Some(_) => Some(Some(0)),
        None if name == codes::FOLDER => Some(Some(1)),
        None if name == backup::FOLDER => Some(Some(2)),
        None => name.starts_with(REPLACED).then_some(Some(3)),
    }
}

/// Bytes of the library file in `folder`, and of each of [`BESIDE`].
fn measure(folder: &Path) -> Result<(u64, [u64; BESIDE.len()])> {
    let (mut library, mut beside) = (0, [0; BESIDE.len()]);
    for entry in fs::read_dir(folder).map_err(|error| Error::io(folder, error))? {
        let entry = entry.map_err(|error| Error::io(folder, error))?;
        match part_of(&entry.file_name().to_string_lossy()) {
            Some(None) => library = bytes_of(&entry.path())?,
            Some(Some(part)) => beside[part] += bytes_of(&entry.path())?,
            None => {}
        }
    }
    Ok((library, beside))
}

/// Bytes of a file, or of everything below a folder. A file that goes away meanwhile has none.
///
/// # Errors
/// [`Error::Io`] if a folder cannot be listed.
pub fn bytes_of(path: &Path) -> Result<u64> {
    let gone = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => Ok(0),
        _ => Err(Error::io(path, error)),
    };
    // A link counts as itself, so that no loop is walked and nothing outside is counted.
    let metadata = match fs::symlink_metadata(path) {
        Ok(metadata) => metadata,
        Err(error) => return gone(error),
    };
    if !metadata.is_dir() {
        return Ok(metadata.len());
    }
    let entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) => return gone(error),
    };
    let mut bytes = 0;
    for entry in entries {
        bytes += bytes_of(&entry.map_err(|error| Error::io(path, error))?.path())?;
    }
    Ok(bytes)
}

/// `total` in the proportions of `weights`. What is still in the log is not yet in the file, and the other way
/// round, so pages and file differ. The last part gets the rounding difference.
fn shared<const N: usize>(total: u64, weights: [u64; N]) -> [u64; N] {
    let all: u64 = weights.iter().sum();
    let mut left = total;
    let mut parts = weights.map(|weight| {
        let part = (u128::from(total) * u128::from(weight)).checked_div(u128::from(all)).unwrap_or(0);
        let part = u64::try_from(part).unwrap_or(left).min(left);
        left -= part;
        part
    });
    if let Some(last) = parts.iter_mut().rev().find(|part| **part > 0) {
        *last += left;
    }
    parts
}

impl SqliteStore {
    pub(crate) fn owns(name: &str) -> bool {
        part_of(name).is_some()
    }

    pub(crate) async fn weigh(&self) -> Result<Vec<(&'static str, u64)>> {
        let (pages, folder) = (self.room().await?, self.folder().to_owned());
        let (library, beside) = tokio::task::spawn_blocking(move || measure(&folder)).await??;
        let kinds = KINDS.into_iter().zip(shared(library, pages));
        Ok(kinds.chain(BESIDE.into_iter().zip(beside)).collect())
    }

    /// Bytes of the pages of each of [`KINDS`], indexes counted with their tables.
    async fn room(&self) -> Result<[u64; KINDS.len()]> {
        self.pool
            .read(|c| {
                let mut bytes = [0; KINDS.len()];
                let mut select = c.prepare(
                    "SELECT coalesce(s.tbl_name, d.name), d.pgsize FROM dbstat d
                     LEFT JOIN sqlite_schema s ON s.name = d.name WHERE d.aggregate = TRUE",
                )?;
                let mut rows = select.query([])?;
                while let Some(row) = rows.next()? {
                    let (table, size): (String, u64) = (row.get(0)?, row.get(1)?);
                    bytes[kind_of(&table)] += size;
                }
                let pragma = |name: &str| c.pragma_query_value(None, name, |row| row.get::<_, u64>(0));
                bytes[FREE] = pragma("freelist_count")? * pragma("page_size")?;
                Ok(bytes)
            })
            .await
    }

    pub(crate) async fn compact(&self) -> Result<()> {
        self.pool
            .with_writer(|c| {
                c.execute_batch("VACUUM")?;
                // The file shrinks when the log has gone into it. If somebody still reads, that happens later.
                Ok(c.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?)
            })
            .await
    }
}

#[cfg(test)]
mod tests {
    use super::{SqliteStore, measure, shared};
    use std::fs;

    #[test]
    fn every_file_is_counted_in_its_part() {
        let folder = tempfile::tempdir().unwrap();
        let files = [
            ("library.sibyl", 100),
            ("library.sibyl-wal", 20),
            ("library.sibyl-shm", 3),
            ("codes/a.codes", 40),
            ("logs/sibyl.log", 5),
            ("backups/2026-01-01T00-00-00Z.sibyl", 9),
            ("replaced-2026-01-01T00-00-00Z.sibyl", 8),
            ("WebKit/deep/cache", 7),
        ];
        for (name, bytes) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, vec![b'x'; bytes]).unwrap();
        }
        assert_eq!(measure(folder.path()).unwrap(), (100, [23, 40, 9, 8]));
        assert!(SqliteStore::owns("codes") && !SqliteStore::owns("logs"));
    }

    #[test]
    fn a_file_is_shared_out_to_the_last_byte() {
        for (total, weights) in [(100, [1, 1, 1]), (7, [0, 0, 0]), (5, [0, 9, 0]), (0, [3, 2, 1])] {
            let parts = shared(total, weights);
            let all: u64 = parts.iter().sum();
            assert!(all == total || weights == [0, 0, 0], "{total} {weights:?}: {parts:?}");
            assert!(parts.iter().zip(weights).all(|(part, weight)| weight > 0 || *part == 0), "{parts:?}");
        }
    }
}
