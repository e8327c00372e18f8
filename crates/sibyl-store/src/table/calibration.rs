//! What questions without an answer score in what a workspace sees. What is in the JSON is the business of whoever measures
//! it.

use crate::error::{Error, Result};
use crate::{Store, json};
use rusqlite::OptionalExtension as _;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Scores, and what they were measured over.
#[derive(Debug, Clone, PartialEq)]
pub struct CalibrationRow<Corpora, Scores> {
    /// Generations of chunks and vectors when the corpora were last counted.
    pub moment: String,
    /// What they held then.
    pub corpora: Corpora,
    /// What was measured.
    pub scores: Scores,
}

impl Store {
    /// What is kept for `workspace`; `None` where nothing was measured, or what was cannot be read.
    ///
    /// # Errors
    /// Storage errors.
    pub async fn calibration<C, S>(&self, workspace: i64) -> Result<Option<CalibrationRow<C, S>>>
    where
        C: DeserializeOwned + Send + 'static,
        S: DeserializeOwned + Send + 'static,
    {
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(
                    "SELECT moment, corpora, scores FROM calibration WHERE workspace_id = ?1",
                )?;
                let found: Option<(String, String, String)> = select
                    .query_row([workspace], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
                    .optional()?;
                Ok(found.and_then(|(moment, corpora, scores)| {
                    Some(CalibrationRow {
                        moment,
                        corpora: json(&corpora, 1).ok()?,
                        scores: json(&scores, 2).ok()?,
                    })
                }))
            })
            .await
    }

    /// Keeps `row` for `workspace` in place of what was kept.
    ///
    /// # Errors
    /// Storage errors.
    pub async fn put_calibration<C: Serialize, S: Serialize>(
        &self,
        workspace: i64,
        row: &CalibrationRow<C, S>,
    ) -> Result<()> {
        let written = |value: serde_json::Result<String>| {
            value.map_err(|e| Error::Damaged(format!("a calibration cannot be recorded: {e}")))
        };
        let corpora = written(serde_json::to_string(&row.corpora))?;
        let scores = written(serde_json::to_string(&row.scores))?;
        let moment = row.moment.clone();
        self.pool
            .write(move |tx| {
                tx.execute(
                    "INSERT OR REPLACE INTO calibration (workspace_id, moment, corpora, scores)
                     VALUES (?1, ?2, ?3, ?4)",
                    (workspace, moment, corpora, scores),
                )?;
                Ok(())
            })
            .await
    }
}
