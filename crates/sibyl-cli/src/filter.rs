//! Filters as options.

use clap::Args;
use serde_json::{Map, Value};
use sibyl_api::source_type;

/// Restrictions of a search; several values of one option are alternatives.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Filters (may be repeated)")]
pub struct FilterArguments {
    /// Source type
    #[arg(long, help = format!("Source type: {}", source_type::names().join(", ")))]
    source_type: Vec<String>,
    /// Corpus
    #[arg(long)]
    corpus: Vec<String>,
    /// Report id
    #[arg(long)]
    report: Vec<String>,
    /// Pillar: governance, strategy, risk_management, metrics_targets, general, appendix
    #[arg(long)]
    pillar: Vec<String>,
    /// Standard, such as S1
    #[arg(long)]
    standard: Vec<String>,
    /// Edition of IFRS S2: 2023-06 (as issued) or 2025-12 (as amended); default: as issued until the end of 2026, as
    /// amended from 2027
    #[arg(long)]
    edition: Vec<String>,
    /// Section
    #[arg(long)]
    section: Vec<String>,
    /// SASB industry by name or code
    #[arg(long)]
    industry: Vec<String>,
    /// SASB topic by name or code
    #[arg(long)]
    topic: Vec<String>,
    /// Tag from front matter
    #[arg(long)]
    tag: Vec<String>,
    /// Module of a documentation tree
    #[arg(long)]
    module: Vec<String>,
    /// Chapter of a documentation tree
    #[arg(long)]
    chapter: Vec<String>,
    /// Content type: prose, code, table, lab, quiz, assessment
    #[arg(long)]
    content_type: Vec<String>,
    /// Path prefix below the import root
    #[arg(long)]
    path: Vec<String>,
}

impl FilterArguments {
    /// The filters as the command list takes them.
    pub fn to_json(&self) -> Value {
        let lists = [
            ("source_types", &self.source_type),
            ("corpora", &self.corpus),
            ("reports", &self.report),
            ("pillars", &self.pillar),
            ("standards", &self.standard),
            ("editions", &self.edition),
            ("sections", &self.section),
            ("industries", &self.industry),
            ("topics", &self.topic),
            ("tags", &self.tag),
            ("modules", &self.module),
            ("chapters", &self.chapter),
            ("content_types", &self.content_type),
            ("paths", &self.path),
        ];
        Value::Object(
            lists
                .into_iter()
                .map(|(name, values)| (name.to_owned(), values.clone().into()))
                .collect::<Map<_, _>>(),
        )
    }
}
