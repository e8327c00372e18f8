//! What a tool is, and the list of them. What agents read of a tool is derived from what it takes and gives.

mod ask;
mod assessment;
mod list;
mod paragraph;
mod passage;
mod proposal;
mod report;
mod search;

pub(super) use list::{all, call};

use super::Agents;
use rmcp::service::{RequestContext, RoleServer};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sibyl_api::ApiError;

/// A tool that agents call.
trait Tool {
    /// What agents call it by.
    const NAME: &'static str;
    /// Whether it changes nothing.
    const READS: bool = true;
    /// Whether text of a call goes over the network where a remote model is in use.
    const REACHES_OUT: bool = false;
    /// What it takes.
    type Input: DeserializeOwned + JsonSchema + Send;
    /// What it gives; a field that is null is left out.
    type Output: Serialize + JsonSchema + Send;

    /// What it does, in under 200 characters.
    fn described() -> String;

    /// Answers a call.
    fn call(
        agents: &Agents,
        input: Self::Input,
        context: &RequestContext<RoleServer>,
    ) -> impl Future<Output = Result<Answered<Self::Output>, ApiError>> + Send;
}

/// What a tool answers.
struct Answered<T> {
    /// What an agent reads that reads text alone; the same as data where there is none.
    text: Option<String>,
    /// It as data.
    structured: T,
    /// Chunks that were searched.
    searched: Option<usize>,
    /// Whether it tells of something that went wrong.
    failed: bool,
}

impl<T> From<T> for Answered<T> {
    fn from(structured: T) -> Self {
        Self { text: None, structured, searched: None, failed: false }
    }
}

/// Takes no arguments.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Nothing {}
