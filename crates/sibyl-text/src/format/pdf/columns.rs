//! Tables without full rulings: rows whose cells stand in the same columns.
//!
//! Over 500 lines: what decides on one table belongs together.

use super::abreast;
use super::beside;
use super::evidence::Evidence;
use super::flow::{self, Step};
use super::geometry::{Rect, bounds};
use super::heads;
use super::key_figure;
use super::line::Line;
use super::metrics::{CELL_STEP, EDGE, LABEL_STEP, MIN_ROWS, ROW_REACH, SAME_PLACE};
use super::number::is_number;
use super::over_gaps;
use super::row::{Row, column_of, phrases};
use super::ruling::Ruling;
use super::spanning;
use super::stacked_names;
use super::table::{Cell, Table, names_columns};
use super::word::{is_numeric, is_years};
use super::wrapped;

/// Most rows of one table: a page does not hold more.
const MAX_ROWS: usize = 300;
/// Longest cell, in words, that speaks for a table rather than for columns of prose.
const SHORT_CELL: usize = 8;
/// Share of the cells of a table that are numbers, from which nothing else can be meant.
pub(super) const SURE: f32 = 0.25;
/// Ratio to the row above from which the letters of a single cell are those of a heading.
const HEADING: f32 = 1.15;
/// Ratio to the row below from which words are headings and no names of columns.
const HEADLINE: f32 = 1.3;
/// Ratio to the row above from which a row is no longer of the same table, as big numbers are not.
const FIGURES: f32 = 1.6;
/// Share of their height that a name and the numbers of its row have in common, and farthest distance of their baselines (in
/// letter sizes).
const SAME_ROW: f32 = 0.5;
/// Farthest room between names of columns and the first row below them (in letter sizes).
const HEADER_REACH: f32 = 1.5;
/// Words of the longest line of a bar's name.
const BAR: usize = 5;
/// Distance from which the ends of two bars are apart, and up to which a name stands beside its number (in letter
/// sizes).
const BARS: f32 = 1.0;
/// Distance of two rows of names up to which no line of one column fits between them (in letter sizes).
const ROW_OF_NAMES: f32 = 2.0;
/// Words of the longest unit.
const UNIT: usize = 3;
/// Most rows from the titles of tables side by side to the first one with numbers.
const TITLES: usize = 5;
/// Ratio to the usual distance of the rows before it from which a row may be the first of something else.
const APART: f32 = 1.4;

/// Tables with their boxes, and the fragments that remain.
pub(super) type Taken = (Vec<(Table, Rect)>, Vec<(usize, Line)>);

/// Takes the unruled tables out of the fragments of a region (each with the number of its row). What remains are the
/// fragments of running text. `rulings` are what is drawn there.
pub(super) fn take(fragments: Vec<(usize, Line)>, rulings: &[Ruling]) -> Taken {
    taken(fragments, rulings, |_, _| true)
}

/// Takes only the tables that are such whatever stands beside them: those with numbers in their cells. Where rows could
/// be a table and are not, none of them is.
pub(super) fn sure(fragments: Vec<(usize, Line)>, rulings: &[Ruling]) -> Taken {
    taken(fragments, rulings, |cells, numeric| numeric as f32 >= SURE * cells as f32)
}

/// `enough` decides on a table by the number of its cells and of those that are numbers.
fn taken(fragments: Vec<(usize, Line)>, rulings: &[Ruling], enough: fn(usize, usize) -> bool) -> Taken {
    let mut rows: Vec<(usize, Row)> = Vec::new();
    for (number, line) in fragments {
        match rows.last_mut() {
            Some((last, row)) if *last == number => {
                row.cells.push(line);
                row.numbers.push(number);
            }
            _ => {
                let (baseline, size) = (line.baseline(), line.size());
                rows.push((number, Row { baseline, size, cells: vec![line], numbers: vec![number] }));
            }
        }
    }
    let mut rows = level(rows);
    rows.iter_mut().for_each(|(_, row)| row.join_signs());
    let mut tables = Vec::new();
    let mut rest = Vec::new();
    let mut start = 0;
    // Size of the key figures above, and the height at which the next line of their labels stands at the lowest.
    let mut figures: Option<(f32, f32)> = None;
    while start < rows.len() {
        let row = &rows[start].1;
        let (size, baseline) = (row.size, row.baseline);
        let labels =
            figures.is_some_and(|(large, lowest)| large >= key_figure::LARGER * size && baseline < lowest);
        let over = labels || spans_next(&rows[start..]) || titles_abreast(&rows[start..]);
        let length = if over { 0 } else { run(&rows[start..]) };
        let text = text_above(&rows[start..start + length]);
        if text > 0 {
            for (_, row) in &mut rows[start..start + text] {
                rest.extend(std::mem::take(&mut row.numbers).into_iter().zip(std::mem::take(&mut row.cells)));
            }
            figures = None;
            start += text;
            continue;
        }
        let found = ends(&rows[start..start + length]).into_iter().find_map(|end| {
            let rows = &rows[start..start + end];
            let (cells, numeric) = numbers(rows);
            let found = if enough(cells, numeric) { table(rows) } else { None };
            found.map(|found| (found, start + end))
        });
        match found {
            Some((mut found, end)) => {
                if let [(table, rect)] = found.as_mut_slice() {
                    take_stack(&mut rest, &mut tables, table, rect);
                    take_header(&mut rest, table, rect);
                    while take_names(&mut rest, rulings, table, rect) {}
                }
                tables.extend(found);
                figures = None;
                start = end;
            }
            None => {
                let row = &mut rows[start].1;
                if row.cells.iter().all(|cell| is_number(&cell.text())) {
                    figures = Some((size, baseline + key_figure::REACH * size));
                } else {
                    figures =
                        figures.filter(|_| labels).map(|(large, _)| (large, baseline + LABEL_STEP * size));
                }
                rest.extend(std::mem::take(&mut row.numbers).into_iter().zip(std::mem::take(&mut row.cells)));
                start += 1;
            }
        }
    }
    (tables, rest)
}

/// The same rows, but cells that stand beside each other a little higher or lower share one. Names of rows are often
/// set on lines of their own beside their numbers.
fn level(rows: Vec<(usize, Row)>) -> Vec<(usize, Row)> {
    let mut out: Vec<(usize, Row)> = Vec::with_capacity(rows.len());
    for (number, row) in rows {
        match out.last_mut() {
            Some((_, last)) if is_beside(last, &row) => {
                let mut cells: Vec<(usize, Line)> =
                    last.numbers.drain(..).zip(last.cells.drain(..)).collect();
                cells.extend(row.numbers.into_iter().zip(row.cells));
                cells.sort_by(|a, b| a.1.rect.left.total_cmp(&b.1.rect.left));
                (last.numbers, last.cells) = cells.into_iter().unzip();
            }
            _ => out.push((number, row)),
        }
        let count = out.len();
        if count >= 3 && is_centred(&out[count - 3].1, &out[count - 2].1, &out[count - 1].1) {
            let (Some((number, below)), Some((_, names))) = (out.pop(), out.pop()) else { continue };
            let mut cells: Vec<(usize, Line)> = below.numbers.into_iter().zip(below.cells).collect();
            cells.extend(names.numbers.into_iter().zip(names.cells));
            cells.sort_by(|a, b| a.1.rect.left.total_cmp(&b.1.rect.left));
            let (numbers, cells) = cells.into_iter().unzip();
            out.push((number, Row { cells, numbers, ..below }));
            continue;
        }
        if count >= 3 && is_between(&out[count - 3].1, &out[count - 2].1, &out[count - 1].1) {
            let (Some((_, below)), Some((_, numbers)), Some((_, above))) =
                (out.pop(), out.pop(), out.last_mut())
            else {
                continue;
            };
            for row in [below, numbers] {
                above.numbers.extend(row.numbers);
                above.cells.extend(row.cells);
            }
        }
    }
    out
}

/// Whether `row`, numbers and perhaps their unit, stands at the middle of a name of two lines, `above` and `below` it.
fn is_between(above: &Row, row: &Row, below: &Row) -> bool {
    let ([first], [second]) = (above.cells.as_slice(), below.cells.as_slice()) else { return false };
    let middle = (above.baseline + below.baseline) / 2.0;
    let numeric = |cell: &Line| is_numeric(&cell.text());
    let beside = |cell: &Line| {
        (numeric(cell) || cell.words.len() <= UNIT)
            && cell.rect.left > first.rect.right.max(second.rect.right)
    };
    below.baseline - above.baseline < CELL_STEP * below.size
        && (row.baseline - middle).abs() < 0.25 * row.size
        && first.rect.overlap_x(&second.rect) > 0.0
        && (first.size() - second.size()).abs() < 0.1 * first.size()
        && row.cells.iter().any(numeric)
        && row.cells.iter().all(beside)
}

/// Whether the names of `row` stand beside two rows of names, `above` over more of them `below`, at their middle: those of
/// columns that have one name.
fn is_centred(above: &Row, row: &Row, below: &Row) -> bool {
    let middle = (above.baseline + below.baseline) / 2.0;
    let names = |row: &Row| row.cells.iter().all(|cell| !is_numeric(&cell.text()) || is_years(&cell.text()));
    let free = |other: &Row| {
        let over = |cell: &Line| other.cells.iter().any(|name| name.rect.overlap_x(&cell.rect) > 0.0);
        !row.cells.iter().any(over)
    };
    below.baseline - above.baseline < ROW_OF_NAMES * row.size
        && (row.baseline - middle).abs() < 0.45 * row.size
        && below.cells.len() > above.cells.len()
        && [above, row, below].into_iter().all(names)
        && free(above)
        && free(below)
}

/// Whether the cells of two rows stand beside each other, those of one all numbers.
fn is_beside(upper: &Row, lower: &Row) -> bool {
    let numeric = |row: &Row| row.cells.iter().all(|cell| is_numeric(&cell.text()));
    let beside = |a: &Line, b: &Line| {
        let height = a.rect.height().min(b.rect.height());
        a.rect.overlap_x(&b.rect) <= 0.0 && a.rect.overlap_y(&b.rect) >= SAME_ROW * height
    };
    lower.baseline - upper.baseline < SAME_ROW * upper.size.max(lower.size)
        && numeric(upper) != numeric(lower)
        && upper.cells.iter().all(|a| lower.cells.iter().all(|b| beside(a, b)))
}

/// How many cells rows have, and how many of them are numbers; a first row without any may name the columns, and says nothing
/// about them.
fn numbers(rows: &[(usize, Row)]) -> (usize, usize) {
    let names = rows.first().is_some_and(|(_, row)| !row.cells.iter().any(|cell| is_numeric(&cell.text())));
    let cells = rows[usize::from(names)..].iter().flat_map(|(_, row)| &row.cells);
    cells.fold((0, 0), |(all, numeric), cell| (all + 1, numeric + usize::from(is_numeric(&cell.text()))))
}

/// How many rows from the start can stand in one table: each fits the columns that the rows so far have made.
fn run(rows: &[(usize, Row)]) -> usize {
    if rows[0].1.cells.len() < 2 {
        return 0;
    }
    let mut columns: Vec<Rect> = Vec::new();
    let mut length = 0;
    let mut last: Option<&Row> = None;
    for (_, row) in rows.iter().take(MAX_ROWS) {
        if last.is_some_and(|last| row.baseline - last.baseline > ROW_REACH * row.size.max(last.size)) {
            break;
        }
        // Key figures stand over their labels, in much larger type.
        let figures = |row: &Row| row.cells.iter().all(|cell| is_number(&cell.text()));
        if last.is_some_and(|last| last.size >= key_figure::LARGER * row.size && figures(last)) {
            break;
        }
        // A heading stands between two tables, or between text and a table.
        let larger = |ratio: f32| last.is_some_and(|last| row.size > ratio * last.size);
        // The sum below a table is often set larger; its cells stand in the columns of the others.
        let total = row.cells.len() >= columns.len().max(2)
            && last.is_some_and(|last| row.largest() <= FIGURES * last.largest());
        // Rows may be set larger than the names of columns above them, and then are as large as each other.
        let as_next = rows
            .get(length + 1)
            .is_some_and(|(_, next)| next.cells.len() > 1 && row.size <= HEADING * next.largest());
        if larger(FIGURES) && !total || row.cells.len() == 1 && larger(HEADING) && !as_next {
            break;
        }
        if heads_page(&rows[length..]) || crowds(&columns, row) {
            break;
        }
        let mut next = columns.clone();
        if !row.cells.iter().all(|cell| fit(&mut next, cell)) {
            let Some(again) = columns_of(&rows[..=length]) else { break };
            next = again;
        }
        if row.cells.len() == 1
            && last.is_some_and(|l| l.cells.len() == 1)
            && row.cells[0].words.len() > SHORT_CELL
        {
            break;
        }
        columns = next;
        length += 1;
        last = Some(row);
    }
    // A table ends with a row that fills more than one column, or with the last lines of such a row.
    let mut end = length;
    while end > 0 && rows[end - 1].1.cells.len() < 2 {
        end -= 1;
    }
    while end > 0 && end < length && rows[end].1.cells.iter().all(|cell| wraps_over(&rows[..end], cell)) {
        end += 1;
    }
    end
}

/// Whether the first of rows holds headings side by side: words in much larger letters than what is below them.
fn heads_page(rows: &[(usize, Row)]) -> bool {
    let [(_, first), (_, second), ..] = rows else { return false };
    let words = !first.cells.iter().any(|cell| is_numeric(&cell.text()));
    words && first.size > HEADLINE * second.largest()
}

/// Whether two numbers of a row stand in one of the `columns`, or two cells in each column that the row stands in.
/// These are columns of text above its table, or names over several of its cells.
fn crowds(columns: &[Rect], row: &Row) -> bool {
    let held = |column: &Rect| -> Vec<&Line> {
        row.cells.iter().filter(|cell| column.overlap_x(&cell.rect) > 1.0).collect()
    };
    let held: Vec<Vec<&Line>> = columns.iter().map(held).filter(|held| !held.is_empty()).collect();
    let number = |pair: &[&Line]| pair.iter().all(|cell| is_numeric(&cell.text()));
    let numbers =
        held.iter().any(|held| held.windows(2).any(|pair| number(pair) && are_beside(pair[0], pair[1])));
    let several = |held: &Vec<&Line>| held.windows(2).any(|pair| are_beside(pair[0], pair[1]));
    numbers || held.len() > 1 && held.iter().all(several)
}

/// Whether two cells stand beside each other, and not one below the other.
fn are_beside(cell: &Line, other: &Line) -> bool {
    cell.rect.overlap_x(&other.rect) <= 0.0
}

/// How many rows at the start are lines of columns of text above a table with numbers. In several columns, the
/// sentences of the first lines go on in the next ones; those of a header do not.
fn text_above(rows: &[(usize, Row)]) -> usize {
    let numbered = |(_, row): &(usize, Row)| row.cells.iter().any(|cell| is_numeric(&cell.text()));
    let head = &rows[..rows.iter().position(numbered).unwrap_or(0)];
    let mut columns: Vec<Rect> = Vec::new();
    if head.len() < MIN_ROWS
        || !head.iter().flat_map(|(_, row)| &row.cells).all(|cell| fit(&mut columns, cell))
    {
        return 0;
    }
    let mut ends: Vec<f32> = Vec::new();
    let held: Vec<&Row> = head.iter().map(|(_, row)| row).collect();
    for lines in in_columns(&held, &columns) {
        let steps = flow::steps(&lines);
        let last = steps.iter().rposition(|step| *step != Step::Begins);
        let opens = steps.iter().take(MIN_ROWS).any(|step| *step != Step::Begins);
        if let Some(last) = last
            && opens
            && beside::is_text(&lines, &steps)
        {
            ends.push(lines[last].baseline());
        }
    }
    if ends.len() < 2 {
        return 0;
    }
    let end = ends.into_iter().fold(f32::MIN, f32::max);
    head.partition_point(|(_, row)| row.baseline <= end)
}

/// Where a table of `rows` can end, the likeliest first: behind the last row, or before the first that is further off
/// than those before it. Text below a table stands off like that.
fn ends(rows: &[(usize, Row)]) -> Vec<usize> {
    let mut out = vec![rows.len()];
    let steps: Vec<f32> = rows.windows(2).map(|pair| pair[1].1.baseline - pair[0].1.baseline).collect();
    let apart = (MIN_ROWS - 1..steps.len()).find(|&i| {
        let mut before = steps[..i].to_vec();
        before.sort_by(f32::total_cmp);
        steps[i] > APART * before[before.len() / 2]
    });
    if let Some(end) = apart.map(|i| i + 1) {
        let numbered = |row: &(usize, Row)| row.1.cells.iter().any(|cell| is_numeric(&cell.text()));
        let other = rows[1..end].iter().all(numbered) && !rows[end..].iter().any(numbered);
        out.insert(if other { 0 } else { 1 }, end);
    }
    out
}

/// Whether a cell is the next line of the last cell above it.
fn wraps_over(rows: &[(usize, Row)], cell: &Line) -> bool {
    let over = |line: &&Line| line.rect.overlap_x(&cell.rect) > 1.0;
    let column: Vec<&Line> = rows.iter().flat_map(|(_, row)| &row.cells).filter(over).collect();
    let right = column.iter().map(|line| line.rect.right).fold(f32::MIN, f32::max);
    column.last().is_some_and(|last| flow::continues(last, cell, right))
}

/// The columns that rows make; `None` where a cell joins two. Names in the first row may stand beside what most rows have in
/// their column, and then come last.
fn columns_of(rows: &[(usize, Row)]) -> Option<Vec<Rect>> {
    let fitted = |rows: &mut dyn Iterator<Item = &(usize, Row)>| {
        let mut columns: Vec<Rect> = Vec::new();
        let fits = rows.flat_map(|(_, row)| &row.cells).all(|cell| fit(&mut columns, cell));
        fits.then_some(columns)
    };
    fitted(&mut rows.iter()).or_else(|| {
        let ((_, first), others) = rows.split_first()?;
        let columns = fitted(&mut others.iter().chain(&rows[..1]))?;
        let one = |pair: &[Line]| column_of(&columns, &pair[0]) == column_of(&columns, &pair[1]);
        let crowded = first.cells.windows(2).any(|pair| one(pair) && are_beside(&pair[0], &pair[1]));
        (!crowded).then_some(columns)
    })
}

/// Puts a cell into the column it shares width with, or opens one; `false` where it joins two.
pub(super) fn fit(columns: &mut Vec<Rect>, cell: &Line) -> bool {
    let shared: Vec<usize> = (0..columns.len()).filter(|&c| columns[c].overlap_x(&cell.rect) > 1.0).collect();
    match shared.as_slice() {
        [] => {
            columns.push(cell.rect);
            columns.sort_by(|a, b| a.left.total_cmp(&b.left));
            true
        }
        [one] => {
            columns[*one] = columns[*one].union(&cell.rect);
            true
        }
        _ => false,
    }
}

/// The table that rows make, or the tables where several stand side by side.
fn table(rows: &[(usize, Row)]) -> Option<Vec<(Table, Rect)>> {
    if let Some(table) = bars(rows) {
        return Some(vec![table]);
    }
    let full = rows.iter().filter(|(_, row)| row.cells.len() >= 2).count();
    let by_years = is_headed_by_years(rows);
    if full < MIN_ROWS && !by_years {
        return None;
    }
    let columns = columns_of(rows)?;
    let lines: Vec<&Row> = rows.iter().map(|(_, row)| row).collect();
    let lengths = wrapped::lengths(&lines, &columns);
    // The other lines of a name stand beside nothing, and say nothing about the rows.
    let valued = wrapped::with_numbers(&lines, &lengths, &columns);
    let rows_begin = by_years || Evidence::of(&in_columns(&valued, &columns)).allows_table();
    if !speaks_for_table(rows, &columns) || !rows_begin {
        return None;
    }
    let mut out: Vec<Vec<Cell>> = Vec::new();
    let mut last: Option<&Row> = None;
    let mut left = lines.as_slice();
    for length in lengths {
        let (row, below) = left.split_at(length);
        left = below;
        let mut cells: Vec<Cell> = vec![Vec::new(); columns.len()];
        for cell in row.iter().flat_map(|row| &row.cells) {
            if let Some(c) = column_of(&columns, cell) {
                cells[c].push(cell.clone());
            }
        }
        let (Some(row), Some(end)) = (row.first(), row.last()) else { continue };
        let near = last.is_some_and(|l| row.baseline - l.baseline < CELL_STEP * row.size.max(l.size));
        match out.last_mut() {
            Some(previous) if near && wraps(previous, &cells) => {
                for (cell, more) in previous.iter_mut().zip(cells) {
                    cell.extend(more);
                }
            }
            _ => out.push(cells),
        }
        last = Some(end);
    }
    let (out, columns) = over_gaps::spread(out, columns);
    let found = abreast::parted(out, &columns).into_iter().filter_map(|mut rows| {
        let rect = bounds(rows.iter().flatten().flatten().map(|line| &line.rect))?;
        join_header(&mut rows);
        let header = rows.len() > 1 && names_columns(&rows[0]);
        Some((heads::mended(Table::new(rows, header)), rect))
    });
    Some(found.collect())
}

/// The bars of a chart, each with a name and a number that stands where its bar ends and in no column.
fn bars(rows: &[(usize, Row)]) -> Option<(Table, Rect)> {
    let cells = rows.iter().flat_map(|(_, row)| &row.cells);
    let (mut numbers, names): (Vec<&Line>, Vec<&Line>) = cells.partition(|cell| is_number(&cell.text()));
    numbers.sort_by(|a, b| a.baseline().total_cmp(&b.baseline()));
    let size = numbers.iter().map(|number| number.size()).fold(0.0, f32::max);
    let alone = |number: &&&Line| {
        let beside = |other: &&&Line| (other.rect.left - number.rect.left).abs() < BARS * size;
        numbers.iter().filter(beside).count() == 1
    };
    if numbers.len() < MIN_ROWS || numbers.iter().filter(alone).count() < numbers.len() {
        return None;
    }
    let mut out: Vec<Vec<Cell>> =
        numbers.iter().map(|number| vec![Cell::new(), vec![(*number).clone()]]).collect();
    let mut column = names.first()?.rect;
    for name in names {
        let off = |at: &usize| (numbers[*at].baseline() - name.baseline()).abs();
        let at = (0..numbers.len()).min_by(|a, b| off(a).total_cmp(&off(b)))?;
        let near = off(&at) < BARS * name.size() && name.rect.right < numbers[at].rect.left;
        if !near || name.words.len() > BAR || name.rect.overlap_x(&column) <= 0.0 {
            return None;
        }
        column = column.union(&name.rect);
        out[at][0].push(name.clone());
    }
    out.iter_mut().for_each(|row| row[0].sort_by(|a, b| a.baseline().total_cmp(&b.baseline())));
    let rect = bounds(out.iter().flatten().flatten().map(|line| &line.rect))?;
    out.iter().all(|row| !row[0].is_empty()).then(|| (Table::new(out, false), rect))
}

/// Whether the first of a few rows names years, and each of them has a number below it in every other row that has several cells.
fn is_headed_by_years(rows: &[(usize, Row)]) -> bool {
    let Some(((_, head), body)) = rows.split_first() else { return false };
    let years: Vec<&Line> = head.cells.iter().filter(|cell| is_years(&cell.text())).collect();
    let below = |row: &Row, year: &Line| {
        row.cells.iter().any(|cell| is_numeric(&cell.text()) && cell.rect.overlap_x(&year.rect) > 0.0)
    };
    let full: Vec<&Row> = body.iter().map(|(_, row)| row).filter(|row| row.cells.len() > 1).collect();
    years.len() >= 2
        && years.len() + 1 >= head.cells.len()
        && !full.is_empty()
        && full.iter().all(|row| years.iter().all(|year| below(row, year)) && row.cells.len() > years.len())
}

/// Makes one row of the lines of a header: the rows before the first with numbers, where all that follow have some. A row
/// that fills the first column alone names a group of rows.
fn join_header(rows: &mut Vec<Vec<Cell>>) {
    let Some(first) = rows.iter().position(|row| !names_columns(row)) else { return };
    let baseline = |row: &[Cell]| row.iter().flatten().map(Line::baseline).fold(f32::MIN, f32::max);
    let top = |row: &[Cell]| row.iter().flatten().map(Line::baseline).fold(f32::MAX, f32::min);
    let size = |row: &[Cell]| row.iter().flatten().map(Line::size).fold(0.0, f32::max);
    let close = |pair: &[Vec<Cell>]| {
        top(&pair[1]) - baseline(&pair[0]) < CELL_STEP * size(&pair[1]).max(size(&pair[0]))
    };
    let named = |row: &Vec<Cell>| row.iter().skip(1).any(|cell| !cell.is_empty());
    let numbered = rows[first..].iter().filter(|row| named(row)).all(|row| !names_columns(row));
    let head = rows[..first].iter().take_while(|row| named(row)).count();
    if head < 2 || !numbered || rows[head..first].iter().any(named) || !rows[..head].windows(2).all(close) {
        return;
    }
    spread_periods(&mut rows[..head]);
    let lines: Vec<Vec<Cell>> = rows.drain(1..head).collect();
    for (cell, more) in lines.into_iter().flat_map(|row| row.into_iter().enumerate()) {
        rows[0][cell].extend(more);
    }
}

/// Puts periods that stand at the first of several columns of names over all of these, where each has as many of them.
fn spread_periods(head: &mut [Vec<Cell>]) {
    let [upper, lower] = head else { return };
    let filled = |row: &[Cell]| (1..row.len()).filter(|c| !row[*c].is_empty()).collect::<Vec<_>>();
    let (periods, names) = (filled(upper), filled(lower));
    let dated = |row: &[Cell], c: &usize| row[*c].iter().all(|line| is_years(&line.text()));
    let part = names.len() / periods.len().max(1);
    let at_first = |(group, c): (&[usize], &usize)| {
        group.first() == Some(c)
            && upper[*c].first().zip(lower[*c].first()).is_some_and(|(over, name)| {
                let sides = [over.rect.left - name.rect.left, over.rect.right - name.rect.right];
                sides.into_iter().any(|off| off.abs() < SAME_PLACE * name.size())
            })
    };
    if part < 2
        || part * periods.len() != names.len()
        || !periods.iter().all(|c| dated(upper, c))
        || names.iter().any(|c| dated(lower, c))
        || !names.chunks(part).zip(&periods).all(at_first)
    {
        return;
    }
    for (group, period) in names.chunks(part).zip(&periods) {
        let said = upper[*period].clone();
        group.iter().skip(1).for_each(|c| upper[*c].clone_from(&said));
    }
}

/// Takes names of several lines over a table as its header. Their last line may be its first row, and those above that look
/// like a table of their own.
fn take_stack(
    above: &mut Vec<(usize, Line)>,
    tables: &mut Vec<(Table, Rect)>,
    table: &mut Table,
    rect: &mut Rect,
) {
    let head = usize::from(table.rows.first().is_some_and(|row| names_columns(row)));
    let body = bounds(table.rows[head..].iter().flatten().flatten().map(|line| &line.rect));
    let (Some(columns), Some(body)) = (heads::columns(table, head), body) else { return };
    let names = |(table, other): &(Table, Rect)| {
        other.bottom <= rect.top + 1.0
            && other.overlap_x(rect) > 0.0
            && table.rows.iter().all(|row| names_columns(row))
            && rect.top - other.bottom < HEADER_REACH * 10.0
    };
    let upper = tables.iter().rposition(names);
    let held: Vec<Line> = table.rows[..head].iter().flatten().flatten().cloned().collect();
    let mut lines: Vec<&Line> = above.iter().map(|(_, line)| line).chain(&held).collect();
    let upper_lines: Vec<Line> =
        upper.map(|at| tables[at].0.rows.iter().flatten().flatten().cloned().collect()).unwrap_or_default();
    lines.extend(&upper_lines);
    let Some((row, used)) = stacked_names::over(&lines, &columns, body.top) else { return };
    let own = above.len();
    let of_table = |from: usize, count: usize| (from..from + count).filter(|at| used.contains(at)).count();
    // All lines of the header and of the upper table must be lines of names.
    if of_table(own, held.len()) < held.len()
        || of_table(own + held.len(), upper_lines.len()) < upper_lines.len()
    {
        return;
    }
    if let Some(at) = upper {
        tables.remove(at);
    }
    let mut at = 0;
    above.retain(|_| {
        at += 1;
        !used.contains(&(at - 1))
    });
    *rect = row.iter().flatten().fold(*rect, |rect, line| rect.union(&line.rect));
    table.rows.drain(..head);
    table.rows.insert(0, row);
    table.header = true;
}

/// Takes the last row of the lines above a table without a header as one, where it has a name for each column.
fn take_header(above: &mut Vec<(usize, Line)>, table: &mut Table, rect: &mut Rect) {
    let Some((row, line)) = above.last().filter(|_| !table.header) else { return };
    let start = above.iter().rposition(|(other, _)| other != row).map_or(0, |at| at + 1);
    let names: Vec<&Line> = above[start..].iter().map(|(_, line)| line).collect();
    let numbers = names.iter().any(|name| is_numeric(&name.text()) && !is_years(&name.text()));
    if rect.top - line.rect.bottom > HEADER_REACH * line.size() || numbers {
        return;
    }
    let row = heads::columns(table, 0).and_then(|columns| heads::row_of(phrases(&names), &columns));
    if let Some(row) = row {
        *rect = names.iter().fold(*rect, |rect, name| rect.union(&name.rect));
        above.truncate(start);
        table.rows.insert(0, row);
        table.header = true;
    }
}

/// Takes the last row of the lines above a table as names over its columns.
fn take_names(
    above: &mut Vec<(usize, Line)>,
    rulings: &[Ruling],
    table: &mut Table,
    rect: &mut Rect,
) -> bool {
    let Some((row, _)) = above.last() else { return false };
    let start = above.iter().rposition(|(other, _)| other != row).map_or(0, |at| at + 1);
    let names: Vec<&Line> = above[start..].iter().map(|(_, line)| line).collect();
    let ruled = spanning::as_wide_as_rules(&names, rulings);
    let taken = spanning::put_over(&ruled.iter().collect::<Vec<_>>(), table, rect);
    if taken {
        above.truncate(start);
    }
    taken
}

/// Whether the first of rows holds names over several of the cells of the second.
fn spans_next(rows: &[(usize, Row)]) -> bool {
    let [(_, first), (_, second), ..] = rows else { return false };
    let names: Vec<&Line> = first.cells.iter().collect();
    let mut columns: Vec<Rect> = Vec::new();
    let apart = second.cells.iter().all(|cell| fit(&mut columns, cell));
    let near = second.baseline - first.baseline < ROW_REACH * first.size.max(second.size);
    let header: Vec<Cell> = second.cells.iter().map(|cell| vec![cell.clone()]).collect();
    near && apart && columns.len() > first.cells.len() && spanning::is_over(&names, &columns, &header)
}

/// Whether the first of the rows holds the titles of tables that stand side by side. Each title begins where the
/// names of the rows of one table begin, and numbers stand beside each of these names. One of the titles reaches over
/// numbers, which the name of a column of names never does.
fn titles_abreast(rows: &[(usize, Row)]) -> bool {
    let number = |cell: &Line| is_numeric(&cell.text()) && !is_years(&cell.text());
    let near = |pair: &&[(usize, Row)]| {
        pair[1].1.baseline - pair[0].1.baseline < ROW_REACH * pair[1].1.size.max(pair[0].1.size)
    };
    let reach = rows.windows(2).take(TITLES).take_while(near).count();
    let Some(at) = rows[..=reach].iter().position(|(_, row)| row.cells.iter().any(number)) else {
        return false;
    };
    let (titles, row) = (&rows[..at], &rows[at].1.cells);
    let names: Vec<usize> =
        (0..row.len()).filter(|c| !number(&row[*c]) && row.get(c + 1).is_some_and(number)).collect();
    let begins = |title: &Line, c: usize| {
        (title.rect.left - row[c].rect.left).abs() < EDGE && !is_numeric(&title.text())
    };
    let over = |title: &Line, c: usize| begins(title, c) && title.rect.overlap_x(&row[c + 1].rect) > 1.0;
    let lines = || titles.iter().flat_map(|(_, row)| &row.cells);
    let first = titles.first().map_or(&[][..], |(_, row)| &row.cells);
    names.len() > 1
        && names.len() == first.len()
        && row.len() > 2 * names.len()
        && first.iter().zip(&names).all(|(title, c)| begins(title, *c))
        && lines().any(|title| names.iter().any(|c| over(title, *c)))
}

/// The cells of rows by column, from top to bottom.
fn in_columns<'r>(rows: &[&'r Row], columns: &[Rect]) -> Vec<Vec<&'r Line>> {
    let mut out: Vec<Vec<&Line>> = vec![Vec::new(); columns.len()];
    for cell in rows.iter().flat_map(|row| &row.cells) {
        if let Some(c) = column_of(columns, cell) {
            out[c].push(cell);
        }
    }
    out
}

/// Whether a row only continues cells of the row above: it says nothing in the first column and holds no number.
fn wraps(above: &[Cell], row: &[Cell]) -> bool {
    row[0].is_empty()
        && row.iter().zip(above).all(|(more, cell)| {
            more.is_empty() || (!cell.is_empty() && !more.iter().any(|line| is_numeric(&line.text())))
        })
}

/// Whether the cells look like those of a table: numbers, of which fewer do beside names of rows, or short cells in three
/// columns, rather than prose.
fn speaks_for_table(rows: &[(usize, Row)], columns: &[Rect]) -> bool {
    let cells: Vec<&Line> = rows.iter().flat_map(|(_, row)| &row.cells).collect();
    let numeric = cells.iter().filter(|c| is_numeric(&c.text())).count();
    let short = cells.iter().filter(|c| c.words.len() <= SHORT_CELL).count();
    let share = |count: usize| count as f32 / cells.len().max(1) as f32;
    match columns.len() {
        0 | 1 => false,
        2 => {
            let name = |cell: &&&Line| columns[0].overlap_x(&cell.rect) > 1.0;
            let named = !cells.iter().filter(name).any(|cell| is_numeric(&cell.text()));
            share(numeric) >= if named { SURE } else { 0.3 } && share(short) >= 0.7
        }
        _ => share(numeric) >= 0.25 || share(short) >= 0.7,
    }
}

/// Puts the cells of rows whose tags contradict their places into columns by place. Spreadsheet programs number
/// the cells of a row in the order in which they draw them, and rows of unequal length (`ragged`) lack the spans
/// of their cells.
pub(super) fn by_place(rows: Vec<Vec<Cell>>, ragged: bool) -> Vec<Vec<Cell>> {
    let place = |cell: &Cell| bounds(cell.iter().map(|l| &l.rect));
    if !ragged && !run_back(rows.iter()) {
        return rows;
    }
    // The rows with most cells make the columns, and of all others the narrow cells: wide ones may span several.
    let filled = |row: &Vec<Cell>| row.iter().filter(|cell| !cell.is_empty()).count();
    let most = rows.iter().map(filled).max().unwrap_or(0);
    let mut cells: Vec<(bool, Rect)> = Vec::new();
    for row in &rows {
        let short = filled(row) < most;
        cells.extend(row.iter().filter_map(place).map(|rect| (short, rect)));
    }
    cells.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.width().total_cmp(&b.1.width())));
    let mut columns: Vec<Rect> = Vec::new();
    for (_, cell) in cells {
        let mut shared = columns.iter_mut().filter(|c| c.overlap_x(&cell) > 0.0);
        match (shared.next(), shared.next()) {
            (Some(one), None) => *one = one.union(&cell),
            (None, _) => columns.push(cell),
            _ => {}
        }
    }
    columns.sort_by(|a, b| a.left.total_cmp(&b.left));
    let whole: Option<Vec<Rect>> = {
        let full = || rows.iter().filter(|row| filled(row) == most && row.len() == columns.len());
        (0..columns.len()).map(|c| bounds(full().flat_map(|row| &row[c]).map(|line| &line.rect))).collect()
    };
    rows.into_iter()
        .map(|row| {
            let mut out: Vec<Cell> = vec![Vec::new(); columns.len()];
            // A name over several columns stands at the first of them.
            let names: Vec<&Line> = row.iter().filter_map(|cell| cell.first()).collect();
            let short = ragged && names.len() > 1 && filled(&row) < most;
            if let Some(places) =
                whole.as_ref().filter(|_| short).and_then(|columns| spanning::places(&names, columns))
            {
                let cells = row.into_iter().filter(|cell| !cell.is_empty());
                cells.zip(places).for_each(|(cell, columns)| out[columns.start].extend(cell));
                return out;
            }
            for cell in row {
                let Some(rect) = place(&cell) else { continue };
                let shared = |c: &usize| columns[*c].overlap_x(&rect);
                let at = (0..columns.len()).max_by(|a, b| shared(a).total_cmp(&shared(b)).then(b.cmp(a)));
                if let Some(target) = at.and_then(|at| out.get_mut(at)) {
                    target.extend(cell);
                }
            }
            out
        })
        .collect()
}

/// Whether a cell of any of `rows` stands wholly to the left of the one before it, at the same height.
pub(super) fn run_back<'r>(mut rows: impl Iterator<Item = &'r Vec<Cell>>) -> bool {
    rows.any(|row| {
        let places: Vec<Rect> =
            row.iter().filter_map(|cell| bounds(cell.iter().map(|line| &line.rect))).collect();
        places.windows(2).any(|pair| pair[1].right <= pair[0].left && pair[1].overlap_y(&pair[0]) > 0.0)
    })
}
