//! Jobs as the program shows and steers them.

use crate::{text, write};
use serde_json::Value;
use sibyl_tests::program::Sibyl;

#[test]
fn a_job_that_is_done_has_nothing_to_retry_and_newer_documents_stay() {
    let sibyl = Sibyl::fresh_with_words();
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "notes/first.md", "# First\n\nThe weir holds brackwater.\n");
    let notes = folder.path().join("notes");
    let ingest = || sibyl.json(&["ingest", text(&notes), "--no-embed"])["job"].to_string();
    let former = ingest();
    write(folder.path(), "notes/second.md", "# Second\n\nThe quillwort grows.\n");
    ingest();

    for verb in ["retry", "resume"] {
        let refused = sibyl.run(&["jobs", verb, &former]);
        assert_eq!((refused.code, refused.out.as_str()), (1, ""), "{verb}");
        assert!(refused.err.contains("nothing to retry"), "{}", refused.err);
    }
    let documents = sibyl.json(&["documents", "--corpus", "notes"]);
    let paths: Vec<&str> =
        documents.as_array().unwrap().iter().filter_map(|document| document["path"].as_str()).collect();
    assert_eq!(paths, ["first.md", "second.md"]);
}

#[test]
fn a_job_whose_program_was_killed_is_interrupted_and_can_be_resumed() {
    let sibyl = Sibyl::fresh_with_words();
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "notes/first.md", "# First\n\nThe weir holds brackwater.\n");
    let notes = folder.path().join("notes");
    let job = sibyl.json(&["ingest", text(&notes), "--no-embed"])["job"].to_string();
    // What a program that is killed leaves: a job with a lease that lasts, and an owner that is gone.
    let library = rusqlite::Connection::open(sibyl.folder().join("library.sibyl")).unwrap();
    let left = "UPDATE job SET state = 'running', owner = 'gone', lease_until = 9999999999 WHERE id = ?1";
    library.execute(left, [&job]).unwrap();
    library.execute("UPDATE job_file SET state = 'running' WHERE job = ?1", [&job]).unwrap();
    drop(library);

    let listed = sibyl.run(&["jobs"]).out;
    assert!(listed.contains("interrupted") && !listed.contains("running"), "{listed}");
    let shown = sibyl.run(&["jobs", "show", &job]).out;
    assert!(shown.contains("interrupted"), "{shown}");
    let resumed = sibyl.json(&["jobs", "resume", &job]);
    assert_eq!((&resumed["state"], &resumed["interrupted"]), (&Value::from("done"), &Value::from(false)));
}
