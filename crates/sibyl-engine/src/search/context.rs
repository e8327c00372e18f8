//! Context assembly: the best passages within a token budget, each with its source, as one block for a model.

use super::repeat::repeats;
use super::retriever::Retriever;
use super::{DropCause, DropStage, Dropped};
use crate::error::{Error, Result};
use crate::store::table::chunk::ChunkRow;
use crate::store::table::workspace::LabelLanguage;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_text::document::cited;
use sibyl_text::source_type;
use sibyl_text::tokens::{CharsPerToken, TokenCounter as _};
use std::collections::{HashMap, HashSet};

/// Tokens of a context block where the request names no number.
pub const DEFAULT_BUDGET: usize = 8_000;

const fn source(language: LabelLanguage) -> &'static str {
    match language {
        LabelLanguage::En => "Source",
        LabelLanguage::Sv => "Källa",
    }
}

const fn page(language: LabelLanguage) -> &'static str {
    match language {
        LabelLanguage::En => "Page",
        LabelLanguage::Sv => "Sida",
    }
}

fn read_by_ocr(language: LabelLanguage, confidence: u64) -> String {
    match language {
        LabelLanguage::En => format!("Read by OCR, {confidence}% confidence"),
        LabelLanguage::Sv => format!("Läst med OCR, säkerhet {confidence} %"),
    }
}

/// The settings of a context block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ContextOptions {
    /// Maximum number of tokens, labels and blank lines included.
    pub max_tokens: usize,
    /// Language of the labels.
    pub language: LabelLanguage,
}

impl Default for ContextOptions {
    fn default() -> Self {
        Self { max_tokens: DEFAULT_BUDGET, language: LabelLanguage::default() }
    }
}

/// A passage in the block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ContextSource {
    /// Place in the block, from 1.
    pub number: usize,
    /// Chunk id.
    pub chunk_id: String,
    /// Document row it belongs to.
    pub document_id: i64,
    /// Its label without the word for source.
    pub label: String,
    /// Its tokens, label included.
    pub tokens: usize,
}

/// A context block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContextBlock {
    /// The text.
    pub text: String,
    /// Its passages, in order.
    pub sources: Vec<ContextSource>,
    /// Tokens of the text.
    pub total_tokens: usize,
    /// Passages left out, and why.
    pub left_out: Vec<Dropped>,
}

impl Retriever {
    /// A context block of the chunks called `chunk_ids`, the most relevant first.
    ///
    /// # Errors
    /// [`Error::NotFound`] for a chunk that `workspace` does not see.
    pub async fn context(
        &self,
        workspace: i64,
        chunk_ids: &[String],
        options: ContextOptions,
    ) -> Result<ContextBlock> {
        let mut chunks = Vec::with_capacity(chunk_ids.len());
        for id in chunk_ids {
            let chunk = self.store().chunk(workspace, id).await?;
            chunks.push(chunk.ok_or_else(|| Error::not_found("chunk", id.as_str()))?);
        }
        Ok(assemble(&chunks, options))
    }
}

/// Puts `ranked` chunks (the most relevant first) into one block.
///
/// The best are included as long as the budget allows; a smaller one may still fit where a larger one did not. A
/// paragraph and its items have the same words, so only the best of them stays. Documents follow each other by
/// their best passage, passages of one document by their order in it.
pub fn assemble(ranked: &[ChunkRow], options: ContextOptions) -> ContextBlock {
    let (mut taken, mut left_out): (Vec<Passage<'_>>, Vec<Dropped>) = (Vec::new(), Vec::new());
    let (mut characters, mut seen) = (0, HashSet::new());
    for chunk in ranked {
        if !seen.insert(chunk.chunk_id.as_str()) {
            continue;
        }
        let passage = Passage::new(chunk, options.language);
        // A blank line separates two passages.
        let more = passage.characters() + if taken.is_empty() { 0 } else { 2 };
        let better = taken.iter().find(|better| repeats(better.chunk, chunk));
        let cause = if let Some(better) = better {
            DropCause::SameWords { label: better.label.clone() }
        } else if (characters + more).div_ceil(sibyl_text::tokens::CHARS_PER_TOKEN) > options.max_tokens {
            DropCause::OverBudget { tokens: passage.tokens(), budget: options.max_tokens }
        } else {
            characters += more;
            taken.push(passage);
            continue;
        };
        left_out.push(Dropped::new(chunk.chunk_id.as_str(), DropStage::Context, cause));
    }
    let mut first: HashMap<i64, usize> = HashMap::new();
    for (rank, passage) in taken.iter().enumerate() {
        first.entry(passage.chunk.document_id).or_insert(rank);
    }
    taken.sort_by_key(|passage| (first.get(&passage.chunk.document_id).copied(), passage.chunk.ordinal));
    let text = taken.iter().map(|passage| passage.text.as_str()).collect::<Vec<_>>().join("\n\n");
    let sources = taken.iter().zip(1..).map(|(passage, number)| ContextSource {
        number,
        chunk_id: passage.chunk.chunk_id.clone(),
        document_id: passage.chunk.document_id,
        label: passage.label.clone(),
        tokens: passage.tokens(),
    });
    ContextBlock { total_tokens: CharsPerToken.count(&text), sources: sources.collect(), text, left_out }
}

/// A chunk with its label, as it appears in the block.
struct Passage<'a> {
    chunk: &'a ChunkRow,
    label: String,
    text: String,
}

impl<'a> Passage<'a> {
    fn new(chunk: &'a ChunkRow, language: LabelLanguage) -> Self {
        let label = label(chunk, language);
        let text = format!("--- {}: {label} ---\n{}", source(language), chunk.passage().trim());
        Self { chunk, text, label }
    }

    fn characters(&self) -> usize {
        self.text.chars().count()
    }

    fn tokens(&self) -> usize {
        CharsPerToken.count(&self.text)
    }
}

/// The citation of a passage: the context header if it names its source, else title, section and page.
fn label(chunk: &ChunkRow, language: LabelLanguage) -> String {
    let by_header = source_type::named(&chunk.source_type).is_some_and(|kind| kind.cited_by_header);
    match chunk.header_in_words().filter(|_| by_header) {
        Some(header) => header,
        None => {
            let path = chunk.metadata.get("section_path").and_then(serde_json::Value::as_array);
            let sections =
                path.into_iter().flatten().filter_map(serde_json::Value::as_str).map(str::to_owned);
            let page = chunk
                .pages
                .map(|pages| format!("{} {}", page(language), cited(pages, chunk.page_labels.as_ref(), "–")));
            let ocr = chunk.ocr_confidence().map(|confidence| read_by_ocr(language, confidence));
            let parts = std::iter::once(chunk.title.clone()).chain(sections).chain(page).chain(ocr);
            parts.collect::<Vec<_>>().join(" > ")
        }
    }
}

#[cfg(test)]
mod tests;
