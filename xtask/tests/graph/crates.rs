//! The crates of the workspace: what each may depend on, and what it does depend on according to cargo.

use crate::circles::Graph;
use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;

/// Each package with the packages of the workspace that it may depend on.
const LAYERS: &[(&str, &[&str])] = &[
    ("sibyl", &["sibyl-api"]),
    ("sibyl-cli", &["sibyl-api", "sibyl-server"]),
    ("sibyl-server", &["sibyl-api"]),
    ("sibyl-api", &["sibyl-engine", "sibyl-store", "sibyl-embed", "sibyl-space", "sibyl-text"]),
    (
        "sibyl-engine",
        &[
            "sibyl-answer",
            "sibyl-measure",
            "sibyl-store",
            "sibyl-embed",
            "sibyl-space",
            "sibyl-page",
            "sibyl-text",
        ],
    ),
    ("sibyl-answer", &["sibyl-embed", "sibyl-text"]),
    ("sibyl-measure", &["sibyl-space", "sibyl-text"]),
    ("sibyl-store", &["sibyl-space", "sibyl-text"]),
    ("sibyl-embed", &["sibyl-space", "sibyl-text"]),
    ("sibyl-space", &[]),
    ("sibyl-text", &[]),
    ("sibyl-page", &[]),
    ("sibyl-loopback", &[]),
    ("sibyl-conformance", &["sibyl-space", "sibyl-store", "sibyl-text"]),
    ("sibyl-tests", &["sibyl-api", "sibyl-cli", "sibyl-engine", "sibyl-store", "sibyl-embed", "sibyl-text"]),
    ("sibyl-corpus", &["sibyl-text"]),
    (
        "sibyl-lab",
        &["sibyl-engine", "sibyl-store", "sibyl-embed", "sibyl-loopback", "sibyl-text", "sibyl-tests"],
    ),
    ("xtask", &[]),
];

/// Crates from outside that only some packages may use, by the begin of their names.
const RESERVED: &[(&[&str], &[&str], &str)] = &[
    (
        &["rusqlite", "libsqlite3-sys", "sqlite-vec"],
        &["sibyl-store", "sibyl-lab"],
        "only the store opens SQLite",
    ),
    (&["reqwest", "ureq"], &["sibyl-embed"], "there is one HTTP client"),
    (&["rten", "tokenizers", "safetensors", "model2vec"], &["sibyl-embed"], "only embedders run models"),
    (&["tauri", "wry"], &["sibyl"], "only the shell knows the desktop"),
    (&["clap", "indicatif"], &["sibyl-cli"], "only the command line knows its words"),
    (&["axum", "hyper", "tower"], &["sibyl-server"], "only the server speaks HTTP to callers"),
];

/// Packages without input and output, and what they must not use: crates, or paths of the standard library.
pub const PURE: &[(&str, &[&str])] = &[
    (
        "sibyl-text",
        &[
            "std::env",
            "std::fs",
            "std::net",
            "std::process",
            "std::thread",
            "std::time::Instant",
            "std::time::SystemTime",
            "tokio",
            "tempfile",
        ],
    ),
    ("sibyl-space", &["std::env", "std::fs", "std::net", "std::process", "std::thread", "tokio", "tempfile"]),
    ("sibyl-page", &["std::env", "std::fs", "std::net", "std::process", "std::thread", "tokio", "tempfile"]),
    (
        "sibyl-measure",
        &[
            "std::env",
            "std::net",
            "std::process",
            "std::thread",
            "std::time::Instant",
            "std::time::SystemTime",
            "tokio",
        ],
    ),
];

/// A package of the workspace.
pub struct Package {
    pub name: String,
    /// Names of all crates that it depends on to be built, in the workspace and outside.
    pub dependencies: Vec<String>,
    /// Root files of its library and programs.
    pub roots: Vec<PathBuf>,
}

/// The workspace as cargo sees it.
pub fn workspace() -> Vec<Package> {
    let out = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .output()
        .expect("cargo starts");
    assert!(out.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&out.stderr));
    let metadata: Value = serde_json::from_slice(&out.stdout).expect("cargo metadata is JSON");
    let text = |value: &Value| value.as_str().expect("a name").to_owned();
    let list = |value: &Value| value.as_array().expect("a list").clone();
    let package = |package: &Value| {
        let dependencies = list(&package["dependencies"]);
        let built = dependencies.iter().filter(|dependency| dependency["kind"] != "dev");
        let programs = ["lib", "rlib", "bin"];
        let targets = list(&package["targets"]);
        let targets = targets.iter().filter(|target| {
            list(&target["kind"]).iter().any(|kind| programs.contains(&text(kind).as_str()))
        });
        Package {
            name: text(&package["name"]),
            dependencies: built.map(|dependency| text(&dependency["name"])).collect(),
            roots: targets.map(|target| PathBuf::from(text(&target["src_path"]))).collect(),
        }
    };
    list(&metadata["packages"]).iter().map(package).collect()
}

/// Every dependency against the declared direction or on a crate that is reserved for another package.
pub fn misplaced(packages: &[Package]) -> Vec<String> {
    let mut found = Vec::new();
    for Package { name, dependencies, .. } in packages {
        let Some((_, may)) = LAYERS.iter().find(|(layer, _)| layer == name) else {
            found.push(format!("{name}: name it in LAYERS with what it may depend on"));
            continue;
        };
        for dependency in dependencies {
            let own = packages.iter().any(|package| package.name == *dependency);
            let why = if own {
                (!may.contains(&dependency.as_str())).then_some("against the declared direction")
            } else {
                reserved(name, dependency)
            };
            found.extend(why.map(|why| format!("{name} depends on {dependency}: {why}")));
        }
    }
    found
}

/// Why `package` may not use the crate `outside`; `None` if it may.
fn reserved(package: &str, outside: &str) -> Option<&'static str> {
    let pure = PURE.iter().any(|(pure, never)| *pure == package && never.contains(&outside));
    if pure {
        return Some("it has no input and output");
    }
    let by_others = |(crates, users, _): &&(&[&str], &[&str], &str)| {
        crates.iter().any(|begin| outside.starts_with(begin)) && !users.contains(&package)
    };
    RESERVED.iter().find(by_others).map(|(_, _, why)| *why)
}

/// What each package depends on inside the workspace.
pub fn graph(packages: &[Package]) -> Graph {
    let own = |name: &&String| packages.iter().any(|package| package.name == **name);
    packages
        .iter()
        .map(|package| (package.name.clone(), package.dependencies.iter().filter(own).cloned().collect()))
        .collect()
}
