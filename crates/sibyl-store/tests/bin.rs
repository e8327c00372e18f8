//! The bin of a library: deleted things cannot be found anywhere, and come back as they were.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use sibyl_store::scope::Filters;
use sibyl_store::table::bin::{DeletedBecause, KEPT_DAYS};
use sibyl_store::table::chunk::ChunkRow;
use sibyl_store::table::corpus::NewCorpus;
use sibyl_store::table::document::{Details, DocumentRow, NewDocument};
use sibyl_store::table::fact::FactFilter;
use sibyl_store::table::workspace::LabelLanguage;
use sibyl_store::{Error, LIBRARY_FILE, Place, Store, open};
use sibyl_text::Document;
use std::path::Path;
use std::sync::Arc;

/// A library with two documents, a report and a text, each with vectors of two models, and a review of the report.
struct Shelf {
    folder: tempfile::TempDir,
    store: Arc<dyn Store>,
    workspace: i64,
}

impl Shelf {
    async fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/former/schema_8.sibyl");
        std::fs::copy(library, folder.path().join(LIBRARY_FILE)).unwrap();
        let store = open(Place::named(folder.path())).unwrap();
        let workspace = store.workspace("default").await.unwrap().id;
        Self { folder, store, workspace }
    }

    async fn document(&self, path: &str) -> DocumentRow {
        let documents = self.store.documents(self.workspace, None).await.unwrap();
        documents.into_iter().find(|document| document.path == path).unwrap()
    }

    async fn paths(&self) -> Vec<String> {
        let documents = self.store.documents(self.workspace, None).await.unwrap();
        let mut paths: Vec<String> = documents.into_iter().map(|document| document.path).collect();
        paths.sort();
        paths
    }

    /// Chunks of a document without their row numbers.
    async fn chunks(&self, document: i64) -> Vec<ChunkRow> {
        let chunks = self.store.chunks_of(self.workspace, document, 0, 100).await.unwrap();
        chunks.into_iter().map(|chunk| ChunkRow { id: 0, ..chunk }).collect()
    }

    async fn binned(&self) -> Vec<String> {
        self.store.binned(self.workspace).await.unwrap().into_iter().map(|document| document.path).collect()
    }

    /// Texts without a vector, in any space.
    async fn missing(&self) -> u64 {
        let corpora = self.store.embeddable_corpora(false).await.unwrap();
        let mut missing = 0;
        for space in self.store.spaces().await.unwrap() {
            missing += self.store.count_missing(&space.id, corpora.clone()).await.unwrap().texts;
        }
        missing
    }

    async fn is_sound(&self) {
        let health = self.store.doctor().await.unwrap();
        assert!(health.is_sound(), "{:?}", health.findings);
    }

    /// The result of counting in the file itself.
    fn count(&self, query: &str) -> i64 {
        let library = rusqlite::Connection::open(self.folder.path().join(LIBRARY_FILE)).unwrap();
        library.query_row(query, [], |row| row.get(0)).unwrap()
    }
}

/// The present moment in Unix seconds.
fn now() -> i64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs().cast_signed()
}

fn again(row: &DocumentRow, bytes: &[u8]) -> NewDocument {
    NewDocument {
        corpus_id: row.corpus_id,
        path: row.path.clone(),
        root: row.root.clone(),
        origin: row.origin.clone(),
        report_id: row.report_id.clone(),
        replaces_report: false,
        format: row.format.clone(),
        title: "Another".to_owned(),
        source_hash: sibyl_store::hex(&sibyl_store::hash(bytes)),
        text_version: String::new(),
        config_hash: String::new(),
        document: Document::default(),
        token_count: 0,
        bytes: bytes.to_vec(),
        page_metadata: None,
        chunks: Vec::new(),
        figures: Vec::new(),
        job_file: None,
    }
}

#[tokio::test]
async fn what_is_in_the_bin_is_nowhere_else_and_returns_with_all_that_belongs_to_it() {
    let shelf = Shelf::open().await;
    let (store, workspace) = (&shelf.store, shelf.workspace);
    let report = shelf.document("northwind-2025.md").await;
    let first = store.chunks_of(workspace, report.id, 0, 10).await.unwrap().remove(0);
    store.add_phrasing(workspace, &first.chunk_id, "quillwort ledger").await.unwrap();
    let details = Details { issuer: Some("Northwind Energy plc".to_owned()), ..Details::default() };
    let before = store.correct_document(workspace, report.id, details).await.unwrap();
    let chunks = shelf.chunks(report.id).await;
    let reviews = store.reviews(workspace, None).await.unwrap();
    let (figures, source) =
        (store.corpus_figures(workspace).await.unwrap(), store.source(workspace, report.id).await.unwrap());
    let scope = store.scope(workspace, Filters::default()).await.unwrap();
    let missing = shelf.missing().await;
    assert_eq!((reviews.len(), chunks.len()), (1, 2));

    assert_eq!(store.delete_documents(vec![report.id]).await.unwrap(), 2);
    assert_eq!(shelf.paths().await, ["energy.md", "notes.txt", "water.md"]);
    assert!(matches!(store.document(workspace, report.id).await, Err(Error::NotFound { .. })));
    assert!(matches!(store.source(workspace, report.id).await, Err(Error::NotFound { .. })));
    assert!(store.chunk(workspace, &first.chunk_id).await.unwrap().is_none());
    assert!(store.reviews(workspace, None).await.unwrap().is_empty());
    assert!(store.reviews(workspace, report.report_id.clone()).await.unwrap().is_empty());
    assert!(store.facts(workspace, FactFilter::default()).await.unwrap().is_empty());
    assert!(store.documents_at(workspace, &report.path).await.unwrap().is_empty());
    assert!(store.document_from(workspace, report.origin.path().unwrap()).await.unwrap().is_none());
    assert_eq!(store.corpus_figures(workspace).await.unwrap()[&report.corpus_id].documents, 0);
    let now = store.scope(workspace, Filters::default()).await.unwrap();
    assert_eq!(now.allowed.len() + 2, scope.allowed.len());
    let binned = store.binned(workspace).await.unwrap();
    let told: Vec<_> =
        binned.iter().map(|it| (it.id, it.title.as_str(), it.corpus.as_str(), it.reason)).collect();
    assert_eq!(told, [(report.id, before.title.as_str(), "reports", DeletedBecause::Deleted)]);
    shelf.is_sound().await;

    let restored = store.restore_documents(workspace, vec![report.id]).await.unwrap();
    assert_eq!((restored.restored, restored.refused.len()), (vec![report.id], 0));
    assert!(shelf.binned().await.is_empty());
    assert_eq!(store.document_row(workspace, report.id).await.unwrap(), before);
    assert_eq!(shelf.chunks(report.id).await, chunks);
    assert_eq!(chunks[0].added_phrases(), ["quillwort ledger"]);
    assert_eq!(store.reviews(workspace, None).await.unwrap(), reviews);
    assert_eq!(store.corpus_figures(workspace).await.unwrap(), figures);
    assert_eq!(store.source(workspace, report.id).await.unwrap(), source);
    assert_eq!(shelf.missing().await, missing, "no text needs a new vector");
    shelf.is_sound().await;
}

#[tokio::test]
async fn the_documents_of_a_corpus_that_was_deleted_make_it_again() {
    let shelf = Shelf::open().await;
    let (store, workspace) = (&shelf.store, shelf.workspace);
    let corpora = store.corpora(workspace).await.unwrap();
    let docs = corpora.iter().find(|corpus| corpus.source_type == "docs").unwrap().clone();
    assert_eq!(store.delete_corpus(docs.id).await.unwrap(), 3);
    assert_eq!(shelf.paths().await, ["northwind-2025.md", "notes.txt"]);
    assert_eq!(shelf.binned().await, ["energy.md", "water.md"]);
    let ids: Vec<i64> = store.binned(workspace).await.unwrap().iter().map(|document| document.id).collect();
    store.restore_documents(workspace, ids).await.unwrap();
    let made = store.corpus_in(docs.workspace_id, &docs.name).await.unwrap().unwrap();
    assert_eq!(
        (&made.strategy, &made.settings, &made.base_url, made.remote, &made.source_type),
        (&docs.strategy, &docs.settings, &docs.base_url, docs.remote, &docs.source_type)
    );
    assert_eq!(shelf.paths().await, ["energy.md", "northwind-2025.md", "notes.txt", "water.md"]);
    shelf.is_sound().await;

    // A corpus of that name with documents of another kind does not accept any of them.
    store.delete_corpus(made.id).await.unwrap();
    let new = NewCorpus { source_type: "text".to_owned(), ..NewCorpus::from(made) };
    store.put_corpus(new).await.unwrap();
    let ids: Vec<i64> = store.binned(workspace).await.unwrap().iter().map(|document| document.id).collect();
    let refused = store.restore_documents(workspace, ids).await.unwrap();
    assert_eq!((refused.restored.len(), refused.refused.len()), (0, 2));
    assert!(refused.refused[0].message.contains("contains text documents now"), "{refused:?}");
}

#[tokio::test]
async fn a_document_whose_place_is_taken_stays_in_the_bin_until_it_is_free() {
    let shelf = Shelf::open().await;
    let (store, workspace) = (&shelf.store, shelf.workspace);
    let water = shelf.document("water.md").await;
    let chunks = shelf.chunks(water.id).await;
    store.delete_documents(vec![water.id]).await.unwrap();
    let (other, _) = store.put_document(again(&water, b"# Another\n")).await.unwrap();
    assert_ne!(other, water.id, "somebody deleted the first one: a new file is a new document");
    let refused = store.restore_documents(workspace, vec![water.id]).await.unwrap();
    assert!(refused.restored.is_empty());
    assert_eq!((refused.refused[0].path.as_str(), refused.refused[0].code.as_str()), ("water.md", "exists"));

    // Both may be in the bin, and the later one may be deleted permanently.
    store.delete_documents(vec![other]).await.unwrap();
    assert_eq!(shelf.binned().await, ["water.md", "water.md"]);
    store.delete_binned(workspace, vec![other]).await.unwrap();
    store.restore_documents(workspace, vec![water.id]).await.unwrap();
    assert_eq!(shelf.chunks(water.id).await, chunks);
    assert!(matches!(store.restore_documents(workspace, vec![other]).await, Err(Error::NotFound { .. })));
    assert!(matches!(store.delete_binned(workspace, vec![water.id]).await, Err(Error::NotFound { .. })));
    shelf.is_sound().await;
}

#[tokio::test]
async fn a_report_that_another_one_replaced_can_come_back() {
    let shelf = Shelf::open().await;
    let report = shelf.document("northwind-2025.md").await;
    let new =
        NewDocument { path: "second.md".to_owned(), replaces_report: true, ..again(&report, b"# Second\n") };
    shelf.store.put_document(new).await.unwrap();
    let binned = shelf.store.binned(shelf.workspace).await.unwrap();
    assert_eq!((binned[0].path.as_str(), binned[0].reason), ("northwind-2025.md", DeletedBecause::Replaced));
    assert_eq!(
        shelf.store.reviews(shelf.workspace, None).await.unwrap().len(),
        1,
        "the report has a document"
    );
    shelf.store.restore_documents(shelf.workspace, vec![report.id]).await.unwrap();
    assert!(shelf.paths().await.contains(&report.path));
}

#[tokio::test]
async fn the_bin_keeps_documents_for_thirty_days() {
    let shelf = Shelf::open().await;
    let (store, workspace) = (&shelf.store, shelf.workspace);
    let report = shelf.document("northwind-2025.md").await;
    store.delete_documents(vec![report.id]).await.unwrap();
    let day = 24 * 60 * 60;
    assert_eq!(store.empty_bin(now() + (KEPT_DAYS - 1) * day).await.unwrap(), 0);
    assert_eq!(shelf.binned().await, ["northwind-2025.md"]);
    assert_eq!(store.empty_bin(now() + KEPT_DAYS * day).await.unwrap(), 1);
    assert!(shelf.binned().await.is_empty());
    for table in ["document WHERE corpus_id IS NULL", "review", "binned"] {
        assert_eq!(shelf.count(&format!("SELECT count(*) FROM {table}")), 0, "{table}");
    }
    assert_eq!(shelf.count("SELECT count(*) FROM source"), 3);
    assert!(matches!(store.restore_documents(workspace, vec![report.id]).await, Err(Error::NotFound { .. })));
    shelf.is_sound().await;
}

#[tokio::test]
async fn a_workspace_has_a_bin_of_its_own_which_goes_with_it() {
    let shelf = Shelf::open().await;
    let store = &shelf.store;
    let west = store.create_workspace("west", LabelLanguage::En).await.unwrap().id;
    let corpus = NewCorpus {
        workspace_id: Some(west),
        name: "texts".to_owned(),
        source_type: "text".to_owned(),
        strategy: "recursive".to_owned(),
        settings: serde_json::Map::new(),
        base_url: String::new(),
        remote: false,
    };
    let corpus_id = store.put_corpus(corpus).await.unwrap().id;
    let notes = DocumentRow { corpus_id, ..shelf.document("notes.txt").await };
    let (own, _) = store.put_document(again(&notes, b"west")).await.unwrap();
    store.delete_documents(vec![own]).await.unwrap();
    assert!(shelf.binned().await.is_empty());
    for refused in [
        store.restore_documents(shelf.workspace, vec![own]).await.map(|_| ()),
        store.delete_binned(shelf.workspace, vec![own]).await.map(|_| ()),
    ] {
        assert!(matches!(refused, Err(Error::NotFound { .. })), "{refused:?}");
    }
    assert_eq!(store.binned(west).await.unwrap().len(), 1);
    store.delete_workspace("west").await.unwrap();
    assert_eq!(shelf.count("SELECT count(*) FROM document WHERE corpus_id IS NULL"), 0);
    assert_eq!(shelf.count("SELECT count(*) FROM source"), 4);
    shelf.is_sound().await;
}
