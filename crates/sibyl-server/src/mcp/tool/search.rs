//! Tools that search.

use super::super::Agents;
use super::{Answered, Tool};
use rmcp::service::{RequestContext, RoleServer};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sibyl_api::command::{Nothing, search};
use sibyl_api::source_type::field::{EDITION, Field, Values};
use sibyl_api::source_type::{self, SourceType};
use sibyl_api::{
    ApiError, Edition, Filters, Hit, LONGEST_QUERY, LookupRequest, OcrReading, SearchNotice, SearchRequest,
    SearchResponse, metadata,
};
use std::collections::BTreeMap;

/// Tokens of the passages that a search gives where it is asked for no other number.
const BUDGET: u32 = 4_000;

/// Source types of standards, and of copies of them.
fn kinds_of_laws() -> Vec<&'static str> {
    kinds(|kind| kind.standard().is_some() || kind.is_licensed())
}

/// Source types of everything else.
fn kinds_of_files() -> Vec<&'static str> {
    kinds(|kind| kind.standard().is_none() && !kind.is_licensed())
}

fn kinds(wanted: impl Fn(&SourceType) -> bool) -> Vec<&'static str> {
    source_type::all().iter().filter(|kind| wanted(kind)).map(|kind| kind.name).collect()
}

fn law(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "enum": kinds_of_laws() })
}

fn any_kinds(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "array", "items": { "type": "string", "enum": source_type::names() } })
}

/// Fields by which chunks of the kinds of sources called `kinds` are found. An edition is asked for by itself.
fn fields_of(kinds: &[&str]) -> Vec<&'static Field> {
    let listed = |field: &&&Field| {
        kinds.iter().any(|kind| source_type::named(kind).is_some_and(|kind| kind.lists(field)))
    };
    source_type::fields().iter().filter(listed).copied().filter(|field| **field != EDITION).collect()
}

fn lists_of(kinds: &[&str]) -> Schema {
    let list = |field: &Field| {
        let items = match field.values {
            Values::Only(known) => {
                let known: Vec<&str> = known.iter().map(|(value, _)| *value).collect();
                json!({ "type": "string", "enum": known })
            }
            _ => json!({ "type": "string" }),
        };
        (field.list.to_owned(), json!({ "type": "array", "items": items, "description": field.described() }))
    };
    let properties: Map<String, Value> = fields_of(kinds).into_iter().map(list).collect();
    json_schema!({ "type": "object", "properties": properties, "additionalProperties": false })
}

fn lists_of_laws(_: &mut SchemaGenerator) -> Schema {
    lists_of(&kinds_of_laws())
}

fn lists_of_files(_: &mut SchemaGenerator) -> Schema {
    lists_of(&kinds_of_files())
}

/// `own` filters of a tool and those that were `asked`, which are of `kinds`.
fn joined(
    mut own: Filters,
    asked: BTreeMap<String, Vec<String>>,
    kinds: &[&str],
) -> Result<Filters, ApiError> {
    let known = fields_of(kinds);
    for (list, values) in asked {
        let Some(field) = known.iter().find(|field| field.list == list) else {
            let known: Vec<&str> = known.iter().map(|field| field.list).collect();
            let known = known.join(", ");
            return Err(ApiError::invalid(format!("`filters` has one of {known}, not `{list}`")));
        };
        if let Some(other) = values.iter().find(|value| !field.allows(value)) {
            return Err(ApiError::invalid(format!("`{list}` is not `{other}`; {}", field.described())));
        }
        own = own.with(field, values);
    }
    Ok(own)
}

fn budget() -> u32 {
    BUDGET
}

/// What a search says of itself, in words; nothing where that is nothing.
fn notices(told: Vec<SearchNotice>) -> Option<Vec<String>> {
    (!told.is_empty()).then(|| told.into_iter().map(|notice| notice.message).collect())
}

/// Section 6 of the main document.
pub(super) struct RagLookup;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("required" = ["query"]))]
pub(super) struct Lookup {
    /// What information you need, in natural language; may be empty with paragraph_id.
    #[schemars(length(max = LONGEST_QUERY))]
    #[serde(default)]
    query: String,
    /// Source types to search; all if omitted.
    #[schemars(schema_with = "any_kinds")]
    #[serde(default)]
    source_types: Option<Vec<String>>,
    /// Number of results.
    #[schemars(range(min = 1, max = 1000))]
    #[serde(default = "Lookup::usual")]
    top_k: usize,
    /// An exact paragraph, such as S2.14(a)(iv); query and source_types are then ignored.
    #[serde(default)]
    paragraph_id: Option<String>,
    /// Edition of IFRS S2: as issued June 2023 or as amended December 2025 (periods from 1 January 2027); the one meant today
    /// if omitted.
    #[serde(default)]
    edition: Option<Edition>,
    /// The report comes from the session, whatever the arguments say.
    #[schemars(skip)]
    #[serde(default, rename = "report_id")]
    _report_id: IgnoredAny,
}

impl Lookup {
    fn usual() -> usize {
        5
    }
}

/// What was found.
#[derive(Serialize, JsonSchema)]
pub(super) struct Looked {
    /// The results as text.
    text: String,
    /// What was left out of the query or is degraded, and why.
    notices: Option<Vec<String>>,
}

impl Tool for RagLookup {
    const NAME: &'static str = "rag_lookup";
    const REACHES_OUT: bool = true;
    type Input = Lookup;
    type Output = Looked;

    fn described() -> String {
        "Search the knowledge base for relevant IFRS standards, SASB guidance, or report content. With paragraph_id, \
         fetch exactly that paragraph."
            .to_owned()
    }

    async fn call(
        agents: &Agents,
        input: Lookup,
        _: &RequestContext<RoleServer>,
    ) -> Result<Answered<Looked>, ApiError> {
        let Lookup { query, source_types, top_k, paragraph_id, edition, .. } = input;
        let report_id = agents.report.clone();
        let input = LookupRequest { query, source_types, top_k, paragraph_id, report_id, edition };
        let found = agents.run::<search::RagLookup>(input).await?;
        let looked = Looked { text: found.text.clone(), notices: notices(found.notices) };
        Ok(Answered { text: Some(found.text), ..looked.into() })
    }
}

/// What was found.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Found{P}")]
pub(super) struct Found<P> {
    /// The passages, best first.
    passages: Vec<P>,
    /// Passages left out to keep within max_tokens.
    omitted: usize,
    /// What was left out of the query or is degraded, and why.
    notices: Option<Vec<String>>,
}

/// A passage, as it is told: where it stands, and its words.
trait Shown: Sized {
    fn of(hit: &Hit) -> Self;
}

fn header(hit: &Hit) -> String {
    hit.header.clone().unwrap_or_default()
}

/// The best `limit` passages of a search, as far as `max_tokens` goes.
async fn search<P: Shown>(
    agents: &Agents,
    (query, limit, max_tokens): (String, usize, u32),
    filters: Filters,
) -> Result<Answered<Found<P>>, ApiError> {
    if !(1..=100).contains(&limit) {
        return Err(ApiError::invalid(format!("`limit` is 1 to 100, not {limit}")));
    }
    let usual = agents.run::<search::SearchUsual>(Nothing {}).await?;
    let input = SearchRequest { query, top_k: limit, filters, ..usual };
    let SearchResponse { results: hits, trace, .. } = agents.run::<search::Search>(input).await?;
    let mut left = usize::try_from(max_tokens).unwrap_or(usize::MAX);
    let (mut text, mut passages) = (String::new(), Vec::new());
    for hit in &hits {
        let block = format!("[{}]\n{}\n\n", header(hit), hit.passage.trim());
        // The estimate of the whole library: four characters a token.
        let tokens = block.chars().count().div_ceil(4);
        if tokens > left {
            break;
        }
        left -= tokens;
        text.push_str(&block);
        passages.push(P::of(hit));
    }
    let omitted = hits.len() - passages.len();
    if passages.is_empty() {
        text = if omitted == 0 {
            "Nothing was found.".to_owned()
        } else {
            "No passage fits max_tokens.".to_owned()
        };
    }
    let searched = Some(trace.candidates_after);
    let found = Found { passages, omitted, notices: notices(trace.notices) };
    Ok(Answered { text: Some(text.trim_end().to_owned()), searched, ..found.into() })
}

/// Searches standards.
pub(super) struct SearchLaws;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Laws {
    /// What information you need, in natural language.
    #[schemars(length(min = 1, max = LONGEST_QUERY), regex(pattern = r"\S"))]
    query: String,
    /// One standard only; all if omitted.
    #[schemars(schema_with = "law")]
    #[serde(default, rename = "contentType")]
    content_type: Option<String>,
    /// Edition of IFRS S2: as issued June 2023 or as amended December 2025 (periods from 1 January 2027); the one meant today
    /// if omitted.
    #[serde(default)]
    edition: Option<Edition>,
    /// Only passages with one of these values, for each list.
    #[schemars(schema_with = "lists_of_laws")]
    #[serde(default)]
    filters: BTreeMap<String, Vec<String>>,
    /// Most passages.
    #[schemars(range(min = 1, max = 100))]
    #[serde(default = "Laws::usual")]
    limit: usize,
    /// Most tokens of all passages together.
    #[schemars(range(min = 1))]
    #[serde(default = "budget")]
    max_tokens: u32,
}

impl Laws {
    fn usual() -> usize {
        10
    }
}

/// A passage.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct LawPassage {
    /// Where in its document the passage stands.
    contextual_header: String,
    /// Id of the paragraph, metric or topic.
    document_number: String,
    /// How near it is in meaning, 0 to 1; left out of passages that words alone found.
    #[schemars(range(min = 0, max = 1))]
    similarity: Option<f64>,
    /// What the passage says.
    text: String,
    /// Id of the passage.
    chunk_id: String,
}

impl Shown for LawPassage {
    fn of(hit: &Hit) -> Self {
        let numbers = ["paragraph_id", "metric_code", "topic_code", "standard_code", "standard"];
        Self {
            contextual_header: header(hit),
            document_number: metadata::first(&hit.metadata, &numbers).unwrap_or_default().to_owned(),
            similarity: hit.relevance,
            text: hit.passage.clone(),
            chunk_id: hit.chunk_id.clone(),
        }
    }
}

impl Tool for SearchLaws {
    const NAME: &'static str = "search_laws";
    const REACHES_OUT: bool = true;
    type Input = Laws;
    type Output = Found<LawPassage>;

    fn described() -> String {
        let bodies: Vec<&str> = source_type::standards().map(|(_, standard)| standard.body).collect();
        format!("Search the standards ({}).", bodies.join(", "))
    }

    async fn call(
        agents: &Agents,
        input: Laws,
        _: &RequestContext<RoleServer>,
    ) -> Result<Answered<Self::Output>, ApiError> {
        let Laws { query, content_type, edition, filters, limit, max_tokens } = input;
        let known = kinds_of_laws();
        let source_types = match &content_type {
            None => known.into_iter().map(str::to_owned).collect(),
            Some(one) if known.contains(&one.as_str()) => vec![one.clone()],
            Some(other) => {
                let known = known.join(", ");
                return Err(ApiError::invalid(format!("`contentType` is one of {known}, not `{other}`")));
            }
        };
        let editions = edition.map(Edition::code);
        let own = Filters { source_types, ..Filters::default() }.with(&EDITION, editions);
        let filters = joined(own, filters, &kinds_of_laws())?;
        search(agents, (query, limit, max_tokens), filters).await
    }
}

/// Searches reports and other files.
pub(super) struct SearchCompanyFiles;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Files {
    /// What information you need, in natural language.
    #[schemars(length(min = 1, max = LONGEST_QUERY), regex(pattern = r"\S"))]
    query: String,
    /// Only passages with one of these values, for each list.
    #[schemars(schema_with = "lists_of_files")]
    #[serde(default)]
    filters: BTreeMap<String, Vec<String>>,
    /// Most passages.
    #[schemars(range(min = 1, max = 100))]
    #[serde(default = "Files::usual")]
    limit: usize,
    /// Most tokens of all passages together.
    #[schemars(range(min = 1))]
    #[serde(default = "budget")]
    max_tokens: u32,
}

impl Files {
    fn usual() -> usize {
        5
    }
}

/// A passage.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct FilePassage {
    /// Where in its document the passage stands.
    contextual_header: String,
    /// Title of its document.
    document: String,
    /// The report it belongs to.
    report_id: Option<String>,
    /// First and last page, counted from 1, of documents that have pages.
    #[schemars(length(equal = 2))]
    pages: Option<Vec<u32>>,
    /// What is printed on these pages, where that is not their number.
    page_labels: Option<Vec<String>>,
    /// Where the text was read by OCR: how sure that is.
    ocr: Option<OcrReading>,
    /// How near it is in meaning, 0 to 1; left out of passages that words alone found.
    #[schemars(range(min = 0, max = 1))]
    similarity: Option<f64>,
    /// What the passage says.
    text: String,
    /// Id of the passage.
    chunk_id: String,
}

impl Shown for FilePassage {
    fn of(hit: &Hit) -> Self {
        let labels = hit.page_labels.clone();
        Self {
            contextual_header: header(hit),
            document: hit.title.clone(),
            report_id: hit.report_id.clone(),
            pages: hit.pages.map(|(first, last)| vec![first, last]),
            page_labels: labels.map(|(first, last)| vec![first, last]),
            ocr: metadata::ocr(&hit.metadata),
            similarity: hit.relevance,
            text: hit.passage.clone(),
            chunk_id: hit.chunk_id.clone(),
        }
    }
}

impl Tool for SearchCompanyFiles {
    const NAME: &'static str = "search_company_files";
    const REACHES_OUT: bool = true;
    type Input = Files;
    type Output = Found<FilePassage>;

    fn described() -> String {
        "Search reports and other files of companies.".to_owned()
    }

    async fn call(
        agents: &Agents,
        input: Files,
        _: &RequestContext<RoleServer>,
    ) -> Result<Answered<Self::Output>, ApiError> {
        let Files { query, filters, limit, max_tokens } = input;
        let own = match &agents.report {
            Some(report) => Filters { reports: vec![report.clone()], ..Filters::default() },
            None => {
                let source_types = kinds_of_files().into_iter().map(str::to_owned).collect();
                Filters { source_types, ..Filters::default() }
            }
        };
        let filters = joined(own, filters, &kinds_of_files())?;
        search(agents, (query, limit, max_tokens), filters).await
    }
}
