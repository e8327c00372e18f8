//! MCP over standard input and output, a message a line. The library behind it passes over lines that are no message;
//! here they are answered.

use super::http::{INVALID_REQUEST, batch, error, message_id};
use rmcp::transport::io::stdio_pipes;
use serde_json::Value;
use std::io;
use tokio::io::{
    AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, BufReader,
    DuplexStream, duplex,
};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// Bytes of the longest message.
const LONGEST: u64 = 16 << 20;
/// Bytes on their way between here and the library.
const ON_THE_WAY: usize = 64 << 10;
/// What is answered to a request that comes too early.
const NOT_BEGUN: &str = "the session has not begun; send `initialize` first";

/// Standard input and output.
pub(super) fn pipes() -> (impl AsyncRead + Send + Unpin, impl AsyncWrite + Send + Unpin) {
    stdio_pipes()
}

/// What the library reads and writes, and the tasks that carry it: they end with the other side.
pub(super) fn between(
    input: impl AsyncRead + Send + Unpin + 'static,
    output: impl AsyncWrite + Send + Unpin + 'static,
) -> (DuplexStream, DuplexStream, JoinHandle<io::Result<()>>) {
    let (messages, read) = duplex(ON_THE_WAY);
    let (written, answers) = duplex(ON_THE_WAY);
    let (refuse, refused) = mpsc::channel(16);
    tokio::spawn(carry_in(input, messages, refuse));
    let out = tokio::spawn(carry_out(answers, refused, output));
    (read, written, out)
}

/// Carries lines of `input` on, and answers to those that are no message, or come before the session begins, to `refuse`.
async fn carry_in(
    input: impl AsyncRead + Unpin,
    mut messages: DuplexStream,
    refuse: mpsc::Sender<String>,
) -> io::Result<()> {
    let mut input = BufReader::new(input);
    let mut line = Vec::new();
    let mut begun = false;
    loop {
        line.clear();
        // One byte more than the longest shows that a line is longer.
        if (&mut input).take(LONGEST + 1).read_until(b'\n', &mut line).await? == 0 {
            return Ok(());
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        // The messages of a batch are answered one by one.
        for mut line in batch(&line).unwrap_or_else(|| vec![std::mem::take(&mut line)]) {
            let message = message_id(&line).and_then(|id| {
                begun = begun || begins(&line);
                if begun || id.is_null() { Ok(begun) } else { Err(error(&id, INVALID_REQUEST, NOT_BEGUN)) }
            });
            match message {
                // Nobody listens before the session begins.
                Ok(false) => {}
                Ok(true) => {
                    if !line.ends_with(b"\n") {
                        line.push(b'\n');
                    }
                    messages.write_all(&line).await?;
                }
                Err(error) => {
                    if refuse.send(error.to_string()).await.is_err() {
                        return Ok(());
                    }
                }
            }
        }
    }
}

/// Whether the message `line` begins a session, or asks whether somebody is there.
fn begins(line: &[u8]) -> bool {
    let message: Option<Value> = serde_json::from_slice(line).ok();
    message.is_some_and(|message| message["method"] == "initialize" || message["method"] == "ping")
}

/// Carries whole lines of `answers` and of `refused` to `output`.
async fn carry_out(
    answers: DuplexStream,
    mut refused: mpsc::Receiver<String>,
    mut output: impl AsyncWrite + Unpin,
) -> io::Result<()> {
    let mut answers = BufReader::new(answers).lines();
    loop {
        let line = tokio::select! {
            line = answers.next_line() => match line? {
                Some(line) => line,
                None => return Ok(()),
            },
            Some(line) = refused.recv() => line,
        };
        output.write_all(line.as_bytes()).await?;
        output.write_all(b"\n").await?;
        output.flush().await?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_is_no_message_is_answered_and_the_rest_is_passed_on() {
        let (mut agent, server) = duplex(1 << 16);
        let (input, output) = tokio::io::split(server);
        let (read, mut written, out) = between(input, output);
        agent
            .write_all(b"{\n\n[1]\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n")
            .await
            .unwrap();
        agent
            .write_all(
                b"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-03-26\"}}\n\
                  [{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"},{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/list\"}]\n",
            )
            .await
            .unwrap();
        let mut read = BufReader::new(read).lines();
        for method in ["initialize", "ping", "tools/list"] {
            assert!(read.next_line().await.unwrap().unwrap().contains(method));
        }
        let mut told = BufReader::new(&mut agent).lines();
        for (id, code) in [(Value::Null, -32_700), (Value::Null, -32_600), (1.into(), -32_600)] {
            let line: Value = serde_json::from_str(&told.next_line().await.unwrap().unwrap()).unwrap();
            assert_eq!((&line["id"], &line["error"]["code"]), (&id, &code.into()), "{line}");
        }
        written.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n").await.unwrap();
        assert!(told.next_line().await.unwrap().unwrap().contains("result"));
        drop(written);
        out.await.unwrap().unwrap();
    }
}
