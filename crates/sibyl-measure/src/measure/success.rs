use super::{JudgedRanking, Measure};

/// 1 where a relevant id is among the first `k`, else 0.
pub(super) struct Success;

impl Measure for Success {
    fn name(&self) -> &'static str {
        "success"
    }
    fn aliases(&self) -> &'static [&'static str] {
        &["hit"]
    }
    fn summary(&self) -> &'static str {
        "Whether at least one of the first k results is relevant."
    }
    fn source(&self) -> &'static str {
        "Craswell, Hawking, Wilkinson and Wu, Overview of the TREC 2003 Web Track; trec_eval success"
    }
    fn score(&self, ranking: &JudgedRanking, k: usize) -> Option<f64> {
        Some(if ranking.finds(k).next().is_some() { 1.0 } else { 0.0 })
    }
}
