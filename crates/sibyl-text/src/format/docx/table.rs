//! Tables of a document.

use super::is_on;
use super::run::is_unfilled;
use crate::format::office::{attribute, below, element};
use crate::format::table::{Cell, Table};
use crate::language::cell::Kind;
use roxmltree::Node;
use std::collections::HashMap;

/// What reads the paragraphs in the cells of a table.
pub(super) trait Paragraphs {
    /// Whether something at `depth` is read.
    fn reaches(&mut self, depth: usize) -> bool;

    /// The text of a paragraph.
    fn cell_text(&mut self, paragraph: Node<'_, '_>, depth: usize) -> String;
}

/// Whether a table only puts text in its place: it is one column wide, or has tables in most of its cells and no figure
/// beside them.
pub(super) fn is_frame(table: Node<'_, '_>) -> bool {
    if children(table, "tr").all(|row| children(row, "tc").count() <= 1) {
        return true;
    }
    let holds_table = |cell: &Node<'_, '_>| cell.descendants().any(|node| node.tag_name().name() == "tbl");
    let is_figure = |cell: &Node<'_, '_>| {
        let texts = cell.descendants().filter(|node| node.tag_name().name() == "t").filter_map(|t| t.text());
        Kind::of_text(&texts.collect::<String>()).is_figure()
    };
    let (holding, plain): (Vec<_>, Vec<_>) = cells(table).partition(holds_table);
    let says = |cell: &&Node<'_, '_>| cell.descendants().any(|node| node.tag_name().name() == "t");
    !holding.is_empty() && plain.iter().filter(says).count() <= holding.len() && !plain.iter().any(is_figure)
}

/// The cells of a table, row by row.
pub(super) fn cells<'t, 'i: 't>(table: Node<'t, 'i>) -> impl Iterator<Item = Node<'t, 'i>> {
    children(table, "tr").flat_map(|row| children(row, "tc"))
}

/// Pages that Word turned within a table as it last laid it out. A row that goes over a page says so in each of its
/// cells.
pub(super) fn page_breaks(table: Node<'_, '_>) -> u32 {
    let breaks = |node: Node<'_, '_>| {
        let found = node.descendants().filter(|inner| inner.tag_name().name() == "lastRenderedPageBreak");
        u32::try_from(found.count()).unwrap_or(u32::MAX)
    };
    let of_row = |row| children(row, "tc").map(breaks).max().unwrap_or(0);
    children(table, "tr").map(of_row).fold(0, u32::saturating_add)
}

/// Reads a table.
pub(super) fn read(node: Node<'_, '_>, body: &mut dyn Paragraphs, depth: usize) -> Table {
    let mut table = Table::default();
    let mut headed = true;
    // By first column: row and place of the cell that extends downwards.
    let mut open: HashMap<usize, (usize, usize)> = HashMap::new();
    for row in children(node, "tr") {
        let properties = element(row, "trPr");
        if properties.is_some_and(|properties| element(properties, "del").is_some()) {
            continue;
        }
        let index = table.rows.len();
        let mut cells = Vec::new();
        let number = |path: &[&str], node| {
            let value = below(node, path).and_then(|found| attribute(found, "val"));
            value.and_then(|value| value.parse::<usize>().ok())
        };
        let mut column = number(&["trPr", "gridBefore"], row).unwrap_or(0).min(64);
        cells.extend((0..column).map(|_| Cell::new("")));
        for cell in children(row, "tc") {
            let columns = number(&["tcPr", "gridSpan"], cell).unwrap_or(1).max(1);
            let merge = below(cell, &["tcPr", "vMerge"]);
            let goes_on =
                merge.is_some_and(|merge| attribute(merge, "val").unwrap_or("continue") == "continue");
            match open.get(&column).filter(|_| goes_on) {
                Some(&(row, place)) => table.rows[row][place].rows = index - row + 1,
                None => {
                    if merge.is_some() {
                        open.insert(column, (index, cells.len()));
                    } else {
                        open.remove(&column);
                    }
                    let marked = is_marked(cell);
                    let indent = indent(cell);
                    cells.push(Cell { columns, marked, indent, ..Cell::new(text(cell, body, depth)) });
                }
            }
            column += columns;
        }
        headed = headed && is_on(properties, "tblHeader");
        table.declared += usize::from(headed);
        table.rows.push(cells);
    }
    table
}

/// How far right the first line of a cell begins (twentieths of a point).
fn indent(cell: Node<'_, '_>) -> u32 {
    let set = below(cell, &["p", "pPr", "ind"]);
    let twips = |name: &str| set.and_then(|set| attribute(set, name)?.parse::<i64>().ok()).unwrap_or(0);
    let begins = twips("left").max(twips("start")) + twips("firstLine") - twips("hanging");
    u32::try_from(begins).unwrap_or(0)
}

/// Whether a cell is filled, or all that it says is bold.
fn is_marked(cell: Node<'_, '_>) -> bool {
    let fill = below(cell, &["tcPr", "shd"]).and_then(|shade| attribute(shade, "fill")).unwrap_or("auto");
    let runs = cell.descendants().filter(|node| node.tag_name().name() == "r");
    let mut said = runs.filter(|run| element(*run, "t").is_some()).peekable();
    let bold = said.peek().is_some() && said.all(|run| is_on(element(run, "rPr"), "b"));
    bold || !matches!(fill.to_ascii_lowercase().as_str(), "auto" | "ffffff")
}

/// The text of a cell or text box: its paragraphs, and those of tables in it.
pub(super) fn text(cell: Node<'_, '_>, body: &mut dyn Paragraphs, depth: usize) -> String {
    let mut out = String::new();
    if !body.reaches(depth) {
        return out;
    }
    for child in cell.children().filter(Node::is_element) {
        let text = match child.tag_name().name() {
            "p" => body.cell_text(child, depth),
            "tbl" => {
                let rows = children(child, "tr").map(|row| {
                    let cells = children(row, "tc").map(|cell| text(cell, body, depth + 1));
                    cells.collect::<Vec<_>>().join(" ").replace('\n', " ")
                });
                rows.collect::<Vec<_>>().join("\n")
            }
            "sdt" if is_unfilled(child) => continue,
            "sdt" | "sdtContent" | "ins" | "moveTo" | "customXml" => text(child, body, depth + 1),
            _ => continue,
        };
        if !out.is_empty() && !text.trim().is_empty() {
            out.push('\n');
        }
        out.push_str(&text);
    }
    out
}

/// Rows of a table, or cells of a row, also those in content controls.
fn children<'t, 'i: 't>(node: Node<'t, 'i>, name: &'static str) -> impl Iterator<Item = Node<'t, 'i>> {
    node.children().filter(Node::is_element).flat_map(move |child| match child.tag_name().name() {
        "sdt" => element(child, "sdtContent").map(|content| found(content, name)).unwrap_or_default(),
        "ins" | "customXml" => found(child, name),
        own if own == name => vec![child],
        _ => Vec::new(),
    })
}

fn found<'t, 'i>(node: Node<'t, 'i>, name: &str) -> Vec<Node<'t, 'i>> {
    node.children().filter(|child| child.tag_name().name() == name).collect()
}
