//! `sibyl answers`: the log of questions and answers.

use super::ask::describe;
use super::{End, Outcome, print};
use crate::arguments::Answers;
use crate::output::{one_line, say, table};
use crate::session::Session;
use sibyl_api::command::answer::{
    AnswerId, AnswerLogExport, AnswerLogGet, AnswerLogList, AnswerLogReplay, LogExport,
};
use sibyl_api::{AnswerList, AskLogQuery, Replay};
use std::fmt::Write as _;

pub async fn answers(session: &Session, command: Option<Answers>) -> Outcome {
    match command.unwrap_or(Answers::List { search: String::new() }) {
        Answers::List { search } => {
            let found =
                session.call::<AnswerLogList>(AskLogQuery { search, ..AskLogQuery::default() }).await?;
            print(&session.common, &found, entries)
        }
        Answers::Show { id } => {
            let kept = session.call::<AnswerLogGet>(AnswerId { id }).await?;
            print(&session.common, &kept, |kept| {
                format!("{}\n\n{}", kept.entry.question, describe(&kept.answer, false))
            })
        }
        Answers::Replay { id } => {
            let replay = session.call::<AnswerLogReplay>(AnswerId { id }).await?;
            print(&session.common, &replay, moved)
        }
        Answers::Export { format } => {
            let log = session.call::<AnswerLogExport>(LogExport { format, ..LogExport::default() }).await?;
            say(&log.text);
            Ok(End::Done)
        }
    }
}

fn entries(found: &AnswerList) -> String {
    let rows = found.entries.iter().map(|entry| {
        vec![
            entry.id.to_string(),
            if entry.source_changed { "*" } else { "" }.to_owned(),
            entry.at.clone(),
            entry.outcome.name().to_owned(),
            one_line(&entry.question, 80),
        ]
    });
    let mut out = table(&["answer", "", "asked", "outcome", "question"], &[0], rows);
    if found.entries.iter().any(|entry| entry.source_changed) {
        out.push_str("* a source has changed since\n");
    }
    out
}

fn moved(replay: &Replay) -> String {
    let rank = |rank: Option<usize>| rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string());
    let rows = replay.passages.iter().map(|passage| {
        vec![rank(passage.before), rank(passage.after), one_line(&passage.label, 50), passage.why.clone()]
    });
    let mut out = table(&["then", "now", "passage", "why"], &[0, 1], rows);
    // Writing to a String cannot fail.
    let _ =
        writeln!(out, "confidence {:.2} then, {:.2} now", replay.confidence_before, replay.confidence_after);
    if replay.settings_changed {
        out.push_str("Settings that decide the answer have changed.\n");
    }
    if replay.source_changed {
        out.push_str("A source that the answer cites has changed since.\n");
    }
    out
}
