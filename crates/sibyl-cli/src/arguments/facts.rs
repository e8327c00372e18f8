//! The arguments of `facts`.

use clap::Args;

const FACTS_EXAMPLES: &str = "Examples:
  sibyl facts Scope1                       every fact whose concept mentions it
  sibyl facts 1,032,600                    where a value is tagged
  sibyl facts Revenues --document 3 --json";

/// Options of `facts`.
#[derive(Debug, Args)]
#[command(after_help = FACTS_EXAMPLES)]
pub struct Facts {
    /// Words of concept, value, unit or dimensions
    pub word: Option<String>,
    /// Further words that a fact must contain
    pub more: Vec<String>,
    /// Only of this document, by its number (see `sibyl documents`)
    #[arg(long, value_name = "NUMBER")]
    pub document: Option<i64>,
    /// Only those shown in this chunk
    #[arg(long, value_name = "CHUNK_ID")]
    pub chunk: Option<String>,
    /// Maximum number of facts
    #[arg(long, short = 'n', default_value_t = 100)]
    pub limit: i64,
}

impl Facts {
    /// The words in one text.
    pub fn text(&self) -> String {
        self.word.iter().chain(&self.more).map(String::as_str).collect::<Vec<_>>().join(" ")
    }
}
