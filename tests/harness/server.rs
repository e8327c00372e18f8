//! `sibyl serve` as a process, and a client that speaks plain HTTP to it.

use crate::program::Sibyl;
use serde_json::Value;
use std::io::{BufRead as _, BufReader};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A running server. It is killed with it.
pub struct Server {
    child: Child,
    /// Its address, such as `127.0.0.1:41234`.
    pub address: String,
    /// The token that it showed or was given.
    pub token: String,
    log: Arc<Mutex<Vec<String>>>,
}

/// What a server answered.
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    /// Headers, with names in small letters.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: String,
}

impl Answer {
    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    /// The header called `name`, or nothing.
    pub fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    /// The code of its error.
    pub fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or_default().to_owned()
    }
}

impl Server {
    /// Starts `sibyl serve WORDS` on the library of `sibyl`, at a free port.
    pub fn start(sibyl: &Sibyl, words: &[&str]) -> Self {
        let mut command = sibyl.command_of(&[&["serve", "--port", "0"], words].concat());
        let mut child = command.stderr(Stdio::piped()).spawn().expect("the program starts");
        let mut lines = BufReader::new(child.stderr.take().expect("its log is piped")).lines();
        let (mut token, mut address, log) = (String::new(), String::new(), Arc::new(Mutex::new(Vec::new())));
        for line in lines.by_ref().map_while(Result::ok) {
            if let Some((_, shown)) = line.split_once("shown only once: ") {
                token = shown.to_owned();
            }
            log.lock().expect("a log").push(line.clone());
            if let Some((_, place)) =
                line.split_once("is listening on ").and_then(|(_, place)| place.split_once("://"))
            {
                address = place.to_owned();
                break;
            }
        }
        assert!(!address.is_empty(), "the server did not start: {:?}", log.lock());
        let kept = log.clone();
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                kept.lock().expect("a log").push(line);
            }
        });
        Self { child, address, token, log }
    }

    /// Sends a request with the server's token.
    pub fn send(&self, method: &str, path: &str, body: Option<&Value>) -> Answer {
        let token = format!("authorization: Bearer {}", self.token);
        let text = body.map(Value::to_string).unwrap_or_default();
        let kind = if body.is_some() { "content-type: application/json" } else { "accept: */*" };
        self.exchange(method, path, &[&token, kind], text.as_bytes())
    }

    /// Sends bytes with the server's token; `None` if the server goes away before it has answered.
    pub fn attempt(&self, method: &str, path: &str, body: &[u8]) -> Option<Answer> {
        let mut stream = TcpStream::connect(&self.address).ok()?;
        let head = format!(
            "{method} {path} HTTP/1.1\r\nconnection: close\r\nhost: {}\r\nauthorization: Bearer {}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n",
            self.address,
            self.token,
            body.len()
        );
        stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body)).ok()?;
        let mut bytes = Vec::new();
        // What came before the end may be a complete answer.
        let _ = stream.read_to_end(&mut bytes);
        bytes.windows(4).any(|four| four == b"\r\n\r\n").then(|| answer(&bytes))
    }

    /// `GET path`, which must succeed.
    pub fn get(&self, path: &str) -> Value {
        let answer = self.send("GET", path, None);
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        answer.json()
    }

    /// `POST path` with `body`.
    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.send("POST", path, Some(body))
    }

    /// Sends a file, which must be accepted. Returns the id under which it is kept.
    pub fn file(&self, bytes: &[u8]) -> String {
        let token = format!("authorization: Bearer {}", self.token);
        let answer = self.exchange("POST", "/api/v1/files", &[&token], bytes);
        assert_eq!(answer.status, 201, "{}", answer.body);
        answer.json()["file"].as_str().unwrap_or_default().to_owned()
    }

    /// Sends a request unchanged. A header `host` among `headers` replaces the usual one.
    pub fn exchange(&self, method: &str, path: &str, headers: &[&str], body: &[u8]) -> Answer {
        self.exchange_over(self.connect(), method, path, headers, body)
    }

    /// A connection.
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time limit");
        stream
    }

    /// As [`Server::exchange`] over a connection that is there.
    pub fn exchange_over(
        &self,
        mut stream: impl Read + Write,
        method: &str,
        path: &str,
        headers: &[&str],
        body: &[u8],
    ) -> Answer {
        let mut head = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\n");
        if !headers.iter().any(|header| header.starts_with("host:")) {
            head.push_str(&format!("host: {}\r\n", self.address));
        }
        for header in headers {
            head.push_str(&format!("{header}\r\n"));
        }
        head.push_str(&format!("content-length: {}\r\n\r\n", body.len()));
        stream.write_all(head.as_bytes()).expect("a request is sent");
        // A server that refuses may not read all of it.
        let _ = stream.write_all(body);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        answer(&bytes)
    }

    /// Lines of the log so far.
    pub fn log(&self) -> Vec<String> {
        self.log.lock().expect("a log").clone()
    }

    /// The id of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The process.
    pub fn process(&mut self) -> &mut Child {
        &mut self.child
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn answer(bytes: &[u8]) -> Answer {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("an answer has a head");
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut lines = head.lines();
    let status = lines.next().and_then(|line| line.split(' ').nth(1)).and_then(|status| status.parse().ok());
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()))
        .collect();
    let chunked = headers.iter().any(|(name, value)| name == "transfer-encoding" && value == "chunked");
    let body = String::from_utf8_lossy(&bytes[end + 4..]).into_owned();
    let body = if chunked { unchunked(&body) } else { body };
    Answer { status: status.expect("an answer has a status"), headers, body }
}

/// A body received in chunks, each after its length in hex digits.
fn unchunked(mut rest: &str) -> String {
    let mut body = String::new();
    while let Some((length, after)) = rest.split_once("\r\n") {
        let length = usize::from_str_radix(length.trim(), 16).unwrap_or(0);
        if length == 0 {
            break;
        }
        body.push_str(after.get(..length).unwrap_or(after));
        rest = after.get(length + 2..).unwrap_or_default();
    }
    body
}

/// `sibyl mcp` as a process that speaks JSON-RPC, a message a line.
pub struct Mcp {
    child: Child,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
    next: u64,
}

impl Mcp {
    /// Starts `sibyl mcp WORDS` and introduces itself.
    pub fn start(sibyl: &Sibyl, words: &[&str]) -> Self {
        let mut mcp = Self::silent(sibyl, words);
        mcp.introduce("2025-06-18");
        mcp.tell(&serde_json::json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        mcp
    }

    /// What `sibyl mcp` answers to an agent that introduces itself with this version of the protocol.
    pub fn introduced(sibyl: &Sibyl, version: &str) -> Value {
        Self::silent(sibyl, &[]).introduce(version)
    }

    fn introduce(&mut self, version: &str) -> Value {
        let hello = serde_json::json!({
            "protocolVersion": version,
            "capabilities": {},
            "clientInfo": { "name": "doors", "version": "1" },
        });
        self.ask("initialize", hello)
    }

    fn silent(sibyl: &Sibyl, words: &[&str]) -> Self {
        let mut command = sibyl.command_of(&[&["mcp"], words].concat());
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let lines = BufReader::new(child.stdout.take().expect("its output is piped")).lines();
        Self { child, lines, next: 1 }
    }

    /// Sends a message that wants no answer.
    pub fn tell(&mut self, message: &Value) {
        let input = self.child.stdin.as_mut().expect("its input is piped");
        writeln!(input, "{message}").expect("the program reads");
    }

    /// Sends a request and returns its complete answer, after any progress reports.
    pub fn exchange(&mut self, method: &str, params: Value) -> (Value, Vec<Value>) {
        let id = self.next;
        self.next += 1;
        let request = serde_json::json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.tell(&request);
        let mut told = Vec::new();
        loop {
            let line = self.lines.next().expect("an answer").expect("a line");
            let message: Value = serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line}"));
            if message["id"] == id {
                return (message, told);
            }
            told.push(message);
        }
    }

    /// Sends a line unchanged.
    pub fn raw(&mut self, line: &[u8]) {
        let input = self.child.stdin.as_mut().expect("its input is piped");
        input.write_all(&[line, b"\n"].concat()).expect("the program reads");
    }

    /// Sends a line unchanged, and returns the next message.
    pub fn line(&mut self, line: &[u8]) -> Value {
        self.raw(line);
        let line = self.lines.next().expect("an answer").expect("a line");
        serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line}"))
    }

    /// Closes the program's input, as an agent does when it ends.
    pub fn close(&mut self) {
        drop(self.child.stdin.take());
    }

    /// The result of a request, which must succeed.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let (answer, _) = self.exchange(method, params);
        assert!(answer["error"].is_null(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// The result of a tool.
    pub fn tool(&mut self, name: &str, arguments: Value) -> Value {
        self.ask("tools/call", serde_json::json!({ "name": name, "arguments": arguments }))
    }
}

impl Drop for Mcp {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
