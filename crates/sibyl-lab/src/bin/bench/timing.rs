//! Times of repeated work.

use std::time::Instant;

/// Milliseconds of repeated runs, sorted.
pub struct Times(Vec<f64>);

impl Times {
    /// The middle one.
    pub fn p50(&self) -> f64 {
        self.0[self.0.len() / 2]
    }

    /// The one that nineteen of twenty stay below.
    pub fn p95(&self) -> f64 {
        self.0[(self.0.len() * 95 / 100).min(self.0.len() - 1)]
    }
}

/// Runs `work` once for warmth and then `runs` times (at least once).
pub fn repeat(runs: usize, mut work: impl FnMut(usize)) -> Times {
    work(0);
    let mut times: Vec<f64> = (0..runs.max(1))
        .map(|run| {
            let start = Instant::now();
            work(run);
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    Times(times)
}

/// The same for work that waits.
pub async fn repeat_async<F: Future<Output = ()>>(runs: usize, mut work: impl FnMut(usize) -> F) -> Times {
    work(0).await;
    let mut times = Vec::with_capacity(runs.max(1));
    for run in 0..runs.max(1) {
        let start = Instant::now();
        work(run).await;
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    Times(times)
}
