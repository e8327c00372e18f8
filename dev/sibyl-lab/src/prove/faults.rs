//! A provider that fails in embedding, reranking and chat: nothing is lost, nothing wrong is stored, and the
//! failure is reported.

use super::world::{DIMENSIONS, DOCUMENTS, QUERY, QUESTION, WORKSPACE, World, rows, text, write};
use super::{Proof, Tried};
use crate::random::Random;
use serde_json::{Value, json};
use sibyl_engine::store::{Place, hash, open};
use sibyl_loopback::Behaviour::{self, *};
use sibyl_tests::library::Opened;
use sibyl_tests::program::Sibyl;
use std::collections::{HashMap, HashSet};
use std::time::Duration;

pub(super) const PROOF: Proof = Proof {
    name: "faults",
    claim: "Whatever a provider does instead of its duty, nothing is lost, nothing wrong is stored, and it is said.",
    count: 150,
    run,
};

/// How far a number of a stored vector may be from the one that was sent.
const TOLERANCE: f32 = 1e-5;

fn run(count: u64, first: u64) -> Tried {
    let world = World::made();
    let mut tried = Tried::default();
    for seed in first..first + count {
        let mut random = Random::new(seed);
        let (kind, behaviour, faults) = match seed % 3 {
            0 => embed(&world, seed, &mut random),
            1 => rerank(&world, &mut random),
            _ => chat(&world, &mut random),
        };
        tried.count(kind);
        tried
            .faults
            .extend(faults.into_iter().map(|fault| format!("seed {seed}, {kind}, {behaviour:?}: {fault}")));
        world.quick();
        // Behaviours that were not used do not carry over to the next case.
        world.provider.forget_next();
    }
    tried
}

/// What can go wrong with every request. Tests of the clients cover a provider that is silent for longer than the
/// time limits, because they can shorten these.
fn common(random: &mut Random) -> Behaviour {
    let behaviours = [
        Drop,
        DropHalfway,
        Drip(Duration::from_millis(3)),
        Slow(Duration::from_millis(400)),
        TooMany { retry_after: Some("0".to_owned()) },
        TooMany { retry_after: None },
        Status(500),
        Status(503),
        Status(400),
        Status(401),
        ErrorInBody(503),
        EchoKey,
        NotJson,
    ];
    random.pick(&behaviours).clone()
}

fn embed(world: &World, seed: u64, random: &mut Random) -> (&'static str, Behaviour, Vec<String>) {
    let wrong = [ShortVectors, TooFew, SameIndex, NotANumber, Infinite, Zeros, Shuffled, OtherModel];
    let behaviour = if random.below(3) == 0 { common(random) } else { random.pick(&wrong).clone() };
    let sibyl = world.library();
    let folder = world.case(seed).join("fresh");
    write(&folder, "fresh", seed);
    let mut met: Vec<Behaviour> = (0..random.below(3)).map(|_| Answer).collect();
    met.extend((0..=random.below(4)).map(|_| behaviour.clone()));
    world.provider.next(met);
    let mut faults = Vec::new();
    let run = sibyl.run(&["ingest", text(&folder), "--corpus", "fresh", "--remote", "--json"]);
    let report = run.json();
    let told = report["error"].is_string() || !report["report"]["refused"].to_string().contains("[]");
    if run.code != 0 && !told {
        faults.push(format!("it fails and does not say why: {}", run.out));
    }
    let (right, _) = vectors(&sibyl);
    faults.extend(right);
    let library = Opened::without_models(sibyl.folder());
    let documents = rows(&library, "document.list", json!({ "corpus": "fresh" })).len();
    if documents != DOCUMENTS {
        faults.push(format!("{documents} documents, expected {DOCUMENTS}"));
    }
    drop(library);
    world.provider.forget_next();
    if report["state"] != "done" || run.code != 0 {
        let job = report["job"].to_string();
        let verb = if report["state"] == "done" { "retry" } else { "resume" };
        let again = sibyl.run(&["jobs", verb, &job, "--json"]);
        if again.code != 0 {
            faults.push(format!("it does not go on: {} {}", again.out, again.err));
        }
    }
    let (wrong, lacking) = vectors(&sibyl);
    faults.extend(wrong);
    if lacking > 0 {
        faults.push(format!("{lacking} chunks lack a vector in the end"));
    }
    ("embedding", behaviour, faults)
}

/// Number of stored vectors that are not those of their texts, and of chunks in the corpus `fresh` without one.
fn vectors(sibyl: &Sibyl) -> (Vec<String>, usize) {
    let library = Opened::without_models(sibyl.folder());
    let mut texts = HashMap::new();
    let fresh: HashSet<String> = rows(&library, "document.list", json!({ "corpus": "fresh" }))
        .iter()
        .map(|row| row["id"].to_string())
        .collect();
    for document in rows(&library, "document.list", json!({})) {
        for chunk in rows(&library, "chunk.list", json!({ "document": document["id"] })) {
            let words = chunk["row"]["text"].as_str().unwrap_or_default().to_owned();
            texts.insert(hash(words.as_bytes()), (words, fresh.contains(&document["id"].to_string())));
        }
    }
    drop(library);
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    let stored = runtime.block_on(async {
        let store = open(Place::named(sibyl.folder()))?;
        let mut all = HashMap::new();
        for space in store.spaces().await? {
            all.extend(store.vectors_of_space(&space.id).await?);
        }
        Ok::<_, sibyl_engine::store::Error>(all)
    });
    let stored = match stored {
        Ok(stored) => stored,
        Err(error) => return (vec![format!("the vectors cannot be read: {error}")], 0),
    };
    let (mut wrong, mut lacking) = (Vec::new(), 0);
    for (key, (words, fresh)) in &texts {
        let Some(found) = stored.get(key) else {
            lacking += usize::from(*fresh);
            continue;
        };
        let right = sibyl_loopback::vector(words, DIMENSIONS);
        let far = found.iter().zip(&right).any(|(a, b)| (a - b).abs() > TOLERANCE);
        if found.len() != right.len() || far {
            wrong.push(format!(
                "a vector is not that of its text: {}",
                words.chars().take(60).collect::<String>()
            ));
        }
    }
    (wrong, lacking)
}

fn rerank(world: &World, random: &mut Random) -> (&'static str, Behaviour, Vec<String>) {
    let wrong = [TooFew, SameIndex, NotANumber, Zeros, Shuffled];
    let behaviour = if random.below(2) == 0 { common(random) } else { random.pick(&wrong).clone() };
    let sibyl = world.library();
    let url = world.provider.url();
    set(&sibyl, &[("rerank_base_url", &url), ("rerank_time_limit", "2")]);
    let search = |more: &[&str]| {
        sibyl
            .run(&[&["search", QUERY, "--corpus", "weirs", "--mode", "keyword", "--json"][..], more].concat())
    };
    let plain = search(&[]);
    world.provider.always(behaviour.clone());
    let reranked = search(&["--rerank"]);
    let mut faults = Vec::new();
    let ids = |answer: &Value| -> Vec<String> {
        let results = answer["results"].as_array().cloned().unwrap_or_default();
        let mut ids: Vec<String> = results.iter().map(|hit| hit["chunk_id"].to_string()).collect();
        ids.sort_unstable();
        ids
    };
    let harmless = matches!(behaviour, Shuffled | Drip(_) | Slow(_) | Zeros);
    let (before, after) = (ids(&plain.json()), ids(&reranked.json()));
    // Who is reranked well may bring others among the first.
    let lost = if harmless { before.len() != after.len() } else { before != after };
    if reranked.code != 0 || lost {
        faults.push(format!(
            "the search is lost: {} {}",
            reranked.out.chars().take(200).collect::<String>(),
            reranked.err
        ));
    }
    let said = reranked.json()["trace"]["notices"].to_string();
    if !harmless && !said.contains("rerank") {
        faults.push(format!("nobody is told: {said}"));
    }
    ("reranking", behaviour, faults)
}

fn chat(world: &World, random: &mut Random) -> (&'static str, Behaviour, Vec<String>) {
    let half = || "Part 2 of weirs number 1 says [Citation 1]. And then it".to_owned();
    let wrong = [
        Hang,
        SayThenHang(half()),
        SayThenDrop(half()),
        SayThenRubbish(half()),
        SayThenError(half()),
        SayThenStop(half(), "length".to_owned()),
        Say(String::new()),
        Say("The moon is made of cheese [Citation 42].".to_owned()),
        Endless,
    ];
    let behaviour = if random.below(4) == 0 { common(random) } else { random.pick(&wrong).clone() };
    let sibyl = world.library();
    let url = world.provider.url();
    let patience = [("chat_first_token", "1"), ("chat_silence", "1"), ("remote_embedding", "false")];
    set(&sibyl, &[&[("chat_base_url", &*url), ("answer_generator", "chat")][..], &patience].concat());
    let logged = |sibyl: &Sibyl| {
        let library = Opened::without_models(sibyl.folder());
        rows(&library, "answer.log.list", json!({}))
    };
    let before = logged(&sibyl).len();
    world.provider.always(behaviour.clone());
    let run = sibyl.run(&["ask", QUESTION, "--json"]);
    let mut faults = Vec::new();
    let outcome = run.json()["outcome"].clone();
    let harmless =
        matches!(behaviour, Drip(_) | Slow(_) | TooMany { .. } | Status(500 | 503) | ErrorInBody(503));
    if !harmless && outcome == "complete" {
        faults.push(format!("it is told as complete: {}", run.out.chars().take(300).collect::<String>()));
    }
    if outcome != "complete" && run.code == 0 && outcome != "refused" {
        faults.push(format!("it ends with 0, though it is {outcome}"));
    }
    let after = logged(&sibyl);
    if after.len() != before + 1 || after.first().is_some_and(|entry| entry["outcome"] != outcome) {
        faults.push(format!("the log has {} entries after {before}, and not {outcome}", after.len()));
    }
    ("chat", behaviour, faults)
}

fn set(sibyl: &Sibyl, values: &[(&str, &str)]) {
    let library = Opened::without_models(sibyl.folder());
    let number = |value: &str| serde_json::from_str(value).unwrap_or_else(|_| json!(value));
    let values: serde_json::Map<String, Value> =
        values.iter().map(|(name, value)| ((*name).to_owned(), number(value))).collect();
    library.call(WORKSPACE, "settings.set", json!({ "values": values })).expect("settings can be changed");
}
