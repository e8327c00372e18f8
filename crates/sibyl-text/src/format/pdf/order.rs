//! The blocks of a region in reading order, on a page without tags.

use super::block::{Block, Form, Origin, paragraphs};
use super::flow;
use super::fragments::fragments;
use super::geometry::{Rect, bounds};
use super::joining::COLUMN_STEP;
use super::line::{Line, rows, turned};
use super::table::Table;
use super::thing::{Content, Thing};
use super::word::{Turn, Word};

/// Ratio of letter sizes from which fragments below each other are apart.
const COLUMN_SIZE: f32 = 1.35;

/// Boxes beyond which a page is read simply from top to bottom.
const MAX_BOXES: usize = 400;

/// Greatest height of the title of a table (points).
const TITLE: f32 = 30.0;

/// Share of its height from which text that flows around a box stands beside it.
const AROUND: f32 = 0.5;

enum Part {
    Lines(Vec<Line>),
    Table(Table, Rect),
    Blocks(Vec<Block>),
}

/// The blocks of a region that is not cut further, in reading order.
pub(super) fn in_order(things: Vec<Thing>) -> Vec<Block> {
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
    let tables: Vec<bool> = parts.iter().map(|part| matches!(part, Part::Table(..))).collect();
    let mut parts: Vec<Option<Part>> = parts.into_iter().map(Some).collect();
    let mut out = Vec::new();
    for at in reading_order(&boxes, &framed, &tables) {
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

/// Indices of `boxes` in reading order; `framed` tells which of them are parts of the page in a frame, `tables` which are tables.
///
/// A box is read before another if it stands above it and shares some of its width. So is a box that stands wholly to
/// the left, if nothing between the two in height shares width with both (T. Breuel, *High Performance Document
/// Layout Analysis*, 2003). A line across both columns therefore ends the columns above it. Text that flows around a
/// frame is read before it: a frame interrupts nobody's sentence.
fn reading_order(boxes: &[Rect], framed: &[bool], tables: &[bool]) -> Vec<usize> {
    let mut sorted: Vec<usize> = (0..boxes.len()).collect();
    sorted.sort_by(|&a, &b| {
        boxes[a].top.total_cmp(&boxes[b].top).then(boxes[a].left.total_cmp(&boxes[b].left))
    });
    if boxes.len() > MAX_BOXES {
        return sorted;
    }
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); boxes.len()];
    for &b in &sorted {
        for &a in &sorted {
            if a != b && precedes(boxes, (framed, tables), a, b) {
                before[b].push(a);
            }
        }
    }
    let mut out = Vec::with_capacity(boxes.len());
    let mut state = vec![Visit::New; boxes.len()];
    for &start in &sorted {
        visit(start, &before, &mut state, &mut out);
    }
    out
}

#[derive(Clone, Copy, PartialEq)]
enum Visit {
    New,
    Seen,
}

/// Depth-first: everything that comes before a box, then the box. The depth is at most [`MAX_BOXES`].
fn visit(at: usize, before: &[Vec<usize>], state: &mut [Visit], out: &mut Vec<usize>) {
    if state[at] == Visit::Seen {
        return;
    }
    state[at] = Visit::Seen;
    for &earlier in &before[at] {
        visit(earlier, before, state, out);
    }
    out.push(at);
}

fn precedes(boxes: &[Rect], (framed, tables): (&[bool], &[bool]), a: usize, b: usize) -> bool {
    let (first, second) = (&boxes[a], &boxes[b]);
    let slack = 1.0;
    let around = first.overlap_y(second) > AROUND * first.height().min(second.height());
    if around && framed[a] != framed[b] && first.overlap_x(second) > slack {
        return framed[b];
    }
    if first.overlap_x(second) > slack {
        return first.center().1 < second.center().1;
    }
    if heads_wide(boxes, tables, b, a) {
        return true;
    }
    if first.center().0 >= second.center().0 || heads_wide(boxes, tables, a, b) {
        return false;
    }
    let (top, bottom) = (first.center().1.min(second.center().1), first.center().1.max(second.center().1));
    !boxes.iter().enumerate().any(|(c, middle)| {
        c != a
            && c != b
            && (top..=bottom).contains(&middle.center().1)
            && middle.overlap_x(first) > slack
            && middle.overlap_x(second) > slack
    })
}

/// Whether box `a` is the title of a table right below it that reaches under box `b`, which ends above the title.
/// Nothing else on the side of the title stands beside `b`.
fn heads_wide(boxes: &[Rect], tables: &[bool], a: usize, b: usize) -> bool {
    let (title, other) = (&boxes[a], &boxes[b]);
    let slack = 1.0;
    if title.center().0 >= other.center().0 || title.top < other.bottom || title.height() > TITLE {
        return false;
    }
    let of_tables = boxes.iter().zip(tables).filter(|(_, table)| **table).map(|(rect, _)| rect);
    let mut below = of_tables.filter(|below| {
        below.overlap_x(title) > slack && (0.0..title.height()).contains(&(below.top - title.bottom))
    });
    let beside =
        |rect: &Rect| rect.overlap_x(title) > slack && rect.top < title.top && rect.bottom > other.top;
    below.any(|below| below.overlap_x(other) > slack) && !boxes.iter().any(beside)
}
