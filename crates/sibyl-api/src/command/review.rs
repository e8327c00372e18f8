//! Reviewers' findings.

use serde::{Deserialize, Serialize};
use sibyl_engine::store::table::review::Review;
use sibyl_text::document::cited_page;
use std::collections::BTreeMap;
use ts_rs::TS;

/// Which findings.
#[derive(Debug, Clone, Default, Serialize, Deserialize, TS)]
#[serde(default, deny_unknown_fields)]
pub struct ReviewQuery {
    /// Report id; all reports where nothing is said.
    pub report_id: Option<String>,
}

/// Findings as a table for other programs.
#[derive(Debug, Clone, Serialize, TS)]
pub struct ReviewTable {
    /// CSV by RFC 4180 with a header row. Titles and labels are empty where the library no longer has them; the label
    /// of an item of a metric is its words, those that it had when the finding was kept where it is gone.
    pub csv: String,
    /// Rows below the header.
    pub rows: usize,
}

command! {
    /// Findings of the workspace by report and paragraph.
    ReviewList = "review.list": Query, Read, ["reviews", "chunks"];
    (call, input: ReviewQuery) -> Vec<Review> {
        Ok(call.library.standards().reviews(&call.workspace, input.report_id).await?)
    }
}

command! {
    /// Keeps a finding, in place of an earlier one on the same paragraph in the same report.
    ReviewPut = "review.put": Mutation, Write, ["reviews"];
    (call, input: Review) -> Review {
        Ok(call.library.standards().put_review(&call.workspace, input).await?)
    }
}

command! {
    /// Findings as CSV.
    ReviewExport = "review.export": Query, Read, ["reviews"];
    (call, input: ReviewQuery) -> ReviewTable {
        let workspace = call.workspace_id().await?;
        let reviews = call.library.standards().reviews(&call.workspace, input.report_id).await?;
        let mut titles = BTreeMap::new();
        for document in call.library.store().documents(workspace, None).await? {
            if let Some(report) = document.report_id {
                titles.entry(report).or_insert(document.title);
            }
        }
        let mut labels = BTreeMap::new();
        for node in call.library.standards().tree(&call.workspace).await? {
            if let Some(id) = node.id {
                labels.entry(id).or_insert(node.label);
            }
        }
        let named = |names: &BTreeMap<String, String>, id: &str| names.get(id).cloned().unwrap_or_default();
        let mut csv = String::from("report,report_title,paragraph,label,status,note,passages,updated\r\n");
        for review in &reviews {
            let label = labels.get(&review.paragraph_id).unwrap_or(&review.words);
            let passages: Vec<String> = review
                .passages
                .iter()
                .map(|p| match p.page {
                    Some(page) => format!("p. {}: {}", cited_page(page, p.page_label.as_deref()), p.quote),
                    None => p.quote.clone(),
                })
                .collect();
            let cells = [
                &review.report_id,
                &named(&titles, &review.report_id),
                &review.paragraph_id,
                label,
                review.status.name(),
                &review.note,
                &passages.join(" | "),
                &review.updated_at,
            ];
            csv.push_str(&cells.map(cell).join(","));
            csv.push_str("\r\n");
        }
        Ok(ReviewTable { csv, rows: reviews.len() })
    }
}

/// A CSV cell. A leading apostrophe keeps spreadsheets from running a note as a formula.
fn cell(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let text = if formula { format!("'{text}") } else { text.to_owned() };
    if text.contains(['"', ',', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}
