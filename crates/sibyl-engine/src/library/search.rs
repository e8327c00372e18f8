//! Searching through an open library: workspaces by name, its models, and the history of searches.

use super::Search;
use crate::counterpart::Counterparts;
use crate::embed::cache::CacheUses;
use crate::error::{Error, Result};
use crate::requirement::Requirements;
use crate::rerank::Reranker;
use crate::search::context::{ContextBlock, ContextOptions};
use crate::search::sentence::{self, MOST_PASSAGES, NearestSentence};
use crate::search::{
    EmbeddingMap, Hit, LookupRequest, LookupText, MapRequest, NearestChunks, NoticeCause, Providers, Ranking,
    Retriever, SearchNotice, SearchRequest, SearchResponse, SearchRun, check_length, usual,
};
use crate::store::Store;
use crate::store::edition::Edition;
use parking_lot::RwLock;
use serde_json::{Map, Value};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::OnceCell;

/// What an open library searches with.
pub(crate) struct Searching {
    retriever: Retriever,
    reranker: RwLock<Option<Arc<dyn Reranker>>>,
    /// Fused hits that the reranker gets; 0 by default.
    rerank_top: AtomicUsize,
    counterparts: OnceCell<Arc<Counterparts>>,
    requirements: OnceCell<Arc<Requirements>>,
}

impl Searching {
    /// Searching in `store` with the shipped thesaurus and no reranker; `edition` is the one of IFRS S2 that
    /// applies if none is named.
    ///
    /// # Errors
    /// Storage errors.
    pub async fn new(store: Arc<dyn Store>, edition: fn() -> Edition) -> Result<Self> {
        let retriever = Retriever::new(store)?.meaning(edition);
        retriever.ship_thesaurus().await?;
        Ok(Self {
            retriever,
            reranker: RwLock::default(),
            rerank_top: AtomicUsize::default(),
            counterparts: OnceCell::new(),
            requirements: OnceCell::new(),
        })
    }
}

impl Search<'_> {
    /// The retriever over this library's store.
    pub fn retriever(&self) -> &Retriever {
        &self.library.0.searching.retriever
    }

    /// Where the vectors of queries came from since the library was opened: the cache, or a model.
    pub fn query_cache(&self) -> CacheUses {
        self.retriever().queries.uses()
    }

    /// Whether the reranker in use reads texts elsewhere.
    pub(crate) fn reranks_remotely(&self) -> bool {
        let reranker = self.library.0.searching.reranker.read();
        reranker.as_ref().is_some_and(|reranker| reranker.is_remote())
    }

    /// Puts `reranker` in use, or none, over the best `top` fused hits; 0 where the request decides.
    pub fn set_reranker(&self, reranker: Option<Arc<dyn Reranker>>, top: usize) {
        self.library.0.searching.rerank_top.store(top, Ordering::Relaxed);
        *self.library.0.searching.reranker.write() = reranker;
    }

    async fn providers(&self) -> Providers {
        let embedders = self.library.models().embedders().await;
        let reranker = self.library.0.searching.reranker.read().clone();
        let rerank_top = NonZeroUsize::new(self.library.0.searching.rerank_top.load(Ordering::Relaxed));
        let mut notices = Vec::new();
        let counterparts = self.counterparts().await.unwrap_or_else(|error| {
            let message = format!("counterparts in the other standard are not included: {error}");
            notices.push(SearchNotice::new(NoticeCause::CounterpartsUnread, message));
            Arc::default()
        });
        Providers { embedders, reranker, rerank_top, counterparts, notices }
    }

    /// What IFRS S1 and S2 answer to each other, as it ships; nothing if nothing ships.
    ///
    /// # Errors
    /// [`Error::Damaged`](crate::Error::Damaged) if the file is not what ships, and errors of reading.
    pub(crate) async fn counterparts(&self) -> Result<Arc<Counterparts>> {
        let read = async || Ok(Arc::new(Counterparts::shipped(self.library.shipped()).await?));
        self.library.0.searching.counterparts.get_or_try_init(read).await.cloned()
    }

    /// What items of the SASB metrics state, as it ships; nothing if nothing ships.
    ///
    /// # Errors
    /// [`Error::Damaged`](crate::Error::Damaged) if the file is not what ships, and errors of reading.
    pub(crate) async fn requirements(&self) -> Result<Arc<Requirements>> {
        let read = async || Ok(Arc::new(Requirements::shipped(self.library.shipped()).await?));
        self.library.0.searching.requirements.get_or_try_init(read).await.cloned()
    }

    /// Answers `request` for the workspace called `workspace`.
    ///
    /// # Errors
    /// As [`Retriever::search`], and [`Error::NotFound`](crate::Error::NotFound) for an unknown workspace.
    pub async fn run(&self, workspace: &str, request: &SearchRequest) -> Result<SearchResponse> {
        let workspace = self.library.store().workspace(workspace).await?.id;
        self.retriever().search(workspace, request, &self.providers().await).await
    }

    /// The hits of `request` for the workspace called `workspace` in their order, without what is shown of them.
    ///
    /// # Errors
    /// As [`Search::run`].
    pub async fn rank(&self, workspace: &str, request: &SearchRequest) -> Result<Ranking> {
        let workspace = self.library.store().workspace(workspace).await?.id;
        self.retriever().rank(workspace, request, &self.providers().await).await
    }

    /// Answers `request` and keeps question and answer in the workspace's history. Returns the answer and the row
    /// id it is kept under; `None` if the library can only be read.
    ///
    /// # Errors
    /// As [`Search::run`], and [`crate::Error::Moved`] before anything is asked, because it could not be kept.
    pub async fn run_and_record(
        &self,
        workspace: &str,
        request: &SearchRequest,
    ) -> Result<(SearchResponse, Option<i64>)> {
        self.library.store().location().stays().await?;
        let response = self.run(workspace, request).await?;
        let store = self.library.store();
        if store.is_read_only() {
            return Ok((response, None));
        }
        let workspace = store.workspace(workspace).await?.id;
        let run = store.record_run(workspace, request, &response, &response.trace.config_hash).await?;
        Ok((response, Some(run)))
    }

    /// The latest `limit` searches of the workspace called `workspace`, newest first.
    ///
    /// # Errors
    /// Storage errors, and [`Error::NotFound`](crate::Error::NotFound) for an unknown workspace.
    pub async fn recorded(&self, workspace: &str, limit: usize) -> Result<Vec<SearchRun>> {
        let workspace = self.library.store().workspace(workspace).await?.id;
        let runs = self.library.store().runs(workspace, limit).await?;
        Ok(runs.into_iter().map(SearchRun::from).collect())
    }

    /// What the kept search `id` of the workspace called `workspace` asked and found.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if there is none or it belongs to another workspace.
    pub async fn recorded_run(&self, workspace: &str, id: i64) -> Result<(SearchRequest, SearchResponse)> {
        let workspace = self.library.store().workspace(workspace).await?.id;
        Ok(self.library.store().run(workspace, id).await?)
    }

    /// Looks `request` up and formats what is found as text for a language model.
    ///
    /// # Errors
    /// As [`Retriever::lookup`].
    pub async fn lookup(&self, workspace: &str, request: &LookupRequest) -> Result<LookupText> {
        let workspace = self.library.store().workspace(workspace).await?.id;
        let requirements = self.requirements().await?;
        let usual = self.usual().await?;
        self.retriever().lookup(workspace, request, usual, &self.providers().await, &requirements).await
    }

    /// The search that this library makes if nobody says how.
    ///
    /// # Errors
    /// Storage errors.
    pub async fn usual(&self) -> Result<SearchRequest> {
        let mut request = Map::new();
        self.complete(&mut request).await?;
        serde_json::from_value(Value::Object(request)).map_err(|error| {
            Error::Damaged(format!("the settings of the usual search cannot be read: {error}"))
        })
    }

    /// Puts the usual values where `request`, a [`SearchRequest`] as JSON, says nothing.
    ///
    /// # Errors
    /// Storage errors.
    pub async fn complete(&self, request: &mut Map<String, Value>) -> Result<()> {
        usual::fill(request, self.library.settings().await?.values());
        Ok(())
    }

    /// Makes the ranking of `search` the usual one, ignoring what and where it searches; without one, restores the
    /// engine's own.
    ///
    /// # Errors
    /// Storage errors, and [`Error::Invalid`] for numbers that no search accepts.
    pub async fn make_usual(&self, search: Option<&SearchRequest>) -> Result<SearchRequest> {
        self.library.change_settings(usual::settings_of(search)?).await?;
        self.usual().await
    }

    /// The chunks whose own id is `id`, in `edition` or else in the one in force.
    ///
    /// # Errors
    /// As [`Retriever::paragraph`].
    pub async fn paragraph(&self, workspace: &str, id: &str, edition: Option<Edition>) -> Result<Vec<Hit>> {
        let workspace = self.library.store().workspace(workspace).await?.id;
        let requirements = self.requirements().await?;
        self.retriever().paragraph(workspace, id, edition, &requirements).await
    }

    /// The `limit` chunks nearest to the chunk `chunk_id`, never itself.
    ///
    /// # Errors
    /// As [`Retriever::neighbours`].
    pub async fn neighbours(&self, workspace: &str, chunk_id: &str, limit: usize) -> Result<NearestChunks> {
        let workspace = self.library.store().workspace(workspace).await?.id;
        self.retriever()
            .neighbours(workspace, chunk_id, limit, &self.library.models().embedders().await)
            .await
    }

    /// Chunks on a map by meaning.
    ///
    /// # Errors
    /// As [`Retriever::map`].
    pub async fn map(&self, workspace: &str, request: &MapRequest) -> Result<EmbeddingMap> {
        let workspace = self.library.store().workspace(workspace).await?.id;
        self.retriever().map(workspace, request, &self.providers().await).await
    }

    /// The `limit` chunks nearest to `text`, which need not be stored; no provider is asked.
    ///
    /// # Errors
    /// As [`Retriever::neighbours_of_text`].
    pub async fn neighbours_of_text(
        &self,
        workspace: &str,
        text: &str,
        limit: usize,
    ) -> Result<NearestChunks> {
        let workspace = self.library.store().workspace(workspace).await?.id;
        self.retriever()
            .neighbours_of_text(workspace, text, limit, &self.library.models().embedders().await)
            .await
    }

    /// A context block of at most `max_tokens` from the chunks called `chunk_ids`, the most relevant first. Labels
    /// are in the language of the workspace.
    ///
    /// # Errors
    /// As [`Retriever::context`].
    pub async fn context(
        &self,
        workspace: &str,
        chunk_ids: &[String],
        max_tokens: usize,
    ) -> Result<ContextBlock> {
        let workspace = self.library.store().workspace(workspace).await?;
        let options = ContextOptions { max_tokens, language: workspace.language };
        self.retriever().context(workspace.id, chunk_ids, options).await
    }

    /// For each of the chunks `chunk_ids` that `workspace` sees, in their order, the sentence nearest to `query`
    /// by the static table. It leaves out chunks with fewer than two sentences, or with none of which the table
    /// knows a word. Without such a table it leaves out all.
    ///
    /// # Errors
    /// [`Error::Invalid`] for more than [`MOST_PASSAGES`] chunks. [`Error::NotFound`] for a workspace or a chunk
    /// that does not exist. [`Error::Embedding`] if the table cannot be read.
    pub async fn nearest_sentences(
        &self,
        workspace: &str,
        query: &str,
        chunk_ids: &[String],
    ) -> Result<Vec<NearestSentence>> {
        check_length("query", query)?;
        if chunk_ids.len() > MOST_PASSAGES {
            return Err(Error::Invalid(format!(
                "`chunk_ids` takes at most {MOST_PASSAGES} ids, not {}; ask in parts",
                chunk_ids.len()
            )));
        }
        let workspace = self.library.store().workspace(workspace).await?.id;
        let mut chunks = Vec::with_capacity(chunk_ids.len());
        for id in chunk_ids {
            let chunk = self.library.store().chunk(workspace, id).await?;
            chunks.push(chunk.ok_or_else(|| Error::not_found("chunk", id.clone()))?);
        }
        match self.library.models().instant().await {
            Some(table) => sentence::nearest(&table, query, chunks).await,
            None => Ok(Vec::new()),
        }
    }
}
