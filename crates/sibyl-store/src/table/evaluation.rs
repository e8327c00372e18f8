//! Runs of evaluations: what was measured with a gold set. Summary, values and rankings are kept as JSON; what is in them
//! is the business of whoever measures.

use crate::error::{Error, Result};
use crate::{Store, json, now};
use rusqlite::{OptionalExtension as _, Row};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A run to be kept.
#[derive(Debug, Clone)]
pub struct NewEvaluation<'a, Summary, Scores, Ranking> {
    /// Its name.
    pub name: &'a str,
    /// Name of the gold set.
    pub gold_set: &'a str,
    /// Hash of all that decides a cell of a matrix; empty for other runs.
    pub cell: &'a str,
    /// What was measured in all, and how.
    pub summary: &'a Summary,
    /// Id, values and ranking of each query.
    pub queries: &'a [(String, Scores, Ranking)],
}

/// A kept run.
#[derive(Debug, Clone, PartialEq)]
pub struct EvaluationRow<Summary> {
    /// Row id.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// Name of the gold set.
    pub gold_set: String,
    /// When it was made (ISO 8601, UTC).
    pub at: String,
    /// What was measured in all, and how.
    pub summary: Summary,
}

const COLUMNS: &str = "id, name, gold_set, at, summary";

fn from_row<Summary: DeserializeOwned>(row: &Row<'_>) -> rusqlite::Result<EvaluationRow<Summary>> {
    let summary: String = row.get(4)?;
    Ok(EvaluationRow {
        id: row.get(0)?,
        name: row.get(1)?,
        gold_set: row.get(2)?,
        at: row.get(3)?,
        summary: json(&summary, 4)?,
    })
}

fn written(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(|e| Error::Damaged(format!("a run cannot be recorded: {e}")))
}

fn unknown(id: i64) -> Error {
    Error::not_found("run", id.to_string())
}

impl Store {
    /// Keeps a run of `workspace`. Returns its row id.
    ///
    /// # Errors
    /// Storage errors.
    pub async fn put_evaluation<S: Serialize + Sync, Q: Serialize + Sync, R: Serialize + Sync>(
        &self,
        workspace: i64,
        new: NewEvaluation<'_, S, Q, R>,
    ) -> Result<i64> {
        let summary = written(new.summary)?;
        let texts = [new.name, new.gold_set, new.cell].map(str::to_owned);
        let queries: Vec<(String, String, String)> = new
            .queries
            .iter()
            .map(|(id, scores, ranking)| Ok((id.clone(), written(scores)?, written(ranking)?)))
            .collect::<Result<_>>()?;
        self.pool
            .write(move |tx| {
                let [name, gold_set, cell] = texts;
                let run: i64 = tx.query_row(
                    "INSERT INTO evaluation (workspace_id, name, gold_set, cell, at, summary)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6) RETURNING id",
                    (workspace, name, gold_set, cell, now(), summary),
                    |row| row.get(0),
                )?;
                let mut insert = tx.prepare_cached(
                    "INSERT INTO evaluation_query (run, ordinal, query_id, scores, ranking) VALUES (?1, ?2, ?3, ?4, ?5)",
                )?;
                for (ordinal, (id, scores, ranking)) in queries.into_iter().enumerate() {
                    insert.execute((run, ordinal, id, scores, ranking))?;
                }
                Ok(run)
            })
            .await
    }

    /// The runs of `workspace`, of one gold set or of all, the newest first.
    ///
    /// # Errors
    /// Storage errors.
    pub async fn evaluations<S: DeserializeOwned + Send + 'static>(
        &self,
        workspace: i64,
        gold_set: Option<String>,
    ) -> Result<Vec<EvaluationRow<S>>> {
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(&format!(
                    "SELECT {COLUMNS} FROM evaluation WHERE workspace_id = ?1 AND (?2 IS NULL OR gold_set = ?2)
                     ORDER BY id DESC"
                ))?;
                let rows = select.query_map((workspace, gold_set), from_row)?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    /// The run `id` of `workspace`.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is none or it belongs to another workspace.
    pub async fn evaluation<S: DeserializeOwned + Send + 'static>(
        &self,
        workspace: i64,
        id: i64,
    ) -> Result<EvaluationRow<S>> {
        self.pool
            .read(move |c| {
                let query = format!("SELECT {COLUMNS} FROM evaluation WHERE workspace_id = ?1 AND id = ?2");
                let found = c.prepare_cached(&query)?.query_row((workspace, id), from_row).optional()?;
                found.ok_or_else(|| unknown(id))
            })
            .await
    }

    /// The newest run of `workspace` that is called `name`.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is none.
    pub async fn evaluation_named(&self, workspace: i64, name: &str) -> Result<i64> {
        let name = name.to_owned();
        self.pool
            .read(move |c| {
                c.query_row(
                    "SELECT id FROM evaluation WHERE workspace_id = ?1 AND name = ?2 ORDER BY id DESC LIMIT 1",
                    (workspace, &name),
                    |row| row.get(0),
                )
                .optional()?
                .ok_or_else(|| Error::not_found("run", name))
            })
            .await
    }

    /// The newest run of `workspace` that is the cell `cell` of a matrix.
    ///
    /// # Errors
    /// Storage errors.
    pub async fn evaluation_of_cell<S: DeserializeOwned + Send + 'static>(
        &self,
        workspace: i64,
        cell: &str,
    ) -> Result<Option<EvaluationRow<S>>> {
        let cell = cell.to_owned();
        self.pool
            .read(move |c| {
                let query = format!(
                    "SELECT {COLUMNS} FROM evaluation WHERE workspace_id = ?1 AND cell = ?2 ORDER BY id DESC LIMIT 1"
                );
                Ok(c.prepare_cached(&query)?.query_row((workspace, cell), from_row).optional()?)
            })
            .await
    }

    /// Values of every query of the run `id` of `workspace`, in the order of the set.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is none or it belongs to another workspace.
    pub async fn evaluation_scores<Q: DeserializeOwned + Send + 'static>(
        &self,
        workspace: i64,
        id: i64,
    ) -> Result<Vec<Q>> {
        self.pool
            .read(move |c| {
                visible(c, workspace, id)?;
                let mut select =
                    c.prepare_cached("SELECT scores FROM evaluation_query WHERE run = ?1 ORDER BY ordinal")?;
                let rows = select.query_map([id], |row| json(&row.get::<_, String>(0)?, 0))?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    /// What the run `id` of `workspace` found for its queries, by their ids: for those of `queries`, or for all where
    /// none is named.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is none or it belongs to another workspace.
    pub async fn evaluation_rankings<R: DeserializeOwned + Send + 'static>(
        &self,
        workspace: i64,
        id: i64,
        queries: Vec<String>,
    ) -> Result<Vec<(String, R)>> {
        self.pool
            .read(move |c| {
                visible(c, workspace, id)?;
                let one = |row: &Row<'_>| Ok((row.get(0)?, json(&row.get::<_, String>(1)?, 1)?));
                let named = serde_json::Value::from(queries).to_string();
                let mut select = c.prepare_cached(
                    "SELECT query_id, ranking FROM evaluation_query WHERE run = ?1
                       AND (?2 = '[]' OR query_id IN (SELECT value FROM json_each(?2))) ORDER BY ordinal",
                )?;
                let rows = select.query_map((id, named), one)?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    /// Gives the run `id` of `workspace` another name.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is none or it belongs to another workspace.
    pub async fn rename_evaluation(&self, workspace: i64, id: i64, name: &str) -> Result<()> {
        let name = name.to_owned();
        self.pool
            .write(move |tx| {
                let renamed = tx.execute(
                    "UPDATE evaluation SET name = ?3 WHERE workspace_id = ?1 AND id = ?2",
                    (workspace, id, name),
                )?;
                if renamed == 0 { Err(unknown(id)) } else { Ok(()) }
            })
            .await
    }

    /// Deletes the run `id` of `workspace`.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is none or it belongs to another workspace.
    pub async fn delete_evaluation(&self, workspace: i64, id: i64) -> Result<()> {
        self.pool
            .write(move |tx| {
                let deleted = tx
                    .execute("DELETE FROM evaluation WHERE workspace_id = ?1 AND id = ?2", (workspace, id))?;
                if deleted == 0 { Err(unknown(id)) } else { Ok(()) }
            })
            .await
    }
}

fn visible(c: &rusqlite::Connection, workspace: i64, id: i64) -> Result<()> {
    c.prepare_cached("SELECT 1 FROM evaluation WHERE workspace_id = ?1 AND id = ?2")?
        .exists((workspace, id))?
        .then_some(())
        .ok_or_else(|| unknown(id))
}
