//! Timings of a search's stages.

use parking_lot::Mutex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// A stage of a search, or of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SearchStage {
    /// Which chunks are in scope.
    Filter,
    /// How the query is read.
    Parse,
    /// The query becomes a vector.
    Embed,
    /// The leg by meaning.
    Semantic,
    /// The leg by words.
    Keyword,
    /// Words of the best passages are added, and the leg by words runs again.
    Feedback,
    /// Both lists become one.
    Fuse,
    /// Hits are named.
    Label,
    /// Near-duplicates are left out.
    Dedupe,
    /// The texts of the results are read.
    Fetch,
    /// A provider orders the results.
    Rerank,
    /// An answer is written.
    Write,
    /// The whole search, in answers that earlier versions kept.
    Search,
    /// Which passages count, in answers that earlier versions kept.
    Relevance,
}

/// One stage of a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StageTiming {
    /// Which one.
    pub stage: SearchStage,
    /// Start after the search began, in milliseconds.
    pub start_ms: f64,
    /// Duration in milliseconds.
    pub duration_ms: f64,
    /// Items that went in.
    pub items_in: usize,
    /// Number of items that it returned.
    pub items_out: usize,
}

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
            stage = %format!("{:?}", self.name).to_lowercase(),
            latency_ms = timing.duration_ms,
            items_in = timing.items_in,
            items_out,
            "search stage"
        );
        self.clock.stages.lock().push(timing);
    }
}
