//! `sibyl eval`.

use super::followed::followed;
use super::{End, Outcome, print, run};
use crate::arguments::{Common, Eval, EvalKind};
use crate::output::{list, say, table, tell, text};
use crate::session::Session;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;

pub async fn evaluate(common: &Common, words: Eval) -> Outcome {
    let words = match words {
        Eval { beir: Some(EvalKind::Answers { path, generator, misses }), .. } => {
            return answers(&Session::open(common).await?, path, generator, misses).await;
        }
        Eval { beir: Some(EvalKind::Matrix(matrix)), .. } => {
            return super::matrix::matrix(&Session::open(common).await?, matrix).await;
        }
        Eval {
            beir:
                Some(
                    kind @ (EvalKind::Runs { .. }
                    | EvalKind::Compare { .. }
                    | EvalKind::Export { .. }
                    | EvalKind::Import { .. }
                    | EvalKind::Delete { .. }),
                ),
            ..
        } => return run::runs(&Session::open_as_it_is(common).await?, kind).await,
        words => words,
    };
    let junit = match &words.beir {
        Some(EvalKind::Beir { options, .. }) => options.junit.clone(),
        _ => words.options.junit.clone(),
    };
    let (name, request) = match (words.beir, words.gold) {
        (Some(EvalKind::Beir { folder, split, scratch, options }), _) => {
            let mut request = options.to_json();
            request["folder"] = json!(folder);
            request["split"] = json!(split);
            request["scratch"] = json!(scratch);
            ("eval.beir", request)
        }
        (None, Some(path)) => {
            let mut request = words.options.to_json();
            request["path"] = json!(path);
            ("eval.gold", request)
        }
        (Some(_), _) | (None, None) => {
            return Err(sibyl_api::ApiError::invalid("eval needs a file of judged queries or `beir FOLDER`"));
        }
    };
    let session = if name == "eval.gold" {
        Session::open(common).await?
    } else {
        Session::open_as_it_is(common).await?
    };
    let answer = followed(&session, name, request, INTERRUPTED).await?;
    if common.json {
        print(common, &together(&answer), describe);
    } else {
        print(common, &answer["evaluation"], describe);
        if answer["comparison"].is_object() {
            say(&run::compared(&answer["comparison"]));
        }
    }
    if let Some(path) = junit {
        std::fs::write(&path, report(&answer["checks"])).map_err(|error| {
            sibyl_api::ApiError::new("io", format!("{} cannot be written: {error}", path.display()))
        })?;
    }
    for kept in list(&answer, "runs") {
        tell(format_args!("kept as run {}: {}", kept["id"], text(kept, "name")));
    }
    let failed = |check: &&Value| check["passed"] == false;
    let missed: Vec<&Value> = list(&answer, "checks").iter().filter(failed).collect();
    for check in &missed {
        tell(format_args!("failed: {}: {}", text(check, "name"), text(check, "message")));
    }
    Ok(if missed.is_empty() { End::Done } else { End::Below })
}

/// The evaluation with what came of it: its checks, the comparison with an earlier run, and the runs that were kept.
fn together(answer: &Value) -> Value {
    let mut told = answer["evaluation"].clone();
    for part in ["checks", "comparison", "runs"] {
        told[part] = answer[part].clone();
    }
    told
}

/// The checks as JUnit XML.
fn report(checks: &Value) -> String {
    let checks = checks.as_array().map(Vec::as_slice).unwrap_or_default();
    let failures = checks.iter().filter(|check| check["passed"] == false).count();
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"sibyl eval\" tests=\"{}\" \
         failures=\"{failures}\">\n",
        checks.len()
    );
    for check in checks {
        let (name, message) = (escaped(text(check, "name")), escaped(text(check, "message")));
        // Writing to a String cannot fail.
        let _ = if check["passed"] == false {
            writeln!(
                out,
                "  <testcase classname=\"sibyl.eval\" name=\"{name}\"><failure message=\"{message}\"/></testcase>"
            )
        } else {
            writeln!(
                out,
                "  <testcase classname=\"sibyl.eval\" name=\"{name}\"><system-out>{message}</system-out></testcase>"
            )
        };
    }
    out + "</testsuite>\n"
}

fn escaped(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            other => out.push(other),
        }
    }
    out
}

const INTERRUPTED: &str = "stopped before anything was measured; the vectors made so far are kept in the library or in the \
                           --scratch folder, so that the same command continues from there";

const MODES: [&str; 3] = ["keyword", "semantic", "hybrid"];

fn describe(evaluation: &Value) -> String {
    let mut out = section("all queries", &evaluation["measures"]);
    for (kind, measures) in evaluation["by_type"].as_object().into_iter().flatten() {
        // Writing to a String cannot fail.
        let _ = write!(out, "\n{}", section(kind, measures));
    }
    for notice in evaluation["notices"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        let _ = writeln!(out, "note: {notice}");
    }
    let _ = writeln!(out, "configuration {}", evaluation["config_hash"].as_str().unwrap_or_default());
    out
}

fn section(name: &str, measures: &Value) -> String {
    let modes: Vec<&str> = MODES.into_iter().filter(|mode| measures[mode].is_object()).collect();
    let names: BTreeSet<&String> =
        modes.iter().filter_map(|mode| measures[mode].as_object()).flat_map(|of| of.keys()).collect();
    let rows: Vec<Vec<String>> = names
        .into_iter()
        .map(|measure| {
            // Shares have four places; tokens and milliseconds one.
            let places =
                if ["tokens", "latency"].iter().any(|name| measure.starts_with(name)) { 1 } else { 4 };
            let score = |mode: &&str| {
                measures[mode][measure].as_f64().map_or(String::new(), |score| format!("{score:.places$}"))
            };
            std::iter::once(measure.clone()).chain(modes.iter().map(score)).collect()
        })
        .collect();
    let header: Vec<&str> = std::iter::once(name).chain(modes).collect();
    table(&header, &[1, 2, 3], &rows)
}

/// Measures answers.
async fn answers(session: &Session, path: PathBuf, generator: Option<String>, misses: bool) -> Outcome {
    let request = json!({ "path": path, "ask": { "generator": generator } });
    let measures = session.call("eval.answers", request).await?;
    print(&session.common, &measures, |measures| described(measures, misses));
    Ok(End::Done)
}

fn described(measures: &Value, misses: bool) -> String {
    let share = |of: &Value, part: &str, whole: &str| {
        let [part, whole] = [part, whole].map(|name| of[name].as_u64().unwrap_or_default());
        if whole == 0 {
            "–".to_owned()
        } else {
            format!("{part}/{whole} = {:.3}", part as f64 / whole as f64)
        }
    };
    let row = |name: &str, of: &Value| {
        vec![
            name.to_owned(),
            share(of, "answered_right", "answerable"),
            share(of, "evidence_right", "answerable"),
            share(of, "refused", "answerable"),
            share(of, "not_found_right", "unanswerable"),
        ]
    };
    let mut rows = vec![row("all", &measures["all"])];
    rows.extend(measures["by_type"].as_object().into_iter().flatten().map(|(name, of)| row(name, of)));
    let mut out =
        table(&["type", "answered right", "evidence right", "refused", "not found right"], &[], &rows);
    // Writing to a String cannot fail.
    let _ = writeln!(
        out,
        "sentences verified: {}; time p50 {:.0} ms, p95 {:.0} ms",
        share(measures, "verified", "sentences"),
        measures["p50_ms"].as_f64().unwrap_or_default(),
        measures["p95_ms"].as_f64().unwrap_or_default()
    );
    for miss in measures["misses"].as_array().into_iter().flatten().filter(|_| misses) {
        let text = |name: &str| miss[name].as_str().unwrap_or_default();
        let what: Vec<&str> =
            miss["misses"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let _ = writeln!(
            out,
            "\n{} {}: {}\n    {}",
            text("id"),
            what.join(", "),
            text("question"),
            text("answer").replace('\n', "\n    ")
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_become_test_cases() {
        let checks = json!([
            { "name": "hybrid:recall@5=0.9", "passed": true, "message": "reached" },
            { "name": "rr against \"old\"", "passed": false, "message": "a < b & c" },
        ]);
        let xml = report(&checks);
        assert!(xml.contains("tests=\"2\" failures=\"1\""), "{xml}");
        let failed = "name=\"rr against &quot;old&quot;\"><failure message=\"a &lt; b &amp; c\"/>";
        assert!(xml.contains(failed), "{xml}");
        assert!(xml.contains("name=\"hybrid:recall@5=0.9\"><system-out>reached<"), "{xml}");
    }
}
