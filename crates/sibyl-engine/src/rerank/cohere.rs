//! Reranking over HTTP with Cohere's protocol, which OpenRouter, Jina, vLLM and local servers speak too.

use super::{RerankError, RerankFuture, Reranker};
use crate::embed::Result;
use crate::http::{ApiKey, Endpoint, Failure, is_local};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Time that a search waits for a reranker, all attempts together. After that the fused order stays.
pub const PATIENCE: Duration = Duration::from_secs(8);

/// A reranker behind `POST {base}/rerank`.
pub struct Cohere {
    endpoint: Endpoint,
    model: String,
    name: String,
    local: bool,
    patience: Duration,
}

#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    query: &'a str,
    documents: &'a [String],
    top_n: usize,
}

#[derive(Deserialize)]
struct Answer {
    results: Vec<Scored>,
}

#[derive(Deserialize)]
struct Scored {
    index: usize,
    relevance_score: f64,
}

impl Cohere {
    /// The reranker `model` at `base`, such as `https://openrouter.ai/api/v1`.
    ///
    /// # Errors
    /// [`Error::Invalid`](crate::embed::Error::Invalid) if `base` is no URL of a provider.
    pub fn new(base: &str, model: &str, key: Option<ApiKey>) -> Result<Self> {
        let endpoint = Endpoint::new(base, key)?;
        Ok(Self {
            local: is_local(endpoint.base()),
            name: format!("{model} at {}", endpoint.base()),
            model: model.to_owned(),
            endpoint,
            patience: PATIENCE,
        })
    }

    /// The same reranker with this time limit for all attempts together; 8 s by default.
    pub fn with_patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    async fn ask(&self, query: &str, texts: &[String]) -> std::result::Result<Vec<f64>, RerankError> {
        let endpoint = || self.endpoint.base().to_owned();
        if !self.local && !self.endpoint.has_key() {
            return Err(RerankError::NoKey { endpoint: endpoint() });
        }
        let request = Request { model: &self.model, query, documents: texts, top_n: texts.len() };
        let answer =
            tokio::time::timeout(self.patience, self.endpoint.post::<Answer>("rerank", &request)).await;
        let answer = match answer {
            Err(_) => {
                let message = format!("no answer within {} s", self.patience.as_secs_f64());
                return Err(RerankError::Provider { endpoint: endpoint(), message });
            }
            Ok(Err(Failure::Status { status: status @ (401 | 403), .. })) => {
                return Err(RerankError::Unauthorised { endpoint: endpoint(), status });
            }
            Ok(Err(Failure::Status { status, attempts, message })) => {
                let message = format!("HTTP {status} after {attempts} attempts: {message}");
                return Err(RerankError::Provider { endpoint: endpoint(), message });
            }
            Ok(Err(Failure::Unreachable { attempts, message })) => {
                let message = format!("it could not be reached in {attempts} attempts: {message}");
                return Err(RerankError::Provider { endpoint: endpoint(), message });
            }
            Ok(Err(Failure::Unreadable { message })) => {
                return Err(RerankError::BadAnswer { endpoint: endpoint(), message });
            }
            Ok(Ok(answer)) => answer,
        };
        scores(&answer.results, texts.len())
            .map_err(|message| RerankError::BadAnswer { endpoint: endpoint(), message })
    }
}

impl Reranker for Cohere {
    fn name(&self) -> &str {
        &self.name
    }
    fn is_remote(&self) -> bool {
        !self.local
    }
    fn rerank<'a>(&'a self, query: &'a str, texts: &'a [String]) -> RerankFuture<'a> {
        Box::pin(self.ask(query, texts))
    }
}

/// One finite score for each of `count` texts, in their order, limited to 0–1.
fn scores(results: &[Scored], count: usize) -> std::result::Result<Vec<f64>, String> {
    let mut scores = vec![None; count];
    for result in results {
        if !result.relevance_score.is_finite() {
            return Err(format!("expected a finite score, got {}", result.relevance_score));
        }
        match scores.get_mut(result.index) {
            None => return Err(format!("expected an index below {count}, got {}", result.index)),
            Some(Some(_)) => return Err(format!("got the index {} twice", result.index)),
            Some(slot) => *slot = Some(result.relevance_score.clamp(0.0, 1.0)),
        }
    }
    let given = scores.iter().flatten().count();
    let all: Option<Vec<f64>> = scores.into_iter().collect();
    all.ok_or_else(|| format!("expected {count} scores, got {given}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sibyl_loopback::{Behaviour, Options, Provider};

    fn texts() -> Vec<String> {
        ["water withdrawal", "carbon credits and targets", "board oversight"].map(str::to_owned).to_vec()
    }

    fn cohere(provider: &Provider) -> Cohere {
        Cohere::new(&provider.url(), "rerank-v4.0-pro", ApiKey::new("secret-key"))
            .unwrap()
            .with_patience(Duration::from_millis(600))
    }

    #[tokio::test]
    async fn texts_are_scored_in_their_order() {
        let provider = Provider::start(Options::default()).unwrap();
        let scores = cohere(&provider).rerank("carbon credits", &texts()).await.unwrap();
        assert!(scores[1] > scores[0] && scores[1] > scores[2], "{scores:?}");
        assert!(scores.iter().all(|score| (0.0..=1.0).contains(score)));
        let asked = provider.requests();
        assert_eq!((asked[0].model.as_str(), asked[0].texts.len()), ("rerank-v4.0-pro", 3));
    }

    #[tokio::test]
    async fn whatever_goes_wrong_is_an_error_without_the_key() {
        for (behaviour, expected) in [
            (Behaviour::Status(400), "HTTP 400"),
            (Behaviour::Status(500), "no answer within"),
            (Behaviour::EchoKey, "HTTP 401"),
            (Behaviour::ErrorInBody(404), "HTTP 404"),
            (Behaviour::TooFew, "expected 3 scores, got 2"),
            (Behaviour::SameIndex, "twice"),
            (Behaviour::NotANumber, "unusable"),
            (Behaviour::NotJson, "unusable"),
            (Behaviour::Slow(Duration::from_secs(3)), "no answer within"),
            (Behaviour::Drop, "failed"),
        ] {
            let provider = Provider::start(Options::default()).unwrap();
            provider.always(behaviour.clone());
            let error = cohere(&provider).rerank("carbon", &texts()).await.unwrap_err().to_string();
            assert!(error.contains(expected), "{behaviour:?}: {error}");
            assert!(!error.contains("secret-key"), "{error}");
        }
    }

    #[tokio::test]
    async fn shuffled_answers_and_missing_keys_are_handled() {
        let provider = Provider::start(Options::default()).unwrap();
        let straight = cohere(&provider).rerank("carbon credits", &texts()).await.unwrap();
        provider.next([Behaviour::Shuffled]);
        assert_eq!(cohere(&provider).rerank("carbon credits", &texts()).await.unwrap(), straight);
        let remote = Cohere::new("https://rerank.invalid/v1", "m", None).unwrap();
        let error = remote.rerank("carbon", &texts()).await.unwrap_err();
        assert!(matches!(error, RerankError::NoKey { .. }), "{error}");
        assert!(remote.is_remote() && !cohere(&provider).is_remote());
    }
}
