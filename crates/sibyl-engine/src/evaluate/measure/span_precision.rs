use super::{JudgedRanking, Measure, share};

/// Letters of the relevant passages that the first `k` results hold, each once, divided by all letters that they hold. What a
/// result repeats was read again and found nothing. Queries whose labels are all ids have no value.
pub(super) struct SpanPrecision;

impl Measure for SpanPrecision {
    fn name(&self) -> &'static str {
        "span_precision"
    }
    fn summary(&self) -> &'static str {
        "Share of the characters in the first k results that lie in a labelled passage."
    }
    fn source(&self) -> &'static str {
        "Kamps, Pehcevski, Kazai, Lalmas and Robertson, INEX 2007 Evaluation Measures: precision P[r]; Smith and Troynikov, Evaluating Chunking Strategies for Retrieval, 2024"
    }
    fn score(&self, ranking: &JudgedRanking, k: usize) -> Option<f64> {
        let first = ranking.read.iter().take(k);
        let (held, read) =
            first.fold((0, 0), |(held, read), place| (held + place.relevant_letters, read + place.letters));
        (ranking.relevant_letters > 0).then(|| share(held, read))
    }
}
