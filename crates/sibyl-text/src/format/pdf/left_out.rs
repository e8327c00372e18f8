//! What of a file is not read, and how that is told.

use super::characters;
use super::label::named;
use super::model::PageModel;
use super::word::Word;
use crate::document::{self, Notice, Severity};
use crate::format::hocr::Scan;

/// Code of the notice about pages without text.
pub const WITHOUT_TEXT: &str = "pages_without_text";

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
    /// Pages of which the text is what OCR once read.
    scans: Vec<u32>,
    /// Pages with hidden text that is no writing, and with text that nobody sees.
    garbled: Vec<u32>,
    hidden: Vec<u32>,
    /// Pages that are drawings, of which the rest is left out.
    truncated: Vec<u32>,
}

impl LeftOut {
    /// What is not read of `pages`; what OCR read anew on a page stands for all that its fonts leave out.
    pub(super) fn of(pages: &[PageModel], scan: &Scan) -> Self {
        let mut out = Self::default();
        for (page, number) in pages.iter().zip(1..) {
            let anew = scan.pages.iter().any(|page| page.number == number);
            let counts = [(page.unread.icons, &mut out.icons), (page.unread.texts, &mut out.texts)];
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
            if page.scan && !anew {
                out.scans.push(number);
            }
            if page.words.iter().any(|word| word.unseen) {
                out.garbled.push(number);
            }
            if page.unseen && !anew {
                out.hidden.push(number);
            }
            if page.truncated {
                out.truncated.push(number);
            }
        }
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
        [icons, texts, read_before(&self.scans, pages)].into_iter().chain(unseen).flatten()
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
         compare what you quote with the page, or print the file to a new PDF and read that by OCR",
        named(on, pages),
        characters::UNREADABLE,
        torn.map(|word| format!(", as in “{word}”")).unwrap_or_default()
    );
    (count > 0).then(|| Notice::new(Severity::Warning, "text_unreadable", message))
}

/// One notice for all pages of which the text is that of a scan.
fn read_before(on: &[u32], pages: &[document::Page]) -> Option<Notice> {
    let place = if on.len() == 1 { "page" } else { "pages" };
    let message = format!(
        "The text of {place} {} is what OCR once read of a picture, so words may be wrong; compare what you quote with the page",
        named(on, pages)
    );
    (!on.is_empty()).then(|| Notice::new(Severity::Info, "text_of_scan", message))
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

fn too_large() -> Notice {
    Notice::new(
        Severity::Warning,
        "page_too_large",
        "expected a page of text, found a drawing with millions of strokes; the rest of the page was left \
         out; print the page to a new PDF",
    )
}
