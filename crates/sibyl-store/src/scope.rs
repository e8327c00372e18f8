//! What a search may see. Workspace and filters become one set of rows, once, before anything is ranked.

mod chunk_set;
mod filters;
mod scoped;

pub use chunk_set::ChunkSet;
pub use filters::{FieldFilters, Filters};
pub(crate) use scoped::{Scoped, register};

use super::SqliteStore;
use crate::error::Result;
use crate::field;
use roaring::RoaringTreemap;
use rusqlite::{Connection, ToSql, params};
use sibyl_text::source_type::field::Field;
use sibyl_text::source_type::{self, SourceType};
use std::collections::HashSet;
use std::sync::Arc;

/// Replaces the hash of a document's chunking: a rescue lost a part of it, and no settings produce the rest.
pub(crate) const INCOMPLETE: &str = "incomplete";

/// The chunks of a workspace, before and after the filters, as a store resolved them.
#[derive(Debug, Clone, PartialEq)]
pub struct Scope {
    /// Chunks that the filters leave.
    pub allowed: Arc<ChunkSet>,
    /// All chunks that the workspace sees.
    pub visible: Arc<ChunkSet>,
    /// Corpora of the remaining chunks.
    pub corpora: Vec<CorpusInScope>,
    /// Filter values that no chunk of the workspace has.
    pub notices: Vec<String>,
    /// Chunks in the whole library, of all workspaces.
    pub total: u64,
    /// Generation of the chunks when it was read.
    pub generation: i64,
    /// Key of the newest chunk when it was read.
    pub newest: i64,
    /// Deletions of chunks that there had been when it was read.
    pub removals: i64,
    /// Rows that each value of each filter has.
    matches: Vec<RoaringTreemap>,
}

/// A corpus of which at least one chunk is in scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CorpusInScope {
    /// Row id.
    pub id: i64,
    /// Source type of its chunks.
    pub source_type: String,
}

impl CorpusInScope {
    /// Whether it speaks the language of reporting: standards and reports do, documentation and plain texts need not.
    pub fn is_of_the_trade(&self) -> bool {
        source_type::named(&self.source_type).is_none_or(SourceType::is_of_the_trade)
    }
}

impl Scope {
    /// Whether every chunk of the library is in it, as long as the generation stays.
    pub fn is_everything(&self) -> bool {
        self.allowed.rows.len() == self.total
    }
}

/// States of the library that caches go by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Generations {
    /// Chunks and their keyword rows.
    pub chunk: i64,
    /// Chunks that were deleted.
    pub removals: i64,
    /// Vectors.
    pub vector: i64,
    /// The thesaurus; 0 before the shipped one was stored.
    pub thesaurus: i64,
}

/// A list of [`Filters`]: its name in a sentence, its values, and which chunks it leaves.
struct Restriction<'a> {
    name: String,
    values: &'a [String],
    leaves: Leaves,
}

/// Which chunks a value leaves.
enum Leaves {
    /// Those `c` under a condition, in which `?2` stands for the value.
    Under(&'static str),
    /// Those whose field has it.
    Having(&'static Field),
}

/// Every filter that restricts something.
fn restrictions(filters: &Filters) -> impl Iterator<Item = Restriction<'_>> {
    let of_every_kind = [
        ("source type", &filters.source_types[..], "c.source_type = ?2"),
        ("corpus", &filters.corpora, "c.corpus_id IN (SELECT id FROM corpus WHERE name = ?2 COLLATE NOCASE)"),
        ("report", &filters.reports, "c.report_id = ?2"),
        ("report", filters.report_or_none.as_slice(), "(c.report_id IS NULL OR c.report_id = ?2)"),
        (
            "path",
            &filters.paths,
            "(c.path = rtrim(?2, '/') OR substr(c.path, 1, length(rtrim(?2, '/')) + 1) = rtrim(?2, '/') || '/')",
        ),
    ];
    let of_every_kind = of_every_kind.map(|(name, values, condition)| Restriction {
        name: name.to_owned(),
        values,
        leaves: Leaves::Under(condition),
    });
    let of_fields = source_type::fields().iter().map(|&field| Restriction {
        name: field.in_words(),
        values: filters.fields.values(field),
        leaves: Leaves::Having(field),
    });
    of_every_kind.into_iter().chain(of_fields).filter(|restriction| !restriction.values.is_empty())
}

impl SqliteStore {
    pub(crate) async fn scope_since(
        &self,
        workspace: i64,
        filters: Filters,
        known: Option<Arc<Scope>>,
    ) -> Result<Scope> {
        self.pool.read(move |c| resolve(c, workspace, &filters, known.as_deref())).await
    }

    pub(crate) async fn generations(&self) -> Result<Generations> {
        self.pool
            .read(|c| {
                let mut select = c.prepare_cached("SELECT name, value FROM generation")?;
                let (mut rows, mut found) = (select.query([])?, Generations::default());
                while let Some(row) = rows.next()? {
                    match row.get_ref(0)?.as_str() {
                        Ok("chunk") => found.chunk = row.get(1)?,
                        Ok("vector") => found.vector = row.get(1)?,
                        Ok("thesaurus") => found.thesaurus = row.get(1)?,
                        _ => {}
                    }
                }
                found.removals = removals(c)?;
                Ok(found)
            })
            .await
    }

    pub(crate) async fn covered_rows(&self, space: &str, chunks: Arc<ChunkSet>) -> Result<ChunkSet> {
        let space = space.to_owned();
        self.pool
            .read(move |c| {
                let ChunkSet { rows, before } = &*chunks;
                let (mut covered, before) = (RoaringTreemap::new(), *before);
                // Few rows are looked up one by one; many are found in one walk over the index.
                if rows.len() * 8 < before {
                    let mut select = c.prepare_cached(
                        "SELECT 1 FROM chunk c JOIN space s ON s.space_id = ?1
                         JOIN vector v ON v.space = s.id AND v.input_hash = c.input_hash WHERE c.id = ?2",
                    )?;
                    for row in rows {
                        if select.exists((&space, row))? {
                            covered.insert(row);
                        }
                    }
                    return Ok(ChunkSet { rows: covered, before });
                }
                let mut select = c.prepare_cached(
                    "SELECT c.id FROM space s JOIN chunk c
                     WHERE s.space_id = ?1
                       AND EXISTS (SELECT 1 FROM vector v WHERE v.space = s.id AND v.input_hash = c.input_hash)",
                )?;
                let mut found = select.query([&space])?;
                while let Some(row) = found.next()? {
                    let row = row.get(0)?;
                    if rows.contains(row) {
                        covered.insert(row);
                    }
                }
                Ok(ChunkSet { rows: covered, before })
            })
            .await
    }
}

/// Says how many documents that `workspace` sees lost a part when the library was rescued.
fn incomplete(c: &Connection, workspace: i64) -> Result<Option<String>> {
    let count: i64 = c
        .prepare_cached(
            "SELECT count(*) FROM document d JOIN corpus o ON o.id = d.corpus_id
             WHERE d.config_hash = ?2 AND (o.workspace_id IS NULL OR o.workspace_id = ?1)",
        )?
        .query_row(params![workspace, INCOMPLETE], |row| row.get(0))?;
    let documents = if count == 1 { "1 document".to_owned() } else { format!("{count} documents") };
    Ok((count > 0).then(|| {
        format!("{documents} lost a part when the library was rescued and may lack what is searched for; ingest again")
    }))
}

/// The scope of `filters` in `workspace` as `c` sees it.
fn resolve(c: &Connection, workspace: i64, filters: &Filters, known: Option<&Scope>) -> Result<Scope> {
    let removals = removals(c)?;
    let removed = known.map(|known| removed_since(c, known.removals, removals)).transpose()?.flatten();
    let base = known.zip(removed.as_ref());
    let after = base.map(|(known, _)| known.newest);
    let renewed = |old: &RoaringTreemap, new: RoaringTreemap| match base {
        Some((_, removed)) => (old - removed) | new,
        None => new,
    };
    let nothing = RoaringTreemap::new();
    let old = base.map_or(&nothing, |(known, _)| &known.visible.rows);
    let added = rows_of(c, workspace, None, after)?;
    let visible = renewed(old, added.clone());
    let (mut allowed, mut notices, mut matches) = (visible.clone(), Vec::new(), Vec::new());
    for restriction in restrictions(filters) {
        let mut any = RoaringTreemap::new();
        for value in restriction.values {
            let old = base.and_then(|(known, _)| known.matches.get(matches.len())).unwrap_or(&nothing);
            let new = match restriction.leaves {
                Leaves::Under(condition) => rows_of(c, workspace, Some((condition, value)), after)?,
                Leaves::Having(field) => left_by(c, field, value, &added, after)?,
            };
            let rows = renewed(old, new);
            if rows.is_empty() {
                notices.push(format!("no chunk in this workspace has the {} `{value}`", restriction.name));
            }
            any |= &rows;
            matches.push(rows);
        }
        allowed &= any;
    }
    notices.extend(incomplete(c, workspace)?);
    let total = match base {
        Some((known, removed)) => {
            let gone = removed.iter().filter(|&row| i64::try_from(row).is_ok_and(|row| row <= known.newest));
            let new: u64 = c
                .prepare_cached("SELECT count(*) FROM chunk NOT INDEXED WHERE id > ?1")?
                .query_row([known.newest], |row| row.get(0))?;
            known.total - gone.count() as u64 + new
        }
        None => c.query_row("SELECT count(*) FROM chunk", [], |row| row.get(0))?,
    };
    let before = visible.len();
    Ok(Scope {
        corpora: corpora_of(c, workspace, &allowed, base)?,
        allowed: Arc::new(ChunkSet { before, rows: allowed }),
        visible: Arc::new(ChunkSet { before, rows: visible }),
        notices,
        total,
        generation: generation(c, "chunk")?,
        newest: newest(c)?,
        removals,
        matches,
    })
}

/// The chunks of `added`, all after row `after`, that `value` of `field` leaves.
fn left_by(
    c: &Connection,
    field: &Field,
    value: &str,
    added: &RoaringTreemap,
    after: Option<i64>,
) -> Result<RoaringTreemap> {
    let named = field::having(c, field, value, after)? & added;
    Ok(if field.spares { (added - field::with_any(c, field, after)?) | named } else { named })
}

/// The chunks deleted after the first `seen` deletions, of `now` in all. `None` if that is no longer known or
/// anything may have changed.
fn removed_since(c: &Connection, seen: i64, now: i64) -> Result<Option<RoaringTreemap>> {
    let mut removed = RoaringTreemap::new();
    let mut select = c.prepare_cached("SELECT chunk FROM removed_chunk WHERE id > ?1")?;
    let (mut rows, mut count) = (select.query([seen])?, 0);
    while let Some(row) = rows.next()? {
        count += 1;
        match row.get(0)? {
            0_u64 => return Ok(None),
            chunk => removed.insert(chunk),
        };
    }
    Ok((count == now - seen).then_some(removed))
}

/// How many deletions of chunks there have been.
pub(super) fn removals(c: &Connection) -> rusqlite::Result<i64> {
    c.prepare_cached("SELECT coalesce(max(id), 0) FROM removed_chunk")?.query_row([], |row| row.get(0))
}

/// The newest row of the chunks.
pub(super) fn newest(c: &Connection) -> rusqlite::Result<i64> {
    c.prepare_cached("SELECT coalesce(max(id), 0) FROM chunk")?.query_row([], |row| row.get(0))
}

/// Corpora of `workspace` and of all that have a chunk among `rows`. The former scope, without the chunks removed
/// since, needs no examination.
fn corpora_of(
    c: &Connection,
    workspace: i64,
    rows: &RoaringTreemap,
    base: Option<(&Scope, &RoaringTreemap)>,
) -> Result<Vec<CorpusInScope>> {
    let new = match base {
        Some((known, _)) => corpora_since(c, rows, known.newest)?,
        None => HashSet::new(),
    };
    let mut select = c.prepare_cached(
        "SELECT id, source_type FROM corpus WHERE workspace_id IS NULL OR workspace_id = ?1 ORDER BY id",
    )?;
    let mut chunks = c.prepare_cached("SELECT id FROM chunk WHERE corpus_id = ?1")?;
    let (mut found, mut all) = (Vec::new(), select.query([workspace])?);
    while let Some(corpus) = all.next()? {
        let corpus = CorpusInScope { id: corpus.get(0)?, source_type: corpus.get(1)? };
        let known = base.is_some_and(|(known, _)| known.corpora.iter().any(|other| other.id == corpus.id));
        if new.contains(&corpus.id) || known && base.is_some_and(|(_, removed)| removed.is_empty()) {
            found.push(corpus);
            continue;
        }
        if base.is_some() && !known {
            continue;
        }
        let mut of_corpus = chunks.query([corpus.id])?;
        while let Some(chunk) = of_corpus.next()? {
            if rows.contains(chunk.get(0)?) {
                found.push(corpus);
                break;
            }
        }
    }
    Ok(found)
}

/// Corpora of the chunks of `rows` beyond row `after`.
fn corpora_since(c: &Connection, rows: &RoaringTreemap, after: i64) -> Result<HashSet<i64>> {
    let mut select = c.prepare_cached("SELECT id, corpus_id FROM chunk NOT INDEXED WHERE id > ?1")?;
    let (mut found, mut chunks) = (HashSet::new(), select.query([after])?);
    while let Some(chunk) = chunks.next()? {
        if rows.contains(chunk.get(0)?) {
            found.insert(chunk.get(1)?);
        }
    }
    Ok(found)
}

/// Rows of `workspace` and shared ones, under a condition on one value, after row `after` if one is given.
fn rows_of(
    c: &Connection,
    workspace: i64,
    condition: Option<(&str, &str)>,
    after: Option<i64>,
) -> Result<RoaringTreemap> {
    // A few new rows are examined directly; an index would have to be walked for them.
    let (source, beyond) =
        if after.is_some() { ("chunk c NOT INDEXED", "AND c.id > ?3") } else { ("chunk c", "") };
    let (condition, value) = condition.map_or(("TRUE", None), |(condition, value)| (condition, Some(value)));
    let mut select = c.prepare_cached(&format!(
        "SELECT c.id FROM {source} WHERE (c.workspace_id IS NULL OR c.workspace_id = ?1) AND {condition} {beyond}"
    ))?;
    let values: [&dyn ToSql; 3] = [&workspace, &value, &after];
    let count = select.parameter_count();
    let mut found = select.query(&values[..count])?;
    let mut rows = RoaringTreemap::new();
    while let Some(row) = found.next()? {
        rows.insert(row.get(0)?);
    }
    Ok(rows)
}

/// The present value of the generation `name`.
pub(super) fn generation(c: &Connection, name: &str) -> rusqlite::Result<i64> {
    c.prepare_cached("SELECT value FROM generation WHERE name = ?1")?.query_row([name], |row| row.get(0))
}
