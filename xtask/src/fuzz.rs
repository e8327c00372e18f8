//! Readers and doors fed by a fuzzer that is guided by coverage: `dev/fuzz` with counters in our own crates.

use crate::process::{Failure, Step, compiled, root, target};
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

/// Has this program, called as a compiler, put counters into the crates that the variable names, with commas between.
pub const INSTRUMENT: &str = "SIBYL_INSTRUMENT";

/// What libFuzzer needs (LLVM's SanitizerCoverage): a counter for each edge, and the values that are compared.
const COUNTERS: [&str; 5] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
];

/// Targets by kind, with the crates in which edges are counted.
const KINDS: [(&str, &str); 2] = [
    ("reader", "sibyl_text"),
    ("door", "sibyl_server,sibyl_api,sibyl_answer,sibyl_measure,sibyl_engine,sibyl_store"),
];

const RUNS: u64 = 100_000;

/// Acts as the compiler that cargo calls: the first word is the compiler itself.
pub fn compile(crates: &str, words: &[&str]) -> ExitCode {
    let [compiler, words @ ..] = words else { return ExitCode::from(2) };
    let name = words.windows(2).find(|pair| pair[0] == "--crate-name").map_or("", |pair| pair[1]);
    let mut command = Command::new(compiler);
    command.args(words);
    if crates.split(',').any(|counted| counted == name) {
        command.args(COUNTERS);
    }
    compiled(&mut command, "")
}

/// Feeds `RUNS` inputs to each target, or to those named by target or kind, and reports the share of edges
/// reached.
pub fn fuzz(words: &[&str]) -> Result<(), Failure> {
    let runs = words.iter().find_map(|word| word.parse().ok()).unwrap_or(RUNS);
    let named: Vec<&str> = words.iter().copied().filter(|word| word.parse::<u64>().is_err()).collect();
    let mut known = Vec::new();
    let mut failed = Vec::new();
    let kinds: Vec<&str> = KINDS.iter().map(|(kind, _)| *kind).filter(|kind| named.contains(kind)).collect();
    for (kind, crates) in KINDS.into_iter().filter(|(kind, _)| kinds.is_empty() || kinds.contains(kind)) {
        let program = built(kind, crates)?;
        let names = names(&program, kind)?;
        let wanted =
            |(name, _): &&(String, String)| named.len() == kinds.len() || named.contains(&name.as_str());
        let covered = target().join("fuzz").join(kind).join("covered");
        let _ = std::fs::remove_file(&covered); // There is none at first.
        for (name, most) in names.iter().filter(wanted) {
            if !fed(&program, name, most, runs, &covered)? {
                failed.push(name.clone());
            }
        }
        if let Ok(edges) = std::fs::read(&covered) {
            let reached = edges.iter().filter(|edge| **edge > 0).count();
            let share = 100.0 * reached as f64 / edges.len().max(1) as f64;
            println!("{kind}s: {reached} of {} edges of {crates} reached ({share:.1} %)", edges.len());
        }
        known.extend(names.into_iter().map(|(name, _)| name));
    }
    let unknown = |name: &&&str| !kinds.contains(*name) && !known.iter().any(|known| known == **name);
    if let Some(name) = named.iter().find(unknown) {
        return Err(Failure(format!("`{name}` is no target; there are {}", known.join(" "))));
    }
    if failed.is_empty() {
        Ok(())
    } else {
        let place = root().join("dev/fuzz/artifacts");
        Err(Failure(format!("{} failed; the inputs are in {}", failed.join(", "), place.display())))
    }
}

fn built(kind: &str, crates: &str) -> Result<PathBuf, Failure> {
    let folder = target().join("fuzz").join(kind);
    let wrapper = std::env::current_exe().map_err(|error| Failure(format!("fuzz: {error}")))?;
    Step::new("build with counters")
        .with("RUSTC_WRAPPER", &wrapper.to_string_lossy())
        .with(INSTRUMENT, crates)
        .with("CARGO_TARGET_DIR", &folder.to_string_lossy())
        .cargo(&["build", "--release", "--locked", "--manifest-path", "dev/fuzz/Cargo.toml"])?;
    let release = folder.join("release");
    if kind == "door" {
        // Input through a door goes to a library, which the program makes; it is looked for beside the running
        // program.
        Step::new("build the program").cargo(&["build", "--locked", "--package", "sibyl-cli"])?;
        let program = format!("sibyl{}", std::env::consts::EXE_SUFFIX);
        std::fs::copy(target().join("debug").join(&program), release.join(&program))
            .map_err(|error| Failure(format!("fuzz: {error}")))?;
    }
    Ok(release.join(format!("sibyl-fuzz{}", std::env::consts::EXE_SUFFIX)))
}

/// Names of the targets of `kind`, with the bytes of the longest input of each.
fn names(program: &Path, kind: &str) -> Result<Vec<(String, String)>, Failure> {
    let told = Command::new(program).env("SIBYL_FUZZ", "list").output();
    let told = told.map_err(|error| Failure(format!("fuzz: {error}")))?;
    let lines = String::from_utf8_lossy(&told.stdout).into_owned();
    let words = lines.lines().filter_map(|line| line.strip_prefix(kind)?.trim().split_once(' '));
    Ok(words.map(|(name, most)| (name.to_owned(), most.to_owned())).collect())
}

/// Whether the target survived all its inputs: first the kept ones, then mutations of them.
fn fed(program: &Path, name: &str, most: &str, runs: u64, covered: &Path) -> Result<bool, Failure> {
    let corpus = root().join("dev/fuzz/corpus").join(name);
    let artifacts = root().join("dev/fuzz/artifacts").join(name);
    for folder in [&corpus, &artifacts] {
        std::fs::create_dir_all(folder).map_err(|error| Failure(format!("{}: {error}", folder.display())))?;
    }
    let began = Instant::now();
    let call = |options: &[&str], covered: Option<&Path>| {
        let mut command = Command::new(program);
        command.env("SIBYL_FUZZ", name).args(options).args([
            "-timeout=20",
            "-rss_limit_mb=6000",
            &format!("-max_len={most}"),
        ]);
        command.arg(format!("-artifact_prefix={}/", artifacts.display())).arg(&corpus);
        if let Some(covered) = covered {
            command.env("SIBYL_COVERED", covered);
        }
        last_lines(command)
    };
    let (well, told) = call(&["-reduce_inputs=1", &format!("-runs={runs}")], None)?;
    if !well {
        println!("{name}: {}", told.join("\n  "));
        return Ok(false);
    }
    // Kept inputs are run again to count the edges that all targets of the kind reach together.
    let (well, _) = call(&["-runs=0"], Some(covered))?;
    let done = told.iter().rev().find(|line| line.contains("DONE")).map_or("", |line| line.trim());
    println!("{name}: {runs} inputs in {:.0} s; {done}", began.elapsed().as_secs_f64());
    Ok(well)
}

/// Whether `command` ended well, and the last lines that it printed.
fn last_lines(mut command: Command) -> Result<(bool, Vec<String>), Failure> {
    const SHOWN: usize = 40;
    let mut child = command
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .map_err(|error| Failure(format!("fuzz: {error}")))?;
    let mut lines = Vec::new();
    for line in child.stderr.take().into_iter().flat_map(|out| BufReader::new(out).split(b'\n')) {
        let Ok(line) = line else { break };
        lines.push(String::from_utf8_lossy(&line).into_owned());
        if lines.len() > SHOWN {
            lines.remove(0);
        }
    }
    let status = child.wait().map_err(|error| Failure(format!("fuzz: {error}")))?;
    Ok((status.success(), lines))
}
