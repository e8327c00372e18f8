//! `cargo xtask`: every chore of the project as one command. It uses nothing beyond the standard library, so
//! that it starts at once on a fresh machine.
#![allow(clippy::print_stdout)] // It is a program that talks to its user.

mod check;
mod fuzz;
mod lint;
mod process;
mod reach;
mod setup;
mod tidy;

use process::{Failure, Step};
use std::fs;
use std::path::Path;
use std::process::ExitCode;

const HELP: &str = "usage: cargo xtask COMMAND

  run [--dev]       set up, build and start the application
  installers        build the installers of this system, with the shipped standards ready; needs `cargo install tauri-cli`
  test [--fast]     set up and run every check and test; --fast leaves out window and browser tests and pictures, and all
                    that has passed before and no change since can affect
  lint [FOLDER]     build and lint the workspace, or that in FOLDER, so that a plain build finds it built
  window            build and run the window tests only
  browser           build everything and walk the interface in a browser
  pictures          take a picture of every screen and state, in both themes and two sizes, into screenshots/
  bench [PART]      measure and print the tables of speed (release build); PART is chunking, embedding, ingest, growth,
                    retrieval, answers, matrix, evaluate, serving or window; --large measures larger libraries, and
                    serving for longer
  fuzz [KIND] [TARGET…] [COUNT]
                    feed each target, or those of KIND (reader, door) or TARGET, COUNT inputs (default 100000) that a fuzzer makes from those
                    that reached new code; what reached it is kept in dev/fuzz/corpus
  pages [COUNT] [ELEMENT] make COUNT random documents (default 1000) of each element of layout, or of ELEMENT, and show how
                    many of them are read incorrectly
  tables [COUNT] [FORMAT|ELEMENT]
                    make COUNT random tables (default 1000) in each format, or in FORMAT, or which show ELEMENT, and show how
                    many of their cells are stored under their names
  prove [NAME] [COUNT] [SEED] try a claim with COUNT random cases from SEED on, or every claim: doors (no request makes a door
                    fail, hang or end), scopes (no workspace reads another), kills (kill -9 loses nothing that was
                    acknowledged and costs nothing twice), assessments (the same in run, decision and
                    export; two programs at once), power (nor does a power failure), memory (a day's work leaves
                    memory, files and threads as they are), faults (of providers: nothing wrong is stored), files (names,
                    links, dates, changes: each file is there once), clock (that jumps, and sleep: the same)
  readability PATH… read tagged PDF files without their tags and show what is kept, beside pdftotext where it is
                    installed; --torn lists what is not
  phrasings [COUNT] list the shipped search phrasings to which COUNT other paragraphs (default 400) are nearer in meaning
                    than their own; takes some minutes
  assessments LIBRARY ASSESSMENT MARKS…
                    fit the weights of proposals in assessments to marked reports, and show how often they are right
                    and wrong about reports that were left out
  vectors           compute the shipped vectors for what is new in data/
  bindings          write ui/src/api/types.ts from the command list
  tidy              check the rules that no compiler checks
";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    if let Ok(crates) = std::env::var(fuzz::INSTRUMENT) {
        return fuzz::compile(&crates, &words);
    }
    if let Ok(clippy) = std::env::var(lint::LINT) {
        return lint::compile(&clippy, &words);
    }
    let outcome = match words.as_slice() {
        ["run"] => run(Profile::Release),
        ["run", "--dev"] => run(Profile::Dev),
        ["installers"] => installers(),
        ["test"] => check::everything(),
        ["test", "--fast"] => check::fast(),
        ["pictures"] => check::pictures(),
        ["lint"] => setup::ui().and_then(|()| lint::workspace(&process::root())),
        ["lint", folder] => lint::workspace(Path::new(folder)),
        ["window"] => check::programs().and_then(|()| check::window()),
        ["browser"] => setup::ui().and_then(|()| check::programs()).and_then(|()| check::browser()),
        ["bench", rest @ ..] => bench(rest),
        ["fuzz", rest @ ..] => fuzz::fuzz(rest),
        ["pages", rest @ ..] => lab("pages", rest),
        ["tables", rest @ ..] => lab("tables", rest),
        ["prove", rest @ ..] => prove(rest),
        ["readability", rest @ ..] => lab("readability", rest),
        ["phrasings", rest @ ..] => lab("phrasings", rest),
        ["assessments", rest @ ..] => lab("assessments", rest),
        ["vectors"] => lab("vectors", &[]),
        ["bindings"] => check::write_bindings(),
        ["tidy"] => tidy::tidy(),
        _ => {
            print!("{HELP}");
            return if words.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(2) };
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("\nxtask: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// How the application is built.
#[derive(Clone, Copy)]
enum Profile {
    Release,
    Dev,
}

impl Profile {
    const fn option(self) -> &'static str {
        match self {
            Self::Release => "--release",
            Self::Dev => "--profile=dev",
        }
    }

    const fn folder(self) -> &'static str {
        match self {
            Self::Release => "release",
            Self::Dev => "debug",
        }
    }
}

fn run(profile: Profile) -> Result<(), Failure> {
    setup::system(setup::Need::Build)?;
    application(profile, &[])?;
    start("sibyl-desktop", profile, &[])
}

/// Builds the installers of this system. The library that they carry is made by a release build: the programs that they
/// carry open it as they would any.
fn installers() -> Result<(), Failure> {
    setup::system(setup::Need::Build)?;
    application(Profile::Release, &[])?;
    let ready = process::target().join(Profile::Release.folder()).join("data").join(READY);
    let resources =
        format!(r#"{{"bundle":{{"resources":{{{:?}:"data/{READY}"}}}}}}"#, ready.to_string_lossy());
    Step::new("build the installers").cargo(&[
        "tauri",
        "build",
        "--config",
        &resources,
        "--",
        "--profile",
        "dist",
    ])
}

/// The library as which new ones begin, in the folder with what ships.
const READY: &str = "ready.sibyl";

/// Builds desktop and command line, and the packages `further`.
fn application(profile: Profile, further: &[&str]) -> Result<(), Failure> {
    setup::ui()?;
    let packages = ["sibyl", "sibyl-cli"].iter().chain(further).flat_map(|name| ["--package", name]);
    let words: Vec<&str> = ["build", profile.option()].into_iter().chain(packages).collect();
    Step::new("build the application").cargo(&words)?;
    ready(profile)
}

/// Has the command line that was built ingest what ships, into the library as which new ones begin.
fn ready(profile: Profile) -> Result<(), Failure> {
    let built = process::target().join(profile.folder());
    let (data, scratch) = (built.join("data"), built.join("ready"));
    let ready = data.join(READY);
    let program = built.join(format!("sibyl{}", std::env::consts::EXE_SUFFIX));
    let age = |path: &Path| path.metadata().and_then(|file| file.modified()).ok();
    if age(&program) < age(&ready) {
        return Ok(());
    }
    for former in [&ready, &scratch] {
        let removed = if former.is_dir() { fs::remove_dir_all(former) } else { fs::remove_file(former) };
        if let Err(error) = removed
            && error.kind() != std::io::ErrorKind::NotFound
        {
            return Err(Failure(format!("{} cannot be removed: {error}", former.display())));
        }
    }
    let (program, data, scratch) =
        (program.to_string_lossy(), data.to_string_lossy(), scratch.to_string_lossy());
    let sibyl = |name, words: &[&str]| {
        Step::new(name).with("SIBYL_SHIPPED_DIR", &data).with("SIBYL_DATA_DIR", &scratch).run(&program, words)
    };
    sibyl("ingest the standards", &["ingest"])?;
    sibyl("keep them ready", &["backup", "make", &ready.to_string_lossy()])
}

/// Starts a program that was built. `cargo run` accepts a single package, whose dependencies have other features
/// than those of several packages. It would rebuild them all.
fn start(program: &str, profile: Profile, words: &[&str]) -> Result<(), Failure> {
    let file = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    let path = process::target().join(profile.folder()).join(file);
    Step::new("start").run(&path.to_string_lossy(), words)
}

fn bench(rest: &[&str]) -> Result<(), Failure> {
    let part = rest.iter().find(|word| !word.starts_with("--"));
    if cfg!(target_os = "linux") && part.is_none_or(|part| *part == "window") {
        match setup::system(setup::Need::Test) {
            Ok(()) => {
                application(Profile::Release, &["sibyl-lab"])?;
                return start("bench", Profile::Release, rest);
            }
            Err(failure) => println!("The window cannot be measured: {failure}"),
        }
    }
    if part.is_some_and(|part| ["serving", "matrix", "evaluate"].contains(part)) {
        setup::ui()?;
        let packages = ["--package", "sibyl-cli", "--package", "sibyl-lab"];
        Step::new("build the server").cargo(&[&["build", "--release"][..], &packages].concat())?;
        return start("bench", Profile::Release, rest);
    }
    lab("bench", rest)
}

/// Tries claims on the program as it ships.
fn prove(rest: &[&str]) -> Result<(), Failure> {
    let packages = ["--package", "sibyl-cli", "--package", "sibyl-lab"];
    Step::new("build the program").cargo(&[&["build", "--release"][..], &packages].concat())?;
    start("prove", Profile::Release, rest)
}

fn lab(what: &str, rest: &[&str]) -> Result<(), Failure> {
    let mut words = vec!["run", "--release", "--package", "sibyl-lab", "--bin", what, "--"];
    words.extend(rest);
    Step::new(what).cargo(&words)
}
