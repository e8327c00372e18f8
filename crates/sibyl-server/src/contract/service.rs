//! `/query` and `/ingest` of the retrieval service (document 003).

use super::Contract;
use crate::asked::Asked;
use crate::job;
use crate::reply::json_reply;
use crate::status::status_of;
use crate::upload::{received, start};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sibyl_api::command::Nothing;
use sibyl_api::command::answer::AnswerAsk;
use sibyl_api::command::ingest::IngestStart;
use sibyl_api::command::library::LibraryOverview;
use sibyl_api::{
    ApiError, AskRequest, ChunkChanges, Command as _, Constraint, Filters, IngestRequest, Job,
    LONGEST_QUESTION, Outcome, Reply, Source, Status, door,
};
use std::path::{Component, Path, PathBuf};

/// A question to the service.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ServiceQuestion {
    #[schemars(length(min = 1, max = LONGEST_QUESTION), regex(pattern = r"\S"))]
    query: String,
    /// Source types, corpora or paths of documents; all by default.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    sources: Vec<String>,
    /// Conditions of the question to ignore.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    ignore: Vec<Constraint>,
}

/// That nothing was found, in the words of FR-018.
#[derive(Serialize, JsonSchema)]
pub(super) struct NothingFound {
    answer: (),
    citations: [String; 0],
    message: Option<String>,
}

/// A reply to a question, or that nothing was found.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum ServiceReply {
    Told(Box<Reply>),
    NotFound(NothingFound),
    /// The reply, with what went wrong before its first word.
    #[schemars(skip)]
    Faulted {
        #[serde(flatten)]
        reply: Box<Reply>,
        error: ApiError,
    },
}

/// Header of an answer that names its outcome, also where FR-018 leaves its body no room for it.
const OUTCOME: HeaderName = HeaderName::from_static("sibyl-outcome");

/// FR-015 to FR-018: the same reply as at every door, or that nothing was found, in exactly the words that FR-018
/// requires. If something went wrong before the first word, the status is that of the error, which comes with it.
pub(super) struct Query;

impl Contract for Query {
    const PATH: &'static str = "/query";
    const NAME: &'static str = "query";
    const SUMMARY: &'static str = "Answers a question from the library, or says that nothing was found (003). If there \
                                   is nothing else to report, the body is that of FR-018.";
    type Input = ServiceQuestion;
    type Output = ServiceReply;

    async fn answer(asked: &Asked, input: ServiceQuestion) -> Result<ServiceReply, ApiError> {
        let ServiceQuestion { query: question, sources, ignore } = input;
        let filters = filters(asked, sources).await?;
        let asking = AskRequest { question, ignore, filters, ..AskRequest::default() };
        let reply = Box::new(asked.run::<AnswerAsk>(asking).await?.reply);
        if reply.outcome == Outcome::Faulted {
            let code = reply.fault.as_ref().map_or("internal", |fault| fault.code.as_str());
            let error = ApiError::new(code, reply.message.clone().unwrap_or_default());
            return Ok(ServiceReply::Faulted { reply, error });
        }
        if reply.is_plainly_not_found() {
            let message = reply.message;
            return Ok(ServiceReply::NotFound(NothingFound { answer: (), citations: [], message }));
        }
        Ok(ServiceReply::Told(reply))
    }

    fn respond(output: &ServiceReply, told: &Value) -> Response {
        let (status, outcome) = match output {
            ServiceReply::Told(reply) => (StatusCode::OK, reply.outcome),
            ServiceReply::NotFound(_) => (StatusCode::OK, Outcome::Refused),
            ServiceReply::Faulted { error, .. } => (status_of(&error.code), Outcome::Faulted),
        };
        let mut response = json_reply(status, told);
        response.headers_mut().insert(OUTCOME, HeaderValue::from_static(outcome.name()));
        response
    }

    fn example() -> Option<ServiceQuestion> {
        Some(ServiceQuestion {
            query: "What must a transition plan disclose?".to_owned(),
            sources: vec!["ifrs_s2".to_owned()],
            ignore: Vec::new(),
        })
    }
}

/// The filters for `sources`: source types and corpora by name, everything else as a path.
async fn filters(asked: &Asked, sources: Vec<String>) -> Result<Filters, ApiError> {
    let mut filters = Filters::default();
    if sources.is_empty() {
        return Ok(filters);
    }
    let known = asked.run::<LibraryOverview>(Nothing {}).await?.corpora;
    for source in sources {
        if known.iter().any(|known| known.corpus.source_type == source) {
            filters.source_types.push(source);
        } else if known.iter().any(|known| known.corpus.name == source) {
            filters.corpora.push(source);
        } else {
            filters.paths.push(source);
        }
    }
    Ok(filters)
}

/// Documents to ingest.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct OpenedDocuments {
    /// File or folder below the folder of documents with which the server was started; by default all of it.
    #[serde(default)]
    path: String,
    /// Corpus they go to.
    #[serde(default)]
    corpus: Option<String>,
    /// The file in the body, which replaces the path.
    #[serde(skip)]
    sent: Option<Source>,
}

/// A file that could not be ingested.
#[derive(Serialize, JsonSchema)]
struct FailedDocument {
    path: String,
    code: String,
    message: String,
}

/// What came of ingesting.
#[derive(Serialize, JsonSchema)]
pub(super) struct DocumentsIngested {
    status: Status,
    job: i64,
    documents: ChunkChanges,
    chunks: ChunkChanges,
    failed: Vec<FailedDocument>,
    duration_seconds: f64,
}

/// FR-003: ingests a file or folder of the folder that the server's owner opened for it, or the file in the body
/// (`?name=`). It answers when the text can be found.
pub(super) struct Ingest;

impl Contract for Ingest {
    const PATH: &'static str = "/ingest";
    const NAME: &'static str = "ingest";
    const SUMMARY: &'static str = "Ingests a file or folder that the server's owner opened for it, and answers when it can be found (003).";
    type Input = OpenedDocuments;
    type Output = DocumentsIngested;

    async fn input(asked: &mut Asked, schema: &Value) -> Result<OpenedDocuments, ApiError> {
        let kind = asked.parts.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        let as_json = kind.is_none_or(|kind| kind.starts_with("application/json"));
        let query = asked.query();
        let given =
            |name: &str| query.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
        if let Some(name) = given("name").filter(|_| !as_json) {
            admit(asked)?;
            let (file, _) = received(asked).await?;
            let sent = Some(Source::sent(name, file));
            return Ok(OpenedDocuments { path: String::new(), corpus: given("corpus"), sent });
        }
        let fields = asked.fields(Self::METHOD, Self::MOST, schema).await?;
        sibyl_api::read(fields.into(), "the request")
    }

    async fn answer(asked: &Asked, input: OpenedDocuments) -> Result<DocumentsIngested, ApiError> {
        let OpenedDocuments { path, corpus, sent } = input;
        let request = IngestRequest { corpus, ..IngestRequest::default() };
        let begun = if let Some(source) = sent {
            start(asked, IngestRequest { sources: vec![source], ..request }).await?
        } else {
            admit(asked)?;
            let path = opened(asked.served.options.documents.as_deref(), &path)?;
            let request = IngestRequest { sources: vec![Source::path(path)], ..request };
            let served = &asked.served;
            door::ingest(&served.library, &served.options.workspace, request).await?
        };
        let Job { id, report, .. } = job::finished(asked, begun).await?;
        let failed = report.failed.into_iter();
        Ok(DocumentsIngested {
            status: report.status,
            job: id,
            documents: report.documents,
            chunks: report.chunks,
            failed: failed
                .map(|file| FailedDocument { path: file.path, code: file.code, message: file.message })
                .collect(),
            duration_seconds: report.seconds,
        })
    }
}

/// Refuses callers who may not ingest.
fn admit(asked: &Asked) -> Result<(), ApiError> {
    let entry = sibyl_api::entry(IngestStart::NAME)
        .ok_or_else(|| ApiError::new("unknown_command", "this server cannot ingest documents"))?;
    asked.served.call(asked.granted, &asked.id).door.admit(entry)
}

/// `path` below `folder`, whatever links are between.
fn opened(folder: Option<&Path>, path: &str) -> Result<PathBuf, ApiError> {
    let refused = |message: &str| ApiError::new("forbidden", message);
    let folder = folder.ok_or_else(|| {
        refused("no folder of documents is open here: start the server with `--documents FOLDER`, or send the file")
    })?;
    let outside = || refused("the path leads out of the folder of documents; name a file or folder in it");
    if !Path::new(path).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
        return Err(outside());
    }
    let missing = |_| ApiError::new("not_found", format!("`{path}` is not in the folder of documents"));
    let folder = folder.canonicalize().map_err(missing)?;
    let found = folder.join(path).canonicalize().map_err(missing)?;
    if found.starts_with(&folder) { Ok(found) } else { Err(outside()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_stays_in_the_folder_that_was_opened() {
        let around = tempfile::tempdir().unwrap();
        let folder = around.path().join("documents");
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("a.md"), "a").unwrap();
        std::fs::write(around.path().join("secret.md"), "s").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(around.path().join("secret.md"), folder.join("link.md")).unwrap();
        let code = |path: &str| opened(Some(&folder), path).map_err(|error| error.code);
        assert_eq!(code("a.md"), Ok(folder.canonicalize().unwrap().join("a.md")));
        assert_eq!(code(""), Ok(folder.canonicalize().unwrap()));
        for path in ["../secret.md", "/etc/passwd", "x/../../secret.md", "link.md"] {
            assert_eq!(code(path), Err("forbidden".to_owned()), "{path}");
        }
        assert_eq!(code("b.md"), Err("not_found".to_owned()));
        assert_eq!(opened(None, "a.md").unwrap_err().code, "forbidden");
    }
}
