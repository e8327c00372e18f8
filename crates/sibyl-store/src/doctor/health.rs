//! What a verification finds.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How grave a [`Finding`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Gravity {
    /// Worth knowing; nothing is wrong.
    Info,
    /// Something derived is wrong: searches may miss something until it is made anew.
    Warning,
    /// Something that cannot be derived is wrong.
    Error,
}

/// Something that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Finding {
    /// How grave it is.
    pub gravity: Gravity,
    /// Stable name of the cause.
    pub code: String,
    /// What was expected and what came, with the first places.
    pub message: String,
    /// How to mend it.
    pub cure: String,
}

/// The health of a library.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Health {
    /// What was checked, with counts.
    pub checked: Vec<String>,
    /// What was found, the gravest first.
    pub findings: Vec<Finding>,
}

impl Health {
    /// Whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.findings.iter().all(|finding| finding.gravity == Gravity::Info)
    }

    /// Adds what another check found.
    pub fn add(&mut self, other: Self) {
        self.checked.extend(other.checked);
        self.findings.extend(other.findings);
        self.findings.sort_by_key(|finding| std::cmp::Reverse(finding.gravity));
    }
}

impl From<Gravity> for &'static str {
    fn from(gravity: Gravity) -> Self {
        match gravity {
            Gravity::Info => "info",
            Gravity::Warning => "warning",
            Gravity::Error => "error",
        }
    }
}
