//! Every check, in the order in which a mistake is cheapest to find.

use crate::process::{Failure, Step, found, root, target};
use crate::reach::{self, Inputs};
use crate::setup::{self, Need, npm};
use crate::tidy;
use std::process::Command;

/// Runs every check.
pub fn everything() -> Result<(), Failure> {
    setup::system(Need::Test)?;
    checks(|_| None)?;
    pictures()?;
    browser()?;
    window()
}

/// Runs every check except the pictures and those of window and browser, each on what was changed since it last
/// passed.
pub fn fast() -> Result<(), Failure> {
    setup::system(Need::Engine)?;
    checks(|inputs| inputs.changed())
}

const UNCHANGED: &str = "nothing has changed since all checks passed";

/// What was changed since a check last passed; with `None` it runs on everything.
type Changed = fn(&Inputs) -> Option<Vec<&str>>;

fn checks(changed: Changed) -> Result<(), Failure> {
    setup::packages()?;
    Step::new("format").cargo(&["fmt", "--all", "--check"])?;
    tidy::tidy()?;
    let inputs = Inputs::of("interface", &["ui"]);
    interface(changed(&inputs))?;
    inputs.pass()?;
    let inputs = Inputs::of(
        "engine",
        &[
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
            BINDINGS,
        ],
    );
    engine(changed(&inputs))?;
    inputs.pass()
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
    npm("types of the interface", &["run", "--silent", "check"])?;
    npm("lint of the interface", &["run", "--silent", "lint"])?;
    match &related {
        // Files outside src decide how all of it is tested.
        None => npm(tests, &["run", "--silent", "test"])?,
        Some(files) => {
            let files = files.iter().map(String::as_str);
            let words = ["exec", "--", "vitest", "related", "--run", "--passWithNoTests"];
            npm(tests, &words.into_iter().chain(files).collect::<Vec<_>>())?;
        }
    }
    npm("build the interface", &["run", "--silent", "build"])
}

/// Tests except those that need a window or a browser.
const APART: &str = "not binary(window) and not binary(browser)";

fn engine(changed: Option<Vec<&str>>) -> Result<(), Failure> {
    if changed.as_ref().is_some_and(Vec::is_empty) {
        println!("── the engine and its doors: {UNCHANGED}");
        return Ok(());
    }
    // In one go: what uses only one core is built beside the rest.
    Step::new("build and lint programs and tests").linted().cargo(&[
        "build",
        "--workspace",
        "--all-targets",
    ])?;
    bindings_current()?;
    if !found("cargo-nextest") {
        Step::new("install the test runner").cargo(&["install", "cargo-nextest", "--locked"])?;
    }
    let reached = changed.and_then(|files| reach::packages(&files));
    let tests = reached.map_or_else(|| APART.to_owned(), |packages| format!("{APART} and ({packages})"));
    // Many tests wait for a process, a provider or time to pass; five for each core keep all of them busy.
    let threads = std::thread::available_parallelism().map_or(1, |cores| cores.get() * 5).to_string();
    Step::new("tests").linted().cargo(&[
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
    ])?;
    Step::new("examples in the documentation").linted().cargo(&["test", "--quiet", "--doc", "--workspace"])
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
    Step::new("browser tests").linted().cargo(&[
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
    Step::new("build the programs").linted().cargo(&["build", "--workspace", "--bins", "--examples"])
}

/// Drives the real window of the program as built.
pub fn window() -> Result<(), Failure> {
    Step::new("window tests").linted().cargo(&[
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
