//! The grid of an assessment: requirements by reports, each cell with its decision and its proposal.

use super::agreement::{Key, Opinions, ReviewerAgreement};
use super::claim::IndexClaim;
use super::earlier::{earlier_report, facts, is_carried};
use super::propose::{AssessmentProposal, ProposalState};
use super::requirement::{Catalogue, RequirementRow, Requirements};
use super::run::made_of;
use super::{Assessment, AssessmentPlan, AssessmentScope, unknown_report};
use crate::error::{Error, Result};
use crate::library::Assessing;
use crate::standards::{Modality, PartKind, StandardMetric};
use crate::store::table::assessment::AssessmentRow;
use crate::store::table::program_proposal::ProgramProposal;
use crate::store::table::review::{AssessmentDecision, Review, ReviewStatus};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::Arc;

/// An assessment with all that is known about its cells.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AssessmentGrid {
    /// The assessment.
    pub assessment: Assessment,
    /// Requirements in reading order, below their headings.
    pub rows: Vec<RequirementRow>,
    /// Reports, those of one issuer together, the latest year first.
    pub columns: Vec<ReportColumn>,
    /// Cells about which something is known, row by row.
    pub cells: Vec<AssessmentCell>,
    /// Cells whose proposal is missing or out of date.
    pub waiting: usize,
    /// How far each two reviewers agree who decided on the same cells.
    pub agreements: Vec<ReviewerAgreement>,
}

/// A report of an assessment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReportColumn {
    /// Report id.
    pub report_id: String,
    /// Who issued it, if known.
    pub issuer: Option<String>,
    /// Its title.
    pub title: String,
    /// The year that it is about, if known.
    pub year: Option<u16>,
    /// Its documents; 0 where the library no longer has it.
    pub documents: usize,
}

/// What a proposal says in short.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CellProposal {
    /// What it proposes.
    pub state: ProposalState,
    /// Items with evidence.
    pub found: usize,
    /// Items in all.
    pub of: usize,
    /// Physical page of the best evidence.
    pub page: Option<u32>,
}

/// A cell of the grid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AssessmentCell {
    /// Its row, from 0.
    pub row: usize,
    /// Its column, from 0.
    pub column: usize,
    /// The decision.
    pub status: ReviewStatus,
    /// Who decided last; `None` if nobody has, or nobody said who.
    pub reviewer: Option<String>,
    /// When (ISO 8601, UTC).
    pub decided_at: Option<String>,
    /// Whether there is a note.
    pub note: bool,
    /// The decision on the issuer's latest earlier report that waits to be confirmed. `None` if that is open, or
    /// the cell is decided.
    pub carried: Option<ReviewStatus>,
    /// What is proposed; `None` before it was run.
    pub proposal: Option<CellProposal>,
    /// Whether that was made of another text, requirement or by other rules than today's.
    pub outdated: bool,
    /// Whether decision and proposal disagree: met or partly met although nothing was found, a gap although there
    /// is evidence.
    pub differs: bool,
    /// Whether a pinned passage has moved or is gone.
    pub moved: bool,
    /// Whether two reviewers decided differently.
    pub disputed: bool,
    /// Programs that have a proposal for it, by name. None of them is a decision.
    #[serde(default)]
    pub proposed_by: Vec<String>,
}

impl AssessmentCell {
    /// Whether somebody has decided.
    pub fn is_decided(&self) -> bool {
        self.status != ReviewStatus::Open
    }
}

/// Everything about one cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CellView {
    /// Identifier of the requirement.
    pub requirement: String,
    /// Its label.
    pub label: String,
    /// Its explanation.
    pub prose: String,
    /// What it is.
    pub kind: PartKind,
    /// How binding it is.
    pub modality: Modality,
    /// Advice to reviewers, which is no part of the standard.
    pub in_review: Option<String>,
    /// If it is a metric, all its parts with the requirements that each item states.
    pub metric: Option<StandardMetric>,
    /// The report.
    pub report_id: String,
    /// What is proposed; `None` before it was run.
    pub proposal: Option<AssessmentProposal>,
    /// What connected programs propose, by the names of the programs.
    #[serde(default)]
    pub programs: Vec<ProgramProposal>,
    /// What the content index of the report claims, each claim checked. It is the company's own, and no proposal.
    pub claims: Vec<IndexClaim>,
    /// The current decision, with its note and the passages pinned to it.
    pub review: Option<Review>,
    /// All decisions, the latest first.
    pub history: Vec<AssessmentDecision>,
    /// The same requirement in the latest earlier report of the same issuer.
    pub earlier: Option<EarlierCell>,
}

/// The decision on a requirement in an earlier report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EarlierCell {
    /// The report.
    pub report_id: String,
    /// The year that it is about.
    pub year: Option<u16>,
    /// The decision, if there is one.
    pub review: Option<Review>,
    /// The proposal there, if the assessment has the report.
    pub proposal: Option<AssessmentProposal>,
}

impl Assessing<'_> {
    /// The grid of the assessment in row `id`.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such assessment.
    pub async fn grid(&self, workspace: &str, id: i64) -> Result<AssessmentGrid> {
        let row = self.library.store().workspace(workspace).await?.id;
        self.grid_of((workspace, row), self.library.store().assessment(row, id).await?).await
    }

    /// The grid of `row`, an assessment of the workspace with this name and row id.
    pub(super) async fn grid_of(
        &self,
        (name, workspace): (&str, i64),
        row: AssessmentRow<AssessmentPlan>,
    ) -> Result<AssessmentGrid> {
        let store = self.library.store();
        let assessment = Assessment::from(row);
        let requirements = self.requirements(workspace, &assessment.scope).await?;
        let columns = self.columns(workspace, &assessment.reports).await?;
        let texts = self.texts(workspace, &assessment.reports).await?;
        let reviews: HashMap<Key, Review> = self
            .library
            .standards()
            .reviews(name, None)
            .await?
            .into_iter()
            .map(|review| ((review.report_id.clone(), review.paragraph_id.clone()), review))
            .collect();
        let documents = store.documents(workspace, None).await?;
        let earlier: Vec<Option<String>> = columns
            .iter()
            .map(|column| earlier_report(&documents, &column.report_id).map(|(report, _)| report))
            .collect();
        let opinions = Opinions::of(store.decisions(workspace, None, None).await?);
        let proposals: HashMap<Key, _> = store
            .proposals(assessment.id)
            .await?
            .into_iter()
            .map(|row| ((row.report_id.clone(), row.requirement.clone()), row))
            .collect();
        let mut programs: HashMap<Key, Vec<String>> = HashMap::new();
        for one in store.program_proposals(assessment.id, None).await? {
            programs.entry((one.report_id, one.requirement)).or_default().push(one.program);
        }
        let mut cells = Vec::new();
        let mut keys = Vec::new();
        let mut waiting = 0;
        let mut asked = requirements.asked.iter();
        for (at, row) in requirements.rows.iter().enumerate().filter(|(_, row)| row.requirement) {
            let (Some(requirement), Some(id)) = (asked.next(), &row.id) else { continue };
            let asked_of = |column: &(usize, &ReportColumn)| row.is_asked_of(&column.1.report_id);
            for (column, report) in columns.iter().enumerate().filter(asked_of) {
                let key = (report.report_id.clone(), id.clone());
                let (review, stored) = (reviews.get(&key), proposals.get(&key));
                let outdated =
                    stored.is_some_and(|row| row.made_of != made_of(&texts, &report.report_id, requirement));
                waiting += usize::from(stored.is_none() || outdated);
                let before =
                    earlier[column].as_ref().and_then(|report| reviews.get(&(report.clone(), id.clone())));
                let status = |review: Option<&Review>| review.map(|review| review.status).unwrap_or_default();
                let carried = Some(status(before)).filter(|earlier| is_carried(*earlier, status(review)));
                let proposed_by = programs.remove(&key).unwrap_or_default();
                if review.is_none() && stored.is_none() && carried.is_none() && proposed_by.is_empty() {
                    continue;
                }
                let proposal = stored.map(|row| CellProposal {
                    state: row.state,
                    found: row.found,
                    of: row.items,
                    page: row.page,
                });
                let disputed = opinions.differ(&key);
                cells.push(AssessmentCell {
                    carried,
                    disputed,
                    proposed_by,
                    ..cell((at, column), review, proposal, outdated)
                });
                keys.push(key);
            }
        }
        let agreements = opinions.agreements(keys.iter());
        Ok(AssessmentGrid {
            assessment,
            rows: requirements.rows.clone(),
            columns,
            cells,
            waiting,
            agreements,
        })
    }

    /// What is in `scope`, kept in memory until the standards or the scope are other ones.
    pub(super) async fn requirements(
        &self,
        workspace: i64,
        scope: &AssessmentScope,
    ) -> Result<Arc<Requirements>> {
        let generation = self.library.store().generations().await?.chunk;
        let asked = serde_json::to_string(scope).map_err(|error| Error::Invalid(error.to_string()))?;
        let edition = format!("{:?}", self.library.edition());
        let key = format!("{generation} {workspace} {edition} {asked}");
        if let Some(known) = self.kept().in_scope.get(&key) {
            return Ok(known);
        }
        let standards = self.library.standards().rows(workspace, scope.edition).await?;
        let asked = scope.clone();
        let made =
            tokio::task::spawn_blocking(move || Catalogue::new(&standards).requirements(&asked)).await?;
        let made = Arc::new(made);
        self.kept().in_scope.put(key, Arc::clone(&made));
        Ok(made)
    }

    /// The reports called `reports`, those of one issuer together, the latest year first.
    pub(super) async fn columns(&self, workspace: i64, reports: &[String]) -> Result<Vec<ReportColumn>> {
        let documents = self.library.store().documents(workspace, None).await?;
        let mut columns: Vec<ReportColumn> = Vec::with_capacity(reports.len());
        for id in reports {
            let (title, issuer, year) = facts(&documents, id);
            let own = documents.iter().filter(|document| document.report_id.as_ref() == Some(id));
            columns.push(ReportColumn {
                report_id: id.clone(),
                issuer: issuer.map(str::to_owned),
                title: title.unwrap_or_default().to_owned(),
                year,
                documents: own.count(),
            });
        }
        let issuer = |column: &ReportColumn| column.issuer.clone().unwrap_or_else(|| column.title.clone());
        columns.sort_by_cached_key(|column| (issuer(column), std::cmp::Reverse(column.year)));
        columns.dedup_by(|a, b| a.report_id == b.report_id);
        Ok(columns)
    }

    /// Everything about `requirement` in `report`.
    ///
    /// # Errors
    /// [`Error::NotFound`] for an assessment, a report or a requirement that does not exist.
    pub async fn cell(&self, workspace: &str, id: i64, requirement: &str, report: &str) -> Result<CellView> {
        let store = self.library.store();
        let row = store.workspace(workspace).await?.id;
        let assessment = Assessment::from(store.assessment(row, id).await?);
        if !assessment.reports.iter().any(|one| one == report) {
            return Err(unknown_report(report, &assessment.name));
        }
        let page = self.library.standards().page(workspace, requirement, assessment.scope.edition).await?;
        let mut reviews = self.library.standards().reviews(workspace, None).await?;
        reviews.retain(|review| review.paragraph_id == requirement);
        let mut review_in = |report: &str| {
            let at = reviews.iter().position(|review| review.report_id == report);
            at.map(|at| reviews.swap_remove(at))
        };
        let review = review_in(report);
        let documents = store.documents(row, None).await?;
        let earlier = match earlier_report(&documents, report) {
            Some((report_id, year)) => Some(EarlierCell {
                review: review_in(&report_id),
                proposal: store.proposal(id, requirement, &report_id).await?.map(|(_, proposal)| proposal),
                report_id,
                year: Some(year),
            }),
            None => None,
        };
        let proposal: Option<(String, AssessmentProposal)> = store.proposal(id, requirement, report).await?;
        let history = store.decisions(row, Some(report.to_owned()), Some(requirement.to_owned())).await?;
        let asked = self.requirements(row, &assessment.scope).await?;
        let asked = asked.asked.iter().find(|one| one.id == requirement);
        let texts = self.texts(row, &assessment.reports).await?;
        let of_today = proposal
            .as_ref()
            .filter(|(made, _)| asked.is_some_and(|asked| *made == made_of(&texts, report, asked)));
        let claims =
            self.indexes(row, report).await?.claims(requirement, of_today.map(|(_, proposal)| proposal));
        Ok(CellView {
            requirement: page.id,
            label: page.label,
            prose: page.prose,
            kind: page.kind,
            modality: page.modality,
            in_review: page.in_review,
            metric: page.metrics.into_iter().find(|metric| metric.code == requirement),
            report_id: report.to_owned(),
            proposal: proposal.map(|(_, proposal)| proposal),
            programs: self.programs(row, id, requirement, report).await?,
            claims,
            review,
            history,
            earlier,
        })
    }
}

fn cell(
    (row, column): (usize, usize),
    review: Option<&Review>,
    proposal: Option<CellProposal>,
    outdated: bool,
) -> AssessmentCell {
    let status = review.map(|review| review.status).unwrap_or_default();
    let differs = matches!(
        (status, proposal.map(|proposal| proposal.state)),
        (ReviewStatus::Met | ReviewStatus::Partly, Some(ProposalState::Nothing))
            | (ReviewStatus::Gap, Some(ProposalState::Evidence))
    );
    let decided = review.filter(|review| review.status != ReviewStatus::Open);
    AssessmentCell {
        row,
        column,
        status,
        reviewer: decided.and_then(|review| review.reviewer.clone()),
        decided_at: decided.map(|review| review.updated_at.clone()),
        note: review.is_some_and(|review| !review.note.trim().is_empty()),
        carried: None,
        proposal,
        outdated,
        differs,
        moved: review.is_some_and(|review| {
            review.passages.iter().any(|passage| passage.source.as_ref().is_some_and(|source| source.changed))
        }),
        disputed: false,
        proposed_by: Vec::new(),
    }
}
