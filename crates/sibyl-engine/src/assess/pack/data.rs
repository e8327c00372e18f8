//! What a pack holds, whatever its format.

use super::super::agreement::ReviewerAgreement;
use super::super::claim::IndexClaim;
use super::super::grid::{AssessmentCell, ReportColumn};
use super::super::propose::{AssessmentProposal, ProposalState};
use super::super::{AssessmentScope, LeftOut};
use crate::error::Result;
use crate::library::Assessing;
use crate::standards::NodeKind;
use crate::store::table::document::DocumentRow;
use crate::store::table::review::{AssessmentDecision, ReviewStatus};
use serde::{Deserialize, Serialize};
use sibyl_text::document::cited_page;
use sibyl_text::source_type;
use std::collections::HashMap;

/// Names of the format of a pack and its version, by which a program knows what it reads.
pub(super) const FORMAT: &str = "sibyl-assessment/1";
/// Identifier of the JSON Schema of that format.
const SCHEMA: &str = "urn:sibyl:assessment-pack:1";

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
    pub requirements: Vec<PackRequirement>,
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
    /// What it is called in a heading.
    pub fn name(&self) -> String {
        let issuer = self.issuer.as_deref().unwrap_or(&self.title);
        match self.year.map(|year| year.to_string()).filter(|year| !issuer.contains(year.as_str())) {
            Some(year) => format!("{issuer} {year}"),
            None => issuer.to_owned(),
        }
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
    /// The heading that it stands below: pillar, or topic.
    pub heading: String,
    pub standard: String,
    pub mandatory: bool,
    pub cells: Vec<PackCell>,
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
    /// What was proposed. It is no decision.
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
    /// What had become of the source when the pack was made, in words; `None` where it had not changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

impl PackQuotation {
    /// Its words as they are shown; of a row of a table its cells.
    pub fn shown(&self) -> String {
        let quote = self.quote.trim();
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        if !quote.starts_with('|') {
            return words(quote);
        }
        let cells = quote.split('|').map(words).filter(|cell| !cell.is_empty());
        cells.collect::<Vec<_>>().join(" · ")
    }

    /// Its place and what has become of it: page, file, and whether that has changed.
    pub fn place(&self) -> String {
        let parts = [self.cited(), self.path.clone()].into_iter().chain(self.source.clone());
        parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
    }

    /// Its page as it is cited, such as `p. 34`; empty where it has none.
    pub fn cited(&self) -> String {
        self.page
            .map(|page| format!("p. {}", cited_page(page, self.page_label.as_deref())))
            .unwrap_or_default()
    }
}

/// What was proposed for a cell.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct PackProposal {
    pub state: ProposalState,
    pub found: usize,
    pub of: usize,
    pub made_at: String,
    /// Whether the report or the requirement has changed since it was made.
    #[serde(default)]
    pub outdated: bool,
    /// Share of proposals of its kind that were wrong where that was measured.
    pub error_rate: Option<f64>,
    pub quotations: Vec<PackQuotation>,
    pub figures: Vec<PackFigure>,
}

/// A figure of a report, as it is printed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct PackFigure {
    pub what: String,
    pub period: String,
    pub printed: String,
    pub unit: String,
    pub page: Option<u32>,
}

impl PackData {
    /// The edition of IFRS S2 in words; `None` where that is not in scope.
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

    /// Cells with the status, in all.
    pub fn count(&self, status: ReviewStatus) -> usize {
        self.requirements.iter().flat_map(|one| &one.cells).filter(|cell| cell.status == status).count()
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

    /// Cells below `heading` with the status.
    pub fn count_below(&self, heading: (&str, &str), status: ReviewStatus) -> usize {
        self.below(heading).flat_map(|one| &one.cells).filter(|cell| cell.status == status).count()
    }

    /// The requirements below `heading`.
    pub fn below<'a>(&'a self, heading: (&'a str, &'a str)) -> impl Iterator<Item = &'a PackRequirement> {
        self.requirements.iter().filter(move |one| (one.standard.as_str(), one.heading.as_str()) == heading)
    }

    /// The name of a report.
    pub fn report(&self, id: &str) -> String {
        self.reports.iter().find(|report| report.report_id == id).map(PackReport::name).unwrap_or_default()
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

/// A moment in ISO 8601 as it is read: `2026-11-28 16:24:03 UTC`.
pub(super) fn moment(at: &str) -> String {
    at.replacen('T', " ", 1).replacen('Z', " UTC", 1)
}

/// All statuses, in the order in which they are told.
pub(super) const STATUSES: [ReviewStatus; 5] = [
    ReviewStatus::Met,
    ReviewStatus::Partly,
    ReviewStatus::Gap,
    ReviewStatus::NotApplicable,
    ReviewStatus::Open,
];

/// What a proposal says in words: never a verdict.
pub(super) fn proposed(proposal: &PackProposal) -> String {
    let said = match proposal.state {
        ProposalState::Nothing => "Nothing found".to_owned(),
        _ => format!("Evidence for {} of {} items", proposal.found, proposal.of),
    };
    if proposal.outdated {
        said + " (out of date: the report or the requirement has changed since)"
    } else {
        said
    }
}

/// The reports of `columns` with their files among `documents`.
fn reports_of(columns: &[ReportColumn], documents: &[DocumentRow]) -> Vec<PackReport> {
    let files = |column: &ReportColumn| {
        let own = documents.iter().filter(|document| document.report_id.as_ref() == Some(&column.report_id));
        own.map(|document| PackFile {
            path: document.path.clone(),
            sha256: document.source_hash.clone(),
            text_version: document.text_version.clone(),
            pages: document.pages,
        })
        .collect()
    };
    let report = |column: &ReportColumn| PackReport {
        report_id: column.report_id.clone(),
        issuer: column.issuer.clone(),
        title: column.title.clone(),
        year: column.year,
        files: files(column),
    };
    columns.iter().map(report).collect()
}

impl Assessing<'_> {
    /// All that the assessment in row `id` holds.
    pub(super) async fn pack(&self, workspace: &str, id: i64) -> Result<PackData> {
        let store = self.library.store();
        let row = store.workspace(workspace).await?.id;
        let grid = self.grid_of((workspace, row), store.assessment(row, id).await?).await?;
        let reports = reports_of(&grid.columns, &store.documents(row, None).await?);
        let mut reviews: HashMap<(String, String), _> = HashMap::new();
        for review in self.library.standards().reviews(workspace, None).await? {
            reviews.insert((review.report_id.clone(), review.paragraph_id.clone()), review);
        }
        let mut history: HashMap<(String, String), Vec<AssessmentDecision>> = HashMap::new();
        for decision in store.decisions(row, None, None).await? {
            let key = (decision.report_id.clone(), decision.paragraph_id.clone());
            history.entry(key).or_default().push(decision);
        }
        let known: HashMap<(usize, usize), &AssessmentCell> =
            grid.cells.iter().map(|cell| ((cell.row, cell.column), cell)).collect();
        let mut indexes = Vec::with_capacity(reports.len());
        for report in &reports {
            indexes.push(self.indexes(row, &report.report_id).await?);
        }
        // Those who were named for it, and whoever decided.
        let mut reviewers = grid.assessment.reviewers;
        let mut requirements = Vec::new();
        for (at, row) in grid.rows.iter().enumerate().filter(|(_, row)| row.requirement) {
            let Some(requirement) = &row.id else { continue };
            let mut cells = Vec::with_capacity(reports.len());
            let asked_of = |report: &(usize, &PackReport)| row.is_asked_of(&report.1.report_id);
            for (column, report) in reports.iter().enumerate().filter(asked_of) {
                let key = (report.report_id.clone(), requirement.clone());
                let cell = known.get(&(at, column));
                let proposal: Option<(String, AssessmentProposal)> = match cell.and_then(|cell| cell.proposal)
                {
                    Some(_) => store.proposal(id, requirement, &report.report_id).await?,
                    None => None,
                };
                let review = reviews.remove(&key);
                let of_today = proposal.as_ref().filter(|_| !cell.is_some_and(|cell| cell.outdated));
                let claims = indexes[column].claims(requirement, of_today.map(|(_, proposal)| proposal));
                cells.push(PackCell {
                    claims: claims.iter().map(IndexClaim::told).collect(),
                    report_id: report.report_id.clone(),
                    status: review.as_ref().map(|review| review.status).unwrap_or_default(),
                    note: review.as_ref().map(|review| review.note.clone()).unwrap_or_default(),
                    reviewer: cell.and_then(|cell| cell.reviewer.clone()),
                    decided_at: cell.and_then(|cell| cell.decided_at.clone()),
                    quotations: review
                        .into_iter()
                        .flat_map(|review| review.passages)
                        .map(quotation)
                        .collect(),
                    proposal: proposal
                        .map(|(_, proposal)| in_pack(proposal, cell.is_some_and(|cell| cell.outdated))),
                    history: history.remove(&key).unwrap_or_default(),
                });
            }
            let (standard, heading) = above(&grid.rows, at);
            for who in cells.iter().filter_map(|cell| cell.reviewer.as_ref()) {
                if !who.is_empty() && !reviewers.contains(who) {
                    reviewers.push(who.clone());
                }
            }
            requirements.push(PackRequirement {
                id: requirement.clone(),
                label: row.label.clone(),
                heading,
                standard,
                mandatory: row.mandatory,
                cells,
            });
        }
        Ok(PackData {
            schema: SCHEMA.to_owned(),
            format: FORMAT.to_owned(),
            assessment: grid.assessment.name,
            made_at: crate::store::now(),
            program: env!("CARGO_PKG_VERSION").to_owned(),
            scope: self.named_edition(grid.assessment.scope),
            reviewers,
            agreements: grid.agreements,
            reports,
            requirements,
        })
    }
}

impl Assessing<'_> {
    /// `scope` with the edition that is meant, where a standard in it has editions.
    fn named_edition(&self, mut scope: AssessmentScope) -> AssessmentScope {
        let has_editions = source_type::standards().any(|(kind, standard)| {
            standard.editions && scope.standards.iter().any(|name| name == kind.name)
        });
        scope.edition = has_editions.then(|| scope.edition.unwrap_or_else(|| self.library.edition()));
        scope
    }
}

/// The standard of a row, and the heading below it that the row stands under.
fn above(rows: &[super::super::RequirementRow], at: usize) -> (String, String) {
    let mut path = Vec::new();
    let mut next = rows[at].parent;
    while let Some(at) = next {
        path.push(&rows[at]);
        next = rows[at].parent;
    }
    path.reverse();
    let standard = path.first().map(|row| row.label.clone()).unwrap_or_default();
    // Of SASB the industry says more than its sector; of a standard with pillars the pillar more than the part around them.
    let industry = path.iter().find(|row| row.kind == NodeKind::Industry);
    let pillar = path.iter().skip(1).take(2).rfind(|row| row.kind == NodeKind::Section);
    let heading = industry.or(pillar).map(|row| row.label.clone()).unwrap_or_default();
    (standard, heading)
}

fn quotation(pin: crate::store::table::review::PinnedPassage) -> PackQuotation {
    let (quote, path, text_version) = (pin.quote, pin.path, pin.text_version);
    let (start, end, page, page_label) = (pin.start, pin.end, pin.page, pin.page_label);
    let source = pin.source.and_then(|source| source.told()).map(str::to_owned);
    PackQuotation { quote, path, text_version, start, end, page, page_label, source }
}

fn in_pack(proposal: AssessmentProposal, outdated: bool) -> PackProposal {
    let figures = proposal.figures.into_iter().map(|figure| PackFigure {
        what: figure.label.iter().chain([&figure.column]).map(String::as_str).collect::<Vec<_>>().join(" › "),
        period: match (figure.part, figure.year) {
            (Some(part), Some(year)) => format!("{part} {year}"),
            (None, Some(year)) => year.to_string(),
            _ => String::new(),
        },
        printed: figure.printed,
        unit: figure.unit.unwrap_or_default(),
        page: figure.page,
    });
    PackProposal {
        state: proposal.state,
        found: proposal.items.iter().filter(|item| !item.evidence.is_empty()).count(),
        of: proposal.items.len(),
        made_at: proposal.made_at,
        outdated,
        error_rate: proposal.error_rate,
        figures: figures.collect(),
        quotations: proposal.evidence.into_iter().map(|passage| quotation(passage.pin)).collect(),
    }
}
