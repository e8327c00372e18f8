use super::{Outcome, OutcomeMeasure};
use crate::measure::Unit;

/// Name of the mean time of a query: measured in every kept run, elsewhere on request. Less is better.
pub const LATENCY: &str = "latency_ms";

/// Whether `name` asks for the time of a query.
pub fn is_latency(name: &str) -> bool {
    [LATENCY, "latency"].contains(&name.trim().to_lowercase().as_str())
}

/// Milliseconds from asking to the ranking.
pub(super) struct Latency;

impl OutcomeMeasure for Latency {
    fn name(&self) -> &'static str {
        LATENCY
    }
    fn summary(&self) -> &'static str {
        "Mean time of a query."
    }
    fn source(&self) -> &'static str {
        "Sibyl: time from the query to its ranking, one query at a time"
    }
    fn unit(&self) -> Unit {
        Unit::Milliseconds
    }
    fn score(&self, outcome: &Outcome<'_>) -> Option<f64> {
        Some(outcome.milliseconds)
    }
}
