//! Runs that were kept: `sibyl eval runs`, `compare`, `export`, `import` and `delete`.

use super::{End, Outcome, print};
use crate::arguments::{EvalKind, Family};
use crate::output::{list, number, table, text};
use crate::session::Session;
use serde_json::{Value, json};

/// Measures that a list of runs shows.
const SHOWN: [&str; 5] = ["ndcg@10", "recall@5", "rr", "judged@10", "latency_ms"];

/// Digits of a configuration's hash that a list of runs shows.
const HASH_DIGITS: usize = 8;

/// Runs `kind`, where it is about runs that were kept.
pub async fn runs(session: &Session, kind: EvalKind) -> Outcome {
    match kind {
        EvalKind::Runs { set } => {
            let runs = session.call("eval.runs", json!({ "set": set })).await?;
            print(&session.common, &runs, listed);
        }
        EvalKind::Compare { baseline, candidates, measures, test, correct_for } => {
            let baseline = id(session, &baseline).await?;
            let mut ids = Vec::with_capacity(candidates.len());
            for candidate in &candidates {
                ids.push(id(session, candidate).await?);
            }
            let beside = (correct_for == Family::Named).then_some(&ids);
            let mut comparisons = Vec::with_capacity(candidates.len());
            for candidate in &ids {
                let input = json!({
                    "baseline": baseline, "candidate": candidate,
                    "measures": measures, "test": test.name(), "beside": beside,
                });
                comparisons.push(session.call("eval.compare", input).await?);
            }
            match comparisons.as_slice() {
                [comparison] => print(&session.common, comparison, compared),
                _ => print(&session.common, &json!(comparisons), |all| {
                    let all = all.as_array().into_iter().flatten();
                    all.map(|one| format!("{}\n{}\n", text(one, "candidate.name"), compared(one))).collect()
                }),
            }
        }
        EvalKind::Export { run } => {
            let exported = session.call("eval.run_export", json!({ "id": id(session, &run).await? })).await?;
            print(&session.common, &exported, |exported| text(exported, "text").to_owned());
        }
        EvalKind::Import { path, set, name, strict } => {
            let input = json!({ "path": path, "set": set, "name": name, "strict": strict });
            let imported = session.call("eval.run_import", input).await?;
            print(&session.common, &imported, |imported| {
                format!("{}{}", listed(&json!([imported["run"]])), super::gold::notes(imported))
            });
        }
        EvalKind::Delete { run } => {
            let done = session.call("eval.run_delete", json!({ "id": id(session, &run).await? })).await?;
            print(&session.common, &done, |_| format!("deleted the run {run}\n"));
        }
        EvalKind::Answers { .. } | EvalKind::Beir { .. } | EvalKind::Matrix(_) => {}
    }
    Ok(End::Done)
}

async fn id(session: &Session, name: &str) -> Result<Value, sibyl_api::ApiError> {
    Ok(session.call("eval.run_find", json!({ "name": name })).await?["id"].clone())
}

fn listed(runs: &Value) -> String {
    let row = |run: &Value| {
        let mut row =
            vec![number(run, "id").to_string(), text(run, "name").to_owned(), text(run, "set").to_owned()];
        row.extend(
            SHOWN.map(|name| run["measures"][name].as_f64().map_or(String::new(), |it| format!("{it:.4}"))),
        );
        row.push(text(run, "config_hash").chars().take(HASH_DIGITS).collect());
        row.push(text(run, "at").to_owned());
        row
    };
    let rows: Vec<Vec<String>> = runs.as_array().into_iter().flatten().map(row).collect();
    let header: Vec<&str> =
        ["", "run", "gold set"].into_iter().chain(SHOWN).chain(["configuration", "made"]).collect();
    table(&header, &[0, 3, 4, 5, 6, 7], &rows)
}

/// The first measure of a comparison over the queries of each type, where there are several types.
fn by_type(comparison: &Value) -> String {
    let measure = list(comparison, "measures").first().map_or("", |one| text(one, "measure"));
    let types = list(comparison, "by_type").iter().filter(|one| text(one, "measure") == measure);
    let row = |one: &Value| {
        let bound = |at: usize| one["interval"][at].as_f64().unwrap_or_default();
        vec![
            text(one, "type").to_owned(),
            number(one, "queries").to_string(),
            format!("{:.4}", number(one, "baseline")),
            format!("{:.4}", number(one, "candidate")),
            format!("{:+.4} … {:+.4}", bound(0), bound(1)),
            ["wins", "ties", "losses"].map(|field| number(one, field).to_string()).join(" / "),
        ]
    };
    let rows: Vec<Vec<String>> = types.map(row).collect();
    if rows.len() < 2 {
        return String::new();
    }
    let name = format!("{measure} by type");
    let header = [&*name, "queries", "before", "after", "95% interval", "win / tie / loss"];
    format!("\n{}", table(&header, &[1, 2, 3, 4], &rows))
}

/// What p-values are corrected for; nothing where there is one alone.
fn correction(comparison: &Value) -> String {
    let (tests, comparisons) = (number(comparison, "tests"), list(comparison, "beside").len() + 1);
    let for_what = match comparisons {
        _ if tests < 2.0 => return String::new(),
        1 => format!("the {tests} measures of just this comparison"),
        _ => format!("{comparisons} comparisons with the baseline, {tests} tests in all"),
    };
    format!("p-values are corrected by Holm's method for {for_what}\n")
}

/// A comparison as text.
pub fn compared(comparison: &Value) -> String {
    let row = |one: &Value| {
        let value = |field: &str| format!("{:.4}", number(one, field));
        let bound = |at: usize| one["interval"][at].as_f64().unwrap_or_default();
        vec![
            text(one, "measure").to_owned(),
            value("baseline"),
            value("candidate"),
            format!("{:+.4}", number(one, "difference")),
            format!("{:+.4} … {:+.4}", bound(0), bound(1)),
            value("p_value"),
            value("corrected"),
            ["wins", "ties", "losses"].map(|field| number(one, field).to_string()).join(" / "),
            if one["significant"] == true { "significant" } else { "not significant" }.to_owned(),
        ]
    };
    let rows: Vec<Vec<String>> = list(comparison, "measures").iter().map(row).collect();
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
    let mut out = table(&header, &[1, 2, 3, 4, 5, 6], &rows);
    out += &by_type(comparison);
    out += &correction(comparison);
    for notice in list(comparison, "notices").iter().filter_map(Value::as_str) {
        out += &format!("note: {notice}\n");
    }
    out
}
