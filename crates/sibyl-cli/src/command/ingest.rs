//! `sibyl ingest`.

use super::gone::gone;
use super::{End, Outcome, print, settings};
use crate::arguments::{Common, Ingest, Switch};
use crate::output::{list, number, page, text};
use crate::session::Session;
use serde::Deserialize as _;
use serde_json::{Value, json};
use sibyl_api::{ApiError, JobState, Status, source_type};
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
        // What ships is asked for by name, so that the first start has nothing left to do.
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
    let job = session.call("ingest.start", request).await?["id"].as_i64().unwrap_or_default();
    session.follow(&common.workspace, job).await?;
    let job = session.call("job.get", json!({ "id": job })).await?;
    print(common, &answer(&job), |_| describe(&job));
    Ok(end_of(&job))
}

/// How a job that came to rest ended: badly where it or a file of it failed, or a provider refused a text.
pub fn end_of(job: &Value) -> End {
    let failed = ["report.failed", "report.refused"].iter().any(|part| !list(job, part).is_empty())
        || JobState::deserialize(&job["state"]).is_ok_and(|state| state == JobState::Failed);
    if failed { End::Failed } else { End::Done }
}

/// Has the passwords in `file` tried on locked files, one a line.
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
    session.call("ingest.unlock", json!({ "passwords": passwords })).await?;
    Ok(())
}

/// The answer of the main document (section 7.1) with the whole report beside it.
fn answer(job: &Value) -> Value {
    let report = &job["report"];
    let total: u64 = report["counts"].as_object().into_iter().flatten().filter_map(|(_, n)| n.as_u64()).sum();
    let mut answer = json!({ "status": report["status"] });
    for kind in source_type::all().iter().filter(|kind| kind.ships.is_some()) {
        let count = report["counts"][kind.name].as_u64().unwrap_or(0);
        answer[format!("{}_chunks", kind.name)] = count.into();
    }
    answer["total_chunks"] = total.into();
    for (name, value) in [
        ("duration_seconds", &report["seconds"]),
        ("job", &job["id"]),
        ("state", &job["state"]),
        ("error", &job["error"]),
        ("report", report),
    ] {
        answer[name] = value.clone();
    }
    if Status::deserialize(&report["status"]).is_ok_and(|status| status == Status::AlreadyIngested) {
        answer["message"] = "Corpus already exists. Delete it first to re-ingest.".into();
        answer["existing_counts"] = report["counts"].clone();
    }
    answer
}

fn describe(job: &Value) -> String {
    let mut out = String::new();
    let report = &job["report"];
    let changes = |name: &str| {
        let field = |key: &str| number(report, &format!("{name}.{key}"));
        format!(
            "{} created, {} updated, {} unchanged, {} deleted",
            field("created"),
            field("updated"),
            field("unchanged"),
            field("deleted")
        )
    };
    // Writing to a String cannot fail.
    let _ = match Status::deserialize(&report["status"]) {
        Ok(Status::AlreadyIngested) => writeln!(out, "Already ingested: nothing changed."),
        Ok(Status::Completed) => writeln!(out, "Done in {:.1} s.", number(report, "seconds")),
        Ok(Status::CompletedWithFailures) => {
            writeln!(out, "Done in {:.1} s, with failures.", number(report, "seconds"))
        }
        Ok(Status::Unfinished) | Err(_) => {
            writeln!(out, "The job is {}. {}", text(job, "state"), text(job, "error"))
        }
    };
    let _ = writeln!(out, "documents: {}", changes("documents"));
    let _ = writeln!(out, "chunks:    {}", changes("chunks"));
    out.push_str(&remarks(report));
    out.push_str(&gone(report));
    out
}

/// What the report of a job says about single files, one line each.
pub fn remarks(report: &Value) -> String {
    let mut out = String::new();
    for (name, sign) in
        [("failed", "failed "), ("refused", "refused"), ("skipped", "skipped"), ("notices", "note   ")]
    {
        for entry in list(report, name) {
            let place = match (page(entry), entry["line"].as_u64()) {
                (Some(page), _) => format!(", p. {page}"),
                (_, Some(line)) => format!(", line {line}"),
                _ => String::new(),
            };
            // Writing to a String cannot fail.
            let _ = writeln!(out, "{sign}  {}{place}: {}", text(entry, "path"), text(entry, "message"));
        }
    }
    out
}
