//! Documents that stay the same when their file moves, and texts that are kept as long as something cites them.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use serde_json::{Map, json};
use sibyl_store::job::JobKind;
use sibyl_store::origin::DocumentOrigin;
use sibyl_store::table::answer::{LoggedOutcome, NewAnswer};
use sibyl_store::table::chunk::NewChunk;
use sibyl_store::table::corpus::NewCorpus;
use sibyl_store::table::document::{Details, Move, NewDocument};
use sibyl_store::table::gold::{GoldQuery, GoldSpan, GoldTarget};
use sibyl_store::table::job::{Expanded, NewJob};
use sibyl_store::table::likeness::Alike;
use sibyl_store::table::review::{PinnedPassage, Review, ReviewStatus};
use sibyl_store::table::workspace::LabelLanguage;
use sibyl_store::{LIBRARY_FILE, Place, Store, hash, hex, open};
use sibyl_text::chunk::Role;
use sibyl_text::{Document, Piece, Span};
use std::sync::Arc;

const FIRST: &str = "The harbour will connect 14 quays to shore power by 2029.";
const SECOND: &str = "The harbour will connect 16 quays to shore power by 2031.";

#[tokio::test]
async fn a_kept_text_tells_nobody_the_document_of_another_workspace() {
    let desk = Desk::new().await;
    let (workspace, own) = (desk.workspace, desk.corpus);
    let other = desk.in_west().await;
    let secret = other.put("secret.md", FIRST).await;
    other.answer(secret, FIRST).await;
    other.put("secret.md", SECOND).await;
    let west = other.workspace;
    let here = Desk { workspace, corpus: own, ..other };
    let open = here.put("open.md", FIRST).await;
    here.answer(open, FIRST).await;
    here.put("open.md", SECOND).await;
    let of = async |workspace: i64, id: i64| {
        here.store.text_version(workspace, id, &version(FIRST)).await.unwrap().unwrap()
    };
    let text = of(workspace, open).await;
    assert_eq!((text.document, text.path.as_str(), text.content.text.as_str()), (open, "open.md", FIRST));
    assert!(text.replaced_at.is_some());
    assert_eq!(of(west, secret).await.path, "secret.md");
    assert_ne!(of(workspace, secret).await.path, "secret.md");
}

#[tokio::test]
async fn a_finding_that_cites_the_text_of_another_workspaces_document_does_not_open_it() {
    let desk = Desk::new().await;
    let (workspace, own) = (desk.workspace, desk.corpus);
    let other = desk.in_west().await;
    let secret = other.put("secret.md", FIRST).await;
    other.answer(secret, FIRST).await;
    let (west, corpus) = (other.workspace, other.corpus);
    let here = Desk { workspace, corpus: own, ..other };
    // The version of a text is its hash: whoever has the file elsewhere knows it.
    here.pin("open", "open.md", FIRST, "seen in a copy").await;
    let opened = async || here.store.text_version(workspace, secret, &version(FIRST)).await.unwrap();
    assert_eq!(opened().await, None, "its document is there");
    let west = Desk { workspace: west, corpus, ..here };
    west.put("secret.md", SECOND).await;
    let opened = async || west.store.text_version(workspace, secret, &version(FIRST)).await.unwrap();
    assert_eq!(opened().await, None, "its document has another text");
    west.store.delete_corpus(corpus).await.unwrap();
    assert_eq!(opened().await, None, "its document is gone");
    west.is_sound().await;
}

#[tokio::test]
async fn a_text_that_one_workspace_has_again_stays_kept_for_another() {
    let desk = Desk::new().await;
    let id = desk.put("plan.md", FIRST).await;
    desk.answer(id, FIRST).await;
    desk.put("plan.md", SECOND).await;
    let (workspace, own) = (desk.workspace, desk.corpus);
    let other = desk.in_west().await;
    other.put("copy.md", FIRST).await;
    let desk = Desk { workspace, corpus: own, ..other };
    assert_eq!(desk.opened(id, FIRST).await, some(FIRST, true));
    desk.is_sound().await;
}

/// A library with a corpus of reports.
struct Desk {
    _folder: tempfile::TempDir,
    store: Arc<dyn Store>,
    workspace: i64,
    corpus: i64,
}

/// A corpus of reports of `workspace`.
async fn reports(store: &dyn Store, workspace: i64) -> i64 {
    let corpus = NewCorpus {
        workspace_id: Some(workspace),
        name: "reports".to_owned(),
        source_type: "report".to_owned(),
        strategy: "report".to_owned(),
        settings: Map::new(),
        base_url: String::new(),
        remote: false,
    };
    store.put_corpus(corpus).await.unwrap().id
}

impl Desk {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = open(Place::named(folder.path())).unwrap();
        let workspace = store.workspace("default").await.unwrap().id;
        let corpus = reports(store.as_ref(), workspace).await;
        Self { _folder: folder, store, workspace, corpus }
    }

    /// The same library with a new workspace `west` that has reports of its own.
    async fn in_west(self) -> Self {
        let workspace = self.store.create_workspace("west", LabelLanguage::En).await.unwrap().id;
        let corpus = reports(self.store.as_ref(), workspace).await;
        Self { workspace, corpus, ..self }
    }

    /// Stores `text` as the document at `path`; its version is named like its hash.
    async fn put(&self, path: &str, text: &str) -> i64 {
        let chunk = NewChunk {
            parent: None,
            text: text.to_owned(),
            pieces: vec![Piece::Source { span: Span::new(0, text.len()), role: Role::Body }],
            extent: Span::new(0, text.len()),
            metadata: Map::new(),
            pages: None,
            tokens: text.len().div_ceil(4),
            oversize: false,
        };
        let document = NewDocument {
            corpus_id: self.corpus,
            path: path.to_owned(),
            root: "/w".to_owned(),
            origin: DocumentOrigin::Path(format!("/w/{path}")),
            report_id: Some(path.trim_end_matches(".md").to_owned()),
            replaces_report: false,
            format: "plain".to_owned(),
            title: path.to_owned(),
            source_hash: version(text),
            text_version: version(text),
            config_hash: "c".to_owned(),
            document: Document {
                text: text.to_owned(),
                body: Span::new(0, text.len()),
                ..Document::default()
            },
            token_count: 14,
            bytes: text.as_bytes().to_vec(),
            page_metadata: None,
            chunks: vec![chunk],
            figures: Vec::new(),
            job_file: None,
        };
        self.store.put_document(document).await.unwrap().0
    }

    /// Keeps an answer that cites `quote` of the document `id`, whose text is `text`.
    async fn answer(&self, id: i64, text: &str) -> i64 {
        let citation = json!({ "document_id": id, "text_version": version(text), "quote": text });
        let (request, answer) = (json!({}), json!({ "citations": [citation] }));
        let new = NewAnswer {
            session: "",
            question: "How many quays?",
            outcome: LoggedOutcome::Complete,
            confidence: 0.9,
            generator: "extractive",
            config_hash: "",
            request: &request,
            answer: &answer,
        };
        self.store.put_answer(self.workspace, new, 0).await.unwrap()
    }

    async fn pin(&self, report: &str, path: &str, text: &str, note: &str) {
        let passage = PinnedPassage {
            text_version: version(text),
            path: path.to_owned(),
            start: 0,
            end: text.len(),
            quote: text.to_owned(),
            before: String::new(),
            after: String::new(),
            page: None,
            page_label: None,
            ocr: None,
            source: None,
        };
        self.review(report, note, vec![passage]).await;
    }

    async fn review(&self, report: &str, note: &str, passages: Vec<PinnedPassage>) {
        let review = Review {
            report_id: report.to_owned(),
            paragraph_id: "S2.29(a)".to_owned(),
            words: String::new(),
            status: ReviewStatus::Met,
            note: note.to_owned(),
            passages,
            updated_at: String::new(),
            reviewer: None,
        };
        self.store.put_reviews(self.workspace, vec![(review, None)]).await.unwrap();
    }

    /// The text that opens for a citation of `text` of document `id`, and whether another text has replaced it.
    async fn opened(&self, id: i64, text: &str) -> Option<(String, bool)> {
        let found = self.store.text_version(self.workspace, id, &version(text)).await.unwrap();
        found.map(|found| (found.content.text, found.replaced_at.is_some()))
    }

    async fn kept(&self) -> usize {
        self.kept_texts().0
    }

    /// How many texts are kept, and their bytes in the library.
    fn kept_texts(&self) -> (usize, usize) {
        let library = rusqlite::Connection::open(self.store.location().folder().join(LIBRARY_FILE)).unwrap();
        let sum = "SELECT count(*), coalesce(sum(length(content)), 0) FROM kept_text";
        library.query_row(sum, [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap()
    }

    async fn chunk_ids(&self, id: i64) -> Vec<String> {
        let chunks = self.store.chunks_of(self.workspace, id, 0, 10).await.unwrap();
        chunks.into_iter().map(|chunk| chunk.chunk_id).collect()
    }

    /// Moves documents to the paths where a job finds them.
    async fn moved(&self, places: &[(i64, &str)]) {
        let new = NewJob {
            kind: JobKind::Ingest,
            workspace: "default".to_owned(),
            request: "{}".to_owned(),
            uploads: vec![],
        };
        let job = self.store.begin_job(new, Vec::new(), 0).await.unwrap().id;
        let moves = places.iter().map(|(document, path)| Move {
            document: *document,
            root: "/w".to_owned(),
            origin: DocumentOrigin::Path(format!("/w/{path}")),
            path: (*path).to_owned(),
        });
        let expanded = Expanded { moves: moves.collect(), ..Expanded::default() };
        self.store.expand_job(job, expanded).await.unwrap();
    }

    async fn is_sound(&self) {
        let health = self.store.doctor().await.unwrap();
        assert!(health.is_sound(), "{:?}", health.findings);
    }
}

fn version(text: &str) -> String {
    hex(&hash(text.as_bytes()))
}

fn some(text: &str, replaced: bool) -> Option<(String, bool)> {
    Some((text.to_owned(), replaced))
}

#[tokio::test]
async fn a_text_is_kept_as_long_as_an_answer_cites_it() {
    let desk = Desk::new().await;
    let id = desk.put("plan.md", FIRST).await;
    let (one, two) = (desk.answer(id, FIRST).await, desk.answer(id, FIRST).await);
    assert_eq!((desk.opened(id, FIRST).await, desk.kept().await), (some(FIRST, false), 0));

    assert_eq!(desk.put("plan.md", SECOND).await, id);
    assert_eq!(
        (desk.opened(id, FIRST).await, desk.opened(id, SECOND).await),
        (some(FIRST, true), some(SECOND, false))
    );
    desk.put("plan.md", "A third text.").await;
    assert_eq!((desk.opened(id, SECOND).await, desk.kept().await), (None, 1), "nothing cites the second");
    desk.is_sound().await;

    desk.store.delete_answer(desk.workspace, one).await.unwrap();
    assert_eq!(desk.opened(id, FIRST).await, some(FIRST, true), "the other one cites it still");
    desk.store.delete_answer(desk.workspace, two).await.unwrap();
    assert_eq!((desk.opened(id, FIRST).await, desk.kept().await), (None, 0));
    desk.is_sound().await;
}

#[tokio::test]
async fn a_text_is_kept_as_long_as_a_passage_of_it_is_pinned() {
    let desk = Desk::new().await;
    let id = desk.put("plan.md", FIRST).await;
    desk.pin("plan", "plan.md", FIRST, "14 quays").await;
    desk.put("plan.md", SECOND).await;
    assert_eq!(desk.opened(id, FIRST).await, some(FIRST, true));
    desk.pin("plan", "plan.md", FIRST, "A longer note.").await;
    assert_eq!(
        desk.opened(id, FIRST).await,
        some(FIRST, true),
        "the finding was changed, and has its passage"
    );
    desk.review("plan", "", Vec::new()).await;
    assert_eq!((desk.opened(id, FIRST).await, desk.kept().await), (None, 0));
    desk.is_sound().await;
}

#[tokio::test]
async fn a_text_is_kept_as_long_as_words_of_it_are_judged() {
    let desk = Desk::new().await;
    let id = desk.put("plan.md", FIRST).await;
    let query = GoldQuery { id: "q1".into(), query: "quays".into(), ..GoldQuery::default() };
    desk.store.put_gold_set(desk.workspace, "gold", 2, vec![query], false).await.unwrap();
    let target = GoldTarget::Span(GoldSpan {
        path: "plan.md".to_owned(),
        quote: "14 quays".to_owned(),
        before: String::new(),
        after: String::new(),
        text_version: version(FIRST),
    });
    desk.store.judge(desk.workspace, "gold", "q1", target.clone(), "Ann", Some(3)).await.unwrap();
    desk.put("plan.md", SECOND).await;
    assert_eq!(desk.opened(id, FIRST).await, some(FIRST, true));
    desk.store.judge(desk.workspace, "gold", "q1", target.clone(), "Ann", Some(2)).await.unwrap();
    assert_eq!(desk.kept().await, 1, "another grade cites the same text");
    desk.store.judge(desk.workspace, "gold", "q1", target, "Ann", None).await.unwrap();
    assert_eq!((desk.opened(id, FIRST).await, desk.kept().await), (None, 0));
}

#[tokio::test]
async fn a_kept_text_outlives_its_document_and_is_seen_by_whoever_cites_it() {
    let desk = Desk::new().await;
    let id = desk.put("plan.md", FIRST).await;
    let answer = desk.answer(id, FIRST).await;
    let other = desk.store.create_workspace("other", LabelLanguage::En).await.unwrap().id;
    desk.store.delete_corpus(desk.corpus).await.unwrap();
    assert_eq!(desk.opened(id, FIRST).await, some(FIRST, true));
    let (answers, _) = desk
        .store
        .answers::<serde_json::Value>(
            desk.workspace,
            sibyl_store::table::answer::AnswerFilter { limit: 1, ..Default::default() },
        )
        .await
        .unwrap();
    assert!(answers[0].source_changed, "its document is gone");
    assert_eq!(desk.store.text_version(other, id, &version(FIRST)).await.unwrap(), None);
    let gone = desk.store.delete_binned(desk.workspace, vec![id]).await.unwrap();
    assert_eq!(
        (gone, desk.opened(id, FIRST).await),
        (1, some(FIRST, true)),
        "its text stays with the answer"
    );
    desk.is_sound().await;
    desk.store.delete_answer(desk.workspace, answer).await.unwrap();
    assert_eq!(desk.kept().await, 0);
}

#[tokio::test]
async fn a_document_that_gets_its_former_text_back_needs_no_other_copy_of_it() {
    let desk = Desk::new().await;
    let id = desk.put("plan.md", FIRST).await;
    desk.answer(id, FIRST).await;
    desk.put("plan.md", SECOND).await;
    assert_eq!(desk.kept().await, 1);
    desk.put("plan.md", FIRST).await;
    assert_eq!((desk.opened(id, FIRST).await, desk.kept().await), (some(FIRST, false), 0));
}

#[tokio::test]
async fn long_texts_are_kept_in_a_part_of_their_size() {
    let desk = Desk::new().await;
    let text: String =
        (0..5_000).map(|n| format!("Quay {n} draws {} kilowatts of shore power.\n", n % 97)).collect();
    let id = desk.put("plan.md", &text).await;
    desk.answer(id, &text).await;
    desk.put("plan.md", SECOND).await;
    let (texts, bytes) = desk.kept_texts();
    assert!(texts == 1 && bytes * 4 < text.len(), "{bytes} of {}", text.len());
    assert_eq!(desk.opened(id, &text).await, some(&text, true));
}

#[tokio::test]
async fn a_check_finds_kept_texts_that_are_damaged_or_lost() {
    let desk = Desk::new().await;
    let id = desk.put("plan.md", FIRST).await;
    desk.answer(id, FIRST).await;
    desk.put("plan.md", SECOND).await;
    desk.is_sound().await;
    for (fault, code) in
        [("UPDATE kept_text SET content = x'00'", "text_damaged"), ("DELETE FROM kept_text", "text_lost")]
    {
        let library = rusqlite::Connection::open(desk.store.location().folder().join(LIBRARY_FILE)).unwrap();
        library.execute_batch(fault).unwrap();
        let findings = desk.store.doctor().await.unwrap().findings;
        let codes: Vec<&str> = findings.iter().map(|finding| finding.code.as_str()).collect();
        assert_eq!(codes, [code], "{findings:?}");
    }
}

#[tokio::test]
async fn documents_move_and_exchange_their_places_with_all_that_belongs_to_them() {
    let desk = Desk::new().await;
    let (a, b) = (desk.put("a.md", FIRST).await, desk.put("b.md", SECOND).await);
    let before = (desk.chunk_ids(a).await, desk.chunk_ids(b).await);
    desk.moved(&[(a, "b.md"), (b, "a.md")]).await;
    let path = async |id| desk.store.document_row(desk.workspace, id).await.unwrap().path;
    assert_eq!((path(a).await, path(b).await), ("b.md".to_owned(), "a.md".to_owned()));
    assert_eq!((desk.chunk_ids(a).await, desk.chunk_ids(b).await), before);
    assert_eq!(
        desk.store.documents_at(desk.workspace, "a.md").await.unwrap(),
        [b, a],
        "what is there comes first"
    );

    desk.moved(&[(a, "2024/plan.md")]).await;
    assert_eq!(desk.store.documents_at(desk.workspace, "b.md").await.unwrap(), [a, b], "both were there");
    // A new document at another one's first place has chunks of its own.
    desk.moved(&[(b, "2024/summary.md")]).await;
    let new = desk.put("a.md", "Another text.").await;
    assert!(new > b);
    assert!(desk.chunk_ids(new).await.iter().all(|id| !before.0.contains(id) && !before.1.contains(id)));
    let ids = desk.chunk_ids(new).await;
    assert_eq!((desk.put("a.md", "Yet another text.").await, desk.chunk_ids(new).await), (new, ids));
    desk.is_sound().await;
}

#[tokio::test]
async fn two_documents_that_are_the_same_become_one_with_what_people_added_to_both() {
    let desk = Desk::new().await;
    let former = desk.put("plan.md", FIRST).await;
    let ids = desk.chunk_ids(former).await;
    desk.store.add_phrasing(desk.workspace, &ids[0], "cold ironing").await.unwrap();
    let details = Details { issuer: Some("Port of Sollentuna".to_owned()), ..Details::default() };
    desk.store.correct_document(desk.workspace, former, details).await.unwrap();
    desk.pin("plan", "plan.md", FIRST, "14 quays").await;
    desk.answer(former, FIRST).await;

    let found = desk.put("plan 2031.md", SECOND).await;
    let details = Details { year: Some(2031), ..Details::default() };
    desk.store.correct_document(desk.workspace, found, details).await.unwrap();
    desk.pin("plan 2031", "plan 2031.md", SECOND, "16 quays").await;
    let later = desk.answer(found, SECOND).await;
    let asked = Alike { gone: former, found, share: 0.7 };
    assert_eq!(desk.store.ask_likeness(1, vec![asked]).await.unwrap(), [asked]);
    assert_eq!(desk.store.ask_likeness(2, vec![asked]).await.unwrap(), [], "it is asked once");
    assert_eq!(desk.store.likenesses(desk.workspace).await.unwrap().len(), 1);

    let joined = desk.store.join_documents(desk.workspace, former, found).await.unwrap();
    assert_eq!(
        (joined.id, joined.path.as_str(), joined.report_id.as_deref()),
        (former, "plan 2031.md", Some("plan"))
    );
    assert_eq!((joined.issuer.as_deref(), joined.year), (Some("Port of Sollentuna"), Some(2031)));
    assert_eq!(desk.store.documents(desk.workspace, None).await.unwrap().len(), 1);
    assert_eq!(desk.chunk_ids(former).await, ids, "its chunks are called as before");
    let chunk = desk.store.chunk(desk.workspace, &ids[0]).await.unwrap().unwrap();
    assert_eq!((chunk.passage().as_str(), chunk.added_phrases()), (SECOND, vec!["cold ironing".to_owned()]));
    let reviews = desk.store.reviews(desk.workspace, None).await.unwrap();
    assert_eq!(reviews.len(), 1);
    assert_eq!((reviews[0].report_id.as_str(), reviews[0].passages.len()), ("plan", 2));
    assert!(reviews[0].note.contains("14 quays") && reviews[0].note.contains("16 quays"), "{reviews:?}");

    // What cites either leads to it, each to the text that it cites.
    assert_eq!(desk.store.document_row(desk.workspace, found).await.unwrap().id, former);
    assert_eq!(desk.opened(former, FIRST).await, some(FIRST, true));
    assert_eq!(desk.opened(found, SECOND).await, some(SECOND, false));
    assert_eq!(desk.store.versions_cited(later).await.unwrap(), [(former, version(SECOND))].into());
    assert_eq!(desk.store.documents_at(desk.workspace, "plan.md").await.unwrap(), [former]);
    assert_eq!(desk.store.likenesses(desk.workspace).await.unwrap(), []);
    desk.is_sound().await;
}

#[tokio::test]
async fn only_two_documents_of_one_corpus_can_be_the_same() {
    let desk = Desk::new().await;
    let (a, b) = (desk.put("a.md", FIRST).await, desk.put("b.md", SECOND).await);
    let refused = async |former, found| {
        desk.store.join_documents(desk.workspace, former, found).await.unwrap_err().to_string()
    };
    assert!(refused(a, a).await.contains("name two documents"));
    assert!(refused(a, 9_999).await.contains("9999"));
    let denied = desk.store.deny_likeness(desk.workspace, a, b).await.unwrap_err().to_string();
    assert!(denied.contains("sibyl documents same"), "{denied}");
    desk.store.ask_likeness(1, vec![Alike { gone: a, found: b, share: 0.6 }]).await.unwrap();
    desk.store.deny_likeness(desk.workspace, a, b).await.unwrap();
    assert_eq!(desk.store.likenesses(desk.workspace).await.unwrap(), []);
    assert_eq!(desk.store.ask_likeness(2, vec![Alike { gone: a, found: b, share: 0.6 }]).await.unwrap(), []);
}
