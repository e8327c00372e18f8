//! What the content index of a report claims about a requirement, each claim checked. A claim is the company's own, and never
//! a proposal.

use super::content_index::{self, Framework, IndexEntry, Named, Place};
use super::mapping::{Relation, relation};
use super::propose::AssessmentProposal;
use super::target::{ClaimedPages, Stretch, Target, Targets, is_named_so};
use crate::error::Result;
use crate::library::Assessing;
use crate::store::table::document::DocumentRow;
use serde::{Deserialize, Serialize};
use sibyl_answer::Passage;
use sibyl_text::Span;
use std::collections::HashMap;
use std::sync::Arc;
use ts_rs::TS;

/// Documents whose indexes are kept in memory.
const KEPT: usize = 64;
/// Most claims that are told for one requirement.
const MOST: usize = 24;

/// What became of a claim when it was checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ClaimState {
    /// Something of what the proposal counts as evidence stands where the index says.
    Found,
    /// Nothing of that stands there.
    NotFound,
    /// There is no proposal of today to check it with.
    NotChecked,
    /// None of the pages that are named is known in the document.
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

impl ClaimState {
    /// Its name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::NotFound => "not_found",
            Self::NotChecked => "not_checked",
            Self::NoPage => "no_page",
            Self::NoSection => "no_section",
            Self::OtherDocument => "other_document",
            Self::LeftOut => "left_out",
            Self::Answer => "answer",
        }
    }
}

/// Where a row of an index stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct IndexRow {
    /// Row id of its document.
    pub document_id: i64,
    /// Where it stands in the document's text: first UTF-16 code unit and one past the last.
    pub span: (usize, usize),
    /// Its physical page.
    pub page: Option<u32>,
    /// Label printed on that page, where it differs from its number.
    pub page_label: Option<String>,
}

/// What the content index of a report claims about a requirement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct IndexClaim {
    /// Whose code the row gives.
    pub framework: Framework,
    /// The code, such as `305-1`, `Governance (a)` or `S2.29(a)`.
    pub code: String,
    /// What the index calls it; empty where it gives the code alone.
    pub title: String,
    /// How the code relates to the requirement.
    pub relation: Relation,
    /// The published document that says so; `None` where the code is that of the requirement itself.
    pub source: Option<String>,
    /// What the index says, in its own words.
    pub words: String,
    /// The row of the index.
    pub row: IndexRow,
    /// What became of the claim.
    pub state: ClaimState,
    /// Row id of the document that it points to, where the library has it.
    pub document_id: Option<i64>,
    /// Path of that document.
    pub path: Option<String>,
    /// Where in its text what it points to begins and ends, in UTF-16 code units.
    pub span: Option<(usize, usize)>,
    /// Another document that it points to, as the index names it.
    pub document: Option<String>,
    /// Title of that document in the library; `None` where none was found there.
    pub document_title: Option<String>,
    /// The pages that it names and the document has.
    pub pages: Vec<ClaimedPages>,
    /// Labels of pages that it names and that are not known in the document.
    pub missing_pages: Vec<String>,
    /// Whether the pages are counted from the first of the file, because no numbers printed on its pages are known.
    pub pages_counted: bool,
    /// The section that it names.
    pub section: Option<String>,
    /// Places in [`AssessmentProposal::evidence`], from 0, of what stands there.
    pub evidence: Vec<usize>,
    /// Places in [`AssessmentProposal::figures`], from 0, of what stands there.
    pub figures: Vec<usize>,
}

impl IndexClaim {
    /// The code with the name of its framework.
    pub fn cited(&self) -> String {
        match (self.framework, self.code.split_once('.')) {
            (Framework::IfrsS1 | Framework::IfrsS2, Some((_, paragraph))) => {
                format!("{} {paragraph}", self.framework.label())
            }
            _ => format!("{} {}", self.framework.label(), self.code),
        }
    }

    /// What the index says and what became of it, in a line.
    pub fn told(&self) -> String {
        let numbers =
            |places: &[usize]| places.iter().map(|at| (at + 1).to_string()).collect::<Vec<_>>().join(", ");
        let became = match self.state {
            ClaimState::Found if self.evidence.is_empty() => "figures of the proposal stand there".to_owned(),
            ClaimState::Found => format!("evidence {} of the proposal stands there", numbers(&self.evidence)),
            ClaimState::NotFound => "nothing that counts as evidence was found there".to_owned(),
            ClaimState::NotChecked => "not checked: the proposal waits to be made".to_owned(),
            ClaimState::NoPage => "no page of this label is known in the document".to_owned(),
            ClaimState::NoSection => "the document has no section of this name".to_owned(),
            ClaimState::OtherDocument => match &self.document_title {
                Some(title) => format!("another document, in the library as “{title}”"),
                None => "another document; none of this report or its issuer in the library has this name"
                    .to_owned(),
            },
            ClaimState::LeftOut => "the index says that it is left out".to_owned(),
            ClaimState::Answer => "the cell of the index is the answer".to_owned(),
        };
        let missing = match self.missing_pages.as_slice() {
            missing if !missing.is_empty() && self.state != ClaimState::NoPage => {
                format!("; no page {} is known", missing.join(", "))
            }
            _ => String::new(),
        };
        let counted = if self.pages_counted { "; pages counted from the first of the file" } else { "" };
        let title = if self.title.is_empty() { String::new() } else { format!(" ({})", self.title) };
        format!("{}{title}: “{}” – {became}{missing}{counted}", self.cited(), self.words)
    }
}

/// A place that the index of a report names for a requirement: what stands there is looked at first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lead {
    /// Row id of the document.
    pub document_id: i64,
    /// First and last physical page, where it has pages.
    pub pages: Option<(u32, u32)>,
    /// Where it stands (bytes of the document's text).
    pub span: Span,
}

impl Lead {
    /// Whether what stands on `pages` of a document may be there.
    pub fn may_hold(&self, document_id: i64, pages: Option<(u32, u32)>) -> bool {
        let apart = |((first, last), (from, to)): ((u32, u32), (u32, u32))| last < from || to < first;
        self.document_id == document_id && !self.pages.zip(pages).is_some_and(apart)
    }

    /// Whether `span` of the document of `passage` is there.
    pub fn holds(&self, passage: &Passage, span: Span) -> bool {
        self.document_id == passage.source.id && self.span.overlaps(span)
    }
}

/// The indexes of a document with what their claims are checked against.
pub(super) struct Indexed {
    targets: Targets,
    entries: Vec<IndexEntry>,
}

/// The indexes of all documents of a report.
pub(super) struct ReportIndexes {
    own: Vec<(DocumentRow, Arc<Indexed>)>,
    /// Other documents of the library.
    others: Vec<DocumentRow>,
}

impl Assessing<'_> {
    /// The content indexes of `report`.
    pub(super) async fn indexes(&self, workspace: i64, report: &str) -> Result<ReportIndexes> {
        let rows = self.library.store().documents(workspace, None).await?;
        let (rows, others): (Vec<_>, Vec<_>) =
            rows.into_iter().partition(|row| row.report_id.as_deref() == Some(report));
        let mut own = Vec::with_capacity(rows.len());
        for row in rows {
            let indexed = self.indexed(workspace, &row).await?;
            own.push((row, indexed));
        }
        Ok(ReportIndexes { own, others })
    }

    /// The indexes of a document, kept in memory until its text is another one.
    async fn indexed(&self, workspace: i64, row: &DocumentRow) -> Result<Arc<Indexed>> {
        type Kept = HashMap<(i64, String), Arc<Indexed>>;
        let kept = &self.library.0.content_indexes;
        let key = (row.id, row.text_version.clone());
        let known: Option<Arc<Kept>> = kept.get("");
        if let Some(known) = known.as_ref().and_then(|known| known.get(&key)) {
            return Ok(Arc::clone(known));
        }
        let (_, document) = self.library.store().document(workspace, row.id).await?;
        let made = tokio::task::spawn_blocking(move || {
            let entries = content_index::read(&document);
            Indexed { targets: Targets::new(document), entries }
        });
        let made = Arc::new(made.await?);
        let mut all: Kept =
            known.filter(|known| known.len() < KEPT).map(|known| (*known).clone()).unwrap_or_default();
        all.insert(key, Arc::clone(&made));
        kept.put(String::new(), Arc::new(all));
        Ok(made)
    }
}

/// A place of an index with where it leads.
struct Resolved<'a> {
    /// The document of the report that it stands in.
    document: Option<&'a DocumentRow>,
    /// A document of another report that the index names.
    other: Option<&'a DocumentRow>,
    target: Target,
    /// Where that begins and ends in the document's text, in UTF-16 code units.
    span: Option<(usize, usize)>,
}

impl<'a> Resolved<'a> {
    /// `place` in a document of the report; not where the index itself stands, which `index` is a row of.
    fn within((row, indexed): (&'a DocumentRow, &Indexed), place: &Place, index: Option<Span>) -> Self {
        let target = indexed.targets.find(&place.named, index);
        let stretch = target.found.first().filter(|_| place.named != Named::Document);
        let span = stretch.map(|stretch| indexed.targets.utf16(stretch.span));
        Self { document: Some(row), other: None, target, span }
    }
}

impl ReportIndexes {
    /// What they claim about `requirement`, checked with `proposal`, which is made of what the report says today.
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

    /// The places in the documents of the report that they name for `requirement`.
    pub fn leads(&self, requirement: &str) -> Vec<Lead> {
        let mut leads = Vec::new();
        for Related { row, indexed, entry, .. } in self.related(requirement) {
            for place in entry.places.iter().filter(|place| place.named != Named::Document) {
                let Resolved { document: Some(document), target, .. } =
                    self.resolve(row, indexed, entry, place)
                else {
                    continue;
                };
                leads.extend(target.found.iter().map(|stretch| Lead {
                    document_id: document.id,
                    pages: stretch.pages,
                    span: stretch.span,
                }));
            }
        }
        leads
    }

    /// The entries that have to do with `requirement`.
    fn related<'a>(&'a self, requirement: &'a str) -> impl Iterator<Item = Related<'a>> {
        self.own.iter().flat_map(move |(row, indexed)| {
            indexed.entries.iter().filter_map(move |entry| {
                let (relation, source) = relation(entry.framework, &entry.code, requirement)?;
                Some(Related { row, indexed, entry, relation, source })
            })
        })
    }

    /// Where `place` of `entry`, which stands in `row`, leads.
    fn resolve<'a>(
        &'a self,
        row: &'a DocumentRow,
        indexed: &'a Indexed,
        entry: &IndexEntry,
        place: &Place,
    ) -> Resolved<'a> {
        let name = place.document.as_deref();
        if name.is_none_or(|name| is_named(name, row)) {
            return Resolved::within((row, indexed), place, Some(entry.span));
        }
        let named = |other: &DocumentRow| name.is_some_and(|name| is_named(name, other));
        if let Some((other, indexed)) = self.own.iter().find(|(other, _)| named(other)) {
            return Resolved::within((other, indexed), place, None);
        }
        let of_issuer =
            |other: &&DocumentRow| row.issuer.is_some() && other.issuer == row.issuer && named(other);
        Resolved {
            document: None,
            other: self.others.iter().find(of_issuer),
            target: Target::default(),
            span: None,
        }
    }
}

impl Resolved<'_> {
    /// Tells in `claim` where it leads, and what stands there of `proposal`.
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
                let here = |id: i64, page: Option<u32>, span: Option<Span>| {
                    id == document.id && target.found.iter().any(|stretch| stretch.holds(page, span))
                };
                let evidence = proposal.evidence.iter().enumerate();
                claim.evidence = evidence
                    .filter(|(_, one)| {
                        here(one.document_id, one.page, Some(Span::new(one.pin.start, one.pin.end)))
                    })
                    .map(|(at, _)| at)
                    .collect();
                let figures = proposal.figures.iter().enumerate();
                claim.figures = figures
                    .filter(|(_, one)| here(one.document_id, one.page, None))
                    .map(|(at, _)| at)
                    .collect();
                if claim.evidence.is_empty() && claim.figures.is_empty() {
                    ClaimState::NotFound
                } else {
                    ClaimState::Found
                }
            }
        };
    }
}

/// An entry that has to do with a requirement.
struct Related<'a> {
    row: &'a DocumentRow,
    indexed: &'a Indexed,
    entry: &'a IndexEntry,
    relation: Relation,
    source: Option<&'static str>,
}

/// The claim of `place`, which is not checked yet.
fn claim(row: &DocumentRow, indexed: &Indexed, entry: &IndexEntry, place: &Place) -> IndexClaim {
    let (page, page_label) = indexed.targets.page_of(entry.span);
    IndexClaim {
        framework: entry.framework,
        code: entry.code.clone(),
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

/// Whether `name` names the document in `row`.
fn is_named(name: &str, row: &DocumentRow) -> bool {
    let issuer = row.issuer.as_deref().unwrap_or_default();
    is_named_so(name, &[&row.title, &row.path], issuer, row.year)
}
