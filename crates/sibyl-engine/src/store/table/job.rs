//! Jobs and their files. A job is leased by the program that works on it; whoever finds a lease that nobody holds
//! any more takes the job over.

use crate::error::{Error, Result};
use crate::ingest::job::{FileReport, JobFile, JobState, Report, Stage};
use crate::store::table::document::ChunkChanges;
use crate::store::{Store, json, now};
use rusqlite::{OptionalExtension as _, Row, Transaction};

/// A job as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct JobRow {
    /// Its id.
    pub id: i64,
    /// `ingest` or `embed`.
    pub kind: String,
    /// Where it stands.
    pub state: JobState,
    /// Workspace it works for.
    pub workspace: String,
    /// Its request, as JSON.
    pub request: String,
    /// What the rows of its files do not say.
    pub report: Report,
    /// Whether its files are known.
    pub expanded: bool,
    /// Why it failed.
    pub error: Option<String>,
    /// Who holds the lease.
    pub owner: Option<String>,
    /// Until when (Unix seconds).
    pub lease_until: i64,
    /// Files it has.
    pub files: usize,
    /// Files that are through.
    pub files_done: usize,
    /// When it was made.
    pub created_at: String,
    /// When it last changed.
    pub updated_at: String,
}

/// A job to be made.
#[derive(Debug, Clone)]
pub struct NewJob {
    /// `ingest` or `embed`.
    pub kind: &'static str,
    /// Workspace it works for.
    pub workspace: String,
    /// Its request, as JSON.
    pub request: String,
    /// Files that came as bytes, with the page metadata beside them.
    pub uploads: Vec<(Vec<u8>, Option<Vec<u8>>)>,
}

/// A file of a job, with everything needed to work on it.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedFile {
    /// Position in the job, from 0.
    pub ordinal: i64,
    /// Corpus it goes to.
    pub corpus_id: i64,
    /// Import root; empty for an upload.
    pub root: String,
    /// Path, `upload:ORDINAL` or `stored:DOCUMENT`.
    pub origin: String,
    /// Path below the import root.
    pub path: String,
    /// Path of the page metadata beside it.
    pub page_metadata: Option<String>,
    /// Report id.
    pub report_id: Option<String>,
    /// Whether it stands for every document of that report.
    pub replaces: bool,
    /// Why it cannot be read, known before it is tried.
    pub failure: Option<FileReport>,
}

/// What became of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct FileOutcome {
    /// Job and position of the file.
    pub file: (i64, i64),
    /// `created`, `updated` or `unchanged`; `None` where it failed.
    pub result: Option<&'static str>,
    /// What became of its chunks.
    pub changes: ChunkChanges,
    /// What was guessed, mended or lost.
    pub notices: Vec<FileReport>,
    /// The stage it failed in, and why.
    pub failure: Option<(Stage, FileReport)>,
}

const COLUMNS: &str =
    "j.id, j.kind, j.state, j.workspace, j.request, j.report, j.expanded, j.error, j.owner, j.lease_until,
    (SELECT count(*) FROM job_file WHERE job = j.id),
    (SELECT count(*) FROM job_file WHERE job = j.id AND state IN ('done', 'failed', 'skipped')),
    j.created_at, j.updated_at";

fn from_row(row: &Row<'_>) -> rusqlite::Result<JobRow> {
    let report: String = row.get(5)?;
    Ok(JobRow {
        id: row.get(0)?,
        kind: row.get(1)?,
        state: state(row, 2)?,
        workspace: row.get(3)?,
        request: row.get(4)?,
        report: json(&report, 5)?,
        expanded: row.get(6)?,
        error: row.get(7)?,
        owner: row.get(8)?,
        lease_until: row.get(9)?,
        files: row.get(10)?,
        files_done: row.get(11)?,
        created_at: row.get(12)?,
        updated_at: row.get(13)?,
    })
}

fn state(row: &Row<'_>, column: usize) -> rusqlite::Result<JobState> {
    let name: String = row.get(column)?;
    JobState::named(&name).ok_or(rusqlite::Error::InvalidQuery)
}

fn stage(name: &str) -> Stage {
    match name {
        "chunk" => Stage::Chunk,
        "embed" => Stage::Embed,
        "store" => Stage::Store,
        _ => Stage::Read,
    }
}

fn stage_name(stage: Stage) -> &'static str {
    match stage {
        Stage::Read => "read",
        Stage::Chunk => "chunk",
        Stage::Embed => "embed",
        Stage::Store => "store",
    }
}

impl Store {
    /// Makes a job with its uploads. Returns its id.
    pub async fn create_job(&self, new: NewJob) -> Result<i64> {
        self.pool
            .write(move |tx| {
                tx.execute(
                    "INSERT INTO job (kind, state, workspace, request, created_at, updated_at)
                     VALUES (?1, 'queued', ?2, ?3, ?4, ?4)",
                    (new.kind, new.workspace, new.request, now()),
                )?;
                let id = tx.last_insert_rowid();
                for (ordinal, (bytes, page_metadata)) in new.uploads.into_iter().enumerate() {
                    tx.prepare_cached("INSERT INTO job_upload VALUES (?1, ?2, ?3, ?4)")?.execute((
                        id,
                        ordinal,
                        bytes,
                        page_metadata,
                    ))?;
                }
                Ok(id)
            })
            .await
    }

    /// The job `id`.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is none.
    pub async fn job_row(&self, id: i64) -> Result<JobRow> {
        self.pool
            .read(move |c| {
                let query = format!("SELECT {COLUMNS} FROM job j WHERE j.id = ?1");
                let found = c.prepare_cached(&query)?.query_row([id], from_row).optional()?;
                found.ok_or_else(|| Error::not_found("job", id.to_string()))
            })
            .await
    }

    /// Jobs of `workspace`, the newest first.
    pub async fn job_rows(&self, workspace: &str) -> Result<Vec<JobRow>> {
        let workspace = workspace.to_owned();
        self.pool
            .read(move |c| {
                let query = format!("SELECT {COLUMNS} FROM job j WHERE j.workspace = ?1 ORDER BY j.id DESC");
                let mut select = c.prepare_cached(&query)?;
                let rows = select.query_map([workspace], from_row)?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    /// The newest unfinished job that asks for the same.
    pub async fn unfinished_job(&self, new: &NewJob) -> Result<Option<JobRow>> {
        let (kind, workspace, request) = (new.kind, new.workspace.clone(), new.request.clone());
        self.pool
            .read(move |c| {
                let query = format!(
                    "SELECT {COLUMNS} FROM job j WHERE j.kind = ?1 AND j.workspace = ?2 AND j.request = ?3
                     AND j.state IN ('queued', 'running', 'paused', 'failed') ORDER BY j.id DESC LIMIT 1"
                );
                Ok(c.prepare_cached(&query)?.query_row((kind, workspace, request), from_row).optional()?)
            })
            .await
    }

    /// Who holds leases.
    pub async fn job_owners(&self) -> Result<Vec<String>> {
        self.pool
            .read(|c| {
                let mut select = c.prepare_cached(
                    "SELECT DISTINCT owner FROM job WHERE state = 'running' AND owner IS NOT NULL",
                )?;
                let rows = select.query_map([], |row| row.get(0))?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    /// Leases the oldest job that waits, or whose lease has run out or belongs to one of the `dead`, to `owner`.
    /// `only` restricts the choice.
    pub async fn claim_job(&self, claim: Claim) -> Result<Option<JobRow>> {
        self.pool
            .write(move |tx| {
                let found = {
                    let query = format!(
                        "SELECT {COLUMNS} FROM job j WHERE j.state = 'queued' OR j.state = 'running' ORDER BY j.id"
                    );
                    let mut select = tx.prepare_cached(&query)?;
                    let mut rows = select.query([])?;
                    let mut found = None;
                    while let Some(row) = rows.next()? {
                        let job = from_row(row)?;
                        let wanted = claim.only.as_ref().is_none_or(|only| only.contains(&job.id));
                        if wanted && free(&job, &claim) {
                            found = Some(job);
                            break;
                        }
                    }
                    found
                };
                let Some(mut job) = found else { return Ok(None) };
                tx.execute(
                    "UPDATE job SET state = 'running', owner = ?2, lease_until = ?3, wish = NULL, error = NULL,
                       updated_at = ?4 WHERE id = ?1",
                    (job.id, &claim.owner, claim.now + claim.seconds, now()),
                )?;
                tx.execute(
                    "UPDATE job_file SET state = 'queued' WHERE job = ?1 AND state = 'running'",
                    [job.id],
                )?;
                job.state = JobState::Running;
                job.owner = Some(claim.owner);
                Ok(Some(job))
            })
            .await
    }

    /// Holds the lease of `job` until `until` (Unix seconds) and says what its owner is asked to do.
    ///
    /// # Errors
    /// [`Error::Cancelled`] where another program took the job over or somebody deleted it.
    pub async fn renew_lease(&self, job: i64, owner: &str, until: i64) -> Result<Option<JobState>> {
        let owner = owner.to_owned();
        self.pool
            .write(move |tx| {
                let wish: Option<Option<String>> = tx
                    .prepare_cached(
                        "UPDATE job SET lease_until = ?3 WHERE id = ?1 AND owner = ?2 AND state = 'running'
                         RETURNING wish",
                    )?
                    .query_row((job, owner, until), |row| row.get(0))
                    .optional()?;
                let wish = wish.ok_or(Error::Cancelled)?;
                Ok(wish.as_deref().and_then(JobState::named))
            })
            .await
    }

    /// Asks that `job` be paused or cancelled: at once where nobody works on it (its owner is among the `dead`
    /// counts as that), else its owner finds the wish.
    ///
    /// # Errors
    /// [`Error::NotFound`], and [`Error::Invalid`] where the job has ended.
    pub async fn ask_job(&self, job: i64, wish: JobState, dead: Vec<String>) -> Result<JobState> {
        self.pool
            .write(move |tx| {
                let (state, owner) = job_state(tx, job)?;
                let running = state == JobState::Running && owner.is_none_or(|owner| !dead.contains(&owner));
                match state {
                    JobState::Done | JobState::Cancelled => Err(Error::Invalid(format!(
                        "job {job} has ended ({}); there is nothing left to stop",
                        state.name()
                    ))),
                    _ if running => {
                        tx.execute("UPDATE job SET wish = ?2 WHERE id = ?1", (job, wish.name()))?;
                        Ok(JobState::Running)
                    }
                    _ => {
                        tx.execute(
                            "UPDATE job SET state = ?2, owner = NULL, wish = NULL, updated_at = ?3 WHERE id = ?1",
                            (job, wish.name(), now()),
                        )?;
                        Ok(wish)
                    }
                }
            })
            .await
    }

    /// Puts `job` back in the queue, with its failed files where `failed` says so.
    ///
    /// # Errors
    /// [`Error::NotFound`], and [`Error::Invalid`] where a program works on it.
    pub async fn requeue_job(&self, job: i64, failed: bool, dead: Vec<String>) -> Result<()> {
        self.pool
            .write(move |tx| {
                let (state, owner) = job_state(tx, job)?;
                if state == JobState::Running && owner.is_none_or(|owner| !dead.contains(&owner)) {
                    return Err(Error::Invalid(format!("job {job} is running already; wait for its end")));
                }
                tx.execute(
                    "UPDATE job SET state = 'queued', owner = NULL, wish = NULL, error = NULL, updated_at = ?2
                     WHERE id = ?1",
                    (job, now()),
                )?;
                if failed {
                    tx.execute(
                        "UPDATE job_file SET state = 'queued', stage = 'read', code = NULL, error = NULL
                         WHERE job = ?1 AND state = 'failed'",
                        [job],
                    )?;
                }
                Ok(())
            })
            .await
    }

    /// Stores what a job's sources were expanded to.
    pub async fn expand_job(
        &self,
        job: i64,
        files: Vec<PlannedFile>,
        roots: Vec<(i64, String)>,
        report: Report,
    ) -> Result<()> {
        self.pool
            .write(move |tx| {
                tx.execute("DELETE FROM job_file WHERE job = ?1", [job])?;
                for file in files {
                    tx.prepare_cached(
                        "INSERT INTO job_file (job, ordinal, corpus_id, root, origin, path, page_metadata, report_id,
                           replaces, state, code, error)
                         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
                    )?
                    .execute((
                        job,
                        file.ordinal,
                        file.corpus_id,
                        file.root,
                        file.origin,
                        file.path,
                        file.page_metadata,
                        file.report_id,
                        file.replaces,
                        if file.failure.is_some() { "failed" } else { "queued" },
                        file.failure.as_ref().map(|failure| &failure.code),
                        file.failure.as_ref().map(|failure| &failure.message),
                    ))?;
                }
                for (corpus, root) in roots {
                    tx.prepare_cached("INSERT OR IGNORE INTO job_root VALUES (?1, ?2, ?3)")?
                        .execute((job, corpus, root))?;
                }
                tx.execute(
                    "UPDATE job SET expanded = 1, report = ?2, updated_at = ?3 WHERE id = ?1",
                    (job, report_json(&report)?, now()),
                )?;
                Ok(())
            })
            .await
    }

    /// Files of `job` that still wait, in order.
    pub async fn waiting_files(&self, job: i64) -> Result<Vec<PlannedFile>> {
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(
                    "SELECT ordinal, corpus_id, root, origin, path, page_metadata, report_id, replaces
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
                        failure: None,
                    })
                })?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    /// Files of `job` in order, `limit` from position `offset` on.
    pub async fn job_files(&self, job: i64, offset: i64, limit: i64) -> Result<Vec<JobFile>> {
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(
                    "SELECT f.ordinal, f.origin, f.path, o.name, f.state, f.stage, f.result, f.chunks, f.error
                     FROM job_file f JOIN corpus o ON o.id = f.corpus_id WHERE f.job = ?1
                     ORDER BY f.ordinal LIMIT ?3 OFFSET ?2",
                )?;
                let rows = select.query_map((job, offset, limit), |row| {
                    let stage_name: String = row.get(5)?;
                    Ok(JobFile {
                        ordinal: row.get(0)?,
                        origin: row.get(1)?,
                        path: row.get(2)?,
                        corpus: row.get(3)?,
                        state: row.get(4)?,
                        stage: stage(&stage_name),
                        result: row.get(6)?,
                        chunks: row.get(7)?,
                        error: row.get(8)?,
                    })
                })?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }

    /// Marks a file as being worked on.
    pub async fn start_file(&self, job: i64, ordinal: i64) -> Result<()> {
        self.pool
            .write(move |tx| {
                tx.prepare_cached("UPDATE job_file SET state = 'running' WHERE job = ?1 AND ordinal = ?2")?
                    .execute((job, ordinal))?;
                Ok(())
            })
            .await
    }

    /// Stores what became of a file that stored no document: unchanged or failed.
    pub async fn finish_file(&self, outcome: FileOutcome) -> Result<()> {
        self.pool.write(move |tx| finish_file(tx, &outcome)).await
    }

    /// The bytes of an upload and the page metadata beside it.
    ///
    /// # Errors
    /// [`Error::NotFound`] where it is gone.
    pub async fn upload(&self, job: i64, ordinal: i64) -> Result<(Vec<u8>, Option<Vec<u8>>)> {
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

    /// Deletes the documents of the folders that `job` read completely which are not among its files. Returns how
    /// many documents and chunks went.
    pub async fn delete_stale(&self, job: i64) -> Result<(usize, usize)> {
        self.pool
            .write(move |tx| {
                let stale: Vec<i64> = {
                    let mut select = tx.prepare(
                        "SELECT d.id FROM job_root r JOIN document d ON d.corpus_id = r.corpus_id AND d.root = r.root
                         WHERE r.job = ?1 AND NOT EXISTS (SELECT 1 FROM job_file f
                           WHERE f.job = ?1 AND f.corpus_id = d.corpus_id AND f.path = d.path)
                         ORDER BY d.id",
                    )?;
                    let rows = select.query_map([job], |row| row.get(0))?;
                    rows.collect::<rusqlite::Result<_>>()?
                };
                let mut chunks = 0;
                for id in &stale {
                    chunks += super::document::delete(tx, *id)?;
                }
                if !stale.is_empty() {
                    crate::store::touch(tx, "chunk")?;
                }
                Ok((stale.len(), chunks))
            })
            .await
    }

    /// Stores how far a job came, or how it ended, and gives the lease back where it is no longer running.
    ///
    /// # Errors
    /// [`Error::Cancelled`] where `owner` does not hold it any more.
    pub async fn report_job(&self, job: i64, owner: &str, end: JobEnd) -> Result<()> {
        let owner = owner.to_owned();
        self.pool
            .write(move |tx| {
                let changed = tx.execute(
                    "UPDATE job SET state = ?3, report = ?4, error = ?5, updated_at = ?6, wish = NULL,
                       owner = CASE ?3 WHEN 'running' THEN owner END
                     WHERE id = ?1 AND owner = ?2 AND state = 'running'",
                    (job, owner, end.state.name(), report_json(&end.report)?, end.error, now()),
                )?;
                if changed == 0 {
                    return Err(Error::Cancelled);
                }
                if matches!(end.state, JobState::Done | JobState::Cancelled) {
                    // A corpus made for this job in which nothing could be stored is of no use to anybody.
                    tx.execute(
                        "DELETE FROM corpus WHERE id IN (SELECT corpus_id FROM job_file WHERE job = ?1)
                         AND created_at >= (SELECT created_at FROM job WHERE id = ?1)
                         AND NOT EXISTS (SELECT 1 FROM document d WHERE d.corpus_id = corpus.id)
                         AND NOT EXISTS (SELECT 1 FROM job_file f WHERE f.corpus_id = corpus.id AND f.state = 'failed')",
                        [job],
                    )?;
                }
                Ok(())
            })
            .await
    }

    /// The report of `job` with what the rows of its files say.
    pub async fn job_report(&self, job: i64) -> Result<Report> {
        self.pool
            .read(move |c| {
                let base: String = c.query_row("SELECT report FROM job WHERE id = ?1", [job], |row| row.get(0))?;
                let mut report: Report = json(&base, 0)?;
                let mut select = c.prepare_cached(
                    "SELECT path, state, result, changes, notices, code, error FROM job_file WHERE job = ?1
                     ORDER BY ordinal",
                )?;
                let mut rows = select.query([job])?;
                while let Some(row) = rows.next()? {
                    let state: String = row.get(1)?;
                    let result: Option<String> = row.get(2)?;
                    let (changes, notices): (String, String) = (row.get(3)?, row.get(4)?);
                    let changes: ChunkChanges = json(&changes, 3)?;
                    let notices: Vec<FileReport> = json(&notices, 4)?;
                    report.notices.extend(notices);
                    report.chunks += changes;
                    match (state.as_str(), result.as_deref()) {
                        ("failed", _) => report.failed.push(FileReport {
                            path: row.get(0)?,
                            line: None,
                            page: None,
                            code: row.get::<_, Option<String>>(5)?.unwrap_or_default(),
                            message: row.get::<_, Option<String>>(6)?.unwrap_or_default(),
                        }),
                        (_, Some("created")) => report.documents.created += 1,
                        (_, Some("updated")) => report.documents.updated += 1,
                        (_, Some("unchanged")) => report.documents.unchanged += 1,
                        _ => {}
                    }
                }
                let mut select = c.prepare_cached(
                    "SELECT k.source_type, count(*) FROM chunk k
                     WHERE k.corpus_id IN (SELECT DISTINCT corpus_id FROM job_file WHERE job = ?1) GROUP BY 1",
                )?;
                let rows = select.query_map([job], |row| Ok((row.get(0)?, row.get(1)?)))?;
                report.counts = rows.collect::<rusqlite::Result<_>>()?;
                Ok(report)
            })
            .await
    }
}

/// Who leases a job.
#[derive(Debug, Clone)]
pub struct Claim {
    /// The program.
    pub owner: String,
    /// Jobs to choose from; `None` for all.
    pub only: Option<Vec<i64>>,
    /// Owners that are known to be dead.
    pub dead: Vec<String>,
    /// The present moment (Unix seconds).
    pub now: i64,
    /// Length of the lease.
    pub seconds: i64,
}

/// How far a job came, or how it ended.
#[derive(Debug, Clone)]
pub struct JobEnd {
    /// Its state.
    pub state: JobState,
    /// Its report, without what the rows of its files say.
    pub report: Report,
    /// Why it failed, and the cure.
    pub error: Option<String>,
}

fn free(job: &JobRow, claim: &Claim) -> bool {
    job.state == JobState::Queued
        || job.lease_until < claim.now
        || job.owner.as_ref().is_none_or(|owner| claim.dead.contains(owner))
}

fn job_state(tx: &Transaction<'_>, job: i64) -> Result<(JobState, Option<String>)> {
    tx.query_row("SELECT state, owner FROM job WHERE id = ?1", [job], |row| Ok((state(row, 0)?, row.get(1)?)))
        .optional()?
        .ok_or_else(|| Error::not_found("job", job.to_string()))
}

/// Stores what became of a file; part of the transaction that stores its document.
pub(in crate::store) fn finish_file(tx: &Transaction<'_>, outcome: &FileOutcome) -> Result<()> {
    let (job, ordinal) = outcome.file;
    let failure = outcome.failure.as_ref();
    let changes = &outcome.changes;
    tx.prepare_cached(
        "UPDATE job_file SET state = ?3, stage = ?4, result = ?5, changes = ?6, chunks = ?7, notices = ?8, code = ?9,
           error = ?10 WHERE job = ?1 AND ordinal = ?2",
    )?
    .execute((
        job,
        ordinal,
        if failure.is_some() { "failed" } else { "done" },
        stage_name(failure.map_or(Stage::Store, |(stage, _)| *stage)),
        outcome.result,
        serde_json::to_string(changes).map_err(unwritable)?,
        changes.created + changes.updated + changes.unchanged,
        serde_json::to_string(&outcome.notices).map_err(unwritable)?,
        failure.map(|(_, report)| &report.code),
        failure.map(|(_, report)| &report.message),
    ))?;
    if failure.is_none() {
        tx.prepare_cached(
            "DELETE FROM job_upload WHERE job = ?1 AND 'upload:' || ordinal =
               (SELECT origin FROM job_file WHERE job = ?1 AND ordinal = ?2)",
        )?
        .execute((job, ordinal))?;
    }
    Ok(())
}

fn report_json(report: &Report) -> Result<String> {
    serde_json::to_string(report).map_err(unwritable)
}

fn unwritable(error: serde_json::Error) -> Error {
    Error::Damaged(format!("the report of a job cannot be stored: {error}"))
}
