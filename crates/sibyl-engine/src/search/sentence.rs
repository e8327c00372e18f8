//! The sentence of a passage that is nearest in meaning to a query. The static table compares them, so twenty
//! passages cost milliseconds and nothing leaves the machine.

use crate::embed::{Embedder, Purpose};
use crate::error::Result;
use crate::store::table::chunk::ChunkRow;
use sibyl_text::Span;
use sibyl_text::chunk::{aids, header_length};
use sibyl_text::language::sentence::sentences_in;
use std::sync::Arc;

/// Maximum number of passages compared in one call.
pub const MOST_PASSAGES: usize = 50;

/// What a passage says nearest to a query.
#[derive(Debug, Clone, PartialEq)]
pub struct NearestSentence {
    /// The passage.
    pub chunk: ChunkRow,
    /// Where the sentence is in its text (bytes).
    pub span: Span,
    /// Cosine similarity, -1 to 1.
    pub similarity: f32,
    /// Model that compared them.
    pub model: String,
}

pub(crate) async fn nearest(
    table: &Arc<dyn Embedder>,
    query: &str,
    chunks: Vec<ChunkRow>,
) -> Result<Vec<NearestSentence>> {
    let asked = table.embed(&[query.to_owned()], Purpose::Query).await?;
    let Some(asked) = asked.into_iter().next() else { return Ok(Vec::new()) };
    let spans: Vec<Vec<Span>> = chunks.iter().map(own_sentences).collect();
    let texts: Vec<String> = chunks
        .iter()
        .zip(&spans)
        .flat_map(|(chunk, spans)| spans.iter().map(|span| span.of(&chunk.text).to_owned()))
        .collect();
    let mut vectors = table.embed(&texts, Purpose::Passage).await?.into_iter();
    let mut found = Vec::with_capacity(chunks.len());
    for (chunk, spans) in chunks.into_iter().zip(spans) {
        let best = spans
            .into_iter()
            .zip(vectors.by_ref())
            .filter(|(_, vector)| known(vector) && known(&asked))
            .map(|(span, vector)| (span, asked.iter().zip(vector).map(|(a, b)| a * b).sum::<f32>()))
            // The first of several that are equally near.
            .reduce(|best, other| if other.1 > best.1 { other } else { best });
        if let Some((span, similarity)) = best {
            let model = table.space().model.clone();
            found.push(NearestSentence { chunk, span, similarity, model });
        }
    }
    Ok(found)
}

/// Whether the table knew a word.
fn known(vector: &[f32]) -> bool {
    vector.iter().any(|x| *x != 0.0)
}

/// The sentences of a chunk after its context header. A search aid is not one of them, and a single sentence is
/// not the nearest.
fn own_sentences(chunk: &ChunkRow) -> Vec<Span> {
    let header = header_length(&chunk.pieces, &chunk.text);
    let mut spans = sentences_in(&chunk.text, Span::new(header, chunk.text.len()));
    let aids = aids(&chunk.pieces, &chunk.text);
    spans.retain(|span| !aids.iter().any(|aid| aid.overlaps(*span)));
    if spans.len() > 1 { spans } else { Vec::new() }
}
