//! Laws of a library as a whole: what is reported of its changes, and what maintenance leaves unchanged.

use crate::Bench;
use crate::made::{Desk, Random, document};
use serde_json::json;
use sibyl_store::keyword::{Clause, KeywordQuery, Phrase, RankedList};
use sibyl_store::scope::Filters;
use sibyl_store::table::workspace::LabelLanguage;
use std::collections::BTreeSet;
use std::time::Duration;

/// How often the feed checks.
const LOOK: Duration = Duration::from_millis(50);
/// Far longer than that.
const LONG: Duration = Duration::from_secs(10);

/// Changes by another program are reported by kind; those by this one are not.
pub async fn changes_by_others_are_told<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let other = desk.bench.open().await;
    let mut feed = desk.store.changes(LOOK).await.unwrap();
    let before = feed.borrow_and_update().clone();
    assert!(!before.damaged && !before.replaced);
    desk.another("own").await;
    let told = tokio::time::timeout(LOOK * 8, feed.changed()).await;
    assert!(told.is_err(), "its own change is told");
    other.create_workspace("west", LabelLanguage::En).await.unwrap();
    tokio::time::timeout(LONG, feed.changed()).await.unwrap().unwrap();
    let now = feed.borrow_and_update().clone();
    let changed: Vec<&str> = now
        .counts
        .iter()
        .filter(|(name, count)| before.counts.get(*name) != Some(count))
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(changed, ["workspace"]);
}

/// The feed ends with the store, which it does not keep open.
pub async fn the_feed_ends_with_the_store<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let mut feed = desk.store.changes(LOOK).await.unwrap();
    let Desk { bench, store, .. } = desk;
    drop(store);
    let ended = tokio::time::timeout(LONG, feed.changed()).await.unwrap();
    assert!(ended.is_err());
    drop(bench);
}

/// Two programs that have the library open read the same.
pub async fn programs_read_the_same<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let other = desk.bench.open().await;
    let (corpus, id) = desk.shelf(&["alba".to_owned()]).await;
    other.put_document(document(corpus, "b.md", &["brix"])).await.unwrap();
    for store in [&desk.store, &other] {
        assert_eq!(store.documents(desk.workspace, None).await.unwrap().len(), 2);
        assert_eq!(store.chunks_of(desk.workspace, id, 0, 9).await.unwrap()[0].text, "alba");
        let scope = store.scope(desk.workspace, Filters::default()).await.unwrap();
        assert_eq!(scope.allowed.len(), 2);
    }
}

/// Every counter that matters to a search increases when its subject changes, and at no other time.
pub async fn generations_count_what_changed<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let (corpus, id) = desk.shelf(&["alba".to_owned(), "brix".to_owned()]).await;
    let first = desk.store.generations().await.unwrap();
    desk.store.put_settings(vec![("made".to_owned(), Some(json!(1)))]).await.unwrap();
    desk.another("west").await;
    assert_eq!(desk.store.generations().await.unwrap(), first);
    desk.put(document(corpus, "b.md", &["corm"])).await;
    let more = desk.store.generations().await.unwrap();
    assert!(more.chunk > first.chunk);
    assert_eq!((more.vector, more.removals), (first.vector, first.removals));
    desk.store.delete_documents(vec![id]).await.unwrap();
    let fewer = desk.store.generations().await.unwrap();
    assert!(fewer.chunk > more.chunk && fewer.removals > more.removals);
}

/// Settings are kept by name; one that is set to null is gone.
pub async fn settings_are_kept_by_name<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let put = async |values: Vec<(&str, Option<serde_json::Value>)>| {
        let values = values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        desk.store.put_settings(values).await.unwrap();
        desk.store.setting_values().await.unwrap()
    };
    let kept = |name: &str, value| (name.to_owned(), value);
    let first = put(vec![("b", Some(json!([0.1, null]))), ("a", Some(json!("å")))]).await;
    assert_eq!(first, [kept("a", json!("å")), kept("b", json!([0.1, null]))]);
    let then = put(vec![("a", None), ("b", Some(json!(false)))]).await;
    assert_eq!(then, [kept("b", json!(false))]);
    let reopened = desk.bench.open().await.setting_values().await.unwrap();
    assert_eq!(reopened, then);
}

async fn ranked<B: Bench>(desk: &Desk<B>) -> RankedList {
    let clause = Clause::Should(["alba", "kelp"].map(|word| Clause::Phrase(Phrase::new(word))).to_vec());
    let query = KeywordQuery { clause: Some(clause), weights: vec![1.0, 2.0], ..KeywordQuery::default() };
    let scope = desk.store.scope(desk.workspace, Filters::default()).await.unwrap();
    RankedList { removals: 0, ..desk.store.keyword_ranked(query, &scope, 100).await.unwrap() }
}

/// Rebuilding, tidying and giving back room change nothing that anybody reads, and a sound library is found sound.
pub async fn upkeep_changes_nothing_that_is_read<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let mut random = Random(30);
    let texts: Vec<String> = (0..60).map(|_| random.text(1, 9)).collect();
    let (corpus, id) = desk.shelf(&texts).await;
    for n in 0..6 {
        desk.put(document(corpus, &format!("{n}.md"), &[random.text(3, 9)])).await;
    }
    let first = desk.store.document_at(corpus, "0.md").await.unwrap().unwrap();
    desk.store.delete_documents(vec![first.id]).await.unwrap();
    let (chunks, list) = (desk.chunks(id).await, ranked(&desk).await);
    assert!(list.hits.len() > 10);
    desk.store.rebuild().await.unwrap();
    assert_eq!(ranked(&desk).await, list, "rebuilt");
    desk.store.optimize_keyword().await.unwrap();
    assert_eq!(ranked(&desk).await, list, "tidied");
    desk.store.compact().await.unwrap();
    assert_eq!((ranked(&desk).await, desk.chunks(id).await), (list, chunks), "compacted");
    desk.store.check().await.unwrap();
    let health = desk.store.doctor().await.unwrap();
    assert!(health.is_sound(), "{:?}", health.findings);
    assert_eq!(desk.store.damage(), None);
    assert!(!desk.store.is_read_only());
}

/// What a store keeps is told in parts, always the same ones; what it puts into the folder beside other files is its
/// own.
pub async fn a_library_weighs_what_it_holds<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let weigh = async || {
        let parts = desk.store.weigh().await.unwrap();
        (
            parts.iter().map(|(name, _)| *name).collect::<Vec<_>>(),
            parts.iter().map(|(_, bytes)| bytes).sum::<u64>(),
        )
    };
    let (names, light) = weigh().await;
    let corpus = desk.corpus(Some(desk.workspace), "texts").await;
    let mut new = document(corpus, "a.md", &["alba"]);
    let mut random = Random(31);
    new.bytes = (0..2_000_000).map(|_| random.number() as u8).collect();
    desk.put(new).await;
    desk.store.keep_backup(1).await.unwrap();
    let (now, heavy) = weigh().await;
    assert_eq!(now, names);
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{names:?}");
    assert!(heavy > light + 4_000_000, "the document and its backup: {light} {heavy}");
    for entry in std::fs::read_dir(desk.store.location().folder()).unwrap() {
        let name = entry.unwrap().file_name();
        assert!(desk.store.owns(&name.to_string_lossy()), "{name:?}");
    }
    assert!(!desk.store.owns("logs"));
}
