//! Files in the body of a request: written to disk as they arrive, up to a limit, until a call uses them.

use crate::asked::Asked;
use crate::body::Pieces;
use crate::reply::json_reply;
use axum::http::StatusCode;
use axum::response::Response;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};
use sibyl_api::command::ingest::{IngestStart, JobId};
use sibyl_api::{ApiError, Command as _, IngestRequest, Scope, Source, door};
use tokio::fs::File;
use tokio::io::AsyncWriteExt as _;

/// `POST /api/v1/files`: keeps the body as a file that later calls name by its id.
pub(crate) async fn keep(mut asked: Asked) -> Result<Response, ApiError> {
    // A caller who may change nothing has no use for it.
    if asked.granted.scope < Scope::Write {
        let message = "sending a file needs the scope `write`; start the server with `--allow write` and sign in with a \
                       token of that scope";
        return Err(ApiError::new("forbidden", message));
    }
    let (file, bytes) = received(&mut asked).await?;
    Ok(json_reply(StatusCode::CREATED, &json!(KeptFile { file, bytes })))
}

/// A file that was kept.
#[derive(Serialize, JsonSchema)]
pub(crate) struct KeptFile {
    /// Its id.
    file: String,
    /// Its size in bytes.
    bytes: u64,
}

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
    let ingest = served.schemas.commands.iter().find(|command| command.entry.name == IngestStart::NAME);
    let ingest =
        ingest.ok_or_else(|| ApiError::new("unknown_command", "this server cannot ingest documents"))?;
    served.call(asked.granted, &asked.id).door.admit(ingest.entry)?;
    crate::input::fill(&mut fields, &ingest.input, others)?;
    let request: IngestRequest = serde_json::from_value(Value::Object(fields))
        .map_err(|error| ApiError::invalid(format!("the parameters cannot be read: {error}")))?;
    let (file, _) = received(&mut asked).await?;
    let request = IngestRequest { sources: vec![Source::sent(name, file)], ..request };
    let job = start(&asked, request).await?;
    Ok(json_reply(StatusCode::ACCEPTED, &json!(JobId { id: job })))
}

/// Starts ingesting `request`, and returns the id of the job.
pub(crate) async fn start(asked: &Asked, request: IngestRequest) -> Result<i64, ApiError> {
    Ok(asked.run::<IngestStart>(request).await?.id)
}

/// Writes the body to disk. Returns the id under which a call can use it, and its length in bytes.
pub(crate) async fn received(asked: &mut Asked) -> Result<(String, u64), ApiError> {
    let (incoming, limit) = door::receive(&asked.served.library).await?;
    let unkept = |error: std::io::Error| ApiError::new("io", format!("an upload cannot be kept: {error}"));
    let mut file = File::create(incoming.path()).await.map_err(unkept)?;
    let mut length: u64 = 0;
    let mut pieces = Pieces::of(asked.take_body());
    while let Some(data) = pieces.next().await? {
        length += data.len() as u64;
        if length > limit {
            let megabytes = limit >> 20;
            let message = format!("the file is larger than {megabytes} MB, the setting max_file_size");
            return Err(ApiError::new("too_large", message));
        }
        file.write_all(&data).await.map_err(unkept)?;
    }
    if length == 0 {
        return Err(ApiError::invalid("the file is empty; send it as the body"));
    }
    file.flush().await.map_err(unkept)?;
    drop(file);
    Ok((incoming.keep()?, length))
}
