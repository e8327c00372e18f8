//! Reports that another tool has already turned into Markdown and that name their pages. The pages are named beside
//! the text (a JSON list of page objects, as from PyMuPDF4LLM), instead of the text, or by marks in it.

mod marks;
mod metadata;

use super::{Format, Input, encoding, markdown};
use crate::document::{Document, Notice, Page, Severity, Span};
use metadata::PageEntry;

/// Whether a JSON file may be a list of page objects, judged by its first bytes.
pub fn begins_like_pages(head: &[u8]) -> bool {
    metadata::begins_like_pages(head)
}

/// Whether `bytes` are a list of page objects with their text: all that is read of JSON.
pub fn is_page_list(bytes: &[u8]) -> bool {
    metadata::looks_like_pages(bytes)
}

/// Reads parsed reports.
pub struct ParsedReport;

impl Format for ParsedReport {
    fn name(&self) -> &'static str {
        "parsed_report"
    }
    fn label(&self) -> &'static str {
        "Markdown"
    }
    fn version(&self) -> u32 {
        2
    }
    fn extensions(&self) -> &'static [&'static str] {
        &["json", "md", "markdown", "txt"]
    }
    fn recognises(&self, input: &Input<'_>) -> bool {
        if encoding::binary_kind(input.bytes).is_some() {
            return false;
        }
        input.page_metadata.is_some() || metadata::looks_like_pages(input.bytes) || marks::marked(input.bytes)
    }
    fn parse(&self, input: &Input<'_>, _: &[String]) -> Document {
        if let Some(entries) = metadata::pages_with_text(input.bytes) {
            return from_entries(&entries);
        }
        let decoded = match encoding::decode(input.bytes) {
            Ok(decoded) => decoded,
            Err(refused) => return *refused,
        };
        let Some(json) = input.page_metadata else {
            let (decoded, pages) = marks::take(decoded);
            return with_pages(decoded, pages);
        };
        match metadata::parse(json) {
            Ok(entries) => with_metadata(decoded, &entries),
            Err(notice) => {
                let (mut decoded, pages) = marks::take(decoded);
                decoded.notices.push(notice);
                with_pages(decoded, pages)
            }
        }
    }
}

fn with_pages(decoded: encoding::Decoded, pages: Vec<Page>) -> Document {
    Document { pages, ..markdown::document(decoded) }
}

/// A document from page objects that bring their text.
fn from_entries(entries: &[PageEntry]) -> Document {
    let mut decoded = encoding::Decoded::default();
    let mut pages = Vec::with_capacity(entries.len());
    for entry in entries {
        if !decoded.text.is_empty() {
            decoded.text.push_str("\n\n");
        }
        let start = decoded.text.len();
        decoded.text.push_str(entry.text.as_deref().unwrap_or_default().trim());
        pages.push(entry.page(Span::new(start, decoded.text.len())));
    }
    let pages = in_order(pages, &mut decoded.notices);
    let mut document = with_pages(decoded, pages);
    document.title = document.title.or_else(|| entries.iter().find_map(|e| e.title.clone()));
    document
}

/// Pages of `decoded` by the positions that `entries` give: offsets, texts or character counts, else by the
/// marks in the text where there is one for each page.
fn with_metadata(decoded: encoding::Decoded, entries: &[PageEntry]) -> Document {
    let text = &decoded.text;
    let found = metadata::by_offsets(text, entries)
        .or_else(|| metadata::by_texts(text, entries))
        .or_else(|| metadata::by_counts(text, entries));
    let (mut decoded, pages) = match found {
        Some(spans) => {
            let pages = entries.iter().zip(spans).map(|(entry, span)| entry.page(span)).collect();
            (decoded, pages)
        }
        None => marks::take_for(decoded, entries),
    };
    if pages.is_empty() && !entries.is_empty() {
        let message = format!(
            "expected page metadata whose offsets, texts or character counts match the Markdown, found {} pages that \
             do not; the text was read without page numbers",
            entries.len()
        );
        decoded.notices.push(Notice::new(Severity::Warning, "pages_unknown", message));
    }
    let pages = in_order(pages, &mut decoded.notices);
    let mut document = with_pages(decoded, pages);
    document.title = document.title.or_else(|| entries.iter().find_map(|e| e.title.clone()));
    document
}

/// Says so where page numbers do not rise; their order in the text is kept.
fn in_order(pages: Vec<Page>, notices: &mut Vec<Notice>) -> Vec<Page> {
    if let Some(pair) = pages.windows(2).find(|pair| pair[1].number <= pair[0].number) {
        let message = format!(
            "expected ascending page numbers, found {} after {}; kept as given",
            pair[1].number, pair[0].number
        );
        notices.push(Notice::new(Severity::Warning, "page_order", message).on_page(pair[1].number));
    }
    pages
}
