//! Embedding: the trait, the list of embedders and the spaces their vectors live in.

mod batch;
pub mod cache;
pub mod list;
mod model_folder;
pub mod openrouter;
pub mod proof;
pub mod shipped;
pub mod static_table;
pub mod transformer;

use serde::{Deserialize, Serialize};
use std::future::Future;
use std::ops::Range;
use std::pin::Pin;
use std::time::Duration;

/// Turns text into vectors of one space.
pub trait Embedder: Send + Sync {
    /// The space its vectors live in.
    fn space(&self) -> &Space;
    /// Vectors of `texts`, in their order, each of `space().dimensions` finite numbers and length 1,
    /// or all zeros for a text in which the model knows no word.
    ///
    /// # Errors
    /// [`EmbeddingError`] names cause and cure; no vector of a failed call is returned.
    fn embed<'a>(&'a self, texts: &'a [String], purpose: Purpose) -> EmbedFuture<'a>;
    /// The ranges of `texts` that it embeds at a time. Whoever stores the vectors of each range before it asks for
    /// the next loses one batch at most when it is stopped.
    fn batches(&self, texts: &[String]) -> Vec<Range<usize>> {
        let starts = (0..texts.len()).step_by(BATCH);
        starts.map(|start| start..(start + BATCH).min(texts.len())).collect()
    }
    /// Time to leave between two batches.
    fn pause(&self) -> Duration {
        Duration::ZERO
    }
}

/// Texts that a model on this machine is given at a time.
const BATCH: usize = 64;

/// The answer of [`Embedder::embed`].
pub type EmbedFuture<'a> = Pin<Box<dyn Future<Output = Result<Vec<Vec<f32>>, EmbeddingError>> + Send + 'a>>;

/// What a text is embedded for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// To be found.
    Passage,
    /// To find.
    Query,
}

/// Which tier a space belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// The static word-piece table that ships inside: instant.
    Instant,
    /// The sentence transformer that ships inside: the default.
    Embedded,
    /// A provider over HTTP, with the user's key.
    Remote,
}

/// A vector space: everything that, when changed, makes vectors incomparable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ts_rs::TS)]
pub struct Space {
    /// Tier it belongs to.
    pub tier: Tier,
    /// Model name, such as `openai/text-embedding-3-small`.
    pub model: String,
    /// Base URL for a remote model, empty for one that ships inside.
    pub endpoint: String,
    /// SHA-256 of weights and tokenizer (hex), or the provider's revision.
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
        crate::store::short_hash(&[
            tier,
            &self.model,
            &self.endpoint,
            &self.revision,
            &dimensions,
            &self.window,
        ])
    }
}

/// Why text could not be embedded. Messages never hold a key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EmbeddingError {
    /// No key is set for a remote model.
    #[error("no API key is set for {endpoint}; add one in Settings or set OPENROUTER_API_KEY")]
    NoKey {
        /// Base URL.
        endpoint: String,
    },
    /// The provider refused the key.
    #[error("{endpoint} refused the API key (HTTP {status}); check the key in Settings")]
    Unauthorised {
        /// Base URL.
        endpoint: String,
        /// HTTP status.
        status: u16,
    },
    /// The provider answered with an error after all retries.
    #[error("{endpoint} answered HTTP {status} after {attempts} attempts: {message}; try again later")]
    Provider {
        /// Base URL.
        endpoint: String,
        /// HTTP status.
        status: u16,
        /// Attempts made.
        attempts: u32,
        /// The provider's own words, shortened.
        message: String,
    },
    /// The provider will not do what it was asked, now or later.
    #[error(
        "{endpoint} refused the request (HTTP {status}): {message}; check model name, base URL and credit"
    )]
    Refused {
        /// Base URL.
        endpoint: String,
        /// HTTP status.
        status: u16,
        /// The provider's own words, shortened.
        message: String,
    },
    /// The provider could not be reached.
    #[error(
        "{endpoint} cannot be reached after {attempts} attempts: {message}; check the network or the base URL"
    )]
    Unreachable {
        /// Base URL.
        endpoint: String,
        /// Attempts made.
        attempts: u32,
        /// The cause.
        message: String,
    },
    /// The provider took longer than a search can wait.
    #[error("{endpoint} gave no answer within {seconds} s; check the network, or try again later")]
    TooSlow {
        /// Base URL.
        endpoint: String,
        /// Time it was given.
        seconds: u64,
    },
    /// The answer is not what was asked for.
    #[error("{endpoint} gave an answer that cannot be used: {message}; check model name and base URL")]
    BadAnswer {
        /// Base URL or model folder.
        endpoint: String,
        /// What was expected and what came.
        message: String,
    },
    /// A model that ships inside could not be loaded or run.
    #[error("the model {model} could not be used: {message}; reinstall Sibyl or restore its data folder")]
    Model {
        /// Model name.
        model: String,
        /// The cause.
        message: String,
    },
}

impl EmbeddingError {
    /// Whether the provider may have refused the text rather than the request around it: another text may be accepted.
    pub const fn is_about_text(&self) -> bool {
        matches!(self, Self::Refused { status: 400 | 413 | 422, .. })
    }

    /// The provider's own words; the model's, or empty, where there is no provider.
    pub fn words(&self) -> &str {
        match self {
            Self::Provider { message, .. }
            | Self::Refused { message, .. }
            | Self::Unreachable { message, .. }
            | Self::BadAnswer { message, .. }
            | Self::Model { message, .. } => message,
            Self::NoKey { .. } | Self::Unauthorised { .. } | Self::TooSlow { .. } => "",
        }
    }

    /// Stable code of the cause.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NoKey { .. } => "embedding_no_key",
            Self::Unauthorised { .. } => "embedding_unauthorised",
            Self::Provider { .. } => "embedding_provider",
            Self::Refused { .. } => "embedding_refused",
            Self::Unreachable { .. } | Self::TooSlow { .. } => "embedding_unreachable",
            Self::BadAnswer { .. } => "embedding_bad_answer",
            Self::Model { .. } => "embedding_model",
        }
    }
}
