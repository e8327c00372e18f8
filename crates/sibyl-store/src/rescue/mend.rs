//! Rows that refer to a lost row. That row is taken from a backup or made again if possible; otherwise they are
//! dropped.

use super::{Rescued, quoted};
use crate::backup::FOLDER;
use crate::connection;
use crate::error::Result;
use crate::place::Place;
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};
use sibyl_text::source_type;

/// Tables whose rows others belong to, and which hardly change: an earlier row is as good as the last.
const KEPT_IN_BACKUPS: [&str; 7] =
    ["workspace", "corpus", "space", "assessment", "gold_set", "gold_query", "watched_folder"];
/// The workspace that every library has.
const FIRST_WORKSPACE: &str = "default";

/// The newest backup that opens, if there is one.
pub(super) fn newest_backup(place: &Place) -> Option<Connection> {
    let backups = place.backups().ok()?;
    let paths = backups.iter().map(|backup| place.folder.join(FOLDER).join(&backup.name));
    // A damaged backup is skipped: an earlier one is as good for this purpose.
    paths
        .filter_map(|path| connection::open_reader(&path).ok())
        .find(|backup| connection::check(backup).is_ok())
}

/// A kind of reference that leads nowhere.
struct Dangling {
    table: String,
    column: String,
    parent: String,
    /// The column of the parent that it names.
    key: String,
}

impl Dangling {
    /// The condition of rows that name a row that is gone.
    fn condition(&self) -> String {
        let (column, key, parent) = (quoted(&self.column), quoted(&self.key), quoted(&self.parent));
        format!("{column} IS NOT NULL AND {column} NOT IN (SELECT {key} FROM {parent})")
    }
}

/// Mends every reference. Rows that cannot be mended are dropped and counted as lost.
///
/// # Errors
/// Storage errors.
pub(super) fn mend(tx: &Connection, backup: Option<&Connection>, saved: &mut Rescued) -> Result<()> {
    loop {
        let all = dangling(tx)?;
        if all.is_empty() {
            return Ok(());
        }
        let mut found = 0;
        for one in all.iter().filter(|one| KEPT_IN_BACKUPS.contains(&one.parent.as_str())) {
            if let Some(backup) = backup {
                found += from_backup(tx, backup, one)?;
            }
            found += made_again(tx, one)?;
        }
        // A row found may itself refer to a lost one, and is repaired first.
        if found > 0 {
            continue;
        }
        for one in &all {
            let drop = format!("DELETE FROM {} WHERE {}", quoted(&one.table), one.condition());
            let removed = tx.execute(&drop, [])? as u64;
            if let Some(counted) = saved.tables.iter_mut().find(|counted| counted.name == one.table) {
                counted.saved = counted.saved.saturating_sub(removed);
                counted.lost += removed;
            }
        }
    }
}

/// The references that lead nowhere, each kind once.
fn dangling(tx: &Connection) -> Result<Vec<Dangling>> {
    let mut select = tx.prepare(
        "SELECT DISTINCT c.\"table\", k.\"from\", c.parent, coalesce(k.\"to\", 'id')
         FROM pragma_foreign_key_check c, pragma_foreign_key_list(c.\"table\") k WHERE k.id = c.fkid",
    )?;
    let rows = select.query_map([], |row| {
        Ok(Dangling { table: row.get(0)?, column: row.get(1)?, parent: row.get(2)?, key: row.get(3)? })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Takes the rows to which `one` refers from `backup`. Returns how many it has.
fn from_backup(tx: &Connection, backup: &Connection, one: &Dangling) -> Result<usize> {
    let columns = |c: &Connection| -> rusqlite::Result<Vec<String>> {
        let mut select = c.prepare("SELECT name FROM pragma_table_info(?1)")?;
        select.query_map([&one.parent], |row| row.get(0))?.collect()
    };
    let known = columns(backup)?;
    let shared: Vec<String> =
        columns(tx)?.into_iter().filter(|name| known.contains(name)).map(|name| quoted(&name)).collect();
    let gone = format!(
        "SELECT DISTINCT {} FROM {} WHERE {}",
        quoted(&one.column),
        quoted(&one.table),
        one.condition()
    );
    let mut select = tx.prepare(&gone)?;
    let ids = select.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<Vec<Value>>>()?;
    let (parent, list) = (quoted(&one.parent), shared.join(", "));
    let mut find = backup.prepare(&format!("SELECT {list} FROM {parent} WHERE {} = ?1", quoted(&one.key)))?;
    let marks = vec!["?"; shared.len()].join(", ");
    let mut put = tx.prepare(&format!("INSERT OR IGNORE INTO {parent} ({list}) VALUES ({marks})"))?;
    let mut found = 0;
    for id in ids {
        let mut rows = find.query([id])?;
        while let Some(row) = rows.next()? {
            let values = (0..shared.len()).map(|at| row.get(at)).collect::<rusqlite::Result<Vec<Value>>>()?;
            found += put.execute(params_from_iter(values))?;
        }
    }
    Ok(found)
}

/// Makes a workspace or a corpus again from rows that refer to it. Returns how many.
fn made_again(tx: &Connection, one: &Dangling) -> Result<usize> {
    let (column, table, condition) = (quoted(&one.column), quoted(&one.table), one.condition());
    if one.parent == "workspace" {
        // The first one gets the name that every program asks for, if no other has it.
        let name = format!(
            "CASE WHEN {column} = 1 AND NOT EXISTS (SELECT 1 FROM workspace WHERE name = '{FIRST_WORKSPACE}')
               THEN '{FIRST_WORKSPACE}' ELSE 'rescued-' || {column} END"
        );
        let add = format!(
            "INSERT OR IGNORE INTO workspace (id, name, language, created_at)
             SELECT DISTINCT {column}, {name}, 'en', ?1 FROM {table} WHERE {condition}"
        );
        return Ok(tx.execute(&add, [crate::now()])?);
    }
    if one.parent != "corpus" || one.table != "document" {
        return Ok(0);
    }
    let mut select =
        tx.prepare(&format!("SELECT {column}, min(source_type) FROM {table} WHERE {condition} GROUP BY 1"))?;
    let gone = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let gone = gone.collect::<rusqlite::Result<Vec<(i64, String)>>>()?;
    let mut made = 0;
    for (id, kind) in gone {
        // Standards belong to all; the owners of the others are no longer known.
        let standard = source_type::standard(&kind).is_some();
        let name = if standard { kind.replace('_', "-") } else { format!("rescued-{id}") };
        let strategy = source_type::named(&kind).map_or("text", |kind| kind.strategy);
        made += tx.execute(
            "INSERT OR IGNORE INTO corpus (id, workspace_id, name, source_type, strategy, created_at)
             VALUES (?1, CASE WHEN ?2 THEN NULL ELSE 1 END, ?3, ?4, ?5, ?6)",
            (id, standard, name, kind, strategy, crate::now()),
        )?;
    }
    Ok(made)
}
