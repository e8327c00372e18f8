//! Looking after a library: check, rebuild, back up, read the log.

use crate::command::Nothing;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The program and the library it has open.
#[derive(Debug, Clone, Serialize, TS)]
pub struct AppInfo {
    /// Version of the program.
    pub version: String,
    /// The data folder.
    pub folder: String,
    /// Bytes of everything in it.
    pub disk_bytes: u64,
    /// Whether any model in use sends text over the network.
    pub remote: bool,
}

/// A file to be written.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct FilePath {
    /// Its path.
    pub path: String,
}

/// Something that `doctor` found.
#[derive(Debug, Clone, Serialize, TS)]
pub struct FindingView {
    /// `info`, `warning` or `error`.
    pub severity: String,
    /// Stable name of the cause.
    pub code: String,
    /// What was expected and what came.
    pub message: String,
    /// How to mend it.
    pub cure: String,
}

/// The health of a library.
#[derive(Debug, Clone, Serialize, TS)]
pub struct HealthReport {
    /// Whether nothing is wrong.
    pub healthy: bool,
    /// What was checked, with counts.
    pub checked: Vec<String>,
    /// What was found.
    pub findings: Vec<FindingView>,
}

/// What was made anew.
#[derive(Debug, Clone, Serialize, TS)]
pub struct RebuildReport {
    /// Keyword rows.
    pub keyword_rows: u64,
    /// Code files.
    pub code_files: usize,
    /// Time in seconds.
    pub seconds: f64,
}
