//! The one HTTP client of the engine: JSON asked of a provider, with its key, patience and manners.

mod key;
mod stream;

pub use key::ApiKey;
pub use stream::{Broken, EventStream, Patience};

use crate::{Error, Result};
use reqwest::header::{HeaderMap, RETRY_AFTER};
use reqwest::{Client, RequestBuilder, Url};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, SystemTime};
use tokio::sync::Mutex;

/// Pauses before the second, third and fourth attempt.
const WAITS: [Duration; 3] = [Duration::from_secs(1), Duration::from_secs(2), Duration::from_secs(4)];
/// HTTP statuses after which the same request may succeed.
const TRANSIENT: [u16; 5] = [429, 500, 502, 503, 504];
/// The longest wait that a provider may ask for with `Retry-After`.
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// Time for a connection, and for a whole attempt.
const CONNECT: Duration = Duration::from_secs(10);
const ATTEMPT: Duration = Duration::from_secs(120);
/// The largest answer that is read.
const LARGEST_ANSWER: usize = 64 << 20;
/// Longest piece of a provider's own words in a message, in characters.
const LONGEST_MESSAGE: usize = 300;

/// Passes time. Replaced where nobody wants to wait.
pub type Sleep = Arc<dyn Fn(Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

/// A provider: base URL and key. Its requests go out one at a time.
pub struct Endpoint {
    base: String,
    key: Option<ApiKey>,
    client: Client,
    attempt: Duration,
    sleep: Sleep,
    turn: Mutex<()>,
}

/// Why a request brought no answer. No part of it holds the key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The provider answered with an error, after all attempts where it was one that may pass.
    Status {
        /// HTTP status.
        status: u16,
        /// Attempts made.
        attempts: u32,
        /// The provider's own words, shortened.
        message: String,
    },
    /// The provider could not be reached, or the connection was lost, in every attempt.
    Unreachable {
        /// Attempts made.
        attempts: u32,
        /// The cause.
        message: String,
    },
    /// The answer is not the JSON that was expected.
    Unreadable {
        /// What was expected and what came.
        message: String,
    },
}

/// Why an attempt failed, the wait that the provider asks for, and whether another may be made.
type Failed = (Failure, Option<Duration>, bool);

impl Failure {
    /// Whether the key, or the want of one, is the cause.
    pub fn is_unauthorised(&self) -> bool {
        matches!(self, Self::Status { status: 401 | 403, .. })
    }

    /// Whether the same request may succeed later.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Status { status, .. } => TRANSIENT.contains(status),
            Self::Unreachable { .. } => true,
            Self::Unreadable { .. } => false,
        }
    }
}

impl Endpoint {
    /// The provider at `base`, such as `https://openrouter.ai/api/v1`.
    ///
    /// # Errors
    /// [`Error::Invalid`] where `base` is no http or https URL, holds a user name or password, or is an http URL of
    /// another machine.
    pub fn new(base: &str, key: Option<ApiKey>) -> Result<Self> {
        let wrong = |why: &str| {
            Error::Invalid(format!("the base URL of a provider must be {why}; correct it in Settings"))
        };
        let url = Url::parse(base.trim())
            .map_err(|e| wrong(&format!("a URL such as https://openrouter.ai/api/v1 ({e})")))?;
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return Err(wrong("an http or https URL"));
        }
        if !url.username().is_empty() || url.password().is_some() || url.query().is_some() {
            return Err(wrong("free of user names, passwords and queries: the key has its own field"));
        }
        let local = is_loopback(&url);
        if url.scheme() == "http" && !local {
            return Err(wrong(
                "an https URL or one on this computer: over http, anyone on the way could read the key and the texts",
            ));
        }
        let base = url.as_str().trim_end_matches('/').to_owned();
        let sleep: Sleep = Arc::new(|time| Box::pin(tokio::time::sleep(time)));
        Ok(Self { base, key, client: client(local)?, attempt: ATTEMPT, sleep, turn: Mutex::default() })
    }

    /// The same provider, passing time with `sleep`.
    pub fn with_sleep(self, sleep: Sleep) -> Self {
        Self { sleep, ..self }
    }

    /// The same provider, giving each attempt this much time; 120 s if not set.
    pub fn with_timeout(self, attempt: Duration) -> Self {
        Self { attempt, ..self }
    }

    /// The base URL, without a slash at its end.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Whether there is a key.
    pub fn has_key(&self) -> bool {
        self.key.is_some()
    }

    /// Waits this long, as the provider's attempts do.
    pub async fn pause(&self, time: Duration) {
        if !time.is_zero() {
            (self.sleep)(time).await;
        }
    }

    /// Posts `body` to `path` below the base URL and reads the JSON answer. After a status that may pass or a lost
    /// connection it tries again. It waits 1, 2 and 4 s, or as long as the provider asks, up to a minute.
    ///
    /// # Errors
    /// [`Failure`] after the last attempt.
    pub async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &(impl Serialize + Sync),
    ) -> std::result::Result<T, Failure> {
        self.ask(path, Some(body)).await
    }

    /// Reads the JSON at `path` below the base URL, with the patience of [`Endpoint::post`].
    ///
    /// # Errors
    /// As [`Endpoint::post`].
    pub async fn get<T: DeserializeOwned>(&self, path: &str) -> std::result::Result<T, Failure> {
        self.ask(path, None::<&()>).await
    }

    /// Posts `body`, or gets where there is none.
    async fn ask<T: DeserializeOwned>(
        &self,
        path: &str,
        body: Option<&(impl Serialize + Sync)>,
    ) -> std::result::Result<T, Failure> {
        let attempt = |request, attempts| self.attempt(request, attempts);
        self.read(&self.patiently(path, body, attempt).await?)
    }

    /// Makes requests to `path`, each a numbered attempt, until one succeeds or there is no use in another.
    async fn patiently<T, A: Future<Output = std::result::Result<T, Failed>>>(
        &self,
        path: &str,
        body: Option<&(impl Serialize + Sync)>,
        attempt: impl Fn(RequestBuilder, u32) -> A,
    ) -> std::result::Result<T, Failure> {
        let body = body.map(serde_json::to_vec).transpose();
        let body = body
            .map_err(|e| Failure::Unreadable { message: format!("the request could not be written: {e}") })?;
        let url = format!("{}/{path}", self.base);
        let mut attempts = 0;
        loop {
            attempts += 1;
            let mut request = match body.clone() {
                Some(body) => self.client.post(&url).body(body).header("Content-Type", "application/json"),
                None => self.client.get(&url),
            };
            if let Some(key) = &self.key {
                request = request.header("Authorization", key.bearer());
            }
            let (failure, asked, again) = match attempt(request, attempts).await {
                Ok(answer) => return Ok(answer),
                Err(failed) => failed,
            };
            let wait = WAITS.get(attempts as usize - 1).filter(|_| again);
            let Some(&wait) = wait else { return Err(failure) };
            let wait = wait.max(asked.unwrap_or_default().min(LONGEST_WAIT));
            tracing::warn!(url, attempts, ?failure, ?wait, "a provider failed and is asked again");
            self.pause(wait).await;
        }
    }

    /// One attempt, in its turn: the body of a good answer.
    async fn attempt(&self, request: RequestBuilder, attempts: u32) -> std::result::Result<Vec<u8>, Failed> {
        let _turn = self.turn.lock().await;
        let lost = |error: reqwest::Error| {
            let message = self.redact(&causes(&error.without_url()));
            (Failure::Unreachable { attempts, message }, None, true)
        };
        let mut response = request.timeout(self.attempt).send().await.map_err(lost)?;
        let status = response.status();
        let asked = retry_after(response.headers(), SystemTime::now());
        let mut answer = Vec::new();
        while let Some(part) = response.chunk().await.map_err(lost)? {
            if answer.len() + part.len() > LARGEST_ANSWER {
                let message = format!("expected at most {LARGEST_ANSWER} bytes, got more");
                return Err((Failure::Unreadable { message }, None, false));
            }
            answer.extend_from_slice(&part);
        }
        let status = if status.is_success() { error_in_body(&answer) } else { Some(status.as_u16()) };
        let Some(status) = status else { return Ok(answer) };
        let failure = Failure::Status { status, attempts, message: self.words(&answer) };
        let again = failure.is_transient();
        Err((failure, asked, again))
    }

    fn read<T: DeserializeOwned>(&self, answer: &[u8]) -> std::result::Result<T, Failure> {
        serde_json::from_slice(answer).map_err(|error| Failure::Unreadable {
            message: format!(
                "expected JSON in another form ({}); the answer begins {:?}",
                // It quotes the value that it stumbled over.
                self.redact(&error.to_string()).chars().take(LONGEST_MESSAGE).collect::<String>(),
                self.words(answer)
            ),
        })
    }

    /// What the provider says in `answer`: its error message, or its first words.
    fn words(&self, answer: &[u8]) -> String {
        let value: serde_json::Value = serde_json::from_slice(answer).unwrap_or_default();
        let said = ["/error/message", "/message", "/detail", "/error"];
        let said = said.iter().find_map(|path| value.pointer(path)?.as_str().map(str::to_owned));
        // The key goes before anything is shortened, so that no half of it slips through.
        let said = self.redact(&said.unwrap_or_else(|| String::from_utf8_lossy(answer).into_owned()));
        let said: Vec<&str> = said.split_whitespace().take(LONGEST_MESSAGE).collect();
        said.join(" ").chars().take(LONGEST_MESSAGE).collect()
    }

    fn redact(&self, text: &str) -> String {
        self.key.as_ref().map_or_else(|| text.to_owned(), |key| key.redact(text))
    }
}

/// The status in the body of an answer that calls itself good: routers pass on the failure of a host that way.
fn error_in_body(answer: &[u8]) -> Option<u16> {
    if answer.len() > 64 << 10 {
        return None;
    }
    let value: serde_json::Value = serde_json::from_slice(answer).ok()?;
    let error = value.get("error").filter(|error| !error.is_null())?;
    let code = error.get("code").and_then(serde_json::Value::as_u64);
    Some(code.and_then(|code| u16::try_from(code).ok()).filter(|code| *code >= 400).unwrap_or(502))
}

/// The wait that a provider asks for, in seconds or up to a date (RFC 9110, section 10.2.3).
fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = value.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    httpdate::parse_http_date(value).ok()?.duration_since(now).ok()
}

/// An error with its causes: the first words alone often say nothing.
fn causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        source = cause.source();
    }
    text
}

/// Whether `base` is the URL of a provider on this machine: what is sent there does not leave it.
pub fn is_local(base: &str) -> bool {
    Url::parse(base.trim()).is_ok_and(|url| is_loopback(&url))
}

fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// The client for providers on this machine, which no proxy can reach, or for all others.
fn client(local: bool) -> Result<Client> {
    static CLIENTS: [OnceLock<Client>; 2] = [OnceLock::new(), OnceLock::new()];
    let cell = &CLIENTS[usize::from(local)];
    if let Some(client) = cell.get() {
        return Ok(client.clone());
    }
    // Another part of the program may have chosen before; its choice serves as well.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = Client::builder()
        .user_agent(concat!("sibyl/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT)
        // The key goes nowhere but where the user sent it.
        .redirect(reqwest::redirect::Policy::none());
    let builder = if local { builder.no_proxy() } else { builder };
    let client = builder.build().map_err(|e| {
        Error::Invalid(format!(
            "the HTTP client could not be created: {}; check the proxy settings",
            causes(&e)
        ))
    })?;
    Ok(cell.get_or_init(|| client).clone())
}

#[cfg(test)]
mod tests;
