//! OpenDocument spreadsheets: cells as they are shown.

use super::{Hidden, Sheet};
use crate::document::{Document, Notice};
use crate::format::builder::DocumentBuilder;
use crate::format::office::{self, ODS, Parts, attribute, below, element, elements, refused};
use crate::format::{Format, Input};
use roxmltree::Node;
use serde_json::Map;
use std::collections::{HashMap, HashSet};

/// Most times a filled cell or row is repeated; the empty rest of a sheet is one row repeated a million times.
const MOST_REPEATED: u32 = 1_000;

/// OpenDocument spreadsheets.
#[derive(Debug, Clone, Copy, Default)]
pub struct Ods;

impl Format for Ods {
    fn name(&self) -> &'static str {
        "ods"
    }
    fn label(&self) -> &'static str {
        "OpenDocument"
    }
    fn version(&self) -> u32 {
        8
    }
    fn extensions(&self) -> &'static [&'static str] {
        ODS.extensions
    }
    fn recognises(&self, input: &Input<'_>) -> bool {
        office::is(input, &ODS)
    }
    fn untrusted(&self) -> bool {
        true
    }
    fn parse(&self, input: &Input<'_>, _: &[String]) -> Document {
        read(input).unwrap_or_else(refused)
    }
}

fn read(input: &Input<'_>) -> Result<Document, Notice> {
    let mut parts = Parts::open(input, ODS)?;
    let manifest = parts.text("META-INF/manifest.xml")?.unwrap_or_default();
    if manifest.contains("encryption-data") {
        return Err(office::encrypted(ODS));
    }
    let text = parts.text(ODS.main)?.ok_or_else(|| office::broken(ODS))?;
    let tree = office::parse(&text, ODS)?;
    let sheets = below(tree.root_element(), &["body", "spreadsheet"]).ok_or_else(|| office::broken(ODS))?;
    let unseen = hidden_styles(tree.root_element());
    let looks =
        Looks { withdrawn: withdrawn_styles(tree.root_element()), indents: indents(tree.root_element()) };
    let mut out = DocumentBuilder::default();
    let (mut hidden, mut left_out, mut told) = (Vec::new(), Hidden::default(), Vec::new());
    for table in elements(sheets, "table") {
        let name = attribute(table, "name").unwrap_or("Sheet");
        if attribute(table, "style-name").is_some_and(|style| unseen.contains(style)) {
            hidden.push(name.to_owned());
        } else {
            let sheet = sheet(table, &looks);
            left_out.count(name, &sheet.hidden, &mut told);
            out.sheet(name);
            super::write(&mut out, name, &sheet);
        }
    }
    let mut notices = std::mem::take(&mut parts.notices);
    notices.extend(super::hidden_notice(&hidden));
    notices.extend(left_out.notices(&told));
    notices.extend(office::comments_left_out(elements_named(sheets, "annotation")));
    let title = input.name.rsplit_once('.').map_or(input.name, |(stem, _)| stem).to_owned();
    Ok(out.finish(Some(title), Map::new(), notices))
}

/// Styles whose sheets are hidden.
fn hidden_styles<'t>(root: Node<'t, 't>) -> HashSet<&'t str> {
    let styles = elements(root, "automatic-styles").flat_map(|holder| elements(holder, "style"));
    let hides = |style: &Node<'_, '_>| {
        below(*style, &["table-properties"]).and_then(|table| attribute(table, "display")) == Some("false")
    };
    styles.filter(hides).filter_map(|style| attribute(style, "name")).collect()
}

/// Styles of cells whose text is struck through, or white on white.
fn withdrawn_styles<'t>(root: Node<'t, 't>) -> HashSet<&'t str> {
    let styles = elements(root, "automatic-styles").flat_map(|holder| elements(holder, "style"));
    let withdraws = |style: &Node<'_, '_>| {
        let said =
            |properties: &str, name| element(*style, properties).and_then(|found| attribute(found, name));
        let white = |color: &str| color.eq_ignore_ascii_case("#ffffff");
        let struck = said("text-properties", "text-line-through-style").is_some_and(|line| line != "none");
        let filled = said("table-cell-properties", "background-color");
        let filled = filled.is_some_and(|color| color != "transparent" && !white(color));
        // The style that it follows may fill the cell.
        let alone = attribute(*style, "parent-style-name").is_none_or(|parent| parent == "Default");
        struck || (alone && !filled && said("text-properties", "color").is_some_and(white))
    };
    styles.filter(withdraws).filter_map(|style| attribute(style, "name")).collect()
}

fn sheet(table: Node<'_, '_>, looks: &Looks<'_>) -> Sheet {
    let mut sheet = Sheet::default();
    let unseen = |node| matches!(attribute(node, "visibility"), Some("collapse" | "filter"));
    let mut column = 0_u32;
    for node in table.descendants().filter(|node| node.tag_name().name() == "table-column") {
        let repeated = repeated(node, "number-columns-repeated");
        if unseen(node) {
            sheet.hidden.columns.push((column, column.saturating_add(repeated - 1)));
        }
        column = column.saturating_add(repeated);
    }
    let mut row = 0_u32;
    let rows = table.descendants().filter(|node| node.tag_name().name() == "table-row");
    for node in rows {
        let repeated = repeated(node, "number-rows-repeated");
        if unseen(node) {
            sheet.hidden.rows.push((row, row.saturating_add(repeated - 1)));
        }
        let filled = fill(&mut sheet, node, row, looks);
        for copy in 1..if filled { repeated.min(MOST_REPEATED) } else { 1 } {
            fill(&mut sheet, node, row.saturating_add(copy), looks);
        }
        row = row.saturating_add(repeated);
    }
    sheet
}

/// What styles of cells say of them.
struct Looks<'t> {
    /// Those whose text is struck through, or white on white.
    withdrawn: HashSet<&'t str>,
    /// How far right they begin it, where not at once.
    indents: HashMap<&'t str, u32>,
}

/// How far right the styles below `root` begin the texts of cells.
fn indents<'t>(root: Node<'t, 't>) -> HashMap<&'t str, u32> {
    let styles = elements(root, "automatic-styles").flat_map(|holder| elements(holder, "style"));
    let set = styles.filter_map(|style| Some((attribute(style, "name")?, office::indent_of(style))));
    set.filter(|(_, indent)| *indent > 0).collect()
}

/// Sets the cells of a row; whether it has any.
fn fill(sheet: &mut Sheet, node: Node<'_, '_>, row: u32, looks: &Looks<'_>) -> bool {
    let mut column = 0_u32;
    let mut filled = false;
    for cell in node.children().filter(Node::is_element) {
        let repeated = repeated(cell, "number-columns-repeated");
        let lines = elements(cell, "p").map(text).collect::<Vec<_>>();
        let shown = lines.join("\n");
        let says = !shown.trim().is_empty();
        let style = attribute(cell, "style-name");
        if says && style.is_some_and(|style| looks.withdrawn.contains(style)) {
            sheet.hidden.cells += 1;
        } else if says {
            filled = true;
            for copy in 0..repeated.min(MOST_REPEATED) {
                let column = column.saturating_add(copy);
                sheet.set(row, column, &shown);
                if let Some(indent) = style.and_then(|style| looks.indents.get(style)) {
                    *sheet.indents.entry((row, column)).or_default() += indent;
                }
            }
        }
        let span = |name| attribute(cell, name).and_then(|span| span.parse::<usize>().ok()).unwrap_or(1);
        let size = (span("number-rows-spanned"), span("number-columns-spanned"));
        if size != (1, 1) {
            sheet.merged.insert((row, column), size);
        }
        column = column.saturating_add(repeated);
    }
    filled
}

fn repeated(node: Node<'_, '_>, name: &str) -> u32 {
    attribute(node, name).and_then(|count| count.parse().ok()).unwrap_or(1).max(1)
}

/// How many elements called `name` stand below `node`.
fn elements_named(node: Node<'_, '_>, name: &str) -> usize {
    node.descendants().filter(|inner| inner.tag_name().name() == name).count()
}

/// The text of a paragraph.
fn text(line: Node<'_, '_>) -> String {
    line.descendants()
        .map(|node| match node.tag_name().name() {
            "s" | "tab" => " ",
            "line-break" => "\n",
            _ if node.is_text() => node.text().unwrap_or_default(),
            _ => "",
        })
        .collect()
}
