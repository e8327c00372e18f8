//! The rows of a damaged table, as many as can be read.

use super::{RescuedTable, quoted};
use crate::error::Result;
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};
use std::collections::HashSet;

/// Unreadable stretches of one table after which no more of it is looked for.
const PATIENCE: u64 = 100_000;

/// How rows are read and written.
#[derive(Clone, Copy)]
pub(super) struct Insert {
    /// Whether the first page of the table can be read.
    pub(super) begins: bool,
    /// Whether they replace rows with the same key.
    pub(super) over: bool,
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
pub(super) fn copy(
    damaged: &Connection,
    new: &Connection,
    table: &str,
    how: Insert,
) -> Result<(RescuedTable, bool)> {
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
    /// Nothing could be read after this row id; `None` if not even the first row could be.
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
        // From the other end, so that the rest in the middle has two known ends.
        let low = first.map_or(0, |row| row.saturating_add(1));
        let Read::Until(last) = self.stretch(low, i64::MAX, "DESC")? else { return Ok(false) };
        let high = match last {
            Some(row) => row - 1,
            None => self.greatest().unwrap_or(low.saturating_add(1 << 20)),
        };
        self.halve(low, high)?;
        Ok(false)
    }

    /// Greatest row id known from an index or from the count of assigned ids.
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
            // A page of zeros ends the text that continues there.
            if values.iter().any(|value| matches!(value, Value::Text(text) if text.ends_with('\0'))) {
                self.lost += 1;
                continue;
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
