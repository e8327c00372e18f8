//! "Why not this one?": the fate of chunks that somebody expected to see.

use super::Hit;
use super::attempt::{Attempt, Meaning};
use super::dropped::{DropCause, DropStage, Dropped};
use crate::error::Result;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// The fate of a pinned chunk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WhyNot {
    /// Chunk id.
    pub chunk_id: String,
    /// Rank in the semantic list, however deep, if the leg ran and the chunk has a vector. Beyond the hits of the
    /// leg it may be a few places off: those that are nearer are counted by their rounded vectors.
    pub semantic_rank: Option<usize>,
    /// Cosine similarity.
    pub similarity: Option<f64>,
    /// Rank in the keyword list, however deep, if it matches at all.
    pub keyword_rank: Option<usize>,
    /// BM25, higher meaning better.
    pub bm25: Option<f64>,
    /// Rank in the fused list.
    pub fused_rank: Option<usize>,
    /// Rank in the answer.
    pub final_rank: Option<usize>,
    /// Stage that dropped it, as in [`Dropped::stage`].
    #[serde(default)]
    pub stage: Option<DropStage>,
    /// What kept it out, or that nothing did.
    #[serde(default)]
    pub fate: Fate,
    /// The same in words.
    pub verdict: String,
}

/// What a search did with a pinned chunk.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Fate {
    /// The workspace has no such chunk.
    NoSuchChunk,
    /// The filters exclude it.
    OutsideFilters,
    /// It is in the answer.
    InAnswer {
        /// Its rank, from 1.
        rank: usize,
    },
    /// A stage left it out.
    LeftOut {
        /// Why.
        cause: DropCause,
    },
    /// Neither leg found it.
    NotFound,
    /// Both legs rank it below what they pass to the fusion.
    RankedTooLow {
        /// Its rank by meaning, if it has one.
        semantic: Option<usize>,
        /// Its rank by keyword, if it has one.
        keyword: Option<usize>,
    },
    /// A search recorded before fates existed: only the verdict says why.
    #[default]
    Unrecorded,
}

impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchChunk => f.write_str("This workspace has no such chunk."),
            Self::OutsideFilters => f.write_str("The filters exclude it."),
            Self::InAnswer { rank } => write!(f, "It is not left out: it is result {rank}."),
            Self::LeftOut { cause } => write!(f, "It is left out: {cause}."),
            Self::NotFound => {
                f.write_str("It is in neither list: it contains none of the words and has no vector.")
            }
            Self::RankedTooLow { semantic, keyword } => {
                let named =
                    |rank: Option<usize>| rank.map_or("no rank".to_owned(), |rank| format!("rank {rank}"));
                let (semantic, keyword) = (named(*semantic), named(*keyword));
                write!(f, "It is too far down both lists: {semantic} by meaning, {keyword} by keyword.")
            }
            Self::Unrecorded => f.write_str("The cause was not recorded."),
        }
    }
}

/// The result of the search.
pub(super) struct Outcome<'a> {
    /// Ranks in the fused list, by row.
    pub fused_ranks: &'a HashMap<i64, usize>,
    /// The answer.
    pub results: &'a [Hit],
    /// What was left out on the way, and why.
    pub dropped: &'a [Dropped],
    /// The semantic leg, if it ran.
    pub meaning: Option<&'a Meaning>,
}

/// The fate of each pinned chunk. Its ranks are found however deep they are.
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
    let in_scope = |row: &i64| scope.allowed.holds(*row);
    let ranked: Vec<i64> = rows.values().copied().filter(in_scope).collect();
    let keyword = store.keyword_ranks(attempt.plan.keyword.clone(), scope, ranked.clone()).await?;
    let nearest = match outcome.meaning {
        Some(Meaning { chosen, vector, nearest, .. }) => {
            let mut ranks = store.nearness(&chosen.id, vector, &scope.allowed, ranked).await?;
            // Chunks scored in full have their true rank, and all others come after them.
            let scored = &nearest.neighbours;
            for (chunk, (_, rank)) in &mut ranks {
                let place = scored.iter().position(|near| near.chunk == *chunk);
                *rank = place.map_or((*rank).max(scored.len() + 1), |place| place + 1);
            }
            ranks
        }
        None => HashMap::new(),
    };
    let told = |chunk_id: &String| {
        let row = rows.get(chunk_id).copied();
        let word = row.and_then(|row| keyword.get(&row).copied());
        let near = row.and_then(|row| nearest.get(&row).copied());
        let fused_rank = row.and_then(|row| outcome.fused_ranks.get(&row).copied());
        let final_rank = outcome.results.iter().find(|hit| hit.chunk_id == *chunk_id).map(|hit| hit.rank);
        let left_out = outcome.dropped.iter().find(|dropped| dropped.chunk_id == *chunk_id);
        let fate = match (row, final_rank, left_out) {
            (None, ..) => Fate::NoSuchChunk,
            _ if !row.is_some_and(|row| in_scope(&row)) => Fate::OutsideFilters,
            (_, Some(rank), _) => Fate::InAnswer { rank },
            (_, _, Some(dropped)) => Fate::LeftOut { cause: dropped.cause.clone() },
            _ if word.is_none() && near.is_none() => Fate::NotFound,
            _ => Fate::RankedTooLow {
                semantic: near.map(|(_, rank)| rank),
                keyword: word.map(|(_, rank)| rank),
            },
        };
        WhyNot {
            chunk_id: chunk_id.clone(),
            semantic_rank: near.map(|(_, rank)| rank),
            similarity: near.map(|(similarity, _)| f64::from(similarity)),
            keyword_rank: word.map(|(_, rank)| rank),
            bm25: word.map(|(score, _)| score),
            fused_rank,
            final_rank,
            stage: left_out.filter(|_| final_rank.is_none()).map(|dropped| dropped.stage),
            verdict: fate.to_string(),
            fate,
        }
    };
    Ok(pinned.iter().map(told).collect())
}
