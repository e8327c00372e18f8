//! Fields of chunks: what some kinds of sources have and others do not, a row for each value. They follow from the
//! metadata of the chunks and from what the kinds list.

use crate::error::Result;
use roaring::RoaringTreemap;
use rusqlite::{Connection, ToSql, Transaction};
use serde_json::{Map, Value};
use sibyl_text::source_type::field::{Field, PARAGRAPH};
use sibyl_text::source_type::{self, SourceType};
use std::fmt::Write as _;

/// The fields of a chunk of `source_type` with `metadata`, each with its values, the one that names it first.
pub(crate) fn fields_of<'m>(
    source_type: &str,
    metadata: &'m Map<String, Value>,
) -> impl Iterator<Item = (&'static str, Vec<&'m str>)> {
    let kind = source_type::named(source_type);
    stored()
        .filter(move |field| !field.spares || kind.is_some_and(|kind| kind.lists(field)))
        .map(|field| (field.name, field.of(metadata)))
}

/// Entries of a chunk's metadata that hold references to it.
const KEYS: [&str; 4] = ["paragraph_id", "topic_code", "metric_codes", "references"];

/// Canonical references a chunk answers to: paragraph id, topic code, metric codes, industry code, statute references.
pub(crate) fn keys(metadata: &Map<String, Value>) -> impl Iterator<Item = &str> {
    KEYS.into_iter().flat_map(|name| {
        let value = metadata.get(name);
        let many = value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        value.and_then(Value::as_str).into_iter().chain(many)
    })
}

/// Every field that the store keeps.
fn stored() -> impl Iterator<Item = &'static Field> {
    std::iter::once(&PARAGRAPH).chain(source_type::fields().iter().copied())
}

/// Says from what references and fields are made. Kept beside them, it tells whether they are those of this program.
pub(crate) fn made_of() -> String {
    let mut text = format!("keys {KEYS:?}\n");
    for field in stored() {
        let Field { name, metadata, codes, spares, .. } = field;
        // Writing to a String cannot fail.
        let _ = write!(text, "{name} {metadata:?} {codes:?}");
        if *spares {
            let kinds = source_type::all().iter().filter(|kind| kind.lists(field));
            let _ = write!(text, " {:?}", kinds.collect::<Vec<&&SourceType>>());
        }
        text.push('\n');
    }
    text
}

/// Stores the fields of the chunk at row `chunk`, which has none yet. Returns how many values it has.
pub(crate) fn put(
    tx: &Transaction<'_>,
    chunk: i64,
    source_type: &str,
    metadata: &Map<String, Value>,
) -> Result<usize> {
    let mut insert =
        tx.prepare_cached("INSERT INTO chunk_field (chunk, field, rank, value) VALUES (?1, ?2, ?3, ?4)")?;
    let mut count = 0;
    for (field, values) in fields_of(source_type, metadata) {
        for (rank, value) in values.into_iter().enumerate() {
            count += insert.execute((chunk, field, rank, value))?;
        }
    }
    Ok(count)
}

/// Chunks whose `field` has `value`, without regard to case; those after row `after` alone if one is given.
pub(crate) fn having(
    c: &Connection,
    field: &Field,
    value: &str,
    after: Option<i64>,
) -> Result<RoaringTreemap> {
    let query = "SELECT chunk FROM chunk_field WHERE field = ?1 AND chunk > ?2 AND value = ?3";
    rows(c, query, &[&field.name, &after.unwrap_or(i64::MIN), &value])
}

/// Chunks that have `field`; those after row `after` alone if one is given.
pub(crate) fn with_any(c: &Connection, field: &Field, after: Option<i64>) -> Result<RoaringTreemap> {
    let query = match after {
        // By row: few are new.
        Some(_) => "SELECT chunk FROM chunk_field WHERE +field = ?1 AND chunk > ?2",
        None => "SELECT chunk FROM chunk_field WHERE field = ?1 AND chunk > ?2",
    };
    rows(c, query, &[&field.name, &after.unwrap_or(i64::MIN)])
}

fn rows(c: &Connection, query: &str, values: &[&dyn ToSql]) -> Result<RoaringTreemap> {
    let mut select = c.prepare_cached(query)?;
    let mut found = select.query(values)?;
    let mut rows = RoaringTreemap::new();
    while let Some(row) = found.next()? {
        rows.insert(row.get(0)?);
    }
    Ok(rows)
}
