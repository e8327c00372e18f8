//! Candidates left out of the answer, and why.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A candidate left out of the answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Dropped {
    /// Chunk id.
    pub chunk_id: String,
    /// Where.
    pub stage: DropStage,
    /// Why, with its numbers.
    #[serde(default)]
    pub cause: DropCause,
    /// The same in words.
    pub reason: String,
}

impl Dropped {
    /// The chunk called `chunk_id`, which `stage` left out because of `cause`.
    pub(super) fn new(chunk_id: impl Into<String>, stage: DropStage, cause: DropCause) -> Self {
        Self { chunk_id: chunk_id.into(), stage, reason: cause.to_string(), cause }
    }
}

/// Where a candidate was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DropStage {
    /// Near-duplicates of better hits are left out.
    Dedupe,
    /// Hits below the minimum of relevance are left out.
    MinRelevance,
    /// Hits beyond the number requested are left out.
    TopK,
    /// Passages that do not fit into a context block are left out.
    Context,
}

/// Why a candidate was left out of the answer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum DropCause {
    /// It says what a better hit says.
    NearDuplicate {
        /// Chunk id of the better one.
        of: String,
        /// The name of that one in lists.
        label: String,
        /// Their cosine similarity.
        similarity: f64,
    },
    /// Its relevance is lower than the request allows.
    BelowMinimum {
        /// Its relevance, 0 to 1.
        relevance: f64,
        /// The minimum asked for.
        minimum: f64,
    },
    /// More results rank above it than were requested.
    BeyondLimit {
        /// Its rank, from 1.
        rank: usize,
        /// Results requested.
        limit: usize,
    },
    /// A passage that is more relevant contains its words.
    SameWords {
        /// The name of that one in lists.
        label: String,
    },
    /// The budget of the context block has no room for it.
    OverBudget {
        /// Its tokens.
        tokens: usize,
        /// Tokens of the whole budget.
        budget: usize,
    },
    /// A search recorded before causes existed: only the reason says why.
    #[default]
    Unrecorded,
}

impl fmt::Display for DropCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NearDuplicate { of, label, similarity } => {
                write!(f, "near-duplicate of {of} ({label}): cosine similarity {similarity:.3}")
            }
            Self::BelowMinimum { relevance, minimum } => {
                write!(f, "relevance {relevance:.3} is below the minimum of {minimum}")
            }
            Self::BeyondLimit { rank, limit } => {
                write!(f, "rank {rank} is beyond the {limit} results requested")
            }
            Self::SameWords { label } => write!(f, "{label} contains the same words and is more relevant"),
            Self::OverBudget { tokens, budget } => {
                write!(f, "its {tokens} tokens do not fit in the budget of {budget}")
            }
            Self::Unrecorded => f.write_str("the cause was not recorded"),
        }
    }
}
