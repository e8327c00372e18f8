//! What another library has decided is kept as a whole, or not at all.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use serde_json::json;
use sibyl_store::table::review::{Review, ReviewStatus};
use sibyl_store::{LIBRARY_FILE, Place, open};

fn finding(paragraph: &str) -> (Review, Option<String>) {
    let review = Review {
        report_id: "mill".to_owned(),
        paragraph_id: paragraph.to_owned(),
        words: String::new(),
        status: ReviewStatus::Met,
        note: String::new(),
        passages: Vec::new(),
        updated_at: String::new(),
        reviewer: None,
    };
    (review, None)
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
    assert_eq!((made.is_some(), there().await), (true, (1, 3, 3)));
    // A name that is taken keeps the findings out, too.
    let other = vec![finding("S2.9")];
    let error = store.put_imported(workspace, Some(("Theirs", &plan)), other).await.unwrap_err();
    assert!(error.to_string().contains("choose another name"), "{error}");
    assert_eq!(there().await, (1, 3, 3));
}
