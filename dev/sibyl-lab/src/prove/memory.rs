//! A day's work in one server: its memory, its open files and its threads stay constant.

use super::world::{QUESTION, World, text, write};
use super::{Proof, Tried};
use crate::random::Random;
use serde_json::{Value, json};
use sibyl_tests::server::Server;
use std::time::Duration;

pub(super) const PROOF: Proof = Proof {
    name: "memory",
    claim: "After a day's work the server holds no more memory (within 10 %), open files and threads than after its first hours.",
    count: 12_550,
    run,
};

/// Searches, documents, answers and matrices in a day of [`Proof::count`] cases.
const DAY: [usize; 4] = [10_000, 2_000, 500, 50];
/// Number of documents present at a time: later ones replace earlier ones, as reports of a new year do.
const PLACES: usize = 100;
/// How often it is measured.
const SAMPLES: u64 = 48;
/// Number of parts of the day that are reported separately.
const PARTS: usize = 12;
/// Threads, and files of theirs, that come and go with what is asked at once.
const POOL: u64 = 8;
/// Growth that counts as none: an allocator's reserve differs by this much between runs, in KiB.
const SLACK: u64 = 4 * 1024;

/// The resources of a process.
#[derive(Debug, Clone, Copy, Default)]
struct Held {
    /// Its private memory, in KiB: without the pages of files, which the system can take back.
    own: u64,
    /// All of its memory, in KiB.
    all: u64,
    files: u64,
    threads: u64,
}

fn run(count: u64, first: u64) -> Tried {
    let world = World::made();
    world.quick();
    let mut tried = Tried::default();
    let sibyl = world.library();
    // All may be sent to the model, and has its vectors.
    write(&world.folder("day"), "day", 0);
    for topic in ["sluices", "day"] {
        sibyl.json(&["ingest", text(&world.folder(topic)), "--corpus", topic, "--remote"]);
    }
    let server = Server::start(&sibyl, &["--allow", "spend", "--rate", "1000000"]);
    let mut samples = Vec::new();
    let every = (count / SAMPLES).max(1);
    for seed in first..first + count {
        let mut random = Random::new(seed);
        let mut at = random.below(DAY.iter().sum());
        let mut kind = 0;
        while at >= DAY[kind] {
            at -= DAY[kind];
            kind += 1;
        }
        let (name, done) = match kind {
            0 => ("search", search(&server, &mut random)),
            1 => ("document", document(&world, &server, seed, &mut random)),
            2 => ("answer", answer(&server, &mut random)),
            _ => ("matrix", matrix(&server, &mut random)),
        };
        tried.count(name);
        tried.faults.extend(done.map(|fault| format!("seed {seed}, {name}: {fault}")));
        if (seed - first) % every == every - 1 {
            samples.push(held(server.id()));
        }
        // Its list of requests is memory of this program.
        world.provider.forget();
    }
    judge(&samples, &mut tried);
    tried
}

/// Compares the second quarter with the last.
fn judge(samples: &[Held], tried: &mut Tried) {
    let quarter = samples.len() / 4;
    if quarter == 0 || samples.iter().all(|sample| sample.all == 0) {
        tried.notes.push("not measured: too few cases, or a system without /proc".to_owned());
        return;
    }
    let (early, late) = (&samples[quarter..2 * quarter], &samples[samples.len() - quarter..]);
    for (name, unit, value) in [
        ("memory of its own", "KiB", (|held: &Held| held.own) as fn(&Held) -> u64),
        ("all memory, with pages of files", "KiB", |held| held.all),
        ("open files", "", |held| held.files),
        ("threads", "", |held| held.threads),
    ] {
        let (before, after) = (median(early, value), median(late, value));
        let way: Vec<String> = samples
            .chunks(samples.len().div_ceil(PARTS))
            .map(|part| median(part, value).to_string())
            .collect();
        let line =
            format!("{name}: {before} {unit} in the second quarter, {after} in the last; {}", way.join(", "));
        let slack = before / 10 + if unit.is_empty() { POOL } else { SLACK };
        // Pages of files grow with the library, and are the system's.
        if !name.starts_with("all") && after > before + slack {
            tried.faults.push(line.clone());
        }
        tried.notes.push(line);
    }
}

fn median(samples: &[Held], value: fn(&Held) -> u64) -> u64 {
    let mut values: Vec<u64> = samples.iter().map(value).collect();
    values.sort_unstable();
    values[values.len() / 2]
}

/// The resources of the process `id`; `None` if the system does not say.
fn held(id: u32) -> Held {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let number = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
        line.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap_or_default()
    };
    let files = std::fs::read_dir(format!("/proc/{id}/fd")).map_or(0, |entries| entries.count() as u64);
    Held { own: number("RssAnon:"), all: number("VmRSS:"), files, threads: number("Threads:") }
}

fn expect(server: &Server, path: &str, body: &Value) -> Option<String> {
    let answer = server.post(path, body);
    (answer.status != 200).then(|| format!("{path}: {} {}", answer.status, answer.body))
}

fn words(random: &mut Random) -> String {
    let part = 1 + random.below(5);
    let topic = *random.pick(&["weirs", "sluices", "inbox", "day"]);
    let number = random.below(1_000);
    format!("part {part} of {topic} number {number}")
}

fn search(server: &Server, random: &mut Random) -> Option<String> {
    let mode = *random.pick(&["hybrid", "keyword", "semantic"]);
    expect(server, "/api/v1/search", &json!({ "query": words(random), "mode": mode }))
}

fn answer(server: &Server, random: &mut Random) -> Option<String> {
    expect(server, "/api/v1/ask", &json!({ "question": format!("{QUESTION} And {}?", words(random)) }))
}

fn document(world: &World, server: &Server, seed: u64, random: &mut Random) -> Option<String> {
    let folder = world.case(seed);
    write(&folder, "day", seed);
    let bytes = std::fs::read(folder.join("1.md")).expect("a file that was written");
    let path = format!("/api/v1/uploads?name=day-{}.md&corpus=day", random.below(PLACES));
    let Some(taken) = server.attempt("POST", &path, &bytes).filter(|taken| taken.status == 202) else {
        return Some("the upload is refused".to_owned());
    };
    let job = taken.json()["id"].to_string();
    loop {
        let state = server.get(&format!("/api/v1/jobs/{job}"))["state"].clone();
        match state.as_str() {
            Some("done") => return None,
            Some("queued" | "running") => std::thread::sleep(Duration::from_millis(5)),
            _ => return Some(format!("its job is {state}")),
        }
    }
}

fn matrix(server: &Server, random: &mut Random) -> Option<String> {
    let settings = json!({ "chunk_size": 500 + random.below(1_000), "chunk_overlap": 0 });
    let plan = json!({
        "set": "gold", "corpora": ["weirs"],
        "rows": [{ "name": "now" }, { "name": "other", "strategy": "recursive", "settings": settings }],
        "columns": [
            { "name": "words", "search": { "mode": "keyword" } },
            { "name": "meaning", "search": { "mode": "semantic" } },
        ],
    });
    expect(server, "/api/v1/matrix/run", &json!({ "plan": plan }))
}
