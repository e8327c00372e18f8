//! A search from its request to its answer: the stages of one run, and starting again where the library changed.

use super::attempt::{Attempt, Legs, Relevance};
use super::dropped::Dropped;
use super::explain::{Outcome, why_not};
use super::fuse::Fused;
use super::notice::{NoticeCause, SearchNotice};
use super::order::{Order, reorder};
use super::retriever::{Providers, Retriever, check_length};
use super::timing::Clock;
use super::{
    Hit, KeywordLeaf, MAX_TOP_K, MAX_WEIGHT, Ranked, Ranking, SearchRequest, SearchResponse, SearchStage,
    TermFate,
};
use crate::error::{Error, Result};
use crate::store::keyword::Leaf;
use crate::store::table::chunk::ChunkRow;
use std::collections::HashMap;

/// Number of times a search starts again because the library changed meanwhile, before it answers with what it
/// has.
const ATTEMPTS: usize = 3;
/// What an answer says then.
const CHANGED: &str = "the library changed while it was searched; some results may be out of date";

impl Retriever {
    /// Answers `request` for `workspace` (a row id). Dropping the future stops the search at its next stage.
    ///
    /// # Errors
    /// [`Error::Invalid`] for impossible values. [`Error::QuerySyntax`] for a structured query that does not
    /// parse. In semantic mode, whatever keeps the query from being embedded. Hybrid search then answers from its
    /// keyword leg and says so.
    pub async fn search(
        &self,
        workspace: i64,
        request: &SearchRequest,
        providers: &Providers,
    ) -> Result<SearchResponse> {
        check(request)?;
        let mut attempt = 1;
        loop {
            let clock = Clock::new();
            let prepared = self.prepare(workspace, request, providers, &clock).await?;
            let (mut response, steady) = prepared.run().await?;
            if steady || attempt == ATTEMPTS {
                response
                    .trace
                    .notices
                    .extend((!steady).then(|| SearchNotice::new(NoticeCause::LibraryChanged, CHANGED)));
                return Ok(response);
            }
            attempt += 1;
        }
    }

    /// The hits of `request` for `workspace` (a row id) in their order, without what is shown of them.
    ///
    /// # Errors
    /// As [`Retriever::search`].
    pub async fn rank(
        &self,
        workspace: i64,
        request: &SearchRequest,
        providers: &Providers,
    ) -> Result<Ranking> {
        check(request)?;
        let mut attempt = 1;
        loop {
            let clock = Clock::new();
            let prepared = self.prepare(workspace, request, providers, &clock).await?;
            let (mut ranking, steady) = prepared.rank().await?;
            if steady || attempt == ATTEMPTS {
                ranking
                    .notices
                    .extend((!steady).then(|| SearchNotice::new(NoticeCause::LibraryChanged, CHANGED)));
                return Ok(ranking);
            }
            attempt += 1;
        }
    }

    async fn prepare<'a>(
        &'a self,
        workspace: i64,
        request: &'a SearchRequest,
        providers: &'a Providers,
        clock: &'a Clock,
    ) -> Result<Attempt<'a>> {
        let stage = clock.stage(SearchStage::Filter, 0);
        let generations = self.store().generations().await?;
        let scope = self.scope_at(workspace, &request.filters, generations.chunk).await?;
        stage.end(usize::try_from(scope.allowed.len()).unwrap_or(usize::MAX));
        let stage = clock.stage(SearchStage::Parse, request.query.chars().count());
        let plan = self.plan(workspace, request, &scope, generations.thesaurus).await?;
        stage.end(plan.keyword.weights.len());
        Ok(Attempt { retriever: self, workspace, request, providers, scope, generations, plan, clock })
    }
}

/// Refuses values that no search can run with.
fn check(request: &SearchRequest) -> Result<()> {
    let refuse = |message: String| Err(Error::Invalid(message));
    if request.query.trim().is_empty() {
        return refuse("the query is empty; type a question or a paragraph id".to_owned());
    }
    check_length("query", &request.query)?;
    Error::within("top_k", request.top_k as f64, 1.0, MAX_TOP_K as f64)?;
    check_ranking(request)?;
    request.min_relevance.map_or(Ok(()), |relevance| Error::within("min_relevance", relevance, 0.0, 1.0))
}

/// Refuses impossible numbers for a ranking.
///
/// # Errors
/// [`Error::Invalid`] says what they may be.
pub(super) fn check_ranking(request: &SearchRequest) -> Result<()> {
    let refuse = |message: String| Err(Error::Invalid(message));
    for (name, weight) in
        [("semantic_weight", request.semantic_weight), ("keyword_weight", request.keyword_weight)]
    {
        Error::within(name, weight, 0.0, MAX_WEIGHT)?;
    }
    if !(0.0..=1.0).contains(&request.semantic_share) {
        return refuse(format!("`semantic_share` is a number from 0 to 1, not {}", request.semantic_share));
    }
    if request.semantic_weight + request.keyword_weight == 0.0 {
        return refuse("one of `semantic_weight` and `keyword_weight` must be above 0".to_owned());
    }
    Ok(())
}

impl Attempt<'_> {
    /// Runs the stages. The second value says whether the library stayed the same throughout.
    pub async fn run(mut self) -> Result<(SearchResponse, bool)> {
        let mut legs = self.legs().await?;
        self.feed_back(&mut legs).await?;
        let Order { mut ranked, fused, mut dropped, similarities } = self.order(&legs).await?;
        // The displayed details depend only on the list of hits, so they are read at once.
        let (similarities, chunks, leaves, lists) = tokio::try_join!(
            self.known_or_read(similarities, &legs, &ranked),
            self.chunks(&ranked),
            self.leaves(&legs, &ranked),
            self.lists(&legs),
        )?;
        ranked.retain(|one| chunks.contains_key(&one.row));
        let mut scores = None;
        if self.request.rerank {
            (ranked, scores) = self.reranked(ranked, &chunks, &similarities, &mut legs, &mut dropped).await;
        }
        ranked.truncate(self.request.top_k);
        let fused_ranks: HashMap<i64, usize> =
            fused.iter().zip(1..).map(|((row, _), rank)| (*row, rank)).collect();
        let mut results = self.hits(&ranked, chunks, &leaves, &similarities, scores.as_ref(), &fused_ranks);
        for (hit, one) in results.iter_mut().zip(&ranked) {
            hit.facts = legs.named.facts.remove(&one.row).unwrap_or_default();
        }
        legs.notices.extend(super::foreign::notice(
            &self.request.query,
            results.iter().map(|hit| hit.passage.as_str()),
            legs.meaning.as_ref().map(|meaning| &meaning.chosen.space),
        ));
        self.note_beyond(&results, fused.into_iter().map(|(_, chunk_id)| chunk_id).collect(), &mut dropped);
        let outcome = Outcome {
            fused_ranks: &fused_ranks,
            results: &results,
            dropped: &dropped,
            meaning: legs.meaning.as_ref(),
        };
        let pinned = why_not(&self, outcome).await?;
        let steady = self.steady(&legs).await?;
        Ok((self.response(legs, results, dropped, pinned, lists), steady))
    }

    /// Runs the stages that decide which chunks answer in which order, and reads nothing to show them. The second value
    /// says whether the library stayed the same throughout.
    pub async fn rank(mut self) -> Result<(Ranking, bool)> {
        let mut legs = self.legs().await?;
        self.feed_back(&mut legs).await?;
        let Order { mut ranked, mut dropped, similarities, .. } = self.order(&legs).await?;
        let rows: Vec<i64> = ranked.iter().map(|one| one.row).collect();
        let (similarities, candidates) =
            tokio::try_join!(self.known_or_read(similarities, &legs, &ranked), self.labels(&rows))?;
        ranked.retain(|one| candidates.contains_key(&one.row));
        let mut scores = None;
        if self.request.rerank {
            let chunks = self.chunks(&ranked).await?;
            (ranked, scores) = self.reranked(ranked, &chunks, &similarities, &mut legs, &mut dropped).await;
        }
        ranked.truncate(self.request.top_k);
        let place = |one: Fused| Ranked {
            row: one.row,
            relevance: relevance(one.row, scores.as_ref(), &similarities),
            identity: candidates.get(&one.row).and_then(|candidate| candidate.identity.clone()),
            chunk_id: one.chunk_id,
            contributions: one.contributions,
        };
        let steady = self.steady(&legs).await?;
        let ranking = Ranking {
            places: ranked.into_iter().map(place).collect(),
            config_hash: self.config_hash(legs.meaning.as_ref()),
            notices: legs.notices,
            degraded: legs.degraded,
        };
        Ok((ranking, steady))
    }

    /// Whether the library still has everything with which the search began. Later additions are not in its scope,
    /// so the answer is that of the moment when it began.
    async fn steady(&self, legs: &Legs) -> Result<bool> {
        let unchanged = |removals: i64| removals == self.scope.removals;
        Ok(unchanged(self.store().generations().await?.removals)
            && legs.keyword.as_ref().is_none_or(|list| unchanged(list.removals)))
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
        let stage = self.clock.stage(SearchStage::Rerank, ranked.len());
        let texts: Vec<String> =
            ranked.iter().filter_map(|one| Some(read_text(chunks.get(&one.row)?))).collect();
        let answer = match &self.providers.reranker {
            _ if texts.is_empty() => Ok(Vec::new()),
            Some(reranker) => match self.kept_back(reranker.is_remote(), chunks).await {
                Ok(()) => reranker.rerank(&self.request.query, &texts).await.map_err(|e| e.to_string()),
                Err(cause) => Err(cause),
            },
            None => Err("no reranker is in use; set its base URL in Settings, and switch remote models on if it is on another machine"
                .to_owned()),
        };
        let (ranked, scores) = match answer {
            Ok(scores) => {
                let scores: Relevance = ranked.iter().map(|one| one.row).zip(scores).collect();
                let ranked = reorder(ranked, &scores);
                (self.relevant(ranked, &scores, dropped), Some(scores))
            }
            Err(cause) => {
                let message = format!("not reranked; results keep the fused order: {cause}");
                legs.notices.push(SearchNotice::new(NoticeCause::NotReranked, message));
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
                Err(Error::KeptLocal {
                    corpora: names,
                    otherwise: "exclude such corpora with a filter".to_owned(),
                }
                .to_string())
            }
        }
    }

    async fn chunks(&self, ranked: &[Fused]) -> Result<HashMap<i64, ChunkRow>> {
        let stage = self.clock.stage(SearchStage::Fetch, ranked.len());
        let rows = ranked.iter().map(|one| one.row).collect();
        let chunks = self.store().chunks_by_row(self.workspace, rows).await?;
        stage.end(chunks.len());
        Ok(chunks)
    }

    /// What the words of the query add to the keyword score of each of `ranked`.
    async fn leaves(&self, legs: &Legs, ranked: &[Fused]) -> Result<HashMap<i64, Vec<Leaf>>> {
        let rows: Vec<i64> = ranked.iter().map(|one| one.row).collect();
        let pair_weights = legs.keyword.as_ref().map(|list| list.pair_weights.clone()).unwrap_or_default();
        Ok(self.store().keyword_leaves(self.plan.keyword.clone(), pair_weights, rows).await?)
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
        let fed_back = |stem: &String| {
            self.plan.terms.iter().any(|term| term.fate == TermFate::Feedback && term.stem == *stem)
        };
        for one in ranked {
            let Some(chunk) = chunks.remove(&one.row) else { continue };
            let keyword_leaves: Vec<KeywordLeaf> =
                leaves.get(&one.row).into_iter().flatten().map(|leaf| self.named(leaf)).collect();
            hits.push(Hit {
                relevance: relevance(one.row, scores, similarities),
                matched_terms: keyword_leaves
                    .iter()
                    .filter_map(
                        |leaf| if let [term] = leaf.terms.as_slice() { Some(term.clone()) } else { None },
                    )
                    .filter(|stem| !fed_back(stem))
                    .collect(),
                keyword_leaves,
                fused_rank: scores.and_then(|_| fused_ranks.get(&one.row).copied()),
                rerank_score: scores.and_then(|scores| scores.get(&one.row).copied()),
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

/// What a reranker reads of a chunk: its context header and its own text, without its search aids.
fn read_text(chunk: &ChunkRow) -> String {
    match chunk.header() {
        Some(header) => format!("{header}\n\n{}", chunk.passage()),
        None => chunk.passage(),
    }
}

/// Relevance of `row` from 0 to 1: the reranker's score, else its cosine similarity if there is one.
fn relevance(row: i64, scores: Option<&Relevance>, similarities: &Relevance) -> Option<f64> {
    let similarity = || similarities.get(&row).map(|cosine| cosine.clamp(0.0, 1.0));
    scores.and_then(|scores| scores.get(&row).copied()).or_else(similarity)
}
