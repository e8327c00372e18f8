//! Pages of a table that nothing leads to any more, because the page above them is damaged.
//!
//! SQLite reads a table from its first page down. Here, in a copy of the file, such a page takes the place of the
//! first page of its table. SQLite then reads it as if it were the whole table. (Format:
//! <https://sqlite.org/fileformat2.html>.)

use crate::error::{Error, Result};
use rusqlite::Connection;
use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// A page of an index or of a table without row ids, above others.
const INDEX_ABOVE: u8 = 2;
/// A page of a table with row ids, above others.
pub(super) const TABLE_ABOVE: u8 = 5;
/// A page of an index or of a table without row ids, with rows.
const INDEX_ROWS: u8 = 10;
/// A page of a table with row ids, with rows.
pub(super) const TABLE_ROWS: u8 = 13;
/// Maximum number of pages from the first page of a table down to its rows.
const DEEPEST: usize = 20;

/// A copy of a library file whose pages can be moved.
pub(super) struct Copy {
    file: File,
    path: PathBuf,
    page_size: usize,
}

/// What is known about a table before its pages are looked for.
pub(super) struct Layout {
    /// Its first page.
    root: u32,
    keyed: bool,
    /// Its columns in the order in which they are stored.
    columns: Vec<Column>,
}

struct Column {
    declared: String,
    /// Stored as NULL, as the row id says it.
    is_row_id: bool,
    not_null: bool,
}

impl Copy {
    /// Copies all pages of `damaged` to a file at `path`, which is removed with the copy.
    ///
    /// # Errors
    /// Storage errors and [`Error::Io`] if a page cannot be copied.
    pub(super) fn of(damaged: &Connection, path: PathBuf) -> Result<Self> {
        damaged.backup(rusqlite::MAIN_DB, &path, None::<fn(rusqlite::backup::Progress)>)?;
        let failed = |error| Error::io(&path, error);
        let mut file = OpenOptions::new().read(true).write(true).open(&path).map_err(failed)?;
        let mut head = [0; 100];
        file.read_exact(&mut head).map_err(failed)?;
        let page_size = match usize::from(u16::from_be_bytes([head[16], head[17]])) {
            1 => 65_536,
            size => size,
        };
        Ok(Self { file, path, page_size })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether `page` looks like a page of a table or an index.
    pub(super) fn is_sound(&mut self, page: u32) -> Result<bool> {
        Ok(is_sound(page, &self.page(page)?))
    }

    /// Top pages of what nothing leads to. None if the free pages cannot be told: deleted rows would come back.
    pub(super) fn orphans(&mut self, roots: &HashSet<u32>) -> Result<Vec<u32>> {
        let length = self.file.metadata().map_err(|error| Error::io(&self.path, error))?.len();
        let pages = u32::try_from(length / self.page_size as u64).unwrap_or(u32::MAX);
        let Some(free) = self.free(pages)? else { return Ok(Vec::new()) };
        let mut sound = Vec::new();
        let mut named = HashSet::new();
        for page in (2..=pages).filter(|page| !free.contains(page)) {
            let bytes = self.page(page)?;
            if is_sound(page, &bytes) {
                sound.push(page);
                named.extend(children(page, &bytes));
            }
        }
        named.extend(children(1, &self.page(1)?));
        Ok(sound.into_iter().filter(|page| !named.contains(page) && !roots.contains(page)).collect())
    }

    /// The pages without content; `None` if their list is damaged.
    fn free(&mut self, pages: u32) -> Result<Option<HashSet<u32>>> {
        let head = self.page(1)?;
        // A file that shrinks by itself has other pages in between.
        if number(&head, 52) != 0 {
            return Ok(None);
        }
        let mut free = HashSet::new();
        let mut trunk = number(&head, 32);
        while trunk != 0 {
            if trunk > pages || !free.insert(trunk) {
                return Ok(None);
            }
            let bytes = self.page(trunk)?;
            let leaves = (number(&bytes, 4) as usize).min(self.page_size / 4 - 2);
            free.extend((0..leaves).map(|leaf| number(&bytes, 8 + 4 * leaf)));
            trunk = number(&bytes, 0);
        }
        Ok((free.len() == number(&head, 36) as usize).then_some(free))
    }

    /// The table of `tables` that the rows below `page` fit; `None` if they fit none, or more than one equally
    /// well.
    pub(super) fn owner(&mut self, page: u32, tables: &[Layout]) -> Result<Option<usize>> {
        let Some((kind, stored)) = self.first_row(page)? else { return Ok(None) };
        let keyed = kind == TABLE_ROWS;
        let fits = |table: &&Layout| table.keyed == keyed && table.fits(&stored);
        let fitting: Vec<&Layout> = tables.iter().filter(fits).collect();
        let exact: Vec<&&Layout> =
            fitting.iter().filter(|table| table.columns.len() == stored.len()).collect();
        let one = match (&fitting[..], &exact[..]) {
            ([one], _) => *one,
            (_, [one]) => **one,
            _ => return Ok(None),
        };
        Ok(tables.iter().position(|table| table.root == one.root))
    }

    /// The kind of the pages with rows below `page`, and what is stored in the columns of the first row.
    fn first_row(&mut self, mut page: u32) -> Result<Option<(u8, Vec<u64>)>> {
        for _ in 0..DEEPEST {
            let bytes = self.page(page)?;
            if !is_sound(page, &bytes) {
                return Ok(None);
            }
            match (bytes[0], children(page, &bytes).first()) {
                (TABLE_ABOVE | INDEX_ABOVE, Some(child)) => page = *child,
                (kind @ (TABLE_ROWS | INDEX_ROWS), _) => {
                    let first = cells(page, &bytes).next();
                    let stored = first.and_then(|first| serial_types(&bytes, first));
                    return Ok(stored.map(|stored| (kind, stored)));
                }
                _ => return Ok(None),
            }
        }
        Ok(None)
    }

    /// Puts `page` in the place of the first page of `table`, whose own rows were read before.
    ///
    /// # Errors
    /// [`Error::Io`] if the copy cannot be written.
    pub(super) fn put(&mut self, page: u32, table: &Layout) -> Result<()> {
        let bytes = self.page(page)?;
        let written = self.seek(table.root).and_then(|()| self.file.write_all(&bytes));
        written.map_err(|error| Error::io(&self.path, error))
    }

    /// The bytes of `page`; only zeros for one after the end of the file, which was cut off.
    fn page(&mut self, page: u32) -> Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(self.page_size);
        let size = self.page_size as u64;
        let read = self.seek(page).and_then(|()| (&mut self.file).take(size).read_to_end(&mut bytes));
        read.map_err(|error| Error::io(&self.path, error))?;
        bytes.resize(self.page_size, 0);
        Ok(bytes)
    }

    fn seek(&mut self, page: u32) -> std::io::Result<()> {
        let place = u64::from(page.saturating_sub(1)) * self.page_size as u64;
        self.file.seek(SeekFrom::Start(place)).map(drop)
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        super::remove(&self.path);
    }
}

impl Layout {
    /// What `c` says of `table`; `None` if it has no such table.
    ///
    /// # Errors
    /// Storage errors.
    pub(super) fn of(c: &Connection, table: &str) -> rusqlite::Result<Option<Self>> {
        let find =
            "SELECT rootpage, (SELECT wr = 0 FROM pragma_table_list WHERE schema = 'main' AND name = ?1)
                    FROM sqlite_schema WHERE type = 'table' AND name = ?1";
        let mut select = c.prepare(find)?;
        let mut rows = select.query([table])?;
        let Some(row) = rows.next()? else { return Ok(None) };
        let (root, keyed): (u32, bool) = (row.get(0)?, row.get(1)?);
        // A table without row ids stores its key first.
        let order = if keyed { "cid" } else { "pk = 0, pk, cid" };
        let mut select = c.prepare(&format!(
            "SELECT upper(type), \"notnull\", pk, (SELECT sum(pk > 0) FROM pragma_table_info(?1)) FROM pragma_table_info(?1)
             ORDER BY {order}"
        ))?;
        let columns = select.query_map([table], |row| {
            let (declared, not_null, key, keys): (String, bool, i64, i64) =
                (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
            let is_row_id = keyed && key == 1 && keys == 1 && declared == "INTEGER";
            Ok(Column { declared, is_row_id, not_null })
        })?;
        Ok(Some(Self { root, keyed, columns: columns.collect::<rusqlite::Result<_>>()? }))
    }

    pub(super) fn root(&self) -> u32 {
        self.root
    }

    /// Whether a row of these serial types can belong to the table. Columns that were added later may be missing
    /// at its end.
    fn fits(&self, stored: &[u64]) -> bool {
        stored.len() <= self.columns.len()
            && stored.iter().zip(&self.columns).all(|(&serial, column)| {
                let declared = column.declared.as_str();
                match serial {
                    0 => column.is_row_id || !column.not_null,
                    _ if column.is_row_id => false,
                    1..=9 => declared != "TEXT" && declared != "BLOB",
                    10 | 11 => false,
                    _ if serial % 2 == 0 => declared == "BLOB" || declared.is_empty(),
                    _ => declared == "TEXT" || declared.is_empty(),
                }
            })
    }
}

fn number(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).and_then(|four| four.try_into().ok()).map_or(0, u32::from_be_bytes)
}

fn short(bytes: &[u8], at: usize) -> usize {
    bytes.get(at..at + 2).and_then(|two| two.try_into().ok()).map_or(0, u16::from_be_bytes).into()
}

/// Where the head of a page begins: on the first page, after that of the file.
const fn head_of(page: u32) -> usize {
    if page == 1 { 100 } else { 0 }
}

/// Where the cells of a page begin, in the order of their keys.
pub(super) fn cells(page: u32, bytes: &[u8]) -> impl Iterator<Item = usize> {
    let head = head_of(page);
    let list = head + if matches!(bytes[head], TABLE_ABOVE | INDEX_ABOVE) { 12 } else { 8 };
    (0..short(bytes, head + 3)).map(move |cell| short(bytes, list + 2 * cell))
}

pub(super) fn is_sound(page: u32, bytes: &[u8]) -> bool {
    let head = head_of(page);
    let known = matches!(bytes[head], INDEX_ABOVE | TABLE_ABOVE | INDEX_ROWS | TABLE_ROWS);
    let (count, fragments) = (short(bytes, head + 3), bytes[head + 7]);
    known
        && fragments <= 60
        && count * 2 + head + 8 <= bytes.len()
        && cells(page, bytes).all(|cell| (head + 8..bytes.len() - 3).contains(&cell))
}

/// The pages that an inner page names, from the least key to the greatest.
fn children(page: u32, bytes: &[u8]) -> Vec<u32> {
    let head = head_of(page);
    if !matches!(bytes[head], TABLE_ABOVE | INDEX_ABOVE) {
        return Vec::new();
    }
    let mut children: Vec<u32> = cells(page, bytes).map(|cell| number(bytes, cell)).collect();
    children.push(number(bytes, head + 8));
    children
}

/// The serial types of the row that begins at `at` on a page with rows: what is stored in each column.
pub(super) fn serial_types(bytes: &[u8], mut at: usize) -> Option<Vec<u64>> {
    let _size = varint(bytes, &mut at)?;
    if bytes[0] == TABLE_ROWS {
        let _row_id = varint(bytes, &mut at)?;
    }
    let begin = at;
    let end = begin + usize::try_from(varint(bytes, &mut at)?).ok()?;
    let mut types = Vec::new();
    while at < end {
        types.push(varint(bytes, &mut at)?);
    }
    Some(types)
}

pub(super) fn varint(bytes: &[u8], at: &mut usize) -> Option<u64> {
    let mut value = 0;
    for place in 0..9 {
        let byte = u64::from(*bytes.get(*at)?);
        *at += 1;
        if place == 8 {
            return Some(value << 8 | byte);
        }
        value = value << 7 | (byte & 0x7f);
        if byte < 0x80 {
            break;
        }
    }
    Some(value)
}
