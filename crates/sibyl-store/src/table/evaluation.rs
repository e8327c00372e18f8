//! Runs of evaluations: the measurements with a gold set. Summary, values and rankings are kept as JSON; their
//! contents are the business of the measuring code.

use crate::error::{Error, Result};
use crate::{SqliteStore, now};
use rusqlite::{OptionalExtension as _, Row};

/// A run to be kept.
#[derive(Debug, Clone)]
pub struct NewEvaluation<'a, Summary, Scores, Ranking> {
    /// Its name.
    pub name: &'a str,
    /// Name of the gold set.
    pub gold_set: &'a str,
    /// Hash of all that decides a cell of a matrix; empty for other runs.
    pub cell: &'a str,
    /// The overall measurements, and their settings.
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
    /// The overall measurements, and their settings.
    pub summary: Summary,
}

const COLUMNS: &str = "id, name, gold_set, at, summary";

fn from_row(row: &Row<'_>) -> rusqlite::Result<EvaluationRow<String>> {
    Ok(EvaluationRow {
        id: row.get(0)?,
        name: row.get(1)?,
        gold_set: row.get(2)?,
        at: row.get(3)?,
        summary: row.get(4)?,
    })
}

fn unknown(id: i64) -> Error {
    Error::not_found("run", id.to_string())
}

impl SqliteStore {
    pub(crate) async fn put_evaluation_json(
        &self,
        workspace: i64,
        new: NewEvaluation<'_, String, String, String>,
    ) -> Result<i64> {
        let (summary, queries) = (new.summary.clone(), new.queries.to_vec());
        let texts = [new.name, new.gold_set, new.cell].map(str::to_owned);
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

    pub(crate) async fn evaluations_json(
        &self,
        workspace: i64,
        gold_set: Option<String>,
    ) -> Result<Vec<EvaluationRow<String>>> {
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

    pub(crate) async fn evaluation_json(&self, workspace: i64, id: i64) -> Result<EvaluationRow<String>> {
        self.pool
            .read(move |c| {
                let query = format!("SELECT {COLUMNS} FROM evaluation WHERE workspace_id = ?1 AND id = ?2");
                let found = c.prepare_cached(&query)?.query_row((workspace, id), from_row).optional()?;
                found.ok_or_else(|| unknown(id))
            })
            .await
    }

    pub(crate) async fn evaluation_named(&self, workspace: i64, name: &str) -> Result<i64> {
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

    pub(crate) async fn evaluation_of_cell_json(
        &self,
        workspace: i64,
        cell: &str,
    ) -> Result<Option<EvaluationRow<String>>> {
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

    pub(crate) async fn evaluation_scores_json(&self, workspace: i64, id: i64) -> Result<Vec<String>> {
        self.pool
            .read(move |c| {
                visible(c, workspace, id)?;
                let mut select =
                    c.prepare_cached("SELECT scores FROM evaluation_query WHERE run = ?1 ORDER BY ordinal")?;
                let rows = select.query_map([id], |row| row.get(0))?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    pub(crate) async fn evaluation_rankings_json(
        &self,
        workspace: i64,
        id: i64,
        queries: Vec<String>,
    ) -> Result<Vec<(String, String)>> {
        self.pool
            .read(move |c| {
                visible(c, workspace, id)?;
                let named = serde_json::Value::from(queries).to_string();
                let mut select = c.prepare_cached(
                    "SELECT query_id, ranking FROM evaluation_query WHERE run = ?1
                       AND (?2 = '[]' OR query_id IN (SELECT value FROM json_each(?2))) ORDER BY ordinal",
                )?;
                let rows = select.query_map((id, named), |row| Ok((row.get(0)?, row.get(1)?)))?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    pub(crate) async fn rename_evaluation(&self, workspace: i64, id: i64, name: &str) -> Result<()> {
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

    pub(crate) async fn delete_evaluation(&self, workspace: i64, id: i64) -> Result<()> {
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
