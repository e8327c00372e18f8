//! The tools that read assessments. An agent sees what is open and what speaks for it; only a person decides.

use super::super::Agents;
use super::passage::{Passage, Proposal};
use super::{Answered, Nothing, Tool};
use rmcp::service::{RequestContext, RoleServer};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_api::command::assess::{AssessCell, AssessList, AssessShow, AssessmentId, CellQuery};
use sibyl_api::{ApiError, CellView, ClaimState, IndexRelation, ProposalState, ReviewStatus};
use std::collections::HashMap;

/// Most requirements that are told at once.
const MOST: usize = 500;

/// Lists assessments.
pub(super) struct ListAssessments;

/// An assessment: reports held against requirements.
#[derive(Serialize, JsonSchema)]
pub(super) struct Listed {
    /// Its number.
    assessment: i64,
    /// Its name.
    name: String,
    /// Its reports.
    reports: usize,
    /// Its requirements.
    requirements: usize,
    /// Requirements times the reports that they are asked of.
    cells: usize,
    /// Of these, how many are decided.
    decided: usize,
}

/// The assessments.
#[derive(Serialize, JsonSchema)]
pub(super) struct Assessments {
    /// The assessments.
    assessments: Vec<Listed>,
}

impl Tool for ListAssessments {
    const NAME: &'static str = "list_assessments";
    type Input = Nothing;
    type Output = Assessments;

    fn described() -> String {
        "List the assessments: which reports are held against standards, and how far each has come."
            .to_owned()
    }

    async fn call(
        agents: &Agents,
        _: Nothing,
        _: &RequestContext<RoleServer>,
    ) -> Result<Answered<Assessments>, ApiError> {
        let all =
            agents.run::<AssessList>(sibyl_api::command::Nothing {}).await?.into_iter().map(|one| Listed {
                assessment: one.id,
                name: one.name,
                reports: one.reports,
                requirements: one.requirements,
                cells: one.cells,
                decided: one.decided,
            });
        Ok(Assessments { assessments: all.collect() }.into())
    }
}

/// Lists the requirements of an assessment.
pub(super) struct ReadAssessment;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "CellsWanted")]
pub(super) struct Wanted {
    /// Its number, from `list_assessments`.
    #[schemars(range(min = 1))]
    assessment: i64,
    /// Only in this report.
    #[serde(default)]
    report_id: Option<String>,
    /// Which requirements.
    #[serde(default)]
    which: Which,
    /// Most requirements.
    #[schemars(range(min = 1, max = MOST))]
    #[serde(default = "Wanted::usual")]
    limit: usize,
}

impl Wanted {
    fn usual() -> usize {
        100
    }
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Which {
    #[default]
    Open,
    Decided,
    All,
}

/// A requirement in a report.
#[derive(Serialize, JsonSchema)]
pub(super) struct Cell {
    /// Its identifier.
    requirement: String,
    /// What it is about.
    label: String,
    /// Whether it is mandatory.
    mandatory: bool,
    /// The report.
    report_id: String,
    /// What a person decided.
    decision: ReviewStatus,
    /// Who decided.
    reviewer: Option<String>,
    /// What the search proposes, which is no decision; left out before a run.
    proposal: Option<ProposalState>,
    /// Items with evidence.
    found: Option<usize>,
    /// Items in all.
    items: Option<usize>,
    /// Physical page of the best evidence.
    page: Option<u32>,
}

/// The requirements.
#[derive(Serialize, JsonSchema)]
pub(super) struct Cells {
    /// The requirements, in reading order.
    cells: Vec<Cell>,
    /// How many there are in all.
    total: usize,
}

impl Tool for ReadAssessment {
    const NAME: &'static str = "read_assessment";
    type Input = Wanted;
    type Output = Cells;

    fn described() -> String {
        "List the requirements of an assessment in each report, open ones unless asked otherwise, with decision and proposal."
            .to_owned()
    }

    async fn call(
        agents: &Agents,
        input: Wanted,
        _: &RequestContext<RoleServer>,
    ) -> Result<Answered<Cells>, ApiError> {
        let Wanted { assessment, report_id, which, limit } = input;
        // The report of the session holds, whatever the arguments say.
        let report = agents.report.clone().or(report_id);
        let grid = agents.run::<AssessShow>(AssessmentId { id: assessment }).await?;
        let known: HashMap<_, _> = grid.cells.iter().map(|cell| ((cell.row, cell.column), cell)).collect();
        let mut cells = Vec::new();
        for (at, row) in grid.rows.iter().enumerate().filter(|(_, row)| row.requirement) {
            let Some(requirement) = &row.id else { continue };
            let columns = grid.columns.iter().enumerate().filter(|(_, column)| {
                row.is_asked_of(&column.report_id) && report.as_ref().is_none_or(|id| *id == column.report_id)
            });
            for (place, column) in columns {
                let cell = known.get(&(at, place)).copied();
                let decided = cell.is_some_and(|cell| cell.is_decided());
                if (which == Which::Open && decided) || (which == Which::Decided && !decided) {
                    continue;
                }
                let proposal = cell.and_then(|cell| cell.proposal);
                cells.push(Cell {
                    requirement: requirement.clone(),
                    label: row.label.clone(),
                    mandatory: row.mandatory,
                    report_id: column.report_id.clone(),
                    decision: cell.map(|cell| cell.status).unwrap_or_default(),
                    reviewer: cell.and_then(|cell| cell.reviewer.clone()),
                    proposal: proposal.map(|proposal| proposal.state),
                    found: proposal.map(|proposal| proposal.found),
                    items: proposal.map(|proposal| proposal.of),
                    page: proposal.and_then(|proposal| proposal.page),
                });
            }
        }
        let total = cells.len();
        cells.truncate(limit.min(MOST));
        Ok(Cells { cells, total }.into())
    }
}

/// Reads one requirement in one report.
pub(super) struct ReadRequirement;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct WantedCell {
    /// Number of the assessment.
    #[schemars(range(min = 1))]
    assessment: i64,
    /// Identifier of the requirement, such as `S2.14(a)(iv)`.
    #[schemars(length(min = 1), regex(pattern = r"\S"))]
    requirement: String,
    /// The report.
    #[schemars(length(min = 1), regex(pattern = r"\S"))]
    report_id: String,
}

/// An item of the requirement.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ChecklistItem")]
pub(super) struct Item {
    /// Its identifier.
    id: String,
    /// What it asks for.
    text: String,
    /// Places in `evidence`, from 0.
    evidence: Vec<usize>,
}

/// What the report's own content index says of the requirement. It is the company's claim, not a proposal.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "CheckedClaim")]
pub(super) struct Claim {
    /// The code in the index, with its framework.
    code: String,
    /// How the code relates to the requirement.
    relation: IndexRelation,
    /// What the index says, in its own words.
    words: String,
    /// Result of the check.
    state: ClaimState,
    /// Claim and result in a sentence.
    told: String,
    /// Positions in `evidence`, from 0, of the evidence found there.
    evidence: Vec<usize>,
}

/// The requirement.
#[derive(Serialize, JsonSchema)]
pub(super) struct Requirement {
    /// Its identifier.
    requirement: String,
    /// What it is about.
    label: String,
    /// What it asks for, in Sibyl's own words.
    explanation: String,
    /// What a person decided.
    decision: ReviewStatus,
    /// The reviewer's words.
    note: Option<String>,
    /// Passages that a person pinned.
    pinned: Option<Vec<Passage>>,
    /// What the report's own content index claims, each checked.
    claims: Vec<Claim>,
    /// What the search proposes, which is no decision; left out before a run.
    proposal: Option<ProposalState>,
    /// Its checklist.
    items: Option<Vec<Item>>,
    /// Passages that are proposed, best first.
    evidence: Option<Vec<Passage>>,
    /// Where nothing was found, the nearest passages, which are not used.
    nearest: Option<Vec<Passage>>,
    /// What programs propose, which is not a decision either.
    proposed: Vec<Proposal>,
}

impl From<CellView> for Requirement {
    fn from(view: CellView) -> Self {
        let proposal = view.proposal.as_ref();
        let passages = |of: &[_]| of.iter().map(Passage::from).collect();
        let claims = view.claims.iter().map(|claim| Claim {
            code: claim.cited.clone(),
            relation: claim.relation,
            words: claim.words.clone(),
            state: claim.state,
            told: claim.told(),
            evidence: claim.evidence.clone(),
        });
        let items = proposal.map(|proposal| {
            let items = proposal.items.iter();
            items
                .map(|item| Item {
                    id: item.id.clone(),
                    text: item.text.clone(),
                    evidence: item.evidence.clone(),
                })
                .collect()
        });
        Self {
            decision: view.review.as_ref().map(|review| review.status).unwrap_or_default(),
            pinned: view.review.as_ref().map(|review| review.passages.iter().map(Passage::from).collect()),
            note: view.review.as_ref().map(|review| review.note.clone()),
            claims: claims.collect(),
            proposal: proposal.map(|proposal| proposal.state),
            items,
            evidence: proposal.map(|proposal| passages(&proposal.evidence)),
            nearest: proposal.map(|proposal| passages(&proposal.nearest)),
            proposed: view.programs.into_iter().map(Proposal::from).collect(),
            requirement: view.requirement,
            label: view.label,
            explanation: view.prose,
        }
    }
}

impl Tool for ReadRequirement {
    const NAME: &'static str = "read_requirement";
    type Input = WantedCell;
    type Output = Requirement;

    fn described() -> String {
        "Read one requirement in one report: its items, the evidence proposed for each, and what a person decided."
            .to_owned()
    }

    async fn call(
        agents: &Agents,
        input: WantedCell,
        _: &RequestContext<RoleServer>,
    ) -> Result<Answered<Requirement>, ApiError> {
        let WantedCell { assessment, requirement, report_id } = input;
        let report_id = agents.report.clone().unwrap_or(report_id);
        let input = CellQuery { id: assessment, requirement, report_id };
        Ok(Requirement::from(agents.run::<AssessCell>(input).await?).into())
    }
}
