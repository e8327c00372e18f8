//! Past searches with their results, so that each can be viewed and run again. Question and answer are kept as
//! JSON; their contents are the business of the searching code.

use crate::error::{Error, Result};
use crate::{SqliteStore, now};
use rusqlite::OptionalExtension as _;

/// Searches kept for a workspace; older ones go.
pub const KEPT_RUNS: usize = 500;

/// A search that was made.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredRun<Request> {
    /// Row id.
    pub id: i64,
    /// When it was made (ISO 8601, UTC).
    pub at: String,
    /// The request.
    pub request: Request,
    /// Results it found.
    pub results: usize,
    /// Hash of the configuration it ran with.
    pub config_hash: String,
}

impl SqliteStore {
    pub(crate) async fn record_run_json(
        &self,
        workspace: i64,
        request: &str,
        response: &str,
        config_hash: &str,
    ) -> Result<i64> {
        let [request, response, hash] = [request, response, config_hash].map(str::to_owned);
        self.pool
            .write(move |tx| {
                let id = tx
                    .prepare_cached(
                        "INSERT INTO search_run (workspace_id, at, request, response, config_hash)
                         VALUES (?1, ?2, ?3, ?4, ?5) RETURNING id",
                    )?
                    .query_row((workspace, now(), request, response, hash), |row| row.get(0))?;
                tx.prepare_cached(
                    "DELETE FROM search_run WHERE workspace_id = ?1 AND id NOT IN
                       (SELECT id FROM search_run WHERE workspace_id = ?1 ORDER BY id DESC LIMIT ?2)",
                )?
                .execute((workspace, KEPT_RUNS))?;
                Ok(id)
            })
            .await
    }

    pub(crate) async fn runs_json(&self, workspace: i64, limit: usize) -> Result<Vec<StoredRun<String>>> {
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(
                    "SELECT id, at, request, response ->> '$.total_results', config_hash FROM search_run
                     WHERE workspace_id = ?1 ORDER BY id DESC LIMIT ?2",
                )?;
                let rows = select.query_map((workspace, limit), |row| {
                    Ok(StoredRun {
                        id: row.get(0)?,
                        at: row.get(1)?,
                        request: row.get(2)?,
                        results: row.get(3)?,
                        config_hash: row.get(4)?,
                    })
                })?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    pub(crate) async fn run_json(&self, workspace: i64, id: i64) -> Result<(String, String)> {
        self.pool
            .read(move |c| {
                let found = c
                    .query_row(
                        "SELECT request, response FROM search_run WHERE workspace_id = ?1 AND id = ?2",
                        (workspace, id),
                        |row| Ok((row.get(0)?, row.get(1)?)),
                    )
                    .optional()?;
                found.ok_or_else(|| Error::not_found("search run", id.to_string()))
            })
            .await
    }

    pub(crate) async fn clear_runs(&self, workspace: i64) -> Result<usize> {
        self.pool
            .write(move |tx| Ok(tx.execute("DELETE FROM search_run WHERE workspace_id = ?1", [workspace])?))
            .await
    }
}
