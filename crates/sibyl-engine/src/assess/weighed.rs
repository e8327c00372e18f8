//! What the likelihoods of an assessment are made of, for those who fit their weights.

use super::Assessment;
use super::measured::wanted_by;
use super::phrases::{counted_as, is_said};
use super::run::asked;
use crate::error::Result;
use crate::library::Assessing;
use std::sync::Arc;

/// What a report has on a requirement, as far as words and vectors tell.
#[derive(Debug, Clone, PartialEq)]
pub struct Weighed {
    /// Identifier of the requirement.
    pub requirement: String,
    /// The requirement whose counts apply to it; itself, if it has counts of its own or none.
    pub counted_as: String,
    /// Whether phrases were written for it.
    pub said: bool,
    /// How much nearer the report comes to it than to what it is not about, by words and by meaning.
    pub words: f64,
    /// The same by meaning.
    pub meaning: f64,
    /// Share of its telling words that a sentence with its neighbours holds, 0 to 1.
    pub telling: f64,
    /// Whether a figure that it asks for was found; `None` if it asks for none.
    pub figure: Option<bool>,
}

/// A report with what it has on each requirement that is asked of it.
#[derive(Debug, Clone, PartialEq)]
pub struct WeighedReport {
    /// Report id.
    pub report_id: String,
    /// Its language, by its English name, if requirements cannot be matched in it.
    pub unmatched: Option<&'static str>,
    /// How near it comes by words to phrases of the field that say nothing, from 0 to about 1.
    pub near_to_field: f64,
    /// Share of its words that are of the field, 0 to 1.
    pub of_field: f64,
    /// In the order of the requirements; of a checklist, the first item.
    pub requirements: Vec<Weighed>,
}

impl Assessing<'_> {
    /// What each report of the assessment in row `id` has on its requirements.
    ///
    /// # Errors
    /// As [`Assessing::run`].
    pub async fn weighed(&self, workspace: &str, id: i64) -> Result<Vec<WeighedReport>> {
        let store = self.library.store();
        let row = store.workspace(workspace).await?.id;
        let assessment: Assessment = store.assessment(row, id).await?.into();
        let standards = self.library.standards().rows(row, assessment.scope.edition).await?;
        let (requirements, foreign) = asked(standards, assessment.scope).await?;
        let foreign = Arc::new(foreign);
        let table = self.library.models().instant().await;
        let mut reports = Vec::with_capacity(assessment.reports.len());
        for report_id in assessment.reports {
            let measured = self.measured(row, &report_id, &foreign).await?;
            let mut weighed = Vec::new();
            for (_, requirement) in requirements.iter().filter(|(row, _)| row.is_asked_of(&report_id)) {
                let Some((((item, _), said), telling)) =
                    requirement.items.iter().zip(&requirement.said).zip(&requirement.telling).next()
                else {
                    continue;
                };
                let near = measured.scores(&wanted_by(table.as_ref(), said).await?).near;
                let evident = measured.evident(item, near, telling);
                let figure = match &requirement.quantity {
                    Some(quantity) => Some(!self.figures(row, &report_id, quantity).await?.is_empty()),
                    None => None,
                };
                weighed.push(Weighed {
                    requirement: requirement.id.clone(),
                    counted_as: counted_as(&requirement.id).to_owned(),
                    said: is_said(item),
                    words: evident.near.words,
                    meaning: evident.near.meaning,
                    telling: evident.telling,
                    figure,
                });
            }
            reports.push(WeighedReport {
                report_id,
                unmatched: measured.unmatched,
                near_to_field: measured.ground.said.words,
                of_field: measured.ground.field,
                requirements: weighed,
            });
        }
        Ok(reports)
    }
}
