//! Shaded bands of tables: where one ends that is as wide as the rules or the other bands of its table, a row ends.
//!
//! A filled band behind a header or behind every other row says as much about rows as a rule does.

use super::geometry::Rect;
use super::ink::Ink;
use super::metrics::SNAP;
use super::ruling::{Painted, Ruling, join};
use super::word::{Turn, Word};

/// Narrowest band (points), and least and greatest height (in letter sizes of what stands in it).
const WIDTH: f32 = 100.0;
const HEIGHT: std::ops::Range<f32> = 0.9..9.0;
/// Distance within which sides agree (points).
const SAME_END: f32 = 6.0;
/// Gap up to which the boxes behind the cells of a row are one band (points).
const GAP: f32 = 3.0;
/// Rules of the same width, or lines that begin below it, from which a band is one of a table.
const OTHERS: usize = 2;
/// Distance of a label from the band of its row (in letter sizes).
const LABEL: f32 = 3.0;
/// Height of a cell in those of its lines, beyond which it is a part of the page.
const CELL: f32 = 12.0;
/// Bands of a page beyond which it is a drawing.
const MAX_BANDS: usize = 400;

/// What a band lies behind, where more than other bands shows a table.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// A row of a table that has rules.
    Ruled,
    /// A header, below which the lines between columns begin.
    Head,
}

/// The upper and lower edges of the bands of tables, and the boxes that can be cells: those that shade rows of a table that has
/// rules are none.
pub(super) fn edges(painted: &[Painted], rulings: &[Ruling], words: &[Word]) -> (Vec<Ruling>, Vec<Painted>) {
    let rules = join(rulings, true, SNAP, GAP);
    let shades = bands(painted);
    if shades.len() > MAX_BANDS {
        return (Vec::new(), painted.to_vec());
    }
    let bands: Vec<Rect> = one_below_the_other(shades, &rules).into_iter().map(|(rect, _)| rect).collect();
    let bands: Vec<&Rect> = bands.iter().filter(|band| is_row(band, words)).collect();
    let alike = |from: f32, to: f32, band: &Rect| {
        (from - band.left).abs() <= SAME_END && (to - band.right).abs() <= SAME_END
    };
    let down = join(rulings, false, SNAP, GAP);
    let stands_below = |rule: &Ruling, band: &Rect| {
        (rule.from - band.bottom).abs() <= SNAP && rule.at > band.left && rule.at < band.right
    };
    // Lines between columns that begin with a band and go on below it: it is the header of theirs.
    let begins_with = |rule: &Ruling, band: &Rect| {
        (rule.from - band.top).abs() <= GAP
            && rule.to > band.bottom + GAP
            && rule.at > band.left + GAP
            && rule.at < band.right - GAP
    };
    // The rules, and the other bands, that are as wide.
    let around = |band: &Rect| {
        let rules = rules.iter().filter(|rule| alike(rule.from, rule.to, band)).count();
        (rules, bands.iter().filter(|other| alike(other.left, other.right, band)).count() - 1)
    };
    let of_table: Vec<(&Rect, Option<Kind>)> = bands
        .iter()
        .filter_map(|band| {
            let (rules, others) = around(band);
            let stands = down.iter().filter(|rule| stands_below(rule, band)).count();
            let begun = down.iter().filter(|rule| begins_with(rule, band)).count();
            let ruled = if stands >= OTHERS || begun >= OTHERS {
                Some(Kind::Head)
            } else {
                (rules > others + 1).then_some(Kind::Ruled)
            };
            // Lines between its cells show the table already.
            let crossed = down.iter().any(|rule| {
                rule.at > band.left + GAP
                    && rule.at < band.right - GAP
                    && rule.from <= band.top + GAP
                    && rule.to >= band.bottom - GAP
            });
            let shows = !crossed && (rules >= OTHERS || stands >= OTHERS) || begun >= OTHERS;
            shows.then_some((*band, ruled))
        })
        .collect();
    let lines = |(band, kind): &(&Rect, Option<Kind>)| {
        let across = [band.top, band.bottom].map(|at| Ruling {
            horizontal: true,
            at,
            from: band.left,
            to: band.right,
        });
        let down = [band.left, band.right].map(|at| Ruling {
            horizontal: false,
            at,
            from: band.top,
            to: band.bottom,
        });
        let down = down.into_iter().filter(|_| *kind == Some(Kind::Head));
        across.into_iter().chain(down).collect::<Vec<_>>()
    };
    let shades = |one: &Painted| {
        !one.clips && of_table.iter().any(|(band, kind)| kind.is_some() && band.holds(one.rect.center(), 0.0))
    };
    let cells = painted.iter().filter(|one| !shades(one)).copied().collect();
    (of_table.iter().flat_map(lines).collect(), cells)
}

/// Whether a band lies behind a row, with its label where one stands left of it.
fn is_row(band: &Rect, words: &[Word]) -> bool {
    let level = || words.iter().filter(|word| word.turn == Turn::Level);
    let held = level().find(|word| band.holds(word.rect.center(), 0.0));
    let labelled = level().any(|word| {
        let middle = word.rect.center().1;
        let gap = band.left - word.rect.right;
        (band.top..band.bottom).contains(&middle) && (-SNAP..LABEL * word.size).contains(&gap)
    });
    held.is_some_and(|word| HEIGHT.contains(&(band.height() / word.size))) && !labelled
}

/// Whether a box shades one of several lines of a cell that is clipped.
fn is_line(one: &Painted, painted: &[Painted]) -> bool {
    let (inner, high) = (&one.rect, one.rect.height());
    let within = |cell: &Rect| {
        cell.holds(inner.center(), 0.0)
            && cell.overlap_x(inner) > 0.9 * inner.width()
            && (high + GAP..CELL * high).contains(&cell.height())
    };
    painted.iter().any(|other| other.clips && within(&other.rect))
}

/// The same bands, those in one that touch below each other in one colour without a rule between: they shade the lines of a row.
fn one_below_the_other(bands: Vec<(Rect, Ink)>, rules: &[Ruling]) -> Vec<(Rect, Ink)> {
    let mut out: Vec<(Rect, Ink)> = Vec::new();
    for (own, ink) in bands {
        let ruled = rules.iter().any(|rule| {
            (rule.at - own.top).abs() <= GAP
                && rule.from < own.right - WIDTH / 2.0
                && rule.to > own.left + WIDTH / 2.0
        });
        let above = out.iter_mut().rev().find(|(band, other)| {
            *other == ink
                && (band.bottom - own.top).abs() <= GAP
                && (band.left - own.left).abs() <= SAME_END
                && (band.right - own.right).abs() <= SAME_END
        });
        match above.filter(|_| !ruled) {
            Some((band, _)) => *band = band.union(&own),
            None => out.push((own, ink)),
        }
    }
    out
}

/// The filled boxes of a page that are no paper, those side by side in one.
fn bands(painted: &[Painted]) -> Vec<(Rect, Ink)> {
    let mut boxes: Vec<(Rect, Ink)> = painted
        .iter()
        .filter(|one| !one.clips && !one.ink.is_white() && !is_line(one, painted))
        .map(|one| (one.rect, one.ink))
        .collect();
    boxes.sort_by(|a, b| a.0.top.total_cmp(&b.0.top).then(a.0.left.total_cmp(&b.0.left)));
    let mut out: Vec<(Rect, Ink)> = Vec::new();
    for (own, ink) in boxes {
        let beside = |(band, _): &&mut (Rect, Ink)| {
            (band.top - own.top).abs() <= SNAP
                && (band.bottom - own.bottom).abs() <= SNAP
                && own.left <= band.right + GAP
        };
        match out.iter_mut().rev().take_while(|(band, _)| own.top - band.top <= SNAP).find(beside) {
            Some((band, _)) => *band = band.union(&own),
            None => out.push((own, ink)),
        }
    }
    out.retain(|(band, _)| band.width() >= WIDTH);
    out
}
