//! Lines whose points are marked and have their values beside them.

use super::super::geometry::{Rect, bounds};
use super::super::ink::Ink;
use super::super::ruling::Painted;
use super::{Chart, Label, Point, VALUES};

/// Farthest that the value of a point stands from it (in letter sizes).
const NEAR: f32 = 1.8;
/// Difference up to which a point stands over its category (in letter sizes).
const OVER: f32 = 1.0;
/// Widest gap between the last point of a line and its name (in letter sizes).
const NAME: f32 = 3.0;
/// Points of a page beyond which they are a drawing.
const MAX_POINTS: usize = 300;
/// Difference up to which marks are of one size (points).
const ALIKE: f32 = 0.6;

/// The charts of marked lines on a page.
pub(super) fn charts(labels: &[Label], dots: &[Painted]) -> Vec<Chart> {
    let over_one = |dot: &&Painted| row_below(labels, &[dot.rect]).is_some();
    let valued: Vec<(usize, &Painted)> =
        dots.iter().filter(over_one).filter_map(|dot| Some((value(labels, dot)?, dot))).collect();
    if valued.len() > MAX_POINTS {
        return Vec::new();
    }
    let mut lines: Vec<Vec<(usize, &Painted)>> = Vec::new();
    for one in &valued {
        let joins = |line: &&mut Vec<(usize, &Painted)>| {
            let first = line[0].1;
            (first.ink == one.1.ink || first.ink.is_as(one.1.ink))
                && (first.rect.width() - one.1.rect.width()).abs() <= ALIKE
                && row_below(
                    labels,
                    &line.iter().map(|(_, dot)| dot.rect).chain([one.1.rect]).collect::<Vec<_>>(),
                )
                .is_some()
        };
        match lines.iter_mut().find(joins) {
            Some(line) => line.push(*one),
            None => lines.push(vec![*one]),
        }
    }
    lines.retain(|line| line.len() >= VALUES);
    // Lines over the same categories are one chart.
    let mut charts: Vec<(Vec<usize>, Chart)> = Vec::new();
    for line in lines {
        let rects: Vec<Rect> = line.iter().map(|(_, dot)| dot.rect).collect();
        let Some(row) = row_below(labels, &rects) else { continue };
        let Some(drawn) = bounds(&rects) else { continue };
        let ink = line[0].1.ink;
        let points = line.iter().filter_map(|(value, dot)| {
            let category = row.iter().position(|at| is_over(&labels[*at], &dot.rect))?;
            Some(Point { category, ink: Some(ink), value: *value })
        });
        let names = name(labels, &line, ink, &row);
        match charts.iter_mut().find(|(other, _)| *other == row) {
            Some((_, chart)) => {
                chart.points.extend(points);
                chart.names.extend(names);
                chart.drawn = chart.drawn.union(&drawn);
            }
            None => {
                let categories = row.iter().map(|at| vec![*at]).collect();
                let chart =
                    Chart { categories, points: points.collect(), drawn, names: names.into_iter().collect() };
                charts.push((row, chart));
            }
        }
    }
    charts.into_iter().map(|(_, chart)| chart).collect()
}

/// The value beside a point.
fn value(labels: &[Label], dot: &Painted) -> Option<usize> {
    let (x, y) = dot.rect.center();
    let far = |label: &Label| {
        let (other, middle) = label.rect.center();
        ((other - x).abs() <= OVER * label.size() && (middle - y).abs() <= NEAR * label.size())
            .then_some((middle - y).abs())
    };
    let near = labels.iter().enumerate().filter(|(_, label)| label.is_value() && !label.is_period());
    near.filter_map(|(at, label)| Some((at, far(label)?)))
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(at, _)| at)
}

/// Whether a point stands over a category.
fn is_over(label: &Label, dot: &Rect) -> bool {
    (label.rect.center().0 - dot.center().0).abs() <= OVER * label.size()
}

/// The first row of labels below points in which each of them stands over one of its own.
fn row_below(labels: &[Label], dots: &[Rect]) -> Option<Vec<usize>> {
    let lowest = dots.iter().map(|dot| dot.bottom).fold(f32::MIN, f32::max);
    let mut below: Vec<(usize, &Label)> = labels
        .iter()
        .enumerate()
        .filter(|(_, label)| label.rect.top > lowest && dots.iter().any(|dot| is_over(label, dot)))
        .collect();
    below.sort_by(|a, b| a.1.rect.center().1.total_cmp(&b.1.rect.center().1));
    let rows = below.chunk_by(|a, b| b.1.rect.center().1 - a.1.rect.center().1 <= a.1.size() / 2.0);
    let full = |row: &&[(usize, &Label)]| {
        dots.iter().all(|dot| row.iter().filter(|(_, label)| is_over(label, dot)).count() == 1)
    };
    // What stands between, as the values of a lower line, is no row of categories.
    let mut row = rows
        .filter(|row| row.iter().all(|(_, label)| label.is_period() || !label.is_value()))
        .find(full)?
        .to_vec();
    row.sort_by(|a, b| a.1.rect.left.total_cmp(&b.1.rect.left));
    Some(row.into_iter().map(|(at, _)| at).collect::<Vec<_>>())
}

/// The name of a line, which is none of the `row` of categories: right of its last point, or right above or below it and its
/// value.
fn name(labels: &[Label], line: &[(usize, &Painted)], ink: Ink, row: &[usize]) -> Option<(Ink, usize)> {
    let (value, last) = line.iter().max_by(|a, b| a.1.rect.right.total_cmp(&b.1.rect.right))?;
    let end = labels[*value].rect.union(&last.rect);
    let is_name = |label: &Label| label.text.contains(char::is_alphabetic) && !label.is_value();
    let names = || labels.iter().enumerate().filter(|(at, label)| !row.contains(at) && is_name(label));
    let beside = names().filter(|(_, label)| {
        let gap = label.rect.left - last.rect.right;
        (0.0..NAME * label.size()).contains(&gap) && label.rect.overlap_y(&last.rect) > 0.0
    });
    let stacked = |label: &Label| {
        let gap = (label.rect.top - end.bottom).max(end.top - label.rect.bottom);
        label.rect.overlap_x(&end) > 0.0 && gap <= label.size() && !label.is_period()
    };
    let beside = beside.min_by(|a, b| a.1.rect.left.total_cmp(&b.1.rect.left));
    let mut next = names().filter(|(_, label)| stacked(label));
    let found = beside.or_else(|| next.next().filter(|_| next.next().is_none()))?;
    Some((ink, found.0))
}
