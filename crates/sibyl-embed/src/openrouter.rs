//! The remote tier: OpenRouter, or any service that speaks OpenAI's embedding protocol.

use super::batch;
use super::{EmbedFuture, Embedder, EmbeddingError, Purpose, Space, Tier};
use crate::http::{ApiKey, Endpoint, Failure, Sleep};
use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::time::Duration;

/// Base URL of OpenRouter.
pub const OPENROUTER: &str = "https://openrouter.ai/api/v1";
/// Maximum number of texts in a request.
const BATCH_TEXTS: usize = 100;
/// Maximum number of estimated tokens in a request.
const BATCH_TOKENS: usize = 8_000;
/// Characters for an estimated token.
const CHARACTERS_A_TOKEN: usize = 4;
/// Longest text that is sent, in characters; the rest is cut off.
const LONGEST_TEXT: usize = BATCH_TOKENS * CHARACTERS_A_TOKEN;

/// Time that a query waits for its vector, all attempts together.
const QUERY_PATIENCE: Duration = Duration::from_secs(10);

/// A remote model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteModel {
    /// Base URL, such as [`OPENROUTER`].
    pub base_url: String,
    /// Name of the model.
    pub model: String,
    /// Length of its vectors.
    pub dimensions: usize,
    /// Pause between two requests.
    pub pause: Duration,
}

impl Default for RemoteModel {
    /// OpenAI's `text-embedding-3-small` (1,536 dimensions) through OpenRouter, without a pause.
    fn default() -> Self {
        Self {
            base_url: OPENROUTER.to_owned(),
            model: "openai/text-embedding-3-small".to_owned(),
            dimensions: 1_536,
            pause: Duration::ZERO,
        }
    }
}

/// A remote embedder. Its requests go out one at a time.
pub struct OpenRouter {
    space: Space,
    endpoint: Endpoint,
    pause: Duration,
}

#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    input: &'a [&'a str],
}

#[derive(Deserialize)]
struct Answer {
    data: Vec<Item>,
    /// The model that made them, if the service says so.
    #[serde(default)]
    model: Option<String>,
}

#[derive(Deserialize)]
struct Item {
    index: Option<usize>,
    embedding: Vec<f32>,
}

impl OpenRouter {
    /// An embedder with `model`. A service on this machine may do without a key.
    ///
    /// # Errors
    /// [`Error::Invalid`] for an invalid base URL, an empty model name or no dimensions.
    pub fn new(model: &RemoteModel, key: Option<ApiKey>) -> Result<Self> {
        if model.model.trim().is_empty() || model.dimensions == 0 {
            return Err(Error::Invalid(
                "a remote model needs a name and a number of dimensions; set both in Settings".to_owned(),
            ));
        }
        let endpoint = Endpoint::new(&model.base_url, key)?;
        let space = Space {
            tier: Tier::Remote,
            model: model.model.trim().to_owned(),
            endpoint: endpoint.base().to_owned(),
            revision: String::new(),
            dimensions: model.dimensions,
            window: format!("first {LONGEST_TEXT} characters"),
        };
        Ok(Self { space, endpoint, pause: model.pause })
    }

    /// The same embedder, passing time with `sleep`.
    pub fn with_sleep(self, sleep: Sleep) -> Self {
        Self { endpoint: self.endpoint.with_sleep(sleep), ..self }
    }

    /// The same embedder, giving each attempt this much time.
    pub fn with_timeout(self, attempt: Duration) -> Self {
        Self { endpoint: self.endpoint.with_timeout(attempt), ..self }
    }

    /// Asks for the vector of one short word and returns its length: whether key, model and base URL work.
    ///
    /// # Errors
    /// As [`Embedder::embed`] for a query, without a check of the dimensions.
    pub async fn probe(&self) -> std::result::Result<usize, EmbeddingError> {
        let vectors = self.in_time(self.request(&["probe"])).await?;
        Ok(vectors.first().map_or(0, Vec::len))
    }

    /// The result of `request`, if it comes before the time limit of a waiting caller.
    async fn in_time<T>(
        &self,
        request: impl Future<Output = std::result::Result<T, EmbeddingError>>,
    ) -> std::result::Result<T, EmbeddingError> {
        let too_slow = |_| EmbeddingError::TooSlow {
            endpoint: self.space.endpoint.clone(),
            seconds: QUERY_PATIENCE.as_secs(),
        };
        tokio::time::timeout(QUERY_PATIENCE, request).await.map_err(too_slow)?
    }

    async fn embed_texts(&self, texts: &[String]) -> std::result::Result<Vec<Vec<f32>>, EmbeddingError> {
        let texts: Vec<&str> = texts.iter().map(|text| cut(text)).collect();
        let mut vectors = Vec::with_capacity(texts.len());
        for batch in batches(&texts) {
            if batch.start > 0 {
                self.endpoint.pause(self.pause).await;
            }
            for vector in self.request(&texts[batch]).await? {
                vectors.push(self.checked(vector)?);
            }
        }
        Ok(vectors)
    }

    /// The vectors of one request's texts, in their order, as the provider gives them.
    async fn request(&self, texts: &[&str]) -> std::result::Result<Vec<Vec<f32>>, EmbeddingError> {
        let endpoint = || self.space.endpoint.clone();
        if self.space.endpoint == OPENROUTER && !self.endpoint.has_key() {
            return Err(EmbeddingError::NoKey { endpoint: endpoint() });
        }
        let tokens: usize = texts.iter().map(|text| estimate(text)).sum();
        tracing::info!(
            texts = texts.len(),
            tokens,
            model = self.space.model,
            "texts are sent to be embedded"
        );
        let request = Request { model: &self.space.model, input: texts };
        let answer: Answer =
            self.endpoint.post("embeddings", &request).await.map_err(|failure| self.failed(failure))?;
        self.in_order(answer, texts.len())
    }

    /// The vectors of `answer` in the order of its texts.
    fn in_order(&self, answer: Answer, texts: usize) -> std::result::Result<Vec<Vec<f32>>, EmbeddingError> {
        if answer.data.len() != texts {
            return Err(self.bad(format!("expected {texts} vectors, got {}", answer.data.len())));
        }
        if let Some(other) = answer.model.filter(|named| !is_same_model(named, &self.space.model)) {
            let asked = &self.space.model;
            return Err(self.bad(format!(
                "expected vectors of the model `{asked}`, got those of `{other}`, which cannot be compared with them; set \
                 embedding_model to the one that the service has"
            )));
        }
        let mut vectors: Vec<Option<Vec<f32>>> = vec![None; texts];
        for (place, item) in answer.data.into_iter().enumerate() {
            let index = item.index.unwrap_or(place);
            match vectors.get_mut(index) {
                Some(free @ None) => *free = Some(item.embedding),
                _ => {
                    return Err(self.bad(format!(
                        "expected each index from 0 to {} once, got {index} again",
                        texts - 1
                    )));
                }
            }
        }
        Ok(vectors.into_iter().flatten().collect())
    }

    /// `vector` scaled to length 1, if it is one of this space.
    fn checked(&self, mut vector: Vec<f32>) -> std::result::Result<Vec<f32>, EmbeddingError> {
        if vector.len() != self.space.dimensions {
            let expected = self.space.dimensions;
            return Err(
                self.bad(format!("expected vectors of {expected} dimensions, got one of {}", vector.len()))
            );
        }
        let length = vector.iter().map(|x| f64::from(*x) * f64::from(*x)).sum::<f64>().sqrt();
        if !length.is_finite() || length == 0.0 {
            return Err(self.bad("expected a vector of finite numbers, not all zero".to_owned()));
        }
        vector.iter_mut().for_each(|x| *x = (f64::from(*x) / length) as f32);
        Ok(vector)
    }

    fn failed(&self, failure: Failure) -> EmbeddingError {
        let endpoint = self.space.endpoint.clone();
        match failure {
            _ if failure.is_unauthorised() && !self.endpoint.has_key() => EmbeddingError::NoKey { endpoint },
            Failure::Status { status: status @ (401 | 403), .. } => {
                EmbeddingError::Unauthorised { endpoint, status }
            }
            Failure::Status { status, attempts, message } if attempts > 1 => {
                EmbeddingError::Provider { endpoint, status, attempts, message }
            }
            Failure::Status { status, message, .. } => EmbeddingError::Refused { endpoint, status, message },
            Failure::Unreachable { attempts, message } => {
                EmbeddingError::Unreachable { endpoint, attempts, message }
            }
            Failure::Unreadable { message } => EmbeddingError::BadAnswer { endpoint, message },
        }
    }

    fn bad(&self, message: String) -> EmbeddingError {
        EmbeddingError::BadAnswer { endpoint: self.space.endpoint.clone(), message }
    }
}

/// Whether a service that was asked for the model `asked` may call it `named`: services leave out the vendor, and add versions.
fn is_same_model(named: &str, asked: &str) -> bool {
    let short = |name: &str| name.rsplit('/').next().unwrap_or_default().trim().to_lowercase();
    let (named, asked) = (short(named), short(asked));
    named.is_empty() || named.starts_with(&asked) || asked.starts_with(&named)
}

impl Embedder for OpenRouter {
    fn space(&self) -> &Space {
        &self.space
    }

    fn embed<'a>(&'a self, texts: &'a [String], purpose: Purpose) -> EmbedFuture<'a> {
        match purpose {
            Purpose::Passage => Box::pin(self.embed_texts(texts)),
            Purpose::Query => Box::pin(self.in_time(self.embed_texts(texts))),
        }
    }

    fn pause(&self) -> Duration {
        self.pause
    }

    fn batches(&self, texts: &[String]) -> Vec<Range<usize>> {
        batches(texts)
    }
}

fn batches(texts: &[impl AsRef<str>]) -> Vec<Range<usize>> {
    let tokens: Vec<usize> = texts.iter().map(|text| estimate(text.as_ref()).min(BATCH_TOKENS)).collect();
    batch::in_order(&tokens, BATCH_TEXTS, BATCH_TOKENS)
}

/// Estimated tokens of `text`.
fn estimate(text: &str) -> usize {
    text.chars().count().div_ceil(CHARACTERS_A_TOKEN)
}

/// `text`, cut if it is longer than a request may be.
fn cut(text: &str) -> &str {
    match text.char_indices().nth(LONGEST_TEXT) {
        None => text,
        Some((end, _)) => {
            tracing::warn!(
                characters = text.chars().count(),
                kept = LONGEST_TEXT,
                "a text is too long to be embedded whole; its end is left out"
            );
            &text[..end]
        }
    }
}
