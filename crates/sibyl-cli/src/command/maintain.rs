//! Commands that look after a library.

use super::gone::gone;
use super::ingest::remarks;
use super::show::cell;
use super::{End, Outcome, print};
use crate::arguments::{Jobs, Workspace};
use crate::output::{list, number, table, text};
use crate::session::Session;
use serde_json::{Value, json};
use sibyl_api::ApiError;
use std::fmt::Write as _;

pub async fn rebuild(session: &Session) -> Outcome {
    let report = session.call("library.rebuild", json!({})).await?;
    print(&session.common, &report, |report| {
        format!(
            "Rebuilt in {:.1} s: {} keyword rows, {} code files. Vectors were not touched.\n",
            number(report, "seconds"),
            number(report, "keyword_rows"),
            number(report, "code_files")
        )
    });
    Ok(End::Done)
}

pub async fn compact(session: &Session) -> Outcome {
    let report = session.call("library.compact", json!({})).await?;
    print(&session.common, &report, |report| {
        let megabytes = |name| number(report, name) / 1e6;
        format!(
            "{:.1} MB freed; the data folder now takes {:.1} MB.\n",
            megabytes("freed"),
            megabytes("bytes")
        )
    });
    Ok(End::Done)
}

pub async fn doctor(session: &Session) -> Outcome {
    let report = session.call("library.doctor", json!({})).await?;
    print(&session.common, &report, |report| {
        let mut out = String::new();
        for line in list(report, "checked") {
            // Writing to a String cannot fail.
            let _ = writeln!(out, "checked  {}", cell(line));
        }
        for finding in list(report, "findings") {
            let _ = writeln!(
                out,
                "{}  {}: {}",
                text(finding, "severity"),
                text(finding, "code"),
                text(finding, "message")
            );
            let _ = writeln!(out, "         cure: {}", text(finding, "cure"));
        }
        out.push_str(if report["healthy"] == true {
            "No problems found.\n"
        } else {
            "The library has problems; see the cures above.\n"
        });
        out
    });
    Ok(if report["healthy"] == true { End::Done } else { End::Failed })
}

pub async fn workspace(session: &Session, command: Option<Workspace>) -> Outcome {
    match command.unwrap_or(Workspace::List) {
        Workspace::List => {}
        Workspace::Create { name, language } => {
            session.call("workspace.create", json!({ "name": name, "language": language })).await?;
        }
        Workspace::Delete { name } => {
            session.call("workspace.delete", json!({ "name": name })).await?;
        }
    }
    let all = session.call("workspace.list", json!({})).await?;
    print(&session.common, &all, |all| {
        let rows: Vec<Vec<String>> = all
            .as_array()
            .into_iter()
            .flatten()
            .map(|w| ["name", "language", "created_at"].map(|key| text(w, key).to_owned()).to_vec())
            .collect();
        table(&["workspace", "language", "since"], &[], &rows)
    });
    Ok(End::Done)
}

pub async fn jobs(session: &Session, command: Option<Jobs>) -> Outcome {
    let (name, id, input) = match command.unwrap_or(Jobs::List) {
        Jobs::List => return job_list(session).await,
        Jobs::Show { id } => return job(session, id).await.map(|_| End::Done),
        Jobs::Pause { id } => ("job.pause", id, json!({ "id": id })),
        Jobs::Cancel { id } => ("job.cancel", id, json!({ "id": id })),
        Jobs::Resume { id } => ("job.resume", id, json!({ "id": id })),
        Jobs::Retry { id, file } => ("job.retry", id, json!({ "id": id, "file": file })),
    };
    session.call(name, input).await?;
    if matches!(name, "job.resume" | "job.retry") {
        session.follow(&session.common.workspace, id).await?;
    }
    job(session, id).await.map(|_| End::Done)
}

async fn job_list(session: &Session) -> Outcome {
    let jobs = session.call("job.list", json!({})).await?;
    print(&session.common, &jobs, |jobs| {
        let rows: Vec<Vec<String>> = jobs.as_array().into_iter().flatten().map(row).collect();
        table(&["job", "kind", "state", "files", "done", "changed"], &[0, 3, 4], &rows)
    });
    Ok(End::Done)
}

fn row(job: &Value) -> Vec<String> {
    let shown = |key: &str| match key {
        "state" if job["interrupted"] == true => "interrupted".to_owned(),
        _ => cell(&job[key]),
    };
    ["id", "kind", "state", "files", "files_done", "updated_at"].map(shown).to_vec()
}

/// Prints the job `id` with its files, and returns it.
pub async fn job(session: &Session, id: i64) -> Result<Value, ApiError> {
    let mut job = session.call("job.get", json!({ "id": id })).await?;
    job["file_list"] = session.call("job.files", json!({ "id": id, "limit": i64::MAX })).await?;
    print(&session.common, &job, |job| {
        let files: Vec<Vec<String>> = list(job, "file_list")
            .iter()
            .map(|f| {
                ["ordinal", "state", "stage", "pages", "chunks", "path", "error"]
                    .map(|key| cell(&f[key]).replace("null", ""))
                    .to_vec()
            })
            .collect();
        table(&["job", "kind", "state", "files", "done", "changed"], &[0, 3, 4], &[row(job)])
            + &table(&["file", "state", "stage", "pages", "chunks", "path", "cause"], &[0, 3, 4], &files)
            + &remarks(&job["report"])
            + &gone(&job["report"])
    });
    Ok(job)
}
