//! Watched folders, as the window and servers watch them: on real files that come, change and go.

use sibyl_engine::embed::{EmbedFuture, Embedder, Purpose, Space, Tier};
use sibyl_engine::ingest::watched::{WatchRequest, WatchState, WatchedFolder, WatchedFolderChange};
use sibyl_engine::ingest::{EmbedPlan, Gone, JobState};
use sibyl_engine::reader::ReaderProgram;
use sibyl_engine::store::table::document::DocumentRow;
use sibyl_engine::store::table::workspace::DEFAULT_WORKSPACE;
use sibyl_engine::{Library, OpenOptions, Work};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(60);

/// A model that counts the texts it embeds.
struct Counting(Space, Arc<AtomicUsize>);

impl Embedder for Counting {
    fn space(&self) -> &Space {
        &self.0
    }

    fn embed<'a>(&'a self, texts: &'a [String], _purpose: Purpose) -> EmbedFuture<'a> {
        self.1.fetch_add(texts.len(), Ordering::Relaxed);
        let vectors = texts.iter().map(|text| (0..8).map(|n| (text.len() + n) as f32).collect()).collect();
        Box::pin(async move { Ok(vectors) })
    }
}

/// A window on a library beside a folder.
struct Window {
    library: Library,
    embedded: Arc<AtomicUsize>,
}

impl Window {
    async fn open(folder: &Path) -> Self {
        let options = OpenOptions {
            reader: ReaderProgram::InProcess,
            work: Work::All,
            ..OpenOptions::new(folder.join("data"))
        };
        let library = Library::open(options).await.unwrap();
        let embedded = Arc::new(AtomicUsize::new(0));
        let space = Space {
            tier: Tier::Instant,
            model: "lengths".to_owned(),
            endpoint: String::new(),
            revision: "1".to_owned(),
            dimensions: 8,
            window: String::new(),
        };
        library.models().set_embedders(vec![Arc::new(Counting(space, Arc::clone(&embedded)))]);
        Self { library, embedded }
    }

    async fn watch(&self, path: &Path, gone: Gone) -> i64 {
        let path = path.to_string_lossy().into_owned();
        let request = WatchRequest { path, corpus: "inbox".to_owned(), gone, every: 1 };
        self.library.ingest().watch(DEFAULT_WORKSPACE, request).await.unwrap()
    }

    async fn documents(&self) -> Vec<DocumentRow> {
        let workspace = self.library.store().workspace(DEFAULT_WORKSPACE).await.unwrap().id;
        self.library.store().documents(workspace, None).await.unwrap()
    }

    /// Waits until the library has these paths, and no job is running.
    async fn holds(&self, paths: &[&str]) -> Vec<DocumentRow> {
        let start = Instant::now();
        loop {
            let documents = self.documents().await;
            let jobs = self.library.jobs().list(DEFAULT_WORKSPACE).await.unwrap();
            let rest = jobs.iter().all(|job| job.state == JobState::Done);
            if rest && documents.iter().map(|document| &document.path).eq(paths) {
                return documents;
            }
            assert!(start.elapsed() < PATIENCE, "{documents:#?} {jobs:#?}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    async fn folder(&self) -> WatchedFolder {
        self.library.ingest().watched(DEFAULT_WORKSPACE).await.unwrap().remove(0)
    }

    async fn stands(&self, state: WatchState) -> WatchedFolder {
        let start = Instant::now();
        loop {
            let folder = self.folder().await;
            if folder.state == state {
                return folder;
            }
            assert!(start.elapsed() < PATIENCE, "{folder:?}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    async fn jobs(&self) -> usize {
        self.library.jobs().list(DEFAULT_WORKSPACE).await.unwrap().len()
    }

    /// Documents that were stored anew, in all jobs.
    async fn updates(&self) -> usize {
        let jobs = self.library.jobs().list(DEFAULT_WORKSPACE).await.unwrap();
        jobs.iter().map(|job| job.report.documents.updated).sum()
    }
}

/// A folder beside a data folder, with two notes.
fn inbox() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let inbox = folder.path().join("inbox");
    fs::create_dir(&inbox).unwrap();
    fs::write(inbox.join("one.md"), "# One\n\nThe weir holds brackwater.\n").unwrap();
    fs::write(inbox.join("two.md"), "# Two\n\nThe sluice opens at dawn.\n").unwrap();
    (folder, inbox)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_comes_changes_and_is_renamed_is_taken_in_and_a_new_name_needs_no_new_vector() {
    let (folder, inbox) = inbox();
    #[cfg(unix)]
    for (to, name) in [(inbox.as_path(), "loop"), (Path::new("/"), "everything")] {
        std::os::unix::fs::symlink(to, inbox.join(name)).unwrap();
    }
    let window = Window::open(folder.path()).await;
    window.watch(&inbox, Gone::Mark).await;
    window.holds(&["one.md", "two.md"]).await;
    window.stands(WatchState::Watching).await;
    let before = window.embedded.load(Ordering::Relaxed);
    assert!(before > 0);

    // Marking folders keep documents whose file is gone, but a renamed file is not gone.
    fs::rename(inbox.join("two.md"), inbox.join("zwei.md")).unwrap();
    let documents = window.holds(&["one.md", "zwei.md"]).await;
    assert!(documents.iter().all(|document| document.missing_since.is_none()));
    assert_eq!(window.embedded.load(Ordering::Relaxed), before);

    let updates = window.updates().await;

    // A file that grows is ingested once it is whole.
    let whole = format!("# Long\n\n{}The tide turns.\n", "A sentence of the long note. ".repeat(200));
    for part in 1..=3 {
        fs::write(inbox.join("long.md"), &whole[..whole.len() / 3 * part]).unwrap();
        tokio::time::sleep(Duration::from_millis(700)).await;
    }
    fs::write(inbox.join("long.md"), &whole).unwrap();
    window.holds(&["long.md", "one.md", "zwei.md"]).await;
    let documents = window.documents().await;
    let long = documents.iter().find(|document| document.path == "long.md").unwrap();
    assert_eq!(long.word_count as usize, whole.split_whitespace().count());
    assert_eq!(window.updates().await, updates, "no part of it was stored before");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_note_among_ten_thousand_files_is_taken_in() {
    let (folder, inbox) = inbox();
    for file in 0..10_000 {
        let place = inbox.join(format!("measurements/{:02}", file % 100));
        fs::create_dir_all(&place).unwrap();
        fs::write(place.join(format!("{file}.dat")), [0; 64]).unwrap();
    }
    let window = Window::open(folder.path()).await;
    window.watch(&inbox, Gone::Mark).await;
    window.holds(&["one.md", "two.md"]).await;
    fs::write(inbox.join("measurements/50/note.md"), "# Note\n\nThe gauge stands still.\n").unwrap();
    window.holds(&["measurements/50/note.md", "one.md", "two.md"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_deleted_is_kept_marked_or_deleted_as_set() {
    let (folder, inbox) = inbox();
    let window = Window::open(folder.path()).await;
    let id = window.watch(&inbox, Gone::Keep).await;
    window.holds(&["one.md", "two.md"]).await;
    for (gone, new, paths, marked) in [
        (Gone::Keep, "three.md", &["one.md", "three.md", "two.md"][..], 0),
        (Gone::Mark, "four.md", &["four.md", "one.md", "three.md", "two.md"], 1),
        (Gone::Delete, "one.md", &["four.md", "one.md", "three.md"], 0),
    ] {
        let change = WatchedFolderChange { gone: Some(gone), ..WatchedFolderChange::default() };
        window.library.ingest().change_watch(DEFAULT_WORKSPACE, id, change).await.unwrap();
        // Changing the setting alone ingests nothing; a new file is ingested.
        fs::write(inbox.join(new), format!("# Note\n\nWritten when {gone:?} was set.\n")).unwrap();
        let _ = fs::remove_file(inbox.join("two.md"));
        let documents = window.holds(paths).await;
        let start = Instant::now();
        while window.documents().await.iter().filter(|d| d.missing_since.is_some()).count() != marked {
            assert!(start.elapsed() < PATIENCE, "{documents:#?}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    // One that is there again is missing no more.
    let change = WatchedFolderChange { gone: Some(Gone::Mark), ..WatchedFolderChange::default() };
    window.library.ingest().change_watch(DEFAULT_WORKSPACE, id, change).await.unwrap();
    let text = fs::read(inbox.join("four.md")).unwrap();
    fs::remove_file(inbox.join("four.md")).unwrap();
    let start = Instant::now();
    while window.documents().await.iter().all(|document| document.missing_since.is_none()) {
        assert!(start.elapsed() < PATIENCE);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    fs::write(inbox.join("four.md"), text).unwrap();
    while window.documents().await.iter().any(|document| document.missing_since.is_some()) {
        assert!(start.elapsed() < PATIENCE);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_deleted_because_a_drive_is_gone_and_it_is_taken_up_again() {
    let (folder, inbox) = inbox();
    let window = Window::open(folder.path()).await;
    let id = window.watch(&inbox, Gone::Delete).await;
    window.holds(&["one.md", "two.md"]).await;
    let away = folder.path().join("away");
    fs::rename(&inbox, &away).unwrap();
    let told = window.stands(WatchState::Trouble).await;
    assert_eq!(told.code.as_deref(), Some("folder_away"), "{told:?}");
    // A disconnected drive often leaves an empty folder behind.
    fs::create_dir(&inbox).unwrap();
    let start = Instant::now();
    let empty = |told: &WatchedFolder| told.message.as_deref().is_some_and(|told| told.contains("is empty"));
    while !empty(&window.folder().await) {
        assert!(start.elapsed() < PATIENCE, "{:?}", window.folder().await);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(window.library.ingest().look_now(DEFAULT_WORKSPACE, id, EmbedPlan::Instant).await.is_err());
    window.holds(&["one.md", "two.md"]).await;
    fs::remove_dir(&inbox).unwrap();
    fs::rename(&away, &inbox).unwrap();
    window.stands(WatchState::Watching).await;
    fs::write(inbox.join("three.md"), "# Three\n\nThe gate is shut.\n").unwrap();
    window.holds(&["one.md", "three.md", "two.md"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_takes_in_what_changed_meanwhile_and_two_windows_never_both() {
    let (folder, inbox) = inbox();
    let window = Window::open(folder.path()).await;
    window.watch(&inbox, Gone::Delete).await;
    window.holds(&["one.md", "two.md"]).await;
    let other = Window::open(folder.path()).await;
    fs::write(inbox.join("pump.md"), "# Pump\n\nThe pump runs.\n").unwrap();
    window.holds(&["one.md", "pump.md", "two.md"]).await;
    assert_eq!(window.jobs().await, 2, "one for what was there and one for what came");
    drop((window, other));

    fs::write(inbox.join("three.md"), "# Three\n\nThe gate is shut.\n").unwrap();
    let window = Window::open(folder.path()).await;
    window.holds(&["one.md", "pump.md", "three.md", "two.md"]).await;
    assert_eq!(window.jobs().await, 3);
    let id = window.folder().await.id;
    let change = WatchedFolderChange { paused: Some(true), ..WatchedFolderChange::default() };
    window.library.ingest().change_watch(DEFAULT_WORKSPACE, id, change).await.unwrap();
    window.stands(WatchState::Paused).await;
    fs::write(inbox.join("four.md"), "# Four\n\nThe pump rests.\n").unwrap();
    window.library.ingest().look_now(DEFAULT_WORKSPACE, id, EmbedPlan::Instant).await.unwrap();
    window.holds(&["four.md", "one.md", "pump.md", "three.md", "two.md"]).await;
    window.library.ingest().unwatch(DEFAULT_WORKSPACE, id).await.unwrap();
    assert_eq!(window.documents().await.len(), 5, "documents of a folder that is watched no longer stay");
    window.watch(&inbox, Gone::Delete).await;
    let corpus = window.documents().await[0].corpus_id;
    window.library.store().delete_corpus(corpus).await.unwrap();
    assert!(window.library.ingest().watched(DEFAULT_WORKSPACE).await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_watched_is_refused_with_the_cure() {
    let (folder, inbox) = inbox();
    let window = Window::open(folder.path()).await;
    fs::create_dir(inbox.join("inner")).unwrap();
    window.watch(&inbox, Gone::Delete).await;
    let request = |path: &Path, corpus: &str| WatchRequest {
        path: path.to_string_lossy().into_owned(),
        corpus: corpus.to_owned(),
        gone: Gone::Delete,
        every: 0,
    };
    for (path, corpus, words) in [
        (inbox.clone(), "inbox", "is already watched"),
        (inbox.join("one.md"), "inbox", "only folders can be watched"),
        (inbox.join("inner"), "inbox", "overlaps with"),
        (folder.path().to_owned(), "inbox", "Sibyl's own data"),
        (inbox.join("none"), "inbox", "none"),
        (inbox, " ", "needs a corpus"),
    ] {
        let refused = window.library.ingest().watch(DEFAULT_WORKSPACE, request(&path, corpus)).await;
        let error = refused.unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}
