//! The chat protocol: an answer as server-sent events, and everything that can go wrong with it.

use crate::{Behaviour, Shared};
use serde_json::{Value, json};
use std::io::{ErrorKind, Read as _, Result, Write};
use std::net::TcpStream;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// How long a provider that hangs is silent.
const HANG: Duration = Duration::from_secs(30);
/// Pieces of an answer that does not end.
const ENDLESS: usize = 20_000;

/// Streams the answer to `body`. The connection is closed after it.
///
/// # Errors
/// If the other side has gone.
pub(crate) fn stream(
    out: &mut TcpStream,
    body: &Value,
    behaviour: &Behaviour,
    shared: &Shared,
) -> Result<()> {
    if *behaviour == Behaviour::Hang {
        return hang(out, shared);
    }
    out.write_all(b"HTTP/1.1 200 Loopback\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")?;
    out.write_all(b": LOOPBACK PROCESSING\n\n")?;
    let text = match behaviour {
        Behaviour::Say(text)
        | Behaviour::SayThenStop(text, _)
        | Behaviour::SayThenHang(text)
        | Behaviour::SayThenDrop(text)
        | Behaviour::SayThenRubbish(text)
        | Behaviour::SayThenError(text) => text.clone(),
        Behaviour::Endless => "And so on [Citation 1]. ".repeat(ENDLESS),
        _ => quotes(body),
    };
    for piece in text.split_inclusive(' ') {
        event(
            out,
            &json!({ "choices": [{ "index": 0, "delta": { "content": piece }, "finish_reason": null }] })
                .to_string(),
        )?;
    }
    match behaviour {
        Behaviour::SayThenHang(_) => hang(out, shared)?,
        Behaviour::SayThenDrop(_) => {}
        Behaviour::SayThenRubbish(_) => event(out, "{\"choices\": [")?,
        Behaviour::SayThenError(_) => {
            event(
                out,
                &json!({ "error": { "code": 502, "message": "the model's host failed" } }).to_string(),
            )?;
        }
        _ => {
            let prompt: usize = contents(body).iter().map(|text| text.chars().count().div_ceil(4)).sum();
            let completion = text.chars().count().div_ceil(4);
            let reason = match behaviour {
                Behaviour::SayThenStop(_, reason) => reason,
                _ => "stop",
            };
            event(
                out,
                &json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": reason }] }).to_string(),
            )?;
            let mut usage = json!({ "prompt_tokens": prompt, "completion_tokens": completion });
            if *behaviour != Behaviour::PlainModels {
                usage["cost"] = json!(0.0001);
            }
            event(out, &json!({ "choices": [], "usage": usage }).to_string())?;
            event(out, "[DONE]")?;
        }
    }
    Ok(())
}

/// Is silent for long, or until the other side leaves, which is counted.
fn hang(out: &mut TcpStream, shared: &Shared) -> Result<()> {
    out.set_read_timeout(Some(HANG))?;
    match out.read(&mut [0; 1]) {
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
        _ => drop(shared.abandoned.fetch_add(1, Ordering::SeqCst)),
    }
    Ok(())
}

fn event(out: &mut TcpStream, data: &str) -> Result<()> {
    out.write_all(format!("data: {data}\n\n").as_bytes())?;
    out.flush()
}

/// What the messages say.
pub(crate) fn contents(body: &Value) -> Vec<String> {
    let messages = body["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    messages.iter().filter_map(|message| message["content"].as_str()).map(str::to_owned).collect()
}

/// The first line of each document of the prompt, each sentence with its mark.
fn quotes(body: &Value) -> String {
    let prompt = contents(body).pop().unwrap_or_default();
    let mut out = String::new();
    for part in prompt.split("[Document ").skip(1) {
        let number: String = part.chars().take_while(char::is_ascii_digit).collect();
        let content = part.split("Content:").nth(1).unwrap_or_default();
        let line =
            content.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with(['=', '#']));
        for sentence in line.unwrap_or_default().split_inclusive(". ") {
            out.push_str(&format!("{} [Citation {number}] ", sentence.trim_end()));
        }
    }
    out
}
