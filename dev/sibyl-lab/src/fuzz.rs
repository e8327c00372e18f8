//! Random and mutated documents through every format and strategy: no panic, no hang, no lost text.

mod archive;
mod hocr;
mod pages;

pub use archive::{Parts, archive, mutant, parts};
pub use hocr::{Hocr, answer};
pub use pages::Pages;

use crate::random::Random;
use serde_json::Map;
use sibyl_text::chunk::{self, ChunkContext, STRATEGIES};
use sibyl_text::format::{FORMATS, Format, Input};
use sibyl_text::tokens::CharsPerToken;
use sibyl_text::{BlockKind, Document, Strategy};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What went wrong with one document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Seed that reproduces the document.
    pub seed: u64,
    /// Format it was read as.
    pub format: &'static str,
    /// Strategy that chunked it, if it got that far.
    pub strategy: Option<&'static str>,
    /// What went wrong.
    pub what: String,
}

/// Pieces that structure is made of, and that break it.
const PIECES: &[&str] = &[
    "# ",
    "## ",
    "###### ",
    "\n",
    "\n\n",
    "\r\n",
    "- ",
    "  - ",
    "1. ",
    "> ",
    "```\n",
    "~~~",
    "| a | b |\n|---|---|\n| 1 | 2 |\n",
    ":::note\n",
    ":::\n",
    "---\n",
    "+++\n",
    "***",
    "**S2.14 · T** *(r · m)*\n\n",
    "- **(a) L.** ",
    "  - **(iv) L.** ",
    "(a) ",
    "S2.14(a)(iv)",
    "14 ",
    "B42 ",
    "EM-EP-110a.1",
    "## Topic (EM-EP-110a)\n\n",
    "word ",
    "Sentence one. Sentence two! ",
    "e.g. 3.5 % ",
    "\u{feff}",
    "\u{0}",
    "\u{200f}",
    "שלום ",
    "漢字。",
    "🌍",
    "\u{301}",
    "é",
    "\t",
    "    code\n",
    "<div>",
    "</Tabs>",
    "import x from 'y'\n",
    "[link](http://x)",
    "![i](data:x)",
    "\\",
    "{#id}",
    "\u{c}",
    "<!-- page 3 -->\n",
    "|",
    "`",
    "title: [",
    "\u{2028}",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
];

/// The bytes of document `seed`: random pieces, or one of `seeds` with bytes changed, cut, doubled and moved.
pub fn document(seed: u64, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut random = Random::new(seed);
    let mut bytes = if seeds.is_empty() || random.below(3) == 0 {
        let count = random.below(200);
        (0..count).flat_map(|_| random.pick(PIECES).bytes()).collect()
    } else {
        let whole = random.pick(seeds);
        let start = random.below(whole.len());
        whole[start..(start + random.below(6_000)).min(whole.len())].to_vec()
    };
    for _ in 0..random.below(12) {
        mutate(&mut bytes, &mut random);
    }
    bytes
}

/// Changes `bytes` in one place.
pub fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    if bytes.is_empty() {
        bytes.push(random.next() as u8);
        return;
    }
    let at = random.below(bytes.len());
    let end = (at + random.below(64)).min(bytes.len());
    match random.below(6) {
        0 => bytes[at] = random.next() as u8,
        1 => bytes[at] ^= 1 << random.below(8),
        2 => drop(bytes.drain(at..end)),
        3 => {
            let copy = bytes[at..end].to_vec();
            bytes.splice(at..at, copy);
        }
        4 => {
            let piece = *random.pick(PIECES);
            bytes.splice(at..at, piece.bytes());
        }
        _ => bytes.truncate(at),
    }
}

/// Reads `bytes` as `format` and chunks them with every strategy; what went wrong, if anything.
pub fn try_document(seed: u64, format: &'static dyn Format, bytes: &[u8]) -> Vec<Fault> {
    let fault = |strategy, what| Fault { seed, format: format.name(), strategy, what };
    let name = format!("document.{}", format.extensions().first().copied().unwrap_or("txt"));
    let input = Input { name: &name, bytes, page_metadata: None };
    let document = match catch_unwind(AssertUnwindSafe(|| format.read(&input))) {
        Ok(document) => document,
        Err(_) => return vec![fault(None, "panic while reading".to_owned())],
    };
    if let Err(what) = sound(&document) {
        return vec![fault(None, what)];
    }
    STRATEGIES
        .iter()
        .filter_map(|strategy| {
            let cut = catch_unwind(AssertUnwindSafe(|| covers(*strategy, &document)));
            let what = match cut {
                Ok(Ok(())) => return None,
                Ok(Err(what)) => what,
                Err(_) => "panic while chunking".to_owned(),
            };
            Some(fault(Some(strategy.name()), what))
        })
        .collect()
}

/// Spans inside the text, on character boundaries, in order.
fn sound(document: &Document) -> Result<(), String> {
    let text = &document.text;
    let inside =
        |start: usize, end: usize| start <= end && text.is_char_boundary(start) && text.is_char_boundary(end);
    let mut last = 0;
    for block in &document.blocks {
        if !inside(block.span.start, block.span.end) || block.span.start < last {
            return Err(format!("block {:?} of {} bytes after {last}", block.span, text.len()));
        }
        last = block.span.end;
    }
    for section in &document.sections {
        if !inside(section.span.start, section.span.end) || !section.span.contains(section.heading) {
            return Err(format!("section {:?}", section.span));
        }
    }
    for fact in &document.facts {
        if fact.span.is_some_and(|span| !inside(span.start, span.end) || span.end > text.len()) {
            return Err(format!("fact {fact:?} of {} bytes", text.len()));
        }
    }
    if text.contains('\r') { Err("a carriage return is left".to_owned()) } else { Ok(()) }
}

/// Every character of the body that is neither white space nor in a page of contents is in some chunk's own text,
/// and no span is outside.
fn covers(strategy: &dyn Strategy, document: &Document) -> Result<(), String> {
    let settings = chunk::settings(strategy, &Map::new()).map_err(|error| error.to_string())?;
    let counterparts = BTreeMap::new();
    let context = ChunkContext {
        path: "a/document.md",
        tokens: &CharsPerToken,
        window: None,
        counterparts: &counterparts,
        base_url: "",
    };
    let chunks = strategy.chunk(document, &settings, &context);
    let text = &document.text;
    let mut spans: Vec<_> = chunks.iter().flat_map(chunk::Chunk::own).collect();
    spans.sort();
    let mut at = document.body.start;
    // Entries of a page of contents belong to no chunk.
    let contents: Vec<_> =
        document.blocks.iter().filter(|block| block.kind == BlockKind::Contents).map(|b| b.span).collect();
    let lost = |from: usize, to: usize| {
        let entry = |at: usize| contents.iter().any(|span| (span.start..span.end).contains(&at));
        from < to && text[from..to].char_indices().any(|(at, c)| !c.is_whitespace() && !entry(from + at))
    };
    for span in spans {
        if span.end > text.len() || !text.is_char_boundary(span.start) || !text.is_char_boundary(span.end) {
            return Err(format!("span {span:?} of {} bytes", text.len()));
        }
        if lost(at, span.start) {
            return Err(format!("lost {:?}", &text[at..span.start]));
        }
        at = at.max(span.end);
    }
    if lost(at, document.body.end) { Err(format!("lost {:?}", &text[at..document.body.end])) } else { Ok(()) }
}

/// Formats of text; the others are tried with files of their own kind, and HTML also with pieces of its own.
pub fn text_formats() -> impl Iterator<Item = &'static dyn Format> {
    FORMATS.iter().copied().filter(|format| !is_binary(*format))
}

/// Formats whose files are no text.
pub fn binary_formats() -> impl Iterator<Item = &'static dyn Format> {
    FORMATS.iter().copied().filter(|format| is_binary(*format))
}

fn is_binary(format: &dyn Format) -> bool {
    format.untrusted() && format.name() != "html"
}
