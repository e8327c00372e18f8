//! Letters that are drawn again on themselves, a little aside, to look bold or shaded: each is one letter.

use super::glyph::Glyph;
use std::collections::HashMap;

/// Greatest shift of a copy (em).
const SHIFT: f32 = 0.2;
/// Share of its letter's width up to which a copy is one for sure: two equal letters of a word stand further apart.
const SURE: f32 = 0.4;
/// Difference up to which two copies are shifted alike (em).
const ALIKE: f32 = 0.03;
/// Side of the squares in which letters are sought (points).
const SQUARE: f32 = 4.0;

/// A letter that may be a copy of one before it, and how far it is shifted.
#[derive(Clone, Copy)]
struct Copy {
    shift: (f32, f32),
    sure: bool,
}

/// Takes the copies out of the letters of a page. A narrow letter is one where the letter drawn before or after it is a copy
/// that is shifted alike.
pub(super) fn drop(glyphs: &mut Vec<Glyph>) {
    let mut found = found(glyphs);
    let alike = |a: Copy, b: &Option<Copy>, size: f32| {
        b.as_ref().is_some_and(|b| {
            b.sure
                && (a.shift.0 - b.shift.0).abs() <= ALIKE * size
                && (a.shift.1 - b.shift.1).abs() <= ALIKE * size
        })
    };
    let mut tell = |at: usize, near: Option<usize>| {
        if let (Some(copy), Some(near)) = (found[at].filter(|copy| !copy.sure), near)
            && alike(copy, &found[near], glyphs[at].size)
        {
            found[at] = Some(Copy { sure: true, ..copy });
        }
    };
    let marks: Vec<usize> = (0..glyphs.len()).filter(|&at| !glyphs[at].text.trim().is_empty()).collect();
    // A letter and its copy may follow each other, so that the copy before or after it is the second next one.
    for i in 0..marks.len() {
        (1..=2).filter_map(|off| i.checked_sub(off)).for_each(|near| tell(marks[i], Some(marks[near])));
    }
    for i in (0..marks.len()).rev() {
        (1..=2).for_each(|off| tell(marks[i], marks.get(i + off).copied()));
    }
    let mut at = 0;
    glyphs.retain(|_| {
        at += 1;
        !found[at - 1].is_some_and(|copy| copy.sure)
    });
}

/// For each letter, whether it can be a copy of one before it.
fn found(glyphs: &[Glyph]) -> Vec<Option<Copy>> {
    let square = |(x, y): (f32, f32)| ((x / SQUARE).floor() as i32, (y / SQUARE).floor() as i32);
    let mut places: HashMap<(i32, i32), Vec<usize>> = HashMap::new();
    let mut out = Vec::with_capacity(glyphs.len());
    for (at, glyph) in glyphs.iter().enumerate() {
        if glyph.text.trim().is_empty() {
            out.push(None);
            continue;
        }
        let reach = SHIFT * glyph.size;
        let ((left, top), (right, bottom)) = (
            square((glyph.start.0 - reach, glyph.start.1 - reach)),
            square((glyph.start.0 + reach, glyph.start.1 + reach)),
        );
        let near =
            (left..=right.min(left + 8)).flat_map(|x| (top..=bottom.min(top + 8)).map(move |y| (x, y)));
        let copy = near
            .filter_map(|place| places.get(&place))
            .flatten()
            .find_map(|&other| copy(&glyphs[other], glyph));
        out.push(copy);
        places.entry(square(glyph.start)).or_default().push(at);
    }
    out
}

/// How far `next` is shifted from `first`, where it can be a copy of it.
fn copy(first: &Glyph, next: &Glyph) -> Option<Copy> {
    let shift = (next.start.0 - first.start.0, next.start.1 - first.start.1);
    let far = shift.0.abs().max(shift.1.abs());
    let wide = (next.end.0 - next.start.0).hypot(next.end.1 - next.start.1);
    let same = first.text == next.text && (first.size - next.size).abs() < 0.05 * next.size;
    (same && far <= SHIFT * next.size).then_some(Copy { shift, sure: far <= SURE * wide })
}
