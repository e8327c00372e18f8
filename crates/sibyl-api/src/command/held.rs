//! Documents whose files are gone and that are held back until somebody decides.

use crate::command::Nothing;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_engine::store::table::held::{HeldBecause, HeldDocuments};
use sibyl_engine::store::table::missing::{HeldDecision, HeldOutcome};

/// A decision about a folder's documents that are held back.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HeldAnswer {
    /// The folder, as it is listed.
    pub root: String,
    /// Only those in the corpus of this name; in every corpus by default.
    #[serde(default)]
    pub corpus: Option<String>,
    /// Only those held back for this reason; whatever the reason by default.
    #[serde(default)]
    pub reason: Option<HeldBecause>,
    /// `true` deletes or marks them now, as set for the folder; `false` keeps them, and nobody is asked again.
    pub confirmed: bool,
}

command! {
    /// Documents whose files are gone and that are held back: too many were gone at once, or their folder is away. By
    /// folder, corpus and reason.
    HeldList = "held.list": Query, Read, ["corpora", "documents", "jobs"],
        remote Get "/api/v1/held";
    (call, _input: Nothing) -> Vec<HeldDocuments> {
        let workspace = call.workspace_id().await?;
        Ok(call.library.store().held_documents(workspace).await?)
    }
}

command! {
    /// Decides about documents that are held back: they are deleted or marked now, or they stay.
    HeldDecide = "held.decide": Mutation, Write, ["corpora", "documents", "chunks"];
    (call, input: HeldAnswer) -> HeldOutcome {
        let HeldAnswer { root, corpus, reason, confirmed } = input;
        let decision = HeldDecision { root, corpus, reason, confirmed };
        let workspace = call.workspace_id().await?;
        Ok(call.library.store().decide_held(workspace, decision).await?)
    }
}
