//! `sibyl ingest`.

use super::gone::gone;
use super::{End, Outcome, print, settings};
use crate::arguments::{Common, Ingest, Switch};
use crate::session::Session;
use serde::Serialize;
use sibyl_api::command::ingest::{IngestStart, IngestUnlock, JobGet, JobId, Unlock};
use sibyl_api::{
    ApiError, ChunkChanges, EmbedPlan, IngestRequest, Job, JobReport, JobState, Source, Status, cited_page,
    source_type,
};
use std::collections::BTreeMap;
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
    let request = IngestRequest {
        sources: words.paths.iter().map(Source::path).collect(),
        corpus: words.corpus,
        licensed_standard: words.licensed,
        shared: words.shared,
        source_type: words.source_type,
        strategy: words.strategy,
        settings: settings(&words.settings)?,
        base_url: words.base_url,
        // Without the option, a corpus stays as it is.
        remote: words.remote.then_some(true),
        report_id: words.report_id,
        force: words.force,
        ocr: words.ocr.map(|ocr| ocr == Switch::On),
        embed: if words.no_embed { EmbedPlan::Nothing } else { EmbedPlan::Complete },
        ..IngestRequest::default()
    };
    let id = session.call::<IngestStart>(request).await?.id;
    session.follow(&common.workspace, id).await?;
    let job = session.call::<JobGet>(JobId { id }).await?;
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
    let passwords = text.trim_start_matches('\u{feff}').lines().map(str::to_owned).collect();
    session.call::<IngestUnlock>(Unlock { passwords }).await?;
    Ok(())
}

/// The answer of the main document (section 7.1), with the whole report added.
#[derive(Serialize)]
struct Ingested<'a> {
    status: Status,
    /// Chunks of each shipped kind, as `KIND_chunks`.
    #[serde(flatten)]
    shipped: BTreeMap<String, u64>,
    total_chunks: u64,
    duration_seconds: f64,
    job: i64,
    state: JobState,
    error: &'a Option<String>,
    report: &'a JobReport,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    existing_counts: Option<&'a BTreeMap<String, u64>>,
}

fn answer(job: &Job) -> Ingested<'_> {
    let report = &job.report;
    let shipped = source_type::all().iter().filter(|kind| kind.ships.is_some());
    let count = |name| report.counts.get(name).copied().unwrap_or_default();
    let existed = report.status == Status::AlreadyIngested;
    Ingested {
        status: report.status,
        shipped: shipped.map(|kind| (format!("{}_chunks", kind.name), count(kind.name))).collect(),
        total_chunks: report.counts.values().sum(),
        duration_seconds: report.seconds,
        job: job.id,
        state: job.state,
        error: &job.error,
        report,
        message: existed.then_some("Corpus already exists. Delete it first to re-ingest."),
        existing_counts: existed.then_some(&report.counts),
    }
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
