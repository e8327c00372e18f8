//! The library as a whole and its corpora.

use crate::command::Nothing;
use crate::{ApiError, DEFAULT_WORKSPACE, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sibyl_engine::overview::{CorpusDetails, Overview};
use sibyl_engine::store::table::corpus::NewCorpus;
use sibyl_text::source_type;
use std::collections::BTreeMap;

/// A corpus by name.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CorpusName {
    /// Its name.
    pub name: String,
}

/// Chunks that can no longer be found.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Deleted {
    /// That they are deleted.
    pub status: DeletedStatus,
    /// Number of deleted chunks.
    pub deleted_count: usize,
}

/// What became of what was to be deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeletedStatus {
    /// It is deleted.
    Deleted,
}

impl Deleted {
    pub(crate) fn chunks(deleted_count: usize) -> Self {
        Self { status: DeletedStatus::Deleted, deleted_count }
    }
}

/// Changes to a corpus; what is left out stays.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CorpusChange {
    /// Its name.
    pub name: String,
    /// Chunking strategy.
    #[serde(default)]
    pub strategy: Option<String>,
    /// Values for the strategy.
    #[serde(default)]
    pub settings: Option<Map<String, Value>>,
    /// Base URL of citation links.
    #[serde(default)]
    pub base_url: Option<String>,
    /// Whether its text may be sent to a remote model.
    #[serde(default)]
    pub remote: Option<bool>,
}

/// A source type whose chunks are deleted.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SourceTypeName {
    /// Its name.
    pub source_type: String,
}

command! {
    /// Chunks by source type, with `total`.
    LibraryStats = "library.stats": Query, Read, ["chunks"],
        remote Get "/api/v1/library/stats";
    (call, _input: Nothing) -> BTreeMap<String, u64> {
        Ok(call.library.contents().stats(&call.workspace).await?)
    }
}

command! {
    /// The library in figures: corpora, totals, coverage, disk use.
    LibraryOverview = "library.overview": Query, Read,
        ["corpora", "documents", "chunks", "vectors", "models", "settings"],
        remote Get "/api/v1/library";
    (call, _input: Nothing) -> Overview {
        Ok(call.library.contents().overview(&call.workspace).await?)
    }
}

command! {
    /// One corpus in detail.
    CorpusInspect = "corpus.inspect": Query, Read,
        ["corpora", "documents", "chunks", "vectors", "models", "settings"],
        remote Get "/api/v1/corpora/{name}";
    (call, input: CorpusName) -> CorpusDetails {
        Ok(call.library.contents().corpus_details(&call.workspace, &input.name).await?)
    }
}

command! {
    /// Changes how a corpus is chunked, the base URL of its citation links, and whether its text may be sent to a
    /// remote model. Its documents change when it is ingested again.
    CorpusUpdate = "corpus.update": Mutation, Write, ["corpora"];
    (call, input: CorpusChange) -> Nothing {
        let corpus = find(&call, &input.name).await?;
        let new = NewCorpus {
            workspace_id: corpus.workspace_id,
            name: corpus.name,
            source_type: corpus.source_type,
            strategy: input.strategy.unwrap_or(corpus.strategy),
            settings: input.settings.unwrap_or(corpus.settings),
            base_url: input.base_url.unwrap_or(corpus.base_url),
            remote: input.remote.unwrap_or(corpus.remote),
        };
        let strategy = sibyl_text::chunk::strategy(&new.strategy)
            .ok_or_else(|| ApiError::invalid(format!("chunking strategy `{}` does not exist", new.strategy)))?;
        sibyl_text::chunk::settings(strategy, &new.settings).map_err(|error| ApiError::invalid(error.to_string()))?;
        call.library.store().put_corpus(new).await?;
        Ok(Nothing {})
    }
}

command! {
    /// Deletes a corpus: its documents go into the bin, from which they can be restored for 30 days. Vectors stay, so that
    /// ingesting it again is free.
    CorpusDelete = "corpus.delete": Mutation, Write, ["corpora", "documents", "chunks"],
        remote Delete "/api/v1/corpora/{name}";
    (call, input: CorpusName) -> Deleted {
        let corpus = find(&call, &input.name).await?;
        Ok(Deleted::chunks(call.library.store().delete_corpus(corpus.id).await?))
    }
}

command! {
    /// Deletes every corpus of a source type that the workspace owns; the documents go into the bin. Shared ones are
    /// deleted only from the default workspace: all the others use them too.
    SourceTypeDelete = "corpus.delete_type": Mutation, Write, ["corpora", "documents", "chunks"],
        remote Delete "/api/v1/source_types/{source_type}";
    (call, input: SourceTypeName) -> Deleted {
        check_source_type(&input.source_type)?;
        let workspace = call.workspace_id().await?;
        let store = call.library.store();
        let corpora = store.corpora(workspace).await?.into_iter().filter(|c| c.source_type == input.source_type);
        let (own, shared): (Vec<_>, Vec<_>) =
            corpora.partition(|c| c.workspace_id.is_some() || call.workspace == DEFAULT_WORKSPACE);
        if own.is_empty() && !shared.is_empty() {
            let message = format!(
                "every corpus of `{}` is shared by all workspaces; delete it from the default workspace, or by its name",
                input.source_type
            );
            return Err(ApiError::new("shared_corpus", message));
        }
        let mut deleted = 0;
        for corpus in own {
            deleted += store.delete_corpus(corpus.id).await?;
        }
        Ok(Deleted::chunks(deleted))
    }
}

/// Refuses an unknown source type, so that a typing error does not look like an empty answer.
pub(super) fn check_source_type(name: &str) -> Result<()> {
    if source_type::named(name).is_some() {
        return Ok(());
    }
    let known = source_type::names().join(", ");
    Err(ApiError::invalid(format!("`{name}` is not a source type; choose one of {known}")))
}

pub(super) async fn find(
    call: &crate::Call,
    name: &str,
) -> Result<sibyl_engine::store::table::corpus::Corpus> {
    let workspace = call.workspace_id().await?;
    let found = call.library.store().corpus(workspace, name).await?;
    found.ok_or_else(|| {
        ApiError::new("not_found", format!("corpus `{name}` does not exist in this workspace"))
    })
}
