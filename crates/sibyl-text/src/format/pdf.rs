//! PDF files.
//!
//! The page's operators give glyphs and rulings; glyphs become words, words become lines. The structure tree
//! gives order, lists, headings and tables where the file is tagged, their place on the page where it is not.
//! Running headers, footers and page numbers go (they are kept as metadata `running_text`). The text is mended
//! in its layout only: no character that carries a fact is changed.
//!
//! The steps from a page to the blocks of the document are the list in `pdf/passes.rs`.

mod abreast;
mod backdrop;
mod band;
mod belief;
mod beside;
mod block;
mod boxes;
mod bracketed;
mod bullet;
mod cards;
mod cell;
mod characters;
mod chart;
mod columns;
mod contents;
mod continued;
mod copies;
mod elements;
mod emit;
mod evidence;
mod file_title;
mod flow;
mod font;
mod fragments;
mod furniture;
mod gaps;
mod geometry;
mod glyph;
mod grid;
mod groups;
mod gutters;
mod heading;
mod heads;
mod hyphen;
mod indent;
mod info;
mod ink;
mod interpret;
mod joining;
mod justified;
mod key_figure;
mod label;
mod left_out;
mod line;
mod lines;
mod list;
mod metrics;
mod model;
mod number;
mod number_row;
mod order;
mod outline;
mod over_gaps;
mod page_break;
mod pairs;
mod panel;
mod part;
mod pass;
mod passes;
mod reading;
mod region;
mod row;
mod row_names;
mod ruled;
mod rules;
mod ruling;
mod scanned;
mod sector;
mod shade;
mod shifted;
mod sideways;
mod spaced;
mod spacing;
mod spanning;
mod spread;
mod squared;
mod stacked;
mod stacked_names;
mod struck;
mod table;
mod tag_rows;
mod tagged;
mod tags;
mod thing;
mod titles;
mod trace;
mod uncut;
mod unreadable;
mod unruled;
mod unseen;
mod visibility;
mod weigh;
mod word;
mod wrapped;

pub use left_out::MENDED_BY_OCR;
pub use trace::{PassStep, Shown};
pub use weigh::{Cost, Decision, Hypothesis};

use super::hocr::{Scan, ScannedPage};
use super::{Format, Input, identity, locked};
use crate::document::{self, Document, Notice, Recognition, Severity, Span};
use geometry::Rect;
use hayro_syntax::object::Dict;
use hayro_syntax::{DecryptionError, LoadPdfError, Pdf as Syntax};
use left_out::{LeftOut, without_text};
use model::{Context, PageModel};
use reading::Reading;
use serde_json::{Map, json};
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use tags::Tags;
use trace::Trace;

/// Bytes at the start of a file in which its `%PDF-` mark may stand (ISO 32000-1, annex H.3.4.1).
const MAGIC_REACH: usize = 1024;
/// Bytes at the end of a file in which its end mark stands, with room for what servers and mail programs append.
const END_REACH: usize = 4096;
/// Pages beyond which the rest is left out.
const MAX_PAGES: usize = 20_000;

/// The Portable Document Format.
#[derive(Debug, Clone, Copy, Default)]
pub struct Pdf;

impl Format for Pdf {
    fn name(&self) -> &'static str {
        "pdf"
    }
    fn label(&self) -> &'static str {
        "PDF"
    }
    fn version(&self) -> u32 {
        20
    }
    fn extensions(&self) -> &'static [&'static str] {
        &["pdf"]
    }
    fn recognises(&self, input: &Input<'_>) -> bool {
        begins(input.bytes)
    }
    fn untrusted(&self) -> bool {
        true
    }
    fn parse(&self, input: &Input<'_>, passwords: &[String]) -> Document {
        read_locked(input.bytes, Trust::Tags, passwords, &Scan::default())
    }
}

/// Reads a file with the words that OCR found on the pages of `scan` in the place of theirs. The first of `passwords`
/// that opens it is taken.
pub fn read_scanned(bytes: &[u8], passwords: &[String], scan: &Scan) -> Document {
    identity::told(read_locked(bytes, Trust::Tags, passwords, scan), "")
}

/// What each pass leaves of page `page` (from 1) of a file; the first of `passwords` that opens it is taken. Empty where it
/// cannot be read, or has no such page. Pages that only OCR reads are shown as the file itself has them.
pub fn passes(bytes: &[u8], passwords: &[String], page: u32) -> Vec<PassStep> {
    let mut trace = Trace::of(page);
    let read = || document(bytes, Trust::Tags, passwords, &Scan::default(), &mut trace);
    // A broken file is told by reading it.
    let broken = catch_unwind(AssertUnwindSafe(read)).is_err();
    if broken { Vec::new() } else { trace.into_steps() }
}

/// Whether `bytes` begin as a PDF does, or nearly so: some programs write a line of their own before.
pub(super) fn begins(bytes: &[u8]) -> bool {
    bytes[..bytes.len().min(MAGIC_REACH)].windows(5).any(|window| window == b"%PDF-")
}

/// What of a file is believed about the order and kind of its parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// The structure tree of a tagged file, and the place of things where there is none.
    Tags,
    /// Only the place of things on the page, as in a file without tags. Where a file is tagged, reading it in both
    /// ways measures how well place alone is read.
    Place,
}

/// Reads a file. Parsers of fonts and streams are not ours and the bytes are anyone's: a panic in them is a
/// broken file and not a broken program.
pub fn read(bytes: &[u8], trust: Trust) -> Document {
    read_locked(bytes, trust, &[], &Scan::default())
}

fn read_locked(bytes: &[u8], trust: Trust, passwords: &[String], scan: &Scan) -> Document {
    let read = || document(bytes, trust, passwords, scan, &mut Trace::default());
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| broken())
}

fn document(bytes: &[u8], trust: Trust, passwords: &[String], scan: &Scan, trace: &mut Trace) -> Document {
    match open(bytes, passwords) {
        Ok(pdf) if !pdf.pages().is_empty() => {
            let mut document = of_pages(&pdf, trust, scan, trace);
            if !ends_whole(bytes) {
                document.notices.insert(0, cut_off(document.pages.len()));
            }
            document
        }
        Ok(_) | Err(LoadPdfError::Invalid) => broken(),
        Err(LoadPdfError::Decryption(DecryptionError::PasswordProtected)) => {
            failed(locked::locked("a PDF", passwords.len()))
        }
        Err(LoadPdfError::Decryption(cause)) => failed(encrypted(cause)),
    }
}

/// Opens a file, with the first of `passwords` that fits where it asks for one.
fn open(bytes: &[u8], passwords: &[String]) -> Result<Syntax, LoadPdfError> {
    let bytes = Arc::new(bytes.to_vec());
    let mut opened = Syntax::new(Arc::clone(&bytes));
    for password in passwords {
        if !matches!(opened, Err(LoadPdfError::Decryption(DecryptionError::PasswordProtected))) {
            break;
        }
        opened = Syntax::new_with_password(Arc::clone(&bytes), password);
    }
    opened
}

/// Whether a file ends as files end that are there to the last byte.
fn ends_whole(bytes: &[u8]) -> bool {
    let end = &bytes[bytes.len().saturating_sub(END_REACH)..];
    end.windows(5).any(|window| window == b"%%EOF") || end.windows(9).any(|window| window == b"startxref")
}

fn cut_off(pages: usize) -> Notice {
    let read = if pages == 1 { "1 page".to_owned() } else { format!("{pages} pages") };
    let message = format!(
        "expected a PDF with its directory at the end, found one that is damaged or cut off; {read} could be \
         read and others may be missing; fetch it again, or open it in a PDF viewer and save it to a new PDF"
    );
    Notice::new(Severity::Warning, "pdf_cut_off", message)
}

fn failed(notice: Notice) -> Document {
    Document { notices: vec![notice], ..Document::default() }
}

fn broken() -> Document {
    failed(Notice::new(
        Severity::Error,
        "pdf_broken",
        "expected a PDF with pages, found a file that is damaged or cut off; open it in a PDF viewer and save or \
         print it to a new PDF, or fetch it again",
    ))
}

fn encrypted(cause: DecryptionError) -> Notice {
    let message = match cause {
        DecryptionError::PasswordProtected | DecryptionError::UnsupportedAlgorithm => {
            "expected a PDF without encryption or with a standard one, found one locked in a way that is not \
             supported; save a copy without protection"
        }
        DecryptionError::MissingIDEntry | DecryptionError::InvalidEncryption => {
            "expected a PDF that opens without a password, found one whose encryption is damaged; save a copy \
             without protection, or fetch it again"
        }
    };
    Notice::new(Severity::Error, "pdf_encrypted", message)
}

fn of_pages(pdf: &Syntax, trust: Trust, scan: &Scan, trace: &mut Trace) -> Document {
    let catalog = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id()).unwrap_or_default();
    let tags = if trust == Trust::Tags { Tags::new(pdf, &catalog) } else { Tags::default() };
    let models = models(pdf, &catalog, &tags, trust, scan);
    let left_out = LeftOut::of(&models);
    let marks: Vec<Vec<Rect>> = models.iter().map(|page| page.patched.clone()).collect();
    let scan = &scanned::placed(scan, &marks);
    let outline = outline::entries(pdf, &catalog);
    let lefts: Vec<Option<u32>> = models.iter().map(|page| spread::first(&page.words, page.size)).collect();
    let mut reading = Reading::new(models, &tags, outline, info::metadata(pdf));
    passes::run(&mut reading, trace);
    let Reading { mut metadata, running, title, lexicon, paged, sizes, lies, places, .. } = reading;
    let mut notices: Vec<Notice> = left_out.too_large().collect();
    let labels = label::labels(&catalog, paged.len());
    let labels = labels.into_iter().zip(spread::labels(&lefts)).map(|(named, printed)| named.or(printed));
    let details = (1..).zip(sizes).zip(&lies).zip(places).zip(labels);
    let named = details.map(|((((number, size), lies), regions), label)| {
        let filed = |rect: &Rect| lies.map_or(*rect, |lies| lies.filed(rect)).corners();
        let regions = regions.iter().map(filed).collect();
        document::Page { number, label, span: Span::default(), size: Some(size), regions }
    });
    let document = emit::document(&paged, named, &lies, &lexicon).finish(title, Map::new(), Vec::new());
    let pages = &document.pages;
    let recognition = (!scan.pages.is_empty())
        .then(|| scanned::recognition(scan, pages.len(), &document.text, &document.segments));
    let empty: Vec<u32> = pages.iter().filter(|p| p.span.is_empty()).map(|p| p.number).collect();
    let mut layered = left_out.layered();
    layered.retain(|page| !empty.contains(page));
    let recognition = recognition
        .or_else(|| (!layered.is_empty()).then(|| Recognition { pages: layered, ..Recognition::default() }));
    let unread: Vec<u32> =
        empty.iter().copied().filter(|page| scan.pages.iter().all(|read| read.number != *page)).collect();
    notices.extend(without_text(&unread, pages));
    notices.extend(
        recognition
            .iter()
            .flat_map(|found| scanned::notices(found, scan, &empty, pages, document.text.len())),
    );
    notices.extend(left_out.notices(pages));
    if !running.is_empty() {
        metadata.insert("running_text".to_owned(), running.into());
    }
    if let Some(found) = &recognition
        && let Some(confidence) = found.confidence(document.body)
    {
        let summary =
            json!({ "pages": found.pages.len(), "confidence": confidence, "languages": found.languages });
        metadata.insert("ocr".to_owned(), summary);
    }
    Document { metadata, recognition, notices, ..document }
}

/// The models of the pages of a file.
fn models(pdf: &Syntax, catalog: &Dict<'_>, tags: &Tags, trust: Trust, scan: &Scan) -> Vec<PageModel> {
    let layers = visibility::Layers::new(pdf, catalog);
    let mut fonts = font::Fonts::new();
    let context = Context { tags, layers: &layers, artifacts: trust == Trust::Tags };
    let scanned: HashMap<u32, &ScannedPage> = scan.pages.iter().map(|page| (page.number, page)).collect();
    let mut read = || -> (Vec<PageModel>, bool) {
        let pages = pdf.pages().iter().take(MAX_PAGES).zip(1..).enumerate();
        let of = |(index, (page, number))| {
            PageModel::of(page, index, &mut fonts, &context, scanned.get(&number).copied())
        };
        (pages.map(of).collect(), fonts.known.holds_shifted())
    };
    let (pages, shifted) = read();
    // What shifts the letters of a font may be known only from a later page than the first that uses it.
    if shifted { read().0 } else { pages }
}

#[cfg(test)]
mod tests;
