//! Searches that were made, with what they found, so that each can be looked at and run again. Question and answer are
//! kept as JSON; what is in them is the business of whoever searches.

use crate::error::{Error, Result};
use crate::{Store, json, now};
use rusqlite::OptionalExtension as _;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Searches kept for a workspace; older ones go.
pub const KEPT_RUNS: usize = 500;

/// A search that was made.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredRun<Request> {
    /// Row id.
    pub id: i64,
    /// When it was made (ISO 8601, UTC).
    pub at: String,
    /// What was asked.
    pub request: Request,
    /// Results it found.
    pub results: usize,
    /// Hash of the configuration it ran with.
    pub config_hash: String,
}

impl Store {
    /// Keeps a search of `workspace` that ran with the configuration of this hash; the number of its results is the
    /// field `total_results` of `response`. Returns its row id.
    ///
    /// # Errors
    /// Storage errors.
    pub async fn record_run(
        &self,
        workspace: i64,
        request: &impl Serialize,
        response: &impl Serialize,
        config_hash: &str,
    ) -> Result<i64> {
        let damaged = |e: serde_json::Error| Error::Damaged(format!("a search cannot be recorded: {e}"));
        let request = serde_json::to_string(request).map_err(damaged)?;
        let hash = config_hash.to_owned();
        let response = serde_json::to_string(response).map_err(damaged)?;
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

    /// The latest `limit` searches of `workspace`, newest first.
    ///
    /// # Errors
    /// Storage errors.
    pub async fn runs<Request: DeserializeOwned + Send + 'static>(
        &self,
        workspace: i64,
        limit: usize,
    ) -> Result<Vec<StoredRun<Request>>> {
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(
                    "SELECT id, at, request, response ->> '$.total_results', config_hash FROM search_run
                     WHERE workspace_id = ?1 ORDER BY id DESC LIMIT ?2",
                )?;
                let rows = select.query_map((workspace, limit), |row| {
                    let request: String = row.get(2)?;
                    Ok(StoredRun {
                        id: row.get(0)?,
                        at: row.get(1)?,
                        request: json(&request, 2)?,
                        results: row.get(3)?,
                        config_hash: row.get(4)?,
                    })
                })?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    /// What the search `id` of `workspace` asked and found.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is none or it belongs to another workspace.
    pub async fn run<Request, Response>(&self, workspace: i64, id: i64) -> Result<(Request, Response)>
    where
        Request: DeserializeOwned + Send + 'static,
        Response: DeserializeOwned + Send + 'static,
    {
        self.pool
            .read(move |c| {
                let found = c
                    .query_row(
                        "SELECT request, response FROM search_run WHERE workspace_id = ?1 AND id = ?2",
                        (workspace, id),
                        |row| {
                            let (request, response): (String, String) = (row.get(0)?, row.get(1)?);
                            Ok((json(&request, 0)?, json(&response, 1)?))
                        },
                    )
                    .optional()?;
                found.ok_or_else(|| Error::not_found("search run", id.to_string()))
            })
            .await
    }

    /// Forgets all searches of `workspace`. Returns how many there were.
    ///
    /// # Errors
    /// Storage errors.
    pub async fn clear_runs(&self, workspace: i64) -> Result<usize> {
        self.pool
            .write(move |tx| Ok(tx.execute("DELETE FROM search_run WHERE workspace_id = ?1", [workspace])?))
            .await
    }
}
