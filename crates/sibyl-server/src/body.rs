//! The bodies of requests, as far as memory goes.

use axum::body::{Body, Bytes};
use http_body_util::BodyExt as _;
use sibyl_api::ApiError;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Bytes of a body that is read as JSON.
pub(crate) const MOST_JSON: usize = 32 << 20;
/// Bytes from which a body counts as large.
const LARGE: usize = 1 << 20;
/// Large bodies that are in memory at once: each takes its length several times over while it is read.
pub(crate) const LARGE_AT_ONCE: usize = 4;
/// How long a large body waits for its turn.
const TURN: Duration = Duration::from_secs(30);
/// How long a caller may send nothing in the middle of a body.
const SILENCE: Duration = Duration::from_secs(60);

/// The next piece of `body`; `None` at its end.
///
/// # Errors
/// `invalid` where the connection breaks off or the caller falls silent.
pub(crate) async fn piece(body: &mut Body) -> Result<Option<Bytes>, ApiError> {
    loop {
        let Ok(frame) = tokio::time::timeout(SILENCE, body.frame()).await else {
            let seconds = SILENCE.as_secs();
            return Err(ApiError::invalid(format!("nothing came for {seconds} s; send the body again")));
        };
        match frame {
            None => return Ok(None),
            Some(Err(error)) => {
                let message =
                    format!("the connection was lost while the body was being sent ({error}); send it again");
                return Err(ApiError::invalid(message));
            }
            Some(Ok(frame)) => {
                if let Ok(data) = frame.into_data() {
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

/// All of `body`, at most [`MOST_JSON`] bytes. A large one waits until there is room among `large`; what it has yet to
/// send stays with the caller until then.
///
/// # Errors
/// `too_large` beyond the limit, `busy` where no room was made in time; as [`piece`].
pub(crate) async fn whole(mut body: Body, large: &Arc<Semaphore>) -> Result<Whole, ApiError> {
    let (mut bytes, mut turn) = (Vec::new(), None);
    while let Some(data) = piece(&mut body).await? {
        let length = bytes.len() + data.len();
        if length > MOST_JSON {
            let megabytes = MOST_JSON >> 20;
            let message = format!(
                "the body is longer than {megabytes} MB; send files to POST /api/v1/files first, and name them by their id"
            );
            return Err(ApiError::new("too_large", message));
        }
        if length > LARGE && turn.is_none() {
            let taken = tokio::time::timeout(TURN, large.clone().acquire_owned()).await;
            let busy = || ApiError::new("busy", "too many large bodies come at once; try again in a moment");
            turn = Some(taken.map_err(|_| busy())?.map_err(|_| busy())?);
        }
        bytes.extend_from_slice(&data);
    }
    Ok(Whole { bytes, turn })
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
        let first = whole(body(LARGE + 1), &large).await.unwrap();
        assert!(first.turn.is_some());
        let mut second = pin!(whole(body(LARGE + 1), &large));
        let mut context = Context::from_waker(Waker::noop());
        assert!(second.as_mut().poll(&mut context).is_pending(), "the first one is in memory");
        let small = whole(body(LARGE), &large).await.unwrap();
        assert_eq!((small.bytes.len(), small.turn.is_some()), (LARGE, false));
        drop(first);
        let Poll::Ready(second) = second.as_mut().poll(&mut context) else { panic!("it has room now") };
        assert_eq!(second.unwrap().bytes.len(), LARGE + 1);
        let refused = whole(body(MOST_JSON + 1), &large).await.err().unwrap();
        assert_eq!(refused.code, "too_large");
        assert_eq!(large.available_permits(), 1, "what is refused or done gives its turn back");
    }
}
