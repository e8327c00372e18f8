//! `/query` and `/ingest` of the retrieval service (document 003).

use super::body;
use crate::asked::Asked;
use crate::body::MOST_JSON;
use crate::job;
use crate::reply::json_reply;
use crate::status::status_of;
use crate::upload::{received, start};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};
use sibyl_api::command::answer::AnswerAsk;
use sibyl_api::command::ingest::IngestStart;
use sibyl_api::command::library::LibraryOverview;
use sibyl_api::{ApiError, Command as _, Constraint, IngestRequest, Job, Outcome, Source, door};
use std::path::{Component, Path, PathBuf};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Query {
    query: String,
    /// Source types, corpora or paths of documents; all by default.
    #[serde(default)]
    sources: Vec<String>,
    /// Conditions of the question to ignore.
    #[serde(default)]
    ignore: Vec<Constraint>,
}

/// Header of an answer that names its outcome, also where FR-018 leaves its body no room for it.
const OUTCOME: HeaderName = HeaderName::from_static("sibyl-outcome");

/// FR-015 to FR-018: the same reply as at every door, or that nothing was found, in exactly the words that FR-018
/// requires. If something went wrong before the first word, the status is that of the error, which comes with it.
pub(super) async fn query(mut asked: Asked) -> Result<Response, ApiError> {
    let Query { query, sources, ignore } = body(&mut asked, MOST_JSON).await?;
    let filters = filters(&asked, sources).await?;
    let asking = json!({ "question": query, "ignore": ignore, "filters": filters });
    let reply = asked.run::<AnswerAsk>(asking).await?.reply;
    let mut told = json!(reply);
    let mut status = StatusCode::OK;
    if reply.outcome == Outcome::Faulted {
        let fault = reply.fault.as_ref();
        let error = ApiError::new(
            fault.map_or("internal", |fault| fault.code.as_str()),
            reply.message.clone().unwrap_or_default(),
        );
        status = status_of(&error.code);
        told["error"] = json!(error);
    } else if reply.is_plainly_not_found() {
        told = json!({ "answer": null, "citations": [], "message": reply.message });
    }
    let mut response = json_reply(status, &told);
    response.headers_mut().insert(OUTCOME, HeaderValue::from_static(reply.outcome.name()));
    Ok(response)
}

/// The filters for `sources`: source types and corpora by name, everything else as a path.
async fn filters(asked: &Asked, sources: Vec<String>) -> Result<Value, ApiError> {
    let (mut source_types, mut corpora, mut paths) = (Vec::new(), Vec::new(), Vec::new());
    if !sources.is_empty() {
        let known = asked.run::<LibraryOverview>(json!({})).await?.corpora;
        for source in sources {
            if known.iter().any(|known| known.corpus.source_type == source) {
                source_types.push(source);
            } else if known.iter().any(|known| known.corpus.name == source) {
                corpora.push(source);
            } else {
                paths.push(source);
            }
        }
    }
    Ok(json!({ "source_types": source_types, "corpora": corpora, "paths": paths }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ingest {
    /// File or folder below the folder of documents with which the server was started; by default all of it.
    #[serde(default)]
    path: String,
    /// Corpus they go to.
    #[serde(default)]
    corpus: Option<String>,
}

/// FR-003: ingests a file or folder of the folder that the server's owner opened for it, or the file in the body
/// (`?name=`). It answers when the text can be found.
pub(super) async fn ingest(mut asked: Asked) -> Result<Response, ApiError> {
    let kind = asked.parts.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let as_json = kind.is_none_or(|kind| kind.starts_with("application/json"));
    let query = asked.query();
    let given = |name: &str| query.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
    let begun = match given("name") {
        Some(name) if !as_json => {
            admit(&asked)?;
            let (file, _) = received(&mut asked).await?;
            let source = Source::sent(name, file);
            let corpus = given("corpus");
            start(&asked, IngestRequest { sources: vec![source], corpus, ..IngestRequest::default() }).await?
        }
        _ => {
            let Ingest { path, corpus } = body(&mut asked, MOST_JSON).await?;
            admit(&asked)?;
            let path = opened(asked.served.options.documents.as_deref(), &path)?;
            let request =
                IngestRequest { sources: vec![Source::path(path)], corpus, ..IngestRequest::default() };
            let served = &asked.served;
            door::ingest(&served.library, &served.options.workspace, request).await?
        }
    };
    let Job { id, report, .. } = job::finished(&asked, begun).await?;
    let failed = report.failed.iter();
    let failed = failed.map(|file| json!({ "path": file.path, "code": file.code, "message": file.message }));
    let told = json!({
        "status": report.status,
        "job": id,
        "documents": report.documents,
        "chunks": report.chunks,
        "failed": failed.collect::<Vec<_>>(),
        "duration_seconds": report.seconds,
    });
    Ok(json_reply(StatusCode::OK, &told))
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
