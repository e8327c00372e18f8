//! What lies behind letters and before them. A reader does not see text in the colour of its paper, under a shape, or
//! outside of what is shown.
//!
//! Only what is certain hides a letter: a box filled in one colour, or a picture, that nothing shines through. Shades and
//! shapes of other forms may lie behind any text, and cover none. A picture of the whole page over its text is a scan, whose
//! text OCR read; and so is a picture under letters that are drawn without ink.

use super::geometry::Rect;
use super::glyph::Glyph;
use super::ink::Ink;

/// Share of a page from which pictures that cover text are those of a scan.
const SCAN: f32 = 0.5;
/// Shapes of a page, and pairs of shapes and letters, beyond which it is a drawing and nothing is sought.
const MAX_SHAPES: usize = 4_000;
const MAX_PAIRS: usize = 20_000_000;
/// Narrowest shape that can lie behind a letter or cover one (points).
const THIN: f32 = 1.5;
/// Height over the baseline of the point at which a letter is looked at (in letter sizes).
const MIDDLE: f32 = 0.3;
/// How far outside of what is shown a letter is hidden (points).
const OUTSIDE: f32 = 1.0;
/// Distance from which letters are of different words (em).
const WORD: f32 = 0.5;

/// A shape that is painted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    /// All that it can fill.
    pub(super) rect: Rect,
    /// Its colour, where it is one and nothing shines through.
    pub(super) ink: Ink,
    /// What of `rect` it covers for sure.
    pub(super) covers: Covers,
    /// Whether it is a box in one colour, in which nothing is drawn.
    pub(super) plain: bool,
    /// How many letters of the page are shown before it.
    pub(super) letters: usize,
}

/// What of its box a shape covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Covers {
    /// Perhaps not all, or something shines through.
    No,
    /// All, as a box in one colour.
    Box,
    /// All, as a picture.
    Picture,
}

/// The part of a page that is shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clip {
    pub(super) rect: Rect,
    /// Whether all of `rect` is shown.
    pub(super) whole: bool,
}

impl Clip {
    /// No part is cut off.
    pub(super) const ALL: Self =
        Self { rect: Rect { left: -1e6, top: -1e6, right: 1e6, bottom: 1e6 }, whole: true };

    /// What is shown of this part within `other`.
    pub(super) fn within(self, other: Self) -> Self {
        let (a, b) = (self.rect, other.rect);
        let rect = Rect {
            left: a.left.max(b.left),
            top: a.top.max(b.top),
            right: a.right.min(b.right),
            bottom: a.bottom.min(b.bottom),
        };
        Self { rect, whole: self.whole && other.whole }
    }

    /// Whether a letter stands outside.
    pub(super) fn cuts(&self, glyph: &Rect) -> bool {
        !self.rect.holds(glyph.center(), OUTSIDE)
    }
}

/// Takes the letters that nobody sees out of `glyphs`, and tells whether there are such; the page has `width` and `height`.
pub(super) fn strip(glyphs: &mut Vec<Glyph>, shapes: &[Shape], (width, height): (f32, f32)) -> bool {
    let shapes: Vec<&Shape> =
        shapes.iter().filter(|shape| shape.rect.width().min(shape.rect.height()) > THIN).collect();
    let white = glyphs.iter().any(|glyph| glyph.fill != Ink::UNKNOWN && glyph.fill.is_white());
    // A page that has nothing else than text without ink is a scan whose picture was taken out.
    let written = glyphs.iter().any(|glyph| !glyph.unseen && glyph.text.chars().any(char::is_alphanumeric));
    let clear = written && glyphs.iter().any(|glyph| glyph.unseen);
    if shapes.is_empty() && !white && !clear && !glyphs.iter().any(|glyph| glyph.cut)
        || shapes.len() > MAX_SHAPES
        || shapes.len().saturating_mul(glyphs.len()) > MAX_PAIRS
    {
        return false;
    }
    let pictures = shapes.iter().filter(|shape| shape.covers == Covers::Picture);
    let pictured: f32 = pictures.map(|shape| shape.rect.width() * shape.rect.height()).sum();
    let scan = pictured > SCAN * width * height;
    let covers = |shape: &Shape| shape.covers == Covers::Box || shape.covers == Covers::Picture && !scan;
    let hidden: Vec<bool> = glyphs
        .iter()
        .enumerate()
        .map(|(at, glyph)| is_hidden(glyph, at, &shapes, covers) || written && is_clear(glyph, &shapes))
        .collect();
    // A word of which a letter is seen is seen.
    let mut dropped = vec![false; glyphs.len()];
    let mut start = 0;
    while start < glyphs.len() {
        let goes_on = |pair: &&[Glyph]| is_one_word(&pair[0], &pair[1]);
        let end = start + 1 + glyphs[start..].windows(2).take_while(goes_on).count();
        let written = (start..end).filter(|&at| !glyphs[at].text.trim().is_empty());
        let gone = written.clone().next().is_some() && written.into_iter().all(|at| hidden[at]);
        dropped[start..end].fill(gone);
        start = end;
    }
    let mut at = 0;
    glyphs.retain(|_| {
        at += 1;
        !dropped[at - 1]
    });
    dropped.contains(&true)
}

/// Whether two letters that follow each other are of one word, in one colour.
fn is_one_word(last: &Glyph, next: &Glyph) -> bool {
    let far = (next.start.0 - last.end.0).abs().max((next.start.1 - last.end.1).abs());
    !last.text.trim().is_empty()
        && !next.text.trim().is_empty()
        && last.fill == next.fill
        && far < WORD * next.size
}

/// Whether nobody sees letter `at` of a page.
fn is_hidden(glyph: &Glyph, at: usize, shapes: &[&Shape], covers: impl Fn(&Shape) -> bool) -> bool {
    let point = looked_at(glyph);
    let (behind, before) = shapes.split_at(shapes.partition_point(|shape| shape.letters <= at));
    let covered = before.iter().any(|shape| covers(shape) && shape.rect.holds(point, 0.0));
    let paper = behind.iter().rev().find(|shape| shape.rect.holds(point, 0.0));
    glyph.cut || covered || glyph.fill.is_as(paper.map_or(Ink::WHITE, |shape| shape.ink))
}

/// Whether a letter is drawn without ink where nothing is drawn in which OCR could have read it.
fn is_clear(glyph: &Glyph, shapes: &[&Shape]) -> bool {
    let point = looked_at(glyph);
    glyph.unseen && !shapes.iter().any(|shape| !shape.plain && shape.rect.holds(point, 0.0))
}

/// The point at which a letter is looked at.
fn looked_at(glyph: &Glyph) -> (f32, f32) {
    let ((x, y), (to, _)) = (glyph.start, glyph.end);
    // Letters that do not run from left to right are looked at in the middle of their box.
    let level = (glyph.end.1 - y).abs() <= (to - x).abs();
    if level { ((x + to) / 2.0, y - MIDDLE * glyph.size) } else { glyph.rect.center() }
}
