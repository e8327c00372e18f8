//! The blocks of a document, in order.

use super::numbering::Lists;
use super::run::{Line, Notes, is_unfilled};
use super::style::Styles;
use super::table::Paragraphs;
use super::{MAX_DEPTH, changes_accepted, is_on, table};
use crate::document::{Document, Notice, Page, Severity};
use crate::format::builder::{DocumentBuilder, Mark};
use crate::format::drawing::Drawing;
use crate::format::office::{attribute, below, element};
use crate::format::withdrawn_notice;
use roxmltree::Node;
use serde_json::{Map, Value};
use std::collections::HashMap;

/// A document as it grows.
pub(super) struct Body {
    out: DocumentBuilder,
    styles: Styles,
    lists: Lists,
    notes: Notes,
    /// Whether pages are counted as Word last laid them out; else as breaks were set.
    laid_out: bool,
    /// Whether some of the pages end only because Word laid them out so.
    about: bool,
    page: u32,
    /// Text of a paragraph whose end was deleted: it runs on into the next.
    carried: String,
    /// Notes referred to from tables, which stand below them.
    waiting: Vec<(String, String)>,
    changes: usize,
    contents: usize,
    /// Charts and diagrams, and documents that Word makes part of the text when it opens the file: neither is read.
    drawn: usize,
    embedded: usize,
    /// Those that are read, by their references.
    drawings: HashMap<String, Drawing>,
    /// References of drawings in tables, which stand below them.
    below: Vec<String>,
    withdrawn: usize,
    /// Whether something deeper than [`MAX_DEPTH`] was left out.
    too_deep: bool,
}

/// Lines that a page of ordinary type holds (A4, 11 points), and characters of one of them.
const LINES: usize = 46;
const OF_A_LINE: usize = 90;

/// Lines that `text` fills at least.
fn lines(text: &str) -> usize {
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.chars().count().div_ceil(OF_A_LINE))
        .sum()
}

impl Body {
    /// Reads what stands below `root`.
    pub(super) fn new(styles: Styles, lists: Lists, notes: Notes, root: Node<'_, '_>) -> Self {
        let count = |is: fn(Node<'_, '_>) -> bool| root.descendants().filter(|node| is(*node)).count();
        let rendered = count(|node| node.tag_name().name() == "lastRenderedPageBreak");
        let set = count(|node| {
            let name = node.tag_name().name();
            (name == "br" && attribute(node, "type") == Some("page")) || name == "pageBreakBefore"
        });
        let sections = count(|node| {
            let kind = element(node, "type").and_then(|kind| attribute(kind, "val"));
            node.tag_name().name() == "sectPr"
                && node.parent().is_some_and(|parent| parent.tag_name().name() == "pPr")
                && !matches!(kind, Some("continuous" | "nextColumn"))
        });
        let (laid_out, paged) = (rendered > 0, rendered + set > 0);
        let mut out = DocumentBuilder::default();
        if paged {
            out.page(1, None);
        }
        Self {
            out,
            styles,
            lists,
            notes,
            laid_out,
            about: rendered > set + sections,
            page: u32::from(paged),
            carried: String::new(),
            waiting: Vec::new(),
            changes: 0,
            contents: 0,
            drawn: 0,
            embedded: 0,
            drawings: HashMap::new(),
            below: Vec::new(),
            withdrawn: 0,
            too_deep: false,
        }
    }

    /// Gives it the charts and diagrams that the text refers to.
    pub(super) fn draw(&mut self, drawings: HashMap<String, Drawing>) {
        self.drawings = drawings;
    }

    /// Writes the drawings that `references` name.
    fn drawings(&mut self, references: impl IntoIterator<Item = String>) {
        for reference in references {
            match self.drawings.get(&reference) {
                Some(drawing) => drawing.write(&mut self.out),
                None => self.drawn += 1,
            }
        }
    }

    /// Adds the blocks in `node`.
    pub(super) fn blocks(&mut self, node: Node<'_, '_>, depth: usize) {
        if !self.reaches(depth) {
            return;
        }
        for child in node.children().filter(Node::is_element) {
            match child.tag_name().name() {
                "p" => self.paragraph(child, depth),
                "tbl" => self.table(child, depth),
                "sdt" if is_unfilled(child) => {}
                "sdt" => {
                    if let Some(content) = element(child, "sdtContent") {
                        self.blocks(content, depth + 1);
                    }
                }
                "ins" | "moveTo" | "customXml" | "smartTag" => self.blocks(child, depth + 1),
                "altChunk" => self.embedded += 1,
                "AlternateContent" => {
                    if let Some(choice) = element(child, "Choice").or_else(|| element(child, "Fallback")) {
                        self.blocks(choice, depth + 1);
                    }
                }
                _ => {}
            }
        }
    }

    /// What could not be shown as it was, or was left out.
    pub(super) fn notices(&self) -> Vec<Notice> {
        let contents = (self.contents > 0).then(|| {
            let message = format!("the table of contents ({} lines) was left out", self.contents);
            Notice::new(Severity::Info, "contents_left_out", message)
        });
        let drawn = (self.drawn > 0).then(|| {
            let message = format!(
                "{} charts and diagrams were left out: only text and tables are read; ingest a PDF of the document for the rest",
                self.drawn
            );
            Notice::new(Severity::Info, "charts_left_out", message)
        });
        let embedded = (self.embedded > 0).then(|| {
            let message = format!(
                "{} embedded documents were left out; open the document in Word and save it again to make them part of its text",
                self.embedded
            );
            Notice::new(Severity::Warning, "embedded_left_out", message)
        });
        let too_deep = self.too_deep.then(|| {
            let message = format!(
                "expected tables and content controls of ordinary depth, found some more than {MAX_DEPTH} deep, which were \
                 left out; open the file and save it again"
            );
            Notice::new(Severity::Warning, "too_deep", message)
        });
        let withdrawn = (self.withdrawn > 0).then(|| withdrawn_notice(self.withdrawn, "texts"));
        let told = [changes_accepted(self.changes), contents, drawn, embedded, too_deep, withdrawn];
        told.into_iter().flatten().collect()
    }

    /// The document.
    pub(super) fn finish(
        mut self,
        title: Option<String>,
        metadata: Map<String, Value>,
        notices: Vec<Notice>,
    ) -> Document {
        let rest = std::mem::take(&mut self.carried);
        self.out.paragraph(&rest);
        let document = self.out.finish(title, metadata, notices);
        // Where no program has laid it out, nobody knows of the pages that end because they are full.
        let full = |page: &Page| lines(page.span.of(&document.text)) > LINES;
        let about_pages = self.about || (!self.laid_out && document.pages.iter().any(full));
        Document { about_pages, ..document }
    }

    fn paragraph(&mut self, node: Node<'_, '_>, depth: usize) {
        let properties = element(node, "pPr");
        let mut line = Line::of(node, &mut self.notes);
        let before = u32::from(is_on(properties, "pageBreakBefore"));
        let (breaks, after) = match self.laid_out {
            true => line.laid_out,
            false => (line.set.0 + before, line.set.1),
        };
        self.turn(breaks);
        self.changes += line.changes;
        self.withdrawn += line.withdrawn;
        self.too_deep |= line.too_deep;
        if below(node, &["pPr", "rPr", "del"]).is_some() {
            self.changes += 1;
            self.carried.push_str(&line.text);
            self.waiting.append(&mut line.notes);
            return self.turn(after);
        }
        line.text.insert_str(0, &std::mem::take(&mut self.carried));
        if self.styles.is_contents(properties) {
            self.contents += usize::from(!line.text.trim().is_empty());
            return self.turn(after);
        }
        let heading = self.styles.heading(properties);
        // A paragraph without text has no number.
        let mark = if line.text.trim().is_empty() { None } else { self.mark(properties) };
        match (heading, mark) {
            (Some(level), Some((_, Mark::Label(label)))) => {
                self.out.heading(level, &format!("{label} {}", line.text));
            }
            (Some(level), _) => self.out.heading(level, &line.text),
            (None, Some((level, mark))) => self.out.item(level, &mark, &line.text),
            (None, None) => self.out.paragraph(&line.text),
        }
        self.waiting.append(&mut line.notes);
        self.notes_below();
        self.drawings(line.drawn.into_iter().map(str::to_owned));
        for text_box in line.boxes {
            self.blocks(text_box, depth + 1);
        }
        self.turn(after);
    }

    fn table(&mut self, node: Node<'_, '_>, depth: usize) {
        if table::is_frame(node) {
            for cell in table::cells(node) {
                self.blocks(cell, depth + 1);
            }
            return;
        }
        let turned = table::page_breaks(node);
        let table = table::read(node, self, depth);
        self.out.table(table);
        self.notes_below();
        let below = std::mem::take(&mut self.below);
        self.drawings(below);
        self.turn(turned);
    }

    /// Starts as many pages as there are breaks.
    fn turn(&mut self, breaks: u32) {
        for _ in 0..breaks {
            self.page = self.page.saturating_add(1);
            self.out.page(self.page, None);
        }
    }

    /// Notes stand below the block that refers to them.
    fn notes_below(&mut self) {
        for (mark, text) in std::mem::take(&mut self.waiting) {
            self.out.continued(usize::MAX, &format!("{mark} {text}"));
        }
    }

    /// Level and mark of a list item.
    fn mark(&mut self, properties: Option<Node<'_, '_>>) -> Option<(usize, Mark)> {
        let own = properties.and_then(|properties| element(properties, "numPr"));
        let value = |name| own.and_then(|own| element(own, name)).and_then(|node| attribute(node, "val"));
        let of_style = self.styles.list(properties);
        let list =
            value("numId").map(str::to_owned).or_else(|| of_style.as_ref().map(|(list, _)| list.clone()))?;
        let level = value("ilvl").and_then(|level| level.parse().ok());
        let level: usize = level.or_else(|| of_style.map(|(_, level)| level)).unwrap_or(0);
        Some((level, self.lists.next(&list, level)?))
    }
}

impl Paragraphs for Body {
    fn reaches(&mut self, depth: usize) -> bool {
        self.too_deep |= depth > MAX_DEPTH;
        depth <= MAX_DEPTH
    }

    fn cell_text(&mut self, paragraph: Node<'_, '_>, depth: usize) -> String {
        let properties = element(paragraph, "pPr");
        let line = Line::of(paragraph, &mut self.notes);
        self.changes += line.changes;
        self.withdrawn += line.withdrawn;
        self.below.extend(line.drawn.iter().map(|reference| (*reference).to_owned()));
        self.too_deep |= line.too_deep;
        self.waiting.extend(line.notes);
        // A paragraph without text has no number.
        let mark = if line.text.trim().is_empty() { None } else { self.mark(properties) };
        let mut text = match mark {
            Some((_, Mark::Bullet)) => format!("• {}", line.text),
            Some((_, Mark::Label(label))) => format!("{label} {}", line.text),
            None => line.text,
        };
        for text_box in line.boxes {
            text.push('\n');
            text.push_str(&table::text(text_box, self, depth + 1));
        }
        text
    }
}
