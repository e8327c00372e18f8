//! The bin: what is deleted through one door is nowhere to be found and comes back through another.

use crate::{list, text, write};
use serde_json::{Value, json};
use sibyl_tests::program::Sibyl;
use sibyl_tests::server::Server;

#[test]
fn what_is_deleted_is_found_nowhere_and_is_restored_from_the_command_line_and_over_rest() {
    let sibyl = Sibyl::with_words();
    let folder = tempfile::tempdir().unwrap();
    for (name, words) in [("mill", "The mill drew 42 megalitres of quillwort water."), ("pond", "A pond.")] {
        write(folder.path(), &format!("notes/{name}.md"), format!("# {name}\n\n{words}\n"));
    }
    let notes = folder.path().join("notes");
    sibyl.json(&["ingest", text(&notes), "--corpus", "notes"]);
    let documents = || sibyl.json(&["documents", "--corpus", "notes"]);
    let before = documents();
    let mill = before[0]["id"].to_string();
    let hits = || sibyl.json(&["search", "quillwort", "--mode", "keyword"])["total_results"].clone();
    let total = || sibyl.json(&["stats"])["total"].as_u64().unwrap();
    let chunk_ids = || -> Vec<Value> {
        let chunks = sibyl.json(&["chunks", &mill]);
        chunks.as_array().unwrap().iter().map(|chunk| chunk["row"]["chunk_id"].clone()).collect()
    };
    let (chunks, all) = (chunk_ids(), total());
    assert_eq!(hits(), 1);

    let deleted = sibyl.run(&["delete", "--document", &mill]);
    assert!(deleted.out.contains("`sibyl restore` lists and restores"), "{}", deleted.out);
    assert_eq!((hits(), documents().as_array().unwrap().len(), total()), (json!(0), 1, all - 1));
    assert_eq!(sibyl.run(&["chunks", &mill]).code, 1);
    let answer = sibyl.run(&["ask", "How much quillwort water did the mill draw?", "--json"]).json();
    assert!(!answer.to_string().contains("megalitres"), "{answer}");
    let listed = sibyl.run(&["restore"]);
    assert!(listed.out.contains("mill.md") && listed.out.contains("puts one back"), "{}", listed.out);
    let restored = sibyl.run(&["restore", &mill]);
    assert_eq!((restored.code, restored.out.trim()), (0, "1 document restored"));
    assert_eq!((documents(), hits(), total()), (before.clone(), json!(1), all));
    assert_eq!(chunk_ids(), chunks);

    sibyl.json(&["delete", "--corpus", "notes"]);
    let server = Server::start(&sibyl, &["--allow", "write"]);
    let binned = server.get("/api/v1/bin");
    assert_eq!(binned.as_array().unwrap().len(), 2, "{binned}");
    assert_eq!(binned[0]["origin"], "", "where it lies on this machine is told to nobody else");
    let put_back = server.post("/api/v1/bin/restore", &json!({ "ids": [before[0]["id"]] })).json();
    assert_eq!(put_back, json!({ "restored": [before[0]["id"]], "refused": [] }));
    let gone = server.send("DELETE", &format!("/api/v1/bin?ids={}", before[1]["id"]), None);
    assert_eq!(gone.status, 200, "{}", gone.body);
    assert_eq!(server.get("/api/v1/bin"), json!([]));
    drop(server);
    assert_eq!((hits(), documents().as_array().unwrap().len()), (json!(1), 1));

    // A document whose place is now taken stays in the bin, and may be deleted permanently.
    sibyl.json(&["delete", "--document", &mill]);
    sibyl.json(&["ingest", text(&notes), "--corpus", "notes"]);
    let refused = sibyl.run(&["restore", &mill, "--json"]);
    assert_eq!((refused.code, list(&refused.json(), "refused").len()), (1, 1), "{}", refused.out);
    assert_eq!(sibyl.run(&["delete", "--for-good", &mill]).code, 0);
    assert_eq!(sibyl.json(&["restore"]), json!([]));
    let unknown = sibyl.run(&["restore", &mill]);
    assert!(unknown.code == 1 && unknown.err.contains("does not exist"), "{}", unknown.err);
}
