//! Tables of a slide.

use super::content::Content;
use super::grid::{Cell, Slot, slots};
use super::office::archive;

/// The presentation in which `content` stands on a slide.
pub(super) fn set(content: &Content) -> Vec<u8> {
    let rows: String = slots(&content.rows, content.columns.len())
        .iter()
        .map(|slots| format!("<a:tr>{}</a:tr>", slots.iter().map(cell).collect::<String>()))
        .collect();
    let shape = |kind: &str, text: &str| {
        format!(
            "<p:sp><p:nvSpPr><p:nvPr>{kind}</p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:p>{text}</a:p></p:txBody></p:sp>"
        )
    };
    let note =
        content.note.map(|note| shape("", &[run("1", true), run(&format!(" {note}"), false)].concat()));
    let shapes = [
        shape("<p:ph type=\"title\"/>", &run(&content.title, false)),
        format!(
            "<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tblPr firstRow=\"1\"/>{rows}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
        ),
        note.unwrap_or_default(),
    ]
    .concat();
    let names = r#"xmlns:a="a" xmlns:p="p" xmlns:r="r""#;
    archive(&[
        ("[Content_Types].xml", "<Types/>"),
        (
            "ppt/slides/slide1.xml",
            &format!("<p:sld {names}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>"),
        ),
        (
            "ppt/presentation.xml",
            &format!(
                r#"<p:presentation {names}><p:sldIdLst><p:sldId id="256" r:id="rId1"/></p:sldIdLst></p:presentation>"#
            ),
        ),
        (
            "ppt/_rels/presentation.xml.rels",
            r#"<Relationships><Relationship Id="rId1" Type="t/slide" Target="slides/slide1.xml"/></Relationships>"#,
        ),
    ])
}

fn run(text: &str, raised: bool) -> String {
    let properties = if raised { "<a:rPr baseline=\"30000\"/>" } else { "" };
    format!("<a:r>{properties}<a:t>{text}</a:t></a:r>")
}

fn cell(slot: &Slot<'_>) -> String {
    match slot {
        Slot::Begins(cell) => format!(
            "<a:tc gridSpan=\"{}\" rowSpan=\"{}\"><a:txBody><a:p>{}</a:p></a:txBody></a:tc>",
            cell.columns,
            cell.rows,
            said(cell)
        ),
        Slot::Across => "<a:tc hMerge=\"1\"><a:txBody/></a:tc>".to_owned(),
        Slot::Down(_) => "<a:tc vMerge=\"1\"><a:txBody/></a:tc>".to_owned(),
        Slot::Free => "<a:tc><a:txBody><a:p/></a:txBody></a:tc>".to_owned(),
    }
}

fn said(cell: &Cell) -> String {
    let level = if cell.indented { "<a:pPr lvl=\"1\"/>" } else { "" };
    let mark = cell.mark.map(|mark| run(mark, true)).unwrap_or_default();
    [level.to_owned(), run(&cell.text, false), mark].concat()
}
