//! The bodies of requests, and the memory they use.

use axum::body::{Body, Bytes, HttpBody};
use http_body::{Frame, SizeHint};
use http_body_util::BodyExt as _;
use sibyl_api::ApiError;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};

/// Maximum size of a JSON body that may contain whole files, in bytes.
pub(crate) const MOST_FILES: usize = 32 << 20;
/// Bytes of any other JSON body.
pub(crate) const MOST_JSON: usize = 1 << 20;
/// Size from which a body counts as large, in bytes.
const LARGE: usize = 1 << 20;
/// Maximum number of large bodies in memory at once: each takes its length several times over while it is read.
pub(crate) const LARGE_AT_ONCE: usize = 4;
/// How long a large body waits for its turn.
const TURN: Duration = Duration::from_secs(30);
/// Time limit for the next [`STEP`] bytes of a body, or for its end.
const PATIENCE: Duration = Duration::from_secs(15);
const STEP: usize = 4 << 10;
/// How long the server goes on reading a body that it does not need, in one go and at most. Its caller may read
/// the answer only once it has sent everything.
const PARTING_SILENCE: Duration = Duration::from_secs(3);
const PARTING: Duration = Duration::from_secs(15);

/// The body of a request on its way. If it is not read to its end, the rest is read and thrown away, so that the
/// connection is not reset before the caller reads the answer.
pub(crate) struct Arriving {
    body: Body,
    /// Whether the caller waits for a sign that it may send the body.
    waits: bool,
    polled: bool,
    ended: Arc<AtomicBool>,
}

impl Arriving {
    /// `body`, which is not sent before it is requested if the caller `waits`, and what reports that it came
    /// completely.
    pub(crate) fn new(body: Body, waits: bool) -> (Self, Arc<AtomicBool>) {
        let ended = Arc::new(AtomicBool::new(body.is_end_stream()));
        (Self { body, waits, polled: false, ended: Arc::clone(&ended) }, ended)
    }
}

impl HttpBody for Arriving {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        self.polled = true;
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        if !matches!(frame, Some(Ok(_))) || self.body.is_end_stream() {
            self.ended.store(true, Ordering::Relaxed);
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Arriving {
    fn drop(&mut self) {
        if self.ended.load(Ordering::Relaxed) || self.waits && !self.polled {
            return;
        }
        let mut rest = std::mem::take(&mut self.body);
        tokio::spawn(timeout(PARTING, async move {
            while let Ok(Some(Ok(_))) = timeout(PARTING_SILENCE, rest.frame()).await {}
        }));
    }
}

/// A body that is read piece by piece, and the time that its caller has left.
pub(crate) struct Pieces {
    body: Body,
    left: Duration,
    came: usize,
}

impl Pieces {
    /// The pieces of `body`.
    pub(crate) fn of(body: Body) -> Self {
        Self { body, left: PATIENCE, came: 0 }
    }

    /// The next one; `None` at the end of the body.
    ///
    /// # Errors
    /// `request_timeout` if the caller is too slow, `invalid` where the connection breaks off.
    pub(crate) async fn next(&mut self) -> Result<Option<Bytes>, ApiError> {
        loop {
            // Only waiting counts: processing a piece is not the caller's time.
            let began = Instant::now();
            let Ok(frame) = timeout(self.left, self.body.frame()).await else {
                let (seconds, bytes) = (PATIENCE.as_secs(), STEP);
                return Err(ApiError::new(
                    "request_timeout",
                    format!("fewer than {bytes} bytes of the body came in {seconds} s; send it again"),
                ));
            };
            self.left = self.left.saturating_sub(began.elapsed());
            match frame {
                None => return Ok(None),
                Some(Err(error)) => {
                    let message = format!(
                        "the connection was lost while the body was being sent ({error}); send it again"
                    );
                    return Err(ApiError::invalid(message));
                }
                Some(Ok(frame)) => {
                    let Ok(data) = frame.into_data() else { continue };
                    self.came += data.len();
                    if self.came >= STEP {
                        (self.left, self.came) = (PATIENCE, 0);
                    }
                    return Ok(Some(data));
                }
            }
        }
    }
}

/// A body in memory, and its turn among the large ones, which ends when it is dropped.
pub(crate) struct Whole {
    pub bytes: Vec<u8>,
    pub turn: Option<OwnedSemaphorePermit>,
}

/// All of `body`, at most `most` bytes. A large one waits until there is room among `large`; until then the caller
/// keeps the rest.
///
/// # Errors
/// `too_large` beyond the limit, `busy` if there was no room in time; otherwise as [`Pieces::next`].
pub(crate) async fn whole(body: Body, most: usize, large: &Arc<Semaphore>) -> Result<Whole, ApiError> {
    if body.size_hint().lower() > most as u64 {
        return Err(too_large(most));
    }
    let (mut pieces, mut bytes, mut turn) = (Pieces::of(body), Vec::new(), None);
    while let Some(data) = pieces.next().await? {
        let length = bytes.len() + data.len();
        if length > most {
            return Err(too_large(most));
        }
        if length > LARGE && turn.is_none() {
            let taken = timeout(TURN, large.clone().acquire_owned()).await;
            let busy = || ApiError::new("busy", "too many large bodies at once; try again in a moment");
            turn = Some(taken.map_err(|_| busy())?.map_err(|_| busy())?);
        }
        bytes.extend_from_slice(&data);
    }
    Ok(Whole { bytes, turn })
}

fn too_large(most: usize) -> ApiError {
    let megabytes = most >> 20;
    let cure = if most == MOST_FILES {
        "send files to POST /api/v1/files first, and name them by their id"
    } else {
        "send less in one request"
    };
    ApiError::new("too_large", format!("the body is longer than {megabytes} MB; {cure}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    fn body(bytes: usize) -> Body {
        Body::from(vec![b'a'; bytes])
    }

    #[tokio::test]
    async fn large_bodies_take_turns_and_small_ones_do_not_wait() {
        let large = Arc::new(Semaphore::new(1));
        let whole = |body| whole(body, MOST_FILES, &large);
        let first = whole(body(LARGE + 1)).await.unwrap();
        assert!(first.turn.is_some());
        let mut second = pin!(whole(body(LARGE + 1)));
        let mut context = Context::from_waker(Waker::noop());
        assert!(second.as_mut().poll(&mut context).is_pending(), "the first one is in memory");
        let small = whole(body(LARGE)).await.unwrap();
        assert_eq!((small.bytes.len(), small.turn.is_some()), (LARGE, false));
        drop(first);
        let Poll::Ready(second) = second.as_mut().poll(&mut context) else { panic!("it has room now") };
        assert_eq!(second.unwrap().bytes.len(), LARGE + 1);
        let refused = whole(body(MOST_FILES + 1)).await.err().unwrap();
        assert_eq!(refused.code, "too_large");
        assert_eq!(large.available_permits(), 1, "what is refused or done gives its turn back");
    }
}
