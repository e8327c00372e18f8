//! Indexes that are lists of lines: a code, a title, leaders and a page.

use super::IndexEntry;
use super::code::{Code, Context, Framework, codes};
use super::place::{self, Named, Place};
use sibyl_text::document::Span;

/// Lines from which they are an index.
const LINES: usize = 3;

/// Adds the entries of the lines of `blocks`, which follow each other, to `entries`. `above` are the headings above them.
pub(super) fn read(text: &str, blocks: &[Span], above: &str, entries: &mut Vec<IndexEntry>) {
    let bare = Framework::named_in(above);
    let context = Context { bare: &bare, ..Context::default() };
    let mut run: Vec<Vec<IndexEntry>> = Vec::new();
    for block in blocks {
        let mut at = block.start;
        for line in block.of(text).split_inclusive('\n') {
            let span = Span::new(at, at + line.trim_end().len());
            at += line.len();
            let found = entry(span, text, context);
            if found.is_empty() {
                keep(&mut run, entries);
            } else {
                run.push(found);
            }
        }
    }
    keep(&mut run, entries);
}

fn keep(run: &mut Vec<Vec<IndexEntry>>, entries: &mut Vec<IndexEntry>) {
    let all = std::mem::take(run);
    if all.len() >= LINES {
        entries.extend(all.into_iter().flatten());
    }
}

/// The entries of a line that begins with a code and ends with pages after leaders or a word for pages.
fn entry(span: Span, text: &str, context: Context<'_>) -> Vec<IndexEntry> {
    let line = span.of(text).trim_start_matches(['-', '*', '•', ' ']).trim_end();
    let behind = place::behind_leaders(line).or_else(|| {
        let pages = place::marked(line);
        let ends = line.ends_with(|c: char| c.is_ascii_digit() || c == ')');
        (!pages.is_empty() && ends).then_some((line, pages))
    });
    let Some((head, pages)) = behind else { return Vec::new() };
    // A code is at the beginning, alone or after the name of its framework.
    let begins = head.char_indices().nth(24).map_or(head, |(end, _)| &head[..end]);
    let lead = begins.split_whitespace().take(3).collect::<Vec<_>>().join(" ");
    let found = codes(&lead, context);
    let words = line.to_owned();
    let place = |pages| Place { words: words.clone(), document: None, named: Named::Pages(pages) };
    let entry = |Code { framework, code }| IndexEntry {
        framework,
        code,
        title: head.to_owned(),
        words: words.clone(),
        places: vec![place(pages.clone())],
        span,
    };
    found.into_iter().map(entry).collect()
}
