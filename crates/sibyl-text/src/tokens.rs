//! How many tokens a text has.

/// Counts tokens. Chunkers know only this trait, so that an exact tokenizer can replace the estimate.
pub trait TokenCounter: Sync {
    /// Stable name, part of every configuration hash.
    fn name(&self) -> &str;
    /// Number of tokens in `text`.
    fn count(&self, text: &str) -> usize;
}

/// The documented estimate: Unicode scalars divided by four, rounded up.
#[derive(Debug, Clone, Copy, Default)]
pub struct CharsPerToken;

/// Characters that the estimate counts as one token.
pub const CHARS_PER_TOKEN: usize = 4;

impl TokenCounter for CharsPerToken {
    fn name(&self) -> &str {
        "chars/4"
    }
    fn count(&self, text: &str) -> usize {
        text.chars().count().div_ceil(CHARS_PER_TOKEN)
    }
}
