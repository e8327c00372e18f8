//! The arguments of `gold`.

use crate::choice::choice;
use clap::{Args, Subcommand};
use sibyl_api::{GoldFormat, GoldImport};
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
    Import(GoldImportArguments),
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
        #[arg(long, value_parser = choice::<GoldFormat>(), default_value = "jsonl")]
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

/// What to import, and how.
#[derive(Debug, Args)]
pub struct GoldImportArguments {
    /// File or folder
    pub path: PathBuf,
    /// Name of the set [default: that of the file]
    #[arg(long)]
    pub name: Option<String>,
    /// Format of the file or folder [default: detected]
    #[arg(long, value_parser = choice::<GoldFormat>())]
    pub format: Option<GoldFormat>,
    /// Queries of TREC qrels: id, tab and text on each line
    #[arg(long, value_name = "FILE")]
    pub queries: Option<PathBuf>,
    /// Split of a folder in BEIR layout [default: test, or the only one]
    #[arg(long)]
    pub split: Option<String>,
    /// Minimum grade for a label to count as relevant [default: 2 for JSON Lines, 1 for the others]
    #[arg(long, value_name = "GRADE")]
    pub relevant_from: Option<i32>,
    /// Replace the existing gold set of this name
    #[arg(long)]
    pub replace: bool,
    /// Import nothing if judgments contradict each other, something is listed twice, or a query has no label
    #[arg(long)]
    pub strict: bool,
}

impl From<GoldImportArguments> for GoldImport {
    fn from(words: GoldImportArguments) -> Self {
        Self {
            path: words.path,
            text: None,
            name: words.name,
            format: words.format,
            queries: words.queries,
            files: Vec::new(),
            split: words.split,
            relevant_from: words.relevant_from,
            replace: words.replace,
            strict: words.strict,
        }
    }
}
