//! What a search asks of a store: a scope, and the best chunks in it by words and by meaning.

use crate::candidate::Candidate;
use crate::error::Result;
use crate::keyword::{Frequencies, KeywordQuery, Leaf, Phrase, RankedList, Stemmer, Vocabulary, Wanted};
use crate::nearest::Nearest;
use crate::scope::{ChunkSet, Filters, Generations, Scope};
use async_trait::async_trait;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// What a search asks of a store: a scope, and the best chunks in it by words and by meaning.
#[async_trait]
pub trait Retrieval: Send + Sync {
    /// The rows that `workspace` sees and that `filters` leave. A value that no chunk has is named in a notice.
    ///
    /// # Errors
    /// Storage errors.
    async fn scope(&self, workspace: i64, filters: Filters) -> Result<Scope> {
        self.scope_since(workspace, filters, None).await
    }

    /// As [`Self::scope`], starting from what was `known` for the same workspace and filters: only chunks added or
    /// removed since are examined.
    ///
    /// # Errors
    /// Storage errors.
    async fn scope_since(&self, workspace: i64, filters: Filters, known: Option<Arc<Scope>>)
    -> Result<Scope>;

    /// Counters that increase with every change of what they are named after.
    ///
    /// # Errors
    /// Storage errors.
    async fn generations(&self) -> Result<Generations>;

    /// The splitter of text into stems that the keyword index uses.
    ///
    /// # Errors
    /// Storage errors.
    fn stemmer(&self) -> Result<Arc<dyn Stemmer>>;

    /// The `depth` best chunks of `scope` for `query`, best first, of equal ones the greater chunk id first.
    ///
    /// # Errors
    /// Storage errors. A query without a clause matches nothing.
    async fn keyword_ranked(&self, query: KeywordQuery, scope: &Scope, depth: usize) -> Result<RankedList>;

    /// The summands of the scores of `rows` for `query`, with the weights of its pairs from the list that ranked
    /// them. Rows that do not match are left out.
    ///
    /// # Errors
    /// Storage errors.
    async fn keyword_leaves(
        &self,
        query: KeywordQuery,
        pair_weights: Vec<[f64; 2]>,
        rows: Vec<i64>,
    ) -> Result<HashMap<i64, Vec<Leaf>>>;

    /// How often stems and phrases occur. A stem counts over the library, a phrase over what the workspace sees. A
    /// stem that no chunk there holds counts 0, so that no workspace corrects or expands with another's words.
    ///
    /// # Errors
    /// Storage errors.
    async fn keyword_frequencies(
        &self,
        stems: Vec<Wanted<String>>,
        phrases: Vec<Wanted<Phrase>>,
        scope: &Scope,
    ) -> Result<Frequencies>;

    /// Score and rank of each of `rows` among all chunks of `scope` that match `query`. Of equal scores the
    /// greater chunk id comes first, and rows that do not match are left out.
    ///
    /// # Errors
    /// Storage errors.
    async fn keyword_ranks(
        &self,
        query: KeywordQuery,
        scope: &Scope,
        rows: Vec<i64>,
    ) -> Result<HashMap<i64, (f64, usize)>>;

    /// Rows of the documents that the workspace in row `workspace` sees and in which `phrase` occurs, in any form
    /// of its words.
    ///
    /// # Errors
    /// Storage errors.
    async fn documents_holding(&self, workspace: i64, phrase: Phrase) -> Result<Vec<i64>>;

    /// The written words of the chunks that `scope` sees, starting from what was `known` for the same workspace.
    ///
    /// # Errors
    /// Storage errors.
    async fn vocabulary(&self, scope: &Scope, known: Option<Arc<Vocabulary>>) -> Result<Vocabulary>;

    /// The chunks with these row ids, by row id; deleted ones are left out.
    ///
    /// # Errors
    /// Storage errors.
    async fn candidates(&self, rows: Vec<i64>) -> Result<HashMap<i64, Candidate>>;

    /// The text in `field` of the metadata of the chunks with these row ids, by row id; chunks without one are
    /// left out.
    ///
    /// # Errors
    /// Storage errors.
    async fn metadata_of(&self, rows: Vec<i64>, field: &'static str) -> Result<HashMap<i64, String>>;

    /// The chunks of `allowed` for each of `keys` (paragraph ids, topic, metric or statute codes), by key: row id
    /// and chunk id in document order.
    ///
    /// # Errors
    /// Storage errors.
    async fn chunks_of_keys(
        &self,
        keys: Vec<String>,
        allowed: Arc<ChunkSet>,
    ) -> Result<HashMap<String, Vec<(i64, String)>>>;

    /// Every paragraph id that a chunk of `visible` has.
    ///
    /// # Errors
    /// Storage errors.
    async fn paragraph_ids(&self, visible: Arc<ChunkSet>) -> Result<BTreeSet<String>>;

    /// The chunks of document `id`.
    ///
    /// # Errors
    /// Storage errors.
    async fn rows_of_document(&self, id: i64) -> Result<ChunkSet>;

    /// Row ids of the chunks called `chunk_ids`, if they are in `visible`.
    ///
    /// # Errors
    /// Storage errors.
    async fn rows_of_chunks(
        &self,
        chunk_ids: Vec<String>,
        visible: Arc<ChunkSet>,
    ) -> Result<HashMap<String, i64>>;

    /// The `k` chunks of `allowed` nearest to `query` by cosine similarity in `space`, nearest first, equal ones
    /// by chunk id. Chunks without a vector in the space are left out.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) for an unknown space,
    /// [`Error::UnfitVector`](crate::Error::UnfitVector) for a query of another length.
    async fn nearest(&self, space: &str, query: &[f32], allowed: &ChunkSet, k: usize) -> Result<Nearest>;

    /// Cosine similarity of each chunk of `rows` to `query` in `space`, and its rank among `allowed`; chunks
    /// without a vector are left out. If many are allowed, nearer ones are counted by their codes, so a rank may
    /// be a few places off.
    ///
    /// # Errors
    /// As [`Self::nearest`].
    async fn nearness(
        &self,
        space: &str,
        query: &[f32],
        allowed: &ChunkSet,
        rows: Vec<i64>,
    ) -> Result<HashMap<i64, (f32, usize)>>;
}
