//! Blocks become Markdown, with the place of every line.

use super::block::{Block, Form};
use super::geometry::Rect;
use super::hyphen::{Lexicon, Seam};
use super::line::Line;
use super::list::Mark;
use super::page_break::Paged;
use super::sideways::Sideways;
use super::table::{Cell, Part, Table};
use super::word::is_numeric;
use crate::document::{self, Page, Segment, Span};

/// The text as it grows.
pub(super) struct Emitter<'l> {
    pub(super) text: String,
    pub(super) segments: Vec<Segment>,
    pub(super) pages: Vec<Page>,
    /// Figures, key figures and entries of contents, which Markdown does not tell from paragraphs.
    pub(super) figures: Vec<(Span, document::BlockKind)>,
    lexicon: &'l Lexicon,
    page: u32,
    /// How the pages so far lie that are on their sides.
    lies: Vec<Option<Sideways>>,
    /// Widths of the marks of the list items that are open, outermost first.
    marks: Vec<usize>,
    /// The blocks of the last page that stand behind a paragraph which the next page continues.
    behind: Vec<Block>,
    /// The last row of the last table, with which a later part of it may continue.
    row: Option<OpenRow>,
}

/// A row of a table that the next page may continue with.
struct OpenRow {
    /// Where its text begins.
    start: usize,
    /// Segments before it.
    segments: usize,
    /// The lines of each cell, each with its page.
    cells: Vec<Vec<(u32, Line)>>,
}

impl<'l> Emitter<'l> {
    pub(super) fn new(lexicon: &'l Lexicon) -> Self {
        Self {
            text: String::new(),
            segments: Vec::new(),
            pages: Vec::new(),
            figures: Vec::new(),
            lexicon,
            page: 0,
            lies: Vec::new(),
            marks: Vec::new(),
            behind: Vec::new(),
            row: None,
        }
    }

    /// Adds a page of `size`, its width and height in points as it is filed; `lies` where its blocks were turned upright.
    pub(super) fn page(
        &mut self,
        label: Option<String>,
        size: (f32, f32),
        lies: Option<Sideways>,
        regions: &[Rect],
        page: &Paged,
    ) {
        self.page += 1;
        self.lies.push(lies);
        let before = self.text.len();
        let mut start = None;
        self.marks.clear();
        let (mut blocks, behind) = page.blocks.split_at(page.blocks.len() - page.behind);
        if let Some((first, rest)) = blocks.split_first().filter(|_| page.continues) {
            start = Some(self.rest_of_paragraph(first));
            blocks = rest;
        }
        for block in blocks {
            let from = self.placed(block);
            start = start.or(from);
        }
        self.behind = behind.to_vec();
        let start = start.unwrap_or(before);
        let span = Span::new(start.min(self.text.len()), self.text.len());
        let filed = |rect: &Rect| lies.map_or(*rect, |lies| lies.filed(rect));
        let regions = regions.iter().map(|rect| filed(rect).corners()).collect();
        self.pages.push(Page { number: self.page, label, span, size: Some(size), regions });
    }

    /// Adds a block; gives the start of its text, where it has some.
    fn placed(&mut self, block: &Block) -> Option<usize> {
        let separator = match block.kind {
            Form::Item { .. } if !self.marks.is_empty() => "\n",
            _ => "\n\n",
        };
        if let Form::Table(table) = &block.kind
            && let Part::Later { within } = table.part
        {
            return Some(self.later_part(table, within));
        }
        let held = self.text.len();
        if !self.text.is_empty() {
            self.text.push_str(separator);
        }
        let from = self.text.len();
        self.block(block);
        if self.text[from..].trim().is_empty() {
            self.text.truncate(held);
            return None;
        }
        let span = Span::new(from, self.text.len());
        self.figures.extend(figure(&block.kind).map(|kind| (span, kind)));
        Some(from)
    }

    /// Adds the rest of the last paragraph of the page before, then what stands behind that paragraph there; gives the
    /// start of the text on this page. The spans of both pages overlap where something stands behind.
    fn rest_of_paragraph(&mut self, block: &Block) -> usize {
        let (page, known) = (self.page, self.segments.len());
        let begin = self.pages.last().map_or(0, |before| before.span.start);
        self.lines_from(begin, block.lines.iter().map(|line| (page, line)), Setting::Inside);
        let start = self.segments.get(known).map_or(self.text.len(), |line| line.span.start);
        let mut end = self.segments[..known].last().map_or(start, |line| line.span.end);
        let behind = std::mem::take(&mut self.behind);
        if !behind.is_empty() {
            self.page = page - 1;
            for block in &behind {
                self.placed(block);
            }
            self.page = page;
            self.marks.clear();
            end = self.text.len();
        }
        if let Some(before) = self.pages.last_mut() {
            before.span.end = end;
        }
        start
    }

    fn block(&mut self, block: &Block) {
        if !matches!(block.kind, Form::Item { .. }) {
            self.marks.clear();
        }
        match &block.kind {
            Form::Heading(level) => {
                let level = usize::from(level.unwrap_or(1).clamp(1, 6));
                self.text.push_str(&"#".repeat(level));
                self.text.push(' ');
                self.lines(&block.lines, Setting::Heading);
            }
            Form::Paragraph => self.lines(&block.lines, Setting::Start),
            Form::Figure | Form::KeyFigure | Form::Contents => {
                self.lines(&block.lines, Setting::Start);
            }
            Form::Item { mark, depth } => self.item(mark, usize::from(*depth), &block.lines),
            Form::Table(table) => self.table(table),
        }
    }

    fn item(&mut self, mark: &Mark, depth: usize, lines: &[Line]) {
        let shown = match mark {
            Mark::Bullet if lines.is_empty() => return,
            Mark::Bullet => "- ".to_owned(),
            Mark::Number(number) => format!("{number} "),
            Mark::Label(label) if super::list::mark(label, false).is_none() => {
                // A paragraph number such as `1.2`: no list of Markdown has it.
                self.marks.clear();
                self.text.push_str(&escape_start(label));
                self.text.push(' ');
                self.lines(lines, Setting::Inside);
                return;
            }
            Mark::Label(label) => format!("- {label} "),
        };
        self.marks.truncate(depth);
        let indent: usize = self.marks.iter().sum();
        self.text.push_str(&" ".repeat(indent));
        self.text.push_str(&shown);
        self.marks.push(if matches!(mark, Mark::Number(_)) { shown.len() } else { 2 });
        self.lines(lines, if matches!(mark, Mark::Label(_)) { Setting::Inside } else { Setting::Start });
    }

    fn table(&mut self, table: &Table) {
        let width = table.width();
        let mut rows = table.rows.iter();
        match rows.next().filter(|_| table.header) {
            Some(header) => self.row(header),
            None => {
                rows = table.rows.iter();
                self.text.push_str(&"|  ".repeat(width));
                self.text.push('|');
            }
        }
        self.text.push('\n');
        self.text.push_str(&"| --- ".repeat(width));
        self.text.push('|');
        for row in rows {
            self.text.push('\n');
            self.row(row);
        }
    }

    fn row(&mut self, cells: &[Cell]) {
        let page = self.page;
        let open = OpenRow {
            start: self.text.len(),
            segments: self.segments.len(),
            cells: cells.iter().map(|cell| cell.iter().map(|line| (page, line.clone())).collect()).collect(),
        };
        self.open_row(open);
    }

    fn open_row(&mut self, row: OpenRow) {
        for cell in &row.cells {
            self.text.push_str("| ");
            self.lines_from(self.text.len(), cell.iter().map(|(page, line)| (*page, line)), Setting::Cell);
            if !self.text.ends_with(' ') {
                self.text.push(' ');
            }
        }
        self.text.push('|');
        self.row = Some(row);
    }

    /// Adds the rows that a table has on this page to those that stand before them; gives the start of its text here.
    fn later_part(&mut self, table: &Table, within: bool) -> usize {
        let mut rows = table.rows.as_slice();
        let mut start = None;
        if let Some(open) = self.row.take_if(|_| within)
            && let Some((first, rest)) = rows.split_first()
        {
            start = self.go_on(open, first);
            rows = rest;
        }
        for row in rows {
            self.text.push('\n');
            start.get_or_insert(self.text.len());
            self.row(row);
        }
        start.unwrap_or(self.text.len())
    }

    /// Writes the row `open` again, with the lines that its cells have on this page; gives the start of the first of
    /// these. The text of both pages is then mixed in it, so that their spans overlap.
    fn go_on(&mut self, mut open: OpenRow, more: &[Cell]) -> Option<usize> {
        for (cell, lines) in open.cells.iter_mut().zip(more) {
            cell.extend(lines.iter().map(|line| (self.page, line.clone())));
        }
        let (begin, known) = (open.start, open.segments);
        self.text.truncate(begin);
        self.segments.truncate(known);
        self.open_row(open);
        let row = &self.segments[known..];
        let on = |page: u32| row.iter().filter(move |line| line.page == Some(page)).map(|line| line.span);
        let mut before = Span::new(0, 0);
        for page in &mut self.pages {
            if page.span.end > begin {
                let last = on(page.number).next_back().map_or(begin, |span| span.end);
                let first = on(page.number).next().map_or(begin, |span| span.start);
                let start = if page.span.start > begin { first } else { page.span.start };
                page.span = Span::new(start.max(before.start), last.max(before.end));
            }
            before = page.span;
        }
        on(self.page).next().map(|span| span.start.max(before.start))
    }

    /// Adds lines as one line of text, words broken between them mended.
    fn lines(&mut self, lines: &[Line], place: Setting) {
        let page = self.page;
        self.lines_from(self.text.len(), lines.iter().map(|line| (page, line)), place);
        if place == Setting::Heading && self.text.ends_with('#') {
            // A closing run of number signs would be taken for part of the mark.
            let at = self.text.len() - 1;
            self.text.insert(at, '\\');
            if let Some(last) = self.segments.last_mut() {
                last.span.end = self.text.len();
            }
        }
    }

    /// Adds lines, each with its page, to the text that begins at `start`.
    fn lines_from<'a>(&mut self, start: usize, lines: impl Iterator<Item = (u32, &'a Line)>, place: Setting) {
        let mut last_numeric = false;
        for (page, line) in lines {
            let raw = tidy(&line.text());
            let text = raw.trim();
            // A leader on a line of its own says nothing.
            if text.chars().all(|c| c == '…' || c == ' ') {
                continue;
            }
            let numeric = is_numeric(text);
            if self.text.len() > start {
                match self.lexicon.seam(&self.text[start..], text) {
                    Seam::Drop => self.drop_last(),
                    Seam::Keep => self.harden_last(),
                    Seam::Close => {}
                    // Two numbers below each other in a cell must not read as one.
                    Seam::Space if place == Setting::Cell && numeric && last_numeric => {
                        self.text.push_str("<br>")
                    }
                    Seam::Space => self.text.push(' '),
                }
            }
            last_numeric = numeric;
            let from = self.text.len();
            let text = inner_hyphens(text);
            match place {
                Setting::Cell => self.text.push_str(&text.replace('|', "\\|")),
                Setting::Start if from == start => self.text.push_str(&escape_start(&text)),
                _ => self.text.push_str(&text),
            }
            let lies = self.lies.get(page as usize - 1).copied().flatten();
            let rect = lies.map_or(line.rect, |lies| lies.filed(&line.rect));
            self.segments.push(Segment {
                span: Span::new(from, self.text.len()),
                source: None,
                page: Some(page),
                rect: Some(rect.to_array()),
            });
        }
        self.harden_last();
    }

    /// Removes the hyphen at the end.
    fn drop_last(&mut self) {
        self.text.pop();
        if let Some(last) = self.segments.last_mut() {
            last.span.end = self.text.len();
        }
    }

    /// A soft hyphen that stays at the end is a hyphen.
    fn harden_last(&mut self) {
        if self.text.ends_with('\u{AD}') {
            self.text.pop();
            self.text.push('-');
            if let Some(last) = self.segments.last_mut() {
                last.span.end = self.text.len();
            }
        }
    }
}

/// What a block is that Markdown does not tell from a paragraph.
fn figure(kind: &Form) -> Option<document::BlockKind> {
    match kind {
        Form::KeyFigure => Some(document::BlockKind::KeyFigure),
        Form::Figure => Some(document::BlockKind::Figure),
        Form::Contents => Some(document::BlockKind::Contents),
        _ => None,
    }
}

/// Where lines stand, which decides what must be escaped in them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Setting {
    /// At the start of a block.
    Start,
    /// After something that already begins the line.
    Inside,
    Heading,
    Cell,
}

/// A soft hyphen inside a line was drawn, so it is a hyphen; at its end it waits for the next line.
fn inner_hyphens(text: &str) -> String {
    let body = text.trim_end_matches('\u{AD}');
    if !body.contains('\u{AD}') {
        return text.to_owned();
    }
    format!("{}{}", body.replace('\u{AD}', "-"), &text[body.len()..])
}

/// Dots of a leader from which it is drawn together to one sign.
const LEADER: usize = 4;

/// Draws the dot leaders of a table of contents together.
fn tidy(text: &str) -> String {
    if !text.contains("..") && !text.contains(". .") && !text.contains("……") {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut run = String::new();
    let flush = |run: &mut String, out: &mut String| {
        let dots = run.chars().filter(|c| *c == '.').count() + 3 * run.chars().filter(|c| *c == '…').count();
        if dots >= LEADER {
            out.truncate(out.trim_end().len());
            out.push_str(" … ");
        } else {
            out.push_str(run);
        }
        run.clear();
    };
    for c in text.chars() {
        if c == '.' || c == '…' || (c == ' ' && !run.is_empty()) {
            run.push(c);
        } else {
            flush(&mut run, &mut out);
            out.push(c);
        }
    }
    flush(&mut run, &mut out);
    out
}

/// Escapes what would make Markdown structure of the start of a line.
fn escape_start(text: &str) -> String {
    let first = text.chars().next();
    let marks = text.len() - text.trim_start_matches('#').len();
    let after = |n: usize| text[n..].chars().next().is_none_or(|c| c == ' ');
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rule = |sign: char| text.chars().all(|c| c == sign || c == ' ') && text.matches(sign).count() >= 3;
    let escape_first = match first {
        Some('#') => marks <= 6 && after(marks),
        Some('-' | '+' | '*') => after(1) || rule('-') || rule('*'),
        Some('_') => rule('_'),
        Some('=') => rule('='),
        Some('>') => true,
        Some('|') => true,
        Some('`') => text.starts_with("```"),
        Some('~') => text.starts_with("~~~"),
        Some(':') => text.starts_with(":::"),
        Some('<') => text[1..].starts_with(|c: char| c.is_ascii_alphabetic() || "/!?".contains(c)),
        _ => false,
    };
    if escape_first {
        return format!("\\{text}");
    }
    if (1..=9).contains(&digits) && text[digits..].starts_with(['.', ')']) && after(digits + 1) {
        return format!("{}\\{}", &text[..digits], &text[digits..]);
    }
    text.to_owned()
}
