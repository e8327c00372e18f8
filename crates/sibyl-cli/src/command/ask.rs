//! `sibyl ask`.

use super::{End, Outcome as Ended, print};
use crate::arguments::Ask;
use crate::output::{cell, one_line, read_by_ocr, say, tell};
use crate::session::Session;
use sibyl_api::command::answer::AnswerAsk;
use sibyl_api::{
    Answer, AnswerEvent, ApiError, Outcome, Progress, ProgressListener, Refusal, RemovedKind, Selection,
    cited,
};
use std::fmt::Write as _;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

pub async fn ask(session: &Session, words: Ask) -> Ended {
    let selection = words.selection.as_deref().map(selected).transpose()?;
    let stream = words.stream && !session.common.json;
    let listener = stream.then(|| Arc::new(told) as ProgressListener);
    let work = session.call_with::<AnswerAsk>(words.request(selection), listener);
    let answer = tokio::select! {
        answer = work => answer?,
        // Dropping the request also drops the connection to its provider; what had arrived is kept.
        _ = tokio::signal::ctrl_c() => {
            session.library.answer().settled().await;
            return Err(ApiError::new("interrupted", "stopped before the answer was complete"));
        }
    };
    print(&session.common, &answer.reply, |_| describe(&answer, stream))?;
    Ok(match (answer.reply.outcome, answer.reply.refusal) {
        (Outcome::Complete, _) => End::Done,
        (Outcome::Refused, Some(Refusal::NotFound)) => End::NotFound,
        (Outcome::Refused, _) => End::Refused,
        (Outcome::Incomplete, _) => End::Incomplete,
        (Outcome::Faulted, _) => End::Failed,
    })
}

/// The text to answer from.
fn selected(path: &Path) -> Result<Selection, ApiError> {
    let unread = |error: std::io::Error| ApiError::new("io", format!("{}: {error}", path.display()));
    if path.as_os_str() == "-" {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map_err(unread)?;
        return Ok(Selection { text, ..Selection::default() });
    }
    let text = std::fs::read_to_string(path).map_err(unread)?;
    Ok(Selection { text, document: path.display().to_string(), ..Selection::default() })
}

/// Prints what is finished as it comes.
fn told(progress: Progress) {
    let Progress::Answering(event) = progress else { return };
    match event {
        AnswerEvent::Searching { searched_for, earlier: Some(_), .. } => {
            tell(format_args!("searched for: {searched_for}"))
        }
        AnswerEvent::Writing { reading, .. } if !reading.is_empty() => say(&format!("\n{reading}\n")),
        AnswerEvent::Sentence { sentence, .. } => {
            let marks = sentence.citations.iter().map(|n| format!(" [Citation {n}]"));
            let marks: String = marks.chain(sentence.check.mark().map(|mark| format!(" [{mark}]"))).collect();
            say(&format!("{}{marks}\n", sentence.text));
        }
        _ => {}
    }
}

/// `answer` in words for a person.
pub(super) fn describe(answer: &Answer, streamed: bool) -> String {
    let (reply, mut out) = (&answer.reply, String::new());
    if let Some(searched_for) = &answer.searched_for {
        let _ = writeln!(out, "searched for: {searched_for}\n");
    }
    if !streamed && let Some(told) = &reply.answer {
        let _ = writeln!(out, "{told}\n");
    }
    for remark in &reply.remarks {
        let _ = writeln!(out, "{remark}");
    }
    if let Some(fault) = &reply.fault {
        let _ = writeln!(out, "{}: {}", reply.outcome.name(), fault.message);
    }
    for citation in &reply.citations {
        let ocr = read_by_ocr(citation.ocr.as_ref().map(|ocr| ocr.confidence));
        let quote = one_line(&citation.quote, 100);
        let changed = if citation.source.changed { " (the source changed since)" } else { "" };
        let _ = writeln!(out, "[{}] {}{ocr}{changed}: {quote}", citation.n, citation.place());
    }
    for sentence in reply.sentences.iter().filter(|one| !one.check.confirms()) {
        let mark = sentence.check.mark().unwrap_or_default().to_lowercase();
        let _ = writeln!(out, "{mark}: {}", one_line(&sentence.text, 100));
    }
    for removed in &reply.removed {
        let what = match removed.kind {
            RemovedKind::InventedCitation => "a citation that refers to no passage",
            RemovedKind::UnsupportedCitation => {
                "a citation of a passage that contains nothing of its sentence"
            }
            RemovedKind::Sentence => "a sentence of a text without citations",
        };
        let _ = writeln!(out, "removed, {what}: {}", one_line(&removed.text, 100));
    }
    if reply.refusal == Some(Refusal::NotFound) {
        for passage in answer.passages.iter().take(3) {
            let pages = passage.pages.map(|pages| cited(pages, passage.page_labels.as_ref(), "–"));
            let _ = writeln!(
                out,
                "nearest, not used: {}{}{}  {}",
                passage.title,
                pages.map(|pages| format!(", p. {pages}")).unwrap_or_default(),
                read_by_ocr(passage.ocr.as_ref().map(|ocr| ocr.confidence)),
                one_line(&passage.text, 80)
            );
        }
    }
    if reply.refusal != Some(Refusal::NoQuestion) {
        let band = cell(&reply.band).replace('_', " ");
        let _ = writeln!(out, "confidence {:.2} ({band})", reply.confidence);
    }
    out
}
