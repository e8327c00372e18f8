//! While remote models are switched off, only this machine is contacted, whatever is set and requested.

use crate::{list, text, write};
use serde_json::{Value, json};
use sibyl_tests::program::Sibyl;
use sibyl_tests::server::{Mcp, Server};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A proxy that counts its callers, and answers none.
struct Proxy {
    url: String,
    met: Arc<AtomicUsize>,
}

impl Proxy {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let met = Arc::new(AtomicUsize::new(0));
        let counting = Arc::clone(&met);
        std::thread::spawn(move || {
            for _connection in listener.incoming().flatten() {
                counting.fetch_add(1, Ordering::SeqCst);
            }
        });
        Self { url, met }
    }

    fn met(&self) -> usize {
        self.met.load(Ordering::SeqCst)
    }
}

/// A library whose every way out leads through `proxy`, with a provider elsewhere for everything, and keys for them.
fn wired(proxy: &Proxy, folder: &std::path::Path) -> Sibyl {
    let mut sibyl = Sibyl::fresh_with_words();
    for name in ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"] {
        sibyl = sibyl.env(name, &proxy.url);
    }
    for name in ["NO_PROXY", "no_proxy"] {
        sibyl = sibyl.env(name, "");
    }
    let sibyl = sibyl.env("OPENROUTER_API_KEY", "sk-or-x").env("COHERE_API_KEY", "co-x");
    write(folder, "mill.md", "# Mill\n\n## Wheel\n\nThe wheel turns at 40 m a minute.\n");
    write(folder, "set.jsonl", r#"{"id": "q1", "query": "wheel turns", "relevant": {"mill.md": 3}}"#);
    for (name, value) in [
        ("rerank_base_url", "https://rerank.invalid/v2"),
        ("base_url", "https://models.invalid/v1"),
        ("answer_generator", "chat"),
    ] {
        assert_eq!(sibyl.run(&["settings", name, value]).code, 0);
    }
    sibyl
}

#[test]
fn no_command_leaves_this_machine_while_remote_models_are_off() {
    let (proxy, folder) = (Proxy::start(), tempfile::tempdir().unwrap());
    let sibyl = wired(&proxy, folder.path());
    let (page, set) = (folder.path().join("mill.md"), folder.path().join("set.jsonl"));
    let question = "How fast does the wheel turn?";
    for words in [
        &["ingest", text(&page), "--corpus", "mills", "--remote"][..],
        &["ingest", text(&page), "--corpus", "mills", "--remote", "--force"],
        &["search", question],
        &["search", question, "--mode", "semantic"],
        &["search", question, "--rerank"],
        &["lookup", question],
        &["ask", question],
        &["ask", question, "--generator", "chat", "--second-reading"],
        &["ask", question, "--generator", "extractive"],
        &["models"],
        &["models", "--chat"],
        &["settings"],
        &["secret", "status"],
        &["secret", "test", "openrouter"],
        &["secret", "test", "rerank"],
        &["documents"],
        &["stats"],
        &["facts", "scope1"],
        &["strategies"],
        &["chunk-preview", text(&page)],
        &["jobs", "list"],
        &["workspace", "list"],
        &["watch", "list"],
        &["gold", "import", text(&set)],
        &["gold", "list"],
        &["eval", text(&set)],
        &["eval", "answers", text(&set)],
        &["eval", "runs"],
        &["rebuild"],
        &["doctor"],
    ] {
        let run = sibyl.run(words);
        assert_eq!(proxy.met(), 0, "sibyl {words:?}: {} {}", run.out, run.err);
    }
    let refused = sibyl.run(&["models", "--chat"]);
    assert!(refused.code == 2 && refused.err.contains("remote models are switched off"), "{}", refused.err);
    // Switched on, the call would have gone out, and this proxy counts it.
    assert_eq!(sibyl.run(&["settings", "remote_embedding", "true"]).code, 0);
    sibyl.run(&["models", "--chat"]);
    assert!(proxy.met() > 0, "the proxy counts nothing");
}

/// The arguments for an operation of the description: its path, and its body if it has one.
fn request(path: &str, operation: &Value) -> Option<(String, Option<Value>)> {
    let body = &operation["requestBody"]["content"]["application/json"]["example"];
    let (mut target, mut query) = (path.to_owned(), Vec::new());
    for parameter in list(operation, "parameters") {
        let (name, value) = (parameter["name"].as_str()?, &parameter["example"]);
        let value = match value {
            Value::Null => "1".to_owned(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        if parameter["in"] == "path" {
            target = target.replace(&format!("{{{name}}}"), &value);
        } else if !parameter["example"].is_null() {
            query.push(format!("{name}={value}"));
        }
    }
    if !query.is_empty() {
        target = format!("{target}?{}", query.join("&"));
    }
    Some((target, body.is_object().then(|| body.clone())))
}

#[test]
fn no_request_to_a_server_or_an_agent_leaves_this_machine_either() {
    let (proxy, folder) = (Proxy::start(), tempfile::tempdir().unwrap());
    let sibyl = wired(&proxy, folder.path());
    let page = folder.path().join("mill.md");
    sibyl.json(&["ingest", text(&page), "--corpus", "mills", "--remote"]);
    let server = Server::start(&sibyl, &["--allow", "spend"]);
    let description = server.exchange("GET", "/openapi.json", &[], b"").json();
    let mut sent = 0;
    for (path, methods) in description["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let endless = ["/api/v1/events", "/api/v1/jobs/{id}/events"].contains(&path.as_str());
            // Deleting sends nothing out, and would leave nothing for the others.
            let Some((target, body)) = request(path, operation).filter(|_| !endless && method != "delete")
            else {
                continue;
            };
            let answer = server.send(&method.to_uppercase(), &target, body.as_ref());
            assert_eq!(proxy.met(), 0, "{method} {target}: {} {}", answer.status, answer.body);
            sent += 1;
        }
    }
    assert!(sent > 80, "{sent}");
    let models = server.send("GET", "/api/v1/chat-models", None);
    assert_eq!((models.status, models.code().as_str()), (409, "remote_off"));
    let mut agent = Mcp::start(&sibyl, &[]);
    let asked = agent.tool("ask", json!({ "question": "How fast does the wheel turn?" }));
    assert_eq!(asked["isError"], true, "{asked}");
    for (tool, arguments) in [
        ("rag_lookup", json!({ "query": "wheel" })),
        ("search_laws", json!({ "query": "wheel" })),
        ("search_company_files", json!({ "query": "wheel" })),
        ("list_reports", json!({})),
    ] {
        agent.tool(tool, arguments);
    }
    assert_eq!(proxy.met(), 0);
}
