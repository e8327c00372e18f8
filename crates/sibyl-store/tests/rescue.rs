//! A damaged library is noticed, and all that can be read of it is saved.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use rusqlite::Connection;
use sibyl_store::rescue::{Rescued, rescue};
use sibyl_store::table::workspace::LabelLanguage;
use sibyl_store::{LIBRARY_FILE, Place, open};
use std::collections::BTreeSet;
use std::fs;
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// Recorded searches and findings of the library of these tests.
const MANY: i64 = 3000;

/// A library of a former version with many more recorded searches and findings, closed.
fn library(folder: &Path) {
    let former = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/former/schema_7.sibyl");
    let path = folder.join(LIBRARY_FILE);
    fs::copy(former, &path).unwrap();
    drop(open(Place::named(folder)).unwrap());
    let c = Connection::open(&path).unwrap();
    c.execute_batch("BEGIN").unwrap();
    for number in 0..MANY {
        let (id, filler) = (number + 1000, "x".repeat(200));
        c.execute(
            "INSERT INTO search_run (id, workspace_id, at, request, response, config_hash)
             SELECT ?1, min(id), '2026-01-01T00:00:00Z', ?2, '{}', 'c' FROM workspace",
            (id, &filler),
        )
        .unwrap();
        c.execute(
            "INSERT INTO review (workspace_id, report_id, paragraph_id, status, note, updated_at)
             SELECT min(id), 'acme', ?1, 'gap', ?2, '2026-01-01T00:00:00Z' FROM workspace",
            (format!("S1.{number:05}"), &filler),
        )
        .unwrap();
    }
    c.execute_batch("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
}

/// Overwrites a page.
fn damage(folder: &Path, page: u64, with: u8) {
    let path = folder.join(LIBRARY_FILE);
    let size: u64 =
        Connection::open(&path).unwrap().pragma_query_value(None, "page_size", |r| r.get(0)).unwrap();
    let mut file = fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.seek(SeekFrom::Start((page - 1) * size)).unwrap();
    file.write_all(&vec![with; usize::try_from(size).unwrap()]).unwrap();
    file.sync_all().unwrap();
}

/// Pages of a table with rows, each with its number.
fn leaves(folder: &Path, table: &str) -> Vec<(u64, u64)> {
    let c = Connection::open(folder.join(LIBRARY_FILE)).unwrap();
    let mut select = c
        .prepare("SELECT pageno, ncell FROM dbstat WHERE name = ?1 AND pagetype = 'leaf' ORDER BY path")
        .unwrap();
    select.query_map([table], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().map(Result::unwrap).collect()
}

fn keys(folder: &Path, query: &str) -> BTreeSet<String> {
    let c = Connection::open(folder.join(LIBRARY_FILE)).unwrap();
    let mut select = c.prepare(query).unwrap();
    select.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

fn of<'a>(rescued: &'a Rescued, table: &str) -> &'a sibyl_store::rescue::RescuedTable {
    rescued.tables.iter().find(|counted| counted.name == table).unwrap()
}

const RUNS: &str = "SELECT id || request FROM search_run";

#[tokio::test]
async fn a_bad_page_costs_its_own_rows_and_no_others() {
    let folder = tempfile::tempdir().unwrap();
    library(folder.path());
    let before = keys(folder.path(), RUNS);
    let leaves = leaves(folder.path(), "search_run");
    let (page, rows) = leaves[leaves.len() / 2];
    damage(folder.path(), page, 0xa5);

    let place = Place::named(folder.path());
    let rescued = rescue(&place).unwrap();
    assert_eq!(of(&rescued, "review").lost, 0);
    assert_eq!(of(&rescued, "search_run").saved, before.len() as u64 - rows);
    // The damaged library stays as it is until the next start, and cannot be written.
    let store = open(place.clone()).unwrap();
    assert_eq!(store.damage(), None);
    drop(store);
    let after = keys(folder.path(), RUNS);
    assert_eq!(after.len() as u64, before.len() as u64 - rows);
    assert!(after.is_subset(&before));
    assert_eq!(
        keys(folder.path(), "SELECT paragraph_id FROM review WHERE paragraph_id LIKE 'S1.0____'").len()
            as i64,
        MANY
    );
    let kept = fs::read_dir(folder.path()).unwrap().flatten();
    let kept = kept.map(|file| file.file_name().to_string_lossy().into_owned());
    assert_eq!(kept.filter(|name| name.starts_with("replaced-") && name.ends_with(".sibyl")).count(), 1);
    let health = open(place).unwrap().doctor().await.unwrap();
    assert!(health.is_sound(), "{health:?}");
}

#[tokio::test]
async fn a_document_that_lost_chunks_is_told_until_it_is_chunked_again() {
    let folder = tempfile::tempdir().unwrap();
    library(folder.path());
    let (page, _) = leaves(folder.path(), "chunk")[0];
    damage(folder.path(), page, 0xa5);
    let place = Place::named(folder.path());
    let rescued = rescue(&place).unwrap();
    assert!(!rescued.incomplete.is_empty(), "{rescued:?}");
    let store = open(place).unwrap();
    let workspaces = store.workspaces().await.unwrap();
    let mut incomplete = 0;
    for workspace in &workspaces {
        let figures = store.corpus_figures(workspace.id).await.unwrap();
        incomplete = incomplete.max(figures.values().map(|figures| figures.incomplete).sum());
    }
    assert_eq!(incomplete, rescued.incomplete.len() as u64, "{rescued:?}");
    let health = store.doctor().await.unwrap();
    assert!(health.findings.iter().any(|finding| finding.code == "document_incomplete"), "{health:?}");
}

#[tokio::test]
async fn findings_in_a_table_without_row_numbers_are_read_from_both_ends() {
    let folder = tempfile::tempdir().unwrap();
    library(folder.path());
    let leaves = leaves(folder.path(), "review");
    let (page, rows) = leaves[leaves.len() / 3];
    damage(folder.path(), page, 0);
    let rescued = rescue(&Place::named(folder.path())).unwrap();
    let lost = MANY as u64 + 1 - of(&rescued, "review").saved;
    assert!((1..=rows + 1).contains(&lost), "{lost} of a page of {rows}: {rescued:?}");
}

#[tokio::test]
async fn a_table_whose_first_page_is_damaged_keeps_the_rows_on_its_other_pages() {
    let folder = tempfile::tempdir().unwrap();
    library(folder.path());
    let reviews = "SELECT paragraph_id FROM review";
    // Deleted rows are on free pages, and must not come back.
    let c = Connection::open(folder.path().join(LIBRARY_FILE)).unwrap();
    c.execute_batch("DELETE FROM search_run WHERE id % 3000 < 1500; PRAGMA wal_checkpoint(TRUNCATE)")
        .unwrap();
    let root = |table: &str| {
        let find = "SELECT rootpage FROM sqlite_schema WHERE name = ?1";
        c.query_row(find, [table], |row| row.get::<_, u64>(0)).unwrap()
    };
    let (runs_root, reviews_root) = (root("search_run"), root("review"));
    drop(c);
    let (runs, found) = (keys(folder.path(), RUNS), keys(folder.path(), reviews));
    let above: u64 = {
        let c = Connection::open(folder.path().join(LIBRARY_FILE)).unwrap();
        let count = "SELECT ncell FROM dbstat WHERE name = 'review' AND pageno = ?1";
        c.query_row(count, [reviews_root], |row| row.get(0)).unwrap()
    };
    damage(folder.path(), runs_root, 0x5a);
    damage(folder.path(), reviews_root, 0);

    let place = Place::named(folder.path());
    let rescued = rescue(&place).unwrap();
    let health = open(place).unwrap().doctor().await.unwrap();
    assert!(health.findings.iter().all(|finding| finding.code != "file_damaged"), "{health:?}");
    assert_eq!(keys(folder.path(), RUNS), runs);
    let after = keys(folder.path(), reviews);
    assert!(after.is_subset(&found));
    // Those between the pages lay on the first one.
    assert_eq!(after.len() as u64, found.len() as u64 - above);
    assert_eq!(of(&rescued, "review").saved, after.len() as u64);
}

/// Overwrites the first page of each of `tables`.
fn damage_first_pages(folder: &Path, tables: &[&str]) {
    let c = Connection::open(folder.join(LIBRARY_FILE)).unwrap();
    c.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    let find = "SELECT rootpage FROM sqlite_schema WHERE name = ?1";
    let roots = tables.iter().map(|table| c.query_row(find, [table], |row| row.get::<_, u64>(0)).unwrap());
    let roots: Vec<u64> = roots.collect();
    drop(c);
    roots.into_iter().for_each(|root| damage(folder, root, 0x5a));
}

#[tokio::test]
async fn what_belongs_to_a_corpus_a_space_or_a_workspace_that_is_gone_is_saved() {
    let tables = ["workspace", "corpus", "space", "document", "chunk", "vector", "review"];
    let count = |folder: &Path| -> Vec<String> {
        tables
            .iter()
            .map(|table| {
                keys(folder, &format!("SELECT '{table} ' || count(*) FROM {table}")).pop_first().unwrap()
            })
            .collect()
    };
    let names = "SELECT id || ' ' || name FROM corpus UNION SELECT id || ' ' || name FROM workspace";
    for backed_up in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        library(folder.path());
        let place = Place::named(folder.path());
        if backed_up {
            open(place.clone()).unwrap().keep_backup(3).await.unwrap();
        }
        let (before, named) = (count(folder.path()), keys(folder.path(), names));
        let gone: &[&str] =
            if backed_up { &["workspace", "corpus", "space"] } else { &["workspace", "corpus"] };
        damage_first_pages(folder.path(), gone);
        rescue(&place).unwrap();
        let store = open(place).unwrap();
        store.workspace("default").await.unwrap();
        let health = store.doctor().await.unwrap();
        let file = ["file_damaged", "reference_dangling"];
        assert!(health.findings.iter().all(|found| !file.contains(&found.code.as_str())), "{health:?}");
        drop(store);
        assert_eq!(count(folder.path()), before, "with a backup: {backed_up}");
        assert_eq!(keys(folder.path(), names) == named, backed_up, "only a backup knows their names");
    }
}

#[tokio::test]
async fn of_a_file_that_was_cut_off_the_rest_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    library(folder.path());
    let before = keys(folder.path(), RUNS);
    let path = folder.path().join(LIBRARY_FILE);
    let length = fs::metadata(&path).unwrap().len();
    for part in [3, 2] {
        let cut = tempfile::tempdir().unwrap();
        let copy = cut.path().join(LIBRARY_FILE);
        fs::copy(&path, &copy).unwrap();
        let file = fs::OpenOptions::new().write(true).open(&copy).unwrap();
        file.set_len(length * part / 4).unwrap();
        let place = Place::named(cut.path());
        let rescued = rescue(&place).unwrap();
        let health = open(place).unwrap().doctor().await.unwrap();
        assert!(health.findings.iter().all(|finding| finding.code != "file_damaged"), "{health:?}");
        let after = keys(cut.path(), RUNS);
        assert!(after.is_subset(&before) && !after.is_empty(), "{part}/4: {rescued:?}");
        assert_eq!(of(&rescued, "search_run").saved, after.len() as u64);
    }
}

#[tokio::test]
async fn whatever_page_is_damaged_the_rescued_library_is_sound_and_holds_nothing_else() {
    let whole = tempfile::tempdir().unwrap();
    library(whole.path());
    let before = keys(whole.path(), RUNS);
    let pages: u64 = {
        let c = Connection::open(whole.path().join(LIBRARY_FILE)).unwrap();
        c.pragma_query_value(None, "page_count", |row| row.get(0)).unwrap()
    };
    let mut rescues = 0;
    for round in 0..24 {
        let page = 2 + (round * 7919) % (pages - 1);
        let folder = tempfile::tempdir().unwrap();
        fs::copy(whole.path().join(LIBRARY_FILE), folder.path().join(LIBRARY_FILE)).unwrap();
        damage(folder.path(), page, if round % 2 == 0 { 0 } else { 0x5a });
        let place = Place::named(folder.path());
        match rescue(&place) {
            Ok(_) => rescues += 1,
            Err(error) => {
                assert_eq!(error.code(), "damaged", "page {page}: {error}");
                continue;
            }
        }
        let health = open(place).unwrap().doctor().await.unwrap();
        let file: Vec<_> = health
            .findings
            .iter()
            .filter(|finding| ["file_damaged", "reference_dangling"].contains(&finding.code.as_str()))
            .collect();
        assert!(file.is_empty(), "page {page}: {file:?}");
        assert!(keys(folder.path(), RUNS).is_subset(&before), "page {page}");
    }
    assert!(rescues > 20, "{rescues}");
}

#[tokio::test]
async fn a_library_whose_first_page_is_gone_can_be_brought_back_from_its_backup() {
    let folder = tempfile::tempdir().unwrap();
    library(folder.path());
    let place = Place::named(folder.path());
    let store = open(place.clone()).unwrap();
    let backup = store.keep_backup(3).await.unwrap();
    drop(store);
    damage(folder.path(), 1, 0x5a);
    let error = open(place.clone()).err().unwrap();
    assert_eq!(error.code(), "damaged");
    assert!(error.to_string().contains("sibyl backup restore"), "{error}");
    assert_eq!(place.backups().unwrap(), std::slice::from_ref(&backup));
    assert_eq!(place.restore("none.sibyl").unwrap_err().code(), "not_found");
    place.restore(&backup.name).unwrap();
    let health = open(place).unwrap().doctor().await.unwrap();
    assert!(health.is_sound(), "{health:?}");
    assert_eq!(
        keys(folder.path(), "SELECT paragraph_id FROM review WHERE paragraph_id LIKE 'S1.0____'").len()
            as i64,
        MANY
    );
}

#[tokio::test]
async fn a_library_whose_first_page_is_gone_keeps_every_row() {
    let (folder, copy) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    library(folder.path());
    library(copy.path());
    for with in [0, 0x5a, 0xff] {
        damage(folder.path(), 1, with);
        let rescued = rescue(&Place::named(folder.path())).unwrap();
        let lost: Vec<_> = rescued.tables.iter().filter(|table| table.lost > 0).collect();
        assert!(lost.is_empty() && rescued.incomplete.is_empty(), "{rescued:?}");
        let health = open(Place::named(folder.path())).unwrap().doctor().await.unwrap();
        assert!(health.is_sound(), "{health:?}");
        let rows = "SELECT 'run' || id || request FROM search_run
            UNION ALL SELECT 'review' || paragraph_id || note FROM review
            UNION ALL SELECT 'chunk' || id || text FROM chunk";
        assert_eq!(keys(folder.path(), rows), keys(copy.path(), rows));
        let version =
            "SELECT user_version || ' ' || application_id FROM pragma_user_version, pragma_application_id";
        assert_eq!(keys(folder.path(), version), keys(copy.path(), version));
    }
}

#[tokio::test]
async fn a_damaged_backup_is_not_restored_and_damages_nothing() {
    let folder = tempfile::tempdir().unwrap();
    library(folder.path());
    let place = Place::named(folder.path());
    let store = open(place.clone()).unwrap();
    let backup = store.keep_backup(3).await.unwrap();
    let path = folder.path().join(sibyl_store::backup::FOLDER).join(&backup.name);
    let half = fs::metadata(&path).unwrap().len() / 2;
    fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(half).unwrap();
    let error = place.restore(&backup.name).unwrap_err();
    assert_eq!(error.code(), "bad_copy");
    let words = error.to_string();
    assert!(words.contains(&backup.name) && words.contains("restore another backup"), "{words}");
    assert!(!place.is_replaced() && store.damage().is_none());
    store.create_workspace("audit", LabelLanguage::En).await.unwrap();
}

#[tokio::test]
async fn nothing_is_written_to_a_library_that_is_replaced_and_it_waits_until_all_have_closed_it() {
    let folder = tempfile::tempdir().unwrap();
    library(folder.path());
    let place = Place::named(folder.path());
    let (store, other) = (open(place.clone()).unwrap(), open(place.clone()).unwrap());
    let backup = store.keep_backup(3).await.unwrap();
    store.create_workspace("late", LabelLanguage::En).await.unwrap();
    place.restore(&backup.name).unwrap();
    for open in [&store, &other] {
        assert_eq!(open.create_workspace("lost", LabelLanguage::En).await.unwrap_err().code(), "replaced");
        assert_eq!(open.workspace("late").await.unwrap().name, "late");
    }
    drop(store);
    // It is still open in another program: a start finds the same library, and may not write to it.
    let third = open(place.clone()).unwrap();
    assert_eq!(third.workspace("late").await.unwrap().name, "late");
    assert_eq!(third.create_workspace("lost", LabelLanguage::En).await.unwrap_err().code(), "replaced");
    drop((third, other));
    let restored = open(place).unwrap();
    assert!(restored.workspace("late").await.is_err());
    restored.create_workspace("new", LabelLanguage::En).await.unwrap();
}

#[tokio::test]
async fn damage_is_told_from_the_moment_it_is_met() {
    let folder = tempfile::tempdir().unwrap();
    library(folder.path());
    for (page, _) in leaves(folder.path(), "search_run") {
        damage(folder.path(), page, 0x5a);
    }
    let store = open(Place::named(folder.path())).unwrap();
    assert_eq!(store.damage(), None);
    let error = store.check().await.unwrap_err();
    assert_eq!(error.code(), "damaged");
    assert!(store.damage().is_some());
    // Every program that opens it from now on knows, until another library replaces it.
    drop(store);
    let place = Place::named(folder.path());
    assert!(open(place.clone()).unwrap().damage().is_some());
    rescue(&place).unwrap();
    for _ in 0..2 {
        assert_eq!(open(place.clone()).unwrap().damage(), None);
    }
}

#[tokio::test]
async fn backups_are_kept_and_the_oldest_goes() {
    let folder = tempfile::tempdir().unwrap();
    library(folder.path());
    let place = Place::named(folder.path());
    let store = open(place.clone()).unwrap();
    let due = || place.is_backup_due(Duration::ZERO, SystemTime::now()).unwrap();
    assert!(due());
    let backups = folder.path().join(sibyl_store::backup::FOLDER);
    fs::create_dir(&backups).unwrap();
    for day in ["01", "02", "03"] {
        fs::write(backups.join(format!("2026-01-{day}T00-00-00Z.sibyl")), "old").unwrap();
    }
    fs::write(backups.join("notes.txt"), "mine").unwrap();
    let half = backups.join("2026-01-02T12-00-00Z.sibyl.part");
    fs::write(&half, "of a program that was killed").unwrap();
    let newest = store.keep_backup(2).await.unwrap();
    let names: Vec<String> = place.backups().unwrap().into_iter().map(|backup| backup.name).collect();
    assert_eq!(names, [newest.name.as_str(), "2026-01-03T00-00-00Z.sibyl"]);
    assert!(backups.join("notes.txt").exists() && !half.exists());
    assert_eq!(place.backups().unwrap()[1].made_at, "2026-01-03T00:00:00Z");
    assert!(!due());
}

#[tokio::test]
async fn no_new_library_begins_where_one_with_backups_was() {
    let folder = tempfile::tempdir().unwrap();
    library(folder.path());
    let place = Place::named(folder.path());
    let store = open(place.clone()).unwrap();
    let backup = store.keep_backup(3).await.unwrap();
    drop(store);
    let path = folder.path().join(LIBRARY_FILE);
    for lose in [(|path: &Path| fs::write(path, b"").unwrap()) as fn(&Path), |path: &Path| {
        fs::remove_file(path).unwrap()
    }] {
        lose(&path);
        for beside in ["-wal", "-shm"] {
            let _ = fs::remove_file(folder.path().join(format!("{LIBRARY_FILE}{beside}")));
        }
        let refused = open(place.clone()).err().expect("a library that is not there is not opened");
        assert!(refused.is_damage() && refused.to_string().contains("restore a backup"), "{refused}");
        assert_eq!(place.backups().unwrap(), std::slice::from_ref(&backup));
    }
    place.restore(&backup.name).unwrap();
    let store = open(place).unwrap();
    let workspace = store.workspace("default").await.unwrap().id;
    assert_eq!(store.reviews(workspace, None).await.unwrap().len() as i64, MANY + 1);
}
