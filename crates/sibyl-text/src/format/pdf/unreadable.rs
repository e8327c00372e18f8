//! Letters that a font draws without saying which they are: where they are text, a mark stands for them.
//!
//! A single sign of that kind is a bullet or an icon. One between the letters of a word is a ligature, and several that follow
//! each other are words.

use super::characters::{UNREADABLE, is_private};
use super::glyph::Glyph;
use super::metrics::SAME_LINE;
use std::collections::BTreeSet;

/// Fewest signs that are words, and fewest of a font of icons, all of them different.
const WORDS: usize = 3;
const ICONS: usize = 4;
/// Widest gap between two signs of a text, and between two of a word (em).
const GAP: f32 = 1.2;
const TOUCHES: f32 = 0.1;

/// What was left of the signs of a page that cannot be read.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Unread {
    /// Pieces of text, for each of which a mark stands.
    pub(super) texts: usize,
    /// Signs that say nothing, and are left out.
    pub(super) icons: usize,
}

/// Puts a mark in the place of each text that cannot be read, and leaves other such signs out.
pub(super) fn marked(glyphs: &mut [Glyph]) -> Unread {
    let mut out = Unread::default();
    let mut at = 0;
    while at < glyphs.len() {
        if !is_dark(&glyphs[at]) {
            at += 1;
            continue;
        }
        let goes_on =
            |pair: &&[Glyph]| (is_dark(&pair[1]) || is_blank(&pair[1])) && follows(&pair[0], &pair[1], GAP);
        let mut end = at + 1 + glyphs[at..].windows(2).take_while(goes_on).count();
        while is_blank(&glyphs[end - 1]) {
            end -= 1;
        }
        let touches = |a: usize, b: usize| {
            let letter =
                |glyph: &Glyph| glyph.text.chars().all(char::is_alphabetic) && !glyph.text.is_empty();
            let pair = glyphs.get(a).zip(glyphs.get(b));
            pair.is_some_and(|(a, b)| (letter(a) || letter(b)) && follows(a, b, TOUCHES))
        };
        let within = at > 0 && touches(at - 1, at) && touches(end - 1, end);
        let run = &mut glyphs[at..end];
        if within || is_text(run) {
            out.texts += 1;
            mark(run);
        } else {
            out.icons += run.iter().filter(|glyph| is_private(&glyph.text)).count();
            run.iter_mut().for_each(|glyph| glyph.text = "".into());
        }
        at = end;
    }
    out
}

fn is_dark(glyph: &Glyph) -> bool {
    is_private(&glyph.text) || &*glyph.text == UNREADABLE
}

fn is_blank(glyph: &Glyph) -> bool {
    glyph.text.trim().is_empty()
}

fn follows(last: &Glyph, next: &Glyph, gap: f32) -> bool {
    let (dx, dy) = (next.start.0 - last.end.0, next.start.1 - last.end.1);
    dy.abs() < SAME_LINE * next.size && (-gap * next.size..gap * next.size).contains(&dx)
}

fn is_text(run: &[Glyph]) -> bool {
    let dark = || run.iter().filter(|glyph| is_dark(glyph));
    let private: BTreeSet<&str> =
        dark().filter(|glyph| is_private(&glyph.text)).map(|glyph| &*glyph.text).collect();
    let unmapped = dark().filter(|glyph| &*glyph.text == UNREADABLE).count();
    unmapped >= WORDS || private.len() >= ICONS
}

/// Makes one mark of a run, in its place.
fn mark(run: &mut [Glyph]) {
    let Some((first, rest)) = run.split_first_mut() else { return };
    first.text = UNREADABLE.into();
    for glyph in rest {
        first.rect = first.rect.union(&glyph.rect);
        first.end = glyph.end;
        glyph.text = "".into();
    }
}
