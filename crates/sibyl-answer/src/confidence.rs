//! How sure an answer is: the weighted mean of its passages' relevance, and the bands it falls into (source
//! document 001, section 3). Sentences that the check does not confirm lower it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Minimum confidence of the bands high, medium and low.
pub const BANDS: [f64; 3] = [0.8, 0.6, 0.4];

/// A band of confidence, with what follows from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Band {
    /// Below 0.4: no answer is given.
    VeryLow,
    /// From 0.4: answered only if the passages suffice, and marked as weak.
    Low,
    /// From 0.6: answered with a caveat.
    Medium,
    /// From 0.8: answered.
    High,
}

impl Band {
    /// The band of `confidence`.
    pub fn of(confidence: f64) -> Self {
        match confidence {
            c if c >= BANDS[0] => Self::High,
            c if c >= BANDS[1] => Self::Medium,
            c if c >= BANDS[2] => Self::Low,
            _ => Self::VeryLow,
        }
    }

    /// What an answer in this band adds in words; nothing if it is sure.
    pub const fn caveat(self) -> Option<&'static str> {
        match self {
            Self::High => None,
            Self::Medium => {
                Some("The passages found answer this in part; check the sources before you rely on it.")
            }
            Self::Low | Self::VeryLow => {
                Some("The passages found are only loosely related; treat this as a lead, not as an answer.")
            }
        }
    }
}

/// How sure an answer is, and what that rests on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Confidence {
    /// Weighted mean of the relevance of the passages, times the share in [`Confidence::supported`], 0 to 1.
    pub value: f64,
    /// Its band.
    pub band: Band,
    /// Relevance of each passage in order of rank, 0 to 1.
    pub relevance: Vec<f64>,
    /// Share of the sentences that the check confirms, see [`share_supported`]; 1 before anything is written.
    #[serde(default = "all")]
    pub supported: f64,
    /// Weighted mean of the relevance of the passages, times [`Confidence::supported`], 0 to 1.
    pub percentile: f64,
    /// Relevance from which a passage counts as relevant.
    pub threshold: f64,
    /// Share of questions without an answer here that still pass the threshold, 0 to 1.
    pub error_rate: f64,
    /// What the answer adds in words.
    pub caveat: Option<String>,
}

const fn all() -> f64 {
    1.0
}

/// Share of the `sentences` of an answer that are `confirmed`, 0 to 1; 0 of nothing. If the answer is not `whole`,
/// its missing end counts as one more sentence.
pub fn share_supported(confirmed: usize, sentences: usize, whole: bool) -> f64 {
    let sentences = sentences + usize::from(!whole);
    if sentences == 0 { 0.0 } else { confirmed as f64 / sentences as f64 }
}

/// Mean of `relevance` in order of rank, weighted with 1, 1/2, 1/3 …; 0 of nothing.
pub fn confidence(relevance: &[f64]) -> f64 {
    let weights = (1..=relevance.len()).map(|rank| 1.0 / rank as f64);
    let total: f64 = weights.clone().sum();
    if total == 0.0 { 0.0 } else { relevance.iter().zip(weights).map(|(r, w)| r * w).sum::<f64>() / total }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn better_ranks_weigh_more() {
        assert_eq!(confidence(&[]), 0.0);
        assert_eq!(confidence(&[0.7]), 0.7);
        // (0.9 + 0.6/2 + 0.3/3) / (1 + 1/2 + 1/3) = 1.3 / 1.8333…
        assert!((confidence(&[0.9, 0.6, 0.3]) - 0.709_090_909).abs() < 1e-6);
        assert!(confidence(&[0.9, 0.1]) > confidence(&[0.1, 0.9]));
    }

    #[test]
    fn what_is_not_confirmed_and_what_is_missing_lower_it() {
        assert_eq!(share_supported(3, 3, true), 1.0);
        assert_eq!(share_supported(3, 4, true), 0.75);
        assert_eq!(share_supported(3, 3, false), 0.75);
        assert_eq!((share_supported(0, 3, true), share_supported(0, 0, true)), (0.0, 0.0));
    }

    #[test]
    fn bands_begin_where_the_document_says() {
        let bands = [1.0, 0.8, 0.799, 0.6, 0.599, 0.4, 0.399, 0.0].map(Band::of);
        use Band::{High, Low, Medium, VeryLow};
        assert_eq!(bands, [High, High, Medium, Medium, Low, Low, VeryLow, VeryLow]);
        assert!(High.caveat().is_none() && Medium.caveat() != Low.caveat());
    }
}
