//! Laws of workspaces, corpora and chunks.

use crate::Bench;
use crate::made::{Desk, Random, described, document, new_corpus};
use serde_json::{Map, json};
use sibyl_store::table::thesaurus::NewThesaurusEntry;
use sibyl_store::table::workspace::LabelLanguage;
use std::collections::HashMap;

/// An existing workspace is returned unchanged; only the default one is made when asked for.
pub async fn a_workspace_is_made_once<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let first = desk.store.create_workspace("west", LabelLanguage::Sv).await.unwrap();
    let again = desk.store.create_workspace("west", LabelLanguage::En).await.unwrap();
    assert_eq!(first, again);
    desk.another("east").await;
    let names: Vec<String> = desk.store.workspaces().await.unwrap().into_iter().map(|one| one.name).collect();
    assert_eq!(names, ["default", "east", "west"]);
    assert_eq!(desk.store.workspace("north").await.unwrap_err().code(), "not_found");
    assert_eq!(desk.store.create_workspace("", LabelLanguage::En).await.unwrap_err().code(), "invalid");
}

/// A workspace sees its own corpora and the shared ones; of two of one name it means its own.
pub async fn a_workspace_sees_its_own_corpora_and_shared_ones<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let west = desk.another("west").await;
    let shared = desk.corpus(None, "both").await;
    let own = desk.corpus(Some(desk.workspace), "both").await;
    let other = desk.corpus(Some(west), "west").await;
    let seen = async |workspace| {
        let mut keys: Vec<i64> =
            desk.store.corpora(workspace).await.unwrap().into_iter().map(|one| one.id).collect();
        keys.sort_unstable();
        keys
    };
    assert_eq!(seen(desk.workspace).await, [shared, own]);
    assert_eq!(seen(west).await, [shared, other]);
    let named = async |workspace| desk.store.corpus(workspace, "both").await.unwrap().map(|one| one.id);
    assert_eq!(named(desk.workspace).await, Some(own));
    assert_eq!(named(west).await, Some(shared));
    assert_eq!(desk.store.corpus(desk.workspace, "west").await.unwrap(), None);
    assert_eq!(desk.store.corpus_in(None, "both").await.unwrap().map(|one| one.id), Some(shared));
    assert_eq!(desk.store.corpus_in(Some(west), "both").await.unwrap(), None);
}

/// Putting a corpus again changes its settings, but neither its key nor its documents.
pub async fn a_corpus_keeps_its_key_and_documents<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let (corpus, id) = desk.shelf(&["alba brix".to_owned()]).await;
    let settings: Map<_, _> = [("size".to_owned(), json!(7))].into_iter().collect();
    let new = new_corpus(Some(desk.workspace), "texts", "text");
    let changed =
        desk.store.put_corpus(sibyl_store::table::corpus::NewCorpus { settings, ..new }).await.unwrap();
    assert_eq!((changed.id, &changed.settings["size"]), (corpus, &json!(7)));
    assert_eq!(desk.store.corpus_by_id(corpus).await.unwrap(), changed);
    assert_eq!(desk.texts(id).await, ["alba brix"]);
    let other = new_corpus(Some(desk.workspace), "texts", "report");
    assert_eq!(desk.store.put_corpus(other).await.unwrap_err().code(), "invalid");
    let licensed = new_corpus(None, "copies", "licensed");
    assert_eq!(desk.store.put_corpus(licensed).await.unwrap_err().code(), "invalid", "it may not be shared");
}

/// A deleted workspace takes its own corpora with it, but nothing that is shared.
pub async fn a_deleted_workspace_leaves_what_is_shared<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let west = desk.another("west").await;
    let shared = desk.corpus(None, "shared").await;
    let own = desk.corpus(Some(west), "own").await;
    let kept = desk.put(document(shared, "s.md", &["alba"])).await;
    desk.put(document(own, "o.md", &["brix"])).await;
    desk.store.delete_workspace("west").await.unwrap();
    assert_eq!(desk.store.workspace("west").await.unwrap_err().code(), "not_found");
    assert_eq!(desk.store.corpus_by_id(own).await.unwrap_err().code(), "not_found");
    assert_eq!(desk.texts(kept).await, ["alba"]);
    assert_eq!(desk.store.delete_workspace("default").await.unwrap_err().code(), "invalid");
    assert_eq!(desk.store.delete_workspace("west").await.unwrap_err().code(), "not_found");
}

/// A chunk is read as it was put.
pub async fn a_chunk_comes_back_as_it_was_put<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let corpus = desk.corpus(Some(desk.workspace), "texts").await;
    let metadata: Map<_, _> = json!({ "section": "Härd", "deep": { "list": [1, null, 0.1] } })
        .as_object()
        .cloned()
        .unwrap_or_default();
    let mut new = described(corpus, "å/ö.md", vec![("Größe — 1 ½ €\u{1F30A}".to_owned(), metadata.clone())]);
    new.chunks[0].pages = Some((3, 5));
    new.chunks[0].tokens = 99;
    new.chunks[0].oversize = true;
    let put = new.chunks[0].clone();
    let id = desk.put(new).await;
    let chunk = desk.chunks(id).await.remove(0);
    assert_eq!((&chunk.text, &chunk.pieces, &chunk.metadata), (&put.text, &put.pieces, &metadata));
    assert_eq!((chunk.pages, chunk.tokens, chunk.oversize), (Some((3, 5)), 99, true));
    assert_eq!((chunk.document_id, chunk.ordinal, chunk.path.as_str()), (id, 0, "å/ö.md"));
    assert_eq!(chunk.content_hash, sibyl_store::hex(&sibyl_store::hash(put.text.as_bytes())));
    let alone = desk.store.chunk(desk.workspace, &chunk.chunk_id).await.unwrap();
    assert_eq!(alone.as_ref(), Some(&chunk));
    let by_key = desk.store.chunks_by_row(desk.workspace, vec![chunk.id]).await.unwrap();
    assert_eq!(by_key, HashMap::from([(chunk.id, chunk)]));
}

/// Pages of any size follow each other without a gap or a repeat.
pub async fn pages_of_chunks_follow_each_other<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let mut random = Random(1);
    let texts: Vec<String> = (0..23).map(|n| format!("{n} {}", random.text(1, 5))).collect();
    let (_, id) = desk.shelf(&texts).await;
    for limit in [1, 4, 23, 50] {
        let mut read = Vec::new();
        for offset in (0..24).step_by(limit) {
            let page = desk.store.chunks_of(desk.workspace, id, offset, limit as i64).await.unwrap();
            read.extend(page.into_iter().map(|chunk| chunk.text));
        }
        assert_eq!(read, texts, "{limit} at a time");
    }
}

/// Nothing of a workspace is read through another, by whatever key.
pub async fn no_workspace_reads_anothers_chunks<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let west = desk.another("west").await;
    let (_, id) = desk.shelf(&["alba".to_owned()]).await;
    let own = desk.chunks(id).await.remove(0);
    let store = &desk.store;
    assert_eq!(store.chunk(west, &own.chunk_id).await.unwrap(), None);
    assert!(store.chunks_by_row(west, vec![own.id]).await.unwrap().is_empty());
    assert!(store.chunks_of(west, id, 0, 9).await.unwrap().is_empty());
    assert!(store.documents(west, None).await.unwrap().is_empty());
    assert_eq!(store.document_row(west, id).await.unwrap_err().code(), "not_found");
    assert_eq!(store.document(west, id).await.unwrap_err().code(), "not_found");
    assert_eq!(store.source(west, id).await.unwrap_err().code(), "not_found");
    assert!(store.chunk_counts(west).await.unwrap().iter().all(|(_, chunks)| *chunks == 0));
    let shared = desk.corpus(None, "shared").await;
    let open = desk.put(document(shared, "open.md", &["brix"])).await;
    assert_eq!(store.chunks_of(west, open, 0, 9).await.unwrap().len(), 1, "shared chunks are seen by all");
}

/// A reference finds the chunks that answer to it, in the order of their document, and no others.
pub async fn references_find_chunks_in_order<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let west = desk.another("west").await;
    let corpus = desk.corpus(Some(desk.workspace), "texts").await;
    let with = |name: &str, value| Map::from_iter([(name.to_owned(), value)]);
    let parts = vec![
        ("alba".to_owned(), with("paragraph_id", json!("S2.1"))),
        ("brix".to_owned(), with("references", json!(["S2.2", "S2.1"]))),
        ("corm".to_owned(), with("paragraph_id", json!("S2.10"))),
    ];
    let id = desk.put(described(corpus, "a.md", parts)).await;
    let keys: Vec<i64> = desk.chunks(id).await.iter().map(|chunk| chunk.id).collect();
    let found = async |workspace, key| desk.store.chunks_with_key(workspace, key).await.unwrap();
    assert_eq!(found(desk.workspace, "S2.1").await, keys[..2]);
    assert_eq!(found(desk.workspace, "S2.2").await, [keys[1]]);
    assert!(found(desk.workspace, "S2").await.is_empty());
    assert!(found(west, "S2.1").await.is_empty());
}

/// An entry of the thesaurus counts once for a pair of words, if its corpus is visible.
pub async fn the_thesaurus_keeps_one_entry_for_a_pair<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let west = desk.another("west").await;
    let corpus = desk.corpus(Some(desk.workspace), "texts").await;
    let entry = |corpus_id, weight| NewThesaurusEntry {
        corpus_id,
        term: "alba".to_owned(),
        expansion: "brix".to_owned(),
        weight,
    };
    let store = &desk.store;
    let own = store.put_thesaurus_entry(desk.workspace, entry(Some(corpus), 0.5)).await.unwrap();
    assert_eq!(store.put_thesaurus_entry(desk.workspace, entry(Some(corpus), 0.25)).await.unwrap(), own);
    store.put_thesaurus_entry(desk.workspace, entry(None, 1.0)).await.unwrap();
    let weights = async |workspace| {
        let entries = store.thesaurus(workspace).await.unwrap();
        entries.into_iter().map(|entry| (entry.corpus_id, entry.weight)).collect::<HashMap<_, _>>()
    };
    assert_eq!(weights(desk.workspace).await, HashMap::from([(Some(corpus), 0.25), (None, 1.0)]));
    assert_eq!(weights(west).await, HashMap::from([(None, 1.0)]));
    assert_eq!(store.delete_thesaurus_entry(west, own).await.unwrap_err().code(), "not_found");
    store.delete_thesaurus_entry(desk.workspace, own).await.unwrap();
    assert_eq!(weights(desk.workspace).await, HashMap::from([(None, 1.0)]));
    for weight in [0.0, 1.5, f64::NAN] {
        let refused = store.put_thesaurus_entry(desk.workspace, entry(None, weight)).await.unwrap_err();
        assert_eq!(refused.code(), "invalid", "{weight}");
    }
}
