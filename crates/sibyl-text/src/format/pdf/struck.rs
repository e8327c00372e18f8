//! Text that is struck through: a line is drawn, or marked by an annotation, through the middle of its letters, from the
//! first to the last of them. An underline lies lower, and what rules a table or a chart reaches further than the letters.

use super::geometry::Rect;
use super::glyph::Glyph;
use super::ruling::Ruling;

/// Heights over the baseline between which a line runs through letters (em): writers draw it through the middle of small
/// letters, or of capitals.
const LOWEST: f32 = 0.14;
const HIGHEST: f32 = 0.48;
/// How far a line reaches beyond the letters that it strikes through, as where a space behind them is struck too (em).
const BEYOND: f32 = 0.4;
/// How far it ends within one of them (em).
const WITHIN: f32 = 0.15;
/// Largest difference of the baselines of letters that one line strikes through (em).
const SAME_LINE: f32 = 0.1;
/// Pairs of lines and letters beyond which a page is a drawing and nothing is sought.
const MAX_PAIRS: usize = 50_000_000;

/// Marks the letters that a line of `rulings` or one of the boxes `marked` strikes through, and takes out these lines.
pub(super) fn mark(glyphs: &mut [Glyph], rulings: &mut Vec<Ruling>, marked: &[Rect]) {
    if glyphs.len().saturating_mul(rulings.len() + marked.len()) > MAX_PAIRS {
        return;
    }
    if marked.is_empty() && !rulings.iter().any(|ruling| ruling.horizontal) {
        return;
    }
    let mut level: Vec<usize> = (0..rulings.len()).filter(|&at| rulings[at].horizontal).collect();
    level.sort_by(|a, b| rulings[*a].at.total_cmp(&rulings[*b].at));
    let mut crossed: Vec<Vec<usize>> = vec![Vec::new(); rulings.len()];
    for (at, glyph) in glyphs.iter().enumerate() {
        let from = level.partition_point(|&line| rulings[line].at < glyph.start.1 - HIGHEST * glyph.size);
        let near = level[from..].iter().take_while(|&&line| rulings[line].at < glyph.start.1);
        for &line in near.filter(|&&line| crosses(&rulings[line], glyph)) {
            crossed[line].push(at);
        }
    }
    let mut struck = vec![false; glyphs.len()];
    let mut crossed = crossed.into_iter();
    rulings.retain(|ruling| {
        let crossed = crossed.next().unwrap_or_default();
        let fits = fits(ruling, &crossed, glyphs);
        if fits {
            crossed.iter().for_each(|&at| struck[at] = true);
        }
        !fits
    });
    for (glyph, struck) in glyphs.iter_mut().zip(struck) {
        glyph.struck = struck || marked.iter().any(|rect| rect.holds(glyph.rect.center(), 0.0));
    }
}

fn is_level(glyph: &Glyph) -> bool {
    glyph.end.0 > glyph.start.0
        && (glyph.end.1 - glyph.start.1).abs() < SAME_LINE * glyph.size
        && !glyph.text.trim().is_empty()
}

/// Whether a level line runs through the middle of a letter.
fn crosses(ruling: &Ruling, glyph: &Glyph) -> bool {
    let above = glyph.start.1 - ruling.at;
    let middle = (glyph.start.0 + glyph.end.0) / 2.0;
    is_level(glyph)
        && (LOWEST * glyph.size..HIGHEST * glyph.size).contains(&above)
        && (ruling.from..ruling.to).contains(&middle)
}

/// Whether a line reaches from the first to the last of the letters that it crosses, which are words of one line.
fn fits(ruling: &Ruling, crossed: &[usize], glyphs: &[Glyph]) -> bool {
    let letters = || crossed.iter().map(|&at| &glyphs[at]);
    let Some(one) = letters().next() else { return false };
    let left = letters().map(|glyph| glyph.start.0).fold(f32::MAX, f32::min);
    let right = letters().map(|glyph| glyph.end.0).fold(f32::MIN, f32::max);
    letters().any(|glyph| glyph.text.chars().any(char::is_alphanumeric))
        && letters().all(|glyph| (glyph.start.1 - one.start.1).abs() <= SAME_LINE * one.size)
        && (-WITHIN * one.size..BEYOND * one.size).contains(&(left - ruling.from))
        && (-WITHIN * one.size..BEYOND * one.size).contains(&(ruling.to - right))
}
