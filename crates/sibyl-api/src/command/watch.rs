//! Watched folders.

use super::ingest::JobId;
use crate::command::Nothing;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_engine::ingest::watched::{WatchRequest, WatchedFolder, WatchedFolderChange};
use sibyl_engine::ingest::{EmbedPlan, Gone};

/// A watched folder by id.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WatchId {
    /// Its id.
    pub id: i64,
}

/// A watched folder that is ingested now.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WatchRunRequest {
    /// Its id.
    pub id: i64,
    /// What is embedded before the job ends. By default it is what is quick, and the rest follows in another job.
    #[serde(default = "instant")]
    pub embed: EmbedPlan,
}

const fn instant() -> EmbedPlan {
    EmbedPlan::Instant
}

/// Changes to a watched folder; what is absent stays.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WatchChangeRequest {
    /// Id of the folder.
    pub id: i64,
    /// Whether watching is paused.
    #[serde(default)]
    pub paused: Option<bool>,
    /// What happens to documents whose file is gone.
    #[serde(default)]
    pub gone: Option<Gone>,
    /// Seconds between two checks of the folder; 0 relies on the system's notifications alone.
    #[serde(default)]
    pub every: Option<u32>,
}

command! {
    /// The watched folders of the workspace, and the state of each.
    WatchList = "watch.list": Query, Read, ["corpora", "jobs"];
    (call, _input: Nothing) -> Vec<WatchedFolder> {
        Ok(call.library.ingest().watched(&call.workspace).await?)
    }
}

command! {
    /// Watches a folder: what it contains, and what changes in it, is ingested into a corpus.
    WatchAdd = "watch.add": Mutation, Spend, ["corpora"];
    (call, input: WatchRequest) -> WatchId {
        Ok(WatchId { id: call.library.ingest().watch(&call.workspace, input).await? })
    }
}

command! {
    /// Pauses or resumes a watched folder, or changes how it is watched.
    WatchChange = "watch.change": Mutation, Write, ["corpora"];
    (call, input: WatchChangeRequest) -> Nothing {
        let WatchChangeRequest { id, paused, gone, every } = input;
        let change = WatchedFolderChange { paused, gone, every };
        call.library.ingest().change_watch(&call.workspace, id, change).await?;
        Ok(Nothing {})
    }
}

command! {
    /// Stops watching a folder. Its documents stay.
    WatchRemove = "watch.remove": Mutation, Write, ["corpora"];
    (call, input: WatchId) -> Nothing {
        call.library.ingest().unwatch(&call.workspace, input.id).await?;
        Ok(Nothing {})
    }
}

command! {
    /// Ingests a watched folder now.
    WatchRun = "watch.run": Mutation, Spend, ["jobs", "corpora"];
    (call, input: WatchRunRequest) -> JobId {
        let WatchRunRequest { id, embed } = input;
        Ok(JobId { id: call.library.ingest().look_now(&call.workspace, id, embed).await? })
    }
}
