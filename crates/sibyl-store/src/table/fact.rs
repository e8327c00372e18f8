//! Facts: the values that filed reports tag in their text.

use crate::error::Result;
use crate::scope::ChunkSet;
use crate::{SqliteStore, json};
use rusqlite::{Connection, Row, Transaction};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_text::Span;
use sibyl_text::document::Fact;
use std::sync::Arc;

/// A fact with the document that tags it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FactRow {
    /// Row id of the document.
    pub document_id: i64,
    /// Position in the document, from 0.
    pub ordinal: i64,
    /// Title of the document.
    pub document: String,
    /// The concept of its value, with its prefix, such as `us-gaap:Revenues`.
    pub concept: String,
    /// The value: a decimal number with scale and sign applied, a date, or text.
    pub value: String,
    /// Whether it is a number.
    pub numeric: bool,
    /// Unit of a number, such as `iso4217:USD`.
    pub unit: Option<String>,
    /// Decimal places to which a number is correct; `INF` if it is exact.
    pub decimals: Option<String>,
    /// A day, a stretch of time (`2024-01-01/2024-12-31`) or `forever`.
    pub period: String,
    /// Identifier of whom it is about.
    pub entity: String,
    /// What else it is divided by: axis and member of each.
    pub dimensions: Vec<(String, String)>,
    /// Its anchor in the source.
    pub anchor: Option<String>,
    /// The smallest chunk in which it is shown; `None` if the source only carries it.
    pub chunk_id: Option<String>,
}

/// Which facts are wanted.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FactFilter {
    /// Only of this document.
    pub document: Option<i64>,
    /// Only those shown in this chunk.
    pub chunk: Option<String>,
    /// Words in concept, value, unit or dimensions, in any order and case.
    pub words: Vec<String>,
    /// Position to begin at, from 0.
    pub offset: i64,
    /// Maximum number of facts to return.
    pub limit: i64,
}

/// What a fact is named by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FactKey {
    /// Its concept, with its prefix or without, in any case.
    Concept(String),
    /// The value of a number: digits, sign and decimal point.
    Value(String),
}

const COLUMNS: &str =
    "f.document_id, f.ordinal, coalesce((SELECT title FROM correction WHERE document = d.id), d.title),
     f.concept, f.value, f.numeric, f.unit, f.decimals, f.period, f.entity, f.dimensions, f.anchor";

fn row_of(row: &Row<'_>, chunk_id: Option<String>) -> rusqlite::Result<FactRow> {
    let fact = from_row(row, 3)?;
    Ok(FactRow {
        document_id: row.get(0)?,
        ordinal: row.get(1)?,
        document: row.get(2)?,
        concept: fact.concept,
        value: fact.value,
        numeric: fact.numeric,
        unit: fact.unit,
        decimals: fact.decimals,
        period: fact.period,
        entity: fact.entity,
        dimensions: fact.dimensions,
        anchor: fact.anchor,
        chunk_id,
    })
}

impl SqliteStore {
    pub(crate) async fn facts_named(
        &self,
        key: FactKey,
        allowed: Arc<ChunkSet>,
    ) -> Result<Vec<(i64, FactRow)>> {
        self.pool
            .read(move |c| {
                let (wanted, key) = match key {
                    FactKey::Concept(name) if name.contains(':') => ("f.concept = ?1 COLLATE NOCASE", name),
                    FactKey::Concept(name) => {
                        ("substr(f.concept, instr(f.concept, ':') + 1) = ?1 COLLATE NOCASE", name)
                    }
                    FactKey::Value(number) => ("f.numeric AND f.value = ?1", number),
                };
                let mut select = c.prepare_cached(&format!(
                    "SELECT {COLUMNS}, k.id, k.chunk_id FROM fact f JOIN document d ON d.id = f.document_id
                     JOIN chunk k ON k.document_id = f.document_id AND k.start <= f.start AND k.\"end\" > f.start
                     WHERE {wanted} ORDER BY f.document_id, f.ordinal, k.\"end\" - k.start, k.ordinal"
                ))?;
                let mut rows = select.query([key])?;
                let mut found: Vec<(i64, FactRow)> = Vec::new();
                while let Some(row) = rows.next()? {
                    let chunk: i64 = row.get(12)?;
                    let place = (row.get::<_, i64>(0)?, row.get::<_, i64>(1)?);
                    let again = found.last().is_some_and(|(_, last)| (last.document_id, last.ordinal) == place);
                    if !again && u64::try_from(chunk).is_ok_and(|chunk| allowed.rows.contains(chunk)) {
                        found.push((chunk, row_of(row, row.get(13)?)?));
                    }
                }
                Ok(found)
            })
            .await
    }

    pub(crate) async fn facts(&self, workspace: i64, filter: FactFilter) -> Result<Vec<FactRow>> {
        self.pool
            .read(move |c| {
                let words = serde_json::Value::from(filter.words).to_string();
                let mut select = c.prepare_cached(&format!(
                    "SELECT {COLUMNS},
                       (SELECT k.chunk_id FROM chunk k WHERE k.document_id = f.document_id AND k.start <= f.start
                          AND k.\"end\" > f.start ORDER BY k.\"end\" - k.start, k.ordinal LIMIT 1)
                     FROM fact f JOIN document d ON d.id = f.document_id JOIN corpus o ON o.id = d.corpus_id
                     WHERE (o.workspace_id IS NULL OR o.workspace_id = ?1) AND (?2 IS NULL OR f.document_id = ?2)
                       AND (?3 IS NULL OR EXISTS (SELECT 1 FROM chunk k WHERE k.chunk_id = ?3
                         AND k.document_id = f.document_id AND f.start < k.\"end\" AND f.\"end\" > k.start))
                       AND NOT EXISTS (SELECT 1 FROM json_each(?4) w WHERE instr(lower(concat_ws(' ', f.concept, f.value,
                         f.unit, f.dimensions)), lower(w.value)) = 0)
                     ORDER BY f.document_id, f.ordinal LIMIT ?6 OFFSET ?5"
                ))?;
                let rows = select.query_map(
                    (workspace, filter.document, filter.chunk, words, filter.offset, filter.limit),
                    |row| row_of(row, row.get(12)?),
                )?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }
}

/// A fact without its place, from the columns that begin with `at`.
fn from_row(row: &Row<'_>, at: usize) -> rusqlite::Result<Fact> {
    let dimensions: String = row.get(at + 7)?;
    Ok(Fact {
        span: None,
        concept: row.get(at)?,
        value: row.get(at + 1)?,
        numeric: row.get(at + 2)?,
        unit: row.get(at + 3)?,
        decimals: row.get(at + 4)?,
        period: row.get(at + 5)?,
        entity: row.get(at + 6)?,
        dimensions: json(&dimensions, at + 7)?,
        anchor: row.get(at + 8)?,
    })
}

/// Puts `facts` in the place of all that document `id` had.
pub(super) fn replace(tx: &Transaction<'_>, id: i64, facts: &[Fact]) -> Result<()> {
    tx.prepare_cached("DELETE FROM fact WHERE document_id = ?1")?.execute([id])?;
    let mut insert = tx.prepare_cached(
        "INSERT INTO fact (document_id, ordinal, start, \"end\", concept, value, numeric, unit, decimals, period, entity,
           dimensions, anchor) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
    )?;
    for (ordinal, fact) in facts.iter().enumerate() {
        insert.execute((
            id,
            ordinal,
            fact.span.map(|span| span.start),
            fact.span.map(|span| span.end),
            &fact.concept,
            &fact.value,
            fact.numeric,
            &fact.unit,
            &fact.decimals,
            &fact.period,
            &fact.entity,
            serde_json::json!(fact.dimensions).to_string(),
            &fact.anchor,
        ))?;
    }
    Ok(())
}

/// The facts of document `id` in order.
pub(super) fn of_document(c: &Connection, id: i64) -> rusqlite::Result<Vec<Fact>> {
    let mut select = c.prepare_cached(
        "SELECT start, \"end\", concept, value, numeric, unit, decimals, period, entity, dimensions, anchor FROM fact
         WHERE document_id = ?1 ORDER BY ordinal",
    )?;
    let rows = select.query_map([id], |row| {
        let place: (Option<usize>, Option<usize>) = (row.get(0)?, row.get(1)?);
        let span = place.0.zip(place.1).map(|(start, end)| Span::new(start, end));
        Ok(Fact { span, ..from_row(row, 2)? })
    })?;
    rows.collect()
}
