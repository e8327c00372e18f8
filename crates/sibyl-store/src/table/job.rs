//! Jobs and their files. The program that works on a job leases it; a program that finds a lease without a live
//! owner takes the job over.
//!
//! Over 500 lines: a table, its rows, its readers and its writers are one file.

mod lease;

pub(crate) use lease::no_job_works;
pub use lease::{Again, Claim};
use lease::{put_back, release_files};

use crate::error::{Error, Result, unwritable};
use crate::job::{ChunkChanges, FileReport, FileResult, FileState, JobKind, JobReport, JobState};
use crate::scope::generation;
use crate::table::document::{Move, move_all};
use crate::table::job_file::PlannedFile;
use crate::table::refusal::refused_of;
use crate::{SqliteStore, json, now};
use rusqlite::{OptionalExtension as _, Row, Transaction};
use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

/// Jobs of a workspace that are kept once they have ended.
const KEPT: usize = 100;

/// A job as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct JobRow {
    /// Its id.
    pub id: i64,
    /// Its kind of work.
    pub kind: JobKind,
    /// Its state.
    pub state: JobState,
    /// Workspace it works for.
    pub workspace: String,
    /// Its request, as JSON.
    pub request: String,
    /// The parts that its file rows do not have.
    pub report: JobReport,
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
    /// Files that are done.
    pub files_done: usize,
    /// Files of those that failed.
    pub files_failed: usize,
    /// Chunks of the files that are through.
    pub chunks: usize,
    /// Physical pages of the files that are through.
    pub pages: usize,
    /// When it was made.
    pub created_at: String,
    /// When it last changed.
    pub updated_at: String,
}

/// A job that is asked for.
#[derive(Debug, Clone)]
pub struct NewJob {
    /// What to do.
    pub kind: JobKind,
    /// Workspace it works for.
    pub workspace: String,
    /// Its request, as JSON.
    pub request: String,
    /// Files that came through a door.
    pub uploads: Vec<NewUpload>,
}

/// A file that came through a door.
#[derive(Debug, Clone)]
pub struct NewUpload {
    /// What is in it.
    pub content: UploadContent,
    /// The page metadata beside it.
    pub page_metadata: Option<Vec<u8>>,
}

/// Where the bytes of an upload are.
#[derive(Debug, Clone)]
pub enum UploadContent {
    /// In memory.
    Bytes(Vec<u8>),
    /// In a file, which is read once the job is stored, a piece at a time.
    File(PathBuf),
}

/// What a job's sources were expanded to.
#[derive(Debug, Clone, Default)]
pub struct Expanded {
    /// The files.
    pub files: Vec<PlannedFile>,
    /// Import roots that were listed, by corpus.
    pub roots: Vec<(i64, String)>,
    /// Folders that could be listed, each with its identity.
    pub folders: Vec<(String, String)>,
    /// What is reported so far.
    pub report: JobReport,
    /// Row of the newest document when they were listed.
    pub newest: i64,
    /// Documents that some of the files are, which are in another place now.
    pub moves: Vec<Move>,
}

/// The job that answers to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Begun {
    /// Its id.
    pub id: i64,
    /// Whether it waits for somebody to work on it; otherwise somebody is working on it.
    pub waits: bool,
}

/// Documents that need no job once they are stored.
#[derive(Debug, Clone)]
pub struct Kept {
    /// Row id of the workspace whose own corpus it is.
    pub workspace: i64,
    /// Name of the corpus.
    pub corpus: String,
    /// SHA-256 of the bytes of each document (hex).
    pub sources: Vec<String>,
}

// `expanded` is 0 before the files are listed, 1 after, and 2 if they must be listed once more at the job's end.
const COLUMNS: &str =
    "j.id, j.kind, j.state, j.workspace, j.request, j.report, j.expanded, j.error, j.owner, j.lease_until,
    (SELECT count(*) FROM job_file WHERE job = j.id),
    (SELECT count(*) FROM job_file WHERE job = j.id AND state IN ('done', 'failed', 'skipped')),
    (SELECT count(*) FROM job_file WHERE job = j.id AND state = 'failed'),
    (SELECT coalesce(sum(chunks), 0) FROM job_file WHERE job = j.id AND state = 'done'),
    (SELECT coalesce(sum(pages), 0) FROM job_file WHERE job = j.id AND state = 'done'),
    j.created_at, j.updated_at";

fn from_row(row: &Row<'_>) -> rusqlite::Result<JobRow> {
    let report: String = row.get(5)?;
    Ok(JobRow {
        id: row.get(0)?,
        kind: row.get(1)?,
        state: row.get(2)?,
        workspace: row.get(3)?,
        request: row.get(4)?,
        report: json(&report, 5)?,
        expanded: row.get(6)?,
        error: row.get(7)?,
        owner: row.get(8)?,
        lease_until: row.get(9)?,
        files: row.get(10)?,
        files_done: row.get(11)?,
        files_failed: row.get(12)?,
        chunks: row.get(13)?,
        pages: row.get(14)?,
        created_at: row.get(15)?,
        updated_at: row.get(16)?,
    })
}

impl SqliteStore {
    pub(crate) async fn begin_job(&self, new: NewJob, dead: Vec<String>, moment: i64) -> Result<Begun> {
        self.pool.write(move |tx| begin(tx, new, &dead, moment, Relist::AtEnd)).await
    }

    pub(crate) async fn begin_job_unless_kept(
        &self,
        new: NewJob,
        kept: Kept,
        dead: Vec<String>,
        moment: i64,
    ) -> Result<Option<Begun>> {
        self.pool
            .write(move |tx| {
                if is_stored(tx, &kept)? {
                    return Ok(None);
                }
                begin(tx, new, &dead, moment, Relist::Never).map(Some)
            })
            .await
    }

    pub(crate) async fn job_row(&self, workspace: &str, id: i64) -> Result<JobRow> {
        let workspace = workspace.to_owned();
        self.pool
            .read(move |c| {
                let query = format!("SELECT {COLUMNS} FROM job j WHERE j.id = ?1 AND j.workspace = ?2");
                let found = c.prepare_cached(&query)?.query_row((id, workspace), from_row).optional()?;
                found.ok_or_else(|| Error::not_found("job", id.to_string()))
            })
            .await
    }

    pub(crate) async fn job_rows(&self, workspace: &str) -> Result<Vec<JobRow>> {
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

    pub(crate) async fn expand_job(&self, job: i64, expanded: Expanded) -> Result<()> {
        let Expanded { files, roots, folders, report, newest, moves } = expanded;
        self.pool
            .write(move |tx| {
                move_all(tx, &moves)?;
                tx.execute("DELETE FROM job_file WHERE job = ?1", [job])?;
                tx.execute("DELETE FROM job_root WHERE job = ?1", [job])?;
                for file in files {
                    tx.prepare_cached(
                        "INSERT INTO job_file (job, ordinal, corpus_id, root, origin, path, page_metadata, report_id,
                           replaces, state, code, error, moved_from)
                         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
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
                        if file.failure.is_some() { FileState::Failed } else { FileState::Queued },
                        file.failure.as_ref().map(|failure| &failure.code),
                        file.failure.as_ref().map(|failure| &failure.message),
                        file.moved_from,
                    ))?;
                }
                for (corpus, root) in roots {
                    tx.prepare_cached("INSERT OR IGNORE INTO job_root VALUES (?1, ?2, ?3)")?
                        .execute((job, corpus, root))?;
                }
                super::missing::list_folders(tx, job, folders)?;
                tx.execute(
                    "UPDATE job SET expanded = max(expanded, 1), report = ?2, updated_at = ?3, newest = ?4 WHERE id = ?1",
                    (job, report_json(&report)?, now(), newest),
                )?;
                Ok(())
            })
            .await
    }

    pub(crate) async fn report_job(&self, job: i64, owner: &str, end: JobEnd) -> Result<JobState> {
        let owner = owner.to_owned();
        self.pool
            .write(move |tx| {
                let waiting: bool = tx.query_row(
                    "SELECT EXISTS (SELECT 1 FROM job_file WHERE job = ?1 AND state = 'queued')",
                    [job],
                    |row| row.get(0),
                )?;
                let more = match end.chunks_seen {
                    Some(seen) => seen != generation(tx, "chunk")?,
                    None => false,
                };
                let asked_again: bool =
                    tx.prepare_cached("SELECT 1 FROM job WHERE id = ?1 AND expanded = 2")?.exists([job])?;
                let state = match end.state {
                    JobState::Done if waiting || more || asked_again => JobState::Queued,
                    state => state,
                };
                let changed = tx.execute(
                    "UPDATE job SET state = ?3, report = ?4, error = ?5, updated_at = ?6, wish = NULL,
                       owner = CASE ?3 WHEN 'running' THEN owner END,
                       expanded = CASE WHEN expanded = 2 AND ?3 <> 'running' THEN 0 ELSE expanded END
                     WHERE id = ?1 AND owner = ?2 AND state = 'running'",
                    (job, owner, state, report_json(&end.report)?, end.error, now()),
                )?;
                if changed == 0 {
                    return Err(Error::Cancelled);
                }
                if state.at_rest() {
                    release_files(tx, job)?;
                }
                if matches!(state, JobState::Done | JobState::Cancelled) {
                    // A corpus made for this job in which nothing could be stored is of no use. It stays only if
                    // files of a job that can be resumed or retried wait for it, since they would go with it.
                    tx.execute(
                        "DELETE FROM corpus WHERE id IN (SELECT corpus_id FROM job_file WHERE job = ?1)
                         AND created_at >= (SELECT created_at FROM job WHERE id = ?1)
                         AND NOT EXISTS (SELECT 1 FROM document d WHERE d.corpus_id = corpus.id)
                         AND NOT EXISTS (SELECT 1 FROM job_file f
                           WHERE f.corpus_id = corpus.id AND f.state IN ('failed', 'queued', 'running'))",
                        [job],
                    )?;
                }
                if state.at_rest() {
                    prune(tx, job)?;
                }
                Ok(state)
            })
            .await
    }

    pub(crate) async fn job_report(&self, job: i64) -> Result<JobReport> {
        self.pool
            .read(move |c| {
                let base: String =
                    c.query_row("SELECT report FROM job WHERE id = ?1", [job], |row| row.get(0))?;
                let mut report: JobReport = json(&base, 0)?;
                let mut select = c.prepare_cached(
                    "SELECT CASE state WHEN 'failed' THEN NULL ELSE result END AS outcome, count(*), sum(changes ->> 'created'), sum(changes ->> 'updated'),
                            sum(changes ->> 'unchanged'), sum(changes ->> 'deleted')
                     FROM job_file WHERE job = ?1 GROUP BY outcome",
                )?;
                let mut rows = select.query([job])?;
                while let Some(row) = rows.next()? {
                    let sum = |at| row.get::<_, Option<usize>>(at).map(Option::unwrap_or_default);
                    report.chunks += ChunkChanges {
                        created: sum(2)?,
                        updated: sum(3)?,
                        unchanged: sum(4)?,
                        deleted: sum(5)?,
                    };
                    let documents = &mut report.documents;
                    match row.get(0)? {
                        Some(FileResult::Created) => documents.created += sum(1)?,
                        Some(FileResult::Updated) => documents.updated += sum(1)?,
                        Some(FileResult::Unchanged) => documents.unchanged += sum(1)?,
                        None => {}
                    }
                }
                // For most files there is nothing to report.
                let mut select = c.prepare_cached(
                    "SELECT path, state, notices, code, error FROM job_file
                     WHERE job = ?1 AND (state = 'failed' OR notices <> '[]') ORDER BY ordinal",
                )?;
                let mut rows = select.query([job])?;
                while let Some(row) = rows.next()? {
                    let (path, state): (String, FileState) = (row.get(0)?, row.get(1)?);
                    report.notices.extend(json::<Vec<FileReport>>(&row.get::<_, String>(2)?, 2)?);
                    if state == FileState::Failed {
                        let code: Option<String> = row.get(3)?;
                        let error: Option<String> = row.get(4)?;
                        report.failed.push(FileReport::new(
                            &path,
                            &code.unwrap_or_default(),
                            error.unwrap_or_default(),
                        ));
                    }
                }
                report.refused = refused_of(c, job)?;
                Ok(report)
            })
            .await
    }

    pub(crate) async fn job_counts(&self, job: i64) -> Result<BTreeMap<String, u64>> {
        self.pool
            .read(move |c| {
                let mut select = c.prepare_cached(
                    "SELECT k.source_type, count(*) FROM chunk k
                     WHERE k.corpus_id IN (SELECT DISTINCT corpus_id FROM job_file WHERE job = ?1) GROUP BY 1",
                )?;
                let rows = select.query_map([job], |row| Ok((row.get(0)?, row.get(1)?)))?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .await
    }
}

/// Whether a job that is worked on and asked for again lists its files once more.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relist {
    AtEnd,
    Never,
}

fn begin(tx: &Transaction<'_>, new: NewJob, dead: &[String], moment: i64, relist: Relist) -> Result<Begun> {
    let same = if new.uploads.is_empty() { unfinished(tx, &new)? } else { None };
    if let Some(job) = same {
        let alive = job.owner.is_some_and(|owner| !dead.contains(&owner));
        let waits = job.state != JobState::Running || job.lease_until < moment || !alive;
        if waits {
            put_back(tx, job.id)?;
            // Files may have come, changed or gone since they were listed.
            tx.execute("UPDATE job SET expanded = 0 WHERE id = ?1", [job.id])?;
        } else if relist == Relist::AtEnd {
            // Files added since it listed its files would be missed.
            tx.execute("UPDATE job SET expanded = 2 WHERE id = ?1 AND kind = 'ingest'", [job.id])?;
        }
        return Ok(Begun { id: job.id, waits });
    }
    tx.execute(
        "INSERT INTO job (kind, state, workspace, request, created_at, updated_at)
         VALUES (?1, 'queued', ?2, ?3, ?4, ?4)",
        (new.kind, new.workspace, new.request, now()),
    )?;
    let id = tx.last_insert_rowid();
    for (ordinal, upload) in new.uploads.into_iter().enumerate() {
        let NewUpload { content, page_metadata } = upload;
        match content {
            UploadContent::Bytes(bytes) => {
                tx.prepare_cached("INSERT INTO job_upload VALUES (?1, ?2, ?3, ?4)")?.execute((
                    id,
                    ordinal,
                    bytes,
                    page_metadata,
                ))?;
            }
            UploadContent::File(path) => copy_upload(tx, id, ordinal, &path, page_metadata)?,
        }
    }
    Ok(Begun { id, waits: true })
}

/// Bytes of an upload that are in memory at a time.
const PIECE: usize = 256 << 10;

/// Copies the file at `path` into the upload at `ordinal` of `job`.
fn copy_upload(
    tx: &Transaction<'_>,
    job: i64,
    ordinal: usize,
    path: &Path,
    page_metadata: Option<Vec<u8>>,
) -> Result<()> {
    let unread = |error| Error::io(path, error);
    let mut file = std::fs::File::open(path).map_err(unread)?;
    let mut left = usize::try_from(file.metadata().map_err(unread)?.len()).unwrap_or(usize::MAX);
    tx.prepare_cached("INSERT INTO job_upload VALUES (?1, ?2, zeroblob(?3), ?4)")?.execute((
        job,
        ordinal,
        left,
        page_metadata,
    ))?;
    let mut blob = tx.blob_open("main", "job_upload", "bytes", tx.last_insert_rowid(), false)?;
    let mut piece = vec![0; left.min(PIECE)];
    while left > 0 {
        let length = left.min(PIECE);
        file.read_exact(&mut piece[..length]).map_err(unread)?;
        blob.write_all(&piece[..length]).map_err(unread)?;
        left -= length;
    }
    Ok(blob.close()?)
}

/// The newest unfinished job that asks for the same.
fn unfinished(tx: &Transaction<'_>, new: &NewJob) -> Result<Option<JobRow>> {
    let query = format!(
        "SELECT {COLUMNS} FROM job j WHERE j.kind = ?1 AND j.workspace = ?2 AND j.request = ?3
         AND j.state IN ('queued', 'running', 'paused', 'failed') ORDER BY j.id DESC LIMIT 1"
    );
    let asked = (new.kind, &new.workspace, &new.request);
    Ok(tx.prepare_cached(&query)?.query_row(asked, from_row).optional()?)
}

fn is_stored(tx: &Transaction<'_>, kept: &Kept) -> Result<bool> {
    let mut select = tx.prepare_cached(
        "SELECT 1 FROM document d JOIN corpus o ON o.id = d.corpus_id
         WHERE o.workspace_id = ?1 AND o.name = ?2 AND d.source_hash = ?3",
    )?;
    for source in &kept.sources {
        if !select.exists((kept.workspace, &kept.corpus, source))? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Deletes the oldest jobs that have ended in the workspace of `job`, beyond [`KEPT`]. Jobs with uploads that were
/// not stored yet, or with texts that a provider refused, are kept: both can be retried.
fn prune(tx: &Transaction<'_>, job: i64) -> Result<()> {
    tx.execute(
        "DELETE FROM job WHERE id IN (
           SELECT j.id FROM job j WHERE j.workspace = (SELECT workspace FROM job WHERE id = ?1)
             AND j.state IN ('done', 'cancelled', 'failed') ORDER BY j.id DESC LIMIT -1 OFFSET ?2)
         AND NOT EXISTS (SELECT 1 FROM job_upload u WHERE u.job = job.id)
         AND NOT EXISTS (SELECT 1 FROM refusal r WHERE r.job = job.id)",
        (job, KEPT),
    )?;
    Ok(())
}

/// The progress of a job, or how it ended.
#[derive(Debug, Clone)]
pub struct JobEnd {
    /// Its state.
    pub state: JobState,
    /// Its report, without what its file rows have.
    pub report: JobReport,
    /// Why it failed, and the cure.
    pub error: Option<String>,
    /// Generation of the chunks that an `embed` job saw to.
    pub chunks_seen: Option<i64>,
}

fn report_json(report: &JobReport) -> Result<String> {
    serde_json::to_string(report).map_err(unwritable)
}
