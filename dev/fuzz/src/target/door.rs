//! What comes through the doors: bodies of commands, gold and run files, references and links in text.

use super::server::{Messages, Requests};
use super::{LONGEST_TEXT, Target, files};
use serde_json::Value;
use sibyl_api::COMMANDS;
use sibyl_engine::evaluate::{gold, trec};
use sibyl_tests::library::Opened;
use sibyl_tests::program::Sibyl;
use std::path::Path;
use std::sync::Mutex;

type Made = fn() -> Box<dyn Target>;

const DOORS: &[(&str, Made)] = &[
    ("commands", || Box::new(Commands::open())),
    ("requests", || Box::new(Requests::open())),
    ("messages", || Box::new(Messages::open())),
    ("gold", || Box::new(Lines { read: read_gold, extension: "jsonl" })),
    ("runs", || Box::new(Lines { read: read_run, extension: "run" })),
    ("references", || Box::new(Lines { read: read_references, extension: "md" })),
];

pub fn names() -> impl Iterator<Item = &'static str> {
    DOORS.iter().map(|(name, _)| *name)
}

pub fn named(name: &str) -> Option<Box<dyn Target>> {
    DOORS.iter().find(|(door, _)| *door == name).map(|(_, made)| made())
}

struct Lines {
    read: fn(&str),
    extension: &'static str,
}

impl Target for Lines {
    fn run(&self, data: &[u8]) {
        (self.read)(&String::from_utf8_lossy(data));
    }

    fn seeds(&self) -> Vec<Vec<u8>> {
        let mut seeds = files("tests/fixtures", self.extension, LONGEST_TEXT);
        seeds.push(b"q1 Q0 S2.14 1 7.5 bm25\nq1 Q0 S2.6 2 7.25 bm25\nq2 Q0 S2.6 1 1e-3 bm25\n".to_vec());
        seeds.push(br#"{"id":"q1","query":"plan","relevant":{"S2.14":3},"spans":[{"path":"1.md","quote":"a","grade":3}]}"#.to_vec());
        seeds.push(
            b"see paragraphs 29(a)(i)(3), B62A-B63 of IFRS S2 and EM-EP-110a.1, sibyl://standards/S2.14(a)"
                .to_vec(),
        );
        seeds
    }
}

fn read_gold(text: &str) {
    let (queries, _) = gold::read_text(text, Path::new("gold.jsonl")).expect("lines in memory can be read");
    assert!(queries.len() <= text.lines().count(), "a line gave two queries");
}

fn read_run(text: &str) {
    // A file that is no run is refused with a message.
    let _ = trec::read_run_text(text, Path::new("bm25.run"));
}

fn read_references(text: &str) {
    for found in sibyl_text::reference::detect(text) {
        assert!(text.get(found.span.start..found.span.end).is_some(), "{found:?} of {} bytes", text.len());
    }
}

/// A body for a command of the list, in a library of words alone: its first byte says which.
struct Commands {
    library: Mutex<Opened>,
    _folder: Sibyl,
}

/// Commands that wait for work that continues beside them.
const LEFT_OUT: [&str; 6] =
    ["ingest.start", "embed.start", "eval.run", "eval.matrix_run", "gold.suggest", "first_start.begin"];

impl Commands {
    fn open() -> Self {
        let folder = Sibyl::with_words();
        Self { library: Mutex::new(Opened::without_models(folder.folder())), _folder: folder }
    }
}

impl Target for Commands {
    fn run(&self, data: &[u8]) {
        let Some((which, body)) = data.split_first() else { return };
        let entry = &COMMANDS[usize::from(*which) % COMMANDS.len()];
        let Ok(input) = serde_json::from_slice::<Value>(body) else { return };
        if LEFT_OUT.contains(&entry.name) {
            return;
        }
        let library = self.library.lock().expect("nothing has panicked with it");
        if let Err(error) = library.call("default", entry.name, input.clone()) {
            assert!(error.code != "internal", "{} {input}: {error}", entry.name);
        }
    }

    fn seeds(&self) -> Vec<Vec<u8>> {
        let bodies = [
            r#"{"query":"board oversight","limit":5,"mode":"keyword","source_types":["ifrs_s2"]}"#,
            r#"{"id":"S2.14(a)(iv)"}"#,
            r#"{"id":1,"document":1,"corpus":"standards"}"#,
            r#"{"question":"What is a transition plan?","limit":3}"#,
            r#"{"name":"proved","set":"proved","query":"plan","path":"gold.jsonl","text":"{}"}"#,
            "{}",
        ];
        (0..COMMANDS.len().min(256))
            .flat_map(|which| bodies.iter().map(move |body| [&[which as u8], body.as_bytes()].concat()))
            .collect()
    }
}
