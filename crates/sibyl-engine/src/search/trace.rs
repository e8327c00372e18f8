//! The trace of a search: everything that happened, put together at its end.

use super::attempt::{Attempt, Legs, Meaning};
use super::{
    Dropped, Hit, LEG_DEPTH, LegHit, NEAR_DUPLICATE, RERANK_OVERFETCH, SearchRequest, SearchResponse, Trace,
    WhyNot,
};
use crate::store::candidate::Candidate;
use crate::store::short_hash;
use std::collections::{HashMap, HashSet};

/// Counted up when ranking itself changes, so that old configuration hashes stay apart from new ones.
const RANKING_VERSION: u32 = 1;

impl Attempt<'_> {
    /// Names what was ranked but did not make it into the answer and is not accounted for yet.
    pub fn note_beyond(
        &self,
        results: &[Hit],
        fused_ranks: &HashMap<i64, usize>,
        candidates: &HashMap<i64, Candidate>,
        dropped: &mut Vec<Dropped>,
    ) {
        let told: HashSet<String> = (results.iter().map(|hit| hit.chunk_id.clone()))
            .chain(dropped.iter().map(|dropped| dropped.chunk_id.clone()))
            .collect();
        let mut beyond: Vec<(usize, &Candidate)> = candidates
            .iter()
            .filter(|(_, candidate)| !told.contains(&candidate.chunk_id))
            .filter_map(|(row, candidate)| Some((*fused_ranks.get(row)?, candidate)))
            .collect();
        beyond.sort_unstable_by_key(|(rank, _)| *rank);
        dropped.extend(beyond.into_iter().map(|(rank, candidate)| Dropped {
            chunk_id: candidate.chunk_id.clone(),
            stage: "top_k".to_owned(),
            reason: format!("rank {rank} lies beyond the {} results asked for", self.request.top_k),
        }));
    }

    pub fn response(
        &self,
        legs: Legs,
        results: Vec<Hit>,
        dropped: Vec<Dropped>,
        pinned: Vec<WhyNot>,
        candidates: &HashMap<i64, Candidate>,
    ) -> SearchResponse {
        let leg_hit = |(row, raw, rank): (i64, f64, usize)| {
            let candidate = candidates.get(&row)?;
            Some(LegHit {
                chunk_id: candidate.chunk_id.clone(),
                rank,
                raw,
                label: candidate.label.clone(),
                snippet: candidate.snippet.clone(),
            })
        };
        let near = legs.meaning.iter().flat_map(|meaning| &meaning.nearest.neighbours);
        let semantic = near.zip(1..).map(|(near, rank)| (near.chunk, f64::from(near.similarity), rank));
        let found = legs.keyword.iter().flat_map(|list| &list.hits);
        let keyword = found.zip(1..).map(|(hit, rank)| (hit.row, hit.score, rank));
        let trace = Trace {
            query: self.plan.parsed.clone(),
            covered: legs
                .meaning
                .as_ref()
                .map_or(0, |meaning| usize::try_from(meaning.chosen.covered).unwrap_or(usize::MAX)),
            candidates_before: usize::try_from(self.scope.allowed.before).unwrap_or(usize::MAX),
            candidates_after: self.in_scope(),
            semantic: semantic.filter_map(leg_hit).collect(),
            keyword: keyword.filter_map(leg_hit).collect(),
            semantic_path: legs.meaning.as_ref().map(|meaning| meaning.nearest.path.name().to_owned()),
            dropped,
            timings: self.clock.stages(),
            config_hash: self.config_hash(legs.meaning.as_ref()),
            space: legs.meaning.as_ref().map(|meaning| meaning.chosen.space.clone()),
            tier: legs.meaning.as_ref().map(|meaning| meaning.chosen.space.tier),
            notices: legs.notices,
            degraded: legs.degraded,
            pinned,
        };
        SearchResponse { total_results: results.len(), search_mode: self.request.mode, results, trace }
    }

    /// Hash of everything that decides the result beside the query and the library.
    fn config_hash(&self, meaning: Option<&Meaning>) -> String {
        let request =
            SearchRequest { query: String::new(), pinned: Vec::new(), space: None, ..self.request.clone() };
        let reranker = self.providers.reranker.as_ref().filter(|_| request.rerank);
        short_hash(&[
            &format!("{RANKING_VERSION} {LEG_DEPTH} {RERANK_OVERFETCH} {NEAR_DUPLICATE}"),
            // A request without text for keys cannot fail to become JSON.
            &serde_json::to_string(&request).unwrap_or_default(),
            meaning.map_or("", |meaning| meaning.chosen.id.as_str()),
            reranker.map_or("", |reranker| reranker.name()),
        ])
    }
}
