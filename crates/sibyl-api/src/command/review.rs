//! Reviewers' findings.

use serde::{Deserialize, Serialize};
use sibyl_engine::standards::{Asked, List, StandardMetric};
use sibyl_engine::store::table::review::Review;
use sibyl_text::document::cited_page;
use std::collections::{BTreeMap, BTreeSet};
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
    /// of an item of a metric is its words, those that it had when the finding was kept where it is gone. `part` names
    /// the part of the metric that an item stands in; the columns behind it hold the parts of a metric, items on lines
    /// of their own, and `in_review` advice to reviewers, which is none of the standard's.
    pub csv: String,
    /// Rows below the header.
    pub rows: usize,
}

command! {
    /// Findings of the workspace by report and paragraph.
    ReviewList = "review.list": Query, Read, ["reviews", "chunks"],
        remote Get "/api/v1/reviews";
    (call, input: ReviewQuery) -> Vec<Review> {
        Ok(call.library.standards().reviews(&call.workspace, input.report_id).await?)
    }
}

command! {
    /// Keeps a finding, in place of an earlier one on the same paragraph in the same report.
    ReviewPut = "review.put": Mutation, Write, ["reviews"],
        remote Post "/api/v1/reviews";
    (call, input: Review) -> Review {
        Ok(call.library.standards().put_review(&call.workspace, input).await?)
    }
}

command! {
    /// Findings as CSV.
    ReviewExport = "review.export": Query, Read, ["reviews"],
        remote Get "/api/v1/reviews/export";
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
        let ids: BTreeSet<&str> = reviews.iter().map(|review| review.paragraph_id.as_str()).collect();
        let asked = call.library.standards().asked(&call.workspace, &ids).await?;
        let columns = ["report", "report_title", "paragraph", "label", "status", "note", "passages", "updated"];
        let parts = List::ALL.map(List::name);
        let header = columns.into_iter().chain(["part", "measured"]).chain(parts).chain(["in_review"]);
        let mut csv = header.collect::<Vec<_>>().join(",");
        csv.push_str("\r\n");
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
            let of_standard = cells_of(asked.get(&review.paragraph_id));
            let cells = cells.into_iter().chain(of_standard.iter().map(String::as_str)).map(cell);
            csv.push_str(&cells.collect::<Vec<_>>().join(","));
            csv.push_str("\r\n");
        }
        Ok(ReviewTable { csv, rows: reviews.len() })
    }
}

/// The cells that tell what the standard asks for: part, what is measured, the lists, advice.
fn cells_of(asked: Option<&Asked>) -> [String; 8] {
    let mut cells: [String; 8] = Default::default();
    match asked {
        Some(Asked::Metric(metric)) => {
            let StandardMetric { measured, in_review, .. } = &**metric;
            cells[1].clone_from(&measured.text);
            for (at, list) in List::ALL.into_iter().enumerate() {
                let words: Vec<&str> = metric.list(list).iter().map(|item| item.text.as_str()).collect();
                cells[2 + at] = words.join("\n");
            }
            cells[7] = in_review.clone().unwrap_or_default();
        }
        Some(Asked::Part(part)) => cells[0] = (*part).to_owned(),
        Some(Asked::Advice(advice)) => cells[7].clone_from(advice),
        None => {}
    }
    cells
}

/// A CSV cell. A leading apostrophe keeps spreadsheets from running a note as a formula.
fn cell(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let text = if formula { format!("'{text}") } else { text.to_owned() };
    if text.contains(['"', ',', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}
