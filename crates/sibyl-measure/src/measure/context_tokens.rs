use super::{JudgedRanking, Measure, Unit};

/// Estimated tokens of the first `k` results: what an answer made of them has to read. Rankings whose text is not
/// known have no value.
pub(super) struct ContextTokens;

impl Measure for ContextTokens {
    fn name(&self) -> &'static str {
        "tokens"
    }
    fn aliases(&self) -> &'static [&'static str] {
        &["context_tokens"]
    }
    fn summary(&self) -> &'static str {
        "Estimated tokens of the first k results: what an answer made of them has to read."
    }
    fn source(&self) -> &'static str {
        "Sibyl: tokens per answer context"
    }
    fn unit(&self) -> Unit {
        Unit::Tokens
    }
    fn score(&self, ranking: &JudgedRanking, k: usize) -> Option<f64> {
        let tokens = ranking.read.iter().take(k).map(|one| one.tokens).sum::<usize>();
        (!ranking.is_without_text()).then_some(tokens as f64)
    }
}
