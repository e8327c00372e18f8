//! `sibyl eval`.

use super::{End, Outcome, print};
use crate::arguments::{Common, Eval, EvalKind, EvalOptions};
use crate::output::table;
use crate::session::Session;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write as _;

pub async fn evaluate(common: &Common, words: Eval) -> Outcome {
    let (name, request, options) = match (words.beir, words.gold) {
        (Some(EvalKind::Beir { folder, scratch, options }), _) => {
            let request = json!({ "folder": folder, "scratch": scratch, "measures": options.measures,
                "fail_below": options.fail_below });
            ("eval.beir", request, options)
        }
        (None, Some(path)) => {
            let request = json!({ "path": path, "measures": words.options.measures,
                "fail_below": words.options.fail_below });
            ("eval.gold", request, words.options)
        }
        (None, None) => {
            return Err(sibyl_api::ApiError::invalid("eval takes a file of judged queries or `beir FOLDER`"));
        }
    };
    let session = if name == "eval.gold" {
        Session::open(common).await?
    } else {
        Session::open_as_it_is(common).await?
    };
    let answer = session.call(name, request).await?;
    let evaluation = &answer["evaluation"];
    print(common, evaluation, describe);
    shortfalls(&answer, &options)
}

fn shortfalls(answer: &Value, _options: &EvalOptions) -> Outcome {
    let missed = answer["shortfalls"].as_array().cloned().unwrap_or_default();
    for shortfall in &missed {
        eprintln!("below the threshold: {}", shortfall.as_str().unwrap_or_default());
    }
    Ok(if missed.is_empty() { End::Done } else { End::Below })
}

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
    let names: BTreeSet<&String> =
        MODES.iter().filter_map(|mode| measures[mode].as_object()).flat_map(|of| of.keys()).collect();
    let rows: Vec<Vec<String>> = names
        .into_iter()
        .map(|measure| {
            let score =
                |mode: &&str| measures[mode][measure].as_f64().map_or(String::new(), |s| format!("{s:.4}"));
            std::iter::once(measure.clone()).chain(MODES.iter().map(score)).collect()
        })
        .collect();
    table(&[name, "keyword", "semantic", "hybrid"], &[1, 2, 3], &rows)
}
