//! The tools that read assessments. An agent sees what is open and what speaks for it; only a person decides.

use super::Agents;
use super::answered::{Answered, read};
use super::part::{count, list, needed, object, passage, text, tool};
use super::proposal::{told, told_schema};
use serde::Deserialize;
use serde_json::{Value, json};
use sibyl_api::ApiError;
use sibyl_api::command::assess::{AssessCell, AssessList, AssessShow};

/// Most requirements that are told at once.
const MOST: usize = 500;
/// How many are where no other number is asked for.
const USUAL: usize = 100;

/// Which requirements of an assessment are read.
const READ: [&str; 3] = ["open", "decided", "all"];

/// What agents read of the tools.
pub(super) fn descriptions() -> [Value; 3] {
    let number = |what| json!({ "type": "integer", "minimum": 1, "description": what });
    let assessment = object(
        "An assessment: reports held against requirements.",
        json!({
            "assessment": number("Its number."),
            "name": text("Its name."),
            "reports": count("Its reports."),
            "requirements": count("Its requirements."),
            "cells": count("Requirements times the reports that they are asked of."),
            "decided": count("Of these, how many are decided."),
        }),
        &["assessment", "name", "cells", "decided"],
    );
    let cell = object(
        "A requirement in a report.",
        json!({
            "requirement": text("Its identifier."),
            "label": text("What it is about."),
            "mandatory": { "type": "boolean", "description": "Whether it is mandatory." },
            "report_id": text("The report."),
            "decision": text("What a person decided: open, met, partly, gap or not_applicable."),
            "reviewer": text("Who decided."),
            "proposal": text("What the search proposes, which is no decision: evidence, partial or nothing; left out before a run."),
            "found": count("Items with evidence."),
            "items": count("Items in all."),
            "page": count("Physical page of the best evidence."),
        }),
        &["requirement", "label", "report_id", "decision"],
    );
    let item = object(
        "An item of the requirement.",
        json!({
            "id": text("Its identifier."),
            "text": text("What it asks for."),
            "evidence": list("Places in `evidence`, from 0.", json!({ "type": "integer", "minimum": 0 })),
        }),
        &["id", "text", "evidence"],
    );
    let claim = object(
        "What the report's own content index says of the requirement. It is the company's claim, not a proposal.",
        json!({
            "code": text("The code in the index, with its framework."),
            "relation": text("How the code relates to the requirement: same, part or related."),
            "words": text("What the index says, in its own words."),
            "state": text("Result of the check: found, not_found, not_checked, no_page, no_section, other_document, left_out or answer."),
            "told": text("Claim and result in a sentence."),
            "evidence": list("Positions in `evidence`, from 0, of the evidence found there.", json!({ "type": "integer", "minimum": 0 })),
        }),
        &["code", "relation", "words", "state", "told", "evidence"],
    );
    [
        tool(
            "list_assessments",
            "List the assessments: which reports are held against standards, and how far each has come.",
            json!({}),
            &[],
            object(
                "The assessments.",
                json!({ "assessments": list("The assessments.", assessment) }),
                &["assessments"],
            ),
            (true, false),
        ),
        tool(
            "read_assessment",
            "List the requirements of an assessment in each report, open ones unless asked otherwise, with decision and proposal.",
            json!({
                "assessment": number("Its number, from `list_assessments`."),
                "report_id": text("Only in this report."),
                "which": { "type": "string", "enum": READ, "default": READ[0], "description": "Which requirements." },
                "limit": {
                    "type": "integer", "minimum": 1, "maximum": MOST, "default": USUAL, "description": "Most requirements.",
                },
            }),
            &["assessment"],
            object(
                "The requirements.",
                json!({ "cells": list("They, in reading order.", cell), "total": count("How many there are in all.") }),
                &["cells", "total"],
            ),
            (true, false),
        ),
        tool(
            "read_requirement",
            "Read one requirement in one report: its items, the evidence proposed for each, and what a person decided.",
            json!({
                "assessment": number("Number of the assessment."),
                "requirement": needed("Identifier of the requirement, such as `S2.14(a)(iv)`."),
                "report_id": needed("The report."),
            }),
            &["assessment", "requirement", "report_id"],
            object(
                "The requirement.",
                json!({
                    "requirement": text("Its identifier."),
                    "label": text("What it is about."),
                    "explanation": text("What it asks for, in Sibyl's own words."),
                    "decision": text("What a person decided."),
                    "note": text("The reviewer's words."),
                    "pinned": list("Passages that a person pinned.", passage()),
                    "claims": list("What the report's own content index claims, each checked.", claim),
                    "proposal": text("What the search proposes, which is no decision; left out before a run."),
                    "items": list("Its checklist.", item),
                    "evidence": list("Passages that are proposed, best first.", passage()),
                    "nearest": list("Where nothing was found, the nearest passages, which are not used.", passage()),
                    "proposed": list("What programs propose, which is not a decision either.", told_schema()),
                }),
                &["requirement", "label", "decision"],
            ),
            (true, false),
        ),
    ]
}

pub(super) async fn assessments(agents: &Agents) -> Result<Answered, ApiError> {
    let all = agents.run::<AssessList>(json!({})).await?.into_iter().map(|one| {
        json!({
            "assessment": one.id, "name": one.name, "reports": one.reports, "requirements": one.requirements,
            "cells": one.cells, "decided": one.decided,
        })
    });
    Ok(Answered::of(json!({ "assessments": all.collect::<Vec<_>>() })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    assessment: i64,
    report_id: Option<String>,
    #[serde(default)]
    which: Which,
    limit: Option<usize>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Which {
    #[default]
    Open,
    Decided,
    All,
}

pub(super) async fn cells(agents: &Agents, arguments: Value) -> Result<Answered, ApiError> {
    let Wanted { assessment, report_id, which, limit } = read(arguments)?;
    // The report of the session holds, whatever the arguments say.
    let report = agents.report.clone().or(report_id);
    let grid = agents.run::<AssessShow>(json!({ "id": assessment })).await?;
    let mut cells = Vec::new();
    for (at, row) in grid.rows.iter().enumerate().filter(|(_, row)| row.requirement) {
        let columns = grid.columns.iter().enumerate().filter(|(_, column)| {
            row.is_asked_of(&column.report_id) && report.as_ref().is_none_or(|id| *id == column.report_id)
        });
        for (place, column) in columns {
            let cell = grid.cells.iter().find(|cell| (cell.row, cell.column) == (at, place));
            let decided = cell.is_some_and(|cell| cell.is_decided());
            if (which == Which::Open && decided) || (which == Which::Decided && !decided) {
                continue;
            }
            let proposal = cell.and_then(|cell| cell.proposal);
            cells.push(json!({
                "requirement": row.id,
                "label": row.label,
                "mandatory": row.mandatory,
                "report_id": column.report_id,
                "decision": cell.map(|cell| cell.status).unwrap_or_default(),
                "reviewer": cell.and_then(|cell| cell.reviewer.clone()),
                "proposal": proposal.map(|proposal| proposal.state),
                "found": proposal.map(|proposal| proposal.found),
                "items": proposal.map(|proposal| proposal.of),
                "page": proposal.and_then(|proposal| proposal.page),
            }));
        }
    }
    let total = cells.len();
    cells.truncate(limit.unwrap_or(USUAL).min(MOST));
    Ok(Answered::of(json!({ "cells": cells, "total": total })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WantedCell {
    assessment: i64,
    requirement: String,
    report_id: String,
}

pub(super) async fn cell(agents: &Agents, arguments: Value) -> Result<Answered, ApiError> {
    let WantedCell { assessment, requirement, report_id } = read(arguments)?;
    let report_id = agents.report.clone().unwrap_or(report_id);
    let input = json!({ "id": assessment, "requirement": requirement, "report_id": report_id });
    let view = agents.run::<AssessCell>(input).await?;
    let mut told = json!({
        "requirement": view.requirement,
        "label": view.label,
        "explanation": view.prose,
        "decision": view.review.as_ref().map(|review| review.status).unwrap_or_default(),
    });
    if let Some(review) = &view.review {
        let pinned = review
            .passages
            .iter()
            .map(|pin| json!({ "quote": pin.quote, "document": pin.path, "page": pin.page }));
        told["note"] = review.note.as_str().into();
        told["pinned"] = pinned.collect();
    }
    told["proposed"] = view.programs.iter().map(self::told).collect();
    let claims = view.claims.iter().map(|claim| {
        json!({
            "code": claim.cited(), "relation": claim.relation, "words": claim.words, "state": claim.state,
            "told": claim.told(), "evidence": claim.evidence,
        })
    });
    told["claims"] = claims.collect();
    if let Some(proposal) = &view.proposal {
        let passages = |of: &[_]| -> Value {
            let told = of.iter().map(|passage: &sibyl_api::EvidencePassage| {
                json!({
                    "quote": passage.quote, "document": passage.pin.path, "page": passage.page, "section": passage.section,
                })
            });
            told.collect()
        };
        let items = proposal.items.iter();
        told["proposal"] = json!(proposal.state);
        told["items"] = items
            .map(|item| json!({ "id": item.id, "text": item.text, "evidence": item.evidence }))
            .collect();
        told["evidence"] = passages(&proposal.evidence);
        told["nearest"] = passages(&proposal.nearest);
    }
    Ok(Answered::of(told))
}
