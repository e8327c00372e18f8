//! Vectors: one row for each text and space, found by the SHA-256 of the text. They are the truth; the code
//! files are derived from them.
//!
//! Re-chunking and re-importing pay only for new texts. "Texts without a vector" is the one query behind resuming,
//! cancelling, coverage and a change of tier.

use super::{SqliteStore, json, now, touch};
use crate::error::{Error, Result};
use rusqlite::{Connection, OptionalExtension as _, Transaction};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_space::{Space, Tier};
use std::collections::{HashMap, HashSet};

/// A space that the library knows, with its number of vectors.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StoredSpace {
    /// Its id, 16 hex digits.
    pub id: String,
    /// The space itself.
    pub space: Space,
    /// Number of texts with a vector in it, whether or not a chunk still has them.
    pub vectors: u64,
}

/// A text without a vector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingInput {
    /// Row id of the first chunk that has it: where the next call continues.
    pub chunk: i64,
    /// SHA-256 of the text.
    pub hash: [u8; 32],
    /// Exactly what is to be embedded.
    pub text: String,
}

/// Different texts without a vector, counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MissingTexts {
    /// The texts.
    pub texts: u64,
    /// Estimated tokens of them.
    pub tokens: u64,
}

/// How much of a corpus has vectors in a space.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Coverage {
    /// Row id of the corpus.
    pub corpus: i64,
    /// Its chunks.
    pub chunks: u64,
    /// Those that have a vector.
    pub covered: u64,
}

impl SqliteStore {
    pub(crate) async fn ensure_space(&self, space: &Space) -> Result<String> {
        let (id, space) = (space.id(), space.clone());
        let description = serde_json::to_string(&space)
            .map_err(|e| Error::Damaged(format!("the space {id} cannot be described: {e}")))?;
        self.pool
            .write(move |tx| {
                tx.execute(
                    "INSERT INTO space (space_id, tier, dimensions, description, created_at)
                     VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (space_id) DO NOTHING",
                    (&id, tier_name(space.tier), space.dimensions, description, now()),
                )?;
                Ok(id)
            })
            .await
    }

    pub(crate) async fn spaces(&self) -> Result<Vec<StoredSpace>> {
        self.pool
            .read(|c| {
                let mut select = c.prepare_cached(
                    "SELECT s.space_id, s.description, (SELECT count(*) FROM vector v WHERE v.space = s.id)
                     FROM space s ORDER BY s.id",
                )?;
                let rows = select.query_map([], |row| {
                    let description: String = row.get(1)?;
                    Ok(StoredSpace { id: row.get(0)?, space: json(&description, 1)?, vectors: row.get(2)? })
                })?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    pub(crate) async fn missing_inputs(
        &self,
        space: &str,
        corpora: Vec<i64>,
        after: i64,
        limit: usize,
    ) -> Result<Vec<MissingInput>> {
        let space = space.to_owned();
        self.pool
            .read(move |c| {
                let (space, _) = space_row(c, &space)?;
                let mut select = c.prepare_cached(
                    "SELECT c.id, c.input_hash, c.text FROM chunk c
                     WHERE c.id > ?3 AND c.corpus_id IN (SELECT value FROM json_each(?2))
                       AND NOT EXISTS (SELECT 1 FROM vector v WHERE v.space = ?1 AND v.input_hash = c.input_hash)
                       AND NOT EXISTS (SELECT 1 FROM refusal r WHERE r.space = ?1 AND r.input_hash = c.input_hash)
                     ORDER BY c.id",
                )?;
                let mut rows = select.query((space, ids_json(&corpora), after))?;
                let (mut seen, mut missing) = (HashSet::new(), Vec::new());
                while missing.len() < limit
                    && let Some(row) = rows.next()?
                {
                    let hash: [u8; 32] = row.get(1)?;
                    if seen.insert(hash) {
                        missing.push(MissingInput { chunk: row.get(0)?, hash, text: row.get(2)? });
                    }
                }
                Ok(missing)
            })
            .await
    }

    pub(crate) async fn count_missing(&self, space: &str, corpora: Vec<i64>) -> Result<MissingTexts> {
        let space = space.to_owned();
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(
                    "SELECT count(*), coalesce(sum(tokens), 0) FROM (
                       SELECT max(c.tokens) AS tokens FROM chunk c
                       WHERE c.corpus_id IN (SELECT value FROM json_each(?2))
                         AND NOT EXISTS (SELECT 1 FROM vector v
                           WHERE v.space = (SELECT id FROM space WHERE space_id = ?1) AND v.input_hash = c.input_hash)
                         AND NOT EXISTS (SELECT 1 FROM refusal r
                           WHERE r.space = (SELECT id FROM space WHERE space_id = ?1) AND r.input_hash = c.input_hash)
                       GROUP BY c.input_hash)",
                )?;
                Ok(select.query_row((space, ids_json(&corpora)), |row| {
                    Ok(MissingTexts { texts: row.get(0)?, tokens: row.get(1)? })
                })?)
            })
            .await
    }

    pub(crate) async fn known_inputs(&self, space: &str, hashes: Vec<[u8; 32]>) -> Result<HashSet<[u8; 32]>> {
        let space = space.to_owned();
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(
                    "SELECT 1 FROM vector WHERE space = (SELECT id FROM space WHERE space_id = ?1) AND input_hash = ?2",
                )?;
                let mut known = HashSet::new();
                for hash in hashes {
                    if select.exists((&space, hash))? {
                        known.insert(hash);
                    }
                }
                Ok(known)
            })
            .await
    }

    pub(crate) async fn put_vectors(&self, space: &str, vectors: Vec<([u8; 32], Vec<f32>)>) -> Result<usize> {
        let name = space.to_owned();
        self.pool.write(move |tx| insert(tx, &name, &vectors)).await
    }

    pub(crate) async fn put_vectors_ahead(
        &self,
        space: &str,
        vectors: Vec<([u8; 32], Vec<f32>)>,
    ) -> Result<usize> {
        let name = space.to_owned();
        self.pool.write_ahead(move |tx| insert(tx, &name, &vectors)).await
    }

    pub(crate) async fn vectors_of_inputs(
        &self,
        space: &str,
        hashes: Vec<[u8; 32]>,
    ) -> Result<Vec<([u8; 32], Vec<f32>)>> {
        let space = space.to_owned();
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(
                    "SELECT vector FROM vector WHERE space = (SELECT id FROM space WHERE space_id = ?1) AND input_hash = ?2",
                )?;
                let mut found = Vec::new();
                for hash in hashes {
                    let read = |row: &rusqlite::Row<'_>| Ok(from_blob(row.get_ref(0)?.as_blob()?));
                    if let Some(vector) = select.query_row((&space, hash), read).optional()? {
                        found.push((hash, vector));
                    }
                }
                Ok(found)
            })
            .await
    }

    pub(crate) async fn vectors_of_space(&self, space: &str) -> Result<Vec<([u8; 32], Vec<f32>)>> {
        let space = space.to_owned();
        self.pool
            .read(move |c| {
                let (space, _) = space_row(c, &space)?;
                let mut select = c.prepare("SELECT input_hash, vector FROM vector WHERE space = ?1")?;
                let rows = select.query_map([space], |row| {
                    let blob: Vec<u8> = row.get(1)?;
                    Ok((row.get(0)?, from_blob(&blob)))
                })?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    pub(crate) async fn coverage(&self, space: &str) -> Result<Vec<Coverage>> {
        let space = space.to_owned();
        self.pool
            .read(move |c| {
                let (space, _) = space_row(c, &space)?;
                let mut select = c.prepare_cached(
                    "SELECT c.corpus_id, count(*), count(v.id)
                     FROM chunk c LEFT JOIN vector v ON v.space = ?1 AND v.input_hash = c.input_hash
                     GROUP BY c.corpus_id ORDER BY c.corpus_id",
                )?;
                let rows = select.query_map([space], |row| {
                    Ok(Coverage { corpus: row.get(0)?, chunks: row.get(1)?, covered: row.get(2)? })
                })?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    pub(crate) async fn vectors_of(&self, space: &str, rows: Vec<i64>) -> Result<HashMap<i64, Vec<f32>>> {
        let name = space.to_owned();
        self.pool
            .read(move |c| {
                let (space, dimensions) = space_row(c, &name)?;
                let mut select = c.prepare_cached(
                    "SELECT v.vector FROM chunk c JOIN vector v ON v.space = ?1 AND v.input_hash = c.input_hash
                     WHERE c.id = ?2",
                )?;
                let mut found = HashMap::with_capacity(rows.len());
                for row in rows {
                    let vector = select
                        .query_row((space, row), |r| Ok(from_blob(r.get_ref(0)?.as_blob()?)))
                        .optional()?;
                    if let Some(vector) = vector {
                        if vector.len() != dimensions {
                            return Err(wrong_length(&name, vector.len(), dimensions));
                        }
                        found.insert(row, vector);
                    }
                }
                Ok(found)
            })
            .await
    }
}

/// Stores those `vectors` whose texts have none in the space called `name`, and counts them.
fn insert(tx: &Transaction<'_>, name: &str, vectors: &[([u8; 32], Vec<f32>)]) -> Result<usize> {
    let (space, dimensions) = space_row(tx, name)?;
    let mut insert = tx.prepare_cached(
        "INSERT INTO vector (space, input_hash, vector) VALUES (?1, ?2, ?3)
         ON CONFLICT (space, input_hash) DO NOTHING",
    )?;
    let mut new = 0;
    for (hash, vector) in vectors {
        check(vector, dimensions)?;
        new += insert.execute((space, hash, to_blob(vector)))?;
    }
    if new > 0 {
        touch(tx, "vector")?;
    }
    Ok(new)
}

/// Row id and dimensions of the space called `id`.
pub(super) fn space_row(c: &Connection, id: &str) -> Result<(i64, usize)> {
    c.prepare_cached("SELECT id, dimensions FROM space WHERE space_id = ?1")?
        .query_row([id], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?
        .ok_or_else(|| Error::not_found("embedding space", id))
}

/// Refuses a vector that does not fit a space of `dimensions`.
pub(super) fn check(vector: &[f32], dimensions: usize) -> Result<()> {
    if vector.len() != dimensions {
        return Err(Error::UnfitVector { dimensions, found: format!("{} numbers", vector.len()) });
    }
    if let Some(bad) = vector.iter().find(|x| !x.is_finite()) {
        return Err(Error::UnfitVector { dimensions, found: format!("the value {bad}") });
    }
    Ok(())
}

pub(super) fn wrong_length(space: &str, found: usize, dimensions: usize) -> Error {
    Error::Damaged(format!("a vector of space {space} has {found} numbers instead of {dimensions}"))
}

pub(super) fn to_blob(vector: &[f32]) -> Vec<u8> {
    vector.iter().flat_map(|x| x.to_le_bytes()).collect()
}

pub(super) fn from_blob(blob: &[u8]) -> Vec<f32> {
    blob.as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()
}

fn ids_json(ids: &[i64]) -> String {
    serde_json::Value::from(ids).to_string()
}

fn tier_name(tier: Tier) -> &'static str {
    match tier {
        Tier::Instant => "instant",
        Tier::Embedded => "embedded",
        Tier::Remote => "remote",
    }
}
