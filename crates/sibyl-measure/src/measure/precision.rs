use super::{JudgedRanking, Measure, share};

/// Relevant ids among the first `k`, divided by `k`, also where fewer were found.
pub(super) struct Precision;

impl Measure for Precision {
    fn name(&self) -> &'static str {
        "precision"
    }
    fn aliases(&self) -> &'static [&'static str] {
        &["p"]
    }
    fn summary(&self) -> &'static str {
        "Share of the first k results that is relevant; missing results count as not relevant."
    }
    fn source(&self) -> &'static str {
        "C. J. van Rijsbergen, Information Retrieval, 2nd ed., 1979, ch. 7; trec_eval P"
    }
    fn score(&self, ranking: &JudgedRanking, k: usize) -> Option<f64> {
        Some(share(ranking.finds(k).count(), k))
    }
}
