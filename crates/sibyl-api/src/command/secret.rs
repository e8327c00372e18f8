//! Keys of providers: their sources, keeping them and testing them. A key goes in and never comes out.

use crate::ApiError;
use crate::command::{Call, Nothing};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use sibyl_engine::http::ApiKey;
use sibyl_engine::providers::SecretTest;
use sibyl_engine::secret::{Secret, SecretSource};
use std::fmt;

/// A key by name.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SecretRef {
    /// Which key.
    pub secret: Secret,
}

/// A key to keep.
#[derive(Clone, JsonSchema)]
pub struct SecretInput {
    /// Which key.
    pub secret: Secret,
    /// The key.
    pub value: String,
}

/// Where a key comes from.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SecretStatus {
    /// Which key.
    pub secret: Secret,
    /// Where it comes from now.
    pub source: SecretSource,
    /// Environment variable that is used if the keychain has no key.
    pub variable: String,
    /// Why the keychain did not answer; `null` if it did.
    pub keychain_error: Option<String>,
}

impl fmt::Debug for SecretInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SecretInput").field("secret", &self.secret).finish_non_exhaustive()
    }
}

impl<'de> Deserialize<'de> for SecretInput {
    /// Reads both fields. The error does not repeat an input that does not fit: it may be the key.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let wrong = || serde::de::Error::custom("expected `secret` and `value`, both as text");
        let input = serde_json::Value::deserialize(deserializer).map_err(|_| wrong())?;
        let secret = Secret::deserialize(&input["secret"]).map_err(|_| wrong())?;
        let value = input["value"].as_str().ok_or_else(wrong)?.to_owned();
        Ok(Self { secret, value })
    }
}

command! {
    /// Where each key comes from. If a keychain has been unlocked in the meantime, it is used.
    SecretStatusGet = "secret.status": Query, Read, ["secrets"];
    (call, _input: Nothing) -> Vec<SecretStatus> {
        call.library.models().apply().await?;
        Ok(status(&call).await)
    }
}

command! {
    /// Keeps a key in the keychain of the system and uses it at once.
    SecretSet = "secret.set": Mutation, Write, ["secrets", "models", "settings"];
    (call, input: SecretInput) -> Vec<SecretStatus> {
        let key = ApiKey::new(&input.value).ok_or_else(|| {
            ApiError::invalid("a key is one line of plain characters; paste it whole, without line breaks")
        })?;
        call.library.keys().set(input.secret, key).await?;
        call.library.models().apply().await?;
        Ok(status(&call).await)
    }
}

command! {
    /// Removes a key from the keychain of the system; the environment is left alone.
    SecretClear = "secret.clear": Mutation, Write, ["secrets", "models", "settings"];
    (call, input: SecretRef) -> Vec<SecretStatus> {
        call.library.keys().clear(input.secret).await?;
        call.library.models().apply().await?;
        Ok(status(&call).await)
    }
}

command! {
    /// Sends one word to the key's provider, to check whether key, model and base URL work.
    SecretTry = "secret.test": Mutation, Spend, [];
    (call, input: SecretRef) -> SecretTest {
        Ok(call.library.models().test(input.secret).await?)
    }
}

async fn status(call: &Call) -> Vec<SecretStatus> {
    let keys = call.library.keys();
    let one = |secret: Secret| async move {
        let found = keys.find(secret).await;
        let variable = secret.variable().to_owned();
        SecretStatus { secret, source: found.source, variable, keychain_error: found.keychain_error }
    };
    // Both at the same time: a keychain that hangs is then waited for only once.
    let (embedding, rerank) = tokio::join!(one(Secret::Openrouter), one(Secret::Rerank));
    vec![embedding, rerank]
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn input_that_does_not_fit_is_not_repeated() {
        for input in [
            json!("sk-or-v1-0123456789"),
            json!({ "secret": "sk-or-v1-0123456789", "value": "x" }),
            json!({ "secret": "openrouter", "value": ["sk-or-v1-0123456789"] }),
        ] {
            let error = serde_json::from_value::<SecretInput>(input).unwrap_err().to_string();
            assert!(!error.contains("0123456789"), "{error}");
        }
        let input = json!({ "secret": "rerank", "value": "sk-0123456789" });
        let input: SecretInput = serde_json::from_value(input).unwrap();
        assert_eq!((input.secret, input.value.as_str()), (Secret::Rerank, "sk-0123456789"));
        assert!(!format!("{input:?}").contains("0123456789"));
    }
}
