//! Pages that OCR read: its words take the place of those that the file does not have.

use super::geometry::Rect;
use super::glyph::Artifact;
use super::ink::Ink;
use super::word::{Turn, Word};
use crate::document::{DOUBTFUL, Notice, Page, RecognisedLine, Recognition, Segment, Severity, Span};
use crate::format::hocr::{Scan, ScannedPage, ScannedWord};

/// Ratio to the usual size of a page up to which a line has that size: sizes are measured on pictures.
const SAME_SIZE: f32 = 1.18;
/// Share of a letter's size that stands above the baseline.
const ASCENT: f32 = 0.78;

/// The words of a page.
pub(super) fn words(page: &ScannedPage) -> Vec<Word> {
    let usual = usual_size(page);
    let mut out = Vec::new();
    for line in &page.lines {
        let near = line.size < usual * SAME_SIZE && usual < line.size * SAME_SIZE;
        let size = if near { usual } else { line.size };
        for word in &line.words {
            let [left, top, right, bottom] = word.rect;
            let rect = Rect { left, top, right, bottom };
            // Level words stand as high as those of a font do, whatever letters they have.
            let (turn, baseline, rect) = match line.angle {
                90 => (Turn::Up, right, rect),
                180 => (Turn::Reverse, top, rect),
                270 => (Turn::Down, left, rect),
                _ => {
                    let top = word.baseline - ASCENT * size;
                    (Turn::Level, word.baseline, Rect { top, bottom: top + size, ..rect })
                }
            };
            out.push(Word {
                text: word.text.clone(),
                rect,
                baseline,
                size,
                bold: false,
                ink: Ink::BLACK,
                fixed: false,
                unseen: false,
                turn,
                item: None,
                artifact: Artifact::No,
                spaced: true,
            });
        }
    }
    out
}

/// The median of the sizes of a page's words.
fn usual_size(page: &ScannedPage) -> f32 {
    let mut sizes: Vec<f32> =
        page.lines.iter().flat_map(|line| line.words.iter().map(|_| line.size)).collect();
    sizes.sort_by(f32::total_cmp);
    sizes.get(sizes.len() / 2).copied().unwrap_or(1.0)
}

/// Which lines of `text` come from the pages of `scan`, and which of their words are doubtful.
pub(super) fn recognition(scan: &Scan, pages: usize, text: &str, segments: &[Segment]) -> Recognition {
    let mut out = Recognition {
        languages: scan.languages.clone(),
        pages: scan.pages.iter().map(|page| page.number).filter(|&number| number as usize <= pages).collect(),
        ..Recognition::default()
    };
    for page in &scan.pages {
        let words: Vec<&ScannedWord> = page.lines.iter().flat_map(|line| &line.words).collect();
        let mut used = vec![false; words.len()];
        for segment in segments.iter().filter(|segment| segment.page == Some(page.number)) {
            let Some(rect) = segment.rect else { continue };
            let (mut at, mut sum, mut letters) = (segment.span.start, 0.0, 0.0);
            for (word, used) in
                words.iter().zip(&mut used).filter(|(word, used)| !**used && holds(rect, word))
            {
                let rest = &text[at..segment.span.end];
                // Of a word that a line's end cuts the hyphen is gone.
                let whole = Some(word.text.as_str());
                let part = word.text.strip_suffix('-').filter(|part| !part.is_empty());
                let found =
                    [whole, part].into_iter().flatten().find_map(|word| Some((rest.find(word)?, word.len())));
                let Some((start, length)) = found else { continue };
                *used = true;
                let span = Span::new(at + start, at + start + length);
                at = span.end;
                sum += word.confidence * length as f32;
                letters += length as f32;
                if word.confidence < DOUBTFUL {
                    out.doubtful.push(span);
                }
            }
            if letters > 0.0 {
                out.lines.push(RecognisedLine { span: segment.span, confidence: sum / letters });
            }
        }
    }
    out.lines.sort_by_key(|line| line.span);
    out.doubtful.sort_unstable();
    out
}

fn holds([left, top, right, bottom]: [f32; 4], word: &ScannedWord) -> bool {
    let [from, upper, to, lower] = word.rect;
    let (x, y) = ((from + to) / 2.0, (upper + lower) / 2.0);
    (left..=right).contains(&x) && (top..=bottom).contains(&y)
}

/// What is to be said of what was read.
pub(super) fn notices(
    recognition: &Recognition,
    empty: &[u32],
    pages: &[Page],
    length: usize,
) -> Vec<Notice> {
    let said = |read: &[u32]| match read {
        [_] => format!("page {} was", super::named(read, pages)),
        _ => format!("pages {} were", super::named(read, pages)),
    };
    let (nothing, found): (Vec<u32>, Vec<u32>) =
        recognition.pages.iter().copied().partition(|page| empty.contains(page));
    let mut out = Vec::new();
    if let Some(confidence) = recognition.confidence(Span::new(0, length)).filter(|_| !found.is_empty()) {
        let doubtful = match recognition.doubtful.len() {
            0 => "no word is doubtful".to_owned(),
            1 => "1 word is doubtful: compare what you quote with the page".to_owned(),
            count => format!("{count} words are doubtful: compare what you quote with the page"),
        };
        let message =
            format!("{} read by OCR with a mean confidence of {confidence}%; {doubtful}", said(&found));
        out.push(Notice::new(Severity::Info, "read_by_ocr", message));
    }
    if !nothing.is_empty() {
        let message = format!("{} read by OCR, which found no text there", said(&nothing));
        out.push(Notice::new(Severity::Info, "ocr_found_nothing", message));
    }
    out
}
