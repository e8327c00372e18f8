//! Vectors that cost next to nothing: those of the static table, and those that ship. They are stored with their
//! document while the next ones are read. The rest is embedded once all documents are stored.

use super::prepare::Prepared;
use crate::embed::shipped::ShippedVectors;
use crate::embed::{Embedder, Purpose, Tier};
use crate::error::Result;
use crate::ingest::{EmbedPlan, embedding};
use crate::library::Library;
use crate::store::hash;
use crate::store::table::chunk::NewChunk;
use std::sync::Arc;

/// The vectors of one space, by the SHA-256 of their texts.
pub(super) type OfSpace = (String, Vec<([u8; 32], Vec<f32>)>);
/// A file ready to be stored, and what is stored after it.
pub(super) type Ready = (Prepared, Vec<OfSpace>);

/// Sources of vectors that are available at once.
pub(super) struct AtHand(Vec<Source>);

struct Source {
    space: String,
    embedder: Arc<dyn Embedder>,
    shipped: Option<ShippedVectors>,
}

impl AtHand {
    /// The sources for a job that embeds by `plan`.
    pub(super) async fn of(library: &Library, plan: EmbedPlan) -> Result<Self> {
        let mut sources = Vec::new();
        if plan == EmbedPlan::Nothing {
            return Ok(Self(sources));
        }
        for embedder in library.models().embedders().await {
            let dimensions = embedder.space().dimensions;
            let space = library.store().ensure_space(embedder.space()).await?;
            let shipped = embedding::shipped_vectors(library, &space, dimensions).await?;
            if embedder.space().tier == Tier::Instant || shipped.is_some() {
                sources.push(Source { space, embedder, shipped });
            }
        }
        Ok(Self(sources))
    }

    /// What was `made` from a file, with those vectors of its chunks that are available.
    pub(super) async fn with(&self, library: &Library, made: Result<Prepared>) -> Result<Ready> {
        let made = made?;
        let vectors = match &made {
            Prepared::Changed(document) => self.vectors(library, &document.chunks).await?,
            Prepared::Unchanged { .. } | Prepared::Failed(_) => Vec::new(),
        };
        Ok((made, vectors))
    }

    /// The vectors of `chunks` that are at hand and not stored yet. If a model cannot embed a text here, the job
    /// meets it again when it fills its space, and reports it.
    async fn vectors(&self, library: &Library, chunks: &[NewChunk]) -> Result<Vec<OfSpace>> {
        let mut ready = Vec::new();
        for Source { space, embedder, shipped } in &self.0 {
            let hashes = chunks.iter().map(|chunk| hash(chunk.text.as_bytes()));
            let known = library.store().known_inputs(space, hashes.clone().collect()).await?;
            let (mut vectors, mut texts, mut missing) = (Vec::new(), Vec::new(), Vec::new());
            for (chunk, hash) in chunks.iter().zip(hashes).filter(|(_, hash)| !known.contains(hash)) {
                match shipped.as_ref().and_then(|shipped| shipped.get(&hash)) {
                    Some(vector) => vectors.push((hash, vector)),
                    None => {
                        missing.push(hash);
                        texts.push(chunk.text.clone());
                    }
                }
            }
            if embedder.space().tier == Tier::Instant && !texts.is_empty() {
                match embedder.embed(&texts, Purpose::Passage).await {
                    Ok(embedded) => vectors.extend(missing.into_iter().zip(embedded)),
                    Err(error) => {
                        tracing::warn!(code = error.code(), "vectors at hand are not made: {error}")
                    }
                }
            }
            if !vectors.is_empty() {
                ready.push((space.clone(), vectors));
            }
        }
        Ok(ready)
    }
}
