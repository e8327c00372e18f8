//! The providers that settings and keys name: the remote embedder and the reranker, put in use and tried.

use crate::embed::openrouter::{OpenRouter, RemoteModel};
use crate::embed::{Embedder, Tier};
use crate::error::{Error, Result};
use crate::http::{ApiKey, Endpoint};
use crate::library::{Models, RemoteInUse};
use crate::rerank::Reranker;
use crate::rerank::cohere::Cohere;
use crate::secret::Secret;
use schemars::JsonSchema;
use serde::Serialize;
use sibyl_text::param::Settings;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The settings that providers follow.
pub(crate) const SETTINGS: &[&str] = &[
    "remote_embedding",
    "base_url",
    "embedding_model",
    "embedding_dimensions",
    "batch_pause",
    "rerank_base_url",
    "rerank_model",
    "rerank_time_limit",
    "rerank_top",
];

/// What a provider answered when it was tried.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SecretTest {
    /// The model that answered.
    pub model: String,
    /// Length of its vectors; `None` for a reranker.
    pub dimensions: Option<usize>,
    /// Time until the answer arrived, in milliseconds.
    pub milliseconds: f64,
}

/// The remote model that `settings` name.
fn remote_model(settings: &Settings) -> RemoteModel {
    RemoteModel {
        base_url: settings.text("base_url").to_owned(),
        model: settings.text("embedding_model").to_owned(),
        dimensions: settings.integer("embedding_dimensions"),
        pause: Duration::from_millis(settings.integer("batch_pause") as u64),
    }
}

/// The reranker that `settings` name; `None` if they name none.
pub(crate) fn reranker(settings: &Settings, key: Option<ApiKey>) -> Result<Option<Cohere>> {
    let patience = Duration::from_secs(settings.integer("rerank_time_limit") as u64);
    match settings.text("rerank_base_url").trim() {
        "" => Ok(None),
        base => Ok(Some(Cohere::new(base, settings.text("rerank_model"), key)?.with_patience(patience))),
    }
}

/// Lets requests go to `base`: on this machine always, elsewhere where the settings switch remote models on.
///
/// # Errors
/// [`Error::RemoteOff`] if they may not.
pub(crate) fn admit(settings: &Settings, base: &str) -> Result<()> {
    if crate::http::is_local(base) || settings.switch("remote_embedding") {
        return Ok(());
    }
    let host = base.trim().split("://").last().and_then(|rest| rest.split('/').next()).unwrap_or(base);
    Err(Error::RemoteOff { host: host.to_owned() })
}

/// Refuses settings that name a provider which cannot be.
///
/// # Errors
/// [`Error::Invalid`] for an invalid base URL or a model without a name.
pub(crate) fn check(settings: &Settings) -> Result<()> {
    OpenRouter::new(&remote_model(settings), None)?;
    reranker(settings, None)?;
    Ok(())
}

/// Refuses settings that name a chat provider which cannot be.
///
/// # Errors
/// As [`check`].
pub(crate) fn check_chat(settings: &Settings) -> Result<()> {
    match settings.text("chat_base_url").trim() {
        "" => Ok(()),
        base => Ok(Endpoint::new(base, None).map(drop)?),
    }
}

impl Models<'_> {
    /// Puts the providers named by settings and keys in use, and takes the others out of use. Unchanged providers
    /// stay as they are. Keys are looked for only if a provider that needs one is set up.
    ///
    /// # Errors
    /// Storage errors, and [`Error::Invalid`] if a stored base URL is invalid.
    pub async fn apply(&self) -> Result<()> {
        // Held to the end: of two refreshes at once the later one sees the later settings.
        let mut in_use = self.in_use().remote.lock().await;
        let settings = self.library.settings().await?;
        let wanted = self.wanted_remote(&settings).await;
        let before = in_use.as_ref().map(|remote| (&remote.model, &remote.key));
        if before != wanted.as_ref().map(|(model, key)| (model, key)) {
            let after = match wanted {
                Some((model, key)) => {
                    let embedder: Arc<dyn Embedder> = Arc::new(OpenRouter::new(&model, key.clone())?);
                    Some(RemoteInUse { model, key, embedder })
                }
                None => None,
            };
            let embedder = |one: &Option<RemoteInUse>| one.as_ref().map(|one| Arc::clone(&one.embedder));
            self.replace_embedder(embedder(&in_use), embedder(&after));
            *in_use = after;
        }
        let base = settings.text("rerank_base_url").trim();
        let reranker = if base.is_empty() || admit(&settings, base).is_err() {
            None
        } else {
            let key = self.library.keys().find(Secret::Rerank).await.key;
            reranker(&settings, key)?.map(|one| Arc::new(one) as Arc<dyn Reranker>)
        };
        self.library.search().set_reranker(reranker, settings.integer("rerank_top"));
        Ok(())
    }

    /// The remote model to serve and its key. `None` if remote embedding is off, or if a provider elsewhere needs
    /// a key and there is none.
    async fn wanted_remote(&self, settings: &Settings) -> Option<(RemoteModel, Option<ApiKey>)> {
        if !settings.switch("remote_embedding") {
            return None;
        }
        let model = remote_model(settings);
        let key = self.library.keys().find(Secret::Openrouter).await.key;
        let local = crate::http::is_local(&model.base_url);
        (key.is_some() || local).then_some((model, key))
    }

    fn replace_embedder(&self, old: Option<Arc<dyn Embedder>>, new: Option<Arc<dyn Embedder>>) {
        let mut embedders = self.in_use().embedders.write();
        embedders.retain(|one| old.as_ref().is_none_or(|old| !Arc::ptr_eq(one, old)));
        embedders.extend(new);
        embedders.sort_by_key(|embedder| embedder.space().tier);
    }

    /// As [`Models::apply`]; errors are logged.
    pub(crate) async fn look_for_providers(&self) {
        if let Err(error) = self.apply().await {
            tracing::warn!(code = error.code(), "the providers of the settings are not in use: {error}");
        }
    }

    /// Looks for providers once, at the first need: opening a library waits for no keychain.
    pub(crate) async fn providers_settled(&self) {
        self.in_use().settled.get_or_init(|| self.look_for_providers()).await;
    }

    /// The embedder in use that fills the space called `space`.
    pub(crate) async fn embedder_of(&self, space: &str) -> Option<Arc<dyn Embedder>> {
        self.embedders().await.into_iter().find(|embedder| embedder.space().id() == space)
    }

    /// Whether any model in use sends text over the network.
    pub async fn is_remote(&self) -> bool {
        self.embedders().await.iter().any(|embedder| embedder.space().tier == Tier::Remote)
    }

    /// Tests the provider that uses `secret` with a request of one word, whether or not it is in use.
    ///
    /// # Errors
    /// [`Error::Embedding`] or [`Error::Rerank`] with the provider's answer; [`Error::NoReranker`] if none is set
    /// up. [`Error::RemoteOff`] if it is on another machine and remote models are switched off. [`Error::Invalid`]
    /// for a key of no known provider.
    pub async fn test(&self, secret: Secret) -> Result<SecretTest> {
        let settings = self.library.settings().await?;
        let base = match secret {
            Secret::Openrouter => settings.text("base_url"),
            Secret::Rerank => settings.text("rerank_base_url"),
            Secret::Signing => return Err(of_no_provider()),
        };
        if !base.trim().is_empty() {
            admit(&settings, base)?;
        }
        let key = self.library.keys().find(secret).await.key;
        let began = Instant::now();
        let (model, dimensions) = match secret {
            Secret::Openrouter => {
                let embedder = OpenRouter::new(&remote_model(&settings), key)?;
                (embedder.space().model.clone(), Some(embedder.probe().await?))
            }
            Secret::Rerank => {
                let reranker = reranker(&settings, key)?.ok_or(Error::NoReranker)?;
                let probe = "probe".to_owned();
                reranker.rerank(&probe, std::slice::from_ref(&probe)).await.map_err(Error::from)?;
                (settings.text("rerank_model").to_owned(), None)
            }
            Secret::Signing => return Err(of_no_provider()),
        };
        Ok(SecretTest { model, dimensions, milliseconds: began.elapsed().as_secs_f64() * 1e3 })
    }
}

fn of_no_provider() -> Error {
    Error::Invalid(
        "the key that packs are signed with is of no provider; try one of `openrouter` and `rerank`"
            .to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Library;
    use crate::library::OpenOptions;
    use serde_json::json;
    use sibyl_loopback::{Behaviour, Options, Provider};

    #[tokio::test]
    async fn a_reranker_has_the_time_that_is_set() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(OpenOptions::new(folder.path())).await.unwrap();
        let provider = Provider::start(Options::default()).unwrap();
        provider.always(Behaviour::Slow(Duration::from_secs(5)));
        let set = |values: serde_json::Value| library.change_settings(values.as_object().unwrap().clone());
        set(json!({ "rerank_base_url": provider.url(), "rerank_time_limit": 1 })).await.unwrap();
        let error = library.models().test(Secret::Rerank).await.unwrap_err().to_string();
        assert!(error.contains("no answer within 1 s"), "{error}");
        for misfit in [0, 61] {
            let error = set(json!({ "rerank_time_limit": misfit })).await.unwrap_err().to_string();
            assert!(error.contains("from 1 to 60"), "{error}");
        }
    }
}
