//! How far a job is, as it is told while it runs.

use crate::ingest::job::{JobEvent, JobFile, JobState, Stage};
use crate::ingest::queue::RESTING_STAGE;
use crate::store::table::job::JobRow;
use std::time::Instant;

/// How far a job is.
pub(super) struct Progress {
    pub(super) job: i64,
    pub(super) workspace: String,
    pub(super) state: JobState,
    pub(super) stage: Stage,
    pub(super) stage_began: Instant,
    pub(super) files: usize,
    pub(super) files_done: usize,
    pub(super) files_failed: usize,
    pub(super) files_before: usize,
    pub(super) chunks: usize,
    pub(super) chunks_before: usize,
    pub(super) changed: usize,
    pub(super) embedded: usize,
    pub(super) embedded_before: Option<usize>,
    pub(super) to_embed: usize,
    pub(super) model: Option<String>,
    pub(super) error: Option<String>,
}

impl Progress {
    pub(super) fn of(job: &JobRow) -> Self {
        Self {
            job: job.id,
            workspace: job.workspace.clone(),
            state: job.state,
            stage: RESTING_STAGE,
            stage_began: Instant::now(),
            files: job.files,
            files_done: job.files_done,
            files_failed: job.files_failed,
            files_before: job.files_done,
            chunks: job.chunks,
            chunks_before: job.chunks,
            changed: 0,
            embedded: 0,
            embedded_before: None,
            to_embed: 0,
            model: None,
            error: job.error.clone(),
        }
    }

    pub(super) fn begin(&mut self, stage: Stage) {
        self.stage = stage;
        self.stage_began = Instant::now();
        self.files_before = self.files_done;
        self.chunks_before = self.chunks;
        self.embedded_before = None;
    }

    pub(super) fn event(&mut self, file: Option<JobFile>) -> JobEvent {
        let seconds = self.stage_began.elapsed().as_secs_f64().max(1e-3);
        let embedding = self.stage == Stage::Embed;
        let before = *self.embedded_before.get_or_insert(self.embedded);
        let (done, left, chunks) = if embedding {
            let made = self.embedded.saturating_sub(before);
            (made, self.to_embed.saturating_sub(self.embedded), made)
        } else {
            (
                self.files_done - self.files_before.min(self.files_done),
                self.files - self.files_done.min(self.files),
                self.chunks.saturating_sub(self.chunks_before),
            )
        };
        JobEvent {
            job: self.job,
            workspace: self.workspace.clone(),
            state: self.state,
            stage: file.as_ref().map_or(self.stage, |file| file.stage),
            files: self.files,
            files_done: self.files_done,
            files_failed: self.files_failed,
            chunks: self.chunks,
            embedded: self.embedded,
            to_embed: self.to_embed,
            model: self.model.clone(),
            rate: chunks as f64 / seconds,
            seconds_left: (done > 0 && !self.state.at_rest()).then(|| seconds / done as f64 * left as f64),
            file,
            error: self.error.clone(),
        }
    }
}
