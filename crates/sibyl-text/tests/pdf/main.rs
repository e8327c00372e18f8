//! The PDF format from outside: real reports with passages marked by hand, made pages, broken bytes.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod abreast;
mod asides;
mod bands;
mod beside;
mod broken;
mod cards;
mod charts;
mod contents;
mod continued;
mod designed;
mod elements;
mod figures;
mod furniture;
mod generator;
mod groups;
mod headers;
mod kinds;
mod made;
mod names;
mod page_break;
mod pages;
mod panels;
mod passes;
mod printed;
mod reports;
mod scanned;
mod sideways;
mod spaced;
mod table_names;
mod tagged;
mod truth;
mod unseen;
mod wrapped;
mod writer;

use sibyl_text::Document;
use sibyl_text::format::{Format, Input, format_of};
use writer::{File, Page};

/// Reads bytes as the format that recognises them, which must be PDF.
fn read(bytes: &[u8]) -> Document {
    let input = Input { name: "report.bin", bytes, page_metadata: None };
    let format: &dyn Format = format_of(&input).expect("recognised by its bytes");
    assert_eq!(format.name(), "pdf");
    let document = format.read(&input);
    check_laws(&document);
    document
}

/// The text of a file of one page.
fn text(page: Page) -> String {
    read(&File::default().page(page).bytes()).text
}

/// Checks that `parts` follow each other in `text`.
fn in_order(text: &str, parts: &[&str]) {
    let mut at = 0;
    for part in parts {
        let found =
            text[at..].find(part).unwrap_or_else(|| panic!("{part:?} is not in its place in:\n{text}"));
        at += found + part.len();
    }
}

/// Laws for every document, whatever was read.
fn check_laws(document: &Document) {
    let text = &document.text;
    assert!(!text.contains(['\r', '\u{AD}', '\u{FFFE}', '\u{2}', '\0']), "a layout character is left");
    assert_eq!((document.body.start, document.body.end), (0, text.len()));
    let (mut start, mut end) = (0, 0);
    for (i, page) in document.pages.iter().enumerate() {
        assert_eq!(page.number as usize, i + 1);
        assert!(
            page.span.start >= start && page.span.end >= end && page.span.end <= text.len(),
            "pages in order"
        );
        match text.get(page.span.start..end) {
            // A row that continues on the next page is on both. A paragraph is on both only if notes follow it.
            Some(both) => {
                let stretches = document.page_stretches();
                let last = stretches.iter().rfind(|(known, _)| known.number + 1 == page.number);
                let notes = last.is_some_and(|(_, stretch)| both.ends_with(stretch.of(text)));
                assert!(!both.contains('\n') || notes, "page {} overlaps", page.number);
            }
            None => assert!(text[end..page.span.start].trim().is_empty(), "text between pages"),
        }
        (start, end) = (page.span.start, page.span.end);
    }
    let stretches = document.page_stretches();
    assert!(stretches.windows(2).all(|two| two[0].1.end <= two[1].1.start), "stretches overlap");
    assert!(text[end..].trim().is_empty(), "text after the last page");
    let mut end = 0;
    for segment in &document.segments {
        assert!(segment.span.start >= end && segment.span.start < segment.span.end, "segments in order");
        assert!(text.is_char_boundary(segment.span.start) && text.is_char_boundary(segment.span.end));
        end = segment.span.end;
        let page = &document.pages[segment.page.expect("a page") as usize - 1];
        assert!(page.span.contains(segment.span), "a segment outside its page");
        let ([left, top, right, bottom], (width, height)) =
            (segment.rect.expect("a box"), page.size.expect("a size"));
        assert!(left <= right && top <= bottom, "an inside-out box");
        assert!(right >= 0.0 && bottom >= 0.0 && left <= width && top <= height, "a box off the page");
    }
}
