//! Search phrasings that somebody adds to a chunk by hand.

use crate::embed::{Purpose, Tier};
use crate::error::{Error, Result};
use crate::library::Contents;
use crate::store::hash;
use crate::store::table::chunk::ChunkRow;

impl Contents<'_> {
    /// Adds `phrase` to those that find a chunk. It is the chunk called `id`, or the first one of the paragraph,
    /// topic or metric `id` of the shipped standards. It stays with the chunk's text when its document is ingested
    /// again, and is no part of the passage. Everyone who sees the corpus finds the chunk by it. Returns the chunk
    /// as it is now.
    ///
    /// # Errors
    /// [`Error::NotFound`] for a chunk that `workspace` does not see. [`Error::Store`] for a phrase that is empty,
    /// too long or already there.
    pub async fn add_phrasing(&self, workspace: &str, id: &str, phrase: &str) -> Result<ChunkRow> {
        let (workspace, chunk) = self.phrased(workspace, id).await?;
        let row = self.library.store().add_phrasing(workspace, &chunk, phrase).await?;
        self.embed(&row).await;
        Ok(row)
    }

    /// Removes a `phrase` that was added to a chunk by hand. `id` is as for [`Self::add_phrasing`]. Returns the chunk as it
    /// is now.
    ///
    /// # Errors
    /// [`Error::NotFound`] for a chunk that `workspace` does not see, and for a phrase that nobody added to it.
    pub async fn remove_phrasing(&self, workspace: &str, id: &str, phrase: &str) -> Result<ChunkRow> {
        let (workspace, chunk) = self.phrased(workspace, id).await?;
        let row = self.library.store().remove_phrasing(workspace, &chunk, phrase).await?;
        self.embed(&row).await;
        Ok(row)
    }

    /// Row id of `workspace`, and the id of the chunk that `id` names.
    async fn phrased(&self, workspace: &str, id: &str) -> Result<(i64, String)> {
        let row = self.library.store().workspace(workspace).await?.id;
        if self.library.store().chunk(row, id).await?.is_some() {
            return Ok((row, id.to_owned()));
        }
        let unknown = || Error::not_found("chunk", id);
        let page = match self.library.standards().page(workspace, id, None).await {
            Err(Error::NotFound { .. }) => return Err(unknown()),
            page => page?,
        };
        Ok((row, page.chunks.into_iter().next().ok_or_else(unknown)?.chunk_id))
    }

    /// Makes the vectors of a chunk whose text has just changed, with the models of this machine. If that fails,
    /// words still find it, and the next job that embeds makes the vectors.
    async fn embed(&self, row: &ChunkRow) {
        for embedder in self.library.models().embedders().await {
            if embedder.space().tier == Tier::Remote {
                continue;
            }
            let text = [row.text.clone()];
            let made = async {
                let space = self.library.store().ensure_space(embedder.space()).await?;
                let vectors = embedder.embed(&text, Purpose::Passage).await?;
                let hashed = vectors.into_iter().map(|vector| (hash(row.text.as_bytes()), vector));
                self.library.store().put_vectors(&space, hashed.collect()).await?;
                Result::Ok(())
            };
            if let Err(error) = made.await {
                tracing::warn!(chunk = row.chunk_id, %error, "a chunk with a new phrasing has no vector yet");
            }
        }
    }
}
