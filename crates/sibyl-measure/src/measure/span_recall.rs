use super::{JudgedRanking, Measure, share};

/// Letters of the relevant passages in the first `k` results, each counted once, divided by all letters of these
/// passages. Letters are bytes of UTF-8. Queries whose labels are all ids have no value, and nor have rankings
/// whose text is not known.
pub(super) struct SpanRecall;

impl Measure for SpanRecall {
    fn name(&self) -> &'static str {
        "span_recall"
    }
    fn summary(&self) -> &'static str {
        "Share of the characters in the labelled passages that the first k results contain."
    }
    fn source(&self) -> &'static str {
        "Kamps, Pehcevski, Kazai, Lalmas and Robertson, INEX 2007 Evaluation Measures: recall R[r]; Smith and Troynikov, Evaluating Chunking Strategies for Retrieval, 2024"
    }
    fn score(&self, ranking: &JudgedRanking, k: usize) -> Option<f64> {
        let held: usize = ranking.read.iter().take(k).map(|one| one.labelled_letters).sum();
        (ranking.relevant_letters > 0 && !ranking.is_without_text())
            .then(|| share(held, ranking.relevant_letters))
    }
}
