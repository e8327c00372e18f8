//! Tables below each other that are one: the shades behind some of its rows enclose these, and the others stand free.

use super::block::{Block, Form};
use super::flow;
use super::geometry::{Rect, bounds};
use super::heads;
use super::table::{Cell, Table, names_columns};

/// Room between two such tables, or between one and a name between them, in heights of their rows.
const ROOM: f32 = 1.2;
/// Most names of groups of rows between them, and most words of one.
const BANDS: usize = 2;
const NAME: usize = 8;

/// The same blocks, but a table without a header below another with the same columns becomes its further rows. Names
/// of groups of rows between the two, which stand free as well, become rows of their own.
pub(super) fn joined(blocks: impl IntoIterator<Item = Block>) -> Vec<Block> {
    let mut out: Vec<Block> = Vec::new();
    for block in blocks {
        let above = out.iter().rposition(|block| matches!(block.kind, Form::Table(_)));
        let joins = above.filter(|above| goes_on(&out[*above..], &block));
        match (joins, block.kind) {
            (Some(above), Form::Table(below)) => {
                let bands = out.split_off(above + 1);
                let Some(Block { kind: Form::Table(table), rect, .. }) = out.last_mut() else { continue };
                for band in bands {
                    let mut row = vec![Cell::new(); table.width()];
                    row[0] = band.lines;
                    table.rows.push(row);
                }
                table.rows.extend(below.rows);
                *rect = rect.union(&block.rect);
                heads::stack_names(table);
            }
            (_, kind) => out.push(Block { kind, ..block }),
        }
    }
    out
}

/// Whether `block` is a table without a header that stands in the columns of the table which `above` begins with. It
/// is no further from that table, or from the names between, than rows are apart.
fn goes_on(above: &[Block], block: &Block) -> bool {
    let [Block { kind: Form::Table(table), .. }, bands @ ..] = above else { return false };
    let Form::Table(below) = &block.kind else { return false };
    let headed = below.header && below.rows.first().is_some_and(|row| names_columns(row));
    let header = table.header && table.rows.first().is_some_and(|row| names_columns(row));
    if headed || !header || table.width() != below.width() || bands.len() > BANDS {
        return false;
    }
    let (Some(upper), Some(lower)) = (table.rect(), below.rect()) else { return false };
    let tops: Vec<f32> = below
        .rows
        .iter()
        .filter_map(|row| bounds(row.iter().flatten().map(|line| &line.rect)))
        .map(|rect| rect.top)
        .collect();
    let step = tops.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f32::max);
    let rects: Vec<Rect> =
        [upper].into_iter().chain(bands.iter().map(|band| band.rect)).chain([lower]).collect();
    let near = |pair: &[Rect]| (0.0..ROOM * step).contains(&(pair[1].top - pair[0].bottom));
    let same = |c: usize| match (table.column(c), below.column(c)) {
        (Some(a), Some(b)) => a.overlap_x(&b) > 0.0,
        _ => true,
    };
    rects.windows(2).all(near)
        && (0..table.width()).all(same)
        && bands.iter().all(|band| names_rows(band, below))
}

/// Whether a block is one line that begins where the names of the rows of `table` do.
fn names_rows(block: &Block, table: &Table) -> bool {
    let ([line], Some(labels)) = (block.lines.as_slice(), table.column(0)) else { return false };
    matches!(block.kind, Form::Paragraph | Form::Heading(_))
        && line.words.len() <= NAME
        && !flow::ends_sentence(line)
        && (line.rect.left - labels.left).abs() < line.size()
}
