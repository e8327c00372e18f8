//! Readings of one place that exclude each other: each has a cost, and the cheapest is taken.

use super::geometry::Rect;
use serde::{Deserialize, Serialize};

/// What a reading of a place costs. What stands first weighs more than any number of what stands below it. A torn
/// sentence says something else, but a line without a meaning says nothing wrong. A number without a name can still
/// be found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Cost {
    /// Sentences, and rows of a table, that it tears.
    pub torn: usize,
    /// What is drawn or marked there and means nothing in it.
    pub unexplained: usize,
    /// Numbers that it leaves without a name.
    pub unnamed_numbers: usize,
}

/// One of several readings of a place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hypothesis {
    /// What it takes the place for, such as `table` or `columns of text`.
    pub reading: String,
    /// What it costs.
    pub cost: Cost,
    /// Whether it was taken.
    pub taken: bool,
}

/// Readings of one place that exclude each other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// The place: left, top, right, bottom (points).
    pub rect: [f32; 4],
    /// The readings; one of them is taken.
    pub hypotheses: Vec<Hypothesis>,
}

/// What was decided on a part of a page.
#[derive(Default)]
pub(super) struct Decisions(Vec<Decision>);

impl Decisions {
    /// The cheapest of several readings of `place`, the first of them where two cost the same.
    pub(super) fn cheapest<R: Copy, const N: usize>(
        &mut self,
        place: &Rect,
        readings: [(R, &'static str, Cost); N],
    ) -> R {
        const { assert!(N > 1, "a decision has several readings") }
        let taken = (1..N).fold(0, |best, at| if readings[at].2 < readings[best].2 { at } else { best });
        let told = |(at, (_, name, cost)): (usize, &(R, &str, Cost))| Hypothesis {
            reading: (*name).to_owned(),
            cost: *cost,
            taken: at == taken,
        };
        let hypotheses = readings.iter().enumerate().map(told).collect();
        self.0.push(Decision { rect: place.corners(), hypotheses });
        readings[taken].0
    }

    /// What was decided since this was asked last.
    pub(super) fn told(&mut self) -> Vec<Decision> {
        std::mem::take(&mut self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cost() -> impl Strategy<Value = Cost> {
        (0..3_usize, 0..3_usize, 0..3_usize).prop_map(|(torn, unexplained, unnamed_numbers)| Cost {
            torn,
            unexplained,
            unnamed_numbers,
        })
    }

    proptest! {
        #[test]
        fn no_reading_costs_less_than_the_one_that_is_taken(costs in prop::array::uniform4(cost())) {
            let mut decisions = Decisions::default();
            let place = Rect { left: 0.0, top: 0.0, right: 1.0, bottom: 1.0 };
            let taken = decisions.cheapest(&place, [0, 1, 2, 3].map(|at| (at, "reading", costs[at])));
            prop_assert!(costs.iter().all(|cost| costs[taken] <= *cost));
            prop_assert!(costs[..taken].iter().all(|cost| costs[taken] < *cost));
            let told = decisions.told();
            prop_assert_eq!(told[0].hypotheses.iter().position(|one| one.taken), Some(taken));
            prop_assert!(decisions.told().is_empty());
        }
    }
}
