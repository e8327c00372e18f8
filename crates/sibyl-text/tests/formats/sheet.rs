//! Spreadsheets: XLSX, ODS and CSV.

use crate::office::{archive, locked};
use crate::{chunks, codes, paths, read, refused};
use sibyl_text::document::cells_of;
use sibyl_text::{Document, Span};

const STYLES: &str = r##"<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">
  <numFmts count="2"><numFmt numFmtId="170" formatCode="#,##0.0&quot; kt&quot;"/>
  <numFmt numFmtId="171" formatCode="[$-407]d/mm/yyyy;@"/></numFmts>
  <fonts count="1"><font><sz val="11"/></font></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders>
  <cellStyleXfs count="1"><xf numFmtId="0"/></cellStyleXfs><cellXfs count="10"><xf numFmtId="0"/>
  <xf numFmtId="170" applyNumberFormat="1"/><xf numFmtId="10" applyNumberFormat="1"/><xf numFmtId="14" applyNumberFormat="1"/>
  <xf numFmtId="171" applyNumberFormat="1"/><xf numFmtId="16" applyNumberFormat="1"/><xf numFmtId="18" applyNumberFormat="1"/>
  <xf numFmtId="12" applyNumberFormat="1"/><xf numFmtId="45" applyNumberFormat="1"/>
  <xf numFmtId="0" applyAlignment="1"><alignment horizontal="left" indent="1"/></xf></cellXfs></styleSheet>"##;

/// A workbook of sheets: name, state, rows and merged cells.
pub fn workbook(sheets: &[(&str, &str, &str, &str)]) -> Vec<u8> {
    let parts = parts_of(sheets);
    let parts: Vec<(&str, &str)> = parts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    archive(&parts)
}

/// The parts of a small workbook.
pub fn parts() -> Vec<(String, String)> {
    let rows = row(1, &[text_cell("A1", "Site"), text_cell("B1", "Share"), text_cell("C1", "As of")])
        + &row(
            2,
            &[r#"<c r="A2" t="s"><v>0</v></c>"#.to_owned(), number("B2", 2, "0.5"), number("C2", 3, "45657")],
        );
    parts_of(&[("Sites", "visible", &rows, r#"<mergeCells><mergeCell ref="A1:B2"/></mergeCells>"#)])
}

fn parts_of(sheets: &[(&str, &str, &str, &str)]) -> Vec<(String, String)> {
    const MAIN: &str = r#"xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main""#;
    const LINKS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let mut parts = vec![
        ("[Content_Types].xml".to_owned(), "<Types/>".to_owned()),
        ("xl/styles.xml".to_owned(), STYLES.to_owned()),
        (
            "xl/sharedStrings.xml".to_owned(),
            format!(
                r#"<sst {MAIN}><si><r><t xml:space="preserve">Scope </t></r><r><t>1 | 2</t></r></si></sst>"#
            ),
        ),
    ];
    let (mut list, mut links) = (String::new(), String::new());
    for (index, (name, state, rows, merged)) in sheets.iter().enumerate() {
        let id = index + 1;
        list += &format!(r#"<sheet name="{name}" sheetId="{id}" state="{state}" r:id="rId{id}"/>"#);
        links += &format!(
            r#"<Relationship Id="rId{id}" Type="{LINKS}/worksheet" Target="worksheets/sheet{id}.xml"/>"#
        );
        let sheet = format!("<worksheet {MAIN}><sheetData>{rows}</sheetData>{merged}</worksheet>");
        parts.push((format!("xl/worksheets/sheet{id}.xml"), sheet));
    }
    let book = format!(r#"<workbook {MAIN} xmlns:r="{LINKS}"><sheets>{list}</sheets></workbook>"#);
    parts.push(("xl/workbook.xml".to_owned(), book));
    let namespace = "http://schemas.openxmlformats.org/package/2006/relationships";
    let links = format!(
        r#"<Relationships xmlns="{namespace}">{links}<Relationship Id="s" Type="{LINKS}/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="t" Type="{LINKS}/styles" Target="styles.xml"/></Relationships>"#
    );
    parts.push(("xl/_rels/workbook.xml.rels".to_owned(), links));
    let first = format!(
        r#"<Relationships xmlns="{namespace}"><Relationship Id="b" Type="{LINKS}/officeDocument" Target="xl/workbook.xml"/></Relationships>"#
    );
    parts.push(("_rels/.rels".to_owned(), first));
    parts
}

pub fn text_cell(at: &str, text: &str) -> String {
    format!(r#"<c r="{at}" t="inlineStr"><is><t>{text}</t></is></c>"#)
}

fn number(at: &str, style: u32, value: &str) -> String {
    format!(r#"<c r="{at}" s="{style}"><v>{value}</v></c>"#)
}

pub fn row(number: u32, cells: &[String]) -> String {
    format!(r#"<row r="{number}">{}</row>"#, cells.concat())
}

/// A page of a data book: title, merged header, groups between blank rows, a remark below.
fn data_book() -> Vec<u8> {
    let rows = [
        row(1, &[text_cell("A1", "ESG data book")]),
        row(2, &[text_cell("A2", "All figures are for the group.")]),
        row(4, &[text_cell("A4", "Metric"), text_cell("B4", "Emissions")]),
        row(5, &[number("B5", 0, "2023"), number("C5", 0, "2024"), text_cell("D5", "As of")]),
        row(
            6,
            &[
                r#"<c r="A6" t="s"><v>0</v></c>"#.to_owned(),
                number("B6", 1, "1234.56"),
                r#"<c r="C6" s="1"><f>B6*2</f><v>2469.12</v></c>"#.to_owned(),
                number("D6", 3, "45657"),
            ],
        ),
        row(8, &[text_cell("A8", "Shares")]),
        row(9, &[text_cell("A9", "Renewable"), number("B9", 2, "0.425"), number("C9", 2, "0.5")]),
        row(10, &[text_cell("A10", "1) Without ships, which are chartered.")]),
    ];
    let merged = r#"<mergeCells count="2"><mergeCell ref="B4:C4"/><mergeCell ref="A4:A5"/></mergeCells>"#;
    let secret = row(1, &[text_cell("A1", "secret")]);
    workbook(&[("Climate", "visible", &rows.concat(), merged), ("Draft", "hidden", &secret, "")])
}

#[test]
fn a_data_book_keeps_titles_headers_formats_and_remarks() {
    let document = read("data.xlsx", &data_book());
    assert_eq!(
        document.text,
        "# Climate\n\n## ESG data book\n\nAll figures are for the group.\n\n\
         | Metric | Emissions / 2023 | Emissions / 2024 | As of |\n| --- | --- | --- | --- |\n\
         | Scope 1 \\| 2 | 1,234.6 kt | 2,469.1 kt | 2024-12-31 |\n\n## Shares\n\n\
         | Metric | Emissions / 2023 | Emissions / 2024 | As of |\n| --- | --- | --- | --- |\n| Renewable | 42.50% | 50.00% | |\n\n\
         1\\) Without ships, which are chartered.\n"
    );
    assert_eq!(codes(&document), ["hidden_sheets"]);
    assert!(paths(&document).iter().all(|path| path.starts_with("Climate")), "{:?}", paths(&document));
}

/// The sheet and the cells of `words` of a document.
fn cells(document: &Document, words: &str) -> Option<(String, String)> {
    let start = document.text.find(words).unwrap_or_else(|| panic!("{words}: {}", document.text));
    let found = cells_of(&document.cells, Span::new(start, start + words.len()));
    found.map(|(sheet, range)| (sheet.to_owned(), range.a1()))
}

#[test]
fn what_stands_on_a_sheet_knows_its_cells() {
    let document = read("data.xlsx", &data_book());
    for (words, range) in [
        ("## ESG data book", "A1"),
        ("All figures are", "A2"),
        ("| Metric | Emissions / 2023 |", "A4:D5"),
        ("| Scope 1 \\| 2 | 1,234.6 kt", "A6:D6"),
        ("## Shares", "A8"),
        ("| Renewable | 42.50%", "A9:C9"),
        ("1\\) Without ships", "A10"),
    ] {
        let expected = Some(("Climate".to_owned(), range.to_owned()));
        assert_eq!(cells(&document, words), expected, "{words}");
    }
    assert_eq!(cells(&document, "# Climate"), None, "the name of the sheet stands in no cell");
    let rows = [
        row(6, &[text_cell("C6", "Gross Scope 1"), number("D6", 0, "4812"), number("E6", 0, "4390")]),
        row(7, &[text_cell("C7", "Scope 2"), number("D7", 0, "12"), number("E7", 0, "15")]),
        row(30_001, &[text_cell("AB30001", "Far away")]),
    ];
    let document = read("far.xlsx", &workbook(&[("Own data", "visible", &rows.concat(), "")]));
    let own = |range: &str| Some(("Own data".to_owned(), range.to_owned()));
    assert_eq!(cells(&document, "| Gross Scope 1 | 4812 | 4390 |"), own("C6:E6"));
    assert_eq!(cells(&document, "4390 |\n| Scope 2 | 12"), own("C6:E7"));
    assert_eq!(cells(&document, "Far away"), own("AB30001"));
    // A file that is a single sheet has no name for it.
    let document = read("data.csv", b"Site,Energy\nMill,5\n\nQuarry,7\n");
    assert_eq!(cells(&document, "| Quarry | 7 |"), Some((String::new(), "A4:B4".to_owned())));
}

#[test]
fn rows_of_a_table_that_is_written_in_groups_know_their_cells() {
    let rows: String = (1..1_201)
        .map(|n| {
            row(n, &[text_cell(&format!("B{n}"), &format!("Site {n}.")), number(&format!("C{n}"), 0, "5")])
        })
        .collect();
    let document = read("long.xlsx", &workbook(&[("Sites", "visible", &rows, "")]));
    for n in [2, 499, 502, 1_003, 1_200] {
        let expected = Some(("Sites".to_owned(), format!("B{n}:C{n}")));
        assert_eq!(cells(&document, &format!("| Site {n}. |")), expected);
    }
}

#[test]
fn dates_times_and_fractions_are_shown_as_in_the_sheet() {
    let cells = [(4, "45657"), (5, "45657"), (6, "45657.75"), (7, "2.5"), (8, "0.03125")].into_iter();
    let (head, values): (Vec<String>, Vec<String>) = cells
        .zip('A'..)
        .map(|((style, value), column)| {
            (text_cell(&format!("{column}1"), "Name"), number(&format!("{column}2"), style, value))
        })
        .unzip();
    let sheet =
        row(1, &head) + &row(2, &values) + &row(3, &[text_cell("A3", "open"), text_cell("B3", "open")]);
    let text = read("data.xlsx", &workbook(&[("Dates", "visible", &sheet, "")])).text;
    assert!(text.contains("| 31/12/2024 | 31-Dec | 6:00 PM | 2 1/2 | 45:00 |"), "{text}");
}

#[test]
fn a_sheet_of_a_hundred_thousand_rows_is_read_in_groups_that_repeat_the_header() {
    let rows: String = (2..=100_001_u32)
        .map(|r| format!(r#"<row r="{r}"><c r="A{r}" t="inlineStr"><is><t>site {r}</t></is></c><c r="B{r}"><v>{r}</v></c></row>"#))
        .collect();
    let head = row(1, &[text_cell("A1", "Site"), text_cell("B1", "Tonnes")]);
    let document = read("large.xlsx", &workbook(&[("Sites", "visible", &(head + &rows), "")]));
    assert!(document.text.contains("| site 100001 | 100001 |"));
    assert_eq!(document.text.matches("| Site | Tonnes |").count(), 200);
}

#[test]
fn a_cell_far_away_costs_no_more_than_one_nearby() {
    let rows = row(1, &[text_cell("A1", "Near"), text_cell("B1", "by")])
        + &row(1_048_576, &[text_cell("XFD1048576", "Far")]);
    let merged = r#"<mergeCells count="1"><mergeCell ref="A1:XFD1048576"/></mergeCells>"#;
    let text = read("sparse.xlsx", &workbook(&[("S", "visible", &rows, merged)])).text;
    assert!(text.contains("Near") && text.contains("Far"), "{text}");
}

#[test]
fn workbooks_that_are_locked_cut_off_or_something_else_are_told() {
    let whole = data_book();
    refused(&read("a.xlsx", &whole[..whole.len() - 30]), "office_broken");
    refused(&read("a.xlsx", &locked()), "password_needed");
    refused(&read("a.xlsx", &archive(&[("xl/other.xml", "<x/>")])), "wrong_kind");
    let damaged = workbook(&[
        ("Bad", "visible", "<row><c><v>1</row>", ""),
        ("Good", "visible", &row(1, &[text_cell("A1", "Kept.")]), ""),
    ]);
    let document = read("a.xlsx", &damaged);
    assert_eq!((document.text.as_str(), codes(&document)), ("# Good\n\nKept.\n", vec!["sheet_broken"]));
}

fn spreadsheet(table: &str) -> Document {
    let content = format!(
        "<office:document-content xmlns:office='o' xmlns:table='t' xmlns:text='x'><office:body><office:spreadsheet>{table}\
         </office:spreadsheet></office:body></office:document-content>"
    );
    let mime = "application/vnd.oasis.opendocument.spreadsheet";
    read("figures.ods", &archive(&[("mimetype", mime), ("content.xml", &content)]))
}

#[test]
fn open_document_cells_are_read_as_shown() {
    let cell = |text: &str| format!("<table:table-cell><text:p>{text}</text:p></table:table-cell>");
    let table = format!(
        "<table:table table:name='Water'><table:table-header-rows><table:table-row><table:table-cell \
         table:number-columns-spanned='2'><text:p>Use in <text:span>2024</text:span></text:p></table:table-cell>\
         <table:covered-table-cell/></table:table-row></table:table-header-rows><table:table-row>{}{}</table:table-row>\
         <table:table-row><table:table-cell table:number-columns-repeated='2'><text:p>12.5 m³</text:p></table:table-cell>\
         </table:table-row><table:table-row table:number-rows-repeated='1048000'><table:table-cell \
         table:number-columns-repeated='16384'/></table:table-row></table:table>",
        cell("Rain"),
        cell("Wells")
    );
    let document = spreadsheet(&table);
    assert_eq!(
        document.text,
        "# Water\n\n## Use in 2024\n\n| Rain | Wells |\n| --- | --- |\n| 12.5 m³ | 12.5 m³ |\n"
    );
    refused(&read("a.ods", b"PK\x03\x04 cut"), "office_broken");
    let locked = [
        ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
        ("content.xml", "locked"),
        ("META-INF/manifest.xml", "<m:encryption-data/>"),
    ];
    refused(&read("a.ods", &archive(&locked)), "office_encrypted");
}

#[test]
fn separated_values_are_one_table_whatever_separates_them() {
    let expected = "# sites\n\n| Site | Note |\n| --- | --- |\n| Mill | burns, \"less\"<br>now 5 |\n";
    for text in [
        "Site,Note\nMill,\"burns, \"\"less\"\"\nnow 5\"\n",
        "Site;Note\r\nMill;\"burns, \"\"less\"\"\nnow 5\"\r\n",
        "Site\tNote\nMill\t\"burns, \"\"less\"\"\nnow 5\"",
    ] {
        assert_eq!(read("sites.csv", text.as_bytes()).text, expected, "{text}");
    }
    let document = read("sites.csv", "Site;CO2e\nÅmål;5,5\n".as_bytes());
    assert_eq!(document.text, "# sites\n\n| Site | CO2e |\n| --- | --- |\n| Åmål | 5,5 |\n");
    assert_eq!(chunks(&document).len(), 1);
    assert_eq!(codes(&read("none.csv", b"")), ["empty"]);
    assert_eq!(codes(&read("latin.csv", b"Site,t\n\xC5m\xE5l,5\n")), ["encoding_guessed"]);
}

#[test]
fn blank_lines_part_tables_and_the_first_line_may_tell_the_separator() {
    let text = "Water\nSite,m3\nMill,5\n\nWaste\nSite,Tonnes\nMill,\"7\n8\"\nQuay,9\n";
    assert_eq!(
        read("a.csv", text.as_bytes()).text,
        "# a\n\n## Water\n\n| Site | m3 |\n| --- | --- |\n| Mill | 5 |\n\n## Waste\n\n| Site | Tonnes |\n| --- | --- |\n\
         | Mill | 7<br>8 |\n| Quay | 9 |\n"
    );
    let told = "sep=|\r\nSite, city|t\r\nMill, Oslo|5\r\n";
    assert_eq!(
        read("a.csv", told.as_bytes()).text,
        "# a\n\n| Site, city | t |\n| --- | --- |\n| Mill, Oslo | 5 |\n"
    );
    assert!(
        read("a.csv", b"1,5;2,5\n3,5;4,5\n").text.contains("| 3,5 | 4,5 |"),
        "commas that are decimal ones"
    );
}

#[test]
fn formulas_that_nobody_calculated_are_named() {
    let formula =
        |at: &str, kind: &str, value: &str| format!(r#"<c r="{at}"{kind}><f>SUM(A1:A9)</f>{value}</c>"#);
    let rows = row(1, &[text_cell("A1", "Site"), text_cell("B1", "Sum"), text_cell("C1", "More")])
        + &row(2, &[text_cell("A2", "Mill"), formula("B2", "", "<v>7</v>"), formula("C2", "", "<v></v>")])
        + &row(3, &[text_cell("A3", "Quay"), formula("B3", r#" t="str""#, "<v></v>"), formula("C3", "", "")]);
    let document = read("a.xlsx", &workbook(&[("S", "visible", &rows, "")]));
    assert_eq!(
        document.text,
        "# S\n\n| Site | Sum | More |\n| --- | --- | --- |\n| Mill | 7 | |\n| Quay | | |\n"
    );
    assert_eq!(codes(&document), ["formulas_without_values"]);
    assert!(document.notices[0].message.contains(" 2 formulas"), "{:?}", document.notices);
}

#[test]
fn hidden_sheets_of_open_document_are_named_and_left_out() {
    let sheet = |name: &str, style: &str| {
        format!(
            "<table:table table:name='{name}' table:style-name='{style}'><table:table-row><table:table-cell><text:p>{name}</text:p>\
             </table:table-cell></table:table-row></table:table>"
        )
    };
    let content = format!(
        "<office:document-content xmlns:office='o' xmlns:table='t' xmlns:text='x' xmlns:style='s'><office:automatic-styles>\
         <style:style style:name='ta1'><style:table-properties table:display='true'/></style:style><style:style style:name='ta2'>\
         <style:table-properties table:display='false'/></style:style></office:automatic-styles><office:body><office:spreadsheet>{}{}\
         </office:spreadsheet></office:body></office:document-content>",
        sheet("Shown.", "ta1"),
        sheet("Draft.", "ta2")
    );
    let mime = "application/vnd.oasis.opendocument.spreadsheet";
    let document = read("a.ods", &archive(&[("mimetype", mime), ("content.xml", &content)]));
    assert_eq!(document.text, "# Shown.\n\nShown.\n");
    assert_eq!(codes(&document), ["hidden_sheets"]);
}

#[test]
fn cells_of_open_document_that_are_struck_through_or_white_on_white_are_left_out_and_told() {
    let style = |name: &str, text: &str, cell: &str| {
        format!(
            "<style:style style:name='{name}' style:family='table-cell' style:parent-style-name='Default'><style:table-cell-properties \
             {cell}/><style:text-properties {text}/></style:style>"
        )
    };
    let styles = [
        style("struck", "style:text-line-through-style='solid'", ""),
        style("white", "fo:color='#FFFFFF'", ""),
        style("on-blue", "fo:color='#ffffff'", "fo:background-color='#000033'"),
        style("plain", "style:text-line-through-style='none'", ""),
    ];
    let row = |style: &str, name: &str, value: &str| {
        let cell = |text: &str| {
            format!("<table:table-cell table:style-name='{style}'><text:p>{text}</text:p></table:table-cell>")
        };
        format!("<table:table-row>{}{}</table:table-row>", cell(name), cell(value))
    };
    let rows = [
        row("plain", "Site", "2024"),
        row("plain", "Moss", "7"),
        row("struck", "Ski", "77"),
        row("white", "Oslo", "78"),
        row("on-blue", "Total", "9"),
    ];
    let content = format!(
        "<office:document-content xmlns:office='o' xmlns:table='t' xmlns:text='x' xmlns:style='s' xmlns:fo='f'>\
         <office:automatic-styles>{}</office:automatic-styles><office:body><office:spreadsheet><table:table table:name='A'>{}\
         </table:table></office:spreadsheet></office:body></office:document-content>",
        styles.concat(),
        rows.concat()
    );
    let mime = "application/vnd.oasis.opendocument.spreadsheet";
    let document = read("a.ods", &archive(&[("mimetype", mime), ("content.xml", &content)]));
    assert!(document.text.contains("| Moss | 7 |") && document.text.contains("Total"), "{}", document.text);
    for left_out in ["Ski", "77", "Oslo", "78"] {
        assert!(!document.text.contains(left_out), "{}", document.text);
    }
    assert_eq!(codes(&document), ["withdrawn_text"]);
    assert!(document.notices[0].message.contains("(4)"), "{}", document.notices[0].message);
}

#[test]
fn the_raised_mark_in_a_text_of_a_sheet_is_no_digit_of_its_number() {
    let rich = |at: &str, number: &str, mark: &str| {
        format!(
            "<c r='{at}' t='inlineStr'><is><r><t>{number}</t></r><r><rPr><vertAlign val='superscript'/></rPr><t>{mark}</t></r></is></c>"
        )
    };
    let rows = [
        row(1, &[text_cell("A1", "Item"), rich("B1", "2024", "2)"), text_cell("C1", "2023")]),
        row(2, &[text_cell("A2", "Heat"), rich("B2", "100", "1"), rich("C2", "101", "1)2)")]),
        row(3, &[text_cell("A3", "Power"), number("B3", 0, "55"), number("C3", 0, "56")]),
    ];
    let document = read("a.xlsx", &workbook(&[("Use", "visible", &rows.concat(), "")]));
    let expected =
        "| Item | 2024² | 2023 |\n| --- | --- | --- |\n| Heat | 100¹ | 101¹,² |\n| Power | 55 | 56 |\n";
    assert_eq!(document.text, format!("# Use\n\n{expected}"));
}
