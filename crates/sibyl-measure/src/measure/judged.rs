use super::{JudgedRanking, Measure, share};

/// Places among the first `k` that somebody judged, divided by these places; 0 if nothing was found.
pub(super) struct JudgedShare;

impl Measure for JudgedShare {
    fn name(&self) -> &'static str {
        "judged"
    }
    fn summary(&self) -> &'static str {
        "Share of the first k results that somebody has judged: the basis of the other measures."
    }
    fn source(&self) -> &'static str {
        "MacAvaney, Macdonald and Ounis, Streamlining Evaluation with ir-measures, ECIR 2022; Judged"
    }
    fn is_goal(&self) -> bool {
        false
    }
    fn score(&self, ranking: &JudgedRanking, k: usize) -> Option<f64> {
        let first = ranking.ranked.iter().take(k);
        Some(share(first.clone().filter(|place| place.grade.is_some()).count(), first.count()))
    }
}
