//! What the interface shows: engine values with editor offsets.

use crate::Utf16;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sibyl_text::chunk::Role;
use sibyl_text::param::{Param, ParamKind};
use sibyl_text::{Chunk, Document, Notice, Piece, Severity, Span};

/// First UTF-16 code unit and one past the last.
pub type Range = (usize, usize);

/// A heading of a document.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SectionView {
    /// Level, 1 to 6.
    pub level: u8,
    /// Plain text.
    pub title: String,
    /// Heading and body.
    pub range: Range,
    /// Index of the section it lies in.
    pub parent: Option<usize>,
}

/// A page of a document.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PageView {
    /// Physical number, from 1.
    pub number: u32,
    /// Printed label.
    pub label: Option<String>,
    /// The text on it.
    pub range: Range,
}

/// Something guessed, repaired or lost while reading.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct NoticeView {
    /// How grave it is.
    pub severity: Severity,
    /// Stable name of the cause.
    pub code: String,
    /// Line in the source, from 1.
    pub line: Option<u32>,
    /// Physical page, from 1.
    pub page: Option<u32>,
    /// Label printed on that page, if it differs from its number.
    pub page_label: Option<String>,
    /// What was expected, what came, and the cure.
    pub message: String,
}

impl NoticeView {
    /// The view of a notice of `document`.
    pub fn new(notice: &Notice, document: &Document) -> Self {
        let Notice { severity, code, line, page, message, .. } = notice.clone();
        let page_label = page.and_then(|page| document.label_of(page));
        Self { severity, code, line, page, page_label, message }
    }
}

/// A stretch of a chunk.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PieceView {
    /// Text that is nowhere in the document.
    Generated {
        /// The text.
        text: String,
    },
    /// Text of the document.
    Source {
        /// Where it stands.
        range: Range,
        /// `body`, `aid`, `overlap`, `lead_in` or `table_header`.
        role: Role,
    },
    /// A search aid that is nowhere in the body of the document.
    Aid {
        /// The text.
        text: String,
        /// Whether somebody added it by hand.
        by_hand: bool,
    },
}

/// A chunk in its document.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ChunkView {
    /// Chunk id, if it is stored.
    pub chunk_id: Option<String>,
    /// Position in the document, from 0.
    pub ordinal: usize,
    /// Position of the chunk that it is part of.
    pub parent: Option<usize>,
    /// Its pieces in reading order.
    pub pieces: Vec<PieceView>,
    /// From the first to the last unit of its own text.
    pub range: Range,
    /// Estimated tokens of the whole text.
    pub tokens: usize,
    /// Of these, tokens of generated text.
    pub header_tokens: usize,
    /// Of these, tokens of repeated text.
    pub overlap_tokens: usize,
    /// Of these, tokens of search aids.
    pub aid_tokens: usize,
    /// Whether an atomic block made it longer than the maximum.
    pub oversize: bool,
    /// First and last physical page.
    pub pages: Option<(u32, u32)>,
    /// Labels printed on these pages, if they differ from their numbers.
    pub page_labels: Option<(String, String)>,
    /// Fields of the strategy's schema.
    pub metadata: Map<String, Value>,
}

impl ChunkView {
    /// The view of the chunk at `ordinal` with a total of `tokens`.
    pub fn new(ordinal: usize, chunk: &Chunk, document: &Document, map: &Utf16, tokens: usize) -> Self {
        let mut view = Self::of_pieces(&chunk.pieces, document, map);
        view.ordinal = ordinal;
        view.parent = chunk.parent;
        view.range = map.span(chunk.extent());
        view.tokens = tokens;
        view.oversize = chunk.oversize;
        view.pages = document.pages_of(chunk.extent());
        view.page_labels = view.pages.and_then(|pages| document.labels_of(pages));
        view.metadata = chunk.metadata.clone();
        view
    }

    /// A view with the pieces only.
    pub fn of_pieces(pieces: &[Piece], document: &Document, map: &Utf16) -> Self {
        let tokens = |text: &str| text.chars().count().div_ceil(sibyl_text::tokens::CHARS_PER_TOKEN);
        let (mut header_tokens, mut overlap_tokens, mut aid_tokens) = (0, 0, 0);
        let views = pieces
            .iter()
            .map(|piece| match piece {
                Piece::Generated { text } => {
                    header_tokens += tokens(text);
                    PieceView::Generated { text: text.clone() }
                }
                Piece::Aid { text, by_hand } => {
                    aid_tokens += tokens(text);
                    PieceView::Aid { text: text.clone(), by_hand: *by_hand }
                }
                Piece::Source { span, role } => {
                    match role {
                        Role::Body => {}
                        Role::Aid => aid_tokens += tokens(span.of(&document.text)),
                        _ => overlap_tokens += tokens(span.of(&document.text)),
                    }
                    PieceView::Source { range: map.span(*span), role: *role }
                }
            })
            .collect();
        Self {
            chunk_id: None,
            ordinal: 0,
            parent: None,
            pieces: views,
            range: (0, 0),
            tokens: 0,
            header_tokens,
            overlap_tokens,
            aid_tokens,
            oversize: false,
            pages: None,
            page_labels: None,
            metadata: Map::new(),
        }
    }
}

/// The part of a document that OCR read.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct OcrView {
    /// Physical pages that were read.
    pub pages: Vec<u32>,
    /// Mean confidence of their words, 0 to 100; `None` if no word was found.
    pub confidence: Option<u8>,
    /// Languages they were read in, such as `eng+swe`.
    pub languages: String,
    /// Words whose confidence is below 60.
    pub doubtful: Vec<Range>,
}

/// A document's structure with editor offsets.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct StructureView {
    /// Headings in reading order.
    pub sections: Vec<SectionView>,
    /// Pages; empty if the source has none.
    pub pages: Vec<PageView>,
    /// Whether these pages are only those of a layout that a program once made, so that their numbers are
    /// approximate.
    pub about_pages: bool,
    /// The part of it that OCR read; `None` if there is none.
    pub ocr: Option<OcrView>,
    /// What was guessed, repaired or lost while reading.
    pub notices: Vec<NoticeView>,
}

impl StructureView {
    /// The structure of `document`.
    pub fn new(document: &Document, map: &Utf16) -> Self {
        let range = |span: Span| map.span(span);
        Self {
            sections: document
                .sections
                .iter()
                .map(|s| SectionView {
                    level: s.level,
                    title: s.title.clone(),
                    range: range(s.span),
                    parent: s.parent,
                })
                .collect(),
            pages: document
                .pages
                .iter()
                .map(|p| PageView { number: p.number, label: p.label.clone(), range: range(p.span) })
                .collect(),
            about_pages: document.about_pages,
            ocr: document.recognition.as_ref().map(|read| OcrView {
                pages: read.pages.clone(),
                confidence: read.confidence(document.body),
                languages: read.languages.clone(),
                doubtful: read.doubtful.iter().map(|word| range(*word)).collect(),
            }),
            notices: document.notices.iter().map(|notice| NoticeView::new(notice, document)).collect(),
        }
    }
}

/// A parameter as a form needs it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ParamView {
    /// Name in settings.
    pub name: String,
    /// What values it takes.
    pub kind: ParamType,
    /// Smallest value of an integer.
    pub min: Option<i64>,
    /// Largest value of an integer.
    pub max: Option<i64>,
    /// Values of a choice.
    pub options: Vec<String>,
    /// Value used if none is given.
    #[schemars(extend("type" = ["number", "boolean", "string"]))]
    pub default: Value,
    /// Unit, or empty.
    pub unit: String,
    /// One sentence.
    pub description: String,
}

/// What values a parameter takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ParamType {
    /// Whole numbers within limits.
    Integer,
    /// Yes or no.
    Switch,
    /// One of its options.
    Choice,
    /// Any text.
    Text,
}

impl From<&Param> for ParamView {
    fn from(param: &Param) -> Self {
        let (kind, min, max, options) = match param.kind {
            ParamKind::Integer { min, max, .. } => (ParamType::Integer, Some(min), Some(max), &[][..]),
            ParamKind::Switch { .. } => (ParamType::Switch, None, None, &[][..]),
            ParamKind::Choice { options } => (ParamType::Choice, None, None, options),
            ParamKind::Text { .. } => (ParamType::Text, None, None, &[][..]),
        };
        Self {
            name: param.name.to_owned(),
            kind,
            min,
            max,
            options: options.iter().map(|&option| option.to_owned()).collect(),
            default: param.default_value(),
            unit: param.unit.to_owned(),
            description: param.description.to_owned(),
        }
    }
}
