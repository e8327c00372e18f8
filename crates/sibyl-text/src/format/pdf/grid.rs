//! Ruled tables: grids that rulings enclose.

use super::geometry::Rect;
use super::ruling::{Ruling, join};
use std::ops::Range;

/// Distance within which lines count as on one axis, and a line as reaching another (points).
const SNAP: f32 = 3.0;
/// Share of a cell's side that a ruling must cover to part it from its neighbour.
const PARTS: f32 = 0.6;
/// Share of the side of a grid that lines must cover to close it.
const CLOSED: f32 = 0.9;
/// Lines of one connected drawing beyond which it is no table.
const MAX_LINES: usize = 400;
/// Lines of a page beyond which it is a drawing and no table is sought.
const MAX_PAGE_LINES: usize = 4_000;
/// Distance beyond the outermost lines from which lines across them open a further row (points).
const OPEN: f32 = 8.0;
/// Smallest cell (points): thinner ones are double lines.
const MIN_CELL: f32 = 4.0;

/// A grid: `cells[row][column]` names the region that holds that cell.
#[derive(Debug, Clone)]
pub(super) struct Grid {
    pub(super) rect: Rect,
    pub(super) xs: Vec<f32>,
    pub(super) ys: Vec<f32>,
    /// Whether lines run along all four of its sides.
    pub(super) closed: bool,
    /// Row and column of the first cell of the region that each cell belongs to.
    regions: Vec<Vec<(usize, usize)>>,
}

impl Grid {
    /// Number of rows and columns.
    pub(super) fn size(&self) -> (usize, usize) {
        (self.ys.len() - 1, self.xs.len() - 1)
    }

    /// The cell in which text at `point` belongs; of a region, its first cell.
    pub(super) fn cell_at(&self, point: (f32, f32)) -> Option<(usize, usize)> {
        if !self.rect.holds(point, 1.0) {
            return None;
        }
        let index = |edges: &[f32], v: f32| edges[1..edges.len() - 1].partition_point(|edge| *edge <= v);
        let (row, column) = (index(&self.ys, point.1), index(&self.xs, point.0));
        Some(self.regions[row][column])
    }

    /// The columns of the region that begins in a cell, if it stands in one row.
    pub(super) fn columns_of(&self, row: usize, column: usize) -> Range<usize> {
        let own = |r: usize, c: usize| {
            self.regions.get(r).is_some_and(|cells| cells.get(c) == Some(&(row, column)))
        };
        let end = (column..=self.xs.len()).find(|&c| !own(row, c)).unwrap_or(column);
        if own(row + 1, column) { column..column } else { column..end }
    }

    /// The box of the region that a cell belongs to.
    pub(super) fn region(&self, row: usize, column: usize) -> Rect {
        let own = self.regions[row][column];
        let rows: Vec<usize> = (0..self.regions.len()).filter(|&r| self.regions[r].contains(&own)).collect();
        let columns: Vec<usize> =
            (0..self.xs.len() - 1).filter(|&c| self.regions.iter().any(|row| row[c] == own)).collect();
        let (Some(&top), Some(&bottom)) = (rows.first(), rows.last()) else { return self.rect };
        let (Some(&left), Some(&right)) = (columns.first(), columns.last()) else { return self.rect };
        Rect {
            left: self.xs[left],
            top: self.ys[top],
            right: self.xs[right + 1],
            bottom: self.ys[bottom + 1],
        }
    }

    /// Number of separate regions.
    pub(super) fn regions(&self) -> usize {
        let mut firsts: Vec<_> = self.regions.iter().flatten().collect();
        firsts.sort_unstable();
        firsts.dedup();
        firsts.len()
    }
}

/// The grids of a page, from top to bottom; a box around a part of the page is one of a single region.
pub(super) fn grids(rulings: &[Ruling]) -> Vec<Grid> {
    let across = join(rulings, true, 1.5, SNAP);
    let down = join(rulings, false, 1.5, SNAP);
    if across.len() + down.len() > MAX_PAGE_LINES {
        return Vec::new();
    }
    let mut group: Vec<usize> = (0..across.len() + down.len()).collect();
    for (i, h) in across.iter().enumerate() {
        for (j, v) in down.iter().enumerate() {
            if touches(h, v) {
                let (a, b) = (root(&mut group, i), root(&mut group, across.len() + j));
                group[a] = b;
            }
        }
    }
    let mut members: std::collections::BTreeMap<usize, (Vec<Ruling>, Vec<Ruling>)> = Default::default();
    for i in 0..group.len() {
        let entry = members.entry(root(&mut group, i)).or_default();
        match across.get(i) {
            Some(h) => entry.0.push(*h),
            None => entry.1.push(down[i - across.len()]),
        }
    }
    let mut out: Vec<Grid> = members.into_values().filter_map(|(h, v)| grid(&h, &v)).collect();
    out.sort_by(|a, b| a.rect.top.total_cmp(&b.rect.top));
    out
}

fn touches(h: &Ruling, v: &Ruling) -> bool {
    v.at >= h.from - SNAP && v.at <= h.to + SNAP && h.at >= v.from - SNAP && h.at <= v.to + SNAP
}

fn root(group: &mut [usize], mut at: usize) -> usize {
    while group[at] != at {
        group[at] = group[group[at]];
        at = group[at];
    }
    at
}

fn grid(across: &[Ruling], down: &[Ruling]) -> Option<Grid> {
    if across.len() < 2 || down.is_empty() || across.len() + down.len() > MAX_LINES {
        return None;
    }
    // So do the vertical lines where several of them end at one height beyond the last horizontal one.
    let ends = |from: fn(&Ruling) -> f32| {
        down.iter().map(from).filter(move |at| {
            let agreeing = down.iter().filter(|other| (from(other) - at).abs() <= SNAP).count();
            agreeing >= 2 && across.iter().all(|line| (line.at - at).abs() > OPEN)
        })
    };
    let (tops, bottoms) = (ends(|line| line.from), ends(|line| line.to));
    let (first, last) = (across[0].at, across[across.len() - 1].at);
    let beyond = tops.filter(|at| *at < first).chain(bottoms.filter(|at| *at > last));
    let ys = edges(across.iter().map(|r| r.at).chain(beyond.collect::<Vec<_>>()));
    // Tables often leave their outer sides open: the ends of the horizontal lines close them.
    let left = across.iter().map(|r| r.from).fold(f32::MAX, f32::min);
    let right = across.iter().map(|r| r.to).fold(f32::MIN, f32::max);
    let xs = edges(down.iter().map(|r| r.at).chain([left, right]));
    if ys.len() < 2 || xs.len() < 2 {
        return None;
    }
    let (rows, columns) = (ys.len() - 1, xs.len() - 1);
    let mut group: Vec<usize> = (0..rows * columns).collect();
    for r in 0..rows {
        for c in 0..columns {
            let right = c + 1 < columns && !covered(down, xs[c + 1], ys[r], ys[r + 1]);
            let below = r + 1 < rows && !covered(across, ys[r + 1], xs[c], xs[c + 1]);
            for (merge, other) in [(right, r * columns + c + 1), (below, (r + 1) * columns + c)] {
                if merge {
                    let (a, b) = (root(&mut group, r * columns + c), root(&mut group, other));
                    // The lower index is the cell further up and left.
                    group[a.max(b)] = a.min(b);
                }
            }
        }
    }
    let regions = (0..rows)
        .map(|r| {
            (0..columns)
                .map(|c| {
                    let first = root(&mut group, r * columns + c);
                    (first / columns, first % columns)
                })
                .collect()
        })
        .collect();
    let rect = Rect { left: xs[0], top: ys[0], right: xs[columns], bottom: ys[rows] };
    let closed = covered_by(down, xs[0], ys[0], ys[rows], CLOSED)
        && covered_by(down, xs[columns], ys[0], ys[rows], CLOSED)
        && covered_by(across, ys[0], xs[0], xs[columns], CLOSED)
        && covered_by(across, ys[rows], xs[0], xs[columns], CLOSED);
    Some(Grid { rect, xs, ys, closed, regions })
}

/// Distinct positions, those closer than [`MIN_CELL`] as one.
fn edges(values: impl Iterator<Item = f32>) -> Vec<f32> {
    let mut values: Vec<f32> = values.collect();
    values.sort_by(f32::total_cmp);
    let mut out: Vec<f32> = Vec::new();
    for value in values {
        if out.last().is_none_or(|last| value - last > MIN_CELL) {
            out.push(value);
        }
    }
    out
}

/// Whether lines at `at` cover most of the stretch.
fn covered(lines: &[Ruling], at: f32, from: f32, to: f32) -> bool {
    covered_by(lines, at, from, to, PARTS)
}

/// Whether lines at `at` cover `share` of the stretch.
fn covered_by(lines: &[Ruling], at: f32, from: f32, to: f32, share: f32) -> bool {
    let length: f32 = lines
        .iter()
        .filter(|r| (r.at - at).abs() <= MIN_CELL)
        .map(|r| (r.to.min(to) - r.from.max(from)).max(0.0))
        .sum();
    length >= share * (to - from)
}
