//! How far the names of rows are indented: what begins further right than the name above it is a part of that.

use super::line::Line;
use super::word::{Turn, is_numeric};
use std::ops::Range;

/// Distance from one place at which names begin to the next (in letter sizes).
const STEP: Range<f32> = 0.4..4.0;
/// Difference of the beginnings of names at one place (in letter sizes).
const SAME: f32 = 0.15;
/// Most places at which the names of a table begin: centred ones begin at more.
const PLACES: usize = 5;

/// How far each of the names of rows, from top to bottom, is indented: 0 at the left, without a name, and where nothing shows
/// that names are indented.
pub(super) fn depths(names: &[Option<&Line>]) -> Vec<usize> {
    let none = || vec![0; names.len()];
    let known = || names.iter().flatten();
    if known().any(|name| name.words.iter().any(|word| word.turn != Turn::Level)) {
        return none();
    }
    let Some(size) = known().map(|name| name.size()).reduce(f32::max) else { return none() };
    // Names that end or stand in the middle at one place are set so, and so are numbers.
    let even = |place: fn(&Line) -> f32| {
        let ends = known()
            .map(|name| place(name))
            .fold((f32::MAX, f32::MIN), |(low, high), x| (low.min(x), high.max(x)));
        ends.1 - ends.0 < SAME * size
    };
    let set = even(|name| name.rect.right) || even(|name| name.rect.center().0);
    if set || known().all(|name| is_numeric(&name.text())) {
        return none();
    }
    let mut places: Vec<f32> = known().map(|name| name.rect.left).collect();
    places.sort_by(f32::total_cmp);
    places.dedup_by(|next, at| *next - *at < SAME * size);
    let apart = places.windows(2).all(|pair| STEP.contains(&((pair[1] - pair[0]) / size)));
    if places.len() > PLACES || !apart {
        return none();
    }
    let depth = |name: &Line| places.partition_point(|at| *at <= name.rect.left).saturating_sub(1);
    let out: Vec<usize> = names.iter().map(|name| name.map_or(0, depth)).collect();
    // Nothing is indented by more than one step under the name above it.
    let mut above = None;
    let nested = names.iter().zip(&out).filter(|(name, _)| name.is_some()).all(|(_, depth)| {
        let most = above.map_or(0, |above: usize| above + 1);
        above = Some(*depth);
        *depth <= most
    });
    if nested { out } else { none() }
}
