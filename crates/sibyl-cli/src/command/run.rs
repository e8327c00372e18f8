//! Kept runs: `sibyl eval runs`, `compare`, `export`, `import` and `delete`.

use super::{End, Outcome, gold, print};
use crate::arguments::{EvalKind, Family};
use crate::output::table;
use crate::session::Session;
use sibyl_api::command::run::{
    EvalCompare, EvalRunDelete, EvalRunExport, EvalRunFind, EvalRunId, EvalRunImport, EvalRunName, EvalRuns,
    RunsQuery,
};
use sibyl_api::{
    ApiError, CompareOptions, EvalRun, MeasureComparison, RunComparison, RunImport, TypeComparison,
};

/// Measures shown in a list of runs.
const SHOWN: [&str; 5] = ["ndcg@10", "recall@5", "rr", "judged@10", "latency_ms"];

/// Digits shown of a configuration's hash in a list of runs.
const HASH_DIGITS: usize = 8;

/// Runs `kind` if it is about kept runs.
pub async fn runs(session: &Session, kind: EvalKind) -> Outcome {
    match kind {
        EvalKind::Runs { set } => {
            let runs = session.call::<EvalRuns>(RunsQuery { set }).await?;
            print(&session.common, runs.as_slice(), listed)
        }
        EvalKind::Compare { baseline, candidates, measures, test, correct_for } => {
            let baseline = id(session, baseline).await?;
            let mut ids = Vec::with_capacity(candidates.len());
            for candidate in candidates {
                ids.push(id(session, candidate).await?);
            }
            let beside = (correct_for == Family::Named).then(|| ids.clone());
            let mut comparisons = Vec::with_capacity(ids.len());
            for candidate in ids {
                let (measures, beside) = (measures.clone(), beside.clone());
                let input = CompareOptions { baseline, candidate, measures, test, beside };
                comparisons.push(session.call::<EvalCompare>(input).await?);
            }
            match comparisons.as_slice() {
                [comparison] => print(&session.common, comparison, compared),
                all => print(&session.common, all, |all| {
                    all.iter().map(|one| format!("{}\n{}\n", one.candidate.name, compared(one))).collect()
                }),
            }
        }
        EvalKind::Export { run } => {
            let id = id(session, run).await?;
            let exported = session.call::<EvalRunExport>(EvalRunId { id }).await?;
            print(&session.common, &exported, |exported| exported.text.clone())
        }
        EvalKind::Import { path, set, name, strict } => {
            let input = RunImport { path, text: None, file: None, set, name, measures: Vec::new(), strict };
            let imported = session.call::<EvalRunImport>(input).await?;
            print(&session.common, &imported, |imported| {
                listed(std::slice::from_ref(&imported.run)) + &gold::notes(&imported.notes)
            })
        }
        EvalKind::Delete { run } => {
            let id = id(session, run.clone()).await?;
            let done = session.call::<EvalRunDelete>(EvalRunId { id }).await?;
            print(&session.common, &done, |_| format!("deleted the run {run}\n"))
        }
        EvalKind::Answers { .. } | EvalKind::Beir { .. } | EvalKind::Matrix(_) => Ok(End::Done),
    }
}

async fn id(session: &Session, name: String) -> Result<i64, ApiError> {
    Ok(session.call::<EvalRunFind>(EvalRunName { name }).await?.id)
}

fn listed(runs: &[EvalRun]) -> String {
    let rows = runs.iter().map(|run| {
        let measures = &run.summary.measures;
        let mut row = vec![run.id.to_string(), run.name.clone(), run.set.clone()];
        row.extend(SHOWN.map(|name| measures.get(name).map_or(String::new(), |it| format!("{it:.4}"))));
        row.push(run.summary.config_hash.chars().take(HASH_DIGITS).collect());
        row.push(run.at.clone());
        row
    });
    let header: Vec<&str> =
        ["", "run", "gold set"].into_iter().chain(SHOWN).chain(["configuration", "made"]).collect();
    table(&header, &[0, 3, 4, 5, 6, 7], rows)
}

/// The first measure of a comparison over the queries of each type, if there are several types.
fn by_type(comparison: &RunComparison) -> String {
    let measure = comparison.measures.first().map_or("", |one| one.measure.as_str());
    let types: Vec<&TypeComparison> =
        comparison.by_type.iter().filter(|one| one.measure == measure).collect();
    if types.len() < 2 {
        return String::new();
    }
    let rows = types.into_iter().map(|one| {
        vec![
            one.kind.clone(),
            one.queries.to_string(),
            format!("{:.4}", one.baseline),
            format!("{:.4}", one.candidate),
            interval(one.interval),
            format!("{} / {} / {}", one.wins, one.ties, one.losses),
        ]
    });
    let name = format!("{measure} by type");
    let header = [&*name, "queries", "before", "after", "95% interval", "win / tie / loss"];
    format!("\n{}", table(&header, &[1, 2, 3, 4], rows))
}

fn interval((low, high): (f64, f64)) -> String {
    format!("{low:+.4} … {high:+.4}")
}

/// What p-values are corrected for; nothing for a single one.
fn correction(comparison: &RunComparison) -> String {
    let (tests, comparisons) = (comparison.tests, comparison.beside.len() + 1);
    let for_what = match comparisons {
        _ if tests < 2 => return String::new(),
        1 => format!("the {tests} measures of just this comparison"),
        _ => format!("{comparisons} comparisons with the baseline, {tests} tests in all"),
    };
    format!("p-values are corrected by Holm's method for {for_what}\n")
}

/// A comparison as text.
pub fn compared(comparison: &RunComparison) -> String {
    let row = |one: &MeasureComparison| {
        vec![
            one.measure.clone(),
            format!("{:.4}", one.baseline),
            format!("{:.4}", one.candidate),
            format!("{:+.4}", one.difference),
            interval(one.interval),
            format!("{:.4}", one.p_value),
            format!("{:.4}", one.corrected),
            format!("{} / {} / {}", one.wins, one.ties, one.losses),
            if one.significant { "significant" } else { "not significant" }.to_owned(),
        ]
    };
    let header = [
        "measure",
        "before",
        "after",
        "difference",
        "95% interval",
        "p",
        "corrected",
        "win / tie / loss",
        "",
    ];
    let mut out = table(&header, &[1, 2, 3, 4, 5, 6], comparison.measures.iter().map(row));
    out += &by_type(comparison);
    out += &correction(comparison);
    for notice in &comparison.notices {
        out += &format!("note: {notice}\n");
    }
    out
}
