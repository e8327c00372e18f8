//! `sibyl gold`.

use super::{End, Outcome, print};
use crate::arguments::{GoldCommand, GoldFormat};
use crate::output::{list, number, table, tell, text};
use crate::session::Session;
use serde_json::{Value, json};

/// Most labels that are named because nothing answers to them.
const MOST_NOTES: usize = 20;

/// Most queries that a line of the history names.
const NAMED: usize = 5;

pub async fn gold(session: &Session, command: GoldCommand) -> Outcome {
    match command {
        GoldCommand::List => {
            let sets = session.call("gold.list", json!({})).await?;
            print(&session.common, &sets, listed);
        }
        GoldCommand::Import { path, name, format, queries, split, relevant_from, replace, strict } => {
            let input = json!({
                "path": path, "name": name, "format": format.map(|format| format.name()), "queries": queries,
                "split": split, "relevant_from": relevant_from, "replace": replace, "strict": strict,
            });
            let imported = session.call("gold.import", input).await?;
            print(&session.common, &imported, taken_in);
        }
        GoldCommand::History { set } => {
            let versions = session.call("gold.history", json!({ "set": set })).await?;
            print(&session.common, &versions, history);
        }
        GoldCommand::Export { set, format, version, folder } => {
            let written = folder.is_some();
            let ids_only = !matches!(format, GoldFormat::Jsonl);
            let input = json!({ "set": set, "format": format.name(), "version": version, "folder": folder });
            let files = session.call("gold.export", input).await?;
            print(&session.common, &files, |files| {
                let files = files.as_array().into_iter().flatten();
                files
                    .map(|file| {
                        if written {
                            format!("{}\n", text(file, "name"))
                        } else {
                            text(file, "text").to_owned()
                        }
                    })
                    .collect()
            });
            if ids_only {
                let from = relevant_from(session, &set, version).await?;
                tell(format_args!(
                    "labels count as relevant from grade {from}: trec_eval -l {from}, ir-measures rel={from}, sibyl gold \
                     import --relevant-from {from}"
                ));
            }
        }
        GoldCommand::Delete { set } => {
            let done = session.call("gold.delete", json!({ "set": set })).await?;
            print(&session.common, &done, |_| format!("deleted the gold set {set}\n"));
        }
    }
    Ok(End::Done)
}

/// The grade from which labels of `set` count as relevant, or did in a former version.
async fn relevant_from(
    session: &Session,
    set: &str,
    version: Option<i64>,
) -> Result<i64, sibyl_api::ApiError> {
    if version.is_some() {
        let versions = session.call("gold.history", json!({ "set": set })).await?;
        let former = versions.as_array().into_iter().flatten().find(|it| it["version"].as_i64() == version);
        return Ok(former.and_then(|former| former["relevant_from"].as_i64()).unwrap_or_default());
    }
    let page = session.call("gold.get", json!({ "set": set, "limit": 0 })).await?;
    Ok(page["set"]["relevant_from"].as_i64().unwrap_or_default())
}

fn history(versions: &Value) -> String {
    let row = |version: &Value| {
        let mut row: Vec<String> =
            ["version", "queries", "labels"].map(|field| number(version, field).to_string()).to_vec();
        let changed = |what: &str| {
            let parts = [("added", '+'), ("changed", '~'), ("removed", '−')];
            let counts =
                parts.map(|(how, sign)| (number(&version["changes"], &format!("{what}_{how}")), sign));
            let told = counts.into_iter().filter(|(count, _)| *count > 0.0);
            told.map(|(count, sign)| format!("{sign}{count}")).collect::<Vec<_>>().join(" ")
        };
        if version["changes"].is_null() {
            row.extend(["first known".to_owned(), String::new(), String::new()]);
        } else {
            let named = list(&version["changes"], "named").iter().filter_map(Value::as_str);
            let named = named.take(NAMED).collect::<Vec<_>>();
            let more = if number(&version["changes"], "touched") > named.len() as f64 { ", …" } else { "" };
            row.extend([changed("queries"), changed("labels"), format!("{}{more}", named.join(", "))]);
        }
        row.push(text(version, "at").to_owned());
        row
    };
    let rows: Vec<Vec<String>> = versions.as_array().into_iter().flatten().map(row).collect();
    let header = ["version", "queries", "labels", "queries changed", "labels changed", "which", "made"];
    table(&header, &[0, 1, 2], &rows)
}

fn listed(sets: &Value) -> String {
    let row = |set: &Value| {
        let mut row = vec![text(set, "name").to_owned()];
        row.extend(
            ["version", "queries", "answerable", "unlabelled", "labels", "spans"]
                .map(|field| number(set, field).to_string()),
        );
        row.push(text(set, "updated_at").to_owned());
        row
    };
    let rows: Vec<Vec<String>> = sets.as_array().into_iter().flatten().map(row).collect();
    let header =
        ["gold set", "version", "queries", "answerable", "without labels", "labels", "spans", "changed"];
    table(&header, &[1, 2, 3, 4, 5, 6], &rows)
}

fn taken_in(imported: &Value) -> String {
    let set = &imported["set"];
    let mut out = format!(
        "{}: {} queries, {} labels\n",
        text(set, "name"),
        number(set, "queries"),
        number(set, "labels")
    );
    // A collection is measured in a library of its own: nothing of it answers to a label here.
    if let Some(folder) = imported["collection"].as_str() {
        out += &format!(
            "note: this collection includes its own documents; measure it with `sibyl eval beir {folder:?} --save \
             NAME`\n"
        );
        return out + &notes(imported);
    }
    let unmatched = list(imported, "unmatched");
    for label in unmatched.iter().take(MOST_NOTES) {
        let target = &label["target"];
        let name = target["id"].as_str().unwrap_or_else(|| text(target, "path"));
        out += &format!("note: {} of {}: {}\n", name, text(label, "query"), text(label, "why"));
    }
    if unmatched.len() > MOST_NOTES {
        out += &format!("note: and {} more labels cannot be found\n", unmatched.len() - MOST_NOTES);
    }
    out + &notes(imported)
}

/// What was done with what the files leave open, a line each.
pub(super) fn notes(imported: &Value) -> String {
    list(imported, "notes").iter().map(|note| format!("note: {}\n", text(note, "message"))).collect()
}
