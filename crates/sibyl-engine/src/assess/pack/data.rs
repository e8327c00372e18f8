//! What a pack holds, whatever its format.

use super::super::agreement::ReviewerAgreement;
use super::super::propose::ProposalState;
use super::super::{AssessmentScope, LeftOut};
use crate::metric::List;
use crate::store::table::review::{AssessmentDecision, ReviewStatus};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_text::figure::Status;

/// Names of the format of a pack and its version, by which a program recognises them.
pub(super) const FORMAT: &str = "sibyl-assessment/1";
/// Identifier of the JSON Schema of that format.
pub(super) const SCHEMA: &str = "urn:sibyl:assessment-pack:1";

/// An assessment as it is handed over.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct PackData {
    /// The schema that it fits; empty in packs of versions that named none.
    #[serde(rename = "$schema", default)]
    pub schema: String,
    pub format: String,
    pub assessment: String,
    /// When the pack was made (ISO 8601, UTC).
    pub made_at: String,
    /// Version of the program.
    pub program: String,
    pub scope: AssessmentScope,
    pub reviewers: Vec<String>,
    /// How far each two reviewers agree who decided on the same cells.
    #[serde(default)]
    pub agreements: Vec<ReviewerAgreement>,
    pub reports: Vec<PackReport>,
    /// What was chosen to be included.
    #[serde(default)]
    pub contents: PackContents,
    /// Cells of the whole scope by part and report, whatever was chosen to go in.
    #[serde(default)]
    pub counts: Vec<PackCount>,
    pub requirements: Vec<PackRequirement>,
}

/// Which cells go into a pack; a cell is one requirement in one report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PackCells {
    /// All of them.
    #[default]
    All,
    /// Those that are decided.
    Decided,
    /// Those that are open.
    Open,
}

/// What was chosen for a pack, and how much there is to choose from.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct PackContents {
    pub only: PackCells,
    /// Requirements in scope.
    pub requirements: usize,
    /// Cells in scope.
    pub cells: usize,
}

/// Cells of a part of a standard in one report, by their status.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PackCount {
    pub standard: String,
    pub heading: String,
    pub report_id: String,
    pub met: usize,
    pub partly: usize,
    pub gap: usize,
    pub not_applicable: usize,
    pub open: usize,
}

/// A report with the files that it was read from.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct PackReport {
    pub report_id: String,
    pub issuer: Option<String>,
    pub title: String,
    pub year: Option<u16>,
    pub files: Vec<PackFile>,
}

impl PackReport {
    /// Its short name: issuer and year, or title and file name if the issuer is not known.
    pub fn name(&self) -> String {
        let name = self.issuer.as_deref().unwrap_or(&self.title).trim();
        let year = self.year.map(|year| year.to_string()).filter(|year| !name.contains(year.as_str()));
        let name = [Some(name), year.as_deref()].into_iter().flatten().collect::<Vec<_>>().join(" ");
        match self.file().filter(|_| self.issuer.is_none()) {
            Some(file) => format!("{name} ({file})"),
            None => name,
        }
    }

    /// Its name on the cover and in headings: issuer, title, year and file name.
    pub fn full_name(&self) -> String {
        let (short, title) = (self.name(), self.title.trim());
        if self.issuer.is_none() {
            return short;
        }
        let title = Some(title).filter(|title| !title.is_empty() && !short.contains(title));
        let file = self.file().map(|file| format!("({file})"));
        let named = std::iter::once(short).chain(title.map(|title| format!("· {title}"))).chain(file);
        named.collect::<Vec<_>>().join(" ")
    }

    /// The name of its first file, and how many others it has.
    fn file(&self) -> Option<String> {
        let path = &self.files.first()?.path;
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        Some(match self.files.len() - 1 {
            0 => name.to_owned(),
            more => format!("{name} and {more} more"),
        })
    }
}

/// A file of a report.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct PackFile {
    pub path: String,
    /// SHA-256 of its bytes (hex).
    pub sha256: String,
    /// Version of the text that was read from it.
    pub text_version: String,
    pub pages: i64,
}

/// A requirement with its cells.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct PackRequirement {
    pub id: String,
    pub label: String,
    /// The heading above it: pillar, or topic.
    pub heading: String,
    pub standard: String,
    pub mandatory: bool,
    /// What it asks for, in the program's words and not the standard's; empty if the program has none for it.
    #[serde(default)]
    pub explanation: String,
    /// Unit of measure, for a metric.
    #[serde(default)]
    pub unit: Option<String>,
    /// Its checklist; for a metric what counts, definitions and the like.
    #[serde(default)]
    pub items: Vec<PackItem>,
    pub cells: Vec<PackCell>,
}

/// A part of what a requirement asks for.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct PackItem {
    pub id: String,
    /// Name of its list, such as `counts`; empty for an item of a checklist.
    pub list: String,
    pub text: String,
}

impl PackItem {
    /// The name of its list in words; empty for an item of a checklist.
    pub fn list_name(&self) -> &'static str {
        let list = List::ALL.into_iter().find(|list| list.name() == self.list);
        list.map(List::label).unwrap_or_default()
    }
}

/// A requirement in a report.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct PackCell {
    pub report_id: String,
    pub status: ReviewStatus,
    pub note: String,
    pub reviewer: Option<String>,
    pub decided_at: Option<String>,
    /// Passages that the reviewer pinned.
    pub quotations: Vec<PackQuotation>,
    /// What the content index of the report claims and what became of it, a line each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<String>,
    /// The proposal. It is no decision.
    pub proposal: Option<PackProposal>,
    pub history: Vec<AssessmentDecision>,
}

/// A passage of a report, word for word.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct PackQuotation {
    pub quote: String,
    pub path: String,
    pub text_version: String,
    /// Bytes of the text.
    pub start: usize,
    pub end: usize,
    pub page: Option<u32>,
    pub page_label: Option<String>,
    /// Whether its last sentence continues after it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub goes_on: bool,
    /// What had become of the source when the pack was made, in words; `None` if it had not changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// The proposal for a cell.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct PackProposal {
    pub state: ProposalState,
    pub found: usize,
    pub of: usize,
    pub made_at: String,
    /// Whether the report or the requirement has changed since it was made.
    #[serde(default)]
    pub outdated: bool,
    /// Share of proposals like it that are wrong, if that is known.
    pub error_rate: Option<f64>,
    /// The language of the report, if requirements cannot be matched in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unmatched: Option<String>,
    pub quotations: Vec<PackQuotation>,
    pub figures: Vec<PackFigure>,
}

/// A figure of a report, as it is printed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct PackFigure {
    pub what: String,
    /// Whether it is an actual value, a target, an estimate …; `None` in packs of versions that did not say.
    #[serde(default)]
    pub status: Option<Status>,
    pub period: String,
    pub printed: String,
    pub unit: String,
    pub page: Option<u32>,
}

impl PackData {
    /// The edition of IFRS S2 in words; `None` if that is not in scope.
    pub fn edition(&self) -> Option<String> {
        self.scope.edition.map(|edition| format!("IFRS S2 {}", edition.described()))
    }

    /// How far the reviewers agree, in words, a line for each two.
    pub fn agreed(&self) -> impl Iterator<Item = String> {
        self.agreements.iter().map(|agreement| {
            let (one, other) = &agreement.reviewers;
            let kappa =
                agreement.kappa.map(|kappa| format!(" (Cohen’s kappa {kappa:.2})")).unwrap_or_default();
            format!("{one} and {other} agree on {} of {} decisions{kappa}", agreement.alike, agreement.both)
        })
    }

    /// The headings, each once, in reading order.
    pub fn headings(&self) -> Vec<(&str, &str)> {
        let mut headings: Vec<(&str, &str)> = Vec::new();
        for one in &self.requirements {
            let heading = (one.standard.as_str(), one.heading.as_str());
            if !headings.contains(&heading) {
                headings.push(heading);
            }
        }
        headings
    }

    /// The requirements below `heading`.
    pub fn below<'a>(&'a self, heading: (&'a str, &'a str)) -> impl Iterator<Item = &'a PackRequirement> {
        self.requirements.iter().filter(move |one| (one.standard.as_str(), one.heading.as_str()) == heading)
    }

    /// The author of its files: the reviewers, or the program if none is named.
    pub fn author(&self) -> String {
        if self.reviewers.is_empty() { "Sibyl".to_owned() } else { self.reviewers.join("; ") }
    }

    /// The report with this id.
    fn report(&self, id: &str) -> Option<&PackReport> {
        self.reports.iter().find(|report| report.report_id == id)
    }

    /// The short name of a report.
    pub fn report_name(&self, id: &str) -> String {
        self.report(id).map(PackReport::name).unwrap_or_default()
    }

    /// The full name of a report.
    pub fn report_in_full(&self, id: &str) -> String {
        self.report(id).map(PackReport::full_name).unwrap_or_default()
    }

    /// What was left out, and why.
    pub fn left_out(&self) -> &[LeftOut] {
        &self.scope.left_out
    }
}

/// The words for a status.
pub(super) const fn said(status: ReviewStatus) -> &'static str {
    match status {
        ReviewStatus::Open => "Open",
        ReviewStatus::Met => "Met",
        ReviewStatus::Partly => "Partly met",
        ReviewStatus::Gap => "Gap",
        ReviewStatus::NotApplicable => "Not applicable",
    }
}

/// A moment in ISO 8601, in a readable form: `2026-11-28 16:24:03 UTC`.
pub(super) fn moment(at: &str) -> String {
    at.replacen('T', " ", 1).replacen('Z', " UTC", 1)
}

/// All statuses, in the order in which they are listed.
pub(super) const STATUSES: [ReviewStatus; 5] = [
    ReviewStatus::Met,
    ReviewStatus::Partly,
    ReviewStatus::Gap,
    ReviewStatus::NotApplicable,
    ReviewStatus::Open,
];
