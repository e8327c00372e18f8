//! `cargo xtask`: every chore of the project as one command. It uses nothing beyond the standard library, so
//! that it starts at once on a fresh machine.
#![allow(clippy::print_stdout)] // It is a program that talks to its user.

mod check;
mod process;
mod reach;
mod setup;
mod tidy;

use process::{Failure, Step};
use std::process::ExitCode;

const HELP: &str = "usage: cargo xtask COMMAND

  run [--dev]       set up, build and start the application
  test [--fast]     set up and run every check and test; --fast leaves out window tests and pictures, and whatever
                    passed already and nothing changed since can reach
  window            build and run the window tests only
  pictures          take a picture of every screen and state, in both themes and two sizes, into screenshots/
  bench [PART]      measure and print the tables of speed (release build); PART is chunking, embedding, ingest,
                    retrieval or window; --large measures retrieval in larger libraries too
  fuzz [COUNT]      feed COUNT random and mutated documents to every format and strategy (default 100000)
  vectors           make the vectors that ship for what is new in data/
  bindings          write ui/src/api/types.ts from the command list
  tidy              check the rules that no compiler checks
";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["run"] => run("--release"),
        ["run", "--dev"] => run("--profile=dev"),
        ["test"] => check::everything(),
        ["test", "--fast"] => check::fast(),
        ["pictures"] => check::pictures(),
        ["window"] => check::programs().and_then(|()| check::window()),
        ["bench", rest @ ..] => bench(rest),
        ["fuzz", rest @ ..] => lab("fuzz", rest),
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

fn run(profile: &str) -> Result<(), Failure> {
    setup::system(setup::Need::Build)?;
    application(profile)?;
    Step::new("start").cargo(&["run", profile, "--package", "sibyl"])
}

fn application(profile: &str) -> Result<(), Failure> {
    setup::ui()?;
    Step::new("build the application").cargo(&[
        "build",
        profile,
        "--package",
        "sibyl",
        "--package",
        "sibyl-cli",
    ])
}

fn bench(rest: &[&str]) -> Result<(), Failure> {
    let part = rest.iter().find(|word| !word.starts_with("--"));
    if cfg!(target_os = "linux") && part.is_none_or(|part| *part == "window") {
        match setup::system(setup::Need::Test) {
            Ok(()) => application("--release")?,
            Err(failure) => println!("The window cannot be measured: {failure}"),
        }
    }
    lab("bench", rest)
}

fn lab(what: &str, rest: &[&str]) -> Result<(), Failure> {
    let mut words = vec!["run", "--release", "--package", "sibyl-lab", "--bin", what, "--"];
    words.extend(rest);
    Step::new(what).cargo(&words)
}
