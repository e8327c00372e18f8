//! The contents of a library, in figures.

use crate::embed::{Embedder, Space, Tier};
use crate::error::{Error, Result};
use crate::ingest::preflight::best;
use crate::library::Contents;
use crate::store::table::corpus::Corpus;
use crate::store::table::overview::{CorpusFigures, CorpusShape};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_text::source_type;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// How much of a corpus has vectors of one model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelCoverage {
    /// Space id.
    pub space: String,
    /// Model name.
    pub model: String,
    /// Tier of the model.
    pub tier: Tier,
    /// Length of its vectors.
    pub dimensions: usize,
    /// Chunks that have a vector.
    pub covered: u64,
    /// Chunks in all.
    pub chunks: u64,
    /// Whether the model can answer from it now.
    pub served: bool,
}

/// A corpus with its figures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CorpusOverview {
    /// The corpus.
    pub corpus: Corpus,
    /// Documents in it.
    pub documents: u64,
    /// Number of those whose files are gone.
    pub missing: u64,
    /// Number of those that lost a part when the library was rescued, and were not ingested since.
    pub incomplete: u64,
    /// Chunks in it.
    pub chunks: u64,
    /// Estimated tokens of its chunks.
    pub tokens: u64,
    /// Bytes of its documents as they were read.
    pub bytes: u64,
    /// When a document was last stored (ISO 8601, UTC).
    pub last_ingested: Option<String>,
    /// Coverage by model, the instant tier first.
    pub coverage: Vec<ModelCoverage>,
}

/// A library in figures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Overview {
    /// Corpora that the workspace sees, by name.
    pub corpora: Vec<CorpusOverview>,
    /// Documents in them.
    pub documents: u64,
    /// Chunks in them.
    pub chunks: u64,
    /// Estimated tokens of the chunks.
    pub tokens: u64,
    /// Chunks with a vector of their corpus's active model, in percent. That is the best one in use to which the
    /// corpus may be sent.
    pub embedded_percent: f64,
    /// Bytes of everything in the data folder.
    pub disk_bytes: u64,
    /// The data folder.
    pub folder: String,
}

/// A corpus in detail.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CorpusDetails {
    /// The corpus with its figures.
    pub overview: CorpusOverview,
    /// Median tokens of a chunk (the lower one of two).
    pub median_tokens: u64,
    /// Fields that its chunks can be filtered by.
    pub filters: Vec<String>,
    /// Chunks by pillar, for standards; by content type or section elsewhere.
    pub groups: Vec<(String, u64)>,
    /// Folder or file from which its documents were read, if they share one.
    pub folder: Option<String>,
    /// Notices from reading its documents, by document path.
    pub notices: Vec<(String, String)>,
}

impl Contents<'_> {
    /// Chunks by source type, with `total`. Types without chunks have 0.
    pub async fn stats(&self, workspace: &str) -> Result<BTreeMap<String, u64>> {
        let workspace = self.library.store().workspace(workspace).await?;
        let mut counts: BTreeMap<String, u64> =
            source_type::names().into_iter().map(|name| (name.to_owned(), 0)).collect();
        counts.extend(self.library.store().chunk_counts(workspace.id).await?);
        let total = counts.values().sum();
        counts.insert("total".to_owned(), total);
        Ok(counts)
    }

    /// The library as `workspace` sees it, in figures.
    pub async fn overview(&self, workspace: &str) -> Result<Overview> {
        let workspace = self.library.store().workspace(workspace).await?;
        let corpora = self.library.store().corpora(workspace.id).await?;
        let mut figures = self.library.store().corpus_figures(workspace.id).await?;
        let mut coverage = self.coverage_by_corpus().await?;
        let embedders = self.library.models().embedders().await;
        let corpora: Vec<CorpusOverview> = corpora
            .into_iter()
            .map(|corpus| {
                let figures = figures.remove(&corpus.id).unwrap_or_default();
                let coverage = coverage.remove(&corpus.id).unwrap_or_default();
                corpus_overview(corpus, figures, coverage, &embedders)
            })
            .collect();
        let sum = |of: fn(&CorpusOverview) -> u64| corpora.iter().map(of).sum::<u64>();
        let chunks = sum(|c| c.chunks);
        let embedded: u64 = corpora
            .iter()
            .map(|c| {
                let active = best(&embedders, c.corpus.remote).map(|embedder| embedder.space().id());
                c.coverage
                    .iter()
                    .filter(|m| Some(&m.space) == active.as_ref())
                    .map(|m| m.covered)
                    .sum::<u64>()
            })
            .sum();
        Ok(Overview {
            documents: sum(|c| c.documents),
            chunks,
            tokens: sum(|c| c.tokens),
            embedded_percent: if chunks == 0 { 0.0 } else { embedded as f64 * 100.0 / chunks as f64 },
            disk_bytes: self.library.upkeep().disk_bytes()?,
            folder: self.library.folder().display().to_string(),
            corpora,
        })
    }

    /// One corpus in detail.
    ///
    /// # Errors
    /// [`Error::NotFound`] if `workspace` sees none of that name.
    pub async fn corpus_details(&self, workspace: &str, name: &str) -> Result<CorpusDetails> {
        let workspace = self.library.store().workspace(workspace).await?;
        let found = self.library.store().corpus(workspace.id, name).await?;
        let corpus = found.ok_or_else(|| Error::not_found("corpus", name))?;
        let figures =
            self.library.store().corpus_figures(workspace.id).await?.remove(&corpus.id).unwrap_or_default();
        let coverage = self.coverage_by_corpus().await?.remove(&corpus.id).unwrap_or_default();
        let CorpusShape { median_tokens, groups, filters, notices } =
            self.library.store().corpus_shape(corpus.id).await?;
        let documents = self.library.store().documents(workspace.id, Some(corpus.id)).await?;
        Ok(CorpusDetails {
            folder: common_folder(documents.iter().map(|d| d.origin.path().unwrap_or_default())),
            overview: corpus_overview(corpus, figures, coverage, &self.library.models().embedders().await),
            median_tokens,
            filters,
            groups,
            notices,
        })
    }

    async fn coverage_by_corpus(&self) -> Result<HashMap<i64, Vec<ModelCoverage>>> {
        let embedders = self.library.models().embedders().await;
        let served: Vec<String> = embedders.iter().flat_map(|e| e.readable()).map(Space::id).collect();
        let mut spaces = self.library.store().spaces().await?;
        spaces.sort_by_key(|stored| stored.space.tier);
        let mut out: HashMap<i64, Vec<ModelCoverage>> = HashMap::new();
        for stored in spaces {
            for row in self.library.store().coverage(&stored.id).await? {
                out.entry(row.corpus).or_default().push(ModelCoverage {
                    space: stored.id.clone(),
                    model: stored.space.model.clone(),
                    tier: stored.space.tier,
                    dimensions: stored.space.dimensions,
                    covered: row.covered,
                    chunks: row.chunks,
                    served: served.contains(&stored.id),
                });
            }
        }
        Ok(out)
    }
}

/// A model in use without any vectors yet covers nothing of what it may be given.
fn corpus_overview(
    corpus: Corpus,
    figures: CorpusFigures,
    mut coverage: Vec<ModelCoverage>,
    embedders: &[Arc<dyn Embedder>],
) -> CorpusOverview {
    let CorpusFigures { documents, missing, incomplete, chunks, tokens, bytes, last_ingested } = figures;
    for space in embedders.iter().map(|embedder| embedder.space()) {
        let allowed = corpus.remote || space.tier != Tier::Remote;
        let id = space.id();
        if chunks > 0 && allowed && coverage.iter().all(|model| model.space != id) {
            coverage.push(ModelCoverage {
                space: id,
                model: space.model.clone(),
                tier: space.tier,
                dimensions: space.dimensions,
                covered: 0,
                chunks,
                served: true,
            });
        }
    }
    let filled = |space: &str| embedders.iter().any(|embedder| embedder.space().id() == space);
    // A former space comes after the one that took its place.
    coverage.sort_by_key(|model| (model.tier, !filled(&model.space)));
    CorpusOverview { corpus, documents, missing, incomplete, chunks, tokens, bytes, last_ingested, coverage }
}

/// The longest folder that contains all `paths`.
fn common_folder<'a>(paths: impl Iterator<Item = &'a str>) -> Option<String> {
    let mut common: Option<Vec<&str>> = None;
    for path in paths {
        let parts: Vec<&str> = path.split('/').collect();
        let folder = &parts[..parts.len().saturating_sub(1)];
        common = Some(match common {
            None => folder.to_vec(),
            Some(old) => old.iter().zip(folder).take_while(|(a, b)| a == b).map(|(a, _)| *a).collect(),
        });
    }
    common.map(|parts| parts.join("/")).filter(|folder| !folder.is_empty())
}

#[cfg(test)]
mod tests {
    use super::common_folder;

    #[test]
    fn the_common_folder_is_the_longest_shared_one() {
        let of = |paths: &[&str]| common_folder(paths.iter().copied());
        assert_eq!(of(&["/a/b/c.md", "/a/b/d/e.md"]).as_deref(), Some("/a/b"));
        assert_eq!(of(&["/a/b.md"]).as_deref(), Some("/a"));
        assert_eq!(of(&["/a/b.md", "/c/d.md"]), None);
        assert_eq!(of(&[]), None);
    }
}
