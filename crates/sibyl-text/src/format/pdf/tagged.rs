//! Blocks of a tagged page: the structure tree gives order, lists, headings and tables.

use super::block::{Block, Form, Origin, paragraphs};
use super::bracketed;
use super::fragments::fragments;
use super::gaps;
use super::geometry::{Rect, bounds};
use super::glyph::Artifact;
use super::heads;
use super::line::{Line, flowing, rows};
use super::list::{self, Mark};
use super::metrics::{CELL_STEP, LEVEL, PHRASE_GAP, SAME_ROW};
use super::order;
use super::table::{Cell, Part, Table, names_columns};
use super::tag_rows::Rows;
use super::tags::{Host, Role, Tags};
use super::word::{Turn, Word};
use std::collections::{HashMap, HashSet};

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
                rows.add(cell, leaf.lines());
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

/// Adds those of `notes` that stand in what has come to its end, each as a paragraph of its own. A note inside a
/// sentence or a cell is read after all of it.
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
            Some(leaf) if leaf.element == element || leaf.runs_on(item, element, &word, tags) => {
                leaf.words.push(word);
            }
            _ => out.push(Leaf { element, item, words: vec![word] }),
        }
    }
    out
}

impl Leaf {
    /// Whether `word` in `element` is the next one of its line, if neither is more than a group to the tree. Some
    /// programs make one group for each change of letters.
    fn runs_on(&self, item: u32, element: u32, word: &Word, tags: &Tags) -> bool {
        let group = |id: u32| tags.elements.get(id as usize).is_some_and(|e| e.role == Role::Group);
        let cell = |item: u32| tags.cell_of(item).map(|(_, cell)| (cell.row, cell.column));
        let Some(last) = self.words.last().filter(|last| last.turn == Turn::Level && word.turn == last.turn)
        else {
            return false;
        };
        let size = last.size.max(word.size);
        group(self.element)
            && group(element)
            && cell(self.item) == cell(item)
            && (last.baseline - word.baseline).abs() < SAME_ROW * size
            && (-LEVEL..PHRASE_GAP).contains(&((word.rect.left - last.rect.right) / size))
    }

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

fn close(open: &mut Option<(u32, Rows)>, tags: &Tags, started: &mut Started, out: &mut Vec<Block>) {
    let Some((id, rows)) = open.take() else { return };
    let columns = tags.elements.get(id as usize).map_or(0, |t| t.columns) as usize;
    let tagged_headers = rows.has_headers();
    let Some((first, last)) = rows.ends() else { return };
    let before = started.tables.insert(id, last);
    let fresh = before.is_none();
    let row_names = rows.names_first(first) && tagged_headers;
    let first_cells = rows.cells_of(first);
    let header = rows.all_headers(first)
        || (fresh && first == 0 && !tagged_headers && !row_names && names_columns(&first_cells))
        || (fresh
            && first == 0
            && row_names
            && rows.names_rows()
            && columns > 2
            && names_columns(&first_cells));
    let short = tags.elements.get(id as usize).map_or(&[][..], |table| &table.short);
    let part = before.map_or(Part::First, |before| Part::Tagged { head: 0, within: before == first });
    let mut table = Table { part, ..Table::new(rows.into_cells(columns, short), header) };
    if fresh {
        heads::stack_names(&mut table);
    }
    bracketed::joined(&mut table);
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
