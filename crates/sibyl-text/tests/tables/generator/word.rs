//! Tables of a Word document.

use super::Format;
use super::content::Content;
use super::grid::{Cell, Kind, Slot, slots};
use super::office::{NAMESPACES, archive};

/// The document in which `content` stands.
pub(super) fn set(format: Format, content: &Content) -> Vec<u8> {
    let rows: String = slots(&content.rows, content.columns.len())
        .iter()
        .zip(&content.rows)
        .enumerate()
        .map(|(at, (slots, row))| {
            let header = format == Format::MarkedDocx && at < content.heads;
            let header = if header { "<w:trPr><w:tblHeader/></w:trPr>" } else { "" };
            let bold = format == Format::MarkedDocx && row.kind == Kind::Names;
            let cells: String = slots.iter().map(|slot| cell(slot, bold)).collect();
            format!("<w:tr>{header}{cells}</w:tr>")
        })
        .collect();
    let paragraph = |text: &str| format!("<w:p>{}</w:p>", run(text, ""));
    let note =
        content.note.map(|note| format!("<w:p>{}{}</w:p>", run("1", RAISED), run(&format!(" {note}"), "")));
    let body = [
        paragraph("The figures below are those of all sites."),
        paragraph(&content.title),
        format!("<w:tbl>{rows}</w:tbl>"),
        note.unwrap_or_default(),
    ]
    .concat();
    archive(&[
        ("[Content_Types].xml", "<Types/>"),
        ("word/document.xml", &format!("<w:document {NAMESPACES}><w:body>{body}</w:body></w:document>")),
    ])
}

const RAISED: &str = "<w:vertAlign w:val=\"superscript\"/>";

fn run(text: &str, properties: &str) -> String {
    format!("<w:r><w:rPr>{properties}</w:rPr><w:t xml:space=\"preserve\">{text}</w:t></w:r>")
}

fn cell(slot: &Slot<'_>, bold: bool) -> String {
    let tc = |columns: usize, merge: &str, said: &str| {
        format!("<w:tc><w:tcPr><w:gridSpan w:val=\"{columns}\"/>{merge}</w:tcPr><w:p>{said}</w:p></w:tc>")
    };
    match slot {
        Slot::Begins(cell) => {
            let merge = if cell.rows > 1 { "<w:vMerge w:val=\"restart\"/>" } else { "" };
            tc(cell.columns, merge, &said(cell, bold))
        }
        Slot::Down(columns) => tc(*columns, "<w:vMerge/>", ""),
        Slot::Free => tc(1, "", ""),
        Slot::Across => String::new(),
    }
}

fn said(cell: &Cell, bold: bool) -> String {
    let indent = if cell.indented { "<w:pPr><w:ind w:left=\"240\"/></w:pPr>" } else { "" };
    let mark = cell.mark.map(|mark| run(mark, RAISED)).unwrap_or_default();
    format!("{indent}{}{mark}", run(&cell.text, if bold { "<w:b/>" } else { "" }))
}
