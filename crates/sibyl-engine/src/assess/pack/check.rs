//! Whether a pack, the reports and the library still agree.

use super::data::{FORMAT, PackCell, PackData, PackReport, said};
use crate::anchor::find;
use crate::error::{Error, Result};
use crate::library::Assessing;
use crate::store::table::document::DocumentRow;
use crate::store::table::review::{AssessmentDecision, Review, ReviewStatus};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Something in a pack that differs from the library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PackFault {
    /// The report.
    pub report_id: String,
    /// The requirement; empty if it is the report as a whole.
    pub requirement: String,
    /// What differs, in words.
    pub what: String,
}

/// What the check of a pack found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PackCheck {
    /// Whether all agrees.
    pub agrees: bool,
    /// Files, quotations and decisions that were compared.
    pub checked: usize,
    /// What does not agree.
    pub faults: Vec<PackFault>,
}

/// The pack that `text` is.
pub(super) fn read(text: &str) -> Result<PackData> {
    let pack: PackData = serde_json::from_str(text).map_err(|error| {
        Error::Invalid(format!(
            "this is no pack in JSON ({error}); choose the file that was exported with the format `json`"
        ))
    })?;
    if pack.format == FORMAT {
        return Ok(pack);
    }
    Err(Error::Invalid(format!(
        "the pack has the format `{}`, and this version reads `{FORMAT}`; export it again",
        pack.format
    )))
}

/// The id that `report` has among `documents`.
pub(super) fn here(report: &PackReport, documents: &[DocumentRow]) -> Option<String> {
    let same = |document: &&DocumentRow| {
        report.files.iter().any(|file| file.sha256 == document.source_hash) && document.report_id.is_some()
    };
    let named = |document: &&DocumentRow| document.report_id.as_ref() == Some(&report.report_id);
    let found = documents.iter().find(same).or_else(|| documents.iter().find(named));
    found.and_then(|document| document.report_id.clone())
}

/// Whether somebody decided or wrote something there.
pub(super) fn says_something(cell: &PackCell) -> bool {
    cell.status != ReviewStatus::Open || !cell.note.trim().is_empty()
}

/// How `cell` differs from the finding `now` of the library and the decisions that led to it, the latest first.
fn differences(cell: &PackCell, now: Option<&Review>, log: &[AssessmentDecision]) -> Vec<String> {
    let mut told = Vec::new();
    let mut compare = |name: &str, pack: &str, library: &str| {
        if pack != library {
            let said = |text: &str| if text.is_empty() { "nothing".to_owned() } else { format!("`{text}`") };
            told.push(format!("{name}: the pack says {}, the library {}", said(pack), said(library)));
        }
    };
    let status = now.map(|review| review.status).unwrap_or_default();
    compare("decision", said(cell.status), said(status));
    compare("note", &cell.note, now.map(|review| review.note.as_str()).unwrap_or_default());
    let decided = now.filter(|review| review.status != ReviewStatus::Open);
    let reviewer = decided.and_then(|review| review.reviewer.as_deref());
    compare("reviewer", cell.reviewer.as_deref().unwrap_or_default(), reviewer.unwrap_or_default());
    // A passage that was pinned here since does not make a new decision.
    let decided_at = log.first().map(|decision| decision.at.as_str());
    if now.is_none_or(|review| decided_at == Some(review.updated_at.as_str())) {
        let at = decided.map(|review| review.updated_at.as_str()).unwrap_or_default();
        compare("time of the decision", cell.decided_at.as_deref().unwrap_or_default(), at);
    }
    let one = |decision: &AssessmentDecision| {
        let AssessmentDecision { reviewer, status, note, at, .. } = decision;
        format!("{at} {reviewer} {} {note}", said(*status)).trim_end().to_owned()
    };
    // The decisions of the pack are together among those of the library; others may come before and after them.
    let last = log.len().saturating_sub(cell.history.len());
    let fits = |from: &usize| cell.history.iter().zip(&log[*from..]).all(|(a, b)| one(a) == one(b));
    let from = (0..=last).find(fits).unwrap_or(last);
    for (pack, library) in cell.history.iter().zip(&log[from..]) {
        compare("log", &one(pack), &one(library));
    }
    if cell.history.len() > log.len() {
        let missing = cell.history.len() - log.len();
        told.push(format!("log: {missing} of its decisions are not in the library"));
    }
    told
}

impl Assessing<'_> {
    /// Compares a pack in JSON with the library. It compares the bytes of the reports, every quotation, every
    /// decision with its note, reviewer and time, and the earlier decisions.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a text that is no such pack.
    pub async fn verify(&self, workspace: &str, pack: &str) -> Result<PackCheck> {
        let pack = read(pack)?;
        let store = self.library.store();
        let row = store.workspace(workspace).await?.id;
        let documents = store.documents(row, None).await?;
        let mut check = PackCheck::default();
        let fault = |report: &str, requirement: &str, what: String| PackFault {
            report_id: report.to_owned(),
            requirement: requirement.to_owned(),
            what,
        };
        let mut texts: HashMap<&str, String> = HashMap::new();
        for report in &pack.reports {
            for file in &report.files {
                check.checked += 1;
                let same = documents.iter().find(|document| document.source_hash == file.sha256);
                match same {
                    Some(document) => {
                        let (_, content) = store.document(row, document.id).await?;
                        texts.insert(&file.text_version, content.text);
                    }
                    None => {
                        let what = match documents.iter().any(|document| document.path == file.path) {
                            true => format!("{} has other bytes than when the pack was made", file.path),
                            false => format!("{} is not in the library", file.path),
                        };
                        check.faults.push(fault(&report.report_id, "", what));
                    }
                }
            }
        }
        let mut log: HashMap<(String, String), Vec<AssessmentDecision>> = HashMap::new();
        for decision in store.decisions(row, None, None).await? {
            let key = (decision.report_id.clone(), decision.paragraph_id.clone());
            log.entry(key).or_default().push(decision);
        }
        let ids: HashMap<&str, String> = pack
            .reports
            .iter()
            .filter_map(|report| Some((report.report_id.as_str(), here(report, &documents)?)))
            .collect();
        let mut absent = 0;
        let reviews = self.library.standards().reviews(workspace, None).await?;
        for requirement in &pack.requirements {
            for cell in &requirement.cells {
                let proposed = cell.proposal.iter().flat_map(|proposal| &proposal.quotations);
                for quotation in cell.quotations.iter().chain(proposed) {
                    let Some(text) = texts.get(quotation.text_version.as_str()) else { continue };
                    check.checked += 1;
                    let there = text.get(quotation.start..quotation.end) == Some(&quotation.quote)
                        || find(text, &quotation.quote, "", "").is_some();
                    if !there {
                        let what = format!("“{}” does not occur in {}", quotation.quote, quotation.path);
                        check.faults.push(fault(&cell.report_id, &requirement.id, what));
                    }
                }
                let report = ids.get(cell.report_id.as_str()).unwrap_or(&cell.report_id);
                let now = reviews
                    .iter()
                    .find(|review| review.report_id == *report && review.paragraph_id == requirement.id);
                check.checked += 1;
                let key = (report.clone(), requirement.id.clone());
                let log = log.get(&key).map(Vec::as_slice).unwrap_or_default();
                if now.is_none() && log.is_empty() && says_something(cell) {
                    absent += 1;
                    continue;
                }
                let told = differences(cell, now, log).into_iter();
                check.faults.extend(told.map(|what| fault(&cell.report_id, &requirement.id, what)));
            }
        }
        if absent > 0 {
            let what = match absent {
                1 => "1 decision of the pack is not in the library; import the pack first".to_owned(),
                _ => format!("{absent} decisions of the pack are not in the library; import the pack first"),
            };
            check.faults.push(fault("", "", what));
        }
        check.agrees = check.faults.is_empty();
        Ok(check)
    }
}
