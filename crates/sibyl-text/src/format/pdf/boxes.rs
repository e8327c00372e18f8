//! Boxes that are drawn around a part of a page: each is read by itself.

use super::geometry::Rect;
use super::grid::{self, Grid};
use super::part::Part;
use super::ruling::Ruling;
use super::weigh::Cost;
use super::word::Word;

/// Fewest words in a box, and around it, from which it parts them.
const BOXED: usize = 8;
/// Distance from the sides of a box within which lines belong to them (points).
const SIDE: f32 = 2.0;

/// Takes the boxes of a part out of what stands around them. A grid with cells side by side is a table and no box.
pub(super) fn part(part: &mut Part) {
    let mut grids: Vec<Grid> = part.grids.iter().filter(|grid| grid.closed).cloned().collect();
    let area = |grid: &Grid| grid.rect.width() * grid.rect.height();
    grids.sort_by(|a, b| area(b).total_cmp(&area(a)));
    for grid in grids {
        let words = &part.words;
        let held = words.iter().filter(|word| grid.rect.holds(word.rect.center(), 0.0)).count();
        if held < BOXED || words.len() - held < BOXED {
            continue;
        }
        let torn = crossing(&grid, words) + rows(&grid, words);
        let readings = [
            (true, "box", Cost { torn, ..Cost::default() }),
            (false, "no box", Cost { unexplained: 1, ..Cost::default() }),
        ];
        if !part.decisions.cheapest(&grid.rect, readings) {
            continue;
        }
        let (inside, outside) = std::mem::take(&mut part.words)
            .into_iter()
            .partition(|word: &Word| grid.rect.holds(word.rect.center(), 0.0));
        part.words = outside;
        let inner = Rect {
            left: grid.rect.left + SIDE,
            top: grid.rect.top + SIDE,
            right: grid.rect.right - SIDE,
            bottom: grid.rect.bottom - SIDE,
        };
        let within = |rule: &Ruling| {
            let middle = (rule.from + rule.to) / 2.0;
            inner.holds(if rule.horizontal { (middle, rule.at) } else { (rule.at, middle) }, 0.0)
        };
        let (own, others): (Vec<Ruling>, Vec<Ruling>) =
            std::mem::take(&mut part.rulings).into_iter().partition(within);
        part.rulings = others;
        part.inner.push(Part::new(inside, own, part.shapes.clone()));
    }
    if !part.inner.is_empty() {
        part.grids = grid::grids(&part.rulings);
    }
}

/// How many words stand across a side of a grid.
fn crossing(grid: &Grid, words: &[Word]) -> usize {
    let rect = &grid.rect;
    let crosses = |word: &&Word| {
        let (x, y) = (word.rect.overlap_x(rect), word.rect.overlap_y(rect));
        let inside = x >= 0.7 * word.rect.width() && y >= 0.5 * word.rect.height();
        let outside = x <= 0.3 * word.rect.width() || y <= 0.5 * word.rect.height();
        !inside && !outside
    };
    words.iter().filter(crosses).count()
}

/// How many pairs of cells of a grid side by side hold words.
fn rows(grid: &Grid, words: &[Word]) -> usize {
    let mut used: Vec<(usize, usize)> =
        words.iter().filter_map(|word| grid.cell_at(word.rect.center())).collect();
    used.sort_unstable();
    used.dedup();
    used.windows(2).filter(|pair| pair[0].0 == pair[1].0).count()
}
