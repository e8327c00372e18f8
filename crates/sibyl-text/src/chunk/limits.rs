//! Sizes that the packing strategies share, as parameters and as checked values.

use crate::param::{Param, ParamError, ParamKind, Settings};

/// The size that a chunk aims at.
pub(super) const fn target(default: i64) -> Param {
    let description = "Target size of a chunk, including its context header and overlap.";
    tokens("target_tokens", 20, default, description)
}

/// The size below which a chunk is joined with its neighbour under the same heading.
pub(super) const fn min(default: i64) -> Param {
    let description = "A chunk with less text than this, leaving out header and overlap, is joined with its neighbour under the \
         same heading.";
    tokens("min_tokens", 0, default, description)
}

/// The size that only one atomic block may exceed.
pub(super) const fn max(default: i64) -> Param {
    let description = "Longest chunk, except for a single block that must stay whole.";
    tokens("max_tokens", 40, default, description)
}

/// How much of the chunk before is repeated.
pub(super) const fn overlap(default: i64) -> Param {
    let description =
        "Whole sentences repeated from the previous chunk under the same heading; at most half the target.";
    tokens("overlap_tokens", 0, default, description)
}

/// The deepest heading level that starts a chunk.
pub(super) const SPLIT_AT_HEADINGS: Param = Param {
    name: "split_at_headings",
    kind: ParamKind::Integer { min: 0, max: 6, default: 6 },
    unit: "level",
    description: "Deepest heading level that starts a new chunk; 0 lets chunks run across all headings.",
};

/// Whether a long table stays in one piece.
pub(super) const fn keep_tables(default: bool) -> Param {
    Param {
        name: "keep_tables",
        kind: ParamKind::Switch { default },
        unit: "",
        description: "Keep a table in one piece even if it is longer than the maximum; otherwise it is split between \
                      rows and its header is repeated.",
    }
}

/// Whether headings without text go with what follows.
pub(super) const fn merge_orphans(description: &'static str) -> Param {
    Param { name: "merge_orphans", kind: ParamKind::Switch { default: true }, unit: "", description }
}

/// Whether chunks start with their place in the document.
pub(super) const CONTEXT_HEADER: Param = Param {
    name: "context_header",
    kind: ParamKind::Switch { default: true },
    unit: "",
    description: "Start each chunk with its place in the document, such as [Report > Metrics > Scope 3].",
};

const fn tokens(name: &'static str, min: i64, default: i64, description: &'static str) -> Param {
    Param { name, kind: ParamKind::Integer { min, max: 8000, default }, unit: "tokens", description }
}

/// Checked sizes, in tokens.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub target: usize,
    pub min: usize,
    pub max: usize,
    pub overlap: usize,
}

impl Limits {
    /// The sizes in `settings`.
    pub fn of(settings: &Settings) -> Self {
        Self {
            target: settings.integer("target_tokens"),
            min: settings.integer("min_tokens"),
            max: settings.integer("max_tokens"),
            overlap: settings.integer("overlap_tokens"),
        }
    }

    /// Refuses sizes that contradict each other.
    ///
    /// # Errors
    /// [`ParamError::Conflict`] names the two sizes and the cure.
    pub fn check(settings: &Settings) -> Result<(), ParamError> {
        let Self { target, min, max, overlap } = Self::of(settings);
        let conflict = |text: String| Err(ParamError::Conflict(text));
        if min > target {
            return conflict(format!("`min_tokens` ({min}) is above `target_tokens` ({target}): lower it"));
        }
        if target > max {
            return conflict(format!("`target_tokens` ({target}) is above `max_tokens` ({max}): lower it"));
        }
        if overlap * 2 > target {
            return conflict(format!(
                "`overlap_tokens` ({overlap}) is more than half of `target_tokens` ({target}): use at most {}",
                target / 2
            ));
        }
        Ok(())
    }

    /// Maximum number of tokens that a context header may take.
    pub const fn header(&self) -> usize {
        self.max / 4
    }
}
