//! The keyword index: FTS5 rows ranked by a BM25 in which each phrase has its own weight and nearness counts.

mod clause;
mod holding;
mod score;
mod stem;
mod vocabulary;

pub use clause::{Clause, Phrase};
pub use score::inverse_frequency;
pub(super) use score::register;
pub use stem::{PorterStemmer, Stemmer};
pub use vocabulary::Vocabulary;

use super::SqliteStore;
use super::scope::{ChunkSet, Scope, Scoped, generation, newest, removals};
use crate::error::Result;
use rusqlite::functions::FunctionFlags;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension as _, Statement};
use sibyl_text::language::runs::indexed;
use std::collections::HashMap;
use std::sync::Arc;

/// Maximum number of phrases in one query.
pub const MAX_PHRASES: usize = score::MAX_PHRASES;

/// What to look for, and the weight of each phrase.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct KeywordQuery {
    /// Which chunks match; `None` if nothing is left to look for, so that no chunk matches.
    pub clause: Option<Clause>,
    /// Weight times inverse document frequency of each phrase, in the order of the clause.
    pub weights: Vec<f64>,
    /// Phrases that follow each other in the query and count extra where they stand together, as places in the
    /// clause.
    pub pairs: Vec<[u8; 2]>,
    /// The weights of a pair relative to a word: if it stands near, and more if it stands in the query's order.
    pub pair_weights: [f64; 2],
}

impl KeywordQuery {
    /// The MATCH expression; empty if nothing is looked for.
    fn expression(&self) -> String {
        self.clause.as_ref().map(Clause::expression).unwrap_or_default()
    }

    fn weight_bytes(&self) -> Vec<u8> {
        self.weights.iter().flat_map(|weight| weight.to_le_bytes()).collect()
    }

    /// The leaves with a score, from `numbers` as `score_leaves` returns them.
    fn leaves(&self, numbers: &[f64], pair_weights: &[[f64; 2]]) -> Vec<Leaf> {
        let (words, pairs) = numbers.split_at(numbers.len().min(2 * self.weights.len()));
        let words = (0..).zip(words.as_chunks().0).map(|(phrase, &[frequency, value])| Leaf {
            phrases: vec![phrase],
            frequency,
            value,
        });
        let pairs = self.pairs.iter().zip(pairs.as_chunks().0).zip(pair_weights);
        let pairs = pairs.map(|((pair, &[frequency, near, in_order]), weights)| Leaf {
            phrases: pair.map(usize::from).to_vec(),
            frequency,
            value: weights[0] * near + weights[1] * in_order,
        });
        words.chain(pairs).filter(|leaf| leaf.frequency > 0.0).collect()
    }
}

/// Little-endian numbers.
fn numbers(blob: &[u8]) -> Vec<f64> {
    blob.as_chunks().0.iter().map(|&bytes| f64::from_le_bytes(bytes)).collect()
}

/// A part of a chunk's BM25.
#[derive(Debug, Clone, PartialEq)]
pub struct Leaf {
    /// Places in the clause: one phrase, or the two of a pair.
    pub phrases: Vec<usize>,
    /// How often it occurs in the chunk.
    pub frequency: f64,
    /// What it adds to the score.
    pub value: f64,
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

/// A ranked list and its basis.
#[derive(Debug, Clone, PartialEq)]
pub struct RankedList {
    /// Best first; of equal ones the greater chunk id first.
    pub hits: Vec<Ranked>,
    /// Chunks in scope that match at all.
    pub matched: usize,
    /// The weights of each pair of the query in this scope: standing near, and standing in order.
    pub pair_weights: Vec<[f64; 2]>,
    /// Deletions of chunks that there had been when it was read.
    pub removals: i64,
    /// What ran, in the store's own words; empty if nothing was looked for.
    pub ran: String,
}

/// How often stems and phrases occur in the library.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Frequencies {
    /// Number of chunks with each requested stem.
    pub stems: HashMap<String, u64>,
    /// Number of chunks with each requested phrase.
    pub phrases: HashMap<Phrase, u64>,
    /// Chunks in the index.
    pub chunks: u64,
    /// Newest row of the chunks when the stems were counted.
    pub newest: i64,
    /// Deletions of chunks that there had been.
    pub removals: i64,
}

/// Something to count: a stem or a phrase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted<T> {
    /// The name under which it is counted.
    pub name: T,
    /// The phrase that finds it.
    pub phrase: Phrase,
    /// Number of chunks with it, at least one, and the row up to which they were counted; only later ones are
    /// counted again.
    pub known: Option<(u64, i64)>,
}

/// Makes the functions of the keyword leg known to `connection`, and `as_indexed`, which gives a text as the index
/// takes it.
pub(super) fn prepare(connection: &Connection) -> Result<()> {
    register(connection)?;
    let flags =
        FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_INNOCUOUS | FunctionFlags::SQLITE_DETERMINISTIC;
    connection.create_scalar_function("as_indexed", 1, flags, |context| {
        // A damaged row keeps nothing else from being indexed.
        let text = String::from_utf8_lossy(context.get_raw(0).as_bytes()?);
        Ok(indexed(&text).into_owned())
    })?;
    super::scope::register(connection)
}

impl SqliteStore {
    pub(crate) fn stemmer(&self) -> Result<Arc<dyn Stemmer>> {
        Ok(Arc::new(PorterStemmer::new()?))
    }

    pub(crate) async fn keyword_ranked(
        &self,
        query: KeywordQuery,
        scope: &Scope,
        depth: usize,
    ) -> Result<RankedList> {
        let everything = scope.is_everything().then_some(scope.generation);
        let allowed = Arc::clone(&scope.allowed);
        self.pool
            .read(move |c| {
                let (generation, removals) = (generation(c, "chunk")?, removals(c)?);
                let expression = query.expression();
                if expression.is_empty() {
                    return Ok(RankedList {
                        hits: Vec::new(),
                        matched: 0,
                        pair_weights: Vec::new(),
                        removals,
                        ran: expression,
                    });
                }
                // What was everything when the scope was resolved may have been added to since.
                let filter = Some(&allowed).filter(|_| everything != Some(generation));
                let Scored { mut rows, pair_weights } =
                    scored(c, &query, &expression, filter, allowed.rows.len())?;
                let matched = rows.len();
                keep_best(&mut rows, depth);
                let mut hits = with_chunk_ids(c, rows)?;
                hits.truncate(depth);
                Ok(RankedList { hits, matched, pair_weights, removals, ran: expression })
            })
            .await
    }

    pub(crate) async fn keyword_leaves(
        &self,
        query: KeywordQuery,
        pair_weights: Vec<[f64; 2]>,
        rows: Vec<i64>,
    ) -> Result<HashMap<i64, Vec<Leaf>>> {
        self.pool
            .read(move |c| {
                let mut found = HashMap::new();
                let expression = query.expression();
                if expression.is_empty() {
                    return Ok(found);
                }
                let weights = query.weight_bytes();
                let mut select = c.prepare_cached(
                    "SELECT score_leaves(keyword, ?2, ?3) FROM keyword WHERE keyword MATCH ?1 AND rowid = ?4",
                )?;
                for row in rows {
                    let leaves: Option<Vec<u8>> = select
                        .query_row((&expression, &weights, query.pairs.as_flattened(), row), |one| one.get(0))
                        .optional()?;
                    if let Some(leaves) = leaves {
                        found.insert(row, query.leaves(&numbers(&leaves), &pair_weights));
                    }
                }
                Ok(found)
            })
            .await
    }

    /// FTS5's own scores for `clause`, higher meaning better, for comparison.
    #[cfg(test)]
    pub async fn fts5_bm25(&self, clause: Clause) -> Result<Vec<(i64, f64)>> {
        self.pool
            .read(move |c| {
                let mut select =
                    c.prepare_cached("SELECT rowid, -bm25(keyword) FROM keyword WHERE keyword MATCH ?1")?;
                let rows = select.query_map([clause.expression()], |row| Ok((row.get(0)?, row.get(1)?)))?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    pub(crate) async fn keyword_frequencies(
        &self,
        stems: Vec<Wanted<String>>,
        phrases: Vec<Wanted<Phrase>>,
        scope: &Scope,
    ) -> Result<Frequencies> {
        let (visible, chunks) = (Arc::clone(&scope.visible), scope.total);
        self.pool
            .read(move |c| {
                let (newest, removals) = (newest(c)?, removals(c)?);
                let mut found = Frequencies { chunks, newest, removals, ..Frequencies::default() };
                let _scope = Scoped::to(Arc::clone(&visible));
                let hidden = found.chunks > visible.rows.len();
                let mut document = c.prepare_cached("SELECT doc FROM keyword_terms WHERE term = ?1")?;
                let mut seen = c.prepare_cached(
                    "SELECT 1 FROM keyword WHERE keyword MATCH ?1 AND in_scope(rowid) LIMIT 1",
                )?;
                let mut later =
                    c.prepare_cached("SELECT count(*) FROM keyword WHERE keyword MATCH ?1 AND rowid > ?2")?;
                for Wanted { name, phrase, known } in stems {
                    let expression = phrase.expression();
                    let count = if let Some((count, upto)) = known {
                        count + later.query_row((&expression, upto), |row| row.get::<_, u64>(0))?
                    } else {
                        let count: u64 = first(&mut document, &name)?.unwrap_or(0);
                        let unseen = count > 0 && hidden && first::<i64>(&mut seen, &expression)?.is_none();
                        if unseen { 0 } else { count }
                    };
                    found.stems.insert(name, count);
                }
                let mut phrase_count = c.prepare_cached(
                    "SELECT count(*) FROM keyword WHERE keyword MATCH ?1 AND rowid > ?2 AND in_scope(rowid)",
                )?;
                for Wanted { name, phrase, known } in phrases {
                    let (count, upto) = known.unwrap_or((0, 0));
                    let more: u64 = phrase_count.query_row((phrase.expression(), upto), |row| row.get(0))?;
                    found.phrases.insert(name, count + more);
                }
                Ok(found)
            })
            .await
    }

    pub(crate) async fn keyword_ranks(
        &self,
        query: KeywordQuery,
        scope: &Scope,
        rows: Vec<i64>,
    ) -> Result<HashMap<i64, (f64, usize)>> {
        let allowed = Arc::clone(&scope.allowed);
        self.pool
            .read(move |c| {
                let mut ranks = HashMap::with_capacity(rows.len());
                let expression = query.expression();
                if expression.is_empty() || rows.is_empty() {
                    return Ok(ranks);
                }
                let scored = scored(c, &query, &expression, Some(&allowed), allowed.rows.len())?.rows;
                for row in rows {
                    let Some(&(score, _)) = scored.iter().find(|(_, other)| *other == row) else { continue };
                    let better = scored.iter().filter(|(other, _)| *other > score).count();
                    let level = scored.iter().filter(|(other, _)| *other == score).copied().collect();
                    let level = with_chunk_ids(c, level)?;
                    let before = level.iter().take_while(|hit| hit.row != row).count();
                    ranks.insert(row, (score, better + before + 1));
                }
                Ok(ranks)
            })
            .await
    }
}

/// The first column of the first row, if there is one.
fn first<T: rusqlite::types::FromSql>(
    statement: &mut Statement<'_>,
    value: &str,
) -> rusqlite::Result<Option<T>> {
    let mut rows = statement.query([value])?;
    rows.next()?.map(|row| row.get(0)).transpose()
}

/// Matching rows and what each pair of the query weighs among them.
struct Scored {
    /// Score and row id, in no order.
    rows: Vec<(f64, i64)>,
    pair_weights: Vec<[f64; 2]>,
}

/// Every row that matches `expression`, which is that of `query`. Only rows of `allowed` count, if that is given,
/// out of `chunks` in scope.
fn scored(
    c: &Connection,
    query: &KeywordQuery,
    expression: &str,
    allowed: Option<&Arc<ChunkSet>>,
    chunks: u64,
) -> Result<Scored> {
    let weights = query.weight_bytes();
    let _scope = allowed.map(|allowed| Scoped::to(Arc::clone(allowed)));
    let mut select = c.prepare_cached(match allowed {
        Some(_) => {
            "SELECT weighted_bm25(keyword, ?2, ?3), rowid FROM keyword WHERE keyword MATCH ?1 AND in_scope(rowid)"
        }
        None => "SELECT weighted_bm25(keyword, ?2, ?3), rowid FROM keyword WHERE keyword MATCH ?1",
    })?;
    let mut rows = select.query((expression, weights, query.pairs.as_flattened()))?;
    let (mut scored, mut together) = (Vec::new(), Vec::new());
    while let Some(row) = rows.next()? {
        let rowid = row.get(1)?;
        if let ValueRef::Blob(blob) = row.get_ref(0)? {
            let values = numbers(blob);
            let [words, pairs @ ..] = values.as_slice() else { continue };
            together.push((scored.len(), pairs.as_chunks().0.to_vec()));
            scored.push((*words, rowid));
        } else {
            scored.push((row.get(0)?, rowid));
        }
    }
    let pair_weights = pair_weights(query, &together, chunks);
    for (place, values) in &together {
        let values = values.as_flattened().iter().zip(pair_weights.as_flattened());
        scored[*place].0 += values.map(|(value, weight)| value * weight).sum::<f64>();
    }
    Ok(Scored { rows: scored, pair_weights })
}

/// What each pair of `query` weighs: its inverse document frequency among `chunks`, times the weight of standing so.
fn pair_weights(query: &KeywordQuery, together: &[(usize, Vec<[f64; 2]>)], chunks: u64) -> Vec<[f64; 2]> {
    let mut frequencies = vec![[0_u64; 2]; query.pairs.len()];
    for (_, values) in together {
        for (frequency, value) in frequencies.as_flattened_mut().iter_mut().zip(values.as_flattened()) {
            *frequency += u64::from(*value > 0.0);
        }
    }
    let weight = |[near, in_order]: [u64; 2]| {
        let [a, b] = query.pair_weights;
        [a * inverse_frequency(near, chunks), b * inverse_frequency(in_order, chunks)]
    };
    frequencies.into_iter().map(weight).collect()
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
    hits.sort_unstable_by(|a, b| b.score.total_cmp(&a.score).then_with(|| b.chunk_id.cmp(&a.chunk_id)));
    Ok(hits)
}

#[cfg(test)]
mod tests;
