//! The library for agents: MCP over standard input and output, and over HTTP at `/mcp`.

mod http;
mod prompt;
mod resource;
mod stdio;
mod tool;

pub(crate) use http::Http;

use crate::caller::Granted;
use crate::served::{Served, tell_changed};
use crate::status::outward;
use http::Gone;
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams, CompleteResult,
    GetPromptRequestParams, GetPromptResponse, GetPromptResult, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ServerConfig,
};
use rmcp::service::{RequestContext, RoleServer, ServiceExt as _};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use sibyl_api::command::Nothing;
use sibyl_api::command::document::{DocumentList, DocumentQuery};
use sibyl_api::command::settings::{SettingView, SettingsGet};
use sibyl_api::door::Told;
use sibyl_api::{ApiError, Call, Command, DocumentRow, Door, Library, ProgressListener, Scope};
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::broadcast;

type McpError = rmcp::ErrorData;

/// What every agent reads first.
const INSTRUCTIONS: &str = "Sibyl holds explanations of IFRS S1, IFRS S2 and the SASB standards, and reports of companies. \
Search the standards with search_laws, reports and files with search_company_files, both with rag_lookup; fetch one \
paragraph with get_paragraph. ask answers with sources, or says that nothing was found. Quote paragraph ids and pages. \
For a first pass over an assessment take list_open_items and propose_finding: a person confirms or dismisses each proposal.";

/// What agents talk to.
#[derive(Clone)]
pub(crate) struct Agents {
    library: Library,
    workspace: String,
    /// The one report that they see.
    report: Option<String>,
    /// Tells browsers what agents change.
    told: Option<broadcast::Sender<Told>>,
}

/// Serves the library over standard input and output until the other side ends. Of reports, only `report` is seen where
/// one is named.
///
/// # Errors
/// `io` where the other side speaks no MCP.
pub async fn mcp(library: Library, workspace: String, report: Option<String>) -> Result<(), ApiError> {
    let (input, output) = stdio::pipes();
    mcp_between(input, output, library, workspace, report).await
}

/// The same with an agent that writes to `input` and reads from `output`, a message a line.
///
/// # Errors
/// As [`mcp`].
pub async fn mcp_between(
    input: impl AsyncRead + Send + Unpin + 'static,
    output: impl AsyncWrite + Send + Unpin + 'static,
    library: Library,
    workspace: String,
    report: Option<String>,
) -> Result<(), ApiError> {
    let agents = Agents { library, workspace, report, told: None };
    let broken = |error: String| ApiError::new("io", format!("the agent's connection broke: {error}"));
    let (input, output, out) = stdio::between(input, output);
    let running = agents.serve((input, output)).await.map_err(|error| broken(error.to_string()))?;
    running.waiting().await.map_err(|error| broken(error.to_string()))?;
    // Its last answers are written out. An agent that is gone reads none.
    let _ = out.await;
    Ok(())
}

/// The same over HTTP.
pub(crate) fn over_http(served: &Arc<Served>) -> Http {
    let agents = Agents {
        library: served.library.clone(),
        workspace: served.options.workspace.clone(),
        report: served.options.report.clone(),
        told: Some(served.told.clone()),
    };
    Http::new(served.clone(), agents)
}

/// Comes back once nobody waits for the answer to a call; a call that did not come over HTTP ends with its connection.
async fn left(context: &RequestContext<RoleServer>) {
    let parts = context.extensions.get::<axum::http::request::Parts>();
    match parts.and_then(|parts| parts.extensions.get::<Gone>()) {
        Some(gone) => gone.gone().await,
        None => std::future::pending().await,
    }
}

/// What the caller of a tool may do: over HTTP what its token allows. A program that somebody starts on this machine may
/// propose.
fn granted(context: &RequestContext<RoleServer>) -> Scope {
    let parts = context.extensions.get::<axum::http::request::Parts>();
    let of_token = |parts: &axum::http::request::Parts| {
        parts.extensions.get::<Granted>().map_or(Scope::Read, |granted| granted.scope)
    };
    parts.map_or(Scope::Write, of_token)
}

impl Agents {
    /// The reports that the agent sees.
    async fn reports(&self) -> Result<Vec<DocumentRow>, ApiError> {
        let mut reports =
            self.run::<DocumentList>(DocumentQuery { reports: true, ..DocumentQuery::default() }).await?;
        if self.report.is_some() {
            reports.retain(|report| report.report_id == self.report);
        }
        Ok(reports)
    }

    /// Runs command `C` as a reader may. Its answer names places on this machine's disk: no whole part of it is passed on
    /// but through [`sibyl_api::without_places`].
    async fn run<C: Command>(&self, input: C::Input) -> Result<C::Output, ApiError> {
        self.run_told::<C>(input, None).await
    }

    /// The same; `progress` hears of the way to the answer.
    async fn run_told<C: Command>(
        &self,
        input: C::Input,
        progress: Option<ProgressListener>,
    ) -> Result<C::Output, ApiError> {
        self.run_within::<C>(Scope::Read, input, progress).await
    }

    /// The same as far as `most` allows.
    async fn run_within<C: Command>(
        &self,
        most: Scope,
        input: C::Input,
        progress: Option<ProgressListener>,
    ) -> Result<C::Output, ApiError> {
        let door = Door::Remote { most };
        let call = Call { door, progress, ..Call::new(self.library.clone(), &self.workspace) };
        let id = call.request_id.clone();
        let answer = call.run::<C>(input).await.map_err(|error| outward(error, &id))?;
        if let Some(told) = &self.told {
            tell_changed(told, C::NAME);
        }
        Ok(answer)
    }

    /// Whether text of a call may go over the network: a remote model is in use, or a chat model writes answers.
    async fn reaches_out(&self) -> bool {
        if self.library.models().is_remote().await {
            return true;
        }
        let settings = self.run::<SettingsGet>(Nothing {}).await.unwrap_or_default();
        SettingView::value_of(&settings, "answer_generator")
            .is_some_and(|generator| generator != "extractive")
    }
}

/// What `value` describes, as the protocol's own type.
fn typed<T: DeserializeOwned>(value: Value) -> Result<T, McpError> {
    serde_json::from_value(value)
        .map_err(|error| McpError::internal_error(format!("an answer cannot be written: {error}"), None))
}

/// `error` as a protocol error, for what is asked for by its address.
fn refused(error: ApiError) -> McpError {
    let data = Some(json!({ "code": error.code }));
    match error.code.as_str() {
        "not_found" => McpError::resource_not_found(error.message, data),
        _ => McpError::invalid_params(error.message, data),
    }
}

impl ServerHandler for Agents {
    fn get_info(&self) -> ServerConfig {
        let described = json!({
            // Offered to a client that asks for an unknown version; a known one is spoken.
            "protocolVersion": ProtocolVersion::LATEST_WITH_INITIALIZE,
            "capabilities": { "tools": {}, "resources": {}, "prompts": {}, "completions": {} },
            "serverInfo": { "name": "sibyl", "title": "Sibyl", "version": env!("CARGO_PKG_VERSION") },
            "instructions": INSTRUCTIONS,
        });
        typed(described).unwrap_or_default()
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, McpError> {
        typed(json!({ "tools": tool::all(self.reaches_out().await) }))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, McpError> {
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let answered = tokio::select! {
            answered = tool::call(self, &request.name, arguments, &context) => answered?,
            // What was begun for it is dropped with it.
            () = context.ct.cancelled() => return Err(McpError::internal_error("cancelled", None)),
            () = left(&context) => return Err(McpError::internal_error("nobody waits for the answer", None)),
        };
        Ok(typed::<CallToolResult>(answered)?.into())
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, McpError> {
        let from = request.and_then(|request| request.cursor).and_then(|cursor| cursor.parse().ok());
        typed(resource::list(self, from.unwrap_or(0)).await.map_err(refused)?)
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, McpError> {
        typed(resource::templates())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, McpError> {
        let read = resource::read(self, &request.uri).await.map_err(refused)?;
        Ok(typed::<ReadResourceResult>(read)?.into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, McpError> {
        typed(resource::complete(self, &request).await.map_err(refused)?)
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, McpError> {
        typed(prompt::all())
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, McpError> {
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let prompt = prompt::get(self, &request.name, &arguments).await.map_err(refused)?;
        Ok(typed::<GetPromptResult>(prompt)?.into())
    }
}
