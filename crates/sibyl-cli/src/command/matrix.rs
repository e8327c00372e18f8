//! `sibyl eval matrix`.

use super::followed::followed;
use super::{Outcome, print, settings};
use crate::arguments::{Matrix as Words, MatrixSearch, NOW};
use crate::output::{table, tell};
use crate::session::Session;
use serde_json::Map;
use sibyl_api::command::Nothing;
use sibyl_api::command::run::{EvalMatrix, EvalMatrixRun};
use sibyl_api::command::settings::{ModelList, ModelView};
use sibyl_api::{ApiError, CellPlace, Matrix, MatrixCell, MatrixColumn, MatrixPlan, MatrixRow, MatrixRun};
use std::collections::BTreeSet;
use std::fmt::Write as _;

const INTERRUPTED: &str = "stopped; the combinations that were run are kept, and so are the vectors made so far: the same \
                           command continues from there";

/// Says what a matrix costs and runs its missing cells.
pub async fn matrix(session: &Session, words: Words) -> Outcome {
    let (dry_run, yes) = (words.dry_run, words.yes);
    let plan = plan(session, words).await?;
    let before = session.call::<EvalMatrix>(plan.clone()).await?;
    for line in costs(&before, &plan) {
        tell(format_args!("{line}"));
    }
    if dry_run || missing(&before).next().is_none() {
        return print(&session.common, &before, |found| shown(found, &plan));
    }
    if let Some(charge) = charge(&before).filter(|_| !yes) {
        return Err(ApiError::invalid(format!(
            "nothing was run: {charge}; add --yes to accept that, or leave out the remote models"
        )));
    }
    let missing = MatrixRun { cells: Vec::new(), plan: plan.clone() };
    let found = followed::<EvalMatrixRun>(session, missing, INTERRUPTED).await?;
    print(&session.common, &found, |found| shown(found, &plan))
}

/// The cells that were not run.
fn missing(found: &Matrix) -> impl Iterator<Item = &MatrixCell> {
    found.cells.iter().filter(|cell| cell.run.is_none())
}

/// What providers may charge for the missing cells; nothing if all of them are free.
fn charge(found: &Matrix) -> Option<String> {
    let model = found.cost_usd.map(|cost| format!("the model's provider may charge up to ${cost:.4}"));
    let reranker = match reranked(found) {
        0 => None,
        1 => Some("the reranker's provider may charge for 1 query".to_owned()),
        count => Some(format!("the reranker's provider may charge for {count} queries")),
    };
    let parts: Vec<String> = [model, reranker].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(", and "))
}

/// Queries that a remote reranker reads for the missing cells.
fn reranked(found: &Matrix) -> usize {
    missing(found).map(|cell| cell.reranked).sum()
}

async fn plan(session: &Session, words: Words) -> Result<MatrixPlan, ApiError> {
    let rows = words.cuts.iter().map(|cut| row(cut)).collect::<Result<_, _>>()?;
    let known = session.call::<ModelList>(Nothing {}).await?;
    let named = words.models.iter().map(|name| model(&known, name).map(Some));
    let mut models = named.collect::<Result<Vec<_>, _>>()?;
    if models.is_empty() {
        models.push(None);
    }
    let mut columns = Vec::new();
    for search in words.searches {
        for model in &models {
            let column = match model {
                Some(model) if search != MatrixSearch::Keyword => MatrixColumn {
                    name: format!("{} · {}", search.name(), model.space.model),
                    search: search.request(Some(&model.space_id)),
                },
                _ => MatrixColumn { name: search.name().to_owned(), search: search.request(None) },
            };
            if !columns.contains(&column) {
                columns.push(column);
            }
        }
    }
    let (set, corpora, measure) = (words.set, words.corpora, Some(words.measure));
    Ok(MatrixPlan { set, corpora, rows, columns, measures: Vec::new(), measure })
}

/// A way of chunking: `now`, or a strategy with values for its parameters.
fn row(cut: &str) -> Result<MatrixRow, ApiError> {
    let name = cut.to_owned();
    if cut == NOW {
        return Ok(MatrixRow { name, strategy: None, settings: Map::new() });
    }
    let (strategy, values) = cut.split_once(':').unwrap_or((cut, ""));
    let pairs: Vec<String> = values.split(',').filter(|pair| !pair.is_empty()).map(str::to_owned).collect();
    Ok(MatrixRow { name, strategy: Some(strategy.to_owned()), settings: settings(&pairs)? })
}

/// The model in use with the name or the space `name`.
fn model<'a>(known: &'a [ModelView], name: &str) -> Result<&'a ModelView, ApiError> {
    let served = || known.iter().filter(|model| model.served);
    served().find(|model| model.space_id == name || model.space.model == name).ok_or_else(|| {
        let names: Vec<&str> = served().map(|model| model.space.model.as_str()).collect();
        ApiError::invalid(format!(
            "no model in use is called `{name}`; those in use are {}",
            names.join(", ")
        ))
    })
}

/// What is still to be embedded, by row and model.
fn costs(found: &Matrix, plan: &MatrixPlan) -> Vec<String> {
    let wanted: BTreeSet<(usize, &str)> =
        missing(found).filter_map(|cell| Some((cell.place.row, cell.space.as_deref()?))).collect();
    let mut lines = Vec::new();
    for (row, space) in wanted {
        let models = found.rows.get(row).into_iter().flat_map(|row| &row.models);
        let Some(model) = models.into_iter().find(|model| model.space == space) else { continue };
        let cost = model.cost_usd.map(|cost| format!(", at most ${cost:.4}")).unwrap_or_default();
        lines.push(format!(
            "{}, {}: {} texts to embed, {} tokens{cost}",
            plan.rows.get(row).map_or("", |row| row.name.as_str()),
            model.model,
            model.new_texts,
            model.new_tokens
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
fn judged(cell: &MatrixCell) -> Option<f64> {
    let measures = &cell.run.as_ref()?.summary.measures;
    measures.iter().find(|(name, _)| name.starts_with("judged@")).map(|(_, share)| *share)
}

fn shown(found: &Matrix, plan: &MatrixPlan) -> String {
    let mut rows: Vec<Vec<String>> = plan
        .rows
        .iter()
        .zip(&found.rows)
        .map(|(row, cost)| vec![row.name.clone(), cost.chunks.to_string()])
        .collect();
    for cell in &found.cells {
        let value = match (cell.value, judged(cell)) {
            (None, _) => "–".to_owned(),
            (Some(value), None) => format!("{value:.4}"),
            (Some(value), Some(share)) => format!("{value:.4} ({:.0}% judged)", 100.0 * share),
        };
        rows.get_mut(cell.place.row).into_iter().for_each(|row| row.push(value.clone()));
    }
    let columns = plan.columns.iter().map(|column| column.name.as_str());
    let header: Vec<&str> = [found.measure.as_str(), "chunks"].into_iter().chain(columns).collect();
    let right: Vec<usize> = (1..header.len()).collect();
    table(&header, &right, rows) + &best(found, plan)
}

/// What a cell is called.
fn cell_name(plan: &MatrixPlan, place: CellPlace) -> String {
    let row = plan.rows.get(place.row).map_or("", |row| row.name.as_str());
    let column = plan.columns.get(place.column).map_or("", |column| column.name.as_str());
    format!("{row} × {column}")
}

/// The best cell, and whether chance explains that; nothing if none was run.
fn best(found: &Matrix, plan: &MatrixPlan) -> String {
    let Some(best) = found.cells.iter().find(|cell| Some(cell.place) == found.best) else {
        return String::new();
    };
    let mut out = format!("best: {}, {:.4}", cell_name(plan, best.place), best.value.unwrap_or_default());
    // Writing to a String cannot fail.
    if let Some((low, high)) = best.interval {
        let _ = write!(out, " (95% interval {low:.4} to {high:.4}");
        out += if found.verdict.is_some() { ", not corrected for picking the best)" } else { ")" };
    }
    out.push('\n');
    if let Some(verdict) = &found.verdict {
        let count = verdict.comparisons;
        let _ = writeln!(
            out,
            "{} better than {}, corrected by Holm's method for {count} comparison{}: difference {:+.4}, p = {:.4}",
            if verdict.significant { "significantly" } else { "not significantly" },
            cell_name(plan, verdict.against),
            if count > 1 { "s" } else { "" },
            verdict.difference,
            verdict.corrected,
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use sibyl_api::{Space, Tier};

    #[test]
    fn a_way_of_chunking_is_a_strategy_with_its_values() {
        let now = row("now").unwrap();
        assert_eq!((now.name.as_str(), now.strategy, now.settings.is_empty()), ("now", None, true));
        assert_eq!(
            json!(row("recursive:chunk_size=800,chunk_overlap=80").unwrap().settings),
            json!({ "chunk_size": 800, "chunk_overlap": 80 })
        );
        assert_eq!(row("docs").unwrap().strategy.as_deref(), Some("docs"));
        assert!(row("recursive:chunk_size").is_err());
    }

    #[test]
    fn a_model_is_one_in_use_by_name_or_space() {
        let view = |space_id: &str, served, model: &str| ModelView {
            space_id: space_id.to_owned(),
            space: Space {
                tier: Tier::Embedded,
                model: model.to_owned(),
                endpoint: String::new(),
                revision: String::new(),
                dimensions: 1,
                window: String::new(),
            },
            vectors: 0,
            served,
        };
        let known = [view("a1", true, "small"), view("b2", false, "gone")];
        assert_eq!(model(&known, "small").unwrap().space_id, "a1");
        assert_eq!(model(&known, "a1").unwrap().space.model, "small");
        assert!(model(&known, "gone").unwrap_err().message.contains("small"));
    }
}
