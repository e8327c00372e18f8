//! What callers send to a server: requests of HTTP over a socket, and messages of MCP.

use super::Target;
use serde_json::{Value, json};
use sibyl_api::Scope;
use sibyl_server::{Options, Tokens, mcp_between, serve};
use sibyl_tests::library::Opened;
use sibyl_tests::program::Sibyl;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex, split};
use tokio::sync::oneshot;

/// The longest time for an answer. No request here takes a second.
const PATIENCE: Duration = Duration::from_secs(15);

/// Headers that say where a request ends: with wrong ones the server waits for the rest, rightly.
const OF_LENGTH: [&[u8]; 3] = [b"content-length", b"transfer-encoding", b"expect"];

/// A request to a server: its first line, its other headers up to an empty line, its body.
pub struct Requests {
    address: SocketAddr,
    token: String,
    _library: Opened,
    _folder: Sibyl,
}

impl Requests {
    pub fn open() -> Self {
        let folder = Sibyl::with_words();
        let library = Opened::without_models(folder.folder());
        let token = Tokens::make(&Tokens::file_of(folder.folder()), Scope::Write).expect("a token can be kept");
        let (tokens, _) = Tokens::of_folder(folder.folder()).expect("the token can be read");
        let options = Options {
            host: "127.0.0.1".to_owned(),
            port: 0,
            tokens,
            allow: Scope::Write,
            hosts: Vec::new(),
            origins: Vec::new(),
            rate: u32::MAX,
            tls: None,
            workspace: "default".to_owned(),
            documents: None,
            report: None,
            interface: None,
        };
        let (tell, told) = oneshot::channel();
        let listening = move |address| tell.send(address).expect("somebody waits for the address");
        let served = serve(library.library(), options, listening, std::future::pending());
        library.start(async move { served.await.expect("the server listens") });
        let address = library.wait(told).expect("the server listens");
        Self { address, token, _library: library, _folder: folder }
    }

    /// The request that `data` is, with what every caller sends; nothing if it has no first line.
    fn request(&self, data: &[u8]) -> Option<Vec<u8>> {
        let (head, body) = match data.windows(2).position(|pair| pair == b"\n\n") {
            Some(at) => (&data[..at], &data[at + 2..]),
            None => (data, &b""[..]),
        };
        let mut lines = head.split(|byte| *byte == b'\n');
        // The first line of HTTP/2, after which frames are waited for.
        let first = lines.next().filter(|line| !line.trim_ascii().is_empty() && !line.starts_with(b"PRI"))?;
        let mut request = [first, b" HTTP/1.1\r\n"].concat();
        let host = format!("Host: {}\r\nAuthorization: Bearer {}\r\n", self.address, self.token);
        request.extend(host.into_bytes());
        for line in lines.filter(|line| !line.trim_ascii().is_empty()) {
            let name = line.trim_ascii().to_ascii_lowercase();
            if !OF_LENGTH.iter().any(|length| name.starts_with(length)) {
                request.extend([line, b"\r\n"].concat());
            }
        }
        request.extend(format!("Content-Length: {}\r\n\r\n", body.len()).into_bytes());
        request.extend(body);
        Some(request)
    }
}

/// The status and the body of the answer; a stream has no body, because it never ends.
fn answer(socket: TcpStream) -> std::io::Result<Option<(u16, Vec<u8>)>> {
    socket.set_read_timeout(Some(PATIENCE))?;
    let mut answer = BufReader::new(socket);
    let mut line = String::new();
    if answer.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let status = line.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a line of status");
    let mut length = 0;
    loop {
        line.clear();
        answer.read_line(&mut line)?;
        match line.trim_end().split_once(": ") {
            Some((name, told)) if name.eq_ignore_ascii_case("content-length") => {
                length = told.parse().expect("a length in bytes");
            }
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length];
    if length > 0 {
        // The answer to `HEAD` has a length and no body.
        let read = answer.read(&mut body)?;
        answer.read_exact(&mut body[read..]).or_else(|error| if read == 0 { Ok(()) } else { Err(error) })?;
    }
    Ok(Some((status, body)))
}

impl Target for Requests {
    fn run(&self, data: &[u8]) {
        let Some(request) = self.request(data) else { return };
        let mut socket = TcpStream::connect(self.address).expect("the server lets callers in");
        // A request that is refused before its end is read is answered too.
        let _ = socket.write_all(&request);
        let head = data.starts_with(b"HEAD");
        match answer(socket) {
            Ok(Some((500, body))) => panic!("{}", String::from_utf8_lossy(&body)),
            Ok(_) => {}
            Err(error) if head || error.kind() == std::io::ErrorKind::ConnectionReset => {}
            Err(error) => panic!("no answer: {error}"),
        }
    }

    fn seeds(&self) -> Vec<Vec<u8>> {
        let document = sibyl_server::openapi();
        let mut seeds = Vec::new();
        for (path, operations) in document["paths"].as_object().into_iter().flatten() {
            for (method, operation) in operations.as_object().into_iter().flatten() {
                let path = path.replace("{id}", "1").replace('{', "").replace('}', "");
                let body = match &operation["requestBody"] {
                    Value::Null => String::new(),
                    _ => json!({"query": "board oversight", "question": "What is a plan?", "id": "S2.14",
                        "name": "fuzzed", "limit": 3, "text": "A plan.", "value": true, "document": 1})
                    .to_string(),
                };
                let method = method.to_uppercase();
                seeds.push(format!("{method} {path}\nContent-Type: application/json\n\n{body}").into_bytes());
            }
        }
        seeds.push(b"GET /api/v1/search?query=plan&limit=5&mode=keyword\nAccept: text/event-stream".to_vec());
        seeds.push(b"POST /mcp\nContent-Type: application/json\nAccept: application/json, text/event-stream\n\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}".to_vec());
        seeds
    }
}

/// Lines that an agent sends after its session has begun.
pub struct Messages {
    library: Opened,
    _folder: Sibyl,
}

const BEGINNING: &str = concat!(
    r#"{"jsonrpc":"2.0","id":"begin","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"#,
    r#""clientInfo":{"name":"fuzz","version":"1"}}}"#,
    "\n",
    r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    "\n"
);

impl Messages {
    pub fn open() -> Self {
        let folder = Sibyl::with_words();
        Self { library: Opened::without_models(folder.folder()), _folder: folder }
    }

    /// What the server writes to an agent that sends `lines` and then no more.
    fn answers(&self, lines: Vec<u8>) -> Vec<u8> {
        let (agent, server) = duplex(1 << 16);
        let (input, output) = split(server);
        let served = mcp_between(input, output, self.library.library(), "default".to_owned(), None);
        let (mut read, mut write) = split(agent);
        self.library.start(served);
        self.library.start(async move {
            let _ = write.write_all(&lines).await;
            let _ = write.shutdown().await;
        });
        let mut answers = Vec::new();
        self.library.wait(read.read_to_end(&mut answers)).expect("a pipe in memory can be read");
        answers
    }
}

impl Target for Messages {
    fn run(&self, data: &[u8]) {
        let answers = self.answers([BEGINNING.as_bytes(), data, b"\n"].concat());
        for line in answers.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let told: Value = serde_json::from_slice(line).expect("an answer is JSON");
            assert!(told["jsonrpc"] == "2.0" && told["error"]["code"] != -32_603, "{told}");
        }
    }

    fn seeds(&self) -> Vec<Vec<u8>> {
        let message = |method: &str, params: Value| {
            json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string()
        };
        let mut seeds = vec![
            message("ping", json!({})),
            message("tools/list", json!({})),
            message("resources/list", json!({ "cursor": "1" })),
            message("resources/templates/list", json!({})),
            message("resources/read", json!({ "uri": "sibyl://standards/S2.14(a)" })),
            message("prompts/list", json!({})),
            message("prompts/get", json!({ "name": "check", "arguments": { "paragraph": "S2.14" } })),
            message(
                "completion/complete",
                json!({ "ref": { "type": "ref/resource", "uri": "sibyl://standards/{id}" },
                    "argument": { "name": "id", "value": "S2.1" } }),
            ),
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#.to_owned(),
        ];
        let arguments =
            json!({ "query": "board oversight", "question": "What is a plan?", "id": "S2.14", "limit": 3 });
        let listed = self.answers([BEGINNING, &seeds[1], "\n"].concat().into_bytes());
        let listed: Vec<Value> =
            serde_json::Deserializer::from_slice(&listed).into_iter().flatten().collect();
        let tools =
            listed.iter().find_map(|told| told["result"]["tools"].as_array()).expect("a list of tools");
        seeds.extend(tools.iter().map(|tool| {
            message("tools/call", json!({ "name": tool["name"], "arguments": arguments.clone() }))
        }));
        seeds.into_iter().map(String::into_bytes).collect()
    }
}
