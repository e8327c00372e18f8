//! Agents: MCP on standard input and output, and over HTTP.

use crate::{list, text, write};
use serde_json::{Value, json};
use sibyl_tests::program::Sibyl;
use sibyl_tests::server::{Mcp, Server};

/// A library with two reports that share their words.
fn with_reports() -> (Sibyl, tempfile::TempDir) {
    let sibyl = Sibyl::with_words();
    let folder = tempfile::tempdir().unwrap();
    for (name, megalitres) in [("acme", 42), ("beta", 77)] {
        let report =
            format!("# {name} 2024\n\n## Water\n\nThe quillwort weir drew {megalitres} megalitres.\n");
        let path = format!("{name}-2024.md");
        write(folder.path(), &path, report);
        let path = folder.path().join(path);
        let words = ["ingest", text(&path), "--source-type", "report", "--report-id", name, "--no-embed"];
        sibyl.json(&words);
    }
    (sibyl, folder)
}

/// The text of a tool's result.
fn told(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap()
}

#[test]
fn the_tools_of_the_documents() {
    let (sibyl, _folder) = with_reports();
    let mut mcp = Mcp::start(&sibyl, &[]);
    let tools = mcp.ask("tools/list", json!({}));
    let names: Vec<&str> = list(&tools, "tools").iter().filter_map(|tool| tool["name"].as_str()).collect();
    let expected =
        ["rag_lookup", "search_laws", "search_company_files", "get_paragraph", "list_reports", "ask"];
    assert_eq!(names, expected);
    for tool in list(&tools, "tools") {
        let reads = &tool["annotations"]["readOnlyHint"];
        assert_eq!(*reads, tool["name"] != "ask", "a question is kept in the log: {tool}");
        assert_eq!(tool["annotations"]["openWorldHint"], false, "no model here is remote: {tool}");
        assert_eq!(tool["inputSchema"]["type"], "object");
        assert_eq!(tool["outputSchema"]["type"], "object");
        assert!(tool["description"].as_str().unwrap().len() < 200, "{tool}");
    }
    let lookup = &tools["tools"][0]["inputSchema"];
    let parameters: Vec<&String> = lookup["properties"].as_object().unwrap().keys().collect();
    assert_eq!(parameters, ["query", "source_types", "top_k", "paragraph_id"]);
    assert_eq!(
        (&lookup["properties"]["top_k"]["default"], &lookup["required"]),
        (&json!(5), &json!(["query"]))
    );

    let found = mcp
        .tool("rag_lookup", json!({ "query": "transition plan", "source_types": ["ifrs_s2"], "top_k": 2 }));
    let text = told(&found);
    assert!(text.starts_with("--- Result 1 (source: ifrs_s2, score: "), "{text}");
    assert!(text.contains("\n[Paragraph: S2.") && text.ends_with("--- No more results ---"), "{text}");
    assert_eq!(found["structuredContent"]["text"], text);
    let exact = mcp.tool("rag_lookup", json!({ "query": "", "paragraph_id": "S2.14(a)(iv)" }));
    assert!(told(&exact).contains("[Paragraph: S2.14(a)(iv) | Pillar: Strategy"), "{}", told(&exact));

    let laws = mcp.tool("search_laws", json!({ "query": "transition plan" }));
    let passages = list(&laws["structuredContent"], "passages");
    assert_eq!(passages.len() + laws["structuredContent"]["omitted"].as_u64().unwrap() as usize, 10);
    for passage in passages {
        for field in ["contextualHeader", "documentNumber", "text", "chunkId"] {
            assert!(!passage[field].as_str().unwrap().is_empty(), "{field} of {passage}");
        }
        assert!(passage.as_object().unwrap().contains_key("similarity"));
        assert!(!passage["text"].as_str().unwrap().contains("Asked as"), "no search phrasings: {passage}");
    }
    let meta = &laws["_meta"];
    let stats = sibyl.json(&["stats"]);
    let standards: u64 = ["ifrs_s1", "ifrs_s2", "sasb"].iter().map(|of| stats[of].as_u64().unwrap()).sum();
    assert_eq!((&meta["tool"], meta["chunksSearched"].as_u64()), (&json!("search_laws"), Some(standards)));
    assert!(meta["executionTime"].is_u64(), "{meta}");
    let few = mcp.tool("search_laws", json!({ "query": "transition plan", "max_tokens": 300 }));
    assert!(told(&few).chars().count() <= 4 * 300, "{}", told(&few).len());
    assert!(few["structuredContent"]["omitted"].as_u64() > Some(0));

    let files = mcp.tool("search_company_files", json!({ "query": "quillwort weir" }));
    let reports: Vec<&Value> =
        list(&files["structuredContent"], "passages").iter().map(|passage| &passage["reportId"]).collect();
    assert_eq!(reports.len(), 2);
    assert!(reports.contains(&&json!("acme")) && reports.contains(&&json!("beta")), "{reports:?}");
    let paragraph = mcp.tool("get_paragraph", json!({ "id": "S2.14(a)(iv)" }));
    assert_eq!(paragraph["structuredContent"]["id"], "S2.14(a)(iv)");
    let wrong = mcp.tool("get_paragraph", json!({ "id": "S2.99" }));
    assert_eq!(wrong["isError"], true);
    assert!(told(&wrong).starts_with("not_found: "), "{wrong}");
    let (unknown, _) = mcp.exchange("tools/call", json!({ "name": "delete_all", "arguments": {} }));
    assert!(unknown["error"]["message"].as_str().unwrap().contains("delete_all"), "{unknown}");
}

#[test]
fn a_session_for_a_report_sees_no_other_report() {
    let (sibyl, _folder) = with_reports();
    let mut mcp = Mcp::start(&sibyl, &["--report", "acme"]);
    for (tool, arguments) in [
        ("rag_lookup", json!({ "query": "quillwort weir", "source_types": ["report"], "report_id": "beta" })),
        ("search_company_files", json!({ "query": "quillwort weir" })),
        ("list_reports", json!({})),
        ("ask", json!({ "question": "How many megalitres did the quillwort weir draw?" })),
    ] {
        let found = mcp.tool(tool, arguments);
        let text = found.to_string();
        assert!(text.contains("acme") || text.contains("42 megalitres"), "{tool}: {text}");
        assert!(!text.contains("beta") && !text.contains("77 megalitres"), "{tool}: {text}");
    }
    let documents = sibyl.json(&["documents"]);
    let other =
        documents.as_array().unwrap().iter().find(|document| document["report_id"] == "beta").unwrap();
    let uri = format!("sibyl://documents/{}", other["id"]);
    let (refused, _) = mcp.exchange("resources/read", json!({ "uri": uri }));
    assert!(refused["error"].is_object(), "{refused}");
    assert!(!mcp.ask("resources/list", json!({})).to_string().contains("beta"));
    let prompt = json!({ "name": "review_report", "arguments": { "report_id": "beta" } });
    assert!(mcp.exchange("prompts/get", prompt).0["error"].is_object());
}

#[test]
fn resources_prompts_progress_and_cancelling() {
    let (sibyl, _folder) = with_reports();
    let mut mcp = Mcp::start(&sibyl, &[]);
    let standard = mcp.ask("resources/read", json!({ "uri": "sibyl://standards/S2.14(a)(iv)" }));
    let text = standard["contents"][0]["text"].as_str().unwrap();
    assert!(text.starts_with("S2.14(a)(iv) ") && text.contains("transition plan"), "{text}");
    let resources = mcp.ask("resources/list", json!({}));
    let report =
        list(&resources, "resources").iter().find(|resource| resource["name"] == "acme-2024.md").unwrap();
    let document = mcp.ask("resources/read", json!({ "uri": report["uri"] }));
    assert!(document["contents"][0]["text"].as_str().unwrap().contains("42 megalitres"));
    let shipped =
        list(&resources, "resources").iter().find(|resource| resource["name"] == "s2_full.md").unwrap();
    let shipped = mcp.ask("resources/read", json!({ "uri": shipped["uri"] })).to_string();
    assert!(
        shipped.contains("Scope of the climate standard") && !shipped.contains("Asked as"),
        "search aids"
    );
    let templates = mcp.ask("resources/templates/list", json!({}));
    let uris: Vec<&str> =
        list(&templates, "resourceTemplates").iter().filter_map(|t| t["uriTemplate"].as_str()).collect();
    let expected = [
        "sibyl://standards/{id}",
        "sibyl://documents/{id}",
        "sibyl://documents/{id}/pages/{page}",
        "sibyl://documents/{id}/versions/{text_version}",
        "sibyl://answers/{id}",
    ];
    assert_eq!(uris, expected);
    let completed = mcp.ask(
        "completion/complete",
        json!({
            "ref": { "type": "ref/resource", "uri": "sibyl://standards/{id}" },
            "argument": { "name": "id", "value": "S2.14(a)(i" },
        }),
    );
    let values = list(&completed["completion"], "values");
    assert!(values.contains(&json!("S2.14(a)(iv)")), "{completed}");
    assert!(values.iter().all(|id| id.as_str().unwrap().starts_with("S2.14(a)(i")), "{completed}");

    for (of, name, value, expected) in [
        (json!({ "type": "ref/resource", "uri": "sibyl://documents/{id}" }), "id", "", report["uri"].clone()),
        (json!({ "type": "ref/prompt", "name": "review_report" }), "report_id", "ac", json!("acme")),
    ] {
        let completed = mcp
            .ask("completion/complete", json!({ "ref": of, "argument": { "name": name, "value": value } }));
        let last = expected.as_str().unwrap().rsplit('/').next().unwrap();
        assert!(list(&completed["completion"], "values").contains(&json!(last)), "{completed}");
    }

    let prompts = mcp.ask("prompts/list", json!({}));
    assert_eq!(list(&prompts, "prompts").len(), 2);
    let arguments = json!({ "paragraph_id": "S2.14(a)(iv)", "report_id": "acme" });
    let prompt = mcp.ask("prompts/get", json!({ "name": "review_paragraph", "arguments": arguments }));
    let words = prompt["messages"][0]["content"]["text"].as_str().unwrap();
    assert!(words.contains("\"acme 2024\" (report_id acme)") && words.contains("S2.14(a)(iv)"), "{words}");

    let question = json!({
        "name": "ask",
        "arguments": { "question": "What is a transition plan?" },
        "_meta": { "progressToken": "p1" },
    });
    let (answer, on_the_way) = mcp.exchange("tools/call", question.clone());
    assert!(answer["result"]["structuredContent"]["answer"].is_string(), "{answer}");
    let steps: Vec<f64> = on_the_way
        .iter()
        .filter(|message| message["method"] == "notifications/progress")
        .map(|message| message["params"]["progress"].as_f64().unwrap())
        .collect();
    assert!(steps.len() >= 2 && steps.is_sorted(), "{on_the_way:?}");
    assert!(on_the_way[0]["params"]["message"].as_str().unwrap().starts_with("searching: "));

    // What is cancelled is not answered, and the next request is.
    mcp.tell(&json!({ "jsonrpc": "2.0", "id": "c1", "method": "tools/call", "params": question }));
    let cancel = json!({ "requestId": "c1", "reason": "not needed" });
    mcp.tell(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancel }));
    assert_eq!(list(&mcp.ask("tools/list", json!({})), "tools").len(), 6);
}

#[test]
fn a_server_speaks_mcp_to_those_with_a_token() {
    let (sibyl, _folder) = with_reports();
    let server = Server::start(&sibyl, &["--report", "acme"]);
    let message = |method: &str, params: Value| {
        json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string()
    };
    let hello = json!({
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": { "name": "doors", "version": "1" },
    });
    let token = format!("authorization: Bearer {}", server.token);
    let usual = ["accept: application/json, text/event-stream", "content-type: application/json"];
    let send = |extra: &[&str], body: &str| {
        server.exchange("POST", "/mcp", &[&usual[..], extra].concat(), body.as_bytes())
    };
    let hello = message("initialize", hello);
    assert_eq!(send(&[], &hello).status, 401);
    assert_eq!(send(&[&token, "origin: http://evil.example"], &hello).status, 403);
    let begun = send(&[&token], &hello);
    assert_eq!(begun.status, 200, "{}", begun.body);
    assert!(begun.body.contains("\"name\":\"sibyl\""), "{}", begun.body);
    let session = format!("mcp-session-id: {}", begun.header("mcp-session-id"));
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string();
    assert_eq!(send(&[&token, &session], &ready).status, 202);
    let arguments = json!({ "name": "search_company_files", "arguments": { "query": "quillwort" } });
    let found = send(&[&token, &session], &message("tools/call", arguments));
    assert!(found.body.contains("42 megalitres") && !found.body.contains("77 megalitres"), "{}", found.body);
}

/// Runs the official client in `ui/agents` with `words`, and the environment of the program `sibyl`.
fn official_client(sibyl: &Sibyl, words: &[&str]) {
    let program = sibyl.command_of(&[]);
    let own = program.get_envs().filter_map(|(name, value)| Some((name, value?)));
    let run = std::process::Command::new("node")
        .current_dir(sibyl_tests::root().join("ui"))
        .envs(own)
        .arg("agents/client.mjs")
        .args(words)
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
}

#[test]
fn the_official_client_gets_along_on_both_transports() {
    let (sibyl, _folder) = with_reports();
    let program = sibyl_tests::program::built("sibyl");
    official_client(&sibyl, &["stdio", text(&program), "mcp"]);
    let server = Server::start(&sibyl, &[]);
    official_client(&sibyl, &["http", &format!("http://{}", server.address), &server.token]);
}
