//! Fusion: ranked lists become one, and each score is the sum of what the lists contributed.
//!
//! A new kind of fusion is one file here, one name in [`Fusion`] and one line in [`Fusion::of`].

mod rrf;
mod scores;

use super::{Contribution, Leg, ScoreRange, SearchRequest};
use rrf::Rrf;
use schemars::JsonSchema;
use scores::Scores;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

pub use scores::DEFAULT_SEMANTIC_SHARE;

/// How the lists of the legs become one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fusion {
    /// By score, each list in its own standard deviations.
    #[default]
    Scores,
    /// By rank alone: reciprocal rank fusion.
    Rrf,
}

impl Fusion {
    /// The fusion that `request` asks for, with its parameters.
    pub(super) fn of(request: &SearchRequest) -> Box<dyn Fuse> {
        match request.fusion {
            Self::Scores => Box::new(Scores { semantic: request.semantic_share }),
            Self::Rrf => Box::new(Rrf {
                k: request.rrf_k,
                semantic: request.semantic_weight,
                keyword: request.keyword_weight,
            }),
        }
    }
}

/// A kind of fusion with its parameters.
pub(super) trait Fuse: Send + Sync {
    /// What the list of a leg gives to each of its entries, in their order.
    fn leaves(&self, list: &List) -> Vec<Leaf>;
    /// What each of the `members` chunks that the query names gets, in their order. Each stands above whatever the
    /// legs give, which is at most `most` together, and they keep their order whatever the legs add.
    fn named(&self, members: usize, most: f64) -> Vec<Leaf>;
}

/// What a list gives to a chunk.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Leaf {
    /// Weight of the list.
    pub weight: f64,
    /// What it adds to the score.
    pub value: f64,
    /// The range on which the raw score was read, if that matters.
    pub range: Option<ScoreRange>,
}

/// A chunk in a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Row id of the chunk.
    pub row: i64,
    /// Chunk id, 16 hex digits.
    pub chunk_id: String,
    /// Raw score in the list.
    pub raw: Option<f64>,
    /// Shown beside its contribution, such as the matched reference.
    pub label: String,
}

/// A list, best first.
#[derive(Debug, Clone, PartialEq)]
pub struct List {
    /// The leg that made it.
    pub leg: Leg,
    /// Its chunks, each at most once.
    pub entries: Vec<Entry>,
    /// The score of every chunk that the list lacks, if that is known.
    pub missing: Option<f64>,
}

/// A chunk with its contributions.
#[derive(Debug, Clone, PartialEq)]
pub struct Fused {
    /// Row id of the chunk.
    pub row: i64,
    /// Chunk id, 16 hex digits.
    pub chunk_id: String,
    /// What each list contributed, in the order of the lists.
    pub contributions: Vec<Contribution>,
    /// The sum of the contributions, in their order.
    pub score: f64,
}

impl Fused {
    /// Whether the query names it outright.
    pub fn is_named(&self) -> bool {
        self.contributions.iter().any(|contribution| contribution.leg == Leg::Reference)
    }
}

/// `lists` as one, by the kind of fusion `by`. Best first, of equal ones the greater chunk id first.
pub(super) fn fuse(lists: &[List], by: &dyn Fuse) -> Vec<Fused> {
    let of_legs = lists.iter().filter(|list| list.leg != Leg::Reference);
    let best = |list| by.leaves(list).iter().map(|leaf| leaf.value).fold(0.0, f64::max);
    let most: f64 = of_legs.map(best).sum();
    collect(lists, |list| match list.leg {
        Leg::Reference => by.named(list.entries.len(), most),
        _ => by.leaves(list),
    })
}

/// One list alone: its raw scores are the scores.
pub fn alone(list: &List) -> Vec<Fused> {
    let leaf = |entry: &Entry| Leaf { weight: 1.0, value: entry.raw.unwrap_or(0.0), range: None };
    collect(std::slice::from_ref(list), |list| list.entries.iter().map(leaf).collect())
}

fn collect(lists: &[List], leaves: impl Fn(&List) -> Vec<Leaf>) -> Vec<Fused> {
    let mut at: HashMap<i64, usize> = HashMap::new();
    let mut fused: Vec<Fused> = Vec::new();
    for list in lists {
        for ((entry, rank), leaf) in list.entries.iter().zip(1..).zip(leaves(list)) {
            let place = *at.entry(entry.row).or_insert_with(|| {
                fused.push(Fused {
                    row: entry.row,
                    chunk_id: entry.chunk_id.clone(),
                    contributions: Vec::with_capacity(lists.len()),
                    score: 0.0,
                });
                fused.len() - 1
            });
            let Leaf { weight, value, range } = leaf;
            let (raw, label) = (entry.raw, entry.label.clone());
            let leaf = Contribution { leg: list.leg, rank, weight, raw, range, value, label };
            fused[place].contributions.push(leaf);
        }
    }
    for one in &mut fused {
        one.score = sum(&one.contributions);
    }
    rank(&mut fused);
    fused
}

/// Puts `fused` in order: best first, of equal ones the greater chunk id, as trec_eval orders what scores alike.
pub(super) fn rank(fused: &mut [Fused]) {
    fused.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| b.chunk_id.cmp(&a.chunk_id)));
}

/// The score that `contributions` add up to: the sum in their order, so that anyone gets the same last bit.
pub fn sum(contributions: &[Contribution]) -> f64 {
    contributions.iter().fold(0.0, |sum, contribution| sum + contribution.value)
}

#[cfg(test)]
mod tests;
