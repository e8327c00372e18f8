//! Rows of key figures: numbers side by side, each with its label below it.

use super::band::{Sides, link};
use super::geometry::{Rect, bounds};
use super::key_figure;
use super::line::Line;
use super::metrics::{EDGE, LABEL_STEP};
use super::number::is_number;
use super::thing::{Thing, median_size};
use std::cmp::Ordering;
use std::ops::Range;

/// Share of their height from which two lines stand in one row.
pub(super) const SAME_ROW: f32 = 0.4;

/// The things that a row of key figures consists of: numbers side by side, each with its label below it. Nothing else
/// stands at their height.
pub(super) fn figures(things: &[Thing]) -> Option<Range<usize>> {
    let number = |thing: &Thing| thing.level().is_some_and(|line| is_number(&line.text()));
    let numbers: Vec<usize> = (0..things.len()).filter(|&i| number(&things[i])).collect();
    numbers.iter().find_map(|&first| {
        let size = things[first].size();
        let row: Vec<usize> =
            numbers.iter().copied().filter(|&i| in_row(&things[first], &things[i])).collect();
        let alike = row.iter().all(|&i| (things[i].size() - size).abs() < 0.1 * size);
        if row.len() < 2 || !alike || row[0] != first {
            return None;
        }
        let mut own = row.clone();
        for &number in &row {
            let labels = label(things, number, &row);
            if labels.is_empty() {
                return None;
            }
            own.extend(labels);
        }
        let band = bounds(own.iter().map(|&i| &things[i].rect))?;
        own.sort_unstable();
        let inside = |thing: &Thing| (band.top..=band.bottom).contains(&thing.rect.center().1);
        let held = (0..things.len()).filter(|&i| inside(&things[i]));
        let range = own[0]..own[own.len() - 1] + 1;
        (held.eq(own.iter().copied()) && !stand_in_columns(things, &range, &row)).then_some(range)
    })
}

/// Whether the numbers `row` stand in columns of text by chance side by side: the text of each goes on below them.
fn stand_in_columns(things: &[Thing], range: &Range<usize>, row: &[usize]) -> bool {
    let (above, below) = (&things[..range.start], &things[range.end..]);
    let size = median_size(things);
    let mut lefts: Vec<f32> = row.iter().map(|&i| things[i].rect.left).collect();
    lefts.sort_by(f32::total_cmp);
    let at = lefts[1] - EDGE;
    let (over, under) = (Sides::of(above, at, size), Sides::of(below, at, size));
    let in_place = |line: &Line, left: f32| (line.rect.left - left).abs() < EDGE;
    let (Some((_, left)), Some((_, right)), Some((down, _)), Some((across, _))) =
        (over.left, over.right, under.left, under.right)
    else {
        return false;
    };
    match (link(left, down) + link(right, across)).cmp(&link(right, down)) {
        Ordering::Greater => true,
        Ordering::Less => false,
        Ordering::Equal => [(left, lefts[0]), (right, lefts[1]), (down, lefts[0]), (across, lefts[1])]
            .into_iter()
            .all(|(line, left)| in_place(line, left)),
    }
}

/// Whether two things stand in one row.
pub(super) fn in_row(a: &Thing, b: &Thing) -> bool {
    a.rect.overlap_y(&b.rect) > SAME_ROW * a.rect.height().min(b.rect.height())
}

/// The lines of the label below the number `number` of a row; none where what stands there is no label.
fn label(things: &[Thing], number: usize, row: &[usize]) -> Vec<usize> {
    let (figure, size) = (things[number].rect, things[number].size());
    let mut out: Vec<usize> = Vec::new();
    let mut words = 0;
    for (i, thing) in things.iter().enumerate().skip(number + 1) {
        let Some(line) = thing.level() else { continue };
        let last = out.last().and_then(|&last| things[last].level());
        let near = match last {
            None => (-0.5 * size..key_figure::REACH * size).contains(&(line.rect.top - figure.bottom)),
            Some(last) => {
                (0.5 * last.size()..LABEL_STEP * last.size()).contains(&(line.baseline() - last.baseline()))
                    && (line.size() - last.size()).abs() < 0.1 * last.size()
            }
        };
        let below = |other: &Rect| line.rect.overlap_x(other) > 0.0;
        if !near || !below(&figure) || size < key_figure::LARGER * line.size() {
            continue;
        }
        if row.iter().any(|&other| other != number && below(&things[other].rect)) {
            return Vec::new();
        }
        words += line.words.len();
        out.push(i);
    }
    if words <= key_figure::LABEL { out } else { Vec::new() }
}
