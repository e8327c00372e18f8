//! The queue of jobs: persistent, leased, and open to every program that shares the library.

use super::check;
use super::draft::checked_url;
use super::{EmbedRequest, IngestRequest, Source, run};
use super::{FileState, Job, JobEvent, JobFile, JobKind, JobState};
use crate::error::{Error, Result};
use crate::library::queue::{LANES, LEASE, Queue, unix_now};
use crate::library::{Ingest, Inner, Jobs, Library, Work};
use crate::store::table::job::{Again, Begun, Claim, JobRow, Kept, NewJob, NewUpload, UploadContent};
use crate::store::table::workspace::DEFAULT_WORKSPACE;
use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::sync::{broadcast, mpsc};
use tracing::{Instrument as _, Span};

/// Interval between two looks at jobs of other programs.
const LOOK: Duration = Duration::from_millis(500);
/// Interval at which a program that works on everything looks for jobs that others left.
const PATROL: Duration = Duration::from_secs(2);

impl Ingest<'_> {
    /// Starts ingesting in the background and returns the job's id. A request that was interrupted, paused or
    /// failed before keeps its id. Its folders are listed again, and what is stored and unchanged is not read
    /// twice.
    ///
    /// # Errors
    /// What can be reported at once: unknown workspace, paths that do not exist, unknown source type or strategy,
    /// settings that do not fit. Problems with single files are in the job's report.
    pub async fn start(&self, workspace: &str, request: IngestRequest) -> Result<i64> {
        let sent = request.sent();
        let new = self.new_ingest(workspace, request).await?;
        let job = self.library.jobs().begin(new).await?;
        // The job has them now.
        self.library.spool().remove(&sent);
        Ok(job)
    }

    /// As [`Ingest::start`]; `None` if all that is `kept` is stored already.
    pub(crate) async fn start_unless_kept(
        &self,
        workspace: &str,
        request: IngestRequest,
        kept: Kept,
    ) -> Result<Option<i64>> {
        let new = self.new_ingest(workspace, request).await?;
        let dead = self.library.queue().dead(self.library.store().job_owners().await?);
        let begun = self.library.store().begin_job_unless_kept(new, kept, dead, unix_now()).await?;
        Ok(begun.map(|begun| self.library.jobs().take_on(begun)))
    }

    /// The job for `request`, once it is known that it can be done.
    async fn new_ingest(&self, workspace: &str, request: IngestRequest) -> Result<NewJob> {
        self.library.store().workspace(workspace).await?;
        let shipped = self.library.shipped().map(Path::to_owned);
        let mut request = request.completed()?;
        for source in &mut request.sources {
            if let Source::Path { path } = source {
                // Another program that takes the job over may run in another folder.
                let absolute = std::path::absolute(&*path).map_err(|error| Error::io(&*path, error))?;
                *path = absolute.to_string_lossy().into_owned();
            }
        }
        if let Some(url) = &request.base_url {
            checked_url(url)?;
        }
        let checked = request.clone();
        tokio::task::spawn_blocking(move || check::check(&checked, shipped.as_deref())).await??;
        let mut uploads = Vec::new();
        for source in &mut request.sources {
            if let Source::Upload { bytes, file, page_metadata, .. } = source {
                // They are kept beside the request, not inside it.
                let content = match file.take() {
                    Some(id) => UploadContent::File(self.library.spool().path(&id)?),
                    None => UploadContent::Bytes(std::mem::take(bytes)),
                };
                let page_metadata = std::mem::take(page_metadata);
                let page_metadata = (!page_metadata.is_empty()).then_some(page_metadata);
                uploads.push(NewUpload { content, page_metadata });
            }
        }
        let json = serde_json::to_string(&request).map_err(|error| Error::Invalid(error.to_string()))?;
        Ok(NewJob { kind: JobKind::Ingest, workspace: workspace.to_owned(), request: json, uploads })
    }

    /// Fills the vectors that are missing, in the background, and returns the job's id.
    ///
    /// # Errors
    /// Unknown workspace and storage errors.
    pub async fn embed(&self, workspace: &str) -> Result<i64> {
        self.library.store().workspace(workspace).await?;
        self.start_embedding(workspace, EmbedRequest::default()).await
    }

    /// Fills the spaces that replaced former ones, in the background, so that a library of an earlier version gets
    /// new vectors. That is begun once: a person who stops it is not asked again. `None` if there is nothing to
    /// do. Nothing leaves the machine for it.
    ///
    /// # Errors
    /// Storage errors.
    pub(crate) async fn renew_vectors(&self) -> Result<Option<i64>> {
        let known: HashSet<String> =
            self.library.store().spaces().await?.into_iter().map(|space| space.id).collect();
        let embedders = self.library.models().embedders_by_now();
        let replaced = embedders.iter().any(|embedder| {
            let former = embedder.former().iter().any(|space| known.contains(&space.id()));
            former && !known.contains(&embedder.space().id())
        });
        if !replaced {
            return Ok(None);
        }
        let request = EmbedRequest { only_here: true };
        Ok(Some(self.start_embedding(DEFAULT_WORKSPACE, request).await?))
    }

    async fn start_embedding(&self, workspace: &str, request: EmbedRequest) -> Result<i64> {
        let request = serde_json::to_string(&request).map_err(|error| Error::Invalid(error.to_string()))?;
        self.library
            .jobs()
            .begin(NewJob {
                kind: JobKind::Embed,
                workspace: workspace.to_owned(),
                request,
                uploads: Vec::new(),
            })
            .await
    }
}

impl Jobs<'_> {
    pub(super) async fn begin(&self, new: NewJob) -> Result<i64> {
        let dead = self.library.queue().dead(self.library.store().job_owners().await?);
        let begun = self.library.store().begin_job(new, dead, unix_now()).await?;
        Ok(self.take_on(begun))
    }

    /// Sees to it that a job that waits is worked on. Returns its id.
    pub(super) fn take_on(&self, begun: Begun) -> i64 {
        if begun.waits {
            self.library.queue().ask(begun.id);
            self.work();
        }
        begun.id
    }

    /// Asks a job of `workspace` to stop until it is resumed. What is stored stays.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the workspace has no such job, and [`Error::Invalid`] if it has ended.
    pub async fn pause(&self, workspace: &str, job: i64) -> Result<()> {
        self.ask_job(workspace, job, JobState::Paused).await
    }

    /// Gives up a job of `workspace`. What is stored stays.
    ///
    /// # Errors
    /// As [`Jobs::pause`].
    pub async fn cancel(&self, workspace: &str, job: i64) -> Result<()> {
        self.ask_job(workspace, job, JobState::Cancelled).await
    }

    async fn ask_job(&self, workspace: &str, job: i64, wish: JobState) -> Result<()> {
        self.library.store().job_row(workspace, job).await?;
        let dead = self.library.queue().dead(self.library.store().job_owners().await?);
        let state = self.library.store().ask_job(job, wish, dead).await?;
        self.library.queue().wish(job, wish);
        if state.at_rest() {
            self.announce(workspace, job).await?;
        }
        Ok(())
    }

    /// Continues a job of `workspace` that is paused, failed, cancelled or interrupted, with the files that it listed.
    /// Documents of files that were gone by then are dealt with where the files are gone still.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such job. [`crate::store::Error::NothingToRetry`] if it is done.
    /// [`Error::Invalid`] if it is running.
    pub async fn resume(&self, workspace: &str, job: i64) -> Result<()> {
        self.requeue(workspace, job, Again::Nothing).await
    }

    /// Tries the failed files of a job of `workspace` again, or only the one at the position `file`. If the job is
    /// running, they come after the others.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`crate::store::Error::NothingToRetry`] where the job is done and nothing failed,
    /// [`Error::Invalid`] if that file did not fail.
    pub async fn retry(&self, workspace: &str, job: i64, file: Option<i64>) -> Result<()> {
        self.requeue(workspace, job, file.map_or(Again::EveryFailed, Again::File)).await
    }

    async fn requeue(&self, workspace: &str, job: i64, again: Again) -> Result<()> {
        self.library.store().job_row(workspace, job).await?;
        let dead = self.library.queue().dead(self.library.store().job_owners().await?);
        self.library.store().requeue_job(job, again, dead).await?;
        self.library.queue().ask(job);
        self.work();
        Ok(())
    }

    /// Jobs of `workspace`, the newest first. Their reports say nothing about the present contents of the corpora.
    pub async fn list(&self, workspace: &str) -> Result<Vec<Job>> {
        let mut jobs = Vec::new();
        for row in self.library.store().job_rows(workspace).await? {
            jobs.push(self.job_of(row).await?);
        }
        Ok(jobs)
    }

    /// The job `id` of `workspace` with its report.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the workspace has no such job.
    pub async fn get(&self, workspace: &str, id: i64) -> Result<Job> {
        let row = self.library.store().job_row(workspace, id).await?;
        let mut job = self.job_of(row).await?;
        job.report.counts = self.library.store().job_counts(id).await?;
        Ok(job)
    }

    /// Files of a job of `workspace` in order, at most `limit` from position `offset` on. Only files in one of
    /// `states` are counted, or all if it is empty.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the workspace has no such job.
    pub async fn files(
        &self,
        workspace: &str,
        id: i64,
        states: &[FileState],
        offset: i64,
        limit: i64,
    ) -> Result<Vec<JobFile>> {
        self.library.store().job_row(workspace, id).await?;
        Ok(self.library.store().job_files(id, states, offset, limit).await?)
    }

    async fn job_of(&self, mut row: JobRow) -> Result<Job> {
        if let Some((state, error)) = self.library.queue().unstored_end(&row) {
            (row.state, row.error) = (state, error);
        }
        Ok(Job {
            interrupted: self.interrupted(&row),
            report: self.library.store().job_report(row.id).await?,
            id: row.id,
            kind: row.kind,
            state: row.state,
            workspace: row.workspace,
            error: row.error,
            files: row.files,
            files_done: row.files_done,
            pages: row.pages,
            created_at: row.created_at,
            updated_at: row.updated_at,
        })
    }

    fn interrupted(&self, row: &JobRow) -> bool {
        let queue = self.library.queue();
        let dead = || row.owner.as_ref().is_none_or(|owner| *owner != queue.owner && !queue.lives(owner));
        row.state == JobState::Running && (row.lease_until < unix_now() || dead())
    }

    /// Whether no program continues the job unless asked. The program that worked on it was killed, and this one
    /// works only on what it is asked for.
    fn is_left(&self, row: &JobRow) -> bool {
        let asked = || self.library.queue().asked.lock().contains_key(&row.id);
        self.library.options().work == Work::Asked && self.interrupted(row) && !asked()
    }

    /// The events of every job of this program from now on.
    pub fn events(&self) -> broadcast::Receiver<JobEvent> {
        self.library.queue().events.subscribe()
    }

    /// The events of a job of `workspace`, whichever program works on it. They end when it comes to rest, with a
    /// last event that says how, or when the program that worked on it is killed.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the workspace has no such job.
    pub async fn follow(&self, workspace: &str, job: i64) -> Result<mpsc::Receiver<JobEvent>> {
        let mut events = self.events();
        let mut last = run::snapshot(&self.library.store().job_row(workspace, job).await?);
        let (sender, receiver) = mpsc::channel(256);
        let (library, workspace) = (self.library.clone(), workspace.to_owned());
        tokio::spawn(async move {
            if sender.send(last.clone()).await.is_err() || last.state.at_rest() {
                return;
            }
            loop {
                let event = match tokio::time::timeout(LOOK, events.recv()).await {
                    Ok(Ok(event)) if event.job == job => event,
                    Ok(Ok(_) | Err(broadcast::error::RecvError::Lagged(_))) => continue,
                    Ok(Err(broadcast::error::RecvError::Closed)) => return,
                    Err(_) => {
                        let Ok(row) = library.store().job_row(&workspace, job).await else { return };
                        if library.jobs().is_left(&row) {
                            return;
                        }
                        // The run's own counts are not in the store.
                        let JobEvent { chunks, embedded, to_embed, spent, price, .. } = last;
                        let seen =
                            JobEvent { chunks, embedded, to_embed, spent, price, ..run::snapshot(&row) };
                        if (seen.state, seen.files_done, seen.files)
                            == (last.state, last.files_done, last.files)
                        {
                            continue;
                        }
                        seen
                    }
                };
                last = event;
                if sender.send(last.clone()).await.is_err() || last.state.at_rest() {
                    return;
                }
            }
        });
        Ok(receiver)
    }

    /// Waits until a job of `workspace` comes to rest.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the workspace has no such job.
    pub async fn wait(&self, workspace: &str, job: i64) -> Result<Job> {
        loop {
            let mut events = self.follow(workspace, job).await?;
            while events.recv().await.is_some() {}
            let found = self.get(workspace, job).await?;
            // What ended the events may be a pause from before it was queued again.
            if found.state.at_rest() {
                return Ok(found);
            }
        }
    }

    async fn announce(&self, workspace: &str, job: i64) -> Result<()> {
        let event = run::snapshot(&self.library.store().job_row(workspace, job).await?);
        // Nobody need listen.
        let _ = self.library.queue().events.send(event);
        Ok(())
    }

    /// Sees to it that somebody works on the queue.
    pub(crate) fn work(&self) {
        let queue = Arc::clone(self.library.queue());
        if !queue.working.swap(true, Ordering::AcqRel) {
            for lane in 0..LANES.len() {
                tokio::spawn(patrol(Arc::downgrade(&self.library.0), Arc::clone(&queue), lane));
            }
        }
    }

    /// Leases and runs the next job of `kind` there is. Says whether there was one.
    async fn work_once(&self, kind: JobKind) -> Result<bool> {
        let queue = self.library.queue();
        let only = match self.library.options().work {
            Work::All => None,
            Work::Asked => Some(queue.asked.lock().keys().copied().collect::<Vec<_>>()),
        };
        if only.as_ref().is_some_and(Vec::is_empty) {
            return Ok(false);
        }
        let dead = queue.dead(self.library.store().job_owners().await?);
        let claim = Claim { kind, owner: queue.owner.clone(), only, dead, now: unix_now(), seconds: LEASE };
        let Some(job) = self.library.store().claim_job(claim).await? else { return Ok(false) };
        let request = queue.asked.lock().remove(&job.id).unwrap_or_else(Span::none);
        let (library, leased) = (self.library.clone(), job.clone());
        let running = tokio::spawn(async move { run::run(&library, leased).await }.instrument(request));
        if let Err(error) = running.await {
            run::fail(self.library, job, error.into()).await;
        }
        Ok(true)
    }
}

/// Works on one of [`LANES`] as long as the library is open.
async fn patrol(library: Weak<Inner>, queue: Arc<Queue>, lane: usize) {
    if library.upgrade().is_some() {
        queue.tidy();
    }
    loop {
        let Some(open) = library.upgrade().map(Library) else { return };
        match open.jobs().work_once(LANES[lane]).await {
            Ok(true) => continue,
            // Nobody works here any more; whoever wants a change gets an error.
            Ok(false) | Err(Error::Store(sibyl_store::Error::Moved { .. })) => {}
            Err(error) => tracing::warn!(code = error.code(), "the queue of jobs cannot be read: {error}"),
        }
        drop(open);
        // Whatever wakes it, the queue itself says what to do.
        let _ = tokio::time::timeout(PATROL, queue.wake[lane].notified()).await;
    }
}
