//! Blocks become Markdown, with the place of every line.

use super::block::{Block, BlockKind};
use super::hyphen::{Lexicon, Seam};
use super::line::Line;
use super::list::Mark;
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
    /// Widths of the marks of the list items that are open, outermost first.
    marks: Vec<usize>,
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
            marks: Vec::new(),
        }
    }

    /// Adds a page. `size` is its width and height in points.
    pub(super) fn page(&mut self, label: Option<String>, size: (f32, f32), blocks: &[Block]) {
        self.page += 1;
        let before = self.text.len();
        let mut start = None;
        self.marks.clear();
        for block in blocks {
            let separator = match block.kind {
                BlockKind::Item { .. } if !self.marks.is_empty() => "\n",
                _ => "\n\n",
            };
            if let BlockKind::Table(table) = &block.kind
                && let Part::Later { cut } = table.part
            {
                start = Some(self.later_part(table, cut));
                continue;
            }
            let held = self.text.len();
            if !self.text.is_empty() {
                self.text.push_str(separator);
            }
            let from = self.text.len();
            self.block(block);
            if self.text[from..].trim().is_empty() {
                self.text.truncate(held);
            } else {
                start.get_or_insert(from);
                let span = Span::new(from, self.text.len());
                self.figures.extend(figure(&block.kind).map(|kind| (span, kind)));
            }
        }
        let start = start.unwrap_or(before);
        let span = Span::new(start.min(self.text.len()), self.text.len());
        self.pages.push(Page { number: self.page, label, span, size: Some(size) });
    }

    fn block(&mut self, block: &Block) {
        if !matches!(block.kind, BlockKind::Item { .. }) {
            self.marks.clear();
        }
        match &block.kind {
            BlockKind::Heading(level) => {
                let level = usize::from(level.unwrap_or(1).clamp(1, 6));
                self.text.push_str(&"#".repeat(level));
                self.text.push(' ');
                self.lines(&block.lines, Setting::Heading);
            }
            BlockKind::Paragraph => self.lines(&block.lines, Setting::Start),
            BlockKind::Figure | BlockKind::KeyFigure | BlockKind::Contents => {
                self.lines(&block.lines, Setting::Start);
            }
            BlockKind::Item { mark, depth } => self.item(mark, usize::from(*depth), &block.lines),
            BlockKind::Table(table) => self.table(table),
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
        for cell in cells {
            self.text.push_str("| ");
            self.lines(cell, Setting::Cell);
            if !self.text.ends_with(' ') {
                self.text.push(' ');
            }
        }
        self.text.push('|');
    }

    /// Adds the rows that a table has on this page to those that stand before them; gives the start of its text here.
    fn later_part(&mut self, table: &Table, cut: Option<usize>) -> usize {
        let mut rows = table.rows.iter();
        let mut start = None;
        if let Some(cut) = cut
            && let Some(row) = rows.next()
            && let Some(end) = self.segments.last().map(|last| last.span.end)
        {
            // The empty cells behind the one that is cut come after the rest of its text.
            let behind = self.text.split_off(end);
            let known = self.segments.len();
            let from = self.segments[known - 1].span.start;
            self.lines_from(from, &row[cut], Setting::Cell);
            if let Some(page) = self.pages.last_mut() {
                page.span.end = self.segments[known - 1].span.end;
            }
            start = self.segments.get(known).map(|first| first.span.start);
            self.text.push_str(&behind);
        }
        for row in rows {
            self.text.push('\n');
            start.get_or_insert(self.text.len());
            self.row(row);
        }
        start.unwrap_or(self.text.len())
    }

    /// Adds lines as one line of text, words broken between them mended.
    fn lines(&mut self, lines: &[Line], place: Setting) {
        self.lines_from(self.text.len(), lines, place);
    }

    /// Adds lines to the text that begins at `start`.
    fn lines_from(&mut self, start: usize, lines: &[Line], place: Setting) {
        let mut last_numeric = false;
        for line in lines {
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
            self.segments.push(Segment {
                span: Span::new(from, self.text.len()),
                source: None,
                page: Some(self.page),
                rect: Some(line.rect.to_array()),
            });
        }
        self.harden_last();
        if place == Setting::Heading && self.text.ends_with('#') {
            // A closing run of number signs would be taken for part of the mark.
            let at = self.text.len() - 1;
            self.text.insert(at, '\\');
            if let Some(last) = self.segments.last_mut() {
                last.span.end = self.text.len();
            }
        }
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
fn figure(kind: &BlockKind) -> Option<document::BlockKind> {
    match kind {
        BlockKind::KeyFigure => Some(document::BlockKind::KeyFigure),
        BlockKind::Figure => Some(document::BlockKind::Figure),
        BlockKind::Contents => Some(document::BlockKind::Contents),
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
