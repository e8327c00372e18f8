//! Libraries written by former versions of the program open today, with all their contents.
//!
//! `former/schema_N.sibyl` was written by the command line of a version with schema N: two Markdown documents, a
//! report and a text, each embedded with both shipped models. The shipped standards and all that belongs to them
//! were removed afterwards, and a review was added. Each later file is the one before it, opened by a version with
//! the next schema that also did something. `schema_4.sibyl` asked a question, `schema_5.sibyl` watches a folder,
//! and `schema_7.sibyl` imported a gold set twice. `schema_8.sibyl` asked another question and pinned a passage to
//! the review. `schema_8_judged.sibyl` is the one of schema 7 after a version with schema 8 judged one of its
//! queries. `schema_6.sibyl`, and all from `schema_9.sibyl` on, were only opened.
//!
//! Over 500 lines: every schema has its test here.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use sibyl_store::job::JobKind;
use sibyl_store::keyword::Phrase;
use sibyl_store::scope::Filters;
use sibyl_store::table::answer::{AnswerFilter, LoggedOutcome};
use sibyl_store::table::document::Details;
use sibyl_store::table::gold::{GoldFilter, GoldQuery, GoldTarget};
use sibyl_store::table::job::{Expanded, NewJob};
use sibyl_store::table::program_proposal::ProgramProposal;
use sibyl_store::table::review::{Review, ReviewStatus};
use sibyl_store::{LIBRARY_FILE, Place, Store, open};
use sibyl_text::source_type::field;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/former").join(name)
}

/// A copy of a former library, opened by the program of today. It lives as long as the folder.
fn opened(name: &str) -> (tempfile::TempDir, Arc<dyn Store>) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(fixture(name), folder.path().join(LIBRARY_FILE)).unwrap();
    let store = open(Place::named(folder.path())).unwrap();
    (folder, store)
}

#[tokio::test]
async fn a_library_of_schema_1_holds_all_that_was_in_it() {
    holds_all_that_was_in_it("schema_1.sibyl").await;
}

#[tokio::test]
async fn a_library_of_schema_2_holds_all_that_was_in_it() {
    holds_all_that_was_in_it("schema_2.sibyl").await;
}

#[tokio::test]
async fn a_library_of_schema_3_holds_all_that_was_in_it() {
    holds_all_that_was_in_it("schema_3.sibyl").await;
}

#[tokio::test]
async fn a_library_of_schema_4_holds_all_that_was_in_it() {
    holds_all_that_was_in_it("schema_4.sibyl").await;
    let (_folder, store) = opened("schema_4.sibyl");
    let workspace = store.workspace("default").await.unwrap().id;
    let (answers, total) = store.answers::<serde_json::Value>(workspace, all_answers()).await.unwrap();
    assert_eq!((answers[0].outcome, total), (LoggedOutcome::Answered, 1));
    assert!(answers[0].question.contains("carbon dioxide equivalent"), "{answers:?}");

    // Later additions have their place.
    let query = GoldQuery { id: "q1".into(), query: "emissions".into(), ..GoldQuery::default() };
    let set = store.put_gold_set(workspace, "gold", 2, vec![query], false).await.unwrap();
    assert_eq!((set.queries, set.version, set.labels), (1, 1, 0));
    let target = GoldTarget::Identifier { id: "S2.29(a)".into() };
    let judged = store.judge(workspace, "gold", "q1", target, "Ann", Some(3)).await.unwrap();
    assert_eq!((judged.labels[0].grade, judged.labels[0].judge.as_str()), (3, "Ann"));
    let set = store.gold_set(workspace, "gold").await.unwrap();
    assert_eq!((set.version, set.answerable, set.judges["Ann"]), (2, 1, 1));
    assert!(store.gold_set(workspace + 1, "gold").await.is_err(), "another workspace does not see it");
}

#[tokio::test]
async fn a_library_of_schema_5_holds_all_that_was_in_it() {
    holds_all_that_was_in_it("schema_5.sibyl").await;
    let (_folder, store) = opened("schema_5.sibyl");
    let watched = store.watchable_folders().await.unwrap();
    let told: Vec<(&str, &str)> =
        watched.iter().map(|folder| (folder.path.as_str(), folder.corpus.as_str())).collect();
    assert_eq!(told, [("/reports", "texts")]);
    // What a job lists has its place.
    let new = NewJob {
        kind: JobKind::Ingest,
        workspace: "default".to_owned(),
        request: "{}".to_owned(),
        uploads: Vec::new(),
    };
    let job = store.begin_job(new, Vec::new(), 0).await.unwrap().id;
    let newest = store.newest_document().await.unwrap();
    store.expand_job(job, Expanded { newest, ..Expanded::default() }).await.unwrap();
    assert!(store.listed(job).await.unwrap().unwrap().missing.is_empty());
}

#[tokio::test]
async fn a_library_of_schema_6_holds_all_that_was_in_it() {
    holds_all_that_was_in_it("schema_6.sibyl").await;
    // What somebody says of a document has its place.
    let (_folder, store) = opened("schema_6.sibyl");
    let workspace = store.workspace("default").await.unwrap().id;
    let documents = store.documents(workspace, None).await.unwrap();
    let report = documents.iter().find(|document| document.path == "northwind-2025.md").unwrap();
    let details = Details { issuer: Some("Northwind Energy plc".to_owned()), ..Details::default() };
    let corrected = store.correct_document(workspace, report.id, details).await.unwrap();
    assert_eq!(corrected.issuer.as_deref(), Some("Northwind Energy plc"));
    assert_eq!((&corrected.title, corrected.year), (&report.title, report.year));
    assert_eq!(store.document_row(workspace, report.id).await.unwrap(), corrected);
}

#[tokio::test]
async fn a_library_of_schema_7_holds_all_that_was_in_it() {
    holds_all_that_was_in_it("schema_7.sibyl").await;
    // A gold set keeps its versions, beginning with the one that it had then.
    let (_folder, store) = opened("schema_7.sibyl");
    let workspace = store.workspace("default").await.unwrap().id;
    let history = store.gold_history(workspace, "gold").await.unwrap();
    assert_eq!((history.len(), history[0].version, &history[0].changes), (1, 2, &None));
    assert_eq!((history[0].queries, history[0].labels, history[0].relevant_from), (2, 3, 2));
    let (former, _) = store.gold_queries(workspace, "gold", GoldFilter::default()).await.unwrap();
    assert_eq!((former[1].id.as_str(), former[1].query.as_str()), ("q2", "water use"));
    let target = GoldTarget::Identifier { id: "S2.29(a)".into() };
    store.judge(workspace, "gold", "q1", target, "Ann", Some(1)).await.unwrap();
    assert_eq!(store.gold_queries_at(workspace, "gold", 2).await.unwrap(), (former, 2));
    let refused = store.gold_queries_at(workspace, "gold", 1).await.unwrap_err();
    assert!(refused.to_string().ends_with("choose one from 2 to 3"), "{refused}");
}

/// What a former version recorded about its citations, without versions. The document of the second answer was
/// read again after the question: one citation still has its quote, another does not.
const READ_ANEW: &str = "UPDATE document SET ingested_at = '2030-01-01T00:00:00Z' WHERE path IN ('water.md', 'energy.md');
    INSERT INTO answer_log (workspace_id, at, session, question, outcome, confidence, generator, config_hash, request, answer)
        SELECT workspace_id, at, '', 'How much electricity?', 'answered', 0.9, generator, config_hash, request,
            json_set(answer, '$.citations[0].document_id', 80, '$.citations[0].quote', '2025: 295 MWh')
        FROM answer_log ORDER BY id DESC LIMIT 1";

#[tokio::test]
async fn a_document_of_a_library_of_schema_8_can_leave_its_corpus() {
    holds_all_that_was_in_it("schema_8_judged.sibyl").await;
    let (_folder, store) = opened("schema_8_judged.sibyl");
    let workspace = store.workspace("default").await.unwrap().id;
    let history = store.gold_history(workspace, "gold").await.unwrap();
    assert_eq!(history.iter().map(|version| version.version).max(), Some(3));
    let documents = store.documents(workspace, None).await.unwrap();
    store.delete_documents(documents.iter().map(|document| document.id).collect()).await.unwrap();
    assert!(store.documents(workspace, None).await.unwrap().is_empty());
    assert_eq!(store.binned(workspace).await.unwrap().len(), documents.len());
}

#[tokio::test]
async fn a_library_of_schema_8_holds_all_that_was_in_it() {
    holds_all_that_was_in_it("schema_8.sibyl").await;
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join(LIBRARY_FILE);
    std::fs::copy(fixture("schema_8.sibyl"), &library).unwrap();
    rusqlite::Connection::open(&library).unwrap().execute_batch(READ_ANEW).unwrap();
    let store = open(Place::named(folder.path())).unwrap();
    let workspace = store.workspace("default").await.unwrap().id;
    let (answers, _) = store.answers::<serde_json::Value>(workspace, all_answers()).await.unwrap();
    let told: Vec<(&str, bool)> =
        answers.iter().rev().map(|answer| (answer.question.as_str(), answer.source_changed)).collect();
    let expected = [
        ("How many tonnes of carbon dioxide equivalent were emitted?", false),
        ("How much water do we withdraw at the sites?", false),
        ("How much electricity?", true),
    ];
    assert_eq!(told, expected, "where the quote stands, the text is taken for that which was cited");
    let version = async |path: &str| {
        let documents = store.documents(workspace, None).await.unwrap();
        documents.into_iter().find(|document| document.path == path).unwrap().text_version
    };
    let cited = store.versions_cited(answers[2].id).await.unwrap();
    assert_eq!(cited, [(82, version("northwind-2025.md").await)].into());
    assert_eq!(store.versions_cited(answers[0].id).await.unwrap(), [(80, String::new())].into());
    // A label of words says which text it was marked in.
    let (queries, _) = store.gold_queries(workspace, "gold", GoldFilter::default()).await.unwrap();
    let GoldTarget::Span(span) = &queries[1].labels[0].target else { panic!("{queries:?}") };
    assert_eq!((span.quote.as_str(), &span.text_version), ("water", &version("water.md").await));

    // The passage that is pinned, and the answers, keep the text of the report beyond the report.
    let northwind = version("northwind-2025.md").await;
    store.delete_documents(vec![82]).await.unwrap();
    let kept = store.text_version(workspace, 82, &northwind).await.unwrap().unwrap();
    assert!(kept.content.text.contains("4,200 tonnes of carbon dioxide equivalent"), "{}", kept.content.text);
    let health = store.doctor().await.unwrap();
    assert!(health.is_sound(), "{:?}", health.findings);
}

#[tokio::test]
async fn a_library_of_schema_9_takes_a_kind_of_source_that_it_did_not_know() {
    holds_all_that_was_in_it("schema_9.sibyl").await;
    let new = "INSERT INTO corpus (name, source_type, strategy, created_at) VALUES ('gri', 'gri', 'paragraphs', '')";
    let raw = |library: &Path| rusqlite::Connection::open(library).unwrap().execute(new, []);
    let (folder, store) = opened("schema_9.sibyl");
    drop(store);
    let library = folder.path().join(LIBRARY_FILE);
    let former = folder.path().join("former.sibyl");
    std::fs::copy(fixture("schema_9.sibyl"), &former).unwrap();
    assert!(raw(&former).is_err(), "schema 9 listed the kinds that there were");
    assert_eq!(raw(&library), Ok(1));
    let store = open(Place::named(folder.path())).unwrap();
    let health = store.doctor().await.unwrap();
    assert!(health.is_sound(), "{:?}", health.findings);
}

#[tokio::test]
async fn documents_of_schema_10_are_to_be_given_figures() {
    holds_all_that_was_in_it("schema_10.sibyl").await;
    let (_folder, store) = opened("schema_10.sibyl");
    let without = store.documents_without_figures().await.unwrap();
    assert_eq!(without.len(), store.documents(1, None).await.unwrap().len());
    let document = store.document_of_row(without[0].0).await.unwrap();
    store.put_figures(without[0].0, document, Vec::new()).await.unwrap();
    assert_eq!(store.documents_without_figures().await.unwrap(), without[1..]);
}

#[tokio::test]
async fn a_finding_of_schema_11_stands_and_can_be_decided_by_somebody() {
    holds_all_that_was_in_it("schema_11.sibyl").await;
    let (_folder, store) = opened("schema_11.sibyl");
    let workspace = store.workspace("default").await.unwrap().id;
    let review = store.reviews(workspace, None).await.unwrap().remove(0);
    assert_eq!(review.reviewer, None);
    assert_eq!(store.decisions(workspace, None, None).await.unwrap(), []);
    let decided = Review { reviewer: Some("Ada".to_owned()), status: ReviewStatus::Gap, ..review };
    store.put_reviews(workspace, vec![(decided.clone(), None)]).await.unwrap();
    // The same again is no new decision.
    store.put_reviews(workspace, vec![(decided.clone(), None)]).await.unwrap();
    let decisions =
        store.decisions(workspace, Some(decided.report_id), Some(decided.paragraph_id)).await.unwrap();
    assert_eq!(decisions.len(), 1);
    assert_eq!((decisions[0].reviewer.as_str(), decisions[0].status), ("Ada", ReviewStatus::Gap));
}

fn all_answers() -> AnswerFilter {
    AnswerFilter { limit: 10, ..AnswerFilter::default() }
}

async fn holds_all_that_was_in_it(name: &str) {
    let (_folder, store) = opened(name);
    let workspace = store.workspace("default").await.unwrap().id;

    let documents = store.documents(workspace, None).await.unwrap();
    let mut titles: Vec<&str> = documents.iter().map(|document| document.path.as_str()).collect();
    titles.sort_unstable();
    assert_eq!(titles, ["energy.md", "northwind-2025.md", "notes.txt", "water.md"]);
    let report = documents.iter().find(|document| document.path == "northwind-2025.md").unwrap();
    assert_eq!(report.report_id.as_deref(), Some("northwind-2025"));
    let chunks = store.chunks_of(workspace, report.id, 0, 10).await.unwrap();
    assert_eq!(chunks.len(), 2);
    assert!(chunks[1].text.contains("4,200 tonnes of carbon dioxide equivalent"), "{}", chunks[1].text);

    // One vector of each model for each of the six chunks.
    let spaces = store.spaces().await.unwrap();
    let held: Vec<(usize, u64)> =
        spaces.iter().map(|space| (space.space.dimensions, space.vectors)).collect();
    assert_eq!(held, [(256, 6), (384, 6)]);
    let emissions = chunks[1].id;
    let scope = store.scope(workspace, Filters::default()).await.unwrap();
    for space in &spaces {
        let vectors = store.vectors_of(&space.id, vec![emissions]).await.unwrap();
        let nearest = store.nearest(&space.id, &vectors[&emissions], &scope.allowed, 6).await.unwrap();
        assert_eq!(nearest.neighbours.len(), 6);
        assert_eq!(nearest.neighbours[0].chunk, emissions);
    }

    let reviews = store.reviews(workspace, None).await.unwrap();
    assert_eq!(reviews.len(), 1);
    assert_eq!((reviews[0].paragraph_id.as_str(), reviews[0].status), ("S2.29(a)", ReviewStatus::Met));
    assert_eq!(store.job_rows("default").await.unwrap().len(), 3);

    // The keyword rows are compared with the chunks here.
    let health = store.doctor().await.unwrap();
    assert!(health.is_sound(), "{:?}", health.findings);
}

/// Texts that two workspaces cite and schema 12 kept once: one of a document in the default workspace, one of a
/// document that every workspace saw.
const KEPT_ONCE: &str = "
    INSERT INTO workspace (id, name, language, created_at) VALUES (70, 'west', 'en', '');
    INSERT INTO kept_text VALUES ('former', 9000, 'secret.md', 'Secret', '', '', x'00', x'00'),
        ('common', 80, 'energy.md', 'Energy', '', '', x'00', x'00');
    UPDATE corpus SET workspace_id = NULL WHERE id = (SELECT corpus_id FROM document WHERE id = 80);
    INSERT INTO text_use VALUES ('former', 'answer', '900', 9000, 1), ('former', 'review', '70 r p', 9000, 70),
        ('common', 'gold', '900', 80, 70);";

#[tokio::test]
async fn a_library_of_schema_12_holds_all_that_was_in_it() {
    holds_all_that_was_in_it("schema_12.sibyl").await;
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join(LIBRARY_FILE);
    std::fs::copy(fixture("schema_12.sibyl"), &library).unwrap();
    rusqlite::Connection::open(&library).unwrap().execute_batch(KEPT_ONCE).unwrap();
    drop(open(Place::named(folder.path())).unwrap());
    let opened = rusqlite::Connection::open(&library).unwrap();
    let mut kept = opened
        .prepare("SELECT text_version, workspace_id, path FROM kept_text ORDER BY text_version, workspace_id")
        .unwrap();
    let kept = kept.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
    let kept: Vec<(String, i64, String)> = kept.collect::<Result<_, _>>().unwrap();
    let expected = [("common", 0, "energy.md"), ("former", 1, "secret.md"), ("former", 70, "")];
    assert!(
        kept.iter()
            .map(|(version, workspace, path)| (version.as_str(), *workspace, path.as_str()))
            .eq(expected)
    );
}

#[tokio::test]
async fn a_library_of_schema_13_holds_all_that_was_in_it_and_what_programs_propose() {
    holds_all_that_was_in_it("schema_13.sibyl").await;
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join(LIBRARY_FILE);
    std::fs::copy(fixture("schema_13.sibyl"), &library).unwrap();
    let decided = "INSERT INTO decision (workspace_id, report_id, paragraph_id, reviewer, status, note, at)
        VALUES (1, 'northwind-2025', 'S2.29(a)', 'Ada', 'met', '', '')";
    rusqlite::Connection::open(&library).unwrap().execute_batch(decided).unwrap();
    let store = open(Place::named(folder.path())).unwrap();
    let workspace = store.workspace("default").await.unwrap().id;
    let decisions = store.decisions(workspace, None, None).await.unwrap();
    assert_eq!((decisions[0].reviewer.as_str(), &decisions[0].proposed_by), ("Ada", &None));

    let assessment = store.put_assessment(workspace, None, "FY2025", &serde_json::json!({})).await.unwrap();
    let proposal = |program: &str, finding| ProgramProposal {
        id: 0,
        requirement: "S2.29(a)".to_owned(),
        report_id: "northwind-2025".to_owned(),
        program: program.to_owned(),
        finding,
        reason: "it gives a number".to_owned(),
        quotes: Vec::new(),
        made_at: String::new(),
    };
    let put = async |program, finding| {
        store.put_program_proposal(assessment, proposal(program, finding)).await.unwrap()
    };
    let first = put("one", ReviewStatus::Met).await;
    let other = put("two", ReviewStatus::Gap).await;
    let second = put("one", ReviewStatus::Partly).await;
    let cell = Some(("S2.29(a)", "northwind-2025"));
    let kept = store.program_proposals(assessment, cell).await.unwrap();
    assert_eq!(kept, [second.clone(), other.clone()], "one of each program, the last that it made");
    assert!(!second.made_at.is_empty());

    // Who confirms the first one has not read the second.
    let review = Review {
        reviewer: Some("Ben".to_owned()),
        ..store.reviews(workspace, None).await.unwrap().remove(0)
    };
    let confirm = async |proposal: i64| {
        store.confirm_program_proposal(workspace, (assessment, proposal), (review.clone(), None)).await
    };
    let refused = confirm(first.id).await.unwrap_err();
    assert!(refused.to_string().contains("read the requirement again"), "{refused}");
    assert_eq!(store.decisions(workspace, None, None).await.unwrap().len(), 1);
    confirm(second.id).await.unwrap();
    let decisions = store.decisions(workspace, None, None).await.unwrap();
    assert_eq!((decisions.len(), decisions[0].proposed_by.as_deref()), (2, Some("one")));
    assert_eq!(store.program_proposals(assessment, cell).await.unwrap(), [other]);

    store.delete_assessment(workspace, assessment).await.unwrap();
    assert_eq!(store.program_proposals(assessment, None).await.unwrap(), []);
    let gone = store.put_program_proposal(assessment, proposal("one", ReviewStatus::Met)).await.unwrap_err();
    assert!(gone.to_string().contains("assess list"), "{gone}");
}

fn version(library: &Path) -> i64 {
    let library = rusqlite::Connection::open(library).unwrap();
    library.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap()
}

#[test]
fn there_is_a_library_of_each_schema_before_this_one() {
    let folder = tempfile::tempdir().unwrap();
    drop(open(Place::named(folder.path())).unwrap());
    for former in 1..version(&folder.path().join(LIBRARY_FILE)) {
        assert_eq!(version(&fixture(&format!("schema_{former}.sibyl"))), former);
    }
}

/// What the program of schema 1 wrote of a report with pages, and of the job that read it.
const PAGED: &str = "
    INSERT INTO document (id, corpus_id, path, root, origin, report_id, source_type, format, title, source_hash,
        text_version, config_hash, text, structure, word_count, token_count, ingested_at)
        SELECT 5000, corpus_id, 'a.pdf', '', '/a.pdf', 'a', 'report', 'pdf', 'A', '', '', '', 'A',
          '{\"pages\": [{\"number\": 1, \"label\": \"i\"}, {\"number\": 2, \"label\": \"2\"}],
            \"metadata\": {\"year\": 2024}}', 1, 1, '' FROM document LIMIT 1;
    INSERT INTO job (id, kind, state, workspace, request, created_at, updated_at)
        VALUES (3000, 'ingest', 'done', 'default', '{}', '', '');
    INSERT INTO job_file (job, ordinal, corpus_id, root, origin, path, state, chunks)
        SELECT 3000, 0, corpus_id, '', '/a.pdf', 'a.pdf', 'done', 5 FROM document LIMIT 1;";

#[tokio::test]
async fn pages_labels_and_year_of_a_former_report_are_found_in_its_structure() {
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join(LIBRARY_FILE);
    std::fs::copy(fixture("schema_1.sibyl"), &library).unwrap();
    rusqlite::Connection::open(&library).unwrap().execute_batch(PAGED).unwrap();
    // When it is opened a second time, nothing is left to migrate.
    for _ in 0..2 {
        let store = open(Place::named(folder.path())).unwrap();
        let workspace = store.workspace("default").await.unwrap().id;
        let report = store.document_row(workspace, 5000).await.unwrap();
        assert_eq!((report.pages, report.year), (2, Some(2024)));
        let job = store.job_row("default", 3000).await.unwrap();
        assert_eq!((job.files_done, job.chunks, job.pages), (1, 5, 0));
        let files = store.job_files(3000, &[], 0, 10).await.unwrap();
        assert_eq!((files[0].path.as_str(), files[0].pages, files[0].seconds), ("a.pdf", None, None));
    }
    let labels = "SELECT group_concat(page || ' ' || label) FROM page_label WHERE document_id = 5000";
    let opened = rusqlite::Connection::open(&library).unwrap();
    let labels: String = opened.query_row(labels, [], |row| row.get(0)).unwrap();
    assert_eq!(labels, "1 i", "a label that is the page's number is none");
}

#[tokio::test]
async fn a_chunk_of_a_former_library_takes_phrasings() {
    let (_folder, store) = opened("schema_3.sibyl");
    let workspace = store.workspace("default").await.unwrap().id;
    let documents = store.documents(workspace, None).await.unwrap();
    let water = documents.iter().find(|document| document.path == "water.md").unwrap();
    let chunks = store.chunks_of(workspace, water.id, 0, 10).await.unwrap();
    let own = chunks[0].phrases();
    assert_eq!(chunks[0].added_phrases(), [""; 0]);

    let changed = store.add_phrasing(workspace, &chunks[0].chunk_id, "wells and rivers").await.unwrap();
    assert_eq!(changed.phrases(), [own.clone(), vec!["wells and rivers".to_owned()]].concat());
    assert_eq!(changed.added_phrases(), ["wells and rivers"]);
    assert_eq!(changed.passage(), chunks[0].passage());
    assert_eq!((changed.chunk_id, changed.ordinal), (chunks[0].chunk_id.clone(), 0));
    assert_eq!(store.chunks_of(workspace, water.id, 1, 10).await.unwrap(), chunks[1..], "the others stay");
    let health = store.doctor().await.unwrap();
    assert!(health.is_sound(), "{:?}", health.findings);
    let restored = store.remove_phrasing(workspace, &chunks[0].chunk_id, "wells and rivers").await.unwrap();
    assert_eq!((restored.text, restored.pieces), (chunks[0].text.clone(), chunks[0].pieces.clone()));
}

#[tokio::test]
async fn words_inside_runs_of_a_library_of_schema_14_are_found() {
    holds_all_that_was_in_it("schema_14.sibyl").await;
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join(LIBRARY_FILE);
    std::fs::copy(fixture("schema_14.sibyl"), &library).unwrap();
    let run = "UPDATE chunk SET text = text || ' 推動淨零排放' WHERE id = (SELECT min(id) FROM chunk);
        DELETE FROM keyword WHERE rowid = (SELECT min(id) FROM chunk);
        INSERT INTO keyword (rowid, text) SELECT id, text FROM chunk WHERE id = (SELECT min(id) FROM chunk)";
    rusqlite::Connection::open(&library).unwrap().execute_batch(run).unwrap();
    let store = open(Place::named(folder.path())).unwrap();
    let workspace = store.workspace("default").await.unwrap().id;
    for phrase in ["淨零", "排放", "淨零排放"] {
        assert_eq!(
            store.documents_holding(workspace, Phrase::new(phrase)).await.unwrap().len(),
            1,
            "{phrase}"
        );
    }
    assert!(store.documents_holding(workspace, Phrase::new("零淨")).await.unwrap().is_empty());
}

/// Chunks of schema 15 with what only some kinds of sources have.
const WITH_FIELDS: &str = r#"UPDATE chunk SET pillar = 'strategy', paragraph_id = 'S2.14', topic = 'Water', metadata =
        '{"pillar": "strategy", "paragraph_id": "S2.14", "disclosure_topic": "Water", "topic_code": "EM-EP-140a"}'
        WHERE id = (SELECT min(id) FROM chunk);
    UPDATE chunk SET metadata = '{"section_path": ["Fleet", "Fuel"], "tags": ["Sea", "Road"], "editions": ["2023-06"]}'
        WHERE id = (SELECT max(id) FROM chunk);
    UPDATE sqlite_sequence SET seq = 7000 WHERE name = 'chunk'"#;

/// What was paid for, and what may not be given again: vectors, the rows of chunks, and their last number.
fn kept(library: &Path) -> Vec<String> {
    let library = rusqlite::Connection::open(library).unwrap();
    let queries = [
        "SELECT group_concat(id || hex(input_hash) || hex(vector) ORDER BY id) FROM vector",
        "SELECT group_concat(id || chunk_id || path || text || pieces || metadata ORDER BY id) FROM chunk",
        "SELECT seq FROM sqlite_sequence WHERE name = 'chunk'",
        "SELECT group_concat(key || chunk ORDER BY key, chunk) FROM chunk_key WHERE key = 'S2.14'",
    ];
    let text = |query| library.query_row(query, [], |row| row.get::<_, rusqlite::types::Value>(0)).unwrap();
    queries.iter().map(|query| format!("{:?}", text(query))).collect()
}

#[tokio::test]
async fn fields_of_a_library_of_schema_15_are_filters() {
    holds_all_that_was_in_it("schema_15.sibyl").await;
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join(LIBRARY_FILE);
    std::fs::copy(fixture("schema_15.sibyl"), &library).unwrap();
    let raw = |sql: &str| rusqlite::Connection::open(&library).unwrap().execute_batch(sql).unwrap();
    raw(WITH_FIELDS);
    raw("INSERT OR IGNORE INTO chunk_key SELECT 'S2.14', min(id) FROM chunk");
    let before = kept(&library);
    let found = async |store: &dyn Store| {
        let workspace = store.workspace("default").await.unwrap().id;
        let all = store.scope(workspace, Filters::default()).await.unwrap().allowed;
        let mut found: Vec<Vec<i64>> = Vec::new();
        for (field, value) in [
            (&field::PILLAR, "Strategy"),
            (&field::TOPIC, "em-ep-140a"),
            (&field::SECTION, "fuel"),
            (&field::TAG, "ROAD"),
            (&field::TAG, "sea"),
        ] {
            let filters = Filters::default().with(field, [value]);
            let left = store.scope(workspace, filters).await.unwrap().allowed;
            found.push(left.evenly(9).collect());
        }
        // No kind of these texts lists editions, so that every edition has them.
        let amended = Filters::default().with(&field::EDITION, ["2025-12"]);
        assert_eq!(store.scope(workspace, amended).await.unwrap().allowed.len(), all.len());
        assert!(store.paragraph_ids(Arc::clone(&all)).await.unwrap().contains("S2.14"));
        let (first, last) = (all.evenly(99).min().unwrap(), all.evenly(99).max().unwrap());
        assert_eq!(found, [vec![first], vec![first], vec![last], vec![last], vec![last]]);
    };
    let store = open(Place::named(folder.path())).unwrap();
    found(&*store).await;
    drop(store);
    assert_eq!(kept(&library), before);
    // A program that knew other fields left these; the next one makes its own.
    raw("DELETE FROM chunk_field; INSERT INTO chunk_field SELECT id, 'unknown', 0, 'other' FROM chunk;
        UPDATE derived SET made_of = 'unknown'");
    let store = open(Place::named(folder.path())).unwrap();
    found(&*store).await;
    let health = store.doctor().await.unwrap();
    assert!(health.findings.iter().all(|finding| finding.code != "chunk_field"), "{:?}", health.findings);
}
