//! `sibyl delete` and `sibyl restore`.

use super::show::cell;
use super::{End, Outcome, print};
use crate::arguments::bin::{Delete, Restore};
use crate::output::{list, number, table, text};
use crate::session::Session;
use serde_json::{Value, json};
use std::fmt::Write as _;

pub async fn delete(session: &Session, words: Delete) -> Outcome {
    if let Some(id) = words.for_good {
        let deleted = session.call("bin.delete", json!({ "ids": [id] })).await?;
        print(&session.common, &deleted, |_| format!("Document {id} deleted for good.\n"));
        return Ok(End::Done);
    }
    let deleted = match (words.corpus, words.document, words.report, words.source_type) {
        (Some(name), ..) => session.call("corpus.delete", json!({ "name": name })).await?,
        (_, Some(id), ..) => session.call("document.delete", json!({ "ids": [id] })).await?,
        (_, _, Some(id), _) => session.call("report.delete", json!({ "report_id": id })).await?,
        (.., source_type) => {
            session.call("corpus.delete_type", json!({ "source_type": source_type })).await?
        }
    };
    print(&session.common, &deleted, |deleted| {
        let chunks = number(deleted, "deleted_count");
        format!("{chunks} chunks deleted; `sibyl restore` lists and restores the documents for 30 days\n")
    });
    Ok(End::Done)
}

pub async fn restore(session: &Session, words: Restore) -> Outcome {
    if words.documents.is_empty() {
        let binned = session.call("bin.list", json!({})).await?;
        print(&session.common, &binned, binned_rows);
        return Ok(End::Done);
    }
    let restored = session.call("bin.restore", json!({ "ids": words.documents })).await?;
    print(&session.common, &restored, |restored| {
        let mut out = match list(restored, "restored").len() {
            1 => "1 document restored\n".to_owned(),
            count => format!("{count} documents restored\n"),
        };
        for entry in list(restored, "refused") {
            // Writing to a String cannot fail.
            let _ = writeln!(out, "refused  {}: {}", text(entry, "path"), text(entry, "message"));
        }
        out
    });
    Ok(if list(&restored, "refused").is_empty() { End::Done } else { End::Failed })
}

fn binned_rows(binned: &Value) -> String {
    let binned: Vec<&Value> = binned.as_array().into_iter().flatten().collect();
    if binned.is_empty() {
        return "The bin is empty; documents that are deleted stay in it for 30 days.\n".to_owned();
    }
    let row = |document: &&Value| {
        ["id", "corpus", "reason", "deleted_at", "kept_until", "path", "title"]
            .map(|key| cell(&document[key]))
            .to_vec()
    };
    let rows: Vec<Vec<String>> = binned.iter().map(row).collect();
    table(&["document", "corpus", "because", "deleted", "kept until", "path", "title"], &[0], &rows)
        + "`sibyl restore DOCUMENT` puts one back.\n"
}
