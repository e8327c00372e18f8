//! Pooled judging: what the runs at hand found and nobody has judged.

use super::RunPlace;
use crate::error::{Error, Result};
use crate::evaluate::label::counted;
use crate::evaluate::set::{Named, Places, sources};
use crate::library::Measuring;
use crate::store::table::chunk::{ChunkRow, OCR};
use crate::store::table::gold::{GoldFilter, GoldLabel, GoldTarget};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_answer::OcrReading;
use sibyl_measure::label::fold;
use sibyl_measure::random::SplitMix64;
use sibyl_measure::unit::Unit;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Which passages to judge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PoolQuery {
    /// Name of the set.
    pub set: String,
    /// Runs whose first results are pooled.
    pub runs: Vec<i64>,
    /// First results of each.
    #[serde(default = "depth")]
    pub k: usize,
    /// Who judges: the pool is what this judge has not judged. By default, it is what nobody has judged.
    #[serde(default)]
    pub judge: Option<String>,
    /// Decides the order, so that a judge sees neither rank nor run.
    #[serde(default)]
    pub seed: u64,
    /// Passages to leave out at the start.
    #[serde(default)]
    pub offset: usize,
    /// Maximum number of passages.
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Pool {
    /// The passages, shuffled.
    pub items: Vec<PoolItem>,
    /// Passages to be judged in all.
    pub total: usize,
    /// Passages of the pool that are judged already.
    pub judged: usize,
    /// Number of passages that the workspace no longer has, so that they cannot be judged.
    pub gone: usize,
}

/// A passage to be judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PoolItem {
    /// Id of the query.
    pub query_id: String,
    /// The query.
    pub query: String,
    /// The chunk that was found; of a document or page its first.
    pub chunk_id: String,
    /// Id of the document or page that another system found, which is judged instead of the chunk.
    pub unit: Option<String>,
    /// Its name in citations; `None` if it has no id.
    pub identity: Option<String>,
    /// Its context header.
    pub header: Option<String>,
    /// Its own text.
    pub passage: String,
    /// Phrases that find it, besides its own text.
    pub found_by: Vec<String>,
    /// Title of its document.
    pub title: String,
    /// First and last physical page.
    pub pages: Option<(u32, u32)>,
    /// The labels printed on them, if they differ from the page numbers.
    pub page_labels: Option<(String, String)>,
    /// What OCR read of it, if it read any of it.
    pub ocr: Option<OcrReading>,
}

impl Measuring<'_> {
    /// The unjudged passages among the first results of runs, in random order.
    ///
    /// Pooling is Spärck Jones and van Rijsbergen, "Report on the need for and provision of an ideal information
    /// retrieval test collection", 1975.
    ///
    /// # Errors
    /// [`Error::NotFound`] if set or run do not exist, [`Error::Invalid`] if no run is named.
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
        // By query and chunk; a document or page that another system found is judged as such.
        let mut found: BTreeMap<(String, String), Option<Unit>> = BTreeMap::new();
        let (mut places, mut lost) = (Places::new(store, workspace), BTreeSet::new());
        for &run in &wanted.runs {
            for (query, ranking) in
                store.evaluation_rankings::<Vec<RunPlace>>(workspace, run, Vec::new()).await?
            {
                let Some(asked) = queries.get(query.as_str()) else { continue };
                for place in ranking.into_iter().take(wanted.k) {
                    let (chunk, unit) = match place.chunk_id {
                        Some(chunk) => (Some(chunk), None),
                        None => {
                            let unit = match places.named(&place.id, None).await? {
                                Named::Unit(unit) => Some(unit),
                                Named::Id(_) => None,
                            };
                            let chunk = places.resolved(&place.id, &asked.labels).await?;
                            (chunk.map(|chunk| chunk.chunk_id), unit)
                        }
                    };
                    match chunk {
                        Some(chunk) => _ = found.entry((query.clone(), chunk)).or_insert(unit),
                        None => _ = lost.insert((query.clone(), place.id)),
                    }
                }
            }
        }
        let (mut items, mut judged, mut gone) = (Vec::new(), 0, lost.len());
        let mut seen = HashSet::new();
        for ((query_id, chunk_id), unit) in found {
            let Some(query) = queries.get(query_id.as_str()) else { continue };
            let Some(chunk) = store.chunk(workspace, &chunk_id).await? else {
                gone += 1;
                continue;
            };
            let identity =
                store.candidates(vec![chunk.id]).await?.remove(&chunk.id).and_then(|one| one.identity);
            // Parts of one paragraph are judged as one.
            if unit.is_none()
                && identity.as_ref().is_some_and(|id| !seen.insert((query_id.clone(), id.clone())))
            {
                continue;
            }
            let counts = |label: &&GoldLabel| wanted.judge.as_ref().is_none_or(|judge| *judge == label.judge);
            let labels: Vec<GoldLabel> = query.labels.iter().filter(counts).cloned().collect();
            if is_judged(&labels, &mut places, &chunk, (identity.as_deref(), unit.as_ref())).await? {
                judged += 1;
                continue;
            }
            items.push(PoolItem {
                query_id,
                query: query.query.clone(),
                identity,
                header: chunk.header_in_words(),
                passage: chunk.passage(),
                found_by: chunk.phrases(),
                chunk_id,
                unit: unit.map(|unit| unit.id()),
                ocr: chunk.metadata.get(OCR).and_then(|ocr| OcrReading::deserialize(ocr).ok()),
                title: chunk.title,
                pages: chunk.pages,
                page_labels: chunk.page_labels,
            });
        }
        SplitMix64::new(wanted.seed).shuffle(&mut items);
        let total = items.len();
        let items = items.into_iter().skip(wanted.offset).take(wanted.limit).collect();
        Ok(Pool { items, total, judged, gone })
    }
}

/// Whether one of `labels` is about `chunk`, by its identity or by the document or page that another system found.
async fn is_judged(
    labels: &[GoldLabel],
    places: &mut Places<'_>,
    chunk: &ChunkRow,
    (identity, unit): (Option<&str>, Option<&Unit>),
) -> Result<bool> {
    for label in counted(labels) {
        let known = match &label.target {
            GoldTarget::Identifier { id } => match (places.named(id, Some(&label.at)).await?, unit) {
                (Named::Unit(label), Some(found)) => label.contains(found),
                (Named::Unit(label), None) => label.holds(&chunk.path, chunk.pages),
                (Named::Id(id), _) => unit.is_none() && identity.is_some_and(|own| fold(own) == fold(&id)),
            },
            GoldTarget::Nothing => false,
            GoldTarget::Span(_) if unit.is_some() => false,
            GoldTarget::Span(span) => places.located(span).await?.is_some_and(|located| {
                located.document == chunk.document_id
                    && sources(&chunk.pieces)
                        .any(|part| part.start < located.span.end && located.span.start < part.end)
            }),
        };
        if known {
            return Ok(true);
        }
    }
    Ok(false)
}
