//! What has changed since a check last passed, so that a quick run skips what no change can affect.

use crate::process::{Failure, root, target};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;
use std::time::UNIX_EPOCH;

/// Files that a check reads, as they were before it ran.
pub struct Inputs {
    record: PathBuf,
    /// Size in bytes and last change in nanoseconds of Unix time, by path.
    now: BTreeMap<String, String>,
    /// The same when it last passed; empty if it never did.
    passed: BTreeMap<String, String>,
}

impl Inputs {
    /// What `check` reads: every file in `folders` that git tracks or would.
    pub fn of(check: &str, folders: &[&str]) -> Self {
        let record = target().join("passed").join(check);
        let passed = std::fs::read_to_string(&record).unwrap_or_default();
        let passed = passed.lines().filter_map(|line| line.split_once('\t'));
        Self {
            now: files(folders).into_iter().map(|path| (path.clone(), state(&path))).collect(),
            passed: passed.map(|(state, path)| (path.to_owned(), state.to_owned())).collect(),
            record,
        }
    }

    /// Files that were changed, added or removed since the check last passed; `None` if that is not known.
    pub fn changed(&self) -> Option<Vec<&str>> {
        if self.passed.is_empty() || self.now.is_empty() {
            return None;
        }
        let other =
            |(path, state): &(&String, &String), of: &BTreeMap<String, String>| of.get(*path) != Some(*state);
        let changed = self.now.iter().filter(|file| other(file, &self.passed));
        let removed = self.passed.iter().filter(|(path, _)| !self.now.contains_key(*path));
        Some(changed.chain(removed).map(|(path, _)| path.as_str()).collect())
    }

    /// Notes that the check passed on these files.
    pub fn pass(&self) -> Result<(), Failure> {
        let mut record = String::new();
        for (path, state) in &self.now {
            let _ = writeln!(record, "{state}\t{path}"); // Writing to memory cannot fail.
        }
        let folder = self.record.parent().unwrap_or(&self.record);
        std::fs::create_dir_all(folder)
            .and_then(|()| std::fs::write(&self.record, record))
            .map_err(|error| Failure(format!("{}: {error}", self.record.display())))
    }
}

/// Paths below the root; none if git does not answer.
fn files(folders: &[&str]) -> Vec<String> {
    let listed = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"])
        .args(folders)
        .current_dir(root())
        .output();
    match listed {
        Ok(out) if out.status.success() => {
            String::from_utf8_lossy(&out.stdout).split_terminator('\0').map(str::to_owned).collect()
        }
        _ => Vec::new(),
    }
}

fn state(path: &str) -> String {
    let Ok(metadata) = root().join(path).metadata() else { return "gone".to_owned() };
    let changed = metadata.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    format!("{} {}", metadata.len(), changed.map_or(0, |since| since.as_nanos()))
}

/// Paths outside `crates/NAME/` and `dev/NAME/`, with the package whose tests read them.
const FOLDERS: &[(&str, &str)] = &[
    ("crates/README.md", "xtask"),
    ("src-tauri/", "sibyl"),
    ("tests/corpus/", "sibyl-corpus"),
    ("tests/harness/", "sibyl-tests"),
    ("ui/src/api/types.ts", "sibyl-api"),
    ("xtask/", "xtask"),
];

/// Folders of tests that nothing else reads, with what a change of them reaches. A quick run leaves out windows and
/// browsers.
const TESTS: &[(&str, &str)] = &[
    ("tests/browser/", "none()"),
    ("tests/doors/", "binary(doors)"),
    ("tests/program/", "binary(program)"),
    ("tests/window/", "none()"),
];

/// A package that only some tests through the doors reach.
struct Leaf {
    package: &'static str,
    /// Words of which such a test has one.
    words: &'static [&'static str],
}

const LEAVES: &[Leaf] = &[
    Leaf { package: "sibyl-loopback", words: &["sibyl_loopback"] },
    Leaf { package: "sibyl-measure", words: &["eval", "gold"] },
    Leaf { package: "sibyl-page", words: &["facsimile", "pack", "pdf", "picture"] },
    Leaf { package: "sibyl-server", words: &["Mcp", "Server", "mcp", "serve"] },
];

/// Words of tests that try everything there is to call.
const EVERYTHING: &[&str] = &["COMMANDS", "operations("];

/// Folders of tests through the doors.
const DOORS: &[&str] = &["tests/doors", "tests/program"];

/// The package whose tests read `file`; `None` if tests of several do.
fn package(file: &str) -> Option<&str> {
    let named = FOLDERS.iter().find(|(folder, _)| file.starts_with(folder)).map(|(_, package)| *package);
    let within = || file.strip_prefix("crates/").or_else(|| file.strip_prefix("dev/"));
    named.or_else(|| within()?.split_once('/').map(|(name, _)| name))
}

/// Names of the modules of tests through the doors whose text has one of `words`, or tries everything.
fn modules(words: &[&str]) -> BTreeSet<String> {
    let files = files(DOORS).into_iter().filter(|file| file.ends_with(".rs"));
    let having = files.filter(|file| {
        let text = std::fs::read_to_string(root().join(file)).unwrap_or_default();
        words.iter().chain(EVERYTHING).any(|word| text.contains(word))
    });
    let module = |file: String| {
        let within = DOORS.iter().find_map(|folder| file.strip_prefix(folder)?.strip_prefix('/'))?;
        within.split(['/', '.']).next().filter(|name| *name != "main").map(str::to_owned)
    };
    having.filter_map(module).collect()
}

/// The tests that a change of `package` can reach, as an expression of nextest. Tests through the doors run the
/// programs, which they do not depend on; those of the shipped texts and the laws of stores do not.
fn of_package(package: &str) -> Vec<String> {
    let dependent = format!("rdeps(={package})");
    if ["sibyl-conformance", "sibyl-corpus", "sibyl-lab", "xtask"].contains(&package) {
        return vec![dependent];
    }
    let Some(leaf) = LEAVES.iter().find(|leaf| leaf.package == package) else {
        return vec![dependent, "rdeps(=sibyl-tests)".to_owned()];
    };
    let modules: Vec<String> = modules(leaf.words).into_iter().collect();
    vec![
        format!("({dependent} - package(=sibyl-tests))"),
        format!("(package(=sibyl-tests) and test(/^({})::/))", modules.join("|")),
    ]
}

/// The tests that a change of `files` can reach, as an expression of nextest; `None` means all of them.
pub fn packages(files: &[&str]) -> Option<String> {
    let mut reached: BTreeSet<String> = BTreeSet::new();
    for file in files {
        if let Some((_, tests)) = TESTS.iter().find(|(folder, _)| file.starts_with(folder)) {
            reached.insert((*tests).to_owned());
            continue;
        }
        reached.extend(of_package(package(file)?));
    }
    Some(reached.into_iter().collect::<Vec<_>>().join(" or "))
}

#[cfg(test)]
mod tests {
    use super::{LEAVES, files, modules, packages};
    use crate::process::root;

    #[test]
    fn every_crate_is_reached_by_its_own_change() {
        for place in ["crates", "dev"] {
            for folder in std::fs::read_dir(root().join(place)).unwrap().flatten() {
                if folder.path().is_dir() {
                    let name = folder.file_name().into_string().unwrap();
                    let reached = packages(&[&format!("{place}/{name}/src/lib.rs")]).unwrap();
                    assert!(reached.contains(&format!("rdeps(={name})")), "{reached}");
                }
            }
        }
    }

    #[test]
    fn a_change_of_the_engine_reaches_the_doors_and_one_of_the_lab_does_not() {
        assert_eq!(
            packages(&["crates/sibyl-engine/src/lib.rs", "dev/sibyl-lab/src/lib.rs"]).unwrap(),
            "rdeps(=sibyl-engine) or rdeps(=sibyl-lab) or rdeps(=sibyl-tests)"
        );
        assert_eq!(packages(&["dev/sibyl-lab/src/lib.rs"]).unwrap(), "rdeps(=sibyl-lab)");
        assert_eq!(packages(&["xtask/src/tidy.rs"]).unwrap(), "rdeps(=xtask)");
    }

    /// Where other packages use a leaf whose tests through the doors are chosen by words.
    const USED: [(&str, &[&str]); 3] = [
        ("sibyl-measure", &["sibyl-engine/src/evaluate", "sibyl-engine/src/error.rs"]),
        (
            "sibyl-page",
            &["sibyl-engine/src/assess/pack", "sibyl-engine/src/facsimile", "sibyl-engine/src/reader.rs"],
        ),
        ("sibyl-server", &["sibyl-cli/src/command/mcp.rs", "sibyl-cli/src/command/serve.rs"]),
    ];

    #[test]
    fn leaves_are_used_only_where_the_words_of_their_tests_lead() {
        for file in files(&["crates", "src-tauri"]) {
            let text = std::fs::read_to_string(root().join(&file)).unwrap_or_default();
            for (package, places) in USED {
                let module = format!("{}::", package.replace('-', "_"));
                let own = file.starts_with(&format!("crates/{package}/"));
                let known = places.iter().any(|place| file.starts_with(&format!("crates/{place}")));
                assert!(
                    own || known || !file.ends_with(".rs") || !text.contains(&module),
                    "{file} uses {package}: see which tests through the doors lead there, and add it here"
                );
            }
        }
    }

    #[test]
    fn a_change_of_a_leaf_reaches_the_tests_through_the_doors_that_lead_to_it() {
        for leaf in LEAVES {
            let reached = packages(&[&format!("crates/{}/src/lib.rs", leaf.package)]).unwrap();
            assert!(reached.contains("every_command|"), "{}: {reached}", leaf.package);
            assert!(!reached.contains("rdeps(=sibyl-tests)"), "{}: {reached}", leaf.package);
        }
        let of = |package: &str| modules(LEAVES.iter().find(|leaf| leaf.package == package).unwrap().words);
        let [page, measure, server] = ["sibyl-page", "sibyl-measure", "sibyl-server"].map(of);
        assert!(page.contains("pages") && page.contains("packs") && !page.contains("gold"), "{page:?}");
        assert!(measure.contains("evaluate") && !measure.contains("pages"), "{measure:?}");
        assert!(server.contains("tls") && server.contains("mcp") && !server.contains("search"), "{server:?}");
    }

    #[test]
    fn a_change_of_tests_reaches_them_alone() {
        let reached = packages(&["tests/doors/mcp.rs", "tests/window/ask.rs"]).unwrap();
        assert_eq!(reached, "binary(doors) or none()");
        assert_eq!(packages(&["tests/harness/page.rs"]).unwrap(), "rdeps(=sibyl-tests)");
    }

    #[test]
    fn what_many_read_reaches_all() {
        for file in
            ["data/thesaurus.json", "Cargo.lock", "tests/fixtures/gold/standards.jsonl", "tests/Cargo.toml"]
        {
            assert_eq!(packages(&["dev/sibyl-lab/src/lib.rs", file]), None, "{file}");
        }
    }
}
