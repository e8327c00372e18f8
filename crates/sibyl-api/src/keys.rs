//! Keys of providers, for every door: from the operating system's keychain first, then from the environment.

mod keychain;

use keychain::Keychain;
use sibyl_engine::Error;
use sibyl_engine::http::ApiKey;
use sibyl_engine::secret::{FoundKey, KeyFuture, KeyStore, Secret, SecretSource};

/// Keychain and environment of this process.
#[derive(Debug, Default)]
pub struct Keys {
    keychain: Keychain,
}

impl KeyStore for Keys {
    fn find(&self, secret: Secret) -> KeyFuture<'_, FoundKey> {
        Box::pin(async move {
            let (kept, keychain_error) = match self.keychain.get(secret).await {
                Ok(kept) => (kept, None),
                Err(cause) => (None, Some(cause)),
            };
            let kept = kept.as_deref().and_then(ApiKey::new);
            let (key, source) = match (kept, from_environment(secret)) {
                (Some(key), _) => (Some(key), SecretSource::Keychain),
                (None, Some(key)) => (Some(key), SecretSource::Environment),
                (None, None) => (None, SecretSource::None),
            };
            FoundKey { key, source, keychain_error }
        })
    }

    fn set(&self, secret: Secret, key: ApiKey) -> KeyFuture<'_, Result<(), Error>> {
        Box::pin(async move { self.keychain.set(secret, key).await.map_err(Error::Keychain) })
    }

    fn clear(&self, secret: Secret) -> KeyFuture<'_, Result<(), Error>> {
        Box::pin(async move { self.keychain.clear(secret).await.map_err(Error::Keychain) })
    }
}

fn from_environment(secret: Secret) -> Option<ApiKey> {
    ApiKey::new(&std::env::var(secret.variable()).ok()?)
}
