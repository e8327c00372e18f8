//! Saving what can still be read of a damaged library into a new file.
//!
//! SQLite gives up a query at the first page that it cannot read. Here each table is read row by row: behind a row that
//! cannot be read the next one is looked for, and pages that nothing leads to any more are read by themselves, so that a bad
//! page costs the rows that lie on it and no others.

mod orphan;

use super::{LIBRARY_FILE, connection, migrate, rebuild};
use crate::error::{Error, Result};
use crate::place::Place;
use orphan::{Copy, Layout};
use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, params_from_iter};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use ts_rs::TS;

/// What was saved.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Rescued {
    /// Tables with what was saved and lost of them, in the order in which they were read.
    pub tables: Vec<RescuedTable>,
    /// Paths of documents that lost their text, their original or chunks: ingest them again.
    pub incomplete: Vec<String>,
    /// Size of the new library file in bytes.
    pub bytes: u64,
}

/// What became of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RescuedTable {
    /// Its name.
    pub name: String,
    /// Rows that were saved.
    pub saved: u64,
    /// Rows that could not be read, or that named a row that could not; what was not even counted is left out.
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
const DERIVED: [&str; 4] = ["chunk_key", "chunk_tag", "removed_chunk", "job_upload"];
/// Unreadable stretches of one table after which no more of it is looked for.
const PATIENCE: u64 = 100_000;

/// Writes what can be read of the library at `place` to the file that takes its place at the next start.
/// The damaged file is not changed.
///
/// # Errors
/// [`Error::Corrupt`] where not even the list of tables can be read: only a backup helps then. [`Error::Io`] and
/// storage errors where the new file cannot be written; nothing is left of it then.
pub fn rescue(place: &Place) -> Result<Rescued> {
    let damaged = open(&place.folder.join(LIBRARY_FILE))?;
    let part = place.folder.join(format!("{}.part", super::place::NEXT_FILE));
    let saved = into(&damaged, &part).and_then(|mut saved| {
        saved.bytes = part.metadata().map_err(|error| Error::io(&part, error))?.len();
        place.replace_with(&part)?;
        Ok(saved)
    });
    if saved.is_err() {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            // The cause is reported already; a part that stays is written over by the next attempt.
            let _ = std::fs::remove_file(beside(&part, suffix));
        }
    }
    saved
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
        Ok(_) => Err(Error::Corrupt("it has no tables; restore a backup".to_owned())),
        Err(error) => Err(Error::Corrupt(format!("not even its list of tables can be read: {error}"))),
    }
}

fn into(damaged: &Connection, part: &Path) -> Result<Rescued> {
    for suffix in ["", "-wal", "-shm", "-journal"] {
        match std::fs::remove_file(beside(part, suffix)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(Error::io(part, error)),
            _ => {}
        }
    }
    connection::register_sqlite_vec();
    let mut new = Connection::open(part)?;
    super::keyword::prepare(&new)?;
    let version: i64 = damaged.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap_or(0);
    migrate::migrate_to(&mut new, part, version)?;
    new.pragma_update(None, "foreign_keys", false)?;
    let mut saved = Rescued::default();
    let tx = new.transaction()?;
    let triggers = without_triggers(&tx)?;
    let whole = copy_all(damaged, &tx, part, &mut saved)?;
    tx.execute("INSERT INTO figure_word (figure_word) VALUES ('rebuild')", [])?;
    if !whole {
        cite(&tx)?;
    }
    triggers.iter().try_for_each(|trigger| tx.execute_batch(trigger))?;
    saved.incomplete = gone(&tx)?;
    mend(&tx, &mut saved)?;
    rebuild::derive(&tx)?;
    saved.incomplete.extend(incomplete(&tx)?);
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

/// Copies every table, and says whether each could be read in full.
fn copy_all(damaged: &Connection, tx: &Connection, part: &Path, saved: &mut Rescued) -> Result<bool> {
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
    let whole = broken.is_empty();
    if let (Some(pages), false) = (&mut pages, broken.is_empty()) {
        from_orphans(damaged, tx, pages, broken, &mut saved.tables)?;
    }
    Ok(whole)
}

/// Notes what each answer, finding and label cites, for those of which that was lost.
fn cite(tx: &Connection) -> Result<()> {
    tx.execute_batch(
        "INSERT OR IGNORE INTO text_use
         SELECT coalesce((SELECT d.text_version FROM document d WHERE d.text_version = c.value ->> '$.text_version'),
                 (SELECT k.text_version FROM kept_text k WHERE k.text_version = c.value ->> '$.text_version'), ''),
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

/// Reads what lies below pages that nothing leads to, for the tables that are `broken`.
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

/// How rows are read and written.
#[derive(Clone, Copy)]
struct Insert {
    /// Whether the first page of the table can be read.
    begins: bool,
    /// Whether they take the place of rows with the same key.
    over: bool,
}

/// One table on its way into the new file.
struct Copying<'c> {
    damaged: &'c Connection,
    insert: rusqlite::Statement<'c>,
    /// Columns that both files have, as they are selected.
    columns: String,
    width: usize,
    table: String,
    begins: bool,
    saved: u64,
    lost: u64,
    bad: u64,
}

/// Copies a table, and says whether all of it could be read.
fn copy(damaged: &Connection, new: &Connection, table: &str, how: Insert) -> Result<(RescuedTable, bool)> {
    let columns = |c: &Connection| -> rusqlite::Result<Vec<String>> {
        let mut select = c.prepare("SELECT name FROM pragma_table_info(?1)")?;
        select.query_map([table], |row| row.get(0))?.collect()
    };
    let old: HashSet<String> = columns(damaged).unwrap_or_default().into_iter().collect();
    let shared: Vec<String> =
        columns(new)?.into_iter().filter(|name| old.contains(name)).map(|name| quoted(&name)).collect();
    let done = |saved, lost| RescuedTable { name: table.to_owned(), saved, lost };
    if shared.is_empty() {
        return Ok((done(0, 0), true));
    }
    let keyed: bool = new.query_row(
        "SELECT wr = 0 FROM pragma_table_list WHERE schema = 'main' AND name = ?1",
        [table],
        |row| row.get(0),
    )?;
    let columns = shared.join(", ");
    let marks = vec!["?"; shared.len() + usize::from(keyed)].join(", ");
    let key = if keyed { "rowid, " } else { "" };
    let or = if how.over { "REPLACE" } else { "IGNORE" };
    let insert = format!("INSERT OR {or} INTO {} ({key}{columns}) VALUES ({marks})", quoted(table));
    let mut copying = Copying {
        damaged,
        insert: new.prepare(&insert)?,
        columns: format!("{key}{columns}"),
        width: shared.len() + usize::from(keyed),
        table: quoted(table),
        begins: how.begins,
        saved: 0,
        lost: 0,
        bad: 0,
    };
    let whole = if keyed { copying.by_row()? } else { copying.at_both_ends()? };
    Ok((done(copying.saved, copying.lost), whole))
}

/// How a stretch of a table ended.
enum Read {
    /// All of it was read.
    Whole,
    /// It could not be read behind this row id; `None` where not even the first row could.
    Until(Option<i64>),
}

impl Copying<'_> {
    /// Row by row, by row id. Says whether all could be read.
    fn by_row(&mut self) -> Result<bool> {
        let Read::Until(first) = self.stretch(i64::MIN, i64::MAX, "ASC")? else { return Ok(true) };
        if !self.begins {
            self.lost = 1;
            return Ok(false);
        }
        // From the other end, so that what is left in the middle has two known ends.
        let low = first.map_or(0, |row| row.saturating_add(1));
        let Read::Until(last) = self.stretch(low, i64::MAX, "DESC")? else { return Ok(false) };
        let high = match last {
            Some(row) => row - 1,
            None => self.greatest().unwrap_or(low.saturating_add(1 << 20)),
        };
        self.halve(low, high)?;
        Ok(false)
    }

    /// Greatest row id that an index or the count of given ids knows.
    fn greatest(&self) -> Option<i64> {
        let by_sequence = "SELECT seq FROM sqlite_sequence WHERE name = ?1";
        let name = self.table.trim_matches('"');
        self.damaged.query_row(by_sequence, [name], |row| row.get(0)).ok()
    }

    /// Reads `low..=high`, whose ends cannot be read as one, in ever smaller parts.
    fn halve(&mut self, low: i64, high: i64) -> Result<()> {
        let mut open = vec![(low, high)];
        while let Some((low, high)) = open.pop() {
            if low > high || self.bad > PATIENCE {
                continue;
            }
            let Read::Until(last) = self.stretch(low, high, "ASC")? else { continue };
            self.bad += 1;
            let low = last.map_or(low, |row| row + 1);
            if low >= high {
                self.lost += u64::from(low == high);
                continue;
            }
            let middle = low + (high - low) / 2;
            open.push((middle + 1, high));
            open.push((low, middle));
        }
        Ok(())
    }

    fn stretch(&mut self, low: i64, high: i64, order: &str) -> Result<Read> {
        let query = format!(
            "SELECT {} FROM {} WHERE rowid BETWEEN ?1 AND ?2 ORDER BY rowid {order}",
            self.columns, self.table
        );
        self.run(&query, &[low, high])
    }

    /// A table without row ids is read from both ends up to what cannot be read. Says whether all could be read.
    fn at_both_ends(&mut self) -> Result<bool> {
        let keys = {
            let mut select =
                self.damaged.prepare("SELECT name FROM pragma_table_info(?1) WHERE pk > 0 ORDER BY pk")?;
            let keys = select.query_map([self.table.trim_matches('"')], |row| row.get::<_, String>(0))?;
            keys.collect::<rusqlite::Result<Vec<_>>>()?
        };
        for order in ["ASC", "DESC"] {
            let by: Vec<String> = keys.iter().map(|key| format!("{} {order}", quoted(key))).collect();
            let query = format!("SELECT {} FROM {} ORDER BY {}", self.columns, self.table, by.join(", "));
            if matches!(self.run(&query, &[])?, Read::Whole) {
                return Ok(true);
            }
        }
        self.lost += 1;
        Ok(false)
    }

    /// Copies what `query` finds until it fails. What the new file refuses is lost; that it cannot be written is an error.
    fn run(&mut self, query: &str, between: &[i64]) -> Result<Read> {
        let mut last = None;
        let Ok(mut select) = self.damaged.prepare_cached(query) else { return Ok(Read::Until(None)) };
        let Ok(mut rows) = select.query(params_from_iter(between)) else { return Ok(Read::Until(None)) };
        loop {
            let row = match rows.next() {
                Ok(Some(row)) => row,
                Ok(None) => return Ok(Read::Whole),
                Err(_) => return Ok(Read::Until(last)),
            };
            let values: rusqlite::Result<Vec<Value>> =
                (0..self.width).map(|column| row.get(column)).collect();
            let Ok(values) = values else { return Ok(Read::Until(last)) };
            if let Some(Value::Integer(id)) = values.first() {
                last = Some(*id);
            }
            match self.insert.execute(params_from_iter(values)) {
                Ok(_) => self.saved += 1,
                Err(rusqlite::Error::SqliteFailure(cause, _))
                    if cause.code == rusqlite::ErrorCode::ConstraintViolation =>
                {
                    self.lost += 1;
                }
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// Gives what people made the workspace that it names, and drops other rows that name a row that is gone.
fn mend(tx: &Connection, saved: &mut Rescued) -> Result<()> {
    loop {
        let mut select = tx.prepare("SELECT \"table\", rowid, parent, fkid FROM pragma_foreign_key_check")?;
        let dangling =
            select.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
        let dangling = dangling.collect::<rusqlite::Result<Vec<(String, Option<i64>, String, i64)>>>()?;
        if dangling.is_empty() {
            return Ok(());
        }
        let mut swept = HashSet::new();
        for (table, row, parent, key) in dangling {
            let (from, to): (String, Option<String>) = tx.query_row(
                "SELECT \"from\", \"to\" FROM pragma_foreign_key_list(?1) WHERE id = ?2",
                (&table, key),
                |row| Ok((row.get(0)?, row.get(1)?)),
            )?;
            let (name, from, to) = (quoted(&table), quoted(&from), quoted(to.as_deref().unwrap_or("id")));
            if parent == "workspace" {
                let add = format!(
                    "INSERT OR IGNORE INTO workspace (id, name, language, created_at)
                     SELECT DISTINCT {from}, 'rescued-' || {from}, 'en', ?1 FROM {name}
                     WHERE {from} IS NOT NULL AND {from} NOT IN (SELECT id FROM workspace)"
                );
                tx.execute(&add, [super::now()])?;
                continue;
            }
            let removed = match row {
                Some(row) => tx.execute(&format!("DELETE FROM {name} WHERE rowid = ?1"), [row])?,
                None if swept.insert((table.clone(), key)) => {
                    let gone = format!(
                        "DELETE FROM {name} WHERE {from} IS NOT NULL AND {from} NOT IN (SELECT {to} FROM {})",
                        quoted(&parent)
                    );
                    tx.execute(&gone, [])?
                }
                None => 0,
            };
            if let Some(counted) = saved.tables.iter_mut().find(|counted| counted.name == table) {
                counted.saved = counted.saved.saturating_sub(removed as u64);
                counted.lost += removed as u64;
            }
        }
    }
}

/// Paths of documents that are gone, but for chunks of theirs.
fn gone(c: &Connection) -> Result<Vec<String>> {
    let mut select =
        c.prepare("SELECT DISTINCT path FROM chunk WHERE document_id NOT IN (SELECT id FROM document)")?;
    Ok(select.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
}

/// Paths of documents that lost their original, or chunks in between.
fn incomplete(c: &Connection) -> Result<Vec<String>> {
    let mut select = c.prepare(
        "SELECT d.path FROM document d WHERE d.corpus_id IS NOT NULL AND (NOT EXISTS (SELECT 1 FROM source s WHERE s.document_id = d.id)
           OR (SELECT count(*) <> coalesce(max(ordinal) + 1, 0) OR count(*) = 0 FROM chunk WHERE document_id = d.id))",
    )?;
    Ok(select.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
}
