//! Files that are sent to `sibyl serve`: each by itself, up to a limit, then named by the calls that use it.

use crate::server::done;
use serde_json::{Value, json};
use sibyl_tests::program::Sibyl;
use sibyl_tests::server::Server;

fn upload(name: &str, file: &str) -> Value {
    json!({ "kind": "upload", "name": name, "file": file })
}

#[test]
fn files_that_were_sent_one_by_one_are_looked_into_and_imported_together() {
    let sibyl = Sibyl::with_words();
    let server = Server::start(&sibyl, &["--allow", "spend"]);
    let mill = server.file(b"# Mill\n\nThe mill drew 42 megalitres of quillwort water.\n");
    let pond = server.file(b"# Pond\n\nThe pond holds quillwort, too.\n");
    let sources = json!([upload("mill.md", &mill), upload("ponds/pond.md", &pond)]);
    let request = json!({ "corpus": "waters", "sources": sources });

    let cut = server.post("/api/v1/chunks/preview", &json!({ "source": upload("mill.md", &mill) }));
    assert!(cut.status == 200 && cut.body.contains("42 megalitres"), "{}", cut.body);
    let layout = server.post("/api/v1/layout", &json!({ "source": upload("mill.md", &mill), "page": 1 }));
    assert!(layout.body.contains("mill.md has no pages"), "{}", layout.body);
    let looked = server.post("/api/v1/ingest/preflight", &request).json();
    let paths: Vec<&Value> = looked["files"].as_array().unwrap().iter().map(|file| &file["path"]).collect();
    assert_eq!(paths, ["mill.md", "ponds/pond.md"]);
    assert!(looked["bytes"].as_u64() > Some(80) && looked["chunks"].as_u64() > Some(1), "{looked}");

    let begun = server.post("/api/v1/ingest", &request);
    assert_eq!(begun.status, 200, "{}", begun.body);
    let job = done(&server, begun.json()["id"].as_i64().unwrap());
    assert_eq!((&job["report"]["documents"]["created"], &job["report"]["failed"]), (&json!(2), &json!([])));
    let found = server.post("/api/v1/search", &json!({ "query": "quillwort", "mode": "keyword" }));
    assert_eq!(found.json()["total_results"], 2);
    let again = server.post("/api/v1/ingest", &request);
    assert_eq!((again.status, again.code().as_str()), (404, "not_found"), "an import takes them once");

    // Another file of the same name replaces the first, which is reported.
    let mill = server.file(b"# Mill\n\nThe mill of another valley.\n");
    let other = json!({ "corpus": "waters", "sources": [upload("mill.md", &mill)] });
    let job = done(&server, server.post("/api/v1/ingest", &other).json()["id"].as_i64().unwrap());
    assert_eq!(job["report"]["documents"]["updated"], 1, "{job}");
    assert_eq!(job["report"]["notices"][0]["code"], "replaced", "{job}");

    let both = json!({ "kind": "upload", "name": "a.md", "file": "0", "bytes": "YQ==" });
    let refused = server.post("/api/v1/ingest", &json!({ "sources": [both] }));
    assert_eq!((refused.status, refused.code().as_str()), (400, "invalid"), "{}", refused.body);
}

#[test]
fn each_file_and_each_body_has_its_limit() {
    let sibyl = Sibyl::with_words();
    assert_eq!(sibyl.run(&["settings", "max_file_size", "1"]).code, 0);
    let server = Server::start(&sibyl, &["--allow", "spend"]);
    let token = format!("authorization: Bearer {}", server.token);
    let text = "The weir holds. ".repeat((1 << 20) / 16);
    let half = text.as_bytes();
    let sources = [server.file(half), server.file(half), server.file(half)];
    let sources: Vec<Value> =
        sources.iter().enumerate().map(|(at, file)| upload(&format!("{at}.txt"), file)).collect();
    let begun = server.post("/api/v1/ingest", &json!({ "sources": sources, "embed": "nothing" }));
    assert_eq!(begun.status, 200, "the limit is one of each file: {}", begun.body);
    let job = done(&server, begun.json()["id"].as_i64().unwrap());
    assert_eq!(job["report"]["documents"]["created"], 3, "{job}");
    for path in ["/api/v1/files", "/api/v1/uploads?name=large.md", "/ingest?name=large.md"] {
        let kind = "content-type: application/octet-stream";
        let refused = server.exchange("POST", path, &[&token, kind], &vec![b'a'; (1 << 20) + 1]);
        assert_eq!((refused.status, refused.code().as_str()), (413, "too_large"), "{path}");
        assert!(refused.body.contains("1 MB"), "{}", refused.body);
        let empty = server.exchange("POST", path, &[&token, kind], b"");
        assert_eq!((empty.status, empty.code().as_str()), (400, "invalid"), "{path}");
    }
    let long = format!("{{\"path\": \"a\", \"text\": \"{}\"}}", "a".repeat((32 << 20) - 12));
    let kind = "content-type: application/json";
    let refused = server.exchange("POST", "/api/v1/gold/import", &[&token, kind], long.as_bytes());
    assert_eq!((refused.status, refused.code().as_str()), (413, "too_large"));
    assert!(refused.body.contains("POST /api/v1/files"), "{}", refused.body);
}

#[test]
fn gold_sets_and_runs_come_as_files_in_place_of_paths() {
    let sibyl = Sibyl::with_words();
    let server = Server::start(&sibyl, &["--allow", "write"]);
    let file = |name: &str, text: &str| json!({ "name": name, "file": server.file(text.as_bytes()) });
    let queries = "{\"_id\": \"q1\", \"text\": \"transition plan\"}\n";
    let beir = json!({ "path": "wiki", "files": [
        file("wiki/queries.jsonl", queries),
        file("wiki/qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\tS2.14\t1\n"),
    ]});
    let taken = server.post("/api/v1/gold/import", &beir);
    assert_eq!(taken.status, 200, "{}", taken.body);
    assert_eq!((&taken.json()["set"]["name"], &taken.json()["set"]["queries"]), (&json!("wiki"), &json!(1)));

    let qrels = "q1 0 S2.14 1\n";
    let trec = json!({ "path": "qrels.txt", "queries": "words.queries.tsv", "files": [
        file("qrels.txt", qrels), file("words.queries.tsv", "q1\ttransition plan\n"),
    ]});
    let taken = server.post("/api/v1/gold/import", &trec);
    assert_eq!((taken.status, &taken.json()["set"]["name"]), (200, &json!("qrels")), "{}", taken.body);

    // What is missing is reported by its name, and nothing else on the disk can be named.
    for (path, queries, files, words) in [
        ("qrels.txt", None, vec![file("qrels.txt", qrels)], "qrels.queries.tsv is missing"),
        ("wiki", None, vec![file("wiki/queries.jsonl", queries)], "wiki/qrels is missing"),
        ("/etc/passwd", None, vec![file("a.txt", qrels)], "etc/passwd is missing"),
        ("a.txt", Some("../../library.sibyl"), vec![file("a.txt", qrels)], "library.sibyl is missing"),
    ] {
        let input = json!({ "path": path, "queries": queries, "files": files });
        let refused = server.post("/api/v1/gold/import", &input);
        assert_eq!((refused.status, refused.code().as_str()), (400, "unfit_path"), "{}", refused.body);
        assert!(refused.body.contains(words), "{}", refused.body);
        assert!(!refused.body.contains(sibyl.folder().to_str().unwrap()), "{}", refused.body);
    }

    for input in [
        json!({ "set": "qrels", "id": "\0a", "query": "plan", "type": "" }),
        json!({ "set": "qrels", "query": "\0plan", "type": "" }),
        json!({ "set": "\0qrels", "query": "plan", "type": "" }),
    ] {
        let refused = server.post("/api/v1/gold/queries", &input);
        assert_eq!((refused.status, refused.code().as_str()), (400, "invalid"), "{}", refused.body);
    }

    let run = server.file(b"q1 Q0 S2.14 1 7.5 bm25\n");
    let input = json!({ "path": "bm25.run", "file": run, "set": "qrels" });
    let taken = server.post("/api/v1/evaluations/import", &input);
    assert_eq!((taken.status, &taken.json()["run"]["name"]), (200, &json!("bm25")), "{}", taken.body);
    assert_eq!(taken.json()["unanswered"], 0);
}
