//! Texts that a provider would not embed, by the SHA-256 of the text, so that they are not sent again and again.

use crate::error::Result;
use crate::job::FileReport;
use crate::scope::ChunkSet;
use crate::vector::space_row;
use crate::{SqliteStore, touch};
use rusqlite::Connection;
use std::sync::Arc;

/// A refusal to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRefusal {
    /// The job that asked.
    pub job: i64,
    /// SHA-256 of the text.
    pub hash: [u8; 32],
    /// The provider's own words.
    pub reason: String,
}

impl SqliteStore {
    pub(crate) async fn put_refusal(&self, space: &str, refusal: NewRefusal) -> Result<()> {
        let space = space.to_owned();
        self.pool
            .write(move |tx| {
                let (space, _) = space_row(tx, &space)?;
                tx.execute(
                    "INSERT INTO refusal (space, input_hash, job, reason) VALUES (?1, ?2, ?3, ?4)
                     ON CONFLICT (space, input_hash) DO UPDATE SET job = excluded.job, reason = excluded.reason",
                    (space, refusal.hash, refusal.job, refusal.reason),
                )?;
                // What a search may answer with follows from what is settled.
                touch(tx, "vector")?;
                Ok(())
            })
            .await
    }

    pub(crate) async fn refused(&self, space: &str, chunks: Arc<ChunkSet>) -> Result<u64> {
        let space = space.to_owned();
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(
                    "SELECT k.id FROM refusal r JOIN space s ON s.id = r.space
                     JOIN chunk k ON k.input_hash = r.input_hash WHERE s.space_id = ?1",
                )?;
                let mut found = select.query([space])?;
                let mut refused = 0;
                while let Some(row) = found.next()? {
                    refused += u64::from(chunks.holds(row.get(0)?));
                }
                Ok(refused)
            })
            .await
    }
}

/// The chunks whose text was refused when `job` asked, if the job's workspace sees them.
pub(super) fn refused_of(c: &Connection, job: i64) -> rusqlite::Result<Vec<FileReport>> {
    let mut select = c.prepare_cached(
        "SELECT d.path, k.page_start, k.ordinal + 1, r.reason, l.label FROM refusal r
         JOIN chunk k ON k.input_hash = r.input_hash JOIN document d ON d.id = k.document_id
         LEFT JOIN page_label l ON l.document_id = k.document_id AND l.page = k.page_start
         WHERE r.job = ?1 AND (k.workspace_id IS NULL OR k.workspace_id =
           (SELECT w.id FROM job j JOIN workspace w ON w.name = j.workspace WHERE j.id = ?1))
         GROUP BY k.id ORDER BY d.path, k.ordinal",
    )?;
    let rows = select.query_map([job], |row| {
        let (chunk, reason): (i64, String) = (row.get(2)?, row.get(3)?);
        Ok(FileReport {
            path: row.get(0)?,
            line: None,
            page: row.get(1)?,
            page_label: row.get(4)?,
            code: "embedding_refused".to_owned(),
            message: format!(
                "the provider refused to embed chunk {chunk} ({reason}), so only keyword search finds it; change the \
                 text or the model, or retry the job"
            ),
        })
    })?;
    rows.collect()
}
