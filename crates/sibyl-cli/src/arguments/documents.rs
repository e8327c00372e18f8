//! The arguments of `sibyl documents`.

use clap::{Args, Subcommand};

const EXAMPLES: &str = "Examples:
  sibyl documents correct 12 --title \"Annual report 2024\" --issuer \"Example Holdings plc\"
  sibyl documents correct 12 --year 2024
  sibyl documents correct 12 --reset                       restore the values read from the file";

const SAME_EXAMPLES: &str = "Examples:
  sibyl documents same                     documents that look like one whose file is gone
  sibyl documents same 12 31               document 31 is document 12, edited and renamed
  sibyl documents same 12 31 --different   they are two documents";

/// Which documents to list, or what to do with one.
#[derive(Debug, Args)]
pub struct Documents {
    #[command(subcommand)]
    pub command: Option<DocumentsCommand>,
    /// Only documents in this corpus
    #[arg(long)]
    pub corpus: Option<String>,
}

/// What to do with a document.
#[derive(Debug, Subcommand)]
pub enum DocumentsCommand {
    /// Correct a document's title, issuer or year; values that you don't give stay as they are
    Correct(Correct),
    /// Say that a new document is an earlier one, edited and renamed. It becomes that one, with the corrections,
    /// phrasings, findings and citations of both. Without numbers, list the documents that look like one whose
    /// file is gone
    Same(Same),
}

/// Two documents that are the same.
#[derive(Debug, Args)]
#[command(after_help = SAME_EXAMPLES)]
pub struct Same {
    /// Number of the earlier document
    #[arg(requires = "found")]
    pub former: Option<i64>,
    /// Number of the new document
    pub found: Option<i64>,
    /// Say that they are two documents, so that Sibyl does not ask again
    #[arg(long, requires = "found")]
    pub different: bool,
}

/// Corrections to a document.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Correct {
    /// Document number as `sibyl documents` shows it
    pub document: i64,
    /// Title of the document
    #[arg(long, required_unless_present_any = ["issuer", "year", "reset"])]
    pub title: Option<String>,
    /// Issuer of the document
    #[arg(long)]
    pub issuer: Option<String>,
    /// Year that the document covers
    #[arg(long)]
    pub year: Option<u16>,
    /// Discard earlier corrections and restore the values read from the file
    #[arg(long)]
    pub reset: bool,
}
