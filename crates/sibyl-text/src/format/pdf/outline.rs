//! The outline of a file (its bookmarks).

use super::characters::{clean_line, decode};
use hayro_syntax::Pdf;
use hayro_syntax::object::{Dict, ObjectIdentifier, String as PdfString};
use std::collections::HashSet;

/// Entries beyond which the rest is left out.
const MAX_ENTRIES: usize = 10_000;
/// Depth beyond which entries are left out.
const MAX_DEPTH: u8 = 20;

/// One entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) title: String,
    /// 1 for the outermost.
    pub(super) depth: u8,
}

/// All entries in order; empty where the file has no outline.
pub(super) fn entries(pdf: &Pdf, catalog: &Dict<'_>) -> Vec<Entry> {
    let mut out = Vec::new();
    let mut seen = HashSet::new();
    if let Some(root) = catalog.get::<Dict<'_>>("Outlines") {
        walk(pdf, &root, 1, &mut seen, &mut out);
    }
    out
}

fn walk<'a>(
    pdf: &'a Pdf,
    parent: &Dict<'a>,
    depth: u8,
    seen: &mut HashSet<ObjectIdentifier>,
    out: &mut Vec<Entry>,
) {
    let mut next = parent.get_ref("First");
    while let Some(id) = next {
        if depth > MAX_DEPTH || out.len() >= MAX_ENTRIES || !seen.insert(id.into()) {
            return;
        }
        let Some(entry) = pdf.xref().get::<Dict<'a>>(id.into()) else { return };
        if let Some(title) = entry.get::<PdfString<'_>>("Title") {
            let title = clean_line(&decode(&title));
            if !title.is_empty() {
                out.push(Entry { title, depth });
            }
        }
        walk(pdf, &entry, depth + 1, seen, out);
        next = entry.get_ref("Next");
    }
}
