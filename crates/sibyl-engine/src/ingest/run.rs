//! One job's run: expand, read, chunk, store, clean up, embed, report.
//!
//! Over 500 lines: one after the other, the steps of one run.

mod at_hand;
mod prepare;
mod progress;

use super::check;
use super::pipeline::{self, Counterparts, Cutting};
use super::{EmbedPlan, EmbedRequest, IngestRequest, Source, embedding, gone, likeness, plan, source};
use super::{FileResult, FileState, JobEvent, JobFile, JobKind, JobReport, JobState, Stage, Status};
use crate::embed::Tier;
use crate::error::{Error, Result};
use crate::library::queue::{LEASE, unix_now};
use crate::library::{Library, Work};
use crate::store::table::corpus::Corpus;
use crate::store::table::job::{Expanded, JobEnd, JobRow};
use crate::store::table::job_file::{FileOutcome, PlannedFile};
use crate::store::table::workspace::Workspace;
use at_hand::{AtHand, OfSpace, Ready};
use prepare::{Prepared, Terms, prepare};
use progress::{Progress, Shared, Steps};
use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tracing::Instrument as _;

/// Documents that are read ahead of the one being stored.
const AHEAD: usize = 4;
/// Changed chunks from which the keyword index is brought into its fastest shape.
const BULK: usize = 1000;
/// Code of the error for a full disk.
const DISK_FULL: &str = "disk_full";
/// Bytes that must be free before a job continues after a full disk.
const ROOM: u64 = 64 << 20;
/// Time between two looks for room.
const ROOM_LOOK: Duration = Duration::from_secs(5);
/// How often the lease is renewed and wishes of other programs are looked for.
const BEAT: Duration = Duration::from_secs(1);

/// Runs a leased job to its end, or until it is asked to stop.
pub(super) async fn run(library: &Library, job: JobRow) {
    let queue = library.queue();
    let (wishes, wish) = watch::channel(None);
    queue.wishes.lock().insert(job.id, wishes.clone());
    let beat = tokio::spawn(heartbeat(library.clone(), job.id, wishes).in_current_span());
    let mut run = Run {
        library: library.clone(),
        progress: Shared::new(Progress::of(&job), queue.events.clone()),
        wish,
        chunkings: HashMap::new(),
        chunks_seen: None,
        stage: Stage::Read,
        since: Instant::now(),
        seconds_before: job.report.seconds,
        report: job.report.clone(),
        job,
    };
    let end = loop {
        match run.work().await {
            // A program that stays continues when there is space again; one that ends leaves the job to be
            // resumed.
            End::Full(_) if library.options().work == Work::All && run.wait_for_room().await.is_ok() => {}
            end => break end,
        }
    };
    beat.abort();
    queue.wishes.lock().remove(&run.job.id);
    run.finish(end).await;
}

/// Ends a job whose run did not end by itself.
pub(super) async fn fail(library: &Library, job: JobRow, error: Error) {
    let queue = library.queue();
    queue.wishes.lock().remove(&job.id);
    let mut report = job.report.clone();
    report.failed_code = Some(error.code().to_owned());
    let end = JobEnd { state: JobState::Failed, report, error: Some(error.to_string()), chunks_seen: None };
    let _ = store_end(library, job.id, end).await;
    match library.store().job_row(&job.workspace, job.id).await {
        // Nobody need listen.
        Ok(row) => drop(queue.events.send(snapshot(&row))),
        Err(error) => tracing::warn!(job = job.id, code = error.code(), "a job cannot be read: {error}"),
    }
}

/// Stores how a job ended, or keeps it in mind. Returns the state that it is in now.
async fn store_end(library: &Library, job: i64, end: JobEnd) -> JobState {
    let queue = library.queue();
    let (state, cause) = (end.state, end.error.clone());
    match library.store().report_job(job, &queue.owner, end).await {
        Ok(stored) => stored,
        Err(error) => {
            tracing::warn!(job, code = error.code(), "a job's end cannot be stored: {error}");
            queue.ended_unstored(job, state, cause);
            state
        }
    }
}

/// What the rows of a job say, as an event.
pub(super) fn snapshot(job: &JobRow) -> JobEvent {
    Progress::of(job).event(None)
}

/// Why a run ended.
enum End {
    Done,
    /// Somebody asked for it.
    Asked(JobState),
    Failed(Error),
    /// There was no space for what it stores.
    Full(Error),
    /// Another program holds the job now.
    Lost,
}

/// A corpus, how it is chunked, and the problems of its table of counterparts.
type CorpusCutting = (Arc<Corpus>, Cutting, Option<String>);

struct Run {
    library: Library,
    job: JobRow,
    report: JobReport,
    progress: Shared,
    wish: watch::Receiver<Option<JobState>>,
    /// How the documents of each corpus are chunked, with the problems of its table of counterparts.
    chunkings: HashMap<(i64, String), CorpusCutting>,
    /// Generation of the chunks when it began to embed what lacks vectors.
    chunks_seen: Option<i64>,
    /// Its current stage.
    stage: Stage,
    since: Instant,
    seconds_before: f64,
}

impl Run {
    async fn work(&mut self) -> End {
        let worked = match self.job.kind {
            JobKind::Embed => self.embed_all().await,
            JobKind::Ingest => self.ingest().await,
        };
        match worked {
            Ok(()) => End::Done,
            Err(error) if error.is_cancelled() => match *self.wish.borrow() {
                Some(JobState::Running) | None => End::Lost,
                Some(wish) => End::Asked(wish),
            },
            Err(error) if error.code() == DISK_FULL => End::Full(error),
            Err(error) => End::Failed(error),
        }
    }

    /// Waits until the disk has room again, unless the job is asked to stop meanwhile.
    async fn wait_for_room(&mut self) -> Result<()> {
        tracing::warn!(job = self.job.id, "the disk is full; the job waits for room");
        {
            let mut progress = self.progress.now();
            progress.code = Some(DISK_FULL.to_owned());
            progress.error = Some("the disk is full; the job continues when there is room".to_owned());
        }
        self.progress.tell(None);
        let mut wish = self.wish.clone();
        let room = async {
            loop {
                tokio::time::sleep(ROOM_LOOK).await;
                if self.library.upkeep().free_bytes().is_none_or(|free| free >= ROOM) {
                    return;
                }
            }
        };
        tokio::select! {
            () = room => {}
            _ = wish.wait_for(Option::is_some) => return Err(Error::Cancelled),
        }
        {
            let mut progress = self.progress.now();
            (progress.code, progress.error) = (None, None);
        }
        self.progress.tell(None);
        Ok(())
    }

    async fn ingest(&mut self) -> Result<()> {
        let request: IngestRequest = serde_json::from_str(&self.job.request).map_err(|error| {
            Error::Damaged(format!("the request of job {} cannot be read: {error}", self.job.id))
        })?;
        let workspace = self.library.store().workspace(&self.job.workspace).await?;
        if !self.job.expanded {
            self.expand(&workspace, &request).await?;
        }
        self.progress.tell(None);
        self.documents(&request).await?;
        self.stop_if_asked()?;
        self.report.notices.extend(likeness::ask(&self.library, self.job.id).await?);
        if let Some(settled) = gone::settle(&self.library, self.job.id, request.gone).await? {
            self.report.documents.deleted += settled.documents;
            self.report.chunks.deleted += settled.chunks;
            self.report.gone.then(settled.report);
        }
        if self.progress.now().changed >= BULK {
            self.library.store().optimize_keyword().await?;
        }
        self.embed(|tier| request.embed.includes(tier)).await?;
        if request.embed == EmbedPlan::Instant && embedding::waits(&self.library).await? {
            self.library.ingest().embed(&self.job.workspace).await?;
        }
        Ok(())
    }

    /// Lists the files to ingest.
    async fn expand(&mut self, workspace: &Workspace, request: &IngestRequest) -> Result<()> {
        let newest = self.library.store().newest_document().await?;
        let mut uploads = Vec::new();
        for source in &request.sources {
            if let Source::Upload { name, .. } = source {
                let ordinal = uploads.len();
                let (head, metadata) =
                    self.library.store().upload_head(self.job.id, ordinal, source::HEAD).await?;
                uploads.push((name.clone(), head, metadata));
            }
        }
        let plan = plan::plan(&self.library, workspace, request, &uploads).await?;
        self.report.skipped.clone_from(&plan.report.skipped);
        let failed = plan.files.iter().filter(|file| file.failure.is_some()).count();
        let files = plan.files.len();
        let plan::Plan { files: planned, roots, folders, moves, report } = plan;
        let expanded = Expanded { files: planned, roots, folders, report, newest, moves };
        self.library.store().expand_job(self.job.id, expanded).await?;
        let mut progress = self.progress.now();
        (progress.files, progress.files_done, progress.files_failed) = (files, failed, failed);
        progress.come_to_rest();
        Ok(())
    }

    async fn documents(&mut self, request: &IngestRequest) -> Result<()> {
        let mut waiting: VecDeque<PlannedFile> =
            self.library.store().waiting_files(self.job.id).await?.into();
        let limit = self.library.ingest().most_bytes().await?;
        let terms = Terms { job: self.job.id, limit, force: request.force, ocr: request.ocr };
        let at_hand = Arc::new(AtHand::of(&self.library, request.embed).await?);
        let mut reading: VecDeque<(JobFile, JoinHandle<Result<Ready>>)> = VecDeque::new();
        {
            let mut progress = self.progress.now();
            progress.waits(waiting.len());
            progress.begin(Stage::Read);
        }
        loop {
            self.stage = Stage::Read;
            self.stop_if_asked()?;
            while reading.len() < AHEAD {
                let Some(file) = waiting.pop_front() else { break };
                let (corpus, cutting, trouble) = self.cutting(&file).await?;
                let shown = shown(&file, &corpus);
                self.library.store().start_file(self.job.id, file.ordinal).await?;
                self.progress.tell(Some(shown.clone()));
                let (library, at_hand) = (self.library.clone(), Arc::clone(&at_hand));
                let mut steps = Steps::new(self.progress.clone(), shown.clone());
                let prepare = async move {
                    let made = prepare(&library, &mut steps, terms, file, cutting, trouble).await;
                    let made = at_hand.with(&library, made).await;
                    steps.end();
                    made
                };
                reading.push_back((shown, tokio::spawn(prepare.in_current_span())));
            }
            let Some((mut shown, task)) = reading.pop_front() else {
                // Meanwhile files that had failed may have been put back.
                waiting = self.library.store().waiting_files(self.job.id).await?.into();
                if waiting.is_empty() {
                    return Ok(());
                }
                self.progress.now().waits(waiting.len());
                continue;
            };
            let prepared = self.unless_asked(task).await;
            let (prepared, vectors) = match prepared {
                Ok(ready) => ready,
                Err(error) => {
                    for (_, task) in reading {
                        task.abort();
                    }
                    return Err(error);
                }
            };
            self.stage = Stage::Store;
            shown.state = FileState::Done;
            shown.stage = Stage::Store;
            self.store(prepared, vectors, &mut shown).await?;
            {
                let mut progress = self.progress.now();
                progress.files_done += 1;
                progress.files_failed += usize::from(shown.state == FileState::Failed);
                progress.chunks += shown.chunks;
            }
            self.progress.tell(Some(shown));
        }
    }

    /// Stores what was made from a file, and notes in `shown` how it ended.
    async fn store(&mut self, prepared: Prepared, vectors: Vec<OfSpace>, shown: &mut JobFile) -> Result<()> {
        match prepared {
            Prepared::Unchanged { id, root, origin, outcome } => {
                shown.result = Some(FileResult::Unchanged);
                shown.chunks = outcome.changes.unchanged;
                (shown.pages, shown.seconds) = told(&outcome);
                self.library.store().touch_document(id, root, origin, outcome).await?;
            }
            Prepared::Changed(document) => {
                if let Some(outcome) = &document.job_file {
                    (shown.pages, shown.seconds) = told(outcome);
                }
                let (_, changes) = self.library.store().put_document(*document).await?;
                for (space, vectors) in vectors {
                    let made = self.library.store().put_vectors_ahead(&space, vectors).await?;
                    *self.report.embedded.entry(space).or_default() += made;
                }
                shown.chunks = changes.created + changes.updated + changes.unchanged;
                self.progress.now().changed += changes.created + changes.updated + changes.deleted;
                let new = changes.updated + changes.unchanged + changes.deleted == 0;
                shown.result = Some(if new { FileResult::Created } else { FileResult::Updated });
            }
            Prepared::Failed(outcome) => {
                if let Some((stage, failure)) = &outcome.failure {
                    shown.state = FileState::Failed;
                    shown.stage = *stage;
                    shown.code = Some(failure.code.clone());
                    shown.error = Some(failure.message.clone());
                }
                self.library.store().finish_file(outcome).await?;
            }
        }
        Ok(())
    }

    /// Waits for a file that is being read, unless the job is asked to stop meanwhile.
    async fn unless_asked(&mut self, mut task: JoinHandle<Result<Ready>>) -> Result<Ready> {
        let asked = self.wish.wait_for(Option::is_some);
        tokio::select! {
            prepared = &mut task => prepared?,
            _ = asked => {
                task.abort();
                Err(Error::Cancelled)
            }
        }
    }

    async fn embed_all(&mut self) -> Result<()> {
        self.chunks_seen = Some(self.library.store().generations().await?.chunk);
        let request: EmbedRequest = serde_json::from_str(&self.job.request).map_err(|error| {
            Error::Damaged(format!("the request of job {} cannot be read: {error}", self.job.id))
        })?;
        self.embed(|tier| tier != Tier::Remote || !request.only_here).await
    }

    async fn embed(&mut self, wanted: impl Fn(Tier) -> bool) -> Result<()> {
        self.stage = Stage::Embed;
        let made = embedding::fill_all(&self.library, self.job.id, wanted, &self.wish, |state| {
            {
                let mut progress = self.progress.now();
                if progress.model.as_deref() != Some(state.model) {
                    progress.begin(Stage::Embed);
                    progress.model = Some(state.model.to_owned());
                }
                progress.embedded = state.done;
                progress.to_embed = state.total;
                (progress.spent, progress.price) = state.cost.unzip();
            }
            self.progress.tell(None);
        });
        let (made, result) = made.await;
        for (space, vectors) in made {
            *self.report.embedded.entry(space).or_default() += vectors;
        }
        result
    }

    /// How the documents of a corpus are chunked.
    async fn cutting(&mut self, file: &PlannedFile) -> Result<CorpusCutting> {
        let key = (file.corpus_id, file.root.clone());
        if let Some(known) = self.chunkings.get(&key) {
            return Ok(known.clone());
        }
        let corpus = Arc::new(self.library.store().corpus_by_id(file.corpus_id).await?);
        let (strategy, settings) = check::checked_settings(&corpus.strategy, &corpus.settings)?;
        let (mut counterparts, mut trouble) = (Counterparts::new(), None);
        if strategy.pairs_counterparts() {
            let folder = (!file.root.is_empty()).then(|| PathBuf::from(&file.root));
            let shipped = self.library.shipped().map(std::path::Path::to_owned);
            let found = tokio::task::spawn_blocking(move || {
                pipeline::counterparts_near(folder.as_deref(), shipped.as_deref())
            });
            match found.await? {
                Ok(found) => counterparts = found,
                Err(message) => trouble = Some(message),
            }
        }
        let base_url = corpus.base_url.clone();
        let model = self.library.models().window_of(strategy).await;
        let cutting = Cutting { strategy, settings, base_url, counterparts: Arc::new(counterparts), model };
        let known = (corpus, cutting, trouble);
        self.chunkings.insert(key, known.clone());
        Ok(known)
    }

    async fn finish(mut self, end: End) {
        self.report.seconds = self.seconds_before + self.since.elapsed().as_secs_f64();
        (self.report.failed_in, self.report.failed_code) = (None, None);
        let (mut state, error) = match end {
            End::Lost => return,
            End::Done => (JobState::Done, None),
            End::Asked(state) => (state, None),
            End::Failed(error) => {
                tracing::warn!(job = self.job.id, code = error.code(), "a job failed: {error}");
                self.report.failed_in = Some(self.stage);
                self.report.failed_code = Some(error.code().to_owned());
                (JobState::Failed, Some(error.to_string()))
            }
            End::Full(error) => {
                self.report.failed_in = Some(self.stage);
                self.report.failed_code = Some(error.code().to_owned());
                let words = format!("{error}; then `sibyl jobs resume {}` continues from here", self.job.id);
                (JobState::Paused, Some(words))
            }
        };
        let store = self.library.store();
        if state == JobState::Done {
            match store.job_report(self.job.id).await {
                Ok(full) => self.report.status = status(&full, &self.report),
                Err(error) => tracing::warn!(job = self.job.id, "a job's report cannot be read: {error}"),
            }
        }
        let end = JobEnd {
            state,
            report: self.report.clone(),
            error: error.clone(),
            chunks_seen: self.chunks_seen,
        };
        state = store_end(&self.library, self.job.id, end).await;
        {
            let mut progress = self.progress.now();
            progress.state = state;
            progress.error = error;
            progress.code.clone_from(&self.report.failed_code);
            progress.come_to_rest();
        }
        self.progress.tell(None);
        if state == JobState::Queued {
            self.library.queue().ask(self.job.id);
        }
    }

    fn stop_if_asked(&self) -> Result<()> {
        if self.wish.borrow().is_some() { Err(Error::Cancelled) } else { Ok(()) }
    }
}

/// Renews the lease, and brings wishes of other programs. If the lease is lost, it asks the run to stop with
/// [`JobState::Running`], which nothing else asks for.
async fn heartbeat(library: Library, job: i64, wishes: watch::Sender<Option<JobState>>) {
    loop {
        tokio::time::sleep(BEAT).await;
        match library.store().renew_lease(job, &library.queue().owner, unix_now() + LEASE).await {
            Ok(None) => {}
            Ok(Some(wish)) => {
                wishes.send_replace(Some(wish));
            }
            Err(sibyl_store::Error::Cancelled) => {
                wishes.send_replace(Some(JobState::Running));
                return;
            }
            Err(error) => {
                tracing::warn!(job, code = error.code(), "a job's lease cannot be renewed: {error}")
            }
        }
    }
}

/// A file whose turn it is, as reported.
fn shown(file: &PlannedFile, corpus: &Corpus) -> JobFile {
    JobFile {
        ordinal: file.ordinal,
        origin: file.origin.clone(),
        path: file.path.clone(),
        moved_from: file.moved_from.clone(),
        corpus: corpus.name.clone(),
        state: FileState::Running,
        stage: Stage::Read,
        result: None,
        chunks: 0,
        pages: None,
        seconds: None,
        code: None,
        error: None,
    }
}

/// Pages and seconds of a file, as they are reported.
fn told(outcome: &FileOutcome) -> (Option<i64>, Option<f64>) {
    (outcome.pages.and_then(|pages| i64::try_from(pages).ok()), Some(outcome.seconds))
}

fn status(rows: &JobReport, own: &JobReport) -> Status {
    let changed = rows.documents.created + rows.documents.updated + own.documents.deleted > 0
        || own.embedded.values().any(|vectors| *vectors > 0);
    if !rows.failed.is_empty() || !rows.refused.is_empty() {
        Status::CompletedWithFailures
    } else if changed {
        Status::Completed
    } else {
        Status::AlreadyIngested
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::OpenOptions;
    use crate::reader::ReaderProgram;
    use crate::store::table::job::NewJob;
    use crate::store::table::workspace::DEFAULT_WORKSPACE;
    use std::fs;

    #[tokio::test(flavor = "multi_thread")]
    async fn a_job_that_was_killed_deals_with_the_files_that_were_gone_when_it_listed_them_and_are_gone_still()
     {
        let folder = tempfile::tempdir().unwrap();
        let docs = folder.path().join("docs");
        fs::create_dir(&docs).unwrap();
        let write = |name: &str| fs::write(docs.join(name), format!("# {name}\n\nSome words.\n")).unwrap();
        ["stays.md", "goes.md", "returns.md"].into_iter().for_each(write);
        let options =
            OpenOptions { reader: ReaderProgram::InProcess, ..OpenOptions::new(folder.path().join("data")) };
        let library = Library::open(options).await.unwrap();
        let request = IngestRequest { sources: vec![Source::path(&docs)], ..IngestRequest::default() };
        let job = library.ingest().start(DEFAULT_WORKSPACE, request.clone()).await.unwrap();
        library.jobs().wait(DEFAULT_WORKSPACE, job).await.unwrap();

        fs::remove_file(docs.join("goes.md")).unwrap();
        fs::remove_file(docs.join("returns.md")).unwrap();
        // What a program leaves that is killed once it has listed its files.
        let store = library.store();
        let json = serde_json::to_string(&request).unwrap();
        let new = NewJob {
            kind: JobKind::Ingest,
            workspace: DEFAULT_WORKSPACE.to_owned(),
            request: json,
            uploads: Vec::new(),
        };
        let job = store.begin_job(new, Vec::new(), 0).await.unwrap().id;
        let workspace = store.workspace(DEFAULT_WORKSPACE).await.unwrap();
        let newest = store.newest_document().await.unwrap();
        let plan::Plan { files, roots, folders, moves, report } =
            plan::plan(&library, &workspace, &request, &[]).await.unwrap();
        let expanded = Expanded { files, roots, folders, report, newest, moves };
        store.expand_job(job, expanded).await.unwrap();

        write("returns.md");
        library.jobs().resume(DEFAULT_WORKSPACE, job).await.unwrap();
        let job = library.jobs().wait(DEFAULT_WORKSPACE, job).await.unwrap();
        assert_eq!((job.state, job.report.documents.deleted), (JobState::Done, 1));
        let documents = store.documents(workspace.id, None).await.unwrap();
        assert!(
            documents.iter().map(|document| &document.path).eq(&["returns.md", "stays.md"]),
            "{documents:?}"
        );
        assert!(store.listed(job.id).await.unwrap().is_none(), "it is dealt with once");
    }
}
