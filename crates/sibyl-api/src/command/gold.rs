//! Gold sets: judged queries of a workspace.

use crate::command::Nothing;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_engine::evaluate::set::{
    Agreement, CandidateList, CandidateQuery, Decision, ExportedFile, GoldExport, GoldImport, GoldImported,
    GoldPage, GoldPageQuery, GoldPanel, GoldQueryInput, JudgeInput, Suggestion, SuggestionQuery,
};
use sibyl_engine::evaluate::stored::{Pool, PoolQuery};
use sibyl_engine::store::table::gold::{GoldQuery, GoldSet, GoldVersion};

/// A gold set by name.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GoldSetName {
    /// Its name.
    pub set: String,
}

/// A gold set and its new name.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GoldRename {
    /// Its name.
    pub set: String,
    /// The new one.
    pub name: String,
}

/// A query of a gold set by id.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GoldQueryRef {
    /// Name of the set.
    pub set: String,
    /// Id of the query.
    pub id: String,
}

/// Words of a search.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GoldPanelQuery {
    /// The words searched for.
    pub query: String,
}

/// Two judges of a set.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AgreementQuery {
    /// Name of the set.
    pub set: String,
    /// The judges; an empty name stands for the set's own labels.
    pub judges: (String, String),
}

/// What somebody decided about a proposal.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Decided {
    /// The query that it became; none if it was rejected.
    pub query: Option<GoldQuery>,
}

command! {
    /// The gold sets of the workspace, by name.
    GoldList = "gold.list": Query, Read, ["gold"],
        remote Get "/api/v1/gold/sets";
    (call, _input: Nothing) -> Vec<GoldSet> {
        Ok(call.library.evaluation().gold_sets(&call.workspace).await?)
    }
}

command! {
    /// Imports a gold set: JSON lines, a BEIR folder, or TREC qrels with their queries.
    GoldImportRun = "gold.import": Mutation, Write, ["gold"],
        remote Post "/api/v1/gold/import" unless |input| input.names_disk();
    (call, input: GoldImport) -> GoldImported {
        Ok(call.library.evaluation().import_gold(&call.workspace, input).await?)
    }
}

command! {
    /// A gold set, now or at an earlier version, as JSON lines, in BEIR layout or as TREC qrels: as text or in a folder.
    GoldExportRun = "gold.export": Mutation, Read, [],
        remote Post "/api/v1/gold/export" unless |input| input.folder.is_some();
    (call, input: GoldExport) -> Vec<ExportedFile> {
        Ok(call.library.evaluation().export_gold(&call.workspace, input).await?)
    }
}

command! {
    /// Queries of a gold set, with their labels.
    GoldGet = "gold.get": Query, Read, ["gold", "chunks"],
        remote Get "/api/v1/gold/sets/{set}";
    (call, input: GoldPageQuery) -> GoldPage {
        Ok(call.library.evaluation().gold_page(&call.workspace, &input).await?)
    }
}

command! {
    /// The known versions of a gold set, newest first, and what each changed.
    GoldHistory = "gold.history": Query, Read, ["gold"],
        remote Get "/api/v1/gold/sets/{set}/versions";
    (call, input: GoldSetName) -> Vec<GoldVersion> {
        let workspace = call.workspace_id().await?;
        Ok(call.library.store().gold_history(workspace, &input.set).await?)
    }
}

command! {
    /// Adds a query to a gold set, or changes its words; creates the set if it does not exist.
    GoldPutQuery = "gold.put_query": Mutation, Write, ["gold"],
        remote Post "/api/v1/gold/queries";
    (call, input: GoldQueryInput) -> GoldQuery {
        Ok(call.library.evaluation().put_gold_query(&call.workspace, input).await?)
    }
}

command! {
    /// Deletes a query of a gold set, with its labels.
    GoldDeleteQuery = "gold.delete_query": Mutation, Write, ["gold"],
        remote Delete "/api/v1/gold/sets/{set}/queries/{id}";
    (call, input: GoldQueryRef) -> Nothing {
        let workspace = call.workspace_id().await?;
        call.library.store().delete_gold_query(workspace, &input.set, &input.id).await?;
        Ok(Nothing {})
    }
}

command! {
    /// Renames a gold set.
    GoldRenameRun = "gold.rename": Mutation, Write, ["gold", "evaluations"],
        remote Post "/api/v1/gold/sets/{set}/name";
    (call, input: GoldRename) -> GoldSet {
        let workspace = call.workspace_id().await?;
        let name = input.name.trim();
        if name.is_empty() {
            return Err(crate::ApiError::invalid("the name of the gold set is empty; give it one"));
        }
        Ok(call.library.store().rename_gold_set(workspace, &input.set, name).await?)
    }
}

command! {
    /// Deletes a gold set. Runs stay.
    GoldDelete = "gold.delete": Mutation, Write, ["gold"],
        remote Delete "/api/v1/gold/sets/{set}";
    (call, input: GoldSetName) -> Nothing {
        let workspace = call.workspace_id().await?;
        call.library.store().delete_gold_set(workspace, &input.set).await?;
        Ok(Nothing {})
    }
}

command! {
    /// Records a judge's grade for an identifier, a chunk, a passage, a page or a document, or removes it.
    GoldJudge = "gold.judge": Mutation, Write, ["gold"],
        remote Post "/api/v1/gold/judgments";
    (call, input: JudgeInput) -> GoldQuery {
        Ok(call.library.evaluation().judge(&call.workspace, input).await?)
    }
}

command! {
    /// Gold queries that ask the same as a search, and the chunks that their labels name.
    GoldPanelGet = "gold.panel": Query, Read, ["gold", "chunks"],
        remote Get "/api/v1/gold/panel";
    (call, input: GoldPanelQuery) -> Vec<GoldPanel> {
        Ok(call.library.evaluation().gold_panel(&call.workspace, &input.query).await?)
    }
}

command! {
    /// Passages that runs found and nobody has judged, in random order.
    GoldPool = "gold.pool": Query, Read, ["gold", "evaluations", "chunks"],
        remote Post "/api/v1/gold/pool";
    (call, input: PoolQuery) -> Pool {
        Ok(call.library.evaluation().pool(&call.workspace, &input).await?)
    }
}

command! {
    /// How far two judges agree.
    GoldAgreement = "gold.agreement": Query, Read, ["gold"],
        remote Post "/api/v1/gold/agreement";
    (call, input: AgreementQuery) -> Agreement {
        let judges = (input.judges.0.as_str(), input.judges.1.as_str());
        Ok(call.library.evaluation().agreement(&call.workspace, &input.set, judges).await?)
    }
}

command! {
    /// Questions that the headings, terms and identifiers of a corpus suggest.
    GoldCandidates = "gold.candidates": Query, Read, ["gold", "chunks"],
        remote Post "/api/v1/gold/candidates";
    (call, input: CandidateQuery) -> CandidateList {
        Ok(call.library.evaluation().candidates(&call.workspace, &input).await?)
    }
}

command! {
    /// A question that a passage answers, written by the chat model chosen in the settings.
    GoldSuggest = "gold.suggest": Mutation, Spend, [],
        remote Post "/api/v1/gold/suggestions";
    (call, input: SuggestionQuery) -> Suggestion {
        Ok(call.library.evaluation().suggest(&call.workspace, &input).await?)
    }
}

command! {
    /// Accepts a proposed question into a gold set, or rejects it.
    GoldDecide = "gold.decide": Mutation, Write, ["gold"],
        remote Post "/api/v1/gold/decisions";
    (call, input: Decision) -> Decided {
        Ok(Decided { query: call.library.evaluation().decide(&call.workspace, input).await? })
    }
}
