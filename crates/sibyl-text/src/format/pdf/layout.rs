//! Blocks of a page without tags: rulings, columns and distances give order, lists and tables.

use super::block::{Block, Kind, Origin, paragraphs};
use super::columns;
use super::geometry::{Rect, bounds};
use super::grid::{self, Grid};
use super::line::{Line, flowing, fragments, rows, turned};
use super::order::reading_order;
use super::ruling::Ruling;
use super::table::{Cell, Table};
use super::word::{Turn, Word};

/// Distance between baselines up to which fragments below each other make one column (in letter sizes).
const COLUMN_STEP: f32 = 2.2;
/// Ratio of letter sizes from which fragments below each other are apart.
const COLUMN_SIZE: f32 = 1.35;

/// The blocks of a page, in reading order.
pub(super) fn blocks(words: Vec<Word>, rulings: &[Ruling]) -> Vec<Block> {
    let (tables, frames, words) = ruled(words, &grid::grids(rulings));
    let (level, other): (Vec<Word>, Vec<Word>) = words.into_iter().partition(|w| w.turn == Turn::Level);
    let (unruled, rest) = columns::take(fragments(rows(level)));
    let mut parts: Vec<Part> = stacks(rest).into_iter().map(Part::Lines).collect();
    parts.extend(tables.into_iter().chain(unruled).map(|(table, rect)| Part::Table(table, rect)));
    parts.extend(turned(other).into_iter().map(|line| Part::Lines(vec![line])));
    parts.extend(frames.into_iter().map(|words| Part::Blocks(blocks(words, &[]))));
    in_order(parts)
}

/// The words of a drawing, line by line, or others that a tagged page leaves without a tag.
pub(super) fn figure(words: Vec<Word>) -> Vec<Block> {
    let (level, other): (Vec<Word>, Vec<Word>) = words.into_iter().partition(|w| w.turn == Turn::Level);
    let mut parts: Vec<Part> = stacks(fragments(rows(level))).into_iter().map(Part::Lines).collect();
    parts.extend(turned(other).into_iter().map(|line| Part::Lines(vec![line])));
    as_figure(in_order(parts))
}

/// The same blocks, their paragraphs never taken for headings.
fn as_figure(mut blocks: Vec<Block>) -> Vec<Block> {
    for block in &mut blocks {
        if matches!(block.kind, Kind::Paragraph) {
            block.kind = Kind::Figure;
        }
    }
    blocks
}

enum Part {
    Lines(Vec<Line>),
    Table(Table, Rect),
    /// What stands in a frame, in its own order.
    Blocks(Vec<Block>),
}

fn in_order(parts: Vec<Part>) -> Vec<Block> {
    let boxes: Vec<Rect> = parts
        .iter()
        .filter_map(|part| match part {
            Part::Lines(lines) => bounds(lines.iter().map(|l| &l.rect)),
            Part::Table(_, rect) => Some(*rect),
            Part::Blocks(blocks) => bounds(blocks.iter().map(|b| &b.rect)),
        })
        .collect();
    let mut parts: Vec<Option<Part>> = parts.into_iter().map(Some).collect();
    let mut out = Vec::new();
    for at in reading_order(&boxes) {
        match parts.get_mut(at).and_then(Option::take) {
            Some(Part::Lines(lines)) => out.extend(paragraphs(lines, Origin::Place)),
            Some(Part::Table(table, rect)) => out.push(Block::table(table, rect)),
            Some(Part::Blocks(blocks)) => out.extend(blocks),
            None => {}
        }
    }
    out
}

/// The words of a cell, in the order drawn.
type CellWords = Vec<Word>;
/// Tables with their boxes, the words of each frame, and the words that stand outside.
type Ruled = (Vec<(Table, Rect)>, Vec<CellWords>, Vec<Word>);

/// Fills the grids of a page with the words in them. A grid of one column is a box around text, not a table:
/// its words stay.
fn ruled(words: Vec<Word>, grids: &[Grid]) -> Ruled {
    let mut cells: Vec<Vec<Vec<CellWords>>> = grids
        .iter()
        .map(|grid| {
            let (rows, columns) = grid.size();
            vec![vec![Vec::new(); columns]; rows]
        })
        .collect();
    let mut rest = Vec::new();
    for word in words {
        // Of nested grids the smallest holds the word.
        let area = |grid: &Grid| grid.rect.width() * grid.rect.height();
        let place = grids
            .iter()
            .enumerate()
            .filter_map(|(g, grid)| Some((g, grid.cell_at(word.rect.center())?)))
            .min_by(|a, b| area(&grids[a.0]).total_cmp(&area(&grids[b.0])));
        match place {
            Some((g, (row, column))) => cells[g][row][column].push(word),
            None => rest.push(word),
        }
    }
    let (mut tables, mut frames) = (Vec::new(), Vec::new());
    for (grid, rows_of_words) in grids.iter().zip(cells) {
        let filled = rows_of_words.iter().map(|row| row.iter().filter(|cell| !cell.is_empty()).count());
        let columns_used = filled.max().unwrap_or(0);
        if columns_used < 2 {
            rest.extend(rows_of_words.into_iter().flatten().flatten());
            continue;
        }
        if is_frame(grid, &rows_of_words) {
            for region in rows_of_words.into_iter().flatten().filter(|region| !region.is_empty()) {
                frames.push(region);
            }
            continue;
        }
        let table = Table::new(
            rows_of_words.into_iter().map(|row| row.into_iter().map(cell).collect()).collect(),
            true,
        );
        tables.push((table, grid.rect));
    }
    (tables, frames, rest)
}

/// Whether a grid only frames parts of a page: few regions with most of the words in one of them, or a region
/// that holds a table of its own.
fn is_frame(grid: &Grid, cells: &[Vec<CellWords>]) -> bool {
    let counts: Vec<usize> = cells.iter().flatten().map(Vec::len).collect();
    let (all, most) = (counts.iter().sum::<usize>(), counts.iter().max().copied().unwrap_or(0));
    if grid.regions() <= 3 && all > 150 && most * 10 > all * 8 {
        return true;
    }
    let holds_table = |words: &Vec<Word>| {
        let level: Vec<Word> = words.iter().filter(|w| w.turn == Turn::Level).cloned().collect();
        words.len() >= 6 && !columns::take(fragments(rows(level))).0.is_empty()
    };
    cells.iter().flatten().any(holds_table)
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
