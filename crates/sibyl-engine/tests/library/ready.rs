//! A library that begins as the copy of one that ships ready to use.

use crate::ingest_soundly;
use sibyl_engine::ingest::IngestRequest;
use sibyl_engine::reader::ReaderProgram;
use sibyl_engine::store::table::workspace::DEFAULT_WORKSPACE;
use sibyl_engine::{Library, OpenOptions};
use std::fs;
use std::path::{Path, PathBuf};

/// A folder with what ships: two standards.
fn shipped(below: &Path) -> PathBuf {
    let shipped = below.join("shipped");
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/sasb");
    for (folder, files) in
        [("ifrs", &[][..]), ("sasb", &["apparel_accessories_and_footwear.md", "tobacco.md"])]
    {
        fs::create_dir_all(shipped.join(folder)).unwrap();
        for file in files {
            fs::copy(data.join(file), shipped.join(folder).join(file)).unwrap();
        }
    }
    shipped
}

async fn opened(folder: PathBuf, shipped: &Path) -> Library {
    let reader = ReaderProgram::InProcess;
    let options = OpenOptions { reader, shipped: Some(shipped.to_owned()), ..OpenOptions::new(folder) };
    Library::open(options).await.unwrap()
}

/// Path below its folder, folder and chunks of each document.
async fn held(library: &Library) -> Vec<(String, String, Vec<String>)> {
    let workspace = library.store().workspace(DEFAULT_WORKSPACE).await.unwrap().id;
    let mut held = Vec::new();
    for document in library.store().documents(workspace, None).await.unwrap() {
        let chunks = library.store().chunks_of(workspace, document.id, 0, i64::MAX).await.unwrap();
        held.push((document.path, document.root, chunks.into_iter().map(|chunk| chunk.text).collect()));
    }
    held.sort();
    held
}

/// Has the shipped folder a library that has ingested all of it.
async fn made_ready(below: &Path, shipped: &Path) {
    let maker = opened(below.join("maker"), shipped).await;
    maker.ingest().begin_first_start().await.unwrap();
    ingest_soundly(&maker, IngestRequest::shipped(false)).await;
    maker.store().back_up(&shipped.join("ready.sibyl")).await.unwrap();
}

#[tokio::test]
async fn a_new_library_begins_with_what_was_made_ready_and_takes_in_what_has_changed_since() {
    let folder = tempfile::tempdir().unwrap();
    let made_in = shipped(folder.path());
    made_ready(folder.path(), &made_in).await;
    // Where it is installed is not where it was made.
    let installed = folder.path().join("installed");
    fs::rename(&made_in, &installed).unwrap();

    let library = opened(folder.path().join("first"), &installed).await;
    assert_eq!(held(&library).await.len(), 2);
    assert!(library.ingest().begin_first_start().await.unwrap(), "it was begun by whoever made it ready");
    let job = ingest_soundly(&library, IngestRequest::shipped(false)).await;
    assert_eq!((job.report.documents.created, job.report.documents.unchanged), (0, 2));
    let jobs = library.jobs().list(DEFAULT_WORKSPACE).await.unwrap();
    assert_eq!(jobs.iter().map(|job| job.id).collect::<Vec<_>>(), [job.id], "those of its making are gone");
    let begun = held(&library).await;
    assert!(begun.iter().all(|(_, root, _)| Path::new(root).starts_with(&installed)), "{begun:?}");

    fs::remove_file(installed.join("ready.sibyl")).unwrap();
    let ingested = opened(folder.path().join("second"), &installed).await;
    ingest_soundly(&ingested, IngestRequest::shipped(false)).await;
    assert_eq!(begun, held(&ingested).await);
}

#[tokio::test]
async fn nothing_that_is_there_gives_way_to_what_was_made_ready() {
    let folder = tempfile::tempdir().unwrap();
    let shipped = shipped(folder.path());
    let library = opened(folder.path().join("mine"), &shipped).await;
    drop(library);
    made_ready(folder.path(), &shipped).await;
    let library = opened(folder.path().join("mine"), &shipped).await;
    assert!(held(&library).await.is_empty());

    // A file of another kind is left alone, and so is one with damaged pages.
    let ready = shipped.join("ready.sibyl");
    let sound = fs::read(&ready).unwrap();
    let mut damaged = sound.clone();
    damaged[4096..40_960].fill(0xa5);
    for (name, bytes) in
        [("text", b"no library".to_vec()), ("damaged", damaged), ("cut", sound[..10_000].to_vec())]
    {
        fs::write(&ready, bytes).unwrap();
        let library = opened(folder.path().join(name), &shipped).await;
        assert!(held(&library).await.is_empty(), "{name}");
        ingest_soundly(&library, IngestRequest::shipped(false)).await;
        assert_eq!(held(&library).await.len(), 2, "{name}");
        let left = fs::read_dir(folder.path().join(name)).unwrap().flatten();
        assert!(
            !left.into_iter().any(|entry| entry.file_name().to_string_lossy().starts_with(".ready-")),
            "{name}"
        );
    }
}
