use super::{Judged, JudgedRanking, Measure, OPTIONAL_CUTOFF};
use sibyl_text::param::Param;

/// Discounted cumulative gain `Σ grade / log2(rank + 1)` over the first `k`, divided by that of the best possible
/// ranking of all graded ids; 0 if no grade is positive. The gain is the grade itself, as in trec_eval, not
/// `2^grade − 1`.
pub(super) struct Ndcg;

impl Measure for Ndcg {
    fn name(&self) -> &'static str {
        "ndcg"
    }
    fn summary(&self) -> &'static str {
        "Grades of the first k results, discounted by the logarithm of their rank, against the best possible order."
    }
    fn source(&self) -> &'static str {
        "Järvelin and Kekäläinen, Cumulated Gain-Based Evaluation of IR Techniques, TOIS 20(4), 2002; trec_eval ndcg, ndcg_cut"
    }
    fn cutoff(&self) -> Param {
        OPTIONAL_CUTOFF
    }
    fn score(&self, ranking: &JudgedRanking, k: usize) -> Option<f64> {
        let positive = ranking.grades.iter().filter(|&&grade| grade > 0);
        let ideal = discounted(positive.map(|&grade| f64::from(grade)).take(k));
        if ideal == 0.0 {
            return Some(0.0);
        }
        Some(discounted(ranking.ranked.iter().map(Judged::gain).take(k)) / ideal)
    }
}

fn discounted(gains: impl Iterator<Item = f64>) -> f64 {
    gains.enumerate().map(|(index, gain)| gain / (index as f64 + 2.0).log2()).sum()
}
