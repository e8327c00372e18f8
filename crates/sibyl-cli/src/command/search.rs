//! `sibyl search` and `sibyl lookup`.

use super::{Outcome, print};
use crate::arguments::{Lookup, Search};
use crate::output::{cell, chunk_ocr, one_line, table};
use crate::session::Session;
use sibyl_api::command::Nothing;
use sibyl_api::command::search::{self, RagLookup, SearchUsual};
use sibyl_api::{
    Contribution, Hit, LegHit, SearchNotice, SearchRequest, SearchResponse, Term, TermFate, Trace, cited,
    metadata,
};
use std::fmt::Write as _;

pub async fn search(session: &Session, words: Search) -> Outcome {
    let usual = match words.built_in {
        true => SearchRequest::default(),
        false => session.call::<SearchUsual>(Nothing {}).await?,
    };
    let explain = words.explain;
    let answer = session.call::<search::Search>(words.over(usual)).await?;
    print(&session.common, &answer, |answer| describe(answer, explain))
}

pub async fn lookup(session: &Session, words: Lookup) -> Outcome {
    if words.query.is_empty() && words.paragraph_id.is_none() {
        return Err(sibyl_api::ApiError::invalid("lookup needs a query or --paragraph-id"));
    }
    let answer = session.call::<RagLookup>(words.into()).await?;
    print(&session.common, &answer, |answer| format!("{}\n{}", answer.text, notes(&answer.notices)))
}

fn describe(answer: &SearchResponse, explain: bool) -> String {
    let (mut out, told) = (String::new(), &answer.trace);
    // Writing to a String cannot fail.
    for hit in &answer.results {
        let _ = writeln!(out, "{:>3}. {}  {:.4}", hit.rank, name(hit), hit.score);
        let _ = writeln!(out, "     {}", one_line(&hit.passage, 150));
        for fact in &hit.facts {
            let unit = fact.unit.as_ref().map(|unit| format!(" {unit}")).unwrap_or_default();
            let anchor = fact.anchor.as_ref().map(|anchor| format!(", #{anchor}")).unwrap_or_default();
            let value = one_line(&fact.value, 60);
            let _ = writeln!(out, "     tagged: {} = {value}{unit}, {}{anchor}", fact.concept, fact.period);
        }
        if explain {
            let parts: Vec<String> = hit.contributions.iter().map(contribution).collect();
            let _ = writeln!(out, "     = {}", parts.join(" + "));
            let _ = writeln!(out, "     {}  matched: {}", hit.chunk_id, hit.matched_terms.join(", "));
        }
    }
    if answer.results.is_empty() {
        let (after, before) = (told.candidates_after, told.candidates_before);
        let _ = writeln!(out, "Nothing found in {after} of {before} chunks.");
    }
    out += &notes(&told.notices);
    for pinned in &told.pinned {
        let _ = writeln!(out, "why not {}: {}", pinned.chunk_id, pinned.verdict);
    }
    if explain {
        trace(&mut out, told);
    }
    out
}

/// The notices of a search, a line each.
fn notes(notices: &[SearchNotice]) -> String {
    notices.iter().map(|notice| format!("note: {notice}\n")).collect()
}

fn name(hit: &Hit) -> String {
    let pages = hit.pages.map(|pages| cited(pages, hit.page_labels.as_ref(), "–"));
    let pages = pages.map(|pages| format!(", p. {pages}")).unwrap_or_default();
    let ocr = chunk_ocr(&hit.metadata);
    match metadata::cited_as(&hit.metadata) {
        Some(id) => format!("{id}  {}{pages}{ocr}", hit.title),
        None => format!("{}{pages}{ocr}  {}", hit.title, hit.path),
    }
}

fn contribution(leaf: &Contribution) -> String {
    let raw = leaf.raw.map(|raw| format!(", {raw:.3}")).unwrap_or_default();
    let range = leaf.range.map(|range| {
        let (least, best, deviation) = (range.least, range.best, range.deviation);
        format!(" in {least:.3}–{best:.3}, deviation {deviation:.3}, weight {}", leaf.weight)
    });
    let label = match leaf.label.as_str() {
        "" => String::new(),
        label => format!(", {label}"),
    };
    format!(
        "{:.5} {} (rank {}{raw}{}{label})",
        leaf.value,
        cell(&leaf.leg),
        leaf.rank,
        range.unwrap_or_default()
    )
}

fn trace(out: &mut String, trace: &Trace) {
    let _ = writeln!(out, "\nfilters: {} of {} chunks", trace.candidates_after, trace.candidates_before);
    if let Some(space) = &trace.space {
        let _ = writeln!(
            out,
            "semantic: {} ({}), {} chunks have vectors, {}",
            space.model,
            trace.tier.as_ref().map(cell).unwrap_or_default(),
            trace.covered,
            trace.semantic_path.as_ref().map(cell).unwrap_or_default()
        );
        let _ = writeln!(out, "embedded: {}", trace.embedded.as_deref().unwrap_or_default());
    }
    let _ = writeln!(out, "keyword:  {}", trace.query.match_expression);
    if !trace.query.terms.is_empty() {
        let terms = trace.query.terms.iter().map(term);
        out.push_str(&table(&["word", "stem", "chunks", "fate"], &[2], terms));
    }
    for (leg, hits) in [("semantic", &trace.semantic), ("keyword", &trace.keyword)] {
        if !hits.is_empty() {
            let row = |hit: &LegHit| {
                let (rank, score) = (hit.rank.to_string(), format!("{:.4}", hit.raw));
                vec![rank, score, hit.label.clone(), one_line(&hit.snippet, 80)]
            };
            let _ = writeln!(out, "\n{leg}");
            let rows = hits.iter().take(10).map(row);
            out.push_str(&table(&["rank", "score", "chunk", "text"], &[0, 1], rows));
        }
    }
    for dropped in trace.dropped.iter().take(20) {
        let _ = writeln!(out, "dropped {} at {}: {}", dropped.chunk_id, cell(&dropped.stage), dropped.reason);
    }
    let rows = trace.timings.iter().map(|stage| {
        vec![
            cell(&stage.stage),
            format!("{:.2}", stage.duration_ms),
            stage.items_in.to_string(),
            stage.items_out.to_string(),
        ]
    });
    let _ = writeln!(out);
    out.push_str(&table(&["stage", "ms", "in", "out"], &[1, 2, 3], rows));
    let _ = writeln!(out, "configuration {}", trace.config_hash);
}

/// A word of the query and what the search did with it.
fn term(term: &Term) -> Vec<String> {
    let fate = match &term.fate {
        TermFate::Corrected { to } => format!("corrected to {}", to.join(", ")),
        TermFate::Expansion { of } => format!("added for {of}"),
        TermFate::Feedback => "added from the best passages".to_owned(),
        TermFate::Kept => "kept".to_owned(),
        TermFate::StopWord => "stop word".to_owned(),
        TermFate::TooFrequent => "too frequent".to_owned(),
        TermFate::Beyond => "beyond".to_owned(),
        TermFate::Unknown => "unknown".to_owned(),
        TermFate::Phrase => "phrase".to_owned(),
    };
    vec![term.text.clone(), term.stem.clone(), term.document_frequency.to_string(), fate]
}
