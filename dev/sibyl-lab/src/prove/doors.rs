//! Random and mutated requests through HTTP, MCP and the files that they carry.

use super::{Proof, Tried};
use crate::fuzz::mutate;
use crate::random::Random;
use serde_json::{Value, json};
use sibyl_tests::operation::{Operation, operations};
use sibyl_tests::program::Sibyl;
use sibyl_tests::server::{Mcp, Server};
use std::io::{Read as _, Write as _};
use std::net::Shutdown;

pub(super) const PROOF: Proof = Proof {
    name: "doors",
    claim: "No request, whatever its bytes, makes a door fail, hang or end.",
    count: 20_000,
    run,
};

/// Number of cases between two checks that everything is still there.
const LOOK: u64 = 200;

const GOLD: &str = r#"{"id":"q1","query":"transition plan","relevant":{"S2.14":3,"S2.14(a)(iv)":2}}
{"id":"q2","query":"board oversight","type":"fact","answerable":true,"relevant":["S2.6"]}
{"id":"q3","query":"pasta","answerable":false}
"#;
const RUN: &str = "q1 Q0 S2.14 1 7.5 bm25\nq1 Q0 S2.6 2 7.25 bm25\nq2 Q0 S2.6 1 1e-3 bm25\n";
const LINKS: [&str; 8] = [
    "sibyl://standards/S2.14(a)(iv)",
    "sibyl://standards/EM-EP-110a.1",
    "sibyl://documents/1",
    "sibyl://documents/1/pages/1",
    "sibyl://documents/-1",
    "sibyl://documents/99999999999999999999",
    "sibyl://",
    "sibyl://standards/%00%ff",
];

struct Doors {
    sibyl: Sibyl,
    server: Server,
    mcp: Mcp,
    operations: Vec<Operation>,
    types: serde_json::Map<String, Value>,
    session: String,
}

impl Doors {
    fn open() -> Self {
        let sibyl = Sibyl::with_words();
        let server = Server::start(&sibyl, &["--allow", "spend", "--rate", "1000000"]);
        let mcp = Mcp::start(&sibyl, &[]);
        let (operations, types) = operations(&server);
        let mut doors = Self { sibyl, server, mcp, operations, types, session: String::new() };
        doors.introduce();
        doors
    }

    fn introduce(&mut self) {
        let hello = json!({
            "jsonrpc": "2.0", "id": 1, "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18", "capabilities": {},
                "clientInfo": { "name": "prove", "version": "1" },
            },
        });
        let begun = self.message(&hello.to_string().into_bytes());
        self.session = begun.0;
        self.message(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    }

    fn token(&self) -> String {
        format!("authorization: Bearer {}", self.server.token)
    }

    /// Sends a message to the door for agents; the session it names and the status.
    fn message(&self, bytes: &[u8]) -> (String, u16) {
        let (token, session) = (self.token(), format!("mcp-session-id: {}", self.session));
        let mut headers =
            vec![&*token, "accept: application/json, text/event-stream", "content-type: application/json"];
        if !self.session.is_empty() {
            headers.push(&session);
        }
        let answer = self.server.exchange("POST", "/mcp", &headers, bytes);
        (answer.header("mcp-session-id").to_owned(), answer.status)
    }

    /// A request as bytes: of an operation with an input that fits, or nearly.
    fn request(&self, random: &mut Random) -> (String, Vec<u8>) {
        let operation = random.pick(&self.operations);
        let input = operation.fit(&self.types, random.next());
        let (target, body) = operation.request(&input);
        (
            format!("{} {target}", operation.method),
            body.map(|body| body.to_string().into_bytes()).unwrap_or_default(),
        )
    }
}

/// Changes `bytes` in up to `most` places.
fn changed(mut bytes: Vec<u8>, random: &mut Random, most: usize) -> Vec<u8> {
    for _ in 0..random.below(most + 1) {
        mutate(&mut bytes, random);
    }
    bytes
}

fn run(count: u64, first: u64) -> Tried {
    let mut doors = Doors::open();
    let mut tried = Tried::default();
    for seed in first..first + count {
        let mut random = Random::new(seed);
        let (kind, fault) = match random.below(6) {
            0 => ("request", body(&doors, &mut random)),
            1 => ("bytes in place of a request", bytes(&doors, &mut random)),
            2 => ("message over HTTP", message(&doors, &mut random)),
            3 => ("line on standard input", line(&mut doors, &mut random)),
            4 => ("gold or run file", file(&doors, &mut random)),
            _ => ("link", link(&mut doors, &mut random)),
        };
        tried.count(kind);
        tried.faults.extend(fault.map(|fault| format!("seed {seed}, {kind}: {fault}")));
        if seed % LOOK == 0 || seed + 1 == first + count {
            tried.faults.extend(look(&mut doors).map(|fault| format!("after seed {seed}: {fault}")));
        }
    }
    tried
}

/// Whether the server and the program for agents are there, and whether something panicked.
fn look(doors: &mut Doors) -> Option<String> {
    if doors.server.process().try_wait().is_ok_and(|ended| ended.is_some()) {
        let end = doors.server.log().into_iter().rev().take(5).collect::<Vec<_>>().join("\n");
        doors.server = Server::start(&doors.sibyl, &["--allow", "spend", "--rate", "1000000"]);
        return Some(format!("the server has ended: {end}"));
    }
    let well = doors.server.exchange("GET", "/health", &[], b"").status;
    if well != 200 {
        return Some(format!("the server answers {well} to /health"));
    }
    doors.mcp.ask("ping", json!({}));
    doors.server.log().into_iter().find(|line| line.contains("panicked"))
}

/// An answer that a door may not give.
fn failed(status: u16, told: &str) -> Option<String> {
    (status == 500).then(|| format!("500 {}", told.chars().take(300).collect::<String>()))
}

/// A request with a body that is changed.
fn body(doors: &Doors, random: &mut Random) -> Option<String> {
    let (line, body) = doors.request(random);
    let body = changed(body, random, 4);
    let (method, target) = line.split_once(' ').unwrap_or_default();
    let token = doors.token();
    let headers = [&*token, "content-type: application/json"];
    let answer = doors.server.exchange(method, target, &headers, &body);
    failed(answer.status, &answer.body).map(|fault| format!("{line}: {fault}"))
}

/// A request of which any byte may be changed. What is answered, if anything, is an answer.
fn bytes(doors: &Doors, random: &mut Random) -> Option<String> {
    let (line, body) = doors.request(random);
    let head = format!(
        "{line} HTTP/1.1\r\nhost: {}\r\n{}\r\nconnection: close\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n",
        doors.server.address,
        doors.token(),
        body.len()
    );
    let sent = changed([head.into_bytes(), body].concat(), random, 8);
    let mut connection = doors.server.connect();
    // The server may refuse before everything has arrived.
    let _ = connection.write_all(&sent).and_then(|()| connection.shutdown(Shutdown::Write));
    let mut told = Vec::new();
    if let Err(error) = connection.read_to_end(&mut told)
        && error.kind() == std::io::ErrorKind::WouldBlock
    {
        return Some(format!("no answer to {:?}", String::from_utf8_lossy(&sent)));
    }
    let told = String::from_utf8_lossy(&told);
    let status =
        told.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3)).and_then(|word| word.parse().ok());
    match status {
        _ if told.is_empty() => None,
        Some(status) => {
            failed(status, &told).map(|fault| format!("{}: {fault}", String::from_utf8_lossy(&sent)))
        }
        None => Some(format!("not an answer: {told}")),
    }
}

/// A message that is almost one of MCP.
fn call(random: &mut Random) -> Vec<u8> {
    let arguments = [
        json!({ "query": "transition plan", "top_k": 3, "source_types": ["ifrs_s2"] }),
        json!({ "query": "board", "limit": 2, "max_tokens": 300 }),
        json!({ "id": "S2.14(a)(iv)" }),
        json!({ "question": "What is a transition plan?" }),
        json!({ "uri": "sibyl://standards/S2.14" }),
        json!({}),
    ];
    let arguments = random.pick(&arguments);
    let tools = ["rag_lookup", "search_laws", "search_company_files", "get_paragraph", "list_reports", "ask"];
    let methods = [
        "tools/call",
        "tools/call",
        "tools/call",
        "tools/list",
        "resources/read",
        "resources/list",
        "prompts/get",
        "completion/complete",
        "ping",
        "logging/setLevel",
        "notifications/cancelled",
    ];
    let method = *random.pick(&methods);
    let params = match method {
        "tools/call" | "prompts/get" => json!({ "name": *random.pick(&tools), "arguments": arguments }),
        _ => arguments.clone(),
    };
    let message = json!({ "jsonrpc": "2.0", "id": "p", "method": method, "params": params });
    changed(message.to_string().into_bytes(), random, 3)
}

fn message(doors: &Doors, random: &mut Random) -> Option<String> {
    let bytes = call(random);
    let (_, status) = doors.message(&bytes);
    failed(status, &String::from_utf8_lossy(&bytes))
}

/// A line, and a question after it, which must be answered.
fn line(doors: &mut Doors, random: &mut Random) -> Option<String> {
    let mut bytes = call(random);
    // Two lines are two messages.
    bytes.retain(|byte| *byte != b'\n');
    doors.mcp.raw(&bytes);
    doors.mcp.ask("ping", json!({}));
    None
}

fn file(doors: &Doors, random: &mut Random) -> Option<String> {
    let gold = random.below(2) == 0;
    let seed = if gold { GOLD } else { RUN };
    let text = String::from_utf8_lossy(&changed(seed.as_bytes().to_vec(), random, 6)).into_owned();
    let names = ["gold.jsonl", "qrels.txt", "judged.csv", "gold"];
    let (path, input) = if gold {
        let path = *random.pick(&names);
        ("/api/v1/gold/import", json!({ "path": path, "text": text, "name": "proved" }))
    } else {
        ("/api/v1/evaluations/import", json!({ "path": "bm25.run", "text": text, "set": "proved" }))
    };
    let answer = doors.server.post(path, &input);
    failed(answer.status, &answer.body).map(|fault| format!("{text:?}: {fault}"))
}

fn link(doors: &mut Doors, random: &mut Random) -> Option<String> {
    let link = *random.pick(&LINKS);
    let link = String::from_utf8_lossy(&changed(link.as_bytes().to_vec(), random, 3)).into_owned();
    let (answer, _) = doors.mcp.exchange("resources/read", json!({ "uri": link }));
    let told = answer["result"].is_object() || answer["error"].is_object();
    let inner = answer["error"]["code"] == -32_603;
    (!told || inner).then(|| format!("{link}: {answer}"))
}
