//! The document model: normalised text and everything that is known about it in byte spans of that text.

mod labels;
mod place;
mod placed;
mod source_now;
mod standing;

pub use labels::{cited, cited_page, labels, read_by_ocr};
pub use place::{Anchor, CellRange, Cells, anchor_at, cells_of, section_at, section_path};
pub use placed::{PlacedBlock, Rect};
pub use source_now::SourceNow;
pub use standing::{Standing, standing};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A half-open byte range of [`Document::text`], always on character boundaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// A span from `start` to `end` (bytes).
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }
    /// Length in bytes.
    pub const fn len(&self) -> usize {
        self.end.saturating_sub(self.start)
    }
    /// Whether it is empty.
    pub const fn is_empty(&self) -> bool {
        self.end <= self.start
    }
    /// Whether `other` lies wholly inside.
    pub const fn contains(&self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }
    /// Whether the two share at least one byte.
    pub const fn overlaps(&self, other: Span) -> bool {
        self.start < other.end && other.start < self.end
    }
    /// How many bytes the two share.
    pub fn shared(&self, other: Span) -> usize {
        self.end.min(other.end).saturating_sub(self.start.max(other.start))
    }
    /// The span without the white space at the end of its text.
    pub fn trimmed_end(&self, text: &str) -> Self {
        Self::new(self.start, self.start + self.of(text).trim_end().len())
    }
    /// The text it covers.
    pub fn of<'a>(&self, text: &'a str) -> &'a str {
        &text[self.start..self.end]
    }
}

/// One page of a paginated source. Pages are in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Page {
    /// Physical page number in the source, from 1.
    pub number: u32,
    /// The label printed for it ("iv", "A-3") where the source names one.
    pub label: Option<String>,
    /// The text on it. The spans of two pages overlap if a row of a table continues on the second.
    /// They also do if notes on the first page come after a paragraph that continues.
    pub span: Span,
    /// Width and height in points, if the source has a geometry.
    pub size: Option<(f32, f32)>,
    /// The bands, columns and boxes into which it was divided before its blocks were recognised, in reading order.
    /// Empty if the source itself gives the order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub regions: Vec<Rect>,
}

/// A heading and the text below it, up to the next heading of the same or a higher level.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// Heading level, 1 to 6.
    pub level: u8,
    /// The heading's plain text, without Markdown marks.
    pub title: String,
    /// The heading line itself.
    pub heading: Span,
    /// Heading and body with all subsections.
    pub span: Span,
    /// Index in [`Document::sections`] of the section around it.
    pub parent: Option<usize>,
}

/// An em space, which stands before the name of a row in a table. There is one for each level by which the row is
/// indented under the name above it that it is a part of.
pub const INDENT: char = '\u{2003}';

/// What a [`Block`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BlockKind {
    /// A heading of the given level, 1 to 6.
    Heading(u8),
    /// Running text.
    Paragraph,
    /// One item of a list, without the items nested in it.
    Item,
    /// Fenced or indented code.
    Code,
    /// A table; its header rows end at this byte.
    Table {
        /// End of the header rows including the delimiter row (bytes of the document's text).
        header_end: usize,
    },
    /// A `:::` admonition with everything in it.
    Admonition,
    /// A block quote.
    Quote,
    /// Raw HTML or JSX.
    Html,
    /// A thematic break.
    Rule,
    /// A big number with its label.
    KeyFigure,
    /// Words inside a drawing or chart.
    Figure,
    /// An entry of a page of contents, or its title: it names text elsewhere, and belongs to no chunk.
    Contents,
}

impl BlockKind {
    /// Whether it is plain text or a list item: the text between headings, tables and code.
    pub const fn running(self) -> bool {
        matches!(self, Self::Paragraph | Self::Item | Self::KeyFigure | Self::Figure)
    }
    /// Whether a chunker must keep the block in one piece while it fits.
    pub const fn atomic(self) -> bool {
        matches!(self, Self::Code | Self::Table { .. } | Self::Admonition)
    }
}

/// A structural block. Blocks are in order, never overlap, and are each in one section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// Its kind.
    pub kind: BlockKind,
    /// Where it stands; white space between blocks belongs to none.
    pub span: Span,
    /// Nesting depth of list items, 0 elsewhere.
    pub depth: u8,
}

/// Links a range of the normalised text to its place in the source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Segment {
    /// Range of the document's text.
    pub span: Span,
    /// Byte range in the source file, if the format has one (`None` for PDF).
    pub source: Option<Span>,
    /// Physical page, from 1.
    pub page: Option<u32>,
    /// Box on that page in points from the top left corner: left, top, right, bottom.
    pub rect: Option<[f32; 4]>,
}

/// A value that the source tags in its text (Inline XBRL 1.1).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    /// Where it is shown in the text; `None` if the source has it but does not show it.
    pub span: Option<Span>,
    /// The concept of its value, with its prefix, such as `us-gaap:Revenues`.
    pub concept: String,
    /// The value: a decimal number with scale and sign applied, a date as `2024-12-31`, or text, of which the
    /// beginning is kept.
    pub value: String,
    /// Whether it is a number.
    pub numeric: bool,
    /// Unit of a number, such as `iso4217:USD` or `iso4217:USD / xbrli:shares`.
    pub unit: Option<String>,
    /// Decimal places to which a number is correct, such as `-3`; `INF` if it is exact.
    pub decimals: Option<String>,
    /// A day (`2024-12-31`), a stretch of time (`2024-01-01/2024-12-31`) or `forever`.
    pub period: String,
    /// Identifier of whom it is about.
    pub entity: String,
    /// What else it is divided by: axis and member of each.
    pub dimensions: Vec<(String, String)>,
    /// Its anchor in the source.
    pub anchor: Option<String>,
}

/// Confidence below which a word read by OCR counts as doubtful, of 100.
pub const DOUBTFUL: f32 = 60.0;

/// The part of a document that OCR read: its pages with a picture and no text, or the words on a page that its fonts do not
/// name. What another program read before, and laid over the picture, has no languages and no lines: how good it is is not
/// known.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Recognition {
    /// The languages it was read in, as the program that read it names them, such as `eng+swe`.
    pub languages: String,
    /// Physical pages that were read, from 1 and rising; those on which nothing was found as well.
    pub pages: Vec<u32>,
    /// The lines of text that were found, in order.
    pub lines: Vec<RecognisedLine>,
    /// Words of them whose confidence is below [`DOUBTFUL`], in order.
    pub doubtful: Vec<Span>,
}

/// A line of text that was read by OCR.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RecognisedLine {
    /// Where it is in the text.
    pub span: Span,
    /// Mean confidence of its words by their letters, 0 to 100.
    pub confidence: f32,
}

impl Recognition {
    /// Mean confidence of the part of `span` that OCR read, 0 to 100; `None` if OCR read none of it.
    pub fn confidence(&self, span: Span) -> Option<u8> {
        let (mut sum, mut bytes) = (0.0, 0.0);
        for line in self.lines.iter().filter(|line| line.span.overlaps(span)) {
            let shared = line.span.end.min(span.end) - line.span.start.max(span.start);
            sum += f64::from(line.confidence) * shared as f64;
            bytes += shared as f64;
        }
        (bytes > 0.0).then(|| (sum / bytes).round().clamp(0.0, 100.0) as u8)
    }

    /// The doubtful words completely inside `span`.
    pub fn doubtful_in(&self, span: Span) -> impl Iterator<Item = Span> + '_ {
        self.doubtful.iter().copied().filter(move |word| span.contains(*word))
    }
}

/// How grave a [`Notice`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Worth knowing; nothing is lost.
    Info,
    /// Something could not be read; the rest is valid.
    Warning,
    /// Nothing could be read.
    Error,
}

/// What was guessed, repaired or could not be read, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    /// How grave it is.
    pub severity: Severity,
    /// Stable name of the cause, such as `encoding_guessed`.
    pub code: String,
    /// Line in the source file, from 1.
    pub line: Option<u32>,
    /// Physical page, from 1.
    pub page: Option<u32>,
    /// What was expected, what came, and the cure.
    pub message: String,
}

impl Notice {
    /// A notice without a place.
    pub fn new(severity: Severity, code: &str, message: impl Into<String>) -> Self {
        Self { severity, code: code.to_owned(), line: None, page: None, message: message.into() }
    }
    /// The same notice at `line` (from 1) of the source.
    pub fn at_line(mut self, line: u32) -> Self {
        self.line = Some(line);
        self
    }
    /// The same notice on `page` (from 1) of the source.
    pub fn on_page(mut self, page: u32) -> Self {
        self.page = Some(page);
        self
    }
}

/// A document after reading: normalised text (UTF-8, LF only) and its structure.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// The whole normalised text; all spans are bytes of it.
    pub text: String,
    /// The part that chunkers must cover, apart from entries of contents: everything but the front matter.
    pub body: Span,
    /// Title from front matter, file metadata or the first level-1 heading.
    pub title: Option<String>,
    /// Front matter or file metadata.
    pub metadata: Map<String, Value>,
    /// Headings in reading order.
    pub sections: Vec<Section>,
    /// Structural blocks in reading order.
    pub blocks: Vec<Block>,
    /// Pages, empty where the source has none.
    pub pages: Vec<Page>,
    /// Whether the pages come only from a layout that a program once made of the source, which sets no page
    /// breaks. Another program may break it elsewhere, so citations say only "about p. 2".
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub about_pages: bool,
    /// The parts of the text that are cells of sheets, in order; empty if the source is no workbook.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<Cells>,
    /// Elements with an id, in order; empty if the source has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub anchors: Vec<Anchor>,
    /// Where stretches of text were in the source; empty if text and source are the same bytes.
    pub segments: Vec<Segment>,
    /// Values that the source tags in its text, in its order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<Fact>,
    /// The part of it that OCR read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recognition: Option<Recognition>,
    /// What was guessed, repaired or lost while reading.
    pub notices: Vec<Notice>,
}

impl Default for Span {
    fn default() -> Self {
        Self::new(0, 0)
    }
}

impl Document {
    /// The stretches of the body between entries of contents, in order: the text to split into chunks.
    pub fn stretches(&self) -> Vec<Span> {
        let mut out = Vec::new();
        let mut start = self.body.start;
        for entry in self.blocks.iter().filter(|block| block.kind == BlockKind::Contents) {
            out.push(Span::new(start, entry.span.start));
            start = entry.span.end;
        }
        out.push(Span::new(start, self.body.end));
        out.retain(|stretch| !stretch.of(&self.text).trim().is_empty());
        out
    }

    /// First and last physical page that `span` touches; `None` if the pages are only a layout.
    pub fn pages_of(&self, span: Span) -> Option<(u32, u32)> {
        if self.about_pages {
            return None;
        }
        let first = self.pages.partition_point(|p| p.span.end <= span.start);
        let last = self.pages.partition_point(|p| p.span.start < span.end);
        let touched = self.pages.get(first..last.max(first))?;
        let (first, last) = (touched.first()?.number, touched.last()?.number);
        if first == last {
            return Some((first, last));
        }
        // The spans of two pages overlap if a row or paragraph continues on the second; lines tell them apart.
        let begin = self.segments.partition_point(|line| line.span.end <= span.start);
        let lines = self.segments[begin..].iter().take_while(|line| line.span.start < span.end);
        let pages = lines.filter_map(|line| line.page);
        let range = pages.fold(None, |range: Option<(u32, u32)>, page| {
            Some(range.map_or((page, page), |(first, last)| (first.min(page), last.max(page))))
        });
        Some(range.unwrap_or((first, last)))
    }

    /// The stretches of the text on one page, in order, each with its page. A page has several if a row continues
    /// on the next: the row's cells follow each other, each with its lines on both pages. The same happens with a
    /// paragraph that is followed by notes.
    pub fn page_stretches(&self) -> Vec<(&Page, Span)> {
        if self.pages.windows(2).all(|two| two[0].span.end <= two[1].span.start) {
            return self.pages.iter().map(|page| (page, page.span)).collect();
        }
        let mut out: Vec<(&Page, Span)> = Vec::new();
        for line in &self.segments {
            let Some(number) = line.page else { continue };
            match out.last_mut() {
                Some((page, stretch)) if page.number == number => stretch.end = line.span.end,
                _ => out.extend(
                    self.pages.iter().find(|page| page.number == number).map(|page| (page, line.span)),
                ),
            }
        }
        out
    }

    /// Titles from the outermost section down to `section`.
    pub fn section_path(&self, section: Option<usize>) -> Vec<&str> {
        section_path(&self.sections, section)
    }

    /// Physical numbers of the pages without text but with a geometry, so that there may be text in a picture.
    pub fn pages_without_text(&self) -> Vec<u32> {
        let bare = self.pages.iter().filter(|page| page.span.is_empty() && page.size.is_some());
        bare.map(|page| page.number).collect()
    }

    /// Physical numbers of the pages of which OCR would read more than is known. They have no text, or text that cannot
    /// be read, or text that another program read by OCR.
    pub fn pages_for_ocr(&self) -> Vec<u32> {
        let other = self.recognition.as_ref().filter(|read| read.languages.is_empty());
        let wanted = |page: &&Page| {
            page.size.is_some()
                && (page.span.is_empty()
                    || page.span.of(&self.text).contains(char::REPLACEMENT_CHARACTER)
                    || other.is_some_and(|read| read.pages.contains(&page.number)))
        };
        self.pages.iter().filter(wanted).map(|page| page.number).collect()
    }
}
