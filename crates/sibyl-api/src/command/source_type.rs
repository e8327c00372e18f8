//! Kinds of sources.

use crate::command::Nothing;
use schemars::JsonSchema;
use serde::Serialize;
use sibyl_text::source_type::field::{Field, Values};
use sibyl_text::source_type::{Nature, Outline, Permission, SourceType, Standard, all};

/// A kind of source, as every door shows it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SourceTypeView {
    /// Stable name, as requests and filters spell it.
    pub name: String,
    /// What people call its documents.
    pub label: String,
    /// What they are about, in a few words.
    pub about: String,
    /// Two letters that stand for it where space is short.
    pub mark: String,
    /// Name of the chunking strategy of a new corpus of it.
    pub strategy: String,
    /// The corpus that its files go to if neither the request nor their folder names one.
    pub corpus: String,
    /// What it is to a reviewer.
    pub nature: SourceNature,
    /// What is known about it as a standard; `null` if it is none.
    pub standard: Option<StandardView>,
    /// Name under which its shipped part is ingested together with others; `null` if nothing ships.
    pub ships: Option<String>,
    /// What may be done with it.
    pub allows: Vec<Permission>,
    /// Fields by which its chunks are found, besides corpus, source type, report and path.
    pub filters: Vec<FieldView>,
}

/// A field by which chunks are found.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FieldView {
    /// Stable name. With hyphens it is an option of the command line.
    pub name: String,
    /// The list of its values in a filter.
    pub list: String,
    /// What people call it.
    pub label: String,
    /// Values that are known, in their order; empty if they follow from the library.
    pub values: Vec<FieldValue>,
    /// Whether a filter takes no other values.
    pub closed: bool,
}

/// A value of a field.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FieldValue {
    /// As requests spell it.
    pub value: String,
    /// What people call it.
    pub label: String,
}

impl FieldView {
    /// `field` as chunks of `kind` have it.
    fn of(field: &Field, kind: &SourceType) -> Self {
        let values: Vec<(&str, &str)> = match field.values {
            Values::Any => Vec::new(),
            Values::Usual(known) | Values::Only(known) => known.to_vec(),
            Values::Standards => {
                kind.standard().map(|standard| (standard.short, standard.body)).into_iter().collect()
            }
        };
        let value =
            |(value, label): (&str, &str)| FieldValue { value: value.to_owned(), label: label.to_owned() };
        Self {
            name: field.name.to_owned(),
            list: field.list.to_owned(),
            label: field.label.to_owned(),
            values: values.into_iter().map(value).collect(),
            closed: matches!(field.values, Values::Only(_)),
        }
    }
}

/// What a kind of source is to a reviewer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SourceNature {
    /// A standard, with a tree and obligations.
    Standard,
    /// The reader's own copy of a standard, under licence.
    LicensedCopy,
    /// A report of a company.
    Report,
    /// Anything else.
    Document,
}

/// What is known about a standard.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct StandardView {
    /// Its short name, such as `S2`.
    pub short: String,
    /// Its name above its sections.
    pub body: String,
    /// How its parts are arranged.
    pub outline: Outline,
    /// An example of its ids.
    pub example: String,
    /// Whether its chunks name the editions that they belong to.
    pub editions: bool,
    /// Whether a licensed copy of it can be read beside it.
    pub copies: bool,
    /// Whether a table pairs its parts with those of another standard.
    pub counterparts: bool,
}

impl From<&Standard> for StandardView {
    fn from(standard: &Standard) -> Self {
        Self {
            short: standard.short.to_owned(),
            body: standard.body.to_owned(),
            outline: standard.outline,
            example: standard.example.to_owned(),
            editions: standard.editions,
            copies: standard.copies,
            counterparts: standard.counterparts().is_some(),
        }
    }
}

impl From<&SourceType> for SourceTypeView {
    fn from(kind: &SourceType) -> Self {
        Self {
            name: kind.name.to_owned(),
            label: kind.label.to_owned(),
            about: kind.about.to_owned(),
            mark: kind.mark.to_owned(),
            strategy: kind.strategy.to_owned(),
            corpus: kind.home.name().to_owned(),
            nature: match kind.nature {
                Nature::Standard(_) => SourceNature::Standard,
                Nature::LicensedCopy => SourceNature::LicensedCopy,
                Nature::Report => SourceNature::Report,
                Nature::Document => SourceNature::Document,
            },
            standard: kind.standard().map(StandardView::from),
            ships: kind.ships.map(|shipped| shipped.group.to_owned()),
            allows: kind.allows.to_vec(),
            filters: kind.filters.iter().map(|field| FieldView::of(field, kind)).collect(),
        }
    }
}

command! {
    /// Every kind of source: its names, its default chunking strategy, its filters, and what may be done with it.
    SourceTypeList = "source_type.list": Query, Read, [],
        remote Get "/api/v1/source_types";
    (_call, _input: Nothing) -> Vec<SourceTypeView> {
        Ok(all().iter().map(|kind| SourceTypeView::from(*kind)).collect())
    }
}
