//! Figures: the numbers that documents report, found by what they measure.

use crate::answer::named::{Named, Titled};
use crate::error::{Error, Result};
use crate::library::{Contents, Library};
use crate::store::table::figure::{FigureFilter, FigureRow};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_text::figure::Status;
use sibyl_text::language::period::periods;
use sibyl_text::language::unit::Measure;
use sibyl_text::language::words::is_stop;
use sibyl_text::source_type;
use std::sync::Arc;

/// Default number of figures returned.
pub const DEFAULT_FIGURES: usize = 100;
/// Maximum number of figures that may be asked for at once.
pub const MOST_FIGURES: usize = 5_000;

/// Which figures are wanted.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct FigureQuery {
    /// What they are figures of, such as `scope 1`: all of the words are in the names of row, column or headings.
    /// A year among them counts as one of `years`, and the name of an issuer as its reports.
    pub text: String,
    /// Only of these documents, by row id.
    pub documents: Vec<i64>,
    /// Only of these reports.
    pub reports: Vec<String>,
    /// Only of these years.
    pub years: Vec<u16>,
    /// Only of this kind of unit.
    pub measure: Option<Measure>,
    /// Only with this status.
    pub status: Option<Status>,
    /// Position to begin at, from 0.
    pub offset: usize,
    /// Maximum number of figures to return, 1 to 5,000; 100 by default.
    pub limit: Option<usize>,
}

/// Figures that were found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FigureList {
    /// The figures, with those whose names match the words best first.
    pub figures: Vec<FigureRow>,
    /// How many there are in all.
    pub total: usize,
}

impl Contents<'_> {
    /// The figures that `query` asks for, of documents that the workspace called `workspace` sees.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a limit out of bounds; storage errors.
    pub async fn figures(&self, workspace: &str, query: FigureQuery) -> Result<FigureList> {
        let limit = query.limit.unwrap_or(DEFAULT_FIGURES);
        Error::within("limit", limit as f64, 1.0, MOST_FIGURES as f64)?;
        let workspace = self.library.store().workspace(workspace).await?.id;
        let (mut words, years) = words_and_years(&query.text);
        let mut reports = query.reports;
        if reports.is_empty() && query.documents.is_empty() {
            let documents = self.library.store().documents(workspace, None).await?;
            let named = Named::read(&query.text, documents.iter().filter_map(Titled::of));
            words.retain(|word| !named.holds(word));
            reports = named.reports;
        }
        let filter = FigureFilter {
            documents: query.documents,
            reports,
            chunks: None,
            words,
            any: false,
            years: if query.years.is_empty() { years } else { query.years },
            measure: query.measure,
            status: query.status,
            offset: query.offset,
            limit,
        };
        let (figures, total) = self.library.store().figures(workspace, filter).await?;
        Ok(FigureList { figures, total })
    }
}

/// The words of `text` that figures are found by, and the years that it names.
fn words_and_years(text: &str) -> (Vec<String>, Vec<u16>) {
    let named = periods(text);
    let years = named.iter().map(|period| period.year).collect();
    let inside = |at: usize| named.iter().any(|period| (period.start..period.end).contains(&at));
    let words = sibyl_text::language::words::words(text)
        .into_iter()
        .filter(|word| !inside(word.start) && !is_stop(&word.text.to_lowercase()))
        .map(|word| word.text.to_owned());
    (words.collect(), years)
}

impl Library {
    /// Makes the figures of documents that have none by the current rules, in the background. An earlier version
    /// stored these documents.
    pub(crate) fn complete_figures(&self) {
        if self.store().is_read_only() {
            return;
        }
        let library = Arc::downgrade(&self.0);
        tokio::spawn(async move {
            let Some(open) = library.upgrade().map(Library) else { return };
            let documents = match open.store().documents_without_figures().await {
                Ok(documents) => documents,
                Err(error) => return tracing::warn!("no figures were made: {error}"),
            };
            drop(open);
            for (id, source_type) in documents {
                let Some(open) = library.upgrade().map(Library) else { return };
                if let Err(error) = open.figures_of(id, &source_type).await {
                    tracing::warn!(code = error.code(), document = id, "its figures were not made: {error}");
                }
            }
        });
    }

    /// Makes the figures of all documents that have none by the current rules.
    ///
    /// # Errors
    /// Storage errors.
    pub(crate) async fn make_figures(&self) -> Result<()> {
        for (id, source_type) in self.store().documents_without_figures().await? {
            match self.figures_of(id, &source_type).await {
                // It was deleted meanwhile.
                Err(error) if error.code() == "not_found" => {}
                made => made?,
            }
        }
        Ok(())
    }

    async fn figures_of(&self, id: i64, source_type: &str) -> Result<()> {
        let document = self.store().document_of_row(id).await?;
        let reports = source_type::named(source_type).is_none_or(sibyl_text::SourceType::reports_figures);
        let (document, figures) = tokio::task::spawn_blocking(move || {
            let figures = if reports { sibyl_text::figure::figures(&document) } else { Vec::new() };
            (document, figures)
        })
        .await?;
        Ok(self.store().put_figures(id, document, figures).await?)
    }
}
