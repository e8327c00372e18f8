//! The import graph as text.

use crate::circles::{Graph, ranks};
use crate::crates::{Package, graph};
use crate::{graph_below, targets};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The line before the drawing, which is a block of code.
const HEADING: &str = "## What imports what\n";
const FENCE: &str = "```\n";

/// Folders whose modules are drawn as well: a package, and the modules that lead to the folder.
const FOLDERS: &[(&str, &[&str])] = &[("sibyl-text", &["format"]), ("sibyl-text", &["format", "pdf"])];

/// Crates, then the modules of each library, from those that import to those that are imported.
pub fn draw(packages: &[Package]) -> String {
    let crates = graph(packages);
    let mut out = String::new();
    let width = crates.keys().map(String::len).max().unwrap_or_default();
    for rank in ranks(&crates).iter().rev() {
        for name in rank.iter().filter(|name| !crates[*name].is_empty()) {
            let _ = writeln!(out, "{name:width$} → {}", join(&crates[name])); // Writing to memory cannot fail.
        }
    }
    // Programs, and packages only for tests, are left out.
    let library = |package: &&Package| {
        package.name != "sibyl-tests"
            && crates.values().any(|dependencies| dependencies.contains(&package.name))
    };
    for package in packages.iter().filter(library) {
        let Some(target) = targets(package).next() else { continue };
        let folders = FOLDERS.iter().filter(|(name, _)| *name == package.name).map(|(_, folder)| *folder);
        for folder in std::iter::once(&[][..]).chain(folders) {
            let above: Vec<String> = folder.iter().map(|name| (*name).to_owned()).collect();
            let modules = graph_below(&above, &target, &target.imports());
            if modules.len() > 1 {
                let _ = writeln!(out, "\n{}", [&[package.name.as_str()], folder].concat().join("/"));
                out.push_str(&rows(&modules));
            }
        }
    }
    out
}

/// The names by rank; each imports only names of rows below its own.
fn rows(graph: &Graph) -> String {
    ranks(graph).iter().rev().map(|rank| format!("  {}\n", join(rank))).collect()
}

fn join(names: &BTreeSet<String>) -> String {
    names.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
}

/// `text` with `drawing` in the block below its heading.
///
/// # Panics
/// If `text` has no such block.
pub fn replace(text: &str, drawing: &str) -> String {
    let heading = text.find(HEADING).expect("a heading above the drawing");
    let begin = heading + text[heading..].find(FENCE).expect("a block below the heading") + FENCE.len();
    let end = begin + text[begin..].find(FENCE).expect("the end of the block");
    format!("{}{drawing}{}", &text[..begin], &text[end..])
}
