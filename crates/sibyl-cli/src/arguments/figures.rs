//! The arguments of `figures`.

use crate::choice::choice;
use clap::Args;
use sibyl_api::{FigureQuery, FigureStatus, Measure};

const FIGURES_EXAMPLES: &str = "Examples:
  sibyl figures scope 1                              every figure whose names mention it
  sibyl figures scope 1 --report northwind-2024 --year 2023
  sibyl figures water withdrawn --unit volume --json";

/// Options of `figures`.
#[derive(Debug, Args)]
#[command(after_help = FIGURES_EXAMPLES)]
pub struct Figures {
    /// Words for what the figures measure; a year among them restricts the list to that year
    pub word: Option<String>,
    /// Further words that the names of a figure must contain
    pub more: Vec<String>,
    /// Only of this report (repeatable)
    #[arg(long, value_name = "REPORT_ID")]
    pub report: Vec<String>,
    /// Only of this document, by its number (see `sibyl documents`; repeatable)
    #[arg(long, value_name = "NUMBER")]
    pub document: Vec<i64>,
    /// Only of this year (repeatable)
    #[arg(long)]
    pub year: Vec<u16>,
    /// Only with units of this kind
    #[arg(long, value_name = "MEASURE", value_parser = choice::<Measure>())]
    pub unit: Option<Measure>,
    /// Only with this status
    #[arg(long, value_parser = choice::<FigureStatus>())]
    pub status: Option<FigureStatus>,
    /// Position to begin at, from 0
    #[arg(long, default_value_t = 0)]
    pub offset: usize,
    /// Maximum number of figures
    #[arg(long, short = 'n', default_value_t = 100)]
    pub limit: usize,
}

impl From<Figures> for FigureQuery {
    fn from(words: Figures) -> Self {
        let text: Vec<String> = words.word.into_iter().chain(words.more).collect();
        Self {
            text: text.join(" "),
            documents: words.document,
            reports: words.report,
            years: words.year,
            measure: words.unit,
            status: words.status,
            offset: words.offset,
            limit: Some(words.limit),
        }
    }
}
