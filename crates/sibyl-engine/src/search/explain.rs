//! "Why not this one?": the fate of chunks that somebody expected to see.

use super::attempt::{Attempt, Meaning};
use super::{Dropped, Hit, WhyNot};
use crate::error::Result;
use std::collections::HashMap;
use std::sync::Arc;

/// What came of the search.
pub(super) struct Outcome<'a> {
    /// Ranks in the fused list, by row.
    pub fused_ranks: &'a HashMap<i64, usize>,
    /// The answer.
    pub results: &'a [Hit],
    /// What was left out on the way, and why.
    pub dropped: &'a [Dropped],
    /// The semantic leg, where it ran.
    pub meaning: Option<&'a Meaning>,
}

/// The fate of each pinned chunk. Its ranks are looked for however deep they lie.
///
/// # Errors
/// Storage errors.
pub(super) async fn why_not(attempt: &Attempt<'_>, outcome: Outcome<'_>) -> Result<Vec<WhyNot>> {
    let pinned = &attempt.request.pinned;
    if pinned.is_empty() {
        return Ok(Vec::new());
    }
    let (store, scope) = (attempt.store(), &attempt.scope);
    let rows = store.rows_of_chunks(pinned.clone(), Arc::clone(&scope.visible)).await?;
    let in_scope = |row: &i64| u64::try_from(*row).is_ok_and(|row| scope.allowed.rows.contains(row));
    let ranked: Vec<i64> = rows.values().copied().filter(in_scope).collect();
    let keyword = store.keyword_ranks(attempt.plan.keyword.clone(), scope, ranked.clone()).await?;
    let nearest = match outcome.meaning {
        Some(Meaning { chosen, vector, nearest, .. }) => {
            let mut ranks = store.nearness(&chosen.id, vector, &scope.allowed, ranked).await?;
            // What was scored in full has its true rank, and all else comes behind it.
            let scored = &nearest.neighbours;
            for (chunk, (_, rank)) in &mut ranks {
                let place = scored.iter().position(|near| near.chunk == *chunk);
                *rank = place.map_or((*rank).max(scored.len() + 1), |place| place + 1);
            }
            ranks
        }
        None => HashMap::new(),
    };
    let fate = |chunk_id: &String| {
        let row = rows.get(chunk_id).copied();
        let word = row.and_then(|row| keyword.get(&row).copied());
        let near = row.and_then(|row| nearest.get(&row).copied());
        let fused_rank = row.and_then(|row| outcome.fused_ranks.get(&row).copied());
        let final_rank = outcome.results.iter().find(|hit| hit.chunk_id == *chunk_id).map(|hit| hit.rank);
        let left_out = outcome.dropped.iter().find(|dropped| dropped.chunk_id == *chunk_id);
        let verdict = match (row, final_rank, left_out) {
            (None, ..) => "this workspace has no such chunk".to_owned(),
            _ if !row.is_some_and(|row| in_scope(&row)) => "the filters exclude it".to_owned(),
            (_, Some(rank), _) => format!("it is not left out: it is result {rank}"),
            (_, _, Some(dropped)) => dropped.reason.clone(),
            _ if word.is_none() && near.is_none() => {
                "it is in neither list: it has none of the words, and no vector of it was compared".to_owned()
            }
            _ => {
                let rank =
                    |rank: Option<usize>| rank.map_or("no rank".to_owned(), |rank| format!("rank {rank}"));
                format!(
                    "too far down both lists to be fused: {} by meaning, {} by keyword",
                    rank(near.map(|(_, rank)| rank)),
                    rank(word.map(|(_, rank)| rank))
                )
            }
        };
        WhyNot {
            chunk_id: chunk_id.clone(),
            semantic_rank: near.map(|(_, rank)| rank),
            similarity: near.map(|(similarity, _)| f64::from(similarity)),
            keyword_rank: word.map(|(_, rank)| rank),
            bm25: word.map(|(score, _)| score),
            fused_rank,
            final_rank,
            stage: left_out.filter(|_| final_rank.is_none()).map(|dropped| dropped.stage.clone()),
            verdict,
        }
    };
    Ok(pinned.iter().map(fate).collect())
}
