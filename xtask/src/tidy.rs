//! Rules that no compiler checks. Each says what it found and where.

use crate::process::{Failure, root};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Crates and what their source must not name, with the reason.
const DIRECTION: &[(&str, &[&str], &str)] = &[
    (
        "crates/sibyl-text",
        &["std::fs", "std::net", "tokio", "rusqlite", "reqwest", "sibyl_engine"],
        "sibyl-text is pure",
    ),
    (
        "crates/sibyl-space",
        &["std::fs", "std::net", "tokio", "rusqlite", "reqwest", "sibyl_store", "sibyl_embed"],
        "sibyl-space is pure",
    ),
    ("crates/sibyl-store", &["reqwest", "sibyl_embed", "sibyl_engine"], "the store knows no provider"),
    ("crates/sibyl-embed", &["rusqlite", "sibyl_store", "sibyl_engine"], "embedding knows no store"),
    (
        "crates/sibyl-engine",
        &["tauri", "clap", "axum", "rusqlite", "reqwest", "sibyl_api"],
        "the engine knows no door, only the store opens SQLite, only embedding speaks HTTP",
    ),
    ("crates/sibyl-api", &["tauri", "clap", "axum", "rusqlite"], "the command list knows no transport"),
    ("crates/sibyl-cli", &["tauri", "rusqlite", "sibyl_engine"], "a door goes through the command list"),
    ("src-tauri", &["rusqlite", "sibyl_engine"], "a door goes through the command list"),
];

/// Folders of `ui/src`, from the lowest; each imports from those before it, and from itself.
const UI_TIERS: &[&str] = &["text", "kit", "api", "state", "parts", "pages", "app"];

/// Checks every rule.
pub fn tidy() -> Result<(), Failure> {
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
            findings.push(format!("{name}: a default grants what nothing asks for; name each permission"));
        }
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

fn check_source(name: &str, text: &str, findings: &mut Vec<String>) {
    let code = name.ends_with(".rs") || name.ends_with(".ts") || name.ends_with(".tsx");
    if !code {
        return;
    }
    let test = name.contains("/tests/")
        || name.ends_with("/tests.rs")
        || name.starts_with("tests/")
        || name.contains(".test.");
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
        for (folder, words, why) in DIRECTION {
            let module = name.starts_with(folder) && !test && !line.trim_start().starts_with("//");
            if let Some(word) = words.iter().find(|word| module && names(line, word)) {
                findings.push(format!("{place}: `{word}`: {why}"));
            }
        }
        let transport = name.starts_with("ui/src/api/transport/");
        if name.starts_with("ui/src") && !transport && line.contains("from \"@tauri-apps") {
            findings.push(format!("{place}: only api/transport imports the desktop API"));
        }
        if let Some((tier, imported)) = (!test).then(|| climbs(name, line)).flatten() {
            findings
                .push(format!("{place}: {tier} imports {imported}: ui/README.md says what stands on what"));
        }
    }
}

/// The tier of the UI file `name` and the higher one that `line` imports, where it does.
fn climbs(name: &str, line: &str) -> Option<(&'static str, &'static str)> {
    let rank = |folder: &str| UI_TIERS.iter().position(|tier| *tier == folder);
    let file = name.strip_prefix("ui/src/")?;
    let own = rank(file.split('/').next()?)?;
    let from = ["from \"", "import \"", "import(\""]
        .iter()
        .find_map(|mark| line.split_once(mark).and_then(|(_, rest)| rest.split('"').next()))?;
    let target = if let Some(path) = from.strip_prefix("@/") {
        path.to_owned()
    } else {
        let mut parts: Vec<&str> = file.split('/').collect();
        parts.pop();
        for part in from.split('/') {
            match part {
                "." => {}
                ".." => drop(parts.pop()),
                name => parts.push(name),
            }
        }
        parts.join("/")
    };
    let other = from.starts_with(['@', '.']).then(|| rank(target.split('/').next()?)).flatten()?;
    (other > own).then(|| (UI_TIERS[own], UI_TIERS[other]))
}

/// Whether `line` names the path or crate `word` in code.
fn names(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        let edge =
            |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '_' && c != '-' && c != '"');
        edge(before)
            && (after == Some(':') || after == Some(';') || after == Some(' ') && line.contains("use "))
    })
}

fn tracked() -> Result<Vec<PathBuf>, Failure> {
    let out = Command::new("git").args(["ls-files", "-z"]).current_dir(root()).output();
    let out = out.map_err(|error| Failure(format!("tidy: git: {error}")))?;
    let names = String::from_utf8_lossy(&out.stdout).into_owned();
    Ok(names.split('\0').filter(|name| !name.is_empty()).map(|name| Path::new(name).to_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::climbs;

    #[test]
    fn imports_of_the_interface_go_downwards() {
        let cases = [
            ("ui/src/kit/Button.tsx", "import { t } from \"@/text\";", None),
            ("ui/src/kit/Button.tsx", "import { call } from \"../api/client\";", Some(("kit", "api"))),
            (
                "ui/src/pages/library/index.tsx",
                "import { Shell } from \"@/app/Shell\";",
                Some(("pages", "app")),
            ),
            ("ui/src/pages/library/index.tsx", "import { href } from \"@/state/router\";", None),
            ("ui/src/state/jobs.ts", "const a = import(\"@/parts/passage\")", Some(("state", "parts"))),
            ("ui/src/state/jobs.ts", "import { useEffect } from \"react\";", None),
            ("ui/src/main.tsx", "import { App } from \"./app/App\";", None),
        ];
        for (file, line, found) in cases {
            assert_eq!(climbs(file, line), found, "{file}: {line}");
        }
    }
}
