//! Paragraphs that a page break cuts in the middle of a sentence, and tables: both halves become one, also where notes,
//! captions and the like stand between them.

use super::block::{Block, Form};
use super::flow;
use super::joining;
use super::line::Line;
use super::metrics::{EDGE, SAME_SIZE};

/// Fewest words of the only line of a paragraph that the next page continues.
const PROSE: usize = 5;

/// The blocks of a page as they are written.
#[derive(Default)]
pub(super) struct Paged {
    pub(super) blocks: Vec<Block>,
    /// Whether the first one is the rest of a paragraph of the page before.
    pub(super) continues: bool,
    /// How many of the last ones stand behind a paragraph or table that the next page continues.
    pub(super) behind: usize,
}

/// The same pages, the rest of a paragraph first on the page that continues it.
pub(super) fn joined(pages: Vec<Vec<Block>>) -> Vec<Paged> {
    let mut out: Vec<Paged> = Vec::new();
    for mut blocks in pages {
        let mut continues = false;
        let mut last = out.pop();
        if let Some(before) = &mut last
            && let Some((end, start)) = halves(&before.blocks, &blocks)
            // What stands behind a paragraph that goes on over two pages would come behind both.
            && !(end == 0 && before.continues && out.last().is_some_and(|page| page.behind > 0))
        {
            blocks[..=start].rotate_right(1);
            before.behind = before.blocks.len() - 1 - end;
            continues = true;
        } else if let Some(before) = &mut last
            && blocks.first().is_some_and(Block::is_later_part)
        {
            let end = before.blocks.iter().rposition(|block| matches!(block.kind, Form::Table(_)));
            before.behind = end.map_or(0, |end| before.blocks.len() - 1 - end);
        }
        out.extend(last);
        out.push(Paged { blocks, continues, behind: 0 });
    }
    out
}

/// The block of a page, and the one of the next page, that are halves of one paragraph.
fn halves(before: &[Block], after: &[Block]) -> Option<(usize, usize)> {
    let between = |others: &[Block], half: &Block, line: Option<&Line>| {
        let beside = |other: &Block| line.is_some_and(|line| stands_beside(other, line));
        others.iter().all(|other| is_aside(other, half) || beside(other))
    };
    let ends = (0..before.len()).rev().filter(|&end| {
        let (block, behind) = (&before[end], &before[end + 1..]);
        // What stands beside it may be the column that it continues in.
        let here = |next: &Block| joining::open_to(block, next);
        between(behind, block, block.lines.last()) && !behind.iter().any(here)
    });
    let starts: Vec<usize> = (0..after.len())
        .filter(|&start| between(&after[..start], &after[start], after[start].lines.first()))
        .collect();
    let usual = median_size(before, after);
    ends.filter(|&end| before[end].size() * SAME_SIZE >= usual)
        .flat_map(|end| starts.iter().map(move |&start| (end, start)))
        .find(|&(end, start)| goes_on(&before[end], &after[start]))
}

/// Size of the letters of most lines of two pages, which notes and labels do not reach (points).
fn median_size(before: &[Block], after: &[Block]) -> f32 {
    let lines = before.iter().chain(after).flat_map(|block| &block.lines);
    let mut sizes: Vec<f32> = lines.map(Line::size).collect();
    sizes.sort_by(f32::total_cmp);
    sizes.get(sizes.len() / 2).copied().unwrap_or(0.0)
}

/// Whether a block is set unlike the running text that `text` belongs to.
fn is_aside(block: &Block, text: &Block) -> bool {
    let (small, large) = (block.size().min(text.size()), block.size().max(text.size()));
    match block.kind {
        Form::Figure | Form::KeyFigure => true,
        Form::Paragraph | Form::Item { .. } => large > SAME_SIZE * small,
        // Below a heading something else begins.
        Form::Heading(_) | Form::Table(_) | Form::Contents => false,
    }
}

/// Whether a block stands beside a line, as a box does that text flows around.
fn stands_beside(block: &Block, line: &Line) -> bool {
    block.rect.overlap_x(&line.rect) <= 0.0
        && block.rect.left > line.rect.left
        && block.rect.top < line.rect.bottom
        && !matches!(block.kind, Form::Table(_) | Form::Contents)
}

/// Whether the page ends in the middle of a sentence of `last` that `next` continues.
fn goes_on(last: &Block, next: &Block) -> bool {
    let Some((end, start)) = joining::set_alike(last, next) else { return false };
    let address =
        start.words.first().is_some_and(|word| word.text.contains("://") || word.text.starts_with("www."));
    (last.lines.len() > 1 || end.words.len() >= PROSE)
        && !address
        && !flow::ends_sentence(end)
        && joining::is_full(last, start)
        && (joining::open_to(last, next) || joining::resumes(last, next) || hangs(last, start))
}

/// Whether a line begins where those of an item do below its mark.
fn hangs(item: &Block, line: &Line) -> bool {
    let below = |own: &Line| (own.rect.left - line.rect.left).abs() < EDGE;
    matches!(item.kind, Form::Item { .. }) && item.lines.len() > 1 && item.lines.iter().all(below)
}
