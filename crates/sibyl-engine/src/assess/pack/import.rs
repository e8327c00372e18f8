//! Imports the decisions of a pack into the library, beside those already there.

use super::check::{here, read, says_something};
use super::data::{PackCell, PackQuotation};
use crate::assess::{AssessedIndustry, AssessmentPlan};
use crate::error::{Error, Result};
use crate::library::Assessing;
use crate::store::table::document::DocumentRow;
use crate::store::table::review::{AssessmentDecision, ImportedFinding, PinnedPassage, Review, ReviewStatus};
use crate::store::{moment_of, now};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// A decision that differs between the pack and the library. The library's decision stays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PackConflict {
    /// The report in the library.
    pub report_id: String,
    /// The requirement.
    pub requirement: String,
    /// What the library says.
    pub here: ReviewStatus,
    /// Its note.
    pub here_note: String,
    /// What the pack says.
    pub there: ReviewStatus,
    /// Its note.
    pub there_note: String,
    /// Who decided in the pack; empty if nobody is named.
    pub reviewer: String,
}

/// What became of the decisions of a pack.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PackImport {
    /// Row id of the assessment: the one with the pack's name, made if there was none.
    pub assessment: i64,
    /// Whether it was made.
    pub made: bool,
    /// Number of imported decisions.
    pub taken: usize,
    /// Decisions that the library has already.
    pub same: usize,
    /// Decisions that differ. Nothing was changed there.
    pub conflicts: Vec<PackConflict>,
    /// Names and files of reports in the pack that the library does not have; their decisions were left out.
    pub missing: Vec<String>,
}

impl Assessing<'_> {
    /// Imports the decisions of a pack in JSON into the library. A report is the one with the same bytes, or else
    /// with the same id. Decisions fill what is open or undecided here, with reviewer, time and earlier decisions.
    /// Where the library has decided otherwise, its decision stays and is reported. All of it is kept, or nothing.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a text that is no such pack, and as [`Assessing::create`] if the assessment does not
    /// exist yet and cannot be made.
    pub async fn import(&self, workspace: &str, pack: &str) -> Result<PackImport> {
        let pack = read(pack)?;
        let store = self.library.store();
        let row = store.workspace(workspace).await?.id;
        let documents = store.documents(row, None).await?;
        let mut done = PackImport::default();
        let mut ids: HashMap<&str, String> = HashMap::new();
        for report in &pack.reports {
            match here(report, &documents) {
                Some(id) => {
                    ids.insert(&report.report_id, id);
                }
                None => {
                    let files: Vec<&str> = report.files.iter().map(|file| file.path.as_str()).collect();
                    done.missing.push(format!("{} ({})", report.name(), files.join(", ")));
                }
            }
        }
        if ids.is_empty() {
            return Ok(done);
        }
        let all = store.assessments::<serde_json::Value>(row).await?;
        let known = all.into_iter().find(|one| one.name == pack.assessment);
        let new = match &known {
            Some(_) => None,
            None => {
                let mut scope = pack.scope.clone();
                scope.industries =
                    scope.industries.into_iter().filter_map(|one| with_ids(one, &ids)).collect();
                let reports = pack.reports.iter().filter_map(|report| ids.get(report.report_id.as_str()));
                let plan = AssessmentPlan {
                    name: pack.assessment.clone(),
                    reports: reports.cloned().collect(),
                    scope,
                    reviewers: pack.reviewers.clone(),
                };
                Some(self.checked_plan(row, plan).await?)
            }
        };
        let mut standing: HashMap<(String, String), Review> = HashMap::new();
        for review in self.library.standards().reviews(workspace, None).await? {
            standing.insert((review.report_id.clone(), review.paragraph_id.clone()), review);
        }
        let (mut taken, mut logs) = (Vec::new(), Vec::new());
        for requirement in &pack.requirements {
            for cell in requirement.cells.iter().filter(|cell| says_something(cell)) {
                let Some(report) = ids.get(cell.report_id.as_str()) else { continue };
                let now = standing.get(&(report.clone(), requirement.id.clone()));
                let (status, note) =
                    now.map_or((ReviewStatus::Open, ""), |now| (now.status, now.note.as_str()));
                let untouched = note.trim().is_empty() && now.is_none_or(|now| now.passages.is_empty());
                if (status, note) == (cell.status, cell.note.as_str()) {
                    done.same += 1;
                } else if status == ReviewStatus::Open && untouched {
                    let decisions = decisions(&requirement.id, cell)?;
                    let review = review(report, &requirement.id, (cell, &decisions), &documents);
                    // Two reports there may be one here, so the next one is compared with what was imported.
                    standing.insert((report.clone(), requirement.id.clone()), review.clone());
                    taken.push(review);
                    logs.push(decisions);
                } else {
                    done.conflicts.push(PackConflict {
                        report_id: report.clone(),
                        requirement: requirement.id.clone(),
                        here: status,
                        here_note: note.to_owned(),
                        there: cell.status,
                        there_note: cell.note.clone(),
                        reviewer: cell.reviewer.clone().unwrap_or_default(),
                    });
                }
            }
        }
        done.taken = taken.len();
        let taken = self.library.standards().checked_reviews(row, taken).await?;
        let finding = |((review, former), decisions)| ImportedFinding { review, former, decisions };
        let taken = taken.into_iter().zip(logs).map(finding).collect();
        let new = new.as_ref().map(|(name, plan)| (name.as_str(), plan));
        let made = store.put_imported(row, new, taken).await?;
        done.made = made.is_some();
        done.assessment = made.or(known.map(|known| known.id)).unwrap_or_default();
        Ok(done)
    }
}

/// `industry` with the ids that its reports have here. `None` if it only has reports that are not here, since an
/// industry without reports means all of them.
fn with_ids(industry: AssessedIndustry, ids: &HashMap<&str, String>) -> Option<AssessedIndustry> {
    let reports: Vec<String> =
        industry.reports.iter().filter_map(|id| ids.get(id.as_str()).cloned()).collect();
    (industry.reports.is_empty() || !reports.is_empty()).then_some(AssessedIndustry { reports, ..industry })
}

/// The decisions that led to what `cell` says, the latest first. The first says the same as the cell.
///
/// # Errors
/// [`Error::Invalid`] for a decision without a moment.
fn decisions(requirement: &str, cell: &PackCell) -> Result<Vec<AssessmentDecision>> {
    let latest = AssessmentDecision {
        report_id: cell.report_id.clone(),
        paragraph_id: requirement.to_owned(),
        reviewer: cell.reviewer.clone().unwrap_or_default(),
        status: cell.status,
        note: cell.note.clone(),
        at: cell.decided_at.clone().unwrap_or_else(now),
        proposed_by: None,
        imported_at: None,
    };
    let told = |decision: &AssessmentDecision| (decision.status, &decision.note) == (cell.status, &cell.note);
    let before = cell.history.iter().cloned();
    let all = match cell.history.first() {
        Some(first) if told(first) => before.collect::<Vec<_>>(),
        _ => std::iter::once(latest).chain(before).collect(),
    };
    let dated = |decision: AssessmentDecision| match moment_of(&decision.at) {
        Some(at) => Ok(AssessmentDecision { at, ..decision }),
        None => Err(Error::Invalid(format!(
            "the pack says that {requirement} was decided at `{}`, which is no moment such as `2026-03-31T09:00:00Z`; \
             ask for the pack again",
            decision.at
        ))),
    };
    all.into_iter().map(dated).collect()
}

fn review(
    report: &str,
    requirement: &str,
    (cell, decisions): (&PackCell, &[AssessmentDecision]),
    documents: &[DocumentRow],
) -> Review {
    let pinned = |quotation: &PackQuotation| {
        let own = documents.iter().find(|document| document.text_version == quotation.text_version)?;
        Some(PinnedPassage {
            text_version: quotation.text_version.clone(),
            path: own.path.clone(),
            start: quotation.start,
            end: quotation.end,
            quote: quotation.quote.clone(),
            before: String::new(),
            after: String::new(),
            page: quotation.page,
            page_label: quotation.page_label.clone(),
            ocr: None,
            source: None,
        })
    };
    Review {
        report_id: report.to_owned(),
        paragraph_id: requirement.to_owned(),
        words: String::new(),
        status: cell.status,
        note: cell.note.clone(),
        passages: cell.quotations.iter().filter_map(pinned).collect(),
        updated_at: cell
            .decided_at
            .as_deref()
            .and_then(moment_of)
            .or_else(|| decisions.first().map(|decision| decision.at.clone()))
            .unwrap_or_else(now),
        reviewer: cell.reviewer.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_industry_of_reports_that_are_not_here_is_of_no_others() {
        let ids = HashMap::from([("a", "mill".to_owned())]);
        let with = |reports: &[&str]| {
            let reports = reports.iter().map(|&id| id.to_owned()).collect();
            with_ids(AssessedIndustry { code: "IF-EU".to_owned(), reports }, &ids).map(|one| one.reports)
        };
        assert_eq!((with(&["a", "b"]), with(&["b"])), (Some(vec!["mill".to_owned()]), None));
        assert_eq!(with(&[]), Some(Vec::new()), "it is of all");
    }
}
