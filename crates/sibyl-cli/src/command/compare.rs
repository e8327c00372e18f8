//! `sibyl assess compare`: what changed from one report to another.

use super::{Outcome, print};
use crate::output::{one_line, table};
use crate::session::Session;
use sibyl_api::command::assess::{AssessCompare, CompareQuery};
use sibyl_api::{
    ApiError, ChangeKind, ComparedAs, ComparedPassage, FigureAgreement, ReportComparison, RequirementChange,
};
use std::fmt::Write as _;

/// Characters shown of a label.
const LABEL: usize = 60;

pub async fn compare(session: &Session, asked: CompareQuery, requirement: Option<&str>) -> Outcome {
    let id = asked.id;
    let mut found = session.call::<AssessCompare>(asked).await?;
    if let Some(requirement) = requirement {
        let rows = &found.rows;
        found.changes.retain(|change| rows[change.row].id.as_deref() == Some(requirement));
        if found.changes.is_empty() {
            return Err(ApiError::invalid(format!(
                "`{requirement}` is not in scope for both reports; `sibyl assess show {id}` lists what is"
            )));
        }
        return print(&session.common, &found, passages);
    }
    print(&session.common, &found, |found| overview(id, found))
}

/// With reports of two issuers, nothing changed: only one of them says something.
const fn name_of(kind: ChangeKind, compared_as: ComparedAs) -> &'static str {
    match (kind, compared_as) {
        (ChangeKind::New, ComparedAs::Issuers) => "second only",
        (ChangeKind::Gone, ComparedAs::Issuers) => "first only",
        (ChangeKind::Reworded, ComparedAs::Issuers) => "other words",
        (kind, _) => changed(kind),
    }
}

const fn changed(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::New => "new",
        ChangeKind::Gone => "gone",
        ChangeKind::Different => "different",
        ChangeKind::Reworded => "reworded",
        ChangeKind::Moved => "moved",
        ChangeKind::Restated => "restated",
        ChangeKind::Same => "same",
        ChangeKind::None => "nothing in either",
        ChangeKind::Waiting => "not compared",
    }
}

fn page(passage: Option<&ComparedPassage>) -> String {
    let page = passage.and_then(|passage| passage.page);
    page.map(|page| format!("p. {page}")).unwrap_or_default()
}

fn decisions(change: &RequirementChange) -> String {
    let earlier = change.earlier.name().replace('_', " ");
    if change.carried {
        return format!("{earlier} → {earlier}?");
    }
    format!("{earlier} → {}", change.later.name().replace('_', " "))
}

fn overview(id: i64, found: &ReportComparison) -> String {
    let (earlier, later) = (found.earlier.report_id.as_str(), found.later.report_id.as_str());
    let said = found.changes.iter().filter(|change| change.kind != ChangeKind::None || change.carried);
    let rows = said.map(|change| {
        let row = &found.rows[change.row];
        let pair = change.pairs.first();
        vec![
            row.id.clone().unwrap_or_default(),
            one_line(&row.label, LABEL),
            name_of(change.kind, found.compared_as).to_owned(),
            page(pair.and_then(|pair| pair.earlier.as_ref())),
            page(pair.and_then(|pair| pair.later.as_ref())),
            decisions(change),
        ]
    });
    let mut out = table(&["requirement", "title", "change", earlier, later, "decisions"], &[], rows);
    let kinds = [
        ChangeKind::New,
        ChangeKind::Gone,
        ChangeKind::Different,
        ChangeKind::Reworded,
        ChangeKind::Moved,
        ChangeKind::Restated,
        ChangeKind::Same,
        ChangeKind::None,
        ChangeKind::Waiting,
    ];
    let counts = kinds.iter().filter_map(|kind| {
        let count = found.changes.iter().filter(|change| change.kind == *kind).count();
        (count > 0).then(|| format!("{} {count}", name_of(*kind, found.compared_as)))
    });
    let what = match found.compared_as {
        ComparedAs::Years => "Two years",
        ComparedAs::Versions => "Two versions",
        ComparedAs::Issuers => "Two issuers",
    };
    let _ = writeln!(out, "{what}: {}", counts.collect::<Vec<_>>().join(", "));
    if found.changes.iter().any(|change| change.carried) {
        out.push_str("? carried over from the earlier report, to confirm\n");
    }
    if found.waiting > 0 {
        let _ = writeln!(
            out,
            "{} proposals are missing or out of date and not compared: sibyl assess run {id}",
            found.waiting
        );
    }
    out
}

/// What both reports say about one requirement, with the words that only one has in brackets.
fn passages(found: &ReportComparison) -> String {
    let mut out = String::new();
    for change in &found.changes {
        let row = &found.rows[change.row];
        let id = row.id.as_deref().unwrap_or_default();
        let _ = writeln!(
            out,
            "{id}  {}: {}, {}",
            row.label,
            name_of(change.kind, found.compared_as),
            decisions(change)
        );
        for pair in &change.pairs {
            let _ = writeln!(out, "\n{}", name_of(pair.kind, found.compared_as));
            for (report, passage) in [(&found.earlier, &pair.earlier), (&found.later, &pair.later)] {
                let Some(passage) = passage else { continue };
                let words = passage.words.iter().map(|part| match part.changed {
                    true => format!("[{}]", part.text),
                    false => part.text.clone(),
                });
                let words = words.collect::<Vec<_>>().join(" ");
                let _ = writeln!(out, "  {} {}: {words}", report.report_id, page(Some(passage)));
            }
        }
        for figure in &change.figures {
            let printed = [&figure.earlier, &figure.again, &figure.later]
                .map(|one| one.as_ref().map_or("–", |one| one.printed.as_str()));
            let restated = match figure.agreement {
                Some(FigureAgreement::Differs) => " (restated)",
                _ => "",
            };
            let _ = writeln!(out, "  {}: {}{restated}", figure.names.join(" › "), printed.join(", "));
        }
        if let Some(nearest) = &change.nearest {
            let words: Vec<&str> = nearest.words.iter().map(|part| part.text.as_str()).collect();
            let _ = writeln!(out, "  nearest, not used: {} {}", page(Some(nearest)), words.join(" "));
        }
    }
    out
}
