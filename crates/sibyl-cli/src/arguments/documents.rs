//! Arguments of `sibyl documents`.

use clap::{Args, Subcommand};

const EXAMPLES: &str = "Examples:
  sibyl documents correct 12 --title \"Annual report 2024\" --issuer \"Example Holdings plc\"
  sibyl documents correct 12 --year 2024
  sibyl documents correct 12 --reset                       restore the values read from the file";

/// Which documents, or what is done with one.
#[derive(Debug, Args)]
pub struct Documents {
    #[command(subcommand)]
    pub command: Option<DocumentsCommand>,
    /// Only documents in this corpus
    #[arg(long)]
    pub corpus: Option<String>,
}

/// What is done with a document.
#[derive(Debug, Subcommand)]
pub enum DocumentsCommand {
    /// Correct a document's title, issuer or year; values that you don't give stay as they are
    Correct(Correct),
}

/// What is to be said of a document.
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
