use super::{JudgedRanking, Measure, OPTIONAL_CUTOFF, share};
use sibyl_text::param::Param;

/// 1 divided by the rank of the first relevant id; 0 if none is ranked. Its mean over queries is MRR.
pub(super) struct ReciprocalRank;

impl Measure for ReciprocalRank {
    fn name(&self) -> &'static str {
        "rr"
    }
    fn aliases(&self) -> &'static [&'static str] {
        &["mrr", "reciprocal_rank"]
    }
    fn summary(&self) -> &'static str {
        "One divided by the rank of the first relevant result; its mean over queries is MRR."
    }
    fn source(&self) -> &'static str {
        "E. M. Voorhees, The TREC-8 Question Answering Track Report, 1999; trec_eval recip_rank"
    }
    fn cutoff(&self) -> Param {
        OPTIONAL_CUTOFF
    }
    fn score(&self, ranking: &JudgedRanking, k: usize) -> Option<f64> {
        Some(ranking.finds(k).next().map_or(0.0, |(rank, _)| share(1, rank)))
    }
}
