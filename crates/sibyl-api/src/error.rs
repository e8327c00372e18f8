//! Errors as they cross every door.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What a caller is told: a stable code and a message that says what was expected, what came, and the cure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ApiError {
    /// Stable code of the cause, such as `not_found`.
    pub code: String,
    /// For the person who reads it.
    pub message: String,
}

impl From<sibyl_engine::Error> for ApiError {
    fn from(error: sibyl_engine::Error) -> Self {
        Self { code: error.code().to_owned(), message: error.to_string() }
    }
}
