//! The files of a job.

use crate::SqliteStore;
use crate::error::{Error, Result, unwritable};
use crate::job::{ChunkChanges, FileReport, FileResult, FileState, JobFile, Stage};
use crate::origin::FileOrigin;
use rusqlite::{OptionalExtension as _, Transaction};

/// A file of a job, with everything needed to work on it.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedFile {
    /// Position in the job, from 0.
    pub ordinal: i64,
    /// Its corpus.
    pub corpus_id: i64,
    /// Import root; empty for an upload.
    pub root: String,
    /// Where its bytes are.
    pub origin: FileOrigin,
    /// Path below the import root.
    pub path: String,
    /// Path of the page metadata beside it.
    pub page_metadata: Option<String>,
    /// Report id.
    pub report_id: Option<String>,
    /// Whether it replaces every document of that report.
    pub replaces: bool,
    /// Path that its document had before, if it was recognised as one that moved.
    pub moved_from: Option<String>,
    /// Why it cannot be read, if that is known before trying.
    pub failure: Option<FileReport>,
}

/// The result of working on a file.
#[derive(Debug, Clone, PartialEq)]
pub struct FileOutcome {
    /// Job and position of the file.
    pub file: (i64, i64),
    /// Its effect on the document; `None` if it failed.
    pub result: Option<FileResult>,
    /// The changes to its chunks.
    pub changes: ChunkChanges,
    /// What was guessed, repaired or lost.
    pub notices: Vec<FileReport>,
    /// The stage it failed in, and why.
    pub failure: Option<(Stage, FileReport)>,
    /// Physical pages of its document; `None` if it was not read.
    pub pages: Option<usize>,
    /// Seconds since it was begun.
    pub seconds: f64,
}

impl SqliteStore {
    pub(crate) async fn waiting_files(&self, job: i64) -> Result<Vec<PlannedFile>> {
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(
                    "SELECT ordinal, corpus_id, root, origin, path, page_metadata, report_id, replaces, moved_from
                     FROM job_file WHERE job = ?1 AND state IN ('queued', 'running') ORDER BY ordinal",
                )?;
                let rows = select.query_map([job], |row| {
                    Ok(PlannedFile {
                        ordinal: row.get(0)?,
                        corpus_id: row.get(1)?,
                        root: row.get(2)?,
                        origin: row.get(3)?,
                        path: row.get(4)?,
                        page_metadata: row.get(5)?,
                        report_id: row.get(6)?,
                        replaces: row.get(7)?,
                        moved_from: row.get(8)?,
                        failure: None,
                    })
                })?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    pub(crate) async fn job_files(
        &self,
        job: i64,
        states: &[FileState],
        offset: i64,
        limit: i64,
    ) -> Result<Vec<JobFile>> {
        let states = serde_json::Value::from_iter(states.iter().map(|state| state.name())).to_string();
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(
                    "SELECT f.ordinal, f.origin, f.path, o.name, f.state, f.stage, f.result, f.chunks, f.error,
                       f.pages, f.seconds, f.code, f.moved_from
                     FROM job_file f JOIN corpus o ON o.id = f.corpus_id WHERE f.job = ?1
                       AND (?4 = '[]' OR f.state IN (SELECT value FROM json_each(?4)))
                     ORDER BY f.ordinal LIMIT ?3 OFFSET ?2",
                )?;
                let rows = select.query_map((job, offset, limit, states), |row| {
                    Ok(JobFile {
                        ordinal: row.get(0)?,
                        origin: row.get(1)?,
                        path: row.get(2)?,
                        corpus: row.get(3)?,
                        state: row.get(4)?,
                        stage: row.get(5)?,
                        result: row.get(6)?,
                        chunks: row.get(7)?,
                        error: row.get(8)?,
                        pages: row.get(9)?,
                        seconds: row.get(10)?,
                        code: row.get(11)?,
                        moved_from: row.get(12)?,
                    })
                })?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    pub(crate) async fn documents_of_job(&self, job: i64) -> Result<Vec<(i64, String, Option<i64>)>> {
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(
                    "SELECT f.corpus_id, f.path, d.id FROM job_file f LEFT JOIN document d
                       ON f.result = 'created' AND d.corpus_id = f.corpus_id AND d.path = f.path
                     WHERE f.job = ?1 ORDER BY f.ordinal",
                )?;
                let rows = select.query_map([job], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    pub(crate) async fn start_file(&self, job: i64, ordinal: i64) -> Result<()> {
        self.pool
            .write_ahead(move |tx| {
                tx.prepare_cached("UPDATE job_file SET state = 'running' WHERE job = ?1 AND ordinal = ?2")?
                    .execute((job, ordinal))?;
                Ok(())
            })
            .await
    }

    pub(crate) async fn finish_file(&self, outcome: FileOutcome) -> Result<()> {
        self.pool.write_ahead(move |tx| finish_file(tx, &outcome)).await
    }

    pub(crate) async fn upload_head(
        &self,
        job: i64,
        ordinal: usize,
        length: usize,
    ) -> Result<(Vec<u8>, bool)> {
        self.pool
            .read(move |c| {
                let found: Option<(i64, bool)> = c
                    .query_row(
                        "SELECT rowid, page_metadata IS NOT NULL FROM job_upload WHERE job = ?1 AND ordinal = ?2",
                        (job, ordinal),
                        |row| Ok((row.get(0)?, row.get(1)?)),
                    )
                    .optional()?;
                let (row, metadata) = found.ok_or_else(|| Error::not_found("upload", ordinal.to_string()))?;
                // `substr` would read all of it first.
                let bytes = c.blob_open("main", "job_upload", "bytes", row, true)?;
                let mut head = vec![0; bytes.len().min(length)];
                bytes.read_at_exact(&mut head, 0)?;
                Ok((head, metadata))
            })
            .await
    }

    pub(crate) async fn upload(&self, job: i64, ordinal: usize) -> Result<(Vec<u8>, Option<Vec<u8>>)> {
        self.pool
            .read(move |c| {
                let found = c
                    .query_row(
                        "SELECT bytes, page_metadata FROM job_upload WHERE job = ?1 AND ordinal = ?2",
                        (job, ordinal),
                        |row| Ok((row.get(0)?, row.get(1)?)),
                    )
                    .optional()?;
                found.ok_or_else(|| Error::not_found("upload", ordinal.to_string()))
            })
            .await
    }
}

/// Stores the result of a file; part of the transaction that stores its document.
pub(crate) fn finish_file(tx: &Transaction<'_>, outcome: &FileOutcome) -> Result<()> {
    let (job, ordinal) = outcome.file;
    let failure = outcome.failure.as_ref();
    let changes = &outcome.changes;
    tx.prepare_cached(
        "UPDATE job_file SET state = ?3, stage = ?4, result = ?5, changes = ?6, chunks = ?7, notices = ?8, code = ?9,
           error = ?10, pages = ?11, seconds = ?12 WHERE job = ?1 AND ordinal = ?2",
    )?
    .execute((
        job,
        ordinal,
        if failure.is_some() { FileState::Failed } else { FileState::Done },
        failure.map_or(Stage::Store, |(stage, _)| *stage),
        outcome.result,
        serde_json::to_string(changes).map_err(unwritable)?,
        changes.created + changes.updated + changes.unchanged,
        serde_json::to_string(&outcome.notices).map_err(unwritable)?,
        failure.map(|(_, report)| &report.code),
        failure.map(|(_, report)| &report.message),
        outcome.pages,
        failure.is_none().then_some(outcome.seconds),
    ))?;
    if failure.is_none() {
        tx.prepare_cached(
            "DELETE FROM job_upload WHERE job = ?1 AND ?3 || ordinal =
               (SELECT origin FROM job_file WHERE job = ?1 AND ordinal = ?2)",
        )?
        .execute((job, ordinal, FileOrigin::UPLOAD))?;
    }
    Ok(())
}
