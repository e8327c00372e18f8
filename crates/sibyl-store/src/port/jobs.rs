//! Jobs with their files and leases, watched folders, and documents whose files are gone.

use crate::error::Result;
use crate::job::{FileState, JobFile, JobReport, JobState};
use crate::table::held::HeldDocuments;
use crate::table::job::{Again, Claim};
use crate::table::job::{Begun, Expanded, JobEnd, JobRow, Kept, NewJob};
use crate::table::job_file::{FileOutcome, PlannedFile};
use crate::table::likeness::{Alike, Likeness};
use crate::table::missing::{HeldDecision, HeldOutcome, Listed, Settlement};
use crate::table::watched_folder::{Looked, NewWatchedFolder, WatchedFolderChange, WatchedFolderRow};
use async_trait::async_trait;
use std::collections::BTreeMap;

/// Jobs with their files and leases, watched folders, and documents whose files are gone.
#[async_trait]
pub trait Jobs: Send + Sync {
    /// Puts the newest unfinished job that asks for the same as `new` back in the queue, to list its files again.
    /// Otherwise makes one with its uploads, whose bytes are never the same as others. A job whose owner is not
    /// among the `dead` and whose lease lasts beyond `moment` (Unix seconds) is left to its program. An `ingest`
    /// job then lists its files once more when it is through. However many programs ask at once, they get one job.
    async fn begin_job(&self, new: NewJob, dead: Vec<String>, moment: i64) -> Result<Begun>;

    /// As [`Self::begin_job`]; `None` if all that is `kept` is stored. A job that a program works on does not list
    /// its files once more: they are those of `kept`.
    async fn begin_job_unless_kept(
        &self,
        new: NewJob,
        kept: Kept,
        dead: Vec<String>,
        moment: i64,
    ) -> Result<Option<Begun>>;

    /// The job `id` of `workspace`.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if the workspace has no such job.
    async fn job_row(&self, workspace: &str, id: i64) -> Result<JobRow>;

    /// Jobs of `workspace`, the newest first.
    async fn job_rows(&self, workspace: &str) -> Result<Vec<JobRow>>;

    /// Stores the expansion of a job's sources, and moves documents to where their files are now.
    async fn expand_job(&self, job: i64, expanded: Expanded) -> Result<()>;

    /// Stores the progress of a job, or how it ended. If it is no longer running, its lease is given back, and
    /// unfinished files wait again. A job is done only if no file was put back and no chunk stored while it ran;
    /// else it waits for its next turn. So does one that was asked for again, which then lists its files once
    /// more. Returns the state it is in now.
    ///
    /// # Errors
    /// [`Error::Cancelled`](crate::Error::Cancelled) if `owner` does not hold it any more.
    async fn report_job(&self, job: i64, owner: &str, end: JobEnd) -> Result<JobState>;

    /// The report of `job` including its file rows, without counts of its corpora.
    async fn job_report(&self, job: i64) -> Result<JobReport>;

    /// Present number of chunks per source type in the corpora of `job`.
    async fn job_counts(&self, job: i64) -> Result<BTreeMap<String, u64>>;

    /// Who holds leases.
    async fn job_owners(&self) -> Result<Vec<String>>;

    /// Leases to `owner` the oldest job of a kind that waits, or whose lease has run out or belongs to one of the
    /// `dead`. `only` restricts the choice.
    async fn claim_job(&self, claim: Claim) -> Result<Option<JobRow>>;

    /// Extends the lease of `job` until `until` (Unix seconds) and returns what its owner is asked to do.
    ///
    /// # Errors
    /// [`Error::Cancelled`](crate::Error::Cancelled) if another program took the job over or somebody deleted it.
    async fn renew_lease(&self, job: i64, owner: &str, until: i64) -> Result<Option<JobState>>;

    /// Asks that `job` be paused or cancelled. If nobody works on it, or its owner is among the `dead`, this
    /// happens at once; else its owner finds the request.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound), and [`Error::Invalid`](crate::Error::Invalid) if the job has
    /// ended.
    async fn ask_job(&self, job: i64, wish: JobState, dead: Vec<String>) -> Result<JobState>;

    /// Puts `job` back in the queue, with the failed files that `again` names. If it names all, the texts that a
    /// provider refused are included. If a program works on the job, only those files are put back, and it finds
    /// them after the others.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if there is no such job.
    /// [`Error::NothingToRetry`](crate::Error::NothingToRetry) if it is done and no file that `again` names
    /// failed. [`Error::Invalid`](crate::Error::Invalid) if a program works on it and no file is named, or if the
    /// one file did not fail.
    async fn requeue_job(&self, job: i64, again: Again, dead: Vec<String>) -> Result<()>;

    /// Files of `job` that still wait, in order.
    async fn waiting_files(&self, job: i64) -> Result<Vec<PlannedFile>>;

    /// Files of `job` in order, at most `limit` from position `offset` on. Only files in one of `states` count, or
    /// all if it is empty.
    async fn job_files(
        &self,
        job: i64,
        states: &[FileState],
        offset: i64,
        limit: i64,
    ) -> Result<Vec<JobFile>>;

    /// The files of `job` in order: the corpus that each goes to, its path, and the document if the job made one.
    async fn documents_of_job(&self, job: i64) -> Result<Vec<(i64, String, Option<i64>)>>;

    /// Marks a file as being worked on.
    async fn start_file(&self, job: i64, ordinal: i64) -> Result<()>;

    /// Stores the result of a file that stored no document: unchanged or failed.
    async fn finish_file(&self, outcome: FileOutcome) -> Result<()>;

    /// The first `length` bytes of an upload, and whether page metadata came with it.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if it is gone.
    async fn upload_head(&self, job: i64, ordinal: usize, length: usize) -> Result<(Vec<u8>, bool)>;

    /// The bytes of an upload and the page metadata beside it.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if it is gone.
    async fn upload(&self, job: i64, ordinal: usize) -> Result<(Vec<u8>, Option<Vec<u8>>)>;

    /// Carries out what somebody decided about documents that are held back.
    ///
    /// # Errors
    /// Storage errors.
    async fn decide_held(&self, workspace: i64, decision: HeldDecision) -> Result<HeldOutcome>;

    /// The documents and folders of the import roots that `job` listed, each document in the order in which it was
    /// stored first. `None` if what is missing from them was dealt with already.
    async fn listed(&self, job: i64) -> Result<Option<Listed>>;

    /// Deals with the documents that are missing from what `job` [listed](Self::listed), once for each time that it
    /// lists its folders. Returns the number of chunks that can no longer be found.
    async fn settle_missing(&self, job: i64, settlement: Settlement) -> Result<usize>;

    /// What `workspace` sees of the documents that are held back, by folder, corpus and reason.
    ///
    /// # Errors
    /// Storage errors.
    async fn held_documents(&self, workspace: i64) -> Result<Vec<HeldDocuments>>;

    /// Asks of each of `alike` whether both are the same, unless somebody was asked before. `job` found them.
    /// Returns those about which a person is now asked.
    async fn ask_likeness(&self, job: i64, alike: Vec<Alike>) -> Result<Vec<Alike>>;

    /// The open questions of `workspace`, the likest first.
    async fn likenesses(&self, workspace: i64) -> Result<Vec<Likeness>>;

    /// Notes that the documents `gone` and `found` are two.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if `workspace` does not see them, or nobody was asked about
    /// them.
    async fn deny_likeness(&self, workspace: i64, gone: i64, found: i64) -> Result<()>;

    /// The watched folders of `workspace`, by path.
    async fn watched_folders(&self, workspace: &str) -> Result<Vec<WatchedFolderRow>>;

    /// The watched folder `id` of `workspace`.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if the workspace has no such folder.
    async fn watched_folder(&self, workspace: &str, id: i64) -> Result<WatchedFolderRow>;

    /// Watches a folder from now on. Returns its id.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) for an unknown workspace, [`Error::Taken`](crate::Error::Taken)
    /// if the folder is watched already.
    async fn add_watched_folder(&self, new: NewWatchedFolder) -> Result<i64>;

    /// Changes the watched folder `id` of `workspace`.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if the workspace has no such folder.
    async fn change_watched_folder(
        &self,
        workspace: &str,
        id: i64,
        change: WatchedFolderChange,
    ) -> Result<()>;

    /// Watches the folder `id` of `workspace` no longer. Its documents stay.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if the workspace has no such folder.
    async fn remove_watched_folder(&self, workspace: &str, id: i64) -> Result<()>;

    /// The folders of every workspace that are not paused.
    async fn watchable_folders(&self) -> Result<Vec<WatchedFolderRow>>;

    /// Leases the folder `id` to `owner` until `until` (Unix seconds), if its owner is still `before` and it is
    /// not paused. Says whether it was.
    async fn lease_watched_folder(
        &self,
        id: i64,
        before: Option<String>,
        owner: &str,
        until: i64,
    ) -> Result<bool>;

    /// Records the result of a check of the folder `id`.
    async fn note_watched_folder(&self, id: i64, looked: Looked) -> Result<()>;
}
