//! What can go wrong, by cause. Every message says what was expected, what came, and the cure.

use std::path::PathBuf;

/// An error of this crate besides those of embedding itself.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A provider or its model is described by impossible values.
    #[error("{0}")]
    Invalid(String),
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// A shipped file has been changed.
    #[error("{} is not the file that ships with Sibyl; reinstall Sibyl or restore its data folder", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
    },
}

impl Error {
    /// Stable code of the cause.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Invalid(_) => "invalid",
            Self::Io { .. } => "io",
            Self::Damaged { .. } => "damaged",
        }
    }

    /// An I/O failure at `path`.
    pub fn io(path: impl Into<PathBuf>, source: std::io::Error) -> Self {
        Self::Io { path: path.into(), source }
    }
}

/// Result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why text could not be embedded. Messages never contain a key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EmbeddingError {
    /// There is no key for a remote model.
    #[error("no API key is set for {endpoint}; add one in Settings or set OPENROUTER_API_KEY")]
    NoKey {
        /// Base URL.
        endpoint: String,
    },
    /// The provider refused the key.
    #[error("{endpoint} rejected the API key (HTTP {status}); check the key in Settings")]
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
    /// The provider will not do it, now or later.
    #[error(
        "{endpoint} rejected the request (HTTP {status}): {message}; check the model name, base URL and credit"
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
        "{endpoint} could not be reached in {attempts} attempts: {message}; check the network or the base URL"
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
    #[error("{endpoint} did not answer within {seconds} s; check the network, or try again later")]
    TooSlow {
        /// Base URL.
        endpoint: String,
        /// Its time limit.
        seconds: u64,
    },
    /// The answer is not in the expected form.
    #[error("{endpoint} returned an unusable answer: {message}; check the model name and base URL")]
    BadAnswer {
        /// Base URL or model folder.
        endpoint: String,
        /// What was expected and what came instead.
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

    /// The provider's own words, or the model's; empty without a provider.
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
