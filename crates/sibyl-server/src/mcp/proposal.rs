//! The tools for a first pass over an assessment: what is open, and a proposal for it. Only a person decides.

use super::answered::{Answered, read};
use super::part::{count, list, needed, object, passage, text, tool};
use super::{Agents, granted};
use rmcp::service::{RequestContext, RoleServer};
use serde::Deserialize;
use serde_json::{Value, json};
use sibyl_api::command::assess::{AssessCell, AssessShow};
use sibyl_api::command::proposal::AssessPropose;
use sibyl_api::{ApiError, ProgramProposal, SourceNow};

/// Most open items that are told at once.
const MOST: usize = 50;
/// How many are where no other number is asked for.
const USUAL: usize = 10;
/// What a proposal may find.
const FINDINGS: [&str; 4] = ["met", "partly", "gap", "not_applicable"];

/// What agents read of the tools.
pub(super) fn descriptions() -> [Value; 2] {
    [open_items_tool(), propose_tool()]
}

fn open_items_tool() -> Value {
    let number = |what| json!({ "type": "integer", "minimum": 1, "description": what });
    let item = object(
        "What one item asks for.",
        json!({ "id": text("Its identifier."), "text": text("What it asks for.") }),
        &["id", "text"],
    );
    let open = object(
        "An open requirement in a report.",
        json!({
            "requirement": text("Its identifier."),
            "label": text("What it is about."),
            "mandatory": { "type": "boolean", "description": "Whether it is mandatory." },
            "report_id": text("The report."),
            "asked": text("What it asks for, in Sibyl's own words."),
            "items": list("Its checklist, after a run.", item),
            "first_evidence": passage(),
            "proposed_by": list("Programs that have proposed a finding for it.", json!({ "type": "string" })),
        }),
        &["requirement", "label", "report_id", "asked"],
    );
    tool(
        "list_open_items",
        "List the open requirements of an assessment, page by page: what each asks for, and the first evidence \
         found.",
        json!({
            "assessment": number("Its number, from `list_assessments`."),
            "report_id": text("Only requirements in this report."),
            "unproposed": {
                "type": "boolean", "default": false, "description": "Only requirements without a program's proposal.",
            },
            "offset": { "type": "integer", "minimum": 0, "default": 0, "description": "How many to skip." },
            "limit": {
                "type": "integer", "minimum": 1, "maximum": MOST, "default": USUAL, "description": "Most items to return.",
            },
        }),
        &["assessment"],
        object(
            "The open requirements.",
            json!({
                "open": list("The open requirements, in reading order.", open),
                "total": count("How many there are in all."),
                "next_offset": count("Where the next page begins; left out at the end."),
            }),
            &["open", "total"],
        ),
        (true, false),
    )
}

fn propose_tool() -> Value {
    let quote = object(
        "Words of the report.",
        json!({
            "quote": needed("The words, exactly as the report has them."),
            "page": json!({ "type": "integer", "minimum": 1, "description": "Physical page that the words are on." }),
            "chunk_id": text("Instead of the page, the id of the passage that contains the words."),
        }),
        &["quote"],
    );
    tool(
        "propose_finding",
        "Propose a finding for one requirement in one report, with quotes that are checked. Only a person decides. \
         Proposing again replaces your earlier proposal.",
        json!({
            "assessment": { "type": "integer", "minimum": 1, "description": "Number of the assessment." },
            "requirement": needed("Identifier of the requirement, such as `S2.14(a)(iv)`."),
            "report_id": needed("The report."),
            "finding": { "type": "string", "enum": FINDINGS, "description": "What you find." },
            "reason": needed("Why, in a few sentences that a person can check."),
            "quotes": list("What the report says, word for word; needed if the finding is met or partly.", quote),
            "program": text("Your name, if your client gives none."),
        }),
        &["assessment", "requirement", "report_id", "finding", "reason"],
        told_schema(),
        (false, false),
    )
}

/// A proposal as agents are told of it.
pub(super) fn told_schema() -> Value {
    object(
        "A proposal, which is not a decision.",
        json!({
            "proposal": count("Its number."),
            "program": text("Who proposes."),
            "finding": text("What is proposed."),
            "reason": text("Why."),
            "quotes": list(
                "What the report says.",
                object(
                    "Words of the report.",
                    json!({
                        "quote": text("The words."),
                        "document": text("Path of its document."),
                        "page": count("Physical page."),
                        "source": text("What became of the words, if the document has changed since."),
                    }),
                    &["quote", "document"],
                ),
            ),
        }),
        &["proposal", "program", "finding", "reason", "quotes"],
    )
}

pub(super) fn told(proposal: &ProgramProposal) -> Value {
    let quotes = proposal.quotes.iter().map(|quote| {
        let pin = &quote.pin;
        json!({
            "quote": pin.quote, "document": pin.path, "page": pin.page,
            "source": pin.source.as_ref().and_then(SourceNow::told),
        })
    });
    json!({
        "proposal": proposal.id, "program": proposal.program, "finding": proposal.finding, "reason": proposal.reason,
        "quotes": quotes.collect::<Vec<_>>(),
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    assessment: i64,
    report_id: Option<String>,
    #[serde(default)]
    unproposed: bool,
    #[serde(default)]
    offset: usize,
    limit: Option<usize>,
}

pub(super) async fn open_items(agents: &Agents, arguments: Value) -> Result<Answered, ApiError> {
    let Wanted { assessment, report_id, unproposed, offset, limit } = read(arguments)?;
    // The report of the session holds, whatever the arguments say.
    let report = agents.report.clone().or(report_id);
    let grid = agents.run::<AssessShow>(json!({ "id": assessment })).await?;
    let mut open = Vec::new();
    for (at, row) in grid.rows.iter().enumerate().filter(|(_, row)| row.requirement) {
        for (place, column) in grid.columns.iter().enumerate() {
            let cell = grid.cells.iter().find(|cell| (cell.row, cell.column) == (at, place));
            let passed_over = !row.is_asked_of(&column.report_id)
                || report.as_ref().is_some_and(|id| *id != column.report_id)
                || cell.is_some_and(|cell| cell.is_decided())
                || unproposed && cell.is_some_and(|cell| !cell.proposed_by.is_empty());
            if !passed_over {
                open.push((row, &column.report_id, cell));
            }
        }
    }
    let total = open.len();
    let limit = limit.unwrap_or(USUAL).clamp(1, MOST);
    let mut items = Vec::with_capacity(limit);
    for (row, report_id, cell) in open.into_iter().skip(offset).take(limit) {
        let input = json!({ "id": assessment, "requirement": row.id, "report_id": report_id });
        let view = agents.run::<AssessCell>(input).await?;
        let first = view.proposal.as_ref().and_then(|proposal| proposal.evidence.first());
        let checklist = view.proposal.iter().flat_map(|proposal| &proposal.items);
        items.push(json!({
            "requirement": row.id,
            "label": row.label,
            "mandatory": row.mandatory,
            "report_id": report_id,
            "asked": view.prose,
            "items": checklist.map(|item| json!({ "id": item.id, "text": item.text })).collect::<Vec<_>>(),
            "first_evidence": first.map(|passage| json!({
                "quote": passage.quote, "document": passage.pin.path, "page": passage.page, "section": passage.section,
            })),
            "proposed_by": cell.map(|cell| cell.proposed_by.clone()).unwrap_or_default(),
        }));
    }
    let next = offset.saturating_add(items.len());
    let next = (next < total && !items.is_empty()).then_some(next);
    Ok(Answered::of(json!({ "open": items, "total": total, "next_offset": next })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Proposed {
    assessment: i64,
    requirement: String,
    report_id: String,
    finding: String,
    reason: String,
    #[serde(default)]
    quotes: Vec<Value>,
    program: Option<String>,
}

pub(super) async fn propose(
    agents: &Agents,
    arguments: Value,
    context: &RequestContext<RoleServer>,
) -> Result<Answered, ApiError> {
    let Proposed { assessment, requirement, report_id, finding, reason, quotes, program } = read(arguments)?;
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
    let input = json!({
        "id": assessment, "requirement": requirement, "report_id": report_id, "program": program, "finding": finding,
        "reason": reason, "quotes": quotes,
    });
    let kept = agents.run_within::<AssessPropose>(granted(context), input, None).await?;
    Ok(Answered::of(told(&kept)))
}
