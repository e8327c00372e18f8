//! Tables of a workbook.

use super::Format;
use super::content::Content;
use super::grid::{Cell, Role};
use super::office::archive;
use std::collections::BTreeMap;

const MAIN: &str = r#"xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main""#;
const LINKS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006/relationships";
/// Whole numbers with commas, and numbers with one place behind the point.
const STYLES: &str = r##"<numFmts count="1"><numFmt numFmtId="170" formatCode="0.0"/></numFmts>
  <fonts count="1"><font><sz val="11"/></font></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders>
  <cellStyleXfs count="1"><xf numFmtId="0"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0"/>
  <xf numFmtId="3" applyNumberFormat="1"/><xf numFmtId="170" applyNumberFormat="1"/></cellXfs>"##;

/// The workbook in which `contents` stand side by side on one sheet.
pub(super) fn set(format: Format, contents: &[Content]) -> Vec<u8> {
    let mut lines: BTreeMap<usize, String> = BTreeMap::new();
    let mut shared = Vec::new();
    let mut merges = String::new();
    let mut left = 0;
    for content in contents {
        *lines.entry(1).or_default() +=
            &written(&mut shared, left, 1, &Cell::new(0, Role::Corner, &content.title));
        for (at, row) in content.rows.iter().enumerate() {
            let number = at + 2;
            for cell in &row.cells {
                *lines.entry(number).or_default() += &written(&mut shared, left, number, cell);
                if format == Format::MergedXlsx && cell.columns * cell.rows > 1 {
                    let first = place(left + cell.at, number);
                    let last = place(left + cell.at + cell.columns - 1, number + cell.rows - 1);
                    merges += &format!("<mergeCell ref=\"{first}:{last}\"/>");
                }
            }
        }
        left += content.columns.len() + 1;
    }
    if let Some(note) = contents.iter().find_map(|content| content.note) {
        let number = lines.len() + 2;
        let text = format!("1 {note}");
        *lines.entry(number).or_default() +=
            &written(&mut shared, 0, number, &Cell::new(0, Role::Label, &text));
    }
    let rows: String = lines.iter().map(|(at, cells)| format!(r#"<row r="{at}">{cells}</row>"#)).collect();
    let merges = if merges.is_empty() { merges } else { format!("<mergeCells>{merges}</mergeCells>") };
    let sheet = format!("<worksheet {MAIN}><sheetData>{rows}</sheetData>{merges}</worksheet>");
    archive(&[
        ("[Content_Types].xml", "<Types/>"),
        ("_rels/.rels", &links(&[("b", "officeDocument", "xl/workbook.xml")])),
        (
            "xl/workbook.xml",
            &format!(
                r#"<workbook {MAIN} xmlns:r="{LINKS}"><sheets><sheet name="Data" sheetId="1" r:id="rId1"/></sheets></workbook>"#
            ),
        ),
        (
            "xl/_rels/workbook.xml.rels",
            &links(&[
                ("rId1", "worksheet", "worksheets/sheet1.xml"),
                ("t", "styles", "styles.xml"),
                ("s", "sharedStrings", "sharedStrings.xml"),
            ]),
        ),
        ("xl/sharedStrings.xml", &format!("<sst {MAIN}>{}</sst>", shared.concat())),
        ("xl/styles.xml", &format!("<styleSheet {MAIN}>{STYLES}</styleSheet>")),
        ("xl/worksheets/sheet1.xml", &sheet),
    ])
}

fn links(all: &[(&str, &str, &str)]) -> String {
    let link = |(id, kind, target): &(&str, &str, &str)| {
        format!(r#"<Relationship Id="{id}" Type="{LINKS}/{kind}" Target="{target}"/>"#)
    };
    let all: String = all.iter().map(link).collect();
    format!(r#"<Relationships xmlns="{PACKAGE}">{all}</Relationships>"#)
}

fn place(column: usize, row: usize) -> String {
    let letter = char::from(b'A' + u8::try_from(column).expect("a column with one letter"));
    format!("{letter}{row}")
}

/// A cell as the file has it: numbers with their format, texts with marks among those that are `shared`, all else as text.
fn written(shared: &mut Vec<String>, left: usize, row: usize, cell: &Cell) -> String {
    let at = place(left + cell.at, row);
    let plain = cell.text.replace(',', "");
    let digits = plain.chars().all(|c| c.is_ascii_digit() || c == '.') && plain.matches('.').count() < 2;
    if matches!(cell.role, Role::Value | Role::Name) && digits {
        let style = match () {
            () if cell.text.contains('.') => 2,
            () if cell.text.contains(',') => 1,
            () => 0,
        };
        return format!(r#"<c r="{at}" s="{style}"><v>{plain}</v></c>"#);
    }
    let indent = if cell.indented { "   " } else { "" };
    let text = format!("<t xml:space=\"preserve\">{indent}{}</t>", cell.text);
    let Some(mark) = cell.mark else {
        return format!(r#"<c r="{at}" t="inlineStr"><is>{text}</is></c>"#);
    };
    shared.push(format!(
        "<si><r>{text}</r><r><rPr><vertAlign val=\"superscript\"/></rPr><t>{mark}</t></r></si>"
    ));
    format!(r#"<c r="{at}" t="s"><v>{}</v></c>"#, shared.len() - 1)
}
