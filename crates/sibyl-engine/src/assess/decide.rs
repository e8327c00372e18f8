//! Decisions on requirements. They are findings of reviewers: the same that Standards shows.

use super::{AssessmentCell, AssessmentGrid, unknown_in, unknown_report};
use crate::error::{Error, Result};
use crate::library::Assessing;
use crate::store::table::review::{PinnedPassage, Review, ReviewStatus};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// A decision on one requirement or several, in one report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Decide {
    /// Row id of the assessment.
    pub id: i64,
    /// The report.
    pub report_id: String,
    /// Identifiers of the requirements.
    pub requirements: Vec<String>,
    /// The decision.
    pub status: ReviewStatus,
    /// The reviewer's note; by default the one already there. Several requirements are not applicable for a
    /// reason.
    #[serde(default)]
    pub note: Option<String>,
    /// Passages that support it; by default those already there.
    #[serde(default)]
    pub passages: Option<Vec<PinnedPassage>>,
    /// Who decides.
    #[serde(default)]
    pub reviewer: String,
}

impl Assessing<'_> {
    /// Records a decision; returns the cells that it changes.
    ///
    /// # Errors
    /// [`Error::NotFound`] for an assessment, a report or a requirement that does not exist. [`Error::Invalid`]
    /// for several requirements that are not applicable without a reason.
    pub async fn decide(&self, workspace: &str, decide: Decide) -> Result<Vec<AssessmentCell>> {
        let column = self.scoped(workspace, (decide.id, &decide.report_id), &decide.requirements).await?;
        let reasoned = decide.note.as_deref().is_some_and(|note| !note.trim().is_empty());
        if decide.requirements.len() > 1 && decide.status == ReviewStatus::NotApplicable && !reasoned {
            return Err(Error::Invalid(
                "marking several requirements as not applicable needs a reason; give it as `note`".to_owned(),
            ));
        }
        let stored = self.library.standards().reviews(workspace, Some(decide.report_id.clone())).await?;
        let mut standing: HashMap<String, Review> =
            stored.into_iter().map(|review| (review.paragraph_id.clone(), review)).collect();
        let reviews = decide.requirements.iter().map(|id| {
            let before = standing.remove(id);
            let (note, passages) = before.map(|review| (review.note, review.passages)).unwrap_or_default();
            Review {
                report_id: decide.report_id.clone(),
                paragraph_id: id.clone(),
                words: String::new(),
                status: decide.status,
                note: decide.note.clone().unwrap_or(note),
                passages: decide.passages.clone().unwrap_or(passages),
                updated_at: String::new(),
                reviewer: Some(decide.reviewer.clone()),
            }
        });
        let reviews = reviews.collect();
        self.keep_decisions(workspace, (decide.id, column), &decide.requirements, reviews).await
    }

    /// The column of `report` in the assessment in row `id`, if all of `requirements` apply to it.
    ///
    /// # Errors
    /// [`Error::NotFound`] for an assessment, a report or a requirement that does not exist.
    pub(super) async fn scoped(
        &self,
        workspace: &str,
        (id, report): (i64, &str),
        requirements: &[String],
    ) -> Result<usize> {
        in_scope(&self.grid(workspace, id).await?, requirements, report)
    }

    /// Keeps `reviews`, which decide on `requirements` in the report in `column`; returns the cells of the assessment in row
    /// `id` that this changes.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the assessment is gone.
    pub(super) async fn keep_decisions(
        &self,
        workspace: &str,
        (id, column): (i64, usize),
        requirements: &[String],
        reviews: Vec<Review>,
    ) -> Result<Vec<AssessmentCell>> {
        self.library.standards().put_reviews(workspace, reviews).await?;
        self.cells_in(workspace, (id, column), requirements).await
    }

    /// The cells of `requirements` in the report in `column` of the assessment in row `id`.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the assessment is gone.
    pub(super) async fn cells_in(
        &self,
        workspace: &str,
        (id, column): (i64, usize),
        requirements: &[String],
    ) -> Result<Vec<AssessmentCell>> {
        Ok(cells_of(&self.grid(workspace, id).await?, requirements, column))
    }
}

/// The column of `report`, if `requirements` apply to it.
///
/// # Errors
/// [`Error::NotFound`] for a report or a requirement that `grid` does not have.
pub(super) fn in_scope(grid: &AssessmentGrid, requirements: &[String], report: &str) -> Result<usize> {
    let column = grid.columns.iter().position(|column| column.report_id == report);
    let column = column.ok_or_else(|| unknown_report(report, &grid.assessment.name))?;
    let asked = |id: &&String| {
        grid.rows.iter().any(|row| row.requirement && row.id.as_ref() == Some(*id) && row.is_asked_of(report))
    };
    match requirements.iter().find(|id| !asked(id)) {
        Some(unknown) => Err(unknown_in("requirement", unknown, &grid.assessment.name)),
        None => Ok(column),
    }
}

/// The cells of `requirements` in `column`.
pub(super) fn cells_of(grid: &AssessmentGrid, requirements: &[String], column: usize) -> Vec<AssessmentCell> {
    let wanted = |cell: &&AssessmentCell| {
        let id = grid.rows[cell.row].id.as_ref();
        cell.column == column && id.is_some_and(|id| requirements.contains(id))
    };
    grid.cells.iter().filter(wanted).cloned().collect()
}
