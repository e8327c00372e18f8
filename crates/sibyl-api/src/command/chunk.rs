//! Chunking without storing.

use crate::Utf16;
use crate::view::{ChunkView, StructureView};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sibyl_engine::ingest::preview::{Difference, PreviewRequest, PreviewSource, Statistics};
use sibyl_text::Chunk;
use std::path::PathBuf;

/// What is to be chunked.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ChunkingSource {
    /// A stored document.
    Document {
        /// Row id.
        id: i64,
    },
    /// A file of this machine.
    Path {
        /// Its path.
        path: String,
    },
    /// Text that comes with the call.
    Text {
        /// File name, which decides the format.
        name: String,
        /// The text.
        text: String,
    },
    /// A file that came as bytes.
    Upload {
        /// File name, which decides the format if the bytes leave it open.
        name: String,
        /// The bytes; in Base64 on the wire.
        #[serde(default, with = "sibyl_engine::ingest::wire")]
        #[schemars(with = "String")]
        bytes: Vec<u8>,
        /// Id of a file that was sent before; it replaces the bytes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        file: Option<String>,
    },
}

impl ChunkingSource {
    /// Whether it reads a file of this machine by its path.
    pub(super) const fn names_disk(&self) -> bool {
        matches!(self, Self::Path { .. })
    }
}

impl From<ChunkingSource> for PreviewSource {
    fn from(source: ChunkingSource) -> Self {
        match source {
            ChunkingSource::Document { id } => Self::Document { id },
            ChunkingSource::Path { path } => Self::Path { path: PathBuf::from(path) },
            ChunkingSource::Text { name, text } => {
                Self::Bytes { name, bytes: text.into_bytes(), page_metadata: None }
            }
            ChunkingSource::Upload { name, file: Some(file), .. } => Self::Sent { name, file },
            ChunkingSource::Upload { name, bytes, file: None } => {
                Self::Bytes { name, bytes, page_metadata: None }
            }
        }
    }
}

/// What is to be chunked, and how.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChunkingRequest {
    /// Strategy. By default it is that of the document's corpus, or the one for this kind of file.
    #[serde(default)]
    pub strategy: Option<String>,
    /// Values for the strategy; by default, those of the corpus, or the strategy's defaults.
    #[serde(default)]
    pub settings: Option<Map<String, Value>>,
    /// Leave text and structure out of the answer, because the caller has them.
    #[serde(default)]
    pub chunks_only: bool,
    /// The text.
    pub source: ChunkingSource,
}

/// The chunked document.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ChunkingView {
    /// Normalised text, unless the caller has it.
    pub text: Option<String>,
    /// Headings, pages and notices, unless the caller has them.
    pub structure: Option<StructureView>,
    /// Strategy that chunked it.
    pub strategy: String,
    /// All its values.
    pub settings: Map<String, Value>,
    /// The chunks, in order.
    pub chunks: Vec<PreviewedChunk>,
    /// Figures over all chunks.
    pub statistics: Statistics,
    /// Time the strategy took, in milliseconds.
    pub chunking_ms: f64,
    /// Hash of everything besides the document that decides the chunks.
    pub config_hash: String,
}

/// A chunk of such a document.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PreviewedChunk {
    /// Its place in the document.
    pub view: ChunkView,
    /// Whether it is shorter than the strategy's minimum though it has neighbours.
    pub orphan: bool,
    /// SHA-256 of the text that would be embedded (hex).
    pub content_hash: String,
}

/// How chunks of a trial differ from what is stored.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ChunkingDifference {
    /// The chunks that differ.
    pub difference: Difference,
    /// Estimated cost of embedding what is new in US dollars, if a paid model is in use.
    pub cost: Option<f64>,
}

command! {
    /// Chunks a document, a file or a text without storing anything.
    ChunkPreview = "chunk.preview": Query, Read, ["documents", "corpora"],
        remote Post "/api/v1/chunks/preview" unless |input| input.source.names_disk();
    (call, input: ChunkingRequest) -> ChunkingView {
        let chunks_only = input.chunks_only;
        let request =
            PreviewRequest { source: input.source.into(), strategy: input.strategy, settings: input.settings };
        let mut preview = call.library.ingest().preview(&call.workspace, request).await?;
        let map = Utf16::new(preview.document.text.clone());
        let chunks = std::mem::take(&mut preview.chunks);
        let chunks = chunks
            .into_iter()
            .enumerate()
            .map(|(ordinal, cut)| {
                let chunk = Chunk {
                    pieces: cut.pieces,
                    parent: cut.parent,
                    oversize: cut.oversize,
                    metadata: cut.metadata,
                };
                let view = ChunkView::new(ordinal, &chunk, &preview.document, &map, cut.tokens);
                PreviewedChunk { view, orphan: cut.orphan, content_hash: cut.content_hash }
            })
            .collect();
        let structure = (!chunks_only).then(|| StructureView::new(&preview.document, &map));
        Ok(ChunkingView {
            text: (!chunks_only).then(|| map.into_text()),
            structure,
            strategy: preview.strategy,
            settings: preview.settings,
            chunks,
            statistics: preview.statistics,
            chunking_ms: preview.chunking_ms,
            config_hash: preview.config_hash,
        })
    }
}

command! {
    /// How trial chunks of a stored document differ from the stored ones, and what embedding the new ones would cost.
    ChunkDifference = "chunk.difference": Query, Read, ["documents", "chunks"],
        remote Post "/api/v1/chunks/difference" unless |input| input.source.names_disk();
    (call, input: ChunkingRequest) -> ChunkingDifference {
        let ChunkingSource::Document { id } = input.source else {
            return Err(crate::ApiError::invalid("only a stored document can be compared with the library"));
        };
        let request = PreviewRequest {
            source: PreviewSource::Document { id },
            strategy: input.strategy,
            settings: input.settings,
        };
        let preview = call.library.ingest().preview(&call.workspace, request).await?;
        let difference = call.library.ingest().preview_difference(&call.workspace, id, &preview).await?;
        let cost = call.library.models().cost_of(difference.tokens_to_embed).await?;
        Ok(ChunkingDifference { difference, cost })
    }
}
