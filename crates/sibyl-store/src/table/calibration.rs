//! What questions without an answer score in what a workspace sees. The contents of the JSON are the business of
//! the code that measures it.

use crate::SqliteStore;
use crate::error::Result;
use rusqlite::OptionalExtension as _;

/// Scores, and the corpora over which they were measured.
#[derive(Debug, Clone, PartialEq)]
pub struct CalibrationRow<Corpora, Scores> {
    /// Generations of chunks and vectors when the corpora were last counted.
    pub moment: String,
    /// Their size at that time.
    pub corpora: Corpora,
    /// The measurements.
    pub scores: Scores,
}

impl SqliteStore {
    pub(crate) async fn calibration_json(
        &self,
        workspace: i64,
    ) -> Result<Option<CalibrationRow<String, String>>> {
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(
                    "SELECT moment, corpora, scores FROM calibration WHERE workspace_id = ?1",
                )?;
                let found = select.query_row([workspace], |row| {
                    Ok(CalibrationRow { moment: row.get(0)?, corpora: row.get(1)?, scores: row.get(2)? })
                });
                Ok(found.optional()?)
            })
            .await
    }

    pub(crate) async fn put_calibration_json(
        &self,
        workspace: i64,
        row: CalibrationRow<String, String>,
    ) -> Result<()> {
        let CalibrationRow { moment, corpora, scores } = row;
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
