//! Ingesting and the jobs that do it.

use crate::command::Nothing;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use sibyl_engine::ingest::glance::Glance;
use sibyl_engine::ingest::preflight::Preflight;
use sibyl_engine::ingest::{EmbedEstimate, FileState, IngestRequest, Job, JobFile};
use std::fmt;
use std::path::PathBuf;

/// Files and folders of this machine.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Paths {
    /// Their paths.
    pub paths: Vec<PathBuf>,
}

/// A job by id.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JobId {
    /// Its id.
    pub id: i64,
}

/// Failed files of a job to try again.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JobRetryRequest {
    /// Id of the job.
    pub id: i64,
    /// Position of the one file to try; without it all that failed.
    #[serde(default)]
    pub file: Option<i64>,
}

/// Passwords of locked files.
#[derive(Clone, JsonSchema)]
pub struct Unlock {
    /// The passwords. Empty ones are ignored.
    pub passwords: Vec<String>,
}

impl fmt::Debug for Unlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unlock").finish_non_exhaustive()
    }
}

impl<'de> Deserialize<'de> for Unlock {
    /// The error does not repeat an input that does not fit: it may be a password.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let wrong = || serde::de::Error::custom("`passwords` was expected, a list of text");
        let input = serde_json::Value::deserialize(deserializer).map_err(|_| wrong())?;
        let passwords = Vec::deserialize(&input["passwords"]).map_err(|_| wrong())?;
        Ok(Self { passwords })
    }
}

/// A stretch of a job's files.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JobFileQuery {
    /// Id of the job.
    pub id: i64,
    /// Only files in one of these states; all by default.
    #[serde(default)]
    pub states: Vec<FileState>,
    /// Position among them to begin at, from 0.
    #[serde(default)]
    pub offset: i64,
    /// Maximum number of files to return.
    #[serde(default = "page_size")]
    pub limit: i64,
}

const fn page_size() -> i64 {
    1_000
}

command! {
    /// What the given paths contain, by name and size, and which corpora contain similar documents. It reads no
    /// more than the beginning of a file.
    IngestGlance = "ingest.glance": Query, Read, ["corpora", "documents", "settings"];
    (call, input: Paths) -> Glance {
        Ok(call.library.ingest().glance(&call.workspace, input.paths).await?)
    }
}

command! {
    /// What ingesting would involve, without doing it.
    IngestPreflight = "ingest.preflight": Query, Read, ["corpora", "models", "settings"],
        remote Post "/api/v1/ingest/preflight" unless |input| input.names_disk();
    (call, input: IngestRequest) -> Preflight {
        Ok(call.library.ingest().preflight(&call.workspace, input).await?)
    }
}

command! {
    /// Tries passwords on every locked file from now on. They stay in memory until the program ends and are never
    /// stored.
    IngestUnlock = "ingest.unlock": Mutation, Write, ["documents"];
    (call, input: Unlock) -> Nothing {
        call.library.try_passwords(input.passwords);
        Ok(Nothing {})
    }
}

command! {
    /// Starts ingesting in the background. Without a source, it ingests the shipped corpora.
    IngestStart = "ingest.start": Mutation, Spend, ["jobs", "corpora"],
        remote Post "/api/v1/ingest" unless |input| input.names_disk();
    (call, input: IngestRequest) -> JobId {
        Ok(JobId { id: call.library.ingest().start(&call.workspace, input).await? })
    }
}

command! {
    /// Computes the missing vectors, in the background.
    EmbedStart = "embed.start": Mutation, Spend, ["jobs", "vectors"],
        remote Post "/api/v1/embed";
    (call, _input: Nothing) -> JobId {
        Ok(JobId { id: call.library.ingest().embed(&call.workspace).await? })
    }
}

command! {
    /// What computing the missing vectors would send to the remote model, and its price, without doing it.
    EmbedEstimateGet = "embed.estimate": Query, Read, ["corpora", "chunks", "vectors", "models", "settings"],
        remote Get "/api/v1/embed/estimate";
    (call, _input: Nothing) -> EmbedEstimate {
        Ok(call.library.ingest().embed_estimate().await?)
    }
}

command! {
    /// Jobs of the workspace, the newest first.
    JobList = "job.list": Query, Read, ["jobs"],
        remote Get "/api/v1/jobs";
    (call, _input: Nothing) -> Vec<Job> {
        Ok(call.library.jobs().list(&call.workspace).await?)
    }
}

command! {
    /// A job with its report.
    JobGet = "job.get": Query, Read, ["jobs"],
        remote Get "/api/v1/jobs/{id}";
    (call, input: JobId) -> Job {
        Ok(call.library.jobs().get(&call.workspace, input.id).await?)
    }
}

command! {
    /// Files of a job, in order.
    JobFiles = "job.files": Query, Read, ["jobs"],
        remote Get "/api/v1/jobs/{id}/files";
    (call, input: JobFileQuery) -> Vec<JobFile> {
        Ok(call.library.jobs().files(&call.workspace, input.id, &input.states, input.offset, input.limit).await?)
    }
}

command! {
    /// Pauses a job until it is resumed. What it has stored stays.
    JobPause = "job.pause": Mutation, Write, ["jobs"],
        remote Post "/api/v1/jobs/{id}/pause";
    (call, input: JobId) -> Nothing {
        call.library.jobs().pause(&call.workspace, input.id).await?;
        Ok(Nothing {})
    }
}

command! {
    /// Cancels a job. What it has stored stays.
    JobCancel = "job.cancel": Mutation, Write, ["jobs"],
        remote Post "/api/v1/jobs/{id}/cancel";
    (call, input: JobId) -> Nothing {
        call.library.jobs().cancel(&call.workspace, input.id).await?;
        Ok(Nothing {})
    }
}

command! {
    /// Continues a job that is paused, failed, cancelled or interrupted.
    JobResume = "job.resume": Mutation, Spend, ["jobs"],
        remote Post "/api/v1/jobs/{id}/resume";
    (call, input: JobId) -> Nothing {
        call.library.jobs().resume(&call.workspace, input.id).await?;
        Ok(Nothing {})
    }
}

command! {
    /// Tries the failed files of a job again, or one of them.
    JobRetry = "job.retry": Mutation, Spend, ["jobs"],
        remote Post "/api/v1/jobs/{id}/retry";
    (call, input: JobRetryRequest) -> Nothing {
        call.library.jobs().retry(&call.workspace, input.id, input.file).await?;
        Ok(Nothing {})
    }
}
