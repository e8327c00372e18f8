//! Figures over the chunks of a configuration.

use super::PreviewChunk;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_text::Piece;
use sibyl_text::chunk::Role;

/// Figures over chunks. Tokens are those of the whole text with its header.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Statistics {
    /// Number of chunks.
    pub count: usize,
    /// Minimum number of tokens.
    pub min: usize,
    /// Median of the tokens (the lower one of two).
    pub median: usize,
    /// 95th percentile of the tokens (nearest rank).
    pub p95: usize,
    /// Maximum number of tokens.
    pub max: usize,
    /// Mean tokens.
    pub mean: f64,
    /// Sum of the tokens.
    pub total: usize,
    /// Bytes repeated from the previous chunk, in percent of all bytes taken from the document.
    pub overlap_percent: f64,
    /// Chunks shorter than the strategy's minimum though they have neighbours.
    pub orphans: usize,
    /// Chunks that one atomic block made longer than the maximum.
    pub oversize: usize,
}

/// Figures over `chunks`.
pub fn statistics(chunks: &[PreviewChunk]) -> Statistics {
    let mut tokens: Vec<usize> = chunks.iter().map(|chunk| chunk.tokens).collect();
    tokens.sort_unstable();
    let (Some(&min), Some(&max)) = (tokens.first(), tokens.last()) else { return Statistics::default() };
    let rank = |percent: usize| tokens[(tokens.len() * percent).div_ceil(100).max(1) - 1];
    let total: usize = tokens.iter().sum();
    let repeated: usize = chunks.iter().map(|chunk| chunk.overlap).sum();
    let own: usize = chunks.iter().map(|chunk| source_bytes(&chunk.pieces, Role::is_own)).sum();
    Statistics {
        count: chunks.len(),
        min,
        median: rank(50),
        p95: rank(95),
        max,
        mean: total as f64 / chunks.len() as f64,
        total,
        overlap_percent: if repeated + own == 0 {
            0.0
        } else {
            100.0 * repeated as f64 / (repeated + own) as f64
        },
        orphans: chunks.iter().filter(|chunk| chunk.orphan).count(),
        oversize: chunks.iter().filter(|chunk| chunk.oversize).count(),
    }
}

/// Bytes of the document in those `pieces` that have the roles `wanted`.
pub(super) fn source_bytes(pieces: &[Piece], wanted: impl Fn(Role) -> bool) -> usize {
    let bytes = pieces.iter().map(|piece| match piece {
        Piece::Source { span, role } if wanted(*role) => span.len(),
        _ => 0,
    });
    bytes.sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Map;
    use sibyl_text::Span;

    fn chunk(tokens: usize, body: usize, overlap: usize) -> PreviewChunk {
        let piece = |start, length, role| Piece::Source { span: Span::new(start, start + length), role };
        PreviewChunk {
            parent: None,
            text: String::new(),
            pieces: vec![piece(0, overlap, Role::Overlap), piece(overlap, body, Role::Body)],
            extent: Span::new(overlap, overlap + body),
            metadata: Map::new(),
            pages: None,
            tokens,
            word_count: 0,
            overlap,
            oversize: tokens > 800,
            orphan: tokens < 200,
            content_hash: String::new(),
        }
    }

    #[test]
    fn figures_are_those_of_the_chunks() {
        let chunks: Vec<PreviewChunk> = (1..=100).map(|n| chunk(n * 10, 75, 25)).collect();
        let figures = statistics(&chunks);
        assert_eq!(
            (figures.count, figures.min, figures.median, figures.p95, figures.max),
            (100, 10, 500, 950, 1000)
        );
        assert_eq!((figures.mean, figures.total, figures.overlap_percent), (505.0, 50_500, 25.0));
        assert_eq!((figures.orphans, figures.oversize), (19, 20));
        assert_eq!(statistics(&[]), Statistics::default());
    }
}
