//! What of a file is not read, and how that is told.

use super::characters;
use super::label::named;
use super::model::PageModel;
use super::word::Word;
use crate::document::{self, Notice, Severity};

/// Code of the notice about pages without text.
const WITHOUT_TEXT: &str = "pages_without_text";

/// Code of the notice about text in fonts that do not say which letters they draw.
const UNREADABLE: &str = "text_unreadable";
/// Codes of the notices about text that another program read off a scan, and about such that it read poorly.
const LAYER: &str = "ocr_layer";
const POOR_LAYER: &str = "ocr_layer_poor";
/// Codes of the notices about what reading the pages by OCR mends.
pub const MENDED_BY_OCR: [&str; 4] = [WITHOUT_TEXT, UNREADABLE, LAYER, POOR_LAYER];

/// One notice for the pages `empty` of `pages` that hold no text.
pub(super) fn without_text(empty: &[u32], pages: &[document::Page]) -> Option<Notice> {
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
pub(super) struct LeftOut {
    /// Signs of icon fonts, and pieces of text in fonts that name no letters.
    icons: (usize, Vec<u32>),
    texts: (usize, Vec<u32>),
    /// The first word of which a part cannot be read.
    torn: Option<String>,
    /// Pages with hidden text that is no writing, and with text that nobody sees.
    garbled: Vec<u32>,
    hidden: Vec<u32>,
    /// Pages whose text is a layer over a scan, and those of them where it was read poorly.
    layers: Vec<u32>,
    poor: Vec<u32>,
    /// Pages with text that is struck through.
    struck: Vec<u32>,
    /// Pages that are drawings, of which the rest is left out.
    truncated: Vec<u32>,
}

impl LeftOut {
    /// What is not read of `pages`; what OCR read anew on a page stands for all that its fonts leave out.
    pub(super) fn of(pages: &[PageModel]) -> Self {
        let mut out = Self::default();
        for (page, number) in pages.iter().zip(1..) {
            let anew = page.anew;
            let dark = |word: &&Word| word.text.contains(characters::UNREADABLE);
            let left = page.words.iter().filter(dark).count();
            // Where OCR read a part of them, those count that it left.
            let texts = if page.patched.is_empty() { page.unread.texts } else { left };
            let counts = [(page.unread.icons, &mut out.icons), (texts, &mut out.texts)];
            for (count, known) in counts.into_iter().filter(|(count, _)| *count > 0 && !anew) {
                known.0 += count;
                known.1.push(number);
            }
            let torn = |word: &&Word| {
                word.text.contains(characters::UNREADABLE) && word.text.contains(char::is_alphabetic)
            };
            if out.torn.is_none() && !anew {
                out.torn = page.words.iter().find(torn).map(|word| word.text.clone());
            }
            if page.words.iter().any(|word| word.unseen) {
                out.garbled.push(number);
            }
            if page.unseen && !anew {
                out.hidden.push(number);
            }
            if let Some(layer) = page.layer.filter(|_| !anew) {
                if layer.poor { &mut out.poor } else { &mut out.layers }.push(number);
            }
            if page.words.iter().any(|word| word.struck) {
                out.struck.push(number);
            }
            if page.truncated {
                out.truncated.push(number);
            }
        }
        out
    }

    /// The pages whose text is a layer over a scan.
    pub(super) fn layered(&self) -> Vec<u32> {
        let mut out: Vec<u32> = self.layers.iter().chain(&self.poor).copied().collect();
        out.sort_unstable();
        out
    }

    /// One notice for each page that is a drawing.
    pub(super) fn too_large(&self) -> impl Iterator<Item = Notice> {
        self.truncated.iter().map(|&number| too_large().on_page(number))
    }

    /// One notice for each other kind.
    pub(super) fn notices(&self, pages: &[document::Page]) -> impl Iterator<Item = Notice> {
        let icons = left_out(self.icons.0, &self.icons.1, pages);
        let texts = not_readable(self.texts.0, self.torn.as_deref(), &self.texts.1, pages);
        let unseen = [no_writing(&self.garbled, pages), not_seen(&self.hidden, pages)];
        let layers = [layer(&self.layers, false, pages), layer(&self.poor, true, pages)];
        let other = [icons, texts, struck_through(&self.struck, pages)];
        other.into_iter().chain(unseen).chain(layers).flatten()
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

/// One notice for all text that a mark stands for, with a word that is `torn` by one.
fn not_readable(count: usize, torn: Option<&str>, on: &[u32], pages: &[document::Page]) -> Option<Notice> {
    let texts = if count == 1 { "One piece of text".to_owned() } else { format!("{count} pieces of text") };
    let place = if on.len() == 1 { "page" } else { "pages" };
    let message = format!(
        "{texts} on {place} {} could not be read: the font does not say which letters it draws, so {} stands in each place{}; \
         compare what you quote with the page",
        named(on, pages),
        characters::UNREADABLE,
        torn.map(|word| format!(", as in “{word}”")).unwrap_or_default()
    );
    (count > 0).then(|| Notice::new(Severity::Warning, UNREADABLE, message))
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
        "Text that nobody sees on {place} {} was left out: it has the colour of what lies behind it, has no ink, is \
         covered or stands outside of what is shown",
        named(on, pages)
    );
    (!on.is_empty()).then(|| Notice::new(Severity::Info, "unseen_text_left_out", message))
}

/// One notice for the pages whose text is a layer over a scan.
fn layer(on: &[u32], poor: bool, pages: &[document::Page]) -> Option<Notice> {
    let place = if on.len() == 1 { "page" } else { "pages" };
    let numbers = named(on, pages);
    let text =
        format!("The text of {place} {numbers} is hidden text that another program read off a scan by OCR");
    let (severity, code, said) = if poor {
        (Severity::Warning, POOR_LAYER, "many of its words are none, and its numbers may be wrong")
    } else {
        (Severity::Info, LAYER, "its quality is not known, so compare what you quote with the page")
    };
    (!on.is_empty()).then(|| Notice::new(severity, code, format!("{text}; {said}")))
}

fn struck_through(on: &[u32], pages: &[document::Page]) -> Option<Notice> {
    let place = if on.len() == 1 { "page" } else { "pages" };
    let message = format!(
        "Text that is struck through on {place} {} was left out; look at the page to see what it said",
        named(on, pages)
    );
    (!on.is_empty()).then(|| Notice::new(Severity::Info, "withdrawn_text", message))
}

fn too_large() -> Notice {
    Notice::new(
        Severity::Warning,
        "page_too_large",
        "expected a page of text, found a drawing with millions of strokes; the rest of the page was left \
         out; print the page to a new PDF",
    )
}
