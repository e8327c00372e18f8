//! A document stays the same when its file moves: additions by people, and everything that cites it, are kept.

use crate::{ingest_soundly, opened};
use sibyl_engine::Library;
use sibyl_engine::answer::{Answer, AskRequest, Outcome};
use sibyl_engine::evaluate::set::{GoldQueryInput, JudgeInput, JudgeTarget};
use sibyl_engine::ingest::{EmbedPlan, Gone, IngestRequest, Job, Source};
use sibyl_engine::store::table::document::{Details, DocumentRow};
use sibyl_engine::store::table::review::{PinnedPassage, Review, ReviewStatus};
use sibyl_engine::store::table::workspace::DEFAULT_WORKSPACE;
use std::fs;
use std::path::PathBuf;

const PLAN: &str = "# Sollentuna harbour plan\n\nThe harbour will connect 14 quays to shore power by 2029.\n";
const OTHER: &str = "# Fallow Mills\n\nFallow Mills ground 9,100 tonnes of rye in the last season.\n";
const QUOTE: &str = "The harbour will connect 14 quays to shore power by 2029.";

struct Desk {
    folder: tempfile::TempDir,
    library: Library,
    workspace: i64,
}

/// What people added to a document, and what cites it.
struct Made {
    document: DocumentRow,
    chunk: String,
    answer: i64,
}

impl Desk {
    async fn new() -> Self {
        let (folder, library, workspace) = opened().await;
        fs::create_dir(folder.path().join("w")).unwrap();
        Self { folder, library, workspace }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        fs::create_dir_all(self.at(path).parent().unwrap()).unwrap();
        fs::write(self.at(path), text).unwrap();
    }

    fn rename(&self, from: &str, to: &str) {
        fs::create_dir_all(self.at(to).parent().unwrap()).unwrap();
        fs::rename(self.at(from), self.at(to)).unwrap();
    }

    async fn ingest_as(&self, path: &str, gone: Gone) -> Job {
        let request = IngestRequest {
            sources: vec![Source::path(self.at(path))],
            corpus: Some("reports".to_owned()),
            gone,
            embed: EmbedPlan::Nothing,
            ..IngestRequest::default()
        };
        ingest_soundly(&self.library, request).await
    }

    async fn ingest(&self, path: &str) -> Job {
        self.ingest_as(path, Gone::Mark).await
    }

    async fn documents(&self) -> Vec<DocumentRow> {
        self.library.store().documents(self.workspace, None).await.unwrap()
    }

    async fn document(&self, path: &str) -> DocumentRow {
        let documents = self.documents().await;
        let found = documents.iter().find(|document| document.path == path);
        found.unwrap_or_else(|| panic!("there is no {path}: {documents:#?}")).clone()
    }

    async fn ask(&self) -> Answer {
        let question = "How many quays will the harbour connect to shore power?".to_owned();
        let request = AskRequest { question, threshold: Some(0.0), ..AskRequest::default() };
        self.library.answer().ask(DEFAULT_WORKSPACE, &request, &|_| ()).await.unwrap()
    }

    async fn judge(&self, target: JudgeTarget) {
        let judged = JudgeInput {
            set: "gold".to_owned(),
            query: "q1".to_owned(),
            target,
            judge: "Ann".to_owned(),
            grade: Some(3),
        };
        self.library.evaluation().judge(DEFAULT_WORKSPACE, judged).await.unwrap();
    }

    /// Adds to the document at `path` all that people can add to one, and cites it.
    async fn make(&self, path: &str) -> Made {
        let store = self.library.store();
        let document = self.document(path).await;
        let chunk = store.chunks_of(self.workspace, document.id, 0, 1).await.unwrap().remove(0).chunk_id;
        self.library.contents().add_phrasing(DEFAULT_WORKSPACE, &chunk, "cold ironing").await.unwrap();
        let details = Details {
            title: Some("Harbour plan 2029".to_owned()),
            issuer: Some("Port of Sollentuna".to_owned()),
            year: None,
        };
        store.correct_document(self.workspace, document.id, details).await.unwrap();
        let (_, read) = store.document(self.workspace, document.id).await.unwrap();
        let start = read.text.find(QUOTE).unwrap();
        let passage = PinnedPassage {
            text_version: document.text_version.clone(),
            path: document.path.clone(),
            start,
            end: start + QUOTE.len(),
            quote: QUOTE.to_owned(),
            before: String::new(),
            after: String::new(),
            page: None,
            page_label: None,
            ocr: None,
            source: None,
        };
        let review = Review {
            report_id: document.report_id.clone().unwrap(),
            paragraph_id: "S2.29(a)".to_owned(),
            words: String::new(),
            status: ReviewStatus::Partly,
            note: "Quays without power are not counted.".to_owned(),
            passages: vec![passage],
            updated_at: String::new(),
            reviewer: None,
        };
        self.library.standards().put_reviews(DEFAULT_WORKSPACE, vec![review]).await.unwrap();
        let answer = self.ask().await;
        assert_eq!(answer.reply.outcome, Outcome::Complete, "{answer:?}");
        assert_eq!(answer.reply.citations[0].text_version, document.text_version);
        let query = "quays with shore power".to_owned();
        let input =
            GoldQueryInput { set: "gold".to_owned(), id: Some("q1".to_owned()), query, kind: String::new() };
        self.library.evaluation().put_gold_query(DEFAULT_WORKSPACE, input).await.unwrap();
        self.judge(JudgeTarget::Passage {
            document_id: document.id,
            quote: QUOTE.to_owned(),
            before: String::new(),
        })
        .await;
        self.judge(JudgeTarget::Document { document_id: document.id, page: None }).await;
        Made { document, chunk, answer: answer.id.unwrap() }
    }

    /// Everything that was made of a document is there, and leads to it at `path`. `same` says whether its text is
    /// still the cited one.
    async fn has_all(&self, made: &Made, path: &str, same: bool) {
        let store = self.library.store();
        let now = self.document(path).await;
        assert_eq!((now.id, &now.report_id), (made.document.id, &made.document.report_id), "{path}");
        assert_eq!(now.title, "Harbour plan 2029");
        assert_eq!((now.issuer.as_deref(), &now.missing_since), (Some("Port of Sollentuna"), &None));
        let chunk = store.chunk(self.workspace, &made.chunk).await.unwrap().unwrap();
        assert_eq!((chunk.document_id, chunk.path.as_str()), (now.id, path));
        assert_eq!(chunk.added_phrases(), ["cold ironing"]);

        let reviews =
            self.library.standards().reviews(DEFAULT_WORKSPACE, now.report_id.clone()).await.unwrap();
        let source = reviews[0].passages[0].source.clone().unwrap();
        assert_eq!((source.changed, source.document_id, source.kept), (!same, Some(now.id), true));

        let (entry, _, answer) = self.library.answer().entry(DEFAULT_WORKSPACE, made.answer).await.unwrap();
        let citation = &answer.reply.citations[0];
        assert_eq!(
            (entry.source_changed, answer.source_changed, citation.source.changed),
            (!same, !same, !same)
        );
        assert_eq!(citation.source.document_id, Some(now.id));
        let (_, read) = store.document(self.workspace, now.id).await.unwrap();
        let units: Vec<u16> = read.text.encode_utf16().collect();
        if let Some((start, end)) = citation.source.range {
            assert_eq!(String::from_utf16(&units[start..end]).unwrap(), citation.quote);
        }
        assert_eq!(citation.source.range.is_some(), read.text.contains(QUOTE));

        let panel =
            self.library.evaluation().gold_panel(DEFAULT_WORKSPACE, "quays with shore power").await.unwrap();
        let labels = &panel[0].labels;
        assert_eq!(labels.len(), 2);
        for label in labels {
            // A label on words is valid as long as they are there, and one on the document as long as that exists.
            let stands = label.source.is_none() || read.text.contains(QUOTE);
            assert_eq!(label.chunks.contains(&made.chunk), stands, "{label:#?}");
        }
        let span = labels.iter().find_map(|label| label.source.as_ref()).unwrap();
        assert_eq!((span.changed, span.document_id), (!same, Some(now.id)));
    }
}

#[tokio::test]
async fn a_renamed_file_keeps_all_that_people_added_to_it_and_all_that_cites_it() {
    let desk = Desk::new().await;
    desk.write("w/plan.md", PLAN);
    desk.ingest("w").await;
    let made = desk.make("plan.md").await;
    desk.rename("w/plan.md", "w/Harbour plan final.md");
    let job = desk.ingest("w").await;
    assert_eq!((job.report.documents.created, job.report.documents.deleted), (0, 0));
    let moved = job.report.notices.iter().find(|notice| notice.code == "moved").unwrap();
    assert!(moved.message.contains("plan.md"), "{moved:?}");
    let files = desk.library.jobs().files(DEFAULT_WORKSPACE, job.id, &[], 0, 10).await.unwrap();
    assert_eq!(files[0].moved_from.as_deref(), Some("plan.md"));
    desk.has_all(&made, "Harbour plan final.md", true).await;

    // A new file with the old name is another document.
    desk.write("w/plan.md", OTHER);
    desk.ingest("w").await;
    desk.has_all(&made, "Harbour plan final.md", true).await;
    assert_ne!(desk.document("plan.md").await.report_id, made.document.report_id);
    // Nothing changes without a move, and the file may move back.
    assert_eq!(desk.ingest("w").await.report.documents.unchanged, 2);
    fs::remove_file(desk.at("w/plan.md")).unwrap();
    desk.ingest_as("w", Gone::Delete).await;
    desk.rename("w/Harbour plan final.md", "w/plan.md");
    desk.ingest("w").await;
    desk.has_all(&made, "plan.md", true).await;
    assert_eq!(desk.documents().await.len(), 1);
}

/// What is done to `w/plan.md`, what is ingested then, and the path of the document.
type Case = (&'static str, fn(&Desk), &'static str, &'static str);

#[tokio::test]
async fn a_document_is_the_same_wherever_its_bytes_are_found() {
    let cases: [Case; 8] = [
        ("another folder", |d| d.rename("w/plan.md", "w/archive/2029/plan.md"), "w", "archive/2029/plan.md"),
        ("another format", |d| d.rename("w/plan.md", "w/plan.txt"), "w", "plan.txt"),
        ("a single file", |d| d.rename("w/plan.md", "w/the plan.md"), "w/the plan.md", "the plan.md"),
        ("the folder above", |_| (), ".", "w/plan.md"),
        ("a folder of another name", |d| d.rename("w", "v"), "v", "plan.md"),
        ("another root", |d| d.rename("w", "v/2029/w"), "v", "2029/w/plan.md"),
        ("a copy in another root", |d| d.write("v/copy.md", PLAN), "v", "copy.md"),
        (
            "a place that a document left",
            |d| {
                d.rename("w/other.md", "w/third.md");
                d.rename("w/plan.md", "w/other.md");
            },
            "w",
            "other.md",
        ),
    ];
    for (name, change, ingested, path) in cases {
        println!("{name}");
        let desk = Desk::new().await;
        desk.write("w/plan.md", PLAN);
        desk.write("w/other.md", OTHER);
        desk.ingest("w").await;
        let made = desk.make("plan.md").await;
        change(&desk);
        desk.library.store().documents(desk.workspace, None).await.unwrap();
        desk.ingest(ingested).await;
        // The same bytes in another format are another text.
        desk.has_all(&made, path, !path.ends_with(".txt")).await;
    }
}

#[tokio::test]
async fn a_name_in_another_form_of_unicode_is_the_same_name() {
    let desk = Desk::new().await;
    desk.write("w/Åtgärder.md", PLAN);
    desk.ingest("w").await;
    let made = desk.make("Åtgärder.md").await;
    desk.rename("w/Åtgärder.md", "w/A\u{30a}tga\u{308}rder.md");
    desk.ingest("w").await;
    desk.has_all(&made, "Åtgärder.md", true).await;
    assert_eq!(desk.documents().await.len(), 1);
}

#[tokio::test]
async fn two_files_exchange_their_names_with_their_documents() {
    let desk = Desk::new().await;
    desk.write("w/plan.md", PLAN);
    desk.write("w/other.md", OTHER);
    desk.ingest("w").await;
    let made = desk.make("plan.md").await;
    desk.rename("w/plan.md", "w/between");
    desk.rename("w/other.md", "w/plan.md");
    desk.rename("w/between", "w/other.md");
    desk.ingest("w").await;
    desk.has_all(&made, "other.md", true).await;
    assert_eq!(desk.documents().await.len(), 2);
}

#[tokio::test]
async fn equal_files_move_each_to_the_place_of_its_own_name() {
    let desk = Desk::new().await;
    for path in ["w/north/a.md", "w/north/b.md", "w/south/c.md"] {
        desk.write(path, PLAN);
    }
    desk.ingest("w").await;
    let before: Vec<(i64, String)> =
        desk.documents().await.into_iter().map(|document| (document.id, document.path)).collect();
    desk.rename("w/north", "w/harbours/north");
    desk.rename("w/south/c.md", "w/harbours/c.md");
    desk.ingest("w").await;
    for (id, path) in before {
        let moved = format!("harbours/{}", path.trim_start_matches("south/"));
        assert_eq!(desk.document(&moved).await.id, id);
    }
}

#[tokio::test]
async fn a_copy_is_a_document_of_its_own() {
    let desk = Desk::new().await;
    desk.write("w/plan.md", PLAN);
    desk.ingest("w").await;
    let made = desk.make("plan.md").await;
    desk.write("w/copy.md", PLAN);
    desk.ingest("w").await;
    desk.has_all(&made, "plan.md", true).await;
    let copy = desk.document("copy.md").await;
    assert!(copy.id != made.document.id && copy.issuer.is_none(), "{copy:?}");

    // A backup beside an edited file is no move: the document is edited where it is.
    desk.write("w/plan.md", &PLAN.replace("14 quays", "15 quays"));
    desk.write("w/backup.md", PLAN);
    desk.ingest("w").await;
    desk.has_all(&made, "plan.md", false).await;
    assert_eq!(desk.documents().await.len(), 3);
}

#[tokio::test]
async fn a_file_that_takes_the_place_of_another_is_asked_about() {
    let desk = Desk::new().await;
    desk.write("w/plan.md", PLAN);
    desk.write("w/other.md", OTHER);
    desk.ingest("w").await;
    let made = desk.make("plan.md").await;
    let other = desk.document("other.md").await;
    desk.rename("w/plan.md", "w/other.md");
    let job = desk.ingest_as("w", Gone::Delete).await;
    assert_eq!(job.report.documents.deleted, 0, "somebody is asked first");
    let alike = desk.library.store().likenesses(desk.workspace).await.unwrap();
    assert_eq!((alike[0].gone.id, alike[0].found.id, alike[0].share), (made.document.id, other.id, 1.0));
    desk.library.store().join_documents(desk.workspace, made.document.id, other.id).await.unwrap();
    desk.has_all(&made, "other.md", true).await;
}

#[tokio::test]
async fn a_file_that_was_edited_and_renamed_is_asked_about_and_never_guessed() {
    let desk = Desk::new().await;
    desk.write("w/plan.md", PLAN);
    desk.write("w/other.md", OTHER);
    desk.ingest("w").await;
    let made = desk.make("plan.md").await;
    fs::remove_file(desk.at("w/plan.md")).unwrap();
    desk.write("w/plan 2031.md", &PLAN.replace("by 2029", "by 2031"));
    desk.write("w/new.md", "# Ferries\n\nThe ferries of the archipelago run on rapeseed oil in winter.\n");
    let job = desk.ingest_as("w", Gone::Delete).await;
    let asked: Vec<&str> = job
        .report
        .notices
        .iter()
        .filter(|notice| notice.code == "looks_like")
        .map(|notice| notice.path.as_str())
        .collect();
    assert_eq!(asked, ["plan 2031.md"]);
    let found = desk.document("plan 2031.md").await;
    let gone = desk.document("plan.md").await;
    assert!(gone.missing_since.is_some() && found.issuer.is_none(), "both are as they were read");
    let notice = job.report.notices.iter().find(|notice| notice.code == "looks_like").unwrap();
    let cure = format!("sibyl documents same {} {}", gone.id, found.id);
    assert!(notice.message.contains(&cure) && notice.message.contains("three words"), "{notice:?}");

    let store = desk.library.store();
    let alike = store.likenesses(desk.workspace).await.unwrap();
    // Of the twelve sequences of three words of each, those without the year are the same.
    assert_eq!(alike.len(), 1);
    assert!((alike[0].share - 22.0 / 24.0).abs() < 1e-9, "{}", alike[0].share);
    let again = desk.ingest_as("w", Gone::Delete).await;
    assert!(again.report.notices.iter().all(|notice| notice.code != "looks_like"), "it is asked once");
    store.join_documents(desk.workspace, gone.id, found.id).await.unwrap();
    desk.has_all(&made, "plan 2031.md", false).await;
    let unchanged = desk.ingest_as("w", Gone::Delete).await;
    assert_eq!((unchanged.report.documents.unchanged, unchanged.report.documents.deleted), (3, 0));
}

#[tokio::test]
async fn who_says_that_two_documents_are_two_is_not_asked_again() {
    let desk = Desk::new().await;
    desk.write("w/plan.md", PLAN);
    desk.write("w/other.md", OTHER);
    desk.ingest("w").await;
    fs::remove_file(desk.at("w/plan.md")).unwrap();
    desk.write("w/plan 2031.md", &PLAN.replace("by 2029", "by 2031"));
    desk.ingest_as("w", Gone::Delete).await;
    let (gone, found) = (desk.document("plan.md").await.id, desk.document("plan 2031.md").await.id);
    desk.library.store().deny_likeness(desk.workspace, gone, found).await.unwrap();
    let job = desk.ingest_as("w", Gone::Delete).await;
    assert_eq!(job.report.documents.deleted, 1, "now it is gone as the folder says");
    assert!(desk.library.store().likenesses(desk.workspace).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_copy_that_is_seen_before_its_former_place_is_left_is_asked_about_where_something_would_be_lost() {
    for used in [true, false] {
        let desk = Desk::new().await;
        desk.write("w/plan.md", PLAN);
        desk.write("w/other.md", OTHER);
        desk.ingest("w").await;
        let former = desk.document("plan.md").await.id;
        if used {
            desk.make("plan.md").await;
        }
        desk.write("w/plan final.md", PLAN);
        desk.ingest_as("w", Gone::Delete).await;
        fs::remove_file(desk.at("w/plan.md")).unwrap();
        let job = desk.ingest_as("w", Gone::Delete).await;
        let alike = desk.library.store().likenesses(desk.workspace).await.unwrap();
        let asked: Vec<(i64, String)> = alike.into_iter().map(|one| (one.gone.id, one.found.path)).collect();
        let expected = if used { vec![(former, "plan final.md".to_owned())] } else { Vec::new() };
        assert_eq!((asked, job.report.documents.deleted), (expected, usize::from(!used)));
    }
}

#[tokio::test]
async fn a_watched_folder_keeps_its_documents_where_another_has_copies() {
    let desk = Desk::new().await;
    desk.write("w/plan.md", PLAN);
    let request = sibyl_engine::ingest::watched::WatchRequest {
        path: desk.at("w").to_string_lossy().into_owned(),
        corpus: "reports".to_owned(),
        gone: Gone::Mark,
        every: 0,
    };
    desk.library.ingest().watch(DEFAULT_WORKSPACE, request).await.unwrap();
    desk.ingest("w").await;
    let made = desk.make("plan.md").await;
    desk.write("v/copy.md", PLAN);
    desk.ingest("v").await;
    desk.has_all(&made, "plan.md", true).await;
    assert_ne!(desk.document("copy.md").await.id, made.document.id);
}

#[tokio::test]
async fn a_report_keeps_the_id_that_it_was_given() {
    let desk = Desk::new().await;
    desk.write("w/plan.md", PLAN);
    let named = IngestRequest {
        sources: vec![Source::path(desk.at("w/plan.md"))],
        corpus: Some("reports".to_owned()),
        report_id: Some("harbour".to_owned()),
        embed: EmbedPlan::Nothing,
        ..IngestRequest::default()
    };
    ingest_soundly(&desk.library, named).await;
    desk.ingest("w").await;
    assert_eq!(desk.document("plan.md").await.report_id.as_deref(), Some("harbour"));
}
