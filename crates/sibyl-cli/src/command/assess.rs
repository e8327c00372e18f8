//! `sibyl assess`: reports held against requirements.

mod named;
mod pack;

use self::named::number;
use super::proposal::{confirm, dismiss, given, propose, told_by_programs};
use super::{Outcome, compare, print};
use crate::arguments::{Assess, AssessCommand, ScopeArguments};
use crate::output::{one_line, table, tell};
use crate::session::Session;
use sibyl_api::command::Nothing;
use sibyl_api::command::assess::{
    self as list, AssessmentId, CellQuery, CompareQuery, PackRequest, ScopeQuery,
};
use sibyl_api::command::proposal::ProposalId;
use sibyl_api::{
    ApiError, AssessmentGrid, AssessmentPlan, AssessmentScope, CarryOver, CellView, Confirm, Decide,
    Progress, ProposalState, Propose, SourceNow,
};
use std::fmt::Write as _;
use std::sync::Arc;

/// Characters shown of a label.
const LABEL: usize = 60;
/// Characters shown of a quote.
const QUOTE: usize = 160;
/// Characters shown of a line about what a report's index claims.
const CLAIM: usize = 320;
/// Marks a decision with a pinned passage whose source has changed.
const CHANGED: &str = "*";
const INTERRUPTED: &str =
    "stopped; the proposals made so far are kept, and the same command continues after them";

pub async fn assess(session: &Session, words: Assess) -> Outcome {
    match words.command {
        AssessCommand::List => listed(session).await,
        AssessCommand::Scope { report, scope } => scoped(session, report, scope).await,
        AssessCommand::New { name, report, scope, reviewer } => {
            let scope = AssessmentScope::try_from(scope)?;
            let plan = AssessmentPlan { name, reports: report, scope, reviewers: reviewer };
            let made = session.call::<list::AssessNew>(plan).await?;
            print(&session.common, &made, |made| {
                format!("Assessment {} is made. Next: sibyl assess run {}\n", made.id, made.id)
            })
        }
        AssessCommand::Run { assessment } => run(session, number(session, &assessment).await?).await,
        AssessCommand::Show {
            assessment, requirement: Some(requirement), report: Some(report_id), ..
        } => {
            let id = number(session, &assessment).await?;
            let input = CellQuery { id, requirement, report_id };
            let cell = session.call::<list::AssessCell>(input).await?;
            print(&session.common, &cell, shown)
        }
        AssessCommand::Show { assessment, open, .. } => {
            let id = number(session, &assessment).await?;
            let grid = session.call::<list::AssessShow>(AssessmentId { id }).await?;
            print(&session.common, &grid, |grid| rows(grid, open))
        }
        AssessCommand::Decide {
            assessment,
            requirements,
            report: report_id,
            status,
            note,
            reviewer,
            pin,
        } => {
            let id = number(session, &assessment).await?;
            let decision = Decide { id, report_id, requirements, status, note, passages: None, reviewer };
            decide(session, decision, pin).await
        }
        AssessCommand::Compare { assessment, from, to, requirement } => {
            let id = number(session, &assessment).await?;
            compare::compare(session, CompareQuery { id, earlier: from, later: to }, requirement.as_deref())
                .await
        }
        AssessCommand::CarryOver { assessment, requirements, report: report_id, reviewer } => {
            let id = number(session, &assessment).await?;
            let input = CarryOver { id, report_id, requirements, reviewer };
            let cells = session.call::<list::AssessCarryOver>(input).await?;
            print(&session.common, &cells, |cells| format!("{} confirmed.\n", cells.len()))
        }
        AssessCommand::Propose {
            assessment,
            requirement,
            report: report_id,
            program,
            finding,
            reason,
            quote,
        } => {
            let id = number(session, &assessment).await?;
            let quotes = quote.iter().map(|quote| given(quote)).collect();
            propose(session, Propose { id, requirement, report_id, program, finding, reason, quotes }).await
        }
        AssessCommand::Confirm { assessment, proposal, reviewer, note } => {
            let id = number(session, &assessment).await?;
            confirm(session, Confirm { id, proposal, reviewer, note }).await
        }
        AssessCommand::Dismiss { assessment, proposal } => {
            let id = number(session, &assessment).await?;
            dismiss(session, ProposalId { id, proposal }).await
        }
        AssessCommand::Export { assessment, format, only, out, sign } => {
            let id = number(session, &assessment).await?;
            pack::export(session, PackRequest { id, format, only }, out, sign).await
        }
        AssessCommand::Verify { pack, key } => pack::verify(session, &pack, key).await,
        AssessCommand::Key { command } => pack::key(session, command).await,
        AssessCommand::Import { pack } => pack::import(session, &pack).await,
        AssessCommand::Delete { assessment } => {
            let id = number(session, &assessment).await?;
            let gone = session.call::<list::AssessDelete>(AssessmentId { id }).await?;
            print(&session.common, &gone, |_| format!("Assessment {id} is deleted. Its decisions stay.\n"))
        }
    }
}

async fn listed(session: &Session) -> Outcome {
    let all = session.call::<list::AssessList>(Nothing {}).await?;
    print(&session.common, &all, |all| {
        if all.is_empty() {
            return "There is no assessment yet; make one with `sibyl assess new`.\n".to_owned();
        }
        let head = ["number", "name", "reports", "requirements", "decided"];
        table(
            &head,
            &[0, 2, 3, 4],
            all.iter().map(|one| {
                let decided = format!("{} of {}", one.decided, one.cells);
                let (reports, requirements) = (one.reports.to_string(), one.requirements.to_string());
                vec![one.id.to_string(), one.name.clone(), reports, requirements, decided]
            }),
        )
    })
}

async fn scoped(session: &Session, reports: Vec<String>, words: ScopeArguments) -> Outcome {
    let input = ScopeQuery { reports, scope: AssessmentScope::try_from(words)? };
    let found = session.call::<list::AssessScope>(input).await?;
    print(&session.common, &found, |found| {
        let mut out = table(
            &["standard", "name", "requirements"],
            &[2],
            found
                .standards
                .iter()
                .map(|one| vec![one.source_type.clone(), one.label.clone(), one.requirements.to_string()]),
        );
        out.push('\n');
        out += &table(
            &["industry", "name", "metrics"],
            &[2],
            found
                .industries
                .iter()
                .map(|one| vec![one.code.clone(), one.name.clone(), one.metrics.to_string()]),
        );
        for one in &found.proposed {
            let industry = one.industry.as_deref().unwrap_or("none");
            let why = match (one.codes, one.page) {
                (0, _) => "by its words only: please check".to_owned(),
                (codes, Some(page)) => {
                    format!("{codes} of its codes are in the report, the first on p. {page}")
                }
                (codes, None) => format!("{codes} of its codes are in the report"),
            };
            let _ = writeln!(out, "\n{}: {industry} ({why})", one.report_id);
        }
        let _ = writeln!(out, "\nIn scope: {} requirements", found.requirements);
        out
    })
}

async fn run(session: &Session, id: i64) -> Outcome {
    let work = session.call_with::<list::AssessRun>(
        AssessmentId { id },
        Some(Arc::new(|told| {
            if let Progress::Assessing(progress) = told {
                tell(format_args!("{}: {} of {}", progress.report_id, progress.done, progress.total));
            }
        })),
    );
    let run = tokio::select! {
        run = work => run?,
        _ = tokio::signal::ctrl_c() => return Err(ApiError::new("interrupted", INTERRUPTED)),
    };
    print(&session.common, &run, |run| {
        let mut out = format!(
            "{} proposals made, {} unchanged: evidence {}, for some items {}, nothing found {}\n",
            run.made, run.unchanged, run.evidence, run.partial, run.nothing
        );
        for one in &run.unmatched {
            let _ = writeln!(out, "{}: {}", one.report_id, not_matched(&one.language));
        }
        out
    })
}

/// What a proposal is worth in a report in another `language`.
fn not_matched(language: &str) -> String {
    format!(
        "the report is in {language}, and requirements are matched in English only; \"nothing found\" does not show that nothing is there"
    )
}

/// The requirements below their headings, a column for each report.
fn rows(grid: &AssessmentGrid, open: bool) -> String {
    let reports = grid.columns.iter().map(|column| column.report_id.as_str());
    let head: Vec<&str> = ["requirement", "title"].into_iter().chain(reports).collect();
    let rows = grid.rows.iter().enumerate().filter(|(_, row)| row.requirement).filter_map(|(at, row)| {
        let cells: Vec<_> = (0..grid.columns.len())
            .map(|column| grid.cells.iter().find(|cell| cell.row == at && cell.column == column))
            .collect();
        let decided = cells.iter().all(|cell| cell.is_some_and(|cell| cell.is_decided()));
        if open && decided {
            return None;
        }
        let mut values = vec![row.id.clone().unwrap_or_default(), one_line(&row.label, LABEL)];
        values.extend(cells.into_iter().map(|cell| match cell {
            None => String::new(),
            Some(cell) if !cell.is_decided() && !cell.proposed_by.is_empty() => {
                format!("(proposed by {})", one_line(&cell.proposed_by.join(", "), LABEL))
            }
            Some(cell) if cell.is_decided() => {
                let mark = if cell.moved { CHANGED } else { "" };
                format!("{}{mark}", cell.status.name().replace('_', " "))
            }
            Some(cell) => {
                let carried = cell.carried.map(|status| format!("{}? ", status.name().replace('_', " ")));
                let proposed = cell.proposal.map(|proposal| match proposal.found {
                    0 => "(nothing found)".to_owned(),
                    found => format!("({found}/{})", proposal.of),
                });
                format!("{}{}", carried.unwrap_or_default(), proposed.unwrap_or_default())
                    .trim_end()
                    .to_owned()
            }
        }));
        Some(values)
    });
    let mut out = table(&head, &[], rows);
    let carried = grid.cells.iter().filter(|cell| cell.carried.is_some()).count();
    if carried > 0 {
        let _ = writeln!(
            out,
            "? carried over from the earlier report, to confirm ({carried}): sibyl assess carry-over"
        );
    }
    if grid.cells.iter().any(|cell| cell.moved) {
        let _ = writeln!(out, "{CHANGED} the source of a pinned passage has changed since");
    }
    for agreement in &grid.agreements {
        let (one, other) = &agreement.reviewers;
        let kappa = agreement.kappa.map(|kappa| format!(" (kappa {kappa:.2})")).unwrap_or_default();
        let _ = writeln!(out, "{one} and {other} agree on {} of {}{kappa}", agreement.alike, agreement.both);
    }
    for cell in grid.cells.iter().filter(|cell| cell.disputed) {
        let id = grid.rows[cell.row].id.as_deref().unwrap_or_default();
        let _ = writeln!(out, "to settle: {id} in {}", grid.columns[cell.column].report_id);
    }
    if grid.waiting > 0 {
        let _ = writeln!(out, "{} proposals wait: sibyl assess run {}", grid.waiting, grid.assessment.id);
    }
    out
}

/// One requirement in one report.
fn shown(cell: &CellView) -> String {
    let mut out = format!("{}  {}\n{}\n\n", cell.requirement, cell.label, cell.prose);
    let page = |page: Option<u32>| page.map(|page| format!("p. {page}: ")).unwrap_or_default();
    match &cell.review {
        Some(review) => {
            let _ = writeln!(out, "Decision: {} {}", review.status.name().replace('_', " "), review.note);
            for pinned in &review.passages {
                let told = pinned.source.as_ref().and_then(SourceNow::told);
                let told = told.map(|told| format!(" ({told})")).unwrap_or_default();
                let quote = one_line(&pinned.quote, QUOTE);
                let _ = writeln!(out, "  pinned {}{quote}{told}", page(pinned.page));
            }
        }
        None => out.push_str("Decision: open\n"),
    }
    out += &told_by_programs(&cell.programs);
    if !cell.claims.is_empty() {
        out.push_str("The report's own index:\n");
    }
    for claim in &cell.claims {
        let _ = writeln!(out, "  {}", one_line(&claim.told(), CLAIM));
    }
    let Some(proposal) = &cell.proposal else {
        out.push_str("No proposal yet.\n");
        return out;
    };
    let found = proposal.items.iter().filter(|item| !item.evidence.is_empty()).count();
    let _ = match (proposal.state, found) {
        (ProposalState::Nothing, _) => writeln!(out, "Proposal: nothing found"),
        (_, 0) => writeln!(out, "Proposal: figures that it asks for"),
        _ => writeln!(out, "Proposal: evidence for {found} of {} items", proposal.items.len()),
    };
    if let Some(rate) = proposal.error_rate {
        let _ = writeln!(out, "  of proposals like this, {:.0} in 100 are wrong", rate * 100.0);
    }
    if let Some(language) = &proposal.unmatched {
        let _ = writeln!(out, "  {}", not_matched(language));
    }
    for (number, passage) in proposal.evidence.iter().enumerate() {
        let _ = writeln!(out, "  {} {}{}", number + 1, page(passage.page), one_line(&passage.quote, QUOTE));
    }
    for passage in &proposal.nearest {
        let _ =
            writeln!(out, "  nearest, not used: {}{}", page(passage.page), one_line(&passage.quote, QUOTE));
    }
    for figure in &proposal.figures {
        let names = figure.label.join(" › ");
        let unit = figure.unit.as_deref().unwrap_or_default();
        let _ = writeln!(out, "  figure {}{names} {} {unit}", page(figure.page), figure.printed);
    }
    out
}

async fn decide(session: &Session, mut decision: Decide, pin: bool) -> Outcome {
    if pin {
        let [requirement] = decision.requirements.as_slice() else {
            return Err(ApiError::invalid("--pin accepts one requirement at a time"));
        };
        let (id, requirement, report_id) = (decision.id, requirement.clone(), decision.report_id.clone());
        let cell = session.call::<list::AssessCell>(CellQuery { id, requirement, report_id }).await?;
        let evidence = cell.proposal.map(|proposal| proposal.evidence).unwrap_or_default();
        decision.passages = Some(evidence.into_iter().map(|passage| passage.pin).collect());
    }
    let cells = session.call::<list::AssessDecide>(decision).await?;
    print(&session.common, &cells, |cells| format!("{} decided.\n", cells.len()))
}
