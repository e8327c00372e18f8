//! The routes: every remote command of the list, the documents' own endpoints, and what a server reports of itself.

use crate::asked::Asked;
use crate::body::{MOST_FILES, MOST_JSON};
use crate::caller::Granted;
use crate::openapi::{self, Session};
use crate::reply::{Operation, json_reply, refusal, reply};
use crate::served::Served;
use crate::{contract, figures, guard, health, interface, job, mcp, observe, stream, upload};
use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{from_fn_with_state, map_response};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, MethodRouter, any, get, on};
use serde_json::{Value, json};
use sibyl_api::{ApiError, CommandKind, Method, Route};
use std::sync::Arc;

/// Everything a server answers.
pub(crate) fn router(served: Arc<Served>) -> Router {
    let http = mcp::over_http(&served);
    let agents = move |request: Request| http.clone().answer(request);
    let mut router = Router::new();
    for at in 0..served.schemas.commands.len() {
        let entry = served.schemas.commands[at].entry;
        let Some(route) = entry.route else { continue };
        let answer =
            operation(filter(route.method), entry.name, move |asked| command(asked, at, route.method));
        router = router.route(route.path, answer);
    }
    for (at, endpoint) in contract::ENDPOINTS.iter().enumerate() {
        let answer = move |asked: Asked| async move {
            let served = asked.served.clone();
            (endpoint.answer)(asked, &served.schemas.beside[at].input).await
        };
        let Route { method, path } = endpoint.route;
        router = router.route(path, operation(filter(method), endpoint.name, answer));
    }
    router = router
        .route("/api/v1/files", operation(MethodFilter::POST, "file.keep", upload::keep))
        .route("/api/v1/uploads", operation(MethodFilter::POST, "upload", upload::upload))
        .route("/api/v1/session", operation(MethodFilter::GET, "session", session))
        .route("/api/v1/events", operation(MethodFilter::GET, "events", stream::happens))
        .route("/api/v1/streams/{id}", operation(MethodFilter::DELETE, "stream.cancel", stream::cancel))
        .route("/api/v1/jobs/{id}/events", operation(MethodFilter::GET, "job.events", job::events))
        .route("/metrics", operation(MethodFilter::GET, "metrics", counted))
        .route("/mcp", any(agents).layer(map_response(of_agents)))
        .layer(from_fn_with_state(served.clone(), guard::token))
        .route("/health", get(well))
        .route("/openapi.json", get(description));
    router
        .fallback(nothing_there)
        .method_not_allowed_fallback(other_method)
        .layer(map_response(named))
        .layer(from_fn_with_state(served.clone(), guard::origin))
        .layer(from_fn_with_state(served.clone(), observe::observe))
        .with_state(served)
}

const fn filter(method: Method) -> MethodFilter {
    match method {
        Method::Get => MethodFilter::GET,
        Method::Post => MethodFilter::POST,
        Method::Delete => MethodFilter::DELETE,
    }
}

/// A route that `answer` serves.
fn operation<F, A>(method: MethodFilter, name: &'static str, answer: F) -> MethodRouter<Arc<Served>>
where
    F: Fn(Asked) -> A + Clone + Send + Sync + 'static,
    A: Future<Output = Result<Response, ApiError>> + Send + 'static,
{
    on(method, async move |State(served): State<Arc<Served>>, request: Request| {
        let id = guard::request_id(&request);
        let (parts, body) = request.into_parts();
        let Some(granted) = parts.extensions.get::<Granted>().copied() else {
            let error = ApiError::new("unauthorised", "send a token of this server");
            return reply(name, Err(error), &id);
        };
        let answer =
            answer(Asked { served, granted, id: id.clone(), parts, body: body.into(), turn: None }).await;
        reply(name, answer, &id)
    })
}

/// Runs the command at `at` of those that have a schema.
async fn command(mut asked: Asked, at: usize, method: Method) -> Result<Response, ApiError> {
    let served = asked.served.clone();
    let described = &served.schemas.commands[at];
    let entry = described.entry;
    // A caller who may not run it learns nothing about its answer.
    asked.served.call(asked.granted, &asked.id).door.admit(entry)?;
    let most = if entry.takes_files { MOST_FILES } else { MOST_JSON };
    let fields = Value::Object(asked.fields(method, most, &described.input).await?);
    if entry.kind == CommandKind::Stream && stream::wanted(&asked.parts.headers) {
        return stream::command(&asked, entry.name, fields).await;
    }
    Ok(json_reply(StatusCode::OK, &asked.dispatch(entry.name, fields).await?))
}

async fn well(State(served): State<Arc<Served>>) -> Response {
    let mut response = health::health(&served).await;
    response.extensions_mut().insert(Operation("health"));
    response
}

async fn description(State(served): State<Arc<Served>>) -> Response {
    let mut response = json_reply(StatusCode::OK, &openapi::described(&served.schemas));
    response.extensions_mut().insert(Operation("openapi"));
    response
}

async fn counted(asked: Asked) -> Result<Response, ApiError> {
    let text = figures::text(&asked.served, asked.granted, &asked.id).await?;
    let mut response = text.into_response();
    let kind = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    Ok(response)
}

/// What a token may do, and where.
async fn session(asked: Asked) -> Result<Response, ApiError> {
    let session = Session {
        scope: asked.granted.scope,
        workspace: asked.served.options.workspace.clone(),
        version: env!("CARGO_PKG_VERSION"),
    };
    Ok(json_reply(StatusCode::OK, &json!(session)))
}

/// A file of the interface, or the answer that it does not exist.
async fn nothing_there(State(served): State<Arc<Served>>, request: Request) -> Response {
    let interface = served.options.interface.as_ref();
    let file = |interface| interface::file(interface, request.method(), request.uri().path());
    if let Some(file) = interface.and_then(file) {
        return file;
    }
    let message = format!("{} answers nothing", request.uri().path());
    refusal(ApiError::new("not_found", message), &guard::request_id(&request))
}

async fn other_method(request: Request) -> Response {
    let (path, method) = (request.uri().path(), request.method());
    let message = format!("{path} does not accept {method}; `sibyl serve --openapi` lists the methods");
    refusal(ApiError::new("method_not_allowed", message), &guard::request_id(&request))
}

async fn of_agents(mut response: Response) -> Response {
    response.extensions_mut().insert(Operation("mcp"));
    response
}

/// What refuses before any handler is called by no name of a command.
async fn named(mut response: Response) -> Response {
    if response.extensions().get::<Operation>().is_none() {
        response.extensions_mut().insert(Operation("refused"));
    }
    response
}
