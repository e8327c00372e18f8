//! How often somebody may come.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// How fast each token may call: so many requests a second, and as many at once.
pub(crate) struct Pace {
    rate: f64,
    /// By the digest of the token; only those that sign in get one.
    buckets: Mutex<HashMap<[u8; 32], Bucket>>,
}

impl Pace {
    pub(crate) fn new(rate: u32) -> Self {
        Self { rate: f64::from(rate), buckets: Mutex::default() }
    }

    pub(crate) fn take(&self, token: [u8; 32]) -> bool {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let bucket = buckets.entry(token).or_insert_with(|| Bucket::full(self.rate));
        bucket.take(self.rate, self.rate, Instant::now())
    }
}

/// A bucket that fills again over time.
struct Bucket {
    left: f64,
    seen: Instant,
}

impl Bucket {
    fn full(left: f64) -> Self {
        Self { left, seen: Instant::now() }
    }

    /// Takes one, if any is left; at most `most` exist, and they come back at `rate` a second.
    fn take(&mut self, rate: f64, most: f64, now: Instant) -> bool {
        self.left = (self.left + rate * now.saturating_duration_since(self.seen).as_secs_f64()).min(most);
        self.seen = now;
        let there = self.left >= 1.0;
        self.left -= f64::from(u8::from(there));
        there
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_bucket_gives_what_it_holds_and_fills_again() {
        let begin = Instant::now();
        let mut bucket = Bucket { left: 2.0, seen: begin };
        let mut take = |milliseconds| bucket.take(2.0, 2.0, begin + Duration::from_millis(milliseconds));
        assert_eq!([take(0), take(0), take(0)], [true, true, false]);
        assert_eq!([take(500), take(500)], [true, false], "half a second brings one of two back");
        assert_eq!([take(9_000), take(9_000), take(9_000)], [true, true, false], "it holds no more than two");
    }
}
