//! EPUB books and OpenDocument texts.

use crate::office::archive;
use crate::{codes, paths, read, refused};

const CONTAINER: &str = "<container xmlns='urn:oasis:names:tc:opendocument:xmlns:container'><rootfiles><rootfile \
                         full-path='OPS/book.opf' media-type='application/oebps-package+xml'/></rootfiles></container>";

fn book(package: &str, chapters: &[(&str, &str)]) -> Vec<u8> {
    let mut parts = vec![
        ("mimetype", "application/epub+zip"),
        ("META-INF/container.xml", CONTAINER),
        ("OPS/book.opf", package),
    ];
    parts.extend(chapters);
    archive(&parts)
}

const PACKAGE: &str = "<package xmlns='http://www.idpf.org/2007/opf'><metadata><dc:title xmlns:dc='d'>Rivers &amp; ports</dc:title>\
                       </metadata><manifest><item id='b' href='two.xhtml'/><item id='a' href='part%201/one.xhtml'/></manifest>\
                       <spine><itemref idref='a'/><itemref idref='b'/></spine></package>";

#[test]
fn a_book_is_read_in_the_order_of_its_spine() {
    let one = "<?xml version='1.0'?><!DOCTYPE html><html xmlns='http://www.w3.org/1999/xhtml'><head><title>x</title></head><body \
               class='c'><article><h1>Rivers</h1><p>Water runs.<br/>Down.</p><script src='a.js'/></article></body></html>";
    let two = "<html><body><article><h1>Ports</h1><table><tr><th>Port</th><th>Ships</th></tr><tr><td>Alder</td><td>12</td></tr>\
               </table></article></body></html>";
    let bytes = book(PACKAGE, &[("OPS/two.xhtml", two), ("OPS/part 1/one.xhtml", one)]);
    let document = read("a.epub", &bytes);
    assert_eq!(
        document.text,
        "# Rivers\n\nWater runs.\nDown.\n\n# Ports\n\n| Port | Ships |\n| --- | --- |\n| Alder | 12 |\n"
    );
    assert_eq!(document.title.as_deref(), Some("Rivers & ports"));
    assert_eq!(codes(&document), [""; 0]);
    assert_eq!(read("renamed.bin", &bytes).text, document.text, "by its bytes");
    let half = read("a.epub", &book(PACKAGE, &[("OPS/two.xhtml", two)]));
    assert!(half.text.starts_with("# Ports"));
    assert_eq!(codes(&half), ["parts_missing"]);
}

#[test]
fn each_page_of_a_book_is_seen_by_its_own_style_sheets() {
    let chapter = |head: &str, body: &str| {
        format!(
            "<html xmlns='http://www.w3.org/1999/xhtml'><head><title/>{head}</head><body class='c'>{body}</body></html>"
        )
    };
    let one = chapter(
        "<link rel='stylesheet' href='../css/one.css'/>",
        "<p class='hid'>Hidden 999.</p><p>Old <span class='st'>500</span> 480 m³.</p><p class='next'>Kept.</p>",
    );
    let two = chapter(
        "<link rel='stylesheet' href='css/two.css'/><style>.draft{display:none}</style>",
        "<p class='hid'>Shown here.</p><p class='draft'>Draft.</p><p class='next'>Not here.</p>",
    );
    let bytes = book(
        PACKAGE,
        &[
            ("OPS/part 1/one.xhtml", &one),
            ("OPS/two.xhtml", &two),
            ("OPS/css/one.css", ".hid{display:none} .st{text-decoration:line-through}"),
            ("OPS/css/two.css", "body.c .next{display:none}"),
        ],
    );
    let document = read("a.epub", &bytes);
    assert_eq!(document.text, "Old 480 m³.\n\nKept.\n\nShown here.\n");
    assert_eq!(codes(&document), ["hidden_text", "withdrawn_text"]);
}

#[test]
fn a_book_that_is_locked_or_broken_is_told() {
    let locked = book(PACKAGE, &[("META-INF/rights.xml", "<rights/>")]);
    refused(&read("a.epub", &locked), "office_encrypted");
    refused(
        &read("a.epub", &archive(&[("mimetype", "application/epub+zip"), ("META-INF/container.xml", "<a")])),
        "office_broken",
    );
    let entities = CONTAINER.replace("<container", "<!DOCTYPE a [<!ENTITY b 'c'>]><container");
    refused(
        &read(
            "a.epub",
            &archive(&[("mimetype", "application/epub+zip"), ("META-INF/container.xml", &entities)]),
        ),
        "xml_entities",
    );
}

fn text(body: &str) -> Vec<u8> {
    let content = format!(
        "<office:document-content xmlns:office='o' xmlns:text='t' xmlns:table='b' xmlns:draw='d'><office:body><office:text>{body}\
         </office:text></office:body></office:document-content>"
    );
    let meta = "<office:document-meta xmlns:office='o' xmlns:dc='d'><office:meta><dc:title>Quays</dc:title></office:meta>\
                </office:document-meta>";
    archive(&[
        ("mimetype", "application/vnd.oasis.opendocument.text"),
        ("content.xml", &content),
        ("meta.xml", meta),
    ])
}

#[test]
fn headings_lists_tables_notes_and_boxes_of_a_text_are_read() {
    let document = read(
        "a.odt",
        &text(
            "<text:tracked-changes><text:changed-region><text:deletion><text:p>Gone.</text:p></text:deletion></text:changed-region>\
             </text:tracked-changes><text:h text:outline-level='1'>Quays</text:h><text:section><text:p>A quay<text:s \
             text:c='3'/>is <text:span>long</text:span>.<text:note><text:note-citation>1</text:note-citation><text:note-body>\
             <text:p>300 metres.</text:p></text:note-body></text:note></text:p></text:section><text:h \
             text:outline-level='2'>Cranes</text:h><text:list><text:list-item><text:p>Red</text:p><text:list><text:list-item>\
             <text:p>Small</text:p></text:list-item></text:list></text:list-item><text:list-item><text:p>Blue</text:p>\
             </text:list-item></text:list><table:table><table:table-row><table:table-cell><text:p>Crane</text:p>\
             </table:table-cell><table:table-cell><text:p>Tonnes</text:p></table:table-cell></table:table-row><table:table-row>\
             <table:table-cell><text:p>Red</text:p></table:table-cell><table:table-cell><text:p>40</text:p></table:table-cell>\
             </table:table-row></table:table><text:p>After<draw:frame><draw:text-box><text:p>Boxed.</text:p></draw:text-box>\
             </draw:frame></text:p>",
        ),
    );
    assert_eq!(
        document.text,
        "# Quays\n\nA quay is long.[1]\n\n[1] 300 metres.\n\n## Cranes\n\n- Red\n  - Small\n- Blue\n\n| Crane | Tonnes |\n| --- | --- \
         |\n| Red | 40 |\n\nAfter\n\nBoxed.\n"
    );
    assert_eq!(document.title.as_deref(), Some("Quays"));
    assert!(
        paths(&document).contains(&"Quays > Cranes".to_owned())
            || paths(&document).contains(&"Quays".to_owned())
    );
}

#[test]
fn a_text_that_nests_without_end_is_read_or_told_and_a_locked_one_is_told() {
    let deep = format!(
        "{}<text:p>Deep.</text:p>{}",
        "<text:section>".repeat(20_000),
        "</text:section>".repeat(20_000)
    );
    let document = read("a.odt", &text(&deep));
    assert!(document.text.contains("Deep.") || !document.notices.is_empty());
    let lists =
        "<text:list><text:list-item>".repeat(10_000) + &"</text:list-item></text:list>".repeat(10_000);
    let document = read("a.odt", &text(&format!("<text:p>Before.</text:p>{lists}")));
    assert!(document.text.contains("Before.") || !document.notices.is_empty());
    let manifest = "<manifest:manifest xmlns:manifest='m'><manifest:encryption-data/></manifest:manifest>";
    let locked = archive(&[
        ("mimetype", "application/vnd.oasis.opendocument.text"),
        ("content.xml", "x"),
        ("META-INF/manifest.xml", manifest),
    ]);
    refused(&read("a.odt", &locked), "office_encrypted");
}

#[test]
fn only_the_pages_of_a_book_count_when_parts_of_it_are_locked() {
    let one = ("OPS/part 1/one.xhtml", "<html><body><p>Rivers.</p></body></html>");
    let two = ("OPS/two.xhtml", "<html><body><p>Ports.</p></body></html>");
    let locks = |uri: &str| {
        format!(
            "<encryption><enc:EncryptedData xmlns:enc='e'><enc:CipherData><enc:CipherReference URI='{uri}'/></enc:CipherData>\
             </enc:EncryptedData></encryption>"
        )
    };
    let fonts = locks("OPS/fonts/a.otf");
    let document = read("a.epub", &book(PACKAGE, &[one, two, ("META-INF/encryption.xml", &fonts)]));
    assert_eq!(document.text, "Rivers.\n\nPorts.\n");
    let pages = locks("OPS/part%201/one.xhtml");
    refused(
        &read("a.epub", &book(PACKAGE, &[one, two, ("META-INF/encryption.xml", &pages)])),
        "office_encrypted",
    );
}

#[test]
fn lists_and_headings_of_a_text_have_their_numbers() {
    let level = |depth: u32, format: &str, prefix: &str, suffix: &str, shown: u32| {
        format!(
            "<text:list-level-style-number text:level='{depth}' style:num-format='{format}' style:num-prefix='{prefix}' \
             style:num-suffix='{suffix}' text:display-levels='{shown}'/>"
        )
    };
    let styles = format!(
        "<office:document-styles xmlns:office='o' xmlns:text='t' xmlns:style='s'><office:styles><text:outline-style>\
         <text:outline-level-style text:level='1' style:num-format='1' style:num-suffix='.'/><text:outline-level-style text:level='2' \
         style:num-format=''/></text:outline-style></office:styles><office:automatic-styles><text:list-style style:name='L1'>{}{}\
         <text:list-level-style-bullet text:level='3'/></text:list-style></office:automatic-styles></office:document-styles>",
        level(1, "1", "", ".", 1),
        level(2, "a", "(", ")", 1)
    );
    let item = |words: &str, inner: &str| {
        format!("<text:list-item><text:p>{words}</text:p>{inner}</text:list-item>")
    };
    let list = |attributes: &str, items: &str| format!("<text:list {attributes}>{items}</text:list>");
    let nested = list("", &(item("Dust", "") + &item("Soot", &list("", &item("Black", "")))));
    let content = format!(
        "<office:document-content xmlns:office='o' xmlns:text='t' xmlns:style='s'><office:body><office:text>\
         <text:table-of-content><text:index-body><text:p>Plan 1</text:p></text:index-body></text:table-of-content>\
         <text:h text:outline-level='1'>Plan</text:h>{}<text:p>Aside.</text:p>{}<text:h text:outline-level='2'>Risks</text:h>\
         <text:h text:outline-level='1'>Means</text:h><text:section text:display='none'><text:p>Draft.</text:p></text:section>{}\
         </office:text></office:body></office:document-content>",
        list("text:style-name='L1'", &(item("Air", &nested) + &item("Water", ""))),
        list("text:style-name='L1' text:continue-numbering='true'", &item("Waste", "")),
        list("text:style-name='L1'", &item("Money", "")),
    );
    let parts = [
        ("mimetype", "application/vnd.oasis.opendocument.text"),
        ("content.xml", content.as_str()),
        ("styles.xml", &styles),
    ];
    let document = read("a.odt", &archive(&parts));
    assert_eq!(
        document.text,
        "# 1. Plan\n\n1. Air\n   - (a) Dust\n   - (b) Soot\n     - Black\n2. Water\n\nAside.\n\n3. Waste\n\n## Risks\n\n\
         # 2. Means\n\n1. Money\n"
    );
    assert_eq!(codes(&document), ["contents_left_out"]);
}

#[test]
fn notes_and_boxes_in_cells_are_read_once() {
    let document = read(
        "a.odt",
        &text(
            "<table:table><table:table-row><table:table-cell><text:p>Site</text:p></table:table-cell><table:table-cell><text:p>t</text:p>\
             </table:table-cell></table:table-row><table:table-row><table:table-cell><text:p>Mill<text:note><text:note-citation>1\
             </text:note-citation><text:note-body><text:p>Without ships.</text:p></text:note-body></text:note></text:p></table:table-cell>\
             <table:table-cell><text:p>5<draw:text-box><text:p>Boxed.</text:p></draw:text-box></text:p></table:table-cell>\
             </table:table-row></table:table>",
        ),
    );
    assert_eq!(
        document.text,
        "| Site | t |\n| --- | --- |\n| Mill[1] | 5 |\n\n[1] Without ships.\n\nBoxed.\n"
    );
}
