//! A document as it grows: readers hand over its blocks in reading order. The normalised text has them as Markdown does,
//! and what each of them is, is kept beside it and never read from the text again.

mod outline;
mod words;

pub(super) use outline::Outline;
pub(super) use words::Words;

use super::table::{self, Card, Cell, Grid, Place, Table};
use crate::document::{
    Anchor, Block, BlockKind, CellRange, Cells, Document, Notice, Page, Segment, Severity, Span,
};
use serde_json::{Map, Value};
use words::Setting;

/// Rows of one table of the text; the rest follows in further tables that repeat the header.
const TABLE_ROWS: usize = 500;

/// What stands before the text of a list item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Mark {
    Bullet,
    /// A number or letter with its punctuation, such as `3.` or `(a)`.
    Label(String),
}

/// A row of a table.
#[derive(Debug, Clone, Default)]
pub(super) struct Row {
    pub(super) cells: Vec<Words>,
    /// Where it stands on a sheet.
    pub(super) range: Option<CellRange>,
}

/// A document as it grows.
#[derive(Debug, Default)]
pub(super) struct DocumentBuilder {
    text: String,
    blocks: Vec<Block>,
    outline: Outline,
    segments: Vec<Segment>,
    /// Pages, each with what of the text stands on it so far.
    pages: Vec<(Page, Option<Span>)>,
    /// Number of the page that is open.
    page: u32,
    /// Widths of the marks of the list items that are open, outermost first.
    marks: Vec<usize>,
    /// Name of the sheet that is open; empty where there is none, or one without a name.
    sheet: String,
    cells: Vec<Cells>,
    anchors: Vec<Anchor>,
    /// Where the last table ended, and the names of its columns.
    last_table: Option<(usize, Vec<String>)>,
}

impl DocumentBuilder {
    /// A document of these pages (numbers from 1, rising), whose blocks may go on from one to the next.
    pub(super) fn on_pages(pages: impl Iterator<Item = Page>) -> Self {
        Self { pages: pages.map(|page| (page, None)).collect(), ..Self::default() }
    }

    /// The text so far. Nothing of it is changed later.
    pub(super) fn written(&self) -> &str {
        &self.text
    }

    /// Adds page `number` (from 1, rising), and turns to it.
    pub(super) fn page(&mut self, number: u32, label: Option<String>) {
        let page = Page { number, label, span: Span::default(), size: None, regions: Vec::new() };
        self.pages.push((page, None));
        self.turn(number);
    }

    /// Says that what follows begins on page `number`, below no item of a list.
    pub(super) fn turn(&mut self, number: u32) {
        self.marks.clear();
        self.page = number;
    }

    /// Says that what follows stands on the sheet called `name`.
    pub(super) fn sheet(&mut self, name: &str) {
        name.clone_into(&mut self.sheet);
    }

    /// Says that what `add` adds stands in the cells `range`.
    pub(super) fn in_cells(&mut self, range: CellRange, add: impl FnOnce(&mut Self)) {
        let before = self.text.len();
        add(self);
        let start = before + self.text[before..].len() - self.text[before..].trim_start().len();
        if start < self.text.len() {
            let span = Span::new(start, self.text.len());
            self.cells.push(Cells { span, sheet: self.sheet.clone(), range });
        }
    }

    /// Says that an element with this id begins at byte `at`; at the end of the text so far, with the next block.
    pub(super) fn anchor(&mut self, at: usize, id: String) {
        self.anchors.push(Anchor { at, id });
    }

    /// A heading of `level` 1 to 6; what is empty is left out.
    pub(super) fn heading(&mut self, level: u8, words: impl Into<Words>) {
        let words = words.into();
        self.titled_heading(level, &words, &words.text);
    }

    /// A heading whose words have marks of code in them, which `title` has not.
    pub(super) fn titled_heading(&mut self, level: u8, words: &Words, title: &str) {
        if words.text.is_empty() {
            return;
        }
        let level = level.clamp(1, 6);
        self.begin("\n\n");
        let mark = format!("{} ", "#".repeat(usize::from(level)));
        let heading = self.block(BlockKind::Heading(level), 0, &mark, words, Setting::Heading);
        self.outline.add(level, title.replace('\n', " "), heading);
    }

    /// A paragraph; line feeds in it are line breaks.
    pub(super) fn paragraph(&mut self, words: impl Into<Words>) {
        self.running(BlockKind::Paragraph, words);
    }

    /// A block of `kind` that is written as a paragraph is.
    pub(super) fn running(&mut self, kind: BlockKind, words: impl Into<Words>) {
        let words = words.into();
        if !words.text.is_empty() {
            self.begin("\n\n");
            self.block(kind, 0, "", &words, Setting::Lines(0));
        }
    }

    /// A list item at `depth` (0 is outermost).
    pub(super) fn item(&mut self, depth: usize, mark: &Mark, words: impl Into<Words>) {
        let words = words.into();
        if words.text.is_empty() && *mark == Mark::Bullet {
            return;
        }
        let mut open = std::mem::take(&mut self.marks);
        self.begin(if open.is_empty() { "\n\n" } else { "\n" });
        open.truncate(depth);
        let indent: usize = open.iter().sum();
        self.text.push_str(&" ".repeat(indent));
        let (shown, width, ordered) = match mark {
            Mark::Bullet => ("- ".to_owned(), 2, true),
            Mark::Label(label) if is_ordered(label) => (format!("{label} "), label.len() + 1, true),
            Mark::Label(label) => (format!("- {label} "), 2, false),
        };
        open.push(width);
        let setting = if ordered { Setting::Lines(indent + width) } else { Setting::Inside };
        self.block(BlockKind::Item, open.len(), &shown, &words, setting);
        self.marks = open;
    }

    /// A further paragraph of the list item at `depth` that is open, or of the one above it; a paragraph where no list
    /// is open.
    pub(super) fn continued(&mut self, depth: usize, words: impl Into<Words>) {
        let words = words.into();
        if words.text.is_empty() {
            return;
        }
        let mut open = std::mem::take(&mut self.marks);
        self.begin("\n\n");
        open.truncate(depth.saturating_add(1));
        let indent = open.iter().sum();
        self.text.push_str(&" ".repeat(indent));
        let kind = if open.is_empty() { BlockKind::Paragraph } else { BlockKind::Item };
        self.block(kind, open.len(), "", &words, Setting::Lines(indent));
        self.marks = open;
    }

    /// Ends the lists that are open.
    pub(super) fn end_list(&mut self) {
        self.marks.clear();
    }

    /// Code, with its white space.
    pub(super) fn code(&mut self, text: &str) {
        let text = text.trim_matches('\n').trim_end();
        if text.trim().is_empty() {
            return;
        }
        let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat(longest.max(2) + 1);
        let clean: String = text.chars().filter(|c| !matches!(c, '\0' | '\r')).collect();
        self.begin("\n\n");
        let start = self.text.len();
        self.text.extend([&fence, "\n", &clean, "\n", &fence]);
        self.stands(start, self.segments.len());
        self.add(BlockKind::Code, start, 0);
    }

    /// A table, in several parts with the header repeated where it is long. One of a single column becomes
    /// paragraphs.
    pub(super) fn table(&mut self, table: Table) {
        self.table_in_cells(table, &[]);
    }

    /// A table, with the cells that each of its rows stands in.
    pub(super) fn table_in_cells(&mut self, table: Table, places: &[CellRange]) {
        let sheet = table.sheet;
        if !sheet && self.cards_of(&table) {
            return;
        }
        for mut grid in table.into_grids() {
            if !sheet {
                self.continue_names(&mut grid);
            }
            self.grid(grid, places);
        }
    }

    /// Adds the key figures of a table that only puts them in their places; whether it is one.
    fn cards_of(&mut self, table: &Table) -> bool {
        if table.rows.iter().flatten().any(|cell| cell.columns > 1 || cell.rows > 1) {
            return false;
        }
        let lines = |cell: &Cell| cell.text.lines().map(str::to_owned).collect();
        let rows: Vec<Vec<Vec<String>>> =
            table.rows.iter().map(|row| row.iter().map(lines).collect()).collect();
        let cards = table::cards(&rows);
        cards.iter().flatten().for_each(|card| self.card(card, &rows));
        cards.is_some()
    }

    /// A key figure of `rows` of lines in cells, and each further line below it.
    pub(super) fn card(&mut self, card: &Card, rows: &[Vec<Vec<String>>]) {
        let said = |(row, column, lines): &Place| rows[*row][*column][lines.clone()].join(" ");
        let figure: Vec<String> = card.figure.iter().map(said).collect();
        self.running(BlockKind::KeyFigure, figure.join(" ").as_str());
        card.further.iter().for_each(|place| self.paragraph(said(place).as_str()));
    }

    /// Gives a table without names those of the one right above it, if that has as many columns. What stands between
    /// two tables would be the title of the second.
    fn continue_names(&self, grid: &mut Grid) {
        let unnamed = grid.titles.is_empty() && grid.header.iter().all(String::is_empty);
        if let Some((end, names)) = &self.last_table
            && unnamed
            && *end == self.text.len()
            && names.len() == grid.width()
        {
            grid.header.clone_from(names);
        }
    }

    fn grid(&mut self, grid: Grid, places: &[CellRange]) {
        let place = |row: &usize| places.get(*row).copied();
        let named = grid.named.iter().filter_map(place).reduce(CellRange::and);
        for (title, row) in &grid.titles {
            self.placed(place(row), title);
        }
        let rows = grid.rows.into_iter().zip(&grid.origins);
        if grid.header.len() < 2 {
            grid.header.iter().for_each(|text| self.placed(named, text));
            rows.for_each(|(row, origin)| row.iter().for_each(|text| self.placed(place(origin), text)));
            return;
        }
        let row =
            |cells: Vec<String>, range| Row { cells: cells.into_iter().map(Words::of).collect(), range };
        let header = row(grid.header.clone(), named);
        let rows: Vec<Row> = rows.map(|(cells, origin)| row(cells, place(origin))).collect();
        if rows.is_empty() {
            self.rows(Some(&header), &[]);
        }
        for group in rows.chunks(TABLE_ROWS) {
            self.rows(Some(&header), group);
        }
        self.last_table = Some((self.text.len(), grid.header));
    }

    fn placed(&mut self, range: Option<CellRange>, text: &str) {
        match range {
            Some(range) => self.in_cells(range, |out| out.paragraph(text)),
            None => self.paragraph(text),
        }
    }

    /// A table of rows that have as many cells each, of which `header` names the columns.
    pub(super) fn rows(&mut self, header: Option<&Row>, rows: &[Row]) {
        let width = header.or(rows.first()).map_or(0, |row| row.cells.len());
        self.begin("\n\n");
        let (start, known) = (self.text.len(), self.segments.len());
        match header {
            Some(header) => self.row(header),
            None => self.text.extend([&"|  ".repeat(width), "|"]),
        }
        self.text.extend(["\n", &"| --- ".repeat(width), "|"]);
        let header_end = self.text.len();
        self.stands(start, known);
        for row in rows {
            self.text.push('\n');
            let (start, known) = (self.text.len(), self.segments.len());
            self.row(row);
            self.stands(start, known);
        }
        self.add(BlockKind::Table { header_end }, start, 0);
    }

    fn row(&mut self, row: &Row) {
        let start = self.text.len();
        for cell in &row.cells {
            self.text.push_str("| ");
            words::write(&mut self.text, &mut self.segments, cell, Setting::Cell);
            if !cell.text.is_empty() {
                self.text.push(' ');
            }
        }
        self.text.push('|');
        let span = Span::new(start, self.text.len());
        self.cells.extend(row.range.map(|range| Cells { span, sheet: self.sheet.clone(), range }));
    }

    fn begin(&mut self, separator: &str) {
        self.marks.clear();
        if !self.text.is_empty() {
            self.text.push_str(separator);
        }
    }

    /// Adds a block of `words` behind their `mark`.
    fn block(&mut self, kind: BlockKind, depth: usize, mark: &str, words: &Words, setting: Setting) -> Span {
        let (start, known) = (self.text.len(), self.segments.len());
        self.text.push_str(mark);
        words::write(&mut self.text, &mut self.segments, words, setting);
        self.stands(start, known);
        self.add(kind, start, depth)
    }

    /// Adds the block of all that was written from byte `start` on.
    fn add(&mut self, kind: BlockKind, start: usize, depth: usize) -> Span {
        let span = Span::new(start, self.text.len()).trimmed_end(&self.text);
        self.blocks.push(Block { kind, span, depth: u8::try_from(depth).unwrap_or(u8::MAX) });
        span
    }

    /// Says on which pages that stands which was written from byte `start` on, with the segments from `known` on. Of what
    /// goes over pages each has what its lines reach over; marks stand with the first or last of them.
    fn stands(&mut self, start: usize, known: usize) {
        let (lines, end) = (&self.segments[known..], self.text.len());
        let numbers = || lines.iter().filter_map(|line| line.page);
        let first = numbers().min().unwrap_or(self.page);
        let last = numbers().max().unwrap_or(self.page);
        let at = self.pages.partition_point(|(page, _)| page.number < first);
        for (page, stretch) in self.pages[at..].iter_mut().take_while(|(page, _)| page.number <= last) {
            let own = || lines.iter().filter(|line| line.page == Some(page.number)).map(|line| line.span);
            let from = if page.number == first { Some(start) } else { own().next().map(|line| line.start) };
            let to = if page.number == last { Some(end) } else { own().next_back().map(|line| line.end) };
            if let Some((from, to)) = from.zip(to) {
                let so_far = stretch.unwrap_or(Span::new(from, to));
                *stretch = Some(Span::new(so_far.start.min(from), so_far.end.max(to)));
            }
        }
    }

    /// The document. Its title is `title` where there is one, else its first heading of level 1, else its first.
    pub(super) fn finish(
        self,
        title: Option<String>,
        metadata: Map<String, Value>,
        mut notices: Vec<Notice>,
    ) -> Document {
        let Self { mut text, blocks, outline, segments, pages, cells, mut anchors, .. } = self;
        let pages = in_order(pages);
        if !text.is_empty() {
            text.push('\n');
        } else if notices.iter().all(|notice| notice.severity < Severity::Error) {
            notices.push(super::empty_notice());
        }
        let body = Span::new(0, text.len());
        for anchor in &mut anchors {
            // A block begins behind the blank line that parts it from the one before.
            let gap = text.get(anchor.at..).unwrap_or_default();
            anchor.at += gap.len() - gap.trim_start().len();
        }
        anchors.sort_by_key(|anchor| anchor.at);
        let sections = outline.finish(body.end);
        let heading = sections.iter().find(|section| section.level == 1).or(sections.first());
        let title = title.or_else(|| heading.map(|section| section.title.clone()));
        Document {
            text,
            body,
            title,
            metadata,
            sections,
            blocks,
            pages,
            cells,
            anchors,
            segments,
            notices,
            ..Document::default()
        }
    }
}

/// Pages with their stretches of the text. A page without text stands behind the one before; none begins or ends before
/// that does.
fn in_order(pages: Vec<(Page, Option<Span>)>) -> Vec<Page> {
    let mut before = Span::default();
    let pages = pages.into_iter().map(|(page, stretch)| {
        let stretch = stretch.unwrap_or(Span::new(before.end, before.end));
        let span = Span::new(stretch.start.max(before.start), stretch.end.max(before.end));
        before = span;
        Page { span, ..page }
    });
    pages.collect()
}

/// Whether a label is one that ordered lists of Markdown have.
fn is_ordered(label: &str) -> bool {
    let digits = label.trim_end_matches(['.', ')']);
    label.len() == digits.len() + 1
        && digits.len() <= 9
        && digits.bytes().all(|b| b.is_ascii_digit())
        && !digits.is_empty()
}

#[cfg(test)]
mod tests;
