//! Agents: MCP on standard input and output, and over HTTP.

use crate::{list, text, write};
use serde_json::{Value, json};
use sibyl_tests::program::Sibyl;
use sibyl_tests::server::{Answer, Mcp, Server};

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
    let expected = [
        "rag_lookup",
        "search_laws",
        "search_company_files",
        "get_paragraph",
        "list_reports",
        "find_figures",
        "list_assessments",
        "read_assessment",
        "read_requirement",
        "list_open_items",
        "propose_finding",
        "ask",
    ];
    assert_eq!(names, expected);
    for tool in list(&tools, "tools") {
        let reads = &tool["annotations"]["readOnlyHint"];
        let writes = tool["name"] == "ask" || tool["name"] == "propose_finding";
        assert_eq!(*reads, !writes, "questions and proposals are kept: {tool}");
        assert_eq!(tool["annotations"]["openWorldHint"], false, "no model here is remote: {tool}");
        assert_eq!(tool["inputSchema"]["type"], "object");
        assert_eq!(tool["outputSchema"]["type"], "object");
        assert!(tool["description"].as_str().unwrap().len() < 200, "{tool}");
    }
    let lookup = &tools["tools"][0]["inputSchema"];
    let parameters: Vec<&String> = lookup["properties"].as_object().unwrap().keys().collect();
    assert_eq!(parameters, ["query", "source_types", "top_k", "paragraph_id", "edition"]);
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

    let laws = mcp.tool("search_laws", json!({ "query": "transition plan", "edition": "2023-06" }));
    let passages = list(&laws["structuredContent"], "passages");
    assert_eq!(passages.len() + laws["structuredContent"]["omitted"].as_u64().unwrap() as usize, 10);
    for passage in passages {
        for field in ["contextualHeader", "documentNumber", "text", "chunkId"] {
            assert!(!passage[field].as_str().unwrap().is_empty(), "{field} of {passage}");
        }
        assert!(passage.get("similarity").is_none(), "without a model there is none: {passage}");
        assert!(!passage["text"].as_str().unwrap().contains("Asked as"), "no search phrasings: {passage}");
    }
    let meta = &laws["_meta"];
    let library = rusqlite::Connection::open(sibyl.folder().join("library.sibyl")).unwrap();
    let count = "SELECT count(*) FROM chunk WHERE source_type IN ('ifrs_s1', 'ifrs_s2', 'sasb')
        AND (metadata ->> '$.editions' IS NULL OR metadata ->> '$.editions' LIKE '%2023-06%')";
    let standards: u64 = library.query_row(count, [], |row| row.get(0)).unwrap();
    drop(library);
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
    let metric = mcp.tool("get_paragraph", json!({ "id": "EM-CO-310a.2" }));
    let structured = &metric["structuredContent"]["metrics"][0];
    for list_of in ["counts", "does_not_count", "definitions", "also_to_be_discussed"] {
        for text in list(structured, list_of) {
            assert!(told(&metric).contains(text.as_str().unwrap()), "{list_of}: {text}");
        }
        assert!(!list(structured, list_of).is_empty(), "{list_of}");
    }
    assert!(told(&metric).contains("Pending change: "), "{}", told(&metric));
    let added = mcp.tool("get_paragraph", json!({ "id": "S2.29A", "edition": "2025-12" }));
    assert!(told(&added).contains("Edition: as amended in December 2025"), "{}", told(&added));
    let elsewhere = mcp.tool("get_paragraph", json!({ "id": "S2.29A", "edition": "2023-06" }));
    assert!(told(&elsewhere).starts_with("not_found: "), "{elsewhere}");
    let asked = mcp.tool("ask", json!({ "question": "What is a transition plan?", "edition": "2025-12" }));
    assert_eq!(asked["isError"], false, "{asked}");
    let wrong = mcp.tool("get_paragraph", json!({ "id": "S2.99" }));
    assert_eq!(wrong["isError"], true);
    assert!(told(&wrong).starts_with("not_found: "), "{wrong}");
    let (unknown, _) = mcp.exchange("tools/call", json!({ "name": "delete_all", "arguments": {} }));
    assert!(unknown["error"]["message"].as_str().unwrap().contains("delete_all"), "{unknown}");
}

#[test]
fn what_is_null_or_left_out_is_left_open() {
    let (sibyl, _folder) = with_reports();
    let mut mcp = Mcp::start(&sibyl, &[]);
    let bare = mcp.tool("rag_lookup", json!({ "paragraph_id": "S2.14(a)(iv)" }));
    assert!(told(&bare).contains("[Paragraph: S2.14(a)(iv) | Pillar: Strategy"), "{}", told(&bare));
    let open = json!({ "query": "transition plan", "limit": null, "max_tokens": null, "edition": null });
    let laws = mcp.tool("search_laws", open);
    assert_eq!(laws["isError"], false, "{laws}");
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
    assert_eq!(list(&mcp.ask("tools/list", json!({})), "tools").len(), 12);
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

/// Sends a message to the door for agents.
fn message(server: &Server, headers: &[&str], body: &str) -> Answer {
    let token = format!("authorization: Bearer {}", server.token);
    let usual = ["accept: application/json, text/event-stream", "content-type: application/json", &token];
    server.exchange("POST", "/mcp", &[&usual[..], headers].concat(), body.as_bytes())
}

fn hello(version: &str) -> Value {
    json!({
        "protocolVersion": version, "capabilities": {}, "clientInfo": { "name": "doors", "version": "1" },
    })
}

fn request(method: &str, params: Value) -> String {
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string()
}

#[test]
fn the_version_of_the_protocol_is_the_one_that_is_asked_for_or_the_latest() {
    let sibyl = Sibyl::with_words();
    let server = Server::start(&sibyl, &[]);
    let latest = "2025-11-25";
    for (asked, agreed) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        (latest, latest),
        ("1999-01-01", latest),
        ("2099-01-01", latest),
    ] {
        let begun = Mcp::introduced(&sibyl, asked);
        assert_eq!(begun["protocolVersion"], agreed, "{asked} on standard input");
        let begun = message(&server, &[], &request("initialize", hello(asked)));
        assert!(begun.body.contains(&format!("\"protocolVersion\":\"{agreed}\"")), "{asked}: {}", begun.body);
    }
    let begun = message(&server, &[], &request("initialize", hello(latest)));
    let session = format!("mcp-session-id: {}", begun.header("mcp-session-id"));
    let token = format!("authorization: Bearer {}", server.token);
    let known = format!("mcp-protocol-version: {latest}");
    let list = request("tools/list", json!({}));
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string();
    assert_eq!(message(&server, &[&session, &known], &ready).status, 202);
    let unknown = "mcp-protocol-version: 1999-01-01";
    assert_eq!(message(&server, &[&session, &known], &list).status, 200);
    assert_eq!(message(&server, &[&session], &list).status, 200, "none is an old one");
    assert_eq!(message(&server, &[&session, unknown], &list).status, 400);
    for method in ["GET", "DELETE"] {
        let headers = [&*token, &*session, unknown, "accept: text/event-stream"];
        assert_eq!(server.exchange(method, "/mcp", &headers, b"").status, 400, "{method}");
    }
}

/// The protocol of March 2025 has batches; later ones have none.
#[test]
fn each_message_of_a_batch_is_answered() {
    let sibyl = Sibyl::with_words();
    let server = Server::start(&sibyl, &[]);
    let begun = message(&server, &[], &request("initialize", hello("2025-03-26")));
    let session = format!("mcp-session-id: {}", begun.header("mcp-session-id"));
    let notice = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert_eq!(message(&server, &[&session], &json!([notice]).to_string()).status, 202);
    let ask = |id: u32, method: &str| json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": {} });
    let batch = json!([ask(7, "ping"), notice, ask(8, "tools/list"), 5]).to_string();
    let answer = message(&server, &[&session], &batch);
    assert_eq!((answer.status, answer.header("content-type")), (200, "text/event-stream"));
    let events: Vec<Value> = answer
        .body
        .lines()
        .filter_map(|line| serde_json::from_str(line.strip_prefix("data:")?.trim()).ok())
        .collect();
    let ids: Vec<&Value> = events.iter().map(|event| &event["id"]).collect();
    assert_eq!(ids, [&json!(7), &json!(8), &Value::Null], "{}", answer.body);
    assert_eq!(events[2]["error"]["code"], -32_600);
}

#[test]
fn a_session_is_ended_and_listened_to_as_the_protocol_says() {
    let sibyl = Sibyl::with_words();
    let server = Server::start(&sibyl, &[]);
    let token = format!("authorization: Bearer {}", server.token);
    let begun = message(&server, &[], &request("initialize", hello("2025-06-18")));
    let session = format!("mcp-session-id: {}", begun.header("mcp-session-id"));
    let send = |method: &str, more: &[&str]| {
        server
            .exchange(
                method,
                "/mcp",
                &[&[token.as_str(), "accept: text/event-stream"][..], more].concat(),
                b"",
            )
            .status
    };
    let other = "mcp-session-id: 00000000-0000-0000-0000-000000000000";
    assert_eq!([send("GET", &[]), send("DELETE", &[])], [400, 400], "no session is named");
    assert_eq!([send("GET", &[other]), send("DELETE", &[other])], [404, 404], "there is none of that name");
    assert_eq!([send("PUT", &[&session]), send("PATCH", &[&session])], [405, 405]);
    assert_eq!(send("DELETE", &[&session]), 204);
    assert_eq!([send("DELETE", &[&session]), send("GET", &[&session])], [404, 404]);
    assert_eq!(message(&server, &[&session], &request("tools/list", json!({}))).status, 404);
}

#[test]
fn what_is_no_message_is_answered() {
    let sibyl = Sibyl::with_words();
    let server = Server::start(&sibyl, &[]);
    let mut mcp = Mcp::start(&sibyl, &[]);
    for (line, id, code) in [
        ("{", Value::Null, -32_700),
        ("nonsense", Value::Null, -32_700),
        ("[]", Value::Null, -32_600),
        ("{\"jsonrpc\":\"2.0\",\"id\":4}", json!(4), -32_600),
        ("{\"id\":4,\"method\":\"ping\"}", json!(4), -32_600),
    ] {
        let answer = message(&server, &[], line);
        for told in [answer.json(), mcp.line(line.as_bytes())] {
            assert_eq!((&told["id"], &told["error"]["code"]), (&id, &json!(code)), "{line}: {told}");
            assert!(!told["error"]["message"].as_str().unwrap().is_empty());
        }
        assert_eq!(answer.status, 400, "{line}");
    }
    assert_eq!(list(&mcp.ask("tools/list", json!({})), "tools").len(), 12, "it goes on");
}

#[test]
fn a_wrong_argument_is_named() {
    let sibyl = Sibyl::with_words();
    let mut mcp = Mcp::start(&sibyl, &[]);
    for (tool, arguments, name) in [
        ("rag_lookup", json!({ "query": 5 }), "query"),
        ("rag_lookup", json!({ "query": "a", "source_types": "report" }), "source_types"),
        ("rag_lookup", json!({ "query": "a", "top_k": "5" }), "top_k"),
        ("rag_lookup", json!({ "query": "a", "top_k": 0 }), "top_k"),
        ("search_laws", json!({ "query": "a", "limit": -1 }), "limit"),
        ("search_laws", json!({ "query": "a", "contentType": "report" }), "contentType"),
        ("search_laws", json!({ "query": "a", "max_tokens": 1.5 }), "max_tokens"),
        ("search_company_files", json!({ "limit": 5 }), "query"),
        ("get_paragraph", json!({ "id": 14 }), "id"),
        ("ask", json!({ "question": ["a"] }), "question"),
        ("ask", json!({ "question": "a", "depth": 2 }), "depth"),
    ] {
        let refused = mcp.tool(tool, arguments.clone());
        assert_eq!(refused["isError"], true, "{tool} {arguments}");
        assert!(told(&refused).contains(&format!("`{name}`")), "{tool} {arguments}: {}", told(&refused));
    }
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
    let program = sibyl_tests::built("sibyl");
    official_client(&sibyl, &["stdio", text(&program), "mcp"]);
    let server = Server::start(&sibyl, &[]);
    official_client(&sibyl, &["http", &format!("http://{}", server.address), &server.token]);
}
