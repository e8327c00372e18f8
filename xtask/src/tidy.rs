//! Rules that no compiler checks. Each says what it found and where.

use crate::lint;
use crate::process::{Failure, root};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Checks every rule, and that crates, modules and folders of the interface import in one direction.
pub fn tidy() -> Result<(), Failure> {
    rules()?;
    lint::step("import graph")?.cargo(&["test", "--quiet", "--package", "xtask", "--test", "graph"])
}

fn rules() -> Result<(), Failure> {
    let files = tracked()?;
    let mut findings = Vec::new();
    for file in &files {
        let name = file.to_string_lossy().replace('\\', "/");
        let Ok(text) = std::fs::read_to_string(root().join(file)) else { continue };
        if name.starts_with("xtask/src/tidy.rs") {
            continue;
        }
        check_source(&name, &text, &mut findings);
        if name.starts_with("src-tauri/capabilities/") && text.contains(":default\"") {
            findings.push(format!("{name}: a default grants what nothing needs; name each permission"));
        }
    }
    findings.extend(misplaced(&files));
    findings.extend(overlong(git(&["log", "-1", "--format=%s"])?.trim_end()));
    let fuzzer = read("dev/fuzz/Cargo.lock")?;
    for manifest in files.iter().filter(|file| file.ends_with("Cargo.toml")) {
        findings.extend(unlocked(&read(&manifest.to_string_lossy())?, &fuzzer));
    }
    for (name, why) in [
        ("README.md", "says how to start"),
        ("LICENSE", "says what is allowed"),
        ("data/README.md", "says where the data come from"),
    ] {
        if !root().join(name).exists() {
            findings.push(format!("{name} is missing: it {why}"));
        }
    }
    if findings.is_empty() {
        println!("── tidy: {} files, nothing found", files.len());
        Ok(())
    } else {
        Err(Failure(format!("tidy found {}:\n  {}", findings.len(), findings.join("\n  "))))
    }
}

fn read(name: &str) -> Result<String, Failure> {
    std::fs::read_to_string(root().join(name)).map_err(|error| Failure(format!("{name}: {error}")))
}

/// Dependencies of the package with this manifest that the lock file of the fuzzer lacks: it would not be built with it.
fn unlocked(manifest: &str, lock: &str) -> Vec<String> {
    let value = |line: &str| line.split('"').nth(1).map(str::to_owned);
    let Some(name) = manifest.lines().find(|line| line.starts_with("name = ")).and_then(value) else {
        return Vec::new();
    };
    let entry = lock.split("[[package]]").find(|entry| entry.contains(&format!("\nname = \"{name}\"\n")));
    let Some(entry) = entry.filter(|entry| !entry.contains("\nsource = ")) else { return Vec::new() };
    let mut wanted = false;
    let mut missing = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            wanted = line == "[dependencies]";
        }
        let key = line.split(['.', ' ', '=']).next().unwrap_or_default();
        let listed = |end: &str| entry.contains(&format!("\"{key}{end}"));
        if wanted && !key.is_empty() && !key.starts_with(['#', '[']) && line.contains('=') {
            if line.contains("package = ") || line.contains("optional = true") || listed("\"") || listed(" ")
            {
                continue;
            }
            missing.push(format!(
                "dev/fuzz/Cargo.lock lacks {key} of {name}: run `cargo update --workspace --manifest-path dev/fuzz/Cargo.toml`"
            ));
        }
    }
    missing
}

/// What may be at the top of the repository.
const TOP: &[&str] = &[
    ".cargo",
    ".ci",
    ".clippy.toml",
    ".config",
    ".gitignore",
    ".rustfmt.toml",
    ".taurignore",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE",
    "README.md",
    "crates",
    "data",
    "dev",
    "docs",
    "src-tauri",
    "tauri.conf.json",
    "tauri.linux.conf.json",
    "tauri.macos.conf.json",
    "tauri.windows.conf.json",
    "tests",
    "ui",
    "xtask",
];
/// What may be at the root of a crate.
const CRATE: &[&str] =
    &["Cargo.lock", "Cargo.toml", "benches", "build.rs", "corpus", "examples", "src", "tests"];

/// Files at the top of the repository or of a crate that do not belong there, such as dumps.
fn misplaced(files: &[PathBuf]) -> Vec<String> {
    let mut found = Vec::new();
    for file in files {
        let parts: Vec<_> = file.iter().map(|part| part.to_string_lossy()).collect();
        let allowed = match &*parts {
            [first, crate_name, entry, ..] if first == "crates" || first == "dev" => {
                CRATE.contains(&&**entry) || crate_name == "README.md"
            }
            [first, ..] => TOP.contains(&&**first),
            [] => true,
        };
        if !allowed {
            found.push(format!(
                "{}: nothing of this name belongs there; see the lists in xtask/src/tidy.rs",
                file.display()
            ));
        }
    }
    found
}

/// Lines of a file from which it says why it is so long.
const LONG: usize = 500;
/// What the sentence begins with that says it, and what stands in files that a program writes.
const SAYS_WHY: [&str; 2] = ["Over 500 lines:", "Generated by"];

/// Whether the first lines of a file say why it is so long, behind `mark`.
fn says_why_it_is_long(text: &str, mark: &str) -> bool {
    let mut head = text.lines().map_while(|line| line.strip_prefix(mark));
    head.any(|line| SAYS_WHY.iter().any(|words| line.contains(words)))
}

fn check_source(name: &str, text: &str, findings: &mut Vec<String>) {
    let mark = match name.rsplit('.').next() {
        Some("rs") => "//!",
        Some("mjs" | "ts" | "tsx") => "//",
        _ => return,
    };
    if text.lines().count() > LONG && !says_why_it_is_long(text, mark) {
        findings.push(format!(
            "{name}: more than {LONG} lines; part it, or say why not in its first lines: `{mark} {} …`",
            SAYS_WHY[0]
        ));
    }
    for (index, line) in text.lines().enumerate() {
        let place = format!("{name}:{}", index + 1);
        for mark in [
            "TODO",
            "FIXME",
            "XXX",
            "todo!(",
            "unimplemented!(",
            "#[ignore",
            "it.skip(",
            "test.skip(",
            "describe.skip(",
        ] {
            if line.contains(mark) && !name.starts_with("xtask/") {
                findings.push(format!("{place}: `{mark}`: finish it or leave it out"));
            }
        }
    }
}

/// Characters from which the title of a commit says too much.
const LONG_TITLE: usize = 80;

/// What is wrong with the title of the last commit, which the shallowest clone has too.
fn overlong(title: &str) -> Option<String> {
    let length = title.chars().count();
    (length >= LONG_TITLE).then(|| {
        format!(
            "the last commit's title has {length} characters; name one change in under {LONG_TITLE}: {title}"
        )
    })
}

fn git(arguments: &[&str]) -> Result<String, Failure> {
    let out = Command::new("git").args(arguments).current_dir(root()).output();
    let out = out.map_err(|error| Failure(format!("tidy: git: {error}")))?;
    Ok(String::from_utf8_lossy(&out.stdout).into_owned())
}

fn tracked() -> Result<Vec<PathBuf>, Failure> {
    let names = git(&["ls-files", "-z"])?;
    Ok(names.split('\0').filter(|name| !name.is_empty()).map(|name| Path::new(name).to_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::{LONG, check_source, misplaced, overlong, unlocked};
    use std::path::PathBuf;

    #[test]
    fn a_long_file_says_why_in_its_first_lines() {
        let found = |name: &str, head: &str| {
            let mut findings = Vec::new();
            check_source(name, &format!("{head}{}", "// a line\n".repeat(LONG)), &mut findings);
            findings
        };
        for (name, mark) in [("a.rs", "//!"), ("a.tsx", "//"), ("a.mjs", "//")] {
            assert!(found(name, "").is_empty());
            assert_eq!(found(name, &format!("{mark} Words.\n")).len(), 1);
            assert!(
                found(name, &format!("{mark} Words.\n{mark}\n{mark} Over 500 lines: one list.\n")).is_empty()
            );
        }
    }

    #[test]
    fn a_title_of_eighty_letters_is_too_long() {
        assert_eq!(overlong(&"é".repeat(79)), None);
        assert!(overlong(&"é".repeat(80)).is_some());
    }

    #[test]
    fn a_dependency_that_the_fuzzers_lock_file_lacks_is_found() {
        let manifest = "[package]\nname = \"ours\"\n\n[dependencies]\nfar = \"1\"\nnear.workspace = true\n\n[dev-dependencies]\ntry = \"1\"\n";
        let lock = |listed: &str| {
            format!(
                "version = 4\n\n[[package]]\nname = \"ours\"\nversion = \"0.1.0\"\ndependencies = [{listed}]\n"
            )
        };
        assert_eq!(unlocked(manifest, &lock("\n \"far 1.0.0\",\n \"near\",\n")), Vec::<String>::new());
        assert_eq!(unlocked(manifest, &lock("\n \"far\",\n")).len(), 1);
    }

    #[test]
    fn a_dump_at_the_top_or_in_a_crate_is_found() {
        let files = [
            "d1.txt",
            "crates/sibyl-text/core",
            "crates/README.md",
            "crates/sibyl-text/src/lib.rs",
            "README.md",
        ];
        let found = misplaced(&files.map(PathBuf::from));
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(
            found[0].starts_with("d1.txt") && found[1].starts_with("crates/sibyl-text/core"),
            "{found:?}"
        );
    }
}
