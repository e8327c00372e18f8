//! The other standard's answer to a hit follows it: paragraphs of IFRS S1 and S2 that are paired with each other.

use super::attempt::Attempt;
use super::fuse::{Fused, Fusion, rank, sum};
use super::{Contribution, Leg, Mode};
use crate::error::Result;
use std::sync::Arc;

/// Hits at the head of the fused list whose counterparts are lifted.
const HEAD: usize = 10;
/// Maximum share of a hit's score that its counterpart gets.
const LIFT: f64 = 0.35;
/// Part of the way to the hit that a counterpart may come.
const BEHIND: f64 = 1.0 - 1e-9;

/// A hit and the chunks that answer to it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pair {
    /// Rank of the hit in the fused list, from 1.
    pub rank: usize,
    /// The name by which the hit is cited.
    pub id: String,
    /// Row ids of the chunks of its counterpart.
    pub rows: Vec<i64>,
}

/// Raises the counterparts of the hits in `pairs` that are further down in the list. Each gets a share of its
/// hit's score, but never so much that it overtakes the hit. The list is in its order again.
pub(super) fn lift(fused: &mut [Fused], pairs: &[Pair]) {
    let scores: Vec<f64> = fused.iter().map(|one| one.score).collect();
    for pair in pairs {
        let Some(hit) = pair.rank.checked_sub(1).and_then(|at| scores.get(at)) else { continue };
        // A counterpart in parts is raised by its best part, and so is one in two corpora.
        let Some(at) = fused.iter().position(|one| pair.rows.contains(&one.row)) else { continue };
        let value = (LIFT * hit).min((hit - scores[at]) * BEHIND);
        let given = |one: &Contribution| one.leg == Leg::Counterpart && one.value >= value;
        if value <= 0.0 || fused[at].contributions.iter().any(given) {
            continue;
        }
        fused[at].contributions.retain(|one| one.leg != Leg::Counterpart);
        fused[at].contributions.push(Contribution {
            leg: Leg::Counterpart,
            rank: pair.rank,
            weight: LIFT,
            raw: None,
            range: None,
            value,
            label: pair.id.clone(),
        });
        fused[at].score = sum(&fused[at].contributions);
    }
    rank(fused);
}

impl Attempt<'_> {
    /// Lifts the counterparts of the best of `fused` in a fusion by scores, since reciprocal rank fusion is asked for as
    /// documented.
    ///
    /// # Errors
    /// Storage errors.
    pub async fn lift_counterparts(&self, fused: &mut [Fused]) -> Result<()> {
        let known = &self.providers.counterparts;
        let request = self.request;
        let asked = request.counterparts && request.mode == Mode::Hybrid && request.fusion == Fusion::Scores;
        if !asked || known.is_empty() {
            return Ok(());
        }
        let head: Vec<i64> = fused.iter().take(HEAD).map(|one| one.row).collect();
        let labels = self.labels(&head).await?;
        let mut wanted = Vec::new();
        for (row, rank) in head.iter().zip(1..) {
            let id = labels.get(row).and_then(|candidate| candidate.identity.as_ref());
            let Some(id) = id else { continue };
            wanted.extend(known.paired(id).iter().map(|answer| (rank, id.clone(), answer.clone())));
        }
        if wanted.is_empty() {
            return Ok(());
        }
        let answers = wanted.iter().map(|(.., answer)| answer.clone()).collect();
        let chunks = self.store().chunks_of_keys(answers, Arc::clone(&self.scope.visible)).await?;
        let pairs: Vec<Pair> = wanted
            .into_iter()
            .filter_map(|(rank, id, answer)| {
                let rows = chunks.get(&answer)?.iter().map(|(row, _)| *row).collect();
                Some(Pair { rank, id, rows })
            })
            .collect();
        lift(fused, &pairs);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::SearchRequest;
    use crate::search::fuse::{Entry, Fuse, List, fuse};
    use proptest::prelude::*;

    fn fused(semantic: &[i64], keyword: &[i64]) -> Vec<Fused> {
        let list = |leg, rows: &[i64]| List {
            leg,
            missing: None,
            entries: rows
                .iter()
                .map(|&row| Entry { row, chunk_id: format!("{row:016x}"), raw: None, label: String::new() })
                .collect(),
        };
        fuse(&[list(Leg::Semantic, semantic), list(Leg::Keyword, keyword)], by_ranks().as_ref())
    }

    /// Scores that are easy to compute: `1 / (60 + rank)` from each list.
    fn by_ranks() -> Box<dyn Fuse> {
        Fusion::of(&SearchRequest { fusion: Fusion::Rrf, ..SearchRequest::default() })
    }

    fn rows(fused: &[Fused]) -> Vec<i64> {
        fused.iter().map(|one| one.row).collect()
    }

    fn pair(rank: usize, rows: &[i64]) -> Pair {
        Pair { rank, id: format!("S2.{rank}"), rows: rows.to_vec() }
    }

    #[test]
    fn a_counterpart_further_down_follows_its_hit() {
        let mut list = fused(&[1, 2, 3, 4, 5, 6], &[1, 2, 3, 4, 5, 6]);
        lift(&mut list, &[pair(1, &[6])]);
        assert_eq!(rows(&list), [1, 6, 2, 3, 4, 5]);
        let leaf = list[1].contributions.last().unwrap();
        assert_eq!((leaf.leg, leaf.rank, leaf.label.as_str()), (Leg::Counterpart, 1, "S2.1"));
        // Its part of the hit's score would be more than the way to the hit.
        assert!(leaf.value < LIFT * 2.0 / 61.0 && list[1].score < list[0].score);
    }

    #[test]
    fn one_that_stands_lower_gets_its_part_of_the_score() {
        let mut list = fused(&[1, 2, 3, 4], &[1, 2, 3, 9]);
        lift(&mut list, &[pair(2, &[9])]);
        let lifted = list.iter().find(|one| one.row == 9).unwrap();
        assert_eq!(lifted.contributions.last().unwrap().value, LIFT * (2.0 / 62.0));
        assert_eq!(lifted.score, 1.0 / 64.0 + LIFT * (2.0 / 62.0));
    }

    #[test]
    fn what_no_leg_found_is_not_brought_in_and_what_leads_stays() {
        let before = fused(&[1, 2, 3], &[1, 2, 3]);
        let mut list = before.clone();
        lift(&mut list, &[pair(1, &[7]), pair(2, &[1]), pair(9, &[3])]);
        assert_eq!(list, before);
    }

    #[test]
    fn the_larger_of_two_lifts_counts() {
        let mut list = fused(&[1, 2, 3, 4], &[1, 2, 8, 9]);
        lift(&mut list, &[pair(2, &[9]), pair(1, &[9])]);
        let lifted = list.iter().find(|one| one.row == 9).unwrap();
        let leaves: Vec<_> = lifted.contributions.iter().filter(|one| one.leg == Leg::Counterpart).collect();
        assert_eq!(leaves.len(), 1);
        assert_eq!((leaves[0].label.as_str(), leaves[0].value), ("S2.1", LIFT * (2.0 / 61.0)));
    }

    proptest! {
        #[test]
        fn no_counterpart_overtakes_its_hit_and_every_score_is_its_sum(
            semantic in Just((0..20_i64).collect::<Vec<_>>()).prop_shuffle(),
            keyword in Just((0..20_i64).collect::<Vec<_>>()).prop_shuffle(),
            pairs in prop::collection::vec((1..=10_usize, 0..20_i64), 0..8),
        ) {
            let before = fused(&semantic, &keyword);
            let mut after = before.clone();
            let pairs: Vec<Pair> = pairs.into_iter().map(|(rank, row)| pair(rank, &[row])).collect();
            lift(&mut after, &pairs);
            for one in &after {
                prop_assert_eq!(one.score.to_bits(), sum(&one.contributions).to_bits());
                let old = before.iter().find(|old| old.row == one.row).unwrap();
                prop_assert!(one.score >= old.score);
                let answered = one.contributions.iter().find(|leaf| leaf.leg == Leg::Counterpart);
                if let Some(leaf) = answered {
                    let hit = before[leaf.rank - 1].row;
                    let place = |row| after.iter().position(|one| one.row == row).unwrap();
                    prop_assert!(place(hit) < place(one.row));
                }
            }
            prop_assert!(after.windows(2).all(|pair| pair[0].score >= pair[1].score));
        }
    }
}
