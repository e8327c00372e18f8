//! Assessments: reports held against the requirements of standards. For each requirement in each report there is a
//! proposal, which [`run`] makes from what the search finds there. There is also a decision, which is a reviewer's
//! finding. Connected programs make proposals of their own ([`program`]). A proposal is never a decision.

mod agreement;
mod carry_over;
mod claim;
mod compare;
mod content_index;
mod counted;
mod decide;
mod earlier;
mod grid;
mod indexes;
mod likelihood;
mod mapping;
mod measured;
mod nearness;
mod pack;
mod phrases;
mod pin;
mod program;
mod propose;
mod quantity;
mod quote;
mod requirement;
mod run;
mod scope;
mod target;
mod weighed;

pub use agreement::ReviewerAgreement;
pub use carry_over::CarryOver;
pub use claim::{ClaimState, IndexClaim, IndexRow};
pub use compare::{
    ChangeKind, ComparedAs, ComparedFigure, ComparedPair, ComparedPassage, ComparedWords, FigureAgreement,
    ReportComparison, RequirementChange,
};
pub use content_index::Framework;
pub use decide::Decide;
pub use grid::{AssessmentCell, AssessmentGrid, CellProposal, CellView, EarlierCell, ReportColumn};
pub use mapping::Relation;
pub use pack::{
    KeyOrigin, Pack, PackCells, PackCheck, PackConflict, PackFault, PackFormat, PackImport, PackSignature,
    SignatureCheck, SignatureState, SigningKey,
};
pub use program::{Confirm, Propose};
pub use propose::{
    AssessmentProposal, EvidencePassage, NotCounted, ProposalState, ProposedItem, ReasonNotCounted,
};
pub use quote::QuoteGiven;
pub use requirement::RequirementRow;
pub use run::{AssessmentProgress, AssessmentRun, UnmatchedReport};
pub use scope::{ProposedIndustry, ScopeIndustry, ScopePreview, ScopeStandard};
pub use target::ClaimedPages;
pub use weighed::{Weighed, WeighedReport};

use crate::error::{Error, Result};
use crate::library::Assessing;
use crate::store::edition::Edition;
use crate::store::table::assessment::AssessmentRow;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Maximum number of reports of an assessment.
pub const MOST_REPORTS: usize = 50;

/// What a requirement of an assessment is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AssessmentLevel {
    /// A paragraph; what its items ask for is its checklist.
    Paragraph,
    /// The deepest item of a paragraph.
    #[default]
    Item,
}

/// A requirement that is left out of an assessment.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LeftOut {
    /// Its identifier; everything below it is left out, too.
    pub id: String,
    /// Why.
    pub reason: String,
}

/// An industry that reports are held against.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AssessedIndustry {
    /// Code, such as `IF-EU`.
    pub code: String,
    /// Ids of the reports in this industry; all of the assessment by default.
    #[serde(default)]
    pub reports: Vec<String>,
}

/// The requirements that reports are held against.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct AssessmentScope {
    /// Source types of standards with paragraphs, such as `ifrs_s2`.
    pub standards: Vec<String>,
    /// SASB industries, each with all its metrics.
    pub industries: Vec<AssessedIndustry>,
    /// What a requirement is.
    pub level: AssessmentLevel,
    /// Whether to leave out what is only permitted or explained.
    pub mandatory: bool,
    /// The edition of IFRS S2; by default the one in force.
    pub edition: Option<Edition>,
    /// What is left out, and why.
    pub left_out: Vec<LeftOut>,
}

impl AssessmentScope {
    /// The industry called `code`, if it is in scope.
    fn industry(&self, code: &str) -> Option<&AssessedIndustry> {
        self.industries.iter().find(|industry| industry.code == code)
    }
}

/// What an assessment is made of.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct AssessmentPlan {
    /// Its name, which no other assessment of the workspace has.
    pub name: String,
    /// Ids of the reports.
    pub reports: Vec<String>,
    /// The requirements.
    pub scope: AssessmentScope,
    /// Names of those who decide.
    pub reviewers: Vec<String>,
}

/// An assessment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Assessment {
    /// Row id.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// Ids of its reports.
    pub reports: Vec<String>,
    /// Its requirements.
    pub scope: AssessmentScope,
    /// Names of those who decide.
    pub reviewers: Vec<String>,
    /// When it was made (ISO 8601, UTC).
    pub created_at: String,
    /// When its plan last changed (ISO 8601, UTC).
    pub updated_at: String,
}

impl From<AssessmentRow<AssessmentPlan>> for Assessment {
    fn from(row: AssessmentRow<AssessmentPlan>) -> Self {
        let AssessmentPlan { reports, scope, reviewers, .. } = row.plan;
        let (id, name, created_at, updated_at) = (row.id, row.name, row.created_at, row.updated_at);
        Self { id, name, reports, scope, reviewers, created_at, updated_at }
    }
}

/// An assessment in a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AssessmentSummary {
    /// Row id.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// Its reports.
    pub reports: usize,
    /// Its requirements.
    pub requirements: usize,
    /// Cells that are decided.
    pub decided: usize,
    /// Cells in all: requirements times reports.
    pub cells: usize,
    /// When its plan last changed (ISO 8601, UTC).
    pub updated_at: String,
}

/// That the assessment called `assessment` has no report called `report`.
fn unknown_report(report: &str, assessment: &str) -> Error {
    unknown_in("report", report, assessment)
}

fn unknown_in(what: &'static str, id: &str, assessment: &str) -> Error {
    Error::NotFound { what, id: id.to_owned(), cure: format!("; it is not in the assessment `{assessment}`") }
}

impl Assessing<'_> {
    /// The assessments of a workspace, the one that changed last first.
    ///
    /// # Errors
    /// [`Error::NotFound`] for an unknown workspace, and storage errors.
    pub async fn list(&self, workspace: &str) -> Result<Vec<AssessmentSummary>> {
        let id = self.library.store().workspace(workspace).await?.id;
        let mut list = Vec::new();
        for row in self.library.store().assessments(id).await? {
            let grid = self.grid_of((workspace, id), row).await?;
            let decided = grid.cells.iter().filter(|cell| cell.is_decided()).count();
            let requirements = grid.rows.iter().filter(|row| row.requirement).count();
            let reports = grid.columns.len();
            let asked = |row: &&RequirementRow| row.requirement;
            let of = |row: &RequirementRow| {
                grid.columns.iter().filter(|one| row.is_asked_of(&one.report_id)).count()
            };
            let cells = grid.rows.iter().filter(asked).map(of).sum();
            let Assessment { id, name, updated_at, .. } = grid.assessment;
            list.push(AssessmentSummary { id, name, reports, requirements, decided, cells, updated_at });
        }
        Ok(list)
    }

    /// Makes an assessment.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a plan without a name, reports or requirements. [`Error::NotFound`] for a report, a
    /// standard or an industry that the workspace does not have. [`Error::Store`] for the name of another
    /// assessment.
    pub async fn create(&self, workspace: &str, plan: AssessmentPlan) -> Result<Assessment> {
        self.keep(workspace, None, plan).await
    }

    /// Changes the plan of an assessment. Decisions stay, even on what is no longer in scope.
    ///
    /// # Errors
    /// As [`Assessing::create`], and [`Error::NotFound`] if there is no such assessment.
    pub async fn change(&self, workspace: &str, id: i64, plan: AssessmentPlan) -> Result<Assessment> {
        self.keep(workspace, Some(id), plan).await
    }

    /// Deletes an assessment with its proposals. Decisions stay.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such assessment.
    pub async fn delete(&self, workspace: &str, id: i64) -> Result<()> {
        let workspace = self.library.store().workspace(workspace).await?.id;
        Ok(self.library.store().delete_assessment(workspace, id).await?)
    }

    async fn keep(&self, workspace: &str, id: Option<i64>, plan: AssessmentPlan) -> Result<Assessment> {
        let workspace = self.library.store().workspace(workspace).await?.id;
        let (name, plan) = self.checked_plan(workspace, plan).await?;
        let id = self.library.store().put_assessment(workspace, id, &name, &plan).await?;
        Ok(self.library.store().assessment(workspace, id).await?.into())
    }

    /// The name of `plan`, and the plan in the form in which it is kept.
    ///
    /// # Errors
    /// As [`Assessing::create`].
    async fn checked_plan(
        &self,
        workspace: i64,
        mut plan: AssessmentPlan,
    ) -> Result<(String, AssessmentPlan)> {
        let name = plan.name.trim().to_owned();
        if !name.chars().any(char::is_alphanumeric) {
            return Err(Error::Invalid(
                "an assessment needs a name, such as `FY2024 climate review`".to_owned(),
            ));
        }
        plan.reviewers.retain(|reviewer| !reviewer.trim().is_empty());
        self.check_reports(workspace, &plan.reports).await?;
        self.check_scope(workspace, &plan.scope).await?;
        Ok((name, plan))
    }

    async fn check_reports(&self, workspace: i64, reports: &[String]) -> Result<()> {
        if reports.is_empty() || reports.len() > MOST_REPORTS {
            return Err(Error::Invalid(format!(
                "an assessment takes 1 to {MOST_REPORTS} reports, not {}; name them by their report ids",
                reports.len()
            )));
        }
        self.known(workspace, reports).await.map(drop)
    }

    /// The columns of `reports`.
    ///
    /// # Errors
    /// [`Error::NotFound`] for one that the workspace does not have.
    async fn known(&self, workspace: i64, reports: &[String]) -> Result<Vec<ReportColumn>> {
        let columns = self.columns(workspace, reports).await?;
        match columns.iter().find(|column| column.documents == 0) {
            None => Ok(columns),
            Some(unknown) => Err(Error::NotFound {
                what: "report",
                id: unknown.report_id.clone(),
                cure: "; add it to the library with its report id first".to_owned(),
            }),
        }
    }
}
