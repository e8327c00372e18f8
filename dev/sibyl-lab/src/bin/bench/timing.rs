//! Times of repeated work.

use std::time::Instant;

/// Milliseconds of repeated runs, sorted.
pub struct Times(Vec<f64>);

impl FromIterator<f64> for Times {
    fn from_iter<I: IntoIterator<Item = f64>>(times: I) -> Self {
        let mut times: Vec<f64> = times.into_iter().collect();
        times.sort_by(f64::total_cmp);
        Self(times)
    }
}

impl Times {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The middle one.
    pub fn p50(&self) -> f64 {
        self.0[self.0.len() / 2]
    }

    /// The one that nineteen of twenty stay below.
    pub fn p95(&self) -> f64 {
        self.0[(self.0.len() * 95 / 100).min(self.0.len() - 1)]
    }

    /// The one that ninety-nine of a hundred stay below.
    pub fn p99(&self) -> f64 {
        self.0[(self.0.len() * 99 / 100).min(self.0.len() - 1)]
    }

    /// The longest.
    pub fn worst(&self) -> f64 {
        self.0[self.0.len() - 1]
    }
}

/// Runs `work` once to warm up and then `runs` times (at least once).
pub fn repeat(runs: usize, mut work: impl FnMut(usize)) -> Times {
    work(0);
    let timed = |run| {
        let start = Instant::now();
        work(run);
        start.elapsed().as_secs_f64() * 1e3
    };
    (0..runs.max(1)).map(timed).collect()
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
    times.into_iter().collect()
}
