//! What an answer consists of, the same at every door.

use crate::confidence::Band;
use crate::figures::shown::FigureAnswer;
use crate::passage::OcrReading;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_text::document::{SourceNow, cited};

/// What the check of a sentence against its cited passages found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Check {
    /// It stands in a cited passage word for word, apart from white space, hyphens and quotation marks.
    Verified,
    /// Its figures, dates, names and quotes stand in a cited passage, and a cited passage supports the rest.
    Supported,
    /// One of its figures, dates, names or quotes differs from what a cited passage says.
    Altered,
    /// One of its figures, dates, names or quotes is in no cited passage.
    NotFound,
    /// It cites nothing, or nothing that it cites supports it.
    Unsupported,
}

impl Check {
    /// Whether it confirms the sentence.
    pub const fn confirms(self) -> bool {
        matches!(self, Self::Verified | Self::Supported)
    }

    /// What follows in brackets after a sentence that it does not confirm.
    pub const fn mark(self) -> Option<&'static str> {
        match self {
            Self::Verified | Self::Supported => None,
            Self::Altered => Some("Altered"),
            Self::NotFound => Some("Not found"),
            Self::Unsupported => Some("Unsupported"),
        }
    }
}

/// What kind of detail differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DifferenceKind {
    /// Words in quotation marks.
    Quote,
    /// A number with its unit and scale.
    Figure,
    /// A day, month or year.
    Date,
    /// A proper name.
    Name,
    /// A paragraph id or metric code.
    Identifier,
    /// A citation marker that names no passage.
    Citation,
    /// A citation marker whose passage has nothing of the sentence.
    Source,
    /// A reversed meaning, for example by "not".
    Negation,
}

/// A detail of a sentence that is missing from what it cites.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AnswerDifference {
    /// What kind of detail it is.
    pub kind: DifferenceKind,
    /// What the sentence says.
    pub said: String,
    /// What the cited passage says instead; `None` if nothing there comes close.
    pub found: Option<String>,
}

/// A sentence of an answer, or a row of a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AnswerSentence {
    /// The sentence without its citation markers.
    pub text: String,
    /// Numbers of the citations that it rests on, in their order.
    pub citations: Vec<usize>,
    /// What the check found.
    pub check: Check,
    /// Details that are missing from what it cites.
    pub differences: Vec<AnswerDifference>,
    /// How well the cited passages support it, 0 to 1.
    pub support: f64,
    /// Whether a second reading by the chat model says that it follows from its passages, if one was asked for.
    pub second_reading: Option<bool>,
}

impl AnswerSentence {
    /// Whether it names a passage, even one that has nothing of it.
    pub fn cites(&self) -> bool {
        let named = |difference: &AnswerDifference| difference.kind == DifferenceKind::Source;
        !self.citations.is_empty() || self.differences.iter().any(named)
    }
}

/// What kind of text was written but is no part of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RemovedKind {
    /// A citation marker that names no passage.
    InventedCitation,
    /// A citation marker whose passage has nothing of the sentence.
    UnsupportedCitation,
    /// A sentence of an answer in which no sentence cites a passage.
    Sentence,
}

/// Something that was written but is no part of the answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Removed {
    /// What it is.
    pub kind: RemovedKind,
    /// Its words, such as `[Citation 42]`.
    pub text: String,
    /// Position in the answer of the sentence that it stood in, from 0; `None` if it is itself a sentence.
    pub sentence: Option<usize>,
}

impl Removed {
    /// The sentence `text`.
    pub fn sentence(text: &str) -> Self {
        Self { kind: RemovedKind::Sentence, text: text.to_owned(), sentence: None }
    }
}

/// A place in a source that an answer rests on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AnswerCitation {
    /// Its number in the answer, from 1 in order of appearance.
    pub n: usize,
    /// File name of the document; empty for selected text of unknown origin.
    pub document: String,
    /// Path of the document below the import root.
    pub path: String,
    /// Title of the document.
    pub title: String,
    /// Headings above the quote, from the outermost down.
    pub section: Vec<String>,
    /// First and last physical page of the quote; `None` if the document has no pages or does not set its page
    /// breaks.
    pub pages: Option<(u32, u32)>,
    /// The labels printed on them, if they differ from the page numbers.
    #[serde(default)]
    pub page_labels: Option<(String, String)>,
    /// The page of the quote when a program last laid the document out, if the document does not set its page
    /// breaks.
    #[serde(default)]
    pub about_page: Option<u32>,
    /// The sheet with the quote, if the document is a workbook.
    #[serde(default)]
    pub sheet: Option<String>,
    /// The cells of the quote's rows, such as `C6:E6`, if the document has cells.
    #[serde(default)]
    pub cells: Option<String>,
    /// Id of the element that the quote begins in, or of the nearest one before it, if the document is a web page.
    #[serde(default)]
    pub anchor: Option<String>,
    /// What OCR read of the quote, if it read any of it.
    #[serde(default)]
    pub ocr: Option<OcrReading>,
    /// Paragraph id, topic or metric code.
    pub paragraph_id: Option<String>,
    /// The words it rests on, as they are in the source.
    pub quote: String,
    /// At most 200 characters of the passage, up to the end of a sentence where one is near.
    pub snippet: String,
    /// Where the quote is in the document's text: first UTF-16 code unit and one past the last.
    pub span: (usize, usize),
    /// Number of its passage among those of the answer.
    pub passage: usize,
    /// Chunk id; empty for selected text.
    pub chunk_id: String,
    /// Document row; 0 for selected text.
    pub document_id: i64,
    /// Version of the document's text that has the quote; empty for selected text, and if it is not known.
    #[serde(default)]
    pub text_version: String,
    /// The present state of the source.
    #[serde(default)]
    pub source: SourceNow,
    /// Source type of its corpus.
    pub source_type: String,
    /// Corpus it belongs to.
    pub corpus: String,
    /// Report it belongs to.
    pub report_id: Option<String>,
}

impl AnswerCitation {
    /// Where the quote stands, in words: title, headings, paragraph, and page, cells or anchor.
    pub fn place(&self) -> String {
        let name = if self.title.is_empty() { "selected text" } else { &self.title };
        let repeats = self.section.first().is_some_and(|first| *first == self.title);
        let section = self.section[usize::from(repeats)..].join(" > ");
        let labels = self.page_labels.as_ref();
        let page = self.pages.map(|pages| format!("p. {}", cited(pages, labels, "–")));
        let about = self.about_page.map(|page| format!("about p. {page}"));
        let cells = self.cells.as_ref().map(|cells| match &self.sheet {
            Some(sheet) => format!("{sheet}!{cells}"),
            None => cells.clone(),
        });
        let anchor = self.anchor.as_ref().map(|anchor| format!("#{anchor}"));
        let section = Some(section).filter(|section| !section.is_empty());
        let parts = [section, self.paragraph_id.clone(), page, about, cells, anchor];
        std::iter::once(name.to_owned()).chain(parts.into_iter().flatten()).collect::<Vec<_>>().join(", ")
    }
}

/// One of several readings of a question, with its own answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Reading {
    /// What tells it from the others, such as a standard, a company or a year.
    pub reading: String,
    /// Its answer.
    pub answer: Option<String>,
    /// How sure it is, 0 to 1.
    pub confidence: f64,
    /// Its band of confidence.
    pub band: Band,
    /// Its sentences.
    pub sentences: Vec<AnswerSentence>,
    /// The citations that they rest on; numbers are unique over all readings.
    pub citations: Vec<AnswerCitation>,
    /// The figures that answer it; `None` if it was answered in words.
    #[serde(default)]
    pub figures: Option<FigureAnswer>,
}

/// What a chat model used and what that cost.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Usage {
    /// Tokens of the prompt; estimated if the provider did not count them.
    pub prompt_tokens: u64,
    /// Tokens of the answer; estimated if the provider did not count them.
    pub completion_tokens: u64,
    /// US dollars, as the provider states them or by its list prices; `None` if it gives neither.
    pub cost: Option<f64>,
    /// Whether the provider counted.
    pub counted: bool,
}

impl Usage {
    /// The sum of both, if there are two.
    pub fn of_both(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        match (one, other) {
            (Some(a), Some(b)) => Some(a.and(&b)),
            (a, b) => a.or(b),
        }
    }

    /// The sum of both. The cost is known only if both are.
    pub fn and(&self, other: &Self) -> Self {
        Self {
            prompt_tokens: self.prompt_tokens + other.prompt_tokens,
            completion_tokens: self.completion_tokens + other.completion_tokens,
            cost: self.cost.zip(other.cost).map(|(a, b)| a + b),
            counted: self.counted && other.counted,
        }
    }
}

/// Why an answer is incomplete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Fault {
    /// Stable code of the cause, such as `chat_cut`.
    pub code: String,
    /// What happened and the cure.
    pub message: String,
}

impl Fault {
    /// Code for an answer that the provider's own filter stopped.
    pub const FILTERED: &'static str = "chat_refused";
}
