//! The tools.

use super::answered::{Answered, read};
use super::{Agents, McpError, assessment, proposal};
use rmcp::model::ProgressNotificationParam;
use rmcp::service::{RequestContext, RoleServer};
use serde::Deserialize;
use serde_json::{Value, json};
use sibyl_api::command::answer::AnswerAsk;
use sibyl_api::command::figure::FigureFind;
use sibyl_api::command::search::{self, RagLookup};
use sibyl_api::command::standards::StandardsPage;
use sibyl_api::source_type::{self, SourceType};
use sibyl_api::{
    AnswerCitation, AnswerEvent, ApiError, Constraint, DocumentRow, FigureList, FigureQuery, Hit, MetricList,
    Outcome, Progress, ProgressListener, Reply, SearchNotice, SearchResponse, metadata, read_by_ocr,
};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;

/// Source types of standards, and of copies of them.
pub(super) fn kinds_of_laws() -> Vec<&'static str> {
    kinds(|kind| kind.standard().is_some() || kind.is_licensed())
}

/// Source types of everything else.
fn kinds_of_files() -> Vec<&'static str> {
    kinds(|kind| kind.standard().is_none() && !kind.is_licensed())
}

fn kinds(wanted: impl Fn(&SourceType) -> bool) -> Vec<&'static str> {
    source_type::all().iter().filter(|kind| wanted(kind)).map(|kind| kind.name).collect()
}

/// Tokens of the passages that a search gives where it is asked for no other number.
pub(super) const BUDGET: usize = 4_000;

/// How long an agent may take to read what is reported on the way.
const PATIENCE: Duration = Duration::from_secs(1);

/// Calls a tool. What goes wrong in it is an answer that the agent can read.
pub(super) async fn call(
    agents: &Agents,
    name: &str,
    arguments: Value,
    context: &RequestContext<RoleServer>,
) -> Result<Value, McpError> {
    let begun = Instant::now();
    let answered = match name {
        "rag_lookup" => lookup(agents, arguments).await,
        "search_laws" => laws(agents, arguments).await,
        "search_company_files" => files(agents, arguments).await,
        "get_paragraph" => paragraph(agents, arguments).await,
        "list_reports" => reports(agents).await,
        "find_figures" => figures(agents, arguments).await,
        "list_assessments" => assessment::assessments(agents).await,
        "read_assessment" => assessment::cells(agents, arguments).await,
        "read_requirement" => assessment::cell(agents, arguments).await,
        "list_open_items" => proposal::open_items(agents, arguments).await,
        "propose_finding" => proposal::propose(agents, arguments, context).await,
        "ask" => ask(agents, arguments, context).await,
        _ => return Err(McpError::invalid_params(format!("there is no tool `{name}`"), None)),
    };
    Ok(match answered {
        Ok(Answered { text, structured, searched, failed }) => {
            let mut meta = json!({
                "tool": name,
                "executionTime": (begun.elapsed().as_secs_f64() * 1_000.0).round() as u64,
            });
            if let Some(searched) = searched {
                meta["chunksSearched"] = searched.into();
            }
            json!({
                "content": [{ "type": "text", "text": text }],
                "structuredContent": without_nulls(structured),
                "isError": failed,
                "_meta": meta,
            })
        }
        Err(error) => json!({
            "content": [{ "type": "text", "text": format!("{}: {}", error.code, error.message) }],
            "isError": true,
        }),
    })
}

/// `value` without the fields that are `null`.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let told = fields.into_iter().filter(|(_, field)| !field.is_null());
            Value::Object(told.map(|(name, field)| (name, without_nulls(field))).collect())
        }
        Value::Array(values) => values.into_iter().map(without_nulls).collect(),
        other => other,
    }
}

/// Section 6 of the main document. The report comes from the session, whatever the arguments say.
async fn lookup(agents: &Agents, mut arguments: Value) -> Result<Answered, ApiError> {
    if let Some(fields) = arguments.as_object_mut() {
        fields.shift_remove("report_id");
        if let Some(report) = &agents.report {
            fields.insert("report_id".to_owned(), report.as_str().into());
        }
    }
    let found = agents.run::<RagLookup>(arguments).await?;
    let structured = json!({ "text": found.text, "notices": notices(&found.notices) });
    Ok(Answered { structured, text: found.text, searched: None, failed: false })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Laws {
    query: String,
    #[serde(default, rename = "contentType")]
    content_type: Option<String>,
    #[serde(default)]
    edition: Option<String>,
    #[serde(default)]
    limit: Option<usize>,
    #[serde(default)]
    max_tokens: Option<u32>,
}

async fn laws(agents: &Agents, arguments: Value) -> Result<Answered, ApiError> {
    let Laws { query, content_type, edition, limit, max_tokens } = read(arguments)?;
    let known = kinds_of_laws();
    let source_types = match &content_type {
        None => known,
        Some(one) if known.contains(&one.as_str()) => vec![one.as_str()],
        Some(other) => {
            let known = known.join(", ");
            return Err(ApiError::invalid(format!("`contentType` is one of {known}, not `{other}`")));
        }
    };
    let editions: Vec<String> = edition.into_iter().collect();
    let filters = json!({ "source_types": source_types, "editions": editions });
    search(agents, query, limit.unwrap_or(10), max_tokens, filters, |hit| {
        let numbers = ["paragraph_id", "metric_code", "topic_code", "standard_code", "standard"];
        json!({
            "contextualHeader": header(hit),
            "documentNumber": metadata::first(&hit.metadata, &numbers).unwrap_or_default(),
            "similarity": hit.relevance,
            "text": hit.passage,
            "chunkId": hit.chunk_id,
        })
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Files {
    query: String,
    #[serde(default)]
    limit: Option<usize>,
    #[serde(default)]
    max_tokens: Option<u32>,
}

async fn files(agents: &Agents, arguments: Value) -> Result<Answered, ApiError> {
    let Files { query, limit, max_tokens } = read(arguments)?;
    let filters = match &agents.report {
        Some(report) => json!({ "reports": [report] }),
        None => json!({ "source_types": kinds_of_files() }),
    };
    search(agents, query, limit.unwrap_or(5), max_tokens, filters, |hit| {
        json!({
            "contextualHeader": header(hit),
            "document": hit.title,
            "reportId": hit.report_id,
            "pages": hit.pages,
            "pageLabels": hit.page_labels,
            "ocr": metadata::ocr(&hit.metadata),
            "similarity": hit.relevance,
            "text": hit.passage,
            "chunkId": hit.chunk_id,
        })
    })
    .await
}

/// What a search says of itself, in words; nothing where that is nothing.
fn notices(told: &[SearchNotice]) -> Option<Vec<&str>> {
    (!told.is_empty()).then(|| told.iter().map(|notice| notice.message.as_str()).collect())
}

fn header(hit: &Hit) -> &str {
    hit.header.as_deref().unwrap_or_default()
}

/// The best `limit` passages of a search, as far as `max_tokens` goes, each as `shown`.
async fn search(
    agents: &Agents,
    query: String,
    limit: usize,
    max_tokens: Option<u32>,
    filters: Value,
    shown: impl Fn(&Hit) -> Value,
) -> Result<Answered, ApiError> {
    if !(1..=100).contains(&limit) {
        return Err(ApiError::invalid(format!("`limit` is 1 to 100, not {limit}")));
    }
    let input = json!({ "query": query, "top_k": limit, "filters": filters });
    let SearchResponse { results: hits, trace, .. } = agents.run::<search::Search>(input).await?;
    let most = max_tokens.map_or(BUDGET, |most| usize::try_from(most).unwrap_or(usize::MAX));
    let (mut left, mut text, mut passages) = (most, String::new(), Vec::new());
    for hit in &hits {
        let passage = hit.passage.trim();
        let block = format!("[{}]\n{passage}\n\n", header(hit));
        // The estimate of the whole library: four characters a token.
        let tokens = block.chars().count().div_ceil(4);
        if tokens > left {
            break;
        }
        left -= tokens;
        text.push_str(&block);
        passages.push(shown(hit));
    }
    let omitted = hits.len() - passages.len();
    if passages.is_empty() {
        text = if omitted == 0 {
            "Nothing was found.".to_owned()
        } else {
            "No passage fits max_tokens.".to_owned()
        };
    }
    let notices = notices(&trace.notices);
    let structured = json!({ "passages": passages, "omitted": omitted, "notices": notices });
    let searched = Some(trace.candidates_after);
    Ok(Answered { text: text.trim_end().to_owned(), structured, searched, failed: false })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Paragraph {
    id: String,
    #[serde(default)]
    edition: Option<String>,
}

async fn paragraph(agents: &Agents, arguments: Value) -> Result<Answered, ApiError> {
    let Paragraph { id, edition } = read(arguments)?;
    let page = agents.run::<StandardsPage>(json!({ "id": id, "edition": edition })).await?;
    if let Some(wanted) = edition
        && !page.editions.is_empty()
        && page.editions.iter().all(|edition| edition.code() != wanted)
    {
        let editions: Vec<&str> = page.editions.iter().map(|edition| edition.code()).collect();
        let message = format!(
            "`{}` does not exist in the edition {wanted}; it is in the edition {}",
            page.id,
            editions.join(", ")
        );
        return Err(ApiError::new("not_found", message));
    }
    let items = page.items.iter();
    let items = items.map(|item| json!({ "id": item.id, "label": item.label, "text": item.prose }));
    let metrics = page.metrics.iter().map(|metric| {
        let lists = MetricList::ALL.map(|list| {
            let texts: Vec<&str> = metric.list(list).iter().map(|item| item.text.as_str()).collect();
            (list.name().to_owned(), json!(texts))
        });
        let mut told = json!({
            "code": metric.code,
            "label": metric.label,
            "category": metric.category,
            "unit": metric.unit,
            "measured": metric.measured.text,
        });
        lists.into_iter().for_each(|(name, texts)| told[name] = texts);
        told
    });
    let structured = json!({
        "id": page.id,
        "label": page.label,
        "kind": page.kind,
        "modality": page.modality,
        "pillar": page.pillar,
        "editions": page.editions,
        "remarks": page.remarks(),
        "text": page.prose,
        "items": items.collect::<Vec<_>>(),
        "metrics": metrics.collect::<Vec<_>>(),
    });
    Ok(Answered { text: page.text(), structured, searched: None, failed: false })
}

async fn reports(agents: &Agents) -> Result<Answered, ApiError> {
    let told = |report: DocumentRow| {
        json!({
            "report_id": report.report_id,
            "title": report.title,
            "issuer": report.issuer,
            "year": report.year,
            "pages": report.pages,
            "chunks": report.chunks,
            "uri": format!("sibyl://documents/{}", report.id),
        })
    };
    let reports: Vec<Value> = agents.reports().await?.into_iter().map(told).collect();
    Ok(Answered::of(json!({ "reports": reports })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WantedFigures {
    what: String,
    report_id: Option<String>,
    year: Option<u16>,
    limit: Option<usize>,
}

async fn figures(agents: &Agents, arguments: Value) -> Result<Answered, ApiError> {
    let WantedFigures { what, report_id, year, limit } = read(arguments)?;
    let query = FigureQuery {
        text: what,
        // The report of the session holds, whatever the arguments say.
        reports: agents.report.clone().or(report_id).into_iter().collect(),
        years: year.into_iter().collect(),
        limit: Some(limit.unwrap_or(30)),
        ..FigureQuery::default()
    };
    let FigureList { figures, total } = agents.run::<FigureFind>(json!(query)).await?;
    let figures = figures.into_iter().map(|figure| {
        let names = figure.label.iter().chain([&figure.column]).filter(|name| !name.is_empty());
        json!({
            "what": names.map(String::as_str).collect::<Vec<_>>().join(" › "),
            "value": figure.printed,
            "unit": figure.unit,
            "year": figure.year,
            "part": figure.part,
            "status": figure.status.name(),
            "report_id": figure.report_id,
            "document": figure.document,
            "page": figure.page,
            "sheet": figure.sheet,
            "cells": figure.cells,
        })
    });
    Ok(Answered::of(json!({ "figures": figures.collect::<Vec<_>>(), "total": total })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    question: String,
    #[serde(default)]
    edition: Option<String>,
    #[serde(default)]
    ignore: Vec<Constraint>,
}

async fn ask(
    agents: &Agents,
    arguments: Value,
    context: &RequestContext<RoleServer>,
) -> Result<Answered, ApiError> {
    let Question { question, edition, ignore } = read(arguments)?;
    let editions: Vec<String> = edition.into_iter().collect();
    let mut input = json!({ "question": question, "ignore": ignore, "filters": { "editions": editions } });
    if let Some(report) = &agents.report {
        input["filters"]["report_or_none"] = report.as_str().into();
    }
    let (listener, telling) = progress(context).unzip();
    let answer = agents.run_told::<AnswerAsk>(input, listener).await?;
    if let Some(telling) = telling {
        // What is reported on the way comes before the answer; an agent that does not read it is not waited for.
        let _ = tokio::time::timeout(PATIENCE, telling).await;
    }
    let (searched, reply) = (Some(answer.chunks_searched), answer.reply);
    let failed = reply.outcome == Outcome::Faulted;
    Ok(Answered { text: as_text(&reply), structured: json!(reply), searched, failed })
}

/// What is told, for an agent that reads text alone: the answer, how it ended, what of it is not confirmed or was removed,
/// and each source with its number, its place and its words.
fn as_text(reply: &Reply) -> String {
    let mut lines: Vec<String> = reply.answer.iter().chain(&reply.message).cloned().collect();
    lines.push(format!("Outcome: {}. Confidence: {:.2}.", reply.outcome.name(), reply.confidence));
    if reply.outcome == Outcome::Incomplete {
        lines.extend(reply.fault.as_ref().map(|fault| format!("{}: {}", fault.code, fault.message)));
    }
    lines.extend(reply.remarks.iter().filter(|remark| reply.message.as_ref() != Some(remark)).cloned());
    lines.extend(reply.removed.iter().map(|removed| format!("Removed: {}", removed.text)));
    lines.extend(reply.citations.iter().map(source));
    lines.join("\n\n")
}

/// A source as an agent that reads text alone gets it: its number, where it stands, and the words.
fn source(citation: &AnswerCitation) -> String {
    let ocr = citation.ocr.as_ref().map(|ocr| format!(" {}", read_by_ocr(ocr.confidence.into())));
    format!("[Citation {}] {}{}: “{}”", citation.n, citation.place(), ocr.unwrap_or_default(), citation.quote)
}

/// Tells an agent that asked for it how far an answer has come.
fn progress(context: &RequestContext<RoleServer>) -> Option<(ProgressListener, JoinHandle<()>)> {
    let token = context.meta.get_progress_token()?;
    let (sender, mut events) = tokio::sync::mpsc::unbounded_channel::<String>();
    let peer = context.peer.clone();
    let telling = tokio::spawn(async move {
        let mut told = 0.0;
        while let Some(message) = events.recv().await {
            told += 1.0;
            let mut step = ProgressNotificationParam::new(token.clone(), told);
            step.message = Some(message);
            if peer.notify_progress(step).await.is_err() {
                return;
            }
        }
    });
    let listener: ProgressListener = Arc::new(move |progress| {
        let Progress::Answering(event) = progress else { return };
        let message = match event {
            AnswerEvent::Searching { searched_for, .. } => format!("searching: {searched_for}"),
            AnswerEvent::Retrieved { passages, .. } => format!("{} passages found", passages.len()),
            AnswerEvent::Writing { .. } => "writing".to_owned(),
            AnswerEvent::Sentence { sentence, .. } => sentence.text,
            _ => return,
        };
        // An agent that is gone needs no news.
        let _ = sender.send(message);
    });
    Some((listener, telling))
}
