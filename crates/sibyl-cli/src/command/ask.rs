//! `sibyl ask`.

use super::{End, Outcome};
use crate::arguments::Ask;
use crate::output::{list, number, one_line, pages, read_by_ocr, say, tell, text};
use crate::session::Session;
use serde_json::{Map, Value, json};
use sibyl_api::{AnswerEvent, ApiError, Progress, ProgressListener};
use std::fmt::Write as _;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

/// Fields of an answer, and of each of its readings, that `--json` prints.
const FIELDS: [&str; 4] = ["answer", "message", "confidence", "band"];

pub async fn ask(session: &Session, words: Ask) -> Outcome {
    let selection = words.selection.as_deref().map(selected).transpose()?;
    let stream = words.stream && !session.common.json;
    let listener = stream.then(|| Arc::new(told) as ProgressListener);
    let work = session.call_with("answer.ask", words.to_json(selection), listener);
    let answer = tokio::select! {
        answer = work => answer?,
        // What was asked for is dropped with the connection to its provider; what had arrived is kept.
        _ = tokio::signal::ctrl_c() => {
            session.library.answer().settled().await;
            return Err(ApiError::new("interrupted", "stopped before the answer was complete"));
        }
    };
    if session.common.json {
        say(&format!("{:#}\n", printed(&answer)));
    } else {
        say(&describe(&answer, stream));
    }
    // What was not found is an answer; what could not be written is none.
    Ok(if text(&answer, "outcome") == "failed" { End::Failed } else { End::Done })
}

/// The text to answer from.
fn selected(path: &Path) -> Result<Value, ApiError> {
    let unread = |error: std::io::Error| ApiError::new("io", format!("{}: {error}", path.display()));
    if path.as_os_str() == "-" {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map_err(unread)?;
        return Ok(json!({ "text": text }));
    }
    let text = std::fs::read_to_string(path).map_err(unread)?;
    Ok(json!({ "text": text, "document": path.display().to_string() }))
}

/// Prints what is finished as it comes.
fn told(progress: Progress) {
    let Progress::Answering(event) = progress else { return };
    match event {
        AnswerEvent::Searching { searched_for, earlier: Some(_) } => {
            tell(format_args!("searched for: {searched_for}"))
        }
        AnswerEvent::Writing { reading, .. } if !reading.is_empty() => say(&format!("\n{reading}\n")),
        AnswerEvent::Sentence { sentence, .. } => {
            let marks: String = sentence.citations.iter().map(|n| format!(" [Citation {n}]")).collect();
            say(&format!("{}{marks}\n", sentence.text));
        }
        _ => {}
    }
}

/// The shape that scripts rely on.
fn printed(answer: &Value) -> Value {
    let mut out = fields(answer, answer);
    let readings: Vec<Value> = list(answer, "readings")
        .iter()
        .map(|reading| {
            let mut one = Map::new();
            one.insert("reading".to_owned(), reading["reading"].clone());
            one.extend(fields(reading, answer));
            Value::Object(one)
        })
        .collect();
    out.insert("readings".to_owned(), readings.into());
    Value::Object(out)
}

fn fields(of: &Value, answer: &Value) -> Map<String, Value> {
    let mut out = Map::new();
    for name in FIELDS {
        if name != "message" || of[name].is_string() {
            out.insert(name.to_owned(), of[name].clone());
        }
    }
    out.insert("generator".to_owned(), answer["generator"].clone());
    let kept = |value: &Value, names: &[&str]| -> Value {
        names.iter().map(|name| ((*name).to_owned(), value[*name].clone())).collect::<Map<_, _>>().into()
    };
    let sentences = list(of, "sentences").iter().map(|one| kept(one, &["text", "citations", "check"]));
    out.insert("sentences".to_owned(), sentences.collect());
    let place = [
        "n",
        "document",
        "path",
        "title",
        "section",
        "pages",
        "page_labels",
        "ocr",
        "paragraph_id",
        "quote",
        "span",
        "document_id",
        "text_version",
    ];
    out.insert("citations".to_owned(), list(of, "citations").iter().map(|one| kept(one, &place)).collect());
    out
}

/// An answer as text; `streamed` where its sentences were printed already.
pub(super) fn describe(answer: &Value, streamed: bool) -> String {
    let mut out = String::new();
    if let Some(searched_for) = answer["searched_for"].as_str() {
        let _ = writeln!(out, "searched for: {searched_for}\n");
    }
    if !streamed && let Some(told) = answer["answer"].as_str() {
        let _ = writeln!(out, "{told}\n");
    }
    for remark in list(answer, "remarks").iter().filter_map(Value::as_str) {
        let _ = writeln!(out, "{remark}");
    }
    if let Some(fault) = answer["fault"]["message"].as_str() {
        let _ = writeln!(out, "incomplete: {fault}");
    }
    for citation in list(answer, "citations") {
        let page = pages(citation).map(|pages| format!(", p. {pages}")).unwrap_or_default();
        let ocr = read_by_ocr(&citation["ocr"]);
        let id = citation["paragraph_id"].as_str().map(|id| format!(", {id}")).unwrap_or_default();
        let quote = one_line(text(citation, "quote"), 100);
        let changed = if citation["source"]["changed"] == true { " (the source changed since)" } else { "" };
        let _ = writeln!(
            out,
            "[{}] {}{id}{page}{ocr}{changed}: {quote}",
            number(citation, "n"),
            text(citation, "title")
        );
    }
    for sentence in
        list(answer, "sentences").iter().filter(|one| !matches!(text(one, "check"), "verified" | "supported"))
    {
        let _ = writeln!(
            out,
            "{}: {}",
            text(sentence, "check").replace('_', " "),
            one_line(text(sentence, "text"), 100)
        );
    }
    if text(answer, "outcome") == "not_found" {
        for passage in list(answer, "passages").iter().take(3) {
            let _ = writeln!(
                out,
                "nearest, not used: {}{}{}  {}",
                text(passage, "title"),
                pages(passage).map(|pages| format!(", p. {pages}")).unwrap_or_default(),
                read_by_ocr(&passage["ocr"]),
                one_line(text(passage, "text"), 80)
            );
        }
    }
    if text(answer, "outcome") != "greeting" {
        let _ = writeln!(
            out,
            "confidence {:.2} ({})",
            number(answer, "confidence"),
            text(answer, "band").replace('_', " ")
        );
    }
    out
}
