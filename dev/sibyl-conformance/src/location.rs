//! Laws of where a library is: its copies and backups, what is rescued of it, and its way to another place.

use crate::Bench;
use crate::judgements::review;
use crate::made::Desk;
use serde_json::json;
use sibyl_store::table::review::ReviewStatus;
use sibyl_store::table::workspace::LabelLanguage;
use sibyl_store::{Location as _, Place, Store};
use std::time::{Duration, SystemTime};

/// Far longer than anything here takes.
const LONG: Duration = Duration::from_secs(30);
const DAY: Duration = Duration::from_hours(24);

/// A library with a document of `alba`, a finding and a setting.
async fn filled<B: Bench>() -> Desk<B> {
    let desk = Desk::<B>::new().await;
    desk.shelf(&["alba".to_owned()]).await;
    desk.store.put_reviews(desk.workspace, vec![review("acme", "S2.1", ReviewStatus::Met)]).await.unwrap();
    desk.store.put_settings(vec![("made".to_owned(), Some(json!(1)))]).await.unwrap();
    desk
}

/// Asserts that `store` has what [`filled`] put, with `settings` settings.
async fn has_all(store: &dyn Store, settings: usize) {
    let workspace = store.workspace("default").await.unwrap().id;
    let documents = store.documents(workspace, None).await.unwrap();
    let chunks = store.chunks_of(workspace, documents[0].id, 0, 9).await.unwrap();
    assert_eq!(chunks.into_iter().map(|chunk| chunk.text).collect::<Vec<_>>(), ["alba"]);
    assert!(store.review(workspace, "acme", "S2.1").await.unwrap().is_some());
    assert_eq!(store.setting_values().await.unwrap().len(), settings);
    let health = store.doctor().await.unwrap();
    assert!(health.is_sound(), "{:?}", health.findings);
}

/// A copy opens as a library with everything that was there, and none takes the place of a file.
pub async fn a_copy_has_all_that_it_was_made_of<B: Bench>() {
    let desk = filled::<B>().await;
    let (store, folder) = (&desk.store, desk.store.location().folder().to_owned());
    let file = folder.join("kept.copy");
    let bytes = store.back_up(&file).await.unwrap();
    assert_eq!(file.metadata().unwrap().len(), bytes);
    desk.another("later").await;
    assert_eq!(store.back_up(&file).await.unwrap_err().code(), "exists");
    let inner = folder.join("copy");
    std::fs::create_dir(&inner).unwrap();
    assert!(store.copy_into(&inner).await.unwrap() > 0);
    assert_eq!(store.copy_into(&inner).await.unwrap_err().code(), "exists");
    let copy = Place::named(&inner).open().await.unwrap();
    has_all(&*copy, 1).await;
    copy.workspace("later").await.unwrap();
}

/// A library begins as a copy of another one without its jobs and settings, where there is none yet.
pub async fn a_new_library_begins_as_another<B: Bench>() {
    let desk = filled::<B>().await;
    crate::jobs::begun(&*desk.store, "{}").await;
    let ready = desk.store.location().folder().join("ready.copy");
    desk.store.back_up(&ready).await.unwrap();
    let bench = B::new();
    let place = bench.place();
    assert!(!place.has_library().await.unwrap());
    assert!(!place.begin_as(&ready.with_extension("none")).await.unwrap());
    assert!(place.begin_as(&ready).await.unwrap());
    assert!(place.has_library().await.unwrap());
    assert!(!place.begin_as(&ready).await.unwrap(), "there is one");
    let store = bench.open().await;
    has_all(&*store, 0).await;
    assert!(store.job_rows("default").await.unwrap().is_empty());
    store.create_workspace("late", LabelLanguage::En).await.unwrap();
    assert!(!place.begin_as(&ready).await.unwrap());
    store.workspace("late").await.unwrap();
}

/// A backup takes the place of the library once every program has closed it; until then nothing is written.
pub async fn a_backup_comes_back_at_the_next_start<B: Bench>() {
    let desk = filled::<B>().await;
    let place = desk.bench.place();
    assert!(place.backups().await.unwrap().is_empty());
    let first = desk.store.keep_backup(1).await.unwrap();
    assert_eq!(place.backups().await.unwrap(), std::slice::from_ref(&first));
    assert!(first.bytes > 0);
    desk.another("late").await;
    assert_eq!(place.restore("none").await.unwrap_err().code(), "not_found");
    assert!(!place.is_replaced().await.unwrap());
    place.stays().await.unwrap();
    assert_eq!(place.restore(&first.name).await.unwrap(), first.bytes);
    assert!(place.is_replaced().await.unwrap() && !place.kept_as().is_empty());
    assert_eq!(place.stays().await.unwrap_err().code(), "replaced");
    assert_eq!(desk.store.create_workspace("lost", LabelLanguage::En).await.unwrap_err().code(), "replaced");
    desk.store.workspace("late").await.unwrap();
    let Desk { bench, store, .. } = desk;
    drop(store);
    let store = bench.open().await;
    assert!(!place.is_replaced().await.unwrap());
    has_all(&*store, 1).await;
    assert_eq!(store.workspace("late").await.unwrap_err().code(), "not_found");
    // Their names tell them apart by the second.
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    let second = store.keep_backup(1).await.unwrap();
    assert_eq!(place.backups().await.unwrap(), [second], "the oldest goes");
}

/// A backup is due when the last one is old enough and the library has changed since.
pub async fn a_backup_is_due_after_a_change<B: Bench>() {
    let desk = filled::<B>().await;
    let (place, now) = (desk.bench.place(), SystemTime::now());
    let due = async |at: SystemTime| place.is_backup_due(DAY, at).await.unwrap();
    assert!(due(now).await, "there is none yet");
    desk.store.keep_backup(3).await.unwrap();
    assert!(!due(now + DAY * 2).await, "nothing has changed");
    let mut changes = 0;
    let changed = tokio::time::timeout(LONG, async {
        // What tells a change may be no finer than a second.
        while !due(now + DAY * 2).await {
            desk.another(&format!("w{changes}")).await;
            changes += 1;
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    changed.await.unwrap();
    assert!(!due(now).await, "the last one is recent");
    assert!(!due(now - DAY).await, "a clock that was set back makes none due");
}

/// A sound library is rescued whole, and its rescued self takes its place.
pub async fn what_is_rescued_of_a_sound_library_is_all_of_it<B: Bench>() {
    let desk = filled::<B>().await;
    let place = desk.bench.place();
    let rescued = place.rescue().await.unwrap();
    assert!(
        rescued.tables.iter().all(|table| table.lost == 0) && rescued.incomplete.is_empty(),
        "{rescued:?}"
    );
    assert!(rescued.tables.iter().any(|table| table.saved > 0) && rescued.bytes > 0, "{rescued:?}");
    assert!(place.is_replaced().await.unwrap());
    assert_eq!(desk.store.create_workspace("lost", LabelLanguage::En).await.unwrap_err().code(), "replaced");
    let Desk { bench, store, .. } = desk;
    drop(store);
    let store = bench.open().await;
    has_all(&*store, 1).await;
    store.create_workspace("late", LabelLanguage::En).await.unwrap();
}

/// A library that moved is found in its new place by whoever starts then, and is not written to in the former one.
pub async fn a_moved_library_is_written_where_it_is<B: Bench>() {
    let desk = filled::<B>().await;
    let place = desk.bench.place();
    let away = place.folder().with_file_name("away");
    if !place.is_movable() {
        assert_eq!(desk.store.move_to(away).await.unwrap_err().code(), "invalid");
        return;
    }
    assert_eq!(desk.store.move_to("away".into()).await.unwrap_err().code(), "invalid", "it is relative");
    assert_eq!(desk.store.move_to(place.folder().join("in")).await.unwrap_err().code(), "invalid");
    assert_eq!(place.next().await.unwrap(), None);
    assert!(desk.store.move_to(away.clone()).await.unwrap() > 0);
    assert_eq!(place.next().await.unwrap(), Some(away.clone()));
    assert_eq!(place.stays().await.unwrap_err().code(), "moved");
    assert_eq!(desk.store.create_workspace("lost", LabelLanguage::En).await.unwrap_err().code(), "moved");
    desk.store.workspace("default").await.unwrap();
    let next = desk.bench.place();
    assert_eq!((next.folder(), next.next().await.unwrap()), (away.as_path(), None));
    let store = desk.bench.open().await;
    has_all(&*store, 1).await;
    store.create_workspace("late", LabelLanguage::En).await.unwrap();
}
