//! Three workspaces with words of their own: whatever one of them asks through any door, it reads nothing of the others.

use super::{Proof, Tried};
use crate::random::Random;
use serde_json::{Map, Value, json};
use sibyl_tests::library::Opened;
use sibyl_tests::operation::{Operation, operations};
use sibyl_tests::program::Sibyl;
use sibyl_tests::server::{Mcp, Server};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

pub(super) const PROOF: Proof = Proof {
    name: "scopes",
    claim: "No command of a workspace, through any door, tells a word or an id of another workspace.",
    count: 20_000,
    run,
};

/// Workspaces, each with words of its own.
const WORKSPACES: [(&str, [&str; 3]); 3] = [
    ("alder", ["quillwort", "zephyrine", "mangelwurzel"]),
    ("birch", ["thrumwort", "corydaline", "skirretroot"]),
    ("cedar", ["bladderwrack", "anthocyane", "salsifyleaf"]),
];

/// What all of them have word for word, in a file named by a word of its own, present and former.
const EQUAL: [&str; 2] = ["Every sluice closes in May.\n", "Every sluice closes in June.\n"];
/// What is asked about that, so that an answer cites it.
const EQUAL_ASKED: &str = "When does every sluice close?";

/// Commands that change what all workspaces share, or that take long; they are tested elsewhere.
const LEFT_OUT: [&str; 8] = [
    "ingest.start",
    "embed.start",
    "eval.run",
    "eval.matrix_run",
    "eval.matrix",
    "gold.suggest",
    "answer.models",
    "corpus.delete_type",
];

/// What belongs to a workspace.
struct Own {
    /// What no other may read, in lower case: its words, and ids of its chunks.
    secrets: Vec<String>,
    /// What another may name to get at it.
    names: Vec<String>,
    numbers: Vec<i64>,
}

struct World {
    library: Opened,
    servers: Vec<Server>,
    agents: Vec<Mcp>,
    operations: Vec<Operation>,
    types: Map<String, Value>,
    own: Vec<Own>,
    /// Its folders, which go with it.
    _folders: (Sibyl, TempDir),
}

/// What ships in these cases: a little of what all workspaces share, so that a case is quick.
const SHARED: [&str; 3] = ["ifrs/s1_full.md", "ifrs/s1_s2_mapping.json", "sasb/airlines.md"];

fn made() -> World {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let shipped = folder.path().join("shipped");
    for file in SHARED {
        let to = shipped.join(file);
        to.parent().map_or(Ok(()), std::fs::create_dir_all).expect("a folder");
        std::fs::copy(sibyl_tests::root().join("data").join(file), to).expect("a copy of what ships");
    }
    let sibyl = Sibyl::fresh().env("SIBYL_SHIPPED_DIR", &shipped.display().to_string());
    sibyl.json(&["ingest", "--no-embed"]);
    for (name, [plant, colour, root]) in WORKSPACES {
        sibyl.json(&["workspace", "create", name]);
        let notes = folder.path().join(format!("{name}-notes"));
        std::fs::create_dir_all(&notes).expect("a folder");
        for part in 0..4 {
            let text = format!(
                "# {plant} plan {part}\n\nThe {plant} target of {root} is {colour} by 2030.\n\nThe board sees to it.\n"
            );
            std::fs::write(notes.join(format!("plan-{part}.md")), text).expect("a file");
        }
        std::fs::write(equal(folder.path(), name, plant), EQUAL[0]).expect("a file");
        let report = folder.path().join(format!("{name}-2024.md"));
        let text = format!("# {plant} 2024\n\n## Water\n\nThe {colour} weir drew 42 megalitres.\n");
        std::fs::write(&report, text).expect("a file");
        let path = |path: &std::path::Path| path.display().to_string();
        sibyl.json(&["ingest", &path(&notes), "--workspace", name, "--no-embed"]);
        let id = format!("{name}-report");
        let words = ["--source-type", "report", "--report-id", &id, "--workspace", name, "--no-embed"];
        sibyl.json(&[&["ingest", &path(&report)][..], &words].concat());
    }
    let library = Opened::without_models(sibyl.folder());
    let own = WORKSPACES.iter().map(|(name, words)| owned(&library, name, words)).collect();
    // Each now has a former text that one of its own answers cites, and that is stored once for all.
    for (name, [plant, ..]) in WORKSPACES {
        let file = equal(folder.path(), name, plant);
        std::fs::write(&file, EQUAL[1]).expect("a file");
        let notes = file.parent().map(|notes| notes.display().to_string()).unwrap_or_default();
        sibyl.json(&["ingest", &notes, "--workspace", name, "--no-embed"]);
    }
    let start =
        |name: &str| Server::start(&sibyl, &["--allow", "spend", "--rate", "1000000", "--workspace", name]);
    let mut servers: Vec<Server> = WORKSPACES.iter().map(|(name, _)| start(name)).collect();
    let token = servers[0].token.clone();
    servers.iter_mut().for_each(|server| server.token.clone_from(&token));
    let agents = WORKSPACES.iter().map(|(name, _)| Mcp::start(&sibyl, &["--workspace", name])).collect();
    let (operations, types) = operations(&servers[0]);
    World { library, servers, agents, operations, types, own, _folders: (sibyl, folder) }
}

/// The file of a workspace whose text every workspace has.
fn equal(folder: &Path, workspace: &str, plant: &str) -> PathBuf {
    folder.join(format!("{workspace}-notes")).join(format!("{plant}-sluices.md"))
}

/// Makes things that belong to `workspace`, and names them.
fn owned(library: &Opened, workspace: &str, words: &[&str; 3]) -> Own {
    let [plant, colour, root] = words;
    let call = |command: &str, input: Value| {
        library.call(workspace, command, input).unwrap_or_else(|error| panic!("{command}: {error}"))
    };
    let mut own = Own {
        secrets: words.iter().map(|word| (*word).to_owned()).collect(),
        names: ["notes", "report", "gold"].map(|what| format!("{workspace}-{what}")).to_vec(),
        numbers: Vec::new(),
    };
    let corpus = format!("{workspace}-notes");
    let mut chunks = Vec::new();
    for document in call("document.list", json!({ "corpus": corpus })).as_array().into_iter().flatten() {
        own.numbers.extend(document["id"].as_i64());
        if document["path"].as_str().is_some_and(|path| path.ends_with("sluices.md")) {
            // All have this version. Whoever names it may read its words, but not another's name for it.
            own.names.extend(document["text_version"].as_str().map(str::to_owned));
            continue;
        }
        let stored = call("chunk.list", json!({ "document": document["id"] }));
        let ids =
            stored.as_array().into_iter().flatten().filter_map(|chunk| chunk["row"]["chunk_id"].as_str());
        chunks.extend(ids.map(str::to_owned));
    }
    // A workspace may be shown what it sent itself: one id is named by others, and the rest is known to nobody.
    let named = chunks.pop().expect("a workspace has chunks of its own");
    call("phrasing.add", json!({ "id": named, "phrase": format!("{plant} season") }));
    own.names.push(named);
    assert!(!chunks.is_empty(), "{workspace} has one chunk only");
    own.secrets.extend(chunks);
    let run = call("search.record", json!({ "query": plant, "mode": "keyword" }));
    own.numbers.extend(run["run"].as_i64());
    let asked = call("answer.ask", json!({ "question": format!("What is the {plant} target of {root}?") }));
    own.numbers.extend(asked["id"].as_i64());
    let cited = call("answer.ask", json!({ "question": EQUAL_ASKED, "filters": { "corpora": [corpus] } }));
    assert!(!cited["citations"].as_array().is_none_or(Vec::is_empty), "{workspace} cites nothing: {cited}");
    own.numbers.extend(cited["id"].as_i64());
    let entry = call("thesaurus.put", json!({ "corpus": corpus, "term": plant, "expansion": colour }));
    own.numbers.extend(entry["id"].as_i64());
    let set = format!("{workspace}-gold");
    call("gold.put_query", json!({ "set": set, "query": format!("{plant} target") }));
    for job in call("job.list", json!({})).as_array().into_iter().flatten() {
        own.numbers.extend(job["id"].as_i64());
    }
    own
}

/// `value` with texts and numbers of others in some places.
fn aimed(value: Value, random: &mut Random, others: &[&Own]) -> Value {
    let other = *random.pick(others);
    match value {
        Value::String(_) if random.below(2) == 0 => random.pick(&other.names).as_str().into(),
        Value::Number(number) if number.is_i64() && random.below(2) == 0 => {
            (*random.pick(&other.numbers)).into()
        }
        Value::Array(values) => values.into_iter().map(|value| aimed(value, random, others)).collect(),
        Value::Object(fields) => Value::Object(
            fields.into_iter().map(|(name, value)| (name, aimed(value, random, others))).collect(),
        ),
        value => value,
    }
}

fn run(count: u64, first: u64) -> Tried {
    let mut world = made();
    let mut tried = Tried::default();
    for seed in first..first + count {
        let mut random = Random::new(seed);
        let caller = random.below(WORKSPACES.len());
        let (kind, asked, told) = asked(&mut world, &mut random, caller);
        tried.count(&kind);
        let told = told.to_lowercase();
        let others = world.own.iter().enumerate().filter(|(at, _)| *at != caller);
        let leaks = others.flat_map(|(_, own)| &own.secrets).filter(|secret| told.contains(secret.as_str()));
        let who = WORKSPACES[caller].0;
        tried.faults.extend(
            leaks.map(|secret| format!("seed {seed}, {kind} of {who} tells `{secret}`: {asked} → {told}")),
        );
    }
    tried
}

/// Sends a request through one of the doors; returns its kind, the request and the answer.
fn asked(world: &mut World, random: &mut Random, caller: usize) -> (String, String, String) {
    let others: Vec<&Own> =
        world.own.iter().enumerate().filter(|(at, _)| *at != caller).map(|(_, own)| own).collect();
    if random.below(4) == 0 {
        return agent(random, &others, &mut world.agents[caller]);
    }
    let operation = loop {
        let operation = random.pick(&world.operations);
        let destroys = operation.method == "DELETE";
        // Later cases miss what a workspace deletes of its own.
        if !LEFT_OUT.iter().any(|name| operation.command == Some(name))
            && (!destroys || random.below(10) == 0)
        {
            break operation;
        }
    };
    let input = aimed(operation.fit(&world.types, random.next()), random, &others);
    match operation.command {
        Some(command) if random.below(2) == 0 => {
            let told = match world.library.call(WORKSPACES[caller].0, command, input.clone()) {
                Ok(told) => told.to_string(),
                Err(error) => error.to_string(),
            };
            ("in the program".to_owned(), format!("{command} {input}"), told)
        }
        _ => {
            let answer = operation.send(&world.servers[caller], &input);
            ("over HTTP".to_owned(), format!("{} {input}", operation.id), answer.body)
        }
    }
}

fn agent(random: &mut Random, others: &[&Own], mcp: &mut Mcp) -> (String, String, String) {
    let other = *random.pick(others);
    let (name, number) = (random.pick(&other.names).clone(), *random.pick(&other.numbers));
    let query = *random.pick(&["target", "board", "weir water", "2030", "plan"]);
    let (method, params) = match random.below(9) {
        0 => (
            "tools/call",
            json!({ "name": "rag_lookup", "arguments": { "query": query, "paragraph_id": name } }),
        ),
        1 => ("tools/call", json!({ "name": "rag_lookup", "arguments": { "query": query } })),
        2 => ("tools/call", json!({ "name": "search_company_files", "arguments": { "query": query } })),
        3 => ("tools/call", json!({ "name": "get_paragraph", "arguments": { "id": name } })),
        4 => ("tools/call", json!({ "name": "list_reports", "arguments": {} })),
        5 => (
            "tools/call",
            json!({ "name": "ask", "arguments": { "question": format!("Which {query} is met?") } }),
        ),
        6 => ("resources/read", json!({ "uri": format!("sibyl://documents/{number}") })),
        7 => ("resources/list", json!({})),
        _ => ("prompts/get", json!({ "name": "review_report", "arguments": { "report_id": name } })),
    };
    let (answer, on_the_way) = mcp.exchange(method, params.clone());
    let told: Vec<String> = on_the_way.iter().chain([&answer]).map(Value::to_string).collect();
    ("over MCP".to_owned(), format!("{method} {params}"), told.join("\n"))
}
