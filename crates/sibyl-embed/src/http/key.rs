//! A provider's key: used, never shown.

use reqwest::header::HeaderValue;
use std::fmt;

/// A key. It shows itself as `•••` wherever it is printed.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey {
    key: String,
    bearer: HeaderValue,
}

impl ApiKey {
    /// The key in `text` without the space around it; `None` where there is none or it cannot be sent.
    pub fn new(text: &str) -> Option<Self> {
        let key = text.trim();
        let mut bearer = HeaderValue::from_str(&format!("Bearer {key}")).ok()?;
        bearer.set_sensitive(true);
        (!key.is_empty()).then(|| Self { key: key.to_owned(), bearer })
    }

    /// The key itself, for the keychain that keeps it. It goes nowhere else.
    pub fn reveal(&self) -> &str {
        &self.key
    }

    /// The value of the `Authorization` header.
    pub(super) fn bearer(&self) -> HeaderValue {
        self.bearer.clone()
    }

    /// `text` without the key, also where JSON wrote its slashes as `\/`.
    pub(super) fn redact(&self, text: &str) -> String {
        text.replace(&self.key, "•••").replace(&self.key.replace('/', "\\/"), "•••")
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(•••)")
    }
}

impl fmt::Display for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("•••")
    }
}
