use super::{Outcome, OutcomeMeasure};

/// Name of the share of answerable queries that count as answered: the price of a higher threshold. Measured in
/// sets with unanswerable queries.
pub const ANSWERED: &str = "answered";

/// 1 for an answerable query that counts as answered, 0 for one that does not.
pub(super) struct Answered;

impl OutcomeMeasure for Answered {
    fn name(&self) -> &'static str {
        ANSWERED
    }
    fn summary(&self) -> &'static str {
        "Share of the queries with an answer that count as answered; recognising those without one lowers it."
    }
    fn source(&self) -> &'static str {
        "El-Yaniv and Wiener, On the Foundations of Noise-free Selective Classification, JMLR 2010; coverage"
    }
    fn score(&self, outcome: &Outcome<'_>) -> Option<f64> {
        outcome.answerable.then(|| f64::from(u8::from((outcome.answered)())))
    }
}
