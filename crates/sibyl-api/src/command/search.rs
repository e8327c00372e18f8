//! Searching, looking up, assembling context, and the search history.

use crate::command::{ALL_ROWS, Call, Nothing};
use crate::{ApiError, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sibyl_engine::search::context::{ContextBlock, DEFAULT_BUDGET};
use sibyl_engine::search::{Hit, LookupRequest, LookupText, SearchRequest, SearchResponse, SearchRun};
use sibyl_engine::store::edition::Edition;

/// A search kept in the history.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RecordedSearch {
    /// Id in the history; `null` if the library can only be read.
    pub run: Option<i64>,
    /// The answer.
    pub response: SearchResponse,
}

/// A kept search with its answer.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct KeptSearch {
    /// What was asked.
    pub request: SearchRequest,
    /// What was found then.
    pub response: SearchResponse,
}

/// A kept search by id.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunId {
    /// Id in the history.
    pub id: i64,
}

/// How many kept searches.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RunQuery {
    /// Maximum number to return, the newest first.
    pub limit: usize,
}

impl Default for RunQuery {
    fn default() -> Self {
        Self { limit: 50 }
    }
}

/// A paragraph, topic or metric by its identifier.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ParagraphId {
    /// Such as `S2.14(a)(iv)` or `EM-EP-110a`.
    pub id: String,
    /// The edition of IFRS S2; by default the one in force.
    #[serde(default)]
    pub edition: Option<Edition>,
}

/// A search whose ranking becomes the usual one.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UsualSearch {
    /// The search. Its query, number of results, restrictions and space are ignored; `null` restores the engine's
    /// own ranking.
    pub search: Option<SearchRequest>,
}

/// The material of a context block.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContextRequest {
    /// Chunk ids, the most relevant first.
    pub chunk_ids: Vec<String>,
    /// Maximum number of tokens.
    #[serde(default = "budget")]
    pub max_tokens: usize,
}

const fn budget() -> usize {
    DEFAULT_BUDGET
}

command! {
    /// Runs a search.
    Search = "search": Query, Egress, ["chunks", "vectors"],
        remote Post "/api/v1/search", completed usual;
    (call, input: SearchRequest) -> SearchResponse {
        Ok(call.library.search().run(&call.workspace, &input).await?)
    }
}

command! {
    /// Runs a search and keeps it in the history.
    SearchRecord = "search.record": Mutation, Egress, ["runs"],
        remote Post "/api/v1/searches", completed usual;
    (call, input: SearchRequest) -> RecordedSearch {
        let (response, run) = call.library.search().run_and_record(&call.workspace, &input).await?;
        Ok(RecordedSearch { run, response })
    }
}

command! {
    /// The search that this library makes if a request does not say how to rank.
    SearchUsual = "search.usual": Query, Read, ["settings"],
        remote Get "/api/v1/searches/usual";
    (call, _input: Nothing) -> SearchRequest {
        Ok(call.library.search().usual().await?)
    }
}

command! {
    /// Makes the ranking of a search the usual one of this library.
    SearchMakeUsual = "search.make_usual": Mutation, Write, ["settings"];
    (call, input: UsualSearch) -> SearchRequest {
        Ok(call.library.search().make_usual(input.search.as_ref()).await?)
    }
}

command! {
    /// Searches that were kept, the newest first.
    SearchRuns = "search.runs": Query, Read, ["runs"],
        remote Get "/api/v1/searches";
    (call, input: RunQuery) -> Vec<SearchRun> {
        Ok(call.library.search().recorded(&call.workspace, input.limit.min(ALL_ROWS)).await?)
    }
}

command! {
    /// A kept search, with what it found then.
    SearchRunGet = "search.run": Query, Read, ["runs"],
        remote Get "/api/v1/searches/{id}";
    (call, input: RunId) -> KeptSearch {
        let (request, response) = call.library.search().recorded_run(&call.workspace, input.id).await?;
        Ok(KeptSearch { request, response })
    }
}

command! {
    /// Deletes the kept searches of the workspace.
    SearchRunsClear = "search.clear_runs": Mutation, Write, ["runs"],
        remote Delete "/api/v1/searches";
    (call, _input: Nothing) -> Nothing {
        let workspace = call.workspace_id().await?;
        call.library.store().clear_runs(workspace).await?;
        Ok(Nothing {})
    }
}

command! {
    /// Searches, and formats the results for a language model.
    RagLookup = "rag_lookup": Query, Egress, ["chunks", "vectors"],
        remote Post "/api/v1/lookup";
    (call, input: LookupRequest) -> LookupText {
        for source_type in input.source_types.iter().flatten() {
            super::library::check_source_type(source_type)?;
        }
        Ok(call.library.search().lookup(&call.workspace, &input).await?)
    }
}

command! {
    /// The chunk of exactly one paragraph, topic or metric.
    ParagraphGet = "paragraph.get": Query, Read, ["chunks"],
        remote Get "/api/v1/paragraphs/{id}";
    (call, input: ParagraphId) -> Hit {
        first(call.library.search().paragraph(&call.workspace, &input.id, input.edition).await?, &input.id)
    }
}

command! {
    /// A block of passages within a token budget, each with its source.
    ContextAssemble = "context.assemble": Query, Read, ["chunks"],
        remote Post "/api/v1/context";
    (call, input: ContextRequest) -> ContextBlock {
        Ok(call.library.search().context(&call.workspace, &input.chunk_ids, input.max_tokens).await?)
    }
}

/// Ranks like the usual search wherever `input` says nothing.
async fn usual(call: &Call, input: &mut Value) -> Result<()> {
    if let Value::Object(fields) = input {
        call.library.search().complete(fields).await?;
    }
    Ok(())
}

fn first(hits: Vec<Hit>, id: &str) -> Result<Hit> {
    let missing =
        || ApiError::new("not_found", format!("paragraph `{id}` does not exist; ids look like S2.14(a)(iv)"));
    hits.into_iter().next().ok_or_else(missing)
}
