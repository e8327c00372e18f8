//! What a job is, and what it reports.

use crate::named::named;
use crate::origin::FileOrigin;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The kind of work of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum JobKind {
    /// Files become searchable documents.
    Ingest,
    /// Chunks get the vectors that they lack.
    Embed,
}

named!(JobKind, "a kind of job", Ingest = "ingest", Embed = "embed");

/// The state of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum JobState {
    /// Waits for its turn.
    Queued,
    /// A program works on it.
    Running,
    /// Stopped until it is resumed; what is stored stays.
    Paused,
    /// Given up; what is stored is kept.
    Cancelled,
    /// Stopped by an error that concerns the whole job; it can be resumed.
    Failed,
    /// Ended. Files may have failed: the report names them.
    Done,
}

named!(
    JobState,
    "the state of a job",
    Queued = "queued",
    Running = "running",
    Paused = "paused",
    Cancelled = "cancelled",
    Failed = "failed",
    Done = "done",
);

impl JobState {
    /// Whether nothing more happens unless somebody asks.
    pub const fn at_rest(self) -> bool {
        !matches!(self, Self::Queued | Self::Running)
    }
}

/// The four stages of a document, and of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Bytes become a document.
    Read,
    /// A document becomes chunks.
    Chunk,
    /// Chunks become vectors.
    Embed,
    /// Text, chunks and keyword rows are committed.
    Store,
}

named!(Stage, "a stage of a job", Read = "read", Chunk = "chunk", Embed = "embed", Store = "store");

/// The state of a file of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FileState {
    /// Waits for its turn.
    Queued,
    /// Is worked on.
    Running,
    /// Its document is stored.
    Done,
    /// It could not be ingested.
    Failed,
    /// It was left out.
    Skipped,
}

named!(
    FileState,
    "the state of a file",
    Queued = "queued",
    Running = "running",
    Done = "done",
    Failed = "failed",
    Skipped = "skipped",
);

/// What a file that is done did to its document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FileResult {
    /// There was none.
    Created,
    /// Another one took its place.
    Updated,
    /// Unchanged.
    Unchanged,
}

named!(FileResult, "the result of a file", Created = "created", Updated = "updated", Unchanged = "unchanged",);

/// A job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Job {
    /// Its id.
    pub id: i64,
    /// Its kind of work.
    pub kind: JobKind,
    /// Its state.
    pub state: JobState,
    /// Whether its state is running although no program works on it any more: it can be resumed.
    pub interrupted: bool,
    /// Workspace it works for.
    pub workspace: String,
    /// Its report so far.
    pub report: JobReport,
    /// Why it failed, and the cure.
    pub error: Option<String>,
    /// How many files it has.
    pub files: usize,
    /// How many of them are done, failed ones included.
    pub files_done: usize,
    /// Physical pages of those that are stored.
    pub pages: usize,
    /// When it was made (ISO 8601, UTC).
    pub created_at: String,
    /// When it last changed (ISO 8601, UTC).
    pub updated_at: String,
}

/// A file of a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JobFile {
    /// Position in the job, from 0.
    pub ordinal: i64,
    /// Where it is read from: a path, `upload:POSITION` or `stored:DOCUMENT`.
    #[schemars(with = "String")]
    pub origin: FileOrigin,
    /// Path below the import root.
    pub path: String,
    /// Path that its document had before, if the file was recognised as one that moved.
    pub moved_from: Option<String>,
    /// Its corpus.
    pub corpus: String,
    /// Its state.
    pub state: FileState,
    /// The stage it is in or failed in.
    pub stage: Stage,
    /// Its effect on the document, when done.
    pub result: Option<FileResult>,
    /// Number of its chunks.
    pub chunks: usize,
    /// Physical pages of its document, once it is read; 0 if its format has none.
    pub pages: Option<i64>,
    /// Seconds from reading to storing, when done.
    pub seconds: Option<f64>,
    /// Stable name of the cause, if it failed.
    pub code: Option<String>,
    /// Why it failed or was skipped, and the cure.
    pub error: Option<String>,
}

/// How a job ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Not yet.
    #[default]
    Unfinished,
    /// Something was stored, changed or deleted.
    Completed,
    /// Everything was there already and nothing changed.
    AlreadyIngested,
    /// Some files failed, or a provider refused some texts; the rest is stored.
    CompletedWithFailures,
}

/// What a job did.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct JobReport {
    /// How it ended.
    pub status: Status,
    /// The stage in which the job failed; `None` if it did not.
    pub failed_in: Option<Stage>,
    /// Stable name of the cause of that failure.
    pub failed_code: Option<String>,
    /// Documents by result.
    pub documents: ChunkChanges,
    /// Chunks by result.
    pub chunks: ChunkChanges,
    /// Files that could not be ingested.
    pub failed: Vec<FileReport>,
    /// Texts that a provider would not embed: they are found by their words alone until the job is retried.
    pub refused: Vec<FileReport>,
    /// Files and folders that were left out, and why.
    pub skipped: Vec<FileReport>,
    /// What was guessed, repaired or lost while reading.
    pub notices: Vec<FileReport>,
    /// Documents whose files were not found in their folders, by what became of them.
    pub gone: GoneReport,
    /// Present number of chunks per source type in the corpora of this job; empty in a list of jobs.
    pub counts: BTreeMap<String, u64>,
    /// Vectors made, by space id.
    pub embedded: BTreeMap<String, usize>,
    /// Working time in seconds.
    pub seconds: f64,
}

/// Documents whose files were not found in the folders of a job, by what became of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct GoneReport {
    /// They went into the bin.
    pub deleted: GoneDocuments,
    /// They stay, marked as missing.
    pub marked: GoneDocuments,
    /// They stay for now, since very many were gone at once.
    pub held: GoneDocuments,
    /// They stay, since their folder is not there or is not the one that it was.
    pub away: GoneDocuments,
    /// When the first of those held back are deleted or marked if their files are gone still (ISO 8601, UTC).
    pub until: Option<String>,
}

impl GoneReport {
    /// Adds the results of listing the folders once more; what was deleted and marked before remains recorded.
    pub fn then(&mut self, next: Self) {
        let earlier = std::mem::replace(self, next);
        self.deleted.begin_with(earlier.deleted);
        self.marked.begin_with(earlier.marked);
    }
}

impl GoneDocuments {
    /// Maximum number of documents that are named.
    pub const NAMED: usize = 20;

    /// Adds one.
    pub fn add(&mut self, document: GoneDocument) {
        self.count += 1;
        if self.documents.len() < Self::NAMED {
            self.documents.push(document);
        }
    }

    fn begin_with(&mut self, earlier: Self) {
        self.count += earlier.count;
        let rest = std::mem::replace(&mut self.documents, earlier.documents);
        self.documents.extend(rest);
        self.documents.truncate(Self::NAMED);
    }
}

/// Some documents.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct GoneDocuments {
    /// How many.
    pub count: usize,
    /// The first 20 of them.
    pub documents: Vec<GoneDocument>,
}

/// A document whose file was not found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GoneDocument {
    /// Row id.
    pub id: i64,
    /// Path below the import root, `/` between its parts.
    pub path: String,
}

/// What storing a document did to its chunks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ChunkChanges {
    /// Chunks whose id is new.
    pub created: usize,
    /// Chunks whose id stayed and whose text changed.
    pub updated: usize,
    /// Chunks that stayed as they were.
    pub unchanged: usize,
    /// Chunks that are gone.
    pub deleted: usize,
}

impl std::ops::AddAssign for ChunkChanges {
    fn add_assign(&mut self, other: Self) {
        self.created += other.created;
        self.updated += other.updated;
        self.unchanged += other.unchanged;
        self.deleted += other.deleted;
    }
}

/// A file and a message about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileReport {
    /// Path below the import root, or the place from which it was to be read.
    pub path: String,
    /// Line in the file, from 1.
    pub line: Option<u32>,
    /// Physical page, from 1.
    pub page: Option<u32>,
    /// Label printed on that page, if it differs from its number.
    #[serde(default)]
    pub page_label: Option<String>,
    /// Stable name of the cause.
    pub code: String,
    /// What was expected, what came, and the cure.
    pub message: String,
}

impl FileReport {
    /// A report about a whole file.
    pub fn new(path: &str, code: &str, message: impl Into<String>) -> Self {
        let (path, code, message) = (path.to_owned(), code.to_owned(), message.into());
        Self { path, line: None, page: None, page_label: None, code, message }
    }
}
