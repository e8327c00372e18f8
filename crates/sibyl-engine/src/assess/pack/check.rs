//! Whether a pack, the reports and the library still agree.

use super::data::{FORMAT, PackData};
use crate::anchor::find;
use crate::error::{Error, Result};
use crate::library::Assessing;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Something in a pack that is not as it is in the library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PackFault {
    /// The report.
    pub report_id: String,
    /// The requirement; empty where it is the report as a whole.
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

impl Assessing<'_> {
    /// Compares a pack in JSON with the library: the bytes of the reports, every quotation, every decision.
    ///
    /// # Errors
    /// [`Error::Invalid`] for what is no such pack.
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
                        let what = format!("“{}” does not stand in {}", quotation.quote, quotation.path);
                        check.faults.push(fault(&cell.report_id, &requirement.id, what));
                    }
                }
                let now = reviews.iter().find(|review| {
                    review.report_id == cell.report_id && review.paragraph_id == requirement.id
                });
                let (status, note) =
                    now.map_or((Default::default(), ""), |review| (review.status, review.note.as_str()));
                check.checked += 1;
                if (status, note) != (cell.status, cell.note.as_str()) {
                    let what = format!(
                        "the pack says `{}`, the library `{}`",
                        super::data::said(cell.status),
                        super::data::said(status)
                    );
                    check.faults.push(fault(&cell.report_id, &requirement.id, what));
                }
            }
        }
        check.agrees = check.faults.is_empty();
        Ok(check)
    }
}
