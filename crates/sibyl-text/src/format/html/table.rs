//! Tables of a page: those that hold data, and those that only put things side by side.

use super::facts::Facts;
use super::{Visit, attribute, name, walk};
use crate::format::table::{Cell, Kind, Table};
use crate::format::tidy::unwrapped;
use dom_query::NodeRef;

/// Most letters of a cell of data.
const LONGEST_CELL: usize = 1_500;
/// Elements that only a table used for layout holds.
const LAYOUT: &[&str] = &["h1", "h2", "h3", "h4", "h5", "h6", "pre", "form"];

/// The data of a table; `None` where it is used for layout.
pub(super) fn data(node: &NodeRef<'_>) -> Option<(Table, usize)> {
    if attribute(node, "role").is_some_and(|role| matches!(role.as_str(), "presentation" | "none")) {
        return None;
    }
    let mut cells = Cells::default();
    walk(node, &mut cells);
    let layout = cells.layout || (cells.nested && !cells.holds_figures());
    let Cells { rows, named, letters, .. } = cells;
    let widest = rows.iter().map(Vec::len).max().unwrap_or(0);
    let declared = named.iter().any(|named| *named);
    let long = rows.iter().flatten().any(|cell| cell.text.len() > LONGEST_CELL);
    if layout || (!declared && (widest < 2 || rows.len() < 2 || long || is_list(&rows))) {
        return None;
    }
    let declared = named.iter().take_while(|named| **named).count();
    Some((Table { rows, declared, ..Table::default() }, letters))
}

/// Tells `facts` of the values that a table of data tags, and `end` of its text at the end.
pub(super) fn facts(node: &NodeRef<'_>, facts: &mut Facts, end: impl FnOnce(&mut Facts, &str)) {
    let mut tagged = Tagged { facts, text: String::new() };
    walk(node, &mut tagged);
    let Tagged { facts, text } = tagged;
    end(facts, &text);
}

/// Collects the text of a table with what is tagged in it.
struct Tagged<'f> {
    facts: &'f mut Facts,
    text: String,
}

impl Visit for Tagged<'_> {
    fn enter(&mut self, node: &NodeRef<'_>) -> bool {
        if node.is_text() {
            self.text.push_str(&unwrapped(&node.text()));
            return true;
        }
        if let Some(mark) = super::mark::raised_mark(node, &name(node)) {
            self.text.push_str(&mark);
            return false;
        }
        self.facts.enter(node, self.text.len());
        !matches!(name(node).as_str(), "caption" | "svg")
    }

    fn leave(&mut self, node: &NodeRef<'_>) {
        if node.is_text() {
            return;
        }
        self.facts.leave(node, self.text.len());
        if matches!(name(node).as_str(), "td" | "th" | "p" | "div" | "li" | "br") {
            self.text.push('\n');
        }
    }
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
struct Cells {
    rows: Vec<Vec<Cell>>,
    /// By row, whether it only names columns.
    named: Vec<bool>,
    /// Whether the row that is open stands in the table's head.
    head: bool,
    open: bool,
    letters: usize,
    layout: bool,
    /// Tables inside the cell that is open, and whether any cell holds one.
    inner: usize,
    nested: bool,
}

impl Visit for Cells {
    fn enter(&mut self, node: &NodeRef<'_>) -> bool {
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
                self.inner += 1;
                self.nested = true;
            }
            // What a table in a cell says is a part of the cell.
            "tr" if self.inner > 0 => self.line_break(),
            "td" | "th" if self.inner > 0 => self.push(" "),
            "thead" | "tbody" if self.inner > 0 => {}
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
                let cell = Cell { columns: span("colspan"), rows, marked, ..Cell::new("") };
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

    fn leave(&mut self, node: &NodeRef<'_>) {
        match name(node).as_str() {
            "table" => self.inner = self.inner.saturating_sub(1),
            "thead" if self.inner == 0 => self.head = false,
            "td" | "th" if self.inner == 0 => self.open = false,
            "p" | "div" | "li" => self.line_break(),
            _ => {}
        }
    }
}

impl Cells {
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

    fn line_break(&mut self) {
        if self.open
            && let Some(cell) = self.rows.last_mut().and_then(|row| row.last_mut())
        {
            cell.text.push('\n');
        }
    }
}
