//! Whether the server can answer.

use crate::served::Served;
use axum::http::StatusCode;
use axum::response::Response;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use sibyl_api::command::Nothing;
use sibyl_api::command::ingest::JobList;
use sibyl_api::command::library::LibraryStats;
use sibyl_api::command::settings::ModelList;
use sibyl_api::{ApiError, Call, Command, Door, Scope};

/// `ready`, or `degraded` with the cause, as documents 003 and 004 ask for. It needs no sign-in, so it reveals
/// nothing about the contents of the library.
pub(crate) async fn health(served: &Served) -> Response {
    let cause = cause(served).await;
    let failed = cause == Some(UNREADABLE) || cause == Some(DAMAGED);
    let status = if failed { StatusCode::SERVICE_UNAVAILABLE } else { StatusCode::OK };
    let health = Health {
        status: if cause.is_some() { Readiness::Degraded } else { Readiness::Ready },
        version: env!("CARGO_PKG_VERSION"),
        cause,
    };
    crate::reply::json_reply(status, &json!(health))
}

/// Whether the server can answer.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Health {
    status: Readiness,
    version: &'static str,
    /// Why it is degraded.
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<&'static str>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Readiness {
    Ready,
    Degraded,
}

const UNREADABLE: &str = "the library cannot be read";
const DAMAGED: &str = "the library is damaged; `sibyl rescue` saves what can be read";

async fn cause(served: &Served) -> Option<&'static str> {
    if served.library.store().damage().is_some() {
        return Some(DAMAGED);
    }
    let (Ok(stats), Ok(models), Ok(jobs)) =
        (ask::<LibraryStats>(served).await, ask::<ModelList>(served).await, ask::<JobList>(served).await)
    else {
        return Some(UNREADABLE);
    };
    if jobs.iter().any(|job| !job.state.at_rest()) {
        return Some("documents are being ingested; some are not found yet");
    }
    if stats.get("total") == Some(&0) {
        return Some("the library is empty");
    }
    (!models.iter().any(|model| model.served))
        .then_some("no embedding model is available; only keyword search works")
}

async fn ask<C: Command<Input = Nothing>>(served: &Served) -> Result<C::Output, ApiError> {
    let door = Door::Remote { most: Scope::Read };
    let call = Call { door, ..Call::new(served.library.clone(), &served.options.workspace) };
    call.run::<C>(Nothing {}).await
}
