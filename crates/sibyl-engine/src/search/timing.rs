//! Timings of a search's stages.

use super::{SearchStage, StageTiming};
use parking_lot::Mutex;
use std::time::Instant;

/// Collects the stages of one search.
pub(super) struct Clock {
    start: Instant,
    stages: Mutex<Vec<StageTiming>>,
}

/// A stage that runs.
pub(super) struct Stage<'a> {
    clock: &'a Clock,
    name: SearchStage,
    start: Instant,
    items_in: usize,
}

impl Clock {
    pub fn new() -> Self {
        Self { start: Instant::now(), stages: Mutex::new(Vec::new()) }
    }

    /// Begins a stage; it counts once it has ended.
    pub fn stage(&self, name: SearchStage, items_in: usize) -> Stage<'_> {
        Stage { clock: self, name, start: Instant::now(), items_in }
    }

    /// The stages in order of their start.
    pub fn stages(&self) -> Vec<StageTiming> {
        let mut stages = self.stages.lock().clone();
        stages.sort_by(|a, b| a.start_ms.total_cmp(&b.start_ms));
        stages
    }
}

impl Stage<'_> {
    /// Ends the stage with that many items.
    pub fn end(self, items_out: usize) {
        let timing = StageTiming {
            stage: self.name,
            start_ms: (self.start - self.clock.start).as_secs_f64() * 1e3,
            duration_ms: self.start.elapsed().as_secs_f64() * 1e3,
            items_in: self.items_in,
            items_out,
        };
        tracing::debug!(
            stage = ?self.name,
            latency_ms = timing.duration_ms,
            items_in = timing.items_in,
            items_out,
            "search stage"
        );
        self.clock.stages.lock().push(timing);
    }
}
