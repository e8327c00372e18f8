//! The progress of a job, as it is reported.

use crate::ingest::ocr::OcrStep;
use crate::ingest::{JobEvent, JobFile, JobState, Stage};
use crate::library::queue::RESTING_STAGE;
use crate::store::table::job::JobRow;
use parking_lot::{Mutex, MutexGuard};
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::broadcast;

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
    pub(super) files_read: usize,
    pub(super) files_cut: usize,
    pub(super) pages: usize,
    pub(super) pages_before: usize,
    pub(super) ocr_pages: usize,
    pub(super) ocr_done: usize,
    pub(super) chunks_cut: usize,
    pub(super) chunks: usize,
    pub(super) chunks_before: usize,
    pub(super) changed: usize,
    pub(super) embedded: usize,
    pub(super) embedded_before: Option<usize>,
    pub(super) to_embed: usize,
    pub(super) model: Option<String>,
    pub(super) spent: Option<f64>,
    pub(super) price: Option<f64>,
    pub(super) error: Option<String>,
    pub(super) code: Option<String>,
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
            files_read: job.files_done,
            files_cut: job.files_done,
            pages: job.pages,
            pages_before: job.pages,
            ocr_pages: 0,
            ocr_done: 0,
            chunks_cut: job.chunks,
            chunks: job.chunks,
            chunks_before: job.chunks,
            changed: 0,
            embedded: 0,
            embedded_before: None,
            to_embed: 0,
            model: None,
            spent: None,
            price: None,
            error: job.error.clone(),
            code: job.report.failed_code.clone(),
        }
    }

    pub(super) fn begin(&mut self, stage: Stage) {
        self.stage = stage;
        self.stage_began = Instant::now();
        self.files_before = self.files_done;
        self.chunks_before = self.chunks;
        self.pages_before = self.pages;
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
            files_read: self.files_read,
            files_cut: self.files_cut,
            pages: self.pages,
            ocr_pages: self.ocr_pages,
            ocr_done: self.ocr_done,
            chunks_cut: self.chunks_cut,
            chunks: self.chunks,
            embedded: self.embedded,
            to_embed: self.to_embed,
            model: self.model.clone(),
            spent: self.spent,
            price: self.price,
            rate: chunks as f64 / seconds,
            page_rate: if embedding {
                0.0
            } else {
                self.pages.saturating_sub(self.pages_before) as f64 / seconds
            },
            seconds_left: (done > 0 && !self.state.at_rest()).then(|| seconds / done as f64 * left as f64),
            file,
            error: self.error.clone(),
            code: self.code.clone(),
        }
    }

    /// Number of waiting files. Those of them that count as done had failed and were put back since.
    pub(super) fn waits(&mut self, waiting: usize) {
        let files = (self.files_done + waiting).saturating_sub(self.files);
        for count in [&mut self.files_done, &mut self.files_failed, &mut self.files_read, &mut self.files_cut]
        {
            *count = count.saturating_sub(files);
        }
    }

    /// Anything begun but not stored starts over.
    pub(super) fn come_to_rest(&mut self) {
        (self.files_read, self.files_cut, self.chunks_cut) = (self.files_done, self.files_done, self.chunks);
        self.ocr_pages = self.ocr_done;
    }
}

/// The progress of a job, shared by those who work on it.
#[derive(Clone)]
pub(super) struct Shared {
    progress: Arc<Mutex<Progress>>,
    events: broadcast::Sender<JobEvent>,
}

impl Shared {
    pub(super) fn new(progress: Progress, events: broadcast::Sender<JobEvent>) -> Self {
        Self { progress: Arc::new(Mutex::new(progress)), events }
    }

    pub(super) fn now(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock()
    }

    pub(super) fn tell(&self, file: Option<JobFile>) {
        let event = self.now().event(file);
        // Nobody need listen.
        let _ = self.events.send(event);
    }
}

/// The progress of one file through reading and chunking, reported as it goes. Steps that were not reached are
/// counted at its end.
pub(super) struct Steps {
    shared: Shared,
    shown: JobFile,
    began: Instant,
    read: bool,
    cut: bool,
}

impl Steps {
    pub(super) fn new(shared: Shared, shown: JobFile) -> Self {
        Self { shared, shown, began: Instant::now(), read: false, cut: false }
    }

    /// OCR continues with its pages.
    pub(super) fn ocr(&self, step: OcrStep) {
        {
            let mut progress = self.shared.now();
            match step {
                OcrStep::Begun(pages) => progress.ocr_pages += pages,
                OcrStep::PageDone => progress.ocr_done += 1,
            }
        }
        self.shared.tell(None);
    }

    /// It became a document of so many physical pages.
    pub(super) fn is_read(&mut self, pages: usize) {
        {
            let mut progress = self.shared.now();
            progress.files_read += 1;
            progress.pages += pages;
        }
        self.read = true;
        self.shown.pages = i64::try_from(pages).ok();
        self.shown.stage = Stage::Chunk;
        self.shared.tell(Some(self.shown.clone()));
    }

    /// It became so many chunks.
    pub(super) fn is_cut(&mut self, chunks: usize) {
        {
            let mut progress = self.shared.now();
            progress.files_cut += 1;
            progress.chunks_cut += chunks;
        }
        self.cut = true;
        self.shown.chunks = chunks;
        self.shown.stage = Stage::Store;
        self.shared.tell(Some(self.shown.clone()));
    }

    /// Seconds since it was begun.
    pub(super) fn seconds(&self) -> f64 {
        self.began.elapsed().as_secs_f64()
    }

    /// It goes no further.
    pub(super) fn end(self) {
        let mut progress = self.shared.now();
        progress.files_read += usize::from(!self.read);
        progress.files_cut += usize::from(!self.cut);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ingest::{JobKind, JobReport};

    #[test]
    fn a_file_that_is_put_back_is_counted_once_whenever_it_is_found() {
        let row = JobRow {
            id: 1,
            kind: JobKind::Ingest,
            state: JobState::Running,
            workspace: String::new(),
            request: String::new(),
            report: JobReport::default(),
            expanded: true,
            error: None,
            owner: None,
            lease_until: 0,
            files: 5,
            files_done: 3,
            files_failed: 2,
            chunks: 0,
            pages: 0,
            created_at: String::new(),
            updated_at: String::new(),
        };
        let mut progress = Progress::of(&row);
        let mut counts = |waiting| {
            progress.waits(waiting);
            (progress.files_done, progress.files_failed, progress.files_read, progress.files_cut)
        };
        assert_eq!(counts(2), (3, 2, 3, 3), "those that never began");
        assert_eq!(counts(3), (2, 1, 2, 2), "one of the failed besides");
        assert_eq!(counts(3), (2, 1, 2, 2));
        assert_eq!(counts(4), (1, 0, 1, 1));
    }
}
