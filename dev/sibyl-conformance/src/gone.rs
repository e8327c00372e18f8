//! Laws of documents whose files move, change or go.

use crate::Bench;
use crate::jobs::{begun, planned};
use crate::made::{Desk, document};
use sibyl_store::origin::DocumentOrigin;
use sibyl_store::table::bin::DeletedBecause;
use sibyl_store::table::document::{Details, Move};
use sibyl_store::table::held::HeldBecause;
use sibyl_store::table::job::Expanded;
use sibyl_store::table::job_file::PlannedFile;
use sibyl_store::table::likeness::Alike;
use sibyl_store::table::missing::{HeldDecision, HeldOutcome, Listed, Settlement};
use sibyl_store::table::watched_folder::Gone;
use std::collections::HashMap;

/// A corpus of `count` documents from the folder `/made`, called `0.md`, `1.md` …
struct Folder<B> {
    desk: Desk<B>,
    corpus: i64,
    documents: Vec<i64>,
}

/// When its documents are held back.
const AT: &str = "2026-01-01T00:00:00Z";

impl<B: Bench> Folder<B> {
    async fn new(count: usize) -> Self {
        let desk = Desk::<B>::new().await;
        let corpus = desk.corpus(Some(desk.workspace), "texts").await;
        let mut documents = Vec::new();
        for n in 0..count {
            documents.push(desk.put(document(corpus, &format!("{n}.md"), &[format!("alba {n}")])).await);
        }
        Self { desk, corpus, documents }
    }

    /// Lists the folder, in which the files of `found` are; returns the job, and what it did not find.
    async fn list(&self, found: &[i64]) -> (i64, Listed) {
        let store = &self.desk.store;
        let job = begun(&**store, "{}").await;
        let files =
            found.iter().map(|n| PlannedFile { root: "/made".to_owned(), ..planned(*n, self.corpus) });
        let expanded = Expanded {
            files: files.collect(),
            roots: vec![(self.corpus, "/made".to_owned())],
            folders: vec![("/made".to_owned(), "folder 1".to_owned())],
            newest: store.newest_document().await.unwrap(),
            ..Expanded::default()
        };
        store.expand_job(job, expanded).await.unwrap();
        (job, store.listed(job).await.unwrap().unwrap())
    }

    /// Holds documents back, each for a reason.
    async fn hold(&self, hold: Vec<(i64, HeldBecause)>, gone: Gone) {
        let (job, _) = self.list(&[]).await;
        let settlement = Settlement { hold, gone, at: AT.to_owned(), ..Settlement::default() };
        self.desk.store.settle_missing(job, settlement).await.unwrap();
    }
}

/// Documents whose files moved keep their keys and chunks, even if two exchange their places; their former paths
/// are known.
pub async fn documents_move_all_at_once<B: Bench>() {
    let folder = Folder::<B>::new(3).await;
    let (desk, [a, b, c]) = (&folder.desk, [0, 1, 2].map(|n| folder.documents[n]));
    let before: Vec<(i64, String)> =
        desk.chunks(a).await.into_iter().map(|chunk| (chunk.id, chunk.chunk_id)).collect();
    let to = |document, path: &str| Move {
        document,
        root: "/other".to_owned(),
        origin: DocumentOrigin::Path(format!("/other/{path}")),
        path: path.to_owned(),
    };
    let job = begun(&*desk.store, "{}").await;
    // The last has no place to go to.
    let moves = vec![to(a, "1.md"), to(b, "0.md"), to(c + 1_000, "9.md")];
    desk.store.expand_job(job, Expanded { moves, ..Expanded::default() }).await.unwrap();
    let placed = desk.store.placed_documents(folder.corpus).await.unwrap();
    let told: Vec<_> = placed.iter().map(|one| (one.id, one.path.as_str(), one.root.as_str())).collect();
    assert_eq!(told, [(b, "0.md", "/other"), (a, "1.md", "/other"), (c, "2.md", "/made")]);
    assert!(placed.iter().all(|one| !one.is_used && !one.in_bin && one.bytes > 0), "{placed:?}");
    let now = desk.chunks(a).await;
    assert!(now.iter().all(|chunk| chunk.path == "1.md"));
    assert_eq!(now.into_iter().map(|chunk| (chunk.id, chunk.chunk_id)).collect::<Vec<_>>(), before);
    let former = desk.store.former_places(desk.workspace).await.unwrap();
    let former: Vec<_> = former.iter().map(|one| (one.path.as_str(), one.document)).collect();
    assert_eq!(former, [("0.md", a), ("1.md", b)]);
    assert_eq!(desk.store.documents_at(desk.workspace, "0.md").await.unwrap(), [b, a], "the former one last");
    let west = desk.another("west").await;
    assert!(desk.store.former_places(west).await.unwrap().is_empty());
    let details = Details { title: Some("Right".to_owned()), ..Details::default() };
    desk.store.correct_document(desk.workspace, c, details).await.unwrap();
    let placed = desk.store.placed_documents(folder.corpus).await.unwrap();
    assert_eq!(placed.iter().map(|one| one.is_used).collect::<Vec<_>>(), [false, false, true]);
}

/// Two documents that are one have the key and the additions of the former, and the place and text of the one found.
pub async fn two_documents_become_one<B: Bench>() {
    let desk = Desk::<B>::new().await;
    let west = desk.another("west").await;
    let (corpus, former) = desk.shelf(&["alba brix".to_owned(), "corm".to_owned()]).await;
    let found = desk.put(document(corpus, "new.md", &["alba brix", "dolt"])).await;
    let elsewhere = desk.corpus(Some(desk.workspace), "others").await;
    let other = desk.put(document(elsewhere, "o.md", &["fenk"])).await;
    let details = Details { title: Some("Right".to_owned()), ..Details::default() };
    desk.store.correct_document(desk.workspace, former, details).await.unwrap();
    let chunk = desk.chunks(found).await.remove(0);
    desk.store.add_phrasing(desk.workspace, &chunk.chunk_id, "what is white").await.unwrap();
    let join = async |workspace, former, found| desk.store.join_documents(workspace, former, found).await;
    assert_eq!(join(west, former, found).await.unwrap_err().code(), "not_found");
    assert_eq!(join(desk.workspace, former, other).await.unwrap_err().code(), "invalid", "in two corpora");
    assert_eq!(desk.documents().await.len(), 3, "nothing was joined");
    let joined = join(desk.workspace, former, found).await.unwrap();
    assert_eq!((joined.id, joined.path.as_str(), joined.title.as_str()), (former, "new.md", "Right"));
    let texts = desk.texts(former).await;
    assert!(texts[0].contains("alba brix") && texts[0].contains("what is white"), "{texts:?}");
    assert_eq!(texts[1..], ["dolt"]);
    assert_eq!(desk.store.document_row(desk.workspace, found).await.unwrap(), joined, "its key leads there");
    assert_eq!(desk.store.documents_at(desk.workspace, "a.md").await.unwrap(), [former]);
    assert_eq!(join(desk.workspace, former, found).await.unwrap_err().code(), "invalid", "they are one");
}

/// What a job did not find in its folders is dealt with once for each time that it lists them. What was stored since
/// is left alone.
pub async fn what_is_missing_is_settled_once<B: Bench>() {
    let folder = Folder::<B>::new(4).await;
    let (desk, store, ids) = (&folder.desk, &folder.desk.store, &folder.documents);
    let (job, listed) = folder.list(&[0]).await;
    assert_eq!(listed.missing.iter().map(|one| one.id).collect::<Vec<_>>(), ids[1..]);
    assert_eq!(listed.documents.iter().map(|one| one.id).collect::<Vec<_>>(), *ids);
    assert_eq!(listed.folders, HashMap::from([("/made".to_owned(), "folder 1".to_owned())]));
    let late = desk.put(document(folder.corpus, "9.md", &["late"])).await;
    let settlement = Settlement {
        delete: vec![ids[1], late],
        mark: vec![ids[2]],
        hold: vec![(ids[3], HeldBecause::Many)],
        found: vec![(ids[0], "folder 1".to_owned())],
        gone: Gone::Mark,
        at: AT.to_owned(),
        release: Vec::new(),
    };
    assert_eq!(
        store.settle_missing(job, settlement.clone()).await.unwrap(),
        1,
        "the late one is not missing"
    );
    assert!(store.listed(job).await.unwrap().is_none());
    let again = Settlement { delete: vec![ids[2]], ..settlement };
    assert_eq!(store.settle_missing(job, again).await.unwrap(), 0);
    assert_eq!(desk.documents().await, [ids[0], ids[2], ids[3], late]);
    let binned = store.binned(desk.workspace).await.unwrap();
    assert_eq!((binned.len(), binned[0].id, binned[0].reason), (1, ids[1], DeletedBecause::Gone));
    let placed = store.placed_documents(folder.corpus).await.unwrap();
    let in_bin: Vec<i64> = placed.iter().filter(|one| one.in_bin).map(|one| one.id).collect();
    assert_eq!(in_bin, [ids[1]], "its file may come back");
    let figures = store.corpus_figures(desk.workspace).await.unwrap();
    assert_eq!((figures[&folder.corpus].documents, figures[&folder.corpus].missing), (4, 1));
    assert!(store.document_row(desk.workspace, ids[2]).await.unwrap().missing_since.is_some());
    let (_, listed) = folder.list(&[0]).await;
    let found_in =
        listed.documents.iter().find(|one| one.id == ids[0]).and_then(|one| one.found_in.as_deref());
    assert_eq!(found_in, Some("folder 1"));
    let told: Vec<_> = listed.missing.iter().map(|one| (one.id, one.marked, one.held.is_some())).collect();
    assert_eq!(told, [(ids[2], true, false), (ids[3], false, true), (late, false, false)]);
    desk.put(document(folder.corpus, "2.md", &["alba 2"])).await;
    let back = store.document_row(desk.workspace, ids[2]).await.unwrap();
    assert_eq!(back.missing_since, None, "its file was read again");
}

/// Documents that are held back stay until their owner answers; one that is to stay is not asked about again.
pub async fn what_is_held_back_waits_for_an_answer<B: Bench>() {
    let folder = Folder::<B>::new(3).await;
    let (desk, store, ids) = (&folder.desk, &folder.desk.store, &folder.documents);
    let west = desk.another("west").await;
    let many = |at: usize| (ids[at], HeldBecause::Many);
    folder.hold(vec![many(2), many(0), (ids[1], HeldBecause::Away)], Gone::Delete).await;
    let held = store.held_documents(desk.workspace).await.unwrap();
    let told: Vec<_> = held
        .iter()
        .map(|one| {
            let paths: Vec<&str> = one.files.documents.iter().map(|file| file.path.as_str()).collect();
            (one.root.as_str(), one.corpus.as_str(), one.reason, paths, one.until.as_deref())
        })
        .collect();
    let expected = [
        ("/made", "texts", HeldBecause::Away, vec!["1.md"], None),
        ("/made", "texts", HeldBecause::Many, vec!["0.md", "2.md"], Some("2026-01-02T00:00:00Z")),
    ];
    assert_eq!(told, expected);
    assert!(held.iter().all(|one| one.gone == Gone::Delete && one.watched.is_none()));
    assert!(store.held_documents(west).await.unwrap().is_empty());
    let decide = async |workspace, reason, confirmed| {
        let decision = HeldDecision { root: "/made".to_owned(), corpus: None, reason, confirmed };
        store.decide_held(workspace, decision).await.unwrap()
    };
    assert_eq!(decide(west, None, true).await, HeldOutcome::default());
    let stays = decide(desk.workspace, Some(HeldBecause::Away), false).await;
    assert_eq!(stays, HeldOutcome { kept: 1, ..HeldOutcome::default() });
    let (_, listed) = folder.list(&[]).await;
    assert_eq!(listed.missing.iter().filter(|one| one.kept).map(|one| one.id).collect::<Vec<_>>(), [ids[1]]);
    let deleted = decide(desk.workspace, None, true).await;
    assert_eq!(deleted, HeldOutcome { deleted: 2, ..HeldOutcome::default() });
    assert!(store.held_documents(desk.workspace).await.unwrap().is_empty());
    assert_eq!(desk.documents().await, [ids[1]]);
    store.restore_documents(desk.workspace, vec![ids[0]]).await.unwrap();
    folder.hold(vec![many(0)], Gone::Mark).await;
    assert_eq!(decide(desk.workspace, None, true).await, HeldOutcome { marked: 1, ..HeldOutcome::default() });
    assert!(store.document_row(desk.workspace, ids[0]).await.unwrap().missing_since.is_some());
}

/// Whether two documents are one is asked once, until the file that was gone is read again.
pub async fn nobody_is_asked_twice<B: Bench>() {
    let folder = Folder::<B>::new(3).await;
    let (desk, store, [a, b, c]) = (&folder.desk, &folder.desk.store, [0, 1, 2].map(|n| folder.documents[n]));
    let west = desk.another("west").await;
    let job = begun(&**store, "{}").await;
    let pair = |found, share| Alike { gone: a, found, share };
    let both = vec![pair(b, 0.6), pair(c, 0.9)];
    assert_eq!(store.ask_likeness(job, both.clone()).await.unwrap(), both);
    assert!(store.ask_likeness(job, both.clone()).await.unwrap().is_empty());
    let open = async |workspace| {
        let rows = store.likenesses(workspace).await.unwrap();
        rows.into_iter().map(|one| (one.gone.id, one.found.id, one.share, one.job)).collect::<Vec<_>>()
    };
    assert_eq!(open(desk.workspace).await, [(a, c, 0.9, job), (a, b, 0.6, job)], "the likest first");
    assert!(open(west).await.is_empty());
    let (_, listed) = folder.list(&[]).await;
    assert_eq!(listed.missing.iter().map(|one| one.asked).collect::<Vec<_>>(), [true, false, false]);
    let deny = async |workspace, gone, found| store.deny_likeness(workspace, gone, found).await;
    assert_eq!(deny(west, a, c).await.unwrap_err().code(), "not_found");
    assert_eq!(
        deny(desk.workspace, c, a).await.unwrap_err().code(),
        "not_found",
        "nobody was asked about them"
    );
    deny(desk.workspace, a, c).await.unwrap();
    assert_eq!(open(desk.workspace).await, [(a, b, 0.6, job)]);
    assert!(store.ask_likeness(job, both).await.unwrap().is_empty(), "it was answered");
    desk.put(document(folder.corpus, "0.md", &["alba 0"])).await;
    assert!(open(desk.workspace).await.is_empty(), "its file is there");
}
