//! Every function that the product requires of a store is held to a law.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::fs;
use std::path::Path;

/// The sources in the folder `at` of the repository.
fn sources(at: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(at);
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|path| path.is_file()).map(|path| fs::read_to_string(path).unwrap()).collect()
}

/// Names of the functions of the traits in `source`, which the formatter indents by one step.
fn functions(source: &str) -> impl Iterator<Item = &str> {
    let indented = source.lines().filter_map(|line| line.strip_prefix("    "));
    let names =
        indented.filter_map(|line| line.strip_prefix("async fn ").or_else(|| line.strip_prefix("fn ")));
    names.filter_map(|rest| rest.split(['(', '<']).next())
}

#[test]
fn no_function_of_a_port_is_without_a_law() {
    let laws: String = sources("dev/sibyl-conformance/src").concat().split_whitespace().collect();
    let ports = sources("crates/sibyl-store/src/port");
    let all: Vec<&str> = ports.iter().flat_map(|port| functions(port)).collect();
    assert!(all.len() > 150, "{all:?}");
    let lacking = all.iter().filter(|name| {
        // Laws read values with their types.
        let name = name.strip_suffix("_json").unwrap_or(name);
        let called =
            |of: &str| laws.contains(&format!("{of}.{name}(")) || laws.contains(&format!("{of}.{name}::<"));
        !["store", "place", "other", "next"].into_iter().any(called)
    });
    let lacking: Vec<&&str> = lacking.collect();
    assert!(
        lacking.is_empty(),
        "no law speaks of {lacking:?}; say in dev/sibyl-conformance what they promise"
    );
}
