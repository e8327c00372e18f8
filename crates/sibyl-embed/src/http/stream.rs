//! Answers that come in pieces: server-sent events (WHATWG HTML, section 9.2).

use super::{Endpoint, Failed, Failure, causes, error_in_body, retry_after};
use reqwest::{RequestBuilder, Response};
use serde::Serialize;
use std::time::{Duration, SystemTime};

/// The most bytes of a single event.
const LARGEST_EVENT: usize = 1 << 20;

/// How long a stream is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// Until it begins to answer.
    pub first: Duration,
    /// Between two pieces.
    pub silence: Duration,
}

impl Default for Patience {
    /// 60 s until it begins, 30 s between two pieces.
    fn default() -> Self {
        Self { first: Duration::from_secs(60), silence: Duration::from_secs(30) }
    }
}

/// Why a stream ended before its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Broken {
    /// Nothing came for so long.
    Silent(Duration),
    /// The connection was lost.
    Lost(String),
}

/// An answer that is coming in.
pub struct EventStream {
    response: Response,
    buffer: Vec<u8>,
    patience: Patience,
    begun: bool,
    ended: bool,
}

impl Endpoint {
    /// Posts `body` to `path` below the base URL and gives the stream of the answer. If a provider could not be
    /// reached or answers with a status that may pass, it tries again as [`Endpoint::post`] does. It does not repeat
    /// a request that may have been taken up, so nothing is paid for twice.
    ///
    /// # Errors
    /// [`Failure`] after the last attempt.
    pub async fn stream(
        &self,
        path: &str,
        body: &(impl Serialize + Sync),
        patience: Patience,
    ) -> Result<EventStream, Failure> {
        let attempt = |request, attempts| self.begin(request, attempts, patience);
        self.patiently(path, Some(body), attempt).await
    }

    /// One attempt.
    async fn begin(
        &self,
        request: RequestBuilder,
        attempts: u32,
        patience: Patience,
    ) -> Result<EventStream, Failed> {
        let sent = tokio::time::timeout(patience.first, request.send()).await;
        let response = match sent {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => {
                let again = error.is_connect();
                let message = self.redact(&causes(&error.without_url()));
                return Err((Failure::Unreachable { attempts, message }, None, again));
            }
            Err(_) => {
                let message = format!("no answer within {} s", patience.first.as_secs_f64());
                return Err((Failure::Unreachable { attempts, message }, None, false));
            }
        };
        let status = response.status();
        let streams = response
            .headers()
            .get("content-type")
            .and_then(|value| value.to_str().ok())
            .is_some_and(|value| value.starts_with("text/event-stream"));
        if status.is_success() && streams {
            return Ok(EventStream { response, buffer: Vec::new(), patience, begun: false, ended: false });
        }
        let asked = retry_after(response.headers(), SystemTime::now());
        let answer = tokio::time::timeout(patience.silence, response.bytes()).await;
        let answer = answer.ok().and_then(Result::ok).unwrap_or_default();
        let status = if status.is_success() { error_in_body(&answer) } else { Some(status.as_u16()) };
        let failure = match status {
            Some(status) => Failure::Status { status, attempts, message: self.words(&answer) },
            None => Failure::Unreadable {
                message: format!("expected a stream of events; the answer begins {:?}", self.words(&answer)),
            },
        };
        let again = failure.is_transient();
        Err((failure, asked, again))
    }
}

impl EventStream {
    /// The data of the next event; `None` at the end of the stream.
    ///
    /// # Errors
    /// [`Broken`] where the provider falls silent or the connection is lost.
    pub async fn next(&mut self) -> Result<Option<String>, Broken> {
        loop {
            if let Some(event) = self.take() {
                if let Some(data) = data(&event) {
                    return Ok(Some(data));
                }
                continue;
            }
            if self.ended {
                return Ok(None);
            }
            if self.buffer.len() > LARGEST_EVENT {
                return Err(Broken::Lost(format!("an event of more than {LARGEST_EVENT} bytes")));
            }
            let wait = if self.begun { self.patience.silence } else { self.patience.first };
            match tokio::time::timeout(wait, self.response.chunk()).await {
                Err(_) => return Err(Broken::Silent(wait)),
                Ok(Err(error)) => return Err(Broken::Lost(causes(&error.without_url()))),
                Ok(Ok(None)) => self.ended = true,
                Ok(Ok(Some(part))) => {
                    self.begun = true;
                    self.buffer.extend_from_slice(&part);
                }
            }
        }
    }

    /// The next whole event of the buffer: lines up to an empty one.
    fn take(&mut self) -> Option<String> {
        let mut at = 0;
        loop {
            let line = self.buffer[at..].iter().position(|&b| b == b'\n')?;
            let text = &self.buffer[at..at + line];
            let empty = text.is_empty() || text == b"\r";
            at += line + 1;
            if empty {
                let event: Vec<u8> = self.buffer.drain(..at).collect();
                return Some(String::from_utf8_lossy(&event).into_owned());
            }
        }
    }
}

/// The data lines of an event; `None` for a comment.
fn data(event: &str) -> Option<String> {
    let lines: Vec<&str> = event
        .lines()
        .filter_map(|line| line.strip_prefix("data:"))
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::data;

    #[test]
    fn an_event_is_its_data_lines() {
        assert_eq!(data("data: {\"a\":1}\n\n").unwrap(), "{\"a\":1}");
        assert_eq!(data("event: x\r\ndata:a\r\ndata: b\r\n\r\n").unwrap(), "a\nb");
        assert_eq!(data(": OPENROUTER PROCESSING\n\n"), None);
    }
}
