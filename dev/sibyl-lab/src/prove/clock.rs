//! A server that watches a folder while the clock jumps or the computer sleeps. What changes in the folder
//! arrives, and nothing is deleted because of a wrong time. The clock is set for the server alone, by libfaketime.

use super::world::{WORKSPACE, text};
use super::{Proof, Tried};
use crate::random::Random;
use serde_json::json;
use sibyl_tests::library::Opened;
use sibyl_tests::program::Sibyl;
use sibyl_tests::server::Server;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

pub(super) const PROOF: Proof = Proof {
    name: "clock",
    claim: "Clocks that jump and computers that sleep lose no document of a watched folder, and keep no change from it.",
    count: 20,
    run,
};

/// Where systems keep the library that changes the time seen by a program.
const FAKETIME: [&str; 4] = [
    "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1",
    "/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1",
    "/usr/lib/faketime/libfaketimeMT.so.1",
    "/usr/lib64/faketime/libfaketimeMT.so.1",
];
/// How far the clock is off: seconds, hours, days and years, forwards and back.
const JUMPS: [&str; 10] = ["+0", "+61", "-61", "+2h", "-2h", "+3d", "-3d", "+29d", "-400d", "-40y"];
const FILES: usize = 12;
/// Changes in a case.
const CHANGES: usize = 4;
const SLEEP: Duration = Duration::from_secs(8);
/// Time limit for a change to arrive: the folder is checked every few seconds.
const PATIENCE: Duration = Duration::from_secs(120);

struct Case {
    server: Server,
    folder: PathBuf,
    /// File that says how far the clock is off.
    clock: PathBuf,
    /// Names of the files with the words of each.
    files: Vec<(String, String)>,
    faults: Vec<String>,
}

fn run(count: u64, first: u64) -> Tried {
    let mut tried = Tried::default();
    let Some(faketime) = FAKETIME.into_iter().find(|path| Path::new(path).exists()) else {
        tried.notes.push(
            "libfaketime is not there, and no clock was changed; install the package faketime".to_owned(),
        );
        return tried;
    };
    let place = tempfile::tempdir().expect("a temporary folder");
    let shipped = place.path().join("shipped");
    fs::create_dir(&shipped).expect("a folder");
    let base = Sibyl::fresh().env("SIBYL_SHIPPED_DIR", text(&shipped));
    Opened::without_models(base.folder()).skip_first_start();
    for seed in first..first + count {
        let mut random = Random::new(seed);
        let place = place.path().join(format!("case-{seed}"));
        let sleeps = random.below(4) == 0;
        tried.count(if sleeps { "sleep and resume" } else { "clock jumps" });
        let sibyl = base.copied();
        let mut case = begun(&sibyl, &place, faketime);
        for number in 0..CHANGES {
            case.change(number, sleeps, &mut random);
        }
        let Case { mut server, faults, .. } = case;
        // Windows has no such clock, no such signal and no libfaketime.
        let _ = server.process().kill();
        let _ = server.process().wait();
        let health = Opened::without_models(sibyl.folder()).call(WORKSPACE, "library.doctor", json!({}));
        let findings = health.map_or_else(|error| error.to_string(), |health| health["findings"].to_string());
        let unsound = (findings != "[]").then(|| format!("not sound: {findings}"));
        tried.faults.extend(faults.into_iter().chain(unsound).map(|fault| format!("seed {seed}: {fault}")));
    }
    tried
}

fn begun(sibyl: &Sibyl, place: &Path, faketime: &str) -> Case {
    let (folder, clock) = (place.join("watched"), place.join("clock"));
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(&clock, "+0").expect("a file");
    let mut files = Vec::new();
    for number in 0..FILES {
        let (name, words) = (format!("{number}.md"), format!("Quay {number} received gravel"));
        write(&folder, &name, &words);
        files.push((name, words));
    }
    sibyl.json(&["watch", "add", text(&folder), "--corpus", "watched", "--gone", "delete", "--every", "5"]);
    let off = sibyl
        .copied()
        .env("LD_PRELOAD", faketime)
        .env("FAKETIME_NO_CACHE", "1")
        .env("FAKETIME_DONT_FAKE_MONOTONIC", "1")
        .env("FAKETIME_TIMESTAMP_FILE", text(&clock));
    let server = Server::start(&off, &[]);
    Case { server, folder, clock, files, faults: Vec::new() }
}

fn write(folder: &Path, name: &str, words: &str) {
    fs::write(folder.join(name), format!("# Note\n\n{words}.\n")).expect("a file");
}

impl Case {
    /// Sets the clock or sends the server to sleep, changes a file, and waits until the library says the same as the folder.
    fn change(&mut self, number: usize, sleeps: bool, random: &mut Random) {
        let what = if sleeps {
            self.signal("STOP");
            "sleep".to_owned()
        } else {
            let jump = *random.pick(&JUMPS);
            fs::write(&self.clock, jump).expect("a file");
            jump.to_owned()
        };
        match random.below(3) {
            0 => {
                let at = random.below(self.files.len());
                let words = format!("Quay {at} received sand in round {number}");
                write(&self.folder, &self.files[at].0, &words);
                self.files[at].1 = words;
            }
            1 => {
                let (name, _) = self.files.swap_remove(random.below(self.files.len()));
                fs::remove_file(self.folder.join(name)).expect("a file that is there");
            }
            _ => {
                let (name, words) = (format!("new-{number}.md"), format!("Pier {number} has cranes"));
                write(&self.folder, &name, &words);
                self.files.push((name, words));
            }
        }
        if sleeps {
            std::thread::sleep(SLEEP);
            self.signal("CONT");
        }
        let began = Instant::now();
        while self.found() != self.expected() {
            if began.elapsed() > PATIENCE {
                let (found, expected) = (self.found(), self.expected());
                self.faults.push(format!("after {what}: {found:?} in place of {expected:?}"));
                return;
            }
            std::thread::sleep(Duration::from_millis(500));
        }
    }

    fn expected(&self) -> Vec<String> {
        let mut words: Vec<String> = self.files.iter().map(|(_, words)| format!("{words}.")).collect();
        words.sort_unstable();
        words
    }

    /// What the documents of the corpus say; nothing before the folder was ingested for the first time.
    fn found(&self) -> Vec<String> {
        let documents = self.server.send("GET", "/api/v1/documents?corpus=watched", None);
        if documents.status != 200 {
            return Vec::new();
        }
        let mut texts = Vec::new();
        for document in documents.json().as_array().into_iter().flatten() {
            let chunks =
                self.server.send("GET", &format!("/api/v1/documents/{}/chunks", document["id"]), None);
            // It may have been deleted since it was listed.
            if chunks.status != 200 {
                continue;
            }
            let chunks = chunks.json();
            let chunks = chunks.as_array().into_iter().flatten();
            // The headings of their place precede the words.
            let words = chunks.filter_map(|chunk| chunk["row"]["text"].as_str()?.rsplit("\n\n").next());
            texts.extend(words.map(str::to_owned));
        }
        texts.sort_unstable();
        texts
    }

    fn signal(&self, name: &str) {
        let status = Command::new("kill").args([&format!("-{name}"), &self.server.id().to_string()]).status();
        assert!(status.is_ok_and(|status| status.success()), "a signal can be sent");
    }
}
