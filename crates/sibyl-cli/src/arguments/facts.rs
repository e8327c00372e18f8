//! The arguments of `facts`.

use clap::Args;
use sibyl_api::command::document::FactQuery;

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

impl From<Facts> for FactQuery {
    fn from(words: Facts) -> Self {
        let text: Vec<String> = words.word.into_iter().chain(words.more).collect();
        Self {
            document_id: words.document,
            chunk_id: words.chunk,
            text: text.join(" "),
            offset: 0,
            limit: Some(words.limit),
        }
    }
}
