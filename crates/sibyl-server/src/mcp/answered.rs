//! What a tool answers, and how it reads what it is asked.

use serde::de::DeserializeOwned;
use serde_json::Value;
use sibyl_api::ApiError;

/// What a tool answers.
pub(super) struct Answered {
    /// What an agent reads that reads text alone.
    pub(super) text: String,
    /// The same as data, by the tool's schema.
    pub(super) structured: Value,
    /// Chunks that were searched.
    pub(super) searched: Option<usize>,
    /// Whether it tells of something that went wrong.
    pub(super) failed: bool,
}

impl Answered {
    /// Structured content, with the same as text for agents that read nothing else.
    pub(super) fn of(structured: Value) -> Self {
        Self { text: structured.to_string(), structured, searched: None, failed: false }
    }
}

/// The arguments of a tool.
pub(super) fn read<T: DeserializeOwned>(arguments: Value) -> Result<T, ApiError> {
    sibyl_api::read(arguments, "the arguments")
}
