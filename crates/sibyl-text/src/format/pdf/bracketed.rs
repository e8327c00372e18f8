//! Names of rows whose bracket stands on a line below their values, as a unit or a remark does that the column has no room for.

use super::metrics::ROW_REACH;
use super::table::{Cell, Table, text};
use crate::format::raised::is_mark;

/// Distance of the left sides of two lines of a name (in letter sizes).
const INDENT: f32 = 2.0;

/// Makes one name of each and the bracket below it: a row that holds no more than a bracket names nothing.
pub(super) fn joined(table: &mut Table) {
    let mut at = 1 + usize::from(table.header);
    while at < table.rows.len() {
        if goes_on(&table.rows[at - 1], &table.rows[at]) {
            let row = table.rows.remove(at);
            let name = row.into_iter().next().unwrap_or_default();
            table.rows[at - 1][0].extend(name);
        } else {
            at += 1;
        }
    }
}

/// Whether `row` holds no more than the bracket at the end of the name of the row above it.
fn goes_on(above: &[Cell], row: &[Cell]) -> bool {
    let [name, others @ ..] = row else { return false };
    let (Some(last), Some(first)) = (above.first().and_then(|cell| cell.last()), name.first()) else {
        return false;
    };
    let step = first.baseline() - last.baseline();
    others.iter().all(Vec::is_empty)
        && (is_bracket(&text(name)) || is_open(&text(&above[0])) && text(name).contains(')'))
        && (0.0..ROW_REACH * first.size()).contains(&step)
        && (first.rect.left - last.rect.left).abs() < INDENT * first.size()
}

/// Whether a text is one in brackets.
fn is_bracket(text: &str) -> bool {
    let text = text.trim_end_matches(|c: char| is_mark(c) || c == ',');
    text.starts_with('(') && text.ends_with(')') && text.chars().filter(|c| c.is_alphabetic()).count() > 2
}

/// Whether a text opens a bracket that it does not close.
fn is_open(text: &str) -> bool {
    let count = |wanted: char| text.chars().filter(|c| *c == wanted).count();
    count('(') > count(')')
}
