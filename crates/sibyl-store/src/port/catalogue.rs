//! Workspaces, corpora with their chunks, and the words that stand for each other.

use crate::error::Result;
use crate::table::chunk::{ChunkRow, NewChunk};
use crate::table::corpus::{Corpus, NewCorpus};
use crate::table::overview::{CorpusFigures, CorpusShape};
use crate::table::thesaurus::{NewThesaurusEntry, ThesaurusEntry};
use crate::table::workspace::{LabelLanguage, Workspace};
use async_trait::async_trait;
use std::collections::HashMap;

/// Workspaces, corpora with their chunks, and the words that stand for each other.
#[async_trait]
pub trait Catalogue: Send + Sync {
    /// The workspace called `name`; the default one is made if it is missing.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) for any other name that does not exist.
    async fn workspace(&self, name: &str) -> Result<Workspace>;

    /// All workspaces by name.
    async fn workspaces(&self) -> Result<Vec<Workspace>>;

    /// Makes a workspace; an existing one is returned unchanged.
    ///
    /// # Errors
    /// [`Error::Invalid`](crate::Error::Invalid) for an empty name.
    async fn create_workspace(&self, name: &str, language: LabelLanguage) -> Result<Workspace>;

    /// Chooses the language of source labels in the workspace called `name`.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) for an unknown workspace.
    async fn set_workspace_language(&self, name: &str, language: LabelLanguage) -> Result<Workspace>;

    /// Deletes a workspace with all its private corpora, reviews and jobs. Shared content stays.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if there is none, [`Error::Invalid`](crate::Error::Invalid) for
    /// the default one.
    async fn delete_workspace(&self, name: &str) -> Result<()>;

    /// Makes the corpus, or updates strategy, settings, base URL and permission of an existing one of that name.
    /// Its documents are left unchanged.
    ///
    /// # Errors
    /// [`Error::Invalid`](crate::Error::Invalid) if there is no such source type, or a corpus of that name holds
    /// another one. Also if the source type does not allow it to be shared or sent to a remote model.
    async fn put_corpus(&self, new: NewCorpus) -> Result<Corpus>;

    /// Corpora that `workspace` sees: its own and the shared ones, by name.
    async fn corpora(&self, workspace: i64) -> Result<Vec<Corpus>>;

    /// The corpus called `name` that `workspace` sees; its own before a shared one of the same name.
    async fn corpus(&self, workspace: i64, name: &str) -> Result<Option<Corpus>>;

    /// The corpus called `name` of exactly this scope: of a workspace, or shared.
    async fn corpus_in(&self, workspace: Option<i64>, name: &str) -> Result<Option<Corpus>>;

    /// The corpus `id`.
    ///
    /// # Errors
    /// [`crate::Error::NotFound`] if there is none.
    async fn corpus_by_id(&self, id: i64) -> Result<Corpus>;

    /// Corpora of all workspaces, for embedding; if `remote`, only those that may leave the machine.
    async fn embeddable_corpora(&self, remote: bool) -> Result<Vec<i64>>;

    /// Permanently deletes a corpus that was made for one measurement, with its documents and chunks; vectors
    /// stay.
    async fn drop_corpus(&self, id: i64) -> Result<()>;

    /// Figures of the corpora that `workspace` sees, by row id.
    async fn corpus_figures(&self, workspace: i64) -> Result<HashMap<i64, CorpusFigures>>;

    /// What corpus `id` is made of; nothing if there is none.
    async fn corpus_shape(&self, id: i64) -> Result<CorpusShape>;

    /// The chunk called `chunk_id`, if `workspace` sees it.
    async fn chunk(&self, workspace: i64, chunk_id: &str) -> Result<Option<ChunkRow>>;

    /// The chunks with these row ids that `workspace` sees, by row id.
    async fn chunks_by_row(&self, workspace: i64, rows: Vec<i64>) -> Result<HashMap<i64, ChunkRow>>;

    /// The chunks of document `document` that `workspace` sees, in order, `limit` from position `offset` on.
    async fn chunks_of(
        &self,
        workspace: i64,
        document: i64,
        offset: i64,
        limit: i64,
    ) -> Result<Vec<ChunkRow>>;

    /// The chunks of these source types that `workspace` sees, in the order of `types`, then of corpora, paths and
    /// positions.
    async fn chunks_of_types(&self, workspace: i64, types: Vec<&'static str>) -> Result<Vec<ChunkRow>>;

    /// Row ids of the chunks with the reference `key` (a paragraph id, topic code or metric code) that `workspace`
    /// sees, in document order.
    async fn chunks_with_key(&self, workspace: i64, key: &str) -> Result<Vec<i64>>;

    /// Chunks that `workspace` sees by source type.
    async fn chunk_counts(&self, workspace: i64) -> Result<Vec<(String, u64)>>;

    /// Adds `phrase` to the phrasings of the chunk called `chunk_id`, and returns the chunk as it is now. Its text
    /// is another one then and has no vectors yet.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) for a chunk that `workspace` does not see.
    /// [`Error::Invalid`](crate::Error::Invalid) for a phrase that is empty, longer than
    /// [`LONGEST`](crate::table::phrasing::LONGEST) or beyond the first [`MOST`](crate::table::phrasing::MOST).
    /// [`Error::Taken`](crate::Error::Taken) for one that is there already.
    async fn add_phrasing(&self, workspace: i64, chunk_id: &str, phrase: &str) -> Result<ChunkRow>;

    /// Removes `phrase` from the phrasings added to the chunk called `chunk_id`, and returns the chunk as it is
    /// now.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) for a chunk that `workspace` does not see, and for a phrase that
    /// nobody added to it.
    async fn remove_phrasing(&self, workspace: i64, chunk_id: &str, phrase: &str) -> Result<ChunkRow>;

    /// `chunks` of the document at row `document` with the phrasings that were added to them.
    ///
    /// # Errors
    /// Storage errors.
    async fn with_phrasings(&self, document: i64, chunks: Vec<NewChunk>) -> Result<Vec<NewChunk>>;

    /// Entries for every corpus and for the corpora that `workspace` sees, by term and expansion.
    ///
    /// # Errors
    /// Storage errors.
    async fn thesaurus(&self, workspace: i64) -> Result<Vec<ThesaurusEntry>>;

    /// Stores an entry, or changes the weight of an existing one. It then counts as the user's own. Returns its
    /// row id.
    ///
    /// # Errors
    /// [`Error::Invalid`](crate::Error::Invalid) for an empty word, a word that stands for itself or a weight
    /// outside (0, 1]; [`Error::NotFound`](crate::Error::NotFound) for a corpus that `workspace` does not see.
    async fn put_thesaurus_entry(&self, workspace: i64, entry: NewThesaurusEntry) -> Result<i64>;

    /// Deletes an entry. A shipped one comes back only with a newer version of the shipped data.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if there is none or `workspace` does not see it.
    async fn delete_thesaurus_entry(&self, workspace: i64, id: i64) -> Result<()>;

    /// Replaces the entries of an older shipped version by `entries` of `version`. What the user added, weighted
    /// or deleted since is kept within a version. Returns whether anything was stored.
    ///
    /// # Errors
    /// Storage errors.
    async fn ship_thesaurus(&self, version: i64, entries: Vec<NewThesaurusEntry>) -> Result<bool>;
}
