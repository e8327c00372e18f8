//! Blocks that are parts of one text: what continues in the next column, past an aside or in the line below.

use super::block::{Block, Form};
use super::flow;
use super::geometry::Rect;
use super::line::Line;
use super::panel::Shapes;
use super::word::Word;

/// Distance between baselines up to which fragments below each other make one column (in letter sizes).
pub(super) const COLUMN_STEP: f32 = 2.2;
/// Ratio of letter sizes from which a block between two others is no part of their text.
const ASIDE: f32 = 1.12;
/// Lines of a paragraph that show how wide its column is at its end.
const LAST_LINES: usize = 5;

/// The same blocks, those in one that a column's end or a box beside them cuts in the middle of a sentence.
/// Nothing goes on over what `shapes` part.
pub(super) fn flowing_on(
    blocks: impl Iterator<Item = Block>,
    frames: &[Rect],
    shapes: &Shapes,
) -> Vec<Block> {
    let mut out: Vec<Block> = Vec::new();
    for block in blocks {
        // A quotation in larger letters or a caption in smaller ones may stand inside of a paragraph.
        let last = out.iter().rposition(|other| !is_aside(other, &block));
        let asides = out.get(last.map_or(0, |last| last + 1)..).unwrap_or_default();
        let before = last.filter(|&last| {
            let other = &out[last];
            let ended = other.lines.last().is_some_and(flow::ends_sentence);
            // Past something else goes on only what has not come to its end.
            (asides.is_empty() || !ended)
                && !are_parted(other, &block, shapes)
                && asides.iter().all(|aside| shares_column(aside, &block) || shares_column(aside, other))
                && (goes_on(other, &block, frames)
                    || goes_past(other, &block) && (asides.is_empty() || is_text(other, &block))
                    || asides.first().is_some_and(|aside| goes_beyond(other, aside, &block)))
        });
        let under = |other: &Block| goes_under(other, &block) && !are_parted(other, &block, shapes);
        let before = before.or_else(|| out.iter().rposition(under));
        match before.and_then(|at| out.get_mut(at)) {
            Some(other) => {
                other.rect = other.rect.union(&block.rect);
                other.lines.extend(block.lines);
            }
            None => out.push(block),
        }
    }
    out
}

/// Whether shapes part the end of `other` from the start of `next`.
fn are_parted(other: &Block, next: &Block, shapes: &Shapes) -> bool {
    let (Some(end), Some(start)) = (other.lines.last(), next.lines.first()) else { return false };
    shapes.part(&end.rect, &start.rect)
}

/// The same blocks of a structure tree, those in one that it tears within a sentence: programs that guess tags make
/// paragraphs of lines.
pub(super) fn mended(blocks: Vec<Block>) -> Vec<Block> {
    let lines: Vec<Rect> = blocks.iter().flat_map(|block| &block.lines).map(|line| line.rect).collect();
    let mut out: Vec<Block> = Vec::new();
    for block in blocks {
        match out.last_mut() {
            Some(last) if goes_under(last, &block) && had_no_room(last, &block, &lines) => {
                last.rect = last.rect.union(&block.rect);
                last.lines.extend(block.lines);
            }
            _ => out.push(block),
        }
    }
    out
}

/// Whether the first word of `next` had no room behind `other`. How wide their column is tell those of `lines` that begin with
/// it and follow each other around the two.
fn had_no_room(other: &Block, next: &Block, lines: &[Rect]) -> bool {
    let (Some(end), Some(start)) = (other.lines.last(), next.lines.first()) else { return false };
    let size = start.size();
    let mut column: Vec<&Rect> =
        lines.iter().filter(|line| (line.left - start.rect.left).abs() < 0.5 * size).collect();
    column.sort_by(|a, b| a.top.total_cmp(&b.top));
    let text = column.chunk_by(|above, below| below.top - above.bottom < COLUMN_STEP * size - above.height());
    let around = text.filter(|lines| lines.contains(&&end.rect) || lines.contains(&&start.rect));
    let right = around.flatten().map(|line| line.right).fold(f32::MIN, f32::max);
    flow::continues(end, start, right)
}

/// Whether `next` continues the sentence of `other` in the line below it, as text does that grows wider below a box.
fn goes_under(other: &Block, next: &Block) -> bool {
    let (Some(end), Some(start)) = (other.lines.last(), next.lines.first()) else { return false };
    let size = start.size();
    let step = start.baseline() - end.baseline();
    let wider = start.rect.left < end.rect.left && start.rect.overlap_x(&end.rect) > 0.0;
    ((end.rect.left - start.rect.left).abs() < 0.5 * size || wider)
        && (0.5 * size..1.75 * size).contains(&step)
        && (open_to(other, next) || is_named(other, next))
}

/// Whether the text of `other`, which fills its column, leaves a sentence open that `next` continues with a name.
fn is_named(other: &Block, next: &Block) -> bool {
    let Some((end, start)) = set_alike(other, next) else { return false };
    other.lines.len() > 1 && is_full(other, start) && flow::is_open(end, start)
}

/// Whether a block is a key figure or set in larger or smaller letters than `next` is.
fn is_aside(block: &Block, next: &Block) -> bool {
    let (small, large) = (block.size().min(next.size()), block.size().max(next.size()));
    matches!(block.kind, Form::KeyFigure) || matches!(block.kind, Form::Paragraph) && large > ASIDE * small
}

fn shares_column(a: &Block, b: &Block) -> bool {
    a.rect.overlap_x(&b.rect) > 0.5 * a.rect.width().min(b.rect.width())
}

/// Whether `next` stands below `aside`, which heads the column after that of `other`, and continues the sentence of `other`.
fn goes_beyond(other: &Block, aside: &Block, next: &Block) -> bool {
    let Some(end) = other.lines.last() else { return false };
    shares_column(aside, next)
        && aside.rect.top < end.rect.top
        && aside.rect.bottom < next.rect.top + 1.0
        && aside.rect.overlap_x(&end.rect) <= 0.0
        && open_to(other, next)
}

/// Whether one of two blocks has several lines: single ones above and below a headline are read with it.
fn is_text(other: &Block, next: &Block) -> bool {
    other.lines.len() > 1 || next.lines.len() > 1
}

/// Whether `next` continues further down in the same column with the sentence that `other` leaves open.
fn goes_past(other: &Block, next: &Block) -> bool {
    let (Some(end), Some(start)) = (other.lines.last(), next.lines.first()) else { return false };
    (end.rect.left - start.rect.left).abs() < 0.5 * start.size()
        && start.baseline() > end.baseline()
        && !flow::ends_sentence(end)
        && open_to(other, next)
}

/// Whether `next` stands further up, beside `last`, and continues its sentence. With a name it does so in no frame, which
/// may stand beside any text.
fn goes_on(last: &Block, next: &Block, frames: &[Rect]) -> bool {
    let (Some(end), Some(start)) = (last.lines.last(), next.lines.first()) else { return false };
    let free = || !frames.iter().any(|frame| frame.holds(start.rect.center(), 0.0));
    start.rect.bottom < end.rect.top && (open_to(last, next) || resumes(last, next) && free())
}

/// Whether `next`, set alike and with a name, can continue the text of `last`. That text fills its column and leaves
/// a sentence open, or ends none if both are prose.
pub(super) fn resumes(last: &Block, next: &Block) -> bool {
    let Some((end, start)) = set_alike(last, next) else { return false };
    let word = end.words.last().is_some_and(|word| word.text.ends_with(char::is_alphanumeric));
    is_named(last, next) || word && is_full(last, start) && is_prose(last) && is_prose(next)
}

/// Whether sentences end in a block.
fn is_prose(block: &Block) -> bool {
    let ends = |word: &Word| {
        let stem = word.text.trim_end_matches(['.', '?', '!']);
        stem.len() < word.text.len() && stem.len() > 2 && stem.chars().all(char::is_alphabetic)
    };
    block.lines.len() > 1 && block.lines.iter().flat_map(|line| &line.words).any(ends)
}

/// Whether the text of `last` leaves a sentence open that `next`, set alike, can continue with.
pub(super) fn open_to(last: &Block, next: &Block) -> bool {
    let Some((end, start)) = set_alike(last, next) else { return false };
    let lower = start.words.first().is_some_and(|word| word.text.starts_with(char::is_lowercase));
    lower && flow::is_open(end, start)
}

/// The last line of `last` and the first of `next`, where these are running text and set alike.
pub(super) fn set_alike<'b>(last: &'b Block, next: &'b Block) -> Option<(&'b Line, &'b Line)> {
    let running =
        matches!(last.kind, Form::Paragraph | Form::Item { .. }) && matches!(next.kind, Form::Paragraph);
    let (end, start) = (last.lines.last()?, next.lines.first()?);
    let alike = (end.size() - start.size()).abs() < 0.05 * start.size() && end.bold() == start.bold();
    (running && alike).then_some((end, start))
}

/// Whether the first word of `start` had no room at the end of the last line of `block`.
pub(super) fn is_full(block: &Block, start: &Line) -> bool {
    let (Some(end), Some(first)) = (block.lines.last(), start.words.first()) else { return false };
    let own = block.lines.iter().rev().take(LAST_LINES).filter(|line| line.rect.overlap_x(&end.rect) > 0.0);
    let right = own.map(|line| line.rect.right).fold(f32::MIN, f32::max);
    end.rect.right + first.rect.width() + end.size() > right
}
