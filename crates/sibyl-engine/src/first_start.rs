//! What happens the first time a library is opened: what ships becomes searchable.

use crate::error::Result;
use crate::ingest::{EmbedPlan, IngestRequest};
use crate::library::Ingest;
use serde_json::Value;

/// Marks a library whose first start has begun. It is not among [`crate::settings::SETTINGS`].
const BEGUN: &str = "first_start_begun";

impl Ingest<'_> {
    /// Whether this is the first start, and marks that it has begun: later calls say no, also from other programs.
    pub async fn begin_first_start(&self) -> Result<bool> {
        let known = self.library.store().setting_values().await?.into_iter().any(|(name, _)| name == BEGUN);
        if !known {
            self.library.store().put_settings(vec![(BEGUN.to_owned(), Some(Value::Bool(true)))]).await?;
        }
        Ok(!known)
    }
}

impl IngestRequest {
    /// Ingests what ships. `interactive` lets the instant tier answer at once and fills the better one after.
    pub fn shipped(interactive: bool) -> Self {
        let embed = if interactive { EmbedPlan::Instant } else { EmbedPlan::Complete };
        Self { corpus: Some("all".to_owned()), embed, ..Self::default() }
    }
}
