//! Words of a pack that all formats share.

use super::data::{
    PackCell, PackCells, PackData, PackFigure, PackItem, PackProposal, PackQuotation, PackRequirement, said,
};
use crate::assess::ProposalState;
use crate::store::table::review::{AssessmentDecision, ReviewStatus};
use sibyl_text::document::cited_page;
use sibyl_text::figure::Status;

/// Marks that open an item of a list.
pub(super) const LIST_MARKS: [&str; 5] = ["- ", "* ", "• ", "– ", "▪ "];

impl PackQuotation {
    /// Its words as shown: without a list marker, and with an ellipsis if the sentence continues. For a table row,
    /// its cells.
    pub fn shown(&self) -> String {
        let quote = self.quote.trim();
        let more = if self.goes_on { " …" } else { "" };
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        if quote.starts_with('|') {
            let cells = quote.split('|').map(words).filter(|cell| !cell.is_empty());
            return cells.collect::<Vec<_>>().join(" · ") + more;
        }
        let quote = LIST_MARKS.iter().find_map(|mark| quote.strip_prefix(mark)).unwrap_or(quote);
        words(quote) + more
    }

    /// Its place and present state: page, file, and whether that has changed.
    pub fn place(&self) -> String {
        let parts = [self.cited(), self.path.clone()].into_iter().chain(self.source.clone());
        parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
    }

    /// Its page in the form of a citation, such as `p. 34`; empty if it has none.
    pub fn cited(&self) -> String {
        self.page
            .map(|page| format!("p. {}", cited_page(page, self.page_label.as_deref())))
            .unwrap_or_default()
    }
}

impl PackFigure {
    /// Its kind if it is not an actual value, such as `Target`; empty for an actual value.
    pub const fn kind(&self) -> &'static str {
        match self.status {
            None | Some(Status::Actual) => "",
            Some(Status::Target) => "Target",
            Some(Status::Base) => "Base year",
            Some(Status::Restated) => "Restated",
            Some(Status::Estimate) => "Estimate",
            Some(Status::Change) => "Change",
        }
    }

    /// The number and its unit as they are printed.
    pub fn amount(&self) -> String {
        match self.unit.trim() {
            "" => format!("{} (unit not read)", self.printed),
            unit => format!("{} {unit}", self.printed),
        }
    }

    /// Its page in the form of a citation; empty if it has none.
    pub fn cited(&self) -> String {
        self.page.map(|page| format!("p. {page}")).unwrap_or_default()
    }

    /// All of it on one line.
    pub fn told(&self) -> String {
        let kind = if self.kind().is_empty() { String::new() } else { format!("{}:", self.kind()) };
        let period = if self.period.is_empty() { String::new() } else { format!("({})", self.period) };
        let parts = [kind, self.what.clone(), period, self.amount(), self.cited()];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }
}

impl PackItem {
    /// Its words, after the name of its list if it has one.
    pub fn told(&self) -> String {
        match self.list_name() {
            "" => self.text.clone(),
            list => format!("{list}: {}", self.text),
        }
    }
}

impl PackRequirement {
    /// What it asks for, with the unit of a metric.
    pub fn asked(&self) -> String {
        let unit = self.unit.as_deref().filter(|unit| !unit.trim().is_empty());
        let unit = unit.map(|unit| format!("Unit: {unit}."));
        let explanation = Some(self.explanation.clone()).filter(|words| !words.is_empty());
        explanation.into_iter().chain(unit).collect::<Vec<_>>().join(" ")
    }
}

/// What a proposal says in words: never a verdict.
pub(super) fn proposed(proposal: &PackProposal) -> String {
    let mut said = match proposal.state {
        ProposalState::Nothing => "Nothing found".to_owned(),
        ProposalState::Evidence if proposal.of == 1 => "Evidence found".to_owned(),
        ProposalState::Partial if proposal.found >= proposal.of => {
            "Words on it found, but not the figure that it asks for".to_owned()
        }
        _ => format!("Evidence for {} of {} items", proposal.found, proposal.of),
    };
    if let Some(language) = &proposal.unmatched {
        said += &format!(" (the report is in {language}, and requirements are matched in English only)");
    }
    if proposal.outdated {
        said += " (out of date: the report or the requirement has changed since)";
    }
    said
}

/// How often proposals like `proposal` are wrong; empty if that is not known.
pub(super) fn error_rate(proposal: &PackProposal) -> String {
    let wrong = |rate: f64| format!("of proposals like this, {:.0} in 100 are wrong", rate * 100.0);
    proposal.error_rate.map(wrong).unwrap_or_default()
}

/// What was chosen for `data`; `None` if that is everything.
pub(super) fn chosen(data: &PackData) -> Option<String> {
    let (shown, all) = (data.shown(), data.contents.cells);
    let kind = match data.contents.only {
        PackCells::All => return None,
        PackCells::Decided => "decided",
        PackCells::Open => "open",
    };
    Some(format!("only what is {kind}: {shown} of {all} cells; the summary counts all of them"))
}

/// An entry in the log of a cell, with its change in words.
pub(super) struct Entry<'a> {
    pub decision: &'a AssessmentDecision,
    pub changed: String,
}

/// The log of `cell`, the earliest entry first. An entry that repeats the state before it is another reviewer's or
/// confirms a program's proposal. If the first entry leaves the cell open, it came with a pinned passage.
pub(super) fn log(cell: &PackCell) -> Vec<Entry<'_>> {
    let mut before = (ReviewStatus::Open, "");
    let mut entries = Vec::with_capacity(cell.history.len());
    for decision in cell.history.iter().rev() {
        let now = (decision.status, decision.note.trim());
        let note = match (before.1.is_empty(), now.1.is_empty()) {
            (true, false) => "note added",
            (false, true) => "note removed",
            _ => "note changed",
        };
        let mut changed = match (before.0 == now.0, before.1 == now.1) {
            (true, true) if entries.is_empty() && decision.proposed_by.is_none() => {
                "Passage pinned".to_owned()
            }
            (true, true) => format!("{}, as before", said(now.0)),
            (true, false) => note.replacen('n', "N", 1),
            (false, true) => said(now.0).to_owned(),
            (false, false) => format!("{}, {note}", said(now.0)),
        };
        if let Some(program) = &decision.proposed_by {
            changed = format!("{changed} (confirms the proposal of {program})");
        }
        entries.push(Entry { decision, changed });
        before = now;
    }
    entries
}
