//! Bars of which each part is a share of a whole, with its value in it, and is named right below it or by its colour.

use super::super::geometry::Rect;
use super::super::ink::Ink;
use super::super::ruling::Painted;
use super::{Chart, Label, Point};

/// Difference up to which sides of parts are one (points).
const SIDE: f32 = 1.2;
/// Farthest that the first line of a name stands from its part, and another line from the one before (in letter sizes).
const BELOW: f32 = 1.5;
const NEXT: f32 = 0.5;
/// Most parts of a whole.
const PARTS: usize = 12;

/// The charts of single bars on a page.
pub(super) fn charts(labels: &[Label], fills: &[Painted], legend: &[(Ink, usize, Rect)]) -> Vec<Chart> {
    let mut parts: Vec<&Painted> = fills.iter().filter(|fill| !fill.ink.is_white()).collect();
    let step = |side: f32| (side / SIDE).round();
    parts.sort_by(|a, b| {
        step(a.rect.top)
            .total_cmp(&step(b.rect.top))
            .then(step(a.rect.bottom).total_cmp(&step(b.rect.bottom)))
            .then(a.rect.left.total_cmp(&b.rect.left))
    });
    let goes_on = |a: &&Painted, b: &&Painted| {
        let sides = [a.rect.top - b.rect.top, a.rect.bottom - b.rect.bottom, b.rect.left - a.rect.right];
        sides.iter().all(|side| side.abs() <= SIDE)
    };
    let bars: Vec<&[&Painted]> =
        parts.chunk_by(goes_on).filter(|parts| (2..=PARTS).contains(&parts.len())).collect();
    // Of several bars of the same colours, each has a name that a table of its own would not have.
    let is_like = |one: &[&Painted], other: &[&Painted]| {
        one.iter().any(|part| other.iter().any(|like| part.ink.is_as(like.ink)))
    };
    let alone = |at: usize| (0..bars.len()).all(|other| other == at || !is_like(bars[at], bars[other]));
    (0..bars.len()).filter(|at| alone(*at)).filter_map(|at| chart(labels, bars[at], legend)).collect()
}

/// The chart of parts beside each other.
fn chart(labels: &[Label], parts: &[&Painted], legend: &[(Ink, usize, Rect)]) -> Option<Chart> {
    let differ = (1..parts.len()).all(|at| !parts[..at].iter().any(|other| other.ink.is_as(parts[at].ink)));
    let values: Vec<usize> = parts.iter().map(|part| value(labels, part)).collect::<Option<_>>()?;
    let shares = values.iter().all(|at| labels[*at].text.ends_with(['%', '％']));
    if !differ || !shares {
        return None;
    }
    let below: Option<Vec<Vec<usize>>> = parts.iter().map(|part| names(labels, &part.rect)).collect();
    let categories = below.or_else(|| {
        // A patch of colour may be known as several shapes.
        let named = |part: &&Painted| {
            let mut own = legend.iter().filter(|(ink, ..)| ink.is_as(part.ink)).map(|(_, at, _)| *at);
            let first = own.next()?;
            own.all(|at| at == first).then(|| vec![first])
        };
        parts.iter().map(named).collect()
    })?;
    let point = |(category, value)| Point { category, ink: None, value };
    let drawn = parts.iter().skip(1).fold(parts[0].rect, |all, part| all.union(&part.rect));
    let points = values.into_iter().enumerate().map(point).collect();
    Some(Chart { categories, points, drawn, names: Vec::new() })
}

/// The only label in a part, where it is a value.
fn value(labels: &[Label], part: &Painted) -> Option<usize> {
    let mut held = (0..labels.len()).filter(|at| part.rect.holds(labels[*at].rect.center(), 0.0));
    held.next().filter(|at| held.next().is_none() && labels[*at].is_value())
}

/// The lines of the name below a part that have their middle there.
fn names(labels: &[Label], part: &Rect) -> Option<Vec<usize>> {
    let mut below: Vec<usize> = (0..labels.len())
        .filter(|at| {
            let (label, middle) = (&labels[*at], labels[*at].rect.center().0);
            label.rect.top > part.bottom - SIDE && (part.left..part.right).contains(&middle)
        })
        .collect();
    below.sort_by(|a, b| labels[*a].rect.top.total_cmp(&labels[*b].rect.top));
    let mut lines: Vec<usize> = Vec::new();
    for at in below {
        let label = &labels[at];
        let gap = label.rect.top - lines.last().map_or(part.bottom, |last| labels[*last].rect.bottom);
        let reach = if lines.is_empty() { BELOW } else { NEXT } * label.size();
        let named = label.text.contains(char::is_alphabetic) && !label.is_value();
        if gap > reach || !named {
            break;
        }
        lines.push(at);
    }
    (!lines.is_empty()).then_some(lines)
}
