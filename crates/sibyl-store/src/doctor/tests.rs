use super::*;
use crate::origin::DocumentOrigin;
use crate::place::Place;
use crate::table::chunk::NewChunk;
use crate::table::corpus::NewCorpus;
use crate::table::document::NewDocument;
use serde_json::json;
use sibyl_space::Tier;
use sibyl_text::chunk::Role;
use sibyl_text::{Document, Span};

const TEXT: &str = "Boards oversee climate risk.\n\nTargets are set for 2030.";

/// A library with one document of two chunks and their vectors.
async fn library(folder: &std::path::Path) -> SqliteStore {
    let store = SqliteStore::open(Place::named(folder)).unwrap();
    let corpus = NewCorpus {
        workspace_id: None,
        name: "c".to_owned(),
        source_type: "docs".to_owned(),
        strategy: "docs".to_owned(),
        settings: Map::new(),
        base_url: String::new(),
        remote: false,
    };
    let corpus = store.put_corpus(corpus).await.unwrap();
    let chunk = |start: usize, end: usize| {
        let metadata = json!({"paragraph_id": format!("S1.{start}"), "tags": ["climate"]});
        NewChunk {
            parent: None,
            text: TEXT[start..end].to_owned(),
            pieces: vec![Piece::Source { span: Span::new(start, end), role: Role::Body }],
            extent: Span::new(start, end),
            metadata: metadata.as_object().unwrap().clone(),
            pages: None,
            tokens: 7,
            oversize: false,
        }
    };
    let document = NewDocument {
        corpus_id: corpus.id,
        path: "a.md".to_owned(),
        root: String::new(),
        origin: DocumentOrigin::Upload,
        report_id: None,
        replaces_report: false,
        format: "plain".to_owned(),
        title: "A".to_owned(),
        source_hash: hex(&hash(TEXT.as_bytes())),
        text_version: "v".to_owned(),
        config_hash: "c".to_owned(),
        document: Document { text: TEXT.to_owned(), body: Span::new(0, TEXT.len()), ..Document::default() },
        token_count: 14,
        bytes: TEXT.as_bytes().to_vec(),
        page_metadata: None,
        chunks: vec![chunk(0, 28), chunk(30, TEXT.len())],
        figures: Vec::new(),
        job_file: None,
    };
    store.put_document(document).await.unwrap();
    let space = Space {
        tier: Tier::Instant,
        model: "m".to_owned(),
        endpoint: String::new(),
        revision: "1".to_owned(),
        dimensions: 2,
        window: String::new(),
    };
    let id = store.ensure_space(&space).await.unwrap();
    store.put_vectors(&id, vec![(hash(&TEXT.as_bytes()[..28]), vec![0.6, 0.8])]).await.unwrap();
    store
}

async fn codes(store: &SqliteStore) -> Vec<String> {
    store.doctor().await.unwrap().findings.into_iter().map(|finding| finding.code).collect()
}

#[tokio::test]
async fn every_fault_is_found_and_what_is_derived_is_mended() {
    let derived = true;
    for (damage, expected, mended) in [
        ("UPDATE chunk SET input_hash = zeroblob(32) WHERE ordinal = 0", "chunk_hash", !derived),
        ("UPDATE document SET text = replace(text, 'Boards', 'Sheets')", "chunk_text", !derived),
        ("UPDATE chunk SET pieces = replace(pieces, '28', '9999')", "chunk_text", !derived),
        ("UPDATE chunk SET chunk_id = 'ffffffffffffffff' WHERE ordinal = 1", "chunk_id", !derived),
        ("UPDATE chunk SET source_type = 'text'", "chunk_owner", !derived),
        ("UPDATE source SET bytes = x'00'", "source_changed", !derived),
        ("DELETE FROM chunk_key", "chunk_key", derived),
        ("UPDATE chunk_field SET value = 'weather'", "chunk_field", derived),
        ("DELETE FROM keyword WHERE rowid = 1", "keyword_missing", derived),
        ("INSERT INTO keyword (rowid, text) VALUES (99, 'ghost')", "keyword_extra", derived),
        ("UPDATE vector SET vector = x'0000c07f0000003f'", "vector_norm", !derived),
        ("UPDATE vector SET vector = x'00'", "vector_length", !derived),
        ("UPDATE space SET dimensions = 3", "space_description", !derived),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let store = library(folder.path()).await;
        assert_eq!(codes(&store).await, Vec::<String>::new());
        store.pool.write(move |tx| Ok(tx.execute_batch(damage)?)).await.unwrap();
        let found = codes(&store).await;
        assert!(found.iter().any(|code| code == expected), "{damage}: {found:?}");
        store.rebuild().await.unwrap();
        let left = codes(&store).await;
        assert_eq!(left.iter().any(|code| code == expected), !mended, "{damage}: {left:?}");
    }
}

#[tokio::test]
async fn the_index_agrees_after_rows_came_and_went() {
    let folder = tempfile::tempdir().unwrap();
    let store = library(folder.path()).await;
    let change = "DELETE FROM chunk WHERE ordinal = 0;
         INSERT INTO keyword (keyword) VALUES ('optimize');";
    store.pool.write(move |tx| Ok(tx.execute_batch(change)?)).await.unwrap();
    assert_eq!(codes(&store).await, Vec::<String>::new());
    let rebuilt = store.rebuild().await.unwrap();
    assert_eq!((rebuilt.keyword_rows, rebuilt.keys, rebuilt.fields), (1, 1, 2));
    assert_eq!(codes(&store).await, Vec::<String>::new());
}
