//! Rows of unruled tables whose names take several lines, as their numbers stand at one of these.

use super::flow;
use super::geometry::Rect;
use super::line::Line;
use super::metrics::CELL_STEP;
use super::row::{Row, column_of};
use super::word::is_numeric;

/// Ratio of the usual distance between rows to that of two lines from which these are lines of one row.
const ROOM: f32 = 1.2;
/// Ratio of letter sizes up to which two lines are one name.
const SAME_SIZE: f32 = 1.1;

/// How many rows, from each row on, are the lines of one table row, from top to bottom. Their names follow each other
/// as the lines of one name do, and the numbers stand at one of them.
pub(super) fn lengths(rows: &[&Row], columns: &[Rect]) -> Vec<usize> {
    let usual = usual_step(rows, columns);
    let mut out = Vec::new();
    let mut start = 0;
    while start < rows.len() {
        let linked = |pair: &&[&Row]| goes_on(pair[0], pair[1], columns, usual);
        let length = 1 + rows[start..].windows(2).take_while(linked).count();
        let valued = rows[start..start + length].iter().filter(|row| is_valued(row, columns)).count();
        if valued == 1 {
            out.push(length);
        } else {
            out.extend(vec![1; length]);
        }
        start += length;
    }
    out
}

/// Of the rows that are one, that with the numbers, and all others.
pub(super) fn with_numbers<'r>(rows: &[&'r Row], lengths: &[usize], columns: &[Rect]) -> Vec<&'r Row> {
    let mut left = rows;
    let mut out = Vec::new();
    for length in lengths {
        let (lines, below) = left.split_at(*length);
        left = below;
        out.extend(lines.iter().find(|row| is_valued(row, columns)).or(lines.first()).copied());
    }
    out
}

/// The name that a row holds in the first column.
fn name<'r>(row: &'r Row, columns: &[Rect]) -> Option<&'r Line> {
    row.cells.iter().rfind(|cell| column_of(columns, cell) == Some(0))
}

/// The cells of a row beside its name.
fn others<'r>(row: &'r Row, columns: &'r [Rect]) -> impl Iterator<Item = &'r Line> {
    row.cells.iter().filter(|cell| column_of(columns, cell) != Some(0))
}

/// Whether a row holds numbers, or words in most columns, beside its name.
fn is_valued(row: &Row, columns: &[Rect]) -> bool {
    others(row, columns).any(|cell| is_numeric(&cell.text()))
        || others(row, columns).count() * 2 >= columns.len()
}

/// Distance of the first baseline of `below` from the last of `above`.
fn step(above: &Row, below: &Row) -> f32 {
    let top = below.cells.iter().map(Line::baseline).fold(f32::MAX, f32::min);
    top - above.cells.iter().map(Line::baseline).fold(f32::MIN, f32::max)
}

/// The usual distance between the rows that have a name and numbers each, where some follow each other.
fn usual_step(rows: &[&Row], columns: &[Rect]) -> Option<f32> {
    let whole = |row: &Row| name(row, columns).is_some() && is_valued(row, columns);
    let pairs = rows.windows(2).filter(|pair| whole(pair[0]) && whole(pair[1]));
    let mut steps: Vec<f32> = pairs.map(|pair| step(pair[0], pair[1])).collect();
    steps.sort_by(f32::total_cmp);
    steps.get(steps.len() / 2).copied()
}

/// Whether the name of `above` goes on in `below`: by its sentence, or by a distance smaller than that of rows.
fn goes_on(above: &Row, below: &Row, columns: &[Rect], usual: Option<f32>) -> bool {
    let (Some(first), Some(second)) = (name(above, columns), name(below, columns)) else { return false };
    let (small, large) = (first.size().min(second.size()), first.size().max(second.size()));
    let step = step(above, below);
    if large > SAME_SIZE * small || first.bold() != second.bold() || step >= CELL_STEP * large {
        return false;
    }
    // Words without a number below those of another cell are its next line.
    let under =
        |cell: &Line| others(above, columns).any(|over| column_of(columns, over) == column_of(columns, cell));
    let closer = usual.is_some_and(|usual| step * ROOM < usual);
    let runs_on = flow::runs_on(first, second, columns[0].right);
    match (is_valued(above, columns), is_valued(below, columns)) {
        // Text beside numbers, not the names of their rows.
        (true, true) => runs_on,
        (_, false) => (closer || runs_on) && others(below, columns).all(under),
        (false, true) => (closer || runs_on) && others(above, columns).next().is_none(),
    }
}
