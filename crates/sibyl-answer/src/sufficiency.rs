//! Whether passages suffice for an answer (source document 001, section 3, `hasSufficientContext`).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What passages must reach before anything is answered from them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Sufficiency {
    /// Relevance from which a passage counts, 0 to 1.
    pub threshold: f64,
    /// Passages that must count.
    pub min_chunks: usize,
}

/// Thresholds of the source documents: 0.6 is that of 001, 0.5 that of 003.
pub const PRESETS: [f64; 2] = [0.6, 0.5];

impl Default for Sufficiency {
    fn default() -> Self {
        Self { threshold: PRESETS[0], min_chunks: 1 }
    }
}

impl Sufficiency {
    /// Whether enough of `relevance` reaches the threshold.
    pub fn reached(&self, relevance: &[f64]) -> bool {
        relevance.iter().filter(|&&one| one >= self.threshold).count() >= self.min_chunks.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enough_passages_must_reach_the_threshold() {
        let one = Sufficiency::default();
        assert!(one.reached(&[0.6, 0.1]) && !one.reached(&[0.59, 0.5]) && !one.reached(&[]));
        let two = Sufficiency { threshold: 0.5, min_chunks: 2 };
        assert!(two.reached(&[0.6, 0.5]) && !two.reached(&[0.9, 0.49]));
    }
}
