//! The columns of a table: their names, and what of several columns of a file is one.

use super::heading::Heading;
use super::laid::Layout;
use crate::language::cell::{Kind, without_mark};
use crate::language::unit::is_sign;

/// Brackets and signs that a number may begin with.
const BEFORE_DIGITS: &[char] = &['(', '-', '.', '\u{2212}', '\u{2013}', '\u{2014}'];

/// The name of a column.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Name {
    /// What names it, from the outermost down; empty where nothing does.
    pub(super) path: String,
    /// The lowest cell that names it, which several columns may share.
    leaf: Option<usize>,
}

/// The names of all columns. Of a `sheet`, in which cells seldom reach over others, a name above others speaks for those
/// up to the next one.
pub(super) fn names(layout: &Layout, heading: &Heading, sheet: bool) -> Vec<Name> {
    let mut paths: Vec<Vec<&str>> = vec![Vec::new(); layout.width];
    let mut leaves: Vec<Option<usize>> = vec![None; layout.width];
    for (index, &row) in heading.names.iter().enumerate() {
        let lower = &heading.names[index + 1..];
        let spoken = if lower.is_empty() { Vec::new() } else { speaks(layout, row, lower, sheet) };
        let whole = layout
            .own(row)
            .any(|(column, cell)| column == 0 && cell.columns == layout.width && cell.columns > 1);
        for column in 0..layout.width {
            if whole && column == 0 && !lower.is_empty() {
                continue;
            }
            let slot = layout.rows[row][column];
            let own = layout.at(row, column).map(|cell| cell.text.as_str());
            if own.is_some() {
                leaves[column] = slot.cell;
            }
            let spread = || spoken.iter().find(|(at, _)| *at == column).map(|(_, text)| *text);
            if let Some(text) = own.filter(|_| !slot.down).or_else(spread)
                && paths[column].last() != Some(&text)
            {
                paths[column].push(text);
            }
        }
    }
    paths.into_iter().zip(leaves).map(|(path, leaf)| Name { path: path.join(" / "), leaf }).collect()
}

/// The columns that names of `row` speak for although their cells do not reach over them.
fn speaks<'l>(layout: &'l Layout, row: usize, lower: &[usize], sheet: bool) -> Vec<(usize, &'l str)> {
    let reaches = layout.rows[row].iter().any(|slot| slot.across);
    let names: Vec<(usize, &'l str, Kind)> =
        layout.data(row).map(|(column, cell)| (column, cell.text.as_str(), cell.kind)).collect();
    let named_below = |column: usize| lower.iter().rev().find_map(|row| layout.at(*row, column));
    let below: Vec<(usize, &str, Kind)> = (1..layout.width)
        .filter_map(|column| named_below(column).map(|cell| (column, cell.text.as_str(), cell.kind)))
        .collect();
    let Some(&(first, text, kind)) = names.first().filter(|_| !reaches && below.len() > 1) else {
        return Vec::new();
    };
    let dated = |kind: Kind| matches!(kind, Kind::Year | Kind::Period);
    let speaking = |from: usize, to: usize, text: &'l str| {
        below
            .iter()
            .map(|(column, ..)| *column)
            .filter(move |column| (from..to).contains(column))
            .map(move |at| (at, text))
    };
    if names.len() == 1 {
        let whole = (dated(kind) && !below.iter().any(|(.., kind)| dated(*kind))) || kind == Kind::Unit;
        let leading = sheet && below.first().is_some_and(|(column, ..)| *column == first);
        return if whole || leading { speaking(1, layout.width, text).collect() } else { Vec::new() };
    }
    // Names of further columns of labels stand before the groups.
    for below in (0..below.len()).map(|labels| &below[labels..]).take_while(|below| below[0].0 <= first) {
        let part = below.len() / names.len();
        let same = |one: &str, other: &str| without_mark(one) == without_mark(other);
        let repeats = part > 1
            && below.len() == part * names.len()
            && below.iter().zip(&below[part..]).all(|((_, one, _), (_, other, _))| same(one, other));
        let groups = || below.chunks(part.max(1)).zip(&names);
        let inside = groups().all(|(group, (column, ..))| {
            group.first().is_some_and(|(from, ..)| from <= column)
                && group.last().is_some_and(|(to, ..)| column <= to)
        });
        if repeats && inside {
            return groups()
                .flat_map(|(group, (_, text, _))| group.iter().map(move |(column, ..)| (*column, *text)))
                .collect();
        }
    }
    if !(sheet || names.iter().all(|(.., kind)| dated(*kind)) && !below.iter().any(|(.., kind)| dated(*kind)))
    {
        return Vec::new();
    }
    let ends = names.iter().skip(1).map(|(column, ..)| *column).chain([layout.width]);
    names.iter().zip(ends).flat_map(|((from, text, _), to)| speaking(*from, to, text)).collect()
}

/// Joins currency signs, closing brackets and percent signs in cells of their own with their number.
pub(super) fn join_signs(row: &mut [String]) {
    for at in 0..row.len() {
        let number_follows = row
            .get(at + 1)
            .is_some_and(|next| next.starts_with(|c: char| c.is_ascii_digit() || BEFORE_DIGITS.contains(&c)));
        let number = row[..at]
            .iter()
            .rposition(|cell| !cell.is_empty())
            .filter(|&before| row[before].ends_with(|c: char| c.is_ascii_digit() || c == ')'));
        match row[at].as_str() {
            sign if number_follows && is_sign(sign) => {
                let sign = std::mem::take(&mut row[at]);
                row[at + 1].insert_str(0, &sign);
            }
            ")" | "%" | ")%" | "%)" | "‰" => {
                if let Some(number) = number {
                    let sign = std::mem::take(&mut row[at]);
                    row[number].push_str(&sign);
                }
            }
            _ => {}
        }
    }
}

/// Drops columns that hold nothing, and joins neighbours that were one column on the page. These share a name, or a
/// figure of some row reaches over both (`spanned`), or one of them has no name.
pub(super) fn join(names: &mut Vec<Name>, rows: &mut [Vec<String>], spanned: &[bool]) {
    let width = names.len();
    let only = |rows: &[Vec<String>], column: usize, wanted: &[Kind]| {
        let mut filled =
            rows.iter().map(|row| Kind::of_text(&row[column])).filter(|kind| *kind != Kind::Empty).peekable();
        filled.peek().is_some() && filled.all(|kind| wanted.contains(&kind))
    };
    let figures = |rows: &[Vec<String>], column: usize| {
        let figure = |kind: Kind| kind.is_figure() || matches!(kind, Kind::Empty | Kind::Year);
        rows.iter().all(|row| figure(Kind::of_text(&row[column])))
    };
    let any_name = names.iter().any(|name| !name.path.is_empty());
    let mut kept: Vec<usize> = Vec::new();
    for column in 0..width {
        let empty = rows.iter().all(|row| row[column].is_empty());
        let shared = |name: &Name| {
            name.leaf.is_some()
                && names.iter().enumerate().any(|(at, other)| at != column && other.leaf == name.leaf)
        };
        let last = kept.last().copied();
        if empty && (names[column].path.is_empty() || shared(&names[column]) || is_part(names, column)) {
            continue;
        }
        let unnamed = names[column].path.is_empty();
        let same = |left: usize| names[left].leaf.is_some() && names[left].leaf == names[column].leaf;
        if let Some(left) = last
            && left > 0
            && (unnamed || same(left))
            && only(rows, column, &[Kind::Unit, Kind::After])
            && rows.iter().all(|row| {
                let kind = Kind::of_text(&row[left]);
                row[column].is_empty() || kind.is_figure() || kind == Kind::Year
            })
        {
            for row in rows.iter_mut().filter(|row| !row[column].is_empty()) {
                let unit = std::mem::take(&mut row[column]);
                row[left].push(' ');
                row[left].push_str(&unit);
            }
            continue;
        }
        let apart = |left: usize| rows.iter().all(|row| row[left].is_empty() || row[column].is_empty());
        let one = |left: usize| {
            same(left)
                || (unnamed && spanned[column] && figures(rows, left) && figures(rows, column))
                || ((names[left].path.is_empty() || unnamed)
                    && any_name
                    && left > 0
                    && figures(rows, left)
                    && figures(rows, column))
        };
        let Some(left) = last.filter(|&left| one(left) && apart(left)) else {
            kept.push(column);
            continue;
        };
        for row in rows.iter_mut() {
            let text = std::mem::take(&mut row[column]);
            if row[left].is_empty() {
                row[left] = text;
            }
        }
        if names[left].path.is_empty() {
            names[left] = std::mem::take(&mut names[column]);
        }
    }
    if kept.len() < width {
        *names = kept.iter().map(|&column| std::mem::take(&mut names[column])).collect();
        for row in rows.iter_mut() {
            *row = kept.iter().map(|&column| std::mem::take(&mut row[column])).collect();
        }
    }
}

/// Whether the name of a column is no more than the beginning of that of a neighbour.
fn is_part(names: &[Name], column: usize) -> bool {
    let own = &names[column].path;
    let beside = [column.checked_sub(1), Some(column + 1)].into_iter().flatten();
    beside
        .filter_map(|at| names.get(at))
        .any(|other| other.path.strip_prefix(own.as_str()).is_some_and(|rest| rest.starts_with(" / ")))
}
