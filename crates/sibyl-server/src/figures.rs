//! Figures for Prometheus, in its text format.

use crate::caller::{Granted, RequestId};
use crate::served::Served;
use serde_json::json;
use sibyl_api::ApiError;
use sibyl_api::command::Nothing;
use sibyl_api::command::ingest::JobList;
use sibyl_api::command::library::LibraryStats;
use sibyl_api::command::settings::ModelList;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// All counters, with the present state of the library.
pub(crate) async fn text(served: &Served, granted: Granted, id: &RequestId) -> Result<String, ApiError> {
    let mut out = String::new();
    served.metrics.write(&mut out);
    let counts = served.run::<LibraryStats>(granted, id, Nothing {}).await?;
    let counts = counts.iter().map(|(name, count)| (name.as_str(), *count));
    gauge(&mut out, "sibyl_chunks", "source_type", counts.filter(|(name, _)| *name != "total"));
    let models = served.run::<ModelList>(granted, id, Nothing {}).await?;
    let vectors = models.iter().map(|model| (model.space.model.as_str(), model.vectors));
    gauge(&mut out, "sibyl_vectors", "model", vectors);
    let mut jobs: BTreeMap<&str, u64> = BTreeMap::new();
    for job in served.run::<JobList>(granted, id, Nothing {}).await? {
        *jobs.entry(job.state.name()).or_default() += 1;
    }
    gauge(&mut out, "sibyl_jobs", "state", jobs);
    let uses = served.library.search().query_cache();
    let _ = writeln!(out, "# TYPE sibyl_query_vectors_total counter");
    for (from, count) in [("cache", uses.hits), ("model", uses.misses)] {
        let _ = writeln!(out, "sibyl_query_vectors_total{{from=\"{from}\"}} {count}");
    }
    Ok(out)
}

/// A gauge with several values, each with a label.
fn gauge<'a>(out: &mut String, name: &str, label: &str, values: impl IntoIterator<Item = (&'a str, u64)>) {
    let _ = writeln!(out, "# TYPE {name} gauge");
    for (of, value) in values {
        let _ = writeln!(out, "{name}{{{label}={}}} {value}", json!(of));
    }
}
