//! Bars and columns, side by side or stacked.

use super::super::geometry::{Rect, bounds};
use super::super::ruling::Painted;
use super::{Chart, Label, Point, VALUES, same};

/// Difference up to which sides of bars are one (points).
const SIDE: f32 = 1.2;
/// Narrowest bar (points), and the widest of a page (share of what all of its bars cover).
const NARROW: f32 = 3.0;
/// Labels inside a bar beyond which it is a panel.
const HELD: usize = 2;
/// Height of the room above a bar in which its value stands, and below the bars in which their categories do (in letter sizes).
const ABOVE: f32 = 1.6;
const BELOW: f32 = 2.4;
/// The same left of level bars.
const BESIDE: f32 = 30.0;
/// Distance of the lines of one category (in letter sizes).
const NEXT_LINE: f32 = 1.5;
/// Share of bars that have a value, of which fewer are a drawing.
const TOLD: f32 = 0.75;

/// Which way bars grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Up,
    Right,
}

impl Way {
    /// Where a box stands when the page is turned so that bars grow upwards.
    fn upright(self, rect: &Rect) -> Rect {
        match self {
            Self::Up => *rect,
            Self::Right => Rect { left: rect.top, right: rect.bottom, top: -rect.right, bottom: -rect.left },
        }
    }
}

/// Segments upon each other, from the base.
struct Stack {
    segments: Vec<Painted>,
}

impl Stack {
    fn rect(&self) -> Rect {
        let first = self.segments[0].rect;
        self.segments.iter().fold(first, |all, one| all.union(&one.rect))
    }
}

/// The charts of bars on a page.
pub(super) fn charts(labels: &[Label], fills: &[Painted]) -> Vec<Chart> {
    [Way::Up, Way::Right].into_iter().flat_map(|way| of_way(labels, fills, way)).collect()
}

fn of_way(labels: &[Label], fills: &[Painted], way: Way) -> Vec<Chart> {
    let mut shapes: Vec<Painted> = fills
        .iter()
        .filter(|fill| !fill.ink.is_white())
        .map(|fill| Painted { rect: way.upright(&fill.rect), ..*fill })
        .collect();
    shapes.sort_by(|a, b| a.rect.left.total_cmp(&b.rect.left).then(b.rect.bottom.total_cmp(&a.rect.bottom)));
    shapes.dedup_by(|a, b| {
        near(a.rect.left, b.rect.left) && near(a.rect.bottom, b.rect.bottom) && near(a.rect.top, b.rect.top)
    });
    let places: Vec<Rect> = labels.iter().map(|label| way.upright(&label.rect)).collect();
    let held = |rect: &Rect| places.iter().filter(|place| rect.holds(place.center(), 0.0)).count();
    shapes.retain(|shape| shape.rect.width() >= NARROW && held(&shape.rect) <= HELD);
    let groups = grouped(&shapes).into_iter().chain(steps(&shapes)).collect::<Vec<_>>();
    groups.iter().flat_map(|stacks| charts_of(labels, &places, stacks, way)).collect()
}

/// The chart of stacks on one base, or those of the stacks before and behind the widest gap: charts beside each other may stand
/// on one base as well.
fn charts_of(labels: &[Label], places: &[Rect], stacks: &[Stack], way: Way) -> Vec<Chart> {
    if let Some(chart) = chart(labels, places, stacks, way) {
        return vec![chart];
    }
    let gap = |at: &usize| stacks[*at].rect().left - stacks[at - 1].rect().right;
    let widest = (1..stacks.len()).max_by(|a, b| gap(a).total_cmp(&gap(b)));
    let next = |at: usize| {
        (1..stacks.len()).filter(|other| *other != at).map(|other| gap(&other)).fold(0.0, f32::max)
    };
    let parts = |at: &usize| gap(at) > stacks[0].rect().width() && gap(at) > next(*at) + SIDE;
    let Some(widest) = widest.filter(parts) else { return Vec::new() };
    let (before, behind) = stacks.split_at(widest);
    [before, behind].into_iter().flat_map(|stacks| charts_of(labels, places, stacks, way)).collect()
}

fn near(a: f32, b: f32) -> bool {
    (a - b).abs() <= SIDE
}

/// Stacks of bars of one width that stand on one base, from left to right.
fn grouped(shapes: &[Painted]) -> Vec<Vec<Stack>> {
    let wide = |a: &Rect, b: &Rect| near(a.left, b.left) && near(a.right, b.right);
    let stands_on = |upper: &Painted| {
        shapes.iter().any(|lower| {
            wide(&lower.rect, &upper.rect)
                && (-SIDE..NARROW).contains(&(lower.rect.top - upper.rect.bottom))
                && lower.rect != upper.rect
        })
    };
    let mut bases: Vec<Vec<&Painted>> = Vec::new();
    for shape in shapes.iter().filter(|shape| !stands_on(shape)) {
        let group = bases.iter_mut().find(|group| {
            let [first, .., last] = &group[..] else { return joins(group[0], shape) };
            joins(first, shape) && last.rect.right <= shape.rect.left + SIDE
        });
        match group {
            Some(group) => group.push(shape),
            None => bases.push(vec![shape]),
        }
    }
    let stacked = |base: &&Painted| {
        let mut segments = vec![**base];
        while let Some(next) = shapes.iter().find(|next| {
            let top = &segments[segments.len() - 1].rect;
            // A thin segment between them may be drawn as a line.
            let gap = top.top - next.rect.bottom;
            wide(&next.rect, top) && (-SIDE..NARROW).contains(&gap) && next.rect.top < top.top - SIDE / 2.0
        }) {
            segments.push(*next);
        }
        Stack { segments }
    };
    bases.iter().filter(|group| group.len() > 1).map(|group| group.iter().map(stacked).collect()).collect()
}

/// Bars of one width beside each other of which each begins where the one before it ends, from a sum to another.
fn steps(shapes: &[Painted]) -> Vec<Vec<Stack>> {
    let mut flights: Vec<Vec<Painted>> = Vec::new();
    for shape in shapes {
        let goes_on = |flight: &&mut Vec<Painted>| {
            let last = flight[flight.len() - 1].rect;
            let ends = [last.top, last.bottom];
            let meets = ends.iter().any(|end| near(*end, shape.rect.top) || near(*end, shape.rect.bottom));
            let gap = |a: &Rect, b: &Rect| b.left - a.right;
            let even =
                flight.len() < 2 || near(gap(&flight[0].rect, &flight[1].rect), gap(&last, &shape.rect));
            meets && even && near(last.width(), shape.rect.width()) && gap(&last, &shape.rect) > SIDE
        };
        match flights.iter_mut().find(goes_on) {
            Some(flight) => flight.push(*shape),
            None => flights.push(vec![*shape]),
        }
    }
    let hangs =
        |flight: &&Vec<Painted>| !flight.iter().all(|bar| near(bar.rect.bottom, flight[0].rect.bottom));
    let full = flights.iter().filter(|flight| flight.len() > VALUES).filter(hangs);
    full.map(|flight| flight.iter().map(|bar| Stack { segments: vec![*bar] }).collect()).collect()
}

/// Whether two bars stand on one base and are as wide.
fn joins(one: &Painted, other: &Painted) -> bool {
    near(one.rect.bottom, other.rect.bottom)
        && near(one.rect.width(), other.rect.width())
        && one.rect.right <= other.rect.left + SIDE
}

fn chart(labels: &[Label], places: &[Rect], stacks: &[Stack], way: Way) -> Option<Chart> {
    // Shades behind the cells of a row are all as high.
    let heights: Vec<f32> = stacks.iter().map(|stack| stack.rect().height()).collect();
    let differ = heights.iter().any(|height| !near(*height, heights[0]));
    if !differ && stacks.iter().all(|stack| stack.segments.len() < 2) {
        return None;
    }
    let categories = categories(labels, places, stacks, way)?;
    let name = |lines: &[usize]| lines.iter().map(|at| labels[*at].text.as_str()).collect::<Vec<_>>();
    let mut names: Vec<Vec<&str>> = categories.labels.iter().map(|lines| name(lines)).collect();
    names.sort_unstable();
    if names.windows(2).any(|two| two[0] == two[1]) {
        return None;
    }
    let mut points = Vec::new();
    let (mut told, mut all) = (0, 0);
    for (stack, category) in stacks.iter().zip(&categories.of) {
        let values = values(labels, places, stack);
        all += stack.segments.len();
        for (value, segment) in values.segments.iter().zip(&stack.segments) {
            let Some(value) = *value else { continue };
            told += 1;
            points.push(Point { category: *category, ink: Some(segment.ink), value });
        }
        if let Some(value) = values.sum {
            points.push(Point { category: *category, ink: None, value });
        }
    }
    let drawn = bounds(stacks.iter().map(Stack::rect).collect::<Vec<_>>().iter())?;
    let drawn = match way {
        Way::Up => drawn,
        Way::Right => Rect { left: -drawn.bottom, right: -drawn.top, top: drawn.left, bottom: drawn.right },
    };
    let enough = told >= VALUES && told as f32 >= TOLD * all as f32;
    enough.then_some(Chart { categories: categories.labels, points, drawn, names: Vec::new() })
}

/// The labels of the values of a stack.
struct Values {
    /// For each segment.
    segments: Vec<Option<usize>>,
    /// What they add up to.
    sum: Option<usize>,
}

fn values(labels: &[Label], places: &[Rect], stack: &Stack) -> Values {
    let whole = stack.rect();
    let over = |place: &Rect| (whole.left - SIDE..whole.right + SIDE).contains(&place.center().0);
    let all: Vec<(usize, &Rect)> = labels
        .iter()
        .zip(places)
        .enumerate()
        .filter(|(_, (label, place))| label.is_value() && over(place))
        .map(|(at, (_, place))| (at, place))
        .collect();
    let inside = |segment: &Painted| {
        let mut held = all.iter().filter(|(_, place)| segment.rect.holds(place.center(), 0.0));
        held.next().filter(|_| held.next().is_none()).map(|(at, _)| *at)
    };
    // The value of a segment that is too thin to hold it stands right beside it.
    let beside = |segment: &Painted| {
        let next = |at: &usize| {
            let (label, place) = (&labels[*at], &places[*at]);
            let thin = segment.rect.height() < place.height();
            let gap = place.left - segment.rect.right;
            let level = (place.center().1 - segment.rect.center().1).abs() <= place.height() / 2.0;
            label.is_value() && thin && level && (0.0..label.size()).contains(&gap)
        };
        let mut held = (0..labels.len()).filter(next);
        held.next().filter(|_| held.next().is_none())
    };
    let value = |segment: &Painted| inside(segment).or_else(|| beside(segment));
    let mut segments: Vec<Option<usize>> = stack.segments.iter().map(value).collect();
    let beyond = all.iter().filter(|(at, place)| {
        let (size, gap) = (labels[*at].size(), whole.top - place.bottom);
        (-0.3 * size..ABOVE * size).contains(&gap) && !segments.contains(&Some(*at))
    });
    let beyond = beyond
        .min_by(|a, b| (whole.top - a.1.bottom).total_cmp(&(whole.top - b.1.bottom)))
        .map(|(at, _)| *at);
    let several = segments.len() > 1;
    match segments.last_mut() {
        Some(last) if last.is_none() => {
            *last = beyond;
            Values { segments, sum: None }
        }
        _ => Values { sum: beyond.filter(|_| several), segments },
    }
}

/// The categories of a chart.
struct Categories {
    /// Labels of each, in order.
    labels: Vec<Vec<usize>>,
    /// The number of that of each stack.
    of: Vec<usize>,
}

/// What stands below the bars, or left of level ones, as the name of one or several of them. `None` if a bar has no
/// name or the names have different numbers of bars.
fn categories(labels: &[Label], places: &[Rect], stacks: &[Stack], way: Way) -> Option<Categories> {
    let base = stacks.iter().map(|stack| stack.rect().bottom).fold(f32::MIN, f32::max);
    let (left, right) = (stacks[0].rect().left, stacks[stacks.len() - 1].rect().right);
    let reach = |label: &Label| if way == Way::Up { BELOW } else { BESIDE } * label.size();
    let below = |(at, label): (usize, &Label)| {
        let place = &places[at];
        let gap = place.top - base;
        let within = (left - place.width() / 2.0..right + place.width() / 2.0).contains(&place.center().0);
        ((-SIDE..reach(label)).contains(&gap) && within).then_some((at, place))
    };
    let mut near_base: Vec<(usize, &Rect)> = labels.iter().enumerate().filter_map(below).collect();
    near_base.sort_by(|a, b| a.1.top.total_cmp(&b.1.top));
    let mut groups: Vec<(Rect, Vec<usize>)> = Vec::new();
    let first = *near_base.first()?.1;
    for (at, place) in near_base {
        let size = labels[at].size();
        let over = groups.iter_mut().find(|(own, _)| own.overlap_x(place) > 0.0);
        match over {
            // A second line below the first; left of level bars, what stands further away.
            Some((own, lines))
                if way == Way::Up
                    && place.top - own.bottom <= (NEXT_LINE - 1.0) * size
                    && labels[at].text.contains(char::is_alphabetic) =>
            {
                *own = own.union(place);
                lines.push(at);
            }
            Some(_) => {}
            None if way == Way::Right && place.overlap_y(&first) > 0.0
                || way == Way::Up && place.top - first.top <= size =>
            {
                groups.push((*place, vec![at]))
            }
            None => {}
        }
    }
    groups.sort_by(|a, b| a.0.left.total_cmp(&b.0.left));
    let of: Vec<usize> = stacks
        .iter()
        .map(|stack| {
            let middle = stack.rect().center().0;
            let far = |group: &(Rect, Vec<usize>)| (group.0.center().0 - middle).abs();
            (0..groups.len()).min_by(|a, b| far(&groups[*a]).total_cmp(&far(&groups[*b])))
        })
        .collect::<Option<_>>()?;
    // Where a category lacks a bar, colours say which.
    let own =
        |group: usize| stacks.iter().zip(&of).filter(move |(_, own)| **own == group).map(|(stack, _)| stack);
    let each = own(0).count();
    let even = (1..groups.len()).all(|group| own(group).count() == each);
    let told = |group: usize| {
        let inks: Vec<_> = own(group).map(|stack| stack.segments[0].ink).collect();
        (1..inks.len()).all(|at| !inks[..at].iter().any(|ink| same(Some(*ink), Some(inks[at]))))
    };
    let named = (0..groups.len()).all(|group| own(group).next().is_some() && (even || told(group)));
    named.then(|| Categories { labels: groups.into_iter().map(|(_, lines)| lines).collect(), of })
}
