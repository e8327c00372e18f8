//! Callers that leave: what a chat model writes for nobody is stopped, and what all wait for is done once.

use serde_json::{Value, json};
use sibyl_loopback::{Behaviour, Options, Provider};
use sibyl_tests::program::Sibyl;
use sibyl_tests::server::{Mcp, Server};
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

const QUESTION: &str = "What must a transition plan disclose?";

/// A library whose answers a chat model writes that says a little and then hangs.
fn hanging() -> (Sibyl, Provider) {
    let provider = Provider::start(Options::default()).unwrap();
    provider.always(Behaviour::SayThenHang("A transition plan [Citation 1] says".to_owned()));
    let sibyl = Sibyl::with_words();
    for (name, value) in [("chat_base_url", provider.url().as_str()), ("answer_generator", "chat")] {
        let set = sibyl.run(&["settings", name, value]);
        assert_eq!(set.code, 0, "{}", set.err);
    }
    (sibyl, provider)
}

/// Waits until the model is writing for `count` callers.
fn writing(provider: &Provider, count: usize) {
    until("the chat model is asked", || {
        provider.requests().iter().filter(|request| request.path.ends_with("/chat/completions")).count()
            >= count
    });
}

/// Waits until `count` callers have left the model.
fn left(provider: &Provider, count: usize) {
    until("the chat model is left", || provider.abandoned() >= count);
}

fn until(what: &str, fact: impl Fn() -> bool) {
    let began = Instant::now();
    while !fact() {
        assert!(began.elapsed() < Duration::from_secs(120), "{what}: it is not");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn post(server: &Server, path: &str, headers: &[&str], body: &Value) -> TcpStream {
    let body = body.to_string();
    let mut head = format!(
        "POST {path} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n",
        server.address,
        server.token,
        body.len()
    );
    headers.iter().for_each(|header| head.push_str(&format!("{header}\r\n")));
    let mut connection = server.connect();
    connection.write_all(format!("{head}\r\n{body}").as_bytes()).unwrap();
    connection
}

#[test]
fn a_connection_or_a_stream_that_is_closed_stops_the_chat_model() {
    let (sibyl, provider) = hanging();
    let server = Server::start(&sibyl, &[]);
    let question = json!({ "question": QUESTION });
    for (at, (path, body)) in
        [("/api/v1/ask", question.clone()), ("/query", json!({ "query": QUESTION }))].into_iter().enumerate()
    {
        let connection = post(&server, path, &[], &body);
        writing(&provider, at + 1);
        assert_eq!(provider.abandoned(), at, "as long as somebody waits it goes on");
        drop(connection);
        left(&provider, at + 1);
    }
    // Of two streams that break, the first one's caller comes back. Once the second is stopped, which broke
    // later, the first would be, too.
    let stream = |last: Option<&str>| {
        let last = last.map(|last| format!("last-event-id: {last}"));
        let headers: Vec<&str> = ["accept: text/event-stream"].into_iter().chain(last.as_deref()).collect();
        BufReader::new(post(&server, "/api/v1/ask", &headers, &question)).lines().map(Result::unwrap)
    };
    let id = |line: String| line.strip_prefix("id: ").map(str::to_owned);
    let mut first = stream(None);
    let last = first.find_map(id).unwrap();
    writing(&provider, 3);
    drop(first);
    let mut again = stream(Some(&last));
    assert!(again.next().unwrap().contains("200"), "it is still running");
    let second = stream(None);
    writing(&provider, 4);
    drop(second);
    left(&provider, 3);
    assert_eq!(provider.abandoned(), 3, "the caller who came back is still answered");
    drop(again);
    left(&provider, 4);
    until("each is in the log", || server.get("/api/v1/answers")["total"] == 4);
    let newest = server.get("/api/v1/answers")["entries"][0]["id"].clone();
    let kept = server.get(&format!("/api/v1/answers/{newest}"));
    assert!(kept["answer"].to_string().contains("A transition plan"), "what had arrived is kept: {kept}");
}

#[test]
fn an_agent_that_is_gone_stops_the_chat_model() {
    let (sibyl, provider) = hanging();
    let call = json!({ "name": "ask", "arguments": { "question": QUESTION } });
    let message = |id: u64, method: &str, params: Value| json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
    let mut mcp = Mcp::start(&sibyl, &[]);
    mcp.tell(&message(7, "tools/call", call.clone()));
    writing(&provider, 1);
    mcp.close();
    left(&provider, 1);

    let server = Server::start(&sibyl, &[]);
    let usual = ["accept: application/json, text/event-stream"];
    let hello = json!({
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "doors", "version": "1" },
    });
    let token = format!("authorization: Bearer {}", server.token);
    let json = "content-type: application/json";
    let begun = message(1, "initialize", hello).to_string();
    let begun = server.exchange("POST", "/mcp", &[usual[0], json, &token], begun.as_bytes());
    let session = format!("mcp-session-id: {}", begun.header("mcp-session-id"));
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string();
    server.exchange("POST", "/mcp", &[usual[0], json, &token, &session], ready.as_bytes());
    let asked = post(&server, "/mcp", &[usual[0], &session], &message(2, "tools/call", call));
    writing(&provider, 2);
    assert_eq!(provider.abandoned(), 1);
    drop(asked);
    left(&provider, 2);
}

#[test]
fn what_scores_are_worth_is_measured_once_for_all_who_ask_first() {
    let sibyl = Sibyl::with_instant_vectors();
    let server = Server::start(&sibyl, &["--rate", "100"]);
    std::thread::scope(|scope| {
        for at in 0..24 {
            let server = &server;
            scope.spawn(move || {
                let question = json!({ "question": format!("{QUESTION} {at}") });
                let answer = server.post("/api/v1/ask", &question);
                assert_eq!(answer.status, 200, "{}", answer.body);
            });
        }
    });
    let figures = server.send("GET", "/metrics", None).body;
    let searches: u64 = figures
        .lines()
        .filter(|line| line.starts_with("sibyl_query_vectors_total{"))
        .filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok())
        .sum();
    assert_eq!(searches, 90 + 24, "questions without an answer are searched for once");
}
