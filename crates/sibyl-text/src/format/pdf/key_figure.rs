//! Key figures: a big number and its label are one block and no heading of what follows.

use super::block::{Block, Form};
use super::line::Line;
use super::metrics::{EDGE, LABEL_STEP};
use super::number::{count_on, is_number};

/// Ratio to the letters of its label from which a number is a key figure.
pub(super) const LARGER: f32 = 1.4;
/// Longest distance of a label from its number (in letter sizes of the number).
pub(super) const REACH: f32 = 1.2;
/// Widest gap between a number and a label beside it (in letter sizes of the number).
const BESIDE: f32 = 0.5;
/// Words of the longest label.
pub(super) const LABEL: usize = 30;

/// The same blocks, each key figure with its label in one.
pub(super) fn joined(blocks: Vec<Block>) -> Vec<Block> {
    let steps = count_on(blocks.iter().filter(|block| is_figure(block)).map(Block::text));
    let blocks = if steps { blocks } else { apart(blocks) };
    let mut blocks: Vec<Option<Block>> = blocks.into_iter().map(Some).collect();
    let mut out: Vec<Block> = Vec::new();
    for i in 0..blocks.len() {
        let Some(mut number) = blocks[i].take() else { continue };
        if steps || !is_figure(&number) {
            if opens_with_figure(&number) {
                number.kind = Form::KeyFigure;
            }
            out.push(number);
            continue;
        }
        // Lines of one label may be set in letters of several sizes.
        let own = |other: &Option<Block>| other.as_ref().is_some_and(|other| is_beside(&number, other));
        let beside: Vec<usize> = (0..blocks.len()).filter(|j| own(&blocks[*j])).collect();
        if !beside.is_empty() {
            let labels = beside.into_iter().filter_map(|j| blocks[j].take());
            out.push(labels.fold(number, one));
            continue;
        }
        let below = blocks
            .iter()
            .enumerate()
            .filter_map(|(j, other)| Some((j, other.as_ref()?)))
            .filter(|(_, other)| is_label(&number, other, other.rect.top - number.rect.bottom))
            .min_by(|a, b| a.1.rect.top.total_cmp(&b.1.rect.top))
            .map(|(j, _)| j);
        if let Some(label) = below.and_then(|j| blocks[j].take()) {
            out.push(one(number, label));
            continue;
        }
        match out.last() {
            Some(above) if is_label(&number, above, number.rect.top - above.rect.bottom) => {
                let label = out.pop();
                out.extend(label.map(|label| one(label, number)));
            }
            _ => out.push(number),
        }
    }
    out
}

/// The same blocks, but numbers below each other become several if each has a label beside it. A number on a line
/// with the end of its label is parted from that end, which belongs to the text above.
fn apart(mut blocks: Vec<Block>) -> Vec<Block> {
    for at in 0..blocks.len() {
        let Some((number, rest)) = parted(&blocks[at]) else { continue };
        let begins = |other: &Block| {
            let last = other.lines.last().filter(|_| matches!(other.kind, Form::Paragraph));
            last.is_some_and(|last| {
                (last.rect.left - rest.rect.left).abs() < EDGE
                    && last.rect.bottom > number.rect.top
                    && (0.0..LABEL_STEP * rest.size()).contains(&(rest.baseline() - last.baseline()))
                    && (last.size() - rest.size()).abs() < 0.1 * rest.size()
            })
        };
        let Some(label) = blocks.iter().position(begins).filter(|label| *label != at) else { continue };
        blocks[label].rect = blocks[label].rect.union(&rest.rect);
        blocks[label].lines.push(rest);
        blocks[at] = number;
        // A number is read before its label.
        if label < at {
            blocks[label..=at].rotate_left(1);
        }
    }
    let lines = |block: &Block| -> Vec<Block> {
        block.lines.iter().filter_map(|line| Block::new(Form::Paragraph, vec![line.clone()])).collect()
    };
    let labelled = |number: &Block| is_figure(number) && blocks.iter().any(|other| is_beside(number, other));
    let parts = |block: &Block| -> Vec<Block> {
        let lines = lines(block);
        let each = lines.len() > 1 && matches!(block.kind, Form::Paragraph) && lines.iter().all(labelled);
        if each { lines } else { vec![block.clone()] }
    };
    blocks.iter().flat_map(parts).collect()
}

fn one(first: Block, second: Block) -> Block {
    let rect = first.rect.union(&second.rect);
    Block { kind: Form::KeyFigure, lines: first.lines.into_iter().chain(second.lines).collect(), rect }
}

/// The big number that a line begins with, and what follows it in smaller letters.
fn parted(block: &Block) -> Option<(Block, Line)> {
    if !opens_with_figure(block) {
        return None;
    }
    let words = &block.lines[0].words;
    let end = words.windows(2).position(|pair| pair[0].size >= LARGER * pair[1].size)? + 1;
    let number = Block::new(Form::Paragraph, vec![Line::of(words[..end].to_vec())?])?;
    Some((number, Line::of(words[end..].to_vec())?))
}

/// Whether a line begins with a big number and goes on with its label in smaller letters.
fn opens_with_figure(block: &Block) -> bool {
    let [line] = block.lines.as_slice() else { return false };
    let small = line.words.iter().map(|word| word.size).fold(f32::MAX, f32::min);
    let end = line.words.iter().take_while(|word| word.size >= LARGER * small).count();
    let number: Vec<&str> = line.words[..end].iter().map(|word| word.text.as_str()).collect();
    matches!(block.kind, Form::Paragraph)
        && line.words[end..].iter().all(|word| word.size < LARGER * small)
        && line.words[end..].iter().any(|word| word.text.len() > 1)
        && is_number(&number.join(" "))
}

/// Whether a text of one line or two stands right behind a number, as its label does.
fn is_beside(number: &Block, other: &Block) -> bool {
    let gap = (other.rect.left - number.rect.right) / number.size();
    matches!(other.kind, Form::Paragraph)
        && other.lines.len() <= 2
        && number.size() >= LARGER * other.size()
        && (0.0..BESIDE).contains(&gap)
        && other.rect.center().1 > number.rect.top
        && other.rect.center().1 < number.rect.bottom
}

fn is_figure(block: &Block) -> bool {
    matches!(block.kind, Form::Paragraph) && is_number(&block.text())
}

fn is_label(number: &Block, other: &Block, distance: f32) -> bool {
    matches!(other.kind, Form::Paragraph)
        && number.size() >= LARGER * other.size()
        && other.rect.overlap_x(&number.rect) > 0.0
        && (-0.5 * number.size()..REACH * number.size()).contains(&distance)
        && other.text().split_whitespace().count() <= LABEL
}
