//! Events of a running job.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_store::job::{JobFile, JobState, Stage};

/// An event of a running job. Every event carries the whole picture, so that missing one loses nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JobEvent {
    /// The job.
    pub job: i64,
    /// Workspace it works for.
    pub workspace: String,
    /// Its state.
    pub state: JobState,
    /// Its current stage.
    pub stage: Stage,
    /// Files in the job, once they are known.
    pub files: usize,
    /// Files that are done.
    pub files_done: usize,
    /// Files that failed so far.
    pub files_failed: usize,
    /// Files whose reading is done, failed ones included.
    pub files_read: usize,
    /// Files whose chunking is done, failed ones included.
    pub files_cut: usize,
    /// Physical pages read so far.
    pub pages: usize,
    /// Pages without text that OCR has read or has to read, of the files that were begun.
    pub ocr_pages: usize,
    /// Number of them that it has done.
    pub ocr_done: usize,
    /// Chunks made so far.
    pub chunks_cut: usize,
    /// Chunks stored so far.
    pub chunks: usize,
    /// Inputs that have a vector of the space being filled.
    pub embedded: usize,
    /// Number of inputs that need one.
    pub to_embed: usize,
    /// Model that is embedding now.
    pub model: Option<String>,
    /// Estimated US dollars that the inputs with a vector cost; `None` if the model costs nothing.
    pub spent: Option<f64>,
    /// Estimated US dollars that all of the inputs cost; `None` if the model costs nothing.
    pub price: Option<f64>,
    /// Chunks per second in this stage.
    pub rate: f64,
    /// Physical pages per second that are read.
    pub page_rate: f64,
    /// Estimated seconds left in this stage.
    pub seconds_left: Option<f64>,
    /// The file that changed.
    pub file: Option<JobFile>,
    /// Why the job failed, and the cure.
    pub error: Option<String>,
    /// Stable name of that cause.
    pub code: Option<String>,
}
