//! The tools.

use super::{Agents, McpError};
use rmcp::model::ProgressNotificationParam;
use rmcp::service::{RequestContext, RoleServer};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use sibyl_api::{AnswerEvent, ApiError, Progress, ProgressListener, cited, read_by_ocr};
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;

/// Source types of standards.
const LAWS: [&str; 4] = ["ifrs_s1", "ifrs_s2", "sasb", "licensed"];
/// Source types of what users bring.
const FILES: [&str; 3] = ["report", "docs", "text"];
/// Tokens of the passages that a search gives where it is asked for no other number.
const BUDGET: usize = 4_000;

/// How long an agent may take to read what is reported on the way.
const PATIENCE: Duration = Duration::from_secs(1);

/// Their descriptions. `open` says whether text of a call may go over the network.
pub(super) fn all(open: bool) -> Value {
    let source_types = json!({
        "type": ["array", "null"],
        "items": { "type": "string", "enum": ["ifrs_s1", "ifrs_s2", "sasb", "report", "docs", "text", "licensed"] },
        "description": "Source types to search; all if omitted.",
    });
    let edition = json!({
        "type": ["string", "null"], "enum": ["2023-06", "2025-12", null],
        "description": "Edition of IFRS S2: as issued June 2023 or as amended December 2025 (periods from 1 January 2027); \
                        the one meant today if omitted.",
    });
    let query = json!({ "type": "string", "minLength": 1, "description": "What information you need, in natural language." });
    let limit = |default: usize| json!({ "type": "integer", "minimum": 1, "maximum": 100, "default": default, "description": "Most passages." });
    let budget = json!({
        "type": "integer", "minimum": 1, "default": BUDGET,
        "description": "Most tokens of all passages together.",
    });
    let passages = |fields: Value| {
        let passage = json!({ "type": "object", "properties": fields });
        json!({
            "type": "object",
            "properties": {
                "passages": { "type": "array", "items": passage },
                "omitted": { "type": "integer", "description": "Passages left out to keep within max_tokens." },
            },
            "required": ["passages", "omitted"],
        })
    };
    let text = json!({ "type": "string" });
    let number = json!({ "type": ["number", "null"] });
    json!([
        tool(
            "rag_lookup",
            "Search the knowledge base for relevant IFRS standards, SASB guidance, or report content. With paragraph_id, \
             fetch exactly that paragraph.",
            json!({
                "query": query,
                "source_types": source_types,
                "top_k": { "type": "integer", "minimum": 1, "maximum": 1000, "default": 5, "description": "Number of results." },
                "paragraph_id": {
                    "type": ["string", "null"],
                    "description": "An exact paragraph, such as S2.14(a)(iv); query and source_types are then ignored.",
                },
                "edition": edition,
            }),
            &["query"],
            json!({ "type": "object", "properties": { "text": text }, "required": ["text"] }),
            (true, open),
        ),
        tool(
            "search_laws",
            "Search the standards (IFRS S1, IFRS S2, SASB).",
            json!({
                "query": query,
                "contentType": {
                    "type": ["string", "null"], "enum": ["ifrs_s1", "ifrs_s2", "sasb", "licensed", null],
                    "description": "One standard only.",
                },
                "edition": edition,
                "limit": limit(10),
                "max_tokens": budget,
            }),
            &["query"],
            passages(json!({
                "contextualHeader": text, "documentNumber": text, "similarity": number, "text": text, "chunkId": text,
            })),
            (true, open),
        ),
        tool(
            "search_company_files",
            "Search reports and other files of companies.",
            json!({ "query": query, "limit": limit(5), "max_tokens": budget }),
            &["query"],
            passages(json!({
                "contextualHeader": text, "document": text, "reportId": { "type": ["string", "null"] },
                "pages": { "type": ["array", "null"] }, "pageLabels": { "type": ["array", "null"] },
                "ocr": { "type": ["object", "null"] }, "similarity": number, "text": text, "chunkId": text,
            })),
            (true, open),
        ),
        tool(
            "get_paragraph",
            "Fetch one paragraph, item, topic or metric of the standards by its id.",
            json!({
                "id": { "type": "string", "minLength": 1, "description": "Such as S2.14(a)(iv) or EM-EP-110a.1." },
                "edition": edition,
            }),
            &["id"],
            json!({
                "type": "object",
                "properties": { "id": text, "label": text, "text": text, "items": { "type": "array" } },
                "required": ["id", "label", "text"],
            }),
            (true, false),
        ),
        tool(
            "list_reports",
            "List the reports, with the ids that other tools and resources take.",
            json!({}),
            &[],
            json!({
                "type": "object", "properties": { "reports": { "type": "array", "items": { "type": "object" } } },
                "required": ["reports"],
            }),
            (true, false),
        ),
        tool(
            "ask",
            "Answer a question from the library, each sentence with its source; null if nothing answers it. Question \
             and answer are kept in the log.",
            json!({ "question": { "type": "string", "minLength": 1 } }),
            &["question"],
            json!({
                "type": "object",
                "properties": {
                    "answer": { "type": ["string", "null"] }, "confidence": { "type": "number" },
                    "citations": { "type": "array", "items": { "type": "object" } },
                    "message": { "type": "string" },
                },
                "required": ["answer", "confidence", "citations"],
            }),
            (false, open),
        ),
    ])
}

fn tool(
    name: &str,
    description: &str,
    properties: Value,
    required: &[&str],
    output: Value,
    (reads_only, open): (bool, bool),
) -> Value {
    json!({
        "name": name,
        "description": description,
        "inputSchema": {
            "type": "object", "properties": properties, "required": required, "additionalProperties": false,
        },
        "outputSchema": output,
        "annotations": {
            "readOnlyHint": reads_only, "destructiveHint": false, "idempotentHint": reads_only, "openWorldHint": open,
        },
    })
}

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
        "ask" => ask(agents, arguments, context).await,
        _ => return Err(McpError::invalid_params(format!("there is no tool `{name}`"), None)),
    };
    Ok(match answered {
        Ok(Answered { text, structured, searched }) => {
            let mut meta = json!({
                "tool": name,
                "executionTime": (begun.elapsed().as_secs_f64() * 1_000.0).round() as u64,
            });
            if let Some(searched) = searched {
                meta["chunksSearched"] = searched;
            }
            json!({
                "content": [{ "type": "text", "text": text }],
                "structuredContent": structured,
                "isError": false,
                "_meta": meta,
            })
        }
        Err(error) => json!({
            "content": [{ "type": "text", "text": format!("{}: {}", error.code, error.message) }],
            "isError": true,
        }),
    })
}

struct Answered {
    text: String,
    structured: Value,
    /// Chunks that were searched.
    searched: Option<Value>,
}

impl Answered {
    /// Structured content, with the same as text for agents that read nothing else.
    fn of(structured: Value) -> Self {
        Self { text: structured.to_string(), structured, searched: None }
    }
}

fn read<T: for<'de> Deserialize<'de>>(arguments: Value) -> Result<T, ApiError> {
    serde_json::from_value(arguments)
        .map_err(|error| ApiError::invalid(format!("the arguments cannot be read: {error}")))
}

/// Section 6 of the main document. The report comes from the session, whatever the arguments say.
async fn lookup(agents: &Agents, mut arguments: Value) -> Result<Answered, ApiError> {
    if let Some(fields) = arguments.as_object_mut() {
        fields.shift_remove("report_id");
        if let Some(report) = &agents.report {
            fields.insert("report_id".to_owned(), report.as_str().into());
        }
    }
    let found = agents.run("rag_lookup", arguments).await?;
    let text = found["text"].as_str().unwrap_or_default().to_owned();
    Ok(Answered { structured: json!({ "text": text }), text, searched: None })
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
    max_tokens: Option<usize>,
}

async fn laws(agents: &Agents, arguments: Value) -> Result<Answered, ApiError> {
    let Laws { query, content_type, edition, limit, max_tokens } = read(arguments)?;
    let source_types = match &content_type {
        None => LAWS.to_vec(),
        Some(one) if LAWS.contains(&one.as_str()) => vec![one.as_str()],
        Some(other) => {
            let known = LAWS.join(", ");
            return Err(ApiError::invalid(format!("`contentType` is one of {known}, not `{other}`")));
        }
    };
    let editions: Vec<String> = edition.into_iter().collect();
    let filters = json!({ "source_types": source_types, "editions": editions });
    search(agents, query, limit.unwrap_or(10), max_tokens, filters, |hit| {
        let metadata = &hit["metadata"];
        let number = ["paragraph_id", "metric_code", "topic_code", "standard_code", "standard"]
            .iter()
            .find_map(|name| metadata[*name].as_str());
        json!({
            "contextualHeader": header(hit),
            "documentNumber": number.unwrap_or_default(),
            "similarity": hit["relevance"],
            "text": hit["passage"],
            "chunkId": hit["chunk_id"],
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
    max_tokens: Option<usize>,
}

async fn files(agents: &Agents, arguments: Value) -> Result<Answered, ApiError> {
    let Files { query, limit, max_tokens } = read(arguments)?;
    let filters = match &agents.report {
        Some(report) => json!({ "reports": [report] }),
        None => json!({ "source_types": FILES }),
    };
    search(agents, query, limit.unwrap_or(5), max_tokens, filters, |hit| {
        json!({
            "contextualHeader": header(hit),
            "document": hit["title"],
            "reportId": hit["report_id"],
            "pages": hit["pages"],
            "pageLabels": hit["page_labels"],
            "ocr": hit["metadata"]["ocr"],
            "similarity": hit["relevance"],
            "text": hit["passage"],
            "chunkId": hit["chunk_id"],
        })
    })
    .await
}

fn header(hit: &Value) -> &str {
    hit["header"].as_str().unwrap_or_default()
}

/// The best `limit` passages of a search, as far as `max_tokens` goes, each as `shown`.
async fn search(
    agents: &Agents,
    query: String,
    limit: usize,
    max_tokens: Option<usize>,
    filters: Value,
    shown: impl Fn(&Value) -> Value,
) -> Result<Answered, ApiError> {
    if !(1..=100).contains(&limit) {
        return Err(ApiError::invalid(format!("`limit` is 1 to 100, not {limit}")));
    }
    let input = json!({ "query": query, "top_k": limit, "filters": filters });
    let found = agents.run("search", input).await?;
    let hits = found["results"].as_array().map(Vec::as_slice).unwrap_or_default();
    let (mut left, mut text, mut passages) = (max_tokens.unwrap_or(BUDGET), String::new(), Vec::new());
    for hit in hits {
        let passage = hit["passage"].as_str().unwrap_or_default().trim();
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
    let structured = json!({ "passages": passages, "omitted": omitted });
    let searched = Some(found["trace"]["candidates_after"].clone());
    Ok(Answered { text: text.trim_end().to_owned(), structured, searched })
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
    let page = agents.run("standards.page", json!({ "id": id, "edition": edition })).await?;
    let fields = ["id", "label", "kind", "modality", "pillar", "editions"];
    let mut told = Map::from_iter(fields.map(|name| (name.to_owned(), page[name].clone())));
    told.insert("text".to_owned(), page["prose"].clone());
    let items = page["items"].as_array().into_iter().flatten();
    let items = items.map(|item| json!({ "id": item["id"], "label": item["label"], "text": item["prose"] }));
    told.insert("items".to_owned(), items.collect());
    Ok(Answered { text: super::resource::page_text(&page), structured: Value::Object(told), searched: None })
}

/// The reports that the agent sees.
pub(super) async fn seen(agents: &Agents) -> Result<Vec<Value>, ApiError> {
    let documents = agents.run("document.list", json!({ "reports": true })).await?;
    let own = |report: &Value| agents.report.as_ref().is_none_or(|own| report["report_id"] == *own);
    Ok(documents.as_array().into_iter().flatten().filter(|report| own(report)).cloned().collect())
}

async fn reports(agents: &Agents) -> Result<Answered, ApiError> {
    let fields = ["report_id", "title", "issuer", "year", "pages", "chunks"];
    let reports = seen(agents).await?;
    let reports = reports.iter().map(|report| {
        let mut told = Map::from_iter(fields.map(|name| (name.to_owned(), report[name].clone())));
        told.insert("uri".to_owned(), format!("sibyl://documents/{}", report["id"]).into());
        Value::Object(told)
    });
    Ok(Answered::of(json!({ "reports": reports.collect::<Vec<_>>() })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    question: String,
}

async fn ask(
    agents: &Agents,
    arguments: Value,
    context: &RequestContext<RoleServer>,
) -> Result<Answered, ApiError> {
    let Question { question } = read(arguments)?;
    let mut input = json!({ "question": question });
    if let Some(report) = &agents.report {
        input["filters"] = json!({ "report_or_none": report });
    }
    let (listener, telling) = progress(context).unzip();
    let answer = agents.run_told("answer.ask", input, listener).await?;
    if let Some(telling) = telling {
        // What is reported on the way comes before the answer; an agent that does not read it is not waited for.
        let _ = tokio::time::timeout(PATIENCE, telling).await;
    }
    if answer["outcome"] == "failed" {
        let text = |name: &str| answer["fault"][name].as_str().unwrap_or_default();
        return Err(ApiError::new(text("code"), text("message")));
    }
    let citations = answer["citations"].as_array().into_iter().flatten().map(|citation| {
        json!({
            "n": citation["n"],
            "document": citation["title"],
            "pages": citation["pages"],
            "page_labels": citation["page_labels"],
            "ocr": citation["ocr"],
            "paragraph_id": citation["paragraph_id"],
            "quote": citation["quote"],
        })
    });
    let mut told = json!({
        "answer": answer["answer"],
        "confidence": answer["confidence"],
        "citations": citations.collect::<Vec<_>>(),
    });
    if let Some(message) = answer["message"].as_str() {
        told["message"] = message.into();
    }
    let mut text = answer["answer"].as_str().or(answer["message"].as_str()).unwrap_or_default().to_owned();
    for citation in answer["citations"].as_array().into_iter().flatten() {
        // Writing to a String cannot fail.
        let _ = write!(text, "\n\n{}", source(citation));
    }
    Ok(Answered { text, structured: told, searched: Some(answer["chunks_searched"].clone()) })
}

/// A source as an agent that reads text alone gets it: its number, where it stands, and the words.
fn source(citation: &Value) -> String {
    let text = |name: &str| citation[name].as_str().unwrap_or_default();
    let id = citation["paragraph_id"].as_str().map(|id| format!(", {id}")).unwrap_or_default();
    let pages = serde_json::from_value(citation["pages"].clone()).ok();
    let labels: Option<(String, String)> = serde_json::from_value(citation["page_labels"].clone()).ok();
    let page = pages.map(|pages| format!(", p. {}", cited(pages, labels.as_ref(), "–"))).unwrap_or_default();
    let ocr = citation["ocr"]["confidence"].as_u64();
    let ocr = ocr.map(|of| format!(" {}", read_by_ocr(of))).unwrap_or_default();
    format!("[Citation {}] {}{id}{page}{ocr}: “{}”", citation["n"], text("title"), text("quote"))
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
