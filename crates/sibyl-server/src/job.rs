//! Jobs: waited for, and followed as they go.

use crate::asked::Asked;
use crate::stream;
use axum::response::Response;
use serde_json::json;
use sibyl_api::command::ingest::{JobGet, JobId};
use sibyl_api::{ApiError, Command as _, Job, JobState, door};

/// Waits until the job `id` comes to rest, and returns it.
///
/// # Errors
/// `closed` if the server ends before it; otherwise the error, if there is one.
pub(crate) async fn finished(asked: &Asked, id: i64) -> Result<Job, ApiError> {
    let served = &asked.served;
    let mut events = door::follow(&served.library, &served.options.workspace, id).await?;
    tokio::select! {
        () = async { while events.recv().await.is_some() {} } => {}
        () = served.closed() => {
            let message = format!("the server is shutting down; job {id} continues when it starts again");
            return Err(ApiError::new("closed", message));
        }
    }
    let job = asked.run::<JobGet>(JobId { id }).await?;
    match job.state {
        JobState::Done => Ok(job),
        JobState::Failed => {
            let code = job.report.failed_code.as_deref().unwrap_or("internal");
            Err(ApiError::new(code, job.error.unwrap_or_default()))
        }
        _ => Err(ApiError::new("job_ended", format!("job {id} was stopped; resume it to continue"))),
    }
}

/// `GET /api/v1/jobs/{id}/events`: the events of a job until it comes to rest, then the job itself.
pub(crate) async fn events(mut asked: Asked) -> Result<Response, ApiError> {
    let path = asked.path().await?;
    let id = path.first().and_then(|(_, id)| id.parse().ok());
    let id: i64 = id.ok_or_else(|| ApiError::invalid("the id of a job is a number"))?;
    // To a caller who may not see it, a job does not exist.
    asked.run::<JobGet>(JobId { id }).await?;
    // If its events are no longer kept, the first event gives the whole state.
    if let Ok(Some(resumed)) = stream::resumed(&asked) {
        return Ok(resumed);
    }
    let served = &asked.served;
    let mut events = door::follow(&served.library, &served.options.workspace, id).await?;
    let (told, response) = stream::open(&asked);
    tokio::spawn(async move {
        while let Some(event) = events.recv().await {
            let mut event = json!(event);
            sibyl_api::without_places(&mut event);
            told.tell("progress", &event);
        }
        match asked.dispatch(JobGet::NAME, json!(JobId { id })).await {
            Ok(job) => told.tell("job", &job),
            Err(error) => told.fail(error, &asked.id),
        }
    });
    Ok(response)
}
