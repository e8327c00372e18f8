//! Tables that a page break cuts, or the tags of a page: their parts become one table, and a row that continues over the
//! break one row.

use super::block::{Block, Form};
use super::flow;
use super::geometry::Rect;
use super::line::Line;
use super::list::Mark;
use super::metrics::SAME_SIZE;
use super::table::{Cell, Part, Table};
use super::word::is_numeric;

/// Words of the longest line that says that a table continues.
const CAPTION: usize = 24;
/// Most rows of a header: titles, and the names of the columns.
const MAX_HEADER: usize = 4;
/// Distance up to which a row can be the next one of the table above it (in letter sizes).
const ROW_GAP: f32 = 2.5;
/// Rows from which it counts that each of a table has a name.
const NAMED: usize = 2;
/// Words of a line from which it is one of prose.
const PROSE: usize = 3;

/// The table that may continue, as its first part and its last row tell.
struct Open {
    /// The rows that it begins with, of which the first is its header; none where it has no header.
    head: Vec<Vec<Cell>>,
    last: Vec<Cell>,
    /// Rows so far, without a header, and whether each has something in its first cell.
    rows: usize,
    named: bool,
    columns: Vec<Option<Rect>>,
    left: f32,
    /// Size of the letters of a row that names others, and whether these are bold, where it has such rows.
    band: Option<(f32, bool)>,
    /// Whether notes stand below it: only what repeats its header continues it then.
    noted: bool,
}

impl Open {
    fn new(block: &Block, table: &Table) -> Option<Self> {
        let head = table.rows.iter().take(if table.header { MAX_HEADER } else { 0 }).cloned().collect();
        let columns = (0..table.width()).map(|c| table.column(c)).collect();
        let body = &table.rows[usize::from(table.header)..];
        let named = body.iter().all(|row| !row[0].is_empty());
        let (rows, last) = (body.len(), table.rows.last()?.clone());
        let alone = |row: &&Vec<Cell>| row.len() > 1 && row[1..].iter().all(Vec::is_empty);
        let mut bands = body.iter().filter(alone).filter_map(|row| row[0].first());
        let band = bands.next_back().map(|line| (line.size(), line.bold()));
        Some(Self { head, last, rows, named, columns, left: block.rect.left, band, noted: false })
    }

    /// The column of this table that each column of `table` stands in, both measured from their left sides.
    fn places(&self, block: &Block, table: &Table) -> Option<Vec<usize>> {
        // A part that holds one of several columns does not begin where the table does.
        let shift = if table.width() == 1 { 0.0 } else { self.left - block.rect.left };
        let mut out: Vec<usize> = Vec::new();
        for c in 0..table.width() {
            let own = table.column(c)?;
            let own = Rect { left: own.left + shift, right: own.right + shift, ..own };
            // A column in which one cell reaches over its neighbours is not theirs.
            let shared = |at: &usize| {
                self.columns[*at].map_or(0.0, |other| other.overlap_x(&own) / other.union(&own).width())
            };
            let at = (0..self.columns.len()).max_by(|a, b| shared(a).total_cmp(&shared(b)).then(b.cmp(a)))?;
            if shared(&at) <= 0.0 || out.last().is_some_and(|last| *last >= at) {
                return None;
            }
            out.push(at);
        }
        Some(out)
    }
}

/// Makes the first table of a page a part of the one that the page before it ends with, where it continues that. Gives
/// the lines that only said so.
pub(super) fn join(pages: &mut [Vec<Block>]) -> Vec<String> {
    let mut said = Vec::new();
    let mut open: Option<Open> = None;
    for page in pages {
        join_on_page(page);
        while page.len() > 1
            && page.last().is_some_and(says_so)
            && matches!(page[page.len() - 2].kind, Form::Table(_))
        {
            said.extend(page.pop().map(|block| block.text()));
        }
        let table = page.iter().rposition(|block| matches!(block.kind, Form::Table(_)));
        if let Some(table) = table
            && page[table + 1..].iter().all(|block| names_column(block, &page[table], open.as_ref()))
        {
            said.extend(page.drain(table + 1..).map(|block| block.text()));
        }
        let captions = page.iter().take_while(|block| says_so(block)).count();
        let at = if captions < page.len() { captions } else { 0 };
        if let Some(above) = open.take()
            && (page.get_mut(at).is_some_and(|block| goes_on(&above, block, false))
                || goes_on_with_band(&above, page, at)
                || !above.noted && goes_on_in_cell(&above, page))
        {
            let at = page.iter().position(|block| matches!(block.kind, Form::Table(_))).unwrap_or(0);
            said.extend(page.drain(..at).map(|block| block.text()));
            // Only of the last part of a table it is known whether a further one follows.
            let whole = last_table(page) == Some(0);
            if let Some(Block { kind: Form::Table(table), .. }) = page.first()
                && whole
            {
                let within = table.part == (Part::Later { within: true });
                let mut last = table.rows.last().cloned().unwrap_or_default();
                if within && table.rows.len() == 1 {
                    let begun = above.last.into_iter().zip(last);
                    last = begun.map(|(cell, more)| cell.into_iter().chain(more).collect()).collect();
                }
                let fresh = table.rows.get(usize::from(within)..).unwrap_or_default();
                let named = above.named && fresh.iter().all(|row| !row[0].is_empty());
                let (rows, noted) = (above.rows + fresh.len(), page.len() > 1);
                open = Some(Open { last, rows, named, noted, ..above });
                continue;
            }
        }
        open = last_table(page).and_then(|at| match &page[at].kind {
            Form::Table(table) => Some(Open { noted: at + 1 < page.len(), ..Open::new(&page[at], table)? }),
            _ => None,
        });
    }
    said
}

/// The table that a page ends with, but for notes below it in smaller letters.
fn last_table(page: &[Block]) -> Option<usize> {
    let at = page.iter().rposition(|block| matches!(block.kind, Form::Table(_)))?;
    let Form::Table(table) = &page[at].kind else { return None };
    let lines = || table.rows.iter().flatten().flatten();
    let size = lines().map(Line::size).sum::<f32>() / lines().count().max(1) as f32;
    let note = |block: &Block| {
        matches!(block.kind, Form::Paragraph | Form::Item { .. }) && block.size() * SAME_SIZE < size
    };
    page[at + 1..].iter().all(note).then_some(at)
}

/// Makes one table of those of a page that follow close below each other with the same columns, the second without a header.
fn join_on_page(page: &mut Vec<Block>) {
    let mut out: Vec<Block> = Vec::new();
    for mut block in page.drain(..) {
        let cut = out.last().is_some_and(|last| is_cut(last, &block));
        match (out.last_mut().filter(|_| cut), &mut block.kind) {
            (Some(Block { kind: Form::Table(above), rect, .. }), Form::Table(table)) => {
                above.rows.append(&mut table.rows);
                *rect = rect.union(&block.rect);
            }
            _ => out.push(block),
        }
    }
    *page = out;
}

/// Whether two blocks are parts of one table of a page.
fn is_cut(last: &Block, block: &Block) -> bool {
    let (Form::Table(above), Form::Table(table)) = (&last.kind, &block.kind) else { return false };
    let size = table.rows.iter().flatten().flatten().map(Line::size).fold(0.0, f32::max);
    let gap = block.rect.top - last.rect.bottom;
    if table.header
        || table.width() != above.width()
        || !(-size..ROW_GAP * size).contains(&gap)
        || (last.rect.left - block.rect.left).abs() > size
    {
        return false;
    }
    let Some(open) = Open::new(last, above) else { return false };
    let same = open.places(block, table).is_some_and(|places| places.iter().copied().eq(0..above.width()));
    same && table.rows.first().is_some_and(|first| is_body(&open, first) && !runs_on(&open, first))
}

/// Whether a block behind a table is the name of one of its columns, or of a column of the table that it may
/// continue. If writers repeat a header, they leave it behind the table as loose words.
fn names_column(block: &Block, table: &Block, open: Option<&Open>) -> bool {
    if !matches!(block.kind, Form::Paragraph | Form::Heading(_) | Form::Figure) {
        return false;
    }
    let text: String = block.text().chars().filter(|c| c.is_alphanumeric()).collect();
    let own = match &table.kind {
        Form::Table(table) if table.header => table.rows.first(),
        _ => None,
    };
    let above = open.into_iter().flat_map(|open| &open.head);
    !text.is_empty() && above.chain(own).flatten().any(|name| letters(name) == text)
}

/// Whether a block says no more than that a table continues.
fn says_so(block: &Block) -> bool {
    if !matches!(block.kind, Form::Paragraph | Form::Heading(_)) {
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

/// Whether the table of `block` continues `above`; it then is a part of it, without the header rows that it repeats. `named`
/// tells whether a name of its rows stands above it.
fn goes_on(above: &Open, block: &mut Block, named: bool) -> bool {
    let rect = block.rect;
    let Form::Table(table) = &block.kind else { return false };
    let Some(places) = above.places(block, table) else { return false };
    let Form::Table(table) = &mut block.kind else { return false };
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
    let repeated = above.head.first().map_or(0, |header| repeated.max(stacked(header, &rows)));
    let (tagged, head, tagged_within) = match table.part {
        Part::Tagged { head, within } => (true, head, within),
        Part::First | Part::Later { .. } => (false, 0, false),
    };
    let numbers = || {
        let others = first.iter().skip(1).flatten();
        others.clone().any(|line| !super::word::is_year(&line.text()))
            && others.into_iter().all(|line| is_numeric(&line.text()))
    };
    let body = tagged || is_body(above, first) || named && numbers();
    if repeated == 0 && (above.noted || !body) {
        return false;
    }
    rows.drain(..repeated.max(head).min(rows.len()));
    let within = tagged_within || rows.first().is_some_and(|row| runs_on(above, row));
    *table = Table { rows, header: false, part: Part::Later { within } };
    block.rect = table.rect().unwrap_or(rect);
    true
}

/// Whether block `at` of a page names rows as one of the table `above` does, and the table below it continues that
/// one. The name then is a row of it.
fn goes_on_with_band(above: &Open, page: &mut Vec<Block>, at: usize) -> bool {
    let [band, block, ..] = page.get_mut(at..).unwrap_or_default() else { return false };
    let (Some((size, bold)), [line]) = (above.band, band.lines.as_slice()) else { return false };
    let alike = (line.size() - size).abs() < 0.05 * size && line.bold() == bold;
    let near = (0.0..ROW_GAP * size).contains(&(block.rect.top - band.rect.bottom));
    let begins = (block.rect.left - line.rect.left).abs() < size;
    if !matches!(band.kind, Form::Paragraph) || !alike || !near || !begins || !goes_on(above, block, true) {
        return false;
    }
    let line = line.clone();
    let rect = band.rect;
    if let Form::Table(table) = &mut block.kind {
        let mut row = vec![Cell::new(); table.width().max(1)];
        row[0].push(line);
        table.rows.insert(0, row);
        table.part = Part::Later { within: false };
        block.rect = block.rect.union(&rect);
    }
    page.remove(at);
    true
}

/// Whether a page begins with the rest of a cell of the table above, in whose column it stands. The paragraphs and
/// items that stand in its columns then are a row of the table.
fn goes_on_in_cell(above: &Open, page: &mut Vec<Block>) -> bool {
    let Some(block) = page.first().filter(|block| matches!(block.kind, Form::Paragraph)) else {
        return false;
    };
    let Some(start) = block.lines.first() else { return false };
    let lower = start.words.first().is_some_and(|word| word.text.starts_with(char::is_lowercase));
    let size = start.size();
    let inside = |block: &Block, column: &Rect| {
        block.rect.left > column.left - 0.5 * size && block.rect.right < column.right + size
    };
    let begins = (0..above.last.len()).any(|c| {
        let (Some(column), Some(end)) = (above.columns[c], above.last[c].last()) else { return false };
        let alike = (end.size() - size).abs() < 0.05 * size && end.bold() == start.bold();
        let aligned =
            [column.left, end.rect.left].iter().any(|left| (start.rect.left - left).abs() < 0.5 * size);
        lower && aligned && inside(block, &column) && alike && flow::is_open(end, start)
    });
    if !begins {
        return false;
    }
    let mut row = vec![Cell::new(); above.columns.len()];
    while let Some(block) = page.first()
        && matches!(block.kind, Form::Paragraph | Form::Item { mark: Mark::Bullet, .. })
        && let Some(c) = (0..row.len())
            .find(|&c| !above.last[c].is_empty() && above.columns[c].is_some_and(|own| inside(block, &own)))
    {
        row[c].append(&mut page.remove(0).lines);
    }
    let table = Table { rows: vec![row], header: false, part: Part::Later { within: true } };
    let Some(rect) = table.rect() else { return false };
    page.insert(0, Block::table(table, rect));
    true
}

fn says_the_same(header: &[Cell], row: &[Cell]) -> bool {
    let text = |cells: &[Cell]| -> Vec<String> { cells.iter().map(letters).collect() };
    let (header, row) = (text(header), text(row));
    header == row && row.iter().any(|cell| !cell.is_empty())
}

/// How many of the first rows say in several rows what `header` says in one. In the rows, a name over
/// several columns stands in the first of them; in `header`, it stands in each.
fn stacked(header: &[Cell], rows: &[Vec<Cell>]) -> usize {
    let says = |count: &usize| {
        let own = |c: usize| rows[..*count].iter().map(|row| letters(&row[c])).collect::<String>();
        let columns: Vec<(String, String)> =
            header.iter().enumerate().map(|(c, cell)| (letters(cell), own(c))).collect();
        columns.iter().all(|(name, own)| name.ends_with(own) && name.is_empty() == own.is_empty())
            && columns.iter().any(|(name, own)| !name.is_empty() && name == own)
    };
    (2..=MAX_HEADER.min(rows.len())).rev().find(says).unwrap_or(0)
}

fn letters(cell: &Cell) -> String {
    cell.iter()
        .flat_map(|line| line.text().chars().filter(|c| c.is_alphanumeric()).collect::<Vec<_>>())
        .collect()
}

/// Whether a row continues the last one above it.
///
/// It does where a cell continues a sentence that the one above it leaves open, and where it alone has no name. It does
/// not with a name of its own, or with a figure.
fn runs_on(above: &Open, row: &[Cell]) -> bool {
    let pairs = || above.last.iter().zip(row).filter(|(_, more)| !more.is_empty());
    if pairs().any(|(cell, more)| cell.is_empty() || is_numeric(&more[0].text())) {
        return false;
    }
    let open = |cell: &Cell, more: &Cell| {
        cell.last().zip(more.first()).is_some_and(|(end, start)| flow::is_open(end, start))
    };
    let prose = |cell: &Cell| cell.iter().any(|line| line.words.len() >= PROSE);
    let nameless = row.first().is_some_and(Vec::is_empty);
    let own_name = !nameless && pairs().next().is_some_and(|(name, text)| !open(name, text));
    let running = pairs().any(|(cell, more)| prose(cell) && open(cell, more));
    let named = nameless && above.named && above.rows >= NAMED;
    !own_name && (running || named) && pairs().all(|(cell, more)| open(cell, more) || prose(cell))
}

/// Whether a first row belongs to the body of the table above: it continues that, or it holds numbers as that does.
/// Or it is set like the last row there and unlike the header.
fn is_body(above: &Open, first: &[Cell]) -> bool {
    if runs_on(above, first) {
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
