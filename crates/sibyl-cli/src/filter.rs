//! Filters as options.

use crate::choice::choice;
use clap::Args;
use sibyl_api::{Edition, Filters, source_type};

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
    /// Edition of IFRS S2 [default: as issued until the end of 2026, as amended from 2027]
    #[arg(long, value_parser = choice::<Edition>())]
    edition: Vec<Edition>,
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

impl From<FilterArguments> for Filters {
    fn from(words: FilterArguments) -> Self {
        Self {
            source_types: words.source_type,
            corpora: words.corpus,
            reports: words.report,
            report_or_none: None,
            pillars: words.pillar,
            standards: words.standard,
            editions: words.edition,
            sections: words.section,
            industries: words.industry,
            topics: words.topic,
            tags: words.tag,
            modules: words.module,
            chapters: words.chapter,
            content_types: words.content_type,
            paths: words.path,
        }
    }
}
