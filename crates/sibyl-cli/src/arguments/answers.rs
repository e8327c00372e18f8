//! The arguments of `answers`.

use clap::{Subcommand, ValueEnum};

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
        #[arg(long, value_enum, default_value_t)]
        format: LogFormat,
    },
}

/// A format of the log.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub enum LogFormat {
    /// One JSON object per line
    #[default]
    Jsonl,
    /// A table with a row for each question
    Csv,
    /// Text with the list of sources below each answer
    Markdown,
    /// Judged queries of the answers that were rated right
    Gold,
}

impl LogFormat {
    /// Its name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Jsonl => "jsonl",
            Self::Csv => "csv",
            Self::Markdown => "markdown",
            Self::Gold => "gold",
        }
    }
}
