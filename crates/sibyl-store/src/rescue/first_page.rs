//! A library file whose first page is damaged. That page holds the head of the file and leads to the pages with
//! the list of tables. A copy gets a new one, above those of these pages that can be found. (Format:
//! <https://sqlite.org/fileformat2.html>.)

use super::cut_off::Filled;
use super::orphan::{TABLE_ABOVE, TABLE_ROWS, cells, is_sound, serial_types, varint};
use crate::error::{Error, Result};
use std::fs::{File, OpenOptions};
use std::io::{BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// Bytes of a page, as in every library: the head that says so is gone.
const PAGE: usize = 4096;
/// Bytes of the head of a file.
const HEAD: usize = 100;
/// What the list of tables says that an entry is.
const KINDS: [&[u8]; 4] = [b"table", b"index", b"view", b"trigger"];

/// A page with entries of the list of tables.
struct Entries {
    page: u32,
    /// The row ids of its first and its last entry.
    first: u64,
    last: u64,
}

/// Copies the file at `path` to `copy` with a new first page; `None` if nothing of its list of tables is found.
///
/// # Errors
/// [`Error::Io`] if the file cannot be read or copied.
pub(super) fn made_anew(path: &Path, copy: PathBuf) -> Result<Option<Filled>> {
    let (pages, mut found) = entries(path).map_err(|error| Error::io(path, error))?;
    found.sort_by_key(|entries| entries.first);
    // If a later page has the same content, the earlier one is a leftover: the list has no row id twice.
    found.dedup_by(|later, earlier| later.first <= earlier.last);
    let Some(first_page) = first_page(pages, &found) else { return Ok(None) };
    let filled = Filled::copied(path, copy)?;
    let written = OpenOptions::new().write(true).open(filled.path()).and_then(|mut file| {
        file.write_all(&first_page)?;
        file.set_len(u64::from(pages) * PAGE as u64)
    });
    written.map_err(|error| Error::io(filled.path(), error))?;
    Ok(Some(filled))
}

/// How many pages the file has, and those with entries of the list of tables.
fn entries(path: &Path) -> std::io::Result<(u32, Vec<Entries>)> {
    let file = File::open(path)?;
    let pages = u32::try_from(file.metadata()?.len().div_ceil(PAGE as u64)).unwrap_or(u32::MAX);
    let mut file = BufReader::with_capacity(256 * PAGE, file);
    let mut found = Vec::new();
    let mut bytes = vec![0; PAGE];
    for page in 1..=pages {
        let mut read = 0;
        while read < PAGE {
            match file.read(&mut bytes[read..])? {
                0 => break,
                more => read += more,
            }
        }
        bytes[read..].fill(0);
        if page > 1 {
            found.extend(of_the_list(&bytes).map(|(first, last)| Entries { page, first, last }));
        }
    }
    Ok((pages, found))
}

/// The row ids of the first and the last entry, if every row of the page is an entry of the list of tables.
fn of_the_list(bytes: &[u8]) -> Option<(u64, u64)> {
    if bytes[0] != TABLE_ROWS || !is_sound(2, bytes) {
        return None;
    }
    let ids: Option<Vec<u64>> = cells(2, bytes).map(|cell| entry(bytes, cell)).collect();
    let ids = ids.filter(|ids| ids.is_sorted())?;
    Some((*ids.first()?, *ids.last()?))
}

/// The row id of the row that begins at `cell`, if it is an entry: its type, two names, a page, and its
/// definition.
fn entry(bytes: &[u8], cell: usize) -> Option<u64> {
    let types = serial_types(bytes, cell)?;
    let [kind, name, table, root, made] = types[..] else { return None };
    let text = |serial: u64| serial >= 13 && serial % 2 == 1;
    if !text(kind) || !text(name) || !text(table) || root > 9 || !(made == 0 || text(made)) {
        return None;
    }
    let mut at = cell;
    let _size = varint(bytes, &mut at)?;
    let id = varint(bytes, &mut at)?;
    let head = usize::try_from(varint(bytes, &mut { at })?).ok()?;
    let length = usize::try_from((kind - 13) / 2).ok()?;
    KINDS.contains(&bytes.get(at + head..at + head + length)?).then_some(id)
}

/// A first page for a file of this number of `pages`, above the pages with `entries`. `None` if they are not
/// valid, or more than it can lead to.
fn first_page(pages: u32, entries: &[Entries]) -> Option<Vec<u8>> {
    let (last, others) = entries.split_last()?;
    let mut page = vec![0; PAGE];
    page[..16].copy_from_slice(b"SQLite format 3\0");
    // The size of a page, no space kept at its end, and what SQLite demands of cells.
    page[16..18].copy_from_slice(&(PAGE as u16).to_be_bytes());
    // Read and written with a log.
    page[18..24].copy_from_slice(&[2, 2, 0, 64, 32, 32]);
    for (at, number) in [
        (24, 1), // changes
        (28, pages),
        // One free page that no list names, because it is not known which pages are free.
        (36, 1),
        (40, 1), // changes of the schema
        (44, 4), // its format
        (56, 1), // UTF-8
        (92, 1), // the change for which the number of pages is valid
        (96, rusqlite::version_number().unsigned_abs()),
    ] {
        page[at..at + 4].copy_from_slice(&number.to_be_bytes());
    }
    page[HEAD] = TABLE_ABOVE;
    let mut end = PAGE;
    for (at, entries) in others.iter().enumerate() {
        let cell = [&entries.page.to_be_bytes()[..], &as_varint(entries.last)].concat();
        end = end.checked_sub(cell.len()).filter(|end| *end >= HEAD + 12 + 2 * others.len())?;
        page[end..end + cell.len()].copy_from_slice(&cell);
        page[HEAD + 12 + 2 * at..][..2].copy_from_slice(&u16::try_from(end).ok()?.to_be_bytes());
    }
    page[HEAD + 3..HEAD + 5].copy_from_slice(&u16::try_from(others.len()).ok()?.to_be_bytes());
    page[HEAD + 5..HEAD + 7].copy_from_slice(&u16::try_from(end).ok()?.to_be_bytes());
    page[HEAD + 8..HEAD + 12].copy_from_slice(&last.page.to_be_bytes());
    Some(page)
}

/// `number` in groups of seven bits, the highest first. Row ids of the list of tables never need the ninth byte.
fn as_varint(mut number: u64) -> Vec<u8> {
    let mut bytes = vec![(number & 0x7f) as u8];
    while number > 0x7f {
        number >>= 7;
        bytes.insert(0, (number & 0x7f) as u8 | 0x80);
    }
    bytes
}
