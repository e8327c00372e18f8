//! Searching one library: what stays the same between searches, and starting again if it has changed.

use super::counts::Counts;
use super::labels::Labels;
use super::notice::SearchNotice;
use super::query::{FOLLOWED, Plan, Reading, Thesaurus, shipped};
use super::semantic::Coverage;
use super::{Filters, LONGEST_QUERY, Mode, SearchRequest};
use crate::counterpart::Counterparts;
use crate::embed::Embedder;
use crate::embed::cache::QueryCache;
use crate::error::{Error, Result};
use crate::rerank::Reranker;
use crate::store::Store;
use crate::store::edition::Edition;
use crate::store::keyword::{Frequencies, KeywordQuery, Phrase, Stemmer, Vocabulary};
use crate::store::scope::Scope;
use parking_lot::Mutex;
use sibyl_text::source_type::field::EDITION;
use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::Arc;

/// Scopes and vocabularies kept.
const KEPT: usize = 32;

/// What a search uses besides the store.
#[derive(Clone, Default)]
pub struct Providers {
    /// Embedders in use, by tier.
    pub embedders: Vec<Arc<dyn Embedder>>,
    /// The reranker, if one is set up.
    pub reranker: Option<Arc<dyn Reranker>>,
    /// Number of fused hits that the reranker gets, never fewer than the requested results. By default,
    /// [`super::RERANK_OVERFETCH`] for each result.
    pub rerank_top: Option<NonZeroUsize>,
    /// What IFRS S1 and S2 answer to each other.
    pub(crate) counterparts: Arc<Counterparts>,
    /// The parts of this that are not available.
    pub(crate) notices: Vec<SearchNotice>,
}

/// Searches one library. Keeps what stays the same between searches: scopes, thesaurus,
/// vocabulary, frequencies, coverage, labels.
pub struct Retriever {
    store: Arc<dyn Store>,
    stemmer: Arc<dyn Stemmer>,
    scopes: Mutex<HashMap<(i64, String), Arc<Scope>>>,
    vocabularies: Mutex<HashMap<i64, Arc<Vocabulary>>>,
    thesauri: Mutex<HashMap<i64, (i64, Arc<Thesaurus>)>>,
    counts: Counts,
    pub(super) coverage: Coverage,
    pub(crate) queries: QueryCache,
    pub(super) labels: Labels,
    edition: fn() -> Edition,
}

impl Retriever {
    /// A retriever over `store`.
    ///
    /// # Errors
    /// Storage errors.
    pub fn new(store: Arc<dyn Store>) -> Result<Self> {
        Ok(Self {
            stemmer: store.stemmer()?,
            store,
            scopes: Mutex::default(),
            vocabularies: Mutex::default(),
            thesauri: Mutex::default(),
            counts: Counts::default(),
            coverage: Coverage::default(),
            queries: QueryCache::default(),
            labels: Labels::default(),
            edition: Edition::today,
        })
    }

    /// The same, with the edition of IFRS S2 that applies if a search names none; by default [`Edition::today`].
    #[must_use]
    pub fn meaning(self, edition: fn() -> Edition) -> Self {
        Self { edition, ..self }
    }

    /// `filters` with the edition that applies, if they name none.
    pub(crate) fn in_force(&self, filters: &Filters) -> Filters {
        let mut filters = filters.clone();
        if filters.fields.values(&EDITION).is_empty() {
            filters.fields.set(&EDITION, [(self.edition)().code()]);
        }
        filters
    }

    /// The store it searches.
    pub fn store(&self) -> &dyn Store {
        self.store.as_ref()
    }

    /// The rows in scope, resolved once and then brought up to date with each state of the library.
    pub(crate) async fn scope(&self, workspace: i64, filters: &Filters) -> Result<Arc<Scope>> {
        let generation = self.store.generations().await?.chunk;
        self.scope_at(workspace, filters, generation).await
    }

    pub(super) async fn scope_at(
        &self,
        workspace: i64,
        filters: &Filters,
        generation: i64,
    ) -> Result<Arc<Scope>> {
        let filters = self.in_force(filters);
        let key = (workspace, filters.key());
        let known = self.scopes.lock().get(&key).cloned();
        if let Some(scope) = known.as_ref().filter(|scope| scope.generation == generation) {
            return Ok(Arc::clone(scope));
        }
        let scope = Arc::new(self.store.scope_since(workspace, filters, known).await?);
        let mut scopes = self.scopes.lock();
        if scopes.len() >= KEPT && !scopes.contains_key(&key) {
            let oldest = scopes.iter().min_by_key(|(_, scope)| scope.generation).map(|(key, _)| key.clone());
            oldest.and_then(|oldest| scopes.remove(&oldest));
        }
        scopes.insert(key, Arc::clone(&scope));
        Ok(scope)
    }

    pub(super) async fn plan(
        &self,
        workspace: i64,
        request: &SearchRequest,
        scope: &Scope,
        thesaurus: i64,
    ) -> Result<Plan> {
        if request.mode == Mode::Semantic && request.structured {
            // Operators mean nothing to a model; references are reported all the same.
            let mut references = sibyl_text::source_type::references(&request.query);
            references.truncate(FOLLOWED);
            return Ok(Plan { references, ..Plan::default() });
        }
        let thesaurus = if request.thesaurus {
            self.thesaurus(workspace, thesaurus).await?
        } else {
            Arc::new(Thesaurus::default())
        };
        let mut reading = Reading::new(request, self.stemmer.as_ref(), &thesaurus, &scope.corpora)?;
        self.count(&mut reading, workspace, scope).await?;
        if request.correct_spelling && !request.structured {
            let unknown = reading.unknown_words();
            if !unknown.is_empty() {
                let vocabulary = self.vocabulary(workspace, scope).await?;
                reading.correct(&unknown, &vocabulary, self.stemmer.as_ref())?;
                self.count(&mut reading, workspace, scope).await?;
            }
        }
        let plan = reading.plan();
        if request.mode == Mode::Semantic {
            // The query is read in the same way for both legs; here the keyword leg does not run.
            let (keyword, labels, notices) = (KeywordQuery::default(), Vec::new(), Vec::new());
            return Ok(Plan { keyword, labels, notices, ..plan });
        }
        Ok(plan)
    }

    /// The stems of each of `texts`.
    pub(super) fn stems(&self, texts: &[String]) -> Result<Vec<Vec<String>>> {
        Ok(self.stemmer.tokens(texts)?)
    }

    /// How often stems occur in what `workspace` sees; each stem comes with a phrase that finds it.
    pub(super) async fn count_stems(
        &self,
        workspace: i64,
        scope: &Scope,
        stems: Vec<(String, Phrase)>,
    ) -> Result<Frequencies> {
        self.counts.of(self.store(), workspace, scope, (stems, Vec::new())).await
    }

    async fn count(&self, reading: &mut Reading, workspace: i64, scope: &Scope) -> Result<()> {
        reading.count(&self.counts.of(self.store(), workspace, scope, reading.to_count()).await?);
        Ok(())
    }

    /// Stores the thesaurus that ships with the program, if an older one or none is stored.
    ///
    /// # Errors
    /// Storage errors.
    pub async fn ship_thesaurus(&self) -> Result<()> {
        let (version, entries) = shipped()?;
        self.store.ship_thesaurus(version, entries).await?;
        Ok(())
    }

    async fn thesaurus(&self, workspace: i64, generation: i64) -> Result<Arc<Thesaurus>> {
        {
            let kept = self.thesauri.lock();
            if let Some((_, thesaurus)) = kept.get(&workspace).filter(|(at, _)| *at == generation && *at > 0)
            {
                return Ok(Arc::clone(thesaurus));
            }
        }
        self.ship_thesaurus().await?;
        let generation = self.store.generations().await?.thesaurus;
        let thesaurus =
            Arc::new(Thesaurus::new(&self.store.thesaurus(workspace).await?, self.stemmer.as_ref())?);
        self.thesauri.lock().insert(workspace, (generation, Arc::clone(&thesaurus)));
        Ok(thesaurus)
    }

    async fn vocabulary(&self, workspace: i64, scope: &Scope) -> Result<Arc<Vocabulary>> {
        let known = self.vocabularies.lock().get(&workspace).cloned();
        if let Some(known) = known.as_ref().filter(|known| known.is_of(scope)) {
            return Ok(Arc::clone(known));
        }
        let vocabulary = Arc::new(self.store.vocabulary(scope, known).await?);
        let mut kept = self.vocabularies.lock();
        if kept.len() >= KEPT {
            kept.clear();
        }
        kept.insert(workspace, Arc::clone(&vocabulary));
        Ok(vocabulary)
    }
}

/// Refuses a `text` called `name` that is longer than a query is read.
///
/// # Errors
/// [`Error::Invalid`] names the limit.
pub(crate) fn check_length(name: &str, text: &str) -> Result<()> {
    let characters = text.chars().count();
    if characters > LONGEST_QUERY {
        return Err(Error::Invalid(format!(
            "`{name}` has at most {LONGEST_QUERY} characters, not {characters}; shorten it"
        )));
    }
    Ok(())
}
