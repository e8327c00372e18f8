//! What one program writes is seen by another that has the same library open.

use sibyl_engine::ingest::{EmbedPlan, IngestRequest, Source};
use sibyl_engine::reader::ReaderProgram;
use sibyl_engine::store::table::workspace::{DEFAULT_WORKSPACE, LabelLanguage};
use sibyl_engine::watch::Changed;
use sibyl_engine::{Library, OpenOptions};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;
use tokio::sync::mpsc;

async fn program(folder: &Path) -> Library {
    let options = OpenOptions { reader: ReaderProgram::InProcess, ..OpenOptions::new(folder.join("data")) };
    Library::open(options).await.unwrap()
}

/// What is reported until nothing more comes for a second.
async fn told(changes: &mut mpsc::Receiver<Vec<Changed>>) -> BTreeSet<Changed> {
    let mut told = BTreeSet::new();
    while let Ok(Some(changed)) = tokio::time::timeout(Duration::from_secs(1), changes.recv()).await {
        told.extend(changed);
    }
    told
}

#[tokio::test]
async fn what_another_program_writes_is_told_within_a_second_and_its_own_is_not() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("note.md"), "# Note\n\nThe weir holds brackwater.\n").unwrap();
    let (window, other) = (program(folder.path()).await, program(folder.path()).await);
    // It is made when it is first asked for.
    window.store().workspace(DEFAULT_WORKSPACE).await.unwrap();
    let mut changes = window.changes_by_others().await.unwrap();
    let request = IngestRequest {
        sources: vec![Source::path(folder.path().join("note.md"))],
        embed: EmbedPlan::Nothing,
        ..IngestRequest::default()
    };
    let job = other.ingest().start(DEFAULT_WORKSPACE, request).await.unwrap();
    other.jobs().wait(DEFAULT_WORKSPACE, job).await.unwrap();
    assert_eq!(told(&mut changes).await, BTreeSet::from([Changed::Chunks, Changed::Corpora, Changed::Jobs]));

    other.store().create_workspace("west", LabelLanguage::En).await.unwrap();
    assert_eq!(told(&mut changes).await, BTreeSet::from([Changed::Workspaces]));
    window.store().create_workspace("east", LabelLanguage::En).await.unwrap();
    assert_eq!(told(&mut changes).await, BTreeSet::new(), "its own changes");
}
