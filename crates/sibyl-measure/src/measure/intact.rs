use super::{JudgedRanking, Measure, share};

/// Relevant paragraphs and passages that are whole in one of the first `k` places, divided by those that these
/// places find. Queries without any such find have no value. Nor have results whose text is unknown, as in runs of
/// other systems. Documents and pages do not count.
pub(super) struct Intact;

impl Measure for Intact {
    fn name(&self) -> &'static str {
        "intact"
    }
    fn aliases(&self) -> &'static [&'static str] {
        &["intact_paragraphs"]
    }
    fn summary(&self) -> &'static str {
        "Of the passages and paragraphs found among the first k results, the share that no chunk boundary splits."
    }
    fn source(&self) -> &'static str {
        "Sibyl: the intact-paragraph rate"
    }
    fn score(&self, ranking: &JudgedRanking, k: usize) -> Option<f64> {
        let first = ranking.ranked.iter().take(k);
        let (intact, found) =
            first.fold((0, 0), |(intact, found), place| (intact + place.intact, found + place.splittable));
        (found > 0 && !ranking.is_without_text()).then(|| share(intact, found))
    }
}
