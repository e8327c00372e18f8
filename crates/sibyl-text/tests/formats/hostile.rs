//! Files made to exhaust their reader: each is refused with cause and cure, or read within limits.

use crate::office::archive;
use crate::{read, refused};

/// A file of each archive format, as its parts: the last one is the part with the text.
fn packages() -> [(&'static str, Vec<(&'static str, &'static str)>); 6] {
    const RELATIONS: &str = "<Relationships><Relationship Id='r1' Type='x/worksheet' Target='worksheets/sheet1.xml'/>\
                             <Relationship Id='r2' Type='x/slide' Target='slides/slide1.xml'/></Relationships>";
    const CONTAINER: &str = "<container><rootfiles><rootfile full-path='book.opf'/></rootfiles></container>";
    let odt = ("mimetype", "application/vnd.oasis.opendocument.text");
    let ods = ("mimetype", "application/vnd.oasis.opendocument.spreadsheet");
    [
        ("a.docx", vec![("word/document.xml", "")]),
        ("a.xlsx", vec![("xl/_rels/workbook.xml.rels", RELATIONS), ("xl/workbook.xml", "")]),
        ("a.pptx", vec![("ppt/_rels/presentation.xml.rels", RELATIONS), ("ppt/presentation.xml", "")]),
        ("a.ods", vec![ods, ("content.xml", "")]),
        ("a.odt", vec![odt, ("content.xml", "")]),
        (
            "a.epub",
            vec![
                ("mimetype", "application/epub+zip"),
                ("META-INF/container.xml", CONTAINER),
                ("book.opf", ""),
            ],
        ),
    ]
}

/// Each format with `text` in its main part.
fn with(text: &str) -> impl Iterator<Item = (&'static str, Vec<u8>)> {
    packages().into_iter().map(move |(name, mut parts)| {
        let part = parts.pop().unwrap().0;
        let mut all: Vec<(&str, &str)> = parts.clone();
        all.push((part, text));
        (name, archive(&all))
    })
}

#[test]
fn entities_are_never_resolved() {
    let entity = |n: usize| format!("<!ENTITY e{n} \"{}\">", format!("&e{};", n - 1).repeat(10));
    let laughs: String = (1..10).map(entity).collect();
    let billion = format!("<!DOCTYPE x [<!ENTITY e0 \"lol\">{laughs}]><x>&e9;</x>");
    let external = "<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><x>&e;</x>";
    for text in [billion.as_str(), external] {
        for (name, bytes) in with(text) {
            let document = read(name, &bytes);
            assert_eq!(document.text, "", "{name}");
            assert_eq!(document.notices.len(), 1, "{name}: {:?}", document.notices);
        }
    }
    for (name, bytes) in with(&billion).filter(|(name, _)| *name != "a.xlsx") {
        refused(&read(name, &bytes), "xml_entities");
    }
}

#[test]
fn parts_that_inflate_without_end_are_refused() {
    let bomb = format!("<x>{}</x>", " ".repeat(20 << 20));
    for (name, bytes) in with(&bomb) {
        assert!(bytes.len() < 1 << 20, "{name}: {} bytes", bytes.len());
        refused(&read(name, &bytes), "archive_bomb");
    }
}

#[test]
fn elements_nested_without_end_are_read_or_told() {
    let deep = "<a>".repeat(100_000) + &"</a>".repeat(100_000);
    for (name, bytes) in with(&deep) {
        let document = read(name, &bytes);
        assert!(!document.notices.is_empty(), "{name}");
    }
    let page = format!("<html><body>{}<p>Deep.</p></body></html>", "<div>".repeat(100_000));
    let document = read("a.html", page.as_bytes());
    assert!(document.text.contains("Deep.") || !document.notices.is_empty());
}
