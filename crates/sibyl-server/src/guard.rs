//! Who may come in: the host that a request names, the page it comes from, its token, and its rate.

use crate::caller::{Granted, RequestId};
use crate::reply::{Operation, refusal};
use crate::served::Served;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use sibyl_api::ApiError;
use std::net::IpAddr;
use std::sync::Arc;

/// Seconds for which a browser remembers what it learnt about an origin.
const PREFLIGHT_SECONDS: &str = "600";

/// Refuses requests for another host and from foreign pages, and answers the questions of browsers.
pub(crate) async fn origin(State(served): State<Arc<Served>>, request: Request, next: Next) -> Response {
    let id = request_id(&request);
    if let Some(error) = oversized(&request) {
        return refusal(error, &id);
    }
    let host = named_host(&request);
    let known = host.as_deref().is_some_and(|host| known_host(host, &served.options.hosts));
    if !known {
        let message =
            "the request's host name is not allowed; start the server with `--allow-host NAME` to allow it";
        return refusal(ApiError::new("foreign_host", message), &id);
    }
    let Some(origin) = request.headers().get(header::ORIGIN).cloned() else {
        return next.run(request).await;
    };
    let allowed = origin.to_str().is_ok_and(|origin| {
        served.options.origins.iter().any(|known| known == origin)
            || own_page(origin, host.as_deref().unwrap_or_default())
    });
    if !allowed {
        let message =
            "web pages from that origin are not allowed; start the server with `--allow-origin ORIGIN`";
        return refusal(ApiError::new("foreign_origin", message), &id);
    }
    let asks = request.method() == Method::OPTIONS
        && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
    let mut response = if asks { preflight() } else { next.run(request).await };
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(header::VARY, HeaderValue::from_static("origin"));
    let told = HeaderValue::from_static("x-request-id, x-stream-id, retry-after, mcp-session-id");
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, told);
    response
}

/// Bytes of the longest address, and of all headers of a request together.
const LONGEST_ADDRESS: usize = 8 << 10;
const MOST_HEADERS: usize = 16 << 10;

/// Why the head of a request is refused before its contents matter: its size, or two hosts.
fn oversized(request: &Request) -> Option<ApiError> {
    let address = request.uri().path_and_query().map_or(0, |address| address.as_str().len());
    if address > LONGEST_ADDRESS {
        let message = format!(
            "the address has at most {LONGEST_ADDRESS} bytes, not {address}; send longer input in the body of a POST"
        );
        return Some(ApiError::new("address_too_long", message));
    }
    let headers = request.headers();
    let bytes: usize = headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum();
    if bytes > MOST_HEADERS {
        let message = format!("the headers have at most {MOST_HEADERS} bytes, not {bytes}; send fewer");
        return Some(ApiError::new("headers_too_large", message));
    }
    // RFC 9112, section 3.2.
    let hosts = headers.get_all(header::HOST).iter().count();
    (hosts > 1).then(|| ApiError::invalid(format!("the request has one `Host` header, not {hosts}")))
}

/// The host that a request names: in HTTP/2 it is in the address. None where address and header name two.
fn named_host<B>(request: &axum::http::Request<B>) -> Option<String> {
    let in_address = request.uri().authority().and_then(|place| place.as_str().rsplit('@').next());
    let named = match request.headers().get(header::HOST) {
        Some(host) => Some(host.to_str().ok()?),
        None => in_address,
    };
    let same = in_address.is_none_or(|place| named.is_some_and(|host| host.eq_ignore_ascii_case(place)));
    named.filter(|_| same).map(str::to_owned)
}

fn preflight() -> Response {
    let allowed =
        "authorization, content-type, last-event-id, x-request-id, mcp-session-id, mcp-protocol-version";
    let headers = [
        (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, POST, DELETE"),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, allowed),
        (header::ACCESS_CONTROL_MAX_AGE, PREFLIGHT_SECONDS),
    ];
    (StatusCode::NO_CONTENT, headers).into_response()
}

/// Whether `host` (with or without a port) is a name of this machine. An IP address is allowed: a page whose own
/// name leads here (DNS rebinding) still sends that name.
fn known_host(host: &str, named: &[String]) -> bool {
    let name = without_port(host);
    let address = name.trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost")
        || address.parse::<IpAddr>().is_ok()
        || named.iter().any(|known| known.eq_ignore_ascii_case(name))
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) && !name.ends_with(':') => name,
        _ => host,
    }
}

/// Whether `origin` is a page of this server itself.
fn own_page(origin: &str, host: &str) -> bool {
    let place = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    place.is_some_and(|place| place.eq_ignore_ascii_case(host))
}

/// Lets in who brings a token, at the pace and in the number that the server allows.
pub(crate) async fn token(State(served): State<Arc<Served>>, mut request: Request, next: Next) -> Response {
    let id = request_id(&request);
    let Some((token, scope)) = bearer(request.headers()).and_then(|given| served.options.tokens.find(given))
    else {
        // A token is too long to be guessed, so that failed attempts need no brake of their own.
        let message = "send a token of this server as `Authorization: Bearer TOKEN`";
        let mut response = refusal(ApiError::new("unauthorised", message), &id);
        response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        return response;
    };
    if !served.pace.take(token) {
        return too_many(&id);
    }
    let Ok(_room) = served.room.try_acquire() else {
        return refusal(ApiError::new("busy", "too many requests run at once; try again in a moment"), &id);
    };
    request.extensions_mut().insert(Granted { scope: scope.min(served.options.allow) });
    next.run(request).await
}

fn too_many(id: &RequestId) -> Response {
    let mut response =
        refusal(ApiError::new("too_many_requests", "too many requests; try again in a second"), id);
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
    response.extensions_mut().insert(Operation("refused"));
    response
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let given = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = given.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// The id that [`crate::observe`] gave a request.
pub(crate) fn request_id(request: &Request) -> RequestId {
    request.extensions().get().cloned().unwrap_or_else(|| RequestId(sibyl_api::request_id().into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_named_by_its_header_or_as_http_2_does_by_the_address() {
        let of = |address: &str, host: Option<&str>| {
            let request = axum::http::Request::builder().uri(address);
            let request = host.iter().fold(request, |request, host| request.header(header::HOST, *host));
            named_host(&request.body(()).unwrap())
        };
        assert_eq!(of("/health", Some("127.0.0.1:8340")).as_deref(), Some("127.0.0.1:8340"));
        assert_eq!(of("https://localhost:8340/health", None).as_deref(), Some("localhost:8340"));
        assert_eq!(of("https://localhost@evil.example/", None).as_deref(), Some("evil.example"));
        assert_eq!(of("/health", None), None);
        assert_eq!(of("https://LocalHost:8340/", Some("localhost:8340")).as_deref(), Some("localhost:8340"));
        assert_eq!(of("https://evil.example/", Some("localhost")), None);
    }

    #[test]
    fn a_machine_is_known_by_its_addresses_and_by_the_names_it_was_given() {
        let named = ["sibyl.example".to_owned()];
        for host in ["localhost:8340", "127.0.0.1:8340", "[::1]:8340", "192.168.0.7", "SIBYL.example:80"] {
            assert!(known_host(host, &named), "{host}");
        }
        for host in ["evil.example:8340", "localhost.evil.example", "", "127.0.0.1.evil.example"] {
            assert!(!known_host(host, &named), "{host}");
        }
        assert!(own_page("http://127.0.0.1:8340", "127.0.0.1:8340"));
        for origin in ["http://127.0.0.1:3000", "null", "http://evil.example"] {
            assert!(!own_page(origin, "127.0.0.1:8340"), "{origin}");
        }
    }
}
