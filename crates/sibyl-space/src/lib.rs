//! What the store and the embedders must agree on without knowing each other: which vectors can be compared, and
//! the hashes that identify texts and spaces.
//!
//! No file, no model, no database.

mod digest;

pub use digest::{hash, hex, short_hash};

use serde::{Deserialize, Serialize};

/// Which tier a space belongs to.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// The static word-piece table that ships inside: instant.
    Instant,
    /// The sentence transformer that ships inside: the default.
    Embedded,
    /// A provider over HTTP, with the user's key.
    Remote,
}

/// A vector space: everything whose change would make vectors incomparable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Space {
    /// Tier it belongs to.
    pub tier: Tier,
    /// Model name, such as `openai/text-embedding-3-small`.
    pub model: String,
    /// Base URL for a remote model, empty for one that ships inside.
    pub endpoint: String,
    /// SHA-256 of weights, tokenizer and arithmetic (hex), or the provider's revision.
    pub revision: String,
    /// Length of a vector.
    pub dimensions: usize,
    /// How texts longer than the model's window are handled, such as `mean of 254-token windows, overlap 32`.
    pub window: String,
}

impl Space {
    /// First 16 hex digits of the SHA-256 over all fields, length-prefixed: the durable name of the space.
    pub fn id(&self) -> String {
        let dimensions = self.dimensions.to_string();
        let tier = match self.tier {
            Tier::Instant => "instant",
            Tier::Embedded => "embedded",
            Tier::Remote => "remote",
        };
        short_hash(&[tier, &self.model, &self.endpoint, &self.revision, &dimensions, &self.window])
    }
}
