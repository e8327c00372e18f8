//! The nearest chunks to a query: one entry, whatever answers.

use super::Store;
use super::table::chunk::RowSet;
use super::vector::{check, space_row, to_blob};
use crate::error::Result;
use rusqlite::{Connection, OptionalExtension as _};

/// A chunk near a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Neighbour {
    /// Row id of the chunk.
    pub chunk: i64,
    /// Its chunk id, 16 hex digits.
    pub chunk_id: String,
    /// Cosine similarity, -1 to 1; 0 for a text in which the model knows no word.
    pub similarity: f32,
}

/// How the nearest chunks were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScanPath {
    /// Every allowed vector was scored in full.
    Exact,
    /// The int8 codes were scanned and the best scored in full.
    Codes,
}

impl ScanPath {
    /// Its name in a trace.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Codes => "codes",
        }
    }
}

/// The chunks nearest to a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Nearest {
    /// Nearest first; equal ones by chunk id.
    pub neighbours: Vec<Neighbour>,
    /// How they were found.
    pub path: ScanPath,
}

impl Store {
    /// The `k` chunks of `allowed` nearest to `query` by cosine similarity in `space`, nearest first, equal ones
    /// by chunk id. Chunks without a vector in the space are left out.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) for an unknown space,
    /// [`Error::Invalid`](crate::Error::Invalid) for a query of another length.
    pub async fn nearest(&self, space: &str, query: &[f32], allowed: &RowSet, k: usize) -> Result<Nearest> {
        let (space, query, allowed) = (space.to_owned(), query.to_vec(), allowed.clone());
        self.pool
            .read(move |c| {
                let (space, dimensions) = space_row(c, &space)?;
                check(&query, dimensions)?;
                Ok(Nearest { neighbours: exact(c, space, &query, &allowed, k)?, path: ScanPath::Exact })
            })
            .await
    }
}

/// Scores every allowed chunk in SQL.
fn exact(c: &Connection, space: i64, query: &[f32], allowed: &RowSet, k: usize) -> Result<Vec<Neighbour>> {
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

/// The first `k` by similarity, then chunk id.
fn best(mut found: Vec<Neighbour>, k: usize) -> Vec<Neighbour> {
    found.sort_unstable_by(|a, b| {
        b.similarity.total_cmp(&a.similarity).then_with(|| a.chunk_id.cmp(&b.chunk_id))
    });
    found.truncate(k);
    found
}

/// Cosine similarity of a distance as sqlite-vec gives it: it may be a hair below 0 or, for a vector of zeros, not
/// a number.
fn similarity(distance: Option<f64>) -> f32 {
    match distance {
        Some(distance) if distance.is_finite() => (1.0 - distance).clamp(-1.0, 1.0) as f32,
        _ => 0.0,
    }
}
