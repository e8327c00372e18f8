//! MCP over HTTP: what is settled before the protocol's own service and after it. Host, origin and token were seen to.

use super::Agents;
use crate::body::{self, MOST_JSON, Whole};
use crate::guard::request_id;
use crate::kept::GRACE;
use crate::reply::{json_reply, refusal};
use crate::served::Served;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use http_body::{Frame, SizeHint};
use parking_lot::Mutex;
use rmcp::transport::streamable_http_server::session::SessionManager as _;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Value, json};
use sibyl_api::ApiError;
use std::collections::HashMap;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::sync::Notify;

const SESSION: &str = "mcp-session-id";
/// How long it is remembered that a session was heard of.
const REMEMBERED: Duration = Duration::from_secs(60);

/// Codes of JSON-RPC 2.0, section 5.1.
const PARSE_ERROR: i32 = -32_700;
pub(super) const INVALID_REQUEST: i32 = -32_600;
const INVALID_PARAMS: i32 = -32_602;

/// Tells a call that nobody waits for its answer any more.
#[derive(Clone, Default)]
pub(super) struct Gone(Arc<Notify>);

impl Gone {
    /// Comes back once nobody waits.
    pub(super) async fn gone(&self) {
        self.0.notified().await;
    }
}

/// The door for agents.
#[derive(Clone)]
pub(crate) struct Http {
    served: Arc<Served>,
    service: StreamableHttpService<Agents, LocalSessionManager>,
    sessions: Arc<LocalSessionManager>,
    heard: Arc<Heard>,
}

/// When each session was heard of last.
#[derive(Default)]
struct Heard(Mutex<HashMap<String, Instant>>);

impl Heard {
    fn note(&self, session: &str) {
        let mut heard = self.0.lock();
        heard.retain(|_, last| last.elapsed() < REMEMBERED);
        heard.insert(session.to_owned(), Instant::now());
    }

    fn since(&self, session: &str, moment: Instant) -> bool {
        self.0.lock().get(session).is_some_and(|last| *last > moment)
    }
}

impl Http {
    /// The door of `served`, behind which are `agents`.
    pub(super) fn new(served: Arc<Served>, agents: Agents) -> Self {
        let config = StreamableHttpServerConfig::default().disable_allowed_hosts();
        let closing = config.cancellation_token.clone();
        let ends = served.clone();
        tokio::spawn(async move {
            ends.closed().await;
            closing.cancel();
        });
        let sessions: Arc<LocalSessionManager> = LocalSessionManager::default().into();
        let service = StreamableHttpService::new(move || Ok(agents.clone()), sessions.clone(), config);
        Self { served, service, sessions, heard: Arc::default() }
    }

    /// Answers a request at `/mcp`.
    pub(crate) async fn answer(self, request: Request) -> Response {
        let session = named_session(request.headers());
        if let Some(session) = &session {
            self.heard.note(session);
        }
        match *request.method() {
            Method::POST => self.message(request, session).await,
            Method::DELETE => self.end(request, session).await,
            _ => self.service.handle(request).await.into_response(),
        }
    }

    /// A message. What is none is answered as JSON-RPC says.
    async fn message(&self, request: Request, session: Option<String>) -> Response {
        if !is_json(request.headers()) {
            return self.service.handle(request).await.into_response();
        }
        let id = request_id(&request);
        let (parts, body) = request.into_parts();
        let Whole { bytes, turn } = match body::whole(body, MOST_JSON, &self.served.large).await {
            Ok(whole) => whole,
            Err(error) => return refusal(error, &id),
        };
        let response = match batch(&bytes) {
            Some(messages) => self.answers(&parts, messages, session.as_ref()).await,
            None => self.one(parts, bytes.into(), session).await,
        };
        drop(turn);
        response
    }

    /// Answers the messages of a batch one after the other, each in an event of one stream.
    async fn answers(&self, parts: &Parts, messages: Vec<Vec<u8>>, session: Option<&String>) -> Response {
        let mut events = Vec::new();
        for message in messages {
            let answer = self.one(parts.clone(), message.into(), session.cloned()).await;
            let (status, json) = (answer.status(), is_json(answer.headers()));
            if !status.is_success() && !json {
                return answer;
            }
            match axum::body::to_bytes(answer.into_body(), MOST_JSON).await {
                Ok(body) if json => events.extend([b"data: ", &*body, b"\n\n"].concat()),
                Ok(body) => events.extend(body),
                Err(fault) => {
                    tracing::warn!(%fault, "the rest of a batch of messages is not answered");
                    break;
                }
            }
        }
        if events.is_empty() {
            return StatusCode::ACCEPTED.into_response();
        }
        ([(header::CONTENT_TYPE, "text/event-stream")], events).into_response()
    }

    /// Answers one message.
    async fn one(&self, mut parts: Parts, bytes: Bytes, session: Option<String>) -> Response {
        let id = match message_id(&bytes) {
            Ok(id) => id,
            Err(error) => return json_reply(StatusCode::BAD_REQUEST, &error),
        };
        let gone = Gone::default();
        parts.extensions.insert(gone.clone());
        let response = self.service.handle(Request::from_parts(parts, Body::from(bytes))).await;
        if response.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE {
            let message = "the message is neither a request nor a notification nor a response of MCP";
            return json_reply(StatusCode::BAD_REQUEST, &error(&id, INVALID_REQUEST, message));
        }
        let heard = self.heard.clone();
        response
            .map(|body| {
                Body::new(Awaited { body: Body::new(body), left: Some(Left { gone, session, heard }) })
            })
            .into_response()
    }

    /// Ends a session.
    async fn end(&self, request: Request, session: Option<String>) -> Response {
        let id = request_id(&request);
        let Some(session) = session else {
            return refusal(ApiError::invalid("name the session that is to end: `Mcp-Session-Id`"), &id);
        };
        match self.sessions.has_session(&session.into()).await {
            Ok(true) => {}
            Ok(false) => return refusal(ApiError::new("not_found", "there is no such session"), &id),
            Err(error) => return refusal(ApiError::new("internal", error.to_string()), &id),
        }
        let ended = self.service.handle(request).await;
        if ended.status().is_success() {
            StatusCode::NO_CONTENT.into_response()
        } else {
            ended.into_response()
        }
    }
}

fn named_session(headers: &HeaderMap) -> Option<String> {
    headers.get(SESSION).and_then(|id| id.to_str().ok()).map(str::to_owned)
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

/// The id of the message that `bytes` are, `null` where it has none; or the answer to what is no message.
pub(super) fn message_id(bytes: &[u8]) -> Result<Value, Value> {
    let message: Value = serde_json::from_slice(bytes).map_err(|fault| {
        error(&Value::Null, PARSE_ERROR, &format!("the message is not valid JSON: {fault}"))
    })?;
    let id = message.get("id").filter(|id| id.is_string() || id.is_number()).cloned().unwrap_or_default();
    let known = ["method", "result", "error"].iter().any(|part| message.get(part).is_some());
    if message["jsonrpc"] != "2.0" || !known {
        let message = "a message is one JSON object with \"jsonrpc\": \"2.0\" and a method";
        return Err(error(&id, INVALID_REQUEST, message));
    }
    if message["method"] == "initialize" && !message["params"]["protocolVersion"].is_string() {
        let message =
            "`initialize` names its protocol version as a string: \"protocolVersion\": \"2025-06-18\"";
        return Err(error(&id, INVALID_PARAMS, message));
    }
    Ok(id)
}

/// The messages of a batch, which the protocol of March 2025 asks for; `None` where `bytes` are none.
pub(super) fn batch(bytes: &[u8]) -> Option<Vec<Vec<u8>>> {
    let messages: Vec<Value> = serde_json::from_slice(bytes).ok()?;
    let written = |message: &Value| message.to_string().into_bytes();
    (!messages.is_empty()).then(|| messages.iter().map(written).collect())
}

pub(super) fn error(id: &Value, code: i32, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

/// The answer to a message, as long as somebody waits for it.
struct Awaited {
    body: Body,
    left: Option<Left>,
}

/// What happens where nobody waits any more.
struct Left {
    gone: Gone,
    session: Option<String>,
    heard: Arc<Heard>,
}

impl HttpBody for Awaited {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = std::task::ready!(Pin::new(&mut self.body).poll_frame(context));
        if frame.is_none() {
            self.left = None;
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Awaited {
    fn drop(&mut self) {
        if self.body.is_end_stream() {
            return;
        }
        let Some(Left { gone, session, heard }) = self.left.take() else { return };
        let moment = Instant::now();
        tokio::spawn(async move {
            tokio::time::sleep(GRACE).await;
            // An agent that lost its connection and is there again may still read the answer.
            if !session.is_some_and(|session| heard.since(&session, moment)) {
                gone.0.notify_one();
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_message_is_answered_as_json_rpc_says() {
        for (bytes, id, code) in [
            (&b"{"[..], Value::Null, Some(PARSE_ERROR)),
            (b"", Value::Null, Some(PARSE_ERROR)),
            (b"\xff", Value::Null, Some(PARSE_ERROR)),
            (b"[]", Value::Null, Some(INVALID_REQUEST)),
            (b"5", Value::Null, Some(INVALID_REQUEST)),
            (br#"{"id":4,"method":"ping"}"#, json!(4), Some(INVALID_REQUEST)),
            (br#"{"jsonrpc":"2.0","id":"a"}"#, json!("a"), Some(INVALID_REQUEST)),
            (br#"{"jsonrpc":"2.0","id":[4],"method":"ping"}"#, Value::Null, None),
            (br#"{"jsonrpc":"2.0","id":4,"method":"ping"}"#, json!(4), None),
            (
                br#"{"jsonrpc":"2.0","id":4,"method":"initialize","params":{"protocolVersion":5}}"#,
                json!(4),
                Some(INVALID_PARAMS),
            ),
        ] {
            let text = String::from_utf8_lossy(bytes);
            match (message_id(bytes), code) {
                (Ok(found), None) => assert_eq!(found, id, "{text}"),
                (Err(told), Some(code)) => {
                    assert_eq!((&told["id"], &told["error"]["code"]), (&id, &json!(code)), "{text}");
                }
                (other, _) => panic!("{text}: {other:?}"),
            }
        }
    }
}
