//! Cells that a writer clips or shades one by one: they show a table's rows and columns where no line is drawn.
//!
//! Word processors clip the text of each cell to it, and shade cells in a box each. Boxes that share their sides in
//! several rows and columns are the cells of a table; a panel behind text, a picture's frame or the page itself is none.

use super::geometry::Rect;
use super::metrics::SNAP;
use super::ruling::{Painted, Ruling};
use super::word::{Turn, Word};

/// Smallest cell (points).
const MIN_CELL: f32 = 6.0;
/// Share of the page's width and height from which a box is the page's and no cell's.
const PAGE: f32 = 0.92;
/// Share of the shorter side that neighbours have in common.
const SHARED: f32 = 0.8;
/// Share of the smaller of two boxes that may lie under the other.
const UNDER: f32 = 0.15;
/// Fewest boxes of a table, and fewest rows with cells side by side.
const MIN_BOXES: usize = 4;
const MIN_ROWS: usize = 2;
/// Distance of a label from the cells of its row (in letter sizes).
const LABEL: f32 = 3.0;
/// Boxes of a page beyond which it is a drawing.
const MAX_BOXES: usize = 600;

/// The sides of all cells of a page of `width` × `height` points. Cells without the labels of their rows, which stand beside
/// them, are left out: the table is larger than they are.
pub(super) fn sides(painted: &[Painted], words: &[Word], width: f32, height: f32) -> Vec<Ruling> {
    let tables = clusters(&cells(painted, width, height)).into_iter();
    let whole = tables.filter(|cluster| is_table(cluster) && !lacks_labels(cluster, words));
    whole.flatten().flat_map(|rect| around(&rect)).collect()
}

fn around(rect: &Rect) -> [Ruling; 4] {
    let across = |at: f32| Ruling { horizontal: true, at, from: rect.left, to: rect.right };
    let down = |at: f32| Ruling { horizontal: false, at, from: rect.top, to: rect.bottom };
    [across(rect.top), across(rect.bottom), down(rect.left), down(rect.right)]
}

/// The boxes that can be cells: each once, without those behind a row or a table and those of the lines within a cell.
fn cells(painted: &[Painted], width: f32, height: f32) -> Vec<Rect> {
    let mut all: Vec<Painted> = Vec::new();
    for one in painted {
        let rect = &one.rect;
        let whole = rect.width() > PAGE * width && rect.height() > PAGE * height;
        if whole || rect.width() < MIN_CELL || rect.height() < MIN_CELL {
            continue;
        }
        match all.iter_mut().find(|known| same(&known.rect, rect)) {
            Some(known) => known.clips |= one.clips,
            None => all.push(*one),
        }
        if all.len() > MAX_BOXES {
            return Vec::new();
        }
    }
    let inside =
        |inner: &Painted, outer: &Painted| !same(&inner.rect, &outer.rect) && holds(&outer.rect, &inner.rect);
    let behind = |outer: &Painted| {
        !outer.clips && all.iter().filter(|inner| inner.clips && inside(inner, outer)).count() > 1
    };
    let kept: Vec<&Painted> = all.iter().filter(|one| !behind(one)).collect();
    let line_of = |inner: &Painted, outer: &Painted| {
        let (a, b) = (&inner.rect, &outer.rect);
        let wide = near(a.left, b.left) && near(a.right, b.right);
        let high = near(a.top, b.top) && near(a.bottom, b.bottom);
        (wide || high) && inside(inner, outer) && (outer.clips || !inner.clips)
    };
    let is_line =
        |inner: &Painted| kept.iter().any(|outer| line_of(inner, outer) || shaded(inner, outer, &kept));
    kept.iter().filter(|inner| !is_line(inner)).map(|one| one.rect).collect()
}

/// Whether `inner` is the shade of a line in the clipped cell `outer`, which has a neighbour that is clipped as well and
/// no clipped box in itself.
fn shaded(inner: &Painted, outer: &Painted, all: &[&Painted]) -> bool {
    let (line, cell) = (&inner.rect, &outer.rect);
    let touches =
        |other: &Rect| beside(cell, other) || beside(other, cell) || below(cell, other) || below(other, cell);
    outer.clips
        && !inner.clips
        && !same(line, cell)
        && holds(cell, line)
        && all
            .iter()
            .filter(|other| other.clips && !same(&other.rect, cell))
            .any(|other| touches(&other.rect))
        && !all.iter().any(|other| other.clips && !same(&other.rect, cell) && holds(cell, &other.rect))
}

fn near(a: f32, b: f32) -> bool {
    (a - b).abs() <= SNAP
}

fn same(a: &Rect, b: &Rect) -> bool {
    near(a.left, b.left) && near(a.right, b.right) && near(a.top, b.top) && near(a.bottom, b.bottom)
}

fn holds(outer: &Rect, inner: &Rect) -> bool {
    outer.holds((inner.left, inner.top), SNAP) && outer.holds((inner.right, inner.bottom), SNAP)
}

/// Whether `right` stands directly right of `left`.
fn beside(left: &Rect, right: &Rect) -> bool {
    near(left.right, right.left) && left.overlap_y(right) >= SHARED * left.height().min(right.height())
}

/// Whether `lower` stands directly below `upper`.
fn below(upper: &Rect, lower: &Rect) -> bool {
    near(upper.bottom, lower.top) && upper.overlap_x(lower) >= SHARED * upper.width().min(lower.width())
}

/// Boxes that share their sides, directly or through others.
fn clusters(boxes: &[Rect]) -> Vec<Vec<Rect>> {
    let mut left: Vec<Rect> = boxes.to_vec();
    let mut out = Vec::new();
    while let Some(first) = left.pop() {
        let mut cluster = vec![first];
        let mut next = 0;
        while let Some(one) = cluster.get(next).copied() {
            let touches = |other: &Rect| {
                beside(&one, other) || beside(other, &one) || below(&one, other) || below(other, &one)
            };
            let (joined, rest): (Vec<Rect>, Vec<Rect>) = left.into_iter().partition(touches);
            cluster.extend(joined);
            left = rest;
            next += 1;
        }
        out.push(cluster);
    }
    out
}

/// Whether boxes are the cells of a table: several rows of them stand side by side, none over another.
fn is_table(cluster: &[Rect]) -> bool {
    if cluster.len() < MIN_BOXES {
        return false;
    }
    let overlaps = |a: &Rect, b: &Rect| {
        let shared = a.overlap_x(b).max(0.0) * a.overlap_y(b).max(0.0);
        shared > UNDER * (a.width() * a.height()).min(b.width() * b.height())
    };
    let apart = cluster.iter().enumerate().all(|(i, a)| cluster[i + 1..].iter().all(|b| !overlaps(a, b)));
    let mut tops: Vec<f32> =
        cluster.iter().filter(|a| cluster.iter().any(|b| beside(a, b))).map(|a| a.top).collect();
    tops.sort_by(f32::total_cmp);
    tops.dedup_by(|a, b| near(*a, *b));
    apart && tops.len() >= MIN_ROWS
}

/// Whether words stand close left of most rows.
fn lacks_labels(cluster: &[Rect], words: &[Word]) -> bool {
    let left = cluster.iter().map(|rect| rect.left).fold(f32::MAX, f32::min);
    let first: Vec<&Rect> = cluster.iter().filter(|rect| near(rect.left, left)).collect();
    let labelled = first.iter().filter(|rect| {
        words.iter().filter(|word| word.turn == Turn::Level).any(|word| {
            let y = word.rect.center().1;
            let gap = left - word.rect.right;
            y > rect.top && y < rect.bottom && (-SNAP..LABEL * word.size).contains(&gap)
        })
    });
    labelled.count() * 2 >= first.len()
}
