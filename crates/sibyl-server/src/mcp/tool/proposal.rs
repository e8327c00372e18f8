//! The tools for a first pass over an assessment: what is open, and a proposal for it. Only a person decides.

use super::super::{Agents, granted};
use super::passage::{Passage, Proposal};
use super::{Answered, Tool};
use rmcp::service::{RequestContext, RoleServer};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_api::command::assess::{AssessCell, AssessShow, AssessmentId, CellQuery};
use sibyl_api::command::proposal::AssessPropose;
use sibyl_api::{ApiError, Propose, QuoteGiven, ReviewStatus};
use std::collections::HashMap;

/// Most open items that are told at once.
const MOST: usize = 50;

/// Lists what is open.
pub(super) struct ListOpenItems;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "OpenWanted")]
pub(super) struct Wanted {
    /// Its number, from `list_assessments`.
    #[schemars(range(min = 1))]
    assessment: i64,
    /// Only requirements in this report.
    #[serde(default)]
    report_id: Option<String>,
    /// Only requirements without a program's proposal.
    #[serde(default)]
    unproposed: bool,
    /// How many to skip.
    #[serde(default)]
    offset: usize,
    /// Most items to return.
    #[schemars(range(min = 1, max = MOST))]
    #[serde(default = "Wanted::usual")]
    limit: usize,
}

impl Wanted {
    fn usual() -> usize {
        10
    }
}

/// What one item asks for.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "OpenPart")]
pub(super) struct Item {
    /// Its identifier.
    id: String,
    /// What it asks for.
    text: String,
}

/// An open requirement in a report.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "OpenItem")]
pub(super) struct Open {
    /// Its identifier.
    requirement: String,
    /// What it is about.
    label: String,
    /// Whether it is mandatory.
    mandatory: bool,
    /// The report.
    report_id: String,
    /// What it asks for, in Sibyl's own words.
    asked: String,
    /// Its checklist, after a run.
    items: Vec<Item>,
    /// The first evidence found.
    first_evidence: Option<Passage>,
    /// Programs that have proposed a finding for it.
    proposed_by: Vec<String>,
}

/// The open requirements.
#[derive(Serialize, JsonSchema)]
pub(super) struct OpenItems {
    /// The open requirements, in reading order.
    open: Vec<Open>,
    /// How many there are in all.
    total: usize,
    /// Where the next page begins; left out at the end.
    next_offset: Option<usize>,
}

impl Tool for ListOpenItems {
    const NAME: &'static str = "list_open_items";
    type Input = Wanted;
    type Output = OpenItems;

    fn described() -> String {
        "List the open requirements of an assessment, page by page: what each asks for, and the first evidence found."
            .to_owned()
    }

    async fn call(
        agents: &Agents,
        input: Wanted,
        _: &RequestContext<RoleServer>,
    ) -> Result<Answered<OpenItems>, ApiError> {
        let Wanted { assessment, report_id, unproposed, offset, limit } = input;
        // The report of the session holds, whatever the arguments say.
        let report = agents.report.clone().or(report_id);
        let grid = agents.run::<AssessShow>(AssessmentId { id: assessment }).await?;
        let known: HashMap<_, _> = grid.cells.iter().map(|cell| ((cell.row, cell.column), cell)).collect();
        let mut open = Vec::new();
        for (at, row) in grid.rows.iter().enumerate().filter(|(_, row)| row.requirement) {
            let Some(requirement) = &row.id else { continue };
            for (place, column) in grid.columns.iter().enumerate() {
                let cell = known.get(&(at, place)).copied();
                let passed_over = !row.is_asked_of(&column.report_id)
                    || report.as_ref().is_some_and(|id| *id != column.report_id)
                    || cell.is_some_and(|cell| cell.is_decided())
                    || unproposed && cell.is_some_and(|cell| !cell.proposed_by.is_empty());
                if !passed_over {
                    open.push((requirement, row, &column.report_id, cell));
                }
            }
        }
        let total = open.len();
        let limit = limit.clamp(1, MOST);
        let mut items = Vec::with_capacity(limit);
        for (requirement, row, report_id, cell) in open.into_iter().skip(offset).take(limit) {
            let (requirement, report_id) = (requirement.clone(), report_id.clone());
            let input =
                CellQuery { id: assessment, requirement: requirement.clone(), report_id: report_id.clone() };
            let view = agents.run::<AssessCell>(input).await?;
            let first = view.proposal.as_ref().and_then(|proposal| proposal.evidence.first());
            let checklist = view.proposal.iter().flat_map(|proposal| &proposal.items);
            items.push(Open {
                requirement,
                label: row.label.clone(),
                mandatory: row.mandatory,
                report_id,
                items: checklist.map(|item| Item { id: item.id.clone(), text: item.text.clone() }).collect(),
                first_evidence: first.map(Passage::from),
                proposed_by: cell.map(|cell| cell.proposed_by.clone()).unwrap_or_default(),
                asked: view.prose,
            });
        }
        let next = offset.saturating_add(items.len());
        let next_offset = (next < total && !items.is_empty()).then_some(next);
        Ok(OpenItems { open: items, total, next_offset }.into())
    }
}

/// Proposes a finding.
pub(super) struct ProposeFinding;

/// What a proposal may find.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Finding {
    Met,
    Partly,
    Gap,
    NotApplicable,
}

impl From<Finding> for ReviewStatus {
    fn from(finding: Finding) -> Self {
        match finding {
            Finding::Met => Self::Met,
            Finding::Partly => Self::Partly,
            Finding::Gap => Self::Gap,
            Finding::NotApplicable => Self::NotApplicable,
        }
    }
}

/// Words of the report.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct QuotedWords {
    /// The words, exactly as the report has them.
    #[schemars(length(min = 1), regex(pattern = r"\S"))]
    quote: String,
    /// Physical page that the words are on.
    #[schemars(range(min = 1))]
    #[serde(default)]
    page: Option<u32>,
    /// Instead of the page, the id of the passage that contains the words.
    #[serde(default)]
    chunk_id: Option<String>,
}

impl From<QuotedWords> for QuoteGiven {
    fn from(QuotedWords { quote, page, chunk_id }: QuotedWords) -> Self {
        Self { quote, page, chunk_id }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Proposed {
    /// Number of the assessment.
    #[schemars(range(min = 1))]
    assessment: i64,
    /// Identifier of the requirement, such as `S2.14(a)(iv)`.
    #[schemars(length(min = 1), regex(pattern = r"\S"))]
    requirement: String,
    /// The report.
    #[schemars(length(min = 1), regex(pattern = r"\S"))]
    report_id: String,
    /// What you find.
    finding: Finding,
    /// Why, in a few sentences that a person can check.
    #[schemars(length(min = 1), regex(pattern = r"\S"))]
    reason: String,
    /// What the report says, word for word; needed if the finding is met or partly.
    #[serde(default)]
    quotes: Vec<QuotedWords>,
    /// Your name, if your client gives none.
    #[serde(default)]
    program: Option<String>,
}

impl Tool for ProposeFinding {
    const NAME: &'static str = "propose_finding";
    const READS: bool = false;
    type Input = Proposed;
    type Output = Proposal;

    fn described() -> String {
        "Propose a finding for one requirement in one report, with quotes that are checked. Only a person decides. \
         Proposing again replaces your earlier proposal."
            .to_owned()
    }

    async fn call(
        agents: &Agents,
        input: Proposed,
        context: &RequestContext<RoleServer>,
    ) -> Result<Answered<Proposal>, ApiError> {
        let Proposed { assessment, requirement, report_id, finding, reason, quotes, program } = input;
        if let Some(own) = agents.report.as_ref().filter(|own| **own != report_id) {
            return Err(ApiError::new(
                "not_found",
                format!("there is no report `{report_id}` in this session, which is for the report `{own}`"),
            ));
        }
        let client = context.client_info().map(|client| client.name).filter(|name| !name.trim().is_empty());
        let program = client.or(program).ok_or_else(|| {
            ApiError::invalid("a proposal is kept under the name of its program; give yours as `program`")
        })?;
        let (finding, quotes) = (finding.into(), quotes.into_iter().map(QuoteGiven::from).collect());
        let input = Propose { id: assessment, requirement, report_id, program, finding, reason, quotes };
        let kept = agents.run_within::<AssessPropose>(granted(context), input, None).await?;
        Ok(Proposal::from(kept).into())
    }
}
