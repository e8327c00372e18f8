//! Keys of providers, and the one that packs are signed with: which there are and who is asked for them. Whoever
//! opens a library supplies a [`KeyStore`]; the engine stores no key and knows no keychain.

use crate::error::{Error, Result};
use crate::http::ApiKey;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::future::Future;
use std::pin::Pin;

/// A key that is kept for its user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Secret {
    /// Of the embedding provider: OpenRouter, or whatever the base URL names.
    Openrouter,
    /// Of the reranker.
    Rerank,
    /// The secret key that evidence packs are signed with: of minisign, without a password.
    Signing,
}

impl Secret {
    /// Every key there is.
    pub const ALL: [Self; 3] = [Self::Openrouter, Self::Rerank, Self::Signing];

    /// Its name in keychains.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Openrouter => "openrouter",
            Self::Rerank => "rerank",
            Self::Signing => "signing",
        }
    }

    /// The environment variable that may hold it.
    pub const fn variable(self) -> &'static str {
        match self {
            Self::Openrouter => "OPENROUTER_API_KEY",
            Self::Rerank => "COHERE_API_KEY",
            Self::Signing => "SIBYL_SIGNING_KEY",
        }
    }
}

/// Where a key comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SecretSource {
    /// From the operating system's keychain.
    Keychain,
    /// From the environment.
    Environment,
    /// There is no key.
    None,
}

/// What a look for a key brought.
#[derive(Debug, Clone)]
pub struct FoundKey {
    /// The key.
    pub key: Option<ApiKey>,
    /// Where it comes from.
    pub source: SecretSource,
    /// Why the keychain did not answer; `None` if it did.
    pub keychain_error: Option<String>,
}

impl FoundKey {
    /// There is no key, and nothing went wrong.
    pub const NOTHING: Self = Self { key: None, source: SecretSource::None, keychain_error: None };
}

/// The answer of a [`KeyStore`].
pub type KeyFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Where keys are looked for and kept. Its answers come within seconds, also where a keychain hangs.
pub trait KeyStore: Send + Sync + fmt::Debug {
    /// Looks for `secret`.
    fn find(&self, secret: Secret) -> KeyFuture<'_, FoundKey>;
    /// Keeps `key` as `secret`, in place of the existing one.
    ///
    /// # Errors
    /// [`Error::Keychain`] if no keychain answers.
    fn set(&self, secret: Secret, key: ApiKey) -> KeyFuture<'_, Result<()>>;
    /// Forgets `secret`; one that is not kept is forgotten already. The environment is left unchanged.
    ///
    /// # Errors
    /// [`Error::Keychain`] if no keychain answers.
    fn clear(&self, secret: Secret) -> KeyFuture<'_, Result<()>>;
}

/// A store that has no key and keeps none.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoKeys;

impl KeyStore for NoKeys {
    fn find(&self, _secret: Secret) -> KeyFuture<'_, FoundKey> {
        Box::pin(async { FoundKey::NOTHING })
    }

    fn set(&self, _secret: Secret, _key: ApiKey) -> KeyFuture<'_, Result<()>> {
        Box::pin(async { Err(Error::Keychain("this library was opened without one".to_owned())) })
    }

    fn clear(&self, _secret: Secret) -> KeyFuture<'_, Result<()>> {
        Box::pin(async { Ok(()) })
    }
}
