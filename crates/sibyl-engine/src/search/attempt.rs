//! One run through the stages of a search, over one state of the library.

use super::dedupe::{Likeness, dedupe};
use super::explain::{Outcome, why_not};
use super::fuse::{Entry, Fused, List, alone, fuse, reference_weight};
use super::labels::Candidates;
use super::query::Plan;
use super::reference::{Named, named};
use super::rerank::reorder;
use super::retriever::{Providers, Retriever};
use super::semantic::{Chosen, embed, embedded};
use super::timing::Clock;
use super::{
    Dropped, Hit, KeywordLeaf, LEG_DEPTH, Leg, Mode, RERANK_OVERFETCH, SearchRequest, SearchResponse,
};
use crate::error::{Error, Result};
use crate::store::Store;
use crate::store::keyword::{Leaf, RankedList};
use crate::store::nearest::Nearest;
use crate::store::scope::{Generations, Scope};
use crate::store::table::chunk::{ChunkRow, RowSet};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// One search on its way.
pub(super) struct Attempt<'a> {
    pub retriever: &'a Retriever,
    pub workspace: i64,
    pub request: &'a SearchRequest,
    pub providers: &'a Providers,
    pub scope: Arc<Scope>,
    pub generations: Generations,
    pub plan: Plan,
    pub clock: &'a Clock,
}

/// What the legs found.
#[derive(Default)]
pub(super) struct Legs {
    pub meaning: Option<Meaning>,
    pub keyword: Option<RankedList>,
    pub named: Named,
    pub notices: Vec<String>,
    pub degraded: bool,
}

/// The semantic leg's part.
pub(super) struct Meaning {
    pub chosen: Chosen,
    /// What was embedded for the query.
    pub text: String,
    pub vector: Vec<f32>,
    pub nearest: Nearest,
}

/// Relevance by row: cosine similarity, or a reranker's score.
type Relevance = HashMap<i64, f64>;

impl Attempt<'_> {
    pub fn store(&self) -> &Store {
        self.retriever.store()
    }

    /// Runs the stages. The second value says whether the library stayed the same throughout.
    pub async fn run(self) -> Result<(SearchResponse, bool)> {
        let mut legs = self.legs().await?;
        let stage = self.clock.stage("fuse", legs.entries());
        let mut ranked = self.fuse(&legs);
        self.lift_counterparts(&mut ranked).await?;
        stage.end(ranked.len());
        let fused_ranks: HashMap<i64, usize> =
            ranked.iter().zip(1..).map(|(one, rank)| (one.row, rank)).collect();
        let fused_ids: Vec<String> = ranked.iter().map(|one| one.chunk_id.clone()).collect();

        let mut dropped = Vec::new();
        let rerank = self.request.rerank;
        let limit = self.request.top_k.saturating_mul(if rerank { RERANK_OVERFETCH } else { 1 });
        let mut similarities = Relevance::new();
        let threshold_first = self.request.min_relevance.is_some() && !rerank;
        if threshold_first {
            similarities = self.similarities(&legs, &ranked).await?;
            ranked = self.relevant(ranked, &similarities, &mut dropped);
        }
        ranked = self.without_duplicates(ranked, limit, &legs, &mut dropped).await?;
        // What is shown waits for nothing but the list of hits, so that it is read at once.
        let (similarities, chunks, leaves, lists) = tokio::try_join!(
            async {
                if threshold_first { Ok(similarities) } else { self.similarities(&legs, &ranked).await }
            },
            self.chunks(&ranked),
            self.leaves(&legs, &ranked),
            self.lists(&legs),
        )?;
        ranked.retain(|one| chunks.contains_key(&one.row));
        let mut scores = None;
        if rerank {
            (ranked, scores) = self.reranked(ranked, &chunks, &similarities, &mut legs, &mut dropped).await;
        }
        ranked.truncate(self.request.top_k);
        let results = self.hits(&ranked, chunks, &leaves, &similarities, scores.as_ref(), &fused_ranks);
        self.note_beyond(&results, fused_ids, &mut dropped);
        let outcome = Outcome {
            fused_ranks: &fused_ranks,
            results: &results,
            dropped: &dropped,
            meaning: legs.meaning.as_ref(),
        };
        let pinned = why_not(&self, outcome).await?;
        let steady = self.store().generations().await?.chunk == self.scope.generation
            && legs.keyword.as_ref().is_none_or(|list| list.generation == self.scope.generation);
        Ok((self.response(legs, results, dropped, pinned, lists), steady))
    }

    /// What is shown of `rows`; what is gone is left out.
    pub async fn labels(&self, rows: &[i64]) -> Result<Candidates> {
        self.retriever.labels.of(self.store(), rows, self.scope.generation).await
    }

    /// Both legs at once, and the chunks that the query names.
    async fn legs(&self) -> Result<Legs> {
        let depth = LEG_DEPTH.max(self.request.top_k);
        let keyword = async {
            if self.request.mode == Mode::Semantic {
                return Ok((None, Named::default()));
            }
            let stage = self.clock.stage("keyword", self.in_scope());
            let list = self.store().keyword_ranked(self.plan.keyword.clone(), &self.scope, depth).await?;
            stage.end(list.hits.len());
            Ok::<_, Error>((
                Some(list),
                named(self.store(), &self.scope, &self.plan.parsed.references).await?,
            ))
        };
        let (meaning, keyword) = tokio::join!(self.meaning(depth), keyword);
        let (keyword, named) = keyword?;
        let mut legs = Legs { keyword, named, notices: self.scope.notices.clone(), ..Legs::default() };
        legs.notices.extend(self.providers.notices.iter().cloned());
        legs.notices.append(&mut legs.named.notices);
        match meaning {
            Ok(Some(meaning)) => {
                if meaning.chosen.covered < self.scope.allowed.rows.len() {
                    legs.notices.push(format!(
                        "{} of {} chunks in scope have a vector of {}; the others are found by words alone",
                        meaning.chosen.covered,
                        self.in_scope(),
                        meaning.chosen.space.model
                    ));
                }
                legs.meaning = Some(meaning);
            }
            Ok(None) => {}
            Err(error) if self.request.mode == Mode::Hybrid && self.is_survivable(&error) => {
                legs.notices.push(format!("only the keyword leg answered: {error}"));
                legs.degraded = true;
            }
            Err(error) => return Err(error),
        }
        Ok(legs)
    }

    /// The semantic leg; `None` where it was not asked for or nothing is in scope.
    async fn meaning(&self, depth: usize) -> Result<Option<Meaning>> {
        if self.request.mode == Mode::Keyword || self.in_scope() == 0 {
            return Ok(None);
        }
        let Some(chosen) = self.chosen().await? else {
            return Err(Error::Invalid(format!(
                "none of the {} chunks in scope has a vector yet that may answer; wait for embedding to begin, or \
                 run `sibyl ingest`",
                self.in_scope()
            )));
        };
        let stage = self.clock.stage("embed", 1);
        let text = embedded(&self.request.query, &self.plan.parsed.terms);
        let vector = embed(&chosen, &text, &self.retriever.queries).await?;
        stage.end(1);
        let stage = self.clock.stage("semantic", usize::try_from(chosen.covered).unwrap_or(usize::MAX));
        let nearest = self.store().nearest(&chosen.id, &vector, &self.scope.allowed, depth).await?;
        stage.end(nearest.neighbours.len());
        Ok(Some(Meaning { chosen, text, vector, nearest }))
    }

    /// Whether the keyword leg may answer alone: the query or the chunks could not be embedded. A space that was
    /// asked for by name and does not exist is a mistake in the request.
    fn is_survivable(&self, error: &Error) -> bool {
        match error {
            Error::Embedding(_) => true,
            Error::Invalid(_) => self.request.space.is_none(),
            _ => false,
        }
    }

    async fn chosen(&self) -> Result<Option<Chosen>> {
        let Providers { embedders, .. } = self.providers;
        let key = format!("{} {}", self.workspace, self.request.filters.key());
        let Retriever { coverage, .. } = self.retriever;
        coverage
            .choose(
                self.store(),
                embedders,
                self.request.space.as_deref(),
                &self.scope,
                &key,
                self.generations.vector,
            )
            .await
    }

    pub fn in_scope(&self) -> usize {
        usize::try_from(self.scope.allowed.rows.len()).unwrap_or(usize::MAX)
    }

    fn fuse(&self, legs: &Legs) -> Vec<Fused> {
        let mut lists = Vec::new();
        if !legs.named.entries.is_empty() {
            let others = self.request.semantic_weight + self.request.keyword_weight;
            let weight = reference_weight(others, self.request.rrf_k, legs.named.entries.len());
            lists.push(List { leg: Leg::Reference, weight, entries: legs.named.entries.clone() });
        }
        if let Some(meaning) = &legs.meaning {
            let entries = meaning.nearest.neighbours.iter().map(|near| Entry {
                row: near.chunk,
                chunk_id: near.chunk_id.clone(),
                raw: Some(f64::from(near.similarity)),
                label: meaning.chosen.space.model.clone(),
            });
            let weight = self.request.semantic_weight;
            lists.push(List { leg: Leg::Semantic, weight, entries: entries.collect() });
        }
        if let Some(keyword) = &legs.keyword {
            let entries = keyword.hits.iter().map(|hit| Entry {
                row: hit.row,
                chunk_id: hit.chunk_id.clone(),
                raw: Some(hit.score),
                label: "bm25".to_owned(),
            });
            let weight = self.request.keyword_weight;
            lists.push(List { leg: Leg::Keyword, weight, entries: entries.collect() });
        }
        match lists.as_mut_slice() {
            [only] if self.request.mode != Mode::Hybrid && only.leg != Leg::Reference => {
                only.weight = 1.0;
                alone(only)
            }
            lists => fuse(lists, self.request.rrf_k),
        }
    }

    /// Cosine similarity of `ranked` to the query, where they have a vector.
    async fn similarities(&self, legs: &Legs, ranked: &[Fused]) -> Result<Relevance> {
        let Some(meaning) = &legs.meaning else { return Ok(Relevance::new()) };
        let wanted: HashSet<i64> = ranked.iter().map(|one| one.row).collect();
        let known = meaning.nearest.neighbours.iter().filter(|near| wanted.contains(&near.chunk));
        let mut found: Relevance = known.map(|near| (near.chunk, f64::from(near.similarity))).collect();
        let missing = wanted.iter().filter(|row| !found.contains_key(row));
        let rows: RowSet = RowSet {
            rows: missing.filter_map(|&row| u64::try_from(row).ok()).collect(),
            before: self.scope.allowed.before,
        };
        if !rows.rows.is_empty() {
            let Meaning { chosen, vector, .. } = meaning;
            let rest = self.store().nearest(&chosen.id, vector, &rows, wanted.len()).await?;
            found.extend(rest.neighbours.iter().map(|near| (near.chunk, f64::from(near.similarity))));
        }
        Ok(found)
    }

    /// `ranked` without what lies below the least relevance asked for. What the query names stays, and so does
    /// what has no relevance to compare.
    fn relevant(&self, ranked: Vec<Fused>, relevance: &Relevance, dropped: &mut Vec<Dropped>) -> Vec<Fused> {
        let Some(least) = self.request.min_relevance else { return ranked };
        let (kept, out): (Vec<Fused>, Vec<Fused>) = ranked
            .into_iter()
            .partition(|one| one.is_named() || relevance.get(&one.row).is_none_or(|&value| value >= least));
        dropped.extend(out.into_iter().map(|one| Dropped {
            reason: format!(
                "relevance {:.3} is below the least asked for, {least}",
                relevance.get(&one.row).copied().unwrap_or_default()
            ),
            chunk_id: one.chunk_id,
            stage: "min_relevance".to_owned(),
        }));
        kept
    }

    /// The first `limit` of `ranked` that are no near-duplicate of a better one.
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
        let stage = self.clock.stage("dedupe", ranked.len());
        // Most searches end within a little more than what they return; only then is more read.
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

    /// Vectors of the hits that share what they are cited as with another one: only those are compared.
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
            Some(space) => self.store().vectors_of(&space, rows).await,
            None => Ok(HashMap::new()),
        }
    }

    /// `ranked` in the reranker's order with its scores, or as it was with a notice.
    async fn reranked(
        &self,
        ranked: Vec<Fused>,
        chunks: &HashMap<i64, ChunkRow>,
        similarities: &Relevance,
        legs: &mut Legs,
        dropped: &mut Vec<Dropped>,
    ) -> (Vec<Fused>, Option<Relevance>) {
        let stage = self.clock.stage("rerank", ranked.len());
        let texts: Vec<String> =
            ranked.iter().filter_map(|one| Some(chunks.get(&one.row)?.text.clone())).collect();
        let answer = match &self.providers.reranker {
            _ if texts.is_empty() => Ok(Vec::new()),
            Some(reranker) => match self.kept_back(reranker.is_remote(), chunks).await {
                Ok(()) => reranker.rerank(&self.request.query, &texts).await.map_err(|e| e.to_string()),
                Err(cause) => Err(cause),
            },
            None => Err("no reranker is set up; set its base URL in Settings".to_owned()),
        };
        let (ranked, scores) = match answer {
            Ok(scores) => {
                let scores: Relevance = ranked.iter().map(|one| one.row).zip(scores).collect();
                let ranked = reorder(ranked, &scores);
                (self.relevant(ranked, &scores, dropped), Some(scores))
            }
            Err(cause) => {
                legs.notices.push(format!("not reranked, the fused order stands: {cause}"));
                legs.degraded = true;
                (self.relevant(ranked, similarities, dropped), None)
            }
        };
        stage.end(ranked.len());
        (ranked, scores)
    }

    /// Refuses to send chunks off the machine whose corpus must stay on it.
    async fn kept_back(
        &self,
        remote: bool,
        chunks: &HashMap<i64, ChunkRow>,
    ) -> std::result::Result<(), String> {
        if !remote {
            return Ok(());
        }
        let corpora = self.store().corpora(self.workspace).await.map_err(|e| e.to_string())?;
        let stays = |name: &String| corpora.iter().any(|corpus| corpus.name == *name && !corpus.remote);
        let mut names: Vec<&String> =
            chunks.values().map(|chunk| &chunk.corpus).filter(|name| stays(name)).collect();
        names.sort_unstable();
        names.dedup();
        match names.as_slice() {
            [] => Ok(()),
            _ => {
                let names = names.into_iter().map(String::as_str).collect::<Vec<_>>().join(", ");
                Err(format!(
                    "text of {names} may not leave this machine; allow it for the corpus, or filter it out"
                ))
            }
        }
    }

    async fn chunks(&self, ranked: &[Fused]) -> Result<HashMap<i64, ChunkRow>> {
        let stage = self.clock.stage("fetch", ranked.len());
        let rows = ranked.iter().map(|one| one.row).collect();
        let chunks = self.store().chunks_by_row(self.workspace, rows).await?;
        stage.end(chunks.len());
        Ok(chunks)
    }

    /// What the words of the query add to the keyword score of each of `ranked`.
    async fn leaves(&self, legs: &Legs, ranked: &[Fused]) -> Result<HashMap<i64, Vec<Leaf>>> {
        let rows: Vec<i64> = ranked.iter().map(|one| one.row).collect();
        let pair_weights = legs.keyword.as_ref().map(|list| list.pair_weights.clone()).unwrap_or_default();
        self.store().keyword_leaves(self.plan.keyword.clone(), pair_weights, rows).await
    }

    fn hits(
        &self,
        ranked: &[Fused],
        mut chunks: HashMap<i64, ChunkRow>,
        leaves: &HashMap<i64, Vec<Leaf>>,
        similarities: &Relevance,
        scores: Option<&Relevance>,
        fused_ranks: &HashMap<i64, usize>,
    ) -> Vec<Hit> {
        let mut hits = Vec::with_capacity(ranked.len());
        for one in ranked {
            let Some(chunk) = chunks.remove(&one.row) else { continue };
            let keyword_leaves: Vec<KeywordLeaf> =
                leaves.get(&one.row).into_iter().flatten().map(|leaf| self.named(leaf)).collect();
            let rerank_score = scores.and_then(|scores| scores.get(&one.row).copied());
            let similarity = similarities.get(&one.row).map(|cosine| cosine.clamp(0.0, 1.0));
            hits.push(Hit {
                relevance: rerank_score.or(similarity),
                matched_terms: keyword_leaves
                    .iter()
                    .filter_map(
                        |leaf| if let [term] = leaf.terms.as_slice() { Some(term.clone()) } else { None },
                    )
                    .collect(),
                keyword_leaves,
                fused_rank: scores.and_then(|_| fused_ranks.get(&one.row).copied()),
                rerank_score,
                ..Hit::of(chunk, hits.len() + 1, self.request.mode, one.contributions.clone())
            });
        }
        hits
    }

    /// `leaf` in the words of the query.
    fn named(&self, leaf: &Leaf) -> KeywordLeaf {
        KeywordLeaf {
            terms: leaf.phrases.iter().filter_map(|&n| self.plan.labels.get(n).cloned()).collect(),
            frequency: leaf.frequency,
            value: leaf.value,
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
