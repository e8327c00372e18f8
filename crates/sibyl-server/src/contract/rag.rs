//! The endpoints of the main document, section 7, and its service's methods on reports (section 5.1).
//! Over 500 lines: each endpoint with what it takes and gives, in the order of the document.

use super::Contract;
use crate::asked::Asked;
use crate::body::MOST_FILES;
use crate::job;
use crate::reply::json_reply;
use crate::upload::start;
use axum::http::StatusCode;
use axum::response::Response;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sibyl_api::command::Nothing;
use sibyl_api::command::document::{DocumentList, DocumentQuery, ReportDelete, ReportId};
use sibyl_api::command::ingest::JobList;
use sibyl_api::command::library::{DeletedStatus, LibraryStats, SourceTypeDelete, SourceTypeName};
use sibyl_api::command::search::{self, ParagraphGet, ParagraphId, SearchUsual};
use sibyl_api::schema::Types;
use sibyl_api::source_type::field::EDITION;
use sibyl_api::source_type::{self, Shipped};
use sibyl_api::{
    ApiError, Edition, Filters, Fusion, Hit, IngestRequest, LONGEST_QUERY, Method, Mode, NoticeCause,
    SearchRequest, Source,
};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Names of all that ships together: everything, and each group.
fn groups() -> Vec<&'static str> {
    let mut names = vec![ALL];
    names.extend(shipped().map(|(_, shipped)| shipped.group));
    names.dedup();
    names
}

/// The shipped source types, each with the name under which it ships.
fn shipped() -> impl Iterator<Item = (&'static str, Shipped)> {
    source_type::all().iter().filter_map(|one| Some((one.name, one.ships?)))
}

/// Name for everything that ships.
const ALL: &str = "all";

/// What is ingested of what ships.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ShippedCorpus {
    /// Everything, or a group of it.
    #[schemars(extend("enum" = groups()))]
    corpus: String,
}

/// That it was done.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Done {
    Completed,
}

/// That there was nothing to do.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum DoneBefore {
    AlreadyIngested,
}

/// Chunks of each shipped source type, as `NAME_chunks`.
#[derive(Serialize)]
#[serde(transparent)]
struct ShippedChunks(BTreeMap<String, u64>);

impl ShippedChunks {
    fn named(name: &str) -> String {
        format!("{name}_chunks")
    }
}

impl JsonSchema for ShippedChunks {
    fn schema_name() -> Cow<'static, str> {
        "ShippedChunks".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(types: &mut SchemaGenerator) -> Schema {
        let count = types.subschema_for::<u64>();
        let names: Vec<String> = shipped().map(|(name, _)| Self::named(name)).collect();
        let properties: BTreeMap<&String, &Schema> = names.iter().map(|name| (name, &count)).collect();
        json_schema!({ "type": "object", "properties": properties, "required": names })
    }
}

/// The shipped corpora, ingested.
#[derive(Serialize, JsonSchema)]
pub(super) struct CorporaIngested {
    status: Done,
    #[serde(flatten)]
    chunks: ShippedChunks,
    total_chunks: u64,
    duration_seconds: f64,
}

/// The shipped corpora, which were there before.
#[derive(Serialize, JsonSchema)]
pub(super) struct CorporaThere {
    status: DoneBefore,
    message: &'static str,
    /// Chunks by source type.
    existing_counts: BTreeMap<&'static str, u64>,
}

#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum Corpora {
    Ingested(CorporaIngested),
    There(CorporaThere),
}

/// 7.1: ingests what ships and answers when it is done; 409 if everything is there already.
pub(super) struct Ingest;

impl Contract for Ingest {
    const PATH: &'static str = "/api/v1/rag/ingest";
    const NAME: &'static str = "rag.ingest";
    const SUMMARY: &'static str = "Ingests the shipped corpora, and answers when that is done (000 §7.1).";
    type Input = ShippedCorpus;
    type Output = Corpora;

    async fn answer(asked: &Asked, ShippedCorpus { corpus }: ShippedCorpus) -> Result<Corpora, ApiError> {
        if !groups().contains(&corpus.as_str()) {
            let known = groups().join(", ");
            return Err(ApiError::invalid(format!("`corpus` is one of {known}, not `{corpus}`")));
        }
        let request = IngestRequest { corpus: Some(corpus.clone()), ..IngestRequest::default() };
        let begun = start(asked, request).await?;
        let report = job::finished(asked, begun).await?.report;
        let count = |source_type: &str| report.counts.get(source_type).copied().unwrap_or_default();
        if report.status == sibyl_api::Status::AlreadyIngested {
            let asked = shipped().filter(|(_, shipped)| [ALL, shipped.group].contains(&corpus.as_str()));
            return Ok(Corpora::There(CorporaThere {
                status: DoneBefore::AlreadyIngested,
                message: "Corpus already exists. Delete it first to re-ingest.",
                existing_counts: asked.map(|(name, _)| (name, count(name))).collect(),
            }));
        }
        let chunks = shipped().map(|(name, _)| (ShippedChunks::named(name), count(name)));
        Ok(Corpora::Ingested(CorporaIngested {
            status: Done::Completed,
            chunks: ShippedChunks(chunks.collect()),
            total_chunks: shipped().map(|(name, _)| count(name)).sum(),
            duration_seconds: report.seconds,
        }))
    }

    fn respond(output: &Corpora, told: &Value) -> Response {
        let status = match output {
            Corpora::Ingested(_) => StatusCode::OK,
            Corpora::There(_) => StatusCode::CONFLICT,
        };
        json_reply(status, told)
    }

    fn outputs(types: &mut Types) -> Vec<Value> {
        vec![types.written::<CorporaIngested>(), types.written::<CorporaThere>()]
    }
}

/// What the library is doing.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum LibraryState {
    Ready,
    Ingesting,
    Empty,
}

/// What the library is doing, and what it contains.
#[derive(Serialize, JsonSchema)]
pub(super) struct LibraryStatus {
    status: LibraryState,
    /// The job that is ingesting.
    job: Option<i64>,
    /// Chunks by source type, with `total`.
    counts: BTreeMap<String, u64>,
}

/// Whether anything is being ingested, and what is there.
pub(super) struct Status;

impl Contract for Status {
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/api/v1/rag/status";
    const NAME: &'static str = "rag.status";
    const SUMMARY: &'static str = "Whether anything is being ingested, and what the library contains.";
    type Input = Nothing;
    type Output = LibraryStatus;

    async fn answer(asked: &Asked, _: Nothing) -> Result<LibraryStatus, ApiError> {
        let jobs = asked.run::<JobList>(Nothing {}).await?;
        let job = jobs.iter().find(|job| !job.state.at_rest());
        let counts = asked.run::<LibraryStats>(Nothing {}).await?;
        let status = match job {
            Some(_) => LibraryState::Ingesting,
            None if counts.get("total") == Some(&0) => LibraryState::Empty,
            None => LibraryState::Ready,
        };
        Ok(LibraryStatus { status, job: job.map(|job| job.id), counts })
    }

    fn example() -> Option<Nothing> {
        Some(Nothing {})
    }
}

/// 7.2: chunks by source type.
pub(super) struct Stats;

impl Contract for Stats {
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/api/v1/rag/stats";
    const NAME: &'static str = "rag.stats";
    const SUMMARY: &'static str = "Chunks by source type (000 §7.2).";
    type Input = Nothing;
    type Output = BTreeMap<String, u64>;

    async fn answer(asked: &Asked, _: Nothing) -> Result<Self::Output, ApiError> {
        asked.run::<LibraryStats>(Nothing {}).await
    }

    fn example() -> Option<Nothing> {
        Some(Nothing {})
    }
}

/// The parameters of section 4.7.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RagSearch {
    #[schemars(length(min = 1, max = LONGEST_QUERY), regex(pattern = r"\S"))]
    query: String,
    #[serde(default = "ten")]
    #[schemars(range(min = 1, max = 1000))]
    top_k: usize,
    #[serde(default)]
    mode: Mode,
    /// All by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    source_types: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    report_id: Option<String>,
    /// Asks for reciprocal rank fusion with this constant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rrf_k: Option<u32>,
    /// By default, the one in force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    edition: Option<Edition>,
}

const fn ten() -> usize {
    10
}

/// The result schema of section 4.6. Its text is the chunk's without search aids.
#[derive(Serialize, JsonSchema)]
pub(super) struct RagResult {
    chunk_id: String,
    chunk_text: String,
    metadata: Map<String, Value>,
    source_type: String,
    report_id: Option<String>,
    score: f64,
    search_method: Mode,
}

impl From<Hit> for RagResult {
    fn from(hit: Hit) -> Self {
        let passage = hit.passage;
        let header = hit.chunk_text.lines().next().filter(|_| hit.header.is_some());
        Self {
            chunk_text: header.map_or_else(|| passage.clone(), |header| format!("{header}\n\n{passage}")),
            chunk_id: hit.chunk_id,
            metadata: hit.metadata,
            source_type: hit.source_type,
            report_id: hit.report_id,
            score: hit.score,
            search_method: hit.search_method,
        }
    }
}

/// What was found.
#[derive(Serialize, JsonSchema)]
pub(super) struct RagResults {
    results: Vec<RagResult>,
    total_results: usize,
    search_mode: Mode,
    /// What of the query was not searched for; left out if that is nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notices: Vec<String>,
}

/// 7.3: searches.
pub(super) struct Search;

impl Contract for Search {
    const PATH: &'static str = "/api/v1/rag/search";
    const NAME: &'static str = "rag.search";
    const SUMMARY: &'static str =
        "Searches (000 §7.3). `rrf_k` asks for reciprocal rank fusion with that constant.";
    type Input = RagSearch;
    type Output = RagResults;

    async fn answer(asked: &Asked, input: RagSearch) -> Result<RagResults, ApiError> {
        let RagSearch { query, top_k, mode, source_types, report_id, rrf_k, edition } = input;
        let filters = Filters {
            source_types: source_types.unwrap_or_default(),
            reports: report_id.into_iter().collect(),
            ..Filters::default()
        };
        let filters = filters.with(&EDITION, edition.map(Edition::code));
        let usual = asked.run::<SearchUsual>(Nothing {}).await?;
        let fusion = if rrf_k.is_some() { Fusion::Rrf } else { usual.fusion };
        let rrf_k = rrf_k.unwrap_or(usual.rrf_k);
        let request = SearchRequest { query, top_k, mode, filters, fusion, rrf_k, ..usual };
        let found = asked.run::<search::Search>(request).await?;
        let cuts = found.trace.notices.into_iter().filter(|notice| notice.cause == NoticeCause::QueryCut);
        Ok(RagResults {
            results: found.results.into_iter().map(RagResult::from).collect(),
            total_results: found.total_results,
            search_mode: found.search_mode,
            notices: cuts.map(|notice| notice.message).collect(),
        })
    }

    fn example() -> Option<RagSearch> {
        Some(RagSearch {
            query: "transition plan requirements".to_owned(),
            top_k: 5,
            mode: Mode::Hybrid,
            source_types: Some(vec!["ifrs_s1".to_owned(), "ifrs_s2".to_owned()]),
            report_id: None,
            rrf_k: None,
            edition: None,
        })
    }
}

/// A paragraph by its id.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RagParagraph {
    paragraph_id: String,
    /// By default, the one in force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    edition: Option<Edition>,
}

/// 5.1 `get_paragraph`: a result, or 404.
pub(super) struct Paragraph;

impl Contract for Paragraph {
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/api/v1/rag/paragraph/{paragraph_id}";
    const NAME: &'static str = "rag.paragraph";
    const SUMMARY: &'static str = "One paragraph of IFRS by its id (000 §5.1).";
    type Input = RagParagraph;
    type Output = RagResult;

    async fn answer(asked: &Asked, input: RagParagraph) -> Result<RagResult, ApiError> {
        let RagParagraph { paragraph_id: id, edition } = input;
        Ok(asked.run::<ParagraphGet>(ParagraphId { id, edition }).await?.into())
    }

    fn example() -> Option<RagParagraph> {
        Some(RagParagraph { paragraph_id: "S2.14(a)(iv)".to_owned(), edition: None })
    }
}

/// A source type that was deleted.
#[derive(Serialize, JsonSchema)]
pub(super) struct CorpusDeleted {
    status: DeletedStatus,
    source_type: String,
    /// Chunks that were deleted.
    deleted_count: usize,
}

/// 7.4: deletes a source type.
pub(super) struct DeleteCorpus;

impl Contract for DeleteCorpus {
    const METHOD: Method = Method::Delete;
    const PATH: &'static str = "/api/v1/rag/corpus/{source_type}";
    const NAME: &'static str = "rag.delete_corpus";
    const SUMMARY: &'static str = "Deletes everything of a source type (000 §7.4).";
    type Input = SourceTypeName;
    type Output = CorpusDeleted;

    async fn answer(asked: &Asked, input: SourceTypeName) -> Result<CorpusDeleted, ApiError> {
        let source_type = input.source_type.clone();
        let deleted = asked.run::<SourceTypeDelete>(input).await?;
        Ok(CorpusDeleted { status: deleted.status, source_type, deleted_count: deleted.deleted_count })
    }
}

/// The arguments of `ingest_report`.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewReport {
    #[schemars(length(min = 1), regex(pattern = r"\S"))]
    report_id: String,
    markdown_content: String,
    /// What is known of each page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    page_metadata: Option<Vec<Map<String, Value>>>,
}

/// A report that was ingested.
#[derive(Serialize, JsonSchema)]
pub(super) struct ReportIngested {
    status: Done,
    report_id: String,
    chunk_count: i64,
}

/// 5.1 `ingest_report`: chunks, embeds and stores a report, and answers with its chunks.
pub(super) struct IngestReport;

impl Contract for IngestReport {
    const PATH: &'static str = "/api/v1/rag/report";
    const NAME: &'static str = "rag.ingest_report";
    const SUMMARY: &'static str = "Chunks, embeds and stores a report in Markdown (000 §5.1).";
    const MOST: usize = MOST_FILES;
    type Input = NewReport;
    type Output = ReportIngested;

    async fn answer(asked: &Asked, input: NewReport) -> Result<ReportIngested, ApiError> {
        let NewReport { report_id, markdown_content, page_metadata } = input;
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
        let begun = start(asked, request).await?;
        let job = job::finished(asked, begun).await?;
        if let Some(failed) = job.report.failed.into_iter().next() {
            return Err(ApiError::new(&failed.code, failed.message));
        }
        let query = DocumentQuery { words: name, reports: true, ..DocumentQuery::default() };
        let documents = asked.run::<DocumentList>(query).await?;
        let own = documents.iter().filter(|document| document.report_id.as_ref() == Some(&report_id));
        let chunk_count = own.map(|document| document.chunks).sum();
        Ok(ReportIngested { status: Done::Completed, report_id, chunk_count })
    }

    fn example() -> Option<NewReport> {
        Some(NewReport {
            report_id: "acme-2024".to_owned(),
            markdown_content: "# Acme 2024\n\nScope 3 fell.\n".to_owned(),
            page_metadata: None,
        })
    }
}

/// A report that was deleted.
#[derive(Serialize, JsonSchema)]
pub(super) struct ReportDeleted {
    status: DeletedStatus,
    report_id: String,
    /// Chunks that were deleted.
    deleted_count: usize,
}

/// 5.1 `delete_report_embeddings`: deletes a report.
pub(super) struct DeleteReport;

impl Contract for DeleteReport {
    const METHOD: Method = Method::Delete;
    const PATH: &'static str = "/api/v1/rag/report/{report_id}";
    const NAME: &'static str = "rag.delete_report";
    const SUMMARY: &'static str = "Deletes a report (000 §5.1).";
    type Input = ReportId;
    type Output = ReportDeleted;

    async fn answer(asked: &Asked, input: ReportId) -> Result<ReportDeleted, ApiError> {
        let report_id = input.report_id.clone();
        let deleted = asked.run::<ReportDelete>(input).await?;
        Ok(ReportDeleted { status: deleted.status, report_id, deleted_count: deleted.deleted_count })
    }
}

/// `id` as the name of a file.
fn file_name(id: &str) -> String {
    id.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect()
}
