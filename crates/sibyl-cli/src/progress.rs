//! Progress of work: bars on a terminal, plain lines elsewhere.

use crate::output::tell;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use parking_lot::Mutex;
use sibyl_api::{EvaluateProgress, EvaluateStage, JobEvent, Stage};
use std::io::IsTerminal as _;

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// Progress of a job.
pub enum Working {
    Bars {
        all: MultiProgress,
        files: ProgressBar,
        vectors: ProgressBar,
    },
    Lines {
        last: Option<(bool, usize)>,
        /// Number of pages for OCR, and the tenth that was shown last.
        last_ocr: Option<(usize, usize)>,
    },
}

/// The progress of OCR, while it has pages to read.
fn ocr(event: &JobEvent) -> Option<String> {
    let reads = event.ocr_done < event.ocr_pages;
    reads.then(|| format!("ocr: {} of {} pages", event.ocr_done, event.ocr_pages))
}

/// All that there is to show, side by side.
fn joined(parts: impl IntoIterator<Item = Option<String>>) -> String {
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

impl Default for Working {
    fn default() -> Self {
        if !std::io::stderr().is_terminal() {
            return Self::Lines { last: None, last_ocr: None };
        }
        let all = MultiProgress::new();
        let files = all.add(ProgressBar::new(0));
        files.set_style(style("read, chunk, store {bar:28} {pos}/{len} files · {msg}"));
        let vectors = all.add(ProgressBar::new(0));
        vectors.set_style(style("embed              {bar:28} {pos}/{len} chunks · {msg}"));
        Self::Bars { all, files, vectors }
    }
}

impl Working {
    /// Shows how far the job has come.
    pub fn show(&mut self, event: &JobEvent) {
        let rate = (event.rate > 0.0).then(|| format!("{:.0} chunks/s", event.rate));
        let left = event.seconds_left.map(|s| format!("about {s:.0} s left"));
        let pace = [rate, left];
        let chunks =
            if event.chunks == 1 { "1 chunk".to_owned() } else { format!("{} chunks", event.chunks) };
        match self {
            Self::Bars { files, vectors, .. } => {
                files.set_length(event.files as u64);
                files.set_position(event.files_done as u64);
                let failed = (event.files_failed > 0).then(|| format!("{} failed", event.files_failed));
                let (of_files, of_vectors) = if event.stage == Stage::Embed {
                    let model = event.model.clone();
                    (Vec::new(), joined([model].into_iter().chain(pace)))
                } else {
                    (pace.to_vec(), String::new())
                };
                files.set_message(joined([Some(chunks), failed, ocr(event)].into_iter().chain(of_files)));
                vectors.set_length(event.to_embed as u64);
                vectors.set_position(event.embedded as u64);
                vectors.set_message(of_vectors);
            }
            Self::Lines { last, last_ocr } => {
                let (done, of) = if event.stage == Stage::Embed {
                    (event.embedded, event.to_embed)
                } else {
                    (event.files_done, event.files)
                };
                if let Some(words) = ocr(event) {
                    let part = (event.ocr_done * 10) / event.ocr_pages.max(1);
                    if *last_ocr != Some((event.ocr_pages, part)) {
                        *last_ocr = Some((event.ocr_pages, part));
                        tell(format_args!("{words}"));
                    }
                }
                // Every tenth is enough for a log; before the files are known there is nothing to show.
                let Some(tenth) = (done * 10).checked_div(of) else { return };
                let part = (event.stage == Stage::Embed, tenth);
                if *last != Some(part) {
                    *last = Some(part);
                    let stage = format!("{:?}", event.stage).to_lowercase();
                    let parts = [Some(format!("{done} of {of}")), Some(chunks)].into_iter().chain(pace);
                    tell(format_args!("{stage}: {}", joined(parts)));
                }
            }
        }
    }

    /// Leaves the bars as they are and the terminal to others.
    pub fn finish(&self) {
        if let Self::Bars { all, files, vectors } = self {
            files.finish();
            vectors.finish();
            // A terminal that went away has nothing to clear.
            let _ = all.clear();
        }
    }
}

/// Progress of an evaluation, one stage after another.
pub struct Evaluating {
    bar: Option<ProgressBar>,
    /// Stage and tenth that were shown last.
    last: Mutex<Option<(EvaluateStage, usize)>>,
}

impl Default for Evaluating {
    fn default() -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(0);
            bar.set_style(style("{msg:6} {bar:28} {pos}/{len} · about {eta} left"));
            bar
        });
        Self { bar, last: Mutex::new(None) }
    }
}

impl Evaluating {
    /// Shows how far the evaluation has come.
    pub fn show(&self, progress: EvaluateProgress) {
        let EvaluateProgress { stage, done, total } = progress;
        let (name, items) = match stage {
            EvaluateStage::Store => ("store", "documents"),
            EvaluateStage::Embed => ("embed", "texts"),
            EvaluateStage::Search => ("search", "searches"),
            EvaluateStage::Cell => ("matrix", "cells"),
        };
        let mut last = self.last.lock();
        let part = (stage, (done * 10).checked_div(total).unwrap_or(0));
        let fresh = last.is_none_or(|(known, _)| known != stage);
        if let Some(bar) = &self.bar {
            if fresh {
                bar.reset();
            }
            bar.set_message(name);
            bar.set_length(total.max(done) as u64);
            bar.set_position(done as u64);
        } else if *last != Some(part) && total > 0 {
            tell(format_args!("{name}: {done} of {total} {items}"));
        }
        *last = Some(part);
    }

    /// Removes the bar.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
