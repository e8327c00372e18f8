use super::{Outcome, OutcomeMeasure};

/// Name of the share of the unanswerable queries that are recognised as such. Measured in sets with such queries.
pub const NOT_FOUND_ACCURACY: &str = "not_found_accuracy";

/// 1 for an unanswerable query that does not count as answered, 0 for one that does.
pub(super) struct NotFoundAccuracy;

impl OutcomeMeasure for NotFoundAccuracy {
    fn name(&self) -> &'static str {
        NOT_FOUND_ACCURACY
    }
    fn summary(&self) -> &'static str {
        "Share of the queries without an answer that are recognised as such."
    }
    fn source(&self) -> &'static str {
        "Rajpurkar, Jia and Liang, Know What You Don't Know: Unanswerable Questions for SQuAD, ACL 2018; NoAns accuracy"
    }
    fn score(&self, outcome: &Outcome<'_>) -> Option<f64> {
        (!outcome.answerable).then(|| f64::from(u8::from(!(outcome.answered)())))
    }
}
