//! Chunks near another one.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Whose neighbours.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct NeighbourQuery {
    /// The chunk.
    pub chunk_id: String,
    /// Most neighbours to give.
    #[serde(default = "few")]
    pub k: usize,
}

const fn few() -> usize {
    5
}

/// A chunk near another one.
#[derive(Debug, Clone, Serialize, TS)]
pub struct Neighbour {
    /// Chunk id.
    pub chunk_id: String,
    /// Paragraph id, topic code, or section.
    pub label: String,
    /// Title of its document.
    pub title: String,
    /// Document row.
    pub document_id: i64,
    /// Position in its document, from 0.
    pub ordinal: i64,
    /// Cosine similarity.
    pub similarity: f64,
}

command! {
    /// Chunks of the workspace nearest to a stored one, with the model that compared them.
    ChunkNeighbours = "chunk.neighbours": Query, Read, ["chunks", "vectors"];
    (call, input: NeighbourQuery) -> Vec<Neighbour> {
        let found = call.library.neighbours(&call.workspace, &input.chunk_id, input.k).await?;
        Ok(found
            .into_iter()
            .map(|(row, similarity)| Neighbour {
                label: label(&row),
                chunk_id: row.chunk_id,
                title: row.title,
                document_id: row.document_id,
                ordinal: row.ordinal,
                similarity,
            })
            .collect())
    }
}

fn label(row: &sibyl_engine::store::table::chunk::ChunkRow) -> String {
    let field = |name: &str| row.metadata.get(name).and_then(serde_json::Value::as_str);
    let named = field("paragraph_id").or_else(|| field("topic_code")).or_else(|| field("section_heading"));
    let path = row.metadata.get("section_path").and_then(serde_json::Value::as_array);
    let section = path.and_then(|path| path.last()).and_then(serde_json::Value::as_str);
    named.or(section).map_or_else(|| format!("#{}", row.ordinal), str::to_owned)
}
