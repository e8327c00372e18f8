//! No verb of one workspace returns what belongs to another.

use proptest::prelude::*;
use serde_json::{Map, json};
use sibyl_engine::search::{Mode, SearchRequest};
use sibyl_engine::store::origin::DocumentOrigin;
use sibyl_engine::store::table::chunk::NewChunk;
use sibyl_engine::store::table::corpus::NewCorpus;
use sibyl_engine::store::table::document::NewDocument;
use sibyl_engine::store::table::workspace::LabelLanguage;
use sibyl_engine::store::{hash, hex};
use sibyl_engine::{Library, OpenOptions};
use sibyl_text::chunk::Role;
use sibyl_text::{Document, Piece, Span};
use std::collections::BTreeSet;

/// Whom a document belongs to: nobody in particular, or one of two workspaces.
const OWNERS: [Option<&str>; 3] = [None, Some("east"), Some("west")];

async fn put(library: &Library, owner: Option<&str>, number: usize) {
    let store = library.store();
    let workspace_id = match owner {
        Some(name) => Some(store.workspace(name).await.unwrap().id),
        None => None,
    };
    let corpus = NewCorpus {
        workspace_id,
        name: "shelf".to_owned(),
        source_type: "report".to_owned(),
        strategy: "report".to_owned(),
        settings: Map::new(),
        base_url: String::new(),
        remote: false,
    };
    let corpus = store.put_corpus(corpus).await.unwrap();
    let text = format!("Emissions of {} in number {number}.", owner.unwrap_or("everybody"));
    let span = Span::new(0, text.len());
    let metadata =
        json!({"paragraph_id": "S2.29", "owner": owner.unwrap_or("everybody"), "tags": ["climate"]});
    let chunk = NewChunk {
        parent: None,
        text: text.clone(),
        pieces: vec![Piece::Source { span, role: Role::Body }],
        extent: span,
        metadata: metadata.as_object().unwrap().clone(),
        pages: None,
        tokens: 5,
        oversize: false,
    };
    let document = NewDocument {
        corpus_id: corpus.id,
        path: format!("{number}.md"),
        root: String::new(),
        origin: DocumentOrigin::Upload,
        report_id: Some("annual".to_owned()),
        replaces_report: false,
        format: "plain".to_owned(),
        title: owner.unwrap_or("everybody").to_owned(),
        source_hash: hex(&hash(text.as_bytes())),
        text_version: "1".to_owned(),
        config_hash: "1".to_owned(),
        bytes: text.clone().into_bytes(),
        document: Document { text, body: span, ..Document::default() },
        token_count: 5,
        page_metadata: None,
        chunks: vec![chunk],
        figures: Vec::new(),
        job_file: None,
    };
    store.put_document(document).await.unwrap();
}

/// What every verb shows to `workspace`, as the owners of the results, verb by verb.
async fn shown(library: &Library, workspace: &str, rows: Vec<i64>) -> Vec<(&'static str, BTreeSet<String>)> {
    let store = library.store();
    let id = store.workspace(workspace).await.unwrap().id;
    let mut seen = Vec::new();
    let documents = store.documents(id, None).await.unwrap();
    seen.push(("documents", documents.iter().map(|document| document.title.clone()).collect()));
    let (mut of, mut one, mut full, mut sources) =
        (BTreeSet::new(), BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for row in &rows {
        // Every document's row is tried, including those of others.
        for chunk in store.chunks_of(id, *row, 0, i64::MAX).await.unwrap() {
            of.insert(chunk.title.clone());
            one.extend(store.chunk(id, &chunk.chunk_id).await.unwrap().map(|chunk| chunk.title));
        }
        full.extend(store.document(id, *row).await.ok().map(|(document, _)| document.title));
        if let Ok((bytes, _)) = store.source(id, *row).await {
            let text = String::from_utf8(bytes).unwrap();
            sources.insert(text.split(' ').nth(2).unwrap().to_owned());
        }
    }
    seen.extend([("chunks_of", of), ("chunk", one), ("document", full), ("source", sources)]);
    let by_row = store.chunks_by_row(id, rows).await.unwrap();
    seen.push(("chunks_by_row", by_row.into_values().map(|chunk| chunk.title).collect()));
    let keyed = store.chunks_with_key(id, "S2.29").await.unwrap();
    let keyed = store.chunks_by_row(id, keyed).await.unwrap();
    seen.push(("chunks_with_key", keyed.into_values().map(|chunk| chunk.title).collect()));
    for query in ["emissions everybody east west", "S2.29"] {
        let request = SearchRequest {
            query: query.to_owned(),
            mode: Mode::Keyword,
            top_k: 100,
            ..SearchRequest::default()
        };
        let found = library.search().run(workspace, &request).await.unwrap();
        seen.push(("search", found.results.into_iter().map(|hit| hit.title).collect()));
    }
    seen
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn no_verb_crosses_from_one_workspace_to_another(owners in prop::collection::vec(0_usize..3, 1..12)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let folder = tempfile::tempdir().unwrap();
            let library = Library::open(OpenOptions::new(folder.path())).await.unwrap();
            for name in OWNERS.into_iter().flatten() {
                library.store().create_workspace(name, LabelLanguage::En).await.unwrap();
            }
            for (number, owner) in owners.iter().enumerate() {
                put(&library, OWNERS[*owner], number).await;
            }
            let rows: Vec<i64> = (1..=owners.len() as i64).collect();
            for workspace in OWNERS.into_iter().flatten() {
                let expected: BTreeSet<String> = owners
                    .iter()
                    .map(|owner| OWNERS[*owner])
                    .filter(|owner| owner.is_none_or(|name| name == workspace))
                    .map(|owner| owner.unwrap_or("everybody").to_owned())
                    .collect();
                for (verb, seen) in shown(&library, workspace, rows.clone()).await {
                    assert_eq!(seen, expected, "{verb} in {workspace}");
                }
            }
        });
    }
}
