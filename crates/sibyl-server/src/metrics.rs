//! Requests and how long they took, counted for Prometheus.

use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

/// Upper bounds of the latency classes, in seconds.
const BOUNDS: [f64; 10] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5, 10.0];

/// Counters since the server started.
#[derive(Default)]
pub(crate) struct Metrics(Mutex<Counted>);

#[derive(Default)]
struct Counted {
    requests: BTreeMap<(&'static str, u16), u64>,
    latencies: BTreeMap<&'static str, Latency>,
}

#[derive(Default)]
struct Latency {
    within: [u64; BOUNDS.len()],
    count: u64,
    seconds: f64,
}

impl Metrics {
    /// Counts a request with this duration.
    pub(crate) fn count(&self, operation: &'static str, status: u16, taken: Duration) {
        let mut counted = self.0.lock();
        *counted.requests.entry((operation, status)).or_default() += 1;
        let latency = counted.latencies.entry(operation).or_default();
        let seconds = taken.as_secs_f64();
        latency.count += 1;
        latency.seconds += seconds;
        for (within, bound) in latency.within.iter_mut().zip(BOUNDS) {
            *within += u64::from(seconds <= bound);
        }
    }

    /// Writes the counters in the text format of Prometheus.
    pub(crate) fn write(&self, out: &mut String) {
        let counted = self.0.lock();
        // Writing to a String cannot fail.
        out.push_str("# TYPE sibyl_requests_total counter\n");
        for ((operation, status), count) in &counted.requests {
            let _ = writeln!(
                out,
                "sibyl_requests_total{{operation=\"{operation}\",status=\"{status}\"}} {count}"
            );
        }
        out.push_str("# TYPE sibyl_request_seconds histogram\n");
        for (operation, latency) in &counted.latencies {
            let bounds = BOUNDS.iter().map(f64::to_string).chain(["+Inf".to_owned()]);
            for (bound, within) in bounds.zip(latency.within.iter().chain([&latency.count])) {
                let _ = writeln!(
                    out,
                    "sibyl_request_seconds_bucket{{operation=\"{operation}\",le=\"{bound}\"}} {within}"
                );
            }
            let Latency { count, seconds, .. } = latency;
            let _ = writeln!(out, "sibyl_request_seconds_sum{{operation=\"{operation}\"}} {seconds}");
            let _ = writeln!(out, "sibyl_request_seconds_count{{operation=\"{operation}\"}} {count}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_by_operation_status_and_time() {
        let metrics = Metrics::default();
        metrics.count("search", 200, Duration::from_millis(2));
        metrics.count("search", 200, Duration::from_millis(200));
        metrics.count("search", 400, Duration::from_secs(60));
        let mut text = String::new();
        metrics.write(&mut text);
        for line in [
            "sibyl_requests_total{operation=\"search\",status=\"200\"} 2",
            "sibyl_requests_total{operation=\"search\",status=\"400\"} 1",
            "sibyl_request_seconds_bucket{operation=\"search\",le=\"0.001\"} 0",
            "sibyl_request_seconds_bucket{operation=\"search\",le=\"0.0025\"} 1",
            "sibyl_request_seconds_bucket{operation=\"search\",le=\"0.5\"} 2",
            "sibyl_request_seconds_bucket{operation=\"search\",le=\"+Inf\"} 3",
            "sibyl_request_seconds_sum{operation=\"search\"} 60.202",
            "sibyl_request_seconds_count{operation=\"search\"} 3",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} in {text}");
        }
    }
}
