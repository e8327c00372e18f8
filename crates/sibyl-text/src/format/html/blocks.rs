//! Elements of a page become blocks.

use super::bold::Bold;
use super::facts::Facts;
use super::mark::{check_box, mark, marked, raised_mark};
use super::stylesheet::{BLOCK, UNSEEN};
use super::svg::{self, Drawing};
use super::table::{self, Data};
use super::{Visit, attribute, content, name};
use crate::document::{Document, Notice, Severity};
use crate::format::builder::{DocumentBuilder, Mark};
use crate::format::numbering::Numbering;
use crate::format::tidy::{tidy, unwrapped};
use dom_query::NodeRef;
use serde_json::{Map, Value};

/// Elements that stand in a line of text; all others start a block.
const INLINE: &[&str] = &[
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "data", "del", "dfn", "em", "font", "i", "ins",
    "label", "mark", "nobr", "output", "q", "rb", "rt", "ruby", "s", "small", "span", "strike", "strong",
    "sub", "sup", "time", "u", "var", "wbr", "img", "math",
];
/// Elements of code in a line of text.
const CODE: &[&str] = &["code", "kbd", "samp", "tt"];

/// The blocks of a page as they grow.
#[derive(Default)]
pub(super) struct Blocks {
    out: DocumentBuilder,
    /// Letters read.
    pub(super) letters: usize,
    /// Text of the block that is open, and the same without marks of code.
    text: String,
    plain: String,
    lists: Vec<List>,
    /// Depth and mark of the list item that is open, until its first text stands.
    item: Option<(usize, Mark)>,
    heading: Option<u8>,
    bold: Bold,
    facts: Facts,
    /// Drawings with values that could not be paired with their labels.
    unpaired: usize,
    /// Nesting of preformatted text.
    preformatted: usize,
    /// Ids of elements in the block that is open, with the byte of its text at which each begins.
    inside: Vec<(usize, String)>,
}

/// A list that is open.
struct List {
    /// Number of its next item, where it has numbers.
    next: Option<i64>,
    /// What the numbers rise by.
    step: i64,
    numbering: Numbering,
}

impl<'t> Visit<'t> for Blocks {
    fn enter(&mut self, node: &NodeRef<'t>) -> bool {
        if node.is_text() {
            self.push(&node.text());
            return true;
        }
        let inside = self.open(node);
        if inside {
            self.anchor(node);
            self.bold.enter(node);
            self.facts.enter(node, self.text.len());
        }
        inside
    }

    fn leave(&mut self, node: &NodeRef<'t>) {
        if node.is_text() {
            return;
        }
        self.bold.leave(node);
        self.facts.leave(node, self.text.len());
        let name = name(node);
        match name.as_str() {
            "br" | "button" | "input" => {}
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.end_block();
                self.heading = None;
            }
            "ul" | "ol" | "menu" | "dir" => {
                self.end_block();
                self.lists.pop();
                if self.lists.is_empty() {
                    self.out.end_list();
                }
            }
            "li" => {
                self.end_block();
                self.item = None;
            }
            "pre" => {
                self.preformatted = self.preformatted.saturating_sub(1);
                if self.preformatted == 0 {
                    let text = std::mem::take(&mut self.text);
                    self.plain.clear();
                    let start = self.out.written().len();
                    self.out.code(&text);
                    // Code is one place, whatever in it has an id.
                    for (_, id) in std::mem::take(&mut self.inside) {
                        self.out.anchor(start, id);
                    }
                }
            }
            "td" | "th" | "p" | "div" if mark(self.text.trim()).is_some() => {}
            _ if CODE.contains(&name.as_str()) => self.code_mark(node),
            _ if is_inline(&name) && !node.has_attr(BLOCK) => {}
            _ => self.end_block(),
        }
    }
}

impl Blocks {
    /// Begins an element; whether what is inside is read too.
    fn open(&mut self, node: &NodeRef<'_>) -> bool {
        let name = name(node);
        if let Some(mark) = raised_mark(node, &name) {
            self.letters += content::count(&node.text());
            self.add(&mark);
            return false;
        }
        match name.as_str() {
            "br" => self.add("\n"),
            "input" => self.add(check_box(node)),
            "button" => return self.heading.is_some(),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.end_block();
                self.heading = name[1..].parse().ok();
            }
            "ul" | "ol" | "menu" | "dir" => {
                self.end_block();
                self.lists.push(List::of(node, &name));
            }
            "li" => {
                self.end_block();
                self.item = Some((self.lists.len().saturating_sub(1), self.next_mark(node)));
            }
            "pre" => {
                self.end_block();
                self.preformatted += 1;
            }
            "td" | "th" if mark(self.text.trim()).is_some() => self.add(" "),
            "table" => {
                self.end_block();
                return self.table(node);
            }
            "svg" => {
                self.draw(node);
                return false;
            }
            _ if CODE.contains(&name.as_str()) => self.code_mark(node),
            _ if is_inline(&name) && !node.has_attr(BLOCK) => {}
            _ => self.end_block(),
        }
        true
    }

    /// No blocks yet, of a page whose bold lines `bold` follows, and whose tagged values `facts`.
    pub(super) fn new(bold: Bold, facts: Facts) -> Self {
        Self { bold, facts, ..Self::default() }
    }

    /// The document.
    pub(super) fn finish(
        mut self,
        title: Option<String>,
        mut metadata: Map<String, Value>,
        mut notices: Vec<Notice>,
    ) -> Document {
        self.end_block();
        if self.unpaired > 0 {
            let message = format!(
                "the labels and values of {} drawings could not be paired by their places and are listed as text; compare them \
                 with the page",
                self.unpaired
            );
            notices.push(Notice::new(Severity::Info, "chart_unpaired", message));
        }
        notices.extend(self.facts.notices());
        metadata.extend(self.facts.metadata());
        Document { facts: self.facts.finish(), ..self.out.finish(title, metadata, notices) }
    }

    fn push(&mut self, text: &str) {
        self.letters += content::count(text);
        self.bold.push(text);
        if self.preformatted > 0 {
            self.add(text);
        } else {
            // White space of the file is not that of the page; what parts lines is marked up.
            self.add(&unwrapped(text));
        }
    }

    fn add(&mut self, text: &str) {
        self.text.push_str(text);
        self.plain.push_str(text);
    }

    fn end_block(&mut self) {
        if self.preformatted > 0 {
            return;
        }
        let whole = std::mem::take(&mut self.text);
        let start = self.out.written().len();
        let plain = std::mem::take(&mut self.plain);
        self.write_block(whole.trim(), &plain);
        self.place_anchors(&whole, start);
        self.facts.end_block(&whole, &self.out.written()[start..], start);
    }

    /// Keeps the id of an element, which is what a link to it names.
    pub(super) fn anchor(&mut self, node: &NodeRef<'_>) {
        let named = || attribute(node, "name").filter(|_| name(node) == "a");
        let Some(id) = attribute(node, "id").or_else(named).filter(|id| !id.trim().is_empty()) else {
            return;
        };
        if self.text.trim().is_empty() {
            self.out.anchor(self.out.written().len(), id);
        } else {
            self.inside.push((self.text.len(), id));
        }
    }

    /// Says where the elements begin that have an id, in a block of `text` that was written from byte `start` on.
    fn place_anchors(&mut self, text: &str, start: usize) {
        for (offset, id) in std::mem::take(&mut self.inside) {
            // Marks of Markdown stand in front of the text, so that the end of a line tells its place.
            let rest = tidy(text.get(offset..).unwrap_or_default()).len();
            let end = self.out.written().len();
            self.out.anchor(end.saturating_sub(rest).max(start), id);
        }
    }

    fn write_block(&mut self, text: &str, plain: &str) {
        if text.is_empty() {
            return;
        }
        let bold = self.bold.end_block(text);
        if let Some(level) = self.heading {
            self.out.titled_heading(level, &text.into(), &tidy(plain));
        } else if let Some((depth, mark)) = self.item.take() {
            self.out.item(depth, &mark, text);
        } else if !self.lists.is_empty() {
            self.out.continued(self.lists.len() - 1, text);
        } else if let Some((mark, text)) = marked(text) {
            self.out.item(0, &mark, text);
        } else if let Some(level) = bold {
            self.out.titled_heading(level, &text.into(), &tidy(plain));
        } else {
            self.out.paragraph(text);
        }
    }

    fn table(&mut self, node: &NodeRef<'_>) -> bool {
        let Some(Data { table, letters, inner }) = table::data(node) else { return true };
        let shown = |child: &NodeRef<'_>| name(child) == "caption" && !child.has_attr(UNSEEN);
        let caption = node.children_it(false).find(shown).map(|caption| caption.text());
        if let Some(caption) = caption {
            self.letters += content::count(&caption);
            self.out.paragraph(&caption.replace('\n', " "));
        }
        self.letters += letters;
        self.anchor(node);
        let start = self.out.written().len();
        self.out.table(table);
        let written = &self.out.written()[start..];
        table::facts(node, &inner, &mut self.facts, |facts, text| facts.end_block(text, written, start));
        // A table in a cell stands below, under the name of its row.
        for (row, inner) in inner {
            self.out.paragraph(&row);
            if self.table(&inner) {
                super::walk(&inner, self);
            }
        }
        false
    }

    /// Writes what a drawing says. One in a line of text is a sign.
    fn draw(&mut self, node: &NodeRef<'_>) {
        self.letters += content::count(&node.text());
        let Some(drawing) = svg::read(node) else { return };
        self.end_block();
        self.anchor(node);
        match drawing {
            Drawing::Chart(title, pairs) => self.out.table(svg::table(title, pairs)),
            Drawing::Series(said, table) => {
                self.out.paragraph(&said);
                self.out.table(table);
            }
            Drawing::Texts(texts, valued) => {
                self.unpaired += usize::from(valued);
                self.out.paragraph(&texts.join(" · "));
            }
        }
    }

    fn next_mark(&mut self, node: &NodeRef<'_>) -> Mark {
        let Some(list) = self.lists.last_mut() else { return Mark::Bullet };
        let given = attribute(node, "value").and_then(|value| value.trim().parse::<i64>().ok());
        match list.next {
            Some(next) => {
                let number = given.unwrap_or(next);
                list.next = Some(number.saturating_add(list.step));
                Mark::Label(format!("{}.", list.numbering.shown(number)))
            }
            None => Mark::Bullet,
        }
    }

    /// Marks the start or end of code in a line, where Markdown can show it.
    fn code_mark(&mut self, node: &NodeRef<'_>) {
        let text = node.text();
        if self.preformatted == 0 && !text.trim().is_empty() && !text.contains('`') {
            self.text.push('`');
        }
    }
}

impl List {
    fn of(node: &NodeRef<'_>, name: &str) -> Self {
        let style = attribute(node, "style").unwrap_or_default().replace(' ', "");
        let kind = attribute(node, "type").unwrap_or_default();
        let numbering = match kind.trim() {
            "a" => Numbering::LowerLetter,
            "A" => Numbering::UpperLetter,
            "i" => Numbering::LowerRoman,
            "I" => Numbering::UpperRoman,
            _ if style.contains("lower-alpha") || style.contains("lower-latin") => Numbering::LowerLetter,
            _ if style.contains("upper-alpha") || style.contains("upper-latin") => Numbering::UpperLetter,
            _ if style.contains("lower-roman") => Numbering::LowerRoman,
            _ if style.contains("upper-roman") => Numbering::UpperRoman,
            _ => Numbering::Decimal,
        };
        let reversed = node.has_attr("reversed");
        let items = || node.children_it(false).filter(|child| super::name(child) == "li").count();
        let first = || if reversed { i64::try_from(items()).unwrap_or(1) } else { 1 };
        let start =
            attribute(node, "start").and_then(|start| start.trim().parse().ok()).unwrap_or_else(first);
        let numbered =
            name == "ol" && !style.contains("list-style:none") && !style.contains("list-style-type:none");
        Self { next: numbered.then_some(start), step: if reversed { -1 } else { 1 }, numbering }
    }
}

/// Whether an element stands in a line of text, unless a style sets it apart.
pub(super) fn is_inline(name: &str) -> bool {
    INLINE.contains(&name) || CODE.contains(&name) || name.starts_with("ix:")
}
