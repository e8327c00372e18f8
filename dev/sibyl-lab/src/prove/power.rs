//! Power failures: of what was written since the last sync, any part may be missing or torn. The library opens, is
//! sound and has everything that was acknowledged.

mod recording;

use super::world::{WORKSPACE, World, finding, rows, text, write};
use super::{Proof, Tried};
use crate::random::Random;
use recording::{Op, Recording};
use serde_json::{Value, json};
use sibyl_tests::library::Opened;
use std::collections::BTreeMap;
use std::path::Path;

pub(super) const PROOF: Proof = Proof {
    name: "power",
    claim: "When the power fails, whatever was not synced is missing or torn; the library is sound and holds all that was acknowledged.",
    count: 500,
    run,
};

/// Cases that are made of one recording.
const CASES: u64 = 100;
/// Steps of the work that is recorded.
const STEPS: usize = 60;
/// What a drive writes whole or not at all, in bytes.
const SECTOR: usize = 512;

/// Something that was acknowledged.
struct Thing {
    /// The command that lists it, and the words that the list then has.
    list: (&'static str, Value),
    words: String,
    /// Operations that were recorded when it was acknowledged.
    made: usize,
    /// Operations that were recorded before its deletion began, and when that was acknowledged.
    deleted: Option<(usize, usize)>,
}

/// A recorded piece of work.
struct Worked {
    recording: Recording,
    things: Vec<Thing>,
}

/// What became of the writes since the last sync.
#[derive(Clone, Copy)]
enum Fate {
    Dropped,
    /// Each write is kept whole with this probability.
    Some(f64),
    /// Each sector is kept with this probability.
    Torn(f64),
    /// All up to one, which is torn.
    Cut,
    Kept,
}

const FATES: [(&str, Fate); 5] = [
    ("nothing since the last sync", Fate::Dropped),
    ("some of the writes since", Fate::Some(0.5)),
    ("some of the sectors since", Fate::Torn(0.7)),
    ("the writes up to one that is torn", Fate::Cut),
    ("all writes", Fate::Kept),
];

fn run(count: u64, first: u64) -> Tried {
    let world = World::made();
    let mut tried = Tried::default();
    let (mut acknowledged, mut syncs, mut worked) = (0, 0, None);
    for seed in first..first + count {
        if (seed - first).is_multiple_of(CASES) {
            let made = work(&world, seed);
            syncs += made.recording.ops.iter().filter(|op| matches!(op, Op::Sync { .. })).count();
            worked = Some(made);
        }
        let Some(worked) = &worked else { continue };
        let mut random = Random::new(seed);
        let (kind, fate) = *random.pick(&FATES);
        let cut = moment(&worked.recording, &mut random);
        let folder = tempfile::tempdir().expect("a temporary folder");
        left(worked, cut, fate, &mut random, folder.path());
        tried.count(kind);
        let (faults, seen) = found(worked, cut, folder.path());
        acknowledged += seen;
        tried
            .faults
            .extend(faults.into_iter().map(|fault| format!("seed {seed}, {kind}, operation {cut}: {fault}")));
    }
    tried.notes.push(format!("{syncs} syncs recorded, of library and log together"));
    tried.notes.push(format!("{acknowledged} changes had been acknowledged before the power failed"));
    tried
}

/// Works on a copy of the library, and records what is written.
fn work(world: &World, seed: u64) -> Worked {
    let mut random = Random::new(seed);
    let sibyl = world.library();
    world.quick();
    let files = world.case(seed);
    let mut things: Vec<Thing> = Vec::new();
    let recorder = recording::start(sibyl.folder());
    let library = Opened::without_models(sibyl.folder());
    let call = |command: &str, input: Value| {
        library.call(WORKSPACE, command, input).unwrap_or_else(|error| panic!("{command}: {error}"))
    };
    for step in 0..STEPS {
        let name = format!("case{seed}x{step}");
        let (list, words) = match random.below(8) {
            0 => {
                call("review.put", finding(step + 1));
                (("review.list", json!({})), format!("\"S2.{}\"", step + 1))
            }
            1 => {
                call("thesaurus.put", json!({ "term": name, "expansion": "dam" }));
                (("thesaurus.list", json!({})), name)
            }
            2 => {
                call("gold.put_query", json!({ "set": "typed", "query": name }));
                (("gold.get", json!({ "set": "typed" })), name)
            }
            3 => {
                call("answer.ask", json!({ "question": format!("What is {name}?") }));
                (("answer.log.list", json!({ "limit": 1_000 })), name)
            }
            4 if step % 3 == 0 => {
                call("library.compact", json!({}));
                continue;
            }
            5 if step % 3 == 0 => {
                call("library.rebuild", json!({}));
                continue;
            }
            6 => {
                delete(&library, &mut things, &recorder);
                continue;
            }
            _ => {
                write(&files.join(&name), &name, seed);
                let sources = json!([{ "kind": "path", "path": text(&files.join(&name)) }]);
                call("ingest.start", json!({ "sources": sources, "corpus": name, "remote": true }));
                library.rest(WORKSPACE);
                (("document.list", json!({ "corpus": name })), "\"3.md\"".to_owned())
            }
        };
        things.push(Thing { list, words, made: recorder.length(), deleted: None });
    }
    let recording = recorder.end();
    drop(library);
    Worked { recording, things }
}

/// Deletes the documents of a corpus that is there.
fn delete(library: &Opened, things: &mut [Thing], recorder: &recording::Recorder) {
    let Some(thing) =
        things.iter_mut().find(|thing| thing.list.0 == "document.list" && thing.deleted.is_none())
    else {
        return;
    };
    let documents = rows(library, thing.list.0, thing.list.1.clone());
    let ids: Vec<&Value> = documents.iter().map(|document| &document["id"]).collect();
    let begun = recorder.length();
    library.call(WORKSPACE, "document.delete", json!({ "ids": ids })).expect("documents can be deleted");
    thing.deleted = Some((begun, recorder.length()));
}

/// When the power fails: at any operation, or near a sync, when pages move from the log into the library.
fn moment(recording: &Recording, random: &mut Random) -> usize {
    let ops = &recording.ops;
    let syncs: Vec<usize> =
        (0..ops.len()).filter(|&at| matches!(ops[at], Op::Sync { .. } | Op::Truncate { .. })).collect();
    if syncs.is_empty() || random.below(2) == 0 {
        return random.below(ops.len() + 1);
    }
    (random.pick(&syncs) + random.below(60)).saturating_sub(30).min(ops.len())
}

/// Writes into `folder` what the drive has when the power fails at operation `cut`.
fn left(worked: &Worked, cut: usize, fate: Fate, random: &mut Random, folder: &Path) {
    let ops = &worked.recording.ops[..cut];
    let mut files: BTreeMap<&str, Vec<u8>> =
        worked.recording.before.iter().map(|(name, bytes)| (name.as_str(), bytes.clone())).collect();
    let synced = |file: &str| {
        ops.iter().rposition(|op| matches!(op, Op::Sync { file: name } if name == file)).unwrap_or_default()
    };
    let safe: BTreeMap<String, usize> =
        ops.iter().map(Op::file).map(|file| (file.to_owned(), synced(file))).collect();
    let since = ops.iter().enumerate().filter(|(at, op)| *at >= safe[op.file()]).count();
    let last = random.below(since + 1);
    let mut after = 0;
    for (at, op) in ops.iter().enumerate() {
        let file = files.entry(op.file()).or_default();
        if at < safe[op.file()] {
            op.apply(file, |_| true);
            continue;
        }
        after += 1;
        match fate {
            Fate::Dropped => {}
            Fate::Kept => op.apply(file, |_| true),
            Fate::Some(share) => {
                if random.unit() < share {
                    op.apply(file, |_| true);
                }
            }
            Fate::Torn(share) => op.apply(file, |_| random.unit() < share),
            Fate::Cut if after < last => op.apply(file, |_| true),
            Fate::Cut if after == last => op.apply(file, |_| random.below(2) == 0),
            Fate::Cut => {}
        }
    }
    for (name, bytes) in files {
        std::fs::write(folder.join(name), bytes).expect("a file");
    }
}

/// What is wrong with the library in `folder`, for what had been acknowledged at `cut`; and how many changes these are.
fn found(worked: &Worked, cut: usize, folder: &Path) -> (Vec<String>, usize) {
    let library = Opened::without_models(folder);
    let mut faults = Vec::new();
    match library.call(WORKSPACE, "library.doctor", json!({})) {
        Ok(health) if health["findings"] == json!([]) => {}
        Ok(health) => faults.push(format!("not sound: {}", health["findings"])),
        Err(error) => faults.push(format!("not to be checked: {error}")),
    }
    let mut acknowledged = 0;
    for thing in worked.things.iter().filter(|thing| thing.made <= cut) {
        let (command, input) = &thing.list;
        let listed = library.call(WORKSPACE, command, input.clone());
        let there = listed.is_ok_and(|listed| listed.to_string().contains(&thing.words));
        acknowledged += 1;
        match thing.deleted {
            Some((_, deleted)) if deleted <= cut && there => {
                faults.push(format!("{command} {input} was deleted and is back"));
            }
            // It was being deleted.
            Some((begun, _)) if begun <= cut => {}
            _ if there => {}
            _ => faults.push(format!("{command} {input} lacks {}", thing.words)),
        }
    }
    (faults, acknowledged)
}
