//! The sample that ships.

use sibyl_engine::ingest::{IngestRequest, JobKind, JobState, Status};
use sibyl_engine::sample::{SAMPLE_CORPUS, SAMPLE_WORKSPACE};
use sibyl_engine::search::{Mode, SearchRequest};
use sibyl_engine::standards::evidence::EvidenceRequest;
use sibyl_engine::store::table::workspace::DEFAULT_WORKSPACE;
use sibyl_engine::{Library, OpenOptions};
use std::collections::BTreeSet;
use std::path::Path;

async fn library(folder: &Path) -> Library {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let options = OpenOptions { shipped: Some(data), ..OpenOptions::new(folder) };
    Library::open(options).await.unwrap()
}

#[tokio::test]
async fn is_read_once_into_a_workspace_of_its_own_and_answers_offline() {
    let folder = tempfile::tempdir().unwrap();
    let library = library(folder.path()).await;
    let standards = IngestRequest { corpus: Some("ifrs-s2".to_owned()), ..IngestRequest::shipped(true) };
    let standards = library.ingest().start(DEFAULT_WORKSPACE, standards).await.unwrap();
    library.jobs().wait(DEFAULT_WORKSPACE, standards).await.unwrap();

    let sample = library.ingest().open_sample().await.unwrap();
    assert_eq!((sample.workspace.as_str(), sample.corpus.as_str()), (SAMPLE_WORKSPACE, SAMPLE_CORPUS));
    let first = sample.job.unwrap();
    assert_eq!(
        library.ingest().open_sample().await.unwrap().job.unwrap_or(first),
        first,
        "the same job goes on"
    );
    let job = library.jobs().wait(SAMPLE_WORKSPACE, first).await.unwrap();
    assert_eq!((job.state, job.report.status), (JobState::Done, Status::Completed), "{:?}", job.report);
    assert!(job.report.notices.is_empty(), "{:?}", job.report.notices);
    assert_eq!((job.files, job.pages), (3, 26));
    assert_eq!(library.ingest().open_sample().await.unwrap().job, None, "it is there already");

    let workspace = library.store().workspace(SAMPLE_WORKSPACE).await.unwrap();
    let corpus = library.store().corpus_in(Some(workspace.id), SAMPLE_CORPUS).await.unwrap().unwrap();
    assert!(!corpus.remote);
    let documents = library.store().documents(workspace.id, Some(corpus.id)).await.unwrap();
    assert_eq!(documents.len(), 3);
    for document in &documents {
        assert!(document.title.ends_with("(fictional)"), "{}", document.title);
        assert!((1_800..2_800).contains(&document.word_count), "{} words", document.word_count);
    }
    assert!(
        library.store().corpus(1, SAMPLE_CORPUS).await.unwrap().is_none(),
        "other workspaces do not see it"
    );

    let request = EvidenceRequest { id: "S2.29".to_owned(), ..EvidenceRequest::default() };
    let evidence = library.standards().evidence(SAMPLE_WORKSPACE, request).await.unwrap();
    let reports: BTreeSet<&str> = evidence.hits.iter().map(|hit| hit.title.as_str()).collect();
    assert_eq!(reports.len(), 3, "{reports:?}");

    // Deleted reports come back when the sample is opened again.
    library.store().delete_corpus(corpus.id).await.unwrap();
    let again = library.ingest().open_sample().await.unwrap().job.unwrap();
    assert_eq!(library.jobs().wait(SAMPLE_WORKSPACE, again).await.unwrap().state, JobState::Done);
    let request = SearchRequest {
        query: "carbon capture at Costa".to_owned(),
        mode: Mode::Keyword,
        ..SearchRequest::default()
    };
    let found = library.search().run(SAMPLE_WORKSPACE, &request).await.unwrap();
    assert!(found.results[0].chunk_text.contains("Costa"), "{}", found.results[0].chunk_text);
}

#[tokio::test(flavor = "multi_thread")]
async fn is_read_by_one_job_whoever_asks_at_once() {
    let root = tempfile::tempdir().unwrap();
    let shipped = root.path().join("shipped");
    std::fs::create_dir_all(shipped.join("sample")).unwrap();
    for name in ["ada.md", "byron.md"] {
        std::fs::write(shipped.join("sample").join(name), format!("# Report of {name}\n\nWater.\n")).unwrap();
    }
    for round in 0..3 {
        let folder = root.path().join(round.to_string());
        let program = || async {
            let options = OpenOptions { shipped: Some(shipped.clone()), ..OpenOptions::new(&folder) };
            Library::open(options).await.unwrap()
        };
        let programs = [program().await, program().await, program().await];
        let asked: Vec<_> = programs
            .iter()
            .cloned()
            .map(|library| tokio::spawn(async move { library.ingest().open_sample().await.unwrap().job }))
            .collect();
        let mut jobs = BTreeSet::new();
        for asked in asked {
            jobs.extend(asked.await.unwrap());
        }
        assert_eq!(jobs.len(), 1, "{jobs:?}");
        let job = programs[0].jobs().wait(SAMPLE_WORKSPACE, *jobs.first().unwrap()).await.unwrap();
        assert_eq!((job.state, job.files), (JobState::Done, 2), "{:?}", job.error);
        for library in &programs {
            assert_eq!(library.ingest().open_sample().await.unwrap().job, None);
        }
        let ingests = programs[0].jobs().list(SAMPLE_WORKSPACE).await.unwrap();
        assert_eq!(ingests.iter().filter(|job| job.kind == JobKind::Ingest).count(), 1);
    }
}

#[tokio::test]
async fn that_does_not_ship_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(OpenOptions::new(folder.path())).await.unwrap();
    let error = library.ingest().open_sample().await.unwrap_err().to_string();
    assert!(error.contains("no sample ships"), "{error}");
}
