//! Blocks of a page without tags: rulings, columns and distances give order, lists and tables.
//!
//! Over 500 lines: the steps from words to blocks, each small.

use super::block::{Block, Form, Origin, paragraphs};
use super::columns;
use super::flow;
use super::fragments::fragments;
use super::geometry::{Rect, bounds};
use super::grid::{self, Grid};
use super::heads;
use super::joining::{COLUMN_STEP, flowing_on};
use super::key_figure;
use super::line::{Line, flowing, rows, turned};
use super::order::reading_order;
use super::pairs;
use super::panel::{self, Shapes};
use super::region;
use super::row::WRAP;
use super::ruling::Ruling;
use super::spaced;
use super::stacked;
use super::table::{Cell, Table};
use super::thing::{Content, Thing};
use super::titles;
use super::word::{Turn, Word, is_numeric};
use std::collections::BTreeMap;

/// Ratio of letter sizes from which fragments below each other are apart.
const COLUMN_SIZE: f32 = 1.35;
/// Lines that may cross a border of a grid before it is not believed.
const MAX_CROSSINGS: usize = 1;
/// Most words of the name of a row that stands in a frame of its own beside the row.
const LABEL: usize = 5;
/// Fewest words in a box, and around it, from which it parts them.
const BOXED: usize = 8;
/// Distance from the sides of a box within which lines belong to them (points).
const SIDE: f32 = 2.0;
/// Least width and height of a picture (points), and pictures of a page beyond which it is a drawing.
const PICTURE: f32 = 20.0;
const MAX_PICTURES: usize = 200;
/// Distance of a name from the middle of its cell, in widths of that, up to which it stands there, and from which it does not.
const CENTRED: f32 = 0.05;
const OFF_CENTRE: f32 = 0.15;
/// Words from which each cell of a grid of one row can be a column of text.
const FRAMED: usize = 20;
/// Gap between words from which they can be names of two columns (em).
const NAMES: f32 = 0.65;

/// A page as its words stand on it, in reading order.
#[derive(Default)]
pub(super) struct Laid {
    pub(super) blocks: Vec<Block>,
    /// What the page was divided into.
    pub(super) regions: Vec<Rect>,
    /// Its parts that stand in a frame.
    pub(super) frames: Vec<Rect>,
}

/// Those of the images and filled boxes of a page that are pictures: no word stands in them.
pub(super) fn pictures(mut painted: Vec<Rect>, words: &[Word]) -> Vec<Rect> {
    painted.retain(|rect| rect.width().min(rect.height()) >= PICTURE);
    painted.sort_by(|a, b| a.top.total_cmp(&b.top).then(a.left.total_cmp(&b.left)));
    painted.dedup();
    if painted.len() > MAX_PICTURES {
        return Vec::new();
    }
    painted.retain(|rect| !words.iter().any(|word| rect.holds(word.rect.center(), 0.0)));
    painted
}

/// The blocks of a page.
pub(super) fn blocks(words: Vec<Word>, rulings: &[Ruling], shapes: &Shapes) -> Laid {
    let (boxed, words, rulings) = boxes(words, rulings);
    let (tables, frames, words) = ruled(words, &grid::grids(&rulings), &rulings);
    let (level, other): (Vec<Word>, Vec<Word>) = words.into_iter().partition(|w| w.turn == Turn::Level);
    let mut things: Vec<Thing> =
        fragments(rows(level)).into_iter().map(|(row, line)| Thing::line(row, line)).collect();
    things.extend(tables.into_iter().map(|(table, rect)| Thing { rect, content: Content::Table(table) }));
    let turned =
        turned(other).into_iter().map(|line| Thing { rect: line.rect, content: Content::Turned(line) });
    let (within, margins): (Vec<Thing>, Vec<Thing>) =
        turned.partition(|line| things.iter().any(|thing| thing.rect.overlap_x(&line.rect) > 0.0));
    things.extend(within);
    let plain = |within: Option<Rect>| {
        let (sides, across) = within.map(|rect| panel::rules_within(&rulings, &rect)).unwrap_or_default();
        Shapes { pictures: shapes.pictures.clone(), sides, across }
    };
    let frames: Vec<_> = frames.into_iter().map(|(words, rect)| (words, Vec::new(), plain(rect))).collect();
    let boxed = boxed.into_iter().map(|(words, rulings)| (words, rulings, shapes.clone()));
    let mut inner = Vec::new();
    let mut parting = shapes.clone();
    for (words, rulings, shapes) in frames.into_iter().chain(boxed) {
        let laid = blocks(words, &rulings, &shapes);
        inner.extend(laid.regions);
        parting.add(&shapes);
        things.extend(framed(laid.blocks));
    }
    let frames: Vec<Rect> = things
        .iter()
        .filter(|thing| matches!(thing.content, Content::Blocks(_)))
        .map(|thing| thing.rect)
        .collect();
    let settle = |things| tables_in(things, columns::sure);
    let divided = region::regions(heads::headed(things, &rulings), shapes, &settle);
    let places = divided.iter().filter_map(|things| bounds(things.iter().map(|thing| &thing.rect)));
    let regions = places.chain(inner).collect();
    let blocks =
        divided.into_iter().flat_map(|things| key_figure::joined(in_order(tables_in(things, columns::take))));
    let mut blocks = flowing_on(stacked::joined(blocks).into_iter(), &frames, &parting);
    // What runs up or down in the margin parts nothing that stands beside it, and is read before that.
    for block in in_order(margins) {
        let beside = blocks.iter().position(|other| other.rect.overlap_y(&block.rect) > 0.0);
        blocks.insert(beside.unwrap_or(blocks.len()), block);
    }
    Laid { blocks, regions, frames }
}

/// The words and rulings of each box that is drawn around a part of the page, and those outside.
type Boxed = (Vec<(Vec<Word>, Vec<Ruling>)>, Vec<Word>, Vec<Ruling>);

/// Parts the boxes of a page from what stands around them. A grid with cells side by side is a table and no box.
fn boxes(mut words: Vec<Word>, rulings: &[Ruling]) -> Boxed {
    let mut rulings = rulings.to_vec();
    let mut grids: Vec<Grid> = grid::grids(&rulings).into_iter().filter(|grid| grid.closed).collect();
    let area = |grid: &Grid| grid.rect.width() * grid.rect.height();
    grids.sort_by(|a, b| area(b).total_cmp(&area(a)));
    let mut out = Vec::new();
    for grid in grids {
        let held = words.iter().filter(|word| grid.rect.holds(word.rect.center(), 0.0)).count();
        if held < BOXED
            || words.len() - held < BOXED
            || is_crossed(&grid, &words)
            || has_columns(&grid, &words)
        {
            continue;
        }
        let (inside, outside) =
            words.into_iter().partition(|word: &Word| grid.rect.holds(word.rect.center(), 0.0));
        words = outside;
        let inner = Rect {
            left: grid.rect.left + SIDE,
            top: grid.rect.top + SIDE,
            right: grid.rect.right - SIDE,
            bottom: grid.rect.bottom - SIDE,
        };
        let within = |rule: &Ruling| {
            let middle = (rule.from + rule.to) / 2.0;
            inner.holds(if rule.horizontal { (middle, rule.at) } else { (rule.at, middle) }, 0.0)
        };
        let (own, others): (Vec<Ruling>, Vec<Ruling>) = rulings.into_iter().partition(within);
        rulings = others;
        out.push((inside, own));
    }
    (out, words, rulings)
}

/// Whether a word stands across a side of a grid.
fn is_crossed(grid: &Grid, words: &[Word]) -> bool {
    let rect = &grid.rect;
    words.iter().any(|word| {
        let (x, y) = (word.rect.overlap_x(rect), word.rect.overlap_y(rect));
        let inside = x >= 0.7 * word.rect.width() && y >= 0.5 * word.rect.height();
        let outside = x <= 0.3 * word.rect.width() || y <= 0.5 * word.rect.height();
        !inside && !outside
    })
}

/// Whether words stand in cells of a grid side by side.
fn has_columns(grid: &Grid, words: &[Word]) -> bool {
    let mut used: Vec<(usize, usize)> =
        words.iter().filter_map(|word| grid.cell_at(word.rect.center())).collect();
    used.sort_unstable();
    used.dedup();
    used.windows(2).any(|pair| pair[0].0 == pair[1].0)
}

/// The blocks of a sheet that shows two pages side by side, which part at `middle`: the left page first.
pub(super) fn spread(words: Vec<Word>, rulings: &[Ruling], shapes: &Shapes, middle: f32) -> Laid {
    let (left, right): (Vec<Word>, Vec<Word>) =
        words.into_iter().partition(|word| word.rect.center().0 < middle);
    let on = |left: bool| {
        let at = move |rule: &&Ruling| {
            let (from, to) = if rule.horizontal { (rule.from, rule.to) } else { (rule.at, rule.at) };
            if left { to <= middle } else { from >= middle }
        };
        rulings.iter().filter(at).copied().collect::<Vec<_>>()
    };
    let (left, right) = (blocks(left, &on(true), shapes), blocks(right, &on(false), shapes));
    let frames = [left.frames, right.frames].concat();
    let blocks = flowing_on(left.blocks.into_iter().chain(right.blocks), &frames, shapes);
    Laid { blocks, regions: [left.regions, right.regions].concat(), frames }
}

fn framed(blocks: Vec<Block>) -> Option<Thing> {
    let rect = bounds(blocks.iter().map(|b| &b.rect))?;
    Some(Thing { rect, content: Content::Blocks(blocks) })
}

/// The same things with the lines that `take` finds in tables as tables.
fn tables_in(things: Vec<Thing>, take: fn(Vec<(usize, Line)>) -> columns::Taken) -> Vec<Thing> {
    let mut lines = Vec::new();
    let mut out = Vec::new();
    for thing in things {
        match thing.content {
            Content::Line(row, line) => lines.push((row, line)),
            content => out.push(Thing { content, ..thing }),
        }
    }
    lines.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.rect.left.total_cmp(&b.1.rect.left)));
    let (pairs, lines) = pairs::take(lines);
    let (spaced, lines) = spaced::take(lines);
    let (mut tables, rest) = take(lines);
    tables.extend(spaced);
    tables.extend(pairs);
    out.extend(rest.into_iter().map(|(row, line)| Thing::line(row, line)));
    out.extend(tables.into_iter().map(|(table, rect)| Thing { rect, content: Content::Table(table) }));
    out
}

/// The words of a drawing, line by line, or others that a tagged page leaves without a tag.
pub(super) fn figure(words: Vec<Word>) -> Vec<Block> {
    let (level, other): (Vec<Word>, Vec<Word>) = words.into_iter().partition(|w| w.turn == Turn::Level);
    let mut things: Vec<Thing> =
        fragments(rows(level)).into_iter().map(|(row, line)| Thing::line(row, line)).collect();
    things.extend(
        turned(other).into_iter().map(|line| Thing { rect: line.rect, content: Content::Turned(line) }),
    );
    as_figure(in_order(things))
}

/// The same blocks, their paragraphs never taken for headings.
fn as_figure(mut blocks: Vec<Block>) -> Vec<Block> {
    for block in &mut blocks {
        if matches!(block.kind, Form::Paragraph) {
            block.kind = Form::Figure;
        }
    }
    blocks
}

enum Part {
    Lines(Vec<Line>),
    Table(Table, Rect),
    Blocks(Vec<Block>),
}

/// The blocks of a region that is not cut further, in reading order.
fn in_order(things: Vec<Thing>) -> Vec<Block> {
    let mut lines = Vec::new();
    let mut parts = Vec::new();
    for thing in things {
        match thing.content {
            Content::Line(row, line) => lines.push((row, line)),
            Content::Turned(line) => parts.push(Part::Lines(vec![line])),
            Content::Table(table) => parts.push(Part::Table(table, thing.rect)),
            Content::Blocks(blocks) => parts.push(Part::Blocks(blocks)),
        }
    }
    lines.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.rect.left.total_cmp(&b.1.rect.left)));
    let frames: Vec<Rect> = parts
        .iter()
        .filter_map(|part| match part {
            Part::Blocks(blocks) => bounds(blocks.iter().map(|b| &b.rect)),
            Part::Lines(_) | Part::Table(..) => None,
        })
        .collect();
    parts.extend(stacks(lines).into_iter().flat_map(|lines| past(lines, &frames)).map(Part::Lines));
    let boxes: Vec<Rect> = parts
        .iter()
        .filter_map(|part| match part {
            Part::Lines(lines) => bounds(lines.iter().map(|l| &l.rect)),
            Part::Table(_, rect) => Some(*rect),
            Part::Blocks(blocks) => bounds(blocks.iter().map(|b| &b.rect)),
        })
        .collect();
    let framed: Vec<bool> = parts.iter().map(|part| matches!(part, Part::Blocks(_))).collect();
    let mut parts: Vec<Option<Part>> = parts.into_iter().map(Some).collect();
    let mut out = Vec::new();
    for at in reading_order(&boxes, &framed) {
        match parts.get_mut(at).and_then(Option::take) {
            Some(Part::Lines(lines)) => out.extend(paragraphs(lines, Origin::Position)),
            Some(Part::Table(table, rect)) => out.push(Block::table(table, rect)),
            Some(Part::Blocks(blocks)) => out.extend(blocks),
            None => {}
        }
    }
    out
}

/// Cuts lines that flow around a frame where a paragraph begins below it: the frame is read before that.
fn past(mut lines: Vec<Line>, frames: &[Rect]) -> Vec<Vec<Line>> {
    let mut out = Vec::new();
    for frame in frames {
        let Some(rect) = bounds(lines.iter().map(|line| &line.rect)) else { break };
        if rect.overlap_x(frame) <= 0.0 || rect.overlap_y(frame) <= 0.0 {
            continue;
        }
        let beside = |line: &Line| line.rect.overlap_y(frame) > 0.0;
        let right = |narrow: bool| {
            let own = lines.iter().filter(|line| beside(line) == narrow);
            own.map(|line| line.rect.right).fold(f32::MIN, f32::max)
        };
        let (narrow, wide) = (right(true), right(false));
        let begins = |pair: &[Line]| {
            let right = if beside(&pair[0]) { narrow } else { wide };
            pair[1].rect.top >= frame.bottom && !flow::continues(&pair[0], &pair[1], right)
        };
        if let Some(at) = lines.windows(2).position(begins) {
            let below = lines.split_off(at + 1);
            out.push(std::mem::replace(&mut lines, below));
        }
    }
    out.push(lines);
    out
}

/// The words of a cell, in the order drawn.
type CellWords = Vec<Word>;
/// Tables with their boxes, the words of each frame, with its place where it is a panel, and the words that stand outside.
type Ruled = (Vec<(Table, Rect)>, Vec<(CellWords, Option<Rect>)>, Vec<Word>);

/// Fills the grids of a page with the words in them. A grid of one column is a box around text, not a table:
/// its words stay.
fn ruled(words: Vec<Word>, grids: &[Grid], rulings: &[Ruling]) -> Ruled {
    let grids: Vec<&Grid> = grids.iter().filter(|grid| grid.regions() >= 2).collect();
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
            .filter_map(|(g, grid)| Some((g, grid.cell_at(word.rect.center())?)))
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
    let (mut tables, mut frames) = (Vec::new(), Vec::new());
    for ((grid, mut rows_of_words), crossings) in grids.into_iter().zip(cells).zip(crossings) {
        let filled = rows_of_words.iter().map(|row| row.iter().filter(|cell| !cell.is_empty()).count());
        let filled: Vec<usize> = filled.filter(|cells| *cells > 0).collect();
        let columns_used = filled.iter().max().copied().unwrap_or(0);
        // Lines of shapes that overlap enclose cells of which few hold anything.
        let overlapping = filled.len() == 1 && grid.size().0 > 1 && !grid.closed;
        if columns_used < 2 || overlapping || crossings > MAX_CROSSINGS.max(grid.size().0 / 4) {
            rest.extend(rows_of_words.into_iter().flatten().flatten());
            continue;
        }
        if is_frame(grid, &rows_of_words) {
            let regions = with_sums(rows_of_words.into_iter().flat_map(labelled)).into_iter();
            frames.extend(regions.map(|words| (words, None)));
            continue;
        }
        let panel = |(r, row): (usize, &Vec<CellWords>)| {
            let mut cells = row.iter().enumerate();
            cells.any(|(c, words)| is_panel(words) && panel::is_divided(&grid.region(r, c), rulings))
        };
        if rows_of_words.iter().enumerate().any(panel) {
            let placed = rows_of_words.into_iter().enumerate().flat_map(|(r, row)| {
                row.into_iter().enumerate().map(move |(c, words)| (words, Some(grid.region(r, c))))
            });
            frames.extend(placed.filter(|(words, _)| !words.is_empty()));
            continue;
        }
        if is_chart(&rows_of_words) {
            rest.extend(rows_of_words.into_iter().flatten().flatten());
            continue;
        }
        titles::put_first(&mut rows_of_words);
        part_names(grid, &mut rows_of_words);
        centre_names(grid, &mut rows_of_words);
        let rows = rows_of_words.into_iter().flat_map(|row| parted(grid, row)).collect();
        let table = heads::mended(Table::new(rows, true));
        tables.push((table, grid.rect));
    }
    (tables, frames, rest)
}

/// Puts the words of a line that stands across several columns of a grid, with a gap at each of their borders, into those
/// columns: one shade may lie behind the names of all.
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
            let Some(parts) = apart(line.parts(NAMES)).or_else(|| apart(wide())) else { continue };
            let places: Vec<usize> = parts.iter().map(place).collect();
            row[c].clear();
            for (part, column) in parts.into_iter().zip(places) {
                row[column].extend(part.words);
            }
        }
    }
}

/// Whether the cells of a grid are the labels of a chart, whose lines and bars cross like those of a table: all of them are
/// numbers, and no column has two.
fn is_chart(rows: &[Vec<CellWords>]) -> bool {
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    let filled = |row: &Vec<CellWords>, c: usize| row.get(c).is_some_and(|words| !words.is_empty());
    let numeric = rows.iter().flatten().flatten().all(|word| is_numeric(&word.text));
    numeric && (0..width).all(|c| rows.iter().filter(|row| filled(row, c)).count() < 2)
}

/// Puts the words of a region as wide as several columns into the one from which they stand in the middle of the rest of
/// it: where the corner of a table is empty, no line parts it from the name beside it.
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

/// The rows of a row of a grid: several where its only region is as wide as several columns and lines of it stand in these,
/// as a title, the names of columns and labels with their numbers do in one box.
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
        (part.bold() == line.bold() && step < WRAP * line.size()).then_some((step, at, *column))
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

/// Whether the left side of a grid cuts a word: the names of rows may begin a little left of the lines drawn.
fn cuts(grid: &Grid, word: &Word) -> bool {
    let (rect, middle) = (&grid.rect, word.rect.center().1);
    (rect.top..rect.bottom).contains(&middle) && word.rect.left < rect.left && rect.left < word.rect.right
}

/// Whether a grid only frames parts of a page: few regions with most of the words in one of them, or a region
/// that holds a table of its own.
fn is_frame(grid: &Grid, cells: &[Vec<CellWords>]) -> bool {
    let counts: Vec<usize> = cells.iter().flatten().map(Vec::len).collect();
    let (all, most) = (counts.iter().sum::<usize>(), counts.iter().max().copied().unwrap_or(0));
    if grid.regions() <= 3 && all > 150 && most * 10 > all * 8 {
        return true;
    }
    let flows = |pair: &[&CellWords]| {
        let (above, below) = (cell(pair[0].clone()), cell(pair[1].clone()));
        matches!((above.last(), below.first()), (Some(end), Some(start)) if flow::is_open(end, start))
    };
    let used: Vec<&CellWords> = cells.iter().flatten().filter(|words| !words.is_empty()).collect();
    if cells.len() == 1 && used.iter().all(|words| words.len() > FRAMED) && used.windows(2).any(flows) {
        return true;
    }
    cells.iter().flatten().any(holds_table)
}

/// Whether the words of a region stand in a table of their own.
fn holds_table(words: &CellWords) -> bool {
    let level: Vec<Word> = words.iter().filter(|w| w.turn == Turn::Level).cloned().collect();
    words.len() >= 6 && !columns::take(fragments(rows(level))).0.is_empty()
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

/// Stacks fragments that follow each other in one column and have no neighbour that could claim them too.
fn stacks(fragments: Vec<(usize, Line)>) -> Vec<Vec<Line>> {
    let mut out: Vec<Vec<Line>> = Vec::new();
    // Stacks that may still grow, with the row of their last line.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut start = 0;
    while start < fragments.len() {
        let row = fragments[start].0;
        let end = start + fragments[start..].partition_point(|(r, _)| *r <= row);
        let here = &fragments[start..end];
        let mut next_open = Vec::new();
        let mut grown = vec![false; out.len()];
        for (_, line) in here {
            let above: Vec<usize> = open
                .iter()
                .map(|(stack, _)| *stack)
                .filter(|&s| out[s].last().is_some_and(|last| last.rect.overlap_x(&line.rect) > 1.0))
                .collect();
            let target = match above.as_slice() {
                [one] if fits(out[*one].last(), line) => {
                    let rivals = here.iter().filter(|(_, other)| {
                        out[*one].last().is_some_and(|last| last.rect.overlap_x(&other.rect) > 1.0)
                    });
                    (rivals.count() == 1).then_some(*one)
                }
                _ => None,
            };
            match target {
                Some(stack) => {
                    out[stack].push(line.clone());
                    grown[stack] = true;
                    next_open.push((stack, row));
                }
                None => {
                    out.push(vec![line.clone()]);
                    next_open.push((out.len() - 1, row));
                }
            }
        }
        // A stack stays open past rows that do not touch it, but not past a line that takes its place.
        for &(stack, last_row) in &open {
            let covered = here
                .iter()
                .any(|(_, line)| out[stack].last().is_some_and(|last| last.rect.overlap_x(&line.rect) > 1.0));
            if !grown.get(stack).copied().unwrap_or(false) && !covered && row - last_row < 8 {
                next_open.push((stack, last_row));
            }
        }
        open = next_open;
        start = end;
    }
    out
}

fn fits(last: Option<&Line>, next: &Line) -> bool {
    let Some(last) = last else { return false };
    let (small, large) = (last.size().min(next.size()).max(0.1), last.size().max(next.size()));
    next.baseline() - last.baseline() <= COLUMN_STEP * large && large / small < COLUMN_SIZE
}
