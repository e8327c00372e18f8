//! Events of streams, kept as long as a caller may come back for them.

use crate::caller::RequestId;
use crate::status::outward;
use axum::response::sse::Event;
use parking_lot::Mutex;
use serde_json::{Value, json};
use sibyl_api::ApiError;
use std::collections::VecDeque;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::AbortHandle;

/// Streams that are kept, the newest ones.
const KEPT: usize = 64;

/// How long work continues that nobody follows any more: the time to come back after a broken connection.
pub(crate) const GRACE: Duration = Duration::from_secs(5);

/// How long a stream that is stopped is waited for.
const ENDING: Duration = Duration::from_secs(5);

/// The streams of a server.
#[derive(Default)]
pub(crate) struct Streams(Mutex<VecDeque<Arc<Kept>>>);

/// The events of a stream.
pub(crate) struct Kept {
    id: String,
    events: Mutex<Vec<Event>>,
    /// How many there are, and whether there will be more.
    told: watch::Sender<(usize, bool)>,
    /// The work that sends them, if it can be stopped.
    teller: OnceLock<AbortHandle>,
    /// Those who read it now.
    readers: watch::Sender<usize>,
}

/// Somebody who reads a stream, until it is dropped.
pub(crate) struct Reader {
    kept: Arc<Kept>,
    told: watch::Receiver<(usize, bool)>,
    seen: usize,
}

impl Reader {
    /// One of `kept` who has seen its first `seen` events.
    pub(crate) fn of(kept: Arc<Kept>, seen: usize) -> Self {
        kept.readers.send_modify(|readers| *readers += 1);
        Self { told: kept.told.subscribe(), kept, seen }
    }

    /// The next event, as soon as it is told; none at the end.
    pub(crate) async fn next(&mut self) -> Option<Event> {
        let Self { kept, told, seen } = self;
        // The sender is a part of this stream, so that waiting for it cannot fail.
        let _ = told.wait_for(|(count, ended)| *ended || *count > *seen).await;
        let event = kept.events.lock().get(*seen).cloned()?;
        *seen += 1;
        Some(event)
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.kept.readers.send_modify(|readers| *readers -= 1);
    }
}

impl Streams {
    /// A new stream. If too many are kept, it replaces the oldest that has ended: one at work must stay within
    /// reach, so that it can be stopped.
    pub(crate) fn open(&self) -> Arc<Kept> {
        let (told, _) = watch::channel((0, false));
        let kept = Arc::new(Kept {
            id: format!("{:032x}", random()),
            events: Mutex::default(),
            told,
            teller: OnceLock::new(),
            readers: watch::Sender::new(0),
        });
        let mut all = self.0.lock();
        let ended = |kept: &Arc<Kept>| kept.told.borrow().1;
        if all.len() >= KEPT
            && let Some(oldest) = all.iter().position(ended)
        {
            all.remove(oldest);
        }
        all.push_back(kept.clone());
        kept
    }

    /// Stops whatever is still at work.
    pub(crate) async fn end(&self) {
        let all: Vec<Arc<Kept>> = self.0.lock().iter().cloned().collect();
        for kept in all {
            kept.stop().await;
        }
    }

    /// The stream called `id`.
    pub(crate) fn find(&self, id: &str) -> Option<Arc<Kept>> {
        let all = self.0.lock();
        all.iter().find(|kept| kept.id == id).cloned()
    }
}

impl Kept {
    /// Its name.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// Records the work that sends its events.
    pub(crate) fn told_by(&self, teller: AbortHandle) {
        self.teller.get_or_init(|| teller);
    }

    /// Stops the work, if possible, and waits until it has ended.
    pub(crate) async fn stop(&self) {
        let Some(teller) = self.teller.get() else { return };
        teller.abort();
        // What is slow to end finishes by itself.
        let _ = tokio::time::timeout(ENDING, self.ended()).await;
    }

    /// Comes back once nobody has read it for [`GRACE`].
    pub(crate) async fn left(&self) {
        let mut readers = self.readers.subscribe();
        loop {
            // The sender is a part of this stream, so that waiting for it cannot fail.
            let _ = readers.wait_for(|readers| *readers == 0).await;
            let back = readers.wait_for(|readers| *readers > 0);
            if tokio::time::timeout(GRACE, back).await.is_err() {
                return;
            }
        }
    }

    /// Comes back once there will be no more events.
    pub(crate) async fn ended(&self) {
        // The sender is a part of this stream, so that waiting for it cannot fail.
        let _ = self.told.subscribe().wait_for(|told| told.1).await;
    }
}

/// Adds events to a stream. The stream ends with it.
pub(crate) struct Teller(Arc<Kept>);

impl Teller {
    /// Adds events to `kept`.
    pub(crate) fn of(kept: Arc<Kept>) -> Self {
        Self(kept)
    }

    /// Its events.
    pub(crate) fn kept(&self) -> Arc<Kept> {
        self.0.clone()
    }

    /// Sends an event called `name`.
    pub(crate) fn tell(&self, name: &str, data: &Value) {
        let mut events = self.0.events.lock();
        let number = events.len() + 1;
        let id = format!("{}.{number}", self.0.id);
        events.push(Event::default().id(id).event(name).data(data.to_string()));
        self.0.told.send_modify(|told| told.0 = number);
    }

    /// Sends the reason why there is no answer.
    pub(crate) fn fail(&self, error: ApiError, id: &RequestId) {
        self.tell("error", &json!(outward(error, &id.0)));
    }
}

impl Drop for Teller {
    fn drop(&mut self) {
        self.0.told.send_modify(|told| told.1 = true);
    }
}

/// A number that nobody guesses.
fn random() -> u128 {
    let mut bytes = [0; 16];
    // Without random bytes no token would have been made either.
    let _ = getrandom::fill(&mut bytes);
    u128::from_le_bytes(bytes)
}
