//! Rows of tables that begin further right than the row above belong to it, however their file sets that.

use crate::docx::{made, p};
use crate::office::archive;
use crate::read;
use crate::sheet::workbook;

/// Asserts that a table of two sources, the first with a part of it, is read from the file called `name`.
fn is_told(name: &str, bytes: &[u8]) {
    let document = read(name, bytes);
    let told: Vec<(String, &str)> = sibyl_text::figure::figures(&document)
        .iter()
        .map(|figure| (figure.label.join(" > "), figure.printed(&document.text)))
        .collect();
    let expected =
        [("Mains".to_owned(), "402.3"), ("Mains > Pumps".to_owned(), "288.1"), ("Wells".to_owned(), "188.9")];
    assert_eq!(told, expected, "{name}: {}", document.text);
}

#[test]
fn in_documents() {
    let cell = |properties: &str, text: &str| format!("<w:tc>{}</w:tc>", p(properties, text));
    let row = |properties: &str, name: &str, value: &str| {
        format!("<w:tr>{}{}</w:tr>", cell(properties, name), cell("", value))
    };
    for part in [
        r#"<w:ind w:left="284"/>"#,
        r#"<w:ind w:left="400" w:hanging="116"/>"#,
        r#"<w:ind w:firstLine="200"/>"#,
    ] {
        let rows =
            row("", "Source", "Energy (GWh)") + &row("", "Mains", "402.3") + &row(part, "Pumps", "288.1");
        let table = format!("<w:tbl>{rows}{}</w:tbl>", row("", "Wells", "188.9"));
        is_told("report.docx", &made(&table));
    }
}

#[test]
fn in_workbooks() {
    let cell = |at: &str, style: u32, text: &str| {
        format!(r#"<c r="{at}" s="{style}" t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>"#)
    };
    let value = |at: &str, number: &str| format!(r#"<c r="{at}"><v>{number}</v></c>"#);
    for (style, part) in [(9, "Pumps"), (0, "   Pumps")] {
        let rows = [
            cell("A1", 0, "Source") + &cell("B1", 0, "Energy (GWh)"),
            cell("A2", 0, "Mains") + &value("B2", "402.3"),
            cell("A3", style, part) + &value("B3", "288.1"),
            cell("A4", 0, "Wells") + &value("B4", "188.9"),
        ];
        let rows: String =
            rows.iter().enumerate().map(|(at, row)| format!(r#"<row r="{}">{row}</row>"#, at + 1)).collect();
        is_told("report.xlsx", &workbook(&[("Energy", "visible", &rows, "")]));
    }
    is_told("report.csv", b"Source,Energy (GWh)\nMains,402.3\n  Pumps,288.1\nWells,188.9\n");
}

#[test]
fn in_open_documents() {
    const STYLES: &str = "<office:automatic-styles><style:style style:name='I'><style:paragraph-properties fo:margin-left='0.5cm'/>\
                          </style:style></office:automatic-styles>";
    const NAMES: &str = "xmlns:office='o' xmlns:text='t' xmlns:table='b' xmlns:style='s' xmlns:fo='f'";
    // A text styles its paragraphs, and a sheet its cells.
    for (name, kind, body, [cell, paragraph]) in [
        ("report.odt", "text", "office:text", ["", " text:style-name='I'"]),
        ("report.ods", "spreadsheet", "office:spreadsheet", [" table:style-name='I'", ""]),
    ] {
        let row = |set: bool, name: &str, value: &str| {
            let [cell, paragraph] = if set { [cell, paragraph] } else { [""; 2] };
            format!(
                "<table:table-row><table:table-cell{cell}><text:p{paragraph}>{name}</text:p></table:table-cell>\
                 <table:table-cell><text:p>{value}</text:p></table:table-cell></table:table-row>"
            )
        };
        let rows = row(false, "Source", "Energy (GWh)")
            + &row(false, "Mains", "402.3")
            + &row(true, "Pumps", "288.1")
            + &row(false, "Wells", "188.9");
        let content = format!(
            "<office:document-content {NAMES}>{STYLES}<office:body><{body}><table:table table:name='Energy'>{rows}</table:table>\
             </{body}></office:body></office:document-content>"
        );
        let mime = format!("application/vnd.oasis.opendocument.{kind}");
        is_told(name, &archive(&[("mimetype", &mime), ("content.xml", &content)]));
    }
}

#[test]
fn on_pages() {
    for part in [
        r#"<td style="padding-left: 12pt">Pumps</td>"#,
        r#"<td style="padding:2px 1pt 2px 13pt">Pumps</td>"#,
        r#"<td><div style="text-indent:1em">Pumps</div></td>"#,
        "<td>&nbsp;&nbsp;Pumps</td>",
    ] {
        let table = format!(
            "<html><body><main><table><tr><th>Source</th><th>Energy (GWh)</th></tr>\
             <tr><td>Mains</td><td>402.3</td></tr>\n<tr>{part}<td>288.1</td></tr>\n\
             <tr><td>\n  Wells</td><td>188.9</td></tr></table></main></body></html>"
        );
        is_told("report.html", table.as_bytes());
    }
}
