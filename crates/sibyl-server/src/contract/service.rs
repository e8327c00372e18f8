//! `/query` and `/ingest` of the retrieval service (document 003).

use super::body;
use super::rag::id_of;
use crate::asked::Asked;
use crate::body::MOST_JSON;
use crate::job;
use crate::reply::json_reply;
use crate::upload::{received, start};
use axum::http::{StatusCode, header};
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use sibyl_api::{ApiError, IngestRequest, Source, door};
use std::path::{Component, Path, PathBuf};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Query {
    query: String,
    /// Source types, corpora or paths of documents; all where none is named.
    #[serde(default)]
    sources: Vec<String>,
}

/// FR-015 to FR-018: an answer with its citations and a confidence from 0 to 1; each reading of an ambiguous question
/// with its own; or that nothing was found, in exactly the words that FR-018 asks for.
pub(super) async fn query(mut asked: Asked) -> Result<Response, ApiError> {
    let Query { query, sources } = body(&mut asked, MOST_JSON).await?;
    let filters = filters(&asked, sources).await?;
    let answer = asked.run("answer.ask", json!({ "question": query, "filters": filters })).await?;
    if answer["outcome"] == "failed" {
        let text = |name: &str| answer["fault"][name].as_str().unwrap_or_default().to_owned();
        return Err(ApiError::new(&text("code"), text("message")));
    }
    if answer["answer"].is_null() {
        let told = json!({
            "answer": null,
            "citations": [],
            "message": "Information not found in the knowledge base.",
        });
        return Ok(json_reply(StatusCode::OK, &told));
    }
    let mut told = one(&answer);
    let readings = answer["readings"].as_array().filter(|readings| !readings.is_empty());
    if let Some(readings) = readings {
        let answers = readings.iter().map(|reading| {
            let mut told = one(reading);
            told.insert("reading".to_owned(), reading["reading"].clone());
            Value::Object(told)
        });
        told.insert("answers".to_owned(), answers.collect());
    }
    Ok(json_reply(StatusCode::OK, &Value::Object(told)))
}

/// An answer, or one of its readings.
fn one(of: &Value) -> Map<String, Value> {
    let citations = of["citations"].as_array().into_iter().flatten().map(|citation| {
        json!({
            "n": citation["n"],
            "document": citation["title"],
            "path": citation["path"],
            "section": citation["section"],
            "pages": citation["pages"],
            "page_labels": citation["page_labels"],
            "ocr": citation["ocr"],
            "paragraph_id": citation["paragraph_id"],
            "excerpt": citation["snippet"],
            "chunk_id": citation["chunk_id"],
        })
    });
    Map::from_iter([
        ("answer".to_owned(), of["answer"].clone()),
        ("citations".to_owned(), citations.collect()),
        ("confidence".to_owned(), of["confidence"].clone()),
    ])
}

/// The filters that `sources` stand for: source types and corpora by their names, everything else a path.
async fn filters(asked: &Asked, sources: Vec<String>) -> Result<Value, ApiError> {
    let (mut source_types, mut corpora, mut paths) = (Vec::new(), Vec::new(), Vec::new());
    if !sources.is_empty() {
        let overview = asked.run("library.overview", json!({})).await?;
        let known = |name: &str, field: &str| {
            let mut all = overview["corpora"].as_array().into_iter().flatten();
            all.any(|corpus| corpus["corpus"][field] == name)
        };
        for source in sources {
            if known(&source, "source_type") {
                source_types.push(source);
            } else if known(&source, "name") {
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
    /// File or folder below the folder of documents that the server was started with; all of it where none is named.
    #[serde(default)]
    path: String,
    /// Corpus they go to.
    #[serde(default)]
    corpus: Option<String>,
}

/// FR-003: ingests a file or folder of the folder that the server's owner opened for it, or the file that the body is
/// (`?name=`), and answers when it can be found.
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
            json!({ "id": door::ingest(&served.library, &served.options.workspace, request).await? })
        }
    };
    let job = job::finished(&asked, id_of(&begun)?).await?;
    let failed: Vec<Value> = job["report"]["failed"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|file| json!({ "path": file["path"], "code": file["code"], "message": file["message"] }))
        .collect();
    let told = json!({
        "status": job["report"]["status"],
        "job": job["id"],
        "documents": job["report"]["documents"],
        "chunks": job["report"]["chunks"],
        "failed": failed,
        "duration_seconds": job["report"]["seconds"],
    });
    Ok(json_reply(StatusCode::OK, &told))
}

/// Refuses whoever may not ingest.
fn admit(asked: &Asked) -> Result<(), ApiError> {
    let entry = sibyl_api::entry("ingest.start")
        .ok_or_else(|| ApiError::new("unknown_command", "this server cannot ingest documents"))?;
    asked.served.call(asked.granted, &asked.id).door.admit(entry)
}

/// `path` below `folder`, whatever links lie between.
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
