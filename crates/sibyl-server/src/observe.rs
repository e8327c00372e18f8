//! Records of each request: its id, a line in the log, counts and latencies.

use crate::body::Arriving;
use crate::caller::RequestId;
use crate::reply::Operation;
use crate::served::Served;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Version, header};
use axum::middleware::Next;
use axum::response::Response;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;
use tracing::Instrument as _;

/// Carries the id of a request, both ways.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Gives each request its id and records how it went.
pub(crate) async fn observe(State(served): State<Arc<Served>>, mut request: Request, next: Next) -> Response {
    let started = Instant::now();
    let id = RequestId(given_id(request.headers()).unwrap_or_else(sibyl_api::request_id).into());
    request.extensions_mut().insert(id.clone());
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let span = tracing::error_span!("request", request_id = &*id.0);
    let waits = request.headers().contains_key(header::EXPECT);
    let first_version = request.version() <= Version::HTTP_11;
    let (parts, body) = request.into_parts();
    let (body, came) = Arriving::new(body, waits);
    let request = Request::from_parts(parts, Body::new(body));
    let mut response = next.run(request).instrument(span).await;
    if first_version && !came.load(Ordering::Relaxed) {
        // The rest of the body would be read as the next request.
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    let operation = response.extensions().get::<Operation>().map_or("other", |operation| operation.0);
    let (status, taken) = (response.status().as_u16(), started.elapsed());
    served.metrics.count(operation, status, taken);
    let milliseconds = taken.as_secs_f64() * 1_000.0;
    tracing::info!(request_id = &*id.0, operation, %method, path, status, milliseconds, "answered");
    if let Ok(value) = HeaderValue::from_str(&id.0) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    let headers = response.headers_mut();
    headers.insert("x-content-type-options", HeaderValue::from_static("nosniff"));
    headers.entry("cache-control").or_insert(HeaderValue::from_static("no-store"));
    response
}

/// The caller's id, if it is fit for a log line.
fn given_id(headers: &HeaderMap) -> Option<String> {
    let id = headers.get(REQUEST_ID)?.to_str().ok()?;
    let fits = (1..=128).contains(&id.len())
        && id.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.:".contains(&b));
    fits.then(|| id.to_owned())
}
