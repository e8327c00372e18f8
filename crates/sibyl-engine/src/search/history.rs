//! Searches that were made.

use super::SearchRequest;
use crate::store::table::run::StoredRun;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A search that was made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct SearchRun {
    /// Row id.
    pub id: i64,
    /// When it was made (ISO 8601, UTC).
    pub at: String,
    /// What was asked.
    pub request: SearchRequest,
    /// Results it found.
    pub results: usize,
    /// Hash of the configuration it ran with.
    pub config_hash: String,
}

impl From<StoredRun<SearchRequest>> for SearchRun {
    fn from(run: StoredRun<SearchRequest>) -> Self {
        let StoredRun { id, at, request, results, config_hash } = run;
        Self { id, at, request, results, config_hash }
    }
}
