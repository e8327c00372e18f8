//! Server-sent events. What a stream told is kept for a while, so that a caller whose connection broke reads on where
//! it stopped (`Last-Event-ID`) and nothing is done twice.

use crate::asked::Asked;
use crate::kept::{Kept, Teller};
use crate::served::Served;
use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use futures_core::Stream;
use serde_json::Value;
use sibyl_api::{ApiError, ProgressListener};
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::sync::mpsc;

/// How often a silent stream is kept alive.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// Names the last event that a caller has seen.
const LAST_EVENT_ID: &str = "last-event-id";

/// Whether a caller asks for a stream.
pub(crate) fn wanted(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT).and_then(|kinds| kinds.to_str().ok());
    accepted.is_some_and(|kinds| kinds.contains("text/event-stream"))
}

/// Opens a stream: what tells it, and the response that reads it.
pub(crate) fn open(asked: &Asked) -> (Teller, Response) {
    let kept = asked.served.streams.open();
    let response = response(asked.served.clone(), kept.clone(), 0);
    (Teller::of(kept), response)
}

/// Runs the stream command `name`, or reads on in one that was begun before.
pub(crate) async fn command(asked: &Asked, name: &'static str, input: Value) -> Result<Response, ApiError> {
    if let Some(last) = asked.parts.headers.get(LAST_EVENT_ID) {
        let (kept, seen) = last
            .to_str()
            .ok()
            .and_then(|last| last.split_once('.'))
            .and_then(|(id, seen)| Some((asked.served.streams.find(id)?, seen.parse().ok()?)))
            .ok_or_else(|| ApiError::new("not_found", "that stream is not kept any more; ask again"))?;
        return Ok(response(asked.served.clone(), kept, seen));
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
    tokio::spawn(async move {
        match sibyl_api::dispatch(name, call, input).await {
            Ok(answer) => teller.tell("answer", &answer),
            Err(error) => teller.fail(error, &id),
        }
    });
    Ok(response)
}

/// A response that reads `kept` behind the first `seen` events.
fn response(served: Arc<Served>, kept: Arc<Kept>, seen: usize) -> Response {
    let (sender, events) = mpsc::channel(1);
    tokio::spawn(async move {
        tokio::select! {
            () = read(kept, seen, sender) => {}
            () = served.closed() => {}
        }
    });
    let mut response = Response::new(axum::body::Body::from_stream(Events(events)));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    // Nothing on the way may hold events back.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

/// Sends the events of `kept` behind the first `seen` until there are no more, or nobody reads them.
async fn read(kept: Arc<Kept>, mut seen: usize, sender: mpsc::Sender<Bytes>) {
    let mut told = kept.follow();
    loop {
        let (_, ended) = *told.borrow_and_update();
        let fresh = kept.behind(&mut seen);
        if !fresh.is_empty() && sender.send(Bytes::from(fresh)).await.is_err() {
            return;
        }
        if ended {
            return;
        }
        if tokio::time::timeout(HEARTBEAT, told.changed()).await.is_err()
            && sender.send(Bytes::from_static(b": still here\n\n")).await.is_err()
        {
            return;
        }
    }
}

/// What is received, as a body.
struct Events(mpsc::Receiver<Bytes>);

impl Stream for Events {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context).map(|bytes| bytes.map(Ok))
    }
}
