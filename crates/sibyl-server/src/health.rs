//! Whether the server can answer.

use crate::served::Served;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize as _;
use serde_json::json;
use sibyl_api::{Call, Door, JobState, Scope};

/// `ready`, or `degraded` with the cause, as documents 003 and 004 ask for. Nobody has to sign in for it, so it tells
/// nothing of what the library holds.
pub(crate) async fn health(served: &Served) -> Response {
    let cause = cause(served).await;
    let failed = cause == Some(UNREADABLE);
    let status = if failed { StatusCode::SERVICE_UNAVAILABLE } else { StatusCode::OK };
    let mut told = json!({
        "status": if cause.is_some() { "degraded" } else { "ready" },
        "version": env!("CARGO_PKG_VERSION"),
    });
    if let Some(cause) = cause {
        told["cause"] = cause.into();
    }
    crate::reply::json_reply(status, &told)
}

const UNREADABLE: &str = "the library cannot be read";

async fn cause(served: &Served) -> Option<&'static str> {
    let ask = async |command: &str| {
        let door = Door::Remote { most: Scope::Read };
        let call = Call { door, ..Call::new(served.library.clone(), &served.options.workspace) };
        sibyl_api::dispatch(command, call, json!({})).await
    };
    let (Ok(stats), Ok(models), Ok(jobs)) =
        (ask("library.stats").await, ask("model.list").await, ask("job.list").await)
    else {
        return Some(UNREADABLE);
    };
    let at_work =
        |job: &serde_json::Value| JobState::deserialize(&job["state"]).is_ok_and(|state| !state.at_rest());
    if jobs.as_array().is_some_and(|jobs| jobs.iter().any(at_work)) {
        return Some("documents are being ingested; some are not found yet");
    }
    if stats["total"] == 0 {
        return Some("the library is empty");
    }
    let served = |model: &serde_json::Value| model["served"] == true;
    (!models.as_array().is_some_and(|models| models.iter().any(served)))
        .then_some("no embedding model is available; only keyword search works")
}
