//! Measures of how a query ended, whatever its ranking: whether it was answered, and how long it took. One file each.

mod answered;
mod latency;
mod not_found_accuracy;

pub use answered::ANSWERED;
pub use latency::{LATENCY, is_latency};
pub use not_found_accuracy::NOT_FOUND_ACCURACY;

use crate::measure::Unit;

/// How a query ended.
#[derive(Clone, Copy)]
pub struct Outcome<'a> {
    /// Whether the library has an answer.
    pub answerable: bool,
    /// Whether it counts as answered: a hit matches a reference of the query exactly or reaches the relevance that is
    /// asked for. If no hit has a relevance, any hit counts. Worked out where a measure asks for it.
    pub answered: &'a (dyn Fn() -> bool + Sync),
    /// How long it took.
    pub milliseconds: f64,
}

/// A measure of how queries ended.
pub trait OutcomeMeasure: Sync {
    /// Stable name, such as `answered`.
    fn name(&self) -> &'static str;
    /// One sentence: what it is.
    fn summary(&self) -> &'static str;
    /// Where it is defined.
    fn source(&self) -> &'static str;
    /// What its values count.
    fn unit(&self) -> Unit {
        Unit::Share
    }
    /// Its value; `None` if it has none for this query.
    fn score(&self, outcome: &Outcome<'_>) -> Option<f64>;
}

/// Every measure of how queries ended.
pub static OUTCOME_MEASURES: &[&dyn OutcomeMeasure] =
    &[&not_found_accuracy::NotFoundAccuracy, &answered::Answered, &latency::Latency];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_counts_where_it_has_an_answer_or_has_none() {
        let scores = |answerable, answered| {
            let answered = || answered;
            let outcome = Outcome { answerable, answered: &answered, milliseconds: 12.5 };
            OUTCOME_MEASURES.iter().map(|measure| measure.score(&outcome)).collect::<Vec<_>>()
        };
        assert_eq!(scores(true, true), [None, Some(1.0), Some(12.5)]);
        assert_eq!(scores(true, false), [None, Some(0.0), Some(12.5)]);
        assert_eq!(scores(false, true), [Some(0.0), None, Some(12.5)]);
        assert_eq!(scores(false, false), [Some(1.0), None, Some(12.5)]);
    }
}
