//! Tables that a page break cuts: their parts become one table, whose rows stay on their pages.

use super::block::{Block, BlockKind};
use super::flow;
use super::geometry::Rect;
use super::line::Line;
use super::table::{Cell, Part, Table};
use super::word::is_numeric;

/// Words of the longest line that says that a table goes on.
const CAPTION: usize = 24;
/// Ratio of letter sizes up to which rows are set alike.
const SAME_SIZE: f32 = 1.05;
/// Most rows of a header: titles, and the names of the columns.
const MAX_HEADER: usize = 4;

/// The table that may go on, as its first part and its last row tell.
struct Open {
    /// The rows that it begins with, of which the first is its header; none where it has no header.
    head: Vec<Vec<Cell>>,
    last: Vec<Cell>,
    columns: Vec<Option<Rect>>,
    left: f32,
}

impl Open {
    fn new(block: &Block, table: &Table) -> Option<Self> {
        let head = table.rows.iter().take(if table.header { MAX_HEADER } else { 0 }).cloned().collect();
        let columns = (0..table.width()).map(|c| table.column(c)).collect();
        Some(Self { head, last: table.rows.last()?.clone(), columns, left: block.rect.left })
    }

    /// The column of this table that each column of `table` stands in, both measured from their left sides.
    fn places(&self, block: &Block, table: &Table) -> Option<Vec<usize>> {
        let shift = self.left - block.rect.left;
        let mut out: Vec<usize> = Vec::new();
        for c in 0..table.width() {
            let own = table.column(c)?;
            let own = Rect { left: own.left + shift, right: own.right + shift, ..own };
            let shared = |at: &usize| self.columns[*at].map_or(0.0, |other| other.overlap_x(&own));
            let at = (0..self.columns.len()).max_by(|a, b| shared(a).total_cmp(&shared(b)).then(b.cmp(a)))?;
            if shared(&at) <= 0.0 || out.last().is_some_and(|last| *last >= at) {
                return None;
            }
            out.push(at);
        }
        Some(out)
    }
}

/// Makes the first table of a page a part of the one that the page before it ends with, where it goes on with that. Gives
/// the lines that only said so.
pub(super) fn join(pages: &mut [Vec<Block>]) -> Vec<String> {
    let mut said = Vec::new();
    let mut open: Option<Open> = None;
    for page in pages {
        while page.len() > 1
            && page.last().is_some_and(says_so)
            && matches!(page[page.len() - 2].kind, BlockKind::Table(_))
        {
            said.extend(page.pop().map(|block| block.text()));
        }
        let captions = page.iter().take_while(|block| says_so(block)).count();
        let at = if captions < page.len() { captions } else { 0 };
        if let Some(above) = open.take()
            && let Some(block) = page.get_mut(at)
            && goes_on(&above, block)
        {
            said.extend(page.drain(..at).map(|block| block.text()));
            // Only of the last part of a table it is known whether a further one follows.
            let whole = page.len() == 1;
            if let Some(Block { kind: BlockKind::Table(table), .. }) = page.first()
                && whole
            {
                let last = table.rows.last().cloned().unwrap_or_default();
                open = Some(Open { last, ..above });
                continue;
            }
        }
        open = page.last().and_then(|block| match &block.kind {
            BlockKind::Table(table) => Open::new(block, table),
            _ => None,
        });
    }
    said
}

/// Whether a block says no more than that a table goes on.
fn says_so(block: &Block) -> bool {
    if !matches!(block.kind, BlockKind::Paragraph | BlockKind::Heading(_)) {
        return false;
    }
    let text = block.text().to_lowercase();
    let text = text.trim_matches(|c: char| !c.is_alphanumeric());
    let mark = ["continued", "cont", "cont’d", "cont'd", "continued on next page", "forts", "fortsättning"];
    text.split_whitespace().count() <= CAPTION
        && mark.iter().any(|mark| {
            text.strip_suffix(mark)
                .is_some_and(|before| before.is_empty() || before.ends_with([' ', '(', '[', '–', '-', '—']))
        })
}

/// Whether the table of `block` goes on with `above`; it then is a part of it, without the header rows that it repeats.
fn goes_on(above: &Open, block: &mut Block) -> bool {
    let rect = block.rect;
    if matches!(block.kind, BlockKind::Paragraph) {
        return goes_on_in_cell(above, block);
    }
    let BlockKind::Table(table) = &block.kind else { return false };
    let Some(places) = above.places(block, table) else { return false };
    let BlockKind::Table(table) = &mut block.kind else { return false };
    let width = above.columns.len();
    let widened = |row: &[Cell]| {
        let mut out = vec![Cell::new(); width];
        for (cell, at) in row.iter().zip(&places) {
            out[*at].clone_from(cell);
        }
        out
    };
    let mut rows: Vec<Vec<Cell>> = table.rows.iter().map(|row| widened(row)).collect();
    let Some(first) = rows.first() else { return false };
    let repeated =
        above.head.iter().zip(&rows).take_while(|(header, row)| says_the_same(header, row)).count();
    let tagged = table.part == Part::Tagged;
    if repeated == 0 && !tagged && !is_body(above, first) {
        return false;
    }
    rows.drain(..repeated);
    let cut = rows.first().and_then(|row| cut_cell(&above.last, row));
    *table = Table { rows, header: false, part: Part::Later { cut } };
    block.rect = table.rect().unwrap_or(rect);
    true
}

/// Whether a paragraph is the rest of the last cell of the table above, whose column it stands in; it then is a row of it.
fn goes_on_in_cell(above: &Open, block: &mut Block) -> bool {
    let last = (1..above.last.len()).rev().find(|c| !above.last[*c].is_empty());
    let Some((cut, column)) = last.and_then(|cut| Some((cut, above.columns[cut]?))) else { return false };
    let (Some(end), Some(start)) = (above.last[cut].last(), block.lines.first()) else { return false };
    let size = start.size();
    let inside = (block.rect.left - column.left).abs() < 0.5 * size && block.rect.right < column.right + size;
    let lower = start.words.first().is_some_and(|word| word.text.starts_with(char::is_lowercase));
    let alike = (end.size() - size).abs() < 0.05 * size && end.bold() == start.bold();
    if !inside || !lower || !alike || !flow::is_open(end, start) {
        return false;
    }
    let mut row = vec![Cell::new(); above.columns.len()];
    row[cut] = std::mem::take(&mut block.lines);
    block.kind =
        BlockKind::Table(Table { rows: vec![row], header: false, part: Part::Later { cut: Some(cut) } });
    true
}

fn says_the_same(header: &[Cell], row: &[Cell]) -> bool {
    let text = |cells: &[Cell]| -> Vec<String> { cells.iter().map(letters).collect() };
    let (header, row) = (text(header), text(row));
    header == row && row.iter().any(|cell| !cell.is_empty())
}

fn letters(cell: &Cell) -> String {
    cell.iter()
        .flat_map(|line| line.text().chars().filter(|c| c.is_alphanumeric()).collect::<Vec<_>>())
        .collect()
}

/// Whether the cells of a row go on with those of the row above, which has the name of both.
fn runs_on(above: &[Cell], row: &[Cell]) -> bool {
    let lower =
        |line: &Line| line.words.first().is_some_and(|word| word.text.starts_with(char::is_lowercase));
    let open = |(cell, more): (&Cell, &Cell)| match (cell.last(), more.first()) {
        (_, None) => true,
        (Some(end), Some(start)) => lower(start) && flow::is_open(end, start),
        (None, Some(_)) => false,
    };
    row.first().is_some_and(Vec::is_empty) && above.iter().zip(row).all(open)
}

/// Whether a first row is one of the body of the table above: it goes on with that, it holds numbers as that does, or it is
/// set like the last row there and unlike the header.
fn is_body(above: &Open, first: &[Cell]) -> bool {
    if runs_on(&above.last, first) {
        return true;
    }
    let number = |row: &[Cell]| row.iter().flatten().any(|line| is_numeric(&line.text()));
    let look = |row: &[Cell]| {
        let lines: Vec<&Line> = row.iter().flatten().collect();
        let bold = lines.iter().filter(|line| line.bold()).count() * 2 > lines.len();
        (bold, lines.iter().map(|line| line.size()).fold(0.0, f32::max))
    };
    let same = |a: (bool, f32), b: (bool, f32)| a.0 == b.0 && a.1.max(b.1) <= SAME_SIZE * a.1.min(b.1);
    let Some(header) = above.head.first() else {
        return number(first) && number(&above.last);
    };
    let (own, last, header_look) = (look(first), look(&above.last), look(header));
    let years = |row: &[Cell]| {
        row.iter().flatten().all(|line| !is_numeric(&line.text()) || super::word::is_year(&line.text()))
    };
    same(own, last) && (!same(own, header_look) || number(first) && !years(first) && years(header))
}

/// The cell that a page break cuts: the only one of `row`, which goes on with the last one of the row above it.
fn cut_cell(above: &[Cell], row: &[Cell]) -> Option<usize> {
    let mut filled = (0..row.len()).filter(|c| !row[*c].is_empty());
    let (only, more) = (filled.next()?, filled.next());
    let last = (0..above.len()).rev().find(|c| !above[*c].is_empty())?;
    let (end, start) = (above[only].last()?, row[only].first()?);
    (more.is_none() && last == only && flow::is_open(end, start)).then_some(only)
}
