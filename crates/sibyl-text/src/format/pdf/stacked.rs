//! Tables below each other that are one: the shades behind some of its rows enclose these, and the others stand free.

use super::block::{Block, Form};
use super::geometry::bounds;
use super::table::{Table, names_columns};

/// Room between two such tables, in heights of their rows.
const ROOM: f32 = 1.2;

/// The same blocks, with each table without a header below another with the same columns as its further rows.
pub(super) fn joined(blocks: impl IntoIterator<Item = Block>) -> Vec<Block> {
    let mut out: Vec<Block> = Vec::new();
    for block in blocks {
        match (out.last_mut(), block) {
            (
                Some(Block { kind: Form::Table(above), rect, .. }),
                Block { kind: Form::Table(below), rect: lower, .. },
            ) if goes_on(above, &below) => {
                above.rows.extend(below.rows);
                *rect = rect.union(&lower);
            }
            (_, block) => out.push(block),
        }
    }
    out
}

/// Whether `below` has no header and stands in the columns of `above`, no further from it than rows are apart.
fn goes_on(above: &Table, below: &Table) -> bool {
    let headed = below.header && below.rows.first().is_some_and(|row| names_columns(row));
    let header = above.header && above.rows.first().is_some_and(|row| names_columns(row));
    if headed || !header || above.width() != below.width() {
        return false;
    }
    let (Some(upper), Some(lower)) = (above.rect(), below.rect()) else { return false };
    let tops: Vec<f32> = below
        .rows
        .iter()
        .filter_map(|row| bounds(row.iter().flatten().map(|line| &line.rect)))
        .map(|rect| rect.top)
        .collect();
    let step = tops.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f32::max);
    let room = lower.top - upper.bottom;
    let same = |c: usize| match (above.column(c), below.column(c)) {
        (Some(a), Some(b)) => a.overlap_x(&b) > 0.0,
        _ => true,
    };
    room >= 0.0 && room < ROOM * step && (0..above.width()).all(same)
}
