//! The stored chunks nearest to a chunk. A stored chunk has its vector. The text of a chunk that is only tried is
//! embedded on this machine, never by a provider. Looking at a chunk is no reason to pay or to send anything.

use super::Filters;
use super::retriever::Retriever;
use crate::embed::{Embedder, Purpose, Space, Tier};
use crate::error::{Error, Result};
use crate::store::scope::Scope;
use crate::store::table::chunk::ChunkRow;
use std::sync::Arc;

/// Maximum number of neighbours returned at once.
pub const MOST_NEIGHBOURS: usize = 100;

/// Characters of the longest passage that is compared without being stored.
pub const LONGEST_PASSAGE: usize = 100_000;

/// The chunks nearest to a chunk.
#[derive(Debug, Clone, PartialEq)]
pub struct NearestChunks {
    /// The space they were compared in; `None` if the chunk has no vector in any space in use.
    pub space: Option<Space>,
    /// The nearest first, of equal ones the greater chunk id first, each with its cosine similarity, -1 to 1.
    pub chunks: Vec<(ChunkRow, f32)>,
}

impl Retriever {
    /// The `limit` chunks of `workspace` (a row id) nearest to its chunk `chunk_id`, never itself, in the best
    /// tier of `embedders` with a vector of it.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the workspace sees no such chunk, [`Error::Invalid`] for a limit that is not from 1
    /// to [`MOST_NEIGHBOURS`].
    pub async fn neighbours(
        &self,
        workspace: i64,
        chunk_id: &str,
        limit: usize,
        embedders: &[Arc<dyn Embedder>],
    ) -> Result<NearestChunks> {
        check(limit)?;
        let chunk = self.store().chunk(workspace, chunk_id).await?;
        let chunk = chunk.ok_or_else(|| Error::not_found("chunk", chunk_id))?;
        let scope = self.scope(workspace, &Filters::default()).await?;
        let Some((space, vector)) = self.best_vector(workspace, &scope, chunk.id, embedders).await? else {
            return Ok(NearestChunks { space: None, chunks: Vec::new() });
        };
        let mut chunks = self.around(workspace, &scope, &space, &vector, limit + 1).await?;
        chunks.retain(|(near, _)| near.id != chunk.id);
        chunks.truncate(limit);
        Ok(NearestChunks { space: Some(space), chunks })
    }

    /// The `limit` chunks of `workspace` (a row id) nearest to `text`, a passage that need not be stored. It uses
    /// the best of `embedders` on this machine that any of them has a vector of.
    ///
    /// # Errors
    /// [`Error::Embedding`] if the model cannot be read, [`Error::Invalid`] as for [`Retriever::neighbours`] and
    /// for a text of more than [`LONGEST_PASSAGE`] characters.
    pub async fn neighbours_of_text(
        &self,
        workspace: i64,
        text: &str,
        limit: usize,
        embedders: &[Arc<dyn Embedder>],
    ) -> Result<NearestChunks> {
        check(limit)?;
        let characters = text.chars().count();
        if characters > LONGEST_PASSAGE {
            return Err(Error::Invalid(format!(
                "`text` has at most {LONGEST_PASSAGE} characters, not {characters}; compare a part of it"
            )));
        }
        let scope = self.scope(workspace, &Filters::default()).await?;
        let local = best_first(embedders).filter(|embedder| embedder.space().tier != Tier::Remote);
        for embedder in local {
            let Some(space) = self.filled(workspace, &scope, embedder).await? else { continue };
            let vectors = embedder.embed(&[text.to_owned()], Purpose::Passage).await?;
            let Some(vector) = vectors.first().filter(|vector| vector.iter().any(|x| *x != 0.0)) else {
                continue;
            };
            let chunks = self.around(workspace, &scope, space, vector, limit).await?;
            if !chunks.is_empty() {
                return Ok(NearestChunks { space: Some(space.clone()), chunks });
            }
        }
        Ok(NearestChunks { space: None, chunks: Vec::new() })
    }

    /// The `limit` chunks of `workspace` nearest to `vector`.
    async fn around(
        &self,
        workspace: i64,
        scope: &Scope,
        space: &Space,
        vector: &[f32],
        limit: usize,
    ) -> Result<Vec<(ChunkRow, f32)>> {
        let near = self.store().nearest(&space.id(), vector, &scope.allowed, limit).await?.neighbours;
        let rows = near.iter().map(|near| near.chunk).collect();
        let mut rows = self.store().chunks_by_row(workspace, rows).await?;
        Ok(near.iter().filter_map(|near| Some((rows.remove(&near.chunk)?, near.similarity))).collect())
    }

    /// The vector of the chunk in row `row` in the best tier that has one. A vector of zeros says nothing: the
    /// model knows none of the words.
    async fn best_vector(
        &self,
        workspace: i64,
        scope: &Scope,
        row: i64,
        embedders: &[Arc<dyn Embedder>],
    ) -> Result<Option<(Space, Vec<f32>)>> {
        for embedder in best_first(embedders) {
            let Some(space) = self.filled(workspace, scope, embedder).await? else { continue };
            let vector = self.store().vectors_of(&space.id(), vec![row]).await?.remove(&row);
            if let Some(vector) = vector.filter(|vector| vector.iter().any(|x| *x != 0.0)) {
                return Ok(Some((space.clone(), vector)));
            }
        }
        Ok(None)
    }

    /// The space of `embedder` that has most vectors of `scope`; `None` if it has none.
    async fn filled<'a>(
        &self,
        workspace: i64,
        scope: &Scope,
        embedder: &'a Arc<dyn Embedder>,
    ) -> Result<Option<&'a Space>> {
        let key = format!("{workspace} {}", Filters::default().key());
        let vectors = self.store().generations().await?.vector;
        let fullest =
            self.coverage.fullest(self.store(), embedder.as_ref(), None, (scope, &key), vectors).await?;
        Ok(fullest.filter(|(_, covered)| *covered > 0).map(|(space, _)| space))
    }
}

fn best_first(embedders: &[Arc<dyn Embedder>]) -> impl Iterator<Item = &Arc<dyn Embedder>> {
    let mut sorted: Vec<&Arc<dyn Embedder>> = embedders.iter().collect();
    sorted.sort_by_key(|embedder| std::cmp::Reverse(embedder.space().tier));
    sorted.into_iter()
}

fn check(limit: usize) -> Result<()> {
    Error::within("limit", limit as f64, 1.0, MOST_NEIGHBOURS as f64)
}
