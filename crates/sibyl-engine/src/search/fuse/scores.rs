//! Fusion by scores: a convex combination of the legs' scores, each in its own standard deviations. (Bruch, Gai
//! and Ingber, "An analysis of fusion functions for hybrid retrieval", ACM TOIS 2023.)

use super::{Fuse, Leaf, List};
use crate::search::{Leg, ScoreRange};

/// Share of the semantic leg where the request names none.
pub const DEFAULT_SEMANTIC_SHARE: f64 = 0.4;

/// The legs give `a · semantic + (1 − a) · keyword`. Standard scores are counted from the lowest of a leg, not
/// from its mean, which shifts all chunks alike. So a chunk that a leg does not hold gets its lowest score, which
/// is nothing.
#[derive(Debug, Clone, Copy)]
pub(in crate::search) struct Scores {
    /// Share `a` of the semantic leg, 0 to 1.
    pub semantic: f64,
}

/// The range of the scores of `list`. The score of all chunks that it lacks counts once among them, if it is
/// known. So a list of one or two hits has a range, too.
fn range(list: &List) -> ScoreRange {
    let raws = list.entries.iter().filter_map(|entry| entry.raw);
    let all: Vec<f64> = raws.chain(list.missing).collect();
    let best = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let least = all.iter().copied().fold(f64::INFINITY, f64::min);
    let mean = all.iter().map(|raw| raw - least).sum::<f64>() / all.len() as f64;
    let squares: f64 = all.iter().map(|raw| (raw - least - mean).powi(2)).sum();
    ScoreRange { least, best, deviation: (squares / all.len() as f64).sqrt() }
}

impl Fuse for Scores {
    fn leaves(&self, list: &List) -> Vec<Leaf> {
        let weight = if list.leg == Leg::Semantic { self.semantic } else { 1.0 - self.semantic };
        let range = range(list);
        let of = |raw: f64| {
            // If all are alike, none stands out.
            let above = if range.deviation > 0.0 { (raw - range.least) / range.deviation } else { 1.0 };
            Leaf { weight, value: weight * above, range: Some(range) }
        };
        list.entries.iter().map(|entry| of(entry.raw.unwrap_or(range.least))).collect()
    }

    fn named(&self, members: usize, most: f64) -> Vec<Leaf> {
        let leaf = |rank: usize| (most + 1.0) * (members - rank) as f64;
        (0..members).map(leaf).map(|value| Leaf { weight: value, value, range: None }).collect()
    }
}
