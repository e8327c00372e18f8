//! Reranking: a model reads query and chunk together and says how well they fit.
//!
//! A separate stage with its own scale: it reorders the fused results and leaves their scores alone. If it is not
//! available, the fused order stays and the answer says so.

pub mod cohere;

use std::future::Future;
use std::pin::Pin;

/// Scores how well texts answer a query.
pub trait Reranker: Send + Sync {
    /// Provider and model, part of every configuration hash.
    fn name(&self) -> &str;
    /// Whether texts leave the machine on their way to it. Chunks of a corpus that must stay are then not sent.
    fn is_remote(&self) -> bool;
    /// Relevance of each of `texts` to `query`, 0 to 1, in their order.
    ///
    /// # Errors
    /// [`RerankError`] names cause and cure.
    fn rerank<'a>(&'a self, query: &'a str, texts: &'a [String]) -> RerankFuture<'a>;
}

/// The answer of [`Reranker::rerank`].
pub type RerankFuture<'a> = Pin<Box<dyn Future<Output = Result<Vec<f64>, RerankError>> + Send + 'a>>;

/// Why nothing was reranked. Messages never contain a key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RerankError {
    /// There is no key.
    #[error("no API key is set for the reranker at {endpoint}; add one in Settings")]
    NoKey {
        /// Base URL.
        endpoint: String,
    },
    /// The provider refused the key.
    #[error("the reranker at {endpoint} rejected the API key (HTTP {status}); check the key in Settings")]
    Unauthorised {
        /// Base URL.
        endpoint: String,
        /// HTTP status.
        status: u16,
    },
    /// The provider could not be reached or answered with an error.
    #[error("the reranker at {endpoint} failed: {message}")]
    Provider {
        /// Base URL.
        endpoint: String,
        /// The cause.
        message: String,
    },
    /// The answer is not in the expected form.
    #[error(
        "the reranker at {endpoint} returned an unusable answer: {message}; check the model and base URL"
    )]
    BadAnswer {
        /// Base URL.
        endpoint: String,
        /// What was expected and what came instead.
        message: String,
    },
}

impl RerankError {
    /// Stable code of the cause.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NoKey { .. } => "rerank_no_key",
            Self::Unauthorised { .. } => "rerank_unauthorised",
            Self::Provider { .. } => "rerank_provider",
            Self::BadAnswer { .. } => "rerank_bad_answer",
        }
    }
}
