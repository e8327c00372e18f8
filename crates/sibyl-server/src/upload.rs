//! Files that come in the body of a request: written to disk as they come, up to a limit, then ingested.

use crate::asked::Asked;
use crate::input::MOST_JSON;
use crate::reply::json_reply;
use axum::http::StatusCode;
use axum::response::Response;
use http_body_util::BodyExt as _;
use serde_json::{Map, Value, json};
use sibyl_api::{ApiError, IngestRequest, Source};
use std::io::SeekFrom;
use tokio::fs::File;
use tokio::io::{AsyncReadExt as _, AsyncSeekExt as _, AsyncWriteExt as _};

/// `POST /api/v1/uploads?name=FILE`: ingests the body. The other parameters are those of `ingest.start`.
pub(crate) async fn upload(mut asked: Asked) -> Result<Response, ApiError> {
    let mut fields = Map::new();
    let mut name = None;
    let mut others = Vec::new();
    for (field, value) in asked.query() {
        if field == "name" {
            name = Some(value);
        } else {
            others.push((field, value));
        }
    }
    let name = name.filter(|name| !name.trim().is_empty());
    let name = name.ok_or_else(|| ApiError::invalid("name the file: `?name=report.pdf`"))?;
    let served = asked.served.clone();
    let ingest = served.schemas.commands.iter().find(|command| command.entry.name == "ingest.start");
    let ingest = ingest.ok_or_else(|| ApiError::new("unknown_command", "nothing is ingested here"))?;
    served.call(asked.granted, &asked.id).door.admit(ingest.entry)?;
    crate::input::fill(&mut fields, &ingest.input, others)?;
    let bytes = received(&mut asked).await?;
    let request: IngestRequest = serde_json::from_value(Value::Object(fields))
        .map_err(|error| ApiError::invalid(format!("the parameters cannot be read: {error}")))?;
    let request = IngestRequest { sources: vec![Source::upload(name, bytes)], ..request };
    Ok(json_reply(StatusCode::ACCEPTED, &start(&asked, request).await?))
}

/// Starts ingesting `request`.
pub(crate) async fn start(asked: &Asked, request: IngestRequest) -> Result<Value, ApiError> {
    let input = serde_json::to_value(request)
        .map_err(|error| ApiError::new("internal", format!("the request cannot be written: {error}")))?;
    asked.run("ingest.start", input).await
}

/// The body, by way of the disk: a file without a name, which the system takes away whatever happens to the server.
pub(crate) async fn received(asked: &mut Asked) -> Result<Vec<u8>, ApiError> {
    let limit = limit(asked).await?;
    let unkept = |error: std::io::Error| ApiError::new("io", format!("an upload cannot be kept: {error}"));
    let folder = asked.served.library.folder().to_owned();
    let mut file = File::from_std(tempfile::tempfile_in(folder).map_err(unkept)?);
    let mut length: u64 = 0;
    let mut body = asked.take_body();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| ApiError::invalid(format!("the upload broke off: {error}")))?;
        let Ok(data) = frame.into_data() else { continue };
        length += data.len() as u64;
        if length > limit {
            let message = format!("the file is larger than {} MB", limit >> 20);
            return Err(ApiError::new("too_large", message));
        }
        file.write_all(&data).await.map_err(unkept)?;
    }
    if length == 0 {
        return Err(ApiError::invalid("the file is empty; send it as the body"));
    }
    file.seek(SeekFrom::Start(0)).await.map_err(unkept)?;
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or_default());
    file.read_to_end(&mut bytes).await.map_err(unkept)?;
    Ok(bytes)
}

/// Commands that files come with.
const CARRY_FILES: [&str; 5] =
    ["chunk.difference", "chunk.preview", "document.page_layout", "ingest.preflight", "ingest.start"];

/// Bytes of a body of `command` that is read as JSON: as many as the largest file has in Base64, where files may come
/// with it.
pub(crate) async fn most_json(asked: &Asked, command: &str) -> Result<usize, ApiError> {
    if !CARRY_FILES.contains(&command) {
        return Ok(MOST_JSON);
    }
    let largest = usize::try_from(limit(asked).await?).unwrap_or(usize::MAX);
    Ok(largest.div_ceil(3).saturating_mul(4).saturating_add(MOST_JSON))
}

/// Most bytes of a file, as the settings say.
async fn limit(asked: &Asked) -> Result<u64, ApiError> {
    let settings = asked.run("settings.get", json!({})).await?;
    let named = |setting: &&Value| setting["param"]["name"] == "max_file_size";
    let megabytes =
        settings.as_array().and_then(|all| all.iter().find(named)).and_then(|s| s["value"].as_u64());
    Ok(megabytes.unwrap_or(1) << 20)
}
