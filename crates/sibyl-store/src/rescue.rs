//! Saving what can still be read of a damaged library into a new file.
//!
//! SQLite gives up a query at the first page that it cannot read. Here each table is read row by row, and after a
//! row that cannot be read the next one is looked for. Pages that nothing leads to any more are read by
//! themselves. So a bad page costs only the rows on it.

mod cut_off;
mod first_page;
mod mend;
mod orphan;
mod rows;

use super::{LIBRARY_FILE, connection, migrate, rebuild};
use crate::error::{Error, Result};
use crate::place::Place;
use crate::scope::INCOMPLETE;
use cut_off::Filled;
use orphan::{Copy, Layout};
use rows::{Insert, copy};
use rusqlite::{Connection, OpenFlags, params};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// The version of the schema that brought figures.
const FIGURES: i64 = 11;

/// What was rescued.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Rescued {
    /// Tables with what was saved and lost of them, in the order in which they were read.
    pub tables: Vec<RescuedTable>,
    /// Paths of documents that lost their text, their original or chunks: ingest them again.
    pub incomplete: Vec<String>,
    /// Size of the new library file in bytes.
    pub bytes: u64,
}

/// What became of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RescuedTable {
    /// Its name.
    pub name: String,
    /// Rows that were saved.
    pub saved: u64,
    /// Number of rows that could not be read, or that named a row that could not; uncounted rows are not included.
    pub lost: u64,
}

/// What people made or paid for is read first: nothing else can replace it.
const FIRST: [&str; 19] = [
    "workspace",
    "setting",
    "corpus",
    "review",
    "decision",
    "assessment",
    "gold_set",
    "gold_query",
    "gold_label",
    "gold_decision",
    "gold_version",
    "gold_change",
    "answer_log",
    "thesaurus",
    "space",
    "vector",
    "document",
    "correction",
    "phrasing",
];
/// Derived from chunks, or of no use in another file.
const DERIVED: [&str; 6] =
    ["chunk_key", "chunk_tag", "chunk_field", "derived", "removed_chunk", "job_upload"];

/// See [`Location::rescue`](crate::port::Location::rescue).
///
/// # Errors
/// As there.
pub fn rescue(place: &Place) -> Result<Rescued> {
    let library = place.folder.join(LIBRARY_FILE);
    if library.exists() && !connection::can_be_written(&place.folder, &library) {
        return Err(Error::ReadOnly { folder: place.folder.clone() });
    }
    let part = place.folder.join(format!("{}.part", super::place::NEXT_FILE));
    let filled = Filled::of(&library, beside(&part, ".filled"))?;
    let (damaged, _filled) = match open(filled.as_ref().map_or(&library, Filled::path)) {
        Ok(damaged) => (damaged, filled),
        Err(error) => {
            let anew = beside(&part, ".anew");
            let Some(anew) = first_page::made_anew(&library, anew)? else { return Err(error) };
            (open(anew.path())?, Some(anew))
        }
    };
    let version = migrate::version_of(&damaged)?;
    let backup = mend::newest_backup(place);
    let saved = into(&damaged, version, &part, backup.as_ref()).and_then(|mut saved| {
        saved.bytes = part.metadata().map_err(|error| Error::io(&part, error))?.len();
        place.replace_with(&part)?;
        Ok(saved)
    });
    if saved.is_err() {
        remove(&part);
    }
    saved
}

/// Removes a file of a rescue, with the files that SQLite keeps beside it. Most of these never existed; the next
/// rescue overwrites any that remain.
fn remove(path: &Path) {
    for suffix in ["", "-wal", "-shm", "-journal"] {
        let _ = std::fs::remove_file(beside(path, suffix));
    }
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Opens the damaged file for reading. Its log is read with it where the log can be read.
fn open(path: &Path) -> Result<Connection> {
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    let readable = |connection: &Connection| {
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0))
    };
    let plain = Connection::open_with_flags(path, flags)?;
    if readable(&plain).is_ok_and(|tables| tables > 0) {
        return Ok(plain);
    }
    let alone = Connection::open_with_flags(connection::immutable(path)?, flags)?;
    match readable(&alone) {
        Ok(tables) if tables > 0 => Ok(alone),
        Ok(_) => Err(Error::Unreadable("it has no tables".to_owned())),
        Err(error) => Err(Error::Unreadable(format!("its list of tables is damaged ({error})"))),
    }
}

fn into(damaged: &Connection, version: i64, part: &Path, backup: Option<&Connection>) -> Result<Rescued> {
    for suffix in ["", "-wal", "-shm", "-journal"] {
        match std::fs::remove_file(beside(part, suffix)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(Error::io(part, error)),
            _ => {}
        }
    }
    connection::register_sqlite_vec();
    let mut new = Connection::open(part)?;
    super::keyword::prepare(&new)?;
    migrate::migrate_to(&mut new, part, version)?;
    new.pragma_update(None, "foreign_keys", false)?;
    let mut saved = Rescued::default();
    let tx = new.transaction()?;
    let triggers = without_triggers(&tx)?;
    let broken = copy_all(damaged, &tx, part, &mut saved)?;
    if version >= FIGURES {
        let indexed = "INSERT INTO figure_word (rowid, label, \"column\", above)
            SELECT id, as_indexed(label), as_indexed(\"column\"), as_indexed(above) FROM figure";
        tx.execute(indexed, [])?;
    }
    if !broken.is_empty() {
        drop_broken(&tx, &mut saved)?;
        cite(&tx)?;
    }
    triggers.iter().try_for_each(|trigger| tx.execute_batch(trigger))?;
    saved.incomplete = gone(&tx)?;
    mend::mend(&tx, backup, &mut saved)?;
    // The rest of what is derived is made when the library is opened.
    rebuild::words(&tx)?;
    super::touch(&tx, "vector")?;
    saved.incomplete.extend(mark_incomplete(&tx, broken.iter().any(|table| table == "chunk"))?);
    saved.incomplete.sort();
    saved.incomplete.dedup();
    tx.commit()?;
    let found: String = new.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if found != "ok" {
        return Err(Error::Damaged(format!(
            "the rescued library is damaged as well ({found}); try another drive"
        )));
    }
    new.close().map_err(|(_, error)| error)?;
    let file = std::fs::File::open(part).map_err(|error| Error::io(part, error))?;
    file.sync_all().map_err(|error| Error::io(part, error))?;
    Ok(saved)
}

/// Removes the triggers and returns how each is made again: copied rows bring what triggers made of them.
fn without_triggers(tx: &Connection) -> Result<Vec<String>> {
    let mut select = tx.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")?;
    let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let mut triggers = Vec::new();
    for (name, sql) in rows.collect::<rusqlite::Result<Vec<(String, String)>>>()? {
        tx.execute(&format!("DROP TRIGGER {}", quoted(&name)), [])?;
        triggers.push(sql);
    }
    Ok(triggers)
}

/// Copies every table, and names those that could not be read in full.
fn copy_all(damaged: &Connection, tx: &Connection, part: &Path, saved: &mut Rescued) -> Result<Vec<String>> {
    // Without a copy of the pages only what SQLite still finds is saved.
    let mut pages = Copy::of(damaged, beside(part, ".pages"))
        .inspect_err(|error| tracing::warn!("pages that nothing leads to cannot be looked for: {error}"))
        .ok();
    let mut broken = Vec::new();
    for table in tables(tx)? {
        let layout = Layout::of(damaged, &table).ok().flatten();
        let begins = match (&mut pages, &layout) {
            (Some(pages), Some(layout)) => pages.is_sound(layout.root())?,
            _ => true,
        };
        let (counted, whole) = copy(damaged, tx, &table, Insert { begins, over: true })?;
        saved.tables.push(counted);
        broken.extend(layout.filter(|_| !whole).map(|layout| (table, layout)));
    }
    let names = broken.iter().map(|(table, _)| table.clone()).collect();
    if let (Some(pages), false) = (&mut pages, broken.is_empty()) {
        from_orphans(damaged, tx, pages, broken, &mut saved.tables)?;
    }
    Ok(names)
}

/// Columns that must be JSON.
const JSON: [(&str, &str); 4] =
    [("answer_log", "request"), ("answer_log", "answer"), ("gold_label", "target"), ("chunk", "metadata")];

/// Removes rows of which a bad page left only half. A finding stays, without the passages that were pinned to it.
fn drop_broken(tx: &Connection, saved: &mut Rescued) -> Result<()> {
    tx.execute("UPDATE review SET passages = '[]' WHERE NOT json_valid(passages)", [])?;
    tx.execute("UPDATE program_proposal SET quotes = '[]' WHERE NOT json_valid(quotes)", [])?;
    for (table, column) in JSON {
        let broken = tx.execute(&format!("DELETE FROM {table} WHERE NOT json_valid({column})"), [])? as u64;
        if let Some(counted) = saved.tables.iter_mut().find(|counted| counted.name == table) {
            counted.saved = counted.saved.saturating_sub(broken);
            counted.lost += broken;
        }
    }
    Ok(())
}

/// Notes what each answer, finding and label cites, if that record was lost.
fn cite(tx: &Connection) -> Result<()> {
    tx.execute_batch(
        "INSERT OR IGNORE INTO text_use
         SELECT coalesce((SELECT d.text_version FROM document d JOIN corpus o ON o.id = d.corpus_id
                 WHERE d.text_version = c.value ->> '$.text_version'
                     AND (o.workspace_id IS NULL OR o.workspace_id = a.workspace_id)),
                 (SELECT k.text_version FROM kept_text k WHERE k.text_version = c.value ->> '$.text_version'
                     AND k.workspace_id IN (0, a.workspace_id)), ''),
             'answer', a.id, c.value ->> '$.document_id', a.workspace_id
         FROM answer_log a, json_each(a.answer, '$.citations') c
         WHERE c.value ->> '$.document_id' > 0
             AND NOT EXISTS (SELECT 1 FROM text_use u WHERE u.kind = 'answer' AND u.owner = CAST(a.id AS TEXT));
         INSERT OR IGNORE INTO text_use
         SELECT text_version, 'review', owner, document, workspace_id FROM pinned p
         WHERE document IS NOT NULL
             AND NOT EXISTS (SELECT 1 FROM text_use u WHERE u.kind = 'review' AND u.owner = p.owner);
         INSERT OR IGNORE INTO text_use
         SELECT text_version, 'gold', id, document, workspace_id FROM marked m
         WHERE document IS NOT NULL
             AND NOT EXISTS (SELECT 1 FROM text_use u WHERE u.kind = 'gold' AND u.owner = CAST(m.id AS TEXT));",
    )?;
    Ok(())
}

/// Tables that are read, what people made first.
fn tables(c: &Connection) -> Result<Vec<String>> {
    let mut select = c.prepare(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'
         ORDER BY name",
    )?;
    let names = select.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<Vec<String>>>()?;
    let mut names: Vec<String> = names.into_iter().filter(|name| !DERIVED.contains(&name.as_str())).collect();
    names.sort_by_key(|name| FIRST.iter().position(|first| first == name).unwrap_or(FIRST.len()));
    Ok(names)
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Reads what is below pages that nothing leads to, for the tables that are `broken`.
fn from_orphans(
    damaged: &Connection,
    new: &Connection,
    pages: &mut Copy,
    broken: Vec<(String, Layout)>,
    saved: &mut [RescuedTable],
) -> Result<()> {
    let (names, layouts): (Vec<String>, Vec<Layout>) = broken.into_iter().unzip();
    let mut select = damaged.prepare("SELECT rootpage FROM sqlite_schema WHERE rootpage > 0")?;
    let roots = select.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<HashSet<u32>>>()?;
    for page in pages.orphans(&roots)? {
        let Some(owner) = pages.owner(page, &layouts)? else { continue };
        pages.put(page, &layouts[owner])?;
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        let alone = Connection::open_with_flags(connection::immutable(pages.path())?, flags)?;
        copy(&alone, new, &names[owner], Insert { begins: true, over: false })?;
    }
    for counted in saved.iter_mut().filter(|counted| names.contains(&counted.name)) {
        let count = format!("SELECT count(*) FROM {}", quoted(&counted.name));
        counted.saved = new.query_row(&count, [], |row| row.get(0))?;
        // An index of the table may still know how many there were.
        if let Ok(known) = damaged.query_row(&count, [], |row| row.get::<_, u64>(0)) {
            counted.lost = known.saturating_sub(counted.saved);
        }
    }
    Ok(())
}

/// Paths of documents that are gone except for chunks of theirs.
fn gone(c: &Connection) -> Result<Vec<String>> {
    let mut select =
        c.prepare("SELECT DISTINCT path FROM chunk WHERE document_id NOT IN (SELECT id FROM document)")?;
    Ok(select.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
}

/// Marks the documents that lost their original or chunks, so that they are reported until they are chunked again.
/// Returns their paths. With `chunks_broken`, these include documents whose last chunk may be gone: most documents
/// are chunked to their last letter.
fn mark_incomplete(tx: &Connection, chunks_broken: bool) -> Result<Vec<String>> {
    let mut mark = tx.prepare(
        "UPDATE document AS d SET config_hash = ?1
         WHERE d.corpus_id IS NOT NULL AND (NOT EXISTS (SELECT 1 FROM source s WHERE s.document_id = d.id)
           OR (SELECT count(*) <> coalesce(max(ordinal) + 1, 0) OR count(*) = 0
                 OR ?2 AND max(\"end\") < length(CAST(rtrim(d.text, char(32, 9, 10, 13, 124, 45)) AS BLOB))
               FROM chunk WHERE document_id = d.id))
         RETURNING path",
    )?;
    Ok(mark
        .query_map(params![INCOMPLETE, chunks_broken], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?)
}
