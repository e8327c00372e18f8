//! The grids that lines draw: each is a table, frames around parts of the page, or no more than lines.

use super::columns;
use super::flow;
use super::fragments::fragments;
use super::geometry::{Rect, bounds};
use super::grid::Grid;
use super::heads;
use super::line::{Line, flowing, rows};
use super::metrics::{CELL_STEP, COLUMN_GAP, MIN_ROWS, PHRASE_GAP};
use super::panel::{self, Shapes};
use super::part::Part;
use super::table::{Cell, Table};
use super::titles;
use super::weigh::Cost;
use super::word::{Turn, Word, is_numeric};
use std::collections::BTreeMap;

/// Lines that may cross a border of a grid before it is not believed.
const MAX_CROSSINGS: usize = 1;
/// Most words of the name of a row that stands in a frame of its own beside the row.
const LABEL: usize = 5;
/// Distance of a name from the middle of its cell, in widths of that, up to which it stands there, and from which it does not.
const CENTRED: f32 = 0.05;
const OFF_CENTRE: f32 = 0.15;
/// Words from which each cell of a grid of one row can be a column of text.
const FRAMED: usize = 20;

/// The words of a cell, in the order drawn.
type CellWords = Vec<Word>;

/// What a grid can be.
#[derive(Clone, Copy)]
enum Reading {
    /// No more than lines: its words stay where they are.
    Lines,
    /// Parts of the page, each in a frame.
    Frames,
    /// The same on panels, which lines part further.
    Panels,
    Table,
}

/// Reads the grids of a part. One of a single column is a box around text, and no table.
pub(super) fn part(part: &mut Part) {
    let grids = std::mem::take(&mut part.grids);
    let grids: Vec<&Grid> = grids.iter().filter(|grid| grid.regions() >= 2).collect();
    let Filled { cells, crossings, mut rest } = filled(&grids, std::mem::take(&mut part.words));
    let mut frames: Vec<Part> = Vec::new();
    for ((grid, mut rows), crossings) in grids.into_iter().zip(cells).zip(crossings) {
        match reading(grid, &rows, crossings, part) {
            Reading::Lines => rest.extend(rows.into_iter().flatten().flatten()),
            Reading::Frames => {
                let regions = with_sums(rows.into_iter().flat_map(labelled)).into_iter();
                frames.extend(regions.map(|words| framed(words, None, part)));
            }
            Reading::Panels => {
                for (r, row) in rows.into_iter().enumerate() {
                    let cells = row.into_iter().enumerate().filter(|(_, words)| !words.is_empty());
                    frames.extend(cells.map(|(c, words)| framed(words, Some(grid.region(r, c)), part)));
                }
            }
            Reading::Table => {
                titles::put_first(&mut rows);
                part_names(grid, &mut rows);
                centre_names(grid, &mut rows);
                let rows: Vec<Vec<Cell>> = rows.into_iter().flat_map(|row| parted(grid, row)).collect();
                let header = heads::begins_with_names(&rows);
                part.tables.push((heads::mended(Table::new(rows, header)), grid.rect));
            }
        }
    }
    part.words = rest;
    part.inner.splice(0..0, frames);
}

/// What a grid is whose cells hold the words of `rows`; `crossings` sentences go on over its lines.
fn reading(grid: &Grid, rows: &[Vec<CellWords>], crossings: usize, part: &mut Part) -> Reading {
    let used = rows.iter().map(|row| row.iter().filter(|cell| !cell.is_empty()).count());
    let used: Vec<usize> = used.filter(|cells| *cells > 0).collect();
    let columns = used.iter().max().copied().unwrap_or(0);
    // Lines of shapes that overlap enclose cells of which few hold anything.
    let overlapping = used.len() == 1 && grid.size().0 > 1 && !grid.closed;
    let idle = usize::from(columns < 2) + usize::from(overlapping);
    let torn = crossings.saturating_sub(MAX_CROSSINGS.max(grid.size().0 / 4));
    let (mut split, mut held, mut panels) = (0, 0, 0);
    if torn + idle == 0 {
        split = flows(rows);
        held = usize::from(is_filled_by_one(grid, rows)) + tables(rows);
    }
    if torn + idle + split + held == 0 {
        let divided = |r: usize, c: usize| panel::is_divided(&grid.region(r, c), &part.rulings);
        let cells = rows
            .iter()
            .enumerate()
            .flat_map(|(r, row)| row.iter().enumerate().map(move |(c, cell)| (r, c, cell)));
        panels = cells.filter(|(r, c, words)| is_panel(words) && divided(*r, *c)).count();
    }
    let parts = split + held + panels;
    let pooled = if parts == 0 { pooled(rows) } else { 0 };
    let chart = parts == 0 && is_chart(rows);
    let numbers = rows.iter().flatten().flatten().filter(|word| word.numeric()).count();
    let lines = Cost {
        torn: 0,
        unexplained: usize::from(idle == 0 && !chart),
        unnamed_numbers: if chart { 0 } else { numbers },
    };
    let framed = Cost { torn, unexplained: idle + usize::from(parts == 0), unnamed_numbers: numbers };
    let table = Cost {
        torn: torn + split + pooled,
        unexplained: idle + held + panels,
        unnamed_numbers: if chart { numbers } else { 0 },
    };
    let frames =
        if panels > 0 { (Reading::Panels, "panels", framed) } else { (Reading::Frames, "frames", framed) };
    let readings = [(Reading::Lines, "no more than lines", lines), frames, (Reading::Table, "table", table)];
    part.decisions.cheapest(&grid.rect, readings)
}

/// How many rows hold several values in one of their cells, if most that hold values do: the lines part groups of columns
/// only.
fn pooled(rows: &[Vec<CellWords>]) -> usize {
    let values = |words: &CellWords, least: usize| {
        let apart = |line: &Line| {
            let parts = line.parts(COLUMN_GAP);
            parts.iter().filter(|part| is_numeric(&part.text())).count() >= least
        };
        words.iter().filter(|word| word.numeric()).count() >= least && cell(words.clone()).iter().any(apart)
    };
    let count = |least: usize| rows.iter().filter(|row| row.iter().any(|words| values(words, least))).count();
    Some(count(2)).filter(|several| *several >= MIN_ROWS && several * 2 > count(1)).unwrap_or(0)
}

/// The words of grids, and those outside.
struct Filled {
    /// For each grid and row, the words of its cells.
    cells: Vec<Vec<Vec<CellWords>>>,
    /// For each grid, the sentences that go on over its lines.
    crossings: Vec<usize>,
    rest: Vec<Word>,
}

/// Fills grids with the words in them.
fn filled(grids: &[&Grid], words: Vec<Word>) -> Filled {
    let mut cells: Vec<Vec<Vec<CellWords>>> = grids
        .iter()
        .map(|grid| {
            let (rows, columns) = grid.size();
            vec![vec![Vec::new(); columns]; rows]
        })
        .collect();
    let mut rest = Vec::new();
    let mut crossings = vec![0; grids.len()];
    let mut last: Option<(Word, usize, usize)> = None;
    // A word that the left side of a grid cuts, until the next one shows where it stands.
    let mut cut: Option<Word> = None;
    for word in words {
        // Of nested grids the smallest holds the word.
        let area = |grid: &Grid| grid.rect.width() * grid.rect.height();
        let place = grids
            .iter()
            .enumerate()
            .filter_map(|(g, grid)| Some((g, grid.cell_at(within(grid, &word))?)))
            .min_by(|a, b| area(grids[a.0]).total_cmp(&area(grids[b.0])));
        if let Some(before) = cut.take() {
            match place {
                Some((g, (row, 0))) if is_next(&before, &word) => cells[g][row][0].push(before),
                _ => rest.push(before),
            }
        }
        match place {
            Some((g, (row, column))) => {
                let crosses = |(last, grid, other): &(Word, usize, usize)| {
                    *grid == g && *other != column && follows(last, &word)
                };
                crossings[g] += usize::from(last.as_ref().is_some_and(crosses));
                last = Some((word.clone(), g, column));
                cells[g][row][column].push(word);
            }
            None if grids.iter().any(|grid| cuts(grid, &word)) => cut = Some(word),
            None => rest.push(word),
        }
    }
    rest.extend(cut);
    Filled { cells, crossings, rest }
}

/// The words of a frame in a part; `panel` is where they stand if that is a panel.
fn framed(words: CellWords, panel: Option<Rect>, part: &Part) -> Part {
    let within = panel.map(|rect| panel::rules_within(&part.rulings, &rect));
    let (sides, across) = within.unwrap_or_default();
    Part::new(words, Vec::new(), Shapes { pictures: part.shapes.pictures.clone(), sides, across })
}

/// Parts the words of a line that stands across several columns of a grid, with a gap at each of their borders, among
/// those columns. One shade may lie behind the names of all.
fn part_names(grid: &Grid, rows: &mut [Vec<CellWords>]) {
    for (r, row) in rows.iter_mut().enumerate() {
        for c in 0..row.len() {
            let spanned = grid.columns_of(r, c);
            let lines = if spanned.len() < 2 || row[c].len() < 2 { Vec::new() } else { cell(row[c].clone()) };
            let [line] = lines.as_slice() else { continue };
            let place =
                |part: &Line| grid.xs[1..grid.xs.len() - 1].partition_point(|x| *x <= part.rect.center().0);
            // Each part in a column of its own.
            let apart = |parts: Vec<Line>| {
                let mut columns: Vec<usize> = parts.iter().map(place).collect();
                columns.dedup();
                let each = parts.len() > 1 && columns.len() == parts.len();
                (each && columns.iter().all(|column| spanned.contains(column))).then_some(parts)
            };
            let wide = || fragments(vec![line.clone()]).into_iter().map(|(_, part)| part).collect();
            let Some(parts) = apart(line.parts(PHRASE_GAP)).or_else(|| apart(wide())) else {
                continue;
            };
            let places: Vec<usize> = parts.iter().map(place).collect();
            row[c].clear();
            for (part, column) in parts.into_iter().zip(places) {
                row[column].extend(part.words);
            }
        }
    }
}

/// Whether the cells of a grid are the labels of a chart, whose lines and bars cross like those of a table. All of
/// them are numbers, and no column has two.
fn is_chart(rows: &[Vec<CellWords>]) -> bool {
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    let filled = |row: &Vec<CellWords>, c: usize| row.get(c).is_some_and(|words| !words.is_empty());
    let numeric = rows.iter().flatten().flatten().all(|word| is_numeric(&word.text));
    numeric && (0..width).all(|c| rows.iter().filter(|row| filled(row, c)).count() < 2)
}

/// Puts the words of a region as wide as several columns into one of them: the column from which on they stand in the
/// middle of the rest. Where the corner of a table is empty, no line parts it from the name beside it.
fn centre_names(grid: &Grid, rows: &mut [Vec<CellWords>]) {
    for (r, row) in rows.iter_mut().enumerate() {
        for c in 0..row.len() {
            let spanned = grid.columns_of(r, c);
            let Some(rect) = bounds(row[c].iter().map(|word| &word.rect)).filter(|_| spanned.len() > 2)
            else {
                continue;
            };
            let right = grid.xs[spanned.end];
            let off = |from: usize| {
                let left = grid.xs[from];
                let middle = (left + right) / 2.0;
                (left <= rect.left).then_some((rect.center().0 - middle).abs() / (right - left))
            };
            let nearest = spanned
                .clone()
                .filter_map(|from| Some((off(from)?, from)))
                .min_by(|a, b| a.0.total_cmp(&b.0));
            let whole = off(c).unwrap_or(0.0);
            if let Some((off, from)) = nearest
                && whole > OFF_CENTRE
                && off < CENTRED
                && from > c
                && spanned.end - from > 1
            {
                row[from] = std::mem::take(&mut row[c]);
            }
        }
    }
}

/// The rows that a row of a grid holds. There are several if its only region is as wide as several columns and lines
/// of it stand in these. A title, the names of columns, and labels with their numbers can stand so in one box.
fn parted(grid: &Grid, row: Vec<CellWords>) -> Vec<Vec<Cell>> {
    let mut filled = row.iter().filter(|words| !words.is_empty());
    let lines = match (filled.next(), filled.next()) {
        (Some(words), None) => cell(words.clone()),
        _ => Vec::new(),
    };
    // What stands across a border belongs where it begins.
    let column = |part: &Line| grid.xs[1..grid.xs.len() - 1].partition_point(|x| *x <= part.rect.left);
    let parts = lines.iter().map(|line| {
        let parts = fragments(vec![line.clone()]).into_iter();
        parts.map(|(_, part)| (column(&part), part)).collect::<Vec<_>>()
    });
    let parts: Vec<Vec<(usize, Line)>> = parts.collect();
    let mut beside = parts.iter().filter(|parts| parts.len() > 1).peekable();
    if lines.len() < 2
        || beside.peek().is_none()
        || !beside.all(|parts| parts.windows(2).all(|pair| pair[0].0 < pair[1].0))
    {
        return vec![row.into_iter().map(cell).collect()];
    }
    // The only part in line `at` over or under which `line` stands, as near as lines of a cell do: distance and column.
    let near = |at: usize, line: &Line| {
        let others = parts.get(at).filter(|parts| parts.len() > 1)?;
        let mut shared = others.iter().filter(|(_, part)| part.rect.overlap_x(&line.rect) > 0.0);
        let (column, part) = shared.next().filter(|_| shared.next().is_none())?;
        let step = (part.baseline() - line.baseline()).abs();
        (part.bold() == line.bold() && step < CELL_STEP * line.size()).then_some((step, at, *column))
    };
    let mut out: BTreeMap<usize, Vec<Cell>> = BTreeMap::new();
    for (at, line) in parts.iter().enumerate() {
        let places: Vec<(usize, usize)> = match line.as_slice() {
            [(_, only)] => {
                let around = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
                let nearest = around.filter_map(|other| near(other, only)).min_by(|a, b| a.0.total_cmp(&b.0));
                // Otherwise it is a title.
                vec![nearest.map_or((at, 0), |(_, other, column)| (other, column))]
            }
            several => several.iter().map(|(column, _)| (at, *column)).collect(),
        };
        for ((row_at, column), (_, part)) in places.into_iter().zip(line) {
            let cells = out.entry(row_at).or_insert_with(|| vec![Cell::new(); row.len()]);
            cells[column].push(part.clone());
        }
    }
    out.into_values().collect()
}

/// Whether a sentence continues from `last` to `next` in the same line.
fn follows(last: &Word, next: &Word) -> bool {
    is_next(last, next) && next.text.starts_with(char::is_lowercase) && !last.numeric()
}

/// Whether `next` is the next word of the line that `last` stands in.
fn is_next(last: &Word, next: &Word) -> bool {
    let gap = next.rect.left - last.rect.right;
    (last.baseline - next.baseline).abs() < 0.2 * next.size && (-0.2..0.4).contains(&(gap / next.size))
}

/// The middle of a word; of one that the right side of a grid cuts, beyond which numbers may end, where it is cut.
fn within(grid: &Grid, word: &Word) -> (f32, f32) {
    let (rect, (x, y)) = (&grid.rect, word.rect.center());
    let cut = word.numeric() && word.rect.left < rect.right && rect.right < word.rect.right;
    (if cut { x.min(rect.right) } else { x }, y)
}

/// Whether the left side of a grid cuts a word: the names of rows may begin a little left of the lines drawn.
fn cuts(grid: &Grid, word: &Word) -> bool {
    let (rect, middle) = (&grid.rect, word.rect.center().1);
    (rect.top..rect.bottom).contains(&middle) && word.rect.left < rect.left && rect.left < word.rect.right
}

/// Whether one of few cells holds most of the words of a grid.
fn is_filled_by_one(grid: &Grid, cells: &[Vec<CellWords>]) -> bool {
    let counts: Vec<usize> = cells.iter().flatten().map(Vec::len).collect();
    let (all, most) = (counts.iter().sum::<usize>(), counts.iter().max().copied().unwrap_or(0));
    grid.regions() <= 3 && all > 150 && most * 10 > all * 8
}

/// How many sentences go on from a column of text in a grid of one row to the next.
fn flows(cells: &[Vec<CellWords>]) -> usize {
    let flows = |pair: &[&CellWords]| {
        let (above, below) = (cell(pair[0].clone()), cell(pair[1].clone()));
        matches!((above.last(), below.first()), (Some(end), Some(start)) if flow::is_open(end, start))
    };
    let used: Vec<&CellWords> = cells.iter().flatten().filter(|words| !words.is_empty()).collect();
    let text = cells.len() == 1 && used.iter().all(|words| words.len() > FRAMED);
    if text { used.windows(2).filter(|pair| flows(pair)).count() } else { 0 }
}

/// How many cells hold a table of their own.
fn tables(cells: &[Vec<CellWords>]) -> usize {
    cells.iter().flatten().filter(|words| holds_table(words)).count()
}

/// Whether the words of a region stand in a table of their own.
fn holds_table(words: &CellWords) -> bool {
    let level: Vec<Word> = words.iter().filter(|w| w.turn == Turn::Level).cloned().collect();
    words.len() >= 6 && !columns::take(fragments(rows(level)), &[]).0.is_empty()
}

/// Whether the words of a region stand on a panel.
fn is_panel(words: &CellWords) -> bool {
    let level: Vec<Word> = words.iter().filter(|w| w.turn == Turn::Level).cloned().collect();
    panel::is_panel(&fragments(rows(level)))
}

/// The regions of a row of frames, those in one that hold a table and the names of its rows beside it.
fn labelled(regions: Vec<CellWords>) -> Vec<CellWords> {
    let mut out: Vec<CellWords> = Vec::new();
    for region in regions.into_iter().filter(|region| !region.is_empty()) {
        let names = |words: &CellWords| cell(words.clone()).iter().all(|line| line.words.len() <= LABEL);
        match out.last_mut().filter(|_| holds_table(&region)) {
            Some(last) if names(last) => last.extend(region),
            _ => out.push(region),
        }
    }
    out
}

/// The same regions, those in one that hold a table and the sum between rules below it.
fn with_sums(regions: impl Iterator<Item = CellWords>) -> Vec<CellWords> {
    let parts = |words: &CellWords| -> Vec<(usize, Line)> {
        fragments(rows(words.iter().filter(|word| word.turn == Turn::Level).cloned().collect()))
    };
    let is_sum = |words: &CellWords, table: &CellWords| {
        let (sum, cells) = (parts(words), parts(table));
        let [(_, name), numbers @ ..] = sum.as_slice() else { return false };
        let under = |number: &Line| {
            cells.iter().any(|(_, cell)| is_numeric(&cell.text()) && cell.rect.overlap_x(&number.rect) > 0.0)
        };
        let one_row = sum.windows(2).all(|pair| pair[0].0 == pair[1].0);
        one_row
            && !numbers.is_empty()
            && name.words.len() <= LABEL
            && !is_numeric(&name.text())
            && numbers.iter().all(|(_, number)| is_numeric(&number.text()) && under(number))
    };
    let mut out: Vec<CellWords> = Vec::new();
    for region in regions {
        match out.last_mut() {
            Some(last) if holds_table(last) && is_sum(&region, last) => last.extend(region),
            _ => out.push(region),
        }
    }
    out
}

/// The lines of a cell, in rows; turned words flow in their own direction.
fn cell(words: Vec<Word>) -> Cell {
    let (level, other): (Vec<Word>, Vec<Word>) = words.into_iter().partition(|w| w.turn == Turn::Level);
    let mut lines = rows(level);
    lines.extend(flowing(other));
    lines
}
