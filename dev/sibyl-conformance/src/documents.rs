//! Laws of documents: what is stored of them, and what becomes of it.

use crate::Bench;
use crate::made::{Desk, Random, document};
use serde_json::json;
use sibyl_store::keyword::Phrase;
use sibyl_store::scope::Filters;
use sibyl_store::table::answer::{LoggedOutcome, NewAnswer};
use sibyl_store::table::bin::KEPT_DAYS;
use sibyl_store::table::chunk::ChunkRow;
use sibyl_store::table::document::{Details, ListedDocuments};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::SystemTime;

/// A document is read as it was put.
pub async fn a_document_comes_back_as_it_was_put<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let corpus = desk.corpus(Some(desk.workspace), "texts").await;
    let mut new = document(corpus, "deep/a.md", &["alba", "brix corm"]);
    new.bytes = (0..=255).cycle().take(70_000).collect();
    new.page_metadata = Some(vec![0, 255, 10]);
    new.report_id = Some("acme-2025".to_owned());
    let put = new.clone();
    let id = desk.put(new).await;
    let (row, text) = desk.store.document(desk.workspace, id).await.unwrap();
    assert_eq!(text, put.document);
    assert_eq!(desk.store.source(desk.workspace, id).await.unwrap(), (put.bytes.clone(), put.page_metadata));
    let (bytes, _, origin) = desk.store.source_of_row(id).await.unwrap();
    assert_eq!((bytes, origin), (put.bytes.clone(), put.origin));
    assert_eq!((row.path, row.title, row.report_id), (put.path, put.title, put.report_id));
    assert_eq!((row.source_hash, row.text_version), (put.source_hash, put.text_version));
    assert_eq!((row.corpus_id, row.chunks), (corpus, 2));
    assert_eq!(desk.store.document_of_row(id).await.unwrap(), text);
    assert_eq!(desk.store.document_of_row(id + 1_000).await.unwrap_err().code(), "not_found");
    let sizes = desk.store.source_sizes(vec![id]).await.unwrap();
    assert_eq!(sizes, HashMap::from([(id, put.bytes.len() as u64)]));
    let at = desk.store.document_at(corpus, "deep/a.md").await.unwrap().map(|row| row.id);
    assert_eq!(at, Some(id));
}

/// A document that is put again keeps its key, and each chunk whose text did not change keeps its own.
pub async fn a_document_put_again_keeps_its_keys<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let mut random = Random(2);
    let mut texts: Vec<String> = (0..12).map(|n| format!("{n} {}", random.text(2, 6))).collect();
    let (corpus, id) = desk.shelf(&texts).await;
    for round in 0..12 {
        let before = desk.chunks(id).await;
        match round % 3 {
            0 => {
                let at = random.below(texts.len());
                texts.remove(at);
            }
            1 => texts.push(format!("new {round} {}", random.text(1, 4))),
            _ => {}
        }
        let (again, changes) = desk.store.put_document(document(corpus, "a.md", &texts)).await.unwrap();
        assert_eq!(again, id);
        assert_eq!(desk.texts(id).await, texts);
        let kept = changes.created + changes.updated + changes.unchanged;
        assert_eq!(kept, texts.len(), "{changes:?}");
        assert_eq!(kept + changes.deleted, before.len() + changes.created, "{changes:?}");
        if round % 3 == 2 {
            assert_eq!(changes.unchanged, texts.len(), "nothing changed: {changes:?}");
            assert_eq!(desk.chunks(id).await, before);
        }
        let of = |chunk: ChunkRow| ((chunk.chunk_id, chunk.text), chunk.id);
        let now: HashMap<(String, String), i64> = desk.chunks(id).await.into_iter().map(of).collect();
        for (name, key) in before.into_iter().map(of) {
            assert!(
                now.get(&name).is_none_or(|now| *now == key),
                "{name:?} did not change and has another key"
            );
        }
    }
}

/// A document that cannot be stored leaves nothing behind.
pub async fn a_refused_document_leaves_nothing<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let (corpus, id) = desk.shelf(&["alba".to_owned(), "brix".to_owned()]).await;
    let before = (desk.store.newest_document().await.unwrap(), desk.store.generations().await.unwrap());
    let nowhere = document(corpus + 1_000, "b.md", &["corm", "dolt"]);
    assert_eq!(desk.store.put_document(nowhere).await.unwrap_err().code(), "not_found");
    let after = (desk.store.newest_document().await.unwrap(), desk.store.generations().await.unwrap());
    assert_eq!(before, after);
    assert_eq!(desk.store.documents(desk.workspace, None).await.unwrap().len(), 1);
    let holding = desk.store.documents_holding(desk.workspace, Phrase::new("corm")).await.unwrap();
    assert!(holding.is_empty());
    assert_eq!(desk.texts(id).await, ["alba", "brix"]);
}

/// A reader sees a document that is being replaced either before or after, whole, with its own words in the index.
pub async fn a_document_appears_whole_or_not_at_all<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let versions = [vec!["alba".to_owned(); 5], vec!["brix".to_owned(); 9]];
    let versions = versions.map(|texts| {
        texts.into_iter().enumerate().map(|(n, text)| format!("{text} {n}")).collect::<Vec<_>>()
    });
    let (corpus, id) = desk.shelf(&versions[0]).await;
    let (store, written) = (Arc::clone(&desk.store), versions.clone());
    let writer = tokio::spawn(async move {
        for round in 1..40 {
            store.put_document(document(corpus, "a.md", &written[round % 2])).await.unwrap();
        }
    });
    let mut seen = HashSet::new();
    while !writer.is_finished() {
        let texts = desk.texts(id).await;
        assert!(versions.contains(&texts), "{texts:?}");
        seen.insert(texts.len());
        let scope = desk.store.scope(desk.workspace, Filters::default()).await.unwrap();
        assert!([5, 9].contains(&scope.allowed.len()), "{}", scope.allowed.len());
    }
    writer.await.unwrap();
    assert_eq!(desk.texts(id).await, versions[1]);
    assert!(!seen.is_empty());
}

/// What is in the bin is found by nothing, and comes back with everything that it had.
pub async fn a_binned_document_is_not_found_and_comes_back<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let (corpus, id) = desk.shelf(&["alba brix".to_owned(), "corm".to_owned()]).await;
    let stays = desk.put(document(corpus, "b.md", &["dolt"])).await;
    let (texts, row) = (desk.texts(id).await, desk.store.document_row(desk.workspace, id).await.unwrap());
    let chunk = desk.chunks(id).await.remove(0);
    let store = &desk.store;
    let half = store.delete_documents(vec![id, id + 1_000]).await.unwrap_err();
    assert_eq!((half.code(), desk.texts(id).await), ("not_found", texts.clone()), "nothing was deleted");
    assert_eq!(store.delete_documents(vec![id]).await.unwrap(), 2);
    let listed: Vec<i64> =
        store.documents(desk.workspace, None).await.unwrap().into_iter().map(|row| row.id).collect();
    assert_eq!(listed, [stays]);
    assert_eq!(store.chunk(desk.workspace, &chunk.chunk_id).await.unwrap(), None);
    assert_eq!(store.document_row(desk.workspace, id).await.unwrap_err().code(), "not_found");
    let scope = store.scope(desk.workspace, Filters::default()).await.unwrap();
    assert_eq!(scope.allowed.len(), 1);
    assert!(store.documents_holding(desk.workspace, Phrase::new("alba")).await.unwrap().is_empty());
    let binned = store.binned(desk.workspace).await.unwrap();
    assert_eq!(binned.iter().map(|one| (one.id, one.path.as_str())).collect::<Vec<_>>(), [(id, "a.md")]);
    let back = store.restore_documents(desk.workspace, vec![id]).await.unwrap();
    assert_eq!((back.restored, back.refused.len()), (vec![id], 0));
    assert_eq!(desk.texts(id).await, texts);
    assert_eq!(desk.chunks(id).await[0].chunk_id, chunk.chunk_id);
    let now = store.document_row(desk.workspace, id).await.unwrap();
    assert_eq!((now.title, now.source_hash, now.chunks), (row.title, row.source_hash, row.chunks));
    assert!(store.binned(desk.workspace).await.unwrap().is_empty());
}

/// The bin of a workspace is opened by nobody else, and restoring is all or nothing.
pub async fn a_bin_is_its_owners<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let west = desk.another("west").await;
    let (_, id) = desk.shelf(&["alba".to_owned()]).await;
    let store = &desk.store;
    store.delete_documents(vec![id]).await.unwrap();
    assert!(store.binned(west).await.unwrap().is_empty());
    assert_eq!(store.restore_documents(west, vec![id]).await.unwrap_err().code(), "not_found");
    assert_eq!(store.delete_binned(west, vec![id]).await.unwrap_err().code(), "not_found");
    let half = store.restore_documents(desk.workspace, vec![id, id + 1_000]).await.unwrap_err();
    assert_eq!(half.code(), "not_found");
    assert_eq!(store.binned(desk.workspace).await.unwrap().len(), 1, "nothing was restored");
    store.delete_binned(desk.workspace, vec![id]).await.unwrap();
    assert!(store.binned(desk.workspace).await.unwrap().is_empty());
    assert_eq!(store.restore_documents(desk.workspace, vec![id]).await.unwrap_err().code(), "not_found");
}

/// Lists go by corpus and path, and their pages follow each other.
pub async fn documents_are_listed_in_order<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let (first, second) = (desk.corpus(None, "a").await, desk.corpus(Some(desk.workspace), "b").await);
    let mut expected = Vec::new();
    for (corpus, path) in [(first, "1.md"), (first, "2.md"), (second, "1.md"), (second, "0/9.md")] {
        desk.put(document(corpus, path, &["alba"])).await;
        expected.push((corpus, path.to_owned()));
    }
    expected.sort();
    let list = async |offset, limit| {
        let list = ListedDocuments { offset, limit, ..ListedDocuments::default() };
        let rows = desk.store.listed_documents(desk.workspace, list).await.unwrap();
        rows.into_iter().map(|row| (row.corpus_id, row.path)).collect::<Vec<_>>()
    };
    assert_eq!(list(0, None).await, expected);
    let mut pages = Vec::new();
    for offset in 0..4 {
        pages.extend(list(offset, Some(1)).await);
    }
    assert_eq!(pages, expected);
    let of_second = desk.store.documents(desk.workspace, Some(second)).await.unwrap();
    assert_eq!(of_second.len(), 2);
    let words = ListedDocuments { words: "TITLE 2".to_owned(), ..ListedDocuments::default() };
    let found = desk.store.listed_documents(desk.workspace, words).await.unwrap();
    assert_eq!(found.iter().map(|row| row.path.as_str()).collect::<Vec<_>>(), ["2.md"]);
}

/// What somebody corrected stays when the file is read again.
pub async fn a_correction_stays_over_a_new_text<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let (corpus, id) = desk.shelf(&["alba".to_owned()]).await;
    let details = Details { title: Some("Right".to_owned()), issuer: None, year: Some(2024) };
    let corrected = desk.store.correct_document(desk.workspace, id, details).await.unwrap();
    assert_eq!((corrected.title.as_str(), corrected.year), ("Right", Some(2024)));
    desk.put(document(corpus, "a.md", &["brix"])).await;
    let row = desk.store.document_row(desk.workspace, id).await.unwrap();
    assert_eq!((row.title.as_str(), row.year), ("Right", Some(2024)));
    assert_eq!(desk.chunks(id).await[0].title, "Right");
    assert_eq!(row.as_read.and_then(|read| read.title).as_deref(), Some("Title of a.md"));
    let wrong = Details { title: None, issuer: None, year: Some(1815) };
    let refused = desk.store.correct_document(desk.workspace, id, wrong).await.unwrap_err();
    assert_eq!(refused.code(), "invalid");
}

/// Documents are found by their report, by the file that they were read from and by their path, as far as a workspace
/// sees them.
pub async fn documents_are_found_by_what_is_known_of_them<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let west = desk.another("west").await;
    let (own, second) =
        (desk.corpus(Some(desk.workspace), "a").await, desk.corpus(Some(desk.workspace), "b").await);
    let (shared, theirs) = (desk.corpus(None, "s").await, desk.corpus(Some(west), "w").await);
    let mut put = Vec::new();
    for (corpus, path) in [(own, "b.md"), (shared, "a.md"), (theirs, "w.md"), (own, "a.md"), (second, "a.md")]
    {
        let mut new = document(corpus, path, &["alba"]);
        new.report_id = Some("acme".to_owned());
        put.push(desk.put(new).await);
    }
    let store = &desk.store;
    let others = async |workspace, path| store.others_of_report(workspace, "acme", own, path).await.unwrap();
    assert_eq!(
        others(desk.workspace, "a.md").await,
        ["b.md", "a.md", "a.md"],
        "in the order in which they came"
    );
    assert_eq!(others(west, "none.md").await, ["a.md", "w.md"]);
    assert!(store.others_of_report(west, "other", own, "").await.unwrap().is_empty());
    let from = async |workspace, path| {
        store.document_from(workspace, path).await.unwrap().map(|row| (row.id, row.corpus_id))
    };
    assert_eq!(from(desk.workspace, "/made/a.md").await, Some((put[4], second)), "the latest of its own");
    assert_eq!(from(west, "/made/a.md").await, None);
    let at = async |workspace| store.documents_at(workspace, "a.md").await.unwrap();
    assert_eq!(at(desk.workspace).await, [put[3], put[4], put[1]], "its own before the shared ones");
    assert_eq!(at(west).await, [put[1]]);
    assert_eq!(store.document_at(theirs, "a.md").await.unwrap(), None);
    assert_eq!(store.newest_document().await.unwrap(), put[4]);
}

/// What has been in the bin for long goes for good, and nothing before.
pub async fn what_is_old_in_the_bin_goes<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let (corpus, id) = desk.shelf(&["alba".to_owned()]).await;
    let stays = desk.put(document(corpus, "b.md", &["brix"])).await;
    desk.store.delete_documents(vec![id]).await.unwrap();
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs() as i64;
    let days = |days: i64| now + days * 24 * 60 * 60;
    assert_eq!(desk.store.empty_bin(days(KEPT_DAYS - 1)).await.unwrap(), 0);
    assert_eq!(desk.store.empty_bin(days(KEPT_DAYS + 1)).await.unwrap(), 1);
    assert_eq!(desk.store.empty_bin(days(KEPT_DAYS + 1)).await.unwrap(), 0);
    assert!(desk.store.binned(desk.workspace).await.unwrap().is_empty());
    assert_eq!(desk.store.restore_documents(desk.workspace, vec![id]).await.unwrap_err().code(), "not_found");
    assert_eq!(desk.documents().await, [stays]);
}

/// A former text is read as long as an answer cites it, and no longer.
pub async fn a_former_text_is_kept_while_it_is_cited<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let west = desk.another("west").await;
    let corpus = desk.corpus(Some(desk.workspace), "texts").await;
    let (old, new) = (document(corpus, "a.md", &["alba"]), document(corpus, "a.md", &["brix"]));
    let (version, text) = (old.text_version.clone(), old.document.text.clone());
    let id = desk.put(old).await;
    let cited = json!({ "document_id": id, "text_version": version, "quote": "alba" });
    let (request, answer) = (json!({}), json!({ "citations": [cited] }));
    let logged = NewAnswer {
        session: "",
        question: "Which?",
        outcome: LoggedOutcome::Complete,
        confidence: 0.5,
        generator: "made",
        config_hash: "",
        request: &request,
        answer: &answer,
    };
    let kept = desk.store.put_answer(desk.workspace, logged, 0).await.unwrap();
    desk.put(new).await;
    let read = async |workspace| desk.store.text_version(workspace, id, &version).await.unwrap();
    let former = read(desk.workspace).await;
    assert_eq!(former.as_ref().map(|of| &of.content.text), Some(&text));
    assert!(former.is_some_and(|of| of.replaced_at.is_some()));
    assert_eq!(read(west).await, None, "another workspace sees neither");
    let cited = desk.store.versions_cited(kept).await.unwrap();
    assert_eq!(cited, HashMap::from([(id, version.clone())]));
    assert!(desk.store.versions_cited(kept + 1_000).await.unwrap().is_empty());
    desk.store.delete_answer(desk.workspace, kept).await.unwrap();
    assert_eq!(read(desk.workspace).await, None);
}
