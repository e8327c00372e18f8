//! Slices of pies and pieces of rings: shapes between arcs around one center.

use super::ink::Ink;
use std::f32::consts::{PI, TAU};

/// Share of its radius by which a point of an arc may miss it.
const ROUND: f32 = 0.04;
/// Smallest radius (points).
const SMALLEST: f32 = 10.0;

/// A point on a page.
type Point = (f32, f32);
/// Beginning, middle and end of a curve.
pub(super) type Arc = [Point; 3];

/// A piece of a disk or a ring. Angles are in radians, from the right and on clockwise.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sector {
    pub(super) center: Point,
    /// Radius of the hole; 0 where there is none.
    pub(super) inner: f32,
    pub(super) outer: f32,
    from: f32,
    pub(super) span: f32,
    pub(super) ink: Ink,
}

impl Sector {
    /// The sector that a closed path through `points`, of which `arcs` are curves, encloses.
    pub(super) fn of(points: &[Point], arcs: &[Arc], ink: Ink) -> Option<Self> {
        let off_arcs = |point: &&Point| !arcs.iter().flatten().any(|other| far(*other, **point) < 0.01);
        let tip = points.iter().find(off_arcs).copied();
        let longest = arcs.iter().max_by(|a, b| far(a[0], a[2]).total_cmp(&far(b[0], b[2])))?;
        let radii = |center: Point| -> Option<(f32, f32)> {
            let radius = |arc: &Arc| {
                let radius = far(center, arc[1]);
                arc.iter()
                    .all(|point| (far(center, *point) - radius).abs() <= ROUND * radius)
                    .then_some(radius)
            };
            let all: Vec<f32> = arcs.iter().map(radius).collect::<Option<_>>()?;
            let outer = all.iter().copied().fold(0.0, f32::max);
            let inner =
                all.iter().copied().filter(|radius| outer - radius > ROUND * outer).fold(0.0, f32::max);
            Some((inner, outer)).filter(|_| outer >= SMALLEST)
        };
        let of_tip = tip.and_then(|tip| Some((tip, radii(tip)?)));
        let (center, (inner, outer)) = match of_tip {
            Some(found) => found,
            None => {
                let center = center(longest)?;
                (center, radii(center)?)
            }
        };
        let angle = |point: Point| (point.1 - center.1).atan2(point.0 - center.0);
        let outside = arcs.iter().filter(|arc| outer - far(center, arc[1]) <= ROUND * outer);
        // Angles at which the arcs begin and end, counted on through the turn.
        let (mut low, mut high) = (f32::MAX, f32::MIN);
        let mut at: Option<f32> = None;
        for arc in outside {
            let mut here = at.unwrap_or_else(|| angle(arc[0]));
            for point in arc {
                here += turned(angle(*point) - here);
                low = low.min(here);
                high = high.max(here);
            }
            at = Some(here);
        }
        let span = high - low;
        (span > 0.0 && span < TAU - ROUND).then_some(Self { center, inner, outer, from: low, span, ink })
    }

    /// Whether it opens towards a point.
    pub(super) fn faces(&self, point: Point) -> bool {
        let angle = (point.1 - self.center.1).atan2(point.0 - self.center.0);
        (angle - self.from).rem_euclid(TAU) <= self.span
    }

    /// How far a point is from its center (points).
    pub(super) fn reach(&self, point: Point) -> f32 {
        far(self.center, point)
    }

    /// Whether both are pieces of one disk or ring.
    pub(super) fn is_beside(&self, other: &Self) -> bool {
        let slack = 2.0 * ROUND * self.outer;
        far(self.center, other.center) <= slack
            && (self.outer - other.outer).abs() <= slack
            && (self.inner - other.inner).abs() <= slack
    }
}

/// The distance of two points.
fn far(a: Point, b: Point) -> f32 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

/// The same angle between a half turn back and a half turn on.
fn turned(angle: f32) -> f32 {
    (angle + PI).rem_euclid(TAU) - PI
}

/// The center of the circle through three points; `None` where they stand on a line.
fn center([a, b, c]: &Arc) -> Option<Point> {
    let (bx, by, cx, cy) = (b.0 - a.0, b.1 - a.1, c.0 - a.0, c.1 - a.1);
    let twice = 2.0 * (bx * cy - by * cx);
    let (b2, c2) = (bx * bx + by * by, cx * cx + cy * cy);
    (twice.abs() > 0.01).then(|| (a.0 + (cy * b2 - by * c2) / twice, a.1 + (bx * c2 - cx * b2) / twice))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The arc from one angle to another.
    fn arc(center: Point, radius: f32, from: f32, to: f32) -> Arc {
        [from, (from + to) / 2.0, to]
            .map(|at: f32| (center.0 + radius * at.cos(), center.1 + radius * at.sin()))
    }

    #[test]
    fn a_slice_is_known_by_its_tip_and_its_arcs() {
        let center = (200.0, 300.0);
        let arcs = [arc(center, 50.0, 3.0, 4.0), arc(center, 50.0, 4.0, 5.0)];
        let points = [center, arcs[0][0], arcs[0][2], arcs[1][2], center];
        let slice = Sector::of(&points, &arcs, Ink::BLACK).expect("a slice");
        assert!((slice.outer - 50.0).abs() < 0.1 && slice.inner == 0.0 && (slice.span - 2.0).abs() < 0.01);
        assert!(slice.faces((center.0 - 10.0, center.1)), "the left is at an angle of 3.14");
        assert!(!slice.faces((center.0 + 10.0, center.1)));
    }

    #[test]
    fn a_piece_of_a_ring_has_a_hole() {
        let center = (200.0, 300.0);
        let arcs = [arc(center, 50.0, 0.0, 1.0), arc(center, 30.0, 1.0, 0.0)];
        let points = [arcs[0][0], arcs[0][2], arcs[1][0], arcs[1][2], arcs[0][0]];
        let piece = Sector::of(&points, &arcs, Ink::BLACK).expect("a piece");
        assert!((piece.inner - 30.0).abs() < 0.1 && (piece.span - 1.0).abs() < 0.01);
    }

    #[test]
    fn round_corners_and_disks_are_no_slices() {
        let corners = [(10.0, 10.0), (90.0, 10.0), (90.0, 90.0), (10.0, 90.0)];
        let arcs: Vec<Arc> = corners
            .iter()
            .zip(0..)
            .map(|(corner, quarter)| {
                arc(*corner, 10.0, quarter as f32 * PI / 2.0, (quarter as f32 + 1.0) * PI / 2.0)
            })
            .collect();
        let points: Vec<Point> = arcs.iter().flat_map(|arc| [arc[0], arc[2]]).collect();
        assert!(Sector::of(&points, &arcs, Ink::BLACK).is_none());
        let disk: Vec<Arc> = (0..4)
            .map(|at| arc((50.0, 50.0), 20.0, at as f32 * PI / 2.0, (at as f32 + 1.0) * PI / 2.0))
            .collect();
        let points: Vec<Point> = disk.iter().map(|arc| arc[0]).collect();
        assert!(Sector::of(&points, &disk, Ink::BLACK).is_none());
    }
}
