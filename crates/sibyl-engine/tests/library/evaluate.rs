//! Judged queries through an open library: gold queries in a workspace, a collection in a scratch library.

use serde_json::{Map, Value, json};
use sibyl_engine::embed::static_table::StaticTable;
use sibyl_engine::evaluate::{BeirOptions, EvaluateOptions, EvaluateProgress, EvaluateStage};
use sibyl_engine::search::Mode;
use sibyl_engine::store::origin::DocumentOrigin;
use sibyl_engine::store::table::chunk::NewChunk;
use sibyl_engine::store::table::corpus::NewCorpus;
use sibyl_engine::store::table::document::NewDocument;
use sibyl_engine::store::table::workspace::DEFAULT_WORKSPACE;
use sibyl_engine::{Library, OpenOptions};
use sibyl_text::{Document, Piece, Span, chunk::Role};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use tempfile::TempDir;

/// A library in a folder of its own, with the instant tier as its only embedder.
async fn library() -> (TempDir, Library) {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(OpenOptions::new(folder.path())).await.unwrap();
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/models");
    let table = StaticTable::open(&models.join("potion-base-8M-int8")).unwrap();
    library.models().set_embedders(vec![Arc::new(table)]);
    (folder, library)
}

/// Stores one document with a chunk for each text and metadata.
async fn store(library: &Library, chunks: &[(&str, Value)]) {
    let store = library.store();
    let corpus = store
        .put_corpus(NewCorpus {
            workspace_id: None,
            name: "standards".to_owned(),
            source_type: "text".to_owned(),
            strategy: "recursive".to_owned(),
            settings: Map::new(),
            base_url: String::new(),
            remote: false,
        })
        .await
        .unwrap();
    let mut text = String::new();
    let chunks = chunks
        .iter()
        .map(|(chunk, metadata)| {
            let start = text.len();
            text.push_str(chunk);
            let span = Span::new(start, text.len());
            text.push_str("\n\n");
            NewChunk {
                parent: None,
                text: (*chunk).to_owned(),
                pieces: vec![Piece::Source { span, role: Role::Body }],
                extent: span,
                metadata: metadata.as_object().cloned().unwrap_or_default(),
                pages: None,
                tokens: chunk.len() / 4,
                oversize: false,
            }
        })
        .collect();
    let document = NewDocument {
        corpus_id: corpus.id,
        path: "standards.md".to_owned(),
        root: String::new(),
        origin: DocumentOrigin::Upload,
        report_id: None,
        replaces_report: false,
        format: "plain".to_owned(),
        title: "Standards".to_owned(),
        source_hash: String::new(),
        text_version: String::new(),
        config_hash: String::new(),
        token_count: 0,
        document: Document { body: Span::new(0, text.len()), text, ..Document::default() },
        bytes: Vec::new(),
        page_metadata: None,
        chunks,
        figures: Vec::new(),
        job_file: None,
    };
    store.put_document(document).await.unwrap();
}

fn written(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    path
}

#[tokio::test(flavor = "multi_thread")]
async fn gold_queries_are_scored_by_paragraph_and_topic() {
    let (folder, library) = library().await;
    store(
        &library,
        &[
            ("The board oversees risks from a warming climate.", json!({"paragraph_id": "S2.6(a)"})),
            (
                "The board oversees risks from a warming climate, continued.",
                json!({"paragraph_id": "S2.6(a)"}),
            ),
            ("Managers keep the controls up to date.", json!({"paragraph_id": "S2.6(b)"})),
            (
                "Fuel burned by aircraft and the emissions it causes.",
                json!({"topic_code": "TR-AL-110a", "metric_codes": ["TR-AL-110a.1"]}),
            ),
        ],
    )
    .await;
    let lines = [
        json!({"id": "q1", "query": "board oversees climate", "type": "paraphrase", "relevant": {"S2.6(a)": 3, "S2.6(b)": 2}}),
        json!({"id": "q2", "query": "fuel burned by aircraft", "type": "sasb", "relevant": {"TR-AL-110a.1": 3}}),
        json!({"id": "q3", "query": "S2.6(b)", "type": "exact_id", "relevant": {"S2.6(b)": 3, "S2.99": 2}}),
        json!({"id": "q4", "query": "zebra crossing quota", "type": "negative", "answerable": false, "relevant": {}}),
    ];
    let text = lines.map(|line| line.to_string()).join("\n") + "\nnot json\n";
    let path = written(folder.path(), "gold.jsonl", &text);
    let options = EvaluateOptions {
        measures: vec!["success@1".to_owned(), "recall@2".to_owned()],
        ..Default::default()
    };
    let (evaluation, runs) =
        library.evaluation().gold(DEFAULT_WORKSPACE, &path, &options, None, |_| {}).await.unwrap();
    assert!(runs.is_empty(), "nothing is kept that was not asked for");

    // The second part of S2.6(a) does not count as a place, so S2.6(b) is among the first two.
    let first = evaluation.per_query[0].scores.get(Mode::Semantic).unwrap();
    assert_eq!((first["success@1"], first["recall@2"]), (1.0, 1.0));
    for mode in options.modes {
        assert_eq!(evaluation.per_query[1].scores.get(mode).unwrap()["success@1"], 1.0, "{mode:?}");
    }
    let exact = evaluation.per_query[2].scores.get(Mode::Hybrid).unwrap();
    assert_eq!((exact["success@1"], exact["recall@2"]), (1.0, 0.5));
    let negative = evaluation.per_query[3].scores.get(Mode::Keyword).unwrap();
    assert_eq!(negative.iter().collect::<Vec<_>>(), [(&"not_found_accuracy".to_owned(), &1.0)]);
    assert_eq!((evaluation.queries, evaluation.answerable), (4, 3));
    assert!(evaluation.notices[0].starts_with("line 5 is left out"), "{:?}", evaluation.notices);
    assert!(evaluation.notices[1].starts_with("1 label cannot be found"), "{:?}", evaluation.notices);
    assert!(evaluation.notices[1].contains("S2.99"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mode_that_cannot_run_is_not_measured_as_another() {
    let (folder, library) = library().await;
    store(&library, &[("The board oversees risks.", json!({"paragraph_id": "S2.6(a)"}))]).await;
    library.models().set_embedders(Vec::new());
    let line = json!({"id": "q1", "query": "board risks", "type": "paraphrase", "relevant": {"S2.6(a)": 3}});
    let path = written(folder.path(), "gold.jsonl", &line.to_string());
    let mut options = EvaluateOptions { modes: vec![Mode::Hybrid], ..Default::default() };
    let refused = library.evaluation().gold(DEFAULT_WORKSPACE, &path, &options, None, |_| {}).await;
    let refused = refused.unwrap_err();
    assert_eq!(refused.code(), "search_incomplete");
    assert!(refused.to_string().contains("hybrid search"), "{refused}");
    options.modes = vec![Mode::Keyword];
    let (measured, _) =
        library.evaluation().gold(DEFAULT_WORKSPACE, &path, &options, None, |_| {}).await.unwrap();
    assert_eq!(measured.measures.keyword.unwrap()["recall@5"], 1.0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collection_is_searched_in_a_library_of_its_own() {
    let (folder, library) = library().await;
    let dir = folder.path().join("pets");
    written(
        &dir,
        "corpus.jsonl",
        concat!(
            "{\"_id\": \"d1\", \"title\": \"Cats\", \"text\": \"Cats sleep\\r\\nmost of the day.\"}\n",
            "{\"_id\": \"d2\", \"title\": \"\", \"text\": \"Dogs bark at strangers.\"}\n",
            "{\"_id\": \"d3\", \"title\": \"Empty\"\n",
            "{\"_id\": \"d4\", \"title\": \"Fish\", \"text\": \"Fish swim in water.\"}\n",
        ),
    );
    written(
        &dir,
        "queries.jsonl",
        "{\"_id\": \"1\", \"text\": \"barking dogs\"}\n{\"_id\": \"2\", \"text\": \"sleeping cats\"}\n",
    );
    written(&dir, "qrels/test.tsv", "query-id\tcorpus-id\tscore\n1\td2\t1\n2\td1\t1\n2\td4\t0\n");
    let scratch = tempfile::tempdir().unwrap();
    let options = BeirOptions { scratch: Some(scratch.path().to_owned()), ..BeirOptions::default() };
    let seen = Mutex::new(Vec::new());
    let watch = |progress: EvaluateProgress| seen.lock().unwrap().push(progress);
    let (first, _) = library.evaluation().beir(DEFAULT_WORKSPACE, &dir, &options, None, watch).await.unwrap();
    for scores in [&first.measures.hybrid, &first.measures.semantic, &first.measures.keyword] {
        assert_eq!(scores.as_ref().unwrap()["ndcg@10"], 1.0);
    }
    assert_eq!(first.per_query[0].found.hybrid.as_ref().unwrap()[0], "d2");
    assert!(first.notices[0].starts_with("corpus.jsonl line 3 is left out"), "{:?}", first.notices);
    let stages: Vec<EvaluateStage> = seen.lock().unwrap().iter().map(|progress| progress.stage).collect();
    assert!(stages.is_sorted_by_key(|&stage| stage as u8), "{stages:?}");
    assert_eq!(stages.first(), Some(&EvaluateStage::Store));

    let (again, runs) =
        library.evaluation().beir(DEFAULT_WORKSPACE, &dir, &options, Some("wee"), |_| {}).await.unwrap();
    let names: Vec<&str> = runs.iter().map(|run| run.name.as_str()).collect();
    assert_eq!(names, ["wee", "wee (semantic)", "wee (keyword)"]);
    assert_eq!(runs[0].summary.measures["ndcg@10"], 1.0);
    assert_eq!(again, first);
    assert!(library.store().chunk_counts(1).await.unwrap().is_empty(), "the library itself stays empty");
}
