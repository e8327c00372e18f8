//! `sibyl search` and `sibyl lookup`.

use super::{End, Outcome, print};
use crate::arguments::{Lookup, Search, said};
use crate::output::{list, number, one_line, pages, read_by_ocr, table, text};
use crate::session::Session;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

pub async fn search(session: &Session, words: Search) -> Outcome {
    let mut request = if words.built_in { sibyl_api::built_in_ranking() } else { Map::new() };
    request.extend(said([
        ("query", Some(words.query.into())),
        ("top_k", Some(words.top_k.into())),
        ("mode", words.mode.map(|mode| mode.name().into())),
        ("filters", Some(words.filters.to_json())),
        ("structured", words.structured.then(|| true.into())),
        ("correct_spelling", words.no_spelling.then(|| false.into())),
        ("thesaurus", words.no_thesaurus.then(|| false.into())),
        ("counterparts", words.no_counterparts.then(|| false.into())),
        ("feedback", words.no_feedback.then(|| false.into())),
        ("dedupe", words.no_dedupe.then(|| false.into())),
        ("rerank", words.rerank.then(|| true.into())),
        ("min_relevance", words.min_relevance.map(Value::from)),
        ("space", words.space.map(Value::from)),
        ("pinned", Some(words.why_not.into())),
    ]));
    request.extend(words.fusion.said());
    let answer = session.call("search", request.into()).await?;
    print(&session.common, &answer, |answer| describe(answer, words.explain));
    Ok(End::Done)
}

pub async fn lookup(session: &Session, words: Lookup) -> Outcome {
    if words.query.is_empty() && words.paragraph_id.is_none() {
        return Err(sibyl_api::ApiError::invalid("lookup needs a query or --paragraph-id"));
    }
    let mut request = json!({ "query": words.query, "top_k": words.top_k });
    if !words.source_type.is_empty() {
        request["source_types"] = words.source_type.into();
    }
    if let Some(id) = words.paragraph_id {
        request["paragraph_id"] = id.into();
    }
    if let Some(id) = words.report_id {
        request["report_id"] = id.into();
    }
    if let Some(edition) = words.edition {
        request["edition"] = edition.into();
    }
    let answer = session.call("rag_lookup", request).await?;
    print(&session.common, &answer, |answer| {
        let mut out = format!("{}\n", text(answer, "text"));
        notes(&mut out, answer, "notices");
        out
    });
    Ok(End::Done)
}

fn describe(answer: &Value, explain: bool) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    for hit in list(answer, "results") {
        let _ = writeln!(out, "{:>3}. {}  {:.4}", number(hit, "rank"), name(hit), number(hit, "score"));
        let _ = writeln!(out, "     {}", one_line(text(hit, "passage"), 150));
        for fact in list(hit, "facts") {
            let unit = fact["unit"].as_str().map(|unit| format!(" {unit}")).unwrap_or_default();
            let anchor = fact["anchor"].as_str().map(|anchor| format!(", #{anchor}")).unwrap_or_default();
            let value = one_line(text(fact, "value"), 60);
            let (concept, period) = (text(fact, "concept"), text(fact, "period"));
            let _ = writeln!(out, "     tagged: {concept} = {value}{unit}, {period}{anchor}");
        }
        if explain {
            let parts: Vec<String> = list(hit, "contributions").iter().map(contribution).collect();
            let _ = writeln!(out, "     = {}", parts.join(" + "));
            let terms: Vec<&str> = list(hit, "matched_terms").iter().filter_map(Value::as_str).collect();
            let _ = writeln!(out, "     {}  matched: {}", text(hit, "chunk_id"), terms.join(", "));
        }
    }
    if list(answer, "results").is_empty() {
        let after = number(answer, "trace.candidates_after");
        let before = number(answer, "trace.candidates_before");
        let _ = writeln!(out, "Nothing found in {after} of {before} chunks.");
    }
    notes(&mut out, answer, "trace.notices");
    for pinned in list(answer, "trace.pinned") {
        let _ = writeln!(out, "why not {}: {}", text(pinned, "chunk_id"), text(pinned, "verdict"));
    }
    if explain {
        trace(&mut out, &answer["trace"]);
    }
    out
}

/// What a search says of itself, a line each.
fn notes(out: &mut String, answer: &Value, path: &str) {
    for notice in list(answer, path).iter().filter_map(|notice| notice["message"].as_str()) {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "note: {notice}");
    }
}

fn name(hit: &Value) -> String {
    let metadata = &hit["metadata"];
    let id = ["paragraph_id", "topic_code"].iter().map(|key| text(metadata, key)).find(|id| !id.is_empty());
    let pages = pages(hit).map(|pages| format!(", p. {pages}")).unwrap_or_default();
    let ocr = read_by_ocr(&metadata["ocr"]);
    match id {
        Some(id) => format!("{id}  {}{pages}{ocr}", text(hit, "title")),
        None => format!("{}{pages}{ocr}  {}", text(hit, "title"), text(hit, "path")),
    }
}

fn contribution(leaf: &Value) -> String {
    let raw = leaf["raw"].as_f64().map(|raw| format!(", {raw:.3}")).unwrap_or_default();
    let range = leaf["range"].as_object().map_or(String::new(), |_| {
        let end = |name: &str| leaf["range"][name].as_f64().unwrap_or_default();
        let weight = leaf["weight"].as_f64().unwrap_or_default();
        let [least, best, deviation] = ["least", "best", "deviation"].map(end);
        format!(" in {least:.3}–{best:.3}, deviation {deviation:.3}, weight {weight}")
    });
    let label = match text(leaf, "label") {
        "" => String::new(),
        label => format!(", {label}"),
    };
    format!(
        "{:.5} {} (rank {}{raw}{range}{label})",
        number(leaf, "value"),
        text(leaf, "leg"),
        number(leaf, "rank")
    )
}

fn trace(out: &mut String, trace: &Value) {
    let _ = writeln!(
        out,
        "\nfilters: {} of {} chunks",
        number(trace, "candidates_after"),
        number(trace, "candidates_before")
    );
    if let Some(model) = trace["space"]["model"].as_str() {
        let _ = writeln!(
            out,
            "semantic: {model} ({}), {} chunks have vectors, {}",
            text(trace, "tier"),
            number(trace, "covered"),
            text(trace, "semantic_path")
        );
        let _ = writeln!(out, "embedded: {}", text(trace, "embedded"));
    }
    let _ = writeln!(out, "keyword:  {}", text(trace, "query.match_expression"));
    let terms: Vec<Vec<String>> = list(trace, "query.terms")
        .iter()
        .map(|term| {
            let fate = &term["fate"];
            let to: Vec<&str> = list(fate, "to").iter().filter_map(Value::as_str).collect();
            let detail = match text(fate, "kind") {
                "corrected" => format!("corrected to {}", to.join(", ")),
                "expansion" => format!("added for {}", text(fate, "of")),
                "feedback" => "added from the best passages".to_owned(),
                kind => kind.replace('_', " "),
            };
            vec![
                text(term, "text").to_owned(),
                text(term, "stem").to_owned(),
                number(term, "document_frequency").to_string(),
                detail,
            ]
        })
        .collect();
    if !terms.is_empty() {
        out.push_str(&table(&["word", "stem", "chunks", "fate"], &[2], &terms));
    }
    for leg in ["semantic", "keyword"] {
        let rows: Vec<Vec<String>> = list(trace, leg)
            .iter()
            .take(10)
            .map(|hit| {
                vec![
                    number(hit, "rank").to_string(),
                    format!("{:.4}", number(hit, "raw")),
                    text(hit, "label").to_owned(),
                    one_line(text(hit, "snippet"), 80),
                ]
            })
            .collect();
        if !rows.is_empty() {
            let _ = writeln!(out, "\n{leg}");
            out.push_str(&table(&["rank", "score", "chunk", "text"], &[0, 1], &rows));
        }
    }
    for dropped in list(trace, "dropped").iter().take(20) {
        let _ = writeln!(
            out,
            "dropped {} at {}: {}",
            text(dropped, "chunk_id"),
            text(dropped, "stage"),
            text(dropped, "reason")
        );
    }
    let rows: Vec<Vec<String>> = list(trace, "timings")
        .iter()
        .map(|stage| {
            vec![
                text(stage, "stage").to_owned(),
                format!("{:.2}", number(stage, "duration_ms")),
                number(stage, "items_in").to_string(),
                number(stage, "items_out").to_string(),
            ]
        })
        .collect();
    let _ = writeln!(out);
    out.push_str(&table(&["stage", "ms", "in", "out"], &[1, 2, 3], &rows));
    let _ = writeln!(out, "configuration {}", text(trace, "config_hash"));
}
