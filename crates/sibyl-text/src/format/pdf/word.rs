//! Glyphs become words.

use super::geometry::Rect;
use super::glyph::{Artifact, Glyph};
use super::ink::Ink;
use crate::format::raised::is_mark;
use crate::language::cell::without_mark;
use std::collections::HashMap;

/// Gap between glyphs from which a new word begins (em).
const WORD_GAP: f32 = 0.18;
/// Step back from which a new word begins (em).
const WORD_STEP_BACK: f32 = -0.5;
/// Shift of the baseline from which a new word begins (em).
const WORD_SHIFT: f32 = 0.45;
/// Ratio of letter sizes from which a word is cut in two, as before a footnote mark.
const SIZE_STEP: f32 = 0.85;
/// Shift of the baseline from which a word is cut in two (em).
const RAISE: f32 = 0.12;
/// Width of a space (em).
pub(super) const SPACE: f32 = 0.28;
/// Greatest shift of the baseline of a small sign that touches the glyph before it, as the raised ending of an
/// ordinal does (em).
const SIGN_SHIFT: f32 = 0.75;
/// How near such a sign stands (em).
const TOUCHES: f32 = 0.1;
/// Ratio of the size of its letters to that of the others.
const SIGN: f32 = 0.82;
/// Distance within which the same word counts as printed twice to look bold (em).
const OVERPRINT: f32 = 0.2;

/// Distance within which a glyph stands in the place of another (em).
const IN_PLACE: f32 = 0.05;
/// Dots in a row from which they lead from a text to what stands at the other end of its line.
const LEADER: usize = 4;

/// Which way a line runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Turn {
    Level,
    Down,
    Reverse,
    Up,
}

/// A run of glyphs in one face without white space.
#[derive(Debug, Clone)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) rect: Rect,
    /// Baseline: y for level words, x for turned ones (points).
    pub(super) baseline: f32,
    pub(super) size: f32,
    pub(super) bold: bool,
    pub(super) ink: Ink,
    pub(super) fixed: bool,
    /// Shown without ink; of words that are read, only those that are no writing.
    pub(super) unseen: bool,
    /// A line strikes it through. It keeps its place until the text around it is laid out.
    pub(super) struck: bool,
    pub(super) turn: Turn,
    pub(super) item: Option<u32>,
    pub(super) artifact: Artifact,
    /// White space or a gap stands before it.
    pub(super) spaced: bool,
}

/// The words of a page in the order they were drawn, those inside `width` × `height` points.
pub(super) fn words(glyphs: &[Glyph], width: f32, height: f32) -> Vec<Word> {
    let mut out: Vec<Word> = Vec::new();
    let mut last: Option<&Glyph> = None;
    let mut spaced = true;
    let mut dots = Dots::default();
    for (glyph, next) in glyphs.iter().zip(glyphs.iter().skip(1).map(Some).chain([None])) {
        if next.is_some_and(|next| is_unused_hyphen(glyph, next)) {
            continue;
        }
        if glyph.text.trim().is_empty() {
            spaced |= !glyph.text.is_empty();
            // A space that is drawn on its own still counts in the advance between two words.
            continue;
        }
        let joint = last.map_or(Joint::Space, |last| Joint::between(last, glyph));
        let space = spaced || joint == Joint::Space || dots.end_before(glyph);
        match out.last_mut() {
            Some(word) if !space && joint == Joint::None => {
                dots.add(glyph, Some(word.rect));
                word.text.push_str(&glyph.text);
                word.rect = word.rect.union(&glyph.rect);
            }
            word => {
                if let Some((word, last)) = word.zip(last).filter(|_| space) {
                    word.reach(last, glyph, spaced);
                }
                out.push(Word::new(glyph, space));
                dots = Dots::default();
                dots.add(glyph, None);
            }
        }
        dots.part(&mut out);
        spaced = glyph.text.ends_with(' ');
        last = Some(glyph);
    }
    let page = Rect { left: 0.0, top: 0.0, right: width, bottom: height };
    for word in &mut out {
        let trimmed = word.text.trim();
        if trimmed.len() != word.text.len() {
            word.text = trimmed.to_owned();
        }
    }
    out.retain(|word| !word.text.is_empty() && page.holds(word.rect.center(), 1.0));
    drop_overprints(&mut out);
    out
}

/// The dots at the end of a word.
#[derive(Default)]
struct Dots {
    count: usize,
    rect: Option<Rect>,
    /// The place of what stands before them in the word.
    before: Option<Rect>,
}

impl Dots {
    /// Notes the next glyph of a word that stands at `word` so far.
    fn add(&mut self, glyph: &Glyph, word: Option<Rect>) {
        if &*glyph.text != "." {
            *self = Self::default();
            return;
        }
        if self.count == 0 {
            self.before = word;
        }
        self.count += 1;
        self.rect = Some(self.rect.map_or(glyph.rect, |rect| rect.union(&glyph.rect)));
    }

    /// Whether they lead to `glyph`, which is a word of its own then.
    fn end_before(&self, glyph: &Glyph) -> bool {
        self.count >= LEADER && &*glyph.text != "."
    }

    /// Parts them from what stands before them, once they are a leader.
    fn part(&mut self, words: &mut Vec<Word>) {
        let (Some(word), Some(rect)) = (words.last_mut(), self.rect.filter(|_| self.count == LEADER)) else {
            return;
        };
        word.spaced = word.spaced || self.before.is_none();
        let Some(before) = self.before.take() else { return };
        let text = word.text.split_off(word.text.len() - LEADER);
        word.rect = before;
        let leader = Word { text, rect, spaced: true, ..word.clone() };
        words.push(leader);
    }
}

impl Word {
    fn new(glyph: &Glyph, spaced: bool) -> Self {
        let turn = turn(glyph);
        Self {
            text: glyph.text.to_string(),
            rect: glyph.rect,
            baseline: if matches!(turn, Turn::Level | Turn::Reverse) { glyph.start.1 } else { glyph.start.0 },
            size: glyph.size.max(0.1),
            bold: glyph.bold,
            ink: glyph.ink,
            fixed: glyph.fixed,
            unseen: glyph.unseen,
            struck: glyph.struck,
            turn,
            item: glyph.item,
            artifact: glyph.artifact,
            spaced,
        }
    }

    /// Extends a word that is set wide towards the `next` one by the distance of its letters. If a space lies
    /// between, the word takes that of the space too, so that what is left is as wide as a space. `last` is its last
    /// glyph.
    fn reach(&mut self, last: &Glyph, next: &Glyph, space: bool) {
        let level = self.turn == Turn::Level && (next.start.1 - last.start.1).abs() < RAISE * self.size;
        let tracked = last.tracking * if space { 2.0 } else { 1.0 };
        let room = next.rect.left - SPACE * self.size;
        if level && tracked > 0.0 && room > self.rect.right {
            self.rect.right = room.min(self.rect.right + tracked);
        }
    }

    /// Whether every character is a digit, a sign or a separator of a number.
    pub(super) fn numeric(&self) -> bool {
        is_numeric(&self.text)
    }

    /// Whether it is no more than dots that lead from one text to another.
    pub(super) fn is_leader(&self) -> bool {
        let dots = |c: char| if c == '…' { 3 } else { 1 };
        // Three dots may say that something is left out.
        self.text.chars().all(|c| c == '.' || c == '…') && self.text.chars().map(dots).sum::<usize>() > 3
    }
}

/// Whether a text is a number as reports print them: digits with separators, signs, currency and percent.
pub(super) fn is_numeric(text: &str) -> bool {
    let text = without_marks(text);
    text.chars().any(|c| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || " .,()+-−–%$€£~<>≈".contains(c))
}

/// A text without the marks of notes behind it.
fn without_marks(text: &str) -> &str {
    text.trim_end_matches(is_mark).trim_end()
}

/// Whether a text is the dash that stands where a number would.
pub(super) fn is_dash(text: &str) -> bool {
    matches!(text, "-" | "–" | "—" | "−")
}

/// Whether a text is a year on its own, which names a column more often than it fills a cell.
pub(super) fn is_year(text: &str) -> bool {
    text.len() == 4 && text.parse().is_ok_and(|year: u32| (1900..=2100).contains(&year))
}

/// Whether a glyph is a soft hyphen at which no line ends: the `next` one stands in its place.
fn is_unused_hyphen(glyph: &Glyph, next: &Glyph) -> bool {
    let near = IN_PLACE * glyph.size;
    &*glyph.text == "\u{AD}"
        && (glyph.start.0 - next.start.0).abs() <= near
        && (glyph.start.1 - next.start.1).abs() <= near
}

/// Whether a text is a year, two of them as `2022–23`, or a date as `31.12.2024`.
pub(super) fn is_years(text: &str) -> bool {
    let text = without_mark(without_marks(text));
    let short = |part: &str| part.len() <= 2 && part.parse::<u32>().is_ok();
    let second = |year: &str| is_year(year) || year.len() == 2 && short(year);
    let parts: Vec<&str> = text.split(['.', '/', '-']).collect();
    let dated = parts.len() == 3 && parts.iter().filter(|part| is_year(part)).count() == 1;
    let dated = dated && parts.iter().all(|part| is_year(part) || short(part));
    dated
        || is_year(text)
        || text.split_once(['-', '–', '−']).is_some_and(|(from, to)| is_year(from) && second(to))
}

#[derive(PartialEq)]
enum Joint {
    /// Same word.
    None,
    /// Same word to the reader, but another face, size, height or content item.
    Cut,
    Space,
}

impl Joint {
    fn between(last: &Glyph, next: &Glyph) -> Self {
        let size = last.size.max(next.size).max(0.1);
        let (dx, dy) = (next.start.0 - last.end.0, next.start.1 - last.end.1);
        let (along, across) = match turn(last) {
            Turn::Level => (dx, dy),
            Turn::Reverse => (-dx, dy),
            Turn::Down => (dy, dx),
            Turn::Up => (-dy, dx),
        };
        // The space between the letters of a word set wide is none between words.
        let (along, across) = ((along - last.tracking) / size, across.abs() / size);
        let smaller = last.size.min(next.size) / size;
        let sign = smaller < SIGN && along.abs() < TOUCHES && across < SIGN_SHIFT;
        if turn(last) != turn(next)
            || !(WORD_STEP_BACK..=WORD_GAP).contains(&along)
            || across > WORD_SHIFT && !sign
        {
            return Self::Space;
        }
        let same = last.item == next.item
            && last.bold == next.bold
            && last.artifact == next.artifact
            && last.unseen == next.unseen
            && last.struck == next.struck;
        if same && smaller > SIZE_STEP && across < RAISE { Self::None } else { Self::Cut }
    }
}

fn turn(glyph: &Glyph) -> Turn {
    let (dx, dy) = (glyph.end.0 - glyph.start.0, glyph.end.1 - glyph.start.1);
    match (dx.abs() >= dy.abs(), dx >= 0.0, dy >= 0.0) {
        (true, true, _) => Turn::Level,
        (true, false, _) => Turn::Reverse,
        (false, _, true) => Turn::Down,
        (false, _, false) => Turn::Up,
    }
}

/// Removes words that are printed again on themselves, with a small shift, to look bold or shaded.
fn drop_overprints(words: &mut Vec<Word>) {
    let mut places: HashMap<String, Vec<(f32, f32)>> = HashMap::new();
    words.retain(|word| {
        let at = (word.rect.left, word.rect.top);
        let near = word.size * OVERPRINT;
        let known = places.entry(word.text.clone()).or_default();
        // The copy follows within a line or two; a bound keeps a page of many equal words cheap.
        if known.iter().rev().take(64).any(|(x, y)| (x - at.0).abs() <= near && (y - at.1).abs() <= near) {
            return false;
        }
        known.push(at);
        true
    });
}
