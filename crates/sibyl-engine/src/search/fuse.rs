//! Fusion: ranked lists become one, and each score is the sum of what the lists contributed.

use super::{Contribution, Leg};
use std::collections::HashMap;

/// A chunk in a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Row id of the chunk.
    pub row: i64,
    /// Chunk id, 16 hex digits.
    pub chunk_id: String,
    /// Raw score in the list.
    pub raw: Option<f64>,
    /// Shown beside its contribution, such as the reference that matched.
    pub label: String,
}

/// A list, best first.
#[derive(Debug, Clone, PartialEq)]
pub struct List {
    /// Where it comes from.
    pub leg: Leg,
    /// Its weight.
    pub weight: f64,
    /// Its chunks, each at most once.
    pub entries: Vec<Entry>,
}

/// A chunk with what it got.
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

/// The weight of a list of `members` exact references, so that each stands above whatever the other lists (of
/// `others` together) can give, and the members keep their order whatever those lists add.
///
/// Two neighbours of the list differ by `weight / ((k + n - 1)(k + n))`, and the other lists can add at most
/// `others / (k + 1)`; the 1 before it keeps a single reference clear of both.
pub fn reference_weight(others: f64, k: u32, members: usize) -> f64 {
    let last = f64::from(k) + members.max(1) as f64;
    others * (1.0 + last * (last + 1.0) / (f64::from(k) + 1.0))
}

/// Reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009): each list gives `weight / (k + rank)`.
/// Best first, equal ones by chunk id.
pub fn fuse(lists: &[List], k: u32) -> Vec<Fused> {
    collect(lists, |list, rank, _| list.weight / (f64::from(k) + rank as f64))
}

/// One list alone: its raw scores are the scores.
pub fn alone(list: &List) -> Vec<Fused> {
    collect(std::slice::from_ref(list), |_, _, raw| raw.unwrap_or(0.0))
}

fn collect(lists: &[List], value: impl Fn(&List, usize, Option<f64>) -> f64) -> Vec<Fused> {
    let mut at: HashMap<i64, usize> = HashMap::new();
    let mut fused: Vec<Fused> = Vec::new();
    for list in lists {
        for (index, entry) in list.entries.iter().enumerate() {
            let place = *at.entry(entry.row).or_insert_with(|| {
                fused.push(Fused {
                    row: entry.row,
                    chunk_id: entry.chunk_id.clone(),
                    contributions: Vec::with_capacity(lists.len()),
                    score: 0.0,
                });
                fused.len() - 1
            });
            let rank = index + 1;
            let value = value(list, rank, entry.raw);
            fused[place].contributions.push(Contribution {
                leg: list.leg,
                rank,
                weight: list.weight,
                raw: entry.raw,
                value,
                label: entry.label.clone(),
            });
        }
    }
    for one in &mut fused {
        one.score = sum(&one.contributions);
    }
    rank(&mut fused);
    fused
}

/// Puts `fused` in order: best first, equal ones by chunk id.
pub(super) fn rank(fused: &mut [Fused]) {
    fused.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.chunk_id.cmp(&b.chunk_id)));
}

/// The score that `contributions` add up to: the sum in their order, so that anyone gets the same last bit.
pub fn sum(contributions: &[Contribution]) -> f64 {
    contributions.iter().fold(0.0, |sum, contribution| sum + contribution.value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn list(leg: Leg, weight: f64, names: &[&str]) -> List {
        let entries = names.iter().map(|name| Entry {
            row: i64::from_str_radix(&crate::store::short_hash(&[name])[..15], 16).unwrap(),
            chunk_id: (*name).to_owned(),
            raw: None,
            label: String::new(),
        });
        List { leg, weight, entries: entries.collect() }
    }

    fn names(fused: &[Fused]) -> Vec<&str> {
        fused.iter().map(|one| one.chunk_id.as_str()).collect()
    }

    /// Appendix C of the main document: "Scope 3 emissions disclosure requirements S2.29".
    #[test]
    fn the_worked_example_comes_out() {
        let semantic = list(Leg::Semantic, 1.0, &["S2.29(a)(iii)", "S2.29(a)(i)", "S2.27", "S1.46", "S2.33"]);
        let keyword = list(
            Leg::Keyword,
            1.0,
            &["S2.29(a)(iii)", "S2.29(a)(i)", "S2.29(a)(ii)", "S2.29(b)", "S2.29(c)"],
        );
        let fused = fuse(&[semantic, keyword], 60);
        let shown: Vec<(&str, String)> =
            fused.iter().map(|one| (one.chunk_id.as_str(), format!("{:.4}", one.score))).collect();
        let expected = [
            ("S2.29(a)(iii)", "0.0328"),
            ("S2.29(a)(i)", "0.0323"),
            // The example's ties stand in its own order; here ids decide.
            ("S2.27", "0.0159"),
            ("S2.29(a)(ii)", "0.0159"),
            ("S1.46", "0.0156"),
            ("S2.29(b)", "0.0156"),
            ("S2.29(c)", "0.0154"),
            ("S2.33", "0.0154"),
        ];
        assert_eq!(shown, expected.map(|(id, score)| (id, score.to_owned())));
        assert_eq!(fused[0].score, 1.0 / 61.0 + 1.0 / 61.0);
        assert_eq!(fused[1].score, 1.0 / 62.0 + 1.0 / 62.0);
    }

    #[test]
    fn references_lead_in_their_order() {
        for (k, members) in [(60, 1), (60, 7), (1, 40), (0, 3), (1000, 200)] {
            let ids: Vec<String> = (0..members).map(|n| format!("ref{n:03}")).collect();
            let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
            // The others hold the last member first and a stranger beside it.
            let others: Vec<&str> = std::iter::once("stranger").chain(ids.iter().rev().copied()).collect();
            let reference = list(Leg::Reference, reference_weight(2.0, k, members), &ids);
            let fused =
                fuse(&[reference, list(Leg::Semantic, 1.0, &others), list(Leg::Keyword, 1.0, &others)], k);
            assert_eq!(names(&fused)[..members], ids, "k {k}");
            assert_eq!(names(&fused)[members], "stranger");
        }
    }

    fn permutation() -> impl Strategy<Value = Vec<&'static str>> {
        let all = vec!["a", "b", "c", "d", "e", "f", "g", "h"];
        (Just(all).prop_shuffle(), 0..=8_usize).prop_map(|(all, length)| all[..length].to_vec())
    }

    proptest! {
        #[test]
        fn scores_are_the_sum_of_their_leaves(
            semantic in permutation(), keyword in permutation(), k in 0_u32..200, weight in 0.0_f64..3.0
        ) {
            let lists = [list(Leg::Semantic, weight, &semantic), list(Leg::Keyword, 1.0, &keyword)];
            let fused = fuse(&lists, k);
            for one in &fused {
                let mut total = 0.0;
                for leaf in &one.contributions {
                    prop_assert_eq!(leaf.value.to_bits(), (leaf.weight / (f64::from(k) + leaf.rank as f64)).to_bits());
                    total += leaf.value;
                }
                prop_assert_eq!(total.to_bits(), one.score.to_bits());
            }
            for pair in fused.windows(2) {
                prop_assert!(pair[0].score > pair[1].score
                    || pair[0].score == pair[1].score && pair[0].chunk_id < pair[1].chunk_id);
            }
            let mut expected: Vec<&str> = semantic.iter().chain(&keyword).copied().collect();
            expected.sort_unstable();
            expected.dedup();
            let mut found = names(&fused);
            found.sort_unstable();
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn the_order_of_the_lists_changes_no_rank(semantic in permutation(), keyword in permutation()) {
            let (one, other) = (list(Leg::Semantic, 1.0, &semantic), list(Leg::Keyword, 1.0, &keyword));
            let there = fuse(&[one.clone(), other.clone()], 60);
            let back = fuse(&[other, one], 60);
            prop_assert_eq!(names(&there), names(&back));
        }
    }
}
