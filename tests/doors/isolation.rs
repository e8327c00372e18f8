//! The data of one workspace do not exist for another.

use crate::{list, text, write};
use serde_json::{Value, json};
use sibyl_tests::library::Opened;
use sibyl_tests::program::Sibyl;

const COPY: &str = "# Rules of the mill\n\n## Strategy\n\n14 The mill tells how it answers to weather, with:\n\n(a) zephyrine wheels; and\n\n(b) coin.\n";

fn json_in(sibyl: &Sibyl, workspace: &str, words: &[&str]) -> Value {
    sibyl.json(&[words, &["--workspace", workspace]].concat())
}

#[test]
fn a_private_document_is_seen_by_its_workspace_only() {
    let sibyl = Sibyl::with_words();
    for workspace in ["east", "west"] {
        sibyl.json(&["workspace", "create", workspace]);
    }
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "secret.md", "# Secret\n\nThe quillwort target is 40 per cent.\n");
    write(folder.path(), "mill.md", COPY);
    let (secret, mill) = (folder.path().join("secret.md"), folder.path().join("mill.md"));
    json_in(&sibyl, "east", &["ingest", text(&secret), "--corpus", "secrets", "--no-embed"]);
    json_in(&sibyl, "east", &["ingest", text(&mill), "--licensed", "s2", "--no-embed"]);

    let documents = json_in(&sibyl, "east", &["documents", "--corpus", "secrets"]);
    let document = documents[0]["id"].to_string();
    let chunk = json_in(&sibyl, "east", &["chunks", &document])[0]["row"]["chunk_id"].clone();
    let chunk = chunk.as_str().unwrap();
    for word in ["quillwort", "zephyrine"] {
        let found = |workspace: &str| {
            let words = ["search", word, "--mode", "keyword", "--no-spelling"];
            json_in(&sibyl, workspace, &words)["total_results"].as_u64().unwrap()
        };
        assert!(found("east") > 0, "{word}");
        assert_eq!([found("west"), found("default")], [0, 0], "{word}");
    }
    // The explanation is everybody's; the copy is named to its owner only.
    let paragraph = |workspace: &str| json_in(&sibyl, workspace, &["paragraph", "S2.14"]);
    let (own, other) = (paragraph("east"), paragraph("west"));
    assert_eq!((&own["source_type"], &own["chunk_id"]), (&json!("ifrs_s2"), &other["chunk_id"]));
    let copies = list(&own["metadata"], "licensed");
    assert_eq!(copies.len(), 1, "{own}");
    assert_eq!(other["metadata"]["licensed"], Value::Null);
    let told = sibyl.run(&["paragraph", "S2.14", "--workspace", "east"]).out;
    assert!(
        told.contains("Your licensed copy: ") && told.contains(copies[0]["chunk_id"].as_str().unwrap()),
        "{told}"
    );

    let library = Opened::at(sibyl.folder());
    for workspace in ["west", "default"] {
        let listed = json_in(&sibyl, workspace, &["documents"]);
        let paths = listed.as_array().unwrap().iter().filter_map(|document| document["path"].as_str());
        assert!(paths.into_iter().all(|path| !["secret.md", "mill.md"].contains(&path)), "{workspace}");
        for words in [
            &["chunks", document.as_str()][..],
            &["chunks", chunk],
            &["delete", "--document", &document],
            &["delete", "--corpus", "secrets"],
            &["documents", "--corpus", "licensed-s2"],
        ] {
            let run = sibyl.run(&[words, &["--workspace", workspace]].concat());
            assert_eq!((run.code, run.out.as_str()), (1, ""), "{words:?} in {workspace}");
            assert!(run.err.contains("no") || run.err.contains("not"), "{}", run.err);
        }
        for (command, input) in [
            ("chunk.neighbours", json!({ "chunk_id": chunk })),
            ("chunk.get", json!({ "chunk_id": chunk })),
            ("passage.nearest_sentence", json!({ "query": "mill", "chunk_ids": [chunk] })),
            ("document.get", json!({ "id": documents[0]["id"] })),
            ("corpus.inspect", json!({ "name": "secrets" })),
        ] {
            let refused = library.call(workspace, command, input).unwrap_err();
            assert_eq!(refused.code, "not_found", "{command} in {workspace}");
        }
    }
    let near = library.call("east", "chunk.neighbours", json!({ "chunk_id": chunk })).unwrap();
    assert_eq!(near, json!({ "space": null, "chunks": [] }), "nothing was embedded");
    assert_eq!(sibyl.run(&["stats", "--workspace", "north"]).code, 1);

    json_in(&sibyl, "default", &["workspace", "delete", "east"]);
    let stats = sibyl.json(&["stats"]);
    assert_eq!((stats["licensed"].as_u64().unwrap_or(0), stats["report"].as_u64()), (0, Some(0)));
}

#[test]
fn neighbours_of_a_shared_paragraph_are_the_same_for_all_who_see_no_more() {
    let sibyl = Sibyl::with_instant_vectors();
    sibyl.json(&["workspace", "create", "west"]);
    let chunk = sibyl.json(&["paragraph", "S2.14(a)(iv)"])["chunk_id"].clone();
    let library = Opened::at(sibyl.folder());
    let near = |workspace: &str| {
        let input = json!({ "chunk_id": chunk, "limit": 5 });
        library.call(workspace, "chunk.neighbours", input).unwrap()
    };
    let found = near("default");
    assert_eq!(found, near("west"));
    assert!(found["space"].is_string(), "{found}");
    let chunks = list(&found, "chunks");
    assert_eq!(chunks.len(), 5);
    assert!(chunks.iter().all(|near| near["chunk"]["row"]["chunk_id"] != chunk));
    let ids: Vec<&str> =
        chunks.iter().filter_map(|near| near["chunk"]["row"]["metadata"]["paragraph_id"].as_str()).collect();
    assert!(ids.iter().any(|id| id.starts_with("S2.14") || id.starts_with("S1.33")), "{ids:?}");
}
