//! The trace of a search: everything that happened, put together at its end.

use super::attempt::{Attempt, Legs, Meaning};
use super::{
    DropCause, DropStage, Dropped, Hit, LEG_DEPTH, LegHit, NEAR_DUPLICATE, ParsedQuery, RERANK_OVERFETCH,
    SearchRequest, SearchResponse, SearchStage, Trace, WhyNot,
};
use crate::error::Result;
use crate::store::short_hash;
use std::collections::HashSet;

/// Counted up when ranking itself changes, so that old configuration hashes stay apart from new ones.
const RANKING_VERSION: u32 = 6;

impl Attempt<'_> {
    /// Names the chunks that were ranked, in the order of `fused`, but are neither in the answer nor accounted for
    /// yet.
    pub fn note_beyond(&self, results: &[Hit], fused: Vec<String>, dropped: &mut Vec<Dropped>) {
        let told: HashSet<String> = (results.iter().map(|hit| hit.chunk_id.clone()))
            .chain(dropped.iter().map(|dropped| dropped.chunk_id.clone()))
            .collect();
        let beyond = fused.into_iter().zip(1..).filter(|(chunk_id, _)| !told.contains(chunk_id));
        let limit = self.request.top_k;
        dropped.extend(beyond.map(|(chunk_id, rank)| {
            Dropped::new(chunk_id, DropStage::TopK, DropCause::BeyondLimit { rank, limit })
        }));
    }

    /// The best hits of both legs as the trace lists them: semantic, then keyword.
    ///
    /// # Errors
    /// Storage errors.
    pub async fn lists(&self, legs: &Legs) -> Result<[Vec<LegHit>; 2]> {
        let near = legs.meaning.iter().flat_map(|meaning| &meaning.nearest.neighbours);
        let near = near.map(|near| (near.chunk, f64::from(near.similarity)));
        let found = legs.keyword.iter().flat_map(|list| &list.hits).map(|hit| (hit.row, hit.score));
        let best: [Vec<(i64, f64)>; 2] =
            [near.take(self.request.listed).collect(), found.take(self.request.listed).collect()];
        let rows: Vec<i64> = best.iter().flatten().map(|(row, _)| *row).collect();
        let stage = self.clock.stage(SearchStage::Label, rows.len());
        let labels = self.labels(&rows).await?;
        stage.end(labels.len());
        Ok(best.map(|list| {
            let hit = |((row, raw), rank): ((i64, f64), usize)| {
                let candidate = labels.get(&row)?;
                Some(LegHit {
                    chunk_id: candidate.chunk_id.clone(),
                    rank,
                    raw,
                    label: candidate.label.clone(),
                    snippet: candidate.snippet.clone(),
                })
            };
            list.into_iter().zip(1..).filter_map(hit).collect()
        }))
    }

    pub fn response(
        &self,
        legs: Legs,
        results: Vec<Hit>,
        dropped: Vec<Dropped>,
        pinned: Vec<WhyNot>,
        [semantic, keyword]: [Vec<LegHit>; 2],
    ) -> SearchResponse {
        let trace = Trace {
            query: ParsedQuery {
                references: self.plan.references.clone(),
                terms: self.plan.terms.clone(),
                match_expression: legs.keyword.as_ref().map_or_else(String::new, |list| list.ran.clone()),
            },
            covered: legs
                .meaning
                .as_ref()
                .map_or(0, |meaning| usize::try_from(meaning.chosen.covered).unwrap_or(usize::MAX)),
            candidates_before: usize::try_from(self.scope.allowed.before()).unwrap_or(usize::MAX),
            candidates_after: self.in_scope(),
            semantic,
            keyword,
            semantic_path: legs.meaning.as_ref().map(|meaning| meaning.nearest.path),
            dropped,
            timings: self.clock.stages(),
            config_hash: self.config_hash(legs.meaning.as_ref()),
            space: legs.meaning.as_ref().map(|meaning| meaning.chosen.space.clone()),
            embedded: legs.meaning.as_ref().map(|meaning| meaning.text.clone()),
            tier: legs.meaning.as_ref().map(|meaning| meaning.chosen.space.tier),
            notices: legs.notices,
            degraded: legs.degraded,
            pinned,
        };
        SearchResponse { total_results: results.len(), search_mode: self.request.mode, results, trace }
    }

    /// Hash of everything that decides the result besides the query and the library.
    pub fn config_hash(&self, meaning: Option<&Meaning>) -> String {
        let request = SearchRequest {
            query: String::new(),
            pinned: Vec::new(),
            listed: 0,
            space: None,
            ..self.request.clone()
        };
        let reranker = self.providers.reranker.as_ref().filter(|_| request.rerank);
        let constants = format!("{RANKING_VERSION} {LEG_DEPTH} {RERANK_OVERFETCH} {NEAR_DUPLICATE}");
        // A request without text for keys cannot fail to become JSON.
        let request = serde_json::to_string(&request).unwrap_or_default();
        let top = reranker.and(self.providers.rerank_top).map(|top| top.to_string());
        let mut parts = vec![
            constants.as_str(),
            &request,
            meaning.map_or("", |meaning| meaning.chosen.id.as_str()),
            reranker.map_or("", |reranker| reranker.name()),
        ];
        parts.extend(top.as_deref());
        short_hash(&parts)
    }
}
