//! Near-duplicates of a better hit are put aside.
//!
//! A reviewer who cites a paragraph wants that paragraph. So chunks with different paragraph ids or topic codes
//! are never duplicates, however alike their words are, and an exact reference is never dropped.

use super::{DropCause, DropStage, Dropped, NEAR_DUPLICATE};
use crate::store::candidate::Candidate;
use std::collections::HashMap;
use std::sync::Arc;

/// What is known about a hit that may be a duplicate.
pub(super) struct Likeness {
    /// Its row.
    pub row: i64,
    /// Whether the query names it.
    pub exact: bool,
    /// The name by which it is cited, and its text's hash.
    pub candidate: Arc<Candidate>,
}

/// Walks `ranked` from the best on and keeps at most `limit` hits that are no near-duplicates of one kept before.
/// Returns the rows kept, in order, and the hits put aside.
pub(super) fn dedupe(
    ranked: &[Likeness],
    vectors: &HashMap<i64, Vec<f32>>,
    limit: usize,
) -> (Vec<i64>, Vec<Dropped>) {
    let (mut kept, mut dropped): (Vec<&Likeness>, Vec<Dropped>) = (Vec::new(), Vec::new());
    for hit in ranked {
        if kept.len() == limit {
            break;
        }
        match kept.iter().find_map(|better| Some((better, similarity(better, hit, vectors)?))) {
            Some((better, similarity)) if !hit.exact => {
                let cause = DropCause::NearDuplicate {
                    of: better.candidate.chunk_id.clone(),
                    label: better.candidate.label.clone(),
                    similarity: f64::from(similarity),
                };
                dropped.push(Dropped::new(hit.candidate.chunk_id.as_str(), DropStage::Dedupe, cause));
            }
            _ => kept.push(hit),
        }
    }
    (kept.iter().map(|hit| hit.row).collect(), dropped)
}

/// The cosine similarity of two hits that are near-duplicates, and nothing for any others.
fn similarity(a: &Likeness, b: &Likeness, vectors: &HashMap<i64, Vec<f32>>) -> Option<f32> {
    if a.candidate.identity != b.candidate.identity {
        return None;
    }
    if a.candidate.input_hash == b.candidate.input_hash {
        return Some(1.0);
    }
    let cosine = cosine(vectors.get(&a.row)?, vectors.get(&b.row)?);
    (cosine >= NEAR_DUPLICATE).then_some(cosine)
}

/// Cosine similarity; 0 where a vector is all zeros.
fn cosine(a: &[f32], b: &[f32]) -> f32 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f32>();
    let length = (dot(a, a) * dot(b, b)).sqrt();
    if length > 0.0 { dot(a, b) / length } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn candidate(row: i64, identity: Option<&str>) -> Candidate {
        Candidate {
            chunk_id: format!("c{row}"),
            label: String::new(),
            snippet: String::new(),
            identity: identity.map(str::to_owned),
            input_hash: vec![u8::try_from(row).unwrap()],
        }
    }

    fn run(
        hits: &[(Option<&str>, bool)],
        vectors: &HashMap<i64, Vec<f32>>,
        limit: usize,
    ) -> (Vec<i64>, Vec<Dropped>) {
        let likenesses: Vec<Likeness> = (hits.iter().zip(0..))
            .map(|((identity, exact), row)| Likeness {
                row,
                exact: *exact,
                candidate: Arc::new(candidate(row, *identity)),
            })
            .collect();
        dedupe(&likenesses, vectors, limit)
    }

    #[test]
    fn only_near_duplicates_that_nobody_cites_go() {
        let same: HashMap<i64, Vec<f32>> = (0..6).map(|row| (row, vec![1.0, 0.0])).collect();
        assert_eq!(run(&[(None, false), (None, false)], &same, 9).0, [0]);
        assert_eq!(run(&[(Some("S2.1"), false), (Some("S2.2"), false)], &same, 9).0, [0, 1]);
        assert_eq!(run(&[(Some("S2.1"), false), (Some("S2.1"), false)], &same, 9).0, [0]);
        assert_eq!(run(&[(Some("S2.1"), false), (None, false)], &same, 9).0, [0, 1]);
        assert_eq!(run(&[(None, false), (None, true)], &same, 9).0, [0, 1]);
        // Without vectors only equal texts are duplicates, and these differ.
        assert_eq!(run(&[(None, false), (None, false)], &HashMap::new(), 9).0, [0, 1]);
        // The limit counts what is kept, not what is examined.
        let hits = [(None, false), (None, false), (Some("S2.1"), false), (Some("S2.2"), false)];
        let (kept, dropped) = run(&hits, &same, 2);
        assert_eq!((kept, dropped.len()), (vec![0, 2], 1));
    }

    proptest! {
        #[test]
        fn what_stays_is_in_order_and_unlike(
            vectors in prop::collection::vec(prop::collection::vec(-1.0_f32..1.0, 3), 0..12), limit in 0..12_usize
        ) {
            let map: HashMap<i64, Vec<f32>> = (0..).zip(vectors.iter().cloned()).collect();
            let (kept, dropped) = run(&vec![(None, false); vectors.len()], &map, limit);
            prop_assert!(kept.windows(2).all(|pair| pair[0] < pair[1]) && kept.len() <= limit);
            prop_assert!(kept.len() == limit || kept.len() + dropped.len() == vectors.len());
            for (n, a) in kept.iter().enumerate() {
                for b in &kept[n + 1..] {
                    prop_assert!(cosine(&map[a], &map[b]) < NEAR_DUPLICATE);
                }
            }
        }
    }
}
