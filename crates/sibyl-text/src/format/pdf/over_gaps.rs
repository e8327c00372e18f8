//! Names that stand in the gap between two columns of a table: they are no column of their own, but stand over those beside
//! it, whose names follow below.

use super::geometry::{Rect, bounds};
use super::line::Line;
use super::spanning;
use super::table::{Cell, names_columns};

/// The rows and columns without those that hold nothing but such names: each opens the header of the columns that it stands
/// over.
pub(super) fn spread(mut rows: Vec<Vec<Cell>>, mut columns: Vec<Rect>) -> (Vec<Vec<Cell>>, Vec<Rect>) {
    let Some(head) = rows.iter().position(|row| !names_columns(row)) else { return (rows, columns) };
    for upper in (0..head.saturating_sub(1)).rev() {
        let Some(Spread { rows: opened, kept }) = opened(&rows[upper..]) else { continue };
        let above = rows[..upper].iter().map(|row| of(row, &kept));
        rows = above.chain(opened).collect();
        columns = of(&columns, &kept);
    }
    (rows, columns)
}

/// Those of `all` in the columns `kept`.
fn of<T: Clone>(all: &[T], kept: &[usize]) -> Vec<T> {
    kept.iter().filter_map(|c| all.get(*c).cloned()).collect()
}

struct Spread {
    rows: Vec<Vec<Cell>>,
    /// The columns that it has left.
    kept: Vec<usize>,
}

/// The rows with the names of the first in front of those of the second. `None` if none of the names stands in a gap,
/// or one stands over no columns.
fn opened(rows: &[Vec<Cell>]) -> Option<Spread> {
    let (upper, below) = rows.split_first()?;
    let (lower, body) = below.split_first()?;
    let box_of = |c: usize| bounds(below.iter().flat_map(|row| &row[c]).map(|line| &line.rect));
    let kept: Vec<usize> = (0..upper.len()).filter(|&c| box_of(c).is_some()).collect();
    let gap =
        |c: usize| kept.first().is_some_and(|first| *first < c) && kept.last().is_some_and(|last| *last > c);
    let loose: Vec<usize> = (0..upper.len()).filter(|c| !kept.contains(c) && !upper[*c].is_empty()).collect();
    let single = upper.iter().all(|cell| cell.len() < 2);
    if body.is_empty() || loose.is_empty() || !single || !loose.iter().all(|c| gap(*c)) {
        return None;
    }
    let columns: Vec<Rect> = kept.iter().filter_map(|c| box_of(*c)).collect();
    let header = of(lower, &kept);
    let names: Vec<&Line> = upper.iter().flatten().collect();
    let places = spanning::over(&names, &columns, &header)?;
    let named = |c: usize| !header[c].is_empty();
    if !places.iter().filter(|range| range.len() > 1).all(|range| range.clone().all(named)) {
        return None;
    }
    let mut first = header;
    for (name, range) in names.into_iter().zip(places) {
        first[range].iter_mut().for_each(|cell| cell.insert(0, name.clone()));
    }
    let rest = body.iter().map(|row| of(row, &kept));
    Some(Spread { rows: std::iter::once(first).chain(rest).collect(), kept })
}
