//! Reviewers' findings.

use crate::ApiError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_engine::standards::{Asked, List, StandardMetric};
use sibyl_engine::store::edition::Edition;
use sibyl_engine::store::table::review::{PinnedPassage, Review};
use sibyl_text::document::{SourceNow, cited_page, read_by_ocr};
use std::collections::{BTreeMap, BTreeSet};

/// Which findings.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ReviewQuery {
    /// Report id; all reports by default.
    pub report_id: Option<String>,
}

/// Form of exported findings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReviewFormat {
    /// CSV by RFC 4180 with a header row and one finding a row.
    #[default]
    Csv,
    /// A JSON array with an object for each finding; passages and the parts of a metric are objects too.
    Json,
}

/// Which findings to export, and how.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ReviewExportQuery {
    /// Report id; all reports by default.
    pub report_id: Option<String>,
    /// Form of the text.
    pub format: ReviewFormat,
}

/// Findings as text for other programs.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ReviewTable {
    /// The findings in the requested form. Titles and labels are empty where the library no longer has them. The
    /// label of an item of a metric is its words; if the item is gone, those that it had when the finding was
    /// kept. `part` names the part of the metric with the item. The parts of a metric follow, in CSV in a
    /// column each, with items on lines of their own. `in_review` is advice to reviewers and no part of the
    /// standard.
    pub text: String,
    /// Findings in it.
    pub rows: usize,
}

/// A finding as it is exported.
#[derive(Debug, Serialize)]
struct Finding<'a> {
    report: &'a str,
    report_title: &'a str,
    paragraph: &'a str,
    label: &'a str,
    status: &'a str,
    note: &'a str,
    passages: &'a [PinnedPassage],
    updated: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    metric: Option<&'a StandardMetric>,
    #[serde(skip_serializing_if = "Option::is_none")]
    in_review: Option<&'a str>,
}

impl<'a> Finding<'a> {
    fn of(
        review: &'a Review,
        titles: &'a BTreeMap<String, String>,
        labels: &'a BTreeMap<String, String>,
        asked: Option<&'a Asked>,
    ) -> Self {
        let (part, metric, in_review) = match asked {
            Some(Asked::Metric(metric)) => (None, Some(&**metric), metric.in_review.as_deref()),
            Some(Asked::Part(part)) => (Some(*part), None, None),
            Some(Asked::Advice(advice)) => (None, None, Some(advice.as_str())),
            None => (None, None, None),
        };
        Self {
            report: &review.report_id,
            report_title: titles.get(&review.report_id).map_or("", String::as_str),
            paragraph: &review.paragraph_id,
            label: labels.get(&review.paragraph_id).unwrap_or(&review.words),
            status: review.status.name(),
            note: &review.note,
            passages: &review.passages,
            updated: &review.updated_at,
            part,
            metric,
            in_review,
        }
    }

    /// Its cells in the order of [`COLUMNS`] and the lists of a metric.
    fn row(&self) -> String {
        let passages = self.passages.iter().map(|passage| {
            let label = passage.page_label.as_deref();
            let page = passage.page.map(|page| format!("p. {}", cited_page(page, label)));
            let ocr = passage.ocr.map(|of| read_by_ocr(of.into()));
            let place = page.into_iter().chain(ocr).collect::<Vec<_>>().join(" ");
            let quote =
                if place.is_empty() { passage.quote.clone() } else { format!("{place}: {}", passage.quote) };
            match passage.source.as_ref().and_then(SourceNow::told) {
                Some(told) => format!("{quote} ({told})"),
                None => quote,
            }
        });
        let passages = passages.collect::<Vec<_>>().join(" | ");
        let mut cells = vec![
            cell(self.report),
            cell(self.report_title),
            cell(self.paragraph),
            cell(self.label),
            cell(self.status),
            cell(self.note),
            cell(&passages),
            cell(self.updated),
            cell(self.part.unwrap_or_default()),
            cell(self.metric.map_or("", |metric| &metric.measured.text)),
        ];
        for list in List::ALL {
            let items = self.metric.map(|metric| metric.list(list)).unwrap_or_default();
            cells.push(cell(&items.iter().map(|item| item.text.as_str()).collect::<Vec<_>>().join("\n")));
        }
        cells.push(cell(self.in_review.unwrap_or_default()));
        cells.join(",")
    }
}

/// Columns of the CSV before the lists of a metric.
const COLUMNS: [&str; 10] = [
    "report",
    "report_title",
    "paragraph",
    "label",
    "status",
    "note",
    "passages",
    "updated",
    "part",
    "measured",
];

fn csv(findings: &[Finding<'_>]) -> String {
    let lists = List::ALL.map(List::name);
    let header = COLUMNS.into_iter().chain(lists).chain(["in_review"]).collect::<Vec<_>>().join(",");
    std::iter::once(header)
        .chain(findings.iter().map(Finding::row))
        .fold(String::new(), |text, row| text + &row + "\r\n")
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
    /// Keeps a finding, replacing an earlier one on the same paragraph in the same report.
    ReviewPut = "review.put": Mutation, Write, ["reviews"],
        remote Post "/api/v1/reviews";
    (call, input: Review) -> Review {
        let (report, paragraph) = (input.report_id.clone(), input.paragraph_id.clone());
        let kept = call.library.standards().put_reviews(&call.workspace, vec![input]).await?;
        let gone = || ApiError::new("internal", format!("the finding on {paragraph} in {report} was not kept"));
        kept.into_iter().next().ok_or_else(gone)
    }
}

command! {
    /// Findings as CSV or JSON.
    ReviewExport = "review.export": Query, Read, ["reviews"],
        remote Get "/api/v1/reviews/export";
    (call, input: ReviewExportQuery) -> ReviewTable {
        let workspace = call.workspace_id().await?;
        let reviews = call.library.standards().reviews(&call.workspace, input.report_id).await?;
        let mut titles = BTreeMap::new();
        for document in call.library.store().documents(workspace, None).await? {
            if let Some(report) = document.report_id {
                titles.entry(report).or_insert(document.title);
            }
        }
        let mut labels = BTreeMap::new();
        for edition in Edition::ALL {
            for node in call.library.standards().tree(&call.workspace, Some(edition)).await? {
                if let Some(id) = node.id {
                    labels.entry(id).or_insert(node.label);
                }
            }
        }
        let ids: BTreeSet<&str> = reviews.iter().map(|review| review.paragraph_id.as_str()).collect();
        let asked = call.library.standards().asked(&call.workspace, &ids).await?;
        let of = |review| Finding::of(review, &titles, &labels, asked.get(&review.paragraph_id));
        let findings: Vec<Finding<'_>> = reviews.iter().map(of).collect();
        let text = match input.format {
            ReviewFormat::Csv => csv(&findings),
            ReviewFormat::Json => serde_json::to_string_pretty(&findings)
                .map_err(|error| ApiError::new("internal", format!("findings cannot be written: {error}")))?,
        };
        Ok(ReviewTable { text, rows: findings.len() })
    }
}

/// A CSV cell. A leading apostrophe keeps spreadsheets from running a note as a formula.
fn cell(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let text = if formula { format!("'{text}") } else { text.to_owned() };
    if text.contains(['"', ',', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}
