use super::{JudgedRanking, Measure, OPTIONAL_CUTOFF, share};
use sibyl_text::param::Param;

/// Each ranked relevant label scores 1 less the share of labels judged not relevant that stand above it. No more
/// of those count than there are relevant labels. The sum is divided by the number of relevant labels. Unjudged
/// results count for nothing.
pub(super) struct Bpref;

impl Measure for Bpref {
    fn name(&self) -> &'static str {
        "bpref"
    }
    fn summary(&self) -> &'static str {
        "How rarely results judged not relevant rank above relevant ones; unjudged results are ignored."
    }
    fn source(&self) -> &'static str {
        "Buckley and Voorhees, Retrieval Evaluation with Incomplete Information, SIGIR 2004; trec_eval bpref"
    }
    fn cutoff(&self) -> Param {
        OPTIONAL_CUTOFF
    }
    fn score(&self, ranking: &JudgedRanking, k: usize) -> Option<f64> {
        let most = ranking.relevant.min(ranking.irrelevant);
        let (mut above, mut sum) = (0, 0.0);
        for place in ranking.ranked.iter().take(k) {
            if place.is_relevant() {
                let lost = if most == 0 { 0.0 } else { share(above.min(ranking.relevant), most).min(1.0) };
                sum += place.found as f64 * (1.0 - lost);
            } else if place.grade.is_some_and(|grade| grade >= 0) {
                above += 1;
            }
        }
        Some(if ranking.relevant == 0 { 0.0 } else { sum / ranking.relevant as f64 })
    }
}
