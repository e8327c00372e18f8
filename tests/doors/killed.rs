//! A server that is killed during its work: what was sent completely is finished, and what was not leaves nothing.

use crate::server::done;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use sibyl_tests::program::Sibyl;
use sibyl_tests::server::Server;
use std::io::{Read as _, Write as _};
use std::time::{Duration, Instant};

/// Files of an ingest, and the paragraphs of each: enough that it can be met at work.
const FILES: usize = 40;
const PARAGRAPHS: usize = 400;

/// Kills the server as the system would, and starts it again on the same library.
fn killed(sibyl: &Sibyl, mut server: Server) -> Server {
    server.process().kill().unwrap();
    server.process().wait().unwrap();
    let token = server.token.clone();
    drop(server);
    let mut again = Server::start(sibyl, &["--allow", "spend"]);
    again.token = token;
    again
}

/// Files of uploads in the data folder, by name.
fn spooled(sibyl: &Sibyl) -> Vec<String> {
    let mut names = Vec::new();
    for owner in std::fs::read_dir(sibyl.folder().join("uploads")).into_iter().flatten().flatten() {
        let files = std::fs::read_dir(owner.path()).into_iter().flatten().flatten();
        names.extend(files.map(|file| file.file_name().into_string().unwrap()));
    }
    names
}

#[test]
fn in_the_middle_of_an_upload() {
    let sibyl = Sibyl::with_words();
    let server = Server::start(&sibyl, &["--allow", "spend"]);
    let jobs = server.get("/api/v1/jobs");
    let text = "# Weir\n\nThe quillwort weir holds.\n\n".repeat(20_000);
    let half = text.len() / 2;
    let head = format!(
        "POST /api/v1/uploads?name=weir.md&corpus=weirs HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\n\
         content-length: {}\r\n\r\n",
        server.address,
        server.token,
        text.len()
    );
    let mut connection = server.connect();
    connection.write_all(head.as_bytes()).unwrap();
    connection.write_all(&text.as_bytes()[..half]).unwrap();
    connection.flush().unwrap();
    let begun = Instant::now();
    while !spooled(&sibyl).iter().any(|name| name.ends_with(".part")) {
        assert!(begun.elapsed() < Duration::from_secs(60), "nothing of it reaches the disk");
        std::thread::sleep(Duration::from_millis(5));
    }
    let server = killed(&sibyl, server);
    let mut answer = Vec::new();
    // The connection is closed or reset; either way there is no answer.
    let _ = connection.read_to_end(&mut answer);
    assert!(answer.is_empty(), "{}", String::from_utf8_lossy(&answer));
    assert_eq!(
        (spooled(&sibyl), server.get("/api/v1/jobs")),
        (Vec::new(), jobs),
        "half a file leaves nothing"
    );

    let token = format!("authorization: Bearer {}", server.token);
    let path = "/api/v1/uploads?name=weir.md&corpus=weirs";
    let whole = server.exchange("POST", path, &[&token], text.as_bytes());
    assert_eq!(whole.status, 202, "{}", whole.body);
    let job = done(&server, whole.json()["id"].as_i64().unwrap());
    assert_eq!(job["report"]["failed"], json!([]), "{job}");
    assert_eq!(spooled(&sibyl), Vec::<String>::new(), "the job has it");
}

#[test]
fn between_an_upload_and_its_import() {
    let sibyl = Sibyl::with_words();
    let server = Server::start(&sibyl, &["--allow", "spend"]);
    let file = server.file(b"# Weir\n\nThe quillwort weir holds.\n");
    assert_eq!(spooled(&sibyl), [file.as_str()]);
    let server = killed(&sibyl, server);
    assert_eq!(spooled(&sibyl), Vec::<String>::new(), "nobody can name it any more");
    let sources = json!([{ "kind": "upload", "name": "weir.md", "file": file }]);
    let refused = server.post("/api/v1/ingest", &json!({ "sources": sources }));
    assert_eq!((refused.status, refused.code().as_str()), (404, "not_found"), "{}", refused.body);
    assert!(refused.body.contains("send the file again"), "{}", refused.body);
}

#[test]
fn in_the_middle_of_an_ingest() {
    let sibyl = Sibyl::with_words();
    let server = Server::start(&sibyl, &["--allow", "spend"]);
    let file = |number: usize| {
        let text = format!("The quillwort weir number {number} holds.\n\n").repeat(PARAGRAPHS);
        let bytes = STANDARD.encode(format!("# Weir {number}\n\n{text}"));
        json!({ "kind": "upload", "name": format!("weir-{number:02}.md"), "bytes": bytes })
    };
    let sources: Vec<Value> = (0..FILES).map(file).collect();
    let begun = server.post("/api/v1/ingest", &json!({ "corpus": "weirs", "sources": sources }));
    assert_eq!(begun.status, 200, "{}", begun.body);
    let id = begun.json()["id"].as_i64().unwrap();
    let through = |server: &Server| {
        server.get(&format!("/api/v1/jobs/{id}/files?states=done")).as_array().unwrap().len()
    };
    let started = Instant::now();
    let mut before = through(&server);
    while before == 0 {
        assert!(started.elapsed() < Duration::from_secs(60), "no file comes through");
        before = through(&server);
    }
    assert!(before < FILES, "it ended before it could be killed");

    let server = killed(&sibyl, server);
    let job = done(&server, id);
    assert_eq!(job["report"]["failed"], json!([]), "{job}");
    let documents = server.get("/api/v1/documents?corpus=weirs");
    let mut paths: Vec<&str> =
        documents.as_array().unwrap().iter().filter_map(|row| row["path"].as_str()).collect();
    paths.sort_unstable();
    let expected: Vec<String> = (0..FILES).map(|number| format!("weir-{number:02}.md")).collect();
    assert_eq!(paths, expected, "each file is there once");
    let chunks = |row: &Value| row["chunks"].as_u64().unwrap();
    let counts: Vec<u64> = documents.as_array().unwrap().iter().map(chunks).collect();
    assert!(counts.iter().all(|&count| count > 0 && count.abs_diff(counts[0]) <= 1), "{counts:?}");
    let health = sibyl.json(&["doctor"]);
    assert_eq!(health["healthy"], true, "{health}");
}
