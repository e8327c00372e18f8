//! OpenDocument texts: headings by their outline level, lists with their numbers, tables, notes below the block with their
//! mark. Deleted and hidden text, comments, tables of contents, headers and footers stay out.

mod lists;

use super::builder::{DocumentBuilder, Mark};
use super::office::{self, ODT, Parts, attribute, below, element, elements, refused};
use super::raised::raised;
use super::table::{Cell, Table};
use super::{Format, Input, withdrawn_notice};
use crate::document::{Document, Notice, Severity};
use lists::{Lists, Open};
use roxmltree::Node;
use serde_json::Map;
use std::collections::{HashMap, HashSet};

/// Deepest nesting that is read.
const MAX_DEPTH: usize = 100;
/// Most times that a cell is repeated.
const MOST_REPEATED: usize = 64;
/// Elements that only repeat the headings and captions of the text.
const CONTENTS: &[&str] = &["table-of-content", "illustration-index", "table-index", "object-index"];

/// OpenDocument texts.
#[derive(Debug, Clone, Copy, Default)]
pub struct Odt;

impl Format for Odt {
    fn name(&self) -> &'static str {
        "odt"
    }
    fn label(&self) -> &'static str {
        "OpenDocument"
    }
    fn version(&self) -> u32 {
        7
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
    fn parse(&self, input: &Input<'_>, _: &[String]) -> Document {
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
    if let Some(styles) = parts.text("styles.xml")? {
        reader.add_styles(office::parse(&styles, ODT)?.root_element());
    }
    reader.add_styles(tree.root_element());
    reader.blocks(body, 0);
    let mut notices = std::mem::take(&mut parts.notices);
    if reader.too_deep {
        let message = "expected sections and lists of ordinary depth, found some more than 100 deep, which were left out; \
                       open the file and save it again";
        notices.push(Notice::new(Severity::Warning, "too_deep", message));
    }
    if reader.left_out > 0 {
        notices.push(withdrawn_notice(reader.left_out, "texts"));
    }
    let comments = body.descendants().filter(|node| node.tag_name().name() == "annotation");
    notices.extend(office::comments_left_out(comments.count()));
    if reader.contents > 0 {
        let message = format!("the table of contents ({} lines) was left out", reader.contents);
        notices.push(Notice::new(Severity::Info, "contents_left_out", message));
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
    out: DocumentBuilder,
    lists: Lists,
    /// Styles of raised text.
    raised: HashSet<String>,
    /// How far right styles begin their paragraphs, where not at once.
    indents: HashMap<String, u32>,
    /// Styles of text that is struck through or hidden, and how many pieces of it were left out.
    withdrawn: HashSet<String>,
    left_out: usize,
    /// Lines of tables of contents.
    contents: usize,
    /// Notes that the block refers to: mark and text.
    notes: Vec<(String, String)>,
    /// Text boxes that hang on it.
    boxes: Vec<Node<'t, 'i>>,
    too_deep: bool,
}

impl<'t, 'i: 't> Reader<'t, 'i> {
    /// Adds the styles below `root`.
    fn add_styles(&mut self, root: Node<'_, '_>) {
        self.lists.add(root);
        for style in root.children().filter(Node::is_element).flat_map(|holder| elements(holder, "style")) {
            let indent = office::indent_of(style);
            if let Some(name) = attribute(style, "name").filter(|_| indent > 0) {
                self.indents.insert(name.to_owned(), indent);
            }
            let position =
                element(style, "text-properties").and_then(|text| attribute(text, "text-position"));
            let text = element(style, "text-properties");
            let set = |name, plain: &str| {
                text.and_then(|text| attribute(text, name)).is_some_and(|value| value != plain)
            };
            if set("text-line-through-style", "none") || set("display", "true") {
                self.withdrawn.extend(attribute(style, "name").map(str::to_owned));
            }
            if position.is_some_and(|position| position.starts_with("super")) {
                self.raised.extend(attribute(style, "name").map(str::to_owned));
            }
        }
    }

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
                "h" => self.heading(child, None),
                "p" => {
                    let text = self.line(child);
                    self.out.paragraph(&text);
                }
                "list" => {
                    let open = self.lists.open(child, None);
                    self.list(child, open, depth + 1);
                    self.out.end_list();
                }
                "table" => {
                    let table = self.table(child);
                    self.out.table(table);
                }
                "tracked-changes" => {}
                "section" if attribute(child, "display") == Some("none") => {}
                name if CONTENTS.contains(&name) => {
                    let lines = child.descendants().filter(|line| line.tag_name().name() == "p");
                    self.contents += lines.filter(|line| !plain(*line).is_empty()).count();
                }
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

    /// A heading with its number: that of the list it is an item of, or of all headings.
    fn heading(&mut self, node: Node<'t, 'i>, item: Option<Mark>) {
        let level = attribute(node, "outline-level").and_then(|level| level.parse::<u8>().ok()).unwrap_or(1);
        let title = self.line(node);
        if title.trim().is_empty() {
            return;
        }
        let number = match item {
            Some(Mark::Label(label)) => Some(label),
            Some(Mark::Bullet) => None,
            None if attribute(node, "is-list-header") == Some("true") => None,
            None => self.lists.heading(usize::from(level)),
        };
        let title = number.map_or_else(|| title.clone(), |number| format!("{number} {title}"));
        self.out.heading(level, &title);
    }

    fn list(&mut self, list: Node<'t, 'i>, mut open: Open, depth: usize) {
        if !self.reaches(depth) {
            return;
        }
        let level = open.depth();
        for item in
            list.children().filter(|item| matches!(item.tag_name().name(), "list-item" | "list-header"))
        {
            let mut start = attribute(item, "start-value").and_then(|start| start.parse().ok());
            let mut first = true;
            for child in item.children().filter(Node::is_element) {
                match child.tag_name().name() {
                    "list" => {
                        let inner = self.lists.open(child, Some(&open));
                        self.list(child, inner, depth + 1);
                    }
                    "h" => {
                        let mark = self.lists.next(&mut open, start.take());
                        self.heading(child, Some(mark));
                    }
                    "p" => {
                        let text = self.line(child);
                        if text.trim().is_empty() || !std::mem::take(&mut first) {
                            self.out.continued(level, &text);
                        } else if item.tag_name().name() == "list-header" {
                            self.out.item(level, &Mark::Bullet, &text);
                        } else {
                            let mark = self.lists.next(&mut open, start.take());
                            self.out.item(level, &mark, &text);
                        }
                    }
                    "table" => {
                        let table = self.table(child);
                        self.out.table(table);
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
            table.declared += usize::from(heads);
            let mut cells = Vec::new();
            for cell in elements(row, "table-cell") {
                // What hangs on a paragraph is not part of the cell's own text.
                let own = |inner: &Node<'_, '_>| {
                    let mut above = inner.ancestors().skip(1).take_while(|above| above.id() != cell.id());
                    matches!(inner.tag_name().name(), "p" | "h")
                        && !above.any(|above| {
                            matches!(above.tag_name().name(), "note" | "annotation" | "text-box")
                        })
                };
                let text: Vec<String> =
                    cell.descendants().filter(own).map(|paragraph| self.line(paragraph)).collect();
                let (columns, rows) =
                    (span(cell, "number-columns-spanned"), span(cell, "number-rows-spanned"));
                let style = element(cell, "p").and_then(|first| attribute(first, "style-name"));
                let indent = style.and_then(|style| self.indents.get(style)).copied().unwrap_or(0);
                let cell_text = Cell { columns, rows, indent, ..Cell::new(text.join("\n")) };
                let copies = span(cell, "number-columns-repeated").min(MOST_REPEATED);
                cells.extend(std::iter::repeat_n(cell_text, copies));
            }
            table.rows.push(cells);
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
                "span"
                    if attribute(node, "style-name").is_some_and(|style| self.withdrawn.contains(style)) =>
                {
                    self.left_out += usize::from(!plain(node).is_empty());
                    false
                }
                "annotation" | "annotation-end" | "desc" | "title" => false,
                "hidden-text" if attribute(node, "is-hidden") == Some("true") => false,
                "span"
                    if attribute(node, "style-name").is_some_and(|style| self.raised.contains(style))
                        && node.descendants().all(|inner| inner.tag_name().name() != "note") =>
                {
                    let mark = raised(&text, &plain(node));
                    text.push_str(&mark);
                    false
                }
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
