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
        check_sentences(&name, &text, &mut findings);
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

/// Most words of a sentence.
const SENTENCE: usize = 30;

/// Finds sentences that are too long in comments of Rust, in `docs` and in files called `README.md`.
fn check_sentences(name: &str, text: &str, findings: &mut Vec<String>) {
    let is_page = name.ends_with("README.md") || name.starts_with("docs/") && name.ends_with(".md");
    if !is_page && !name.ends_with(".rs") {
        return;
    }
    for (line, paragraph) in paragraphs(text, is_page) {
        for sentence in sentences(&paragraph) {
            if sentence.len() > SENTENCE {
                findings.push(format!(
                    "{name}:{line}: a sentence of {} words, at most {SENTENCE}: part it: {} …",
                    sentence.len(),
                    sentence[..6].join(" ")
                ));
            }
        }
    }
}

/// The paragraphs and items of a Markdown page or of the comments in Rust, each with its first line, from 1. Code,
/// tables, headings and quotes are left out.
fn paragraphs(text: &str, is_page: bool) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let (mut is_open, mut in_code, mut last_mark) = (false, false, "");
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        let (mark, said) = if is_page {
            ("", line)
        } else {
            let marks = ["///", "//!", "//"].into_iter();
            let Some(split) = marks.filter_map(|mark| Some((mark, line.strip_prefix(mark)?.trim()))).next()
            else {
                (is_open, in_code) = (false, false);
                continue;
            };
            split
        };
        let begins_item = item(said);
        is_open &= mark == last_mark;
        last_mark = mark;
        if said.starts_with("```") {
            in_code = !in_code;
            is_open = false;
        } else if in_code || said.is_empty() || said.starts_with(['|', '#', '>', '<']) {
            is_open = false;
        } else if let Some((_, paragraph)) = found.last_mut().filter(|_| is_open && begins_item.is_none()) {
            paragraph.push(' ');
            paragraph.push_str(said);
        } else {
            found.push((index + 1, begins_item.unwrap_or(said).to_owned()));
            is_open = true;
        }
    }
    found
}

/// What follows the mark of a list's item, if `line` begins with one: `- `, `* ` or `1. `.
fn item(line: &str) -> Option<&str> {
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = if digits.len() < line.len() { digits.strip_prefix(". ") } else { None };
    numbered.or_else(|| line.strip_prefix("- ")).or_else(|| line.strip_prefix("* "))
}

/// The words of each sentence in `paragraph`. Signs without a letter or digit are no words, nor are addresses.
fn sentences(paragraph: &str) -> Vec<Vec<&str>> {
    let mut found = vec![Vec::new()];
    let mut words = paragraph.split_whitespace().peekable();
    while let Some(word) = words.next() {
        if let Some(sentence) = found.last_mut()
            && word.contains(char::is_alphanumeric)
            && !word.contains("://")
        {
            sentence.push(word);
        }
        let ends = word.trim_end_matches(['"', '”', '’', ')', '*', '_', '`', ']']).ends_with(['.', '?', '!']);
        let begins = |next: &&str| {
            let next = next.trim_start_matches(['"', '“', '(', '*', '_', '[']);
            next.starts_with(|c: char| c == '`' || c.is_uppercase() || c.is_ascii_digit())
        };
        if ends && words.peek().is_some_and(begins) {
            found.push(Vec::new());
        }
    }
    found
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
    use super::{LONG, SENTENCE, check_sentences, check_source, misplaced, overlong, unlocked};
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
    fn a_sentence_of_more_than_thirty_words_is_found() {
        let found = |name: &str, text: &str| {
            let mut findings = Vec::new();
            check_sentences(name, text, &mut findings);
            findings
        };
        let words = |count: usize| vec!["word"; count].join(" ");
        let (short, long) = (words(SENTENCE), words(SENTENCE + 1));
        for mark in ["///", "//!", "//", "    ///"] {
            assert!(found("a.rs", &format!("{mark} {short}.\n")).is_empty());
            assert_eq!(found("a.rs", &format!("{mark} {short}\n{mark} word.\n")).len(), 1);
            assert!(found("a.rs", &format!("{mark} {short}.\n{mark} Word, `word`.\n")).is_empty());
            assert!(found("a.rs", &format!("{mark} ```\n{mark} {long}\n{mark} ```\n")).is_empty());
        }
        assert!(found("a.rs", &format!("let text = \"{long}\";\n")).is_empty());
        assert!(found("a.rs", &format!("/// {short}\nfn word() {{}}\n/// word\n")).is_empty());
        for name in ["docs/a.md", "README.md", "ui/README.md"] {
            assert_eq!(
                found(name, &format!("Word.\n\n- {short}\n  word\n")),
                [format!(
                    "{name}:3: a sentence of 31 words, at most 30: part it: word word word word word word …"
                )]
            );
            let aside = [
                format!("```\n{long}\n```\n"),
                format!("| {long} |\n"),
                format!("# {long}\n"),
                format!("> {long}\n"),
                format!("- {short}\n- {short}\n1. {short}\n"),
                format!("{short} · https://example.org/word\n"),
            ];
            assert!(aside.iter().all(|text| found(name, text).is_empty()));
        }
        assert!(found("data/prompts/system.md", &long).is_empty());
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
