//! Workspaces.

use crate::command::Nothing;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_engine::store::table::workspace::{LabelLanguage, Workspace};

/// A workspace by name.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorkspaceName {
    /// Its name.
    pub name: String,
}

/// The language of a workspace's source labels.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorkspaceLanguage {
    /// Name of the workspace.
    pub name: String,
    /// The language.
    pub language: LabelLanguage,
}

/// A workspace to be made.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewWorkspace {
    /// Its name.
    pub name: String,
    /// Language of source labels; English by default.
    #[serde(default)]
    pub language: LabelLanguage,
}

command! {
    /// All workspaces, by name; the default one is created if it is missing.
    WorkspaceList = "workspace.list": Query, Read, ["workspaces"], remote Get "/api/v1/workspaces";
    (call, _input: Nothing) -> Vec<Workspace> {
        let store = call.library.store();
        store.workspace(sibyl_engine::store::table::workspace::DEFAULT_WORKSPACE).await?;
        Ok(store.workspaces().await?)
    }
}

command! {
    /// Creates a workspace; one that exists is returned unchanged.
    WorkspaceCreate = "workspace.create": Mutation, Write, ["workspaces"];
    (call, input: NewWorkspace) -> Workspace {
        Ok(call.library.store().create_workspace(&input.name, input.language).await?)
    }
}

command! {
    /// Chooses the language of source labels in a workspace.
    WorkspaceSpeak = "workspace.language": Mutation, Write, ["workspaces"];
    (call, input: WorkspaceLanguage) -> Workspace {
        Ok(call.library.store().set_workspace_language(&input.name, input.language).await?)
    }
}

command! {
    /// Deletes a workspace, with its private corpora and reviews.
    WorkspaceDelete = "workspace.delete": Mutation, Write, ["workspaces", "corpora", "documents", "chunks", "reviews"];
    (call, input: WorkspaceName) -> Nothing {
        call.library.store().delete_workspace(&input.name).await?;
        Ok(Nothing {})
    }
}
