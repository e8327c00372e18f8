//! The arguments of `gold`.

use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

const GOLD_EXAMPLES: &str = "Examples:
  sibyl gold import standards.jsonl                   judged queries become a gold set
  sibyl gold import scifact/ --name scifact           a folder in BEIR layout
  sibyl gold import trec.qrels --queries topics.tsv   TREC qrels
  sibyl gold export standards --format trec out/
  sibyl gold history standards                        what each version changed
  sibyl gold export standards --version 3             the set as it was at version 3";

/// Options of `gold`.
#[derive(Debug, Args)]
#[command(after_help = GOLD_EXAMPLES)]
pub struct Gold {
    #[command(subcommand)]
    pub command: GoldCommand,
}

/// What to do with gold sets.
#[derive(Debug, Subcommand)]
pub enum GoldCommand {
    /// List the gold sets
    List,
    /// Import judged queries: JSON Lines, a folder in BEIR layout, or TREC qrels. Labels name paragraphs and
    /// topics by id, documents by path or id (acme/2024.pdf), and pages by path and number (acme/2024.pdf#page=12)
    Import {
        /// File or folder
        path: PathBuf,
        /// Name of the set [default: that of the file]
        #[arg(long)]
        name: Option<String>,
        /// Format of the file or folder [default: detected]
        #[arg(long, value_enum)]
        format: Option<GoldFormat>,
        /// Queries of TREC qrels: id, tab and text on each line
        #[arg(long, value_name = "FILE")]
        queries: Option<PathBuf>,
        /// Split of a folder in BEIR layout [default: test, or the only one]
        #[arg(long)]
        split: Option<String>,
        /// Minimum grade for a label to count as relevant [default: 2 for JSON Lines, 1 for the others]
        #[arg(long, value_name = "GRADE")]
        relevant_from: Option<i32>,
        /// Replace the existing gold set of this name
        #[arg(long)]
        replace: bool,
        /// Import nothing if judgments contradict each other, something is listed twice, or a query has no label
        #[arg(long)]
        strict: bool,
    },
    /// Show the versions of a gold set and what each changed
    History {
        /// Its name
        set: String,
    },
    /// Print a gold set, or write it to a folder
    #[command(disable_version_flag = true)]
    Export {
        /// Its name
        set: String,
        /// The format
        #[arg(long, value_enum, default_value_t)]
        format: GoldFormat,
        /// Version of the set, as `sibyl gold history` lists it [default: the current one]
        #[arg(long, value_name = "N")]
        version: Option<i64>,
        /// Folder that its files are written to
        folder: Option<PathBuf>,
    },
    /// Delete a gold set; its runs are kept
    Delete {
        /// Its name
        set: String,
    },
}

/// A format of gold sets.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub enum GoldFormat {
    /// One JSON object per line
    #[default]
    Jsonl,
    /// corpus.jsonl (the texts that labels name), queries.jsonl and qrels/test.tsv
    Beir,
    /// TREC qrels and queries
    Trec,
}

impl GoldFormat {
    /// Its name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Jsonl => "jsonl",
            Self::Beir => "beir",
            Self::Trec => "trec",
        }
    }
}
