use super::{JudgedRanking, Measure, OPTIONAL_CUTOFF, share};
use sibyl_text::param::Param;

/// Precision at the rank of each relevant id, summed and divided by all relevant ids of the query, ranked or
/// not. Its mean over queries is MAP.
pub(super) struct AveragePrecision;

impl Measure for AveragePrecision {
    fn name(&self) -> &'static str {
        "ap"
    }
    fn aliases(&self) -> &'static [&'static str] {
        &["map", "average_precision"]
    }
    fn summary(&self) -> &'static str {
        "Mean of the precision at each relevant id, 0 for one that is not ranked; its mean over queries is MAP."
    }
    fn source(&self) -> &'static str {
        "Buckley and Voorhees, Evaluating Evaluation Measure Stability, SIGIR 2000; trec_eval map, map_cut"
    }
    fn cutoff(&self) -> Param {
        OPTIONAL_CUTOFF
    }
    fn score(&self, ranking: &JudgedRanking, k: usize) -> Option<f64> {
        let finds = ranking.finds(k).enumerate();
        let sum: f64 = finds.map(|(before, (rank, found))| share(before + 1, rank) * found as f64).sum();
        Some(if ranking.relevant == 0 { 0.0 } else { sum / ranking.relevant as f64 })
    }
}
