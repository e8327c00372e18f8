//! Errors as they cross every door.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a caller gets: a stable code and a message. The message says what was expected, what came, and the cure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ApiError {
    /// Stable code of the cause, such as `not_found`.
    pub code: String,
    /// For the person who reads it.
    pub message: String,
}

impl ApiError {
    /// An error with `code` and `message`.
    pub fn new(code: &str, message: impl Into<String>) -> Self {
        Self { code: code.to_owned(), message: message.into() }
    }

    /// The input contradicts itself or does not fit the command.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new("invalid", message)
    }
}

impl std::fmt::Display for ApiError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ApiError {}

impl From<tokio::task::JoinError> for ApiError {
    /// A call that was stopped is cancelled; one that panicked is a defect and is logged as one.
    fn from(error: tokio::task::JoinError) -> Self {
        if error.is_cancelled() {
            Self::new("cancelled", "cancelled")
        } else {
            sibyl_engine::Error::from(error).into()
        }
    }
}

impl From<sibyl_engine::Error> for ApiError {
    fn from(error: sibyl_engine::Error) -> Self {
        Self { code: error.code().to_owned(), message: error.to_string() }
    }
}

impl From<sibyl_engine::store::Error> for ApiError {
    fn from(error: sibyl_engine::store::Error) -> Self {
        sibyl_engine::Error::from(error).into()
    }
}
