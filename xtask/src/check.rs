//! Every check, in the order in which a mistake is cheapest to find.

use crate::lint;
use crate::process::{Failure, Step, found, root, target};
use crate::reach::{self, Inputs};
use crate::setup::{self, Need, npm};
use crate::tidy;
use std::process::Command;

/// What failed; the checks after it run nevertheless, so that one run tells of every failure.
#[derive(Default)]
struct Failures(Vec<String>);

impl Failures {
    fn note(&mut self, outcome: Result<(), Failure>) {
        if let Err(Failure(failure)) = outcome {
            println!("── {failure}; the other checks go on");
            self.0.push(failure);
        }
    }

    fn told(self) -> Result<(), Failure> {
        if self.0.is_empty() { Ok(()) } else { Err(Failure(self.0.join("\n"))) }
    }
}

/// Runs every check.
pub fn everything() -> Result<(), Failure> {
    setup::system(Need::Test)?;
    setup::packages()?;
    let mut failures = Failures::default();
    checks(|_| None, &mut failures);
    // What could not be built is not tested as an earlier run left it.
    match setup::ui().and_then(|()| programs()) {
        Ok(()) => [pictures, browser, window].into_iter().for_each(|check| failures.note(check())),
        failed => failures.note(failed),
    }
    failures.told()
}

/// Runs every check except the pictures and those of window and browser, each on what was changed since it last
/// passed.
pub fn fast() -> Result<(), Failure> {
    setup::system(Need::Engine)?;
    setup::packages()?;
    let mut failures = Failures::default();
    checks(|inputs| inputs.changed(), &mut failures);
    failures.told()
}

const UNCHANGED: &str = "nothing has changed since all checks passed";

/// What was changed since a check last passed; with `None` it runs on everything.
type Changed = fn(&Inputs) -> Option<Vec<&str>>;

/// What the checks of the engine depend on.
const ENGINE: [&str; 10] = [
    ".config",
    "Cargo.lock",
    "Cargo.toml",
    "crates",
    "data",
    "dev",
    "src-tauri",
    "tests",
    "ui/agents",
    "xtask",
];

fn checks(changed: Changed, failures: &mut Failures) {
    failures.note(Step::new("format").cargo(&["fmt", "--all", "--check"]));
    failures.note(tidy::tidy());
    let passed = |inputs: &Inputs, check: fn(Option<Vec<&str>>) -> Result<(), Failure>| {
        check(changed(inputs)).and_then(|()| inputs.pass())
    };
    failures.note(passed(&Inputs::of("interface", &["ui"]), interface));
    failures.note(passed(&Inputs::of("engine", &[&ENGINE[..], &[BINDINGS]].concat()), engine));
}

fn interface(changed: Option<Vec<&str>>) -> Result<(), Failure> {
    let changed = changed.filter(|_| root().join("ui/dist/index.html").exists());
    let npm = |name, words: &[&str]| Step::new(name).within("ui").run(npm(), words);
    let tests = "tests of the interface";
    let related: Option<Vec<String>> = match &changed {
        Some(files) if files.is_empty() => {
            println!("── the interface: {UNCHANGED}");
            return Ok(());
        }
        Some(files) => {
            files.iter().map(|file| file.strip_prefix("ui/src/").map(|path| format!("src/{path}"))).collect()
        }
        None => None,
    };
    let mut failures = Failures::default();
    failures.note(npm("types of the interface", &["run", "--silent", "check"]));
    failures.note(npm("lint of the interface", &["run", "--silent", "lint"]));
    failures.note(match &related {
        // Files outside src decide how all of it is tested.
        None => npm(tests, &["run", "--silent", "test"]),
        Some(files) => {
            let files = files.iter().map(String::as_str);
            let words = ["exec", "--", "vitest", "related", "--run", "--passWithNoTests"];
            npm(tests, &words.into_iter().chain(files).collect::<Vec<_>>())
        }
    });
    failures.note(npm("build the interface", &["run", "--silent", "build"]));
    failures.told()
}

/// Tests except those that need a window or a browser.
const APART: &str = "not binary(window) and not binary(browser)";

fn engine(changed: Option<Vec<&str>>) -> Result<(), Failure> {
    if changed.as_ref().is_some_and(Vec::is_empty) {
        println!("── the engine and its doors: {UNCHANGED}");
        return Ok(());
    }
    lint::workspace(&root())?;
    let mut failures = Failures::default();
    failures.note(bindings_current());
    if !found("cargo-nextest") {
        let installed = Step::new("install the test runner").cargo(&["install", "cargo-nextest", "--locked"]);
        if installed.is_err() {
            failures.note(installed);
            return failures.told();
        }
    }
    let reached = changed.and_then(|files| reach::packages(&files));
    let tests = reached.map_or_else(|| APART.to_owned(), |packages| format!("{APART} and ({packages})"));
    // Many tests wait for a process, a provider or time to pass; five for each core keep all of them busy.
    let threads = std::thread::available_parallelism().map_or(1, |cores| cores.get() * 5).to_string();
    failures.note(Step::new("tests").cargo(&[
        "nextest",
        "run",
        "--workspace",
        "--no-fail-fast",
        "--no-tests",
        "pass",
        "--test-threads",
        &threads,
        "-E",
        &tests,
    ]));
    let examples = Step::new("examples in the documentation");
    failures.note(examples.cargo(&["test", "--quiet", "--doc", "--workspace"]));
    failures.told()
}

/// Takes a picture of every screen and state into `screenshots`, and checks each with axe.
pub fn pictures() -> Result<(), Failure> {
    setup::browser()?;
    setup::packages()?;
    Step::new("pictures of the interface").within("ui").run(npm(), &["run", "--silent", "shots"])
}

/// Drives the interface in a real browser, at a server as built.
pub fn browser() -> Result<(), Failure> {
    setup::browser()?;
    lint::step("browser tests")?.cargo(&[
        "nextest",
        "run",
        "--no-fail-fast",
        "--workspace",
        "-E",
        "binary(browser)",
    ])
}

/// Builds the programs, which the tests drive themselves, and the writer of bindings. Examples bring in what tests
/// depend on: without them, and for one package alone, all dependencies would be built with other features, again.
pub fn programs() -> Result<(), Failure> {
    lint::step("build the programs")?.cargo(&["build", "--workspace", "--bins", "--examples"])
}

/// Drives the real window of the program as built.
pub fn window() -> Result<(), Failure> {
    lint::step("window tests")?.cargo(&[
        "nextest",
        "run",
        "--no-fail-fast",
        "--workspace",
        "-E",
        "binary(window)",
    ])
}

const BINDINGS: &str = "ui/src/api/types.ts";

fn bindings() -> Result<String, Failure> {
    let out = Command::new(target().join("debug/examples/bindings"))
        .current_dir(root())
        .output()
        .map_err(|error| Failure(format!("bindings: {error}")))?;
    if !out.status.success() {
        return Err(Failure(format!("bindings: {}", String::from_utf8_lossy(&out.stderr))));
    }
    String::from_utf8(out.stdout).map_err(|error| Failure(format!("bindings: {error}")))
}

/// Writes the generated TypeScript.
pub fn write_bindings() -> Result<(), Failure> {
    programs()?;
    let text = bindings()?;
    std::fs::write(root().join(BINDINGS), text).map_err(|error| Failure(format!("{BINDINGS}: {error}")))
}

fn bindings_current() -> Result<(), Failure> {
    let written = std::fs::read_to_string(root().join(BINDINGS)).unwrap_or_default();
    if written == bindings()? {
        Ok(())
    } else {
        Err(Failure(format!("{BINDINGS} does not match the command list; run `cargo xtask bindings`")))
    }
}
