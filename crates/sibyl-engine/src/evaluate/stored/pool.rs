//! Pooled judging: what the runs at hand found and nobody has judged.

use super::RunPlace;
use crate::error::{Error, Result};
use crate::evaluate::gold::fold;
use crate::evaluate::random::SplitMix64;
use crate::evaluate::set::{Places, counted, sources};
use crate::library::Measuring;
use crate::store::table::gold::{GoldFilter, GoldLabel, GoldTarget};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use ts_rs::TS;

/// Which passages are to be judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct PoolQuery {
    /// Name of the set.
    pub set: String,
    /// Runs whose first results are pooled.
    pub runs: Vec<i64>,
    /// First results of each.
    #[serde(default = "depth")]
    pub k: usize,
    /// Who judges: what this judge has not judged. Where nothing is said, what nobody has judged.
    #[serde(default)]
    pub judge: Option<String>,
    /// Decides the order, so that a judge sees neither rank nor run.
    #[serde(default)]
    pub seed: u64,
    /// Passages to leave out at the start.
    #[serde(default)]
    pub offset: usize,
    /// Most passages.
    #[serde(default = "page")]
    pub limit: usize,
}

const fn depth() -> usize {
    10
}

const fn page() -> usize {
    50
}

/// Passages to be judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Pool {
    /// The passages, shuffled.
    pub items: Vec<PoolItem>,
    /// Passages to be judged in all.
    pub total: usize,
    /// Passages of the pool that are judged already.
    pub judged: usize,
    /// Passages that the workspace no longer holds, so that they cannot be judged.
    pub gone: usize,
}

/// A passage to be judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct PoolItem {
    /// Id of the query.
    pub query_id: String,
    /// The query.
    pub query: String,
    /// The chunk that was found.
    pub chunk_id: String,
    /// What it is cited as; `None` where it has no id.
    pub identity: Option<String>,
    /// Its context header.
    pub header: Option<String>,
    /// What it says.
    pub passage: String,
    /// Title of its document.
    pub title: String,
    /// First and last physical page.
    pub pages: Option<(u32, u32)>,
}

impl Measuring<'_> {
    /// What the first results of runs hold that is to be judged, shuffled.
    ///
    /// Pooling is Spärck Jones and van Rijsbergen, "Report on the need for and provision of an ideal information
    /// retrieval test collection", 1975.
    ///
    /// # Errors
    /// [`Error::NotFound`] where set or run do not exist, [`Error::Invalid`] where no run is named.
    pub async fn pool(&self, workspace: &str, wanted: &PoolQuery) -> Result<Pool> {
        let store = self.library.store();
        let workspace = store.workspace(workspace).await?.id;
        if wanted.runs.is_empty() {
            return Err(Error::Invalid(
                "no run was chosen; choose those whose results are judged".to_owned(),
            ));
        }
        let (queries, _) = store.gold_queries(workspace, &wanted.set, GoldFilter::default()).await?;
        let queries: BTreeMap<&str, _> = queries.iter().map(|query| (query.id.as_str(), query)).collect();
        let mut found: BTreeSet<(String, String)> = BTreeSet::new();
        for &run in &wanted.runs {
            for (query, places) in
                store.evaluation_rankings::<Vec<RunPlace>>(workspace, run, Vec::new()).await?
            {
                if queries.contains_key(query.as_str()) {
                    let first = places.into_iter().take(wanted.k).filter_map(|place| place.chunk_id);
                    found.extend(first.map(|chunk| (query.clone(), chunk)));
                }
            }
        }
        let (mut items, mut judged, mut gone) = (Vec::new(), 0, 0);
        let mut places = Places::new(store, workspace);
        let mut seen = HashSet::new();
        for (query_id, chunk_id) in found {
            let Some(query) = queries.get(query_id.as_str()) else { continue };
            let Some(chunk) = store.chunk(workspace, &chunk_id).await? else {
                gone += 1;
                continue;
            };
            let identity =
                store.candidates(vec![chunk.id]).await?.remove(&chunk.id).and_then(|one| one.identity);
            // Parts of one paragraph are judged as one.
            if identity.as_ref().is_some_and(|id| !seen.insert((query_id.clone(), id.clone()))) {
                continue;
            }
            let counts = |label: &&GoldLabel| wanted.judge.as_ref().is_none_or(|judge| *judge == label.judge);
            let labels: Vec<GoldLabel> = query.labels.iter().filter(counts).cloned().collect();
            let mut known = false;
            for label in counted(&labels) {
                known |= match &label.target {
                    GoldTarget::Identifier { id } => {
                        identity.as_deref().is_some_and(|own| fold(own) == fold(id))
                    }
                    GoldTarget::Span(span) => places.located(span).await?.is_some_and(|located| {
                        located.document == chunk.document_id
                            && sources(&chunk.pieces)
                                .any(|part| part.start < located.span.end && located.span.start < part.end)
                    }),
                };
            }
            if known {
                judged += 1;
                continue;
            }
            items.push(PoolItem {
                query_id,
                query: query.query.clone(),
                identity,
                header: chunk.header_in_words(),
                passage: chunk.passage(),
                chunk_id,
                title: chunk.title,
                pages: chunk.pages,
            });
        }
        SplitMix64::new(wanted.seed).shuffle(&mut items);
        let total = items.len();
        let items = items.into_iter().skip(wanted.offset).take(wanted.limit).collect();
        Ok(Pool { items, total, judged, gone })
    }
}
