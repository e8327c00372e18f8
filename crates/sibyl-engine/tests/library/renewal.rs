//! A library whose vectors an earlier form of the model made is searched with them at once, and gets new vectors.

use sibyl_engine::embed::{Purpose, Tier};
use sibyl_engine::ingest::{EmbedPlan, IngestRequest, JobKind, JobState, Source};
use sibyl_engine::reader::ReaderProgram;
use sibyl_engine::search::{Mode, SearchRequest};
use sibyl_engine::store::LIBRARY_FILE;
use sibyl_engine::store::table::workspace::DEFAULT_WORKSPACE;
use sibyl_engine::{Library, OpenOptions, Work};
use std::path::Path;

const TEXT: &str = "# Report\n\n## Canteen\n\nLunch is served at noon; soup and bread are free for everybody who works here.\n\n\
    ## Cars\n\nGuests leave their car on the lower deck, where eight places have a charging point.\n";

fn options(folder: &Path, work: Work) -> OpenOptions {
    OpenOptions {
        shipped: Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data")),
        reader: ReaderProgram::InProcess,
        work,
        ..OpenOptions::new(folder.join("data"))
    }
}

/// The space that answers a question about meals, and how well its best hit fits.
async fn answer(library: &Library) -> (String, f64) {
    let request = SearchRequest {
        query: "what is there to eat".to_owned(),
        mode: Mode::Semantic,
        ..SearchRequest::default()
    };
    let answer = library.search().run(DEFAULT_WORKSPACE, &request).await.unwrap();
    let best = &answer.results[0];
    assert!(best.chunk_text.contains("soup"), "{}", best.chunk_text);
    (answer.trace.space.unwrap().id(), best.relevance.unwrap())
}

#[tokio::test]
async fn former_vectors_answer_until_all_are_made_again_and_stay() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("report.md");
    std::fs::write(&file, TEXT).unwrap();
    let library = Library::open(options(folder.path(), Work::Asked)).await.unwrap();
    let request = IngestRequest {
        sources: vec![Source::path(&file)],
        embed: EmbedPlan::Nothing,
        ..IngestRequest::default()
    };
    crate::ingest_soundly(&library, request).await;
    let embedders = library.models().embedders().await;
    let model = embedders.iter().find(|each| each.space().tier == Tier::Embedded).unwrap();
    let (current, former) = (model.space().id(), &model.former()[0]);
    let store = library.store();
    let workspace = store.workspace(DEFAULT_WORKSPACE).await.unwrap().id;
    let corpora = store.corpora(workspace).await.unwrap().iter().map(|corpus| corpus.id).collect();
    store.ensure_space(former).await.unwrap();
    let missing = store.missing_inputs(&former.id(), corpora, 0, 100).await.unwrap();
    let texts: Vec<String> = missing.iter().map(|input| input.text.clone()).collect();
    let vectors = model.embed(&texts, Purpose::Passage).await.unwrap();
    let hashes = missing.iter().map(|input| input.hash);
    store.put_vectors(&former.id(), hashes.zip(vectors).collect()).await.unwrap();

    let before = answer(&library).await;
    assert_eq!(before.0, former.id());
    let chunk = {
        let document = store.documents(workspace, None).await.unwrap()[0].id;
        store.chunks_of(workspace, document, 0, 1).await.unwrap()[0].chunk_id.clone()
    };
    let near = library.search().neighbours(DEFAULT_WORKSPACE, &chunk, 5).await.unwrap();
    assert_eq!(near.space.as_ref(), Some(former));
    assert!(!near.chunks.is_empty());
    let overview = library.contents().overview(DEFAULT_WORKSPACE).await.unwrap();
    let coverage = &overview.corpora[0].coverage;
    let shown: Vec<(&str, bool, bool)> = coverage
        .iter()
        .filter(|model| model.tier == Tier::Embedded)
        .map(|model| (model.space.as_str(), model.served, model.covered == model.chunks))
        .collect();
    assert_eq!(shown, [(current.as_str(), true, false), (former.id().as_str(), true, true)]);
    assert!(
        library.jobs().list(DEFAULT_WORKSPACE).await.unwrap().iter().all(|job| job.kind != JobKind::Embed)
    );
    drop(library);

    let library = Library::open(options(folder.path(), Work::All)).await.unwrap();
    let jobs = library.jobs().list(DEFAULT_WORKSPACE).await.unwrap();
    let job = jobs.iter().find(|job| job.kind == JobKind::Embed).expect("the vectors are made again unasked");
    let job = library.jobs().wait(DEFAULT_WORKSPACE, job.id).await.unwrap();
    assert_eq!(job.state, JobState::Done, "{:?}", job.error);
    assert_eq!(job.report.embedded[&current], texts.len());
    let after = answer(&library).await;
    assert_eq!(after.0, current);
    assert!((after.1 - before.1).abs() < 0.02, "{after:?} {before:?}");
    assert_eq!(library.store().vectors_of_space(&former.id()).await.unwrap().len(), texts.len());
    drop(library);

    let library = Library::open(options(folder.path(), Work::All)).await.unwrap();
    assert_eq!(library.jobs().list(DEFAULT_WORKSPACE).await.unwrap().len(), 2, "it is begun once");
}

#[tokio::test]
async fn libraries_of_former_versions_are_searched_at_once() {
    for (name, former) in [("schema_2.sibyl", true), ("schema_3.sibyl", false), ("schema_7.sibyl", false)] {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        std::fs::create_dir(&data).unwrap();
        let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sibyl-store/tests/former").join(name);
        std::fs::copy(kept, data.join(LIBRARY_FILE)).unwrap();
        let request = SearchRequest {
            query: "how much carbon dioxide did the company emit".to_owned(),
            ..SearchRequest::default()
        };

        let library = Library::open(options(folder.path(), Work::Asked)).await.unwrap();
        let embedders = library.models().embedders().await;
        let model = embedders.iter().find(|each| each.space().tier == Tier::Embedded).unwrap();
        let (current, old) = (model.space().id(), model.former()[0].id());
        let answer = library.search().run(DEFAULT_WORKSPACE, &request).await.unwrap();
        assert!(answer.results[0].passage.contains("4,200 tonnes"), "{name}");
        let space = answer.trace.space.unwrap().id();
        assert_eq!(space, if former { old } else { current.clone() }, "{name}");
        drop(library);

        let library = Library::open(options(folder.path(), Work::All)).await.unwrap();
        let jobs = library.jobs().list(DEFAULT_WORKSPACE).await.unwrap();
        let begun = jobs.iter().find(|job| job.kind == JobKind::Embed);
        assert_eq!(begun.is_some(), former, "{name}");
        if let Some(job) = begun {
            let job = library.jobs().wait(DEFAULT_WORKSPACE, job.id).await.unwrap();
            assert_eq!((job.state, job.report.embedded[&current]), (JobState::Done, 6), "{:?}", job.error);
        }
        let answer = library.search().run(DEFAULT_WORKSPACE, &request).await.unwrap();
        assert_eq!(answer.trace.space.unwrap().id(), current, "{name}");
        assert!(answer.results[0].passage.contains("4,200 tonnes"), "{name}");
    }
}
