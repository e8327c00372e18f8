//! `sibyl eval`.

use super::followed::followed;
use super::{End, Outcome, print, run};
use crate::arguments::{Common, Eval, EvalKind};
use crate::output::{cell, table, tell};
use crate::session::Session;
use serde::Serialize;
use sibyl_api::command::evaluate::{AnswersInput, EvalAnswers, EvalBeir, EvalCheck, EvalGold, Measured};
use sibyl_api::{
    AnswerCounts, AnswerMeasures, AskRequest, ByMode, EvalRun, Evaluation, RunComparison, Scores,
};
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
    let answer = match (words.beir, words.gold) {
        (Some(EvalKind::Beir { folder, split, scratch, options }), _) => {
            let session = Session::open_as_it_is(common).await?;
            followed::<EvalBeir>(&session, options.beir(folder, split, scratch), INTERRUPTED).await?
        }
        (None, Some(path)) => {
            let session = Session::open(common).await?;
            followed::<EvalGold>(&session, words.options.gold(path), INTERRUPTED).await?
        }
        (Some(_), _) | (None, None) => {
            return Err(sibyl_api::ApiError::invalid("eval needs a file of judged queries or `beir FOLDER`"));
        }
    };
    let Measured { evaluation, checks, runs, comparison, .. } = &answer;
    print(common, &Told { evaluation, checks, comparison, runs }, |_| {
        describe(evaluation) + &comparison.as_ref().map(run::compared).unwrap_or_default()
    })?;
    if let Some(path) = junit {
        std::fs::write(&path, report(checks)).map_err(|error| {
            sibyl_api::ApiError::new("io", format!("{} cannot be written: {error}", path.display()))
        })?;
    }
    for kept in runs {
        tell(format_args!("kept as run {}: {}", kept.id, kept.name));
    }
    let mut end = End::Done;
    for check in checks.iter().filter(|check| !check.passed) {
        tell(format_args!("failed: {}: {}", check.name, check.message));
        end = End::Below;
    }
    Ok(end)
}

/// The evaluation with its results: its checks, the comparison with an earlier run, and the kept runs.
#[derive(Serialize)]
struct Told<'a> {
    #[serde(flatten)]
    evaluation: &'a Evaluation,
    checks: &'a [EvalCheck],
    comparison: &'a Option<RunComparison>,
    runs: &'a [EvalRun],
}

/// The checks as JUnit XML.
fn report(checks: &[EvalCheck]) -> String {
    let failures = checks.iter().filter(|check| !check.passed).count();
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"sibyl eval\" tests=\"{}\" \
         failures=\"{failures}\">\n",
        checks.len()
    );
    for check in checks {
        let (name, message) = (escaped(&check.name), escaped(&check.message));
        let what = if check.passed {
            format!("<system-out>{message}</system-out>")
        } else {
            format!("<failure message=\"{message}\"/>")
        };
        // Writing to a String cannot fail.
        let _ = writeln!(out, "  <testcase classname=\"sibyl.eval\" name=\"{name}\">{what}</testcase>");
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

fn describe(evaluation: &Evaluation) -> String {
    let mut out = section("all queries", &evaluation.measures);
    for (kind, measures) in &evaluation.by_type {
        // Writing to a String cannot fail.
        let _ = write!(out, "\n{}", section(kind, measures));
    }
    for notice in &evaluation.notices {
        let _ = writeln!(out, "note: {notice}");
    }
    let _ = writeln!(out, "configuration {}", evaluation.config_hash);
    out
}

fn section(name: &str, measures: &ByMode<Scores>) -> String {
    let modes =
        [("keyword", &measures.keyword), ("semantic", &measures.semantic), ("hybrid", &measures.hybrid)];
    let modes: Vec<(&str, &Scores)> =
        modes.into_iter().filter_map(|(mode, scores)| Some((mode, scores.as_ref()?))).collect();
    let names: BTreeSet<&String> = modes.iter().flat_map(|(_, scores)| scores.keys()).collect();
    let rows = names.into_iter().map(|measure| {
        // Shares have four decimals; tokens and milliseconds have one.
        let places = if ["tokens", "latency"].iter().any(|name| measure.starts_with(name)) { 1 } else { 4 };
        let score = |(_, scores): &(&str, &Scores)| {
            scores.get(measure).map_or(String::new(), |score| format!("{score:.places$}"))
        };
        std::iter::once(measure.clone()).chain(modes.iter().map(score)).collect()
    });
    let header: Vec<&str> = std::iter::once(name).chain(modes.iter().map(|(mode, _)| *mode)).collect();
    table(&header, &[1, 2, 3], rows)
}

/// Measures answers.
async fn answers(session: &Session, path: PathBuf, generator: Option<String>, misses: bool) -> Outcome {
    let ask = AskRequest { generator, ..AskRequest::default() };
    let measures = session.call::<EvalAnswers>(AnswersInput { path, ask }).await?;
    print(&session.common, &measures, |measures| described(measures, misses))
}

fn described(measures: &AnswerMeasures, misses: bool) -> String {
    let share = |part: usize, whole: usize| match whole {
        0 => "–".to_owned(),
        _ => format!("{part}/{whole} = {:.3}", part as f64 / whole as f64),
    };
    let row = |(name, of): (&str, &AnswerCounts)| {
        vec![
            name.to_owned(),
            share(of.answered_right, of.answerable),
            share(of.evidence_right, of.answerable),
            share(of.refused, of.answerable),
            share(of.not_found_right, of.unanswerable),
        ]
    };
    let by_type = measures.by_type.iter().map(|(name, of)| (name.as_str(), of));
    let rows = std::iter::once(("all", &measures.all)).chain(by_type).map(row);
    let mut out =
        table(&["type", "answered right", "evidence right", "refused", "not found right"], &[], rows);
    // Writing to a String cannot fail.
    let _ = writeln!(
        out,
        "sentences verified: {}; time p50 {:.0} ms, p95 {:.0} ms",
        share(measures.verified, measures.sentences),
        measures.p50_ms,
        measures.p95_ms
    );
    for miss in measures.misses.iter().filter(|_| misses) {
        let answer = miss.answer.replace('\n', "\n    ");
        let misses: Vec<String> = miss.misses.iter().map(cell).collect();
        let _ = writeln!(out, "\n{} {}: {}\n    {answer}", miss.id, misses.join(", "), miss.question);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_become_test_cases() {
        let check = |name: &str, passed, message: &str| EvalCheck {
            name: name.to_owned(),
            passed,
            message: message.to_owned(),
        };
        let checks =
            [check("hybrid:recall@5=0.9", true, "reached"), check("rr against \"old\"", false, "a < b & c")];
        let xml = report(&checks);
        assert!(xml.contains("tests=\"2\" failures=\"1\""), "{xml}");
        let failed = "name=\"rr against &quot;old&quot;\"><failure message=\"a &lt; b &amp; c\"/>";
        assert!(xml.contains(failed), "{xml}");
        assert!(xml.contains("name=\"hybrid:recall@5=0.9\"><system-out>reached<"), "{xml}");
    }
}
