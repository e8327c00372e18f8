//! `sibyl ingest`.

use super::gone::gone;
use super::{End, Outcome, print, settings};
use crate::arguments::{Common, Ingest, Switch};
use crate::session::Session;
use serde_json::{Value, json};
use sibyl_api::command::ingest::{IngestStart, IngestUnlock, JobGet};
use sibyl_api::{ApiError, ChunkChanges, Job, JobReport, JobState, Status, cited_page, source_type};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

pub async fn ingest(common: &Common, words: Ingest) -> Outcome {
    let session = if words.paths.is_empty() {
        Session::open_as_it_is(common).await?
    } else {
        Session::open(common).await?
    };
    if words.paths.is_empty() {
        // What ships is named explicitly, so that the first start has nothing left to do.
        sibyl_api::door::skip_first_start(&session.library).await?;
    }
    unlock(&session, words.password_file.as_deref()).await?;
    let sources: Vec<Value> =
        words.paths.iter().map(|path| json!({ "kind": "path", "path": path.to_string_lossy() })).collect();
    let mut request = json!({
        "sources": sources,
        "shared": words.shared,
        "settings": settings(&words.settings)?,
        "force": words.force,
        "embed": if words.no_embed { "nothing" } else { "complete" },
    });
    let mut set = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            request[name] = value.into();
        }
    };
    set("corpus", words.corpus);
    set("strategy", words.strategy);
    set("base_url", words.base_url);
    set("report_id", words.report_id);
    set("source_type", words.source_type);
    set("licensed_standard", words.licensed);
    if let Some(ocr) = words.ocr {
        request["ocr"] = (ocr == Switch::On).into();
    }
    if words.remote {
        request["remote"] = true.into();
    }
    let id = session.call::<IngestStart>(request).await?.id;
    session.follow(&common.workspace, id).await?;
    let job = session.call::<JobGet>(json!({ "id": id })).await?;
    print(common, &answer(&job), |_| describe(&job))?;
    Ok(end_of(&job))
}

/// How a job that came to rest ended. It ended badly if it or one of its files failed, a provider refused a text,
/// or something such as a full disk stopped it.
pub fn end_of(job: &Job) -> End {
    let stopped = job.report.status == Status::Unfinished && job.error.is_some();
    let whole = job.report.failed.is_empty() && job.report.refused.is_empty() && !stopped;
    if whole && job.state != JobState::Failed { End::Done } else { End::Failed }
}

/// Tries the passwords in `file`, one a line, on locked files.
pub async fn unlock(session: &Session, file: Option<&Path>) -> Result<(), ApiError> {
    let Some(file) = file else { return Ok(()) };
    let read = if file == Path::new("-") {
        std::io::read_to_string(std::io::stdin())
    } else {
        fs::read_to_string(file)
    };
    let text = read.map_err(|error| {
        let message =
            format!("the passwords in {} cannot be read ({error}); name a text file", file.display());
        ApiError::invalid(message)
    })?;
    let passwords: Vec<&str> = text.trim_start_matches('\u{feff}').lines().collect();
    session.call::<IngestUnlock>(json!({ "passwords": passwords })).await?;
    Ok(())
}

/// The answer of the main document (section 7.1), with the whole report added.
fn answer(job: &Job) -> Value {
    let report = &job.report;
    let mut answer = json!({ "status": report.status });
    for kind in source_type::all().iter().filter(|kind| kind.ships.is_some()) {
        let count = report.counts.get(kind.name).copied().unwrap_or_default();
        answer[format!("{}_chunks", kind.name)] = count.into();
    }
    answer["total_chunks"] = report.counts.values().sum::<u64>().into();
    answer["duration_seconds"] = report.seconds.into();
    answer["job"] = job.id.into();
    answer["state"] = json!(job.state);
    answer["error"] = json!(job.error);
    answer["report"] = json!(report);
    if report.status == Status::AlreadyIngested {
        answer["message"] = "Corpus already exists. Delete it first to re-ingest.".into();
        answer["existing_counts"] = json!(report.counts);
    }
    answer
}

fn describe(job: &Job) -> String {
    let report = &job.report;
    let first = match report.status {
        Status::AlreadyIngested => "Already ingested: nothing changed.".to_owned(),
        Status::Completed => format!("Done in {:.1} s.", report.seconds),
        Status::CompletedWithFailures => format!("Done in {:.1} s, with failures.", report.seconds),
        Status::Unfinished => {
            format!("The job is {}. {}", job.state.name(), job.error.as_deref().unwrap_or_default())
        }
    };
    let changes = |ChunkChanges { created, updated, unchanged, deleted }: ChunkChanges| {
        format!("{created} created, {updated} updated, {unchanged} unchanged, {deleted} deleted")
    };
    format!(
        "{first}\ndocuments: {}\nchunks:    {}\n{}{}",
        changes(report.documents),
        changes(report.chunks),
        remarks(report),
        gone(&report.gone)
    )
}

/// What the report of a job says about single files, one line each.
pub fn remarks(report: &JobReport) -> String {
    let mut out = String::new();
    for (entries, sign) in [
        (&report.failed, "failed "),
        (&report.refused, "refused"),
        (&report.skipped, "skipped"),
        (&report.notices, "note   "),
    ] {
        for entry in entries {
            let place = match (entry.page, entry.line) {
                (Some(page), _) => format!(", p. {}", cited_page(page, entry.page_label.as_deref())),
                (None, Some(line)) => format!(", line {line}"),
                (None, None) => String::new(),
            };
            // Writing to a String cannot fail.
            let _ = writeln!(out, "{sign}  {}{place}: {}", entry.path, entry.message);
        }
    }
    out
}
