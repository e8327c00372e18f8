//! The arguments of `sibyl delete` and `sibyl restore`.

use clap::Args;

const DELETE_EXAMPLES: &str = "Examples:
  sibyl delete --report acme-2024
  sibyl delete --corpus handbook
  sibyl delete --source-type ifrs_s1
  sibyl delete --for-good 12         a document that is in the bin

Documents move to the bin; `sibyl restore` lists and restores them for 30 days.
Vectors are kept, so ingesting the same text again embeds nothing twice.";

const RESTORE_EXAMPLES: &str = "Examples:
  sibyl restore          all documents in the bin, the latest first
  sibyl restore 12 14    put documents 12 and 14 back, with their reviews, phrasings and corrections";

/// What `delete` deletes.
#[derive(Debug, Args)]
#[command(after_help = DELETE_EXAMPLES)]
#[group(required = true, multiple = false)]
pub struct Delete {
    /// A corpus by name
    #[arg(long)]
    pub corpus: Option<String>,
    /// A document by number
    #[arg(long)]
    pub document: Option<i64>,
    /// A report by its id
    #[arg(long)]
    pub report: Option<String>,
    /// Everything of a source type, such as ifrs_s1
    #[arg(long)]
    pub source_type: Option<String>,
    /// A document in the bin by number, for good
    #[arg(long, value_name = "DOCUMENT")]
    pub for_good: Option<i64>,
}

/// Options of `restore`.
#[derive(Debug, Args)]
#[command(after_help = RESTORE_EXAMPLES)]
pub struct Restore {
    /// Documents by number; without any, those in the bin are listed
    pub documents: Vec<i64>,
}
