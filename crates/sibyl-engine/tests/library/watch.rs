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

/// Time after which what should be reported is not waited for any longer.
const PATIENCE: Duration = Duration::from_secs(60);

/// Waits until all of `expected` is reported, and nothing else is.
async fn told(changes: &mut mpsc::Receiver<Vec<Changed>>, expected: &[Changed]) {
    let expected: BTreeSet<Changed> = expected.iter().copied().collect();
    let mut told = BTreeSet::new();
    while told != expected {
        let changed = tokio::time::timeout(PATIENCE, changes.recv()).await;
        told.extend(changed.unwrap_or_else(|_| panic!("only {told:?} is reported")).unwrap());
        assert!(told.is_subset(&expected), "{told:?}");
    }
}

#[tokio::test]
async fn what_another_program_writes_is_told_by_its_kind() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("note.md"), "# Note\n\nThe weir holds brackwater.\n").unwrap();
    let (window, other) = (program(folder.path()).await, program(folder.path()).await);
    // It is made when it is first asked for.
    window.store().workspace(DEFAULT_WORKSPACE).await.unwrap();
    let mut changes = window.changes_by_others().await.unwrap();
    other.store().create_workspace("west", LabelLanguage::En).await.unwrap();
    told(&mut changes, &[Changed::Workspaces]).await;

    let request = IngestRequest {
        sources: vec![Source::path(folder.path().join("note.md"))],
        embed: EmbedPlan::Nothing,
        ..IngestRequest::default()
    };
    let job = other.ingest().start(DEFAULT_WORKSPACE, request).await.unwrap();
    other.jobs().wait(DEFAULT_WORKSPACE, job).await.unwrap();
    told(&mut changes, &[Changed::Chunks, Changed::Corpora, Changed::Jobs]).await;
}
