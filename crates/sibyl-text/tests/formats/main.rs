//! Files of the ordinary formats, made here: what is read of them, and the notices for broken ones.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod broken;
mod cases;
mod chart;
mod docx;
mod hostile;
mod html;
mod indent;
mod locked;
mod names;
mod office;
mod open;
mod pptx;
mod sheet;
mod shown;

use sibyl_text::chunk::{self, Chunk, ChunkContext};
use sibyl_text::format::{Input, format_of};
use sibyl_text::tokens::CharsPerToken;
use sibyl_text::{Document, Severity};
use std::collections::BTreeMap;

/// Reads a file as ingesting does, and checks what holds for every document.
fn read(name: &str, bytes: &[u8]) -> Document {
    let input = Input { name, bytes, page_metadata: None };
    let document = format_of(&input).unwrap().read(&input);
    let text = &document.text;
    assert!(!text.contains(['\r', '\0']), "{name}: line ends and NUL are normalised");
    let mut at = 0;
    for block in &document.blocks {
        assert!(at <= block.span.start && block.span.start < block.span.end, "{name}: {block:?}");
        assert!(text[at..block.span.start].trim().is_empty(), "{name}: text lies in no block");
        at = block.span.end;
    }
    assert!(text[at..].trim().is_empty(), "{name}: text lies in no block");
    let mut at = 0;
    for page in &document.pages {
        assert!(at <= page.span.start && page.span.start <= page.span.end, "{name}: {page:?}");
        at = page.span.end;
    }
    assert!(at <= text.len(), "{name}: pages lie in the text");
    document
}

/// Chunks a document as a report.
fn chunks(document: &Document) -> Vec<Chunk> {
    let strategy = chunk::strategy("report").unwrap();
    let settings = chunk::settings(strategy, &serde_json::Map::new()).unwrap();
    let counterparts = BTreeMap::new();
    let context = ChunkContext {
        path: "report",
        tokens: &CharsPerToken,
        window: None,
        counterparts: &counterparts,
        base_url: "",
    };
    strategy.chunk(document, &settings, &context)
}

/// Section paths of the chunks, in order.
fn paths(document: &Document) -> Vec<String> {
    let path = |chunk: &Chunk| {
        let path = chunk.metadata["section_path"].as_array().unwrap().iter();
        path.map(|title| title.as_str().unwrap()).collect::<Vec<_>>().join(" > ")
    };
    chunks(document).iter().map(path).collect()
}

/// Codes of the notices, in order.
fn codes(document: &Document) -> Vec<&str> {
    document.notices.iter().map(|notice| notice.code.as_str()).collect()
}

/// Checks that nothing could be read, and that the notice has code, cause and cure.
fn refused(document: &Document, code: &str) {
    assert_eq!(document.text, "", "{code}");
    assert_eq!(codes(document), [code]);
    let notice = &document.notices[0];
    assert_eq!(notice.severity, Severity::Error, "{code}");
    for part in ["expected ", " found ", "; "] {
        assert!(notice.message.contains(part), "{}", notice.message);
    }
}

#[test]
fn files_of_kinds_that_are_not_read_say_what_to_do() {
    let presentation =
        [("mimetype", "application/vnd.oasis.opendocument.presentation"), ("content.xml", "<x/>")];
    let page = b"From: <Saved by Blink>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\r\n";
    for (name, bytes, kind) in [
        ("a.rtf", b"{\\rtf1\\ansi Plan.\\par}".to_vec(), "Rich Text"),
        ("a.txt", b"{\\rtf1\\ansi Plan.\\par}".to_vec(), "Rich Text"),
        ("a.odp", office::archive(&presentation), "OpenDocument presentation"),
        ("a.xlsb", office::archive(&[("xl/workbook.bin", "x")]), "binary Excel"),
        ("a.mht", page.to_vec(), "web page packed in one file"),
        ("a.mhtml", page.to_vec(), "web page packed in one file"),
        ("a.doc", b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1".to_vec(), "old Office file"),
    ] {
        let document = read(name, &bytes);
        refused(&document, "not_text");
        assert!(document.notices[0].message.contains(kind), "{name}: {}", document.notices[0].message);
    }
}

#[test]
fn pages_without_a_picture_are_none_for_ocr() {
    let slide = pptx::parts();
    let parts: Vec<(&str, &str)> = slide.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let shown: Vec<(&str, String)> =
        parts.iter().map(|(name, text)| (*name, text.replace("show=\"1\"", "show=\"0\""))).collect();
    let hidden: Vec<(&str, &str)> = shown.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let document = read("a.pptx", &office::archive(&hidden));
    assert_eq!((document.pages.len(), document.pages_without_text()), (1, vec![]));
}
