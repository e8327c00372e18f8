//! Backups are made automatically, and never in place of a sound one.

use sibyl_engine::condition::State;
use sibyl_engine::store::table::workspace::LabelLanguage;
use sibyl_engine::{Library, OpenOptions};
use std::fs;
use std::time::{Duration, SystemTime};

const DAY: Duration = Duration::from_hours(24);

async fn open(folder: &std::path::Path) -> Library {
    Library::open(OpenOptions::new(folder)).await.unwrap()
}

#[tokio::test]
async fn a_backup_is_made_when_a_day_has_passed_and_something_has_changed() {
    let folder = tempfile::tempdir().unwrap();
    let library = open(folder.path()).await;
    let now = SystemTime::now();
    let due = async |at: SystemTime| library.upkeep().keep_backup_if_due(at).await.unwrap().is_some();
    assert!(due(now).await, "there is none yet");
    assert!(!due(now + DAY * 2).await, "nothing has changed");
    // File times may be no finer than a second.
    tokio::time::sleep(Duration::from_millis(1100)).await;
    library.store().create_workspace("audit", LabelLanguage::En).await.unwrap();
    assert!(!due(now + DAY / 2).await, "the last one is recent");
    assert!(!due(now - DAY).await, "a clock that was set back makes none");
    assert!(due(now + DAY * 2).await);
    let condition = library.upkeep().condition().await.unwrap();
    assert_eq!((condition.state, condition.backups.as_ref().map_or(0, Vec::len)), (State::Sound, 2));
}

#[tokio::test]
async fn a_new_backup_stays_where_the_clock_was_set_back() {
    let folder = tempfile::tempdir().unwrap();
    let library = open(folder.path()).await;
    let settings = serde_json::json!({ "backup_keep": 2 }).as_object().cloned().unwrap();
    library.change_settings(settings).await.unwrap();
    let first = library.upkeep().keep_backup().await.unwrap();
    let backups = folder.path().join("backups");
    for later in ["2998-01-01T00-00-00Z.sibyl", "2999-01-01T00-00-00Z.sibyl"] {
        fs::copy(backups.join(&first.name), backups.join(later)).unwrap();
    }
    fs::remove_file(backups.join(&first.name)).unwrap();
    let made = library.upkeep().keep_backup().await.unwrap();
    let kept = library.upkeep().condition().await.unwrap().backups.unwrap();
    let names: Vec<&str> = kept.iter().map(|backup| backup.name.as_str()).collect();
    assert_eq!(names, ["2999-01-01T00-00-00Z.sibyl", made.name.as_str()]);
}

#[tokio::test]
async fn no_backup_of_a_damaged_library_pushes_a_sound_one_out() {
    let folder = tempfile::tempdir().unwrap();
    let library = open(folder.path()).await;
    let settings = serde_json::json!({ "backup_keep": 1 }).as_object().cloned().unwrap();
    library.change_settings(settings).await.unwrap();
    let sound = library.upkeep().keep_backup().await.unwrap();
    drop(library);
    let path = folder.path().join("library.sibyl");
    let mut bytes = fs::read(&path).unwrap();
    let (from, to) = (bytes.len() / 3, bytes.len() / 3 * 2);
    bytes[from..to].fill(0x5a);
    fs::write(&path, bytes).unwrap();
    // Whether it opens at all depends on which pages went.
    if let Ok(library) = Library::open(OpenOptions::new(folder.path())).await {
        assert_eq!(library.upkeep().keep_backup().await.unwrap_err().code(), "damaged");
        let condition = library.upkeep().condition().await.unwrap();
        assert_eq!(condition.state, State::Damaged);
        assert!(condition.message.unwrap().contains("sibyl rescue"));
    }
    let place = sibyl_engine::Place::named(folder.path());
    assert_eq!(place.backups().unwrap(), [sound]);
}
