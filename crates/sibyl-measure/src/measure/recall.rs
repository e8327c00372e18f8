use super::{JudgedRanking, Measure, share};

/// Relevant ids among the first `k`, divided by all relevant ids of the query; 0 if there are none.
pub(super) struct Recall;

impl Measure for Recall {
    fn name(&self) -> &'static str {
        "recall"
    }
    fn aliases(&self) -> &'static [&'static str] {
        &["r"]
    }
    fn summary(&self) -> &'static str {
        "Share of the query's relevant ids that is among the first k results."
    }
    fn source(&self) -> &'static str {
        "C. J. van Rijsbergen, Information Retrieval, 2nd ed., 1979, ch. 7; trec_eval recall"
    }
    fn score(&self, ranking: &JudgedRanking, k: usize) -> Option<f64> {
        Some(share(ranking.finds(k).map(|(_, found)| found).sum(), ranking.relevant))
    }
}
