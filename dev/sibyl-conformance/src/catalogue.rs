//! Laws of workspaces, corpora and chunks.

use crate::Bench;
use crate::made::{Desk, Random, described, document, new_corpus, space, with};
use serde_json::{Map, json};
use sibyl_store::hash;
use sibyl_store::table::chunk::NewChunk;
use sibyl_store::table::corpus::NewCorpus;
use sibyl_store::table::overview::{CorpusFigures, CorpusShape};
use sibyl_store::table::phrasing::{LONGEST, MOST};
use sibyl_store::table::thesaurus::NewThesaurusEntry;
use sibyl_store::table::workspace::LabelLanguage;
use sibyl_text::Severity;
use sibyl_text::document::Notice;
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
    let changed = desk.store.put_corpus(NewCorpus { settings, ..new }).await.unwrap();
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
    assert_eq!(chunk.content_hash, sibyl_store::hex(&hash(put.text.as_bytes())));
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
    let references = Map::from_iter([("references".to_owned(), json!(["S2.2", "S2.1"]))]);
    let parts = vec![
        ("alba".to_owned(), with("paragraph_id", "S2.1")),
        ("brix".to_owned(), references),
        ("corm".to_owned(), with("paragraph_id", "S2.10")),
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

/// Shipped entries are stored once for each version. Within it, what the user weighted or deleted stays so; a newer
/// one replaces the older one's, and nothing of the user's.
pub async fn shipped_words_give_way_to_the_users<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let store = &desk.store;
    let entry = |term: &str, weight| NewThesaurusEntry {
        corpus_id: None,
        term: term.to_owned(),
        expansion: "kelp".to_owned(),
        weight,
    };
    let ship = async |version, terms: &[&str]| {
        let entries = terms.iter().map(|term| entry(term, 0.5)).collect();
        store.ship_thesaurus(version, entries).await.unwrap()
    };
    let told = async || {
        let entries = store.thesaurus(desk.workspace).await.unwrap();
        entries.into_iter().map(|one| (one.term, one.weight, one.shipped)).collect::<Vec<_>>()
    };
    let is = |term: &str, weight, shipped| (term.to_owned(), weight, shipped);
    assert!(ship(1, &["alba", "brix", "corm"]).await);
    let deleted = store.thesaurus(desk.workspace).await.unwrap()[2].id;
    store.put_thesaurus_entry(desk.workspace, entry("alba", 1.0)).await.unwrap();
    store.delete_thesaurus_entry(desk.workspace, deleted).await.unwrap();
    let own = [is("alba", 1.0, false), is("brix", 0.5, true)];
    assert_eq!(told().await, own);
    assert!(!ship(1, &["alba", "brix", "corm"]).await, "it is stored already");
    assert_eq!(told().await, own);
    assert!(ship(2, &["alba", "dolt"]).await);
    assert_eq!(told().await, [is("alba", 1.0, false), is("dolt", 0.5, true)]);
}

/// A workspace keeps the language that was chosen last.
pub async fn a_workspace_keeps_its_language<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let store = &desk.store;
    let before = store.create_workspace("west", LabelLanguage::En).await.unwrap();
    let changed = store.set_workspace_language("west", LabelLanguage::Sv).await.unwrap();
    assert_eq!((changed.id, changed.language), (before.id, LabelLanguage::Sv));
    assert_eq!(
        store.set_workspace_language("north", LabelLanguage::Sv).await.unwrap_err().code(),
        "not_found"
    );
    assert_eq!(desk.bench.open().await.workspace("west").await.unwrap(), changed);
}

/// Corpora of all workspaces are embedded, but elsewhere only those that may leave the machine.
pub async fn only_what_may_leave_is_embedded_elsewhere<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let west = desk.another("west").await;
    let stays = desk.corpus(None, "stays").await;
    let open = NewCorpus { remote: true, ..new_corpus(Some(west), "open", "text") };
    let leaves = desk.store.put_corpus(open.clone()).await.unwrap().id;
    assert_eq!(desk.store.embeddable_corpora(false).await.unwrap(), [stays, leaves]);
    assert_eq!(desk.store.embeddable_corpora(true).await.unwrap(), [leaves]);
    desk.store.put_corpus(NewCorpus { remote: false, ..open }).await.unwrap();
    assert!(desk.store.embeddable_corpora(true).await.unwrap().is_empty());
    let licensed = NewCorpus { remote: true, ..new_corpus(Some(west), "copies", "licensed") };
    assert_eq!(desk.store.put_corpus(licensed).await.unwrap_err().code(), "invalid");
}

/// The documents of a deleted corpus go into the bin, and make it again when they come back. Those of a dropped one
/// are gone. Either way their vectors stay.
pub async fn a_corpus_is_deleted_into_the_bin_or_dropped<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let store = &desk.store;
    let name = store.ensure_space(&space("made", 2)).await.unwrap();
    store.put_vectors(&name, vec![(hash(b"alba"), vec![1.0, 0.0])]).await.unwrap();
    let (corpus, id) = desk.shelf(&["alba".to_owned(), "brix".to_owned()]).await;
    assert_eq!(store.delete_corpus(corpus).await.unwrap(), 2);
    assert_eq!(store.corpus_by_id(corpus).await.unwrap_err().code(), "not_found");
    assert_eq!(store.corpus(desk.workspace, "texts").await.unwrap(), None);
    store.restore_documents(desk.workspace, vec![id]).await.unwrap();
    let made = store.corpus(desk.workspace, "texts").await.unwrap().unwrap();
    assert_eq!((made.source_type.as_str(), made.strategy.as_str()), ("text", "recursive"));
    assert_eq!(desk.texts(id).await, ["alba", "brix"]);
    store.drop_corpus(made.id).await.unwrap();
    assert!(desk.documents().await.is_empty() && store.binned(desk.workspace).await.unwrap().is_empty());
    assert_eq!(store.corpora(desk.workspace).await.unwrap(), []);
    assert_eq!(store.known_inputs(&name, vec![hash(b"alba")]).await.unwrap().len(), 1);
}

/// The figures of a corpus add up to what was put, and its shape names the groups of its chunks.
pub async fn figures_of_a_corpus_add_up<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let west = desk.another("west").await;
    let corpus = desk.corpus(Some(desk.workspace), "texts").await;
    let empty = desk.corpus(Some(desk.workspace), "empty").await;
    let parts = [
        ("content_type", "prose"),
        ("section", "risk"),
        ("content_type", "table"),
        ("content_type", "prose"),
    ];
    let parts = parts.map(|(field, value)| ("alba".to_owned(), with(field, value)));
    let mut new = described(corpus, "b.md", parts.to_vec());
    for (chunk, tokens) in new.chunks.iter_mut().zip([9, 1, 5, 3]) {
        chunk.tokens = tokens;
    }
    new.document.notices.push(Notice::new(Severity::Warning, "torn", "a page is torn"));
    let bytes = new.bytes.len() as u64;
    desk.put(new).await;
    desk.put(document(corpus, "a.md", &["brix", "corm"])).await;
    let figures = desk.store.corpus_figures(desk.workspace).await.unwrap();
    let own = figures[&corpus].clone();
    assert_eq!((own.documents, own.chunks, own.tokens), (2, 6, 9 + 1 + 5 + 3 + 1 + 1));
    assert_eq!((own.missing, own.incomplete, own.bytes), (0, 0, bytes + "brix\n\ncorm\n\n".len() as u64));
    assert!(own.last_ingested.is_some());
    assert_eq!(figures[&empty], CorpusFigures::default());
    assert!(desk.store.corpus_figures(west).await.unwrap().is_empty());
    let counts = desk.store.chunk_counts(desk.workspace).await.unwrap();
    assert_eq!(counts, [("text".to_owned(), 6)]);
    let group = |name: &str, chunks| (name.to_owned(), chunks);
    let shape = CorpusShape {
        median_tokens: 1,
        groups: vec![group("", 2), group("prose", 2), group("risk", 1), group("table", 1)],
        filters: vec!["section".to_owned(), "content type".to_owned()],
        notices: vec![("b.md".to_owned(), "a page is torn".to_owned())],
    };
    assert_eq!(desk.store.corpus_shape(corpus).await.unwrap(), shape);
    assert_eq!(desk.store.corpus_shape(empty).await.unwrap(), CorpusShape::default());
}

/// The chunks of source types come type by type, in the order of corpora, paths and positions.
pub async fn chunks_of_a_type_are_in_order<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let west = desk.another("west").await;
    let first = desk.corpus(None, "shared").await;
    let own = desk.store.put_corpus(new_corpus(Some(desk.workspace), "own", "docs")).await.unwrap().id;
    for (corpus, path, texts) in [
        (own, "a.md", &["1"][..]),
        (first, "b.md", &["2", "3"]),
        (first, "a.md", &["4"]),
        (own, "b.md", &["5"]),
    ] {
        desk.put(document(corpus, path, texts)).await;
    }
    let texts = async |workspace, types| {
        let chunks = desk.store.chunks_of_types(workspace, types).await.unwrap();
        chunks.into_iter().map(|chunk| chunk.text).collect::<Vec<_>>()
    };
    assert_eq!(texts(desk.workspace, vec!["docs", "text"]).await, ["1", "5", "4", "2", "3"]);
    assert_eq!(texts(desk.workspace, vec!["text"]).await, ["4", "2", "3"]);
    assert_eq!(texts(west, vec!["docs", "text"]).await, ["4", "2", "3"]);
    assert!(texts(desk.workspace, vec!["report"]).await.is_empty());
}

/// A phrasing is a part of the text that its chunk is found by. It stays when the document is read again, and leaves
/// no trace when it is taken back.
pub async fn a_phrasing_is_part_of_its_chunk<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let store = &desk.store;
    let west = desk.another("west").await;
    let texts = ["alba brix corm".to_owned(), "dolt".to_owned()];
    let (corpus, id) = desk.shelf(&texts).await;
    let before = desk.chunks(id).await.remove(0);
    let name = before.chunk_id.clone();
    let add = async |workspace, phrase: &str| store.add_phrasing(workspace, &name, phrase).await;
    let added = add(desk.workspace, "who is  white").await.unwrap();
    assert_eq!(added.chunk_id, name);
    assert!(added.text.contains("alba brix corm") && added.text.contains("who is white"), "{}", added.text);
    assert_ne!(added.content_hash, before.content_hash, "it is another text, without a vector");
    assert_eq!(add(desk.workspace, "WHO is white").await.unwrap_err().code(), "exists");
    for bad in ["", " ", &"x".repeat(LONGEST + 1)] {
        assert_eq!(add(desk.workspace, bad).await.unwrap_err().code(), "invalid", "{bad}");
    }
    assert_eq!(add(west, "what is brix").await.unwrap_err().code(), "not_found");
    desk.put(document(corpus, "a.md", &texts)).await;
    assert_eq!(desk.texts(id).await[0], added.text, "read again");
    let chunks: Vec<NewChunk> = document(corpus, "a.md", &texts).chunks;
    let applied = async |document| {
        let chunks = store.with_phrasings(document, chunks.clone()).await.unwrap();
        chunks.into_iter().map(|chunk| chunk.text).collect::<Vec<_>>()
    };
    assert_eq!(applied(id).await, desk.texts(id).await);
    assert_eq!(applied(id + 1_000).await, texts);
    let remove = async |workspace, phrase: &str| store.remove_phrasing(workspace, &name, phrase).await;
    assert_eq!(remove(west, "who is white").await.unwrap_err().code(), "not_found");
    let now = remove(desk.workspace, "who is white").await.unwrap();
    assert_eq!((now.text, now.pieces, now.content_hash), (before.text, before.pieces, before.content_hash));
    assert_eq!(remove(desk.workspace, "who is white").await.unwrap_err().code(), "not_found");
    for n in 0..MOST {
        add(desk.workspace, &format!("question {n}")).await.unwrap();
    }
    assert_eq!(add(desk.workspace, "one more").await.unwrap_err().code(), "invalid");
}
