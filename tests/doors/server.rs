//! `sibyl serve`: the documents' endpoints, the command list over HTTP, and who is let in.
//!
//! Over 500 lines: every endpoint, with what all of them share.

use crate::{list, text, write};
use serde_json::{Value, json};
use sibyl_tests::program::Sibyl;
use sibyl_tests::server::{Answer, Server};
use std::time::{Duration, Instant};

fn fields(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

fn upload(server: &Server, path: &str, bytes: &[u8]) -> Answer {
    let token = format!("authorization: Bearer {}", server.token);
    server.exchange("POST", path, &[&token, "content-type: application/octet-stream"], bytes)
}

/// Waits until the job `id` is done.
pub fn done(server: &Server, id: i64) -> Value {
    let begun = Instant::now();
    loop {
        let job = server.get(&format!("/api/v1/jobs/{id}"));
        if job["state"] == "done" {
            return job;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{job}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn the_endpoints_of_the_main_document() {
    let sibyl = Sibyl::with_words();
    let server = Server::start(&sibyl, &["--allow", "spend"]);
    let stats = server.get("/api/v1/rag/stats");
    let count = |of: &str| stats[of].as_u64().unwrap();
    assert!(count("ifrs_s1") > 0 && count("ifrs_s2") > 0 && count("sasb") > 0, "{stats}");
    assert_eq!(count("report"), 0);
    assert_eq!(count("total"), count("ifrs_s1") + count("ifrs_s2") + count("sasb"));

    let again = server.post("/api/v1/rag/ingest", &json!({ "corpus": "ifrs" }));
    assert_eq!(again.status, 409, "{}", again.body);
    assert_eq!(
        again.json(),
        json!({
            "status": "already_ingested",
            "message": "Corpus already exists. Delete it first to re-ingest.",
            "existing_counts": { "ifrs_s1": stats["ifrs_s1"], "ifrs_s2": stats["ifrs_s2"] },
        })
    );
    let deleted = server.send("DELETE", "/api/v1/rag/corpus/ifrs_s2", None);
    assert_eq!(deleted.status, 200, "{}", deleted.body);
    let expected =
        json!({ "status": "deleted", "source_type": "ifrs_s2", "deleted_count": stats["ifrs_s2"] });
    assert_eq!(deleted.json(), expected);
    let ingested = server.post("/api/v1/rag/ingest", &json!({ "corpus": "all" }));
    assert_eq!(ingested.status, 200, "{}", ingested.body);
    let told = ingested.json();
    assert_eq!(
        fields(&told),
        ["status", "ifrs_s1_chunks", "ifrs_s2_chunks", "sasb_chunks", "total_chunks", "duration_seconds"]
    );
    assert_eq!(told["status"], "completed");
    for (field, of) in [
        ("ifrs_s1_chunks", "ifrs_s1"),
        ("ifrs_s2_chunks", "ifrs_s2"),
        ("sasb_chunks", "sasb"),
        ("total_chunks", "total"),
    ] {
        assert_eq!(told[field], stats[of], "{field}");
    }
    assert!(told["duration_seconds"].as_f64() > Some(0.0));
    assert_eq!(server.post("/api/v1/rag/ingest", &json!({ "corpus": "everything" })).status, 400);

    let asked = json!({
        "query": "transition plan requirements",
        "top_k": 5,
        "mode": "hybrid",
        "source_types": ["ifrs_s1", "ifrs_s2"],
    });
    let found = server.post("/api/v1/rag/search", &asked);
    assert_eq!(found.status, 200, "{}", found.body);
    let found = found.json();
    assert_eq!(fields(&found), ["results", "total_results", "search_mode"]);
    assert_eq!((&found["total_results"], &found["search_mode"]), (&json!(5), &json!("hybrid")));
    for hit in list(&found, "results") {
        assert_eq!(
            fields(hit),
            ["chunk_id", "chunk_text", "metadata", "source_type", "report_id", "score", "search_method"]
        );
        assert!(["ifrs_s1", "ifrs_s2"].contains(&hit["source_type"].as_str().unwrap()));
        let text = hit["chunk_text"].as_str().unwrap();
        assert!(
            text.starts_with("[IFRS S") && text.contains("]\n\n") && !text.contains("Asked as"),
            "{text}"
        );
    }
    let keyword = json!({ "query": "S2.14(a)(iv)", "mode": "keyword" });
    let first = server.post("/api/v1/rag/search", &keyword).json()["results"][0].clone();
    assert_eq!(first["metadata"]["paragraph_id"], "S2.14(a)(iv)");
    assert_eq!(server.get("/api/v1/rag/paragraph/S2.14(a)(iv)")["chunk_id"], first["chunk_id"]);
    assert_eq!(server.send("GET", "/api/v1/rag/paragraph/S2.99", None).status, 404);
    let nothing = server.post("/api/v1/rag/search", &json!({ "query": "quillwort", "mode": "keyword" }));
    assert_eq!((nothing.status, nothing.json()["results"].clone()), (200, json!([])));

    let report = json!({
        "report_id": "mill-2024",
        "markdown_content": "# Mill\n\n## Water\n\nThe mill drew 42 megalitres of quillwort water.\n",
    });
    let kept = server.post("/api/v1/rag/report", &report);
    assert_eq!(kept.status, 200, "{}", kept.body);
    let chunks = kept.json()["chunk_count"].clone();
    assert_eq!(
        kept.json(),
        json!({ "status": "completed", "report_id": "mill-2024", "chunk_count": chunks })
    );
    assert_eq!(server.get("/api/v1/rag/stats")["report"], chunks);
    let own = json!({ "query": "quillwort", "mode": "keyword", "report_id": "mill-2024" });
    assert_eq!(server.post("/api/v1/rag/search", &own).json()["results"][0]["report_id"], "mill-2024");
    let gone = server.send("DELETE", "/api/v1/rag/report/mill-2024", None);
    assert_eq!(
        (gone.status, gone.json()),
        (200, json!({ "status": "deleted", "report_id": "mill-2024", "deleted_count": chunks }))
    );
    assert_eq!(server.send("DELETE", "/api/v1/rag/report/mill-2024", None).status, 404);
    let status = server.get("/api/v1/rag/status");
    assert_eq!(
        (&status["status"], &status["job"], &status["counts"]),
        (&json!("ready"), &Value::Null, &stats)
    );
}

#[test]
fn the_endpoints_of_the_retrieval_service() {
    let sibyl = Sibyl::with_words();
    let folder = tempfile::tempdir().unwrap();
    write(
        folder.path(),
        "inbox/handbook.md",
        "# Handbook\n\n## Quenching\n\nThe quench rota of the autoclave is a red tag on its main switch.\n",
    );
    write(folder.path(), "secret.md", "# Secret\n");
    let inbox = folder.path().join("inbox");
    let server = Server::start(&sibyl, &["--allow", "spend", "--documents", text(&inbox)]);
    let health = server.exchange("GET", "/health", &[], b"");
    assert_eq!(health.status, 200, "nobody signs in for it");
    assert_eq!(health.json()["status"], "degraded");
    assert_eq!(health.json()["cause"], "no embedding model is available; only keyword search works");

    let question = json!({ "query": "What is the quench rota of the autoclave?" });
    let unknown = server.post("/query", &question);
    assert_eq!(unknown.status, 200, "{}", unknown.body);
    assert_eq!(
        unknown.body,
        r#"{"answer":null,"citations":[],"message":"Information not found in the knowledge base."}"#
    );
    for path in ["../secret.md", "/etc/passwd"] {
        let refused = server.post("/ingest", &json!({ "path": path }));
        assert_eq!((refused.status, refused.code()), (403, "forbidden".to_owned()), "{path}");
    }
    let ingested = server.post("/ingest", &json!({ "path": "handbook.md", "corpus": "handbook" }));
    assert_eq!(ingested.status, 200, "{}", ingested.body);
    assert_eq!((&ingested.json()["status"], &ingested.json()["failed"]), (&json!("completed"), &json!([])));
    for sources in [json!([]), json!(["handbook"]), json!(["handbook.md"])] {
        let mut asked = question.clone();
        asked["sources"] = sources.clone();
        let answered = server.post("/query", &asked).json();
        for field in ["answer", "citations", "confidence", "outcome", "sentences", "removed"] {
            assert!(fields(&answered).contains(&field), "{field}: {answered}");
        }
        assert!(answered["answer"].as_str().unwrap().contains("red tag"), "{answered}");
        let confidence = answered["confidence"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&confidence));
        let cited = &answered["citations"][0];
        assert_eq!(
            (&cited["document"], &cited["title"]),
            (&json!("handbook.md"), &json!("Handbook")),
            "{sources}"
        );
        assert!(cited["quote"].as_str().unwrap().contains("red tag"));
    }
    let elsewhere = server.post("/query", &json!({ "query": question["query"], "sources": ["ifrs_s2"] }));
    assert_eq!(elsewhere.json()["answer"], Value::Null);
    let sent =
        upload(&server, "/ingest?name=notes.md&corpus=notes", b"# Notes\n\nThe zephyrine weir holds.\n");
    assert_eq!((sent.status, &sent.json()["status"]), (200, &json!("completed")), "{}", sent.body);
    assert!(
        server
            .post("/query", &json!({ "query": "What holds the zephyrine weir?" }))
            .body
            .contains("zephyrine")
    );

    // Each call leaves a line with its time, request id, operation and result.
    let token = format!("authorization: Bearer {}", server.token);
    let named = server.exchange("GET", "/api/v1/rag/stats", &[&token, "x-request-id: audit-7"], b"");
    assert_eq!(named.header("x-request-id"), "audit-7");
    let found = (0..100).find_map(|_| {
        std::thread::sleep(Duration::from_millis(20));
        let lines = server.log().into_iter().filter_map(|line| serde_json::from_str::<Value>(&line).ok());
        lines.into_iter().find(|line| line["request_id"] == "audit-7")
    });
    let line = found.expect("a line of the log");
    assert_eq!((&line["operation"], &line["status"]), (&json!("rag.stats"), &json!(200)), "{line}");
    assert!(line["timestamp"].is_string() && line["milliseconds"].is_number(), "{line}");
    for operation in ["query", "ingest", "health"] {
        assert!(server.log().iter().any(|line| line.contains(&format!("\"operation\":\"{operation}\""))));
    }
    let figures = server.send("GET", "/metrics", None).body;
    assert!(figures.contains("sibyl_requests_total{operation=\"query\",status=\"200\"} 6"), "{figures}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_server_listens_where_the_settings_say_and_counts_what_it_does() {
    let sibyl = Sibyl::with_instant_vectors();
    // All of 127 leads to this machine.
    assert_eq!(sibyl.run(&["settings", "server_address", "127.0.0.2"]).code, 0);
    let server = Server::start(&sibyl, &[]);
    assert!(server.address.starts_with("127.0.0.2:"), "{}", server.address);
    for _ in 0..3 {
        let found = server.post("/api/v1/search", &json!({ "query": "transition plan", "mode": "semantic" }));
        assert_eq!(found.status, 200, "{}", found.body);
    }
    let figures = server.send("GET", "/metrics", None).body;
    for line in [
        "sibyl_requests_total{operation=\"search\",status=\"200\"} 3",
        "sibyl_request_seconds_count{operation=\"search\"} 3",
        "sibyl_query_vectors_total{from=\"cache\"} 2",
        "sibyl_query_vectors_total{from=\"model\"} 1",
        "# TYPE sibyl_jobs gauge",
    ] {
        assert!(figures.lines().any(|told| told == line), "{line} in {figures}");
    }
    for (name, label) in [("sibyl_chunks", "source_type=\"sasb\""), ("sibyl_vectors", "model=")] {
        let counted = figures.lines().find(|line| line.starts_with(&format!("{name}{{{label}")));
        let count = counted.and_then(|line| line.rsplit(' ').next()).and_then(|n| n.parse::<u64>().ok());
        assert!(count > Some(0), "{name} in {figures}");
    }
    drop(server);
    let server = Server::start(&sibyl, &["--host", "127.0.0.1"]);
    assert!(server.address.starts_with("127.0.0.1:"), "{}", server.address);
}

#[test]
fn nobody_comes_in_without_a_token_from_elsewhere_or_beyond_what_is_allowed() {
    let sibyl = Sibyl::with_words();
    let server = Server::start(&sibyl, &["--allow", "write", "--allow-origin", "https://tools.example"]);
    let stats = "/api/v1/rag/stats";
    let token = format!("authorization: Bearer {}", server.token);
    let own = format!("origin: http://{}", server.address);
    for (headers, status, code) in [
        (&[][..], 401, "unauthorised"),
        (&["authorization: Bearer sibyl_00"], 401, "unauthorised"),
        (&[token.as_str(), "host: evil.example"], 403, "foreign_host"),
        (&[token.as_str(), "host: localhost.evil.example:80"], 403, "foreign_host"),
        (&[token.as_str(), "origin: http://evil.example"], 403, "foreign_origin"),
        (&[token.as_str(), "origin: null"], 403, "foreign_origin"),
    ] {
        let answer = server.exchange("GET", stats, headers, b"");
        assert_eq!((answer.status, answer.code().as_str()), (status, code), "{headers:?}");
        assert_eq!(answer.header("access-control-allow-origin"), "");
    }
    for headers in [&[token.as_str()][..], &[token.as_str(), &own], &[token.as_str(), "host: localhost"]] {
        assert_eq!(server.exchange("GET", stats, headers, b"").status, 200, "{headers:?}");
    }
    let page = "origin: https://tools.example";
    let asks = server.exchange("OPTIONS", stats, &[page, "access-control-request-method: GET"], b"");
    assert_eq!((asks.status, asks.header("access-control-allow-origin")), (204, "https://tools.example"));
    assert_eq!(server.exchange("GET", stats, &[page, &token], b"").status, 200);

    // The token may spend, but the server does not.
    let spend = server.post("/api/v1/ingest", &json!({ "sources": [] }));
    assert_eq!((spend.status, spend.code().as_str()), (403, "forbidden"));
    assert_eq!(server.post("/api/v1/rag/ingest", &json!({ "corpus": "all" })).status, 403);
    assert_eq!(upload(&server, "/api/v1/uploads?name=a.md", b"# A").status, 403);
    assert_eq!(server.send("DELETE", "/api/v1/corpora/nowhere", None).status, 404, "it may write");
    for path in ["/api/v1/secrets", "/api/v1/library/move", "/api/v1/settings/set"] {
        assert_eq!(server.post(path, &json!({})).status, 404, "{path}");
    }
    let kind = server.exchange("POST", "/api/v1/search", &[&token, "content-type: text/plain"], b"{}");
    assert_eq!(kind.status, 415);
    let broken = server.exchange("POST", "/api/v1/search", &[&token, "content-type: application/json"], b"{");
    assert_eq!((broken.status, broken.code().as_str()), (400, "invalid"));
    assert_eq!(server.send("PATCH", "/api/v1/jobs", None).status, 405);
    assert_eq!(server.send("GET", "/api/v1/documents?limit=few", None).status, 400);

    // A reader's token reads, whatever the server allows.
    let reader = sibyl.run(&["serve", "--new-token", "read"]);
    assert_eq!(reader.code, 0, "{}", reader.err);
    drop(server);
    let mut server = Server::start(&sibyl, &["--allow", "spend", "--rate", "5"]);
    assert_eq!(server.token, "", "it is shown once");
    reader.out.trim().clone_into(&mut server.token);
    assert_eq!(server.post("/api/v1/search", &json!({ "query": "target", "mode": "keyword" })).status, 200);
    assert_eq!(server.send("DELETE", "/api/v1/rag/corpus/sasb", None).status, 403);
    let statuses: Vec<u16> = (0..8).map(|_| server.send("GET", "/api/v1/strategies", None).status).collect();
    assert!(statuses.contains(&429), "{statuses:?}");
}

#[test]
fn no_answer_tells_where_on_the_disk_something_lies() {
    let sibyl = Sibyl::with_words();
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "notes/plan.md", "# Plan\n\nThe quillwort target.\n");
    write(folder.path(), "notes/broken.md", b"\x89PNG\r\n\x1a\n");
    let ingested = sibyl.run(&["ingest", text(folder.path()), "--json"]);
    let job = ingested.json()["job"].as_i64().unwrap();
    let server = Server::start(&sibyl, &["--allow", "spend"]);
    let documents = server.get("/api/v1/documents?words=plan");
    let document = documents[0]["id"].as_i64().unwrap();
    let chunk = server.get(&format!("/api/v1/documents/{document}/chunks"))[0]["row"]["chunk_id"].clone();
    let chunk = chunk.as_str().unwrap();
    let places = [text(folder.path()).to_owned(), text(sibyl.folder()).to_owned()];
    for path in [
        "/api/v1/library".to_owned(),
        "/api/v1/documents".to_owned(),
        format!("/api/v1/documents/{document}"),
        format!("/api/v1/documents/{document}/pages/1?width=100"),
        format!("/api/v1/chunks/{chunk}"),
        format!("/api/v1/chunks/{chunk}/neighbours"),
        "/api/v1/jobs".to_owned(),
        format!("/api/v1/jobs/{job}"),
        format!("/api/v1/jobs/{job}/files"),
        format!("/api/v1/jobs/{job}/events"),
        "/api/v1/settings".to_owned(),
        "/api/v1/models".to_owned(),
        "/api/v1/generators".to_owned(),
        "/api/v1/reviews".to_owned(),
        "/api/v1/rag/status".to_owned(),
        "/health".to_owned(),
        "/metrics".to_owned(),
    ] {
        let answer = server.send("GET", &path, None);
        assert!(answer.status < 500, "{path}: {}", answer.body);
        for place in &places {
            assert!(!answer.body.contains(place), "{path} tells {place}: {}", answer.body);
        }
    }
    let named = json!({ "sources": [{ "kind": "path", "path": text(folder.path()) }] });
    for (path, input) in [
        ("/api/v1/ingest", named.clone()),
        ("/api/v1/ingest/preflight", named),
        ("/api/v1/chunks/preview", json!({ "source": { "kind": "path", "path": "/etc/passwd" } })),
        ("/api/v1/layout", json!({ "source": { "kind": "path", "path": "/etc/passwd" }, "page": 1 })),
    ] {
        let refused = server.post(path, &input);
        assert_eq!((refused.status, refused.code().as_str()), (403, "forbidden"), "{path}: {}", refused.body);
    }
}

/// Names and data of the events in a stream, with their ids.
fn events(body: &str) -> Vec<(String, String, Value)> {
    let event = |block: &str| {
        let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
        Some((field("id: ")?, field("event: ")?, serde_json::from_str(&field("data: ")?).ok()?))
    };
    body.split("\n\n").filter_map(event).collect()
}

#[test]
fn a_stream_is_read_on_where_it_broke() {
    let sibyl = Sibyl::with_words();
    let server = Server::start(&sibyl, &["--allow", "spend"]);
    let token = format!("authorization: Bearer {}", server.token);
    let ask = |last: &str| {
        let last = format!("last-event-id: {last}");
        let mut headers = vec![&*token, "accept: text/event-stream", "content-type: application/json"];
        if last.len() > 15 {
            headers.push(&last);
        }
        server.exchange("POST", "/api/v1/ask", &headers, br#"{"question":"What is a transition plan?"}"#)
    };
    let whole = ask("");
    assert_eq!((whole.status, whole.header("content-type")), (200, "text/event-stream"));
    let all = events(&whole.body);
    assert_eq!((all[0].1.as_str(), &all[0].2["event"]), ("progress", &json!("searching")));
    let (last, name, answer) = all.last().unwrap();
    assert_eq!(name, "answer");
    assert!(answer["answer"].is_string() && last.ends_with(&format!(".{}", all.len())), "{answer}");
    let rest = events(&ask(&all[1].0).body);
    assert_eq!(rest, all[2..], "nothing is asked twice");
    assert_eq!(server.get("/api/v1/answers")["total"], 1);
    assert_eq!(ask("0123.4").status, 404);

    let begun =
        upload(&server, "/api/v1/uploads?name=weir.md&corpus=weirs", b"# Weir\n\nThe quillwort weir.\n");
    assert_eq!(begun.status, 202, "{}", begun.body);
    let id = begun.json()["id"].as_i64().unwrap();
    let told = events(&server.send("GET", &format!("/api/v1/jobs/{id}/events"), None).body);
    let (_, name, job) = told.last().unwrap();
    assert_eq!((name.as_str(), &job["state"]), ("job", &json!("done")), "{job}");
    let follow = |last: &str| {
        let last = format!("last-event-id: {last}");
        events(&server.exchange("GET", &format!("/api/v1/jobs/{id}/events"), &[&token, &last], b"").body)
    };
    assert_eq!(follow(&told[0].0), told[1..]);
    let afresh = follow("0123.4");
    assert_eq!(
        afresh.last().map(|(_, name, job)| (&**name, job)),
        told.last().map(|(_, name, job)| (&**name, job))
    );
    let found = server.post("/api/v1/search", &json!({ "query": "quillwort", "mode": "keyword" }));
    assert_eq!(found.json()["results"][0]["path"], "weir.md");
}

#[test]
fn what_one_caller_changes_the_others_are_told() {
    let sibyl = Sibyl::with_words();
    let mut server = Server::start(&sibyl, &["--allow", "write"]);
    let session = server.get("/api/v1/session");
    assert_eq!((&session["scope"], &session["workspace"]), (&json!("write"), &json!("default")));

    use std::io::{BufRead as _, Write as _};
    let mut connection = server.connect();
    let head = format!(
        "GET /api/v1/events HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\nconnection: close\r\n\r\n",
        server.address, server.token
    );
    connection.write_all(head.as_bytes()).unwrap();
    let mut lines = std::io::BufReader::new(connection).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.is_empty()), "the head of the answer ends, so its events are followed");
    let put = server.post("/api/v1/thesaurus", &json!({ "term": "roadmap", "expansion": "transition plan" }));
    assert_eq!(put.status, 200, "{}", put.body);
    let told = |line: &str| Some(serde_json::from_str::<Value>(line.strip_prefix("data: ")?).unwrap());
    assert!(lines.filter_map(|line| told(&line)).any(|told| told["tags"].to_string().contains("thesaurus")));

    let id = server.id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    server.process().wait().unwrap();
}

#[test]
fn a_stream_that_is_cancelled_does_no_more() {
    let sibyl = Sibyl::with_words();
    let server = Server::start(&sibyl, &["--allow", "spend"]);
    let line = |at: usize| json!({ "id": format!("q{at}"), "query": format!("transition plan {at}"), "relevant": { "S2.14": 3 } });
    let lines: Vec<String> = (0..3_000).map(|at| line(at).to_string()).collect();
    let gold = json!({ "path": "many.jsonl", "text": lines.join("\n") });
    let taken = server.post("/api/v1/gold/import", &gold);
    assert_eq!((taken.status, &taken.json()["set"]["queries"]), (200, &json!(3_000)), "{}", taken.body);
    let told = server.post("/api/v1/gold/import", &json!({ "path": "/etc/passwd" }));
    assert_eq!((told.status, told.code().as_str()), (403, "forbidden"));

    use std::io::{BufRead as _, Read as _, Write as _};
    let mut connection = server.connect();
    let body = json!({ "set": "many", "search": { "mode": "keyword" } }).to_string();
    let head = format!(
        "POST /api/v1/evaluations HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\nconnection: close\r\n\
         accept: text/event-stream\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        server.address,
        server.token,
        body.len()
    );
    connection.write_all(head.as_bytes()).unwrap();
    let mut answer = std::io::BufReader::new(connection);
    let (mut stream, mut line) = (String::new(), String::new());
    while !line.starts_with("event: progress") {
        line.clear();
        assert!(answer.read_line(&mut line).unwrap() > 0, "it ends before it tells anything");
        if let Some(id) = line.strip_prefix("x-stream-id: ") {
            id.trim().clone_into(&mut stream);
        }
    }
    let cancelled = server.send("DELETE", &format!("/api/v1/streams/{stream}"), None);
    assert_eq!(cancelled.status, 200, "{}", cancelled.body);
    let mut rest = String::new();
    answer.read_to_string(&mut rest).unwrap();
    assert!(!rest.contains("event: answer") && !rest.contains("event: error"), "{rest}");
    assert_eq!(server.get("/api/v1/evaluations"), json!([]), "nothing was kept of it");
    assert_eq!(server.send("DELETE", "/api/v1/streams/0123", None).status, 404);
}

#[test]
fn a_browser_gets_the_interface_under_its_policy_and_nothing_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let page = "<!doctype html><style id=\"nonce-carrier\"></style><script type=\"module\" src=\"/assets/a-1.js\"></script>";
    write(folder.path(), "dist/index.html", page);
    write(folder.path(), "dist/assets/a-1.js", "export {};\n");
    write(folder.path(), "secret.js", "secret\n");
    let dist = folder.path().join("dist");
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path().join("secret.js"), dist.join("link.js")).unwrap();
    let sibyl = Sibyl::with_words().env("SIBYL_UI_DIR", text(&dist));
    let server = Server::start(&sibyl, &["--ui"]);
    let get = |path: &str| server.exchange("GET", path, &[], b"");
    let index = get("/");
    let policy = index.header("content-security-policy").to_owned();
    let nonce = policy.split("'nonce-").nth(1).and_then(|rest| rest.split('\'').next()).unwrap().to_owned();
    assert_eq!((index.status, index.header("content-type")), (200, "text/html; charset=utf-8"));
    assert_eq!(index.body.matches(&format!(" nonce=\"{nonce}\"")).count(), 2, "{}", index.body);
    for part in ["default-src 'self'", "connect-src 'self'", "frame-ancestors 'none'", "form-action 'none'"] {
        assert!(policy.contains(part), "{policy}");
    }
    assert!(!policy.contains("unsafe") && !get("/").header("content-security-policy").contains(&nonce));
    assert_eq!(
        (index.header("cache-control"), index.header("x-content-type-options")),
        ("no-store", "nosniff")
    );
    let script = get("/assets/a-1.js");
    assert_eq!((script.status, script.header("content-type")), (200, "text/javascript; charset=utf-8"));
    assert!(script.header("cache-control").contains("immutable"));
    for path in [
        "/../secret.js",
        "/assets/../../secret.js",
        "/%2e%2e/secret.js",
        "/..%2fsecret.js",
        "/link.js",
        "/assets",
        "/assets/",
        "//secret.js",
    ] {
        let answer = get(path);
        assert_eq!(answer.status, 404, "{path}");
        assert!(!answer.body.contains("secret\n"), "{path}");
    }
    assert_eq!(server.exchange("POST", "/", &[], b"").status, 404);
    let host = server.exchange("GET", "/", &["host: evil.example"], b"");
    assert_eq!((host.status, host.code().as_str()), (403, "foreign_host"));
    assert_eq!(get("/api/v1/session").status, 401);
    drop(server);
    assert_eq!(
        Server::start(&sibyl, &[]).exchange("GET", "/", &[], b"").status,
        404,
        "only where it is asked for"
    );

    let empty = tempfile::tempdir().unwrap();
    let unbuilt = sibyl.env("SIBYL_UI_DIR", text(empty.path())).run(&["serve", "--ui", "--port", "0"]);
    assert!(unbuilt.code != 0 && unbuilt.err.contains("npm run build"), "{}", unbuilt.err);
}

#[test]
#[cfg(unix)]
fn a_server_that_ends_or_is_killed_loses_nothing() {
    let sibyl = Sibyl::with_words();
    let mut server = Server::start(&sibyl, &["--allow", "spend"]);
    let text = "# Weir\n\nThe quillwort weir holds.\n\n".repeat(2_000);
    let begun = upload(&server, "/api/v1/uploads?name=weir.md&corpus=weirs", text.as_bytes());
    let id = begun.json()["id"].as_i64().unwrap();
    server.process().kill().unwrap();
    server.process().wait().unwrap();
    let token = server.token.clone();
    let mut server = Server::start(&sibyl, &["--allow", "spend"]);
    server.token = token;
    let job = done(&server, id);
    assert_eq!(job["report"]["failed"], json!([]), "{job}");
    let found = server.post("/api/v1/search", &json!({ "query": "quillwort", "mode": "keyword" }));
    assert!(found.json()["total_results"].as_u64() > Some(0), "{}", found.body);

    let id = server.process().id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    assert_eq!(server.process().wait().unwrap().code(), Some(0));
}

#[test]
fn the_examples_of_the_description_are_answered() {
    let sibyl = Sibyl::with_words();
    // The models of the chat provider are asked of one on this machine.
    let provider = sibyl_loopback::Provider::start(sibyl_loopback::Options::default()).unwrap();
    assert_eq!(sibyl.run(&["settings", "chat_base_url", &provider.url()]).code, 0);
    let server = Server::start(&sibyl, &["--allow", "spend"]);
    let description = server.exchange("GET", "/openapi.json", &[], b"").json();
    assert_eq!(description["openapi"], "3.1.0");
    let exported: Value = serde_json::from_str(&sibyl.run(&["serve", "--openapi"]).out).unwrap();
    assert_eq!(exported, description);
    let mut sent = 0;
    for (path, methods) in description["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let body = &operation["requestBody"]["content"]["application/json"]["example"];
            let mut target = path.clone();
            let mut query = Vec::new();
            let mut whole = body.is_object() || operation["parameters"].as_array().is_none_or(Vec::is_empty);
            for parameter in list(operation, "parameters") {
                let (name, value) = (parameter["name"].as_str().unwrap(), &parameter["example"]);
                if value.is_null() {
                    continue;
                }
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                if parameter["in"] == "path" {
                    target = target.replace(&format!("{{{name}}}"), &value);
                } else {
                    query.push(format!("{name}={value}"));
                }
                whole = true;
            }
            // What never ends is followed elsewhere.
            let streams = operation["responses"]["200"]["content"]["application/json"].is_null()
                && !operation["responses"]["200"]["content"]["text/event-stream"].is_null();
            if streams || !whole || method != "get" && !body.is_object() || target.contains('{') {
                continue;
            }
            if !query.is_empty() {
                target = format!("{target}?{}", query.join("&"));
            }
            let answer = server.send(&method.to_uppercase(), &target, body.is_object().then_some(body));
            assert_eq!(answer.status, 200, "{method} {target}: {}", answer.body);
            sent += 1;
        }
    }
    assert!(sent >= 25, "{sent}");
}
