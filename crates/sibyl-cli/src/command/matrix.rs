//! `sibyl eval matrix`.

use super::followed::followed;
use super::{End, Outcome, print, settings};
use crate::arguments::{Matrix, MatrixSearch, NOW};
use crate::output::{list, number, table, tell, text};
use crate::session::Session;
use serde_json::{Value, json};
use sibyl_api::ApiError;
use std::collections::BTreeSet;
use std::fmt::Write as _;

const INTERRUPTED: &str = "stopped; the combinations that were run are kept, and so are the vectors made so far: the same \
                           command continues from there";

/// Says what a matrix costs and runs what is missing of it.
pub async fn matrix(session: &Session, words: Matrix) -> Outcome {
    let (dry_run, yes) = (words.dry_run, words.yes);
    let plan = plan(session, words).await?;
    let before = session.call("eval.matrix", plan.clone()).await?;
    for line in costs(&before, &plan) {
        tell(format_args!("{line}"));
    }
    let missing = list(&before, "cells").iter().any(|cell| cell["run"].is_null());
    if dry_run || !missing {
        print(&session.common, &before, |found| shown(found, &plan));
        return Ok(End::Done);
    }
    if let Some(charge) = charge(&before).filter(|_| !yes) {
        return Err(ApiError::invalid(format!(
            "nothing was run: {charge}; add --yes to accept that, or leave out the remote models"
        )));
    }
    let found = followed(session, "eval.matrix_run", json!({ "plan": plan }), INTERRUPTED).await?;
    print(&session.common, &found, |found| shown(found, &plan));
    Ok(End::Done)
}

/// What providers may charge for the cells that are missing; nothing where all of it is free.
fn charge(found: &Value) -> Option<String> {
    let model =
        found["cost_usd"].as_f64().map(|cost| format!("the model's provider may charge up to ${cost:.4}"));
    let reranker = match reranked(found) {
        0 => None,
        1 => Some("the reranker's provider may charge for 1 query".to_owned()),
        count => Some(format!("the reranker's provider may charge for {count} queries")),
    };
    let parts: Vec<String> = [model, reranker].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(", and "))
}

/// Queries that a remote reranker reads for the cells that are missing.
fn reranked(found: &Value) -> u64 {
    let missing = list(found, "cells").iter().filter(|cell| cell["run"].is_null());
    missing.filter_map(|cell| cell["reranked"].as_u64()).sum()
}

async fn plan(session: &Session, words: Matrix) -> Result<Value, ApiError> {
    let rows = words.cuts.iter().map(|cut| row(cut)).collect::<Result<Vec<Value>, _>>()?;
    let models = if words.models.is_empty() {
        vec![None]
    } else {
        let known = session.call("model.list", json!({})).await?;
        words.models.iter().map(|name| model(&known, name).map(Some)).collect::<Result<_, _>>()?
    };
    let mut columns = Vec::new();
    for search in words.searches {
        for model in &models {
            let column = match model {
                Some((name, space)) if search != MatrixSearch::Keyword => {
                    json!({ "name": format!("{} · {name}", search.name()), "search": search.to_json(Some(space)) })
                }
                _ => json!({ "name": search.name(), "search": search.to_json(None) }),
            };
            if !columns.contains(&column) {
                columns.push(column);
            }
        }
    }
    Ok(json!({
        "set": words.set, "corpora": words.corpora, "rows": rows, "columns": columns, "measure": words.measure,
    }))
}

/// A way of chunking: `now`, or a strategy with values for its parameters.
fn row(cut: &str) -> Result<Value, ApiError> {
    if cut == NOW {
        return Ok(json!({ "name": cut }));
    }
    let (strategy, values) = cut.split_once(':').unwrap_or((cut, ""));
    let pairs: Vec<String> = values.split(',').filter(|pair| !pair.is_empty()).map(str::to_owned).collect();
    Ok(json!({ "name": cut, "strategy": strategy, "settings": settings(&pairs)? }))
}

/// Name and space of the model in use that is called `name`.
fn model(known: &Value, name: &str) -> Result<(String, String), ApiError> {
    let served = || known.as_array().into_iter().flatten().filter(|model| model["served"] == true);
    let called = |model: &&Value| text(model, "space_id") == name || text(model, "space.model") == name;
    let Some(model) = served().find(called) else {
        let names: Vec<&str> = served().map(|model| text(model, "space.model")).collect();
        return Err(ApiError::invalid(format!(
            "no model in use is called `{name}`; those in use are {}",
            names.join(", ")
        )));
    };
    Ok((text(model, "space.model").to_owned(), text(model, "space_id").to_owned()))
}

/// What is still to be embedded, by row and model.
fn costs(found: &Value, plan: &Value) -> Vec<String> {
    let mut wanted: BTreeSet<(u64, &str)> = BTreeSet::new();
    for cell in list(found, "cells").iter().filter(|cell| cell["run"].is_null()) {
        if let (Some(row), Some(space)) = (cell["place"]["row"].as_u64(), cell["space"].as_str()) {
            wanted.insert((row, space));
        }
    }
    let mut lines = Vec::new();
    for (row, space) in wanted {
        let models = usize::try_from(row).map_or(&[][..], |row| list(&found["rows"][row], "models"));
        let Some(model) = models.iter().find(|model| text(model, "space") == space) else { continue };
        let cost = model["cost_usd"].as_f64().map(|cost| format!(", at most ${cost:.4}")).unwrap_or_default();
        let name = usize::try_from(row).map_or("", |row| text(&plan["rows"][row], "name"));
        lines.push(format!(
            "{name}, {}: {} texts to embed, {} tokens{cost}",
            text(model, "model"),
            number(model, "new_texts"),
            number(model, "new_tokens")
        ));
    }
    match reranked(found) {
        0 => {}
        1 => lines.push("1 query to rerank with a remote model".to_owned()),
        count => lines.push(format!("{count} queries to rerank with a remote model")),
    }
    lines
}

/// The share of the first results of a cell that somebody has judged.
fn judged(cell: &Value) -> Option<f64> {
    let measures = cell["run"]["measures"].as_object()?;
    measures.iter().find(|(name, _)| name.starts_with("judged@"))?.1.as_f64()
}

fn shown(found: &Value, plan: &Value) -> String {
    let columns: Vec<&str> = list(plan, "columns").iter().map(|column| text(column, "name")).collect();
    let mut rows: Vec<Vec<String>> = list(plan, "rows")
        .iter()
        .zip(list(found, "rows"))
        .map(|(row, cost)| vec![text(row, "name").to_owned(), number(cost, "chunks").to_string()])
        .collect();
    for cell in list(found, "cells") {
        let row = cell["place"]["row"].as_u64().and_then(|row| rows.get_mut(usize::try_from(row).ok()?));
        let value = cell["value"].as_f64().map_or_else(
            || "–".to_owned(),
            |value| match judged(cell) {
                Some(share) => format!("{value:.4} ({:.0}% judged)", 100.0 * share),
                None => format!("{value:.4}"),
            },
        );
        row.into_iter().for_each(|row| row.push(value.clone()));
    }
    let header: Vec<&str> =
        [text(found, "measure"), "chunks"].into_iter().chain(columns.iter().copied()).collect();
    let right: Vec<usize> = (1..header.len()).collect();
    let mut out = table(&header, &right, &rows);
    out += &best(found, plan);
    out
}

/// What a cell is called.
fn cell_name(plan: &Value, place: &Value) -> String {
    let at = |axis: &str, names: &str| {
        let at = place[axis].as_u64().and_then(|at| usize::try_from(at).ok())?;
        Some(text(list(plan, names).get(at)?, "name").to_owned())
    };
    let [row, column] = [at("row", "rows"), at("column", "columns")].map(Option::unwrap_or_default);
    format!("{row} × {column}")
}

/// The best cell, and whether chance explains that; nothing where none was run.
fn best(found: &Value, plan: &Value) -> String {
    let Some(best) = list(found, "cells").iter().find(|cell| cell["place"] == found["best"]) else {
        return String::new();
    };
    let mut out = format!("best: {}, {:.4}", cell_name(plan, &best["place"]), number(best, "value"));
    let verdict = &found["verdict"];
    // Writing to a String cannot fail.
    if let [Some(low), Some(high)] = [0, 1].map(|end| best["interval"][end].as_f64()) {
        let _ = write!(out, " (95% interval {low:.4} to {high:.4}");
        out += if verdict.is_object() { ", not corrected for picking the best)" } else { ")" };
    }
    out.push('\n');
    if verdict.is_object() {
        let count = number(verdict, "comparisons");
        let _ = writeln!(
            out,
            "{} better than {}, corrected by Holm's method for {count} comparison{}: difference {:+.4}, p = {:.4}",
            if verdict["significant"] == true { "significantly" } else { "not significantly" },
            cell_name(plan, &verdict["against"]),
            if count > 1.0 { "s" } else { "" },
            number(verdict, "difference"),
            number(verdict, "corrected"),
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_of_chunking_is_a_strategy_with_its_values() {
        assert_eq!(row("now").unwrap(), json!({ "name": "now" }));
        assert_eq!(
            row("recursive:chunk_size=800,chunk_overlap=80").unwrap()["settings"],
            json!({ "chunk_size": 800, "chunk_overlap": 80 })
        );
        assert_eq!(row("docs").unwrap()["strategy"], "docs");
        assert!(row("recursive:chunk_size").is_err());
    }

    #[test]
    fn a_model_is_one_in_use_by_name_or_space() {
        let known = json!([
            { "space_id": "a1", "served": true, "space": { "model": "small" } },
            { "space_id": "b2", "served": false, "space": { "model": "gone" } },
        ]);
        let small = ("small".to_owned(), "a1".to_owned());
        assert_eq!(model(&known, "small").unwrap(), small);
        assert_eq!(model(&known, "a1").unwrap(), small);
        assert!(model(&known, "gone").unwrap_err().message.contains("small"));
    }
}
