//! The content indexes of a report: tables and lists that say where it addresses the codes of a framework. Each
//! row is what the company claims, in its own words; whether it is so is checked elsewhere.

mod code;
mod line;
mod place;
mod table;

pub use code::Framework;
pub(super) use place::{Named, Place};

use sibyl_text::document::{BlockKind, Document, Span};

/// Maximum number of bytes of a line above a table that may be its title.
const TITLE: usize = 240;

/// A row of an index for one code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct IndexEntry {
    /// Whose code it is.
    pub framework: Framework,
    /// The code in its canonical form, such as `305-1`, `S2.29(a)` or `Governance (a)`.
    pub code: String,
    /// The index's name for it; empty if it gives only the code.
    pub title: String,
    /// What the row says about the place, in its own words.
    pub words: String,
    /// What that names; never empty.
    pub places: Vec<Place>,
    /// The row (bytes of the document's text).
    pub span: Span,
}

/// The entries of all indexes of `document`, in the order of its text.
pub(super) fn read(document: &Document) -> Vec<IndexEntry> {
    let text = document.text.as_str();
    let mut entries = Vec::new();
    let mut titles: Vec<&str> = Vec::new();
    let mut before: Option<table::Layout> = None;
    let mut lines = Vec::new();
    for block in &document.blocks {
        if let BlockKind::Table { header_end } = block.kind {
            let path = document.path_at(block.span.start);
            let above: Vec<&str> = path.into_iter().chain(titles.drain(..)).collect();
            let table = table::Table::new(text, block.span, header_end, &above.join("\n"));
            before = table.read(before.as_ref(), &mut entries);
        } else if block.kind.running() && block.span.len() <= TITLE {
            titles.push(block.span.of(text));
        } else {
            titles.clear();
        }
        if block.kind.running() || block.kind == BlockKind::Contents {
            lines.push(block.span);
        } else {
            let path = lines.first().map(|span: &Span| document.path_at(span.start).join("\n"));
            line::read(text, &lines, &path.unwrap_or_default(), &mut entries);
            lines.clear();
        }
    }
    let path = lines.first().map(|span: &Span| document.path_at(span.start).join("\n"));
    line::read(text, &lines, &path.unwrap_or_default(), &mut entries);
    entries.sort_by_key(|entry| entry.span);
    entries
}

#[cfg(test)]
mod tests;
