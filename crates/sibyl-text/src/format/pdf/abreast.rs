//! Tables that stand side by side with their rows at the same heights: each has names of its own for its rows.

use super::geometry::Rect;
use super::table::{Cell, names_columns, text};
use super::word::{is_dash, is_numeric};
use std::ops::Range;

/// What the cells of a column hold.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// A name for each row, none of them twice.
    Names,
    Numbers,
    Other,
}

/// The rows of each table that `rows` hold side by side in `columns`; of a single table, the rows as they are.
pub(super) fn parted(rows: Vec<Vec<Cell>>, columns: &[Rect]) -> Vec<Vec<Vec<Cell>>> {
    let first = rows.iter().position(|row| !names_columns(row)).unwrap_or(rows.len());
    let (head, body) = rows.split_at(first);
    let kinds: Vec<Kind> = (0..columns.len()).map(|c| kind(body, c)).collect();
    let parts = parts(&kinds);
    if parts.len() < 2 || !(repeats_names(head, &parts) || has_gutters(columns, &parts)) {
        return vec![rows];
    }
    let part = |columns: &Range<usize>| {
        let rows = rows.iter().map(|row| row[columns.clone()].to_vec());
        titled(rows.filter(|row| row.iter().any(|cell| !cell.is_empty())).collect())
    };
    parts.iter().map(part).collect()
}

fn kind(body: &[Vec<Cell>], column: usize) -> Kind {
    let mut texts: Vec<String> =
        body.iter().map(|row| text(&row[column])).filter(|t| !t.is_empty()).collect();
    let number = |text: &String| is_numeric(text) || is_dash(text);
    if texts.iter().all(number) {
        return if texts.is_empty() { Kind::Other } else { Kind::Numbers };
    }
    let count = texts.len();
    let named = texts.iter().all(|text| !number(text) && text.contains(char::is_alphabetic));
    texts.sort_unstable();
    texts.dedup();
    if named && count > 1 && texts.len() == count { Kind::Names } else { Kind::Other }
}

/// The columns of each table: one with the names of its rows and those that follow with numbers. None where there are
/// others.
fn parts(kinds: &[Kind]) -> Vec<Range<usize>> {
    let starts: Vec<usize> = (0..kinds.len()).filter(|&c| kinds[c] == Kind::Names).collect();
    let ends = starts.iter().skip(1).copied().chain([kinds.len()]);
    let parts: Vec<Range<usize>> = starts.iter().zip(ends).map(|(&start, end)| start..end).collect();
    let whole = starts.first() == Some(&0)
        && parts.iter().all(|part| part.len() > 1)
        && !kinds.contains(&Kind::Other);
    if whole { parts } else { Vec::new() }
}

/// Whether columns with numbers of several tables have the same name, as no two of one table have.
fn repeats_names(head: &[Vec<Cell>], parts: &[Range<usize>]) -> bool {
    let names = |part: &Range<usize>| -> Vec<String> {
        let columns = part.start + 1..part.end;
        columns.map(|c| head.iter().map(|row| text(&row[c])).collect::<String>()).collect()
    };
    let names: Vec<Vec<String>> = parts.iter().map(names).collect();
    names.windows(2).any(|pair| pair[0].iter().any(|name| !name.is_empty() && pair[1].contains(name)))
}

/// Whether the tables stand further from each other than their columns with numbers do.
fn has_gutters(columns: &[Rect], parts: &[Range<usize>]) -> bool {
    let gap = |right: usize| columns[right].left - columns[right - 1].right;
    let within = parts.iter().flat_map(|part| part.start + 2..part.end).map(gap).reduce(f32::max);
    within.is_some_and(|within| parts.iter().skip(1).all(|part| gap(part.start) > within))
}

/// The same rows, a title that stands in the empty corner over the first column in the row of the names below it.
fn titled(mut rows: Vec<Vec<Cell>>) -> Vec<Vec<Cell>> {
    let [title, names, ..] = rows.as_slice() else { return rows };
    let alone = title.iter().skip(1).all(Vec::is_empty);
    if alone && names[0].is_empty() && names_columns(names) {
        let title = rows.remove(0);
        for (cell, line) in rows[0].iter_mut().zip(title) {
            cell.extend(line);
        }
    }
    rows
}
