//! The sample: reports of companies that do not exist.

use crate::command::Nothing;
use sibyl_engine::sample::Sample;

command! {
    /// Creates the workspace with the sample reports and starts ingesting them. If they are there already, it only
    /// reports where.
    SampleOpen = "sample.open": Mutation, Spend, ["workspaces", "jobs", "corpora"];
    (call, _input: Nothing) -> Sample {
        Ok(call.library.ingest().open_sample().await?)
    }
}
