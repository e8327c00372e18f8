//! What the content index of a report claims about a requirement, each claim checked. A claim is the company's own, and never
//! a proposal.

use super::content_index::{Framework, IndexEntry, Named, Place};
use super::indexes::{Indexed, Related, ReportIndexes, Resolved};
use super::mapping::Relation;
use super::propose::AssessmentProposal;
use super::target::{ClaimedPages, Stretch};
use crate::store::table::document::DocumentRow;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Maximum number of claims shown for one requirement.
const MOST: usize = 24;
/// Characters of a title, and of what an index says, in a line about a claim.
const TITLE: usize = 80;
const WORDS: usize = 160;

/// What became of a claim when it was checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClaimState {
    /// Something that the proposal counts as evidence is where the index says.
    Found,
    /// No evidence of the proposal is there.
    NotFound,
    /// There is no current proposal to check it with.
    NotChecked,
    /// None of the named pages is known in the document.
    NoPage,
    /// The document has no section of the name.
    NoSection,
    /// It points to another document.
    OtherDocument,
    /// The index says that it is left out.
    LeftOut,
    /// The cell of the index itself is the answer.
    Answer,
}

/// Where a row of an index is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IndexRow {
    /// Row id of its document.
    pub document_id: i64,
    /// Where it is in the document's text: first UTF-16 code unit and one past the last.
    pub span: (usize, usize),
    /// Its physical page.
    pub page: Option<u32>,
    /// Label printed on that page, if it differs from its number.
    pub page_label: Option<String>,
}

/// What the content index of a report claims about a requirement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IndexClaim {
    /// The framework whose code the row gives.
    pub framework: Framework,
    /// The code, such as `305-1`, `Governance (a)` or `S2.29(a)`.
    pub code: String,
    /// The code with the name of its framework, such as `GRI 305-1` or `IFRS S2 29(a)`.
    pub cited: String,
    /// The index's name for it; empty if it gives only the code.
    pub title: String,
    /// How the code relates to the requirement.
    pub relation: Relation,
    /// The published document that says so; `None` if the code is that of the requirement itself.
    pub source: Option<String>,
    /// What the index says, in its own words.
    pub words: String,
    /// The row of the index.
    pub row: IndexRow,
    /// What became of the claim.
    pub state: ClaimState,
    /// Row id of the document that it points to, if the library has it.
    pub document_id: Option<i64>,
    /// Path of that document.
    pub path: Option<String>,
    /// Where the place it points to begins and ends in that text, in UTF-16 code units.
    pub span: Option<(usize, usize)>,
    /// Another document that it points to, as the index names it.
    pub document: Option<String>,
    /// Title of that document in the library; `None` if none was found there.
    pub document_title: Option<String>,
    /// The pages that it names and the document has.
    pub pages: Vec<ClaimedPages>,
    /// Labels of pages that it names but that the document does not have.
    pub missing_pages: Vec<String>,
    /// Whether the pages are counted from the first of the file, because no numbers printed on its pages are known.
    pub pages_counted: bool,
    /// The section that it names.
    pub section: Option<String>,
    /// Positions in [`AssessmentProposal::evidence`], from 0, of the passages at that place.
    pub evidence: Vec<usize>,
    /// Positions in [`AssessmentProposal::figures`], from 0, of the figures at that place.
    pub figures: Vec<usize>,
}

impl IndexClaim {
    /// What the index says and what became of it, in a line.
    pub fn told(&self) -> String {
        let numbers =
            |places: &[usize]| places.iter().map(|at| (at + 1).to_string()).collect::<Vec<_>>().join(", ");
        let became = match self.state {
            ClaimState::Found if self.evidence.is_empty() => "figures from the proposal are there".to_owned(),
            ClaimState::Found => format!("evidence {} from the proposal is there", numbers(&self.evidence)),
            ClaimState::NotFound => "nothing that counts as evidence was found there".to_owned(),
            ClaimState::NotChecked => "not checked: the proposal is missing or out of date".to_owned(),
            ClaimState::NoPage => "no page with this label was found in the document".to_owned(),
            ClaimState::NoSection => "the document has no section with this name".to_owned(),
            ClaimState::OtherDocument => match &self.document_title {
                Some(title) => format!("another document, in the library as “{title}”"),
                None => {
                    "another document; the library has none with this name from this report or its issuer"
                        .to_owned()
                }
            },
            ClaimState::LeftOut => "the index says that this is left out".to_owned(),
            ClaimState::Answer => "the index itself gives the answer".to_owned(),
        };
        let missing = match self.missing_pages.as_slice() {
            missing if !missing.is_empty() && self.state != ClaimState::NoPage => {
                format!("; pages not found: {}", missing.join(", "))
            }
            _ => String::new(),
        };
        let counted = if self.pages_counted { "; pages counted from the first in the file" } else { "" };
        let title =
            if self.title.is_empty() { String::new() } else { format!(" ({})", short(&self.title, TITLE)) };
        format!("{}{title}: “{}” – {became}{missing}{counted}", self.cited, short(&self.words, WORDS))
    }
}

impl ReportIndexes {
    /// What they claim about `requirement`, checked with `proposal`, which is made from the report's current text.
    pub fn claims(&self, requirement: &str, proposal: Option<&AssessmentProposal>) -> Vec<IndexClaim> {
        let mut claims: Vec<IndexClaim> = Vec::new();
        for Related { row, indexed, entry, relation, source } in self.related(requirement) {
            for place in &entry.places {
                let resolved = self.resolve(row, indexed, entry, place);
                let mut claim = claim(row, indexed, entry, place);
                (claim.relation, claim.source) = (relation, source.map(str::to_owned));
                resolved.tell(place, proposal, &mut claim);
                let again = |other: &IndexClaim| {
                    let key = |one: &IndexClaim| {
                        (one.framework, one.code.clone(), one.title.clone(), one.words.clone())
                    };
                    key(other) == key(&claim)
                };
                if !claims.iter().any(again) {
                    claims.push(claim);
                }
            }
        }
        claims.sort_by_key(|claim| claim.relation);
        claims.truncate(MOST);
        claims
    }
}

impl Resolved<'_> {
    /// Puts into `claim` where it leads, and which parts of `proposal` are there.
    fn tell(self, place: &Place, proposal: Option<&AssessmentProposal>, claim: &mut IndexClaim) {
        let Self { document, other, target, span } = self;
        let elsewhere = document.is_none_or(|document| document.id != claim.row.document_id);
        if elsewhere {
            claim.document.clone_from(&place.document);
            claim.document_title = document.or(other).map(|row| row.title.clone());
        }
        claim.document_id = document.or(other).map(|row| row.id);
        claim.path = document.or(other).map(|row| row.path.clone());
        claim.span = span;
        if let Named::Section(section) = &place.named {
            claim.section = Some(target.section.clone().unwrap_or_else(|| section.clone()));
        }
        claim.pages = target.found.iter().filter_map(Stretch::claimed).collect();
        claim.missing_pages.clone_from(&target.missing);
        claim.pages_counted = target.counted && !target.found.is_empty();
        claim.state = match (&place.named, document, proposal) {
            (Named::LeftOut, ..) => ClaimState::LeftOut,
            (Named::Answer, ..) => ClaimState::Answer,
            (_, None, _) => ClaimState::OtherDocument,
            (Named::Pages(_), ..) if target.found.is_empty() => ClaimState::NoPage,
            (Named::Section(_), ..) if target.found.is_empty() => ClaimState::NoSection,
            (.., None) => ClaimState::NotChecked,
            (_, Some(document), Some(proposal)) => {
                let here = |id: i64, page: Option<u32>, units: (usize, usize)| {
                    id == document.id && target.found.iter().any(|stretch| stretch.holds(page, units))
                };
                let evidence = proposal.evidence.iter().enumerate();
                let evidence = evidence.filter(|(_, one)| here(one.document_id, one.page, one.span));
                claim.evidence = evidence.map(|(at, _)| at).collect();
                let figures = proposal.figures.iter().enumerate();
                let figures = figures.filter(|(_, one)| here(one.document_id, one.page, one.span));
                claim.figures = figures.map(|(at, _)| at).collect();
                if claim.evidence.is_empty() && claim.figures.is_empty() {
                    ClaimState::NotFound
                } else {
                    ClaimState::Found
                }
            }
        };
    }
}

/// `text` up to `most` characters.
fn short(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

/// The claim of `place`, which is not checked yet.
fn claim(row: &DocumentRow, indexed: &Indexed, entry: &IndexEntry, place: &Place) -> IndexClaim {
    let (page, page_label) = indexed.targets.page_of(entry.span);
    IndexClaim {
        framework: entry.framework,
        code: entry.code.clone(),
        cited: entry.framework.cited(&entry.code),
        title: entry.title.clone(),
        relation: Relation::Same,
        source: None,
        words: place.words.replace('\n', " "),
        row: IndexRow { document_id: row.id, span: indexed.targets.utf16(entry.span), page, page_label },
        state: ClaimState::NotChecked,
        document_id: None,
        path: None,
        span: None,
        document: None,
        document_title: None,
        pages: Vec::new(),
        missing_pages: Vec::new(),
        pages_counted: false,
        section: None,
        evidence: Vec::new(),
        figures: Vec::new(),
    }
}
