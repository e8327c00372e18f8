//! OpenDocument texts: headings by their outline level, lists, tables, notes below the block with their mark. Deleted
//! text, comments, headers and footers stay out.

use super::office::{self, ODT, Parts, attribute, below, element, elements, refused};
use super::table::{Cell, Table};
use super::write::{Mark, Writer};
use super::{Format, Input};
use crate::document::{Document, Notice, Severity};
use roxmltree::Node;
use serde_json::Map;

/// Deepest nesting that is read.
const MAX_DEPTH: usize = 100;

/// OpenDocument texts.
#[derive(Debug, Clone, Copy, Default)]
pub struct Odt;

impl Format for Odt {
    fn name(&self) -> &'static str {
        "odt"
    }
    fn version(&self) -> u32 {
        1
    }
    fn extensions(&self) -> &'static [&'static str] {
        ODT.extensions
    }
    fn recognises(&self, input: &Input<'_>) -> bool {
        office::is(input, &ODT)
    }
    fn untrusted(&self) -> bool {
        true
    }
    fn read(&self, input: &Input<'_>) -> Document {
        read(input).unwrap_or_else(refused)
    }
}

fn read(input: &Input<'_>) -> Result<Document, Notice> {
    let mut parts = Parts::open(input, ODT)?;
    if parts.text("META-INF/manifest.xml")?.is_some_and(|manifest| manifest.contains("encryption-data")) {
        return Err(office::encrypted(ODT));
    }
    let title = parts.text("meta.xml")?.and_then(|meta| title(&meta));
    let text = parts.text(ODT.main)?.ok_or_else(|| office::broken(ODT))?;
    let tree = office::parse(&text, ODT)?;
    let body = below(tree.root_element(), &["body", "text"]).ok_or_else(|| office::broken(ODT))?;
    let mut reader = Reader::default();
    reader.blocks(body, 0);
    let mut notices = std::mem::take(&mut parts.notices);
    if reader.too_deep {
        let message = "expected sections and lists of ordinary depth, found some more than 100 deep, which were left out; \
                       open the file and save it again";
        notices.push(Notice::new(Severity::Warning, "too_deep", message));
    }
    Ok(reader.out.finish(title, Map::new(), notices))
}

fn title(meta: &str) -> Option<String> {
    let tree = office::parse(meta, ODT).ok()?;
    let title = below(tree.root_element(), &["meta", "title"])?.text()?.trim().to_owned();
    (!title.is_empty()).then_some(title)
}

#[derive(Default)]
struct Reader<'t, 'i> {
    out: Writer,
    /// Notes that the block refers to: mark and text.
    notes: Vec<(String, String)>,
    /// Text boxes that hang on it.
    boxes: Vec<Node<'t, 'i>>,
    too_deep: bool,
}

impl<'t, 'i: 't> Reader<'t, 'i> {
    /// Whether something at `depth` is read.
    fn reaches(&mut self, depth: usize) -> bool {
        self.too_deep |= depth > MAX_DEPTH;
        depth <= MAX_DEPTH
    }

    fn blocks(&mut self, node: Node<'t, 'i>, depth: usize) {
        if !self.reaches(depth) {
            return;
        }
        for child in node.children().filter(Node::is_element) {
            match child.tag_name().name() {
                "h" => {
                    let level = attribute(child, "outline-level").and_then(|level| level.parse().ok());
                    let title = self.line(child);
                    self.out.heading(level.unwrap_or(1), &title);
                }
                "p" => {
                    let text = self.line(child);
                    self.out.paragraph(&text);
                }
                "list" => {
                    self.list(child, 0, depth + 1);
                    self.out.end_list();
                }
                "table" => {
                    let table = self.table(child);
                    self.out.table(table);
                }
                "tracked-changes" => {}
                // Sections, indexes and what else holds blocks.
                _ => self.blocks(child, depth + 1),
            }
            self.hanging(depth);
        }
    }

    /// What hangs on the block that was read last.
    fn hanging(&mut self, depth: usize) {
        for (mark, text) in std::mem::take(&mut self.notes) {
            self.out.continued(usize::MAX, &format!("{mark} {text}"));
        }
        for text in std::mem::take(&mut self.boxes) {
            self.blocks(text, depth + 1);
        }
    }

    fn list(&mut self, list: Node<'t, 'i>, level: usize, depth: usize) {
        if !self.reaches(depth) {
            return;
        }
        for item in elements(list, "list-item").chain(elements(list, "list-header")) {
            let mut first = true;
            for child in item.children().filter(Node::is_element) {
                match child.tag_name().name() {
                    "list" => self.list(child, level + 1, depth + 1),
                    "p" | "h" => {
                        let text = self.line(child);
                        if std::mem::take(&mut first) {
                            self.out.item(level, &Mark::Bullet, &text);
                        } else {
                            self.out.continued(level, &text);
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    fn table(&mut self, node: Node<'t, 'i>) -> Table {
        let mut table = Table::default();
        let span = |cell, name| {
            attribute(cell, name).and_then(|span| span.parse::<usize>().ok()).unwrap_or(1).max(1)
        };
        let rows = node.descendants().filter(|row| row.tag_name().name() == "table-row");
        // Rows of a table inside a cell belong to that cell.
        let own = rows.filter(|row| {
            let table = row.ancestors().find(|above| above.tag_name().name() == "table");
            table.is_some_and(|table| table.id() == node.id())
        });
        for row in own {
            let heads =
                row.parent_element().is_some_and(|parent| parent.tag_name().name() == "table-header-rows");
            table.header += usize::from(heads);
            let cells = elements(row, "table-cell").map(|cell| {
                let paragraphs =
                    cell.descendants().filter(|inner| matches!(inner.tag_name().name(), "p" | "h"));
                let text: Vec<String> = paragraphs.map(|paragraph| self.line(paragraph)).collect();
                let (columns, rows) =
                    (span(cell, "number-columns-spanned"), span(cell, "number-rows-spanned"));
                Cell { text: text.join("\n"), columns, rows }
            });
            table.rows.push(cells.collect());
        }
        if table.header == 0 {
            table.guess_header();
        }
        table
    }

    /// The text of a paragraph; its notes and text boxes are kept aside.
    fn line(&mut self, paragraph: Node<'t, 'i>) -> String {
        let mut text = String::new();
        let mut next = paragraph.first_child();
        while let Some(mut node) = next {
            let inside = match node.tag_name().name() {
                "s" | "tab" => {
                    text.push(' ');
                    false
                }
                "line-break" => {
                    text.push('\n');
                    false
                }
                "note" => {
                    let mark =
                        element(node, "note-citation").and_then(|mark| mark.text()).unwrap_or_default();
                    let mark = format!("[{}]", mark.trim());
                    text.push_str(&mark);
                    let words = element(node, "note-body").map(plain).unwrap_or_default();
                    self.notes.push((mark, words));
                    false
                }
                "text-box" => {
                    self.boxes.push(node);
                    false
                }
                "annotation" | "annotation-end" | "desc" | "title" => false,
                _ => {
                    text.push_str(node.text().filter(|_| node.is_text()).unwrap_or_default());
                    true
                }
            };
            if inside && let Some(child) = node.first_child() {
                next = Some(child);
                continue;
            }
            next = loop {
                if let Some(sibling) = node.next_sibling() {
                    break Some(sibling);
                }
                match node.parent() {
                    Some(parent) if parent.id() != paragraph.id() => node = parent,
                    _ => break None,
                }
            };
        }
        text
    }
}

/// The text below `node` on one line.
fn plain(node: Node<'_, '_>) -> String {
    let words = node.descendants().filter(Node::is_text).filter_map(|text| text.text());
    words.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}
