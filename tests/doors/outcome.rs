//! Every door gives the same reply to a question: how it ended, what the check found, what was removed, and where
//! each quote is.

use crate::{list, text, write};
use serde_json::{Value, json};
use sibyl_api::Reply;
use sibyl_loopback::{Behaviour, Options, Provider};
use sibyl_tests::library::Opened;
use sibyl_tests::program::Sibyl;
use sibyl_tests::server::{Mcp, Server};

const HANDBOOK: &str = "# Harbour handbook\n\n## Board\n\nThe board oversees climate matters.\n\n\
    ## Cranes\n\nTwelve cranes were repainted by the harbour in May.\n";
const QUESTION: &str = "Who oversees climate matters?";
const TRUE: &str = "The board oversees climate matters [Citation 1].";
const INVENTED: &str = "It met nineteen times last year [Citation 42].";

/// A library with a chat model on this machine, and every door to it.
struct Desk {
    sibyl: Sibyl,
    provider: Provider,
    window: Opened,
    server: Server,
    agent: Mcp,
    _folder: tempfile::TempDir,
}

/// The reply of one door: the value, and how it was expressed.
struct Told {
    door: &'static str,
    reply: Value,
    how: String,
}

impl Desk {
    fn open() -> Self {
        let sibyl = Sibyl::fresh_with_words();
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), "handbook.md", HANDBOOK);
        sibyl.json(&["ingest", text(folder.path()), "--no-embed"]);
        let provider = Provider::start(Options::default()).unwrap();
        for (name, value) in
            [("answer_generator", "chat"), ("chat_base_url", &provider.url()), ("answer_threshold", "30")]
        {
            assert_eq!(sibyl.run(&["settings", name, value]).code, 0);
        }
        let window = Opened::at(sibyl.folder());
        let (server, agent) = (Server::start(&sibyl, &[]), Mcp::start(&sibyl, &[]));
        Self { sibyl, provider, window, server, agent, _folder: folder }
    }

    /// The reply of each door if the model behaves like this.
    fn ask(&mut self, behaviour: Behaviour) -> Vec<Told> {
        self.provider.always(behaviour);
        let question = json!({ "question": QUESTION });
        let told = |door, answer: &Value, how: String| {
            let reply: Reply = serde_json::from_value(answer.clone())
                .unwrap_or_else(|error| panic!("{door}: {error}: {answer}"));
            Told { door, reply: json!(reply), how }
        };
        let window = self.window.call("default", "answer.ask", question.clone()).unwrap();
        let rest = self.server.post("/api/v1/ask", &question);
        let service = self.server.post("/query", &json!({ "query": QUESTION }));
        let tool = self.agent.tool("ask", question);
        let run = self.sibyl.run(&["ask", QUESTION, "--json"]);
        let outcome = service.header("sibyl-outcome").to_owned();
        let mut all = vec![
            told("window", &window, String::new()),
            told("rest", &rest.json(), rest.status.to_string()),
            told("mcp", &tool["structuredContent"], tool["isError"].to_string()),
            told("cli", &run.json(), run.code.to_string()),
        ];
        assert_eq!(outcome, all[0].reply["outcome"].as_str().unwrap(), "the header of /query");
        if service.body == NOT_FOUND {
            assert_eq!(
                (&all[0].reply["refusal"], &all[0].reply["removed"]),
                (&json!("not_found"), &json!([]))
            );
        } else {
            all.push(told("query", &service.json(), service.status.to_string()));
        }
        all
    }

    /// The one value that all doors give, and how each expresses it.
    fn agreed(&mut self, behaviour: Behaviour) -> (Value, Vec<(&'static str, String)>) {
        let told = self.ask(behaviour.clone());
        for one in &told[1..] {
            assert_eq!(one.reply, told[0].reply, "{} and {} after {behaviour:?}", told[0].door, one.door);
        }
        let how = told.iter().map(|one| (one.door, one.how.clone())).collect();
        (told[0].reply.clone(), how)
    }
}

/// FR-018 of document 003, to the letter.
const NOT_FOUND: &str =
    r#"{"answer":null,"citations":[],"message":"Information not found in the knowledge base."}"#;

fn said(text: &str) -> Behaviour {
    Behaviour::Say(text.to_owned())
}

/// How the doors express an outcome: status of REST, error of MCP, exit code, status of `/query`.
fn how(rest: u16, mcp: bool, cli: i32, query: u16) -> Vec<(&'static str, String)> {
    vec![
        ("window", String::new()),
        ("rest", rest.to_string()),
        ("mcp", mcp.to_string()),
        ("cli", cli.to_string()),
        ("query", query.to_string()),
    ]
}

#[test]
fn every_door_tells_the_same_of_an_answer() {
    let mut desk = Desk::open();

    let (reply, told) = desk.agreed(said(TRUE));
    assert_eq!(
        (&reply["outcome"], &reply["refusal"], &reply["fault"]),
        (&json!("complete"), &Value::Null, &Value::Null)
    );
    assert_eq!(told, how(200, false, 0, 200));
    let sure = reply["confidence"].as_f64().unwrap();
    assert!(sure > 0.0 && reply["removed"] == json!([]), "{reply}");
    let citation = &reply["citations"][0];
    assert_eq!(citation["quote"], "The board oversees climate matters.");
    assert_eq!(citation["section"], json!(["Harbour handbook", "Board"]));
    let start = HANDBOOK.find("The board").unwrap();
    assert_eq!(citation["span"], json!([start, start + "The board oversees climate matters.".len()]));

    // An invented citation.
    let (reply, told) = desk.agreed(said(&format!("{TRUE} {INVENTED}")));
    assert_eq!((&reply["outcome"], told), (&json!("complete"), how(200, false, 0, 200)));
    let checks: Vec<&Value> = list(&reply, "sentences").iter().map(|sentence| &sentence["check"]).collect();
    assert_eq!(checks, ["verified", "unsupported"]);
    assert_eq!(
        reply["removed"],
        json!([{ "kind": "invented_citation", "text": "[Citation 42]", "sentence": 1 }])
    );
    assert!(reply["answer"].as_str().unwrap().ends_with("last year. [Unsupported]"), "{reply}");
    let unsure = reply["confidence"].as_f64().unwrap();
    assert!((unsure - sure / 2.0).abs() < 1e-9, "{unsure} is not half of {sure}");

    // Cut: the model ran out of room, or the connection broke.
    let begun = format!("{TRUE} {INVENTED} Its chair is");
    for (behaviour, code) in [
        (Behaviour::SayThenStop(begun.clone(), "length".to_owned()), "chat_too_long"),
        (Behaviour::SayThenDrop(begun.clone()), "chat_cut"),
        (Behaviour::SayThenError(begun), "chat_failed"),
    ] {
        let (reply, told) = desk.agreed(behaviour);
        assert_eq!((&reply["outcome"], &reply["fault"]["code"]), (&json!("incomplete"), &json!(code)));
        assert_eq!(told, how(200, false, 6, 200));
        let checks: Vec<&Value> =
            list(&reply, "sentences").iter().map(|sentence| &sentence["check"]).collect();
        assert_eq!(checks, ["verified", "unsupported", "unsupported"]);
        assert_eq!(reply["removed"][0]["text"], "[Citation 42]");
        assert!(!matches!(reply["band"].as_str(), Some("high" | "medium")), "{reply}");
    }
}

#[test]
fn every_door_tells_the_same_where_there_is_no_answer() {
    let mut desk = Desk::open();
    let (reply, told) = desk
        .agreed(said("I don't have enough information in the provided disclosures to answer that question."));
    assert_eq!((&reply["outcome"], &reply["refusal"]), (&json!("refused"), &json!("not_found")));
    assert_eq!((&reply["answer"], &reply["confidence"]), (&Value::Null, &json!(0.0)));
    assert_eq!(told, how(200, false, 4, 200)[..4], "the body of /query is that of FR-018");

    let (reply, told) = desk.agreed(said("I cannot help with that request."));
    assert_eq!((&reply["outcome"], &reply["refusal"]), (&json!("refused"), &json!("declined")));
    assert_eq!(told, how(200, false, 5, 200));
    assert_eq!(
        reply["removed"],
        json!([{ "kind": "sentence", "text": "I cannot help with that request.", "sentence": null }])
    );

    let filtered = Behaviour::SayThenStop(String::new(), "content_filter".to_owned());
    let (reply, told) = desk.agreed(filtered);
    assert_eq!((&reply["refusal"], &reply["fault"]["code"]), (&json!("declined"), &json!("chat_refused")));
    assert_eq!(told, how(200, false, 5, 200));

    let (reply, told) = desk.agreed(Behaviour::Status(401));
    assert_eq!(
        (&reply["outcome"], &reply["fault"]["code"]),
        (&json!("faulted"), &json!("chat_unauthorised"))
    );
    assert_eq!(told, how(200, true, 1, 502));
    let service = desk.server.post("/query", &json!({ "query": QUESTION }));
    assert_eq!(service.code(), "chat_unauthorised", "{}", service.body);
}

#[test]
fn what_a_person_reads_tells_it_too() {
    let mut desk = Desk::open();
    desk.provider
        .always(Behaviour::SayThenStop(format!("{TRUE} {INVENTED} Its chair is"), "length".to_owned()));
    let run = desk.sibyl.run(&["ask", QUESTION]);
    let tool = desk.agent.tool("ask", json!({ "question": QUESTION }));
    let told = tool["content"][0]["text"].as_str().unwrap();
    for words in ["last year. [Unsupported]", "[Citation 42]", "Harbour handbook, Board"] {
        assert!(run.out.contains(words), "{words}: {}", run.out);
        assert!(told.contains(words), "{words}: {told}");
    }
    assert!(run.out.contains("incomplete: the model ran out of room") && run.code == 6, "{}", run.out);
    assert!(told.contains("Outcome: incomplete."), "{told}");
    let help = desk.sibyl.run(&["ask", "--help"]).out;
    assert!(help.contains("Exit status: 0 complete, 4 nothing was found"), "{help}");
    // Nothing was asked, and nothing is there.
    assert_eq!(desk.sibyl.run(&["ask", "hello"]).code, 5);
    assert_eq!(desk.sibyl.run(&["ask", "Nebuchadnezzar?"]).code, 4);
}
