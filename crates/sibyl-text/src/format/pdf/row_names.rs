//! Names of rows that stand left of tables in which lines enclose numbers alone, as rules do that are drawn over and under
//! each group of columns.

use super::geometry::Rect;
use super::line::Line;
use super::metrics::LEVEL;
use super::table::{Cell, Table};
use super::thing::{Content, Thing};
use super::word::{is_dash, is_numeric};

/// Fewest rows below the names of columns.
const ROWS: usize = 2;

/// The same things, such tables with the names of their rows; those side by side that share these are one.
pub(super) fn named(things: Vec<Thing>) -> Vec<Thing> {
    let (mut tables, mut rest): (Vec<Thing>, Vec<Thing>) = things.into_iter().partition(is_nameless);
    tables.sort_by(|a, b| a.rect.left.total_cmp(&b.rect.left));
    let mut joined: Vec<Thing> = Vec::new();
    for right in tables {
        match joined.iter_mut().find(|left| share_rows(left, &right)) {
            Some(left) => join(left, right),
            None => joined.push(right),
        }
    }
    for thing in &mut joined {
        let Content::Table(table) = &mut thing.content else { continue };
        let Some(names) = names_of(table, &thing.rect, &rest) else { continue };
        for (row, at) in table.rows.iter_mut().zip(&names) {
            let name = at.and_then(|at| rest[at].level());
            thing.rect = name.iter().fold(thing.rect, |rect, name| rect.union(&name.rect));
            row.insert(0, name.into_iter().cloned().collect::<Cell>());
        }
        let mut at = 0;
        rest.retain(|_| {
            at += 1;
            !names.contains(&Some(at - 1))
        });
    }
    joined.extend(rest);
    joined
}

/// Whether something is a table with names for its columns and nothing but numbers below them.
fn is_nameless(thing: &Thing) -> bool {
    let Content::Table(Table { rows, header: true, .. }) = &thing.content else { return false };
    let number = |line: &Line| is_numeric(&line.text()) || is_dash(&line.text());
    rows.len() > ROWS && rows[1..].iter().flatten().flatten().all(number)
}

/// The first line of each row.
fn first_lines(thing: &Thing) -> Vec<&Line> {
    let Content::Table(table) = &thing.content else { return Vec::new() };
    table.rows.iter().filter_map(|row| row.iter().flatten().next()).collect()
}

fn are_level(a: &Line, b: &Line) -> bool {
    (a.baseline() - b.baseline()).abs() <= LEVEL * a.size().max(b.size())
}

/// Whether the rows of two tables, one left of the other, stand at the same heights.
fn share_rows(left: &Thing, right: &Thing) -> bool {
    let (ours, theirs) = (first_lines(left), first_lines(right));
    left.rect.right <= right.rect.left + 1.0
        && ours.len() == theirs.len()
        && ours.iter().zip(&theirs).all(|(a, b)| are_level(a, b))
}

fn join(left: &mut Thing, right: Thing) {
    left.rect = left.rect.union(&right.rect);
    if let (Content::Table(ours), Content::Table(theirs)) = (&mut left.content, right.content) {
        ours.rows.iter_mut().zip(theirs.rows).for_each(|(row, more)| row.extend(more));
    }
}

/// The line left of each row of a table; the first row may have none. `None` if another row has none, a row has
/// several, or they stand in no column.
fn names_of(table: &Table, rect: &Rect, things: &[Thing]) -> Option<Vec<Option<usize>>> {
    let beside = |row: &Vec<Cell>| -> Option<Option<usize>> {
        let first = row.iter().flatten().next()?;
        let level = |thing: &Thing| thing.level().is_some_and(|line| are_level(line, first));
        let mut own =
            (0..things.len()).filter(|&at| things[at].rect.right <= rect.left && level(&things[at]));
        let name = own.next();
        own.next().is_none().then_some(name)
    };
    let names: Vec<Option<usize>> = table.rows.iter().map(beside).collect::<Option<_>>()?;
    let known: Vec<&Line> = names.iter().flatten().filter_map(|at| things[*at].level()).collect();
    let first = known.first()?;
    let in_column = |line: &&Line| {
        line.rect.overlap_x(&first.rect) > 0.0 && line.text().contains(|c: char| c.is_alphabetic())
    };
    (names[1..].iter().all(Option::is_some) && known.iter().all(in_column)).then_some(names)
}
