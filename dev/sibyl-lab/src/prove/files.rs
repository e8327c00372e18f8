//! Folders as they occur: names of every kind, links that loop, dates of any year and zone, files that change
//! while they are read, and large numbers of files. Each file is there once, with the words that it has.

use super::world::{WORKSPACE, rows, text};
use super::{Proof, Tried};
use crate::random::Random;
use serde_json::json;
use sibyl_tests::library::Opened;
use sibyl_tests::program::Sibyl;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

pub(super) const PROOF: Proof = Proof {
    name: "files",
    claim: "Whatever files are called, wherever links lead and whatever the clock says, each file is there once with its words.",
    count: 200,
    run,
};

/// Number of files in a folder with many, and in the largest one, which ends a run of this many cases.
const MANY: usize = 200;
const MOST: usize = 30_000;
const CASES_WITH_MOST: u64 = 100;
/// Maximum length of a name on most systems, in bytes.
const LONGEST_NAME: usize = 255;

type Kind = (&'static str, fn(&mut Case, &mut Random));

const KINDS: [Kind; 6] = [
    ("names of every kind", names),
    ("links that loop", links),
    ("dates of any year", dates),
    ("time zones", zones),
    ("files that change while they are read", changing),
    ("many files", |case, _| many(case, MANY)),
];

/// A folder that is ingested into the corpus `found`.
struct Case {
    sibyl: Sibyl,
    folder: PathBuf,
    /// Words of each file, by its path below the folder with `/`.
    words: BTreeMap<String, String>,
    faults: Vec<String>,
}

fn run(count: u64, first: u64) -> Tried {
    let mut tried = Tried::default();
    let place = tempfile::tempdir().expect("a temporary folder");
    let shipped = place.path().join("shipped");
    fs::create_dir(&shipped).expect("a folder");
    let base = Sibyl::fresh().env("SIBYL_SHIPPED_DIR", text(&shipped));
    Opened::without_models(base.folder()).skip_first_start();
    for seed in first..first + count {
        let mut random = Random::new(seed);
        let folder = place.path().join(format!("case-{seed}"));
        fs::create_dir(&folder).expect("a folder");
        let mut case = Case { sibyl: base.copied(), folder, words: BTreeMap::new(), faults: Vec::new() };
        if seed + 1 == first + count && count >= CASES_WITH_MOST {
            tried.count("30,000 files");
            many(&mut case, MOST);
        } else {
            let (name, tries) = *random.pick(&KINDS);
            tried.count(name);
            tries(&mut case, &mut random);
        }
        tried.faults.extend(case.faults.into_iter().map(|fault| format!("seed {seed}: {fault}")));
        fs::remove_dir_all(&case.folder).expect("the folder of a case");
    }
    tried
}

impl Case {
    fn write(&mut self, name: &str, words: &str) {
        // A path is kept composed (Unicode NFC), as people type it.
        let kept = name.replace("e\u{301}", "\u{e9}");
        if self.words.contains_key(&kept) && !self.folder.join(name).exists() {
            return;
        }
        let path = self.folder.join(name);
        fs::create_dir_all(path.parent().unwrap_or(&self.folder)).expect("a folder");
        // Not every system accepts every name.
        if fs::write(&path, format!("# Note\n\n{words}.\n")).is_ok() {
            self.words.insert(kept, words.to_owned());
        }
    }

    fn ingest(&mut self, sibyl: &Sibyl) -> u64 {
        let run = sibyl.run(&["ingest", text(&self.folder), "--corpus", "found", "--no-embed", "--json"]);
        if run.code != 0 {
            self.faults.push(format!("it fails: {} {}", run.out, run.err));
            return 0;
        }
        let documents = &run.json()["report"]["documents"];
        documents["created"].as_u64().unwrap_or_default() + documents["updated"].as_u64().unwrap_or_default()
    }

    /// Ingests, compares what is there with the files, and ingests again, which finds nothing new.
    fn holds(&mut self) {
        let sibyl = self.sibyl.copied();
        self.ingest(&sibyl);
        self.compare(&sibyl);
        let again = self.ingest(&sibyl);
        if again > 0 {
            self.faults.push(format!("{again} files that did not change are taken for changed"));
        }
        self.sound(&sibyl);
    }

    fn compare(&mut self, sibyl: &Sibyl) {
        let library = Opened::without_models(sibyl.folder());
        let mut expected: Vec<&String> = self.words.keys().collect();
        let documents = rows(&library, "document.list", json!({ "corpus": "found" }));
        let mut found: Vec<String> = documents
            .iter()
            .filter_map(|document| document["path"].as_str())
            .map(|path| self.real(path))
            .collect();
        found.sort_unstable();
        expected.sort_unstable();
        if found.iter().collect::<Vec<_>>() != expected {
            let lacking: Vec<_> = expected.iter().filter(|name| !found.contains(name)).take(3).collect();
            let strange: Vec<_> =
                found.iter().filter(|name| !self.words.contains_key(*name)).take(3).collect();
            self.faults.push(format!(
                "{} documents of {} files; lacking {lacking:?}, strange {strange:?}",
                found.len(),
                expected.len()
            ));
        }
        for document in documents.iter().take(MANY) {
            let path = self.real(document["path"].as_str().unwrap_or_default());
            let chunks = rows(&library, "chunk.list", json!({ "document": document["id"] }));
            let words = chunks.iter().map(|chunk| chunk["row"]["text"].to_string()).collect::<String>();
            if self.words.get(&path).is_some_and(|own| !words.contains(own.as_str())) {
                self.faults.push(format!("{path:?} holds {words}"));
            }
        }
    }

    /// The real path of the file at `path`, which may lead through links.
    fn real(&self, path: &str) -> String {
        let real = self.folder.join(path).canonicalize().ok();
        let folder = self.folder.canonicalize().ok();
        let below =
            real.zip(folder).and_then(|(real, folder)| real.strip_prefix(folder).ok().map(Path::to_owned));
        below.map_or_else(
            || path.to_owned(),
            |below| below.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/"),
        )
    }

    fn sound(&mut self, sibyl: &Sibyl) {
        let health = Opened::without_models(sibyl.folder()).call(WORKSPACE, "library.doctor", json!({}));
        let findings = health.map_or_else(|error| error.to_string(), |health| health["findings"].to_string());
        if findings != "[]" {
            self.faults.push(format!("not sound: {findings}"));
        }
    }
}

fn names(case: &mut Case, random: &mut Random) {
    const PARTS: [&str; 20] = [
        "caf\u{e9}",
        "cafe\u{301}",
        "\u{1e9b}\u{323}",
        "\u{5d3}\u{5d5}\u{5d7}",
        "\u{202e}gpj",
        "\u{1f9ee}",
        "a\nb",
        "a\tb",
        "-rf",
        "--json",
        " lead",
        "trail ",
        "dots..",
        "per%20cent",
        "q?s*",
        "quote\"'",
        "back\\slash",
        "CON",
        "\u{3000}",
        "\u{7f}",
    ];
    for number in 0..12 {
        let mut name = (0..=random.below(3)).map(|_| *random.pick(&PARTS)).collect::<String>();
        let extension = *random.pick(&[".md", ".MD", ".txt"]);
        if random.below(4) == 0 {
            let part = *random.pick(&["x", "\u{e9}", "\u{1f9ee}"]);
            while name.len() + part.len() + extension.len() <= LONGEST_NAME {
                name.push_str(part);
            }
        }
        let folder = if random.below(3) == 0 { format!("{}/", random.pick(&PARTS)) } else { String::new() };
        case.write(&format!("{folder}{name}{extension}"), &format!("The quillwort of file {number} holds"));
    }
    case.holds();
}

#[cfg(unix)]
fn link(from: &Path, to: &Path) {
    // One of that name may be there.
    let _ = std::os::unix::fs::symlink(from, to);
}

#[cfg(not(unix))]
fn link(_from: &Path, _to: &Path) {}

fn links(case: &mut Case, random: &mut Random) {
    for number in 0..6 {
        case.write(
            &format!("{}/{number}.md", random.pick(&["a", "a/b", "c"])),
            &format!("The weir {number} holds"),
        );
    }
    for folder in ["a/b", "c"] {
        fs::create_dir_all(case.folder.join(folder)).expect("a folder");
    }
    let folder = case.folder.clone();
    for number in 0..4 {
        let at = folder.join(random.pick(&["", "a", "a/b", "c"])).join(format!("link-{number}"));
        let to = match random.below(5) {
            0 => folder.clone(),
            1 => at.parent().unwrap_or(&folder).to_owned(),
            2 => at.clone(),
            3 => PathBuf::from(".."),
            _ => folder.join("c").join("link-0"),
        };
        link(&to, &at);
    }
    case.holds();
}

fn dates(case: &mut Case, random: &mut Random) {
    for number in 0..6 {
        case.write(&format!("{number}.md"), &format!("The weir {number} holds"));
    }
    dated(case, random);
    case.holds();
    // A clock that was set back, or a file from a backup: the changed file is older than the former one.
    let sibyl = case.sibyl.copied();
    case.ingest(&sibyl);
    for number in 0..6 {
        case.write(&format!("{number}.md"), &format!("The mill {number} stands"));
    }
    dated(case, random);
    case.ingest(&sibyl);
    case.compare(&sibyl);
    case.sound(&sibyl);
}

/// Gives the files dates between 1970 and 2200.
fn dated(case: &Case, random: &mut Random) {
    for name in case.words.keys() {
        let file = fs::File::options().write(true).open(case.folder.join(name)).expect("a file");
        let moment = SystemTime::UNIX_EPOCH + Duration::from_secs(random.next() % 7_258_000_000);
        file.set_modified(moment).expect("a date");
    }
}

fn zones(case: &mut Case, random: &mut Random) {
    for number in 0..4 {
        case.write(&format!("{number}.md"), &format!("The weir {number} holds"));
    }
    let zone = *random.pick(&[
        "Pacific/Kiritimati",
        "Pacific/Pago_Pago",
        "Asia/Kathmandu",
        "Nowhere/Nothing",
        "UTC+25",
        "",
    ]);
    let before = std::mem::replace(&mut case.sibyl, Sibyl::fresh());
    case.sibyl = before.copied().env("TZ", zone);
    case.holds();
    let sibyl = case.sibyl.copied();
    case.ingest(&sibyl);
    let made = sibyl.run(&["backup", "make"]);
    let listed = sibyl.run(&["backup", "--json"]);
    let at = listed.json()[0]["made_at"].as_str().unwrap_or_default().to_owned();
    // As the system's `date` prints it: stored times are always in UTC.
    let now = sibyl_engine::store::now();
    if made.code != 0 || at.get(..13) != now.get(..13) && at.get(14..16) != Some("59") {
        case.faults.push(format!("in the zone {zone:?} a backup of {now} is of {at}: {}", made.err));
    }
    // And back to another zone: nothing has changed.
    let moved = sibyl.copied().env("TZ", "America/St_Johns");
    let again = case.ingest(&moved);
    if again > 0 {
        case.faults.push(format!("{again} files changed with the zone"));
    }
}

fn changing(case: &mut Case, random: &mut Random) {
    let size = 200 + random.below(400);
    let version = |number: usize| format!("Version {number} of the weir holds. ").repeat(size);
    for number in 0..4 {
        case.write(&format!("{number}.md"), &version(0));
    }
    let sibyl = case.sibyl.copied();
    let (folder, renames) = (case.folder.clone(), random.below(2) == 0);
    let last = std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for number in 1..=40 {
                let name = folder.join(format!("{}.md", number % 4));
                let words = format!("# Note\n\n{}.\n", version(number));
                let beside = folder.join("beside.part");
                let written = if renames {
                    fs::write(&beside, words).and_then(|()| fs::rename(&beside, &name))
                } else {
                    fs::write(&name, words)
                };
                written.expect("a file");
                std::thread::sleep(Duration::from_millis(3));
            }
        });
        // Whatever it reads, it may say that a file changed, and no more.
        case.sibyl.copied().run(&["ingest", text(&case.folder), "--corpus", "found", "--no-embed"]);
        sibyl.run(&["ingest", text(&case.folder), "--corpus", "found", "--no-embed"]);
        writer.join().expect("a writer");
        37..=40_usize
    });
    for number in last {
        case.words.insert(format!("{}.md", number % 4), format!("Version {number} of the weir holds."));
    }
    case.sound(&sibyl);
    case.ingest(&sibyl);
    case.compare(&sibyl);
    case.sound(&sibyl);
}

fn many(case: &mut Case, count: usize) {
    for number in 0..count {
        case.write(&format!("{}/{number}.md", number % 7), &format!("The weir of note {number} holds"));
    }
    case.holds();
}
