//! The log as a file for others.

use super::{Answer, AskLogQuery, LoggedQuestion, Verdict};
use crate::error::Result;
use crate::library::Answering;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sibyl_text::document::read_by_ocr;
use std::fmt::Write as _;

/// How a log is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExportFormat {
    /// One JSON object a line, with everything except the phrases that find passages.
    #[default]
    Jsonl,
    /// A table with a row for each question.
    Csv,
    /// Text with `[Citation N]` and the list of sources below each answer.
    Markdown,
    /// Judged queries of the answers that were rated right, as `sibyl eval` reads them.
    Gold,
}

impl Answering<'_> {
    /// The entries that `query` names, oldest first, written in `format`.
    ///
    /// # Errors
    /// As [`Answering::logged`].
    pub async fn export(&self, workspace: &str, query: &AskLogQuery, format: ExportFormat) -> Result<String> {
        let mut out = String::new();
        if format == ExportFormat::Csv {
            out.push_str("id,at,session,question,outcome,answer,confidence,generator,model,sources,total_ms,rating,reason,source_changed\n");
        }
        let mut listed = self.logged(workspace, query).await?.entries;
        listed.reverse();
        for row in listed {
            let (row, _, answer) = self.entry(workspace, row.id).await?;
            match format {
                ExportFormat::Jsonl => {
                    let answer = without_phrasings(&answer);
                    let line = json!({ "id": row.id, "at": row.at, "session": row.session, "rating": row.rating, "answer": answer });
                    // Writing to a String cannot fail.
                    let _ = writeln!(out, "{line}");
                }
                ExportFormat::Csv => out.push_str(&line(&row, &answer)),
                ExportFormat::Markdown => out.push_str(&markdown(&row, &answer)),
                ExportFormat::Gold => out.extend(judged(&row, &answer).map(|query| format!("{query}\n"))),
            }
        }
        Ok(out)
    }
}

/// `answer` without the phrases that find its passages: a reader could take them for the passages' own words.
fn without_phrasings(answer: &Answer) -> Value {
    let mut answer = json!(answer);
    for passage in answer["passages"].as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        passage.remove("found_by");
    }
    answer
}

fn line(row: &LoggedQuestion, answer: &Answer) -> String {
    let sources: Vec<String> =
        answer.reply.citations.iter().map(|c| format!("[{}] {}", c.n, place(c))).collect();
    let rating = row.rating.as_ref();
    let verdict =
        rating.map(|r| json!(r.verdict).as_str().unwrap_or_default().to_owned()).unwrap_or_default();
    let cells = [
        row.id.to_string(),
        row.at.clone(),
        row.session.clone(),
        row.question.clone(),
        row.outcome.name().to_owned(),
        answer.reply.answer.clone().unwrap_or_default(),
        format!("{:.2}", row.confidence),
        row.generator.clone(),
        answer.reply.model.clone().unwrap_or_default(),
        sources.join("; "),
        format!("{:.0}", answer.total_ms),
        verdict,
        rating.map(|rating| rating.reason.clone()).unwrap_or_default(),
        answer.source_changed.to_string(),
    ];
    cells.map(|cell| quoted(&cell)).join(",") + "\n"
}

/// A cell of a CSV file (RFC 4180). One that a spreadsheet would run as a formula begins with an apostrophe.
fn quoted(cell: &str) -> String {
    let guarded =
        if cell.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{cell}") } else { cell.to_owned() };
    if guarded.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", guarded.replace('"', "\"\""))
    } else {
        guarded
    }
}

fn place(citation: &super::AnswerCitation) -> String {
    let ocr = citation.ocr.as_ref().map(|ocr| format!(" {}", read_by_ocr(ocr.confidence.into())));
    let changed = if citation.source.changed { " (the source changed since)" } else { "" };
    format!("{}{}{changed}", citation.place(), ocr.unwrap_or_default())
}

fn markdown(row: &LoggedQuestion, answer: &Answer) -> String {
    let mut out = format!("## {}\n\n", row.question.replace('\n', " "));
    let told =
        answer.reply.answer.clone().or_else(|| answer.reply.remarks.first().cloned()).unwrap_or_default();
    let _ = writeln!(out, "{told}\n");
    for citation in &answer.reply.citations {
        let quote = citation.quote.split_whitespace().collect::<Vec<_>>().join(" ");
        let _ = writeln!(out, "- [Citation {}] {}: “{quote}”", citation.n, place(citation));
    }
    for removed in &answer.reply.removed {
        let _ = writeln!(out, "- Removed: {}", removed.text.replace('\n', " "));
    }
    let _ = writeln!(
        out,
        "\n{} · {} · confidence {:.2} · {}\n",
        row.at,
        row.outcome.name(),
        row.confidence,
        row.generator
    );
    out
}

/// The judged query made from an answer that was rated right: what it cites is relevant. A question that was
/// rightly not answered has no answer.
fn judged(row: &LoggedQuestion, answer: &Answer) -> Option<Value> {
    row.rating.as_ref().filter(|rating| rating.verdict == Verdict::Right)?;
    let mut relevant = Map::new();
    for id in answer.reply.citations.iter().filter_map(|citation| citation.paragraph_id.clone()) {
        relevant.insert(id, 3.into());
    }
    let answerable = answer.reply.answer.is_some();
    if answerable && relevant.is_empty() {
        return None;
    }
    Some(json!({
        "id": format!("log-{}", row.id),
        "query": row.question,
        "type": "logged",
        "answerable": answerable,
        "relevant": relevant,
    }))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn cells_are_quoted_and_never_formulas() {
        assert_eq!(quoted("plain"), "plain");
        assert_eq!(quoted("a, \"b\""), "\"a, \"\"b\"\"\"");
        assert_eq!(quoted("=1+1"), "'=1+1");
    }
}
