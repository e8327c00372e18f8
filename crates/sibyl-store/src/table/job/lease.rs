//! Who works on a job, and what its worker is asked to do.

use super::{COLUMNS, JobRow, from_row};
use crate::error::{Error, Result};
use crate::job::{JobKind, JobState};
use crate::{SqliteStore, now};
use rusqlite::{OptionalExtension as _, Transaction};

/// Who leases a job.
#[derive(Debug, Clone)]
pub struct Claim {
    /// Its kind of work.
    pub kind: JobKind,
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

impl SqliteStore {
    pub(crate) async fn job_owners(&self) -> Result<Vec<String>> {
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

    pub(crate) async fn claim_job(&self, claim: Claim) -> Result<Option<JobRow>> {
        self.pool
            .write(move |tx| {
                let found = {
                    let query = format!(
                        "SELECT {COLUMNS} FROM job j WHERE j.kind = ?1 AND j.state IN ('queued', 'running')
                         ORDER BY j.id"
                    );
                    let mut select = tx.prepare_cached(&query)?;
                    let mut rows = select.query([claim.kind])?;
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
                release_files(tx, job.id)?;
                job.state = JobState::Running;
                job.owner = Some(claim.owner);
                Ok(Some(job))
            })
            .await
    }

    pub(crate) async fn renew_lease(&self, job: i64, owner: &str, until: i64) -> Result<Option<JobState>> {
        let owner = owner.to_owned();
        self.pool
            .write(move |tx| {
                let wish: Option<Option<JobState>> = tx
                    .prepare_cached(
                        "UPDATE job SET lease_until = ?3 WHERE id = ?1 AND owner = ?2 AND state = 'running'
                         RETURNING wish",
                    )?
                    .query_row((job, owner, until), |row| row.get(0))
                    .optional()?;
                wish.ok_or(Error::Cancelled)
            })
            .await
    }

    pub(crate) async fn ask_job(&self, job: i64, wish: JobState, dead: Vec<String>) -> Result<JobState> {
        self.pool
            .write(move |tx| {
                let (state, owner) = job_state(tx, job)?;
                let running = state == JobState::Running && owner.is_none_or(|owner| !dead.contains(&owner));
                match state {
                    JobState::Done | JobState::Cancelled => {
                        Err(Error::JobEnded { job, state })
                    }
                    _ if running => {
                        tx.execute("UPDATE job SET wish = ?2 WHERE id = ?1", (job, wish))?;
                        Ok(JobState::Running)
                    }
                    _ => {
                        tx.execute(
                            "UPDATE job SET state = ?2, owner = NULL, wish = NULL, updated_at = ?3 WHERE id = ?1",
                            (job, wish, now()),
                        )?;
                        release_files(tx, job)?;
                        Ok(wish)
                    }
                }
            })
            .await
    }

    pub(crate) async fn requeue_job(&self, job: i64, again: Again, dead: Vec<String>) -> Result<()> {
        self.pool
            .write(move |tx| {
                let (state, owner) = job_state(tx, job)?;
                let running = state == JobState::Running && owner.is_none_or(|owner| !dead.contains(&owner));
                if running && again == Again::Nothing {
                    return Err(Error::Invalid(format!("job {job} is already running; wait until it ends")));
                }
                let file = match again {
                    Again::Nothing if state == JobState::Done => return Err(Error::NothingToRetry { job }),
                    Again::Nothing => return put_back(tx, job),
                    Again::File(ordinal) => Some(ordinal),
                    Again::EveryFailed => None,
                };
                if !running {
                    put_back(tx, job)?;
                }
                let asked_again = match file {
                    Some(_) => 0,
                    None => tx.execute("DELETE FROM refusal WHERE job = ?1", [job])?,
                };
                let queued = tx.execute(
                    "UPDATE job_file SET state = 'queued', stage = 'read', code = NULL, error = NULL
                     WHERE job = ?1 AND state = 'failed' AND ordinal = coalesce(?2, ordinal)",
                    (job, file),
                )?;
                match file {
                    Some(ordinal) if queued == 0 => Err(Error::Invalid(format!(
                        "file {ordinal} of job {job} did not fail; `sibyl jobs show {job}` lists those that did"
                    ))),
                    None if queued + asked_again == 0 && state == JobState::Done => Err(Error::NothingToRetry { job }),
                    _ => Ok(()),
                }
            })
            .await
    }
}

/// Failed files of a job that are tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Again {
    /// None: the job continues where it stopped.
    Nothing,
    /// The one at this position.
    File(i64),
    /// All of them, and the texts that a provider refused.
    EveryFailed,
}

/// A job that nobody works on waits again.
pub(super) fn put_back(tx: &Transaction<'_>, job: i64) -> Result<()> {
    tx.execute(
        "UPDATE job SET state = 'queued', owner = NULL, wish = NULL, error = NULL, updated_at = ?2 WHERE id = ?1",
        (job, now()),
    )?;
    release_files(tx, job)
}

/// Files that nobody works on any more wait again.
pub(super) fn release_files(tx: &Transaction<'_>, job: i64) -> Result<()> {
    tx.execute("UPDATE job_file SET state = 'queued' WHERE job = ?1 AND state = 'running'", [job])?;
    Ok(())
}

/// Refuses if a job waits or is running: what it stores later would miss the present change.
///
/// # Errors
/// [`Error::Invalid`] names the job.
pub(crate) fn no_job_works(tx: &Transaction<'_>) -> Result<()> {
    let query = "SELECT id, workspace FROM job WHERE state IN ('queued', 'running') ORDER BY id LIMIT 1";
    let job = tx.query_row(query, [], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let Some::<(i64, String)>((id, workspace)) = job else { return Ok(()) };
    Err(Error::JobAtWork { job: id, workspace })
}

fn free(job: &JobRow, claim: &Claim) -> bool {
    job.state == JobState::Queued
        || job.lease_until < claim.now
        || job.owner.as_ref().is_none_or(|owner| claim.dead.contains(owner))
}

fn job_state(tx: &Transaction<'_>, job: i64) -> Result<(JobState, Option<String>)> {
    tx.query_row("SELECT state, owner FROM job WHERE id = ?1", [job], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?
        .ok_or_else(|| Error::not_found("job", job.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::{ChunkChanges, FileReport, FileResult, JobReport, Stage};
    use crate::origin::FileOrigin;
    use crate::place::Place;
    use crate::table::corpus::NewCorpus;
    use crate::table::job::{Expanded, JobEnd, Kept, NewJob, NewUpload, UploadContent};
    use crate::table::job_file::{FileOutcome, PlannedFile};
    use crate::table::workspace::DEFAULT_WORKSPACE;

    fn asked(kind: JobKind) -> NewJob {
        NewJob {
            kind,
            workspace: DEFAULT_WORKSPACE.to_owned(),
            request: "{}".to_owned(),
            uploads: Vec::new(),
        }
    }

    fn claim(kind: JobKind) -> Claim {
        Claim { kind, owner: "me".to_owned(), only: None, dead: Vec::new(), now: 1_000, seconds: 100 }
    }

    fn done(chunks_seen: Option<i64>) -> JobEnd {
        JobEnd { state: JobState::Done, report: JobReport::default(), error: None, chunks_seen }
    }

    /// A file of a corpus that is made for it.
    async fn planned(store: &SqliteStore) -> PlannedFile {
        let corpus = NewCorpus {
            workspace_id: Some(store.workspace(DEFAULT_WORKSPACE).await.unwrap().id),
            name: "texts".to_owned(),
            source_type: "text".to_owned(),
            strategy: "recursive".to_owned(),
            settings: serde_json::Map::new(),
            base_url: String::new(),
            remote: false,
        };
        PlannedFile {
            ordinal: 0,
            corpus_id: store.put_corpus(corpus).await.unwrap().id,
            root: String::new(),
            origin: FileOrigin::Path("/a.txt".to_owned()),
            path: "a.txt".to_owned(),
            page_metadata: None,
            report_id: None,
            replaces: false,
            moved_from: None,
            failure: None,
        }
    }

    #[tokio::test]
    async fn a_job_that_is_cancelled_before_its_corpus_holds_anything_keeps_its_files() {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(Place::named(folder.path())).unwrap();
        let workspace = store.workspace(DEFAULT_WORKSPACE).await.unwrap().id;
        let mut jobs = Vec::new();
        for request in [r#"{"first": true}"#, r#"{"second": true}"#] {
            let new = NewJob { request: request.to_owned(), ..asked(JobKind::Ingest) };
            jobs.push(store.begin_job(new, Vec::new(), 0).await.unwrap().id);
        }
        for &job in &jobs {
            store.claim_job(claim(JobKind::Ingest)).await.unwrap().unwrap();
            let file = planned(&store).await;
            store.expand_job(job, Expanded { files: vec![file], ..Expanded::default() }).await.unwrap();
            store.start_file(job, 0).await.unwrap();
            let cancelled = JobEnd { state: JobState::Cancelled, ..done(None) };
            assert_eq!(store.report_job(job, "me", cancelled).await.unwrap(), JobState::Cancelled);
        }
        for job in jobs {
            store.requeue_job(job, Again::Nothing, Vec::new()).await.unwrap();
            let claimed = store.claim_job(claim(JobKind::Ingest)).await.unwrap().unwrap();
            assert_eq!((claimed.id, claimed.files), (job, 1), "another job's end takes no files away either");
            let unchanged = FileOutcome {
                file: (job, 0),
                result: Some(FileResult::Unchanged),
                changes: ChunkChanges::default(),
                notices: Vec::new(),
                failure: None,
                pages: None,
                seconds: 0.0,
            };
            store.finish_file(unchanged).await.unwrap();
            assert_eq!(store.report_job(job, "me", done(None)).await.unwrap(), JobState::Done);
        }
        assert!(
            store.corpora(workspace).await.unwrap().is_empty(),
            "a corpus for which nothing waits any more is of no use"
        );
    }

    #[tokio::test]
    async fn a_failed_file_is_put_back_while_its_job_runs_and_keeps_the_job_from_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(Place::named(folder.path())).unwrap();
        let file = planned(&store).await;
        let job = store.begin_job(asked(JobKind::Ingest), Vec::new(), 0).await.unwrap().id;
        store.expand_job(job, Expanded { files: vec![file], ..Expanded::default() }).await.unwrap();
        store.claim_job(claim(JobKind::Ingest)).await.unwrap().unwrap();
        let failure = FileReport::new("a.txt", "io", "cannot be opened");
        let outcome = FileOutcome {
            file: (job, 0),
            result: None,
            changes: ChunkChanges::default(),
            notices: Vec::new(),
            failure: Some((Stage::Read, failure)),
            pages: None,
            seconds: 0.5,
        };
        store.finish_file(outcome.clone()).await.unwrap();

        assert!(store.requeue_job(job, Again::Nothing, Vec::new()).await.is_err(), "it runs already");
        store.requeue_job(job, Again::File(0), Vec::new()).await.unwrap();
        assert_eq!(store.job_row(DEFAULT_WORKSPACE, job).await.unwrap().state, JobState::Running);
        assert_eq!(store.waiting_files(job).await.unwrap().len(), 1);
        assert_eq!(store.report_job(job, "me", done(None)).await.unwrap(), JobState::Queued);

        store.claim_job(claim(JobKind::Ingest)).await.unwrap().unwrap();
        let stored =
            FileOutcome { result: Some(FileResult::Created), failure: None, pages: Some(3), ..outcome };
        store.finish_file(stored).await.unwrap();
        let files = store.job_files(job, &[], 0, 10).await.unwrap();
        assert_eq!((files[0].pages, files[0].seconds), (Some(3), Some(0.5)));
        assert_eq!(store.job_row(DEFAULT_WORKSPACE, job).await.unwrap().pages, 3);
        assert_eq!(store.report_job(job, "me", done(None)).await.unwrap(), JobState::Done);
    }

    #[tokio::test]
    async fn a_job_at_work_that_is_asked_for_again_has_another_turn_unless_its_documents_are_known() {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(Place::named(folder.path())).unwrap();
        let workspace = store.workspace(DEFAULT_WORKSPACE).await.unwrap().id;
        let kept = Kept { workspace, corpus: "texts".to_owned(), sources: vec!["00".to_owned()] };
        for (known, state) in [(true, JobState::Done), (false, JobState::Queued)] {
            let job = store.begin_job(asked(JobKind::Ingest), Vec::new(), 0).await.unwrap().id;
            store.claim_job(claim(JobKind::Ingest)).await.unwrap().unwrap();
            let begun = if known {
                store
                    .begin_job_unless_kept(asked(JobKind::Ingest), kept.clone(), Vec::new(), 0)
                    .await
                    .unwrap()
                    .unwrap()
            } else {
                store.begin_job(asked(JobKind::Ingest), Vec::new(), 0).await.unwrap()
            };
            assert_eq!((begun.id, begun.waits), (job, false));
            assert_eq!(store.report_job(job, "me", done(None)).await.unwrap(), state);
        }
    }

    #[tokio::test]
    async fn chunks_that_came_while_others_were_embedded_have_their_turn() {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(Place::named(folder.path())).unwrap();
        let job = store.begin_job(asked(JobKind::Embed), Vec::new(), 0).await.unwrap().id;
        let seen = store.generations().await.unwrap().chunk;
        for (chunks_seen, state) in [(seen - 1, JobState::Queued), (seen, JobState::Done)] {
            assert_eq!(store.claim_job(claim(JobKind::Ingest)).await.unwrap(), None);
            assert_eq!(store.claim_job(claim(JobKind::Embed)).await.unwrap().unwrap().id, job);
            assert_eq!(store.report_job(job, "me", done(Some(chunks_seen))).await.unwrap(), state);
        }
    }

    #[tokio::test]
    async fn the_oldest_jobs_that_have_ended_go_and_unfinished_ones_stay() {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(Place::named(folder.path())).unwrap();
        let other = NewJob { request: r#"{"first": true}"#.to_owned(), ..asked(JobKind::Ingest) };
        let paused = store.begin_job(other, Vec::new(), 0).await.unwrap().id;
        store.ask_job(paused, JobState::Paused, Vec::new()).await.unwrap();
        let bytes = NewUpload { content: UploadContent::Bytes(b"text".to_vec()), page_metadata: None };
        let upload = NewJob { uploads: vec![bytes], ..asked(JobKind::Ingest) };
        let upload = store.begin_job(upload, Vec::new(), 0).await.unwrap().id;
        store.ask_job(upload, JobState::Cancelled, Vec::new()).await.unwrap();
        let mut ended = Vec::new();
        for number in 0..super::super::KEPT + 5 {
            // The same request takes up a failed job again.
            let one = NewJob { request: format!(r#"{{"number": {number}}}"#), ..asked(JobKind::Embed) };
            let job = store.begin_job(one, Vec::new(), 0).await.unwrap().id;
            store.claim_job(claim(JobKind::Embed)).await.unwrap().unwrap();
            let state = if number % 2 == 0 { JobState::Failed } else { JobState::Done };
            store.report_job(job, "me", JobEnd { state, ..done(None) }).await.unwrap();
            ended.push(job);
        }
        let left: Vec<i64> =
            store.job_rows(DEFAULT_WORKSPACE).await.unwrap().iter().rev().map(|job| job.id).collect();
        let newest = &ended[ended.len() - super::super::KEPT..];
        assert_eq!(left, [&[paused, upload], newest].concat());
    }

    #[tokio::test]
    async fn a_file_that_was_sent_is_copied_into_its_job_byte_by_byte_or_no_job_is_made() {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(Place::named(folder.path())).unwrap();
        let bytes: Vec<u8> = (0..600_000_u32).map(|n| (n % 251) as u8).collect();
        let file = folder.path().join("sent");
        std::fs::write(&file, &bytes).unwrap();
        let begin = async |path: std::path::PathBuf| {
            let sent = NewUpload { content: UploadContent::File(path), page_metadata: Some(b"[]".to_vec()) };
            store.begin_job(NewJob { uploads: vec![sent], ..asked(JobKind::Ingest) }, Vec::new(), 0).await
        };
        let job = begin(file).await.unwrap().id;
        assert_eq!(store.upload(job, 0).await.unwrap(), (bytes, Some(b"[]".to_vec())));
        assert_eq!(begin(folder.path().join("gone")).await.unwrap_err().code(), "io");
        assert_eq!(store.job_rows(DEFAULT_WORKSPACE).await.unwrap().len(), 1);
    }
}
