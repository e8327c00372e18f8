//! What a verification finds.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_text::Severity;

/// Something that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// How grave it is. It is an error if something is wrong that cannot be derived. It is a warning if something
    /// derived is wrong, so that searches may miss something until it is rebuilt.
    pub severity: Severity,
    /// Stable name of the cause.
    pub code: String,
    /// What was expected and what was found, with the first places.
    pub message: String,
    /// How to repair it.
    pub cure: String,
}

/// The health of a library.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Health {
    /// What was checked, with counts.
    pub checked: Vec<String>,
    /// What was found, the gravest first.
    pub findings: Vec<Finding>,
}

impl Health {
    /// Whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.findings.iter().all(|finding| finding.severity == Severity::Info)
    }

    /// Adds what another check found.
    pub fn add(&mut self, other: Self) {
        self.checked.extend(other.checked);
        self.findings.extend(other.findings);
        self.findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    }
}
