//! The thesaurus that expands queries.

use crate::command::Nothing;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_engine::store::table::thesaurus::{NewThesaurusEntry, ThesaurusEntry};

/// An entry by id.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ThesaurusId {
    /// Row id.
    pub id: i64,
}

/// An entry to be kept.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ThesaurusInput {
    /// Name of the corpus it is for; every corpus by default.
    #[serde(default)]
    pub corpus: Option<String>,
    /// Word or phrase in a query.
    pub term: String,
    /// What is searched for as well.
    pub expansion: String,
    /// Weight in the ranking, over 0 up to 1.
    #[serde(default = "weight")]
    pub weight: f64,
}

const fn weight() -> f64 {
    0.5
}

command! {
    /// The thesaurus entries that the workspace sees.
    ThesaurusList = "thesaurus.list": Query, Read, ["thesaurus"],
        remote Get "/api/v1/thesaurus";
    (call, _input: Nothing) -> Vec<ThesaurusEntry> {
        let workspace = call.workspace_id().await?;
        Ok(call.library.store().thesaurus(workspace).await?)
    }
}

command! {
    /// Adds a thesaurus entry, or changes the weight of an existing one.
    ThesaurusPut = "thesaurus.put": Mutation, Write, ["thesaurus"],
        remote Post "/api/v1/thesaurus";
    (call, input: ThesaurusInput) -> ThesaurusId {
        let workspace = call.workspace_id().await?;
        let corpus_id = match &input.corpus {
            None => None,
            Some(name) => Some(super::library::find(&call, name).await?.id),
        };
        let ThesaurusInput { term, expansion, weight, .. } = input;
        let entry = NewThesaurusEntry { corpus_id, term, expansion, weight };
        Ok(ThesaurusId { id: call.library.store().put_thesaurus_entry(workspace, entry).await? })
    }
}

command! {
    /// Deletes a thesaurus entry.
    ThesaurusDelete = "thesaurus.delete": Mutation, Write, ["thesaurus"],
        remote Delete "/api/v1/thesaurus/{id}";
    (call, input: ThesaurusId) -> Nothing {
        let workspace = call.workspace_id().await?;
        call.library.store().delete_thesaurus_entry(workspace, input.id).await?;
        Ok(Nothing {})
    }
}
