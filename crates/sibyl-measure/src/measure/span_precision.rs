use super::{JudgedRanking, Measure, share};

/// Relevant letters in the first `k` results, each counted once, divided by all their letters. Letters of labelled
/// passages are relevant. With labels on ids, documents and pages, so are those of the chunks that answer to them.
/// What a result repeats was read again and found nothing. Rankings whose text is not known have no value.
pub(super) struct SpanPrecision;

impl Measure for SpanPrecision {
    fn name(&self) -> &'static str {
        "span_precision"
    }
    fn summary(&self) -> &'static str {
        "Share of the characters in the first k results that are labelled relevant."
    }
    fn source(&self) -> &'static str {
        "Kamps, Pehcevski, Kazai, Lalmas and Robertson, INEX 2007 Evaluation Measures: precision P[r]; Smith and Troynikov, Evaluating Chunking Strategies for Retrieval, 2024"
    }
    fn score(&self, ranking: &JudgedRanking, k: usize) -> Option<f64> {
        let first = ranking.read.iter().take(k);
        let (held, read) =
            first.fold((0, 0), |(held, read), place| (held + place.relevant_letters, read + place.letters));
        (!ranking.is_without_text()).then(|| share(held, read))
    }
}
