//! Arguments of `sibyl documents`.

use clap::{Args, Subcommand};

const EXAMPLES: &str = "Examples:
  sibyl documents correct 12 --title \"Annual report 2024\" --issuer \"Example Holdings plc\"
  sibyl documents correct 12 --year 2024
  sibyl documents correct 12 --reset                       back to what was read";

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
    /// Correct a document's title, issuer and year; what you don't name stays as it is
    Correct(Correct),
}

/// What is to be said of a document.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Correct {
    /// Document number as `sibyl documents` shows it
    pub document: i64,
    /// Its title
    #[arg(long, required_unless_present_any = ["issuer", "year", "reset"])]
    pub title: Option<String>,
    /// Who issued it
    #[arg(long)]
    pub issuer: Option<String>,
    /// Year that it is about
    #[arg(long)]
    pub year: Option<u16>,
    /// Discard earlier corrections, and show what was read
    #[arg(long)]
    pub reset: bool,
}
