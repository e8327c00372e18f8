//! Searches that were made.

use super::SearchRequest;
use crate::store::table::run::StoredRun;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A search that was made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SearchRun {
    /// Row id.
    pub id: i64,
    /// When it was made (ISO 8601, UTC).
    pub at: String,
    /// What was asked. If a version that did not know a field kept it, the field has today's default: a search
    /// from before fusion had kinds is fused by scores.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Fusion, Mode};

    #[test]
    fn a_search_kept_before_fusion_had_kinds_is_asked_again_with_the_default() {
        let kept = r#"{"query": "carbon", "top_k": 20, "mode": "hybrid", "filters": {}, "rrf_k": 30, "semantic_weight": 2.0,
            "keyword_weight": 1.0, "structured": false, "correct_spelling": true, "thesaurus": true, "dedupe": true,
            "rerank": false, "min_relevance": null, "space": null, "pinned": []}"#;
        let request: SearchRequest = serde_json::from_str(kept).unwrap();
        assert_eq!((request.mode, request.top_k), (Mode::Hybrid, 20));
        assert_eq!((request.fusion, request.semantic_share), (Fusion::Scores, 0.4));
        // Its weights wait until somebody asks for reciprocal ranks.
        assert_eq!((request.rrf_k, request.semantic_weight), (30, 2.0));
    }
}
