//! `sibyl answers`: the log of questions and answers.

use super::ask::describe;
use super::{End, Outcome, print};
use crate::arguments::Answers;
use crate::output::{list, number, one_line, say, table, text};
use crate::session::Session;
use serde_json::{Value, json};
use sibyl_api::reply_of;
use std::fmt::Write as _;

pub async fn answers(session: &Session, command: Option<Answers>) -> Outcome {
    match command.unwrap_or(Answers::List { search: String::new() }) {
        Answers::List { search } => {
            let found = session.call("answer.log.list", json!({ "search": search })).await?;
            print(&session.common, &found, entries);
        }
        Answers::Show { id } => {
            let kept = session.call("answer.log.get", json!({ "id": id })).await?;
            let reply = reply_of(kept["answer"].clone())?;
            print(&session.common, &kept, |kept| {
                format!("{}\n\n{}", text(kept, "entry.question"), describe(&kept["answer"], &reply, false))
            });
        }
        Answers::Replay { id } => {
            let replay = session.call("answer.log.replay", json!({ "id": id })).await?;
            print(&session.common, &replay, moved);
        }
        Answers::Export { format } => {
            let log = session.call("answer.log.export", json!({ "format": format.name() })).await?;
            say(text(&log, "text"));
        }
    }
    Ok(End::Done)
}

fn entries(found: &Value) -> String {
    let row = |entry: &Value| {
        vec![
            number(entry, "id").to_string(),
            if entry["source_changed"] == true { "*" } else { "" }.to_owned(),
            text(entry, "at").to_owned(),
            text(entry, "outcome").replace('_', " "),
            one_line(text(entry, "question"), 80),
        ]
    };
    let entries = list(found, "entries");
    let mut out = table(
        &["answer", "", "asked", "outcome", "question"],
        &[0],
        &entries.iter().map(row).collect::<Vec<_>>(),
    );
    if entries.iter().any(|entry| entry["source_changed"] == true) {
        out.push_str("* a source has changed since\n");
    }
    out
}

fn moved(replay: &Value) -> String {
    let rank = |value: &Value| value.as_u64().map_or_else(|| "–".to_owned(), |rank| rank.to_string());
    let rows: Vec<Vec<String>> = list(replay, "passages")
        .iter()
        .map(|passage| {
            let cells = [rank(&passage["before"]), rank(&passage["after"])];
            let words = [one_line(text(passage, "label"), 50), text(passage, "why").to_owned()];
            cells.into_iter().chain(words).collect()
        })
        .collect();
    let mut out = table(&["then", "now", "passage", "why"], &[0, 1], &rows);
    // Writing to a String cannot fail.
    let _ = writeln!(
        out,
        "confidence {:.2} then, {:.2} now",
        number(replay, "confidence_before"),
        number(replay, "confidence_after")
    );
    if replay["settings_changed"] == true {
        out.push_str("Settings that decide the answer have changed.\n");
    }
    if replay["source_changed"] == true {
        out.push_str("A source that the answer cites has changed since.\n");
    }
    out
}
