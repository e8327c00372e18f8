//! Blocks become Markdown: what the readers of structured files write their document with.

use super::markdown;
use super::table::{Grid, Table};
use super::tidy::tidy;
use crate::document::{Anchor, CellRange, Cells, Document, Notice, Page, Severity, Span};
use serde_json::{Map, Value};

/// Rows of one Markdown table; the rest follows in further tables that repeat the header.
const TABLE_ROWS: usize = 500;

/// What stands before the text of a list item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Mark {
    Bullet,
    /// A number or letter with its punctuation, such as `3.` or `(a)`.
    Label(String),
}

/// A document as it grows.
#[derive(Debug, Default)]
pub(super) struct Writer {
    text: String,
    pages: Vec<Page>,
    /// Where the page that is open starts, once it holds something.
    page_start: Option<usize>,
    /// Widths of the marks of the list items that are open, outermost first.
    marks: Vec<usize>,
    /// Name of the sheet that is being written; empty where there is none, or one without a name.
    sheet: String,
    cells: Vec<Cells>,
    anchors: Vec<Anchor>,
    /// Where the table that was written last ended, and the names of its columns.
    last_table: Option<(usize, Vec<String>)>,
}

impl Writer {
    /// What is written so far. Nothing of it is changed later.
    pub(super) fn written(&self) -> &str {
        &self.text
    }

    /// Starts page `number` (from 1, rising).
    pub(super) fn page(&mut self, number: u32, label: Option<String>) {
        self.close_page();
        self.marks.clear();
        self.pages.push(Page { number, label, span: Span::default(), size: None, regions: Vec::new() });
    }

    /// Says that what follows stands on the sheet called `name`.
    pub(super) fn sheet(&mut self, name: &str) {
        name.clone_into(&mut self.sheet);
    }

    /// Says that what `write` writes stands in the cells `range`.
    pub(super) fn in_cells(&mut self, range: CellRange, write: impl FnOnce(&mut Self)) {
        let before = self.text.len();
        write(self);
        let start = before + self.text[before..].len() - self.text[before..].trim_start().len();
        if start < self.text.len() {
            let span = Span::new(start, self.text.len());
            self.cells.push(Cells { span, sheet: self.sheet.clone(), range });
        }
    }

    /// Says that an element with this id begins at byte `at`; at the end of what is written, with the next block.
    pub(super) fn anchor(&mut self, at: usize, id: String) {
        self.anchors.push(Anchor { at, id });
    }

    /// A heading of `level` 1 to 6; what is empty is left out.
    pub(super) fn heading(&mut self, level: u8, title: &str) {
        let title = tidy(title).replace('\n', " ");
        if title.is_empty() {
            return;
        }
        self.begin("\n\n");
        self.text.push_str(&"#".repeat(usize::from(level.clamp(1, 6))));
        self.text.push(' ');
        self.text.push_str(&title);
        if title.ends_with('#') {
            // A closing run of number signs would be taken for part of the mark.
            let at = self.text.len() - 1;
            self.text.insert(at, '\\');
        }
    }

    /// A paragraph; line feeds in it are line breaks.
    pub(super) fn paragraph(&mut self, text: &str) {
        let text = tidy(text);
        if !text.is_empty() {
            self.begin("\n\n");
            self.lines(&text, 0);
        }
    }

    /// A list item at `depth` (0 is outermost).
    pub(super) fn item(&mut self, depth: usize, mark: &Mark, text: &str) {
        let text = tidy(text);
        if text.is_empty() {
            return;
        }
        let open = std::mem::take(&mut self.marks);
        self.begin(if open.is_empty() { "\n\n" } else { "\n" });
        self.marks = open;
        self.marks.truncate(depth);
        let indent: usize = self.marks.iter().sum();
        self.text.push_str(&" ".repeat(indent));
        let (shown, width) = match mark {
            Mark::Bullet => ("- ".to_owned(), 2),
            Mark::Label(label) if is_ordered(label) => (format!("{label} "), label.len() + 1),
            Mark::Label(label) => (format!("- {label} "), 2),
        };
        self.text.push_str(&shown);
        self.marks.push(width);
        if matches!(mark, Mark::Label(label) if !is_ordered(label)) {
            self.text.push_str(&text.replace('\n', " "));
        } else {
            self.lines(&text, indent + width);
        }
    }

    /// A further paragraph of the list item at `depth` that is open, or of the one above it; a paragraph where no list
    /// is open.
    pub(super) fn continued(&mut self, depth: usize, text: &str) {
        let text = tidy(text);
        if text.is_empty() {
            return;
        }
        let mut open = std::mem::take(&mut self.marks);
        self.begin("\n\n");
        open.truncate(depth.saturating_add(1));
        let indent = open.iter().sum();
        self.marks = open;
        self.text.push_str(&" ".repeat(indent));
        self.lines(&text, indent);
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
        self.begin("\n\n");
        let clean: String = text.chars().filter(|c| !matches!(c, '\0' | '\r')).collect();
        self.text.extend([&fence, "\n", &clean, "\n", &fence]);
    }

    /// A table, in several parts with the header repeated where it is long. One of a single column becomes
    /// paragraphs.
    pub(super) fn table(&mut self, table: Table) {
        self.table_in_cells(table, &[]);
    }

    /// A table, with the cells that each of its rows stands in.
    pub(super) fn table_in_cells(&mut self, table: Table, places: &[CellRange]) {
        let sheet = table.sheet;
        for mut grid in table.into_grids() {
            if !sheet {
                self.continue_names(&mut grid);
            }
            self.grid(&grid, places);
        }
    }

    /// Gives a table without names those of the one right above it, where that has as many columns: what stands between
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

    fn grid(&mut self, grid: &Grid, places: &[CellRange]) {
        let place = |row: &usize| places.get(*row).copied();
        let header = grid.named.iter().filter_map(place).reduce(CellRange::and);
        for (title, row) in &grid.titles {
            self.placed(place(row), |out| out.paragraph(title));
        }
        if grid.width() < 2 {
            for text in &grid.header {
                self.placed(header, |out| out.paragraph(text));
            }
            for (row, origin) in grid.rows.iter().zip(&grid.origins) {
                row.iter().for_each(|text| self.placed(place(origin), |out| out.paragraph(text)));
            }
            return;
        }
        let rows: Vec<(&[String], Option<CellRange>)> = grid
            .rows
            .iter()
            .zip(&grid.origins)
            .map(|(row, origin)| (row.as_slice(), place(origin)))
            .collect();
        if rows.is_empty() {
            self.rows((&grid.header, header), &[]);
        }
        for group in rows.chunks(TABLE_ROWS) {
            self.rows((&grid.header, header), group);
        }
        self.last_table = Some((self.text.len(), grid.header.clone()));
    }

    fn rows(
        &mut self,
        (header, named): (&[String], Option<CellRange>),
        rows: &[(&[String], Option<CellRange>)],
    ) {
        self.begin("\n\n");
        self.placed(named, |out| out.row(header));
        self.text.push('\n');
        self.text.push_str(&"| --- ".repeat(header.len()));
        self.text.push('|');
        for (row, place) in rows {
            self.text.push('\n');
            self.placed(*place, |out| out.row(row));
        }
    }

    fn placed(&mut self, range: Option<CellRange>, write: impl FnOnce(&mut Self)) {
        match range {
            Some(range) => self.in_cells(range, write),
            None => write(self),
        }
    }

    fn row(&mut self, cells: &[String]) {
        for cell in cells {
            self.text.push_str("| ");
            let shown = cell.replace('|', "\\|").replace('\n', "<br>");
            self.text.push_str(&shown);
            if !shown.is_empty() {
                self.text.push(' ');
            }
        }
        self.text.push('|');
    }

    fn lines(&mut self, text: &str, indent: usize) {
        for (index, line) in text.lines().enumerate() {
            if index > 0 {
                self.text.push('\n');
                self.text.push_str(&" ".repeat(indent));
            }
            self.text.push_str(&escape_start(line));
        }
    }

    fn begin(&mut self, separator: &str) {
        self.marks.clear();
        if !self.text.is_empty() {
            self.text.push_str(separator);
        }
        self.page_start.get_or_insert(self.text.len());
    }

    fn close_page(&mut self) {
        let end = self.text.len();
        let start = self.page_start.take().unwrap_or(end);
        if let Some(page) = self.pages.last_mut() {
            page.span = Span::new(start, end);
        }
    }

    /// The document. Its title is `title` where there is one, else its first heading of level 1, else its first.
    pub(super) fn finish(
        mut self,
        title: Option<String>,
        metadata: Map<String, Value>,
        mut notices: Vec<Notice>,
    ) -> Document {
        self.close_page();
        let Self { mut text, pages, cells, mut anchors, .. } = self;
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
        let (sections, blocks) = markdown::structure(&text, body);
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
            notices,
            ..Document::default()
        }
    }
}

/// Whether a label is one that ordered lists of Markdown have.
fn is_ordered(label: &str) -> bool {
    let digits = label.trim_end_matches(['.', ')']);
    label.len() == digits.len() + 1
        && digits.len() <= 9
        && digits.bytes().all(|b| b.is_ascii_digit())
        && !digits.is_empty()
}

/// Escapes what would make Markdown structure of the start of a line.
fn escape_start(line: &str) -> String {
    let after = |n: usize| line[n..].chars().next().is_none_or(|c| c == ' ');
    let run = |sign: char| line.len() - line.trim_start_matches(sign).len();
    let only = |sign: char| line.chars().all(|c| c == sign || c == ' ');
    let escape = match line.chars().next() {
        Some('#') => run('#') <= 6 && after(run('#')),
        Some(sign @ ('-' | '+' | '*')) => after(1) || only(sign),
        Some(sign @ ('_' | '=')) => only(sign),
        Some('>' | '|') => true,
        Some('`') => line.starts_with("```"),
        Some('~') => line.starts_with("~~~"),
        Some(':') => line.starts_with(":::") || only(':'),
        Some('<') => line[1..].starts_with(|c: char| c.is_ascii_alphabetic() || "/!?>".contains(c)),
        _ => false,
    };
    if escape {
        return format!("\\{line}");
    }
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if (1..=9).contains(&digits) && line[digits..].starts_with(['.', ')']) && after(digits + 1) {
        return format!("{}\\{}", &line[..digits], &line[digits..]);
    }
    line.to_owned()
}
