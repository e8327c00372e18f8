//! How the results of a query moved between two runs.

use super::{MeasuredQuery, RunPlace, RunSummary};
use crate::error::{Error, Result};
use crate::library::Measuring;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A query of two runs with both rankings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QueryComparison {
    /// What the baseline measured.
    pub baseline: MeasuredQuery,
    /// What the candidate measured.
    pub candidate: MeasuredQuery,
    /// What the baseline found.
    pub before: Vec<RunPlace>,
    /// What the candidate found.
    pub after: Vec<RunPlace>,
    /// What happened to each label and to the first ten results of both: what is relevant before the rest, the greatest
    /// move first.
    pub moves: Vec<LabelMove>,
}

/// What happened to something that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LabelMove {
    /// Label or id.
    pub name: String,
    /// Its grade; `None` if nobody judged it.
    pub grade: Option<i32>,
    /// Its rank before, from 1; `None` if it was not found.
    pub before: Option<usize>,
    /// Its rank after, from 1; `None` if it was not found.
    pub after: Option<usize>,
    /// Why it moved, in words.
    pub why: String,
}

impl Measuring<'_> {
    /// A query of two runs: both rankings, and why results moved.
    ///
    /// # Errors
    /// [`Error::NotFound`] if run or query do not exist.
    pub async fn compared_query(
        &self,
        workspace: &str,
        (baseline, candidate): (i64, i64),
        id: &str,
    ) -> Result<QueryComparison> {
        let store = self.library.store();
        let workspace = store.workspace(workspace).await?.id;
        let mut sides = Vec::new();
        for run in [baseline, candidate] {
            let queries: Vec<MeasuredQuery> = store.evaluation_scores(workspace, run).await?;
            let query = queries.into_iter().find(|query| query.id == id);
            let query = query.ok_or_else(|| Error::not_found("query", id))?;
            let ranking = store.evaluation_rankings(workspace, run, vec![id.to_owned()]).await?;
            let set = store.evaluation::<RunSummary>(workspace, run).await?.gold_set;
            let mut ranking: BTreeMap<String, Vec<RunPlace>> = ranking.into_iter().collect();
            self.name_chunks(workspace, &set, &mut ranking).await?;
            sides.push((query, ranking.remove(id).unwrap_or_default()));
        }
        let (Some((after_query, after)), Some((before_query, before))) = (sides.pop(), sides.pop()) else {
            return Err(Error::not_found("query", id));
        };
        let moves = moves(&before_query.expected, &before, &after);
        Ok(QueryComparison { baseline: before_query, candidate: after_query, before, after, moves })
    }
}

/// Number of first places of each ranking whose moves are reported besides those of the labels.
const TOLD: usize = 10;

fn moves(expected: &[String], before: &[RunPlace], after: &[RunPlace]) -> Vec<LabelMove> {
    let at = |places: &[RunPlace], name: &str| {
        places.iter().position(|place| place.id == name || place.labels.iter().any(|label| label == name))
    };
    let mut names: Vec<&str> = expected.iter().map(String::as_str).collect();
    for place in before.iter().take(TOLD).chain(after.iter().take(TOLD)) {
        let name = place.labels.first().unwrap_or(&place.id);
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let mut moves: Vec<LabelMove> = names
        .into_iter()
        .map(|name| {
            let (was, is) = (at(before, name), at(after, name));
            let (old, new) = (was.map(|at| &before[at]), is.map(|at| &after[at]));
            LabelMove {
                name: name.to_owned(),
                grade: new.or(old).and_then(|place| place.grade),
                before: was.map(|at| at + 1),
                after: is.map(|at| at + 1),
                why: why(old, new, was == is),
            }
        })
        .collect();
    let far = |one: &LabelMove| match (one.before, one.after) {
        (Some(a), Some(b)) => a.abs_diff(b),
        (None, None) => 0,
        _ => usize::MAX,
    };
    // Relevant results say more than unjudged ones.
    let relevant = |one: &LabelMove| one.grade.is_some_and(|grade| grade > 0);
    moves.sort_by_key(|one| (!relevant(one), std::cmp::Reverse(far(one))));
    moves
}

/// Why a result moved: what its legs say, and whether its chunk is another.
fn why(before: Option<&RunPlace>, after: Option<&RunPlace>, same: bool) -> String {
    let (Some(before), Some(after)) = (before, after) else {
        return match (before, after) {
            (None, None) => "neither run finds it".to_owned(),
            (Some(_), None) => "only the baseline finds it".to_owned(),
            _ => "only the candidate finds it".to_owned(),
        };
    };
    let mut causes = Vec::new();
    if before.path == after.path
        && before.extent != after.extent
        && let (Some(was), Some(is)) = (before.extent, after.extent)
    {
        causes.push(format!(
            "its chunk has other boundaries ({} instead of {} bytes)",
            is.1 - is.0,
            was.1 - was.0
        ));
    }
    let legs: BTreeSet<_> = before.legs.iter().chain(&after.legs).map(|leg| leg.leg).collect();
    for leg in legs {
        let rank = |place: &RunPlace| place.legs.iter().find(|one| one.leg == leg).map(|one| one.rank);
        let name = format!("{leg:?}").to_lowercase();
        match (rank(before), rank(after)) {
            (Some(was), Some(is)) if was != is => causes.push(format!("{name} rank {was} → {is}")),
            (None, Some(is)) => causes.push(format!("now found by {name} (rank {is})")),
            (Some(was), None) => causes.push(format!("no longer found by {name} (rank {was} before)")),
            _ => {}
        }
    }
    match (causes.is_empty(), same) {
        (true, true) => "unchanged".to_owned(),
        (true, false) => "its own ranks are unchanged; other results moved above or below it".to_owned(),
        (false, _) => causes.join("; "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::stored::LegRank;
    use crate::search::Leg;

    fn place(id: &str, extent: (usize, usize), legs: &[(Leg, usize)]) -> RunPlace {
        RunPlace {
            id: id.to_owned(),
            chunk_id: Some(id.to_owned()),
            path: Some("a.md".to_owned()),
            pages: None,
            page_labels: None,
            ocr: None,
            grade: None,
            labels: Vec::new(),
            relevance: None,
            legs: legs.iter().map(|&(leg, rank)| LegRank { leg, rank }).collect(),
            extent: Some(extent),
            text: None,
        }
    }

    #[test]
    fn what_moved_is_told_with_its_cause() {
        let before = [
            place("a", (0, 10), &[(Leg::Keyword, 1)]),
            place("b", (10, 20), &[(Leg::Keyword, 2)]),
            place("c", (20, 30), &[(Leg::Keyword, 3), (Leg::Semantic, 4)]),
        ];
        let after = [
            place("c", (20, 45), &[(Leg::Keyword, 3), (Leg::Semantic, 1)]),
            place("a", (0, 10), &[(Leg::Keyword, 1)]),
        ];
        let told = moves(&["z".to_owned()], &before, &after);
        let of = |name: &str| told.iter().find(|one| one.name == name).unwrap();
        assert_eq!(told[0].name, "b", "what is lost stands first");
        let relevant = [RunPlace { grade: Some(2), ..place("a", (0, 10), &[]) }];
        let judged = moves(&[], &before, &[&after[..1], &relevant[..]].concat());
        assert_eq!(judged[0].name, "a", "what is relevant stands before what moved further");
        assert_eq!(
            (of("b").before, of("b").after, of("b").why.as_str()),
            (Some(2), None, "only the baseline finds it")
        );
        assert_eq!(of("z").why, "neither run finds it");
        assert_eq!(of("a").why, "its own ranks are unchanged; other results moved above or below it");
        assert_eq!(
            of("c").why,
            "its chunk has other boundaries (25 instead of 10 bytes); semantic rank 4 → 1"
        );
    }
}
