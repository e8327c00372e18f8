//! Keys of providers: kept by the operating system, never shown again.

use crate::command::Nothing;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Whose key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Provider {
    /// The embedding provider.
    Embedding,
    /// The reranker.
    Rerank,
}

/// Where a key comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SecretOrigin {
    /// There is none.
    Missing,
    /// The operating system's keychain.
    Keychain,
    /// An environment variable.
    Environment,
}

/// What is known about a key.
#[derive(Debug, Clone, Serialize, TS)]
pub struct SecretStatus {
    /// Whose key it is.
    pub provider: Provider,
    /// Where it comes from.
    pub origin: SecretOrigin,
    /// The environment variable that is read where no keychain answers.
    pub variable: String,
    /// Whether a keychain answers, so that a key can be kept.
    pub keychain: bool,
    /// Why no keychain answers.
    pub keychain_error: Option<String>,
}

/// A key to be kept.
#[derive(Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct SecretInput {
    /// Whose key it is.
    pub provider: Provider,
    /// The key.
    pub key: String,
}

/// Whose key.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct SecretName {
    /// Whose key it is.
    pub provider: Provider,
}

/// What a provider answered to one small request.
#[derive(Debug, Clone, Serialize, TS)]
pub struct ProviderTest {
    /// Model that answered.
    pub model: String,
    /// Length of its vectors, for an embedding provider.
    pub dimensions: Option<usize>,
    /// Time to the answer, in milliseconds.
    pub milliseconds: f64,
}

command! {
    /// What is known about every key.
    SecretStatusList = "secret.status": Query, Read, ["settings"];
    (call, _input: Nothing) -> Vec<SecretStatus> {
        Ok(vec![status(&call, Provider::Embedding).await, status(&call, Provider::Rerank).await])
    }
}

command! {
    /// Keeps a key in the operating system's keychain.
    SecretSet = "secret.set": Mutation, Write, ["settings", "models"];
    (call, input: SecretInput) -> SecretStatus {
        call.library.keep_secret(input.provider.name(), input.key).await?;
        Ok(status(&call, input.provider).await)
    }
}

command! {
    /// Takes a key out of the operating system's keychain.
    SecretClear = "secret.clear": Mutation, Write, ["settings", "models"];
    (call, input: SecretName) -> SecretStatus {
        call.library.forget_secret(input.provider.name()).await?;
        Ok(status(&call, input.provider).await)
    }
}

command! {
    /// Asks the provider one small thing with the key that is kept.
    SecretTest = "secret.test": Mutation, Spend, [];
    (call, input: SecretName) -> ProviderTest {
        let answer = call.library.test_provider(input.provider.name()).await?;
        Ok(ProviderTest {
            model: answer.model,
            dimensions: answer.dimensions,
            milliseconds: answer.milliseconds,
        })
    }
}
