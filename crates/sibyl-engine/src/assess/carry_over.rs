//! Decisions on an earlier report of the same issuer that may be confirmed for the next. They are shown, not
//! stored: a decision on one report says nothing about the other until a reviewer confirms it.

use super::AssessmentCell;
use super::earlier::{earlier_report, is_carried};
use super::pin::{pin, place};
use crate::error::{Error, Result};
use crate::library::Assessing;
use crate::store::table::review::{PinnedPassage, Review};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Decisions of an earlier report to be confirmed for a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CarryOver {
    /// Row id of the assessment.
    pub id: i64,
    /// The report.
    pub report_id: String,
    /// Identifiers of the requirements.
    pub requirements: Vec<String>,
    /// Who confirms.
    #[serde(default)]
    pub reviewer: String,
}

impl Assessing<'_> {
    /// Confirms for a report what was decided on its issuer's earlier one: status, note, and the pinned passages
    /// that stand in the report word for word. Returns the cells that changed.
    ///
    /// # Errors
    /// [`Error::NotFound`] for an assessment, a report or a requirement that does not exist. [`Error::Invalid`] if
    /// nothing is to be confirmed, or somebody has decided meanwhile: nothing is kept then.
    pub async fn carry_over(&self, workspace: &str, wanted: CarryOver) -> Result<Vec<AssessmentCell>> {
        let CarryOver { id, report_id, requirements, reviewer } = wanted;
        let column = self.scoped(workspace, (id, &report_id), &requirements).await?;
        let store = self.library.store();
        let row = store.workspace(workspace).await?.id;
        let documents = store.documents(row, None).await?;
        let (earlier, _) = earlier_report(&documents, &report_id).ok_or_else(|| {
            Error::Invalid(format!(
                "there is nothing to confirm for `{report_id}`: the library has no earlier report of its issuer; decide instead"
            ))
        })?;
        let by_id = |reviews: Vec<Review>| -> HashMap<String, Review> {
            reviews.into_iter().map(|review| (review.paragraph_id.clone(), review)).collect()
        };
        let mut before = by_id(self.library.standards().reviews(workspace, Some(earlier.clone())).await?);
        let mut standing = by_id(self.library.standards().reviews(workspace, Some(report_id.clone())).await?);
        let sources = self.sources(row, &report_id).await?;
        let mut reviews = Vec::with_capacity(requirements.len());
        for requirement in &requirements {
            let status = standing.get(requirement).map(|review| review.status).unwrap_or_default();
            let carried = before.remove(requirement).filter(|review| is_carried(review.status, status));
            let Some(carried) = carried else {
                return Err(Error::Invalid(format!(
                    "there is nothing to confirm for {requirement}: `{earlier}` has no decision on it, or `{report_id}` has one; \
                     decide instead"
                )));
            };
            // What a reviewer noted or pinned before deciding stays.
            let (note, mut passages) = standing
                .remove(requirement)
                .map_or_else(Default::default, |review| (review.note, review.passages));
            for carried in &carried.passages {
                let Some((source, span)) = place(&sources, carried) else { continue };
                let found = pin(source, span);
                let same = |one: &PinnedPassage| {
                    (&one.path, one.start, one.end) == (&found.path, found.start, found.end)
                };
                if !passages.iter().any(same) {
                    passages.push(found);
                }
            }
            reviews.push(Review {
                report_id: report_id.clone(),
                note: if note.trim().is_empty() { carried.note.clone() } else { note },
                passages,
                updated_at: String::new(),
                reviewer: Some(reviewer.clone()),
                ..carried
            });
        }
        let checked = self.library.standards().checked_reviews(row, reviews).await?;
        store.put_reviews_of_open(row, checked).await?;
        self.cells_in(workspace, (id, column), &requirements).await
    }
}
