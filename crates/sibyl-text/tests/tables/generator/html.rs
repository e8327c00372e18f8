//! Tables of a page.

use super::Format;
use super::content::Content;
use super::element::Element;
use super::grid::{Cell, Kind, Role, Row, Slot, slots};
use std::collections::BTreeSet;

/// The page on which `contents` stand.
pub(super) fn set(format: Format, elements: &BTreeSet<Element>, contents: &[Content]) -> Vec<u8> {
    let marked = format == Format::MarkedHtml;
    let table = |content: &Content| table(content, marked, elements);
    let set: String = match contents {
        [one] => titled(one, &table(one)),
        both => {
            let cells: String =
                both.iter().map(|one| format!("<td>{}</td>", titled(one, &table(one)))).collect();
            format!("<table><tr>{cells}</tr></table>")
        }
    };
    let note = contents.iter().find_map(|content| content.note);
    let note = note.map(|note| format!("<p><sup>1</sup> {note}</p>")).unwrap_or_default();
    format!("<html><body><h1>Report of the year</h1><p>The figures below are those of all sites.</p>{set}{note}</body></html>")
        .into_bytes()
}

fn titled(content: &Content, table: &str) -> String {
    format!("<p>{}</p>{table}", content.title)
}

fn table(content: &Content, marked: bool, elements: &BTreeSet<Element>) -> String {
    let rows: Vec<String> = slots(&content.rows, content.columns.len())
        .iter()
        .zip(&content.rows)
        .enumerate()
        .map(|(at, (slots, row))| {
            let nested = elements.contains(&Element::Nested) && at + 1 == content.rows.len();
            line(slots, row, marked, elements.contains(&Element::Filled), nested)
        })
        .collect();
    let (head, body) = rows.split_at(content.heads);
    if marked {
        return format!("<table><thead>{}</thead><tbody>{}</tbody></table>", head.concat(), body.concat());
    }
    format!("<table>{}</table>", rows.concat())
}

fn line(slots: &[Slot<'_>], row: &Row, marked: bool, filled: bool, nested: bool) -> String {
    let names = row.kind == Kind::Names;
    let tag = if names && marked { "th" } else { "td" };
    let style = if names && filled { " style=\"background-color:#cde\"" } else { "" };
    let cells: String = slots
        .iter()
        .map(|slot| match slot {
            Slot::Begins(cell) => {
                let span = |name: &str, count: usize| match count {
                    1 => String::new(),
                    count => format!(" {name}=\"{count}\""),
                };
                let spans = [span("colspan", cell.columns), span("rowspan", cell.rows)].concat();
                format!("<{tag}{spans}{style}>{}</{tag}>", said(cell, nested))
            }
            Slot::Free => format!("<{tag}{style}></{tag}>"),
            Slot::Across | Slot::Down(_) => String::new(),
        })
        .collect();
    format!("<tr>{cells}</tr>")
}

fn said(cell: &Cell, nested: bool) -> String {
    let mark = cell.mark.map(|mark| format!("<sup>{mark}</sup>")).unwrap_or_default();
    let text = format!("{}{mark}", cell.text);
    match cell.role {
        Role::Label if nested => {
            format!("<table><tr><td>{text}</td></tr></table>")
        }
        _ if cell.indented => format!("<div style=\"padding-left:12px\">{text}</div>"),
        _ => text,
    }
}
