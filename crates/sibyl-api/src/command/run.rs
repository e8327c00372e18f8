//! Kept runs of evaluations: making, comparing and exporting them.

use crate::command::{Nothing, Progress};
use crate::{Call, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_engine::evaluate::EvaluateProgress;
use sibyl_engine::evaluate::matrix::{Matrix, MatrixPlan, MatrixRun};
use sibyl_engine::evaluate::stored::{
    CompareOptions, ComparedQueries, ComparedQueryPage, EvalRun, QueryComparison, RunComparison, RunImport,
    RunImported, RunPage, RunPageQuery, RunRequest,
};
use sibyl_engine::evaluate::{MeasureInfo, measures};

/// Which runs are listed.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RunsQuery {
    /// Name of the gold set; all by default.
    pub set: Option<String>,
}

/// A run by row id.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvalRunId {
    /// Row id.
    pub id: i64,
}

/// A run by row id or name.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvalRunName {
    /// Row id or name; if several have the name, the newest.
    pub name: String,
}

/// A run and its new name.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvalRunRename {
    /// Row id.
    pub id: i64,
    /// The new name.
    pub name: String,
}

/// A query of two runs.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ComparedQueryRef {
    /// Row id of the run to compare with.
    pub baseline: i64,
    /// Row id of the run to examine.
    pub candidate: i64,
    /// Id of the query.
    pub query: String,
}

/// A run as text.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ExportedRun {
    /// Lines `query Q0 id rank score name`.
    pub text: String,
}

fn tell(call: &Call, progress: EvaluateProgress) {
    if let Some(listener) = &call.progress {
        listener(Progress::Evaluating(progress));
    }
}

command! {
    /// Searches for every query of a gold set and keeps what was found and measured.
    EvalRunMake = "eval.run": Stream, Spend, ["evaluations", "vectors"],
        remote Post "/api/v1/evaluations";
    (call, input: RunRequest) -> EvalRun {
        let told = |progress| tell(&call, progress);
        Ok(call.library.evaluation().run(&call.workspace, &input, told).await?)
    }
}

command! {
    /// The kept runs, the newest first.
    EvalRuns = "eval.runs": Query, Read, ["evaluations"],
        remote Get "/api/v1/evaluations";
    (call, input: RunsQuery) -> Vec<EvalRun> {
        Ok(call.library.evaluation().runs(&call.workspace, input.set).await?)
    }
}

command! {
    /// A run by its row id or its name.
    EvalRunFind = "eval.run_find": Query, Read, ["evaluations"],
        remote Get "/api/v1/evaluations/find";
    (call, input: EvalRunName) -> EvalRun {
        Ok(call.library.evaluation().run_called(&call.workspace, &input.name).await?)
    }
}

command! {
    /// The queries of a run, with the measures and results of each.
    EvalRunGet = "eval.run_get": Query, Read, ["evaluations"],
        remote Get "/api/v1/evaluations/{id}";
    (call, input: RunPageQuery) -> RunPage {
        Ok(call.library.evaluation().run_page(&call.workspace, &input).await?)
    }
}

command! {
    /// Deletes a run.
    EvalRunDelete = "eval.run_delete": Mutation, Write, ["evaluations"],
        remote Delete "/api/v1/evaluations/{id}";
    (call, input: EvalRunId) -> Nothing {
        call.library.evaluation().delete_run(&call.workspace, input.id).await?;
        Ok(Nothing {})
    }
}

command! {
    /// Renames a run.
    EvalRunRenameRun = "eval.run_rename": Mutation, Write, ["evaluations"],
        remote Post "/api/v1/evaluations/{id}/name";
    (call, input: EvalRunRename) -> EvalRun {
        Ok(call.library.evaluation().rename_run(&call.workspace, input.id, &input.name).await?)
    }
}

command! {
    /// A run in TREC format.
    EvalRunExport = "eval.run_export": Query, Read, ["evaluations"],
        remote Get "/api/v1/evaluations/{id}/export";
    (call, input: EvalRunId) -> ExportedRun {
        Ok(ExportedRun { text: call.library.evaluation().export_run(&call.workspace, input.id).await? })
    }
}

command! {
    /// Imports another system's run in TREC format and measures it.
    EvalRunImport = "eval.run_import": Mutation, Write, ["evaluations"],
        remote Post "/api/v1/evaluations/import" unless |input| input.text.is_none() && input.file.is_none();
    (call, input: RunImport) -> RunImported {
        Ok(call.library.evaluation().import_run(&call.workspace, input).await?)
    }
}

command! {
    /// Compares two runs: differences, intervals, tests, and what they mean in words.
    EvalCompare = "eval.compare": Query, Read, ["evaluations"],
        remote Post "/api/v1/evaluations/compare";
    (call, input: CompareOptions) -> RunComparison {
        Ok(call.library.evaluation().compare_runs(&call.workspace, &input).await?)
    }
}

command! {
    /// Queries of two runs, the greatest change first.
    EvalCompareQueries = "eval.compare_queries": Query, Read, ["evaluations"],
        remote Post "/api/v1/evaluations/compare/queries";
    (call, input: ComparedQueries) -> ComparedQueryPage {
        Ok(call.library.evaluation().compared_queries(&call.workspace, &input).await?)
    }
}

command! {
    /// A query of two runs: both rankings, what moved, and why.
    EvalCompareQuery = "eval.compare_query": Query, Read, ["evaluations"],
        remote Post "/api/v1/evaluations/compare/query";
    (call, input: ComparedQueryRef) -> QueryComparison {
        let runs = (input.baseline, input.candidate);
        Ok(call.library.evaluation().compared_query(&call.workspace, runs, &input.query).await?)
    }
}

command! {
    /// What a matrix of configurations costs, and the cells that have been run.
    EvalMatrix = "eval.matrix": Query, Read, ["evaluations", "gold", "chunks", "vectors"],
        remote Post "/api/v1/matrix";
    (call, input: MatrixPlan) -> Matrix {
        Ok(call.library.evaluation().matrix(&call.workspace, &input).await?)
    }
}

command! {
    /// Runs the missing cells of a matrix, or the named ones. If it is stopped, the next call continues with the
    /// next missing cell.
    EvalMatrixRun = "eval.matrix_run": Stream, Spend, ["evaluations"],
        remote Post "/api/v1/matrix/run";
    (call, input: MatrixRun) -> Matrix {
        let told = |progress| tell(&call, progress);
        Ok(call.library.evaluation().run_matrix(&call.workspace, &input, &told).await?)
    }
}

command! {
    /// The available measures, with definition and source.
    EvalMeasures = "eval.measures": Query, Read, [],
        remote Get "/api/v1/measures";
    (_call, _input: Nothing) -> Vec<MeasureInfo> {
        let all: Result<Vec<MeasureInfo>> = Ok(measures());
        all
    }
}
