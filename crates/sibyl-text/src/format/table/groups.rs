//! Groups of rows: which rows the outer label of a group speaks for, where labels of two columns stand side by side.

use crate::language::cell::Kind;
use crate::language::sum::is_sum;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

/// Repeats the outer label of a group in each of its rows, if it stands in one of them only: in the first, or in the
/// middle. Which of the two is decided over the whole table; where neither can be told, labels stay in their rows.
pub(super) fn repeat_labels(rows: &mut [Vec<String>]) {
    let is_label = |text: &str| matches!(Kind::of_text(text), Kind::Text | Kind::Unit);
    let has_figure = |row: &Vec<String>| row[2..].iter().any(|cell| Kind::of_text(cell) == Kind::Value);
    if !rows.iter().any(|row| is_open(row) && is_label(&row[1]) && has_figure(row)) {
        return;
    }
    let labels = rows.iter().all(|row| {
        row.len() > 2 && (row[0].is_empty() || is_label(&row[0])) && (row[1].is_empty() || is_label(&row[1]))
    });
    if !labels {
        return;
    }
    let parts = parts(rows);
    if parts.iter().all(|part| !rows[part.start][0].is_empty()) {
        repeat_downwards(rows);
    } else if let Some(groups) = centred(rows, &parts) {
        for (group, label) in groups {
            let label = rows[label][0].clone();
            rows[group].iter_mut().for_each(|row| row[0].clone_from(&label));
        }
    }
}

/// Whether a row has an inner label alone.
fn is_open(row: &[String]) -> bool {
    row.len() > 2 && row[0].is_empty() && !row[1].is_empty()
}

fn repeat_downwards(rows: &mut [Vec<String>]) {
    let mut label = String::new();
    for row in rows {
        if !row[0].is_empty() {
            // A row without an inner label, such as a total, opens no group.
            label = if row[1].is_empty() { String::new() } else { row[0].clone() };
        } else if is_open(row) {
            row[0].clone_from(&label);
        }
    }
}

/// The stretches of rows with inner labels that have outer ones too, without sums at their top, which belong to no group.
fn parts(rows: &[Vec<String>]) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < rows.len() {
        let length = rows[at..].iter().take_while(|row| !row[1].is_empty()).count();
        let part = &rows[at..at + length];
        let sums = part.iter().take_while(|row| row[0].is_empty() && is_sum(&row[1])).count();
        if part.iter().any(|row| !row[0].is_empty()) {
            out.push(at + sums..at + length);
        }
        at += length + 1;
    }
    out
}

/// In which row of a group of even size its label stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Middle {
    Upper,
    Lower,
}

/// Groups with the rows of their labels.
type Groups = Vec<(Range<usize>, usize)>;

/// The groups of which each has its label in its middle, where rows can be divided so in one way only, and in more than
/// one group.
fn centred(rows: &[Vec<String>], parts: &[Range<usize>]) -> Option<Groups> {
    let divided = |middle| {
        let mut whole = Division::default();
        for part in parts {
            whole.add(divide(rows, part, middle)?);
        }
        Some(whole)
    };
    let mut found: Vec<Division> = [Middle::Upper, Middle::Lower].into_iter().filter_map(divided).collect();
    let fewest = found.iter().map(|division| division.even).min()?;
    found.retain(|division| division.even == fewest);
    let first = found.pop()?;
    let alone = first.ways == 1 && found.iter().all(|other| other.ways == 1 && other.groups == first.groups);
    (alone && first.groups.len() > 1).then_some(first.groups)
}

/// A way to divide rows into groups.
#[derive(Debug, Clone)]
struct Division {
    groups: Groups,
    /// Groups of even size, whose middle is no row.
    even: usize,
    /// How many ways have as few of them.
    ways: usize,
}

/// A way to divide the rows so far: the place of its last group, and what [`Division`] counts.
#[derive(Debug, Clone, Copy)]
struct Way {
    last: Option<usize>,
    even: usize,
    ways: usize,
}

impl Default for Division {
    fn default() -> Self {
        Self { groups: Vec::new(), even: 0, ways: 1 }
    }
}

impl Division {
    fn add(&mut self, other: Self) {
        self.groups.extend(other.groups);
        self.even += other.even;
        self.ways = self.ways.saturating_mul(other.ways);
    }
}

/// The way to divide a part that has the fewest groups of even size. No inner label stands in a group twice.
fn divide(rows: &[Vec<String>], part: &Range<usize>, middle: Middle) -> Option<Division> {
    let labels: Vec<usize> = part.clone().filter(|row| !rows[*row][0].is_empty()).collect();
    let distinct = |group: &Range<usize>| {
        let mut told = HashSet::new();
        rows[group.clone()].iter().all(|row| told.insert(row[1].to_lowercase()))
    };
    // Each group with its label, and the place of the group before it.
    let mut steps: Vec<(Range<usize>, usize, Option<usize>)> = Vec::new();
    // By the row behind the groups so far.
    let mut ends: BTreeMap<usize, Way> = BTreeMap::from([(part.start, Way { last: None, even: 0, ways: 1 })]);
    for (at, &label) in labels.iter().enumerate() {
        let next = labels.get(at + 1).copied();
        let mut further: BTreeMap<usize, Way> = BTreeMap::new();
        for (start, so_far) in ends.into_iter().filter(|(start, _)| *start <= label) {
            let above = label - start;
            let even = if middle == Middle::Upper { 2 * above + 2 } else { 2 * above };
            for size in [2 * above + 1, even].into_iter().filter(|size| *size > 0) {
                let group = start..start + size;
                let fits = next.map_or(group.end == part.end, |next| group.end <= next);
                if !fits || !distinct(&group) {
                    continue;
                }
                let end = group.end;
                steps.push((group, label, so_far.last));
                let even = so_far.even + usize::from(size == even);
                let whole = Way { last: Some(steps.len() - 1), even, ways: so_far.ways };
                match further.get_mut(&end) {
                    Some(known) if known.even < whole.even => {}
                    Some(known) if known.even == whole.even => {
                        known.ways = known.ways.saturating_add(whole.ways);
                    }
                    _ => {
                        further.insert(end, whole);
                    }
                }
            }
        }
        ends = further;
    }
    let Way { last, even, ways } = ends.remove(&part.end)?;
    let back = std::iter::successors(last.map(|at| &steps[at]), |step| step.2.map(|at| &steps[at]));
    let mut groups: Groups = back.map(|(group, label, _)| (group.clone(), *label)).collect();
    groups.reverse();
    Some(Division { groups, even, ways })
}
