//! A server's limits for a caller: time, bytes, connections, tokens.

use serde_json::{Value, json};
use sibyl_tests::program::Sibyl;
use sibyl_tests::server::{Mcp, Server};
use std::io::{Read as _, Write as _};
use std::time::{Duration, Instant};

/// Sends `parts`, a second apart, and returns the answer and its time.
fn told(server: &Server, parts: Vec<Vec<u8>>) -> (String, Duration) {
    let mut connection = server.connect();
    let began = Instant::now();
    let mut writing = connection.try_clone().unwrap();
    std::thread::spawn(move || {
        for part in parts {
            // The server stops reading from a caller that is too slow.
            if writing.write_all(&part).is_err() {
                return;
            }
            std::thread::sleep(Duration::from_secs(1));
        }
        std::thread::sleep(Duration::from_secs(60));
    });
    let mut answer = Vec::new();
    // The connection ends, in whichever way.
    let _ = connection.read_to_end(&mut answer);
    (String::from_utf8_lossy(&answer).into_owned(), began.elapsed())
}

#[test]
fn requests_that_do_not_come_whole_end_with_their_status_after_15_seconds() {
    let sibyl = Sibyl::with_words();
    let server = Server::start(&sibyl, &["--allow", "spend"]);
    let head = |path: &str, length: usize| {
        format!(
            "POST {path} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\n\
             accept: application/json, text/event-stream\r\ncontent-length: {length}\r\n\r\n",
            server.address, server.token
        )
        .into_bytes()
    };
    let half = b"GET /health HTTP/1.1\r\nhost: a".to_vec();
    let letters = |head: Vec<u8>| -> Vec<Vec<u8>> {
        std::iter::once(head).chain((0..40).map(|_| b"x-a: b\r\n".to_vec())).collect()
    };
    let cases = [
        ("half a head", vec![half.clone()]),
        ("a head that drips", letters(b"GET /health HTTP/1.1\r\n".to_vec())),
        ("half a body", vec![head("/api/v1/search", 100), b"{\"query\"".to_vec()]),
        ("a body that drips", letters(head("/api/v1/search", 1_000))),
        ("a file that stops", vec![head("/api/v1/files", 1_000_000), vec![b'a'; 100_000]]),
        ("a message that stops", vec![head("/mcp", 100), b"{".to_vec()]),
    ];
    std::thread::scope(|scope| {
        for (what, parts) in cases {
            let server = &server;
            scope.spawn(move || {
                let (answer, after) = told(server, parts);
                assert!(answer.starts_with("HTTP/1.1 408 "), "{what}: {answer}");
                assert!(
                    answer.contains("\"code\":\"request_timeout\"") && answer.contains("15 s"),
                    "{answer}"
                );
                assert!(
                    after >= Duration::from_secs(14) && after < Duration::from_secs(120),
                    "{what}: {after:?}"
                );
            });
        }
        scope.spawn(|| {
            let (answer, _) = told(&server, Vec::new());
            assert_eq!(answer, "", "who says nothing is told nothing");
        });
    });
    assert_eq!(server.exchange("GET", "/health", &[], b"").status, 200);
}

#[test]
fn heads_have_a_size_and_one_host() {
    let sibyl = Sibyl::with_words();
    let server = Server::start(&sibyl, &[]);
    let token = format!("authorization: Bearer {}", server.token);
    let long = "a".repeat(9_000);
    let header = format!("x-long: {}", "a".repeat(20_000));
    let huge = format!("x-long: {}", "a".repeat(200_000));
    let own = format!("host: {}", server.address);
    for (path, headers, status, code) in [
        (format!("/api/v1/documents?words={long}"), vec![&*token], 414, "address_too_long"),
        ("/health".to_owned(), vec![&*header], 431, "headers_too_large"),
        ("/health".to_owned(), vec![&*huge], 431, ""),
        ("/health".to_owned(), vec![&*own, &*own], 400, "invalid"),
        ("/health".to_owned(), vec![&*own, "host: evil.example"], 400, "invalid"),
    ] {
        let answer = server.exchange("GET", &path, &headers, b"");
        assert_eq!(answer.status, status, "{}", answer.body);
        if !code.is_empty() {
            assert_eq!(answer.code(), code, "{}", answer.body);
        }
    }
}

#[test]
fn a_refusal_is_read_by_whoever_is_still_sending() {
    let sibyl = Sibyl::with_words();
    let server = Server::start(&sibyl, &["--allow", "write"]);
    let reader = sibyl.run(&["serve", "--new-token", "read"]).out;
    let [own, reader] = [&server.token, reader.trim()].map(|token| format!("authorization: Bearer {token}"));
    let body = vec![b'a'; 64 << 20];
    let json = "content-type: application/json";
    for (path, headers, status) in [
        ("/api/v1/files", vec![], 401),
        ("/api/v1/files", vec![&*own, "host: evil.example"], 403),
        ("/api/v1/files", vec![&*reader], 403),
        ("/api/v1/uploads?name=a.md", vec![&*own], 403),
        ("/api/v1/uploads", vec![&*own], 400),
        ("/api/v1/search", vec![&*own, json], 413),
        ("/api/v1/gold/import", vec![&*own, json], 413),
        ("/mcp", vec![&*own, json, "accept: application/json, text/event-stream"], 413),
        ("/nowhere", vec![&*own], 404),
        ("/api/v1/jobs", vec![&*own], 405),
    ] {
        let answer = server.exchange("POST", path, &headers, &body);
        assert_eq!(answer.status, status, "{path}: {}", answer.body);
        assert_eq!(answer.header("connection"), "close", "{path}");
    }
    let sent = json!({ "query": "a ".repeat(600_000) });
    let refused = server.post("/api/v1/search", &sent);
    assert_eq!((refused.status, refused.code().as_str()), (413, "too_large"));
    assert!(refused.body.contains("1 MB"), "{}", refused.body);
    let source = json!({ "kind": "text", "name": "a.md", "text": "Words. ".repeat(300_000) });
    assert_eq!(
        server.post("/api/v1/chunks/preview", &json!({ "source": source })).status,
        200,
        "2 MB of a file"
    );
}

#[test]
fn a_token_counts_from_the_moment_it_is_made_until_it_is_taken_away() {
    let sibyl = Sibyl::with_words();
    let server = Server::start(&sibyl, &["--allow", "write"]);
    let file = sibyl.folder().join("server-tokens");
    let before = std::fs::read_to_string(&file).unwrap();
    let made = sibyl.run(&["serve", "--new-token", "read"]);
    assert_eq!(made.code, 0, "{}", made.err);
    let made = format!("authorization: Bearer {}", made.out.trim());
    let session = server.exchange("GET", "/api/v1/session", &[&made], b"");
    assert_eq!((session.status, &session.json()["scope"]), (200, &json!("read")), "{}", session.body);
    let refused = server.exchange("POST", "/api/v1/files", &[&made], b"# A file\n");
    assert_eq!((refused.status, refused.code().as_str()), (403, "forbidden"), "a reader sends no files");
    assert!(refused.body.contains("`write`"), "{}", refused.body);
    std::fs::write(&file, before).unwrap();
    assert_eq!(server.exchange("GET", "/api/v1/session", &[&made], b"").status, 401);
    assert_eq!(server.send("GET", "/api/v1/session", None).status, 200, "the first one stays");
}

#[test]
fn one_address_has_so_many_connections() {
    let sibyl = Sibyl::with_words();
    let server = Server::start(&sibyl, &["--rate", "100000"]);
    let most = 512;
    let head = format!(
        "GET /api/v1/events HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\n\r\n",
        server.address, server.token
    );
    // Each follows what happens, so that none is closed for saying nothing.
    let follow = |_| {
        let mut connection = server.connect();
        connection.write_all(head.as_bytes()).unwrap();
        let mut status = [0; 12];
        connection.read_exact(&mut status).unwrap();
        assert_eq!(&status, b"HTTP/1.1 200");
        connection
    };
    let open: Vec<_> = (0..most).map(follow).collect();
    let mut one_more = server.connect();
    let mut answer = String::new();
    one_more.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 429 ") && answer.contains("too_many_requests"), "{answer}");
    drop(open);
    let began = Instant::now();
    while server.exchange("GET", "/health", &[], b"").status != 200 {
        assert!(began.elapsed() < Duration::from_secs(60), "what is closed makes no room");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_query_that_is_longer_than_is_searched_for_is_answered_and_says_so_at_every_door() {
    let sibyl = Sibyl::with_instant_vectors();
    let words: Vec<String> = (0..16_000).map(|n| format!("zord{n}")).collect();
    let long = format!("{} transition plan", words.join(" "));
    let signs = format!("{} transition plan", "(".repeat(50_000));
    let server = Server::start(&sibyl, &[]);
    let mut mcp = Mcp::start(&sibyl, &[]);
    let cut = |notices: &Value| {
        let all = notices.as_array().into_iter().flatten();
        all.filter(|notice| notice["cause"] == "query_cut" || notice.is_string())
            .any(|notice| notice.to_string().contains("8000 characters"))
    };
    for query in [&long, &signs] {
        for mode in ["semantic", "hybrid"] {
            let found = server.post("/api/v1/search", &json!({ "query": query, "mode": mode }));
            assert_eq!(found.status, 200, "{}", found.body);
            assert!(cut(&found.json()["trace"]["notices"]), "{mode}: {}", found.json()["trace"]["notices"]);
            let documented = server.post("/api/v1/rag/search", &json!({ "query": query, "mode": mode }));
            assert_eq!(documented.status, 200, "{}", documented.body);
        }
        let found = mcp.tool("search_laws", json!({ "query": query }));
        assert!(cut(&found["structuredContent"]["notices"]), "{}", found["structuredContent"]["notices"]);
        let looked_up = mcp.tool("rag_lookup", json!({ "query": query }));
        assert!(cut(&looked_up["structuredContent"]["notices"]), "{looked_up}");
        let refused = server.post("/api/v1/ask", &json!({ "question": query }));
        assert_eq!((refused.status, refused.code().as_str()), (400, "invalid"));
        assert!(refused.body.contains("10000 characters"), "{}", refused.body);
    }
    let found = server.post("/api/v1/search", &json!({ "query": long, "mode": "keyword" })).json();
    assert_eq!(found["trace"]["notices"], json!([]), "unknown words leave the known ones room: {found}");
    assert!(found["total_results"].as_u64() > Some(0));
    let short = &long[..30_000];
    let shown = sibyl.run(&["search", short, "--mode", "semantic"]);
    assert!(format!("{}{}", shown.out, shown.err).contains("8000 characters"), "{}{}", shown.out, shown.err);
    let structured = json!({ "query": "(".repeat(50_000), "mode": "keyword", "structured": true });
    let refused = server.post("/api/v1/search", &structured);
    assert_eq!((refused.status, refused.code().as_str()), (400, "query_syntax"), "{}", refused.body);
    let longest = server.post("/api/v1/search", &json!({ "query": "a".repeat(200_001), "mode": "keyword" }));
    assert_eq!(longest.status, 400);
    assert!(longest.body.contains("200000 characters"), "{}", longest.body);
}
