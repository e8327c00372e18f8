//! Chunks by meaning: those like another one, stored or only tried, and all of them on a map.

use crate::Utf16;
use crate::command::Call;
use crate::command::document::{StoredChunk, stored};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_engine::search::{EmbeddingMap, MapRequest, NearestChunks};
use sibyl_text::Document;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Whose neighbours are wanted.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NeighbourQuery {
    /// Chunk id, 16 hex digits.
    pub chunk_id: String,
    /// Maximum number of neighbours, 1 to 100; 10 by default.
    #[serde(default = "usual")]
    pub limit: usize,
}

const fn usual() -> usize {
    10
}

/// A chunk near another.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Neighbour {
    /// The chunk.
    pub chunk: StoredChunk,
    /// Title of its document.
    pub title: String,
    /// Cosine similarity, -1 to 1.
    pub similarity: f32,
}

/// The chunks nearest to a chunk.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Neighbours {
    /// Model whose vectors were compared; none if there is no vector to compare.
    pub space: Option<String>,
    /// The nearest first.
    pub chunks: Vec<Neighbour>,
}

/// A text whose neighbours are wanted.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TextNeighbourQuery {
    /// The text to embed for a chunk: its context header and its own text.
    pub text: String,
    /// Maximum number of neighbours, 1 to 100; 10 by default.
    #[serde(default = "usual")]
    pub limit: usize,
}

/// Neighbours with what is needed to show them in their documents.
async fn shown(call: Call, nearest: NearestChunks) -> crate::Result<Neighbours> {
    let workspace = call.workspace_id().await?;
    let mut documents: HashMap<i64, (Document, Utf16)> = HashMap::new();
    let mut chunks = Vec::with_capacity(nearest.chunks.len());
    for (row, similarity) in nearest.chunks {
        let (document, map) = match documents.entry(row.document_id) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => {
                let (_, document) = call.library.store().document(workspace, row.document_id).await?;
                let map = Utf16::new(document.text.clone());
                unknown.insert((document, map))
            }
        };
        let title = row.title.clone();
        chunks.push(Neighbour { chunk: stored(row, document, map), title, similarity });
    }
    Ok(Neighbours { space: nearest.space.map(|space| space.model), chunks })
}

command! {
    /// The stored chunks nearest in meaning to a stored chunk, without that chunk itself. Empty if it has no vector.
    ChunkNeighbours = "chunk.neighbours": Query, Read, ["chunks", "vectors"],
        remote Get "/api/v1/chunks/{chunk_id}/neighbours";
    (call, input: NeighbourQuery) -> Neighbours {
        let nearest = call.library.search().neighbours(&call.workspace, &input.chunk_id, input.limit).await?;
        shown(call, nearest).await
    }
}

command! {
    /// The stored chunks nearest in meaning to a text that need not be stored. A local model embeds it.
    ChunkNeighboursOfText = "chunk.neighbours_of_text": Query, Read, ["chunks", "vectors"],
        remote Post "/api/v1/chunks/neighbours";
    (call, input: TextNeighbourQuery) -> Neighbours {
        let nearest = call.library.search().neighbours_of_text(&call.workspace, &input.text, input.limit).await?;
        shown(call, nearest).await
    }
}

command! {
    /// Chunks on a map by meaning: the first two principal components of their vectors, and the place of a query
    /// among them.
    EmbeddingMapGet = "embedding.map": Query, Read, ["chunks", "vectors"],
        remote Post "/api/v1/map";
    (call, input: MapRequest) -> EmbeddingMap {
        Ok(call.library.search().map(&call.workspace, &input).await?)
    }
}
