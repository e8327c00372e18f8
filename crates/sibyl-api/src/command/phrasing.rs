//! Search phrasings that somebody adds to a chunk by hand.

use super::document::{StoredChunk, stored};
use crate::Utf16;
use crate::command::Call;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_engine::store::table::chunk::ChunkRow;

/// A phrasing of a chunk.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PhrasingInput {
    /// The chunk (16 hex digits), or a paragraph, topic or metric of the shipped standards.
    pub id: String,
    /// What a person asks who looks for it: 1 to 200 characters, no semicolon.
    pub phrase: String,
}

command! {
    /// Adds a phrasing by which a chunk is found, for everyone who sees its corpus.
    PhrasingAdd = "phrasing.add": Mutation, Write, ["documents", "chunks", "vectors"],
        remote Post "/api/v1/phrasings";
    (call, input: PhrasingInput) -> StoredChunk {
        let row = call.library.contents().add_phrasing(&call.workspace, &input.id, &input.phrase).await?;
        view(&call, row).await
    }
}

command! {
    /// Removes a phrasing that was added to a chunk by hand.
    PhrasingRemove = "phrasing.remove": Mutation, Write, ["documents", "chunks", "vectors"],
        remote Post "/api/v1/phrasings/remove";
    (call, input: PhrasingInput) -> StoredChunk {
        let row = call.library.contents().remove_phrasing(&call.workspace, &input.id, &input.phrase).await?;
        view(&call, row).await
    }
}

async fn view(call: &Call, row: ChunkRow) -> crate::Result<StoredChunk> {
    let (_, document) = call.library.store().document(call.workspace_id().await?, row.document_id).await?;
    let map = Utf16::new(document.text.clone());
    Ok(stored(row, &document, &map))
}
