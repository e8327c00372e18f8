//! The stored chunks nearest to a stored chunk: no query is embedded, so that it costs nothing and asks no model.

use super::Filters;
use super::retriever::Retriever;
use crate::embed::{Embedder, Space};
use crate::error::{Error, Result};
use crate::store::table::chunk::ChunkRow;
use std::collections::HashSet;
use std::sync::Arc;

/// Most neighbours that are given at once.
pub const MOST_NEIGHBOURS: usize = 100;

/// The chunks nearest to a chunk.
#[derive(Debug, Clone, PartialEq)]
pub struct NearestChunks {
    /// The space they were compared in; `None` where the chunk has no vector in any space in use.
    pub space: Option<Space>,
    /// The nearest first, equal ones by chunk id, each with its cosine similarity, -1 to 1.
    pub chunks: Vec<(ChunkRow, f32)>,
}

impl Retriever {
    /// The `limit` chunks of `workspace` (a row id) nearest to its chunk `chunk_id`, never itself, in the best tier of
    /// `embedders` that has a vector of it.
    ///
    /// # Errors
    /// [`Error::NotFound`] where the workspace sees no such chunk, [`Error::Invalid`] for a limit that is not from 1
    /// to [`MOST_NEIGHBOURS`].
    pub async fn neighbours(
        &self,
        workspace: i64,
        chunk_id: &str,
        limit: usize,
        embedders: &[Arc<dyn Embedder>],
    ) -> Result<NearestChunks> {
        if !(1..=MOST_NEIGHBOURS).contains(&limit) {
            return Err(Error::Invalid(format!(
                "`limit` is a number from 1 to {MOST_NEIGHBOURS}, not {limit}"
            )));
        }
        let chunk = self.store().chunk(workspace, chunk_id).await?;
        let chunk = chunk.ok_or_else(|| Error::not_found("chunk", chunk_id))?;
        let Some((space, vector)) = self.best_vector(chunk.id, embedders).await? else {
            return Ok(NearestChunks { space: None, chunks: Vec::new() });
        };
        let scope = self.scope(workspace, &Filters::default()).await?;
        let nearest = self.store().nearest(&space.id(), &vector, &scope.allowed, limit + 1).await?;
        let mut near = nearest.neighbours;
        near.retain(|near| near.chunk != chunk.id);
        near.truncate(limit);
        let rows = near.iter().map(|near| near.chunk).collect();
        let mut rows = self.store().chunks_by_row(workspace, rows).await?;
        let chunks = near.iter().filter_map(|near| Some((rows.remove(&near.chunk)?, near.similarity)));
        Ok(NearestChunks { space: Some(space), chunks: chunks.collect() })
    }

    /// The vector of the chunk in row `row` in the best tier that has one. A vector of zeros says nothing: the model
    /// knows none of the words.
    async fn best_vector(
        &self,
        row: i64,
        embedders: &[Arc<dyn Embedder>],
    ) -> Result<Option<(Space, Vec<f32>)>> {
        let known: HashSet<String> = self.store().spaces().await?.into_iter().map(|space| space.id).collect();
        let mut spaces: Vec<&Space> = embedders.iter().map(|embedder| embedder.space()).collect();
        spaces.sort_by_key(|space| std::cmp::Reverse(space.tier));
        for space in spaces.into_iter().filter(|space| known.contains(&space.id())) {
            let vector = self.store().vectors_of(&space.id(), vec![row]).await?.remove(&row);
            if let Some(vector) = vector.filter(|vector| vector.iter().any(|x| *x != 0.0)) {
                return Ok(Some((space.clone(), vector)));
            }
        }
        Ok(None)
    }
}
