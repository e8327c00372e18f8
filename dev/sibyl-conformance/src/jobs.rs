//! Laws of jobs: one holder at a time, however many ask.

use crate::Bench;
use crate::made::{Desk, document, new_corpus};
use sibyl_store::Store;
use sibyl_store::job::{
    ChunkChanges, FileReport, FileResult, FileState, JobKind, JobReport, JobState, Stage,
};
use sibyl_store::origin::{DocumentOrigin, FileOrigin};
use sibyl_store::table::document::NewDocument;
use sibyl_store::table::job::{Again, Claim, Expanded, JobEnd, Kept, NewJob, NewUpload, UploadContent};
use sibyl_store::table::job_file::{FileOutcome, PlannedFile};
use sibyl_store::table::watched_folder::{Gone, Looked, NewWatchedFolder, WatchedFolderChange};
use std::collections::BTreeMap;
use std::sync::Arc;

pub(crate) fn asked(request: &str) -> NewJob {
    NewJob {
        kind: JobKind::Ingest,
        workspace: "default".to_owned(),
        request: request.to_owned(),
        uploads: Vec::new(),
    }
}

fn claim(owner: &str, now: i64) -> Claim {
    Claim { kind: JobKind::Ingest, owner: owner.to_owned(), only: None, dead: Vec::new(), now, seconds: 100 }
}

fn ended(state: JobState) -> JobEnd {
    JobEnd { state, report: JobReport::default(), error: None, chunks_seen: None }
}

pub(crate) async fn begun(store: &dyn Store, request: &str) -> i64 {
    store.begin_job(asked(request), Vec::new(), 0).await.unwrap().id
}

pub(crate) fn planned(ordinal: i64, corpus: i64) -> PlannedFile {
    PlannedFile {
        ordinal,
        corpus_id: corpus,
        root: String::new(),
        origin: FileOrigin::Path(format!("/made/{ordinal}.md")),
        path: format!("{ordinal}.md"),
        page_metadata: None,
        report_id: None,
        replaces: false,
        moved_from: None,
        failure: None,
    }
}

fn outcome(file: (i64, i64), result: Option<FileResult>) -> FileOutcome {
    let failure = (Stage::Read, FileReport::new("0.md", "io", "cannot be opened"));
    FileOutcome {
        file,
        result,
        changes: ChunkChanges::default(),
        notices: Vec::new(),
        failure: result.is_none().then_some(failure),
        pages: None,
        seconds: 0.5,
    }
}

/// Somebody who asks for work that is already requested gets the existing job.
pub async fn a_request_is_one_job<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let (first, other) = (begun(&*desk.store, "{}").await, begun(&*desk.store, r#"{"other":1}"#).await);
    assert_ne!(first, other);
    let again = desk.store.begin_job(asked("{}"), Vec::new(), 0).await.unwrap();
    assert_eq!((again.id, again.waits), (first, true));
    desk.store.claim_job(claim("me", 1_000)).await.unwrap().unwrap();
    let held = desk.store.begin_job(asked("{}"), Vec::new(), 1_050).await.unwrap();
    assert_eq!((held.id, held.waits), (first, false), "somebody works on it");
    let rows = desk.store.job_rows("default").await.unwrap();
    assert_eq!(rows.iter().map(|job| job.id).collect::<Vec<_>>(), [other, first], "the newest first");
    assert!(desk.store.job_rows("west").await.unwrap().is_empty());
    assert_eq!(desk.store.job_row("west", first).await.unwrap_err().code(), "not_found");
}

/// Of two programs that claim at once, each job goes to one.
pub async fn a_job_has_one_holder<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let mut jobs = Vec::new();
    for n in 0..24 {
        jobs.push(begun(&*desk.store, &format!(r#"{{"n":{n}}}"#)).await);
    }
    let opened = [("one", desk.bench.open().await), ("other", desk.bench.open().await)];
    let programs = opened.map(|(owner, store)| {
        tokio::spawn(async move {
            let mut held = Vec::new();
            while let Some(job) = store.claim_job(claim(owner, 1_000)).await.unwrap() {
                assert_eq!((job.owner.as_deref(), job.state), (Some(owner), JobState::Running));
                held.push(job.id);
                tokio::task::yield_now().await;
            }
            held
        })
    });
    let mut all = Vec::new();
    for program in programs {
        let held = program.await.unwrap();
        assert!(held.is_sorted(), "the oldest first");
        all.extend(held);
    }
    all.sort_unstable();
    assert_eq!(all, jobs, "each once");
}

/// A lease that ran out, or whose holder is dead, goes to the next. Its former holder learns this and changes
/// nothing.
pub async fn a_lost_lease_is_told<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let store = &desk.store;
    let job = begun(&**store, "{}").await;
    store.claim_job(claim("one", 1_000)).await.unwrap().unwrap();
    assert!(store.claim_job(claim("other", 1_050)).await.unwrap().is_none(), "it is held");
    assert_eq!(store.renew_lease(job, "one", 1_500).await.unwrap(), None);
    assert!(store.claim_job(claim("other", 1_400)).await.unwrap().is_none(), "it is renewed");
    assert_eq!(store.claim_job(claim("other", 1_501)).await.unwrap().map(|job| job.id), Some(job));
    assert_eq!(store.renew_lease(job, "one", 9_999).await.unwrap_err().code(), "cancelled");
    let late = store.report_job(job, "one", ended(JobState::Done)).await.unwrap_err();
    assert_eq!(late.code(), "cancelled");
    assert_eq!(store.job_owners().await.unwrap(), ["other"]);
    let dead = Claim { dead: vec!["other".to_owned()], ..claim("third", 1_502) };
    assert_eq!(store.claim_job(dead).await.unwrap().map(|job| job.id), Some(job));
    assert_eq!(store.report_job(job, "third", ended(JobState::Done)).await.unwrap(), JobState::Done);
    assert!(store.job_owners().await.unwrap().is_empty());
    assert!(store.claim_job(claim("one", 9_000)).await.unwrap().is_none(), "it is done");
}

/// A request to a job reaches its holder with the lease, or takes effect at once if there is no holder.
pub async fn a_wish_reaches_the_holder<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let store = &desk.store;
    let job = begun(&**store, "{}").await;
    assert_eq!(store.ask_job(job, JobState::Paused, Vec::new()).await.unwrap(), JobState::Paused);
    assert!(store.claim_job(claim("me", 1_000)).await.unwrap().is_none(), "it is paused");
    store.requeue_job(job, Again::Nothing, Vec::new()).await.unwrap();
    store.claim_job(claim("me", 1_000)).await.unwrap().unwrap();
    assert_eq!(store.ask_job(job, JobState::Cancelled, Vec::new()).await.unwrap(), JobState::Running);
    assert_eq!(store.renew_lease(job, "me", 2_000).await.unwrap(), Some(JobState::Cancelled));
    store.report_job(job, "me", ended(JobState::Cancelled)).await.unwrap();
    let over = store.ask_job(job, JobState::Paused, Vec::new()).await.unwrap_err();
    assert_eq!(over.code(), "job_ended");
    assert_eq!(
        store.ask_job(job + 1_000, JobState::Paused, Vec::new()).await.unwrap_err().code(),
        "not_found"
    );
}

/// Files of a job are processed in order and listed in pages, and failed ones wait again if requested.
pub async fn files_of_a_job_keep_their_order<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let (store, corpus) = (&desk.store, desk.corpus(Some(desk.workspace), "texts").await);
    let job = begun(&**store, "{}").await;
    let files: Vec<PlannedFile> = (0..7).map(|n| planned(n, corpus)).collect();
    store.expand_job(job, Expanded { files: files.clone(), ..Expanded::default() }).await.unwrap();
    assert_eq!(store.waiting_files(job).await.unwrap(), files);
    store.claim_job(claim("me", 1_000)).await.unwrap().unwrap();
    for n in 0..7 {
        store.start_file(job, n).await.unwrap();
        if n == 4 {
            store.finish_file(outcome((job, n), None)).await.unwrap();
        } else {
            let done = outcome((job, n), Some(FileResult::Created));
            store.put_document(stored(corpus, n, done)).await.unwrap();
        }
    }
    let pages = async |states: &[FileState], limit: i64| {
        let mut all = Vec::new();
        for offset in (0..8).step_by(limit as usize) {
            all.extend(store.job_files(job, states, offset, limit).await.unwrap());
        }
        all.into_iter().map(|file| file.ordinal).collect::<Vec<_>>()
    };
    assert_eq!(pages(&[], 3).await, [0, 1, 2, 3, 4, 5, 6]);
    assert_eq!(pages(&[FileState::Done], 2).await, [0, 1, 2, 3, 5, 6]);
    assert_eq!(pages(&[FileState::Failed], 8).await, [4]);
    let row = store.job_row("default", job).await.unwrap();
    assert_eq!((row.files, row.files_done, row.files_failed, row.chunks), (7, 7, 1, 6));
    let report = store.job_report(job).await.unwrap();
    assert_eq!((report.documents.created, report.failed.len()), (6, 1));
    assert_eq!(store.report_job(job, "me", ended(JobState::Done)).await.unwrap(), JobState::Done);
    let nothing = store.requeue_job(job, Again::Nothing, Vec::new()).await.unwrap_err();
    assert_eq!(nothing.code(), "nothing_to_retry");
    store.requeue_job(job, Again::EveryFailed, Vec::new()).await.unwrap();
    let waiting: Vec<i64> =
        store.waiting_files(job).await.unwrap().into_iter().map(|file| file.ordinal).collect();
    assert_eq!(waiting, [4]);
}

/// The document of the file `n` of a job.
fn stored(corpus: i64, n: i64, done: FileOutcome) -> NewDocument {
    let new = document(corpus, &format!("{n}.md"), &[format!("alba {n}")]);
    NewDocument { job_file: Some(done), ..new }
}

/// A file that its worker did not finish waits for the next one.
pub async fn an_unfinished_file_waits_again<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let (store, corpus) = (&desk.store, desk.corpus(Some(desk.workspace), "texts").await);
    let job = begun(&**store, "{}").await;
    let files = vec![planned(0, corpus), planned(1, corpus)];
    store.expand_job(job, Expanded { files, ..Expanded::default() }).await.unwrap();
    store.claim_job(claim("one", 1_000)).await.unwrap().unwrap();
    store.start_file(job, 0).await.unwrap();
    store.claim_job(claim("other", 2_000)).await.unwrap().unwrap();
    let states: Vec<FileState> =
        store.job_files(job, &[], 0, 9).await.unwrap().into_iter().map(|file| file.state).collect();
    assert_eq!(states, [FileState::Queued; 2]);
    let early = store.report_job(job, "other", ended(JobState::Done)).await.unwrap();
    assert_eq!(early, JobState::Queued, "it is not done while files wait");
}

/// Uploads are read as they came, by their place.
pub async fn uploads_come_back_as_they_were_put<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let contents: [Vec<u8>; 2] = [(0..=255).cycle().take(300_000).collect(), Vec::new()];
    let uploads = contents.iter().zip([None, Some(vec![1, 0, 255])]).map(|(bytes, page_metadata)| {
        NewUpload { content: UploadContent::Bytes(bytes.clone()), page_metadata }
    });
    let new = NewJob { uploads: uploads.collect(), ..asked("{}") };
    let job = desk.store.begin_job(new.clone(), Vec::new(), 0).await.unwrap().id;
    assert_ne!(desk.store.begin_job(new, Vec::new(), 0).await.unwrap().id, job, "bytes are like no others");
    assert_eq!(desk.store.upload(job, 0).await.unwrap(), (contents[0].clone(), None));
    assert_eq!(desk.store.upload(job, 1).await.unwrap(), (Vec::new(), Some(vec![1, 0, 255])));
    assert_eq!(desk.store.upload_head(job, 0, 300).await.unwrap(), (contents[0][..300].to_vec(), false));
    assert_eq!(desk.store.upload_head(job, 1, 300).await.unwrap(), (Vec::new(), true));
    assert_eq!(desk.store.upload(job, 2).await.unwrap_err().code(), "not_found");
}

/// Of programs that reach for a folder at once, one watches it.
pub async fn a_folder_has_one_watcher<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let store = &desk.store;
    let new = NewWatchedFolder {
        workspace: "default".to_owned(),
        path: "/made".to_owned(),
        corpus: "texts".to_owned(),
        gone: Gone::Keep,
        every: 0,
    };
    let id = store.add_watched_folder(new.clone()).await.unwrap();
    assert_eq!(store.add_watched_folder(new).await.unwrap_err().code(), "exists");
    let programs = (0..6).map(|n| {
        let store = Arc::clone(store);
        tokio::spawn(
            async move { store.lease_watched_folder(id, None, &format!("p{n}"), 1_000).await.unwrap() },
        )
    });
    let mut leased = 0;
    for program in programs.collect::<Vec<_>>() {
        leased += usize::from(program.await.unwrap());
    }
    assert_eq!(leased, 1);
    let owner = store.watched_folder("default", id).await.unwrap().owner;
    assert!(
        store.lease_watched_folder(id, owner, "next", 2_000).await.unwrap(),
        "it is taken from the one known"
    );
    store.note_watched_folder(id, Looked { seen: Some("s".to_owned()), ..Looked::default() }).await.unwrap();
    let pause = WatchedFolderChange { paused: Some(true), ..WatchedFolderChange::default() };
    store.change_watched_folder("default", id, pause).await.unwrap();
    let row = store.watched_folder("default", id).await.unwrap();
    assert_eq!((row.seen.as_str(), row.paused, row.gone), ("s", true, Gone::Keep));
    assert!(store.watchable_folders().await.unwrap().is_empty(), "a paused one is not watched");
    desk.another("west").await;
    assert_eq!(store.remove_watched_folder("west", id).await.unwrap_err().code(), "not_found");
    store.remove_watched_folder("default", id).await.unwrap();
    assert!(store.watched_folders("default").await.unwrap().is_empty());
}

/// What is stored already needs no job; anything else begins one, or finds the one that was asked for.
pub async fn what_is_kept_needs_no_job<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let corpus = desk.corpus(Some(desk.workspace), "texts").await;
    let new = document(corpus, "a.md", &["alba"]);
    let source = new.source_hash.clone();
    desk.put(new).await;
    let kept = |corpus: &str, sources: &[&str]| Kept {
        workspace: desk.workspace,
        corpus: corpus.to_owned(),
        sources: sources.iter().map(|source| (*source).to_owned()).collect(),
    };
    let begin =
        async |kept| desk.store.begin_job_unless_kept(asked("{}"), kept, Vec::new(), 0).await.unwrap();
    assert_eq!(begin(kept("texts", &[&source])).await, None);
    assert!(desk.store.job_rows("default").await.unwrap().is_empty());
    let begun = begin(kept("texts", &[&source, "another"])).await.unwrap();
    assert!(begun.waits);
    assert_eq!(begin(kept("others", &[&source])).await, Some(begun), "one request is one job");
}

/// A job names the files that it lists and the documents that it made, counts what its corpora have, and is done with
/// a file that did not change.
pub async fn a_job_names_what_it_made<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let (store, corpus) = (&desk.store, desk.corpus(Some(desk.workspace), "texts").await);
    let other = store.put_corpus(new_corpus(None, "docs", "docs")).await.unwrap().id;
    let known = desk.put(document(corpus, "1.md", &["alba", "brix"])).await;
    let job = begun(&**store, "{}").await;
    let files = vec![planned(2, other), planned(0, corpus), planned(1, corpus), planned(3, corpus)];
    store.expand_job(job, Expanded { files, ..Expanded::default() }).await.unwrap();
    let created = desk.put(stored(corpus, 0, outcome((job, 0), Some(FileResult::Created)))).await;
    let origin = DocumentOrigin::Path("/moved/1.md".to_owned());
    let unchanged = outcome((job, 1), Some(FileResult::Unchanged));
    store.touch_document(known, "/moved".to_owned(), origin.clone(), unchanged).await.unwrap();
    let row = store.document_row(desk.workspace, known).await.unwrap();
    assert_eq!((row.root.as_str(), row.origin, row.chunks), ("/moved", origin, 2));
    let name = |n: i64| format!("{n}.md");
    let made = [
        (corpus, name(0), Some(created)),
        (corpus, name(1), None),
        (other, name(2), None),
        (corpus, name(3), None),
    ];
    assert_eq!(store.documents_of_job(job).await.unwrap(), made);
    assert_eq!(store.job_counts(job).await.unwrap(), BTreeMap::from([("text".to_owned(), 3)]));
    let done = store.job_files(job, &[FileState::Done], 0, 9).await.unwrap();
    let told: Vec<_> = done.into_iter().map(|file| (file.path, file.result)).collect();
    assert_eq!(told, [(name(0), Some(FileResult::Created)), (name(1), Some(FileResult::Unchanged))]);
    let report = store.job_report(job).await.unwrap().documents;
    assert_eq!((report.created, report.updated, report.unchanged), (1, 0, 1));
    assert!(store.documents_of_job(job + 1_000).await.unwrap().is_empty());
}
