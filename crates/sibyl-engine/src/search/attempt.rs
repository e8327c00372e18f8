//! One run through the stages of a search, over one state of the library.

use super::fact;
use super::labels::Candidates;
use super::notice::{NoticeCause, SearchNotice};
use super::query::Plan;
use super::reference::{Named, named};
use super::retriever::{Providers, Retriever};
use super::semantic::{Chosen, compared, embed, embedded};
use super::timing::Clock;
use super::{COMPARED, Filters, LEG_DEPTH, Mode, SearchRequest, SearchStage};
use crate::error::{Error, Result};
use crate::store::Store;
use crate::store::keyword::RankedList;
use crate::store::nearest::Nearest;
use crate::store::scope::{Generations, Scope};
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
    /// The text that was embedded for the query.
    pub text: String,
    pub vector: Vec<f32>,
    pub nearest: Nearest,
}

/// Relevance by row: cosine similarity, or a reranker's score.
pub(super) type Relevance = HashMap<i64, f64>;

impl Attempt<'_> {
    pub fn store(&self) -> &dyn Store {
        self.retriever.store()
    }

    /// The displayed details of `rows`; deleted ones are left out.
    pub async fn labels(&self, rows: &[i64]) -> Result<Candidates> {
        self.retriever.labels.of(self.store(), rows, self.scope.generation).await
    }

    /// Both legs at once, and the chunks that the query names.
    pub async fn legs(&self) -> Result<Legs> {
        let depth = self.depth();
        let keyword = async {
            if self.request.mode == Mode::Semantic {
                return Ok((None, Named::default()));
            }
            let stage = self.clock.stage(SearchStage::Keyword, self.in_scope());
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
                if meaning.chosen.covered < self.scope.allowed.len() {
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

    /// The semantic leg; `None` if it was not asked for or nothing is in scope.
    async fn meaning(&self, depth: usize) -> Result<Option<Meaning>> {
        if self.request.mode == Mode::Keyword || self.in_scope() == 0 {
            return Ok(None);
        }
        let Some(chosen) = self.chosen().await? else {
            return Err(Error::NoVectors { in_scope: self.in_scope() as u64 });
        };
        let stage = self.clock.stage(SearchStage::Embed, 1);
        let text = embedded(compared(&self.request.query), &self.plan.terms);
        let vector = embed(&chosen, &text, &self.retriever.queries).await?;
        stage.end(1);
        let stage =
            self.clock.stage(SearchStage::Semantic, usize::try_from(chosen.covered).unwrap_or(usize::MAX));
        let nearest = self.store().nearest(&chosen.id, &vector, &self.scope.allowed, depth).await?;
        stage.end(nearest.neighbours.len());
        Ok(Some(Meaning { chosen, text, vector, nearest }))
    }

    /// Whether the keyword leg may answer alone: the query or the chunks could not be embedded. An explicitly
    /// named space that does not exist is a mistake in the request.
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

    /// Maximum number of hits that each leg passes to the fusion.
    pub fn depth(&self) -> usize {
        LEG_DEPTH.max(self.request.top_k)
    }

    pub fn in_scope(&self) -> usize {
        usize::try_from(self.scope.allowed.len()).unwrap_or(usize::MAX)
    }
}
