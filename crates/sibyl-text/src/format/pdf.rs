//! PDF files.
//!
//! The page's operators give glyphs and rulings; glyphs become words, words become lines. The structure tree
//! gives order, lists, headings and tables where the file is tagged, their place on the page where it is not.
//! Running headers, footers and page numbers go (they are kept as metadata `running_text`). The text is mended
//! in its layout only: no character that carries a fact is changed.
//!
//! Over 500 lines: the way of a file from its bytes to a document, step by step.

mod abreast;
mod backdrop;
mod band;
mod beside;
mod block;
mod bullet;
mod cell;
mod characters;
mod columns;
mod contents;
mod continued;
mod copies;
mod cover;
mod emit;
mod evidence;
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
mod info;
mod ink;
mod interpret;
mod joining;
mod justified;
mod key_figure;
mod label;
mod layout;
mod line;
mod list;
mod number;
mod order;
mod outline;
mod over_gaps;
mod page_break;
mod pairs;
mod panel;
mod region;
mod row;
mod rules;
mod ruling;
mod scanned;
mod shade;
mod sideways;
mod spaced;
mod spacing;
mod spanning;
mod spread;
mod squared;
mod stacked;
mod stacked_names;
mod table;
mod tagged;
mod tags;
mod thing;
mod titles;
mod unreadable;
mod unseen;
mod visibility;
mod word;
mod wrapped;

use super::hocr::{Scan, ScannedPage};
use super::{Format, Input, locked, markdown};
use crate::document::{self, Document, Notice, Severity, Span, cited, labels};
use block::{Block, Form};
use emit::Emitter;
use furniture::Sheet;
use glyph::Artifact;
use hayro_syntax::object::Dict;
use hayro_syntax::{DecryptionError, LoadPdfError, Pdf as Syntax};
use hyphen::Lexicon;
use interpret::Content;
use layout::Laid;
use panel::Shapes;
use serde_json::json;
use sideways::Sideways;
use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use tags::Tags;
use word::Word;

/// Bytes at the start of a file in which its `%PDF-` mark may stand (ISO 32000-1, annex H.3.4.1).
const MAGIC_REACH: usize = 1024;
/// Bytes at the end of a file in which its end mark stands, with room for what servers and mail programs append.
const END_REACH: usize = 4096;
/// Pages beyond which the rest is left out.
const MAX_PAGES: usize = 20_000;

/// Code of the notice about pages without text.
pub const WITHOUT_TEXT: &str = "pages_without_text";

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
        17
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
    fn read(&self, input: &Input<'_>) -> Document {
        read(input.bytes, Trust::Tags)
    }
    fn read_locked(&self, input: &Input<'_>, passwords: &[String]) -> Document {
        read_locked(input.bytes, Trust::Tags, passwords, &Scan::default())
    }
}

/// Reads a file with the words that OCR found on the pages of `scan` in the place of theirs. The first of `passwords`
/// that opens it is taken.
pub fn read_scanned(bytes: &[u8], passwords: &[String], scan: &Scan) -> Document {
    read_locked(bytes, Trust::Tags, passwords, scan)
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
    catch_unwind(AssertUnwindSafe(|| document(bytes, trust, passwords, scan))).unwrap_or_else(|_| broken())
}

fn document(bytes: &[u8], trust: Trust, passwords: &[String], scan: &Scan) -> Document {
    match open(bytes, passwords) {
        Ok(pdf) if !pdf.pages().is_empty() => {
            let mut document = of_pages(&pdf, trust, scan);
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

/// A page while it is read.
struct Leaf {
    words: Vec<Word>,
    rulings: Vec<ruling::Ruling>,
    /// Images and filled boxes.
    pictures: Vec<geometry::Rect>,
    /// Where panels meet.
    panels: Vec<panel::Side>,
    /// Filled shapes that can be bullets.
    bullets: Vec<geometry::Rect>,
    size: (f32, f32),
    /// How it lies, if not upright: its lines, pictures and bullets are then where they stand when it is turned upright.
    lies: Option<Sideways>,
    /// Signs that could not be read.
    unread: unreadable::Unread,
    /// Text that is not seen was left out.
    unseen: bool,
    truncated: bool,
}

impl Leaf {
    /// Puts what OCR read in the place of its words, and turns it as they stand.
    fn scanned(&mut self, page: &ScannedPage) {
        self.words = scanned::words(page);
        let Some(lies) = Sideways::of(&self.words, self.size).filter(|_| self.lies.is_none()) else { return };
        self.rulings.iter_mut().for_each(|ruling| *ruling = lies.ruling(*ruling));
        self.pictures.iter_mut().chain(&mut self.bullets).for_each(|rect| *rect = lies.upright(rect));
        self.panels.clear();
        self.lies = Some(lies);
    }
}

fn too_large() -> Notice {
    Notice::new(
        Severity::Warning,
        "page_too_large",
        "expected a page of text, found a drawing with millions of strokes; the rest of the page was left \
         out; print the page to a new PDF",
    )
}

fn of_pages(pdf: &Syntax, trust: Trust, scan: &Scan) -> Document {
    let catalog = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id()).unwrap_or_default();
    let tags = if trust == Trust::Tags { Tags::new(pdf, &catalog) } else { Tags::default() };
    let mut leaves = leaves(pdf, &catalog, &tags);
    if trust == Trust::Place {
        leaves.iter_mut().flat_map(|leaf| &mut leaf.words).for_each(|word| word.artifact = Artifact::No);
    }
    for page in &scan.pages {
        if let Some(leaf) = leaves.get_mut((page.number as usize).wrapping_sub(1)) {
            leaf.scanned(page);
        }
    }
    let sheets: Vec<Sheet<'_>> = leaves.iter().map(|leaf| sheet(leaf, &tags)).collect();
    let mut furniture = furniture::find(&sheets);
    let mut started = tagged::Started::default();
    let mut notices = Vec::new();
    let (mut sizes, mut regions, mut sides) = (Vec::new(), Vec::new(), Vec::new());
    let mut passed_over = Unread::default();
    let mut pages: Vec<Vec<Block>> = Vec::new();
    // Pages whose headings are those that the tags name.
    let mut tagged_pages = Vec::new();
    for (leaf, marked) in leaves.into_iter().zip(furniture.marked) {
        let number = u32::try_from(pages.len() + 1).unwrap_or(u32::MAX);
        if leaf.truncated {
            notices.push(too_large().on_page(number));
        }
        passed_over.note(&leaf, number, scan);
        sizes.push(leaf.size);
        let lies = leaf.lies;
        let (laid, placed) = blocks(leaf, &marked, &tags, &mut started);
        sides.push(lies.filter(|_| placed));
        pages.push(unseen::stripped(laid.blocks));
        regions.push(laid.regions);
        tagged_pages.push(!placed && tags.has_headings());
    }
    furniture.running.extend(continued::join(&mut pages));
    contents::mark(&mut pages);
    let outline = outline::entries(pdf, &catalog);
    heading::mark(&mut pages, &outline, &tagged_pages);
    let mut metadata = info::metadata(pdf);
    let cover = cover::read(&pages, &metadata);
    let lexicon = lexicon(&pages);
    let mut emitter = Emitter::new(&lexicon);
    let labels = label::labels(&catalog, pages.len());
    let pages = page_break::joined(pages);
    for ((((page, size), lies), regions), label) in
        pages.iter().zip(sizes).zip(sides).zip(&regions).zip(labels)
    {
        emitter.page(label, size, lies, regions, page);
    }
    let Emitter { mut text, segments, pages, figures, .. } = emitter;
    if !text.is_empty() {
        text.push('\n');
    }
    let recognition =
        (!scan.pages.is_empty()).then(|| scanned::recognition(scan, pages.len(), &text, &segments));
    let empty: Vec<u32> = pages.iter().filter(|p| p.span.is_empty()).map(|p| p.number).collect();
    let unread: Vec<u32> =
        empty.iter().copied().filter(|page| scan.pages.iter().all(|read| read.number != *page)).collect();
    notices.extend(without_text(&unread, &pages));
    notices.extend(
        recognition.iter().flat_map(|found| scanned::notices(found, scan, &empty, &pages, text.len())),
    );
    notices.extend(passed_over.notices(&pages));
    let body = Span::new(0, text.len());
    let (sections, mut blocks) = markdown::structure(&text, body);
    name_figures(&mut blocks, &figures);
    let told = [("issuer", cover.issuer), ("year", cover.year)];
    metadata.extend(told.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?.into()))));
    if !furniture.running.is_empty() {
        metadata.insert("running_text".to_owned(), furniture.running.into());
    }
    if let Some(found) = &recognition
        && let Some(confidence) = found.confidence(body)
    {
        let summary =
            json!({ "pages": found.pages.len(), "confidence": confidence, "languages": found.languages });
        metadata.insert("ocr".to_owned(), summary);
    }
    let heading = sections.iter().find(|s| s.level == 1).or(sections.first());
    let title = cover.title.or_else(|| heading.map(|s| s.title.clone()));
    Document {
        text,
        body,
        title,
        metadata,
        sections,
        blocks,
        pages,
        segments,
        recognition,
        notices,
        ..Document::default()
    }
}

/// Calls figures and entries of contents what they are where they read as paragraphs.
fn name_figures(blocks: &mut [document::Block], figures: &[(Span, document::BlockKind)]) {
    let paragraphs = blocks.iter_mut().filter(|block| block.kind == document::BlockKind::Paragraph);
    for block in paragraphs {
        let at = figures.partition_point(|(span, _)| span.end <= block.span.start);
        if let Some((_, kind)) = figures.get(at).filter(|(span, _)| span.contains(block.span)) {
            block.kind = *kind;
        }
    }
}

fn leaves(pdf: &Syntax, catalog: &Dict<'_>, tags: &Tags) -> Vec<Leaf> {
    let layers = visibility::Layers::new(pdf, catalog);
    let mut fonts = font::Fonts::new();
    let mut out = Vec::new();
    for (index, page) in pdf.pages().iter().enumerate().take(MAX_PAGES) {
        let size = page.render_dimensions();
        let Content {
            mut glyphs, mut rulings, mut painted, mut bullets, mut images, unseen, truncated, ..
        } = interpret::content(page, index, &mut fonts, &layers, tags);
        let unread = unreadable::marked(&mut glyphs);
        let words = unseen::told(spacing::mended(word::words(&glyphs, size.0, size.1)));
        let lies = Sideways::of(&words, size);
        let mut seen = Cow::Borrowed(&words);
        let (mut width, mut height) = size;
        if let Some(lies) = lies {
            seen = Cow::Owned(words.iter().map(|word| lies.word(word.clone())).collect());
            (width, height) = lies.upright_size();
            rulings.iter_mut().for_each(|ruling| *ruling = lies.ruling(*ruling));
            let rects = painted.iter_mut().map(|painted| &mut painted.rect);
            rects.chain(&mut bullets).chain(&mut images).for_each(|rect| *rect = lies.upright(rect));
        }
        let mut rulings = rules::of_page(squared::without(rulings, &seen), &seen);
        let (edges, cells) = shade::edges(&painted, &rulings, &seen);
        rulings.extend(edges);
        rulings.extend(cell::sides(&cells, &seen, width, height));
        rulings.extend(rules::implied(&rulings, &seen));
        let filled = painted.iter().filter(|painted| !painted.clips).map(|painted| painted.rect);
        let pictures = images.into_iter().chain(filled).collect();
        let panels = panel::sides(&painted);
        out.push(Leaf { words, rulings, pictures, panels, bullets, size, lies, unread, unseen, truncated });
    }
    out
}

/// What furniture is sought on: the words, and which of them stand in tables.
fn sheet<'a>(leaf: &'a Leaf, tags: &Tags) -> Sheet<'a> {
    let grids = grid::grids(&leaf.rulings);
    let ruled = |word: &Word| {
        let table = |grid: &grid::Grid| grid.size().0 >= 2 && grid.size().1 >= 2 && grid.regions() >= 4;
        let rect = leaf.lies.map_or(word.rect, |lies| lies.upright(&word.rect));
        grids.iter().any(|g| table(g) && g.rect.holds(rect.center(), 0.0))
    };
    let mut in_table = tagged::in_tables(&leaf.words, tags);
    for (word, in_table) in leaf.words.iter().zip(&mut in_table) {
        *in_table |= ruled(word);
    }
    Sheet { words: &leaf.words, width: leaf.size.0, height: leaf.size.1, in_table }
}

/// The blocks of a page, and whether only their place tells what they are.
fn blocks(leaf: Leaf, marked: &[bool], tags: &Tags, started: &mut tagged::Started) -> (Laid, bool) {
    let spread = if leaf.lies.is_some() { None } else { spread::of(&leaf.words, leaf.size) };
    let running: Vec<Word> = leaf
        .words
        .into_iter()
        .zip(marked)
        .filter(|(_, furniture)| !**furniture)
        .map(|(word, _)| word)
        .collect();
    if !tagged::covers(&running) || tagged::contradicts(&running, tags) {
        let running = match leaf.lies {
            Some(lies) => running.into_iter().map(|word| lies.word(word)).collect(),
            None => running,
        };
        let running = bullet::written(running, &leaf.bullets);
        let pictures = layout::pictures(leaf.pictures, &running);
        let shapes = Shapes { pictures, sides: leaf.panels, across: Vec::new() };
        let laid = match spread {
            Some(spread) => {
                let text = running.into_iter().filter(|word| !spread.is_number(word)).collect();
                layout::spread(text, &leaf.rulings, &shapes, spread.middle)
            }
            None => layout::blocks(running, &leaf.rulings, &shapes),
        };
        return (laid, true);
    }
    let mut running = running;
    tagged::adopt_stops(&mut running);
    let (placed, mut loose): (Vec<Word>, Vec<Word>) =
        running.into_iter().partition(|w| w.item.is_some() && w.artifact == Artifact::No);
    let mut blocks = joining::mended(tagged::blocks(placed, tags, started));
    tagged::repeated_headers(&mut blocks, &mut loose);
    if !loose.is_empty() {
        tagged::insert(&mut blocks, layout::figure(loose));
    }
    (Laid { blocks, ..Laid::default() }, false)
}

/// The words of a document, without the halves of words that a line break cuts.
fn lexicon(pages: &[Vec<Block>]) -> Lexicon {
    let mut lexicon = Lexicon::default();
    let mut cut = false;
    let mut add = |line: &line::Line| {
        let count = line.words.len();
        for (i, word) in line.words.iter().enumerate() {
            let ends_cut = i + 1 == count && word.text.ends_with(['-', '\u{AD}']);
            if !(ends_cut || (i == 0 && cut)) {
                lexicon.add(&word.text);
            }
            cut = ends_cut;
        }
    };
    for block in pages.iter().flatten() {
        block.lines.iter().for_each(&mut add);
        if let Form::Table(table) = &block.kind {
            table.rows.iter().flatten().flatten().for_each(&mut add);
        }
    }
    lexicon
}

/// One notice for the pages `empty` of `pages` that hold no text.
fn without_text(empty: &[u32], pages: &[document::Page]) -> Option<Notice> {
    let all = empty.len() == pages.len();
    let subject = match empty {
        [] => return None,
        _ if all => "No page contains any".to_owned(),
        [_] => format!("Page {} contains no", named(empty, pages)),
        _ => format!("Pages {} contain no", named(empty, pages)),
    };
    let severity = if all { Severity::Error } else { Severity::Warning };
    let until = match empty {
        [_] => "nothing on this page can be found until it is read by OCR",
        _ => "nothing on these pages can be found until they are read by OCR",
    };
    let message = format!("{subject} text (scanned images?); {until}");
    Some(Notice::new(severity, WITHOUT_TEXT, message))
}

/// What is not read of the pages of a file, and on which of them.
#[derive(Default)]
struct Unread {
    /// Signs of icon fonts, and pieces of text in fonts that name no letters.
    icons: (usize, Vec<u32>),
    texts: (usize, Vec<u32>),
    /// Pages with hidden text that is no writing, and with text that nobody sees.
    garbled: Vec<u32>,
    hidden: Vec<u32>,
}

impl Unread {
    /// Notes what is not read of page `number`; what OCR read anew stands for all that its fonts leave out.
    fn note(&mut self, leaf: &Leaf, number: u32, scan: &Scan) {
        let anew = scan.pages.iter().any(|page| page.number == number);
        let counts = [(leaf.unread.icons, &mut self.icons), (leaf.unread.texts, &mut self.texts)];
        for (count, known) in counts.into_iter().filter(|(count, _)| *count > 0 && !anew) {
            known.0 += count;
            known.1.push(number);
        }
        if leaf.words.iter().any(|word| word.unseen) {
            self.garbled.push(number);
        }
        if leaf.unseen && !anew {
            self.hidden.push(number);
        }
    }

    /// One notice for each kind.
    fn notices(&self, pages: &[document::Page]) -> impl Iterator<Item = Notice> {
        let icons = left_out(self.icons.0, &self.icons.1, pages);
        let texts = not_readable(self.texts.0, &self.texts.1, pages);
        [icons, texts, no_writing(&self.garbled, pages), not_seen(&self.hidden, pages)].into_iter().flatten()
    }
}

/// One notice for all signs of icon fonts.
fn left_out(count: usize, on: &[u32], pages: &[document::Page]) -> Option<Notice> {
    let signs = if count == 1 { "One symbol".to_owned() } else { format!("{count} symbols") };
    let place = if on.len() == 1 { "page" } else { "pages" };
    let message = format!(
        "{signs} from an icon font on {place} {} could not be read as text; look at the page to see what is there",
        named(on, pages)
    );
    (count > 0).then(|| Notice::new(Severity::Info, "icons_left_out", message))
}

/// One notice for all text that a mark stands for.
fn not_readable(count: usize, on: &[u32], pages: &[document::Page]) -> Option<Notice> {
    let texts = if count == 1 { "One piece of text".to_owned() } else { format!("{count} pieces of text") };
    let place = if on.len() == 1 { "page" } else { "pages" };
    let message = format!(
        "{texts} on {place} {} could not be read: the font does not say which letters it draws, so {} stands in each place; \
         compare what you quote with the page, or print the file to a new PDF and read that by OCR",
        named(on, pages),
        characters::UNREADABLE
    );
    (count > 0).then(|| Notice::new(Severity::Warning, "text_unreadable", message))
}

fn no_writing(on: &[u32], pages: &[document::Page]) -> Option<Notice> {
    let place = if on.len() == 1 { "page" } else { "pages" };
    let message = format!(
        "The file lays hidden text over pictures on {place} {}, and some of it is garbled, so it was left out; look at the \
         page to see what the pictures show",
        named(on, pages)
    );
    (!on.is_empty()).then(|| Notice::new(Severity::Info, "garbled_text_left_out", message))
}

fn not_seen(on: &[u32], pages: &[document::Page]) -> Option<Notice> {
    let place = if on.len() == 1 { "page" } else { "pages" };
    let message = format!(
        "Text that nobody sees on {place} {} was left out: it has the colour of what lies behind it, is covered or stands \
         outside of what is shown",
        named(on, pages)
    );
    (!on.is_empty()).then(|| Notice::new(Severity::Info, "unseen_text_left_out", message))
}

/// Physical pages, rising, with the labels printed on them where those differ: `3, 7–12 (iv–ix)`.
fn named(numbers: &[u32], pages: &[document::Page]) -> String {
    let mut out: Vec<(u32, u32)> = Vec::new();
    for &number in numbers {
        match out.last_mut() {
            Some((_, end)) if *end + 1 == number => *end = number,
            _ => out.push((number, number)),
        }
    }
    let label = |number| pages.iter().find(|page| page.number == number)?.own_label().map(str::to_owned);
    let shown = out.into_iter().map(|(first, last)| {
        let labels = labels((first, last), label(first), label(last));
        cited((first, last), labels.as_ref(), "–")
    });
    shown.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;
