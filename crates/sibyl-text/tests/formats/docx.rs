//! Word documents.

use crate::office::{NAMESPACES, archive, locked};
use crate::{codes, paths, read, refused};
use sibyl_text::{Document, Span};

const STYLES: &str = r#"<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
  <w:style w:type="paragraph" w:styleId="Own"><w:name w:val="Own"/><w:basedOn w:val="berschrift1"/>
  <w:pPr><w:outlineLvl w:val="1"/><w:numPr><w:ilvl w:val="0"/><w:numId w:val="2"/></w:numPr></w:pPr></w:style>
  <w:style w:type="paragraph" w:styleId="T1"><w:name w:val="toc 1"/></w:style>"#;
const NUMBERING: &str = r#"<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val=""/></w:lvl>
  <w:lvl w:ilvl="1"><w:start w:val="3"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="(%2)"/></w:lvl></w:abstractNum>
  <w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/><w:lvlText w:val="%1"/></w:lvl>
  <w:lvl w:ilvl="1"><w:numFmt w:val="decimal"/><w:lvlText w:val="%1.%2"/></w:lvl></w:abstractNum>
  <w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>"#;
const FOOTNOTES: &str = r#"<w:footnote w:id="-1" w:type="separator"><w:p/></w:footnote>
  <w:footnote w:id="2"><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t xml:space="preserve"> Without ships.</w:t></w:r></w:p></w:footnote>"#;

const ENDNOTES: &str = r#"<w:endnote w:id="1"><w:p><w:r><w:t>See the annex.</w:t></w:r></w:p></w:endnote>"#;

pub fn made(body: &str) -> Vec<u8> {
    made_with(NUMBERING, body)
}

pub fn made_with(numbering: &str, body: &str) -> Vec<u8> {
    let part = |name: &str, inner: &str| format!("<w:{name} {NAMESPACES}>{inner}</w:{name}>");
    archive(&[
        ("[Content_Types].xml", "<Types/>"),
        ("word/document.xml", &part("document", &format!("<w:body>{body}</w:body>"))),
        ("word/styles.xml", &part("styles", STYLES)),
        ("word/numbering.xml", &part("numbering", numbering)),
        ("word/footnotes.xml", &part("footnotes", FOOTNOTES)),
        ("word/endnotes.xml", &part("endnotes", ENDNOTES)),
        ("word/header1.xml", &part("hdr", "<w:p><w:r><w:t>Running head</w:t></w:r></w:p>")),
    ])
}

fn document(body: &str) -> Document {
    read("report.docx", &made(body))
}

pub fn p(properties: &str, text: &str) -> String {
    format!("<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
}

pub fn item(list: u32, level: u32) -> String {
    format!(r#"<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{list}"/></w:numPr>"#)
}

#[test]
fn headings_come_from_names_outline_levels_and_numbers() {
    let body = [
        p(r#"<w:pStyle w:val="T1"/>"#, "Strategy 2"),
        p(r#"<w:pStyle w:val="berschrift1"/>"#, "Strategy"),
        p("", "We use less."),
        p(r#"<w:pStyle w:val="Own"/>"#, "Risks"),
        p("", "Floods."),
        p(r#"<w:outlineLvl w:val="2"/>"#, "Rivers"),
        p("", "Three."),
        p(r#"<w:pStyle w:val="Own"/>"#, "Chances"),
        p("", "Sun."),
    ];
    let document = document(&body.concat());
    assert_eq!(
        document.text,
        "# Strategy\n\nWe use less.\n\n## 1 Risks\n\nFloods.\n\n### Rivers\n\nThree.\n\n## 2 Chances\n\nSun.\n"
    );
    assert_eq!(codes(&document), ["contents_left_out"]);
    assert!(paths(&document).iter().all(|path| path.starts_with("Strategy")), "{:?}", paths(&document));
    assert_eq!(document.title.as_deref(), Some("Strategy"));
}

#[test]
fn lists_are_numbered_as_word_numbers_them() {
    let body = [
        p(&item(1, 0), "Water"),
        p(&item(1, 1), "Rain"),
        p(&item(1, 1), "Wells"),
        p(&item(1, 0), "Air"),
        p(&item(1, 1), "Dust"),
        p("", "Then:"),
        p(&item(2, 0), "One"),
        p(&item(2, 1), "Deep"),
        p(&item(2, 0), "Two"),
        p(&item(0, 0), "No list"),
    ];
    assert_eq!(
        document(&body.concat()).text,
        "- Water\n  - (c) Rain\n  - (d) Wells\n- Air\n  - (c) Dust\n\nThen:\n\n- 1 One\n  - 1.1 Deep\n- 2 Two\n\nNo list\n"
    );
}

#[test]
fn notes_stand_below_the_paragraph_that_refers_to_them() {
    let body = r#"<w:p><w:r><w:t>5 tonnes</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:t>.</w:t></w:r></w:p>"#;
    assert_eq!(
        document(&(body.to_owned() + &p("", "After."))).text,
        "5 tonnes[1].\n\n[1] Without ships.\n\nAfter.\n"
    );
}

#[test]
fn lists_are_numbered_by_the_style_that_keeps_them_and_by_what_they_set_for_themselves() {
    let level = |index: u32, format: &str, text: &str, more: &str| {
        format!(
            r#"<w:lvl w:ilvl="{index}"><w:numFmt w:val="{format}"/>{more}<w:lvlText w:val="{text}"/></w:lvl>"#
        )
    };
    let articles = level(0, "upperRoman", "Article %1", "") + &level(1, "decimal", "%1.%2", "<w:isLgl/>");
    let on = level(0, "decimal", "%1.", "") + &level(1, "lowerLetter", "%2)", r#"<w:lvlRestart w:val="0"/>"#);
    let own = level(0, "none", "Note", "");
    let numbering = format!(
        r#"<w:abstractNum w:abstractNumId="0"><w:styleLink w:val="Articles"/>{articles}</w:abstractNum>
        <w:abstractNum w:abstractNumId="1"><w:numStyleLink w:val="Articles"/></w:abstractNum>
        <w:abstractNum w:abstractNumId="2">{on}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>
        <w:num w:numId="2"><w:abstractNumId w:val="2"/></w:num><w:num w:numId="3"><w:abstractNumId w:val="2"/>
        <w:lvlOverride w:ilvl="0">{own}</w:lvlOverride></w:num>"#
    );
    let body = [
        p(&item(1, 0), "Scope"),
        p(&item(1, 0), "Terms"),
        p(&item(1, 1), "Site"),
        p("", "Then:"),
        p(&item(2, 0), "Air"),
        p(&item(2, 1), "Dust"),
        p(&item(2, 0), ""),
        p(&item(2, 0), "Water"),
        p(&item(2, 1), "Rain"),
        p("", "And:"),
        p(&item(3, 0), "Mind it."),
    ];
    assert_eq!(
        read("a.docx", &made_with(&numbering, &body.concat())).text,
        "- Article I Scope\n- Article II Terms\n  - 2.1 Site\n\nThen:\n\n1. Air\n   - a) Dust\n2. Water\n   - b) Rain\n\nAnd:\n\n\
         - Note Mind it.\n"
    );
}

#[test]
fn endnotes_and_notes_of_tables_stand_below_what_refers_to_them() {
    let refers = |kind: &str, id: u32| {
        format!(r#"<w:p><w:r><w:t>5</w:t></w:r><w:r><w:{kind}Reference w:id="{id}"/></w:r></w:p>"#)
    };
    let cell = |inner: &str| format!("<w:tc>{inner}</w:tc>");
    let row = |one: &str, two: &str| format!("<w:tr>{}{}</w:tr>", cell(one), cell(two));
    let table = format!(
        "<w:tbl>{}{}</w:tbl>",
        row(&p("", "Site"), &p("", "Tonnes")),
        row(&p("", "Mill"), &refers("footnote", 2))
    );
    assert_eq!(
        document(&(table + &refers("endnote", 1))).text,
        "| Site | Tonnes |\n| --- | --- |\n| Mill | 5[1] |\n\n[1] Without ships.\n\n5[i]\n\n[i] See the annex.\n"
    );
}

#[test]
fn raised_numbers_leave_the_number_before_them_as_it_is() {
    let body = r#"<w:p><w:r><w:t>50,000</w:t></w:r><w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>1</w:t></w:r>
      <w:r><w:t xml:space="preserve"> t of CO</w:t></w:r><w:r><w:rPr><w:vertAlign w:val="subscript"/></w:rPr><w:t>2</w:t></w:r></w:p>"#;
    assert_eq!(document(body).text, "50,000¹ t of CO2\n");
}

#[test]
fn moved_text_is_read_once_and_rows_that_were_deleted_are_not() {
    let run = |text: &str| format!(r#"<w:r><w:t xml:space="preserve">{text}</w:t></w:r>"#);
    let moved = format!(
        "<w:p><w:moveFromRangeStart w:id='1' w:name='m'/><w:moveFrom>{0}</w:moveFrom><w:moveFromRangeEnd w:id='1'/>{1}\
         <w:moveTo>{0}</w:moveTo></w:p>",
        run("We plan."),
        run("We act. ")
    );
    let gone = "<w:p><w:pPr><w:rPr><w:moveFrom/></w:rPr></w:pPr><w:moveFrom><w:r><w:t>Elsewhere now.</w:t></w:r></w:moveFrom></w:p>";
    let row = |change: &str, text: &str| {
        format!("<w:tr><w:trPr>{change}</w:trPr><w:tc>{0}</w:tc><w:tc>{0}</w:tc></w:tr>", p("", text))
    };
    let table =
        format!("<w:tbl>{}{}{}</w:tbl>", row("", "Kept"), row("<w:del/>", "Gone"), row("<w:ins/>", "New"));
    assert_eq!(
        document(&(moved + gone + &table)).text,
        "We act. We plan.\n\n| Kept | Kept |\n| --- | --- |\n| New | New |\n"
    );
}

#[test]
fn what_hangs_in_a_cell_is_read_and_what_is_not_read_is_named() {
    let hung = format!(
        "<w:p><w:r><w:t>Mill</w:t></w:r><w:r><w:pict><w:txbxContent>{}</w:txbxContent></w:pict></w:r><w:r><w:drawing>\
         <a:graphic><a:graphicData uri='http://schemas.openxmlformats.org/drawingml/2006/diagram'/></a:graphic></w:drawing></w:r></w:p>",
        p("", "In a box.")
    );
    let row = |one: &str, two: &str| format!("<w:tr><w:tc>{one}</w:tc><w:tc>{two}</w:tc></w:tr>");
    let table = format!("<w:tbl>{}{}</w:tbl>", row(&p("", "Site"), &p("", "t")), row(&hung, &p("", "5")));
    let document = document(&(table + r#"<w:altChunk r:id="rId9"/>"#));
    assert_eq!(document.text, "| Site | t |\n| --- | --- |\n| Mill<br>In a box. | 5 |\n");
    assert_eq!(codes(&document), ["charts_left_out", "embedded_left_out"]);
}

#[test]
fn a_row_over_two_pages_turns_one_page() {
    let broken = "<w:p><w:r><w:t>Long</w:t><w:lastRenderedPageBreak/><w:t> text</w:t></w:r></w:p>";
    let table = format!(
        "<w:tbl><w:tr><w:tc>{0}</w:tc><w:tc>{0}</w:tc></w:tr><w:tr><w:tc>{1}</w:tc><w:tc>{1}</w:tc></w:tr></w:tbl>",
        broken,
        p("", "5")
    );
    let document = document(&(table + &p("", "After.")));
    let page = document.pages.last().unwrap();
    assert_eq!((page.number, page.span.of(&document.text)), (2, "After."));
}

#[test]
fn pages_that_no_break_sets_are_no_more_than_about_right() {
    let rendered = |text: &str| format!("<w:p><w:r><w:lastRenderedPageBreak/><w:t>{text}</w:t></w:r></w:p>");
    let set = r#"<w:p><w:r><w:br w:type="page"/></w:r></w:p>"#;
    let section = r#"<w:p><w:pPr><w:sectPr><w:type w:val="nextPage"/></w:sectPr></w:pPr></w:p>"#;
    let continuous = r#"<w:p><w:pPr><w:sectPr><w:type w:val="continuous"/></w:sectPr></w:pPr></w:p>"#;
    let at = |body: String| {
        let document = document(&body);
        let start = document.text.find("Here.").unwrap();
        let span = Span::new(start, start + 5);
        (document.pages_of(span).map(|pages| pages.0), document.about_page(span), document.page_count())
    };
    let first = p("", "First.");
    assert_eq!(at(p("", "Here.")), (None, None, 0));
    // This is the layout of the program that saved it; another one may differ.
    assert_eq!(at(first.clone() + &rendered("Here.")), (None, Some(2), 0));
    assert_eq!(at(first.clone() + continuous + &rendered("Here.")), (None, Some(2), 0));
    assert_eq!(at(first.clone() + set + &rendered("Second.") + &rendered("Here.")), (None, Some(3), 0));
    // Each page ends where its break is.
    assert_eq!(at(first.clone() + set + &p("", "Here.")), (Some(2), None, 2));
    assert_eq!(at(first.clone() + set + &rendered("Here.")), (Some(2), None, 2));
    assert_eq!(at(first.clone() + section + &rendered("Here.")), (Some(2), None, 2));
    // A page that has a break after a full page does not make a second page.
    let long: String = (0..60).map(|n| p("", &format!("Paragraph {n}."))).collect();
    assert_eq!(at(long.clone() + set + &p("", "Here.")), (None, Some(2), 0));
    assert_eq!(at(first.clone() + set + &p("", "Here.") + &long), (None, Some(2), 0));
    let before = p("<w:pageBreakBefore/>", "Here.");
    assert_eq!(at(first + &before), (Some(2), None, 2));
}

#[test]
fn the_text_is_found_by_what_the_archive_refers_to() {
    let text = format!(
        "<w:document {NAMESPACES}><w:body>{}</w:body></w:document>",
        p(r#"<w:pStyle w:val="H"/>"#, "Plan")
    );
    let styles = format!(
        r#"<w:styles {NAMESPACES}><w:style w:type="paragraph" w:styleId="H"><w:name w:val="heading 2"/></w:style></w:styles>"#
    );
    let link = |kind: &str, target: &str| {
        format!(r#"<Relationships><Relationship Id="r" Type="t/{kind}" Target="{target}"/></Relationships>"#)
    };
    let bytes = archive(&[
        ("_rels/.rels", &link("officeDocument", "/word/document2.xml")),
        ("word/document2.xml", &text),
        ("word/_rels/document2.xml.rels", &link("styles", "styles2.xml")),
        ("word/styles2.xml", &styles),
    ]);
    assert_eq!(read("a.docx", &bytes).text, "## Plan\n");
}

#[test]
fn tracked_changes_are_read_as_accepted() {
    let body = r#"<w:p><w:r><w:t xml:space="preserve">We </w:t></w:r><w:del><w:r><w:delText>may</w:delText></w:r></w:del>
      <w:ins><w:r><w:t>will</w:t></w:r></w:ins><w:r><w:t xml:space="preserve"> stop.</w:t></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>Hidden.</w:t></w:r></w:p>
      <w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:t xml:space="preserve">One </w:t></w:r></w:p>"#;
    let document = document(&(body.to_owned() + &p("", "line.")));
    assert_eq!(document.text, "We will stop.\n\nOne line.\n");
    assert_eq!(codes(&document), ["changes_accepted"]);
    assert!(document.notices[0].message.starts_with("3 tracked changes"));
}

#[test]
fn tables_keep_merged_cells_and_headers() {
    let cell =
        |properties: &str, text: &str| format!("<w:tc><w:tcPr>{properties}</w:tcPr>{}</w:tc>", p("", text));
    let row = |cells: &[String]| format!("<w:tr>{}</w:tr>", cells.concat());
    let body = [
        format!(
            "<w:tr><w:trPr><w:tblHeader/></w:trPr>{}{}</w:tr>",
            cell("", "Site"),
            cell(r#"<w:gridSpan w:val="2"/>"#, "2024")
        ),
        row(&[cell(r#"<w:vMerge w:val="restart"/>"#, "Mill"), cell("", "t CO2e"), cell("", "5")]),
        row(&[cell("<w:vMerge/>", ""), cell("", "MWh"), cell("", "7")]),
    ];
    let boxed = format!("<w:tbl>{}</w:tbl>", row(&[cell("", "A boxed word.")]));
    let text = document(&format!("<w:tbl>{}</w:tbl>{boxed}", body.concat())).text;
    assert_eq!(
        text,
        "| Site | 2024 | 2024 |\n| --- | --- | --- |\n| Mill | t CO2e | 5 |\n| Mill | MWh | 7 |\n\nA boxed word.\n"
    );
}

#[test]
fn text_boxes_are_read_once_and_pages_where_word_laid_them_out() {
    let text_box = format!(
        "<w:p><w:r><w:t>Beside.</w:t></w:r><w:r><mc:AlternateContent><mc:Choice><w:drawing><wps:txbx><w:txbxContent>{0}\
         </w:txbxContent></wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><w:txbxContent>{0}</w:txbxContent>\
         </w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>",
        p("", "In a box.")
    );
    let turned = r#"<w:p><w:r><w:br w:type="page"/></w:r></w:p><w:p><w:r><w:lastRenderedPageBreak/><w:t>Second.</w:t></w:r></w:p>"#;
    let document = document(&(text_box + turned));
    assert_eq!(document.text, "Beside.\n\nIn a box.\n\nSecond.\n");
    let pages: Vec<_> =
        document.pages.iter().map(|page| (page.number, page.span.of(&document.text))).collect();
    assert_eq!(pages, [(1, "Beside.\n\nIn a box."), (2, "Second.")]);
    assert_eq!(document_of_one_page().pages, []);
}

fn document_of_one_page() -> Document {
    document(&p("", "Only this."))
}

#[test]
fn a_document_is_known_by_what_it_holds() {
    let bytes = made(&p("", "Known."));
    for name in ["report.docx", "report", "report.xlsx", "report.zip"] {
        assert_eq!(read(name, &bytes).text, "Known.\n", "{name}");
    }
}

#[test]
fn what_is_broken_locked_or_something_else_is_told() {
    let whole = made(&p("", "Whole."));
    refused(&read("a.docx", &whole[..whole.len() / 2]), "office_broken");
    refused(&read("a.docx", &locked()), "password_needed");
    refused(&read("a.docx", b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1 old"), "not_text");
    refused(&read("a.docx", b"Just words."), "wrong_kind");
    refused(&read("a.docx", b""), "wrong_kind");
    refused(&read("a.docx", &archive(&[("photo.jpg", "x"), ("notes.txt", "y")])), "wrong_kind");
    refused(&read("a.docx", &archive(&[("word/document.xml", "<w:document><unclosed>")])), "office_broken");
    let mut flipped = whole.clone();
    let at = whole.len() / 3;
    flipped[at..at + 40].fill(0);
    let damaged = read("a.docx", &flipped);
    assert!(damaged.text == "Whole.\n" || !damaged.notices.is_empty(), "{damaged:?}");
}

#[test]
fn entities_and_bombs_are_refused() {
    let entities = r#"<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY x SYSTEM "file:///etc/passwd">]>
      <w:document xmlns:w="w"><w:body><w:p><w:r><w:t>&b;&x;</w:t></w:r></w:p></w:body></w:document>"#;
    refused(&read("a.docx", &archive(&[("word/document.xml", entities)])), "xml_entities");
    let bomb = " ".repeat(9 << 20);
    refused(&read("a.docx", &archive(&[("word/document.xml", &bomb)])), "archive_bomb");
}

#[test]
fn what_nests_deeper_than_any_document_is_left_out_and_said() {
    let nest = |levels: usize| {
        let (open, close) = ("<w:sdt><w:sdtContent>", "</w:sdtContent></w:sdt>");
        let deep = format!("{}{}{}", open.repeat(levels), p("", "Deep."), close.repeat(levels));
        document(&format!("{}{deep}{}", p("", "Before."), p("", "After.")))
    };
    let read = nest(100);
    assert_eq!((read.text.as_str(), codes(&read)), ("Before.\n\nDeep.\n\nAfter.\n", vec![]));
    let left_out = nest(20_000);
    assert_eq!((left_out.text.as_str(), codes(&left_out)), ("Before.\n\nAfter.\n", vec!["too_deep"]));
    let runs = |levels: usize| {
        let deep =
            "<w:smartTag>".repeat(levels) + "<w:r><w:t>deep</w:t></w:r>" + &"</w:smartTag>".repeat(levels);
        document(&format!("{}<w:p>{deep}</w:p>", p("", "Before.")))
    };
    assert_eq!(runs(99).text, "Before.\n\ndeep\n");
    assert_eq!(codes(&runs(20_000)), ["too_deep"]);
}

#[test]
fn macros_are_named() {
    let body = format!("<w:document {NAMESPACES}><w:body>{}</w:body></w:document>", p("", "Text."));
    let document = read("a.docm", &archive(&[("word/document.xml", &body), ("word/vbaProject.bin", "x")]));
    assert_eq!((document.text.as_str(), codes(&document)), ("Text.\n", vec!["macros_ignored"]));
}
