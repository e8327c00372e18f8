//! Passages that an answer is made from: spans of a document's text, never copies, so every quote has its place.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_text::Span;
use sibyl_text::document::{Anchor, Cells, Recognition, Section, Standing, section_at, section_path};
use sibyl_text::language::sentence::sentences_in;
use std::sync::Arc;

/// What OCR read of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OcrReading {
    /// Mean confidence of its words by their letters, 0 to 100.
    pub confidence: u8,
    /// Words that OCR is not sure of, as they are in the text.
    pub doubtful: Vec<String>,
}

/// A page of a [`Source`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourcePage {
    /// Physical number, from 1.
    pub number: u32,
    /// The label printed on it, if the source gives one.
    pub label: Option<String>,
    /// The stretch of text on it (bytes).
    pub span: Span,
}

/// A document that passages are taken from.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Source {
    /// Document row; 0 for selected text.
    pub id: i64,
    /// Path below the import root.
    pub path: String,
    /// Version of the text; empty for selected text.
    pub text_version: String,
    /// Title.
    pub title: String,
    /// Whom it is about, if the document says so.
    pub issuer: Option<String>,
    /// The year it is about, if the document says so.
    pub year: Option<i64>,
    /// Corpus it belongs to.
    pub corpus: String,
    /// Source type of the corpus.
    pub source_type: String,
    /// Report it belongs to.
    pub report_id: Option<String>,
    /// The text; all spans are bytes of it.
    pub text: String,
    /// The stretches of the text on each page, in order; empty if there are no pages.
    pub pages: Vec<SourcePage>,
    /// Whether these pages are only a layout, see [`Document::about_pages`](sibyl_text::Document::about_pages).
    pub about_pages: bool,
    /// Headings in reading order.
    pub sections: Vec<Section>,
    /// The parts of the text that are cells of sheets.
    pub cells: Vec<Cells>,
    /// Elements with an id.
    pub anchors: Vec<Anchor>,
    /// The part of it that was read by OCR.
    pub recognition: Option<Recognition>,
    /// What it says about its own standing.
    pub standing: Option<Standing>,
}

impl Source {
    /// File name: the last part of the path.
    pub fn file(&self) -> &str {
        self.path.rsplit(['/', '\\']).next().unwrap_or(&self.path)
    }

    /// First and last of the pages that `span` touches, even if they are only a layout.
    pub fn pages_of(&self, span: Span) -> Option<(&SourcePage, &SourcePage)> {
        let first = self.pages.partition_point(|page| page.span.end <= span.start);
        let last = self.pages.partition_point(|page| page.span.start < span.end);
        let touched = self.pages.get(first..last.max(first))?.iter();
        touched.clone().min_by_key(|page| page.number).zip(touched.max_by_key(|page| page.number))
    }

    /// Headings above `at`, from the outermost down; empty before the first heading.
    pub fn path_at(&self, at: usize) -> Vec<&str> {
        section_path(&self.sections, section_at(&self.sections, at))
    }

    /// What OCR read of `spans`, if it read any of them. If it read several, the least sure one counts.
    pub fn read_by_ocr(&self, spans: &[Span]) -> Option<OcrReading> {
        let recognition = self.recognition.as_ref()?;
        let confidence = spans.iter().filter_map(|span| recognition.confidence(*span)).min()?;
        let doubtful = spans.iter().flat_map(|span| recognition.doubtful_in(*span));
        let doubtful = doubtful.map(|word| word.of(&self.text).to_owned()).collect();
        Some(OcrReading { confidence, doubtful })
    }

    /// `span` in UTF-16 code units.
    pub fn utf16(&self, span: Span) -> (usize, usize) {
        let before = units(&self.text[..span.start]);
        (before, before + units(span.of(&self.text)))
    }
}

fn units(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// A stretch of a source that an answer may rest on.
#[derive(Debug, Clone, PartialEq)]
pub struct Passage {
    /// Its number, from 1.
    pub number: usize,
    /// Chunk id; empty for selected text.
    pub chunk_id: String,
    /// The document.
    pub source: Arc<Source>,
    /// Its own text, in order, without search aids.
    pub spans: Vec<Span>,
    /// Header rows of its tables, which stand before its spans.
    pub heads: Vec<Span>,
    /// Headings above its beginning, from the outermost down.
    pub section: Vec<String>,
    /// Paragraph id, topic or metric code.
    pub paragraph_id: Option<String>,
    /// Calibrated relevance to the question, 0 to 1.
    pub relevance: f64,
}

/// What an answer can quote: a sentence, an item or a row of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unit {
    /// Where it stands (bytes of the source's text).
    pub span: Span,
    /// The header row of its table, if it is a row.
    pub head: Option<Span>,
    /// Whether it is a row of a table.
    pub is_row: bool,
    /// Which of the passage's blocks it belongs to: a table, or running text between blank lines.
    pub block: usize,
}

impl Unit {
    /// Its words.
    pub fn of<'a>(&self, passage: &'a Passage) -> &'a str {
        self.span.of(&passage.source.text)
    }
}

impl Passage {
    /// What it says, as one text.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for span in self.heads.iter().chain(&self.spans) {
            let text = span.of(&self.source.text).trim_end();
            if !out.is_empty() && !text.is_empty() {
                out.push('\n');
            }
            out.push_str(text);
        }
        out
    }

    /// Headings above its `span`, from the outermost down; those of the passage if the source has no headings.
    pub fn section_of(&self, span: Span) -> Vec<String> {
        if self.source.sections.is_empty() {
            return self.section.clone();
        }
        self.source.path_at(span.start).into_iter().map(str::to_owned).collect()
    }

    /// Sentences, items and rows, in order.
    pub fn units(&self) -> Vec<Unit> {
        let text = self.source.text.as_str();
        let mut units = Vec::new();
        let mut block = 0;
        for &span in &self.spans {
            let mut head = self.heads.iter().copied().rfind(|head| is_row(first_line(head.of(text))));
            head = head.map(|head| Span::new(head.start, head.start + first_line(head.of(text)).len()));
            let mut prose = span.start;
            let mut at = span.start;
            let (mut in_table, mut blank) = (false, true);
            for line in span.of(text).split_inclusive('\n') {
                let start = at;
                at += line.len();
                let words = line.trim();
                if is_row(words) {
                    units.extend(sentences(text, Span::new(prose, start), block));
                    if !in_table {
                        block += 1;
                    }
                    let indent = line.len() - line.trim_start().len();
                    let row = Span::new(start + indent, start + indent + words.len());
                    if !is_rule(words) {
                        let next = text[at..].lines().next().unwrap_or_default().trim();
                        if !in_table && is_row(next) && is_rule(next) {
                            head = Some(row);
                        } else {
                            units.push(Unit { span: row, head, is_row: true, block });
                        }
                    }
                    (in_table, prose) = (true, at);
                } else if words.is_empty() {
                    units.extend(sentences(text, Span::new(prose, start), block));
                    (prose, blank, in_table) = (at, true, false);
                } else {
                    if blank || in_table {
                        block += 1;
                    }
                    (blank, in_table) = (false, false);
                }
            }
            units.extend(sentences(text, Span::new(prose, span.end.max(prose)), block));
        }
        units
    }
}

/// Longest name in bold at the beginning of a paragraph, in bytes.
const LONGEST_NAME: usize = 80;

fn sentences(text: &str, span: Span, block: usize) -> impl Iterator<Item = Unit> {
    let found = if span.is_empty() { Vec::new() } else { sentences_in(text, span) };
    let mut end = span.start;
    found.into_iter().map(move |found| {
        let start = named(text, Span::new(end.min(found.start), found.start)).unwrap_or(found.start);
        end = found.end;
        Unit { span: Span::new(start, found.end), head: None, is_row: false, block }
    })
}

/// Where a name in bold begins that fills the last line of `gap`. It is too short for a sentence, and says what
/// the sentence after it is about.
fn named(text: &str, gap: Span) -> Option<usize> {
    let line = gap.start + gap.of(text).trim_end_matches([' ', '\t']).rfind('\n').map_or(0, |at| at + 1);
    let words = text[line..gap.end].trim();
    let bold =
        words.len() > 4 && words.len() <= LONGEST_NAME && words.starts_with("**") && words.ends_with("**");
    bold.then(|| line + text[line..gap.end].len() - text[line..gap.end].trim_start().len())
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default().trim_end()
}

/// Whether `line` is a row of a Markdown table.
pub(crate) fn is_row(line: &str) -> bool {
    let line = line.trim();
    line.len() > 2 && line.starts_with('|') && line.ends_with('|')
}

/// Whether `row` is the line between the head and the body of a table.
fn is_rule(row: &str) -> bool {
    row.contains('-') && row.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '))
}

/// The cells of a row.
pub fn cells(row: &str) -> Vec<&str> {
    row.trim().trim_matches('|').split('|').map(str::trim).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A passage that consists of all of `text`.
    pub(crate) fn whole(text: &str) -> Passage {
        Passage {
            number: 1,
            chunk_id: "c".to_owned(),
            source: Arc::new(Source { text: text.to_owned(), ..Source::default() }),
            spans: vec![Span::new(0, text.len())],
            heads: Vec::new(),
            section: Vec::new(),
            paragraph_id: None,
            relevance: 1.0,
        }
    }

    #[test]
    fn sentences_items_and_rows_are_units_with_their_place() {
        let text = "# A head\n\nOne sentence is here. Another one\nfollows.\n\n| Plant | Year |\n|---|---:|\n| Mirar | 1998 |\n| Vell | 2006 |\n\n- An item stands here.";
        let passage = whole(text);
        let units = passage.units();
        let words: Vec<&str> = units.iter().map(|unit| unit.of(&passage)).collect();
        assert_eq!(
            words,
            [
                "One sentence is here.",
                "Another one\nfollows.",
                "| Mirar | 1998 |",
                "| Vell | 2006 |",
                "- An item stands here."
            ]
        );
        assert_eq!(units[3].head.map(|head| head.of(text)), Some("| Plant | Year |"));
        assert!(units[2].block == units[3].block && units[1].block != units[2].block);
        assert_eq!(cells("| Mirar | 1998 |"), ["Mirar", "1998"]);
    }

    #[test]
    fn a_name_in_bold_belongs_to_the_sentence_behind_it() {
        let text = "Two parts are planned.\n\n**Mend.** The wheel gets new paddles. It cost little.\n\n## Next\n\nThe race is dug out.";
        let passage = whole(text);
        let units = passage.units();
        let words: Vec<&str> = units.iter().map(|unit| unit.of(&passage)).collect();
        assert_eq!(
            words,
            [
                "Two parts are planned.",
                "**Mend.** The wheel gets new paddles.",
                "It cost little.",
                "The race is dug out."
            ]
        );
    }

    #[test]
    fn a_table_that_was_cut_keeps_its_head() {
        let text = "| Plant | Year |\n|---|---|\n| Mirar | 1998 |\n| Vell | 2006 |\n";
        let mut passage = whole(text);
        passage.heads = vec![Span::new(0, 27)];
        passage.spans = vec![Span::new(text.find("| Vell").unwrap(), text.len())];
        let units = passage.units();
        assert_eq!(units.len(), 1);
        assert_eq!(units[0].head.map(|head| head.of(text)), Some("| Plant | Year |"));
    }

    #[test]
    fn the_page_is_that_of_the_quote() {
        let page = |number, start, end| SourcePage { number, label: None, span: Span::new(start, end) };
        // A row continues over the end of page 3.
        let pages = vec![page(3, 0, 10), page(4, 10, 20), page(3, 20, 25), page(4, 25, 30)];
        let source = Source { pages, ..Source::default() };
        let on = |start, end| source.pages_of(Span::new(start, end)).map(|(a, b)| (a.number, b.number));
        assert_eq!((on(2, 9), on(10, 12), on(8, 12)), (Some((3, 3)), Some((4, 4)), Some((3, 4))));
        assert_eq!((on(21, 24), on(15, 24)), (Some((3, 3)), Some((3, 4))));
        assert_eq!(on(30, 31), None);
    }
}
