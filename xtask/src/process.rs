//! Running other programs, shown to the user as steps.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

/// Why a step stopped.
#[derive(Debug)]
pub struct Failure(pub String);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The repository's root folder.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".")).to_owned()
}

/// Where cargo builds.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), Into::into)
}

/// A named step; its name, command and duration are printed.
pub struct Step<'a> {
    name: &'a str,
    folder: PathBuf,
    environment: Vec<(&'a str, String)>,
}

impl<'a> Step<'a> {
    /// A step that runs in the repository's root.
    pub fn new(name: &'a str) -> Self {
        Self { name, folder: root(), environment: Vec::new() }
    }

    /// Runs it in `folder`, which may be named from the root.
    pub fn within(mut self, folder: impl AsRef<Path>) -> Self {
        self.folder = root().join(folder);
        self
    }

    /// Sets a variable of its environment.
    pub fn with(mut self, name: &'a str, value: &str) -> Self {
        self.environment.push((name, value.to_owned()));
        self
    }

    /// Runs cargo.
    pub fn cargo(self, words: &[&str]) -> Result<(), Failure> {
        self.run(&cargo(), words)
    }

    /// Runs `program` and waits for it.
    pub fn run(self, program: &str, words: &[&str]) -> Result<(), Failure> {
        println!("\n── {} ── {program} {}", self.name, words.join(" "));
        let start = Instant::now();
        let mut command = Command::new(program);
        command.args(words).current_dir(&self.folder);
        // Variables that cargo sets for xtask would make the inner cargo rebuild everything.
        for (key, _) in std::env::vars() {
            if key.starts_with("CARGO_PKG_") || key == "CARGO_MANIFEST_DIR" || key == "CARGO_MANIFEST_PATH" {
                command.env_remove(key);
            }
        }
        command.envs(self.environment);
        let status = command
            .status()
            .map_err(|error| Failure(format!("{}: `{program}` cannot be started: {error}", self.name)))?;
        if !status.success() {
            return Err(Failure(format!("{}: `{program} {}` failed ({status})", self.name, words.join(" "))));
        }
        println!("── {} took {:.1} s", self.name, start.elapsed().as_secs_f64());
        Ok(())
    }
}

/// The cargo that runs this program.
pub fn cargo() -> String {
    std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned())
}

/// Whether `program` is on the path.
pub fn found(program: &str) -> bool {
    std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join(program).is_file()))
}

/// Runs a compiler in place of this program: its exit code is that of the compiler. `cure` is said where it cannot be
/// started.
pub fn compiled(compiler: &mut Command, cure: &str) -> ExitCode {
    match compiler.status() {
        Ok(status) => ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)),
        Err(error) => {
            let program = compiler.get_program().to_string_lossy();
            eprintln!("`{program}` cannot be started: {error}{cure}");
            ExitCode::FAILURE
        }
    }
}
