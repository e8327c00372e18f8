//! A plain build and one with lints share what they build, and no lint is missed.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const CLEAN: &str = "//! One number.\n\n/// The number.\npub fn one() -> u8 {\n    1\n}\n";
const LINTED: &str = "needless_return";

/// A workspace of one crate, in a folder of its own.
struct Workspace(PathBuf);

impl Workspace {
    fn new() -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("with a space");
        let _ = fs::remove_dir_all(&folder); // There is none at first.
        fs::create_dir_all(folder.join("src")).unwrap();
        let manifest = "[package]\nname = \"one\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n";
        fs::write(folder.join("Cargo.toml"), manifest).unwrap();
        Self(folder)
    }

    /// Writes the source, with a lint or without.
    fn write(&self, planted: bool) {
        let text = if planted { CLEAN.replace("    1", "    return 1;") } else { CLEAN.to_owned() };
        fs::write(self.0.join("src/lib.rs"), text).unwrap();
    }

    fn run(&self, program: &str, words: &[&str]) -> (bool, String) {
        let mut command = Command::new(program);
        command.args(words).current_dir(&self.0).env("CARGO_TARGET_DIR", self.0.join("target"));
        for inherited in ["RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "SIBYL_LINT"] {
            command.env_remove(inherited);
        }
        let Output { status, stdout, stderr } = command.output().unwrap();
        (status.success(), String::from_utf8(stdout).unwrap() + &String::from_utf8(stderr).unwrap())
    }

    /// Builds with lints; says whether it passed, and what was told.
    fn lint(&self) -> (bool, String) {
        self.run(env!("CARGO_BIN_EXE_xtask"), &["lint", self.0.to_str().unwrap()])
    }

    /// Builds without, or checks as editors do; says whether anything was compiled.
    fn plain(&self, command: &str) -> bool {
        let (passed, told) = self.run(env!("CARGO"), &[command, "--workspace", "--all-targets"]);
        assert!(passed && !told.contains(LINTED), "{told}");
        told.contains("Compiling") || told.contains("Checking")
    }
}

#[test]
fn lints_share_the_plain_build_and_none_is_missed() {
    let workspace = Workspace::new();
    for round in ["never linted before", "linted before"] {
        workspace.write(true);
        assert!(workspace.plain("build") && workspace.plain("check"), "{round}");
        for _ in 0..2 {
            let (passed, told) = workspace.lint();
            assert!(!passed && told.contains(LINTED), "{round}: {told}");
        }
        assert!(!workspace.plain("check"), "{round}: what an editor checked is checked again");
        workspace.write(false);
        let (passed, told) = workspace.lint();
        assert!(passed && told.contains("Compiling"), "{round}: {told}");
        assert!(!workspace.plain("build"), "{round}: a plain build compiles what was linted again");
    }
    let (passed, told) = workspace.lint();
    assert!(passed && !told.contains("Compiling"), "what was linted is linted again: {told}");
}
