//! The arguments of `answers`.

use crate::choice::choice;
use clap::Subcommand;
use sibyl_api::ExportFormat;

/// What to do with the log of questions and answers.
#[derive(Debug, Subcommand)]
pub enum Answers {
    /// List questions, newest first; * marks those with a source that has changed since
    List {
        /// Only those whose question or answer contains this text
        #[arg(default_value = "", hide_default_value = true)]
        search: String,
    },
    /// Show an answer with its sources, and say which of these have changed since
    Show {
        /// Number of the question, as listed
        id: i64,
    },
    /// Search again for a question; show what has moved and whether a source changed
    Replay {
        /// Number of the question, as listed
        id: i64,
    },
    /// Print the log
    Export {
        /// The format
        #[arg(long, value_parser = choice::<ExportFormat>(), default_value = "jsonl")]
        format: ExportFormat,
    },
}
