//! As much of HTTP/1.1 as a client needs: requests with a length, connections kept alive.

use crate::answer::{Answer, Asked, answer};
use crate::{Behaviour, Request, Shared};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Result, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Pieces of an answer that drips.
const PIECES: usize = 100;

/// Answers the requests of a connection until either side closes it.
pub(crate) fn serve(stream: TcpStream, shared: &Shared) {
    let Ok(mut out) = stream.try_clone() else { return };
    let mut reader = BufReader::new(stream);
    while let Ok(Some(incoming)) = read(&mut reader) {
        if shared.ended.load(Ordering::SeqCst) {
            return;
        }
        let running = shared.running.fetch_add(1, Ordering::SeqCst) + 1;
        shared.at_once.fetch_max(running, Ordering::SeqCst);
        let kept = respond(&mut out, &incoming, shared);
        shared.running.fetch_sub(1, Ordering::SeqCst);
        if !matches!(kept, Ok(true)) {
            // The other side may have closed it before.
            let _ = out.shutdown(Shutdown::Both);
            return;
        }
    }
}

struct Incoming {
    path: String,
    authorization: Option<String>,
    body: Vec<u8>,
}

fn read(reader: &mut BufReader<TcpStream>) -> Result<Option<Incoming>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    let (mut length, mut authorization) = (0, None);
    loop {
        let mut header = String::new();
        if reader.read_line(&mut header)? == 0 || header.trim().is_empty() {
            break;
        }
        let (name, value) = header.split_once(':').unwrap_or((&header, ""));
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse().unwrap_or(0),
            "authorization" => authorization = Some(value.trim().to_owned()),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok(Some(Incoming { path, authorization, body }))
}

/// Whether the connection is kept.
fn respond(out: &mut TcpStream, incoming: &Incoming, shared: &Shared) -> Result<bool> {
    let body: Value = serde_json::from_slice(&incoming.body).unwrap_or_default();
    let chats = incoming.path.ends_with("/chat/completions");
    let texts = match incoming.path.rsplit('/').next() {
        Some("rerank") => texts(&body["documents"]),
        _ if chats => crate::chat::contents(&body),
        _ => texts(&body["input"]),
    };
    let behaviour = shared.behaviour();
    if let Behaviour::Slow(time) = behaviour {
        std::thread::sleep(time);
    }
    let asked = Asked {
        path: &incoming.path,
        authorization: incoming.authorization.as_deref(),
        body: &body,
        texts: &texts,
    };
    let answer = answer(&asked, &behaviour, shared);
    let dropped = matches!(behaviour, Behaviour::Drop | Behaviour::DropHalfway);
    shared.requests.lock().push(Request {
        path: incoming.path.clone(),
        authorization: incoming.authorization.clone(),
        texts,
        model: body["model"].as_str().unwrap_or_default().to_owned(),
        at: Instant::now(),
        status: if dropped { 0 } else { answer.status },
    });
    if chats && answer.status == 200 && answer.body.is_empty() && !dropped {
        crate::chat::stream(out, &body, &behaviour, shared)?;
        return Ok(false);
    }
    let bytes = encode(&answer);
    match behaviour {
        Behaviour::Drop => return Ok(false),
        Behaviour::DropHalfway => out.write_all(&bytes[..bytes.len() - answer.body.len() / 2 - 1])?,
        Behaviour::Drip(time) => {
            for piece in bytes.chunks(bytes.len().div_ceil(PIECES)) {
                out.write_all(piece)?;
                out.flush()?;
                std::thread::sleep(time);
            }
        }
        _ => out.write_all(&bytes)?,
    }
    out.flush()?;
    Ok(!dropped)
}

fn encode(answer: &Answer) -> Vec<u8> {
    use std::fmt::Write as _;
    let mut head = format!(
        "HTTP/1.1 {} Loopback\r\nContent-Type: application/json\r\nContent-Length: {}\r\n",
        answer.status,
        answer.body.len()
    );
    for (name, value) in &answer.headers {
        // Writing to a String cannot fail.
        let _ = write!(head, "{name}: {value}\r\n");
    }
    head.push_str("\r\n");
    head.push_str(&answer.body);
    head.into_bytes()
}

/// One text or a list of texts, each plain or `{"text": …}`.
fn texts(value: &Value) -> Vec<String> {
    let one =
        |value: &Value| value.as_str().or_else(|| value["text"].as_str()).unwrap_or_default().to_owned();
    match value {
        Value::Array(items) => items.iter().map(one).collect(),
        Value::Null => Vec::new(),
        other => vec![one(other)],
    }
}
