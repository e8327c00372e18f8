//! Tables without rulings whose rows are parted by white space. Names of rows stand at the left. What each stands for
//! begins beside it, on its first line, and takes one line or several.

use super::columns::{SURE, Taken, fit};
use super::flow;
use super::geometry::{Rect, bounds};
use super::line::Line;
use super::metrics::{EDGE, MIN_ROWS, PHRASE_GAP, ROW_REACH, TEXT_SIZE};
use super::table::{Cell, Table};
use super::word::{Word, is_numeric};
use std::borrow::Cow;
use std::ops::Range;

/// Most lines in which a table is sought: a page does not hold more.
const MAX_LINES: usize = 300;
/// Ratio to the distance of lines within a cell from which a row of the table ends.
const APART: f32 = 1.25;
/// Distance of baselines up to which cells begin on one line (in letter sizes).
const LEVEL: f32 = 0.25;
/// Words of the longest name of a row or a column.
const NAME: usize = 8;
/// Lines of a cell, on average of the longest ones of each row, beyond which it is text with titles beside it.
const TEXT: usize = 7;
/// Words of the longest name of a fact and of what it stands for, and how many facts there are for each that is a number at the
/// most.
const FACT: usize = 4;
const FACTS: usize = 5;
/// Share of the cells that are filled.
const FILLED: f32 = 0.6;

/// The fragments of one row of the page.
type Row<'f> = &'f [(usize, Line)];

/// Takes such tables out of the fragments of a region, each with the number of its row.
pub(super) fn take(fragments: Vec<(usize, Line)>) -> Taken {
    let rows: Vec<Row<'_>> = fragments.chunk_by(|a, b| a.0 == b.0).collect();
    let right = fragments.iter().map(|(_, line)| line.rect.right).fold(f32::MIN, f32::max);
    let (mut tables, mut kept) = (Vec::new(), Vec::with_capacity(fragments.len()));
    let mut start = 0;
    while start < rows.len() {
        let length = match table(&rows, start, right) {
            Some((table, rect, length)) => {
                tables.push((table, rect));
                kept.extend(rows[start..start + length].iter().flat_map(|row| row.iter()).map(|_| false));
                length
            }
            None => {
                kept.extend(rows[start].iter().map(|_| true));
                1
            }
        };
        start += length;
    }
    let rest = fragments.into_iter().zip(kept).filter_map(|(fragment, kept)| kept.then_some(fragment));
    (tables, rest.collect())
}

fn baseline(row: Row<'_>) -> f32 {
    row[0].1.baseline()
}

fn size(row: Row<'_>) -> f32 {
    row.iter().map(|(_, line)| line.size()).fold(0.0, f32::max)
}

/// The table that begins with the row `start`, its box, and how many rows of the page it fills.
fn table(page: &[Row<'_>], start: usize, right: f32) -> Option<(Table, Rect, usize)> {
    let above = start.checked_sub(1).map(|above| page[above]);
    if page[start].len() < 2 || above.is_some_and(|above| is_open(above, page[start])) {
        return None;
    }
    let (columns, rows) = run(&page[start..]);
    let length = rows.len();
    if columns.len() < 2 || length < MIN_ROWS {
        return None;
    }
    let several = rows_of(&rows, parted(page, start, length, &columns), &columns);
    let (found, length) = if several.len() >= MIN_ROWS && is_filled(&several, columns.len()) {
        let length = several.iter().map(|(lines, _)| lines.len()).sum();
        (several, length)
    } else {
        let apart = single(&page[start..start + length]).len();
        let facts = facts(&rows);
        let single = rows_of(&rows, (0..apart.max(facts)).map(|at| at..at + 1).collect(), &columns);
        let room = columns[1].left - columns[0].left < right - columns[1].left;
        if single.len() < MIN_ROWS || columns.len() != 2 || !room {
            return None;
        }
        let length = single.len();
        (single, length)
    };
    let cells: Vec<Vec<Cell>> = found.into_iter().map(|(_, cells)| cells).collect();
    let lines = || cells.iter().flatten().flatten();
    let numbers = lines().filter(|line| is_numeric(&line.text())).count();
    if numbers as f32 >= SURE * lines().count() as f32 {
        return None;
    }
    let rect = bounds(lines().map(|line| &line.rect))?;
    let header = is_header(&cells);
    Some((Table::new(cells, header), rect, length))
}

/// Whether a sentence goes on from a line of one row to one of the next.
fn is_open(above: Row<'_>, below: Row<'_>) -> bool {
    let step = baseline(below) - baseline(above);
    let goes_on = |a: &Line, b: &Line| {
        step < flow::STEP * b.size()
            && a.rect.overlap_x(&b.rect) > 0.0
            && is_alike(a, b)
            && flow::is_open(a, b)
    };
    above.iter().any(|(_, a)| below.iter().any(|(_, b)| goes_on(a, b)))
}

fn is_alike(a: &Line, b: &Line) -> bool {
    a.size().max(b.size()) < TEXT_SIZE * a.size().min(b.size())
}

/// The columns that the first rows of a page make, and the cells of each of these rows.
fn run<'f>(page: &[Row<'f>]) -> (Vec<Rect>, Vec<Vec<Cow<'f, Line>>>) {
    let mut columns: Vec<Rect> = Vec::new();
    let mut rows: Vec<Vec<Cow<'f, Line>>> = Vec::new();
    for (at, row) in page.iter().enumerate().take(MAX_LINES) {
        let step = at.checked_sub(1).map_or(0.0, |above| baseline(row) - baseline(page[above]));
        let cells: Vec<Cow<'f, Line>> = row.iter().flat_map(|(_, line)| cut(line, &columns)).collect();
        let mut next = columns.clone();
        if step > ROW_REACH * size(row) || !cells.iter().all(|cell| fit(&mut next, cell)) {
            break;
        }
        columns = next;
        rows.push(cells);
    }
    (columns, rows)
}

/// The parts of a line that stands in several columns, each beginning as its column does.
fn cut<'f>(line: &'f Line, columns: &[Rect]) -> Vec<Cow<'f, Line>> {
    let begins = |word: &Word| columns.iter().any(|column| (column.left - word.rect.left).abs() < EDGE);
    let same =
        |word: &Word, next: &Word| next.rect.left - word.rect.right < PHRASE_GAP * next.size || !begins(next);
    if columns.iter().filter(|column| column.overlap_x(&line.rect) > 1.0).count() < 2 {
        return vec![Cow::Borrowed(line)];
    }
    line.words.chunk_by(same).filter_map(|part| Line::of(part.to_vec())).map(Cow::Owned).collect()
}

/// The rows of a table, each with the rows of the page that it fills, that stand further from each other than the lines
/// within. None where the first is cut out of a text; the last is left out where it is. `length` rows of the page, from
/// `start`, stand in `columns`.
fn parted(page: &[Row<'_>], start: usize, length: usize, columns: &[Rect]) -> Vec<Range<usize>> {
    let end = start + length;
    let Some(least) = line_step(&page[start..end], columns) else { return Vec::new() };
    let step = |at: usize| baseline(page[at + 1]) - baseline(page[at]);
    let goes_on = |at: usize| {
        let over = |line: &Line| {
            page[at + 1]
                .iter()
                .any(|(_, below)| below.rect.overlap_x(&line.rect) > 0.0 && is_alike(line, below))
        };
        step(at) <= APART * least && page[at].iter().any(|(_, line)| over(line))
    };
    if start > 0 && goes_on(start - 1) {
        return Vec::new();
    }
    // A name that stands further below the one before it than its next line would begins a row as well.
    let name = |at: usize| page[at].first().filter(|(_, line)| line.rect.overlap_x(&columns[0]) > 1.0);
    let named = |first: usize, at: usize| {
        let above = (first..=at).rev().find_map(name);
        let below = page.get(at + 1).and_then(|_| name(at + 1));
        above.zip(below).is_some_and(|((_, a), (_, b))| b.baseline() - a.baseline() > APART * least)
    };
    let mut out = Vec::new();
    let mut first = start;
    for at in start..end {
        let last = at + 1 == end;
        if last && at + 1 < page.len() && goes_on(at) {
            break;
        }
        if last || step(at) > APART * least || named(first, at) {
            out.push(first - start..at + 1 - start);
            first = at + 1;
        }
    }
    out
}

/// Least distance between the lines of a cell; `None` where no cell has several.
fn line_step(rows: &[Row<'_>], columns: &[Rect]) -> Option<f32> {
    let mut last: Vec<Option<f32>> = vec![None; columns.len()];
    let mut least = f32::MAX;
    for (_, line) in rows.iter().copied().flatten() {
        let Some(c) = columns.iter().position(|column| column.overlap_x(&line.rect) > 1.0) else { continue };
        let step = last[c].replace(line.baseline()).map_or(f32::MAX, |above| line.baseline() - above);
        if (0.8 * line.size()..flow::STEP * line.size()).contains(&step) {
            least = least.min(step);
        }
    }
    (least < f32::MAX).then_some(least)
}

/// The rows of a table, each of them one of the page, as long as these are further apart than the lines of a
/// text.
fn single(rows: &[Row<'_>]) -> Vec<Range<usize>> {
    let apart = |pair: &[Row<'_>]| baseline(pair[1]) - baseline(pair[0]) > flow::STEP * size(pair[1]);
    let length = 1 + rows.windows(2).take_while(|pair| apart(pair)).count();
    (0..length).map(|at| at..at + 1).collect()
}

/// How many rows from the start are facts, however close they stand to each other. A fact is a short name that begins
/// with a capital, and what it stands for in a few words, some of them numbers.
fn facts(rows: &[Vec<Cow<'_, Line>>]) -> usize {
    let digits = |line: &Line| line.words.iter().any(|word| word.text.contains(|c: char| c.is_ascii_digit()));
    let is_fact = |row: &&Vec<Cow<'_, Line>>| {
        let [name, value] = row.as_slice() else { return false };
        let capital = name.words.first().is_some_and(|word| word.text.starts_with(char::is_uppercase));
        let ends = |line: &Line| {
            line.words.last().is_some_and(|word| word.text.ends_with(['.', ',', ';', ':', '-']))
        };
        capital
            && name.words.len() <= FACT
            && value.words.len() <= FACT
            && !digits(name)
            && !value.words.first().is_some_and(|word| word.text.starts_with(char::is_lowercase))
            && !ends(name)
            && !ends(value)
    };
    let length = rows.iter().take_while(is_fact).count();
    let numbered = rows[..length].iter().filter(|row| digits(&row[1])).count();
    if numbered * FACTS >= length { length } else { 0 }
}

/// The cells of `parts` as far as these are rows of a table.
fn rows_of(
    rows: &[Vec<Cow<'_, Line>>],
    parts: Vec<Range<usize>>,
    columns: &[Rect],
) -> Vec<(Range<usize>, Vec<Cell>)> {
    let mut out: Vec<(Range<usize>, Vec<Cell>)> = Vec::new();
    for part in parts {
        let mut cells: Vec<Cell> = vec![Cell::new(); columns.len()];
        for line in rows[part.clone()].iter().flatten() {
            if let Some(c) = columns.iter().position(|column| column.overlap_x(&line.rect) > 1.0) {
                cells[c].push(line.clone().into_owned());
            }
        }
        let first = &rows[part.start][0];
        let first = first.baseline() + LEVEL * first.size();
        let goes_on = |(above, below): (&Cell, &Cell)| {
            above.last().zip(below.first()).is_some_and(|(above, below)| flow::is_open(above, below))
        };
        let open = out.last().is_some_and(|(_, above)| above.iter().zip(&cells).any(goes_on));
        if open || !is_row(&cells, first) {
            break;
        }
        out.push((part, cells));
    }
    out
}

/// Whether cells are those of a row: a name and others, all of them beginning above the height `first`.
fn is_row(cells: &[Cell], first: f32) -> bool {
    let filled = cells.iter().filter(|cell| !cell.is_empty()).count();
    let begins = |cell: &Cell| cell.first().is_none_or(|line| line.baseline() < first);
    filled > 1 && cells.iter().all(begins) && is_name(&cells[0])
}

fn is_name(cell: &Cell) -> bool {
    let words = cell.iter().map(|line| line.words.len()).sum::<usize>();
    let last = cell.last().and_then(|line| line.words.last());
    let ends = last.is_some_and(|word| word.text.ends_with(['.', '!', '?']));
    (1..=NAME).contains(&words) && !ends && !cell.iter().any(flow::begins_item)
}

/// Whether most cells are filled, none of them with all the text of a page.
fn is_filled(rows: &[(Range<usize>, Vec<Cell>)], columns: usize) -> bool {
    let filled = rows.iter().flat_map(|(_, cells)| cells).filter(|cell| !cell.is_empty()).count();
    let lines: usize = rows.iter().map(|(lines, _)| lines.len()).sum();
    filled as f32 >= FILLED * (rows.len() * columns) as f32 && lines <= TEXT * rows.len()
}

/// Whether the first row names the columns: it alone is bold, or all its cells are names and half of those below it are
/// longer.
fn is_header(rows: &[Vec<Cell>]) -> bool {
    let Some((first, others)) = rows.split_first() else { return false };
    // Of what cannot be read nobody knows how it is set.
    let read = |line: &&Line| line.text().contains(char::is_alphanumeric);
    let bold = |row: &[Cell]| row.iter().flatten().filter(read).all(Line::bold);
    if bold(first) {
        return !others.iter().any(|row| bold(row));
    }
    let values = || others.iter().flat_map(|row| &row[1..]);
    let long = values().filter(|cell| cell.len() > 1).count();
    first.iter().all(is_name) && long * 2 >= values().count()
}
