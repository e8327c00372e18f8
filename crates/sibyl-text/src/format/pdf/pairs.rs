//! Lists of labels with what each stands for beside it: tables of pairs, also where several stand side by side.

use super::columns::Taken;
use super::geometry::{Rect, bounds};
use super::line::Line;
use super::list::{self, Mark};
use super::metrics::{EDGE, LEVEL};
use super::table::{Cell, Table};
use super::thing::STEP;

/// Fewest pairs.
const MIN_PAIRS: usize = 2;
/// Words of the longest label and the longest value.
const LABEL: usize = 8;
const VALUE: usize = 8;
/// Share of its height that two lists side by side have in common.
const BESIDE: f32 = 0.5;

/// Takes such tables out of the fragments of a region, each with the number of its row.
pub(super) fn take(fragments: Vec<(usize, Line)>) -> Taken {
    let mut left: Vec<Option<(usize, Line)>> = fragments.into_iter().map(Some).collect();
    let mut tables = Vec::new();
    for first in 0..left.len() {
        let Some(pairs) = pairs(&left, first) else { continue };
        let mut rows: Vec<Vec<Cell>> = Vec::new();
        for (at, &(label, value)) in pairs.iter().enumerate() {
            let next = pairs.get(at + 1).map(|(label, _)| *label);
            let lines = further(&left, value, next);
            let mut take = |at: usize| left[at].take().map(|(_, line)| line);
            let label: Cell = take(label).map(unmarked).into_iter().collect();
            rows.push(vec![label, std::iter::once(value).chain(lines).filter_map(take).collect()]);
        }
        let table = Table::new(rows, false);
        if let Some(rect) = bounds(table.rows.iter().flatten().flatten().map(|line| &line.rect)) {
            tables.push((table, rect));
        }
    }
    // Lists side by side are read one after the other where they stand, before what follows below.
    let places: Vec<_> = tables.iter().map(|(_, rect)| *rect).collect();
    for (_, rect) in &mut tables {
        let beside = |other: &&Rect| other.overlap_y(rect) > BESIDE * other.height().min(rect.height());
        *rect = bounds(places.iter().filter(beside)).unwrap_or(*rect);
    }
    (tables, left.into_iter().flatten().collect())
}

/// The labels and values, by their places, of the list whose first item is `first`.
fn pairs(lines: &[Option<(usize, Line)>], first: usize) -> Option<Vec<(usize, usize)>> {
    let line = |at: usize| lines[at].as_ref().map(|(_, line)| line);
    let start = line(first).filter(|line| is_item(line))?;
    let value = value(lines, first)?;
    let edge = line(value)?.rect.left;
    let mut out = vec![(first, value)];
    let mut last = start;
    for at in first + 1..lines.len() {
        let Some(next) = line(at) else { continue };
        let below = next.baseline() > last.baseline() + LEVEL * last.size();
        let in_list = (next.rect.left - start.rect.left).abs() <= EDGE;
        if !below || !in_list {
            // Another line below that begins where the labels do, or between them and the values, ends the list.
            if below && next.rect.left < edge - EDGE && next.rect.right > start.rect.left && !in_list {
                break;
            }
            continue;
        }
        if !is_item(next) || next.baseline() - last.baseline() > 2.0 * STEP * last.size() {
            break;
        }
        let in_line =
            |beside: &usize| line(*beside).is_some_and(|value| (value.rect.left - edge).abs() <= EDGE);
        let beside = self::value(lines, at).filter(in_line)?;
        out.push((at, beside));
        last = next;
    }
    (out.len() >= MIN_PAIRS).then_some(out)
}

/// Whether a line is a short item of a list with a bullet.
fn is_item(line: &Line) -> bool {
    let [mark, first, ..] = line.words.as_slice() else { return false };
    line.words.len() <= LABEL + 1
        && first.spaced
        && matches!(list::mark(&mark.text, mark.fixed), Some(Mark::Bullet))
        && !line.words.last().is_some_and(|word| word.text.ends_with(['.', ';', ',']))
}

/// The line that stands next to the right of item `at`, on its baseline, if that is no item.
fn value(lines: &[Option<(usize, Line)>], at: usize) -> Option<usize> {
    let (row, label) = lines[at].as_ref()?;
    let beside = lines.iter().enumerate().filter_map(|(other, line)| {
        let (own, line) = line.as_ref()?;
        let level = own == row || (line.baseline() - label.baseline()).abs() <= LEVEL * label.size();
        (other != at && level && line.rect.left >= label.rect.right).then_some((other, line))
    });
    let (found, line) = beside.min_by(|a, b| a.1.rect.left.total_cmp(&b.1.rect.left))?;
    (!is_item(line) && line.words.len() <= VALUE).then_some(found)
}

/// The further lines of the value `value`, above the label `next`.
fn further(lines: &[Option<(usize, Line)>], value: usize, next: Option<usize>) -> Vec<usize> {
    let line = |at: usize| lines[at].as_ref().map(|(_, line)| line);
    let Some(first) = line(value) else { return Vec::new() };
    let end = next.and_then(line).map_or(f32::MAX, |next| next.baseline() - LEVEL * next.size());
    let (mut last, mut out) = (first, Vec::new());
    for at in value + 1..lines.len() {
        let Some(below) = line(at) else { continue };
        let step = below.baseline() - last.baseline();
        if (below.rect.left - first.rect.left).abs() <= EDGE
            && (0.5 * last.size()..STEP * last.size()).contains(&step)
            && below.baseline() < end
            && !is_item(below)
        {
            out.push(at);
            last = below;
        }
    }
    out
}

/// The same line without its bullet.
fn unmarked(mut line: Line) -> Line {
    line.words.remove(0);
    line.rect = bounds(line.words.iter().map(|word| &word.rect)).unwrap_or(line.rect);
    line
}
