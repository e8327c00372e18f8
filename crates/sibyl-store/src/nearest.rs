//! The nearest chunks to a query: one entry, whatever answers.
//!
//! Few chunks are scored in SQL, one by one. Large numbers are first scanned as int8 codes, and the best of them
//! scored in SQL too: both ways give the same similarities.

use super::SqliteStore;
use super::codes::{CodeFile, quantise, stride};
use super::doctor::{Finding, Health, Severity};
use super::index::{self, Current, Index, SpaceRow};
use super::scope::ChunkSet;
use super::vector::{check, space_row, to_blob};
use crate::error::Result;
use rusqlite::{Connection, OptionalExtension as _};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::Arc;
use tokio::runtime::Handle;

/// Maximum number of chunks that are scored one by one without their codes.
const FEW: u64 = 64;
/// Number of codes kept for each requested result, before they are scored in full.
const OVERFETCH: usize = 4;

/// A chunk near a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Neighbour {
    /// Row id of the chunk.
    pub chunk: i64,
    /// Its chunk id, 16 hex digits.
    pub chunk_id: String,
    /// Cosine similarity, -1 to 1; 0 for a text of which the model knows no word.
    pub similarity: f32,
}

/// How the nearest chunks were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ScanPath {
    /// Every allowed vector was scored in full.
    Exact,
    /// The int8 codes were scanned and the best scored in full.
    Codes,
}

/// The chunks nearest to a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Nearest {
    /// Nearest first; of equal ones the greater chunk id first.
    pub neighbours: Vec<Neighbour>,
    /// How they were found.
    pub path: ScanPath,
}

impl SqliteStore {
    pub(crate) async fn nearest(
        &self,
        space: &str,
        query: &[f32],
        allowed: &ChunkSet,
        k: usize,
    ) -> Result<Nearest> {
        let (name, query, allowed, store) = (space.to_owned(), query.to_vec(), allowed.clone(), self.clone());
        self.pool
            .read(move |c| {
                let (row, dimensions) = space_row(c, &name)?;
                check(&query, dimensions)?;
                let space = SpaceRow { row, id: &name, dimensions };
                if allowed.rows.len() > FEW.max(k as u64)
                    && let Some(index) = store.index(c, space)?
                {
                    return scan(c, &index, &query, &allowed, k);
                }
                Ok(Nearest { neighbours: exact(c, row, &query, &allowed, k)?, path: ScanPath::Exact })
            })
            .await
    }

    pub(crate) async fn nearness(
        &self,
        space: &str,
        query: &[f32],
        allowed: &ChunkSet,
        rows: Vec<i64>,
    ) -> Result<HashMap<i64, (f32, usize)>> {
        let (name, query, allowed, store) = (space.to_owned(), query.to_vec(), allowed.clone(), self.clone());
        self.pool
            .read(move |c| {
                let (row, dimensions) = space_row(c, &name)?;
                check(&query, dimensions)?;
                let own = ChunkSet::new(rows.iter().copied(), allowed.before);
                let own = exact(c, row, &query, &own, rows.len())?;
                let space = SpaceRow { row, id: &name, dimensions };
                let index = if allowed.rows.len() > FEW { store.index(c, space)? } else { None };
                let all = match &index {
                    None if !own.is_empty() => exact(c, row, &query, &allowed, usize::MAX)?,
                    _ => Vec::new(),
                };
                let slots = index.as_ref().map(|index| index.slots(&allowed));
                let mut found = HashMap::with_capacity(own.len());
                for near in own {
                    let better = match (&index, &slots) {
                        (Some(index), Some(slots)) => {
                            index.better_than(&query, slots, &allowed, near.chunk).unwrap_or(0)
                        }
                        _ => all.iter().take_while(|other| other.chunk != near.chunk).count(),
                    };
                    found.insert(near.chunk, (near.similarity, better + 1));
                }
                Ok(found)
            })
            .await
    }

    /// The index of `space` as far as it exists. If its code file is due, it is written in the background, by a
    /// reader of its own: no search waits for it.
    fn index(&self, c: &Connection, space: SpaceRow<'_>) -> Result<Option<Arc<Index>>> {
        let Current { index, due } = self.indexes.current(c, self.folder(), space)?;
        if let (Some(entry), Ok(runtime)) = (due, Handle::try_current()) {
            let (store, name, SpaceRow { row, dimensions, .. }) = (self.clone(), space.id.to_owned(), space);
            runtime.spawn(async move {
                let (folder, id) = (store.folder().to_owned(), name.clone());
                let renewed = store
                    .pool
                    .alone(move |c| entry.renew(c, &folder, SpaceRow { row, id: &id, dimensions }))
                    .await;
                if let Err(error) = renewed {
                    tracing::warn!(space = name, %error, "no code file can be written; searches score every vector");
                }
            });
        }
        Ok(index)
    }

    pub(crate) async fn rebuild_codes(&self, space: &str) -> Result<()> {
        let (name, store) = (space.to_owned(), self.clone());
        self.pool
            .alone(move |c| {
                let (row, dimensions) = space_row(c, &name)?;
                index::write(c, store.folder(), SpaceRow { row, id: &name, dimensions })?;
                store.indexes.forget(&name);
                Ok(())
            })
            .await
    }

    pub(crate) async fn verify_codes(&self) -> Result<Health> {
        let mut health = Health::default();
        for stored in self.spaces().await? {
            let (name, folder) = (stored.id, self.folder().to_owned());
            let found = self
                .pool
                .read(move |c| {
                    let (row, dimensions) = space_row(c, &name)?;
                    let Some(file) = CodeFile::open_newest(&folder, &name) else { return Ok(None) };
                    verify(c, &file, SpaceRow { row, id: &name, dimensions }).map(|fault| Some((name, fault)))
                })
                .await?;
            let Some((name, fault)) = found else { continue };
            health.checked.push(format!("the code file of space {name}"));
            health.findings.extend(fault.map(|fault| Finding {
                severity: Severity::Warning,
                code: "codes".to_owned(),
                message: format!("the code file of space {name} does not fit its vectors: {fault}"),
                cure: "run `sibyl rebuild`".to_owned(),
            }));
        }
        Ok(health)
    }
}

/// What is wrong with `file`, if anything.
fn verify(c: &Connection, file: &CodeFile, space: SpaceRow<'_>) -> Result<Option<String>> {
    if !index::is_current(c, space, file.stamp())? {
        return Ok(Some("it belongs to another state of the library".to_owned()));
    }
    if !file.is_whole() {
        return Ok(Some("its bytes differ from those written".to_owned()));
    }
    let stride = stride(space.dimensions);
    let mut slots = file.ids().zip(file.scales()).zip(file.codes().chunks_exact(stride));
    let (mut wrong, mut row) = (0, Vec::with_capacity(stride));
    index::each_vector(c, space, 0, |id, vector| {
        if id <= file.stamp().last {
            row.clear();
            let scale = quantise(vector, space.dimensions, &mut row);
            wrong += usize::from(slots.next() != Some(((id, scale), row.as_slice())));
        }
        Ok(())
    })?;
    Ok((wrong > 0).then(|| format!("{wrong} of {} vectors have other codes", file.stamp().count)))
}

/// Scans the codes of the allowed chunks and scores the best in full.
fn scan(c: &Connection, index: &Index, query: &[f32], allowed: &ChunkSet, k: usize) -> Result<Nearest> {
    let slots = index.slots(allowed);
    let candidates = index.scan(query, &slots, k, k.saturating_mul(OVERFETCH).clamp(1, slots.count.max(1)));
    let query = to_blob(query);
    let mut score =
        c.prepare_cached("SELECT input_hash, vec_distance_cosine(vector, ?2) FROM vector WHERE id = ?1")?;
    let mut scored: Vec<(f32, [u8; 32])> = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        let found = score
            .query_row((index.vector(candidate.slot), &query), |row| {
                Ok((similarity(row.get(1)?), row.get(0)?))
            })
            .optional()?;
        scored.extend(found);
    }
    scored.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
    let mut holders = c.prepare_cached("SELECT id, chunk_id FROM chunk WHERE input_hash = ?1")?;
    let mut found: Vec<Neighbour> = Vec::with_capacity(k);
    for (similarity, hash) in scored {
        // All equal ones are examined, since their chunk ids decide.
        if found.len() >= k && found.last().is_some_and(|last| similarity < last.similarity) {
            break;
        }
        let mut rows = holders.query([hash])?;
        while let Some(row) = rows.next()? {
            let chunk: i64 = row.get(0)?;
            if allowed.holds(chunk) {
                found.push(Neighbour { chunk, chunk_id: row.get(1)?, similarity });
            }
        }
    }
    Ok(Nearest { neighbours: best(found, k), path: ScanPath::Codes })
}

/// Scores every allowed chunk.
fn exact(c: &Connection, space: i64, query: &[f32], allowed: &ChunkSet, k: usize) -> Result<Vec<Neighbour>> {
    let query = to_blob(query);
    let mut select = c.prepare_cached(
        "SELECT c.chunk_id, vec_distance_cosine(v.vector, ?3)
         FROM chunk c JOIN vector v ON v.space = ?1 AND v.input_hash = c.input_hash WHERE c.id = ?2",
    )?;
    let mut found = Vec::new();
    for row in &allowed.rows {
        let Ok(chunk) = i64::try_from(row) else { break };
        let neighbour = select
            .query_row((space, chunk, &query), |r| {
                Ok(Neighbour { chunk, chunk_id: r.get(0)?, similarity: similarity(r.get(1)?) })
            })
            .optional()?;
        found.extend(neighbour);
    }
    Ok(best(found, k))
}

/// The first `k` by similarity; of equal ones the greater chunk id comes first.
fn best(mut found: Vec<Neighbour>, k: usize) -> Vec<Neighbour> {
    found.sort_unstable_by(|a, b| {
        b.similarity.total_cmp(&a.similarity).then_with(|| b.chunk_id.cmp(&a.chunk_id))
    });
    found.truncate(k);
    found
}

/// Cosine similarity from sqlite-vec's distance, which may be slightly below 0 or, for a vector of zeros, NaN.
fn similarity(distance: Option<f64>) -> f32 {
    match distance {
        Some(distance) if distance.is_finite() => (1.0 - distance).clamp(-1.0, 1.0) as f32,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests;
