//! Rulings: the straight horizontal and vertical lines of a page, from stroked paths and thin filled boxes.

use super::geometry::Rect;
use super::ink::Ink;
use super::sector::{Arc, Sector};

/// Thickest filled box that counts as a line (points).
const MAX_THICKNESS: f32 = 3.0;
/// Largest slant of a line that counts as straight (points).
const MAX_SLANT: f32 = 1.0;
/// Smallest and greatest width and height of a shape that can be a bullet (points), and greatest ratio of its sides.
const SMALLEST_DOT: f32 = 1.0;
const LARGEST_DOT: f32 = 12.0;
const SQUARE: f32 = 1.4;
/// Boxes painted before another among which the one below it is sought.
const BOXES_BELOW: usize = 64;
/// Most points along the sides of a box, and the distance up to which two of them are one (points).
const MAX_BOX: usize = 12;
const SAME_POINT: f32 = 0.5;
/// Points of one path beyond which it counts as a drawing.
const MAX_POINTS: usize = 4_000;
/// The same for slices of a pie.
const MAX_SECTOR: usize = 40;

/// A straight line: at `at` on its own axis, from `from` to `to` on the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Ruling {
    pub(super) horizontal: bool,
    pub(super) at: f32,
    pub(super) from: f32,
    pub(super) to: f32,
}

/// A box that text is clipped to, or that is filled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Painted {
    pub(super) rect: Rect,
    pub(super) clips: bool,
    /// The colour that fills it.
    pub(super) ink: Ink,
}

/// The same boxes, without those filled in the colour of the box that they lie in: they show nothing.
pub(super) fn visible(painted: Vec<Painted>) -> Vec<Painted> {
    let mut out: Vec<Painted> = Vec::with_capacity(painted.len());
    for one in painted {
        let under = out.iter().rev().take(BOXES_BELOW).find(|below| {
            !below.clips && below.rect.overlap_x(&one.rect) > 0.0 && below.rect.overlap_y(&one.rect) > 0.0
        });
        let holds = |below: &Painted| {
            below.rect.holds((one.rect.left, one.rect.top), MAX_SLANT)
                && below.rect.holds((one.rect.right, one.rect.bottom), MAX_SLANT)
        };
        if one.clips
            || !under.is_some_and(|below| one.ink != Ink::UNKNOWN && below.ink == one.ink && holds(below))
        {
            out.push(one);
        }
    }
    out
}

/// The path under construction, in page coordinates.
#[derive(Default)]
pub(super) struct Path {
    runs: Vec<Run>,
    points: usize,
    /// The box around all of it, with the points that its curves are drawn towards.
    extent: Option<Rect>,
}

#[derive(Default)]
struct Run {
    points: Vec<(f32, f32)>,
    /// Those of its parts that are curves.
    arcs: Vec<Arc>,
}

impl Run {
    /// The box around it; `None` where it has no point.
    fn bounds(&self) -> Option<Rect> {
        let first = *self.points.first()?;
        Some(self.points.iter().fold(Rect::around(first, first), |r, p| r.union(&Rect::around(*p, *p))))
    }

    /// The box that it is, with level sides: its points are four corners, and others upon the sides between them.
    fn as_box(&self) -> Option<Rect> {
        if !self.arcs.is_empty() || !(4..=MAX_BOX).contains(&self.points.len()) {
            return None;
        }
        let same = |a: f32, b: f32| (a - b).abs() <= SAME_POINT;
        let mut points = self.points.clone();
        points.dedup_by(|a, b| same(a.0, b.0) && same(a.1, b.1));
        let closed = points.len() > 4 && same(points[0].0, points[points.len() - 1].0);
        if closed && same(points[0].1, points[points.len() - 1].1) {
            points.pop();
        }
        let between = |a: f32, b: f32, c: f32| (a.min(c)..=a.max(c)).contains(&b);
        let upon_side = |at: usize| {
            let [a, b, c] = [at + points.len() - 1, at, at + 1].map(|at| points[at % points.len()]);
            same(a.0, b.0) && same(b.0, c.0) && between(a.1, b.1, c.1)
                || same(a.1, b.1) && same(b.1, c.1) && between(a.0, b.0, c.0)
        };
        let corners: Vec<(f32, f32)> =
            (0..points.len()).filter(|at| !upon_side(*at)).map(|at| points[at]).collect();
        let level = |at: usize| {
            let (from, to) = (corners[at], corners[(at + 1) % corners.len()]);
            (from.0 - to.0).abs() <= MAX_SLANT || (from.1 - to.1).abs() <= MAX_SLANT
        };
        (corners.len() == 4 && (0..4).all(level)).then(|| self.bounds())?
    }
}

impl Path {
    /// Notes points that curves are drawn towards.
    fn reach(&mut self, points: impl IntoIterator<Item = (f32, f32)>) {
        for point in points {
            let at = Rect::around(point, point);
            self.extent = Some(self.extent.map_or(at, |extent| extent.union(&at)));
        }
    }
    /// The box around all that it can fill; `None` where it is empty.
    pub(super) const fn extent(&self) -> Option<Rect> {
        self.extent
    }
    /// Whether it is one box with level sides.
    pub(super) fn is_box(&self) -> bool {
        self.runs.len() == 1 && self.boxes().count() == 1
    }
    pub(super) fn move_to(&mut self, point: (f32, f32)) {
        self.reach([point]);
        self.runs.push(Run { points: vec![point], arcs: Vec::new() });
        self.points += 1;
    }
    pub(super) fn line_to(&mut self, point: (f32, f32)) {
        self.reach([point]);
        self.points += 1;
        if self.points < MAX_POINTS
            && let Some(run) = self.runs.last_mut()
        {
            run.points.push(point);
        }
    }
    /// A curve towards two points to a third (Bézier, as ISO 32000-1, 8.5.2.2 has it).
    pub(super) fn curve_to(&mut self, first: Option<(f32, f32)>, second: (f32, f32), to: (f32, f32)) {
        let from = self.runs.last().and_then(|run| run.points.last()).copied().unwrap_or(to);
        let first = first.unwrap_or(from);
        self.reach([first, second]);
        self.line_to(to);
        let middle = |a: f32, b: f32, c: f32, d: f32| (a + 3.0 * (b + c) + d) / 8.0;
        let half = (middle(from.0, first.0, second.0, to.0), middle(from.1, first.1, second.1, to.1));
        if let Some(run) = self.runs.last_mut().filter(|run| run.arcs.len() < MAX_POINTS) {
            run.arcs.push([from, half, to]);
        }
    }
    pub(super) fn close(&mut self) {
        if let Some(run) = self.runs.last_mut()
            && let Some(first) = run.points.first().copied()
        {
            run.points.push(first);
        }
    }
    pub(super) fn rectangle(&mut self, [a, b, c, d]: [(f32, f32); 4]) {
        self.reach([a, b, c, d]);
        self.points += 5;
        if self.points < MAX_POINTS {
            self.runs.push(Run { points: vec![a, b, c, d, a], arcs: Vec::new() });
        }
    }
    pub(super) fn clear(&mut self) {
        self.runs.clear();
        self.points = 0;
        self.extent = None;
    }

    /// The boxes that the path consists of, thin ones left out.
    pub(super) fn boxes(&self) -> impl Iterator<Item = Rect> {
        let runs = self.runs.iter().filter_map(Run::as_box);
        runs.filter(|whole| whole.width().min(whole.height()) > MAX_THICKNESS)
    }

    /// The boxes around the shapes of the path that can be bullets: small ones, about as wide as high.
    pub(super) fn dots(&self) -> impl Iterator<Item = Rect> {
        let runs = self.runs.iter().take_while(|_| self.points < MAX_POINTS);
        runs.filter_map(Run::bounds).filter(|shape| {
            let short = shape.width().min(shape.height());
            let long = shape.width().max(shape.height());
            short >= SMALLEST_DOT && long <= LARGEST_DOT && long <= SQUARE * short
        })
    }

    /// The slices and pieces of rings that the path consists of, filled with `ink`.
    pub(super) fn sectors(&self, ink: Ink) -> impl Iterator<Item = Sector> {
        let runs = self.runs.iter().take_while(|_| self.points < MAX_SECTOR);
        runs.filter_map(move |run| Sector::of(&run.points, &run.arcs, ink))
    }

    /// Adds the lines that painting the path draws.
    pub(super) fn rulings(&self, stroke: bool, out: &mut Vec<Ruling>) {
        if self.points >= MAX_POINTS {
            return;
        }
        for run in self.runs.iter().filter(|run| run.arcs.is_empty()) {
            let Some(whole) = run.bounds() else { continue };
            if whole.width().min(whole.height()) <= MAX_THICKNESS {
                out.extend(Ruling::along(whole));
            } else if stroke {
                let sides = run.points.windows(2).map(|side| Rect::around(side[0], side[1]));
                out.extend(
                    sides.filter(|s| s.width().min(s.height()) <= MAX_SLANT).filter_map(Ruling::along),
                );
            }
        }
    }
}

impl Ruling {
    /// The point in its middle.
    pub(super) fn middle(&self) -> (f32, f32) {
        let along = (self.from + self.to) / 2.0;
        if self.horizontal { (along, self.at) } else { (self.at, along) }
    }

    /// The line along the longer side of a thin box; `None` for a dot.
    fn along(thin: Rect) -> Option<Self> {
        let (x, y) = thin.center();
        if thin.width().max(thin.height()) <= MAX_THICKNESS {
            return None;
        }
        Some(if thin.width() >= thin.height() {
            Self { horizontal: true, at: y, from: thin.left, to: thin.right }
        } else {
            Self { horizontal: false, at: x, from: thin.top, to: thin.bottom }
        })
    }
}

/// Joins lines that continue each other: on the same axis within `slack`, with gaps up to `gap` (points).
pub(super) fn join(rulings: &[Ruling], horizontal: bool, slack: f32, gap: f32) -> Vec<Ruling> {
    let mut lines: Vec<Ruling> = rulings.iter().copied().filter(|r| r.horizontal == horizontal).collect();
    lines.sort_by(|a, b| a.at.total_cmp(&b.at).then(a.from.total_cmp(&b.from)));
    let mut out: Vec<Ruling> = Vec::new();
    let mut start = 0;
    while start < lines.len() {
        let first = lines[start].at;
        let end = start + lines[start..].partition_point(|r| r.at - first <= slack);
        let mut group = lines[start..end].to_vec();
        group.sort_by(|a, b| a.from.total_cmp(&b.from));
        let kept = out.len();
        for line in group {
            match out[kept..].last_mut() {
                Some(last) if line.from <= last.to + gap => last.to = last.to.max(line.to),
                _ => out.push(line),
            }
        }
        start = end;
    }
    out
}
