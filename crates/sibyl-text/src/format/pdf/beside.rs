//! What shows that lines side by side belong to columns of their own, whatever heights they stand at.
//!
//! A line of running text goes on in the next line of its column, and a row of a table holds no part of a sentence.
//! Rows of cells at heights at which the other side of a gutter has nothing belong to a table of their own.

use super::flow::{self, Step};
use super::geometry::Rect;
use super::line::Line;
use super::metrics::SAME_ROW;
use super::thing::{Thing, columns};

/// Lines that a sentence must run past: a cell stands beside no more than one row, and at times beside its header.
const PAST: usize = 3;
/// The same where the sentence begins above the table or ends below it.
const TORN: usize = 1;
/// Line ends over which the sentences of running text go on, and words of its lines on average.
const RUNNING: usize = 2;
const WORDS: usize = 4;
/// Fewest rows of several cells on either side that alternate with those of the other: fewer make no table.
const ALTERNATING: usize = 3;
/// Share of them that may stand at the height of a line of the other side by chance.
const MEETING: f32 = 0.25;

/// Whether the sides of a gutter belong to columns of their own although they look like one `table`. Either text on
/// one side runs past several lines on the other that begin something, or the rows of the sides stand at different
/// heights.
pub(super) fn parts_table(left: &[&Thing], right: &[&Thing], table: &Rect) -> bool {
    let (left_rows, right_rows) = (within(left, table), within(right, table));
    if alternate(&left_rows, &right_rows) {
        return true;
    }
    let (to_left, to_right) = (columns(left).pop(), columns(right).into_iter().next());
    to_left.is_some_and(|text| runs_past(&text, &columns(&right_rows), table))
        || to_right.is_some_and(|text| runs_past(&text, &columns(&left_rows), table))
}

/// Those of things that stand at the height of a table.
fn within<'t>(things: &[&'t Thing], table: &Rect) -> Vec<&'t Thing> {
    things.iter().copied().filter(|thing| is_within(&thing.rect, table)).collect()
}

fn is_within(rect: &Rect, table: &Rect) -> bool {
    (table.top..=table.bottom).contains(&rect.center().1)
}

/// Whether a sentence of the column `text` stands beside several lines of the columns `others` that begin something in
/// what looks like a `table`.
fn runs_past(text: &[&Line], others: &[Vec<&Line>], table: &Rect) -> bool {
    let steps = flow::steps(text);
    let size = text.first().map_or(0.0, |line| line.size());
    let mut starts: Vec<f32> = Vec::new();
    for column in others {
        let begins = column.iter().zip(flow::steps(column)).filter(|(_, step)| *step == Step::Begins);
        starts.extend(begins.map(|(line, _)| line.baseline()));
    }
    starts.sort_by(f32::total_cmp);
    starts.dedup_by(|next, at| *next - *at < SAME_ROW * size);
    let mut start = 0;
    while start < text.len() {
        let end = start + 1 + steps[start + 1..].iter().take_while(|step| **step == Step::RunsOn).count();
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
    // The last line is as long as what is left.
    let full = lines.len().saturating_sub(1);
    let words: usize = lines[..full].iter().map(|line| line.words.len()).sum();
    running >= RUNNING && words >= WORDS * full
}

/// Whether rows of several cells on two sides stand at heights at which the other side has nothing.
pub(super) fn alternate(left: &[&Thing], right: &[&Thing]) -> bool {
    let (left, right) = (rows(left), rows(right));
    let apart = |own: &[Row], others: &[Row]| {
        let mut tables = others.iter().filter(|row| row.cells > 1);
        let Some(first) = tables.next() else { return false };
        let last = tables.next_back().unwrap_or(first);
        let beside = own.iter().filter(|row| {
            row.cells > 1 && (first.baseline - row.size..=last.baseline + row.size).contains(&row.baseline)
        });
        let meets = |row: &Row| {
            let near = others.partition_point(|other| other.baseline < row.baseline - SAME_ROW * row.size);
            others.get(near).is_some_and(|other| other.baseline <= row.baseline + SAME_ROW * row.size)
        };
        let (all, meeting) =
            beside.fold((0, 0), |(all, meeting), row| (all + 1, meeting + usize::from(meets(row))));
        all >= ALTERNATING && meeting as f32 <= MEETING * all as f32
    };
    apart(&left, &right) && apart(&right, &left)
}

/// Lines at one height.
struct Row {
    baseline: f32,
    size: f32,
    cells: usize,
}

/// The rows of things, from top to bottom.
fn rows(things: &[&Thing]) -> Vec<Row> {
    let mut lines: Vec<&Line> = things.iter().filter_map(|thing| thing.level()).collect();
    lines.sort_by(|a, b| a.baseline().total_cmp(&b.baseline()));
    let same = |a: &&Line, b: &&Line| b.baseline() - a.baseline() <= SAME_ROW * a.size();
    let row =
        |cells: &[&Line]| Row { baseline: cells[0].baseline(), size: cells[0].size(), cells: cells.len() };
    lines.chunk_by(same).map(row).collect()
}
