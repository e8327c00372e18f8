//! What shows that lines side by side belong to columns of their own, whatever heights they stand at.
//!
//! A line of running text goes on in the next line of its column, and a row of a table holds no part of a sentence.
//! Rows of cells whose baselines never meet belong to two tables.

use super::flow::{self, Step};
use super::geometry::Rect;
use super::line::Line;
use super::region::{Thing, columns};

/// Distance of baselines up to which lines stand in one row (in letter sizes).
const SAME_ROW: f32 = 0.45;
/// Lines that a paragraph must run past: a cell stands beside no more than one row, and at times beside its header.
const PAST: usize = 3;
/// The same where the paragraph begins above the table or ends below it.
const TORN: usize = 2;
/// Line ends over which the sentences of running text go on, and words of its lines on average.
const RUNNING: usize = 2;
const WORDS: usize = 4;
/// Rows of several cells on either side that alternate.
const ALTERNATING: usize = 2;

/// Whether the sides of a gutter belong to columns of their own where they look like one `table`: text on one side
/// goes on past several lines on the other that begin something, or the rows of the sides stand at different heights.
pub(super) fn parts_table(left: &[&Thing], right: &[&Thing], table: &Rect) -> bool {
    let (left_rows, right_rows) = (within(left, table), within(right, table));
    if alternate(&left_rows, &right_rows) {
        return true;
    }
    let to_left = columns(left).pop().unwrap_or_default();
    let to_right = columns(right).into_iter().next().unwrap_or_default();
    let rows_left = columns(&left_rows).pop().unwrap_or_default();
    let rows_right = columns(&right_rows).into_iter().next().unwrap_or_default();
    runs_past(&to_left, &rows_right, table) || runs_past(&to_right, &rows_left, table)
}

/// Those of things that stand at the height of a table.
fn within<'t>(things: &[&'t Thing], table: &Rect) -> Vec<&'t Thing> {
    things.iter().copied().filter(|thing| is_within(&thing.rect, table)).collect()
}

fn is_within(rect: &Rect, table: &Rect) -> bool {
    (table.top..=table.bottom).contains(&rect.center().1)
}

/// Whether a paragraph of the column `text` stands beside several lines of the column `other` that begin something in
/// what looks like a `table`.
fn runs_past(text: &[&Line], other: &[&Line], table: &Rect) -> bool {
    let steps = flow::steps(text);
    let size = text.first().map_or(0.0, |line| line.size());
    let begins = other.iter().zip(flow::steps(other)).filter(|(_, step)| *step == Step::Begins);
    let mut starts: Vec<f32> = begins.map(|(line, _)| line.baseline()).collect();
    starts.sort_by(f32::total_cmp);
    starts.dedup_by(|next, at| *next - *at < SAME_ROW * size);
    let mut start = 0;
    while start < text.len() {
        let end = start + 1 + steps[start + 1..].iter().take_while(|step| **step != Step::Begins).count();
        let (lines, own) = (&text[start..end], &steps[start..end]);
        start = end;
        if !is_text(lines, own) {
            continue;
        }
        let (first, last) = (lines[0], lines[lines.len() - 1]);
        let top = first.baseline() - SAME_ROW * first.size();
        let bottom = last.baseline() + SAME_ROW * last.size();
        let past = starts.partition_point(|at| *at <= bottom) - starts.partition_point(|at| *at < top);
        // No table begins or ends within a sentence.
        let torn = !is_within(&first.rect, table) || !is_within(&last.rect, table);
        if past >= if torn { TORN } else { PAST } {
            return true;
        }
    }
    false
}

/// Whether lines below each other, which follow each other in `steps`, are running text.
pub(super) fn is_text(lines: &[&Line], steps: &[Step]) -> bool {
    let running = steps.iter().filter(|step| **step == Step::RunsOn).count();
    let words: usize = lines.iter().map(|line| line.words.len()).sum();
    running >= RUNNING && words >= WORDS * lines.len()
}

/// Whether the rows of several cells on two sides stand at different heights.
pub(super) fn alternate(left: &[&Thing], right: &[&Thing]) -> bool {
    let (left, right) = (rows(left), rows(right));
    // Those of `own` beside which the other side has rows as well; `None` where a row of it stands at the same height.
    let beside = |own: &[Row], others: &[Row]| -> Option<usize> {
        let (top, bottom) = (others.first()?.baseline, others.last()?.baseline);
        let inside = || own.iter().filter(|row| (top - row.size..=bottom + row.size).contains(&row.baseline));
        let meets = |row: &Row| {
            let near = others.partition_point(|other| other.baseline < row.baseline - SAME_ROW * row.size);
            others.get(near).is_some_and(|other| other.baseline <= row.baseline + SAME_ROW * row.size)
        };
        (!inside().any(meets)).then(|| inside().count())
    };
    let enough = |rows: Option<usize>| rows.is_some_and(|rows| rows >= ALTERNATING);
    enough(beside(&left, &right)) && enough(beside(&right, &left))
}

/// A row of several cells.
struct Row {
    baseline: f32,
    size: f32,
}

/// The rows of several cells among things.
fn rows(things: &[&Thing]) -> Vec<Row> {
    let lines = things.iter().filter_map(|thing| thing.level());
    let mut all: Vec<Row> = lines.map(|line| Row { baseline: line.baseline(), size: line.size() }).collect();
    all.sort_by(|a, b| a.baseline.total_cmp(&b.baseline));
    let same = |a: &Row, b: &Row| b.baseline - a.baseline <= SAME_ROW * a.size;
    let rows = all.chunk_by(same).filter(|cells| cells.len() > 1);
    rows.map(|cells| Row { baseline: cells[0].baseline, size: cells[0].size }).collect()
}
