//! Recursive characters: windows of a fixed number of characters, split at the coarsest separator near their end.

use super::{Chunk, ChunkContext, Piece, Role, Strategy};
use crate::document::{Document, Span};
use crate::param::{Param, ParamError, ParamKind, Settings};
use serde_json::Map;

/// Chunks any text by characters.
pub struct Recursive;

static PARAMS: [Param; 2] = [
    Param {
        name: "chunk_size",
        kind: ParamKind::Integer { min: 20, max: 32_000, default: 500 },
        unit: "characters",
        description: "Longest chunk, including its overlap.",
    },
    Param {
        name: "chunk_overlap",
        kind: ParamKind::Integer { min: 0, max: 16_000, default: 50 },
        unit: "characters",
        description: "Characters repeated from the previous chunk; at most half the chunk size.",
    },
];

/// Where to split, the best place first.
const SEPARATORS: [&str; 9] = ["\n\n\n", "\n\n", "\n", ". ", "? ", "! ", "; ", ", ", " "];

impl Strategy for Recursive {
    fn name(&self) -> &'static str {
        "recursive"
    }
    fn summary(&self) -> &'static str {
        "Any text: windows of a fixed number of characters, split at paragraph, line, sentence, clause or word."
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    fn check(&self, settings: &Settings) -> Result<(), ParamError> {
        let (size, overlap) = (settings.integer("chunk_size"), settings.integer("chunk_overlap"));
        if overlap * 2 <= size {
            return Ok(());
        }
        Err(ParamError::Conflict(format!(
            "`chunk_overlap` ({overlap}) is more than half of `chunk_size` ({size}): use at most {}",
            size / 2
        )))
    }
    fn cut(&self, document: &Document, settings: &Settings, context: &ChunkContext<'_>) -> Vec<Chunk> {
        let (size, overlap) = (settings.integer("chunk_size"), settings.integer("chunk_overlap"));
        let text = document.text.as_str();
        let mut chunks: Vec<Chunk> = Vec::new();
        for stretch in document.stretches() {
            let mut start = stretch.start;
            let mut start_char = text[..start].chars().count();
            // End of the text that is in a chunk already.
            let mut covered = stretch.start;
            while start < stretch.end {
                let end = window_end(&text[..stretch.end], start, size);
                let chars = text[start..end].chars().count();
                let (repeated, own) = (trimmed(text, start, covered), trimmed(text, covered.max(start), end));
                if !own.is_empty() {
                    let parts = [(repeated, Role::Overlap), (own, Role::Body)];
                    let pieces: Vec<Piece> = parts
                        .into_iter()
                        .filter(|(span, _)| !span.is_empty())
                        .map(|(span, role)| Piece::Source { span, role })
                        .collect();
                    let content = text[start..end].trim();
                    let mut metadata = Map::new();
                    metadata.insert("chunk_index".to_owned(), chunks.len().into());
                    metadata.insert("start_char".to_owned(), start_char.into());
                    metadata.insert("end_char".to_owned(), (start_char + chars).into());
                    metadata.insert("token_count".to_owned(), context.tokens.count(content).into());
                    chunks.push(Chunk { pieces, parent: None, oversize: false, metadata });
                }
                if end >= stretch.end {
                    break;
                }
                covered = end;
                // The window is split within its last 30 %, and the overlap is at most half of it, so this
                // advances.
                let step = chars.saturating_sub(overlap).max(1);
                start += byte_of(&text[start..], step);
                start_char += step;
            }
        }
        chunks
    }
}

/// End of the window of `size` characters that starts at `start`: after the coarsest separator in its last 30 %.
fn window_end(text: &str, start: usize, size: usize) -> usize {
    let rest = &text[start..];
    let end = start + byte_of(rest, size);
    if end == text.len() {
        return end;
    }
    let search = start + byte_of(rest, size - size * 3 / 10);
    let region = &text[search..end];
    let cut = SEPARATORS.iter().find_map(|s| region.rfind(s).map(|i| search + i + s.len()));
    cut.unwrap_or(end)
}

/// Byte at which the character `index` starts, or the end.
fn byte_of(text: &str, index: usize) -> usize {
    text.char_indices().nth(index).map_or(text.len(), |(at, _)| at)
}

/// `start..end` without white space around it; empty if it has nothing else.
fn trimmed(text: &str, start: usize, end: usize) -> Span {
    let inner = text.get(start..end).unwrap_or_default();
    let from = start + inner.len() - inner.trim_start().len();
    Span::new(from, from + inner.trim().len())
}
