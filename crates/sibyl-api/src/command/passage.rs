//! A closer look at the passages of an answer.

use crate::Utf16;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which passages to look at, and for what.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SentenceQuery {
    /// The question, in words.
    pub query: String,
    /// Chunk ids, at most 50.
    pub chunk_ids: Vec<String>,
}

/// The sentence of a passage that is nearest in meaning to what is asked.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PassageSentence {
    /// Id of the passage.
    pub chunk_id: String,
    /// Where it begins in the passage's text, in UTF-16 units.
    pub start: usize,
    /// One past its last UTF-16 unit.
    pub end: usize,
    /// Cosine similarity, -1 to 1.
    pub similarity: f32,
    /// Local model that compared them.
    pub model: String,
}

command! {
    /// The sentence of each passage that is nearest in meaning to a query. The local static table compares them;
    /// nothing is sent. A passage with fewer than two sentences is left out.
    PassageNearestSentence = "passage.nearest_sentence": Query, Read, ["chunks"],
        remote Post "/api/v1/passages/nearest";
    (call, input: SentenceQuery) -> Vec<PassageSentence> {
        let found = call.library.search().nearest_sentences(&call.workspace, &input.query, &input.chunk_ids).await?;
        let shown = found.into_iter().map(|found| {
            let (start, end) = Utf16::new(found.chunk.text).span(found.span);
            let (chunk_id, similarity, model) = (found.chunk.chunk_id, found.similarity, found.model);
            PassageSentence { chunk_id, start, end, similarity, model }
        });
        Ok(shown.collect())
    }
}
