//! The names of columns: which of them a name stands over that does not share its width with one alone.

use super::bracketed;
use super::flow;
use super::geometry::{Rect, bounds};
use super::groups;
use super::line::Line;
use super::metrics::{CELL_STEP, LEVEL};
use super::row::phrases;
use super::ruling::Ruling;
use super::spanning;
use super::stacked_names;
use super::table::{Cell, Table, names_columns, text};
use super::thing::{Content, Thing};
use super::word::{is_numeric, is_years};
use crate::format::table as shared;
use crate::language::cell::Kind;
use std::ops::Range;

/// Distance of a header from the first rule of its table (in letter sizes).
const HEAD_REACH: f32 = 0.9;
/// The same for a bold header, which looks like nothing else.
const BOLD_REACH: f32 = 1.2;
/// Most words of the name of a column that is not bold.
const NAME: usize = 3;
/// The same distance of turned names, and most columns of labels beside them.
const TURNED_REACH: f32 = 1.5;
const LABELS: usize = 2;
/// Most rows that name columns.
const MAX_NAMES: usize = 8;

/// The same things, the names of columns that stand above the first rule of a table as its header.
pub(super) fn headed(things: Vec<Thing>, rulings: &[Ruling]) -> Vec<Thing> {
    let (mut tables, mut rest): (Vec<Thing>, Vec<Thing>) =
        things.into_iter().partition(|thing| matches!(thing.content, Content::Table(_)));
    for thing in &mut tables {
        let Content::Table(table) = &mut thing.content else { continue };
        take_stack(&mut rest, rulings, table, &mut thing.rect);
        // Where rules stand below the rows, the first of these stands above all rules, and its header above that.
        if take_row(&mut rest, table, &mut thing.rect) && !names_columns(&table.rows[0]) {
            take_row(&mut rest, table, &mut thing.rect);
        }
        take_turned(&mut rest, table, &mut thing.rect);
        while take_names(&mut rest, rulings, table, &mut thing.rect) {}
    }
    tables.extend(rest);
    tables
}

/// Takes the lines close over a table as its first row, where there is one for each column or for most.
fn take_row(rest: &mut Vec<Thing>, table: &mut Table, rect: &mut Rect) -> bool {
    let (head, other): (Vec<Thing>, Vec<Thing>) = rest.drain(..).partition(|line| stands_over(line, *rect));
    *rest = other;
    let names: Vec<(usize, Line)> = head
        .iter()
        .filter_map(|line| line.level())
        .filter_map(|line| Some((table.column_of(&line.rect)?, line.clone())))
        .collect();
    let mut filled: Vec<usize> = names.iter().map(|(column, _)| *column).collect();
    filled.sort_unstable();
    filled.dedup();
    let named = names.len() == head.len() && filled.len() == names.len() && filled.len() >= 2;
    let row = if named && filled.len() * 2 >= table.width() {
        let mut row = vec![Cell::new(); table.width()];
        names.into_iter().for_each(|(column, line)| row[column].push(line));
        Some(row)
    } else {
        let lines: Vec<&Line> = head.iter().filter_map(Thing::level).collect();
        let columns = columns(table, 0).filter(|_| lines.len() == head.len());
        columns.and_then(|columns| row_of(phrases(&lines), &columns))
    };
    let Some(row) = row else {
        rest.extend(head);
        return false;
    };
    *rect = row.iter().flatten().fold(*rect, |rect, line| rect.union(&line.rect));
    table.rows.insert(0, row);
    table.header = true;
    true
}

/// Takes turned lines close over a table without a header as that, where there is one for each column but those of labels.
fn take_turned(rest: &mut Vec<Thing>, table: &mut Table, rect: &mut Rect) {
    if table.header && table.rows.first().is_some_and(|row| names_columns(row)) {
        return;
    }
    let stands_over = |thing: &Thing| match &thing.content {
        Content::Turned(line) => {
            let distance = rect.top - thing.rect.bottom;
            (-1.0..TURNED_REACH * line.size()).contains(&distance) && thing.rect.overlap_x(rect) > 0.0
        }
        _ => false,
    };
    let (mut head, other): (Vec<Thing>, Vec<Thing>) = rest.drain(..).partition(stands_over);
    *rest = other;
    head.sort_by(|a, b| a.rect.left.total_cmp(&b.rect.left));
    let labels = table.width().saturating_sub(head.len());
    let fits = |(c, thing): (usize, &Thing)| {
        table.column(c).is_some_and(|column| column.overlap_x(&thing.rect) > 0.0)
    };
    if head.len() < 2 || !(1..=LABELS).contains(&labels) || !(labels..).zip(&head).all(fits) {
        rest.extend(head);
        return;
    }
    let mut row = vec![Cell::new(); table.width()];
    for (c, thing) in (labels..).zip(head) {
        *rect = rect.union(&thing.rect);
        if let Content::Turned(line) = thing.content {
            row[c].push(line);
        }
    }
    table.rows.insert(0, row);
    table.header = true;
}

/// Takes the lines of the row over the header of a table as names over its columns.
fn take_names(rest: &mut Vec<Thing>, rulings: &[Ruling], table: &mut Table, rect: &mut Rect) -> bool {
    if !table.rows.first().is_some_and(|row| names_columns(row)) {
        return false;
    }
    let above = |thing: &&Thing| thing.rect.center().1 < rect.top && thing.rect.overlap_x(rect) > 0.0;
    let number = |thing: &Thing| if let Content::Line(row, _) = thing.content { Some(row) } else { None };
    let Some(row) = rest.iter().filter(above).filter_map(number).max() else { return false };
    let (mut names, others): (Vec<Thing>, Vec<Thing>) =
        rest.drain(..).partition(|thing| number(thing) == Some(row) && above(&thing));
    names.sort_by(|a, b| a.rect.left.total_cmp(&b.rect.left));
    let lines: Vec<&Line> = names.iter().filter_map(Thing::level).collect();
    let ruled = spanning::as_wide_as_rules(&lines, rulings);
    let taken = spanning::put_over(&ruled.iter().collect::<Vec<_>>(), table, rect);
    *rest = others;
    if !taken {
        rest.extend(names);
    }
    taken
}

/// Takes names of several lines that stand over a table as its header, where it has none.
fn take_stack(rest: &mut Vec<Thing>, rulings: &[Ruling], table: &mut Table, rect: &mut Rect) {
    if table.rows.first().is_none_or(|row| names_columns(row)) {
        return;
    }
    // A rule parts a name from those that it stands over.
    let parted = |line: &Line| {
        rulings.iter().any(|rule| {
            rule.horizontal
                && (line.baseline()..rect.top - 1.0).contains(&rule.at)
                && rule.from < line.rect.right
                && rule.to > line.rect.left
        })
    };
    let lines = rest.iter().enumerate().filter_map(|(at, thing)| Some((at, thing.level()?)));
    let lines: Vec<(usize, &Line)> = lines.filter(|(_, line)| !parted(line)).collect();
    let over: Vec<&Line> = lines.iter().map(|(_, line)| *line).collect();
    let Some((row, used)) =
        columns(table, 0).and_then(|columns| stacked_names::over(&over, &columns, rect.top))
    else {
        return;
    };
    let used: Vec<usize> = used.into_iter().map(|at| lines[at].0).collect();
    *rect = row.iter().flatten().fold(*rect, |rect, line| rect.union(&line.rect));
    let mut at = 0;
    rest.retain(|_| {
        at += 1;
        !used.contains(&(at - 1))
    });
    table.rows.insert(0, row);
    table.header = true;
}

/// Whether a line stands close over a table and looks like the name of a column.
fn stands_over(thing: &Thing, table: Rect) -> bool {
    let Some(line) = thing.level() else { return false };
    let distance = table.top - line.rect.bottom;
    let names = line.bold() || line.words.len() <= NAME && !flow::ends_sentence(line);
    let reach = if line.bold() { BOLD_REACH } else { HEAD_REACH };
    names && (-1.0..reach * line.size()).contains(&distance) && line.rect.overlap_x(&table) > 0.0
}

/// The row of names that stand in the order of the columns: one for each, or for each but the first, which often has none.
/// Each stands between the columns beside its own.
pub(super) fn row_of(names: Vec<Line>, columns: &[Rect]) -> Option<Vec<Cell>> {
    let first = columns.len().checked_sub(names.len()).filter(|missing| *missing < 2)?;
    let number = |name: &Line| is_numeric(&name.text()) && !is_years(&name.text());
    let lone = names.len() < 2 && (columns.len() > 2 || names.iter().any(number));
    if lone || first == 1 && names[0].rect.left < columns[0].right {
        return None;
    }
    let mut row = vec![Cell::new(); columns.len()];
    for (c, name) in (first..).zip(names) {
        let middle = name.rect.center().0;
        let left = c.checked_sub(1).map_or(f32::MIN, |c| columns[c].center().0);
        let right = columns.get(c + 1).map_or(f32::MAX, |column| column.center().0);
        let beside = |column: Option<&Rect>| column.is_some_and(|other| other.overlap_x(&name.rect) > 0.0);
        let strays = beside(c.checked_sub(1).and_then(|c| columns.get(c))) || beside(columns.get(c + 1));
        if middle <= left || middle >= right || strays && !beside(columns.get(c)) {
            return None;
        }
        row[c].push(name);
    }
    Some(row)
}

/// The boxes of the columns of a table below its first `head` rows; `None` where one of them is empty.
pub(super) fn columns(table: &Table, head: usize) -> Option<Vec<Rect>> {
    let of = |c: usize| bounds(table.rows.iter().skip(head).flat_map(|row| &row[c]).map(|line| &line.rect));
    (0..table.width()).map(of).collect()
}

/// The same table with each name of its header over its own column, and the sign of a currency with its number. Names
/// may stand at the other side of their column than its cells. They then have an empty column of their own, or share
/// one with the name beside it.
pub(super) fn mended(mut table: Table) -> Table {
    if table.header && table.rows.len() > 1 && table.rows.first().is_some_and(|row| names_columns(row)) {
        part_names(&mut table);
        spread_names(&mut table);
        join_columns(&mut table, |table, c| {
            names_alone(table, c) && lacks_name(table, c + 1)
                || lacks_name(table, c) && names_alone(table, c + 1)
        });
    }
    stack_names(&mut table);
    groups::put_first(&mut table);
    bracketed::joined(&mut table);
    table
}

/// Makes one column of numbers and the signs beside them, and one row of the names of columns that stand in several.
/// Takes away rows further down that repeat these names.
pub(super) fn stack_names(table: &mut Table) {
    let headed = table.header && table.rows.first().is_some_and(|row| names_columns(row));
    let head = if headed { names(table) } else { 0 };
    join_columns(table, |table, c| holds_signs(table, c, head));
    if !headed {
        return;
    }
    let count = names(table);
    let said = |row: &[Cell]| row.iter().map(|cell| text(cell)).collect::<Vec<_>>();
    let head: Vec<Vec<String>> = table.rows[..count].iter().map(|row| said(row)).collect();
    let words =
        head.iter().flat_map(|row| row.iter().skip(1)).any(|name| name.contains(char::is_alphanumeric));
    let mut at = count;
    while words && at + count <= table.rows.len() {
        if table.rows[at..at + count].iter().map(|row| said(row)).eq(head.iter().cloned()) {
            table.rows.drain(at..at + count);
        } else {
            at += 1;
        }
    }
    (1..count).rev().for_each(|lower| put_over(table, lower));
}

/// Whether the first of `rows` names columns: it holds no numbers, or what else the rows show that it does.
pub(super) fn begins_with_names(rows: &[Vec<Cell>]) -> bool {
    let mut filled = rows.iter().filter(|row| row.iter().any(|cell| !cell.is_empty())).peekable();
    if filled.peek().is_none_or(|first| names_columns(first)) {
        return true;
    }
    let shared = |cell: &Cell| shared::Cell {
        marked: !cell.is_empty() && cell.iter().all(Line::bold),
        ..shared::Cell::new(text(cell))
    };
    let rows = filled.map(|row| row.iter().map(shared).collect()).collect();
    shared::Table { rows, ..shared::Table::default() }.heading() > 0
}

/// How many rows at the top name columns: as in tables of all formats, with cells as wide as the columns that they stand over.
fn names(table: &Table) -> usize {
    let shared = |(at, row): (usize, &Vec<Cell>)| {
        let places = if at < MAX_NAMES { places_of(table, at) } else { None }.unwrap_or_default();
        let mut out = Vec::new();
        for (c, cell) in row.iter().enumerate() {
            let over = places.iter().find(|place| place.len() > 1 && place.contains(&c));
            let marked = cell.iter().all(Line::bold);
            match over {
                Some(place) if place.start < c => {}
                Some(place) => {
                    let name = place.clone().find(|c| !row[*c].is_empty()).map_or(&[][..], |c| &row[c]);
                    out.push(shared::Cell { columns: place.len(), marked, ..shared::Cell::new(text(name)) });
                }
                None => out.push(shared::Cell { marked, ..shared::Cell::new(text(cell)) }),
            }
        }
        out
    };
    let rows = table.rows.iter().enumerate().map(shared).collect();
    let count = shared::Table { rows, ..shared::Table::default() }.names().unwrap_or(1).max(1);
    // Each row names columns, no fewer than the one above, and one of them the labels. What stands alone over the middle of
    // all of it is its title.
    let filled = |row: &Vec<Cell>| row.iter().skip(1).filter(|cell| !cell.is_empty()).count();
    let head = &table.rows[..count.min(table.rows.len())];
    let lone =
        |(at, row): (usize, &Vec<Cell>)| filled(row) == 1 && table.width() > 2 && !is_over_all(table, at);
    let labels = head.iter().filter(|row| !row[0].is_empty()).count();
    let numbered = table.rows[head.len()..].iter().any(|row| !names_columns(row));
    let names = labels < 2 && numbered && head.iter().all(|row| filled(row) > 0);
    let apart = head.is_sorted_by_key(filled) && !head.iter().enumerate().any(lone);
    if names && apart { head.len() } else { 1 }
}

/// Whether the only name in the row `at` stands over the middle of all columns but the first.
fn is_over_all(table: &Table, at: usize) -> bool {
    let name = table.rows[at].iter().skip(1).find_map(|cell| cell.first());
    let all = places_of(table, at)
        .is_some_and(|places| matches!(places.as_slice(), [one] if *one == (1..table.width())));
    let (Some(name), Some(columns)) = (name.filter(|_| all), columns(table, at + 1)) else { return false };
    let off = |from: usize| {
        let middle = (columns[from].left + columns[columns.len() - 1].right) / 2.0;
        (middle - name.rect.center().0).abs()
    };
    off(1) < off(0)
}

/// The columns behind the first that the names in the row `upper` stand over, from left to right.
fn places_of(table: &Table, upper: usize) -> Option<Vec<Range<usize>>> {
    let (row, lower) = (table.rows.get(upper)?, table.rows.get(upper + 1)?);
    if !names_columns(row) || !names_columns(lower) {
        return None;
    }
    let columns = columns(table, upper + 1)?;
    let lines: Vec<&Line> = row.iter().skip(1).filter_map(|cell| cell.first()).collect();
    let middles = || {
        let places = spanning::places(&lines, columns.get(1..)?)?;
        Some(places.into_iter().map(|place| place.start + 1..place.end + 1).collect())
    };
    let over = spanning::over(&lines, &columns, lower);
    // A name that covers one column may stand at the middle of several.
    let wide = over.as_ref().is_some_and(|places| places.iter().any(|place| place.len() > 1));
    if wide { over } else { middles().or(over) }
}

/// Opens the names of the row `lower` with those over them, and takes the row of these away.
fn put_over(table: &mut Table, lower: usize) {
    let places = places_of(table, lower - 1);
    let upper = table.rows.remove(lower - 1);
    let filled = upper.into_iter().enumerate().filter(|(_, cell)| !cell.is_empty());
    let mut behind = 0;
    for (c, name) in filled {
        let own = places.as_ref().filter(|_| c > 0).and_then(|places| places.get(behind)).cloned();
        behind += usize::from(c > 0);
        for cell in &mut table.rows[lower - 1][own.unwrap_or(c..c + 1)] {
            cell.splice(0..0, name.iter().cloned());
        }
    }
}

/// Puts names that stand in one cell of the header into the columns that they are the names of, where there is one for each.
fn part_names(table: &mut Table) {
    let Some(header) = table.rows.first().filter(|row| row.iter().all(|cell| cell.len() < 2)) else { return };
    let lines: Vec<&Line> = header.iter().flatten().collect();
    let names = phrases(&lines);
    if names.len() <= lines.len() {
        return;
    }
    if let Some(row) = columns(table, 1).and_then(|columns| row_of(names, &columns)) {
        table.rows[0] = row;
    }
}

/// Puts names that stand in cells of the header, but far above those of single columns or above periods, over all columns
/// that they are the names of.
fn spread_names(table: &mut Table) {
    let Some((header, body)) = table.rows.split_first() else { return };
    let is_period = |line: &Line| matches!(Kind::of_text(&line.text()), Kind::Year | Kind::Period);
    let far = |pair: &[Line]| {
        pair[1].baseline() - pair[0].baseline() > CELL_STEP * pair[0].size().max(pair[1].size())
            || is_period(&pair[1]) && !is_period(&pair[0])
    };
    let highest = header.iter().filter_map(|cell| Some(cell[cell.windows(2).position(far)?].baseline()));
    let Some(level) = highest.reduce(f32::max) else { return };
    let is_upper = |line: &&Line| line.baseline() <= level + LEVEL * line.size();
    let mut names: Vec<&Line> = header.iter().flatten().filter(is_upper).collect();
    names.sort_by(|a, b| a.rect.left.total_cmp(&b.rect.left));
    let one_row = names.iter().all(|name| (name.baseline() - level).abs() <= LEVEL * name.size());
    let lower: Vec<Cell> =
        header.iter().map(|cell| cell.iter().filter(|line| !is_upper(line)).cloned().collect()).collect();
    let boxes = (0..lower.len())
        .map(|c| bounds(body.iter().map(|row| &row[c]).chain([&lower[c]]).flatten().map(|line| &line.rect)));
    let columns: Option<Vec<Rect>> = boxes.collect();
    let places = columns.filter(|_| one_row).and_then(|columns| spanning::over(&names, &columns, &lower));
    let Some(places) = places else { return };
    let wide = |place: &&Range<usize>| place.len() > 1;
    let named = |place: &Range<usize>| place.start > 0 && place.clone().all(|c| !lower[c].is_empty());
    if !places.iter().any(|place| place.len() > 1) || !places.iter().filter(wide).all(named) {
        return;
    }
    let mut row = lower;
    for (name, place) in names.into_iter().zip(places) {
        row[place].iter_mut().for_each(|cell| cell.insert(0, name.clone()));
    }
    table.rows[0] = row;
}

/// Makes one column of each and the next for which `belong` holds.
fn join_columns(table: &mut Table, belong: impl Fn(&Table, usize) -> bool) {
    let mut c = 0;
    while c + 1 < table.width() {
        if belong(table, c) {
            for row in &mut table.rows {
                let cell = row.remove(c + 1);
                row[c].extend(cell);
            }
        } else {
            c += 1;
        }
    }
}

/// Whether column `c` holds a name and nothing else.
fn names_alone(table: &Table, c: usize) -> bool {
    !table.rows[0][c].is_empty() && table.rows[1..].iter().all(|row| row[c].is_empty())
}

/// Whether column `c` holds numbers without a name.
fn lacks_name(table: &Table, c: usize) -> bool {
    let numbers =
        table.rows[1..].iter().filter(|row| row[c].iter().any(|line| is_numeric(&line.text()))).count();
    let filled = table.rows[1..].iter().filter(|row| !row[c].is_empty()).count();
    c > 0 && table.rows[0][c].is_empty() && filled > 0 && numbers * 2 > filled
}

/// Whether one of the columns `c` and `c + 1` holds nothing but signs of the numbers in the other: currencies before them, or
/// percent signs and units behind them. They share a name, or have none.
fn holds_signs(table: &Table, c: usize, head: usize) -> bool {
    let kind = |row: &Vec<Cell>, c: usize| Kind::of_text(&text(&row[c]));
    let beside = |signs: usize, numbers: usize, wanted: &[Kind]| {
        let of = |row: &Vec<Cell>| {
            let sign = kind(row, signs);
            sign == Kind::Empty
                || wanted.contains(&sign) && matches!(kind(row, numbers), Kind::Value | Kind::Year)
        };
        let body = &table.rows[head..];
        body.iter().any(|row| !row[signs].is_empty()) && body.iter().all(of)
    };
    let named = table.rows[..head].iter().any(|row| !row[c].is_empty() && !row[c + 1].is_empty());
    // The first column names rows, and a sign before the next number is that one's.
    let of_next = c + 2 < table.width() && beside(c + 1, c + 2, &[Kind::Before]);
    !named
        && c > 0
        && (beside(c, c + 1, &[Kind::Before])
            || !of_next && beside(c + 1, c, &[Kind::After, Kind::Unit, Kind::Before]))
}
