//! The standards in an edition of IFRS S2: its chunks in the order of the standard, followed by those that only
//! the other edition has.

use super::{field, id_of};
use crate::store::edition::Edition;
use crate::store::table::chunk::ChunkRow;
use serde_json::Value;
use sibyl_text::reference::ifrs::{Number, Standard, paragraph};
use std::collections::HashMap;

/// The editions that a chunk belongs to. Empty if it is no part of IFRS S2, or part of a copy that names no
/// edition.
pub(crate) fn editions(row: &ChunkRow) -> Vec<Edition> {
    let named = row.metadata.get("editions").and_then(Value::as_array);
    let codes: Vec<&str> = named.into_iter().flatten().filter_map(Value::as_str).collect();
    Edition::ALL.into_iter().filter(|edition| codes.contains(&edition.code())).collect()
}

/// Divides `rows` into those of `edition`, in the order of the standard, and those that only the other edition
/// has.
pub(super) fn divided(rows: Vec<ChunkRow>, edition: Edition) -> (Vec<ChunkRow>, Vec<ChunkRow>) {
    in_order(rows).into_iter().partition(|row| {
        let editions = editions(row);
        editions.is_empty() || editions.contains(&edition)
    })
}

/// What the amendments change is a separate document: its chunks go to their places in the standard.
fn in_order(rows: Vec<ChunkRow>) -> Vec<ChunkRow> {
    let amended = |row: &ChunkRow| editions(row) == [Edition::Amended];
    let (amended, mut rows): (Vec<_>, Vec<_>) = rows.into_iter().partition(amended);
    if amended.is_empty() {
        return rows;
    }
    let mut first: HashMap<&str, usize> = HashMap::new();
    let mut last: Vec<((Standard, Number), usize)> = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let Some(id) = id_of(row) else { continue };
        first.entry(id).or_insert(at);
        last.extend(paragraph(id).filter(|(standard, _)| *standard == Standard::S2).map(|place| (place, at)));
    }
    let title = rows.iter().find(|row| field(row, "standard") == "S2").map(|row| row.title.clone());
    let place = |row: &ChunkRow| {
        let id = id_of(row)?;
        let before = || {
            let own = paragraph(id)?;
            last.iter().filter(|(place, _)| *place <= own).map(|(_, at)| at + 1).max()
        };
        first.get(id).copied().or_else(before)
    };
    let end = rows.len();
    let mut placed: Vec<(usize, ChunkRow)> =
        amended.into_iter().map(|row| (place(&row).unwrap_or(end), row)).collect();
    placed.sort_by_key(|(at, row)| (*at, row.ordinal));
    for (at, mut row) in placed.into_iter().rev() {
        row.title = title.clone().unwrap_or(row.title);
        rows.insert(at, row);
    }
    rows
}
