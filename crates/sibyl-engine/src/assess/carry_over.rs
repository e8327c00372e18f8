//! Decisions on an earlier report of the same issuer that are to be confirmed for the next. They are told and not stored: what
//! was decided on the one report says nothing of the other until a reviewer confirms it.

use super::AssessmentCell;
use super::earlier::{earlier_report, is_carried};
use super::pin::{pin, place};
use crate::error::{Error, Result};
use crate::library::Assessing;
use crate::store::table::review::Review;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use ts_rs::TS;

/// Decisions of an earlier report to be confirmed for a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
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
    /// Confirms for a report what was decided on the earlier one of its issuer: status and note, and those of the pinned
    /// passages that stand in the report word for word. Returns the cells that changed.
    ///
    /// # Errors
    /// [`Error::NotFound`] for an assessment, a report or a requirement that there is not; [`Error::Invalid`] where nothing is
    /// to be confirmed.
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
        let standing = by_id(self.library.standards().reviews(workspace, Some(report_id.clone())).await?);
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
            let pins = carried.passages.iter().filter_map(|pin| {
                let (source, span) = place(&sources, pin)?;
                Some(self::pin(source, span))
            });
            reviews.push(Review {
                report_id: report_id.clone(),
                passages: pins.collect(),
                updated_at: String::new(),
                reviewer: Some(reviewer.clone()),
                ..carried
            });
        }
        self.keep_decisions(workspace, (id, column), &requirements, reviews).await
    }
}
