//! The tool that answers questions.

use super::super::Agents;
use super::{Answered, Tool};
use rmcp::model::ProgressNotificationParam;
use rmcp::service::{RequestContext, RoleServer};
use schemars::JsonSchema;
use serde::Deserialize;
use sibyl_api::command::answer::AnswerAsk;
use sibyl_api::source_type::field::EDITION;
use sibyl_api::{
    AnswerCitation, AnswerEvent, ApiError, AskRequest, Constraint, Edition, Filters, LONGEST_QUESTION,
    Outcome, Progress, ProgressListener, Reply, read_by_ocr,
};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinHandle;

/// How long an agent may take to read what is reported on the way.
const PATIENCE: Duration = Duration::from_secs(1);

/// Answers a question.
pub(super) struct Ask;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Question {
    /// The question, in natural language.
    #[schemars(length(min = 1, max = LONGEST_QUESTION), regex(pattern = r"\S"))]
    question: String,
    /// Edition of IFRS S2: as issued June 2023 or as amended December 2025 (periods from 1 January 2027); the one meant today
    /// if omitted.
    #[serde(default)]
    edition: Option<Edition>,
    /// What of `understood` in an earlier reply is not to hold.
    #[serde(default)]
    ignore: Vec<Constraint>,
}

impl Tool for Ask {
    const NAME: &'static str = "ask";
    // Questions and answers are kept.
    const READS: bool = false;
    const REACHES_OUT: bool = true;
    type Input = Question;
    type Output = Reply;

    fn described() -> String {
        "Answer a question from the library, each sentence with its source and check; read `outcome` first. Question and \
         answer are kept in the log."
            .to_owned()
    }

    async fn call(
        agents: &Agents,
        input: Question,
        context: &RequestContext<RoleServer>,
    ) -> Result<Answered<Reply>, ApiError> {
        let Question { question, edition, ignore } = input;
        let filters = Filters { report_or_none: agents.report.clone(), ..Filters::default() };
        let filters = filters.with(&EDITION, edition.map(Edition::code));
        let input = AskRequest { question, ignore, filters, ..AskRequest::default() };
        let (listener, telling) = progress(context).unzip();
        let answer = agents.run_told::<AnswerAsk>(input, listener).await?;
        if let Some(telling) = telling {
            // What is reported on the way comes before the answer; an agent that does not read it is not waited for.
            let _ = tokio::time::timeout(PATIENCE, telling).await;
        }
        let (searched, reply) = (Some(answer.chunks_searched), answer.reply);
        let failed = reply.outcome == Outcome::Faulted;
        Ok(Answered { text: Some(as_text(&reply)), structured: reply, searched, failed })
    }
}

/// The text for an agent that reads nothing else: the answer, how it ended, and which parts are not confirmed or were
/// removed. Each source follows with its number, its place and its words.
fn as_text(reply: &Reply) -> String {
    let mut lines: Vec<String> = reply.answer.iter().chain(&reply.message).cloned().collect();
    lines.push(format!("Outcome: {}. Confidence: {:.2}.", reply.outcome.name(), reply.confidence));
    if reply.outcome == Outcome::Incomplete {
        lines.extend(reply.fault.as_ref().map(|fault| format!("{}: {}", fault.code, fault.message)));
    }
    lines.extend(reply.remarks.iter().filter(|remark| reply.message.as_ref() != Some(remark)).cloned());
    lines.extend(reply.removed.iter().map(|removed| format!("Removed: {}", removed.text)));
    lines.extend(reply.citations.iter().map(source));
    lines.join("\n\n")
}

/// A source as an agent that reads text alone gets it: its number, where it stands, and the words.
fn source(citation: &AnswerCitation) -> String {
    let ocr = citation.ocr.as_ref().map(|ocr| format!(" {}", read_by_ocr(ocr.confidence.into())));
    format!("[Citation {}] {}{}: “{}”", citation.n, citation.place(), ocr.unwrap_or_default(), citation.quote)
}

/// Tells an agent that asked for it how far an answer has come.
fn progress(context: &RequestContext<RoleServer>) -> Option<(ProgressListener, JoinHandle<()>)> {
    let token = context.meta.get_progress_token()?;
    let (sender, mut events) = tokio::sync::mpsc::unbounded_channel::<String>();
    let peer = context.peer.clone();
    let telling = tokio::spawn(async move {
        let mut told = 0.0;
        while let Some(message) = events.recv().await {
            told += 1.0;
            let mut step = ProgressNotificationParam::new(token.clone(), told);
            step.message = Some(message);
            if peer.notify_progress(step).await.is_err() {
                return;
            }
        }
    });
    let listener: ProgressListener = Arc::new(move |progress| {
        let Progress::Answering(event) = progress else { return };
        let message = match event {
            AnswerEvent::Searching { searched_for, .. } => format!("searching: {searched_for}"),
            AnswerEvent::Retrieved { passages, .. } => format!("{} passages found", passages.len()),
            AnswerEvent::Writing { .. } => "writing".to_owned(),
            AnswerEvent::Sentence { sentence, .. } => sentence.text,
            _ => return,
        };
        // An agent that is gone needs no news.
        let _ = sender.send(message);
    });
    Some((listener, telling))
}
