//! What takes up space in the library file, and releasing what is free.

use super::{LIBRARY_FILE, SqliteStore, backup, codes};
use crate::error::Result;
use crate::place::REPLACED;

/// What the library file is made of.
pub const KINDS: [&str; 6] = ["vectors", "originals", "text", "keyword", "records", "free"];

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

/// What a file of the data folder is to the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreFile {
    /// The library itself, made of [`KINDS`].
    Library,
    /// Data written but not yet in the library.
    Log,
    /// Codes of vectors.
    Codes,
    /// Backups.
    Backups,
    /// A library that another one took the place of.
    Replaced,
}

impl SqliteStore {
    pub(crate) fn file(&self, name: &str) -> Option<StoreFile> {
        match name.strip_prefix(LIBRARY_FILE) {
            Some("") => Some(StoreFile::Library),
            Some(_) => Some(StoreFile::Log),
            None if name == codes::FOLDER => Some(StoreFile::Codes),
            None if name == backup::FOLDER => Some(StoreFile::Backups),
            None => name.starts_with(REPLACED).then_some(StoreFile::Replaced),
        }
    }

    pub(crate) async fn room(&self) -> Result<[u64; KINDS.len()]> {
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
