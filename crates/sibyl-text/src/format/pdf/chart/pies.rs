//! Pies and rings: each slice has its value in it or beside it, with its name next to that, or named by its colour in a legend.

use super::super::geometry::Rect;
use super::super::ink::Ink;
use super::super::line::Line;
use super::super::sector::Sector;
use super::super::word::is_numeric;
use super::{Chart, Label, Point, VALUES};
use std::f32::consts::TAU;

/// Share of a turn that the slices of a pie fill at least, and at most.
const FULL: (f32, f32) = (0.96, 1.02);
/// Farthest that the middle of a label stands from the center of its pie (in radii), and beyond its edge (in letter sizes).
const REACH: f32 = 2.4;
const BESIDE: f32 = 3.0;
/// Widest gap between a value and its name above or below it, and how far they may miss a common side or middle (in letter
/// sizes).
const STACKED: f32 = 0.7;
const ALIGNED: f32 = 0.35;
/// Widest gap between the parts of one line (in letter sizes).
const SAME_LINE: f32 = 0.6;
/// Most words of a value.
const VALUE_WORDS: usize = 3;

/// Labels that belong together, by their places, with the box around them.
type Block = (Rect, Vec<usize>);

/// The slices of a pie or ring.
pub(super) struct Pie {
    slices: Vec<Sector>,
}

impl Pie {
    fn center(&self) -> (f32, f32) {
        self.slices[0].center
    }

    fn outer(&self) -> f32 {
        self.slices[0].outer
    }

    /// Whether a label can be one of its own: it stands near, and not in the hole of a ring.
    fn is_near(&self, rect: &Rect) -> bool {
        let reach = self.slices[0].reach(rect.center());
        reach > self.slices[0].inner && reach <= REACH * self.outer()
    }
}

/// The pies that slices make.
pub(super) fn of(sectors: &[Sector]) -> Vec<Pie> {
    let mut pies: Vec<Pie> = Vec::new();
    for sector in sectors.iter().filter(|sector| !sector.ink.is_white()) {
        match pies.iter_mut().find(|pie| pie.slices[0].is_beside(sector)) {
            Some(pie) => pie.slices.push(*sector),
            None => pies.push(Pie { slices: vec![*sector] }),
        }
    }
    pies.retain(|pie| {
        let turn = pie.slices.iter().map(|slice| slice.span).sum::<f32>() / TAU;
        pie.slices.len() >= VALUES && (FULL.0..FULL.1).contains(&turn)
    });
    pies
}

/// A label near a pie, in two where a name and a value stand in one line: `Wind 44 %`.
pub(super) fn apart(label: Line, pies: &[Pie]) -> Vec<Line> {
    if !pies.iter().any(|pie| pie.is_near(&label.rect)) {
        return vec![label];
    }
    let is_name =
        |words: &[String]| words.iter().any(|word| word.chars().filter(|c| c.is_alphabetic()).count() > 2);
    let texts: Vec<String> = label.words.iter().map(|word| word.text.clone()).collect();
    let value = |from: usize, to: usize| {
        let words = &texts[from..to];
        words.len() <= VALUE_WORDS && words.first().is_some_and(|first| is_numeric(first)) && !is_name(words)
    };
    let digits = |word: &String| word.contains(|c: char| c.is_ascii_digit());
    // A single digit behind a name is a part of it: `Scope 3`.
    let counts = |words: &[String]| !matches!(words, [only] if only.len() == 1);
    let (count, first) = (texts.len(), texts.iter().position(digits));
    let cut = match first {
        Some(at) if at > 0 && value(at, count) && counts(&texts[at..]) && is_name(&texts[..at]) => Some(at),
        Some(0) => (1..count)
            .rev()
            .find(|at| value(0, *at) && is_name(&texts[*at..]) && !texts[*at..].iter().any(digits)),
        _ => None,
    };
    let Some(cut) = cut else { return vec![label] };
    let mut words = label.words;
    let mut behind = words.split_off(cut);
    // What parts a name from its value belongs to neither: `Wind; 44 %`.
    for part in [&mut words, &mut behind] {
        if let Some(last) = part.last_mut().filter(|last| last.text.chars().count() > 1) {
            last.text.truncate(last.text.trim_end_matches([';', ':', ',']).len());
        }
    }
    [Line::of(words), Line::of(behind)].into_iter().flatten().collect()
}

/// The charts of pies whose values all have a name.
pub(super) fn charts(labels: &[Label], pies: &[Pie], legend: &[(Ink, usize, Rect)]) -> Vec<Chart> {
    pies.iter().filter_map(|pie| pie.chart(labels, legend)).collect()
}

impl Pie {
    fn chart(&self, labels: &[Label], legend: &[(Ink, usize, Rect)]) -> Option<Chart> {
        let near = |is: fn(&Label) -> bool| -> Vec<usize> {
            let own = labels.iter().enumerate().filter(|(_, label)| self.is_near(&label.rect) && is(label));
            own.map(|(at, _)| at).collect()
        };
        let values = near(|label| label.is_value() && !label.is_period());
        let names = near(|label| !label.is_value() && label.text.contains(char::is_alphabetic));
        // A name may go over several lines, of which only one stands next to its value.
        let pairs = self.in_blocks(labels, &values, &names).or_else(|| self.beside(labels, &values, &names));
        let pairs = pairs.or_else(|| self.listed(labels, legend));
        let pairs = pairs.or_else(|| self.by_colour(labels, &values, legend))?;
        let points = pairs.iter().enumerate().map(|(category, (_, value))| Point {
            category,
            ink: None,
            value: *value,
        });
        let points = points.collect();
        let (x, y) = self.center();
        let (from, to) = ((x - self.outer(), y - self.outer()), (x + self.outer(), y + self.outer()));
        let categories = pairs.into_iter().map(|(name, _)| name).collect();
        Some(Chart { categories, points, drawn: Rect::around(from, to), names: Vec::new() })
    }

    /// Each value with the name that stands next to it: above all of them, below all or left of all. `None` where two ways to
    /// pair them are possible, or none is.
    fn beside(
        &self,
        labels: &[Label],
        values: &[usize],
        names: &[usize],
    ) -> Option<Vec<(Vec<usize>, usize)>> {
        let ways: [fn(&Label, &Label) -> bool; 4] = [
            |value, name| stacked(name, value),
            |value, name| stacked(value, name),
            |value, name| in_line(name, value),
            |value, name| in_line(value, name),
        ];
        let mut found = ways.iter().filter_map(|next_to| {
            let mut pairs: Vec<(Vec<usize>, usize)> = Vec::new();
            for value in values {
                let mut own = names.iter().filter(|name| next_to(&labels[*value], &labels[**name]));
                let Some(name) = own.next() else { continue };
                // Two names at one value, or two values at one name.
                if own.next().is_some() || pairs.iter().any(|(other, _)| other[0] == *name) {
                    return None;
                }
                pairs.push((vec![*name], *value));
            }
            (pairs.len() == self.slices.len()).then_some(pairs)
        });
        found.next().filter(|_| found.next().is_none())
    }

    /// Each value with the name in its block: lines right below each other, of which one may hold the end of the name and
    /// the value.
    fn in_blocks(
        &self,
        labels: &[Label],
        values: &[usize],
        names: &[usize],
    ) -> Option<Vec<(Vec<usize>, usize)>> {
        if values.len() != self.slices.len() {
            return None;
        }
        let mut blocks: Vec<Block> =
            values.iter().chain(names).map(|at| (labels[*at].rect, vec![*at])).collect();
        let size = |block: &Block| labels[block.1[0]].size();
        let in_line = |a: &Block, b: &Block| {
            let gap = b.0.left - a.0.right;
            in_line(&labels[a.1[0]], &labels[b.1[0]]) && gap <= SAME_LINE * size(a)
        };
        let stacked = |a: &Block, b: &Block| is_right_above(&a.0, &b.0, size(a).max(size(b)));
        join(&mut blocks, in_line);
        join(&mut blocks, stacked);
        let mut pairs = Vec::new();
        for (_, parts) in blocks {
            let (own, name): (Vec<usize>, Vec<usize>) = parts.into_iter().partition(|at| values.contains(at));
            match own[..] {
                [] => {}
                [value] if !name.is_empty() => pairs.push((name, value)),
                _ => return None,
            }
        }
        (pairs.len() == self.slices.len()).then_some(pairs)
    }

    /// The names of a legend that lists the values behind them.
    fn listed(&self, labels: &[Label], legend: &[(Ink, usize, Rect)]) -> Option<Vec<(Vec<usize>, usize)>> {
        let pair = |slice: &Sector| {
            let name = named(slice, legend)?;
            let mut behind: Vec<usize> = (0..labels.len())
                .filter(|at| labels[*at].is_value() && in_line(&labels[name], &labels[*at]))
                .collect();
            behind.sort_by(|a, b| labels[*a].rect.left.total_cmp(&labels[*b].rect.left));
            Some((vec![name], *behind.first()?))
        };
        self.slices.iter().map(pair).collect()
    }

    /// The value in or beside each slice with the name that a legend gives its colour.
    fn by_colour(
        &self,
        labels: &[Label],
        values: &[usize],
        legend: &[(Ink, usize, Rect)],
    ) -> Option<Vec<(Vec<usize>, usize)>> {
        let pair = |slice: &Sector| {
            let own = values.iter().filter(|at| {
                let label = &labels[**at];
                let beyond = slice.reach(label.rect.center()) - slice.outer;
                slice.faces(label.rect.center()) && beyond <= BESIDE * label.size()
            });
            let own: Vec<usize> = own.copied().collect();
            let [value] = own[..] else { return None };
            Some((vec![named(slice, legend)?], value))
        };
        let pairs: Vec<(Vec<usize>, usize)> = self.slices.iter().map(pair).collect::<Option<_>>()?;
        let distinct = |(at, (name, _)): (usize, &(Vec<usize>, usize))| {
            !pairs[..at].iter().any(|(other, _)| other == name)
        };
        pairs.iter().enumerate().all(distinct).then_some(pairs)
    }
}

/// The only name that a legend gives the colour of a slice.
fn named(slice: &Sector, legend: &[(Ink, usize, Rect)]) -> Option<usize> {
    let mut own = legend.iter().filter(|(ink, ..)| ink.is_as(slice.ink)).map(|(_, at, _)| *at);
    let first = own.next()?;
    own.all(|other| other == first).then_some(first)
}

/// Makes one of each two `blocks` of which the first is joined to the second.
fn join(blocks: &mut Vec<Block>, joins: impl Fn(&Block, &Block) -> bool) {
    let pair = |blocks: &[Block]| {
        let mut pairs = (0..blocks.len()).flat_map(|a| (0..blocks.len()).map(move |b| (a, b)));
        pairs.find(|(a, b)| a != b && joins(&blocks[*a], &blocks[*b]))
    };
    while let Some((a, b)) = pair(blocks) {
        let (rect, lower) = blocks[b].clone();
        blocks[a].0 = blocks[a].0.union(&rect);
        blocks[a].1.extend(lower);
        blocks.remove(b);
    }
}

/// Whether one label stands right above the other, with a side or the middle in common.
fn stacked(upper: &Label, lower: &Label) -> bool {
    is_right_above(&upper.rect, &lower.rect, upper.size().max(lower.size()))
}

fn is_right_above(a: &Rect, b: &Rect, size: f32) -> bool {
    let aligned = [a.left - b.left, a.right - b.right, a.center().0 - b.center().0];
    (-STACKED * size..STACKED * size).contains(&(b.top - a.bottom))
        && a.center().1 < b.top.max(a.bottom)
        && aligned.iter().any(|miss| miss.abs() <= ALIGNED * size)
}

/// Whether one label stands right before the other in a line.
fn in_line(left: &Label, right: &Label) -> bool {
    let size = left.size().max(right.size());
    let gap = right.rect.left - left.rect.right;
    (left.line.baseline() - right.line.baseline()).abs() <= ALIGNED * size
        && (-ALIGNED * size..3.0 * size).contains(&gap)
}
