//! Evidence for columns of running text or for the rows of a table, where lines stand side by side.
//!
//! The cells of a row begin together and end before the next row begins. Columns of text go their own ways: where
//! one begins a paragraph, its neighbour is in the middle of a sentence.

use super::flow::{self, Step};
use super::line::Line;
use super::metrics::{MIN_ROWS, SAME_ROW};

/// Share of the rows that must begin in several columns at once.
const TOGETHER: f32 = 0.5;
/// Share of the rows that may begin beside a line that runs on, as centred cells do.
const BESIDE: f32 = 0.25;
/// Lines of the longest rows of a table without rulings, on average.
const MAX_LINES: f32 = 6.0;
/// Sentences that continue over a line's end from which text is running.
const RUNNING: usize = 2;

/// What the lines of neighbouring columns say together.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Evidence {
    /// Rows in which a line begins something.
    begun: usize,
    /// Those in which lines of several columns do.
    together: usize,
    /// Those beside which a line of another column runs on.
    beside: usize,
    /// Lines that run on with the sentence above them.
    running: usize,
    /// All rows.
    rows: usize,
    /// Texts side by side: rows that begin something and run on in several columns, and how many lines those fill.
    texts: usize,
    filled: usize,
    /// Lines that open with the mark of a list.
    items: usize,
    lines: usize,
}

/// The lines from one beginning to the next.
#[derive(Default)]
struct Text {
    lines: usize,
    /// Whether lines of several columns run on side by side.
    beside: bool,
}

impl Evidence {
    /// What `columns` say, each with its lines from top to bottom.
    pub(super) fn of(columns: &[Vec<&Line>]) -> Self {
        let mut all: Vec<(&Line, usize, Step)> = Vec::new();
        for (column, lines) in columns.iter().enumerate() {
            all.extend(lines.iter().zip(flow::steps(lines)).map(|(line, step)| (*line, column, step)));
        }
        all.sort_by(|a, b| a.0.baseline().total_cmp(&b.0.baseline()));
        let mut out = Self::default();
        let (mut start, mut text) = (0, Text::default());
        while start < all.len() {
            let first = all[start].0;
            let reach = first.baseline() + SAME_ROW * first.size();
            let end = start + all[start..].partition_point(|(line, ..)| line.baseline() <= reach);
            let row = &all[start..end];
            if row.iter().any(|(.., step)| *step == Step::Begins) {
                out.add_text(std::mem::take(&mut text));
            }
            text.lines += 1;
            text.beside |= row.iter().filter(|(.., step)| *step == Step::RunsOn).count() > 1;
            out.add(row);
            start = end;
        }
        out.add_text(text);
        out
    }

    fn add(&mut self, row: &[(&Line, usize, Step)]) {
        let count = |step: Step| row.iter().filter(|(.., own)| *own == step).count();
        let (begins, runs) = (count(Step::Begins), count(Step::RunsOn));
        self.rows += 1;
        self.lines += row.len();
        self.running += runs;
        self.items += row.iter().filter(|(line, ..)| flow::begins_item(line)).count();
        self.begun += usize::from(begins > 0);
        self.together += usize::from(begins > 1);
        self.beside += usize::from(begins > 0 && runs > 0);
    }

    fn add_text(&mut self, text: Text) {
        if text.beside {
            self.texts += 1;
            self.filled += text.lines;
        }
    }

    /// Whether the lines can be the rows of a table.
    pub(super) fn allows_table(&self) -> bool {
        let begun = self.begun as f32;
        self.begun >= MIN_ROWS
            && self.together as f32 >= TOGETHER * begun
            && self.beside as f32 <= BESIDE * begun
            && self.rows as f32 <= MAX_LINES * begun
            && self.items * 3 <= self.lines
            && !self.is_cards()
    }

    /// How many rows of a table the lines can be.
    pub(super) fn rows_of_table(&self) -> usize {
        if self.allows_table() { self.together } else { 0 }
    }

    /// Whether the lines are cards side by side: names and the like over texts that fill most lines. Where such texts
    /// stand in a table, most of its rows are texts.
    fn is_cards(&self) -> bool {
        self.filled * 2 > self.rows && self.texts * 2 < self.begun
    }

    /// Whether sentences continue over the ends of lines.
    pub(super) fn is_running(&self) -> bool {
        self.running >= RUNNING
    }

    /// Whether the lines are columns that are read one after the other.
    pub(super) fn speaks_for_columns(&self) -> bool {
        !self.allows_table() && (self.is_running() || self.items * 3 > self.lines)
    }
}
