//! Assessments under `kill -9` and under two programs at once: acknowledged work is there, and other work is
//! complete or absent.

use super::{Proof, Tried};
use crate::random::Random;
use serde_json::{Value, json};
use sibyl_tests::program::Sibyl;
use std::path::Path;
use std::time::{Duration, Instant};

pub(super) const PROOF: Proof = Proof {
    name: "assessments",
    claim: "Killed in the run, in a decision or in an export, an assessment loses nothing that was acknowledged and leaves \
            nothing half done; of two programs that decide at once none is lost.",
    count: 200,
    run,
};

const REPORT: &str = "fernhill";
const QUOTE: &str = "We use an internal carbon price of 55 euros per tonne";
/// Requirements that are decided on together.
const DECIDED: [&str; 4] = ["S2.29(f)(ii)", "S2.10(a)", "S2.10(b)", "S2.10(c)"];
/// Programs that decide at once, for each of two reviewers.
const AT_ONCE: usize = 3;
/// The kinds of cases.
const KINDS: [&str; 5] = ["run", "decision", "confirmation", "export", "two programs"];
/// Whether bytes are a whole file of a form.
type IsWhole = fn(&[u8]) -> bool;

/// Forms of packs, with what a whole one ends with.
const FORMATS: [(&str, IsWhole); 4] = [
    ("json", |bytes| serde_json::from_slice::<Value>(bytes).is_ok()),
    ("html", |bytes| bytes.trim_ascii_end().ends_with(b"</html>")),
    ("xlsx", is_zip),
    ("docx", is_zip),
];

/// Whether `bytes` begin and end as a ZIP archive does.
fn is_zip(bytes: &[u8]) -> bool {
    let end = bytes.len().checked_sub(22).and_then(|at| bytes.get(at..at + 4));
    bytes.starts_with(b"PK\x03\x04") && end == Some(b"PK\x05\x06")
}

/// An assessment before its run, one after it, and the time for each kind of work.
struct World {
    fresh: Sibyl,
    proposed: Sibyl,
    files: tempfile::TempDir,
    lengths: [Duration; 4],
}

impl World {
    fn made() -> Self {
        let files = tempfile::tempdir().expect("a temporary folder");
        let report = files.path().join("fernhill-2024.md");
        let text = format!(
            "---\nissuer: Fernhill Quarries\nyear: 2024\n---\n# Climate report 2024\n\n## Governance\n\nThe board's \
             sustainability committee oversees climate-related risks.\n\n## Carbon price\n\n{QUOTE}.\n"
        );
        std::fs::write(&report, text).expect("a file");
        let fresh = Sibyl::with_words();
        let words = ["--source-type", "report", "--report-id", REPORT, "--no-embed"];
        fresh.json(&[&["ingest", &report.display().to_string()][..], &words].concat());
        fresh.json(&["assess", "new", "FY2024", "--report", REPORT, "--standard", "ifrs_s2", "--mandatory"]);
        let began = Instant::now();
        let proposed = fresh.copied();
        proposed.json(&["assess", "run", "1"]);
        let run = began.elapsed();
        let mut world = Self { fresh, proposed, files, lengths: [run; 4] };
        for (at, kind) in KINDS[1..4].iter().enumerate() {
            let sibyl = world.library(kind);
            let words = world.words(kind, 0);
            let began = Instant::now();
            let done = sibyl.run(&strs(&words));
            assert_eq!(done.code, 0, "{kind} fails where nobody kills it: {}", done.err);
            world.lengths[at + 1] = began.elapsed();
        }
        world
    }

    /// The library of a case.
    fn library(&self, kind: &str) -> Sibyl {
        let base = if kind == "run" { &self.fresh } else { &self.proposed };
        let sibyl = base.copied();
        if kind == "confirmation" {
            let own = ["assess", "propose", "1", DECIDED[0], "--report", REPORT, "--program", "reader"];
            sibyl.json(&[&own[..], &["--finding", "met", "--reason", "a price", "--quote", QUOTE]].concat());
        }
        sibyl
    }

    /// The command that is killed.
    fn words(&self, kind: &str, seed: u64) -> Vec<String> {
        let pack = self.pack(seed).display().to_string();
        let (format, _) = format_of(seed);
        let note = format!("seed {seed}");
        let words: Vec<&str> = match kind {
            "run" => vec!["assess", "run", "1"],
            "decision" => {
                let own = ["--report", REPORT, "--status", "partly", "--reviewer", "Ada", "--note", &note];
                [&["assess", "decide", "1"][..], &DECIDED, &own].concat()
            }
            "confirmation" => vec!["assess", "confirm", "1", "1", "--reviewer", "Ada"],
            _ => vec!["assess", "export", "1", "--format", format, "--out", &pack],
        };
        words.into_iter().map(str::to_owned).collect()
    }

    /// Where the pack of a case is written.
    fn pack(&self, seed: u64) -> std::path::PathBuf {
        self.files.path().join(format!("pack.{}", format_of(seed).0))
    }
}

fn format_of(seed: u64) -> (&'static str, fn(&[u8]) -> bool) {
    FORMATS[(seed / KINDS.len() as u64) as usize % FORMATS.len()]
}

fn strs(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

fn run(count: u64, first: u64) -> Tried {
    let world = World::made();
    let mut tried = Tried::default();
    let mut ended = 0;
    for seed in first..first + count {
        let kind = KINDS[(seed % KINDS.len() as u64) as usize];
        tried.count(kind);
        let faults = if kind == "two programs" {
            at_once(&world, seed)
        } else {
            let mut random = Random::new(seed);
            let (acknowledged, faults) = killed(&world, kind, seed, &mut random);
            ended += u64::from(acknowledged);
            faults
        };
        tried.faults.extend(faults.into_iter().map(|fault| format!("seed {seed}, {kind}: {fault}")));
    }
    tried.notes.push(format!("{ended} of them had ended before the kill"));
    tried
}

/// Kills a command once; says whether it had ended well, and what speaks against the claim.
fn killed(world: &World, kind: &str, seed: u64, random: &mut Random) -> (bool, Vec<String>) {
    let sibyl = world.library(kind);
    let words = world.words(kind, seed);
    let pack = world.pack(seed);
    let earlier = random.below(2) == 0;
    // There may be none of an earlier case.
    let _ = std::fs::remove_file(&pack);
    if earlier {
        std::fs::write(&pack, "an earlier file").expect("a file");
    }
    let at = KINDS.iter().position(|one| *one == kind).unwrap_or_default();
    let mut child = sibyl.quiet(&strs(&words)).spawn().expect("the program starts");
    std::thread::sleep(world.lengths[at].mul_f64(random.unit()));
    // It may have ended meanwhile.
    let _ = child.kill();
    let acknowledged = child.wait().expect("a process").code() == Some(0);
    let mut faults = Vec::new();
    let health = sibyl.run(&["doctor", "--json"]);
    if health.code != 0 || health.json()["findings"] != json!([]) {
        faults.push(format!("not sound after the kill: {} {}", health.out, health.err));
    }
    match kind {
        "run" => faults.extend(run_goes_on(&sibyl, acknowledged)),
        "decision" => faults.extend(decided_whole(&sibyl, acknowledged, seed)),
        "confirmation" => faults.extend(confirmed_whole(&sibyl, acknowledged)),
        _ => faults.extend(pack_is_whole(&pack, acknowledged, earlier, format_of(seed).1)),
    }
    (acknowledged, faults)
}

/// What was made is kept, and the next run makes only the rest.
fn run_goes_on(sibyl: &Sibyl, acknowledged: bool) -> Option<String> {
    let grid = sibyl.json(&["assess", "show", "1"]);
    let waiting = grid["waiting"].as_u64();
    let kept = grid["cells"].as_array().map(|cells| cells.len() as u64);
    let again = sibyl.json(&["assess", "run", "1"]);
    let (made, unchanged) = (again["made"].as_u64(), again["unchanged"].as_u64());
    let left = sibyl.json(&["assess", "show", "1"])["waiting"].as_u64();
    let fits =
        made == waiting && unchanged == kept && left == Some(0) && (!acknowledged || waiting == Some(0));
    (!fits).then(|| {
        format!("{kept:?} kept, {waiting:?} wait; the next run made {made:?} and left {unchanged:?}, {left:?} wait")
    })
}

fn cell(sibyl: &Sibyl, requirement: &str) -> Value {
    sibyl.json(&["assess", "show", "1", "--requirement", requirement, "--report", REPORT])
}

/// A decision on several requirements is there on all of them or on none.
fn decided_whole(sibyl: &Sibyl, acknowledged: bool, seed: u64) -> Option<String> {
    let note = format!("seed {seed}");
    let is_there = |requirement: &&&str| {
        let view = cell(sibyl, requirement);
        view["review"]["note"] == note.as_str() && view["history"][0]["note"] == note.as_str()
    };
    let there = DECIDED.iter().filter(is_there).count();
    let whole = there == DECIDED.len() || (there == 0 && !acknowledged);
    (!whole).then(|| format!("decided on {there} of {}, acknowledged: {acknowledged}", DECIDED.len()))
}

/// A proposal is confirmed and gone, or open and still there.
fn confirmed_whole(sibyl: &Sibyl, acknowledged: bool) -> Option<String> {
    let view = cell(sibyl, DECIDED[0]);
    let proposals = view["programs"].as_array().map(Vec::len);
    let confirmed = view["review"]["status"] == "met"
        && view["review"]["passages"][0]["quote"] == QUOTE
        && view["history"][0]["proposed_by"] == "reader"
        && proposals == Some(0);
    let open = view["review"].is_null() && view["history"] == json!([]) && proposals == Some(1);
    let whole = confirmed || (open && !acknowledged);
    (!whole).then(|| format!("acknowledged: {acknowledged}; {view}"))
}

/// A pack is complete, or the former file is still in its place.
fn pack_is_whole(pack: &Path, acknowledged: bool, earlier: bool, whole: fn(&[u8]) -> bool) -> Option<String> {
    let found = std::fs::read(pack).ok();
    let fits = match &found {
        None => !acknowledged && !earlier,
        Some(bytes) if bytes == b"an earlier file" => !acknowledged && earlier,
        Some(bytes) => whole(bytes),
    };
    (!fits).then(|| {
        let bytes = found.map(|bytes| bytes.len());
        format!("{} has {bytes:?} bytes and is not whole, acknowledged: {acknowledged}", pack.display())
    })
}

/// Programs of two reviewers decide on the same cells at once: each cell has the decisions of both.
fn at_once(world: &World, seed: u64) -> Vec<String> {
    let sibyl = world.library("two programs");
    let mut children = Vec::new();
    for round in 0..AT_ONCE {
        for (who, status) in [("Ada", "met"), ("Ben", "gap")] {
            let note = format!("{who} {seed} {round}");
            let own = ["--report", REPORT, "--status", status, "--reviewer", who, "--note", &note];
            let words = [&["assess", "decide", "1"][..], &DECIDED, &own].concat();
            let child = sibyl.quiet(&words).spawn().expect("the program starts");
            children.push((note, child));
        }
    }
    let mut faults = Vec::new();
    let mut notes = Vec::new();
    for (note, mut child) in children {
        let code = child.wait().expect("a process").code();
        if code != Some(0) {
            faults.push(format!("the decision `{note}` is refused with {code:?}"));
        }
        notes.push(note);
    }
    let grid = sibyl.json(&["assess", "show", "1"]);
    for requirement in DECIDED {
        let history = cell(&sibyl, requirement)["history"].clone();
        let lost: Vec<&String> = notes
            .iter()
            .filter(|note| !history.as_array().into_iter().flatten().any(|one| one["note"] == note.as_str()))
            .collect();
        if !lost.is_empty() {
            faults.push(format!("{requirement} has lost {lost:?}"));
        }
        let row = grid["rows"].as_array().into_iter().flatten().position(|row| row["id"] == requirement);
        let disputed = |cell: &&Value| cell["row"].as_u64().map(|row| row as usize) == row;
        let own = grid["cells"].as_array().into_iter().flatten().find(disputed);
        if own.is_none_or(|cell| cell["disputed"] != true) {
            faults.push(format!("{requirement} does not show that both decided"));
        }
    }
    faults
}
