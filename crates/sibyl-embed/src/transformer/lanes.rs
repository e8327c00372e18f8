//! Threads that each take one batch.
//!
//! A matrix product spreads over the threads of the pool that it runs in. In a pool of one thread a batch stays on
//! one core, where nothing is handed over and nothing waits. Other cores take other batches.

use super::bert::Room;
use parking_lot::Mutex;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

/// Pools of one thread that are free now, each with its room. There are as many as batches have ever run at once.
#[derive(Default)]
pub(super) struct Lanes(Mutex<Vec<(ThreadPool, Room)>>);

impl Lanes {
    /// Runs `work` on one thread and waits for it.
    ///
    /// # Errors
    /// If the system provides no thread.
    pub fn run<T: Send>(&self, work: impl FnOnce(&mut Room) -> T + Send) -> Result<T, ThreadPoolBuildError> {
        let free = self.0.lock().pop();
        let (thread, mut room) = match free {
            Some(lane) => lane,
            None => (ThreadPoolBuilder::new().num_threads(1).build()?, Room::default()),
        };
        let done = thread.install(|| work(&mut room));
        self.0.lock().push((thread, room));
        Ok(done)
    }
}
