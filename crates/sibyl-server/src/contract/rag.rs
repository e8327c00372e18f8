//! The endpoints of the main document, section 7, and its service's methods on reports (section 5.1).

use super::body;
use crate::asked::Asked;
use crate::body::{MOST_FILES, MOST_JSON};
use crate::job;
use crate::reply::json_reply;
use crate::upload::start;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use sibyl_api::command::document::{DocumentList, ReportDelete};
use sibyl_api::command::ingest::JobList;
use sibyl_api::command::library::{LibraryStats, SourceTypeDelete};
use sibyl_api::command::search;
use sibyl_api::source_type::{self, Shipped};
use sibyl_api::{ApiError, Hit, IngestRequest, NoticeCause, Source, Status};

/// What is ingested of what ships.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ingest {
    corpus: String,
}

/// Names of all that ships together: everything, and each group.
pub(super) fn groups() -> Vec<&'static str> {
    let mut names = vec![ALL];
    names.extend(shipped().map(|(_, shipped)| shipped.group));
    names.dedup();
    names
}

/// The shipped source types, each with the name under which it ships.
pub(super) fn shipped() -> impl Iterator<Item = (&'static str, Shipped)> {
    source_type::all().iter().filter_map(|one| Some((one.name, one.ships?)))
}

/// Name for everything that ships.
const ALL: &str = "all";

/// 7.1: ingests what ships and answers when it is done; 409 if everything is there already.
pub(super) async fn ingest(mut asked: Asked) -> Result<Response, ApiError> {
    let Ingest { corpus } = body(&mut asked, MOST_JSON).await?;
    if !groups().contains(&corpus.as_str()) {
        let known = groups().join(", ");
        return Err(ApiError::invalid(format!("`corpus` is one of {known}, not `{corpus}`")));
    }
    let request = IngestRequest { corpus: Some(corpus.clone()), ..IngestRequest::default() };
    let begun = start(&asked, request).await?;
    let report = job::finished(&asked, begun).await?.report;
    let count = |source_type: &str| report.counts.get(source_type).copied().unwrap_or_default();
    if report.status == Status::AlreadyIngested {
        let asked = shipped().filter(|(_, shipped)| [ALL, shipped.group].contains(&corpus.as_str()));
        let existing: Map<String, Value> =
            asked.map(|(name, _)| (name.to_owned(), count(name).into())).collect();
        let told = json!({
            "status": Status::AlreadyIngested,
            "message": "Corpus already exists. Delete it first to re-ingest.",
            "existing_counts": existing,
        });
        return Ok(json_reply(StatusCode::CONFLICT, &told));
    }
    let mut told = json!({ "status": "completed" });
    for (name, _) in shipped() {
        told[format!("{name}_chunks")] = count(name).into();
    }
    told["total_chunks"] = shipped().map(|(name, _)| count(name)).sum::<u64>().into();
    told["duration_seconds"] = report.seconds.into();
    Ok(json_reply(StatusCode::OK, &told))
}

/// Whether anything is being ingested, and what is there.
pub(super) async fn status(asked: Asked) -> Result<Response, ApiError> {
    let jobs = asked.run::<JobList>(json!({})).await?;
    let job = jobs.iter().find(|job| !job.state.at_rest());
    let counts = asked.run::<LibraryStats>(json!({})).await?;
    let status = match job {
        Some(_) => "ingesting",
        None if counts.get("total") == Some(&0) => "empty",
        None => "ready",
    };
    let told = json!({ "status": status, "job": job.map(|job| job.id), "counts": counts });
    Ok(json_reply(StatusCode::OK, &told))
}

/// 7.2: chunks by source type.
pub(super) async fn stats(asked: Asked) -> Result<Response, ApiError> {
    let stats = asked.run::<LibraryStats>(json!({})).await?;
    Ok(json_reply(StatusCode::OK, &json!(stats)))
}

/// The parameters of section 4.7.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Search {
    query: String,
    #[serde(default = "ten")]
    top_k: usize,
    #[serde(default = "hybrid")]
    mode: String,
    #[serde(default)]
    source_types: Option<Vec<String>>,
    #[serde(default)]
    report_id: Option<String>,
    #[serde(default)]
    rrf_k: Option<u32>,
    #[serde(default)]
    edition: Option<String>,
}

const fn ten() -> usize {
    10
}

fn hybrid() -> String {
    "hybrid".to_owned()
}

/// 7.3: searches. `rrf_k` asks for reciprocal rank fusion with that constant.
pub(super) async fn search(mut asked: Asked) -> Result<Response, ApiError> {
    let Search { query, top_k, mode, source_types, report_id, rrf_k, edition } =
        body(&mut asked, MOST_JSON).await?;
    let filters = json!({
        "source_types": source_types.unwrap_or_default(),
        "reports": report_id.into_iter().collect::<Vec<_>>(),
        "editions": edition.into_iter().collect::<Vec<_>>(),
    });
    let mut input = json!({ "query": query, "top_k": top_k, "mode": mode, "filters": filters });
    if let Some(k) = rrf_k {
        input["fusion"] = "rrf".into();
        input["rrf_k"] = k.into();
    }
    let found = asked.run::<search::Search>(input).await?;
    let mut told = json!({
        "results": found.results.iter().map(result).collect::<Vec<_>>(),
        "total_results": found.total_results,
        "search_mode": found.search_mode,
    });
    let cuts = found.trace.notices.iter().filter(|notice| notice.cause == NoticeCause::QueryCut);
    let cuts: Vec<&str> = cuts.map(|notice| notice.message.as_str()).collect();
    if !cuts.is_empty() {
        told["notices"] = cuts.into();
    }
    Ok(json_reply(StatusCode::OK, &told))
}

/// 5.1 `get_paragraph`: a result, or 404.
pub(super) async fn paragraph(mut asked: Asked) -> Result<Response, ApiError> {
    let id = parameter(&mut asked).await?;
    let edition = asked.query().into_iter().find(|(name, _)| name == "edition").map(|(_, edition)| edition);
    let hit = asked.run::<search::ParagraphGet>(json!({ "id": id, "edition": edition })).await?;
    Ok(json_reply(StatusCode::OK, &result(&hit)))
}

/// The result schema of section 4.6. Its text is the chunk's without search aids.
fn result(hit: &Hit) -> Value {
    let passage = &hit.passage;
    let header = hit.chunk_text.lines().next().filter(|_| hit.header.is_some());
    let mut told = json!({
        "chunk_id": hit.chunk_id,
        "chunk_text": header.map_or(passage.clone(), |header| format!("{header}\n\n{passage}")),
        "metadata": hit.metadata,
        "source_type": hit.source_type,
        "report_id": hit.report_id,
        "score": hit.score,
        "search_method": hit.search_method,
    });
    sibyl_api::without_places(&mut told);
    told
}

/// 7.4: deletes a source type.
pub(super) async fn delete_corpus(mut asked: Asked) -> Result<Response, ApiError> {
    let source_type = parameter(&mut asked).await?;
    let deleted = asked.run::<SourceTypeDelete>(json!({ "source_type": source_type })).await?;
    let told = json!({
        "status": "deleted",
        "source_type": source_type,
        "deleted_count": deleted.deleted_count,
    });
    Ok(json_reply(StatusCode::OK, &told))
}

/// The arguments of `ingest_report`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewReport {
    report_id: String,
    markdown_content: String,
    #[serde(default)]
    page_metadata: Option<Vec<Map<String, Value>>>,
}

/// 5.1 `ingest_report`: chunks, embeds and stores a report, and answers with its chunks.
pub(super) async fn ingest_report(mut asked: Asked) -> Result<Response, ApiError> {
    let NewReport { report_id, markdown_content, page_metadata } = body(&mut asked, MOST_FILES).await?;
    if report_id.trim().is_empty() {
        return Err(ApiError::invalid("`report_id` is empty; send the id of the report"));
    }
    let pages = page_metadata.filter(|pages| !pages.is_empty());
    let page_metadata = pages.map(|pages| json!(pages).to_string().into_bytes()).unwrap_or_default();
    let name = format!("{}.md", file_name(&report_id));
    let (name_of, bytes) = (name.clone(), markdown_content.into_bytes());
    let source = Source::Upload { name: name_of, bytes, file: None, page_metadata };
    let request = IngestRequest {
        sources: vec![source],
        source_type: Some(source_type::report().name.to_owned()),
        report_id: Some(report_id.clone()),
        ..IngestRequest::default()
    };
    let begun = start(&asked, request).await?;
    let job = job::finished(&asked, begun).await?;
    if let Some(failed) = job.report.failed.into_iter().next() {
        return Err(ApiError::new(&failed.code, failed.message));
    }
    let documents = asked.run::<DocumentList>(json!({ "words": name, "reports": true })).await?;
    let own = documents.iter().filter(|document| document.report_id.as_ref() == Some(&report_id));
    let chunks: i64 = own.map(|document| document.chunks).sum();
    let told = json!({ "status": "completed", "report_id": report_id, "chunk_count": chunks });
    Ok(json_reply(StatusCode::OK, &told))
}

/// 5.1 `delete_report_embeddings`: deletes a report.
pub(super) async fn delete_report(mut asked: Asked) -> Result<Response, ApiError> {
    let report_id = parameter(&mut asked).await?;
    let deleted = asked.run::<ReportDelete>(json!({ "report_id": report_id })).await?;
    let told = json!({ "status": "deleted", "report_id": report_id, "deleted_count": deleted.deleted_count });
    Ok(json_reply(StatusCode::OK, &told))
}

/// The one parameter of the path.
async fn parameter(asked: &mut Asked) -> Result<String, ApiError> {
    let mut path = asked.path().await?;
    path.pop().map(|(_, value)| value).ok_or_else(|| ApiError::invalid("the path names nothing"))
}

/// `id` as the name of a file.
fn file_name(id: &str) -> String {
    id.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect()
}
