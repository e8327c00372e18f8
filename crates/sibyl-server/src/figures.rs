//! Figures for Prometheus, in its text format.

use crate::caller::{Granted, RequestId};
use crate::served::Served;
use serde_json::{Value, json};
use sibyl_api::ApiError;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Everything that is counted, with the library as it is now.
pub(crate) async fn text(served: &Served, granted: Granted, id: &RequestId) -> Result<String, ApiError> {
    let mut out = String::new();
    served.metrics.write(&mut out);
    let ask = async |command: &str| served.run(granted, id, command, json!({})).await;
    gauge(&mut out, "sibyl_chunks", "source_type", pairs(&ask("library.stats").await?));
    let models = ask("model.list").await?;
    let vectors = models.as_array().into_iter().flatten();
    let vectors = vectors.map(|model| (model["space"]["model"].to_string(), model["vectors"].as_u64()));
    gauge(&mut out, "sibyl_vectors", "model", vectors.collect());
    let mut jobs: BTreeMap<String, u64> = BTreeMap::new();
    for job in ask("job.list").await?.as_array().into_iter().flatten() {
        *jobs.entry(job["state"].to_string()).or_default() += 1;
    }
    gauge(&mut out, "sibyl_jobs", "state", jobs.into_iter().map(|(state, n)| (state, Some(n))).collect());
    let uses = served.library.search().query_cache();
    let _ = writeln!(out, "# TYPE sibyl_query_vectors_total counter");
    for (from, count) in [("cache", uses.hits), ("model", uses.misses)] {
        let _ = writeln!(out, "sibyl_query_vectors_total{{from=\"{from}\"}} {count}");
    }
    Ok(out)
}

fn pairs(counts: &Value) -> Vec<(String, Option<u64>)> {
    let counts = counts.as_object().into_iter().flatten().filter(|(name, _)| *name != "total");
    counts.map(|(name, count)| (format!("\"{name}\""), count.as_u64())).collect()
}

/// A gauge of several values; each is named by a quoted text.
fn gauge(out: &mut String, name: &str, label: &str, values: Vec<(String, Option<u64>)>) {
    let _ = writeln!(out, "# TYPE {name} gauge");
    for (of, value) in values {
        let _ = writeln!(out, "{name}{{{label}={of}}} {}", value.unwrap_or_default());
    }
}
