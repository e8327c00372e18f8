//! Reciprocal rank fusion: only ranks count (Cormack, Clarke and Büttcher, SIGIR 2009).

use super::{Fuse, Leaf, List};
use crate::search::Leg;

/// Each list gives `weight / (k + rank)`.
#[derive(Debug, Clone, Copy)]
pub(in crate::search) struct Rrf {
    /// Dampens high ranks.
    pub k: u32,
    /// Weight of the semantic list.
    pub semantic: f64,
    /// Weight of the keyword list.
    pub keyword: f64,
}

impl Rrf {
    fn worth(&self, weight: f64, rank: usize) -> Leaf {
        Leaf { weight, value: weight / (f64::from(self.k) + rank as f64), range: None }
    }
}

impl Fuse for Rrf {
    fn leaves(&self, list: &List) -> Vec<Leaf> {
        let weight = if list.leg == Leg::Semantic { self.semantic } else { self.keyword };
        (1..=list.entries.len()).map(|rank| self.worth(weight, rank)).collect()
    }

    /// Two neighbours in the list differ by `weight / ((k + n - 1)(k + n))`, and the others can add at most
    /// `others / (k + 1)`. The 1 before it keeps a single reference clear of both.
    fn named(&self, members: usize, _most: f64) -> Vec<Leaf> {
        let last = f64::from(self.k) + members.max(1) as f64;
        let others = self.semantic + self.keyword;
        let weight = others * (1.0 + last * (last + 1.0) / (f64::from(self.k) + 1.0));
        (1..=members).map(|rank| self.worth(weight, rank)).collect()
    }
}
