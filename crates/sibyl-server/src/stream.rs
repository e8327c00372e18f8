//! Server-sent events. The events of a stream are kept for a while. A caller whose connection broke reads on where
//! it stopped (`Last-Event-ID`), and nothing is done twice.

use crate::asked::Asked;
use crate::kept::{Kept, Reader, Teller};
use crate::reply::json_reply;
use crate::served::Served;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream::{Stream, StreamExt as _, unfold};
use serde_json::{Value, json};
use sibyl_api::door::Told;
use sibyl_api::{ApiError, Effect, ProgressListener};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::broadcast::error::RecvError;

/// How often a silent stream is kept alive.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// Names a stream, so that it can be cancelled.
const STREAM_ID: &str = "x-stream-id";
/// Names the last event that a caller has seen.
const LAST_EVENT_ID: &str = "last-event-id";

/// Whether a caller asks for a stream.
pub(crate) fn wanted(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT).and_then(|kinds| kinds.to_str().ok());
    accepted.is_some_and(|kinds| kinds.contains("text/event-stream"))
}

/// Opens a stream: the work that sends events, and the response that reads them.
pub(crate) fn open(asked: &Asked) -> (Teller, Response) {
    let kept = asked.served.streams.open();
    let response = response(asked.served.clone(), kept.clone(), 0);
    (Teller::of(kept), response)
}

/// The events after the last one that a caller has seen; all if it names none.
///
/// # Errors
/// `not_found` if that stream is no longer kept.
pub(crate) fn resumed(asked: &Asked) -> Result<Option<Response>, ApiError> {
    let Some(last) = asked.parts.headers.get(LAST_EVENT_ID) else { return Ok(None) };
    let (kept, seen) = last
        .to_str()
        .ok()
        .and_then(|last| last.split_once('.'))
        .and_then(|(id, seen)| Some((asked.served.streams.find(id)?, seen.parse().ok()?)))
        .ok_or_else(|| ApiError::new("not_found", "that stream is no longer available; ask again"))?;
    Ok(Some(response(asked.served.clone(), kept, seen)))
}

/// Runs the stream command `name`, or reads on in one that was begun before.
pub(crate) async fn command(asked: &Asked, name: &'static str, input: Value) -> Result<Response, ApiError> {
    if let Some(resumed) = resumed(asked)? {
        return Ok(resumed);
    }
    let (teller, response) = open(asked);
    let teller = Arc::new(teller);
    let mut call = asked.served.call(asked.granted, &asked.id);
    let listener = teller.clone();
    let listener: ProgressListener = Arc::new(move |progress| {
        listener.tell("progress", &serde_json::to_value(progress).unwrap_or_default())
    });
    call.progress = Some(listener);
    let id = asked.id.clone();
    let (served, kept) = (asked.served.clone(), teller.kept());
    let task = tokio::spawn(async move {
        match served.dispatch(name, call, input).await {
            Ok(answer) => teller.tell("answer", &answer),
            Err(error) => teller.fail(error, &id),
        }
    });
    kept.told_by(task.abort_handle());
    if sibyl_api::entry(name).is_some_and(|entry| entry.effect == Effect::Egress) {
        // What a model writes costs money even if nobody reads it.
        let served = asked.served.clone();
        tokio::spawn(async move {
            tokio::select! {
                () = kept.left() => stop(&served, &kept).await,
                () = kept.ended() => {}
            }
        });
    }
    Ok(response)
}

/// Stops what `kept` reports on. What had arrived of it is kept and sent.
async fn stop(served: &Served, kept: &Kept) {
    kept.stop().await;
    served.library.answer().settled().await;
    // Nobody need listen.
    let _ = served.told.send(Told::changed(&["answers", "evaluations"]));
}

/// `DELETE /api/v1/streams/{id}`: stops what a stream reports on. Work that has ended is left alone.
pub(crate) async fn cancel(mut asked: Asked) -> Result<Response, ApiError> {
    let path = asked.path().await?;
    let kept = path.first().and_then(|(_, id)| asked.served.streams.find(id));
    let kept = kept.ok_or_else(|| ApiError::new("not_found", "that stream is no longer available"))?;
    let served = asked.served.clone();
    // A caller who leaves meanwhile does not stop this.
    let stopping = tokio::spawn(async move { stop(&served, &kept).await });
    stopping.await.map_err(|error| ApiError::new("internal", error.to_string()))?;
    Ok(json_reply(StatusCode::OK, &json!({})))
}

/// `GET /api/v1/events`: what happens in the library from now on. A caller who comes back requests what it shows
/// again: that is less than it may have missed.
pub(crate) async fn happens(asked: Asked) -> Result<Response, ApiError> {
    let served = asked.served;
    let begin = (served.told.subscribe(), served.options.workspace.clone());
    let events = unfold(begin, |(mut told, workspace)| async {
        let event = match told.recv().await {
            Ok(told) => event(&told, &workspace),
            Err(RecvError::Lagged(_)) => event(&Told::changed(&["*"]), ""),
            Err(RecvError::Closed) => return None,
        };
        Some((event, (told, workspace)))
    });
    Ok(of_events(served, events))
}

/// An event as it travels. Jobs of other workspaces are not reported, only their changes.
fn event(told: &Told, workspace: &str) -> Event {
    let mut told = told.clone();
    told.job = told.job.filter(|job| job.workspace == workspace);
    let mut told = json!(told);
    sibyl_api::without_places(&mut told);
    Event::default().event("told").data(told.to_string())
}

/// A response that reads `kept` after the first `seen` events.
fn response(served: Arc<Served>, kept: Arc<Kept>, seen: usize) -> Response {
    let id = kept.id().to_owned();
    let events = unfold(Reader::of(kept, seen), |mut reader| async { Some((reader.next().await?, reader)) });
    ([(STREAM_ID, id)], of_events(served, events)).into_response()
}

/// A response that tells `events` until there are no more, or the server ends.
fn of_events(served: Arc<Served>, events: impl Stream<Item = Event> + Send + 'static) -> Response {
    let events = events.map(Ok::<_, Infallible>).take_until(async move { served.closed().await });
    let events = Sse::new(events).keep_alive(KeepAlive::new().interval(HEARTBEAT).text("still here"));
    // Nothing on the way may hold events back, nor keep them.
    ([("x-accel-buffering", "no"), ("cache-control", "no-store")], events).into_response()
}
