//! The keyword index: FTS5 rows ranked by a BM25 in which each phrase has its own weight.

mod score;
mod stem;
mod vocabulary;

pub(super) use score::register;
pub use stem::Stemmer;
pub use vocabulary::Vocabulary;

use super::Store;
use super::scope::{Scope, generation};
use super::table::chunk::RowSet;
use crate::error::Result;
use rusqlite::{Connection, Statement, functions::FunctionFlags};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

/// Phrases that one expression may hold.
pub const MAX_PHRASES: usize = score::MAX_PHRASES;

/// An expression for FTS5 and what each of its phrases weighs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct KeywordQuery {
    /// The MATCH expression.
    pub expression: String,
    /// Weight times inverse document frequency of each phrase, in the order of the expression.
    pub weights: Vec<f64>,
}

/// A chunk in a ranked list.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    /// Row id of the chunk.
    pub row: i64,
    /// Chunk id, 16 hex digits.
    pub chunk_id: String,
    /// BM25; higher is better.
    pub score: f64,
}

/// A ranked list and what it was read from.
#[derive(Debug, Clone, PartialEq)]
pub struct RankedList {
    /// Best first; equal ones by chunk id.
    pub hits: Vec<Ranked>,
    /// Chunks in scope that match at all.
    pub matched: usize,
    /// Generation of the chunks when it was read.
    pub generation: i64,
}

/// How often stems and phrases occur in the library.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Frequencies {
    /// Chunks that hold each stem asked for.
    pub stems: HashMap<String, u64>,
    /// Chunks that hold each phrase asked for.
    pub phrases: HashMap<String, u64>,
    /// Chunks in the index.
    pub chunks: u64,
}

thread_local! {
    /// The rows that `in_scope` lets through on this thread; `None` lets all through.
    static SCOPE: RefCell<Option<Arc<RowSet>>> = const { RefCell::new(None) };
}

/// Puts a scope in place for as long as it lives. A read runs on one thread from beginning to end.
struct Scoped;

impl Scoped {
    fn to(rows: Arc<RowSet>) -> Self {
        SCOPE.set(Some(rows));
        Self
    }
}

impl Drop for Scoped {
    fn drop(&mut self) {
        SCOPE.set(None);
    }
}

/// Makes the functions of the keyword leg known to `connection`.
pub(super) fn prepare(connection: &Connection) -> Result<()> {
    register(connection)?;
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_scalar_function("in_scope", 1, flags, |context| {
        let row: i64 = context.get(0)?;
        Ok(SCOPE.with_borrow(|scope| {
            scope.as_ref().is_none_or(|set| u64::try_from(row).is_ok_and(|row| set.rows.contains(row)))
        }))
    })?;
    Ok(())
}

impl Store {
    /// The `depth` best chunks of `scope` for `query`, best first, equal ones by chunk id.
    ///
    /// # Errors
    /// Storage errors. An empty expression matches nothing.
    pub async fn keyword_ranked(
        &self,
        query: KeywordQuery,
        scope: &Scope,
        depth: usize,
    ) -> Result<RankedList> {
        let everything = scope.is_everything().then_some(scope.generation);
        let allowed = Arc::clone(&scope.allowed);
        self.pool
            .read(move |c| {
                let generation = generation(c, "chunk")?;
                if query.expression.is_empty() {
                    return Ok(RankedList { hits: Vec::new(), matched: 0, generation });
                }
                // What was everything when the scope was resolved may have got neighbours since.
                let filter = Some(&allowed).filter(|_| everything != Some(generation));
                let mut scored = scored(c, &query, filter)?;
                let matched = scored.len();
                keep_best(&mut scored, depth);
                let mut hits = with_chunk_ids(c, scored)?;
                hits.truncate(depth);
                Ok(RankedList { hits, matched, generation })
            })
            .await
    }

    /// Which phrases of `expression` each of `rows` holds, as indices into the expression's phrases.
    ///
    /// # Errors
    /// Storage errors.
    pub async fn matched_phrases(
        &self,
        expression: String,
        rows: Vec<i64>,
    ) -> Result<HashMap<i64, Vec<usize>>> {
        self.pool
            .read(move |c| {
                let mut found = HashMap::new();
                if expression.is_empty() {
                    return Ok(found);
                }
                let mut select = c.prepare_cached(
                    "SELECT matched_phrases(keyword) FROM keyword WHERE keyword MATCH ?1 AND rowid = ?2",
                )?;
                for row in rows {
                    let mut matching = select.query((&expression, row))?;
                    if let Some(one) = matching.next()? {
                        let bits: i64 = one.get(0)?;
                        found.insert(row, (0..MAX_PHRASES).filter(|n| bits >> n & 1 == 1).collect());
                    }
                }
                Ok(found)
            })
            .await
    }

    /// FTS5's own scores for `expression`, higher meaning better, for comparison.
    #[cfg(test)]
    pub async fn fts5_bm25(&self, expression: String) -> Result<Vec<(i64, f64)>> {
        self.pool
            .read(move |c| {
                let mut select =
                    c.prepare_cached("SELECT rowid, -bm25(keyword) FROM keyword WHERE keyword MATCH ?1")?;
                let rows = select.query_map([expression], |row| Ok((row.get(0)?, row.get(1)?)))?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    /// How often stems (each with an FTS5 expression that finds it) and phrases (FTS5 expressions) occur. A stem
    /// counts over the library, a phrase over what the workspace sees; a stem that no chunk there holds counts 0,
    /// so that no workspace corrects or expands with another's words.
    ///
    /// # Errors
    /// Storage errors.
    pub async fn keyword_frequencies(
        &self,
        stems: Vec<(String, String)>,
        phrases: Vec<String>,
        scope: &Scope,
    ) -> Result<Frequencies> {
        let (visible, chunks) = (Arc::clone(&scope.visible), scope.total);
        self.pool
            .read(move |c| {
                let mut found = Frequencies { chunks, ..Frequencies::default() };
                let _scope = Scoped::to(Arc::clone(&visible));
                let hidden = found.chunks > visible.rows.len();
                let mut document = c.prepare_cached("SELECT doc FROM keyword_terms WHERE term = ?1")?;
                let mut seen = c.prepare_cached(
                    "SELECT 1 FROM keyword WHERE keyword MATCH ?1 AND in_scope(rowid) LIMIT 1",
                )?;
                for (stem, expression) in stems {
                    let mut count: u64 = first(&mut document, &stem)?.unwrap_or(0);
                    if count > 0 && hidden && first::<i64>(&mut seen, &expression)?.is_none() {
                        count = 0;
                    }
                    found.stems.insert(stem, count);
                }
                let mut phrase_count = c.prepare_cached(
                    "SELECT count(*) FROM keyword WHERE keyword MATCH ?1 AND in_scope(rowid)",
                )?;
                for phrase in phrases {
                    let count: u64 = first(&mut phrase_count, &phrase)?.unwrap_or(0);
                    found.phrases.insert(phrase, count);
                }
                Ok(found)
            })
            .await
    }
}

/// The first column of the first row, where there is one.
fn first<T: rusqlite::types::FromSql>(
    statement: &mut Statement<'_>,
    value: &str,
) -> rusqlite::Result<Option<T>> {
    let mut rows = statement.query([value])?;
    rows.next()?.map(|row| row.get(0)).transpose()
}

/// Every matching row, of `allowed` where it is given, with its score, in no order.
fn scored(c: &Connection, query: &KeywordQuery, allowed: Option<&Arc<RowSet>>) -> Result<Vec<(f64, i64)>> {
    let weights: Vec<u8> = query.weights.iter().flat_map(|w| w.to_le_bytes()).collect();
    let _scope = allowed.map(|allowed| Scoped::to(Arc::clone(allowed)));
    let mut select = c.prepare_cached(match allowed {
        Some(_) => {
            "SELECT weighted_bm25(keyword, ?2), rowid FROM keyword WHERE keyword MATCH ?1 AND in_scope(rowid)"
        }
        None => "SELECT weighted_bm25(keyword, ?2), rowid FROM keyword WHERE keyword MATCH ?1",
    })?;
    let rows = select.query_map((&query.expression, weights), |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Keeps the best `depth` and whatever ties with the last of them.
fn keep_best(scored: &mut Vec<(f64, i64)>, depth: usize) {
    if depth == 0 {
        return scored.clear();
    }
    if scored.len() > depth {
        let (_, &mut (last, _), _) = scored.select_nth_unstable_by(depth - 1, |a, b| b.0.total_cmp(&a.0));
        scored.retain(|&(score, _)| score >= last);
    }
}

fn with_chunk_ids(c: &Connection, scored: Vec<(f64, i64)>) -> Result<Vec<Ranked>> {
    let mut select = c.prepare_cached("SELECT chunk_id FROM chunk WHERE id = ?1")?;
    let mut hits = Vec::with_capacity(scored.len());
    for (score, row) in scored {
        hits.push(Ranked { row, chunk_id: select.query_row([row], |r| r.get(0))?, score });
    }
    hits.sort_unstable_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.chunk_id.cmp(&b.chunk_id)));
    Ok(hits)
}
