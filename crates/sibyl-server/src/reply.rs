//! Answers as HTTP.

use crate::caller::RequestId;
use crate::status::{outward, status_of};
use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use serde_json::{Value, json};
use sibyl_api::ApiError;

/// What a response answers, in logs and metrics.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Operation(pub &'static str);

/// `value` with `status`.
pub(crate) fn json_reply(status: StatusCode, value: &Value) -> Response {
    let mut response = Response::new(Body::from(value.to_string()));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// `error` as others may read it: `{"error": {"code", "message"}}` with its status.
pub(crate) fn refusal(error: ApiError, request_id: &RequestId) -> Response {
    let error = outward(error, &request_id.0);
    json_reply(status_of(&error.code), &json!({ "error": error }))
}

/// The response to `operation`.
pub(crate) fn reply(
    operation: &'static str,
    answer: Result<Response, ApiError>,
    request_id: &RequestId,
) -> Response {
    let mut response = answer.unwrap_or_else(|error| refusal(error, request_id));
    response.extensions_mut().insert(Operation(operation));
    response
}
