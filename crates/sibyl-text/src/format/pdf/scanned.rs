//! Pages that OCR read: its words take the place of those that the file does not have.

use super::geometry::Rect;
use super::glyph::Artifact;
use super::ink::Ink;
use super::label::named;
use super::word::{Turn, Word, is_numeric};
use crate::document::{DOUBTFUL, Notice, Page, RecognisedLine, Recognition, Segment, Severity, Span};
use crate::format::hocr::{Scan, ScannedLine, ScannedPage, ScannedWord};

/// Ratio to the usual size of a page up to which a line has that size: sizes are measured on pictures.
const SAME_SIZE: f32 = 1.18;
/// Share of a letter's size that stands above the baseline.
const ASCENT: f32 = 0.78;

/// Widest space between the words of a line, as a ratio to the usual one.
const WORD_SPACE: f32 = 1.5;
/// How much wider a space behind a sentence is (em).
const SENTENCE_SPACE: f32 = 0.6;
/// Usual space from which words stand in columns and not in lines (em).
const COLUMNS: f32 = 1.0;
/// What is left of it (em).
const SPACE: f32 = 0.28;
/// Mean confidence below which what was read is no text: letters that stand on their head give as much.
const READABLE: f32 = 50.0;

/// The words of a page; none where what was read is no text.
pub(super) fn words(page: &ScannedPage) -> Vec<Word> {
    let mut out = Vec::new();
    if !is_readable(page) {
        return out;
    }
    let (usual, space) = (usual_size(page), usual_space(page));
    for line in &page.lines {
        let near = line.size < usual * SAME_SIZE && usual < line.size * SAME_SIZE;
        let size = if near { usual } else { line.size };
        for (i, word) in line.words.iter().enumerate() {
            let [left, top, right, bottom] = reaching(line, i, space);
            let (baseline, above, below) = (word.baseline, ASCENT * size, (1.0 - ASCENT) * size);
            // Words stand as high as those of a font do, whatever letters they have.
            let (turn, rect) = match line.angle {
                90 => (Turn::Up, Rect { left: baseline - above, right: baseline + below, top, bottom }),
                180 => (Turn::Reverse, Rect { top: baseline - below, bottom: baseline + above, left, right }),
                270 => (Turn::Down, Rect { left: baseline - below, right: baseline + above, top, bottom }),
                _ => (Turn::Level, Rect { top: baseline - above, bottom: baseline + below, left, right }),
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
                struck: false,
                turn,
                item: None,
                artifact: Artifact::No,
                spaced: true,
            });
        }
    }
    out
}

/// What of a page was read in the boxes `marks`.
pub(super) fn over(page: &ScannedPage, marks: &[Rect]) -> ScannedPage {
    let within = |word: &&ScannedWord| marks.iter().any(|mark| holds(mark.corners(), word));
    let lines = page.lines.iter().map(|line| ScannedLine {
        words: line.words.iter().filter(within).cloned().collect(),
        ..line.clone()
    });
    ScannedPage { number: page.number, lines: lines.filter(|line| !line.words.is_empty()).collect() }
}

/// What of `scan` stands in the text: all of a page, or what is read in the boxes that `marks` has for it.
pub(super) fn placed(scan: &Scan, marks: &[Vec<Rect>]) -> Scan {
    let patched = |page: &ScannedPage| {
        let marks = marks.get((page.number as usize).wrapping_sub(1));
        marks.filter(|marks| !marks.is_empty())
    };
    let placed =
        scan.pages.iter().map(|page| patched(page).map_or_else(|| page.clone(), |marks| over(page, marks)));
    Scan { languages: scan.languages.clone(), pages: placed.collect() }
}

/// Whether what was read of a page is text.
fn is_readable(page: &ScannedPage) -> bool {
    mean_confidence(page).is_none_or(|confidence| confidence >= READABLE)
}

/// The mean confidence of the letters of a page.
fn mean_confidence(page: &ScannedPage) -> Option<f32> {
    let words = page.lines.iter().flat_map(|line| &line.words);
    let (sum, letters) = words.fold((0.0, 0.0), |(sum, letters), word| {
        let length = word.text.chars().count() as f32;
        (sum + word.confidence * length, letters + length)
    });
    (letters > 0.0).then(|| sum / letters)
}

/// The box of word `i` of a line. It reaches to the next word, less a space, if no more than the `usual` room between
/// words is left. Letters of a typewriter stand far apart, and a picture shows only their ink.
fn reaching(line: &ScannedLine, i: usize, usual: f32) -> [f32; 4] {
    let (word, next) = (&line.words[i], line.words.get(i + 1));
    let mut rect = word.rect;
    let Some(next) = next.filter(|next| !(is_numeric(&word.text) && is_numeric(&next.text))) else {
        return rect;
    };
    let end = along(line.angle, next.rect).0 - SPACE * line.size;
    let room = (end - along(line.angle, rect).1) / line.size;
    let behind = if word.text.ends_with(['.', ':', '?', '!']) { SENTENCE_SPACE } else { 0.0 };
    if usual < COLUMNS && room > 0.0 && room + SPACE < WORD_SPACE * usual + behind {
        match line.angle {
            90 => rect[1] = -end,
            180 => rect[0] = -end,
            270 => rect[3] = end,
            _ => rect[2] = end,
        }
    }
    rect
}

/// From where to where a box reaches in the direction in which a line turned by `angle` runs.
fn along(angle: u16, [left, top, right, bottom]: [f32; 4]) -> (f32, f32) {
    match angle {
        90 => (-bottom, -top),
        180 => (-right, -left),
        270 => (top, bottom),
        _ => (left, right),
    }
}

/// The median of the room between the words of a page (em); numbers may stand in columns.
fn usual_space(page: &ScannedPage) -> f32 {
    let spaces = page.lines.iter().flat_map(|line| {
        let words = line.words.windows(2).filter(|pair| pair.iter().all(|word| !is_numeric(&word.text)));
        words.map(|pair| (along(line.angle, pair[1].rect).0 - along(line.angle, pair[0].rect).1) / line.size)
    });
    let mut spaces: Vec<f32> = spaces.collect();
    spaces.sort_by(f32::total_cmp);
    spaces.get(spaces.len() / 2).copied().unwrap_or(0.0)
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
    scan: &Scan,
    empty: &[u32],
    pages: &[Page],
    length: usize,
) -> Vec<Notice> {
    let said = |read: &[u32]| match read {
        [_] => format!("page {} was", named(read, pages)),
        _ => format!("pages {} were", named(read, pages)),
    };
    let (nothing, found): (Vec<u32>, Vec<u32>) =
        recognition.pages.iter().copied().partition(|page| empty.contains(page));
    let illegible = |number: &u32| scan.pages.iter().any(|page| page.number == *number && !is_readable(page));
    let (illegible, nothing): (Vec<u32>, Vec<u32>) = nothing.into_iter().partition(illegible);
    let mut out = Vec::new();
    if !illegible.is_empty() {
        let message = format!(
            "{} read by OCR with a mean confidence below {READABLE}%, which is no text and was left out; turn what lies \
             on its side or head upright, or install Tesseract's data `osd`, which tells how a page lies",
            said(&illegible)
        );
        out.push(Notice::new(Severity::Warning, "ocr_illegible", message));
    }
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
