//! Files that are gone from a watched folder: what is evidence that they were deleted, and what is not.

use sibyl_engine::ingest::watched::{WatchRequest, WatchState, WatchedFolderChange};
use sibyl_engine::ingest::{EmbedPlan, Gone, GoneReport, IngestRequest, JobState, Source};
use sibyl_engine::library::Clock;
use sibyl_engine::reader::ReaderProgram;
use sibyl_engine::store::job::GoneDocuments;
use sibyl_engine::store::table::bin::DeletedBecause;
use sibyl_engine::store::table::document::{Details, DocumentRow};
use sibyl_engine::store::table::held::HeldBecause;
use sibyl_engine::store::table::missing::{HeldDecision, HeldOutcome};
use sibyl_engine::store::table::workspace::DEFAULT_WORKSPACE;
use sibyl_engine::{Library, OpenOptions, Work};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

const HOUR: i64 = 60 * 60;
const PATIENCE: Duration = Duration::from_secs(60);

/// A library whose clock can be moved forward, and a folder beside it that it watches when told to.
struct Desk {
    folder: tempfile::TempDir,
    library: Library,
    clock: Arc<AtomicI64>,
    workspace: i64,
    watched: i64,
}

impl Desk {
    /// The folder has `local.md` and `share/n1.md` to `share/n6.md`, which are ingested.
    async fn new(gone: Gone) -> Self {
        let desk = Self::open(gone, Work::Asked).await;
        assert_eq!(desk.check().await, GoneReport::default());
        assert_eq!(desk.documents().await.len(), 7);
        desk
    }

    async fn open(gone: Gone, work: Work) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let inbox = folder.path().join("inbox");
        fs::create_dir_all(inbox.join("share")).unwrap();
        fs::write(inbox.join("local.md"), "# Local note\n").unwrap();
        for n in 1..=6 {
            let text = format!("# Note {n}\n\nQuay {n} received gravel.\n");
            fs::write(inbox.join(format!("share/n{n}.md")), text).unwrap();
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs().cast_signed();
        let clock = Arc::new(AtomicI64::new(now));
        let told = Arc::clone(&clock);
        let options = OpenOptions {
            reader: ReaderProgram::InProcess,
            work,
            clock: Clock::new(move || told.load(Ordering::Relaxed)),
            ..OpenOptions::new(folder.path().join("data"))
        };
        let library = Library::open(options).await.unwrap();
        let workspace = library.store().workspace(DEFAULT_WORKSPACE).await.unwrap().id;
        let path = inbox.to_string_lossy().into_owned();
        let request = WatchRequest { path, corpus: "reports".to_owned(), gone, every: 0 };
        let watched = library.ingest().watch(DEFAULT_WORKSPACE, request).await.unwrap();
        Self { folder, library, clock, workspace, watched }
    }

    fn at(&self, path: &str) -> PathBuf {
        let inbox = self.folder.path().join("inbox");
        if path.is_empty() { inbox } else { inbox.join(path) }
    }

    /// Removes the folder `path`, as if its drive had been disconnected. Returns what puts it back.
    fn take_away(&self, path: &str) -> impl Fn() + use<> {
        let (at, away) = (self.at(path), self.folder.path().join("away"));
        fs::rename(&at, &away).unwrap();
        move || fs::rename(&away, &at).unwrap()
    }

    fn remove(&self, paths: &[&str]) {
        for path in paths {
            fs::remove_file(self.at(path)).unwrap();
        }
    }

    /// Ingests the folder, and returns what became of documents whose files were not found.
    async fn check(&self) -> GoneReport {
        let job = self
            .library
            .ingest()
            .look_now(DEFAULT_WORKSPACE, self.watched, EmbedPlan::Nothing)
            .await
            .unwrap();
        let job = self.library.jobs().wait(DEFAULT_WORKSPACE, job).await.unwrap();
        assert_eq!(job.state, JobState::Done, "{:?}", job.error);
        let health = self.library.upkeep().doctor().await.unwrap();
        assert!(health.is_sound(), "{health:?}");
        let folders = self.library.ingest().watched(DEFAULT_WORKSPACE).await.unwrap();
        assert_eq!(folders[0].settled.as_ref(), Some(&job.report.gone));
        job.report.gone
    }

    async fn documents(&self) -> Vec<DocumentRow> {
        self.library.store().documents(self.workspace, None).await.unwrap()
    }

    async fn paths(&self) -> Vec<String> {
        self.documents().await.into_iter().map(|document| document.path).collect()
    }

    async fn holds(&self, documents: usize) {
        let paths = self.paths().await;
        assert_eq!(paths.len(), documents, "{paths:?}");
        assert!(self.documents().await.iter().all(|document| document.missing_since.is_none()));
    }

    async fn binned(&self) -> Vec<String> {
        let binned = self.library.store().binned(self.workspace).await.unwrap();
        binned.into_iter().map(|document| document.path).collect()
    }

    /// What is held back: reason and number.
    async fn held(&self) -> Vec<(HeldBecause, usize)> {
        let held = self.library.store().held_documents(self.workspace).await.unwrap();
        held.iter().map(|held| (held.reason, held.files.count)).collect()
    }

    async fn decide(&self, confirmed: bool) -> HeldOutcome {
        let root = self.at("").canonicalize().unwrap().to_string_lossy().into_owned();
        let decision = HeldDecision { root, corpus: None, reason: None, confirmed };
        self.library.store().decide_held(self.workspace, decision).await.unwrap()
    }

    async fn restore(&self, path: &str) {
        let binned = self.library.store().binned(self.workspace).await.unwrap();
        let ids =
            binned.iter().filter(|document| document.path == path).map(|document| document.id).collect();
        let restored = self.library.store().restore_documents(self.workspace, ids).await.unwrap();
        assert_eq!((restored.restored.len(), restored.refused.len()), (1, 0));
    }

    fn pass(&self, hours: i64) {
        self.clock.fetch_add(hours * HOUR, Ordering::Relaxed);
    }
}

fn paths(documents: &GoneDocuments) -> Vec<&str> {
    documents.documents.iter().map(|document| document.path.as_str()).collect()
}

/// What a disconnected drive leaves in its place: its name, and how to make it.
type LeftBehind = (&'static str, fn(&Path));

fn left_behind() -> [LeftBehind; 4] {
    [
        ("nothing", |_| {}),
        ("an empty folder", |place| fs::create_dir(place).unwrap()),
        ("a folder with a file of its own", |place| {
            fs::create_dir(place).unwrap();
            fs::write(place.join("README.txt"), "Mount the share here.\n").unwrap();
        }),
        ("a file", |place| fs::write(place, "not mounted").unwrap()),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_deleted_because_a_drive_is_disconnected() {
    for gone in [Gone::Delete, Gone::Mark] {
        for (what, leave) in left_behind() {
            let desk = Desk::new(gone).await;
            let put_back = desk.take_away("share");
            leave(&desk.at("share"));
            let found = desk.check().await;
            assert_eq!((found.away.count, paths(&found.away)[0]), (6, "share/n1.md"), "{what}: {found:?}");
            assert_eq!((found.deleted.count, found.marked.count, found.held.count), (0, 0, 0), "{what}");
            assert_eq!(desk.held().await, [(HeldBecause::Away, 6)]);
            // However long it is gone.
            desk.pass(24 * 30);
            assert_eq!(desk.check().await, found, "{what}");
            assert!(desk.documents().await.iter().all(|document| document.missing_since.is_none()), "{what}");
            assert!(desk.binned().await.is_empty(), "{what}");

            // Once it is back, files deleted on it meanwhile count as gone.
            let place = desk.at("share");
            if place.is_dir() {
                fs::remove_dir_all(place).unwrap();
            } else if place.exists() {
                fs::remove_file(place).unwrap();
            }
            put_back();
            desk.remove(&["share/n4.md"]);
            let found = desk.check().await;
            let acted = if gone == Gone::Mark { &found.marked } else { &found.deleted };
            // What was found in its place was in another folder.
            let elsewhere: &[&str] =
                if what == "a folder with a file of its own" { &["share/README.txt"] } else { &[] };
            assert_eq!(
                (paths(acted), paths(&found.away).as_slice()),
                (vec!["share/n4.md"], elsewhere),
                "{what}"
            );
            assert_eq!(desk.held().await.len(), elsewhere.len(), "{what}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_deleted_where_the_watched_folder_itself_is_gone_or_another_one() {
    for (what, leave) in left_behind() {
        let desk = Desk::new(Gone::Delete).await;
        let put_back = desk.take_away("");
        leave(&desk.at(""));
        let ingest = desk.library.ingest();
        let look = ingest.look_now(DEFAULT_WORKSPACE, desk.watched, EmbedPlan::Nothing);
        if what == "a folder with a file of its own" {
            let job = look.await.unwrap();
            let job = desk.library.jobs().wait(DEFAULT_WORKSPACE, job).await.unwrap();
            assert_eq!((job.report.gone.away.count, job.report.documents.deleted), (7, 0));
        } else {
            assert!(look.await.is_err(), "{what}");
        }
        assert!(desk.binned().await.is_empty(), "{what}");
        let place = desk.at("");
        if place.is_dir() {
            fs::remove_dir_all(place).unwrap();
        } else if place.exists() {
            fs::remove_file(place).unwrap();
        }
        put_back();
        let found = desk.check().await;
        assert_eq!(found.deleted.count, 0, "{what}");
        assert!(desk.paths().await.len() >= 7, "{what}");
        assert!(desk.held().await.iter().map(|(_, count)| count).sum::<usize>() <= 1, "{what}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_file_that_is_deleted_goes_at_once_and_comes_back_with_all_that_belongs_to_it() {
    let desk = Desk::new(Gone::Delete).await;
    let documents = desk.documents().await;
    let note = documents.iter().find(|document| document.path == "share/n2.md").unwrap();
    let details = Details { title: Some("The second quay".to_owned()), ..Details::default() };
    let corrected = desk.library.store().correct_document(desk.workspace, note.id, details).await.unwrap();
    desk.remove(&["share/n2.md"]);
    let found = desk.check().await;
    assert_eq!((paths(&found.deleted), found.deleted.count), (vec!["share/n2.md"], 1));
    desk.holds(6).await;
    let binned = desk.library.store().binned(desk.workspace).await.unwrap();
    assert_eq!((binned[0].title.as_str(), binned[0].reason), ("The second quay", DeletedBecause::Gone));

    // Restored, it stays, though its file is gone.
    desk.restore("share/n2.md").await;
    for _ in 0..2 {
        assert_eq!(desk.check().await, GoneReport::default());
        desk.holds(7).await;
        desk.pass(48);
    }
    // A file that comes back is the same document, from the bin as well.
    let text = "# Note 2\n\nQuay 2 received gravel.\n";
    fs::write(desk.at("share/n2.md"), text).unwrap();
    desk.check().await;
    desk.remove(&["share/n2.md"]);
    assert_eq!(desk.check().await.deleted.count, 1, "it was there again and is gone again");
    fs::write(desk.at("share/n2.md"), text).unwrap();
    desk.check().await;
    let again = desk.library.store().document_row(desk.workspace, note.id).await.unwrap();
    assert_eq!((again.title, again.id), (corrected.title.clone(), note.id));
    assert!(desk.binned().await.is_empty());

    // Also under another name.
    desk.remove(&["share/n2.md"]);
    assert_eq!(desk.check().await.deleted.count, 1);
    fs::write(desk.at("quay-two.md"), text).unwrap();
    desk.check().await;
    let again = desk.library.store().document_row(desk.workspace, note.id).await.unwrap();
    assert_eq!((again.title, again.path.as_str()), (corrected.title, "quay-two.md"));
    assert!(desk.binned().await.is_empty());
    desk.holds(7).await;
}

const MOST: [&str; 6] =
    ["share/n1.md", "share/n2.md", "share/n3.md", "share/n4.md", "share/n5.md", "share/n6.md"];

#[tokio::test(flavor = "multi_thread")]
async fn many_files_that_are_gone_at_once_are_held_back_for_a_day() {
    for gone in [Gone::Delete, Gone::Mark] {
        let desk = Desk::new(gone).await;
        desk.remove(&MOST);
        let found = desk.check().await;
        assert_eq!((found.held.count, found.deleted.count, found.marked.count), (6, 0, 0), "{found:?}");
        assert!(found.until.is_some());
        desk.holds(7).await;
        // One more that is deleted is as usual; the others wait for their day.
        desk.pass(23);
        fs::write(desk.at("other.md"), "# Other\n").unwrap();
        desk.remove(&["local.md"]);
        let later = desk.check().await;
        assert_eq!((later.held.count, later.until), (6, found.until));
        let acted = if gone == Gone::Mark { &later.marked } else { &later.deleted };
        assert_eq!(paths(acted), ["local.md"]);
        desk.pass(1);
        let last = desk.check().await;
        let acted = if gone == Gone::Mark { &last.marked } else { &last.deleted };
        assert_eq!((acted.count, last.held.count, last.until.clone()), (6, 0, None), "{last:?}");
        let missing =
            desk.documents().await.iter().filter(|document| document.missing_since.is_some()).count();
        let (kept, binned) = if gone == Gone::Mark { (7, 0) } else { (0, 7) };
        assert_eq!((missing, desk.binned().await.len()), (kept, binned));
        assert!(desk.held().await.is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_held_back_is_deleted_or_kept_at_once_where_somebody_says_so() {
    let desk = Desk::new(Gone::Delete).await;
    desk.remove(&MOST);
    desk.check().await;
    assert_eq!(desk.decide(true).await, HeldOutcome { deleted: 6, ..HeldOutcome::default() });
    desk.holds(1).await;
    assert_eq!((desk.binned().await.len(), desk.held().await.len()), (6, 0));

    let desk = Desk::new(Gone::Delete).await;
    desk.remove(&MOST);
    desk.check().await;
    assert_eq!(desk.decide(false).await, HeldOutcome { kept: 6, ..HeldOutcome::default() });
    desk.pass(24 * 7);
    assert_eq!(desk.check().await, GoneReport::default(), "nobody is asked again");
    desk.holds(7).await;

    // Files in a folder that is away can be given up as well; those in the folder in its place are handled as
    // usual.
    let desk = Desk::new(Gone::Delete).await;
    let _put_back = desk.take_away("share");
    fs::create_dir(desk.at("share")).unwrap();
    for name in ["share/new.md", "share/newer.md"] {
        fs::write(desk.at(name), format!("# {name}\n")).unwrap();
    }
    assert_eq!(desk.check().await.away.count, 6);
    assert_eq!(desk.decide(true).await.deleted, 6);
    desk.check().await;
    desk.remove(&["share/new.md"]);
    assert_eq!(paths(&desk.check().await.deleted), ["share/new.md"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn files_that_are_there_again_are_held_back_no_longer() {
    let desk = Desk::new(Gone::Delete).await;
    let text = |n: usize| format!("# Note {n}\n\nQuay {n} received gravel.\n");
    desk.remove(&MOST);
    desk.check().await;
    for n in 1..=5 {
        fs::write(desk.at(&format!("share/n{n}.md")), text(n)).unwrap();
    }
    desk.pass(23);
    assert_eq!(desk.check().await.held.count, 1);
    desk.pass(1);
    assert_eq!(paths(&desk.check().await.deleted), ["share/n6.md"]);
    // Nothing is held back if documents of missing files are kept as they are.
    desk.remove(&MOST[..5]);
    assert_eq!(desk.check().await.held.count, 5);
    let change = WatchedFolderChange { gone: Some(Gone::Keep), ..WatchedFolderChange::default() };
    desk.library.ingest().change_watch(DEFAULT_WORKSPACE, desk.watched, change).await.unwrap();
    assert_eq!(desk.check().await, GoneReport::default());
    assert!(desk.held().await.is_empty());
    desk.holds(6).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_has_another_name_is_neither_gone_nor_there_twice() {
    for (from, to) in
        [("local.md", "LOCAL.md"), ("share", "Share"), ("share", "quays/2024"), ("share/n1.md", "n1.md")]
    {
        let desk = Desk::new(Gone::Delete).await;
        fs::create_dir_all(desk.at(to).parent().unwrap()).unwrap();
        fs::rename(desk.at(from), desk.at(to)).unwrap();
        let found = desk.check().await;
        assert_eq!((found.held.count, found.away.count, found.deleted.count), (0, 0, 0), "{to}: {found:?}");
        let paths = desk.paths().await;
        assert_eq!((paths.len(), paths.iter().any(|path| path.starts_with(to))), (7, true), "{paths:?}");
    }
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn what_lies_behind_a_link_is_not_gone_because_the_link_leads_nowhere() {
    let desk = Desk::open(Gone::Delete, Work::Asked).await;
    // The walk comes through the link first, and the folder behind it is read once.
    std::os::unix::fs::symlink(desk.at("share"), desk.at("a-link")).unwrap();
    desk.check().await;
    assert!(desk.paths().await.contains(&"a-link/n1.md".to_owned()));
    let put_back = desk.take_away("share");
    let found = desk.check().await;
    assert_eq!((found.away.count, found.deleted.count), (6, 0), "{found:?}");
    put_back();
    assert_eq!(desk.check().await, GoneReport::default());
    // Without the link, the same files have other paths.
    desk.remove(&["a-link"]);
    desk.check().await;
    assert!(desk.held().await.is_empty());
    assert!(desk.paths().await.contains(&"share/n1.md".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_is_ingested_by_hand_is_dealt_with_in_the_same_way() {
    let desk = Desk::open(Gone::Delete, Work::Asked).await;
    let ingest = async || {
        let request = IngestRequest {
            sources: vec![Source::path(desk.at(""))],
            corpus: Some("by-hand".to_owned()),
            embed: EmbedPlan::Nothing,
            ..IngestRequest::default()
        };
        let job = desk.library.ingest().start(DEFAULT_WORKSPACE, request).await.unwrap();
        desk.library.jobs().wait(DEFAULT_WORKSPACE, job).await.unwrap().report.gone
    };
    ingest().await;
    desk.remove(&["local.md"]);
    assert_eq!(paths(&ingest().await.deleted), ["local.md"]);
    desk.remove(&MOST[..5]);
    assert_eq!(ingest().await.held.count, 5);
    let put_back = desk.take_away("share");
    fs::write(desk.at("new.md"), "# New\n").unwrap();
    let found = ingest().await;
    assert_eq!((found.away.count, found.held.count, found.deleted.count), (6, 0, 0));
    put_back();
    assert_eq!(ingest().await.held.count, 5);
    desk.holds(7).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_deletes_what_has_been_held_back_for_a_day_though_nothing_stirs() {
    let desk = Desk::open(Gone::Delete, Work::All).await;
    let until = async |wanted: usize| {
        let begun = Instant::now();
        while desk.paths().await.len() != wanted {
            assert!(begun.elapsed() < PATIENCE, "{:?}", desk.paths().await);
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    until(7).await;
    desk.remove(&MOST);
    let begun = Instant::now();
    while desk.held().await != [(HeldBecause::Many, 6)] {
        assert!(begun.elapsed() < PATIENCE, "{:?}", desk.held().await);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    desk.holds(7).await;
    desk.pass(25);
    until(1).await;
    assert_eq!(desk.binned().await.len(), 6);
    let folders = desk.library.ingest().watched(DEFAULT_WORKSPACE).await.unwrap();
    assert_eq!(folders[0].state, WatchState::Watching);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_library_that_is_opened_empties_its_bin_of_what_is_too_old() {
    let desk = Desk::new(Gone::Delete).await;
    desk.remove(&["local.md"]);
    desk.check().await;
    let open = async |days: i64| {
        let now = desk.clock.load(Ordering::Relaxed) + days * 24 * HOUR;
        let options = OpenOptions {
            clock: Clock::new(move || now),
            ..OpenOptions::new(desk.folder.path().join("data"))
        };
        let library = Library::open(options).await.unwrap();
        library.store().binned(desk.workspace).await.unwrap().len()
    };
    assert_eq!(open(29).await, 1);
    assert_eq!(open(31).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_is_put_back_from_a_copy_says_nothing_of_what_the_copy_lacks() {
    let desk = Desk::new(Gone::Delete).await;
    let _put_back = desk.take_away("share");
    fs::create_dir(desk.at("share")).unwrap();
    for n in 1..=5 {
        fs::copy(desk.folder.path().join(format!("away/n{n}.md")), desk.at(&format!("share/n{n}.md")))
            .unwrap();
    }
    assert_eq!(paths(&desk.check().await.away), ["share/n6.md"]);
    // What was found in the copy is known from then on.
    desk.remove(&["share/n5.md"]);
    let found = desk.check().await;
    assert_eq!((paths(&found.deleted), paths(&found.away)), (vec!["share/n5.md"], vec!["share/n6.md"]));
}
