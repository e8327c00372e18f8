//! From what the legs found to the hits in their order.

use super::attempt::{Attempt, Legs, Meaning, Relevance};
use super::dedupe::{Likeness, dedupe};
use super::fuse::{Entry, Fused, Fusion, List, alone, fuse};
use super::{DropCause, DropStage, Dropped, Leg, Mode, RERANK_OVERFETCH, SearchStage};
use crate::error::Result;
use crate::store::scope::ChunkSet;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The hits in their order, before anything is read to show them.
pub(super) struct Order {
    pub ranked: Vec<Fused>,
    /// Row and chunk id of everything that was fused, the best first.
    pub fused: Vec<(i64, String)>,
    pub dropped: Vec<Dropped>,
    /// Known if a threshold of relevance had to be applied.
    pub similarities: Option<Relevance>,
}

impl Attempt<'_> {
    /// Fuses what `legs` found, down to what is asked for.
    pub async fn order(&self, legs: &Legs) -> Result<Order> {
        let stage = self.clock.stage(SearchStage::Fuse, legs.entries());
        let mut ranked = self.fused(legs).await?;
        stage.end(ranked.len());
        let fused = ranked.iter().map(|one| (one.row, one.chunk_id.clone())).collect();
        let mut dropped = Vec::new();
        let rerank = self.request.rerank;
        let limit = if rerank { self.rerank_limit() } else { self.request.top_k };
        let mut similarities = None;
        if self.request.min_relevance.is_some() && !rerank {
            let known = self.similarities(legs, &ranked).await?;
            ranked = self.relevant(ranked, &known, &mut dropped);
            similarities = Some(known);
        }
        ranked = self.without_duplicates(ranked, limit, legs, &mut dropped).await?;
        Ok(Order { ranked, fused, dropped, similarities })
    }

    /// What `legs` found as one list, the best first.
    pub async fn fused(&self, legs: &Legs) -> Result<Vec<Fused>> {
        let mut ranked = self.fuse(legs);
        self.lift_counterparts(&mut ranked).await?;
        Ok(ranked)
    }

    /// How many hits the reranker gets.
    fn rerank_limit(&self) -> usize {
        let results = self.request.top_k;
        self.providers
            .rerank_top
            .map_or(results.saturating_mul(RERANK_OVERFETCH), |top| top.get().max(results))
    }

    /// Cosine similarity of `ranked` to the query; read unless it is `known`.
    pub async fn known_or_read(
        &self,
        known: Option<Relevance>,
        legs: &Legs,
        ranked: &[Fused],
    ) -> Result<Relevance> {
        match known {
            Some(known) => Ok(known),
            None => self.similarities(legs, ranked).await,
        }
    }

    fn fuse(&self, legs: &Legs) -> Vec<Fused> {
        let mut lists = Vec::new();
        if !legs.named.entries.is_empty() {
            lists.push(List { leg: Leg::Reference, entries: legs.named.entries.clone(), missing: None });
        }
        if let Some(meaning) = &legs.meaning {
            let entries = meaning.nearest.neighbours.iter().map(|near| Entry {
                row: near.chunk,
                chunk_id: near.chunk_id.clone(),
                raw: Some(f64::from(near.similarity)),
                label: meaning.chosen.space.model.clone(),
            });
            lists.push(List { leg: Leg::Semantic, entries: entries.collect(), missing: None });
        }
        if let Some(keyword) = &legs.keyword {
            let entries = keyword.hits.iter().map(|hit| Entry {
                row: hit.row,
                chunk_id: hit.chunk_id.clone(),
                raw: Some(hit.score),
                label: "bm25".to_owned(),
            });
            // A list that is not cut off has every chunk with one of the words.
            let missing = (keyword.hits.len() < self.depth()).then_some(0.0);
            lists.push(List { leg: Leg::Keyword, entries: entries.collect(), missing });
        }
        match lists.as_slice() {
            [only] if self.request.mode != Mode::Hybrid && only.leg != Leg::Reference => alone(only),
            lists => fuse(lists, Fusion::of(self.request).as_ref()),
        }
    }

    /// Cosine similarity of `ranked` to the query, if they have a vector.
    async fn similarities(&self, legs: &Legs, ranked: &[Fused]) -> Result<Relevance> {
        let Some(meaning) = &legs.meaning else { return Ok(Relevance::new()) };
        let wanted: HashSet<i64> = ranked.iter().map(|one| one.row).collect();
        let known = meaning.nearest.neighbours.iter().filter(|near| wanted.contains(&near.chunk));
        let mut found: Relevance = known.map(|near| (near.chunk, f64::from(near.similarity))).collect();
        let missing = wanted.iter().filter(|row| !found.contains_key(row));
        let rows = ChunkSet::new(missing.copied(), self.scope.allowed.before());
        if !rows.is_empty() {
            let Meaning { chosen, vector, .. } = meaning;
            let rest = self.store().nearest(&chosen.id, vector, &rows, wanted.len()).await?;
            found.extend(rest.neighbours.iter().map(|near| (near.chunk, f64::from(near.similarity))));
        }
        Ok(found)
    }

    /// `ranked` without hits below the minimum relevance of the request. Chunks that the query names stay, and so
    /// do those without a relevance to compare.
    pub fn relevant(
        &self,
        ranked: Vec<Fused>,
        relevance: &Relevance,
        dropped: &mut Vec<Dropped>,
    ) -> Vec<Fused> {
        let Some(least) = self.request.min_relevance else { return ranked };
        let (kept, out): (Vec<Fused>, Vec<Fused>) = ranked
            .into_iter()
            .partition(|one| one.is_named() || relevance.get(&one.row).is_none_or(|&value| value >= least));
        dropped.extend(out.into_iter().map(|one| {
            let relevance = relevance.get(&one.row).copied().unwrap_or_default();
            let cause = DropCause::BelowMinimum { relevance, minimum: least };
            Dropped::new(one.chunk_id, DropStage::MinRelevance, cause)
        }));
        kept
    }

    /// The first `limit` of `ranked` that are no near-duplicates of a better one.
    async fn without_duplicates(
        &self,
        mut ranked: Vec<Fused>,
        limit: usize,
        legs: &Legs,
        dropped: &mut Vec<Dropped>,
    ) -> Result<Vec<Fused>> {
        if !self.request.dedupe {
            ranked.truncate(limit);
            return Ok(ranked);
        }
        let stage = self.clock.stage(SearchStage::Dedupe, ranked.len());
        // Most searches end within a little more than what they return; more is read only if needed.
        let mut depth = limit.saturating_mul(2).saturating_add(20);
        let (kept, out) = loop {
            let looked_at = &ranked[..depth.min(ranked.len())];
            let rows: Vec<i64> = looked_at.iter().map(|one| one.row).collect();
            let candidates = self.labels(&rows).await?;
            let likenesses: Vec<Likeness> = looked_at
                .iter()
                .filter_map(|one| {
                    let candidate = Arc::clone(candidates.get(&one.row)?);
                    Some(Likeness { row: one.row, exact: one.is_named(), candidate })
                })
                .collect();
            let vectors = self.comparable_vectors(&likenesses, legs).await?;
            let (kept, out) = dedupe(&likenesses, &vectors, limit);
            if kept.len() == limit || looked_at.len() == ranked.len() {
                break (kept, out);
            }
            depth = depth.saturating_mul(2);
        };
        let kept: HashSet<i64> = kept.into_iter().collect();
        dropped.extend(out);
        ranked.retain(|one| kept.contains(&one.row));
        stage.end(ranked.len());
        Ok(ranked)
    }

    /// Vectors of the hits that are cited under the same name as another one: only those are compared.
    async fn comparable_vectors(&self, hits: &[Likeness], legs: &Legs) -> Result<HashMap<i64, Vec<f32>>> {
        let mut sharing: HashMap<Option<&String>, Vec<i64>> = HashMap::new();
        for hit in hits {
            sharing.entry(hit.candidate.identity.as_ref()).or_default().push(hit.row);
        }
        let rows: Vec<i64> = sharing.into_values().filter(|rows| rows.len() > 1).flatten().collect();
        if rows.is_empty() {
            return Ok(HashMap::new());
        }
        let space = match &legs.meaning {
            Some(meaning) => Some(meaning.chosen.id.clone()),
            None => self.chosen().await?.map(|chosen| chosen.id),
        };
        match space {
            Some(space) => Ok(self.store().vectors_of(&space, rows).await?),
            None => Ok(HashMap::new()),
        }
    }
}

impl Legs {
    fn entries(&self) -> usize {
        let near = self.meaning.as_ref().map_or(0, |meaning| meaning.nearest.neighbours.len());
        let found = self.keyword.as_ref().map_or(0, |list| list.hits.len());
        near + found + self.named.entries.len()
    }
}

/// `ranked` in the order of `scores` (by row), best first, equal ones in their fused order. Exact references keep
/// their place at the top: the query names them, and no model's opinion outweighs that.
pub(super) fn reorder(ranked: Vec<Fused>, scores: &HashMap<i64, f64>) -> Vec<Fused> {
    let (named, mut others): (Vec<Fused>, Vec<Fused>) = ranked.into_iter().partition(Fused::is_named);
    let score = |one: &Fused| scores.get(&one.row).copied().unwrap_or(f64::NEG_INFINITY);
    others.sort_by(|a, b| score(b).total_cmp(&score(a)));
    named.into_iter().chain(others).collect()
}
