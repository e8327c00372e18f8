//! Every check, in the order in which a mistake is cheapest to find.

use crate::process::{Failure, Step, found, root};
use crate::setup::{self, Need, npm};
use crate::tidy;
use std::process::Command;

/// Runs all checks; the window tests only where `window` says so.
pub fn everything(window: bool) -> Result<(), Failure> {
    setup::system(if window { Need::Test } else { Need::Build })?;
    setup::packages()?;
    Step::new("format").cargo(&["fmt", "--all", "--check"])?;
    tidy::tidy()?;
    for (name, script) in [
        ("types of the interface", "check"),
        ("lint of the interface", "lint"),
        ("tests of the interface", "test"),
    ] {
        Step::new(name).within("ui").run(npm(), &["run", "--silent", script])?;
    }
    Step::new("build the interface").within("ui").run(npm(), &["run", "--silent", "build"])?;
    Step::new("clippy").cargo(&["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"])?;
    programs()?;
    bindings_current()?;
    if !found("cargo-nextest") {
        Step::new("install the test runner").cargo(&["install", "cargo-nextest", "--locked"])?;
    }
    Step::new("tests").cargo(&["nextest", "run", "--workspace", "-E", "not binary(window)"])?;
    Step::new("examples in the documentation").cargo(&["test", "--quiet", "--doc", "--workspace"])?;
    if window { self::window() } else { Ok(()) }
}

/// Takes a picture of every screen and state into `screenshots`, and looks at each with axe.
pub fn pictures() -> Result<(), Failure> {
    setup::browser()?;
    setup::packages()?;
    Step::new("pictures of the interface").within("ui").run(npm(), &["run", "--silent", "shots"])
}

/// Builds the programs, which the tests drive themselves, and the writer of bindings. Examples bring in what tests
/// depend on: without them, and for one package alone, all dependencies would be built with other features, anew.
pub fn programs() -> Result<(), Failure> {
    Step::new("build the programs").cargo(&["build", "--workspace", "--bins", "--examples"])
}

/// Drives the real window of the program as built.
pub fn window() -> Result<(), Failure> {
    Step::new("window tests").cargo(&["nextest", "run", "--workspace", "-E", "binary(window)"])
}

const BINDINGS: &str = "ui/src/api/types.ts";

fn bindings() -> Result<String, Failure> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), Into::into);
    let out = Command::new(target.join("debug/examples/bindings"))
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
        Err(Failure(format!("{BINDINGS} is not what the command list gives; run `cargo xtask bindings`")))
    }
}
