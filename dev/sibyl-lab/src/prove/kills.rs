//! `kill -9` at random moments, whatever the program does. The library is sound, nothing acknowledged is lost, and
//! no text whose vector is stored is paid for again.

mod served;
mod window;
mod work;

use super::world::{self, WORKSPACE, World};
use super::{Proof, Tried};
use crate::random::Random;
use serde_json::{Value, json};
use sibyl_tests::desktop::Screen;
use sibyl_tests::library::Opened;
use sibyl_tests::program::Sibyl;
use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};
use work::{WORKS, Work};

pub(super) const PROOF: Proof = Proof {
    name: "kills",
    claim: "Killed at any moment, the program leaves a sound library, loses nothing that it acknowledged and pays for no stored vector again.",
    count: 1_000,
    run,
};

/// The result of a case: its faults, and its counts.
#[derive(Default)]
struct Case {
    faults: Vec<String>,
    /// It had ended before the kill.
    ended: bool,
    /// Texts that were paid for again, since the answer was on its way when the program was killed.
    again: usize,
}

impl Case {
    fn claim(&mut self, holds: bool, otherwise: impl FnOnce() -> String) {
        if !holds {
            self.faults.push(otherwise());
        }
    }
}

fn run(count: u64, first: u64) -> Tried {
    let world = World::made();
    let mut tried = Tried::default();
    let mut lengths: Vec<Duration> = WORKS.iter().map(|work| length(&world, work, &mut tried)).collect();
    let (mut ended, mut again) = (0, 0);
    let mut screen = None;
    for seed in first..first + count {
        let mut random = Random::new(seed);
        let at = random.below(WORKS.len() + served::KINDS.len() + 1);
        let (kind, case) = match WORKS.get(at) {
            None if at == WORKS.len() + served::KINDS.len() => {
                let screen = screen.get_or_insert_with(Screen::start);
                (window::NAME, window::killed(&world, screen, seed, &mut random))
            }
            Some(work) => {
                let case = killed(&world, work, lengths[at], seed, &mut random);
                // Its speed depends on what else the machine does.
                lengths[at] = lengths[at].mul_f64(if case.ended { 0.8 } else { 1.05 });
                (work.name, case)
            }
            None => {
                let kind = &served::KINDS[at - WORKS.len()];
                (kind.name, served::killed(&world, kind, seed, &mut random))
            }
        };
        tried.count(kind);
        ended += u64::from(case.ended);
        again += case.again;
        tried.faults.extend(case.faults.into_iter().map(|fault| format!("seed {seed}, {kind}: {fault}")));
    }
    tried.notes.push(format!("{ended} of them had ended before the kill"));
    tried.notes.push(format!(
        "{again} texts paid for again: their answer was on its way when the program was killed"
    ));
    tried
}

/// The time for `work` if nobody kills it.
fn length(world: &World, work: &Work, tried: &mut Tried) -> Duration {
    let seed = u64::MAX;
    let sibyl = (work.library)(world);
    let files = world.case(seed);
    (work.prepare)(world, &files, seed);
    let began = Instant::now();
    let run = sibyl.run(&words(&(work.words)(world, &files)));
    if run.code != 0 {
        tried.faults.push(format!("{} fails where nobody kills it: {}", work.name, run.err));
    }
    began.elapsed()
}

fn words(owned: &[String]) -> Vec<&str> {
    owned.iter().map(String::as_str).collect()
}

/// Kills `work` once and sees to it that nothing is lost.
fn killed(world: &World, work: &Work, length: Duration, seed: u64, random: &mut Random) -> Case {
    let mut case = Case::default();
    let sibyl = (work.library)(world);
    let files = world.case(seed);
    (work.prepare)(world, &files, seed);
    let command = (work.words)(world, &files);
    let command = words(&command);
    world.slow(random);
    let before = vectors(&sibyl);
    world.provider.forget();
    let mut child = sibyl.quiet(&command).spawn().expect("the program starts");
    std::thread::sleep(length.mul_f64(random.unit()));
    let ended = child.try_wait().expect("a process");
    case.ended = ended.is_some();
    // It may have ended meanwhile.
    let _ = child.kill();
    let last = child.wait().expect("a process");
    let acknowledged = last.code() == Some(0);
    sound(&sibyl, "after the kill", &mut case);
    let paid = world.provider.texts();
    let stored = vectors(&sibyl) - before;
    world.quick();

    if acknowledged {
        case.faults.extend((work.fault)(&Opened::without_models(sibyl.folder()), &sibyl, seed));
    }
    finish(&sibyl, &mut case);
    let again = (work.again)(&sibyl, acknowledged);
    if again {
        let run = sibyl.run(&command);
        case.claim(run.code == 0, || format!("it does not go on: {} {}", run.out, run.err));
    }
    if work.counted {
        let lost = paid.len().saturating_sub(stored);
        paid_once(&world.provider.texts(), lost, &mut case);
    } else {
        at_most_a_batch(world, paid.len(), &mut case);
    }
    let library = Opened::without_models(sibyl.folder());
    case.faults.extend((work.fault)(&library, &sibyl, seed));
    if work.own {
        case.faults.extend(world.missing(&library));
    }
    drop(library);
    sound(&sibyl, "after it went on", &mut case);
    case
}

/// Resumes every job that was left.
fn finish(sibyl: &Sibyl, case: &mut Case) {
    for job in sibyl.json(&["jobs"]).as_array().into_iter().flatten() {
        if job["state"] == "done" || job["state"] == "cancelled" {
            continue;
        }
        let run = sibyl.run(&["jobs", "resume", &job["id"].to_string(), "--json"]);
        case.claim(run.code == 0 && run.json()["state"] == "done", || {
            format!("job {} does not go on: {} {}", job["id"], run.out, run.err)
        });
    }
}

fn sound(sibyl: &Sibyl, when: &str, case: &mut Case) {
    let run = sibyl.run(&["doctor", "--json"]);
    case.claim(run.code == 0 && run.json()["findings"] == json!([]), || {
        format!("not sound {when}: {} {}", run.out, run.err)
    });
}

/// Number of vectors of the provider's model in the library.
fn vectors(sibyl: &Sibyl) -> usize {
    let listed = Opened::without_models(sibyl.folder()).call(WORKSPACE, "model.list", json!({}));
    let count = |model: &Value| model["vectors"].as_u64().unwrap_or_default() as usize;
    listed
        .ok()
        .and_then(|models| models.as_array().map(|models| models.iter().map(count).sum()))
        .unwrap_or_default()
}

/// Of the texts that were paid for, only `lost` may be requested twice: those whose vectors were not stored yet.
fn paid_once(texts: &[String], lost: usize, case: &mut Case) {
    let distinct: BTreeSet<&String> = texts.iter().collect();
    case.again = texts.len() - distinct.len();
    let again = case.again;
    case.claim(again <= lost, || format!("{again} texts paid for again, though {lost} were lost at most"));
}

/// What is asked again was in the last request before the kill, to which the first `before` texts belong. Queries are not
/// kept, and asked by each program.
fn at_most_a_batch(world: &World, before: usize, case: &mut Case) {
    let requests = world.provider.requests();
    let answered: Vec<&Vec<String>> = requests
        .iter()
        .filter(|request| request.status == 200 && request.path.ends_with("/embeddings"))
        .map(|request| &request.texts)
        .collect();
    let mut times: HashMap<&str, usize> = HashMap::new();
    let mut last: &[String] = &[];
    let mut seen = 0;
    for texts in answered {
        if seen < before {
            last = texts;
        }
        seen += texts.len();
        for text in texts.iter().filter(|text| !world::is_query(text)) {
            *times.entry(text).or_default() += 1;
        }
    }
    let twice: Vec<&&str> = times.iter().filter(|(_, times)| **times > 1).map(|(text, _)| text).collect();
    case.again = twice.len();
    let stranger = twice.iter().find(|text| !last.iter().any(|known| known == **text));
    case.claim(stranger.is_none(), || format!("paid for again, though it was stored: {stranger:?}"));
}
