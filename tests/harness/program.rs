//! The program `sibyl`, run as a user runs it.

use crate::built;
use serde_json::Value;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A data folder, and the program that works on it.
pub struct Sibyl {
    program: PathBuf,
    folder: TempDir,
    environment: Vec<(String, String)>,
}

/// How a run ended.
pub struct Run {
    /// Exit code.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Run {
    fn of(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Standard output as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {} {}", self.out, self.err))
    }
}

impl Sibyl {
    /// An empty data folder.
    pub fn fresh() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Self { program: built("sibyl"), folder, environment: Vec::new() }
    }

    /// Makes `program` run in place of `sibyl`.
    pub fn with_program(mut self, program: PathBuf) -> Self {
        self.program = program;
        self
    }

    /// A data folder with the shipped standards and the vectors of every model. They are ingested once for all
    /// tests, and copied from then on.
    pub fn with_standards() -> Self {
        Self::prepared("standards", |folder| ingest_standards(folder, &[]))
    }

    /// The same with the reports of the sample added.
    pub fn with_reports() -> Self {
        Self::prepared("reports", |folder| {
            copy_library(Self::with_standards().folder(), folder);
            let sample = crate::root().join("data/sample").display().to_string();
            // What questions without an answer score there is measured with the first question.
            for words in
                [&["ingest", &sample, "--source-type", "report"][..], &["ask", "When was the kiln built?"]]
            {
                let run = Self::run_in(folder, &[], words);
                assert_eq!(run.code, 0, "{}", run.err);
            }
        })
    }

    /// The standards with the vectors of the instant model only, which are there at once.
    pub fn with_instant_vectors() -> Self {
        Self::prepared("instant", crate::library::ingest_with_instant_vectors)
    }

    /// The same without any model: only words are searched.
    pub fn with_words() -> Self {
        let environment = without_models();
        let mut sibyl = Self::prepared("words", |folder| ingest_standards(folder, &environment));
        sibyl.environment = environment;
        sibyl
    }

    /// An empty data folder and a program without any model.
    pub fn fresh_with_words() -> Self {
        Self { environment: without_models(), ..Self::fresh() }
    }

    /// A copy of the library called `name`, which `make` makes if there is none or the program has changed.
    fn prepared(name: &str, make: impl FnOnce(&Path)) -> Self {
        let sibyl = Self::fresh();
        let prepared = scratch().join(name);
        std::fs::create_dir_all(&prepared).expect("a folder for the prepared library");
        let lock = File::create(prepared.join("lock")).expect("a lock file");
        lock.lock().expect("only one test prepares the library");
        let stamp = stamp();
        let ready = prepared.join("ready");
        let folder = prepared.join("library");
        if std::fs::read_to_string(&ready).ok().as_deref() != Some(&stamp) {
            let _ = std::fs::remove_dir_all(&folder);
            make(&folder);
            std::fs::write(&ready, stamp).expect("the prepared library can be marked");
        }
        copy_library(&folder, sibyl.folder());
        sibyl
    }

    /// Sets an environment variable for every run.
    pub fn env(mut self, key: &str, value: &str) -> Self {
        self.environment.push((key.to_owned(), value.to_owned()));
        self
    }

    /// The environment variables of every run, besides those of every library.
    pub fn environment(&self) -> &[(String, String)] {
        &self.environment
    }

    /// The data folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// An empty data folder in the same environment.
    fn beside(&self) -> Self {
        Self { program: self.program.clone(), environment: self.environment.clone(), ..Self::fresh() }
    }

    /// A copy of the library, which nobody has open, in the same environment.
    pub fn copied(&self) -> Self {
        let copy = self.beside();
        copy_library(self.folder(), copy.folder());
        copy
    }

    /// A data folder whose library is a copy of `file`, in the same environment.
    pub fn with_file(&self, file: &Path) -> Self {
        let beside = self.beside();
        std::fs::copy(file, beside.folder().join("library.sibyl")).expect("a copy of the library");
        beside
    }

    /// Runs `sibyl` with `words`.
    pub fn run(&self, words: &[&str]) -> Run {
        Run::of(self.command_of(words).output().expect("the program starts"))
    }

    /// Runs `sibyl` with `words` and `input` on its standard input.
    pub fn run_with_input(&self, words: &[&str], input: &str) -> Run {
        let mut child = self
            .command_of(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        // It may end without reading.
        let _ = child.stdin.take().expect("its input is piped").write_all(input.as_bytes());
        Run::of(child.wait_with_output().expect("the program ends"))
    }

    /// The program with `words`, to be started.
    pub fn command_of(&self, words: &[&str]) -> Command {
        Self::command(&self.program, self.folder.path(), &self.environment, words)
    }

    /// The same, without any output.
    pub fn quiet(&self, words: &[&str]) -> Command {
        let mut command = self.command_of(words);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    fn run_in(folder: &Path, environment: &[(String, String)], words: &[&str]) -> Run {
        let mut command = Self::command(&built("sibyl"), folder, environment, words);
        Run::of(command.output().expect("the program starts"))
    }

    fn command(program: &Path, folder: &Path, environment: &[(String, String)], words: &[&str]) -> Command {
        let mut command = Command::new(program);
        command
            .args(words)
            .env("SIBYL_DATA_DIR", folder)
            .env("SIBYL_SHIPPED_DIR", crate::root().join("data"))
            .env_remove("OPENROUTER_API_KEY")
            .env_remove("COHERE_API_KEY")
            .env_remove("SIBYL_SIGNING_KEY")
            // No keychain except one of a test: that of the person who runs the tests is left alone.
            .env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")
            .envs(environment.iter().map(|(key, value)| (key, value)));
        command
    }

    /// Runs `sibyl WORDS --json`, which must end well, and reads the answer.
    pub fn json(&self, words: &[&str]) -> Value {
        let mut all = words.to_vec();
        all.push("--json");
        let run = self.run(&all);
        assert_eq!(run.code, 0, "sibyl {words:?}: {}", run.err);
        run.json()
    }
}

/// Where libraries that several tests share are kept.
fn scratch() -> PathBuf {
    crate::root().join("target/tmp")
}

/// Copies the files of the library in `from`, which nobody has open, into the folder `to`.
fn copy_library(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder for the library");
    for entry in std::fs::read_dir(from).expect("the library") {
        let path = entry.expect("an entry").path();
        if path.is_file() {
            let name = path.file_name().expect("a file has a name");
            std::fs::copy(&path, to.join(name)).expect("a copy of the library");
        }
    }
}

fn ingest_standards(folder: &Path, environment: &[(String, String)]) {
    let run = Sibyl::run_in(folder, environment, &["ingest"]);
    assert_eq!(run.code, 0, "{}", run.err);
}

/// The environment of a program that ships with the standards and no model.
fn without_models() -> Vec<(String, String)> {
    let folder = scratch().join("without-models");
    for part in ["ifrs", "sasb"] {
        std::fs::create_dir_all(folder.join(part)).expect("a folder of what ships");
        for entry in std::fs::read_dir(crate::root().join("data").join(part)).expect("what ships") {
            let path = entry.expect("an entry").path();
            let target = folder.join(part).join(path.file_name().expect("a file has a name"));
            // Tests run side by side: none may see a file that another is writing.
            let modified = |path: &Path| path.metadata().and_then(|file| file.modified()).ok();
            if modified(&target) < modified(&path) {
                let half = tempfile::NamedTempFile::new_in(folder.join(part)).expect("a file beside it");
                std::fs::copy(&path, half.path()).expect("a copy of what ships");
                half.persist(target).expect("a copy of what ships");
            }
        }
    }
    vec![("SIBYL_SHIPPED_DIR".to_owned(), folder.display().to_string())]
}

/// Changes with the program and with what ships.
fn stamp() -> String {
    let modified = |path: PathBuf| {
        path.metadata().and_then(|m| m.modified()).map(|t| format!("{t:?}")).unwrap_or_default()
    };
    let data = crate::root().join("data");
    [
        built("sibyl"),
        data.join("ifrs/s1_full.md"),
        data.join("ifrs/s2_full.md"),
        data.join("ifrs/s2_amended.md"),
        data.join("sasb"),
        data.join("sample"),
        data.join("vectors"),
    ]
    .map(modified)
    .join("\n")
}
