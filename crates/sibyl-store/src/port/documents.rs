//! Documents: what is stored of each, and what is read out of it.

use crate::error::Result;
use crate::job::ChunkChanges;
use crate::origin::DocumentOrigin;
use crate::scope::ChunkSet;
use crate::table::bin::{BinnedDocument, Restored};
use crate::table::document::Details;
use crate::table::document::ListedDocuments;
use crate::table::document::{DocumentRow, NewDocument};
use crate::table::document::{FormerPlace, Placed};
use crate::table::fact::{FactFilter, FactKey, FactRow};
use crate::table::figure::{FigureFilter, FigureRow};
use crate::table::job_file::FileOutcome;
use crate::table::kept_text::TextOf;
use async_trait::async_trait;
use sibyl_text::figure::Figure;
use sibyl_text::{Document, Span};
use std::collections::HashMap;
use std::sync::Arc;

/// Documents: what is stored of each, and what is read out of it.
#[async_trait]
pub trait Documents: Send + Sync {
    /// Stores a document with its chunks and keyword rows in one transaction, in place of the one with the same
    /// corpus and path. Chunks that did not change keep their rows; stale ones go. What a job stores is on the disk
    /// with the next step that the job acknowledges, at the latest its end.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) for an unknown corpus; nothing is stored then.
    async fn put_document(&self, new: NewDocument) -> Result<(i64, ChunkChanges)>;

    /// Notes that an unchanged document was found again, perhaps in another place, and that the file of a job is
    /// through with it.
    async fn touch_document(
        &self,
        id: i64,
        root: String,
        origin: DocumentOrigin,
        outcome: FileOutcome,
    ) -> Result<()>;

    /// Row id of the document that was stored last; 0 if there is none.
    async fn newest_document(&self) -> Result<i64>;

    /// Paths of documents of report `report` that `workspace` sees, except the one of `corpus` at `path`.
    async fn others_of_report(
        &self,
        workspace: i64,
        report: &str,
        corpus: i64,
        path: &str,
    ) -> Result<Vec<String>>;

    /// The document owned by `workspace` that was read from the file at `path`; if there are several, the latest.
    async fn document_from(&self, workspace: i64, path: &str) -> Result<Option<DocumentRow>>;

    /// Row ids of the documents at `path` that `workspace` sees, its own before the shared ones, followed by
    /// former ones.
    ///
    /// # Errors
    /// Storage errors.
    async fn documents_at(&self, workspace: i64, path: &str) -> Result<Vec<i64>>;

    /// The stored document of `corpus` at `path`.
    async fn document_at(&self, corpus: i64, path: &str) -> Result<Option<DocumentRow>>;

    /// What is known about document `id` besides its text.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if `workspace` sees no such document.
    async fn document_row(&self, workspace: i64, id: i64) -> Result<DocumentRow>;

    /// The document `id` with its text and structure, if `workspace` sees it.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if there is none or it belongs to another workspace.
    async fn document(&self, workspace: i64, id: i64) -> Result<(DocumentRow, Document)>;

    /// The document in row `id`, for work on every workspace's documents.
    async fn document_of_row(&self, id: i64) -> Result<Document>;

    /// The bytes that the document in row `id` was read from, the page metadata beside them, and its origin.
    async fn source_of_row(&self, id: i64) -> Result<(Vec<u8>, Option<Vec<u8>>, DocumentOrigin)>;

    /// Sizes in bytes of what the documents in rows `ids` were read from, by row.
    async fn source_sizes(&self, ids: Vec<i64>) -> Result<HashMap<i64, u64>>;

    /// The bytes that document `id` was read from, and the page metadata beside them.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if there is none or it belongs to another workspace.
    async fn source(&self, workspace: i64, id: i64) -> Result<(Vec<u8>, Option<Vec<u8>>)>;

    /// Moves documents into the bin in one transaction. Returns the number of chunks that can no longer be found.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if one of them is not there; nothing is deleted then.
    async fn delete_documents(&self, ids: Vec<i64>) -> Result<usize>;

    /// Documents that `workspace` sees, of one corpus or of all, by corpus and path.
    async fn documents(&self, workspace: i64, corpus: Option<i64>) -> Result<Vec<DocumentRow>> {
        self.listed_documents(workspace, ListedDocuments { corpus, ..ListedDocuments::default() }).await
    }

    /// The documents of `list` that `workspace` sees, by corpus and path.
    async fn listed_documents(&self, workspace: i64, list: ListedDocuments) -> Result<Vec<DocumentRow>>;

    /// Replaces what was read of document `id`, and earlier corrections, by `details`. What they leave open stays
    /// as it was read. Returns the document as it is now.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if `workspace` sees no such document;
    /// [`Error::Invalid`](crate::Error::Invalid) for a year before 1990 or after 2099, and for a title or issuer
    /// of more than `LONGEST_DETAIL` characters.
    async fn correct_document(&self, workspace: i64, id: i64, details: Details) -> Result<DocumentRow>;

    /// The documents of `corpus` with their places, by path, and those of it that are in the bin because their
    /// files were gone.
    async fn placed_documents(&self, corpus: i64) -> Result<Vec<Placed>>;

    /// Paths that documents which `workspace` sees had before, the earlier first.
    async fn former_places(&self, workspace: i64) -> Result<Vec<FormerPlace>>;

    /// Makes the documents `former` and `found` one. It is `former` with everything that people added to it, at
    /// the place and with the text of `found`. Additions to `found` are moved to it, and the row of `found` leads
    /// to it.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) for a document that `workspace` does not see;
    /// [`Error::Invalid`](crate::Error::Invalid) if both are the same already, or are in two corpora.
    async fn join_documents(&self, workspace: i64, former: i64, found: i64) -> Result<DocumentRow>;

    /// Deletes a corpus; its documents go into the bin. Returns the number of chunks that can no longer be found.
    async fn delete_corpus(&self, id: i64) -> Result<usize>;

    /// Documents in the bin that `workspace` may restore, those that were deleted last first.
    ///
    /// # Errors
    /// Storage errors.
    async fn binned(&self, workspace: i64) -> Result<Vec<BinnedDocument>>;

    /// Restores documents to where they were before they were deleted, with everything that belonged to them. A
    /// corpus that is gone is made again. One whose file is gone stays all the same. One stays in the bin where
    /// its corpus has another document at its path by now, or documents of another kind.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if one of them is not in the bin of `workspace`; nothing is
    /// restored then.
    async fn restore_documents(&self, workspace: i64, ids: Vec<i64>) -> Result<Restored>;

    /// Permanently deletes documents in the bin, with the findings on reports that no other document belongs to.
    /// Vectors stay, and so do texts that an answer, a finding or a label still cites. Returns the number of
    /// these.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if one of them is not in the bin of `workspace`; nothing is
    /// deleted then.
    async fn delete_binned(&self, workspace: i64, ids: Vec<i64>) -> Result<usize>;

    /// Permanently deletes what has been in the bin for [`KEPT_DAYS`](crate::table::bin::KEPT_DAYS) days at `now`
    /// (Unix seconds). Returns the number of documents.
    ///
    /// # Errors
    /// Storage errors.
    async fn empty_bin(&self, now: i64) -> Result<usize>;

    /// The text `version` of the document in row `id`: the one that it has now, or a former one that something
    /// cites. `None` if `workspace` sees neither: it sees the texts of its own documents and of shared ones.
    ///
    /// # Errors
    /// [`Error::Damaged`](crate::Error::Damaged) if a kept text cannot be read.
    async fn text_version(&self, workspace: i64, id: i64, version: &str) -> Result<Option<TextOf>>;

    /// For each document that the answer `id` cites, the version of the text that it had, by the row of the
    /// document. Empty if it is not known.
    async fn versions_cited(&self, answer: i64) -> Result<HashMap<i64, String>>;

    /// Figures of documents that `workspace` sees, and their number. Those whose names match the words best come
    /// first, else they are in the order of the documents.
    ///
    /// # Errors
    /// Storage errors.
    async fn figures(&self, workspace: i64, filter: FigureFilter) -> Result<(Vec<FigureRow>, usize)>;

    /// Documents whose figures were made by other rules than today's, or were not made yet: key and source type, in
    /// the order in which they were stored first.
    async fn documents_without_figures(&self) -> Result<Vec<(i64, String)>>;

    /// The smallest chunk that contains `span` of the document in row `document`, or else the one in which it
    /// begins.
    ///
    /// # Errors
    /// Storage errors.
    async fn chunk_over(&self, document: i64, span: Span) -> Result<Option<String>>;

    /// Replaces the figures of the document in row `id` by `figures`, unless its text is no longer that of
    /// `document`.
    ///
    /// # Errors
    /// Storage errors.
    async fn put_figures(&self, id: i64, document: Document, figures: Vec<Figure>) -> Result<()>;

    /// Facts named `key` that a chunk of `allowed` shows, in document order: the row of the smallest such chunk,
    /// and the fact.
    ///
    /// # Errors
    /// Storage errors.
    async fn facts_named(&self, key: FactKey, allowed: Arc<ChunkSet>) -> Result<Vec<(i64, FactRow)>>;

    /// Facts of documents that `workspace` sees, by document and in its order.
    ///
    /// # Errors
    /// Storage errors.
    async fn facts(&self, workspace: i64, filter: FactFilter) -> Result<Vec<FactRow>>;
}
