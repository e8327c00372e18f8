//! The same figure in two reports: for the earlier report's period as both give it, and for the later one's.

use super::super::grid::ReportColumn;
use super::Side;
use super::counterpart::Sentence;
use crate::answer::figures::candidate;
use crate::error::Result;
use crate::library::Assessing;
use crate::store::table::figure::{FigureFilter, FigureRow};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_answer::figures::agreement;
use sibyl_text::figure::Status;

pub use sibyl_answer::figures::shown::Agreement as FigureAgreement;

/// Number of figures of one name considered in a report.
const LOOKED_AT: usize = 60;
/// Words of a row that its figures are looked for by.
const WORDS: usize = 12;
/// Maximum number of names of a requirement that are compared.
const MOST_NAMES: usize = 8;

/// A figure as two reports give it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ComparedFigure {
    /// What it is a figure of: the names of its row, and those of its column if these say something.
    pub names: Vec<String>,
    /// For the period of the earlier report, in the earlier report.
    pub earlier: Option<FigureRow>,
    /// For the period of the earlier report, in the later report.
    pub again: Option<FigureRow>,
    /// For the period of the later report, in the later report.
    pub later: Option<FigureRow>,
    /// How the two values for the earlier report's period agree; `None` if one is missing, or a report gives
    /// several.
    pub agreement: Option<FigureAgreement>,
}

/// Whether the later report gives one of `figures` differently.
pub(super) fn restated(figures: &[ComparedFigure]) -> bool {
    figures.iter().any(|figure| figure.agreement == Some(FigureAgreement::Differs))
}

impl Assessing<'_> {
    /// The figures of `rows`, which are rows of tables that say the same in both reports, and those proposed for
    /// `requirement` in one of them. Each is given as both reports state it.
    pub(super) async fn compared_figures(
        &self,
        workspace: i64,
        (earlier, later): (&ReportColumn, &ReportColumn),
        sides: &[Side; 2],
        (requirement, rows): (&str, &[(Sentence, Sentence)]),
    ) -> Result<Vec<ComparedFigure>> {
        let (Some(then), Some(now)) = (earlier.year, later.year) else { return Ok(Vec::new()) };
        let mut found: Vec<ComparedFigure> = Vec::new();
        for (one, other) in rows {
            let [first, second] = [self.in_row(workspace, one).await?, self.in_row(workspace, other).await?];
            let mut kinds: Vec<&FigureRow> = Vec::new();
            for figure in first.iter().chain(&second) {
                if !kinds.iter().any(|kind| is_of_kind(kind, figure)) {
                    kinds.push(figure);
                }
            }
            for kind in kinds {
                let of = |rows: &[FigureRow]| -> Vec<FigureRow> {
                    rows.iter().filter(|row| is_of_kind(row, kind)).cloned().collect()
                };
                // In rows of one name, a figure that does not agree is a different value for the same thing.
                found.extend(compared((then, now), of(&first), of(&second), Some(FigureAgreement::Differs)));
            }
        }
        let proposed = sides.iter().filter_map(|side| side.proposals.get(requirement));
        let mut known: Vec<&FigureRow> = Vec::new();
        for figure in proposed.flat_map(|proposal| &proposal.figures) {
            let told = |one: &ComparedFigure| {
                [&one.earlier, &one.again, &one.later].into_iter().flatten().any(|one| one.id == figure.id)
            };
            let again = known.iter().any(|one| is_same(one, figure)) || found.iter().any(told);
            if figure.status == Status::Actual && known.len() < MOST_NAMES && !again {
                known.push(figure);
            }
        }
        for figure in known {
            let first = self.named_like(workspace, &earlier.report_id, figure).await?;
            let second = self.named_like(workspace, &later.report_id, figure).await?;
            found.extend(compared((then, now), first, second, None));
        }
        Ok(found)
    }

    /// The figures that stand in the row `row` of a table.
    async fn in_row(&self, workspace: i64, row: &Sentence) -> Result<Vec<FigureRow>> {
        let name = sibyl_text::language::words::words(&row.text).into_iter().map(|word| word.text.to_owned());
        let filter = FigureFilter {
            documents: vec![row.source.id],
            words: name.take(WORDS).collect(),
            any: true,
            status: Some(Status::Actual),
            limit: LOOKED_AT,
            ..FigureFilter::default()
        };
        let (mut rows, _) = self.library.store().figures(workspace, filter).await?;
        rows.retain(|figure| figure.places.1.overlaps(row.span));
        Ok(rows)
    }

    /// The figures of `report` that have the names and the measure of `figure`.
    async fn named_like(&self, workspace: i64, report: &str, figure: &FigureRow) -> Result<Vec<FigureRow>> {
        let name = figure.label.last().map(String::as_str).unwrap_or_default();
        let words = sibyl_text::language::words::words(name).into_iter().map(|word| word.text.to_owned());
        let filter = FigureFilter {
            reports: vec![report.to_owned()],
            words: words.collect(),
            status: Some(Status::Actual),
            limit: LOOKED_AT,
            ..FigureFilter::default()
        };
        let (mut rows, _) = self.library.store().figures(workspace, filter).await?;
        rows.retain(|row| is_same(row, figure));
        Ok(rows)
    }
}

/// What `first` and `second`, figures of one thing in two reports, say for the reports' periods; `None` if they
/// say nothing about these. `otherwise` is reported for two values that do not agree and whose names differ.
fn compared(
    (then, now): (u16, u16),
    first: Vec<FigureRow>,
    second: Vec<FigureRow>,
    otherwise: Option<FigureAgreement>,
) -> Option<ComparedFigure> {
    let of = |rows: &[FigureRow], year: u16| -> Vec<FigureRow> {
        rows.iter().filter(|row| row.year == Some(year)).cloned().collect()
    };
    let (before, again, after) = (of(&first, then), of(&second, then), of(&second, now));
    let agreement = agreed(&before, &again, otherwise);
    let [before, again, after] = [before, again, after].map(|rows| rows.into_iter().next());
    let figure = after.as_ref().or(again.as_ref()).or(before.as_ref())?;
    let names = figure.label.iter().chain(Some(&figure.column).filter(|name| !name.is_empty()));
    Some(ComparedFigure {
        names: names.cloned().collect(),
        earlier: before,
        again: again.filter(|_| then != now),
        later: after,
        agreement,
    })
}

/// Whether both are of the same column, below the same groups, and of the same part of the year and measure.
fn is_of_kind(one: &FigureRow, other: &FigureRow) -> bool {
    let alike = |one: &str, other: &str| one.trim().to_lowercase() == other.trim().to_lowercase();
    let parents = |of: &FigureRow| -> Vec<String> {
        let groups = of.label.len().saturating_sub(1);
        of.label[..groups].iter().map(|name| name.trim().to_lowercase()).collect()
    };
    alike(&one.column, &other.column)
        && parents(one) == parents(other)
        && (&one.part, &one.measure, one.per) == (&other.part, &other.measure, other.per)
}

/// Whether both have the same names, part of the year and measure.
fn is_same(one: &FigureRow, other: &FigureRow) -> bool {
    let alike = |one: &str, other: &str| one.trim().to_lowercase() == other.trim().to_lowercase();
    one.label.len() == other.label.len()
        && one.label.iter().zip(&other.label).all(|(one, other)| alike(one, other))
        && is_of_kind(one, other)
}

/// How the figures `before` of one report and `again` of another agree. If a report gives several different
/// values, nothing is reported, because it is not known which one is meant.
fn agreed(
    before: &[FigureRow],
    again: &[FigureRow],
    otherwise: Option<FigureAgreement>,
) -> Option<FigureAgreement> {
    let told = |one: &FigureRow, other: &FigureRow| agreement(&candidate(one), &candidate(other));
    let one_value = |rows: &[FigureRow]| {
        rows.iter().all(|row| told(&rows[0], row).is_some_and(|how| how != FigureAgreement::Differs))
    };
    if before.is_empty() || again.is_empty() || !one_value(before) || !one_value(again) {
        return None;
    }
    told(&before[0], &again[0]).or(otherwise)
}
