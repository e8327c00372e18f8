//! Commands that look after a library.

use super::gone::gone;
use super::ingest::remarks;
use super::{End, Outcome, print};
use crate::arguments::{Jobs, Workspace};
use crate::output::{cell, table};
use crate::session::Session;
use serde::Serialize;
use sibyl_api::command::Nothing;
use sibyl_api::command::ingest::{
    JobCancel, JobFileQuery, JobFiles, JobGet, JobId, JobList, JobPause, JobResume, JobRetry, JobRetryRequest,
};
use sibyl_api::command::maintenance::{LibraryCompact, LibraryDoctor, LibraryRebuild};
use sibyl_api::command::workspace::{
    NewWorkspace, WorkspaceCreate, WorkspaceDelete, WorkspaceList, WorkspaceName,
};
use sibyl_api::{ApiError, Job, JobFile};
use std::fmt::Write as _;

pub async fn rebuild(session: &Session) -> Outcome {
    let report = session.call::<LibraryRebuild>(Nothing {}).await?;
    print(&session.common, &report, |report| {
        format!(
            "Rebuilt in {:.1} s: {} keyword rows, {} code files. Vectors were not touched.\n",
            report.seconds, report.keyword_rows, report.code_files
        )
    })
}

pub async fn compact(session: &Session) -> Outcome {
    let report = session.call::<LibraryCompact>(Nothing {}).await?;
    print(&session.common, &report, |report| {
        let megabytes = |bytes: u64| bytes as f64 / 1e6;
        format!(
            "{:.1} MB freed; the data folder now uses {:.1} MB.\n",
            megabytes(report.freed),
            megabytes(report.bytes)
        )
    })
}

pub async fn doctor(session: &Session) -> Outcome {
    let report = session.call::<LibraryDoctor>(Nothing {}).await?;
    print(&session.common, &report, |report| {
        let mut out = String::new();
        for line in &report.checked {
            // Writing to a String cannot fail.
            let _ = writeln!(out, "checked  {line}");
        }
        for finding in &report.findings {
            let _ = writeln!(out, "{}  {}: {}", cell(&finding.severity), finding.code, finding.message);
            let _ = writeln!(out, "         cure: {}", finding.cure);
        }
        out.push_str(if report.healthy {
            "No problems found.\n"
        } else {
            "The library has problems; see the cures above.\n"
        });
        out
    })?;
    Ok(if report.healthy { End::Done } else { End::Failed })
}

pub async fn workspace(session: &Session, command: Option<Workspace>) -> Outcome {
    match command.unwrap_or(Workspace::List) {
        Workspace::List => {}
        Workspace::Create { name, language } => {
            session.call::<WorkspaceCreate>(NewWorkspace { name, language }).await?;
        }
        Workspace::Delete { name } => {
            session.call::<WorkspaceDelete>(WorkspaceName { name }).await?;
        }
    }
    let all = session.call::<WorkspaceList>(Nothing {}).await?;
    print(&session.common, &all, |all| {
        let rows =
            all.iter().map(|w| vec![w.name.clone(), w.language.name().to_owned(), w.created_at.clone()]);
        table(&["workspace", "language", "since"], &[], rows)
    })
}

pub async fn jobs(session: &Session, command: Option<Jobs>) -> Outcome {
    let id = match command.unwrap_or(Jobs::List) {
        Jobs::List => return job_list(session).await,
        Jobs::Show { id } => id,
        Jobs::Pause { id } => {
            session.call::<JobPause>(JobId { id }).await?;
            id
        }
        Jobs::Cancel { id } => {
            session.call::<JobCancel>(JobId { id }).await?;
            id
        }
        Jobs::Resume { id } => {
            session.call::<JobResume>(JobId { id }).await?;
            session.follow(&session.common.workspace, id).await?;
            id
        }
        Jobs::Retry { id, file } => {
            session.call::<JobRetry>(JobRetryRequest { id, file }).await?;
            session.follow(&session.common.workspace, id).await?;
            id
        }
    };
    job(session, id).await.map(|_| End::Done)
}

const JOB: [&str; 6] = ["job", "kind", "state", "files", "done", "changed"];

async fn job_list(session: &Session) -> Outcome {
    let jobs = session.call::<JobList>(Nothing {}).await?;
    print(&session.common, &jobs, |jobs| table(&JOB, &[0, 3, 4], jobs.iter().map(row)))
}

fn row(job: &Job) -> Vec<String> {
    vec![
        job.id.to_string(),
        job.kind.name().to_owned(),
        if job.interrupted { "interrupted" } else { job.state.name() }.to_owned(),
        job.files.to_string(),
        job.files_done.to_string(),
        job.updated_at.clone(),
    ]
}

/// A job with its files.
#[derive(Serialize)]
struct WholeJob {
    #[serde(flatten)]
    job: Job,
    file_list: Vec<JobFile>,
}

/// Prints the job `id` with its files, and returns it.
pub async fn job(session: &Session, id: i64) -> Result<Job, ApiError> {
    let job = session.call::<JobGet>(JobId { id }).await?;
    let all = JobFileQuery { id, states: Vec::new(), offset: 0, limit: i64::MAX };
    let file_list = session.call::<JobFiles>(all).await?;
    let whole = WholeJob { job, file_list };
    print(&session.common, &whole, |WholeJob { job, file_list }| {
        let files = file_list.iter().map(|file| {
            vec![
                file.ordinal.to_string(),
                file.state.name().to_owned(),
                file.stage.name().to_owned(),
                file.pages.map(|pages| pages.to_string()).unwrap_or_default(),
                file.chunks.to_string(),
                file.path.clone(),
                file.error.clone().unwrap_or_default(),
            ]
        });
        table(&JOB, &[0, 3, 4], [row(job)])
            + &table(&["file", "state", "stage", "pages", "chunks", "path", "cause"], &[0, 3, 4], files)
            + &remarks(&job.report)
            + &gone(&job.report.gone)
    })?;
    Ok(whole.job)
}
