//! What another library has decided is kept as a whole, or not at all.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use serde_json::json;
use sibyl_store::table::review::{AssessmentDecision, ImportedFinding, Review, ReviewStatus};
use sibyl_store::{LIBRARY_FILE, Place, open};

/// When it was decided in the other library, once and again.
const FIRST: &str = "2026-03-30T08:00:00Z";
const SECOND: &str = "2026-03-31T09:00:00Z";

fn finding(paragraph: &str) -> ImportedFinding {
    let decision = |at: &str, reviewer: &str, status| AssessmentDecision {
        report_id: "mill".to_owned(),
        paragraph_id: paragraph.to_owned(),
        reviewer: reviewer.to_owned(),
        status,
        note: String::new(),
        at: at.to_owned(),
        proposed_by: None,
        imported_at: None,
    };
    let review = Review {
        report_id: "mill".to_owned(),
        paragraph_id: paragraph.to_owned(),
        words: String::new(),
        status: ReviewStatus::Met,
        note: String::new(),
        passages: Vec::new(),
        updated_at: SECOND.to_owned(),
        reviewer: Some("Ada".to_owned()),
    };
    let decisions =
        vec![decision(SECOND, "Ada", ReviewStatus::Met), decision(FIRST, "Bo", ReviewStatus::Partly)];
    ImportedFinding { review, former: None, decisions }
}

#[tokio::test]
async fn a_fault_in_the_middle_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(LIBRARY_FILE);
    let store = open(Place::named(folder.path())).unwrap();
    let workspace = store.workspace("default").await.unwrap().id;
    let connection = rusqlite::Connection::open(&file).unwrap();
    // The disk fails, say, at the second of three decisions.
    connection
        .execute_batch(
            "CREATE TRIGGER broken BEFORE INSERT ON decision WHEN NEW.paragraph_id = 'S2.7'
             BEGIN SELECT RAISE(ABORT, 'broken'); END",
        )
        .unwrap();
    let plan = json!({ "reports": ["mill"] });
    let findings = || ["S2.6", "S2.7", "S2.8"].map(finding).to_vec();
    let there = async || {
        let assessments = store.assessments::<serde_json::Value>(workspace).await.unwrap().len();
        let decisions = store.decisions(workspace, None, None).await.unwrap().len();
        (assessments, store.reviews(workspace, None).await.unwrap().len(), decisions)
    };
    store.put_imported(workspace, Some(("Theirs", &plan)), findings()).await.unwrap_err();
    assert_eq!(there().await, (0, 0, 0));
    connection.execute_batch("DROP TRIGGER broken").unwrap();
    let made = store.put_imported(workspace, Some(("Theirs", &plan)), findings()).await.unwrap();
    assert_eq!((made.is_some(), there().await), (true, (1, 3, 6)));
    // A name that is taken keeps the findings out as well.
    let other = vec![finding("S2.9")];
    let error = store.put_imported(workspace, Some(("Theirs", &plan)), other).await.unwrap_err();
    assert!(error.to_string().contains("choose another name"), "{error}");
    assert_eq!(there().await, (1, 3, 6));
}

#[tokio::test]
async fn who_decided_and_when_comes_along_with_what_was_decided_before() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(Place::named(folder.path())).unwrap();
    let workspace = store.workspace("default").await.unwrap().id;
    let before = sibyl_store::now();
    store.put_imported(workspace, None::<(&str, &())>, vec![finding("S2.6")]).await.unwrap();
    let review = store.review(workspace, "mill", "S2.6").await.unwrap().unwrap();
    assert_eq!((review.updated_at.as_str(), review.reviewer.as_deref()), (SECOND, Some("Ada")));
    let log = store.decisions(workspace, Some("mill".to_owned()), None).await.unwrap();
    let told: Vec<(&str, &str, ReviewStatus)> =
        log.iter().map(|one| (one.at.as_str(), one.reviewer.as_str(), one.status)).collect();
    assert_eq!(told, [(SECOND, "Ada", ReviewStatus::Met), (FIRST, "Bo", ReviewStatus::Partly)]);
    let came = |one: &AssessmentDecision| one.imported_at.as_ref().is_some_and(|at| *at >= before);
    assert!(log.iter().all(came), "{log:?}");
    // The next one is made in this library, and precedes them.
    let again = Review { status: ReviewStatus::Gap, reviewer: Some("Cy".to_owned()), ..review };
    store.put_reviews(workspace, vec![(again, None)]).await.unwrap();
    let log = store.decisions(workspace, None, None).await.unwrap();
    assert_eq!((log.len(), log[0].reviewer.as_str(), &log[0].imported_at), (3, "Cy", &None));
}
