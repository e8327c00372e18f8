//! A library moves to another folder whole, and nothing is written to the one that it left.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use sibyl_store::job::JobKind;
use sibyl_store::place::POINTER;
use sibyl_store::table::job::NewJob;
use sibyl_store::table::workspace::DEFAULT_WORKSPACE;
use sibyl_store::table::workspace::LabelLanguage;
use sibyl_store::{LIBRARY_FILE, Place, Store, open};
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// The library of the programs that look for it in `home`.
fn of(home: &Path) -> Arc<dyn Store> {
    open(Place::of(home).unwrap()).unwrap()
}

async fn refused(store: &Arc<dyn Store>, folder: &Path) -> String {
    store.move_to(folder.to_owned()).await.unwrap_err().to_string()
}

#[tokio::test]
async fn a_library_moves_with_all_it_holds_and_the_former_one_stays() {
    let root = tempfile::tempdir().unwrap();
    let (home, away) = (root.path().join("home"), root.path().join("drive/sibyl"));
    let library = of(&home);
    library.create_workspace("audit", LabelLanguage::Sv).await.unwrap();
    assert_eq!(library.location().next().await.unwrap(), None);
    let bytes = library.move_to(away.clone()).await.unwrap();
    assert_eq!(library.location().next().await.unwrap(), Some(away.clone()));
    assert!(bytes > 0 && home.join(LIBRARY_FILE).is_file());

    let next = of(&home);
    assert_eq!(next.location().folder(), away);
    assert!(next.location().is_movable());
    assert_eq!(next.workspace("audit").await.unwrap().language, LabelLanguage::Sv);
    assert_eq!(next.location().next().await.unwrap(), None);
    assert!(next.doctor().await.unwrap().is_sound());

    // Back home once the former one is gone.
    assert!(refused(&next, &home).await.contains("already contains a library"));
    drop(library);
    for file in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(home.join(format!("{LIBRARY_FILE}{file}")));
    }
    next.move_to(home.clone()).await.unwrap();
    assert_eq!(of(&home).location().folder(), home);
}

#[tokio::test]
async fn a_library_that_was_moved_is_read_and_no_longer_written_by_whoever_has_it_open() {
    let root = tempfile::tempdir().unwrap();
    let (home, away) = (root.path().join("home"), root.path().join("away"));
    let (library, other) = (of(&home), of(&home));
    library.create_workspace("audit", LabelLanguage::Sv).await.unwrap();
    library.move_to(away.clone()).await.unwrap();
    for former in [&library, &other] {
        let refused = former.create_workspace("late", LabelLanguage::En).await.unwrap_err();
        assert_eq!(refused.code(), "moved");
        let words = refused.to_string();
        assert!(words.contains(&away.display().to_string()) && words.contains("start it again"), "{words}");
        assert_eq!(former.workspace("audit").await.unwrap().language, LabelLanguage::Sv);
        let again = former.move_to(root.path().join("elsewhere")).await.unwrap_err();
        assert_eq!(again.code(), "moved");
    }
    of(&home).create_workspace("late", LabelLanguage::En).await.unwrap();

    // Its owner may continue with what was left behind.
    fs::remove_file(home.join(POINTER)).unwrap();
    other.create_workspace("mine", LabelLanguage::En).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_written_while_a_library_moves_goes_with_it_or_is_refused() {
    let root = tempfile::tempdir().unwrap();
    let (home, away) = (root.path().join("home"), root.path().join("away"));
    let (library, other) = (of(&home), of(&home));
    let writers = [Arc::clone(&library), other].into_iter().enumerate().map(|(program, library)| {
        tokio::spawn(async move {
            let mut written = Vec::new();
            for number in 0..500 {
                let name = format!("{program}-{number}");
                match library.create_workspace(&name, LabelLanguage::En).await {
                    Ok(workspace) => written.push(workspace.name),
                    Err(error) => {
                        assert_eq!(error.code(), "moved");
                        break;
                    }
                }
            }
            written
        })
    });
    let writers: Vec<_> = writers.collect();
    library.move_to(away).await.unwrap();
    let next = of(&home);
    for writer in writers {
        for name in writer.await.unwrap() {
            next.workspace(&name).await.unwrap();
        }
    }
}

#[tokio::test]
async fn a_library_whose_job_waits_stays() {
    let root = tempfile::tempdir().unwrap();
    let home = root.path().join("home");
    let library = of(&home);
    let new = NewJob {
        kind: JobKind::Embed,
        workspace: DEFAULT_WORKSPACE.to_owned(),
        request: "{}".to_owned(),
        uploads: Vec::new(),
    };
    let job = library.begin_job(new, Vec::new(), 0).await.unwrap().id;
    let away = root.path().join("away");
    let words = refused(&library, &away).await;
    assert!(words.contains(&format!("job {job} in workspace `default` is running")), "{words}");
    assert!(!home.join(POINTER).exists() && !away.join(LIBRARY_FILE).exists());
}

#[tokio::test]
async fn a_folder_that_will_not_do_is_refused_with_its_cure() {
    let root = tempfile::tempdir().unwrap();
    let home = root.path().join("home");
    let library = of(&home);
    let other = root.path().join("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("notes.txt"), "mine").unwrap();
    assert!(refused(&library, &other).await.contains("is not empty; choose an empty folder"));
    assert!(refused(&library, &home.join("inner")).await.contains("is inside the data folder"));
    assert!(refused(&library, Path::new("relative")).await.contains("absolute"));
    assert!(refused(&library, &other.join("notes.txt/x")).await.contains("notes.txt"));
    fs::write(other.join(LIBRARY_FILE), "").unwrap();
    assert!(refused(&library, &other).await.contains("already contains a library"));
    #[cfg(unix)]
    {
        let link = root.path().join("link");
        std::os::unix::fs::symlink(&home, &link).unwrap();
        assert!(refused(&library, &link.join("inner/most")).await.contains("is inside the data folder"));
    }
    assert!(!home.join(POINTER).exists());

    let by_hand = open(Place::named(root.path().join("named"))).unwrap();
    assert!(refused(&by_hand, &root.path().join("empty")).await.contains("set when Sibyl was started"));
}

#[test]
fn a_library_that_is_out_of_reach_is_not_started_afresh() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join(POINTER), "/nowhere/at/all\n").unwrap();
    let error = Place::of(home.path()).unwrap_err().to_string();
    assert!(error.contains("/nowhere/at/all") && error.contains("connect the drive"), "{error}");
    for half in ["", "\n", "drive/sibyl"] {
        fs::write(home.path().join(POINTER), half).unwrap();
        let error = Place::of(home.path()).unwrap_err().to_string();
        assert!(error.contains(POINTER) && error.contains("delete it"), "{half}: {error}");
    }
}
