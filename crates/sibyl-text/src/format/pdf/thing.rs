//! What stands on a page, and the free stretches between.

use super::block::Block;
use super::flow;
use super::geometry::{Rect, bounds};
use super::line::Line;
use super::table::Table;

/// Distance between baselines within a paragraph (in letter sizes).
pub(super) const STEP: f32 = 1.6;
/// Ratio to the letters of its band from which a line is a heading there.
pub(super) const HEADING: f32 = 1.2;

/// Something on a page with its place.
#[derive(Clone)]
pub(super) struct Thing {
    pub(super) rect: Rect,
    pub(super) content: Content,
}

#[derive(Clone)]
pub(super) enum Content {
    /// A line with the number of its row.
    Line(usize, Line),
    /// A line that does not run from left to right.
    Turned(Line),
    Table(Table),
    /// What stands in a frame, in its own order.
    Blocks(Vec<Block>),
}

impl Thing {
    pub(super) fn line(row: usize, line: Line) -> Self {
        Self { rect: line.rect, content: Content::Line(row, line) }
    }

    /// The line that it is, if it is one that runs from left to right.
    pub(super) fn level(&self) -> Option<&Line> {
        if let Content::Line(_, line) = &self.content { Some(line) } else { None }
    }

    pub(super) fn size(&self) -> f32 {
        self.level().map_or(10.0, Line::size)
    }
}

/// Size of the letters of most things (points).
pub(super) fn median_size(things: &[Thing]) -> f32 {
    let mut sizes: Vec<f32> = things.iter().map(Thing::size).collect();
    sizes.sort_by(f32::total_cmp);
    sizes.get(sizes.len() / 2).copied().unwrap_or(0.0)
}

/// A stretch of free page from the thing `start` to before the thing `end`, with its middle at `at`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gutter {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) from: f32,
    pub(super) to: f32,
    pub(super) at: f32,
    /// Lines on the side with fewer of them, where both have some.
    pub(super) support: usize,
}

impl Gutter {
    pub(super) fn sides<'t>(&self, things: &'t [Thing]) -> (Vec<&'t Thing>, Vec<&'t Thing>) {
        things[self.start..self.end].iter().partition(|thing| thing.rect.center().0 < self.at)
    }

    /// The same from the thing `start` to before the thing `end`.
    pub(super) fn between(self, start: usize, end: usize) -> Self {
        Self { start, end, ..self }
    }

    /// The same with its support: lines that stand where both sides have some.
    pub(super) fn counted(mut self, things: &[Thing]) -> Self {
        let (left, right) = self.sides(things);
        let extent = |side: &[&Thing]| bounds(side.iter().map(|thing| &thing.rect));
        let (Some(l), Some(r)) = (extent(&left), extent(&right)) else { return Self { support: 0, ..self } };
        let (top, bottom) = (l.top.max(r.top), l.bottom.min(r.bottom));
        let inside = |side: &[&Thing]| {
            side.iter().filter(|thing| (top..=bottom).contains(&thing.rect.center().1)).count()
        };
        self.support = inside(&left).min(inside(&right));
        self
    }
}

/// Whether the last line of a column leaves a sentence open that the first line of the next one continues.
pub(super) fn goes_across(columns: &[Vec<&Line>]) -> bool {
    let [left, right] = columns else { return false };
    let (Some(end), Some(start)) = (left.last(), right.first()) else { return false };
    let lower = start.words.first().is_some_and(|word| word.text.starts_with(char::is_lowercase));
    let alike = (end.size() - start.size()).abs() < 0.05 * start.size() && end.bold() == start.bold();
    lower && alike && end.words.len() > 1 && flow::is_open(end, start)
}

/// The lines of one side in columns: lines that share width stand in one.
pub(super) fn columns<'t>(side: &[&'t Thing]) -> Vec<Vec<&'t Line>> {
    let mut lines: Vec<&Line> = side.iter().filter_map(|thing| thing.level()).collect();
    // Narrow lines make the columns; wide ones may cross several and stand in the first.
    lines.sort_by(|a, b| a.rect.left.total_cmp(&b.rect.left));
    let mut out: Vec<(Rect, Vec<&Line>)> = Vec::new();
    for line in lines {
        match out.iter_mut().find(|(rect, _)| rect.overlap_x(&line.rect) > 1.0) {
            Some((rect, column)) => {
                *rect = rect.union(&line.rect);
                column.push(line);
            }
            None => out.push((line.rect, vec![line])),
        }
    }
    let mut columns: Vec<Vec<&Line>> = out.into_iter().map(|(_, column)| column).collect();
    for column in &mut columns {
        column.sort_by(|a, b| a.baseline().total_cmp(&b.baseline()));
    }
    columns
}
