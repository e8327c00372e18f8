//! Kinds of sources: everything that the program knows about each, in one list.
//!
//! A new kind is one file here and one line in [`SOURCE_TYPES`]. The list gives it its corpus, chunking and
//! filters, its place in the tree of the standards, and its name at every door. No other file compares names of
//! kinds.

mod docs;
pub mod field;
mod ifrs_s1;
mod ifrs_s2;
mod licensed;
mod report;
mod sasb;
mod text;

use crate::reference::{Detector, Reference, detect_with};
use field::{Field, ORDER};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt;
use std::sync::OnceLock;

/// A kind of source.
pub struct SourceType {
    /// Stable name, as requests, filters and stored rows spell it.
    pub name: &'static str,
    /// What people call its documents.
    pub label: &'static str,
    /// What they are about, in a few words.
    pub about: &'static str,
    /// Two letters that stand for it where space is short.
    pub mark: &'static str,
    /// Name of the chunking strategy of a new corpus of it.
    pub strategy: &'static str,
    /// The default corpus for its files.
    pub home: Home,
    /// What distinguishes a file of this kind from others.
    pub signs: Signs,
    /// The part of it that ships with the program.
    pub ships: Option<Shipped>,
    /// What it is to a reviewer.
    pub nature: Nature,
    /// What may be done with it.
    pub allows: &'static [Permission],
    /// Fields by which its chunks are found, besides those of every chunk: corpus, source type, report and path.
    pub filters: &'static [&'static Field],
    /// Whether the context header of a chunk already says where its passage is.
    pub cited_by_header: bool,
}

/// What a kind of source is to a reviewer.
pub enum Nature {
    /// A standard: paragraphs or topics with ids, a tree, obligations.
    Standard(Standard),
    /// The reader's own copy of a standard, under licence. It is shown beside the explanation of the same ids.
    LicensedCopy,
    /// A report of a company, with an id of its own.
    Report,
    /// Anything else. It need not speak the language of reporting.
    Document,
}

/// What is known about a standard.
pub struct Standard {
    /// Its short name, such as `S2`.
    pub short: &'static str,
    /// What its body is called above its sections: `IFRS S2`.
    pub body: &'static str,
    /// How its parts are arranged.
    pub outline: Outline,
    /// Finds its ids in running text.
    pub references: &'static dyn Detector,
    /// An id of it, as an example.
    pub example: &'static str,
    /// Whether its chunks name the editions that they belong to, so that a search uses one edition.
    pub editions: bool,
    /// Whether a reader may have a licensed copy of it, which is read beside it.
    pub copies: bool,
    /// Files with more about it.
    pub side_data: &'static [SideData],
}

/// How the parts of a standard are arranged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outline {
    /// Numbered paragraphs with items, under headings.
    Paragraphs,
    /// Topics with metrics, under sectors and industries.
    Topics,
}

/// A file with more about a standard, below the shipped folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SideData {
    /// Pairs each part with what answers to it in another standard.
    Counterparts(&'static str),
    /// Says what its parts cite and which topics of other standards belong to them.
    CrossReferences(&'static str),
    /// Says what each item of its metrics asks for.
    Requirements(&'static str),
}

/// The default corpus for files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Home {
    /// Always this one, which has nothing else.
    Own(&'static str),
    /// The one that is called as their folder, else this one.
    Folder(&'static str),
}

/// What distinguishes a file of this kind from others.
#[derive(Debug, Clone, Copy, Default)]
pub struct Signs {
    /// Its front matter names one of these as `standard`.
    pub standards: &'static [&'static str],
    /// It has this name.
    pub file: Option<&'static str>,
    /// It is directly in a folder of this name.
    pub folder: Option<&'static str>,
}

/// The part of a kind that ships with the program.
#[derive(Debug, Clone, Copy)]
pub struct Shipped {
    /// The name by which it is asked for together with others.
    pub group: &'static str,
    /// Files and folders below the folder of what ships.
    pub paths: &'static [&'static str],
}

/// What may be done with documents of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Permission {
    /// A reviewer decides on each of its parts whether a report meets it.
    Review,
    /// Its passages are searched for evidence, and pinned to a finding.
    Evidence,
    /// Every workspace may see it.
    Share,
    /// It may be sent to a remote model.
    Remote,
    /// A reader adds files to it, and has folders watched for it.
    Fill,
}

/// Every kind that ships.
pub static SOURCE_TYPES: &[&SourceType] = &[
    &ifrs_s1::IFRS_S1,
    &ifrs_s2::IFRS_S2,
    &sasb::SASB,
    &report::REPORT,
    &docs::DOCS,
    &text::TEXT,
    &licensed::LICENSED,
];

/// The kinds of this program.
static REGISTRY: OnceLock<Vec<&'static SourceType>> = OnceLock::new();

/// Every kind there is: those that ship, then those that were [registered](register).
pub fn all() -> &'static [&'static SourceType] {
    REGISTRY.get_or_init(|| SOURCE_TYPES.to_vec())
}

/// Adds `more` kinds to those that ship, before anything asks for one.
///
/// # Errors
/// Returns `more` if kinds were requested or registered already.
pub fn register(more: &[&'static SourceType]) -> Result<(), Vec<&'static SourceType>> {
    REGISTRY.set([SOURCE_TYPES, more].concat()).map_err(|_| more.to_vec())
}

/// The kind called `name`.
pub fn named(name: &str) -> Option<&'static SourceType> {
    all().iter().copied().find(|one| one.name == name)
}

/// Names of all kinds.
pub fn names() -> Vec<&'static str> {
    all().iter().map(|one| one.name).collect()
}

/// Every field by which chunks of some kind are found, each once.
pub fn fields() -> &'static [&'static Field] {
    static FIELDS: OnceLock<Vec<&Field>> = OnceLock::new();
    FIELDS.get_or_init(|| {
        let mut fields: Vec<&Field> = Vec::new();
        for field in all().iter().flat_map(|kind| kind.filters) {
            if !fields.contains(field) {
                fields.push(field);
            }
        }
        fields.sort_by_key(|one| ORDER.iter().position(|known| known == one).unwrap_or(ORDER.len()));
        fields
    })
}

/// The field whose list in a filter is called `list`.
pub fn field(list: &str) -> Option<&'static Field> {
    fields().iter().copied().find(|field| field.list == list)
}

/// Kinds that allow `permission`.
pub fn allowing(permission: Permission) -> impl Iterator<Item = &'static SourceType> {
    all().iter().copied().filter(move |one| one.allows(permission))
}

/// Kinds that are standards, each with what is known about it.
pub fn standards() -> impl Iterator<Item = (&'static SourceType, &'static Standard)> {
    all().iter().filter_map(|one| Some((*one, one.standard()?)))
}

/// The standard that the kind called `name` is.
pub fn standard(name: &str) -> Option<&'static Standard> {
    named(name)?.standard()
}

/// The file that pairs parts of standards with each other, below the folder of what ships.
pub fn counterparts() -> Option<&'static str> {
    standards().find_map(|(_, standard)| standard.counterparts())
}

/// The kind of licensed copies.
pub fn licensed() -> &'static SourceType {
    &licensed::LICENSED
}

/// The kind of reports.
pub fn report() -> &'static SourceType {
    &report::REPORT
}

/// The kind of pages of a documentation tree.
pub fn docs() -> &'static SourceType {
    &docs::DOCS
}

/// The kind of everything else.
pub fn text() -> &'static SourceType {
    &text::TEXT
}

/// All references to parts of the standards, and to statutes, in `text`: in order, none inside another.
pub fn references(text: &str) -> Vec<Reference> {
    detect_with(standards().map(|(_, standard)| standard.references), text)
}

impl SourceType {
    /// Whether its chunks are found by `field`.
    pub fn lists(&self, field: &Field) -> bool {
        self.filters.contains(&field)
    }

    /// What is known about it as a standard.
    pub fn standard(&self) -> Option<&Standard> {
        match &self.nature {
            Nature::Standard(standard) => Some(standard),
            _ => None,
        }
    }

    /// Whether `permission` is given.
    pub fn allows(&self, permission: Permission) -> bool {
        self.allows.contains(&permission)
    }

    /// Whether it consists of licensed copies.
    pub const fn is_licensed(&self) -> bool {
        matches!(self.nature, Nature::LicensedCopy)
    }

    /// Whether it consists of reports.
    pub const fn is_report(&self) -> bool {
        matches!(self.nature, Nature::Report)
    }

    /// Whether its numbers are figures that it reports; those of a standard are part of its requirements.
    pub const fn reports_figures(&self) -> bool {
        matches!(self.nature, Nature::Report | Nature::Document)
    }

    /// Whether it speaks the language of reporting: standards, their copies and reports do, other documents need not.
    pub const fn is_of_the_trade(&self) -> bool {
        !matches!(self.nature, Nature::Document)
    }
}

impl PartialEq for SourceType {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for SourceType {}

impl fmt::Debug for SourceType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Home {
    /// The corpus, if no folder names it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Own(name) | Self::Folder(name) => name,
        }
    }
}

impl Standard {
    /// Whether its parts are topics with metrics.
    pub fn has_topics(&self) -> bool {
        self.outline == Outline::Topics
    }

    /// The file of its counterparts.
    pub fn counterparts(&self) -> Option<&'static str> {
        self.side_data.iter().find_map(|file| match file {
            SideData::Counterparts(path) => Some(*path),
            _ => None,
        })
    }

    /// The file of its cross-references.
    pub fn cross_references(&self) -> Option<&'static str> {
        self.side_data.iter().find_map(|file| match file {
            SideData::CrossReferences(path) => Some(*path),
            _ => None,
        })
    }

    /// The file of what its metrics ask for.
    pub fn requirements(&self) -> Option<&'static str> {
        self.side_data.iter().find_map(|file| match file {
            SideData::Requirements(path) => Some(*path),
            _ => None,
        })
    }
}
