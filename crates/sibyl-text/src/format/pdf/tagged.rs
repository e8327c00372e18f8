//! Blocks of a tagged page: the structure tree gives order, lists, headings and tables.

use super::block::{Block, Form, Origin, paragraphs};
use super::columns;
use super::fragments::fragments;
use super::gaps;
use super::geometry::{Rect, bounds};
use super::glyph::Artifact;
use super::heads;
use super::line::{Line, flowing, rows};
use super::list::{self, Mark};
use super::metrics::{CELL_STEP, COLUMN_GAP, SAME_LINE};
use super::order;
use super::table::{Cell, Part, Table, names_columns};
use super::tags::{Host, Role, Tags};
use super::word::{Turn, Word};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Share of a page's words that the tree must place before it is believed.
const COVERAGE: f32 = 0.7;
/// Words of a line from which it is text, and no name.
const RUN: usize = 3;
/// Lines in a row from which a tree contradicts its page.
const ACROSS: usize = 3;
/// Longest distance between the lines of a cell (in letter sizes), and share of the cells of a table that must run on.
const LINE_STEP: f32 = 1.5;
const LINES: f32 = 0.3;

/// Whether the structure tree places most words of a page.
pub(super) fn covers(words: &[Word]) -> bool {
    let running = words.iter().filter(|w| w.artifact == Artifact::No);
    let (mut all, mut placed) = (0, 0);
    for word in running {
        all += 1;
        placed += usize::from(word.item.is_some());
    }
    all > 0 && placed as f32 >= COVERAGE * all as f32
}

/// How often the tree contradicts what stands on the page: a paragraph of it goes from a line on to the column beside and back,
/// or the rows of a table of it are the lines of its cells. Programs that guess tags write such trees.
pub(super) fn contradictions(words: &[Word], tags: &Tags) -> usize {
    let mut placed: Vec<(u32, &Word)> = words
        .iter()
        .filter(|word| word.artifact == Artifact::No && word.turn == Turn::Level)
        .filter_map(|word| Some((word.item?, word)))
        .collect();
    placed.sort_by_key(|(item, _)| *item);
    read_across(&placed, tags) + rows_that_are_lines(&placed, tags)
}

/// How often text goes from a line on to what stands beside it and back to the line below, if it does so again and again.
fn read_across(placed: &[(u32, &Word)], tags: &Tags) -> usize {
    // Stretches of words without a wide gap: box, baseline, size and number of words.
    let mut runs: Vec<(Rect, f32, f32, usize)> = Vec::new();
    for (_, word) in placed.iter().filter(|(item, _)| tags.cell_of(*item).is_none()) {
        match runs.last_mut() {
            Some((rect, baseline, size, words))
                if (word.baseline - *baseline).abs() < SAME_LINE * *size
                    && (-COLUMN_GAP..COLUMN_GAP).contains(&((word.rect.left - rect.right) / *size)) =>
            {
                *rect = rect.union(&word.rect);
                *words += 1;
            }
            _ => runs.push((word.rect, word.baseline, word.size, 1)),
        }
    }
    runs.retain(|(.., words)| *words >= RUN);
    let returns = |three: &&[(Rect, f32, f32, usize)]| {
        let [(left, above, size, _), (right, beside, ..), (back, below, ..)] = [three[0], three[1], three[2]];
        right.left - left.right > COLUMN_GAP * size
            && right.left - back.right > COLUMN_GAP * size
            && (beside - above).abs() < size
            && (0.5..3.0).contains(&((below - above) / size))
    };
    Some(runs.windows(3).filter(returns).count()).filter(|count| *count >= ACROSS).unwrap_or(0)
}

/// How many cells of tables run on into the cell below them, line by line.
fn rows_that_are_lines(placed: &[(u32, &Word)], tags: &Tags) -> usize {
    type Ends<'w> = (&'w Word, &'w Word, usize);
    let mut cells: BTreeMap<(u32, u32), BTreeMap<u32, Ends<'_>>> = BTreeMap::new();
    for (item, word) in placed {
        let Some((table, cell)) = tags.cell_of(*item) else { continue };
        let rows = cells.entry((table, cell.column)).or_default();
        let ends = rows.entry(cell.row).or_insert((word, word, 0));
        *ends = (ends.0, word, ends.2 + 1);
    }
    let mut tables: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
    for ((table, _), rows) in &cells {
        let counts = tables.entry(*table).or_default();
        for (above, below) in rows.iter().zip(rows.iter().skip(1)).filter(|(a, b)| a.0 + 1 == *b.0) {
            let ((_, last, words), (first, ..)) = (*above.1, *below.1);
            let step = (first.baseline - last.baseline) / first.size;
            counts.0 += 1;
            counts.1 += usize::from(
                words >= RUN
                    && (0.5..LINE_STEP).contains(&step)
                    && first.text.starts_with(char::is_lowercase)
                    && !last.text.ends_with(['.', ';', ':', '!', '?']),
            );
        }
    }
    let torn =
        |(pairs, running): &&(usize, usize)| *running >= ACROSS && *running as f32 >= LINES * *pairs as f32;
    tables.values().filter(torn).map(|(_, running)| running).sum()
}

/// For each word, whether it stands in a table that fills several columns of this page.
pub(super) fn in_tables(words: &[Word], tags: &Tags) -> Vec<bool> {
    let cells: Vec<Option<(u32, u32)>> =
        words.iter().map(|word| tags.cell_of(word.item?).map(|(table, cell)| (table, cell.column))).collect();
    let mut columns: HashMap<u32, HashSet<u32>> = HashMap::new();
    for (table, column) in cells.iter().flatten() {
        columns.entry(*table).or_default().insert(*column);
    }
    cells.iter().map(|cell| cell.is_some_and(|(table, _)| columns[&table].len() >= 2)).collect()
}

/// The blocks of the words that the tree places, in its order.
pub(super) fn blocks(words: Vec<Word>, tags: &Tags, started: &mut Started) -> Vec<Block> {
    let mut placed: Vec<(u32, u32, Word)> =
        words.into_iter().filter_map(|word| Some((word.item?, tags.owner(word.item?)?, word))).collect();
    placed.sort_by_key(|(item, ..)| *item);
    let (noted, placed): (Vec<_>, Vec<_>) =
        placed.into_iter().partition(|(_, owner, _)| tags.note_in(*owner).is_some());
    let mut notes: Vec<(Host, Leaf)> = leaves(noted, tags)
        .into_iter()
        .filter_map(|leaf| Some((tags.note_in(leaf.element)?, leaf)))
        .collect();
    let mut out = Vec::new();
    let mut open: Option<(u32, Rows)> = None;
    for leaf in leaves(placed, tags) {
        match tags.cell_of(leaf.item) {
            Some((table, cell)) => {
                if open.as_ref().is_some_and(|(id, _)| *id != table) {
                    end_table(&mut open, &mut notes, tags, started, &mut out);
                }
                let (_, rows) = open.get_or_insert_with(|| (table, Rows::default()));
                rows.add(cell.row, cell.column, cell.role == Role::HeaderCell, leaf.lines());
            }
            None => {
                end_table(&mut open, &mut notes, tags, started, &mut out);
                let block = leaf.element;
                leaf.blocks(tags, started, &mut out);
                give(&mut notes, |host| host.block == block, &mut out);
            }
        }
    }
    end_table(&mut open, &mut notes, tags, started, &mut out);
    give(&mut notes, |_| true, &mut out);
    out
}

/// Adds the table that is open and then the notes that stand in it.
fn end_table(
    open: &mut Option<(u32, Rows)>,
    notes: &mut Vec<(Host, Leaf)>,
    tags: &Tags,
    started: &mut Started,
    out: &mut Vec<Block>,
) {
    let Some(table) = open.as_ref().map(|(id, _)| *id) else { return };
    close(open, tags, started, out);
    give(notes, |host| host.table == Some(table), out);
}

/// Adds those of `notes` that stand in what has come to its end, each a paragraph of its own: inside of a sentence or a cell a
/// note is read after all of it.
fn give(notes: &mut Vec<(Host, Leaf)>, ended: impl Fn(&Host) -> bool, out: &mut Vec<Block>) {
    let (ready, waiting): (Vec<_>, Vec<_>) =
        std::mem::take(notes).into_iter().partition(|(host, _)| ended(host));
    *notes = waiting;
    out.extend(ready.into_iter().flat_map(|(_, leaf)| paragraphs(leaf.lines(), Origin::Tagged)));
}

/// Farthest distance of a stop from the word that it ends (in letter sizes).
const STOP: f32 = 0.3;

/// Gives stops that the tree does not place to the words that they end: some writers tag the last one of a cell or a page
/// as nothing.
pub(super) fn adopt_stops(words: &mut [Word]) {
    let is_placed = |word: &Word| word.item.is_some() && word.artifact == Artifact::No;
    for at in 0..words.len() {
        let stop = &words[at];
        if is_placed(stop) || stop.text.contains(char::is_alphanumeric) {
            continue;
        }
        let reach = STOP * stop.size;
        let ends = |word: &&Word| {
            is_placed(word)
                && (word.baseline - stop.baseline).abs() < reach
                && (stop.rect.left - word.rect.right).abs() < reach
        };
        if let Some(item) = words.iter().find(ends).map(|word| word.item) {
            words[at].item = item;
            words[at].artifact = Artifact::No;
            words[at].spaced = false;
        }
    }
}

/// Elements that began on an earlier page.
#[derive(Default)]
pub(super) struct Started {
    /// The last row of each table so far.
    tables: HashMap<u32, u32>,
    items: HashSet<u32>,
}

/// The words of one block element.
struct Leaf {
    element: u32,
    item: u32,
    words: Vec<Word>,
}

fn leaves(placed: Vec<(u32, u32, Word)>, tags: &Tags) -> Vec<Leaf> {
    let mut out: Vec<Leaf> = Vec::new();
    for (item, owner, word) in placed {
        let element = tags.block_around(owner);
        match out.last_mut() {
            Some(leaf) if leaf.element == element => leaf.words.push(word),
            _ => out.push(Leaf { element, item, words: vec![word] }),
        }
    }
    out
}

impl Leaf {
    fn lines(self) -> Vec<Line> {
        gaps::filled(flowing(self.words))
    }

    fn blocks(self, tags: &Tags, started: &mut Started, out: &mut Vec<Block>) {
        let mut item = None;
        let mut lists = 0u8;
        let mut heading = None;
        let mut label = false;
        let (mut figure, mut contents) = (false, false);
        for (id, element) in tags.around(self.element) {
            match element.role {
                Role::Heading(level) if heading.is_none() => heading = Some(level),
                Role::Label if item.is_none() => label = true,
                Role::Item if item.is_none() => item = Some(id),
                Role::List => lists = lists.saturating_add(1),
                Role::Figure => figure = true,
                Role::TocItem => contents = true,
                _ => {}
            }
        }
        let fixed = self.words.first().is_some_and(|w| w.fixed);
        if figure {
            out.extend(order::figure(self.words));
            return;
        }
        let mut lines = self.lines();
        if contents {
            let entries = paragraphs(lines, Origin::Tagged).into_iter();
            out.extend(entries.map(|mut entry| {
                entry.become_kind(Form::Contents);
                entry
            }));
            return;
        }
        if let Some(level) = heading {
            out.extend(Block::new(Form::Heading(level), lines));
            return;
        }
        let Some(item) = item else {
            out.extend(paragraphs(lines, Origin::Tagged));
            return;
        };
        let depth = lists.saturating_sub(1).min(8);
        let first = started.items.insert(item);
        if label {
            let text = lines.iter().map(Line::text).collect::<String>();
            let mark = list::mark(&text, fixed).unwrap_or_else(|| Mark::Label(text.trim().to_owned()));
            // The label waits, without lines of its own, for the body that follows it.
            out.extend(Block::new(Form::Item { mark, depth }, std::mem::take(&mut lines)).map(
                |mut block| {
                    block.lines.clear();
                    block
                },
            ));
            return;
        }
        if let Some(Block { kind: Form::Item { .. }, lines: waiting, rect }) = out.last_mut()
            && waiting.is_empty()
        {
            let mut body = paragraphs(lines, Origin::Tagged).into_iter();
            if let Some(first) = body.next() {
                *rect = rect.union(&first.rect);
                *waiting = first.lines;
            }
            out.extend(body);
            return;
        }
        let mut blocks = paragraphs(lines, if first { Origin::Item } else { Origin::Tagged });
        for block in &mut blocks {
            if let Form::Item { depth: own, .. } = &mut block.kind {
                *own = depth;
            }
        }
        // An item whose mark is drawn rather than written still is an item where it begins.
        if first
            && let Some(Block { kind: kind @ Form::Paragraph, lines, .. }) = blocks.first_mut()
            && !lines
                .first()
                .and_then(|l| l.words.first())
                .is_some_and(|w| list::is_paragraph_number(&w.text))
        {
            *kind = Form::Item { mark: Mark::Bullet, depth };
        }
        out.append(&mut blocks);
    }
}

/// The rows of an open table on this page.
#[derive(Default)]
struct Rows {
    cells: BTreeMap<u32, BTreeMap<u32, Cell>>,
    headers: BTreeMap<u32, (usize, usize)>,
}

impl Rows {
    fn add(&mut self, row: u32, column: u32, header: bool, lines: Vec<Line>) {
        let cell = self.cells.entry(row).or_default().entry(column).or_default();
        if cell.is_empty() {
            let count = self.headers.entry(row).or_default();
            count.0 += usize::from(header);
            count.1 += 1;
        }
        cell.extend(lines);
    }

    /// Whether the only header cells are the first ones of each row, and other rows than the first hold numbers.
    fn names_rows(&self) -> bool {
        let numbered = |row: &BTreeMap<u32, Cell>| !names_columns(&row.values().cloned().collect::<Vec<_>>());
        self.headers.values().all(|(headers, _)| *headers <= 1) && self.cells.values().skip(1).any(numbered)
    }

    /// Whether all cells of the row are header cells.
    fn all_headers(&self, row: u32) -> bool {
        self.headers.get(&row).is_some_and(|(headers, all)| headers == all)
    }
}

fn close(open: &mut Option<(u32, Rows)>, tags: &Tags, started: &mut Started, out: &mut Vec<Block>) {
    let Some((id, rows)) = open.take() else { return };
    let columns = tags.elements.get(id as usize).map_or(0, |t| t.columns) as usize;
    let tagged_headers = rows.headers.values().any(|(headers, _)| *headers > 0);
    let (Some((&first, _)), Some((&last, _))) = (rows.cells.first_key_value(), rows.cells.last_key_value())
    else {
        return;
    };
    let before = started.tables.insert(id, last);
    let fresh = before.is_none();
    let row_names = rows.headers.get(&first).is_some_and(|(headers, all)| headers < all) && tagged_headers;
    let first_cells: Vec<Cell> = rows.cells[&first].values().cloned().collect();
    let header = rows.all_headers(first)
        || (fresh && first == 0 && !tagged_headers && !row_names && names_columns(&first_cells))
        || (fresh
            && first == 0
            && row_names
            && rows.names_rows()
            && columns > 2
            && names_columns(&first_cells));
    let cells = rows
        .cells
        .into_values()
        .map(|row| {
            let mut cells: Vec<Cell> = vec![Vec::new(); columns];
            for (column, lines) in row {
                if let Some(cell) = cells.get_mut(column as usize) {
                    cell.extend(lines);
                }
            }
            cells
        })
        .collect();
    let ragged = tags.elements.get(id as usize).is_some_and(|t| t.ragged);
    let part = before.map_or(Part::First, |before| Part::Tagged { head: 0, within: before == first });
    let mut table = Table { part, ..Table::new(columns::by_place(cells, ragged), header) };
    if fresh {
        heads::stack_names(&mut table);
    }
    let Some(rect) = table.rect() else { return };
    if table.is_table() || !fresh {
        out.push(Block::table(table, rect));
    } else {
        for row in table.rows {
            out.extend(paragraphs(row.into_iter().flatten().collect(), Origin::Tagged));
        }
    }
}

/// Puts blocks that the tree does not place where they stand: each before the first block below it.
pub(super) fn insert(blocks: &mut Vec<Block>, loose: Vec<Block>) {
    for block in loose {
        let at = blocks
            .iter()
            .position(|other| {
                other.rect.top >= block.rect.center().1 && other.rect.overlap_x(&block.rect) > 0.0
            })
            .unwrap_or(blocks.len());
        blocks.insert(at, block);
    }
}

/// Words that head a table but are marked as artifacts, as writers mark the header row that they repeat on
/// later pages. Takes them out of `loose` and gives them back to the tables.
pub(super) fn repeated_headers(blocks: &mut [Block], loose: &mut Vec<Word>) {
    for block in blocks {
        let Form::Table(table) = &mut block.kind else { continue };
        if table.header || loose.is_empty() {
            continue;
        }
        let size = table.rows.iter().flatten().flatten().map(Line::size).fold(0.0, f32::max);
        // A later part may hold a single cell, and the header that is repeated above it stands over all columns.
        let (left, right) = match table.part {
            Part::Tagged { .. } => (f32::MIN, f32::MAX),
            Part::First | Part::Later { .. } => (block.rect.left, block.rect.right),
        };
        let (top, bottom) = (block.rect.top - HEADER_REACH * size, block.rect.top + 1.0);
        let above = Rect { left, top, right, bottom };
        let (head, rest): (Vec<Word>, Vec<Word>) =
            loose.drain(..).partition(|w| w.artifact != Artifact::No && above.holds(w.rect.center(), size));
        *loose = rest;
        let header = header_rows(head, table);
        if !header.is_empty() {
            if let Part::Tagged { head, .. } = &mut table.part {
                *head = header.len();
            }
            table.rows.splice(0..0, header);
            table.header = true;
            block.rect = table.rect().unwrap_or(block.rect);
        }
    }
}

/// Height above a table in which its header row stands (in letter sizes).
const HEADER_REACH: f32 = 8.0;

/// Rows of a header over the columns of `table`: each title across several columns a row of its own, the names of the
/// columns in one.
fn header_rows(words: Vec<Word>, table: &Table) -> Vec<Vec<Cell>> {
    let columns: Vec<Option<Rect>> = (0..table.width())
        .map(|c| bounds(table.rows.iter().flat_map(|row| &row[c]).map(|l| &l.rect)))
        .collect();
    let empty = || vec![Cell::new(); table.width()];
    let mut out: Vec<Vec<Cell>> = Vec::new();
    let mut names = empty();
    for line in rows(words) {
        let across =
            |line: &Line| columns.iter().flatten().filter(|c| c.overlap_x(&line.rect) > line.size()).count();
        let parts = split_by_columns(&line, &columns);
        let title = out.last_mut().map(|row| &mut row[0]).filter(|_| names.iter().all(Vec::is_empty));
        if parts.len() == 1
            && let Some(title) = title.filter(|title| title.last().is_some_and(|above| wraps(above, &line)))
        {
            title.push(line);
        } else if across(&line) > 1 && parts.len() == 1 && names.iter().all(Vec::is_empty) {
            let mut row = empty();
            row[0].push(line);
            out.push(row);
        } else {
            for (column, part) in parts {
                names[column].push(part);
            }
        }
    }
    if names.iter().any(|cell| !cell.is_empty()) {
        out.push(names);
    }
    out
}

/// Whether `line` continues a title of which `above` is the last line: close below it, and in line with its middle or
/// its left side.
fn wraps(above: &Line, line: &Line) -> bool {
    let size = above.size();
    let aligned = |a: f32, b: f32| (a - b).abs() < size;
    line.baseline() - above.baseline() < CELL_STEP * size
        && (aligned(above.rect.center().0, line.rect.center().0) || aligned(above.rect.left, line.rect.left))
}

/// A line cut where a wide gap parts the words of two columns.
fn split_by_columns(line: &Line, columns: &[Option<Rect>]) -> Vec<(usize, Line)> {
    let parts = fragments(vec![line.clone()]);
    let nearest = |part: &Line| {
        let x = part.rect.center().0;
        let distance = |c: &Option<Rect>| c.map_or(f32::MAX, |c| (c.left - x).max(x - c.right).max(0.0));
        (0..columns.len())
            .min_by(|&a, &b| distance(&columns[a]).total_cmp(&distance(&columns[b])))
            .unwrap_or(0)
    };
    parts.into_iter().map(|(_, part)| (nearest(&part), part)).collect()
}
