//! One run through the stages of a search, over one state of the library.

use super::explain::{Outcome, why_not};
use super::fact;
use super::fuse::Fused;
use super::labels::Candidates;
use super::notice::{NoticeCause, SearchNotice};
use super::order::Order;
use super::order::reorder;
use super::query::Plan;
use super::reference::{Named, named};
use super::retriever::{Providers, Retriever};
use super::semantic::{Chosen, compared, embed, embedded};
use super::timing::Clock;
use super::{
    COMPARED, Dropped, Filters, Hit, KeywordLeaf, LEG_DEPTH, Mode, Ranked, Ranking, SearchRequest,
    SearchResponse, TermFate,
};
use crate::error::{Error, Result};
use crate::store::Store;
use crate::store::keyword::{Leaf, RankedList};
use crate::store::nearest::Nearest;
use crate::store::scope::{Generations, Scope};
use crate::store::table::chunk::ChunkRow;
use std::collections::HashMap;
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
    pub notices: Vec<SearchNotice>,
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
pub(super) type Relevance = HashMap<i64, f64>;

/// What a reranker reads of a chunk: its context header and what it says, without what it has only to be found by.
fn read_text(chunk: &ChunkRow) -> String {
    match chunk.header() {
        Some(header) => format!("{header}\n\n{}", chunk.passage()),
        None => chunk.passage(),
    }
}

/// Relevance of `row` from 0 to 1: the reranker's score, else its cosine similarity, where there is one.
fn relevance(row: i64, scores: Option<&Relevance>, similarities: &Relevance) -> Option<f64> {
    let similarity = || similarities.get(&row).map(|cosine| cosine.clamp(0.0, 1.0));
    scores.and_then(|scores| scores.get(&row).copied()).or_else(similarity)
}

impl Attempt<'_> {
    pub fn store(&self) -> &Store {
        self.retriever.store()
    }

    /// Runs the stages. The second value says whether the library stayed the same throughout.
    pub async fn run(mut self) -> Result<(SearchResponse, bool)> {
        let mut legs = self.legs().await?;
        self.feed_back(&mut legs).await?;
        let Order { mut ranked, fused, mut dropped, similarities } = self.order(&legs).await?;
        // What is shown waits for nothing but the list of hits, so that it is read at once.
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

    /// Whether the library still holds all that the search began with. What came meanwhile is not in its scope, so that
    /// the answer is the one of the moment at which it began.
    async fn steady(&self, legs: &Legs) -> Result<bool> {
        let unchanged = |removals: i64| removals == self.scope.removals;
        Ok(unchanged(self.store().generations().await?.removals)
            && legs.keyword.as_ref().is_none_or(|list| unchanged(list.removals)))
    }

    /// What is shown of `rows`; what is gone is left out.
    pub async fn labels(&self, rows: &[i64]) -> Result<Candidates> {
        self.retriever.labels.of(self.store(), rows, self.scope.generation).await
    }

    /// Both legs at once, and the chunks that the query names.
    async fn legs(&self) -> Result<Legs> {
        let depth = self.depth();
        let keyword = async {
            if self.request.mode == Mode::Semantic {
                return Ok((None, Named::default()));
            }
            let stage = self.clock.stage("keyword", self.in_scope());
            let list = self.store().keyword_ranked(self.plan.keyword.clone(), &self.scope, depth).await?;
            stage.end(list.hits.len());
            let unfiltered = self.request.filters == Filters::default();
            let mut named = named(self.store(), &self.scope, &self.plan.references, unfiltered).await?;
            fact::add(self.store(), &self.scope, &self.request.query, &mut named).await?;
            Ok::<_, Error>((Some(list), named))
        };
        let (meaning, keyword) = tokio::join!(self.meaning(depth), keyword);
        let (keyword, named) = keyword?;
        let mut legs = Legs { keyword, named, notices: self.scope_notices(), ..Legs::default() };
        legs.notices.extend(self.providers.notices.iter().cloned());
        legs.notices.append(&mut legs.named.notices);
        legs.notices.extend(self.plan.notices.iter().cloned());
        match meaning {
            Ok(Some(meaning)) => {
                if meaning.chosen.covered < self.scope.allowed.rows.len() {
                    let (covered, model) = (meaning.chosen.covered, &meaning.chosen.space.model);
                    let all = self.in_scope();
                    legs.notices.push(SearchNotice::new(
                        NoticeCause::PartlyEmbedded,
                        format!("{covered} of {all} chunks in scope have a vector from {model}; only keyword search \
                                 can find the others"),
                    ));
                }
                let query = &self.request.query;
                let left_out = query[compared(query).len()..].chars().count();
                if left_out > 0 {
                    let message = format!(
                        "the query is longer than is compared by meaning: its first {COMPARED} characters were, the \
                         last {left_out} were left out"
                    );
                    legs.notices.push(SearchNotice::new(NoticeCause::QueryCut, message));
                }
                legs.meaning = Some(meaning);
            }
            Ok(None) => {}
            Err(error) if self.request.mode == Mode::Hybrid && self.is_survivable(&error) => {
                let message = format!("only keyword search answered: {error}");
                legs.notices.push(SearchNotice::new(NoticeCause::KeywordOnly, message));
                legs.degraded = true;
            }
            Err(error) => return Err(error),
        }
        Ok(legs)
    }

    /// What the filters say of themselves.
    fn scope_notices(&self) -> Vec<SearchNotice> {
        let notice = |message: &String| SearchNotice::new(NoticeCause::UnknownFilterValue, message);
        self.scope.notices.iter().map(notice).collect()
    }

    /// The semantic leg; `None` where it was not asked for or nothing is in scope.
    async fn meaning(&self, depth: usize) -> Result<Option<Meaning>> {
        if self.request.mode == Mode::Keyword || self.in_scope() == 0 {
            return Ok(None);
        }
        let Some(chosen) = self.chosen().await? else {
            return Err(Error::NoVectors { in_scope: self.in_scope() as u64 });
        };
        let stage = self.clock.stage("embed", 1);
        let text = embedded(compared(&self.request.query), &self.plan.terms);
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
            Error::NoVectors { .. } | Error::Store(sibyl_store::Error::UnfitVector { .. }) => {
                self.request.space.is_none()
            }
            _ => false,
        }
    }

    pub async fn chosen(&self) -> Result<Option<Chosen>> {
        let Providers { embedders, .. } = self.providers;
        let key = format!("{} {}", self.workspace, self.retriever.in_force(&self.request.filters).key());
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

    /// Hits that each leg hands to the fusion at most.
    pub fn depth(&self) -> usize {
        LEG_DEPTH.max(self.request.top_k)
    }

    pub fn in_scope(&self) -> usize {
        usize::try_from(self.scope.allowed.rows.len()).unwrap_or(usize::MAX)
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
