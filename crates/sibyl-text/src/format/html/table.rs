//! Tables of a page: those that hold data, and those that only put things side by side.

use super::cascade::{ORDINARY, length};
use super::facts::Facts;
use super::stylesheet::declared;
use super::{Visit, attribute, name, walk};
use crate::format::table::{Cell, Kind, Table};
use crate::format::tidy::{tidy, unwrapped};
use dom_query::{NodeId, NodeRef};

/// Most letters of a cell of data.
const LONGEST_CELL: usize = 1_500;
/// Tables around a table from which it is a part of its cell.
const NESTED: usize = 8;
/// Elements that only a table used for layout holds.
const LAYOUT: &[&str] = &["h1", "h2", "h3", "h4", "h5", "h6", "pre", "form"];

/// A table of data.
pub(super) struct Data<'t> {
    pub(super) table: Table,
    /// Letters in its cells.
    pub(super) letters: usize,
    /// Tables of data that stand in its cells, each with the name of its row.
    pub(super) inner: Vec<(String, NodeRef<'t>)>,
}

/// The data of a table; `None` where it is used for layout.
pub(super) fn data<'t>(node: &NodeRef<'t>) -> Option<Data<'t>> {
    read(node, Cells { apart: true, ..Cells::default() })
}

fn read<'t>(node: &NodeRef<'t>, mut cells: Cells<'t>) -> Option<Data<'t>> {
    if attribute(node, "role").is_some_and(|role| matches!(role.as_str(), "presentation" | "none")) {
        return None;
    }
    walk(node, &mut cells);
    let layout = cells.layout || (cells.nested && !cells.holds_figures() && !cells.names_texts());
    let Cells { rows, named, letters, inner, .. } = cells;
    let widest = rows.iter().map(Vec::len).max().unwrap_or(0);
    let declared = named.iter().any(|named| *named);
    let long = rows.iter().flatten().any(|cell| cell.text.len() > LONGEST_CELL);
    if layout || (!declared && (widest < 2 || rows.len() < 2 || long || is_list(&rows))) {
        return None;
    }
    let declared = named.iter().take_while(|named| **named).count();
    let name = |row: usize| rows.get(row).and_then(|row| row.first()).map(|cell| tidy(&cell.text));
    let inner = inner.into_iter().map(|(row, node)| (name(row).unwrap_or_default(), node)).collect();
    Some(Data { table: Table { rows, declared, ..Table::default() }, letters, inner })
}

/// Tells `facts` of the values that a table of data tags outside of its `inner` tables, and `end` of its text at the end.
pub(super) fn facts<'t>(
    node: &NodeRef<'t>,
    inner: &[(String, NodeRef<'t>)],
    facts: &mut Facts,
    end: impl FnOnce(&mut Facts, &str),
) {
    let inner: Vec<NodeId> = inner.iter().map(|(_, node)| node.id).collect();
    let mut tagged = Tagged { facts, inner, text: String::new() };
    walk(node, &mut tagged);
    let Tagged { facts, text, .. } = tagged;
    end(facts, &text);
}

/// Collects the text of a table with what is tagged in it.
struct Tagged<'f> {
    facts: &'f mut Facts,
    /// Tables in it that are read by themselves.
    inner: Vec<NodeId>,
    text: String,
}

impl<'t> Visit<'t> for Tagged<'_> {
    fn enter(&mut self, node: &NodeRef<'t>) -> bool {
        if node.is_text() {
            self.text.push_str(&unwrapped(&node.text()));
            return true;
        }
        if self.inner.contains(&node.id) {
            return false;
        }
        if let Some(mark) = super::mark::raised_mark(node, &name(node)) {
            self.text.push_str(&mark);
            return false;
        }
        self.facts.enter(node, self.text.len());
        !matches!(name(node).as_str(), "caption" | "svg")
    }

    fn leave(&mut self, node: &NodeRef<'t>) {
        if node.is_text() {
            return;
        }
        self.facts.leave(node, self.text.len());
        if matches!(name(node).as_str(), "td" | "th" | "p" | "div" | "li" | "br") {
            self.text.push('\n');
        }
    }
}

/// How far right the text of a cell begins by its own style and that of the only element in it (tenths of a pixel).
fn indent(cell: &NodeRef<'_>) -> u32 {
    let inner = cell.first_element_child().filter(|inner| matches!(name(inner).as_str(), "p" | "div"));
    let set = |node: &NodeRef<'_>| -> f32 {
        let style = attribute(node, "style").unwrap_or_default().to_ascii_lowercase();
        let sides = declared(&style).filter_map(|(name, value, _)| {
            let side = match name {
                "padding-left" | "margin-left" | "text-indent" | "padding-inline-start" => value,
                "padding" | "margin" => {
                    let sides: Vec<&str> = value.split_whitespace().collect();
                    *sides.get(3).or(sides.get(1)).or(sides.first())?
                }
                _ => return None,
            };
            length(side)?.pixels(ORDINARY)
        });
        sides.sum()
    };
    let pixels = set(cell) + inner.as_ref().map_or(0.0, set);
    // A float becomes the nearest number that there is.
    (pixels * 10.0).round().max(0.0) as u32
}

/// Whether rows are the items of a list: a mark, and a text beside it.
fn is_list(rows: &[Vec<Cell>]) -> bool {
    rows.iter().all(|row| {
        let mut texts = row.iter().map(|cell| cell.text.trim()).filter(|text| !text.is_empty());
        let mark = texts.next().is_none_or(|mark| super::mark::mark(mark).is_some());
        mark && texts.nth(1).is_none()
    })
}

/// Collects the cells of a table.
#[derive(Default)]
struct Cells<'t> {
    rows: Vec<Vec<Cell>>,
    /// By row, whether it only names columns.
    named: Vec<bool>,
    /// Whether the row that is open stands in the table's head.
    head: bool,
    open: bool,
    letters: usize,
    layout: bool,
    /// Tables inside the cell that is open, and whether any cell holds one.
    depth: usize,
    nested: bool,
    /// Whether tables of data in cells are kept apart, and those, each with its row.
    apart: bool,
    inner: Vec<(usize, NodeRef<'t>)>,
}

impl<'t> Visit<'t> for Cells<'t> {
    fn enter(&mut self, node: &NodeRef<'t>) -> bool {
        if node.is_text() {
            let text = node.text();
            if self.open
                && let Some(cell) = self.rows.last_mut().and_then(|row| row.last_mut())
            {
                cell.text.push_str(&unwrapped(&text));
                self.letters += super::content::count(&text);
            } else if !text.trim().is_empty() {
                self.layout = true;
            }
            return true;
        }
        let name = name(node);
        self.layout |= LAYOUT.contains(&name.as_str());
        if let Some(mark) = super::mark::raised_mark(node, &name) {
            self.push(&mark);
            self.letters += super::content::count(&node.text());
            return false;
        }
        match name.as_str() {
            // Its texts stand in a picture, and not in the cell.
            "svg" => return false,
            "input" => self.push(super::mark::check_box(node)),
            "table" => {
                self.nested = true;
                let above = || node.ancestors_it(None).filter(|above| super::name(above) == "table").count();
                let own = self.apart
                    && self.open
                    && self.depth == 0
                    && above() < NESTED
                    && read(node, Cells::default()).is_some();
                if own {
                    self.inner.push((self.rows.len().saturating_sub(1), *node));
                    return false;
                }
                self.depth += 1;
            }
            // What a table in a cell says is a part of the cell.
            "tr" if self.depth > 0 => self.line_break(),
            "td" | "th" if self.depth > 0 => self.push(" "),
            "thead" | "tbody" if self.depth > 0 => {}
            "thead" => self.head = true,
            "tr" => {
                self.rows.push(Vec::new());
                self.named.push(true);
            }
            "td" | "th" => {
                if self.rows.is_empty() {
                    self.rows.push(Vec::new());
                    self.named.push(true);
                }
                let span =
                    |key| attribute(node, key).and_then(|value| value.trim().parse().ok()).unwrap_or(1);
                // Nought rows are all that are left.
                let rows = match span("rowspan") {
                    0 => usize::MAX,
                    rows => rows,
                };
                let marked = name == "th";
                let indent = indent(node);
                let cell = Cell { columns: span("colspan"), rows, marked, indent, ..Cell::new("") };
                if let (Some(row), Some(named)) = (self.rows.last_mut(), self.named.last_mut()) {
                    row.push(cell);
                    *named &= self.head || name == "th";
                }
                self.open = true;
            }
            "caption" => return false,
            "br" | "p" | "div" | "li" => self.line_break(),
            _ => {}
        }
        !self.layout
    }

    fn leave(&mut self, node: &NodeRef<'t>) {
        match name(node).as_str() {
            "table" => self.depth = self.depth.saturating_sub(1),
            "thead" if self.depth == 0 => self.head = false,
            "td" | "th" if self.depth == 0 => self.open = false,
            "p" | "div" | "li" => self.line_break(),
            _ => {}
        }
    }
}

impl Cells<'_> {
    fn push(&mut self, text: &str) {
        if let Some(cell) = self.rows.last_mut().and_then(|row| row.last_mut()).filter(|_| self.open) {
            cell.text.push_str(text);
        }
    }

    /// Whether at least two rows, and half of all, have a short label with figures of their own beside it.
    fn holds_figures(&self) -> bool {
        let figure = |cell: &Cell| Kind::of_text(&cell.text) == Kind::Value;
        let told = self.rows.iter().filter(|row| row.len() > 1 && row.iter().skip(1).any(figure)).count();
        told > 1 && told * 2 >= self.rows.len()
    }

    /// Whether a row of names stands above a row in which two cells at least say something beside the tables in others.
    fn names_texts(&self) -> bool {
        let named = self.named.iter().take_while(|named| **named).count();
        let texts = |row: &Vec<Cell>| row.iter().filter(|cell| !cell.text.trim().is_empty()).count();
        named > 0 && self.rows.iter().skip(named).any(|row| texts(row) > 1)
    }

    fn line_break(&mut self) {
        if self.open
            && let Some(cell) = self.rows.last_mut().and_then(|row| row.last_mut())
        {
            cell.text.push('\n');
        }
    }
}
