//! Ingesting real folders through the library, as every door does.
//!
//! Over 500 lines: all of these tests share one set-up.

use serde_json::json;
use sibyl_engine::embed::{EmbedFuture, Embedder, Purpose, Space, Tier};
use sibyl_engine::ingest::{EmbedPlan, FileState, IngestRequest, Job, JobState, Source, Status};
use sibyl_engine::reader::ReaderProgram;
use sibyl_engine::store::table::workspace::DEFAULT_WORKSPACE;
use sibyl_engine::{Library, OpenOptions};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A library in a temporary folder, beside a folder of documents.
struct Desk {
    folder: tempfile::TempDir,
    library: Library,
}

impl Desk {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(options(folder.path())).await.unwrap();
        Self { folder, library }
    }

    fn docs(&self) -> PathBuf {
        self.folder.path().join("handbook")
    }

    fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.docs().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    async fn ingest(&self, request: IngestRequest) -> Job {
        crate::ingest_soundly(&self.library, request).await
    }

    async fn ingest_docs(&self) -> Job {
        self.ingest(from_path(self.docs())).await
    }

    async fn documents(&self) -> Vec<(String, String, i64)> {
        let workspace = self.library.store().workspace(DEFAULT_WORKSPACE).await.unwrap().id;
        let corpora = self.library.store().corpora(workspace).await.unwrap();
        let name = |id| corpora.iter().find(|corpus| corpus.id == id).unwrap().name.clone();
        let documents = self.library.store().documents(workspace, None).await.unwrap();
        documents
            .into_iter()
            .map(|document| (name(document.corpus_id), document.path, document.chunks))
            .collect()
    }

    /// Every chunk as one text, for comparing whole libraries.
    async fn chunks(&self) -> Vec<(String, String)> {
        let workspace = self.library.store().workspace(DEFAULT_WORKSPACE).await.unwrap().id;
        let mut chunks = Vec::new();
        for document in self.library.store().documents(workspace, None).await.unwrap() {
            let rows = self.library.store().chunks_of(workspace, document.id, 0, i64::MAX).await.unwrap();
            chunks.extend(rows.into_iter().map(|row| (row.chunk_id, row.text)));
        }
        chunks
    }
}

fn options(folder: &Path) -> OpenOptions {
    OpenOptions { reader: ReaderProgram::InProcess, ..OpenOptions::new(folder.join("data")) }
}

fn from_path(path: impl AsRef<Path>) -> IngestRequest {
    IngestRequest { sources: vec![Source::path(path)], embed: EmbedPlan::Nothing, ..IngestRequest::default() }
}

fn page(title: &str, words: usize) -> String {
    let body = (0..words).map(|n| format!("{title} sentence number {n} says something.")).collect::<Vec<_>>();
    format!(
        "---\ntitle: {title}\ntags: [guide]\n---\n\n# {title}\n\n{}\n\n## More\n\nThe end of {title}.\n",
        body.join(" ")
    )
}

#[tokio::test]
async fn a_folder_is_ingested_once_and_again_only_where_it_changed() {
    let desk = Desk::new().await;
    desk.write("index.md", page("Start", 5));
    desk.write("part/one.md", page("One", 300));
    desk.write("part/two.md", page("Two", 5));
    let first = desk.ingest_docs().await;
    assert_eq!(first.report.status, Status::Completed);
    assert_eq!(first.report.documents.created, 3);
    assert_eq!(first.report.chunks.created as i64, desk.documents().await.iter().map(|d| d.2).sum::<i64>());
    assert!(desk.documents().await.iter().all(|d| d.0 == "handbook"));

    let before = desk.chunks().await;
    let again = desk.ingest_docs().await;
    assert_eq!(again.report.status, Status::AlreadyIngested);
    assert_eq!((again.report.documents.unchanged, again.report.chunks.created), (3, 0));
    assert_eq!(desk.chunks().await, before);

    desk.write("part/two.md", page("Two", 6));
    let changed = desk.ingest_docs().await;
    assert_eq!((changed.report.documents.updated, changed.report.documents.unchanged), (1, 2));
    assert_eq!(changed.report.status, Status::Completed);

    fs::remove_file(desk.docs().join("part/one.md")).unwrap();
    let removed = desk.ingest_docs().await;
    assert_eq!((removed.report.documents.deleted, removed.report.documents.unchanged), (1, 2));
    assert!(removed.report.chunks.deleted > 1);
    assert!(desk.documents().await.iter().all(|d| d.1 != "part/one.md"));
}

#[tokio::test]
async fn two_libraries_of_the_same_files_hold_the_same_chunks() {
    let (one, two) = (Desk::new().await, Desk::new().await);
    for desk in [&one, &two] {
        for n in 0..12 {
            desk.write(&format!("chapter-{n}/page.md"), page(&format!("Page {n}"), 40 * n));
        }
        desk.ingest_docs().await;
    }
    assert!(one.chunks().await.len() > 12);
    assert_eq!(one.chunks().await, two.chunks().await);
}

#[tokio::test]
async fn what_cannot_be_read_is_named_and_the_rest_goes_on() {
    let desk = Desk::new().await;
    desk.write("good.md", page("Good", 3));
    desk.write("picture.md", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\0\0\0");
    desk.write("image.png", b"\x89PNG\r\n\x1a\n");
    desk.write(".hidden.md", "secret");
    desk.write("node_modules/other/readme.md", "# Not ours");
    desk.write("empty.md", "");
    let preflight = desk.library.ingest().preflight(DEFAULT_WORKSPACE, from_path(desk.docs())).await.unwrap();
    let told = preflight.files.iter().find(|file| file.path == "picture.md").unwrap();
    assert!(told.failure.as_ref().unwrap().starts_with("expected text"), "{:?}", told.failure);
    let job = desk.ingest_docs().await;
    assert_eq!(job.report.status, Status::CompletedWithFailures);
    let failed: Vec<&str> = job.report.failed.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(failed, ["picture.md"]);
    assert!(!job.report.failed[0].message.is_empty());
    let skipped: Vec<(&str, &str)> =
        job.report.skipped.iter().map(|file| (file.path.as_str(), file.code.as_str())).collect();
    for expected in
        [(".hidden.md", "hidden"), ("node_modules", "foreign_folder"), ("image.png", "unknown_format")]
    {
        assert!(skipped.contains(&expected), "{skipped:?}");
    }
    assert_eq!(job.report.documents.created, 2);

    desk.write("picture.md", page("Picture", 2));
    desk.library.jobs().retry(DEFAULT_WORKSPACE, job.id, None).await.unwrap();
    let mended = desk.library.jobs().wait(DEFAULT_WORKSPACE, job.id).await.unwrap();
    assert_eq!(mended.report.status, Status::Completed);
    assert_eq!((mended.report.documents.created, mended.report.failed.len()), (3, 0));
}

#[cfg(unix)]
#[tokio::test]
async fn pipes_and_sockets_in_a_folder_are_named_as_left_out() {
    let desk = Desk::new().await;
    desk.write("good.md", page("Good", 3));
    let made = std::process::Command::new("mkfifo").arg(desk.docs().join("pipe.md")).status().unwrap();
    assert!(made.success());
    let _socket = std::os::unix::net::UnixListener::bind(desk.docs().join("socket.md")).unwrap();
    let job = desk.ingest_docs().await;
    assert_eq!((job.report.documents.created, job.report.failed.len()), (1, 0));
    let skipped: Vec<(&str, &str)> =
        job.report.skipped.iter().map(|file| (file.path.as_str(), file.code.as_str())).collect();
    assert_eq!(skipped, [("pipe.md", "special"), ("socket.md", "special")]);
}

#[cfg(unix)]
#[tokio::test]
async fn a_path_that_is_no_file_or_not_there_is_left_out_and_the_rest_goes_on() {
    let desk = Desk::new().await;
    let (pipe, missing) = (desk.folder.path().join("pipe.md"), desk.folder.path().join("missing.md"));
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    desk.write("good.md", page("Good", 3));
    let good = desk.docs().join("good.md");
    let source = |path: &PathBuf| Source::Path { path: path.to_string_lossy().into_owned() };
    let named = async |paths: &[&PathBuf]| {
        let sources = paths.iter().map(|path| source(path)).collect();
        let request = IngestRequest { sources, embed: EmbedPlan::Nothing, ..IngestRequest::default() };
        desk.library.ingest().start(DEFAULT_WORKSPACE, request).await
    };
    let job = named(&[&pipe, &good, &missing]).await.unwrap();
    let report = desk.library.jobs().wait(DEFAULT_WORKSPACE, job).await.unwrap().report;
    assert_eq!((report.documents.created, report.failed.len()), (1, 0));
    let skipped: Vec<(&str, &str)> =
        report.skipped.iter().map(|file| (file.path.as_str(), file.code.as_str())).collect();
    assert_eq!(skipped, [(pipe.to_str().unwrap(), "unfit_path"), (missing.to_str().unwrap(), "io")]);
    assert!(report.skipped[0].message.starts_with("is neither a file nor a folder"), "{report:?}");
    assert!(!report.skipped[1].message.contains("missing.md"), "it is named once: {report:?}");
    assert_eq!(named(&[&pipe, &missing]).await.unwrap_err().code(), "unfit_path");
}

#[tokio::test]
async fn one_failed_file_is_tried_again_alone() {
    let desk = Desk::new().await;
    desk.write("a.md", b"\x89PNG\r\n\x1a\n");
    desk.write("b.md", b"\x89PNG\r\n\x1a\n");
    desk.write("good.md", page("Good", 3));
    let job = desk.ingest_docs().await;
    desk.write("a.md", page("A", 2));
    desk.write("b.md", page("B", 2));
    let states = async || -> Vec<(String, FileState)> {
        let files = desk.library.jobs().files(DEFAULT_WORKSPACE, job.id, &[], 0, 10).await.unwrap();
        files.into_iter().map(|file| (file.path, file.state)).collect()
    };
    let named = |states: [(&str, FileState); 3]| states.map(|(path, state)| (path.to_owned(), state));
    assert_eq!(
        states().await,
        named([("a.md", FileState::Failed), ("b.md", FileState::Failed), ("good.md", FileState::Done)])
    );

    desk.library.jobs().retry(DEFAULT_WORKSPACE, job.id, Some(1)).await.unwrap();
    let report = desk.library.jobs().wait(DEFAULT_WORKSPACE, job.id).await.unwrap().report;
    assert_eq!((report.status, report.failed.len()), (Status::CompletedWithFailures, 1));
    assert_eq!(
        states().await,
        named([("a.md", FileState::Failed), ("b.md", FileState::Done), ("good.md", FileState::Done)])
    );

    let refused =
        desk.library.jobs().retry(DEFAULT_WORKSPACE, job.id, Some(2)).await.unwrap_err().to_string();
    assert!(refused.contains("file 2") && refused.contains("did not fail"), "{refused}");
    assert_eq!(
        desk.library.jobs().get(DEFAULT_WORKSPACE, job.id).await.unwrap().state,
        JobState::Done,
        "a refusal changes nothing"
    );
}

#[tokio::test]
async fn a_file_that_grew_too_large_fails_and_its_old_text_stays() {
    let desk = Desk::new().await;
    desk.write("a.md", page("A", 3));
    desk.write("b.md", page("B", 3));
    desk.ingest_docs().await;
    desk.library.change_settings(json!({"max_file_size": 1}).as_object().unwrap().clone()).await.unwrap();
    desk.write("a.md", "x ".repeat(600_000));
    let job = desk.ingest_docs().await;
    assert_eq!(job.report.failed[0].code, "too_large");
    assert!(job.report.failed[0].message.contains("max_file_size"));
    assert_eq!(desk.documents().await.len(), 2);
}

#[tokio::test]
async fn a_page_of_a_gigabyte_is_left_out_unread_and_the_rest_goes_on() {
    let desk = Desk::new().await;
    desk.write("a.md", page("A", 3));
    desk.write("b.html", "<html><body><p>Endless");
    // A sparse file: it takes no space and no time to make.
    fs::OpenOptions::new().write(true).open(desk.docs().join("b.html")).unwrap().set_len(1 << 30).unwrap();
    let job = desk.ingest_docs().await;
    assert_eq!(
        (job.report.failed[0].code.as_str(), job.report.failed[0].path.as_str()),
        ("too_large", "b.html")
    );
    assert_eq!(desk.documents().await.len(), 1);
}

#[tokio::test]
async fn uploads_become_documents_like_files() {
    let desk = Desk::new().await;
    let request = IngestRequest {
        sources: vec![
            Source::upload("../../etc/notes.txt", b"First note.\n\nSecond note.".to_vec()),
            Source::upload("annual-report.md", page("Report", 10).into_bytes()),
        ],
        embed: EmbedPlan::Nothing,
        ..IngestRequest::default()
    };
    let job = desk.ingest(request).await;
    assert_eq!(job.report.documents.created, 2);
    let documents = desk.documents().await;
    let paths: Vec<(&str, &str)> = documents.iter().map(|d| (d.0.as_str(), d.1.as_str())).collect();
    assert_eq!(paths, [("reports", "annual-report.md"), ("texts", "etc/notes.txt")]);
    let workspace = desk.library.store().workspace(DEFAULT_WORKSPACE).await.unwrap().id;
    let report = &desk.library.store().documents(workspace, None).await.unwrap()[0];
    assert_eq!(report.report_id.as_deref(), Some("annual-report"));
}

#[tokio::test]
async fn a_report_of_the_same_id_is_replaced() {
    let desk = Desk::new().await;
    for (name, words) in [("draft.md", 50), ("final.md", 60)] {
        let request = IngestRequest {
            sources: vec![Source::upload(name, page("Report", words).into_bytes())],
            source_type: Some("report".to_owned()),
            report_id: Some("acme-2025".to_owned()),
            embed: EmbedPlan::Nothing,
            ..IngestRequest::default()
        };
        desk.ingest(request).await;
    }
    let documents = desk.documents().await;
    assert_eq!(documents.len(), 1);
    assert_eq!(documents[0].1, "final.md");
}

#[tokio::test]
async fn page_metadata_beside_a_report_gives_it_pages() {
    let desk = Desk::new().await;
    let text = "# Climate\n\nFirst page text about governance.\n\nSecond page text about targets.\n";
    desk.write("report.md", text);
    let pages = json!([
        {"metadata": {"page": 1}, "text": "# Climate\n\nFirst page text about governance.\n\n"},
        {"metadata": {"page": 2}, "text": "Second page text about targets.\n"}
    ]);
    desk.write("report.pages.json", pages.to_string());
    let job = desk.ingest(from_path(desk.docs().join("report.md"))).await;
    assert_eq!(job.report.documents.created, 1);
    assert_eq!(desk.documents().await[0].0, "reports");
}

#[tokio::test]
async fn new_settings_cut_stored_documents_again_without_their_files() {
    let desk = Desk::new().await;
    desk.write("long.md", page("Long", 400));
    desk.ingest_docs().await;
    let before = desk.documents().await[0].2;
    fs::remove_dir_all(desk.docs()).unwrap();
    let request = IngestRequest {
        sources: vec![Source::Corpus { name: "handbook".to_owned() }],
        strategy: Some("recursive".to_owned()),
        embed: EmbedPlan::Nothing,
        ..IngestRequest::default()
    };
    let job = desk.ingest(request).await;
    assert_eq!(job.report.documents.updated, 1);
    assert_ne!(desk.documents().await[0].2, before);
}

#[tokio::test]
async fn a_single_file_of_a_known_folder_is_updated_in_its_place() {
    let desk = Desk::new().await;
    desk.write("part/one.md", page("One", 5));
    desk.write("part/two.md", page("Two", 5));
    desk.ingest_docs().await;
    desk.write("part/one.md", page("One", 6));
    let job = desk.ingest(from_path(desk.docs().join("part/one.md"))).await;
    assert_eq!((job.report.documents.updated, job.report.documents.created), (1, 0));
    let paths: Vec<String> = desk.documents().await.into_iter().map(|document| document.1).collect();
    assert_eq!(paths, ["part/one.md", "part/two.md"]);
}

/// A model with a defect.
struct Panicking(Space);

impl Embedder for Panicking {
    fn space(&self) -> &Space {
        &self.0
    }

    fn embed<'a>(&'a self, _texts: &'a [String], _purpose: Purpose) -> EmbedFuture<'a> {
        panic!("seven is no even number")
    }
}

#[tokio::test]
async fn a_job_that_panics_fails_and_can_be_resumed() {
    let desk = Desk::new().await;
    desk.write("a.md", page("A", 3));
    let space = Space {
        tier: Tier::Embedded,
        model: "broken".to_owned(),
        endpoint: String::new(),
        revision: "1".to_owned(),
        dimensions: 8,
        window: String::new(),
    };
    desk.library.models().set_embedders(vec![Arc::new(Panicking(space))]);
    let request = IngestRequest { embed: EmbedPlan::Complete, ..from_path(desk.docs()) };
    let id = desk.library.ingest().start(DEFAULT_WORKSPACE, request).await.unwrap();
    let job = desk.library.jobs().wait(DEFAULT_WORKSPACE, id).await.unwrap();
    assert_eq!((job.state, job.report.failed_code.as_deref()), (JobState::Failed, Some("internal")));
    assert!(job.error.unwrap().contains("seven is no even number"));

    desk.library.models().set_embedders(Vec::new());
    desk.library.jobs().resume(DEFAULT_WORKSPACE, id).await.unwrap();
    let job = desk.library.jobs().wait(DEFAULT_WORKSPACE, id).await.unwrap();
    assert_eq!((job.state, job.report.documents.created), (JobState::Done, 1), "{:?}", job.error);
}

#[tokio::test]
async fn impossible_requests_are_refused_at_once() {
    let desk = Desk::new().await;
    desk.write("a.md", "# A");
    let cases = [
        (from_path("/no/such/file"), "io"),
        (IngestRequest { strategy: Some("magic".to_owned()), ..from_path(desk.docs()) }, "unknown_choice"),
        (IngestRequest { source_type: Some("novel".to_owned()), ..from_path(desk.docs()) }, "unknown_choice"),
        (IngestRequest::default(), "invalid"),
    ];
    for (request, code) in cases {
        let error = desk.library.ingest().start(DEFAULT_WORKSPACE, request).await.unwrap_err();
        assert_eq!(error.code(), code, "{error}");
    }
    let unknown = desk.library.ingest().start("elsewhere", from_path(desk.docs())).await.unwrap_err();
    assert_eq!(unknown.code(), "not_found");
    assert!(desk.library.jobs().list(DEFAULT_WORKSPACE).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_job_that_is_cancelled_keeps_what_is_stored_and_can_be_resumed() {
    let desk = Desk::new().await;
    for n in 0..60 {
        desk.write(&format!("{n:02}/page.md"), page(&format!("Page {n}"), 200));
    }
    let id = desk.library.ingest().start(DEFAULT_WORKSPACE, from_path(desk.docs())).await.unwrap();
    let mut events = desk.library.jobs().follow(DEFAULT_WORKSPACE, id).await.unwrap();
    while let Some(event) = events.recv().await {
        if event.files_done >= 2 {
            break;
        }
    }
    desk.library.jobs().cancel(DEFAULT_WORKSPACE, id).await.unwrap();
    let cancelled = desk.library.jobs().wait(DEFAULT_WORKSPACE, id).await.unwrap();
    assert_eq!(cancelled.state, JobState::Cancelled);
    let kept = desk.documents().await.len();
    assert!((2..60).contains(&kept), "{kept}");
    let files = desk.library.jobs().files(DEFAULT_WORKSPACE, id, &[], 0, 100).await.unwrap();
    let states = |state| files.iter().filter(|file| file.state == state).count();
    assert_eq!(
        (states(FileState::Done), states(FileState::Queued)),
        (kept, 60 - kept),
        "nobody works on a job at rest"
    );
    desk.library.jobs().resume(DEFAULT_WORKSPACE, id).await.unwrap();
    let first = desk.library.jobs().follow(DEFAULT_WORKSPACE, id).await.unwrap().recv().await.unwrap();
    assert_eq!(first.workspace, DEFAULT_WORKSPACE);
    assert!(first.files_done >= kept && first.chunks >= kept, "counts go on where they stood: {first:?}");
    let done = desk.library.jobs().wait(DEFAULT_WORKSPACE, id).await.unwrap();
    assert_eq!((done.state, done.report.documents.created), (JobState::Done, 60));
    assert_eq!(desk.documents().await.len(), 60);
}

#[tokio::test]
async fn retrying_a_former_job_leaves_newer_documents_alone() {
    let desk = Desk::new().await;
    desk.write("good.md", page("Good", 3));
    desk.write("bad.md", b"\x89PNG\r\n\x1a\n");
    let former = desk.ingest_docs().await;
    desk.write("new.md", page("New", 3));
    assert_eq!(desk.ingest_docs().await.report.documents.created, 1);

    desk.write("bad.md", page("Mended", 3));
    desk.library.jobs().retry(DEFAULT_WORKSPACE, former.id, None).await.unwrap();
    let retried = desk.library.jobs().wait(DEFAULT_WORKSPACE, former.id).await.unwrap();
    assert_eq!((retried.report.status, retried.report.documents.deleted), (Status::Completed, 0));
    let paths: Vec<String> = desk.documents().await.into_iter().map(|document| document.1).collect();
    assert_eq!(paths, ["bad.md", "good.md", "new.md"]);

    for refused in [
        desk.library.jobs().retry(DEFAULT_WORKSPACE, former.id, None).await.unwrap_err(),
        desk.library.jobs().resume(DEFAULT_WORKSPACE, former.id).await.unwrap_err(),
    ] {
        assert_eq!(refused.code(), "nothing_to_retry", "{refused}");
    }
    assert_eq!(
        desk.library.jobs().get(DEFAULT_WORKSPACE, former.id).await.unwrap().state,
        JobState::Done,
        "a refusal changes nothing"
    );
}

#[tokio::test]
async fn ingesting_again_after_a_pause_takes_in_what_has_changed() {
    let desk = Desk::new().await;
    for n in 0..60 {
        desk.write(&format!("{n:02}/page.md"), page(&format!("Page {n}"), 200));
    }
    let id = desk.library.ingest().start(DEFAULT_WORKSPACE, from_path(desk.docs())).await.unwrap();
    let mut events = desk.library.jobs().follow(DEFAULT_WORKSPACE, id).await.unwrap();
    while events.recv().await.is_some_and(|event| event.files_done < 2) {}
    desk.library.jobs().pause(DEFAULT_WORKSPACE, id).await.unwrap();
    assert_eq!(desk.library.jobs().wait(DEFAULT_WORKSPACE, id).await.unwrap().state, JobState::Paused);

    desk.write("new.md", page("New", 3));
    desk.write("00/page.md", page("Edited", 3));
    fs::remove_dir_all(desk.docs().join("59")).unwrap();
    let again = desk.ingest_docs().await;
    assert_eq!((again.id, again.files, again.report.failed.len()), (id, 60, 0));
    let documents = desk.documents().await;
    assert_eq!(documents.len(), 60);
    assert!(documents.iter().any(|document| document.1 == "new.md"));
    assert!(documents.iter().all(|document| document.1 != "59/page.md"));
    let chunks = desk.chunks().await;
    assert!(chunks.iter().any(|(_, text)| text.contains("Edited sentence number 0")));
}

#[tokio::test]
async fn ingesting_again_while_the_job_runs_takes_in_what_came_meanwhile() {
    let desk = Desk::new().await;
    for n in 0..60 {
        desk.write(&format!("{n:02}/page.md"), page(&format!("Page {n}"), 200));
    }
    let id = desk.library.ingest().start(DEFAULT_WORKSPACE, from_path(desk.docs())).await.unwrap();
    let mut events = desk.library.jobs().follow(DEFAULT_WORKSPACE, id).await.unwrap();
    while events.recv().await.is_some_and(|event| event.files_done < 2) {}
    desk.write("new.md", page("New", 3));
    let again = desk.ingest_docs().await;
    assert_eq!((again.id, again.state, again.files, again.report.failed.len()), (id, JobState::Done, 61, 0));
    let documents = desk.documents().await;
    assert!(documents.len() == 61 && documents.iter().any(|document| document.1 == "new.md"));
}

#[tokio::test]
async fn another_program_takes_over_what_a_dead_one_left() {
    let folder = tempfile::tempdir().unwrap();
    let docs = folder.path().join("docs");
    fs::create_dir_all(&docs).unwrap();
    for n in 0..200 {
        fs::write(docs.join(format!("{n}.md")), page(&format!("Page {n}"), 50)).unwrap();
    }
    // A runtime that is shut down leaves its jobs as a killed process would: leased and unfinished.
    let options_first = options(folder.path());
    let docs_first = docs.clone();
    let id = std::thread::spawn(move || {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let id = runtime.block_on(async {
            let library = Library::open(options_first).await.unwrap();
            let id = library.ingest().start(DEFAULT_WORKSPACE, from_path(&docs_first)).await.unwrap();
            let mut events = library.jobs().follow(DEFAULT_WORKSPACE, id).await.unwrap();
            while events.recv().await.is_some_and(|event| event.files_done < 3) {}
            id
        });
        runtime.shutdown_timeout(std::time::Duration::from_secs(5));
        id
    })
    .join()
    .unwrap();
    let library =
        Library::open(OpenOptions { work: sibyl_engine::Work::All, ..options(folder.path()) }).await.unwrap();
    let job = library.jobs().wait(DEFAULT_WORKSPACE, id).await.unwrap();
    assert_eq!((job.state, job.report.documents.created), (JobState::Done, 200));
    assert!(library.upkeep().doctor().await.unwrap().is_sound());
}

#[tokio::test]
async fn a_backup_opens_as_a_library_with_the_same_chunks() {
    let desk = Desk::new().await;
    desk.write("a.md", page("A", 100));
    desk.ingest_docs().await;
    let copy = tempfile::tempdir().unwrap();
    let data = copy.path().join("data");
    fs::create_dir_all(&data).unwrap();
    let target = data.join(sibyl_engine::store::LIBRARY_FILE);
    assert!(desk.library.upkeep().back_up(&target).await.unwrap() > 0);
    assert_eq!(desk.library.upkeep().back_up(&target).await.unwrap_err().code(), "exists");
    let library = Library::open(options(copy.path())).await.unwrap();
    assert!(library.upkeep().doctor().await.unwrap().is_sound());
    let other = Desk { folder: copy, library };
    assert_eq!(other.chunks().await, desk.chunks().await);
}

#[tokio::test]
async fn one_corpus_is_what_most_of_its_files_are() {
    let desk = Desk::new().await;
    for n in 0..3 {
        desk.write(&format!("part/{n}.md"), page(&format!("Page {n}"), 5));
    }
    desk.write("a-first.txt", "A note that comes first.");
    let job = desk.ingest_docs().await;
    assert_eq!(job.report.documents.created, 4);
    assert_eq!(job.report.counts.keys().collect::<Vec<_>>(), ["docs"]);
}
