//! Checks on syntax: crates, modules and folders of the interface import in one direction, `crates/README.md`
//! draws the real graph, and functions are short.

mod circles;
mod crates;
mod drawing;
mod interface;
mod length;
mod modules;

use circles::Graph;
use crates::Package;
use modules::{Import, Modules};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Number of imports shown for each pair of a circle's members.
const SHOWN: usize = 5;

fn root() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    folder.parent().expect("the manifest lies below the root").to_owned()
}

fn below_root(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

/// Each target of a package with its modules.
fn targets(package: &Package) -> impl Iterator<Item = Modules> {
    package.roots.iter().map(|root| Modules::read(root))
}

#[test]
fn every_crate_depends_on_lower_ones_only() {
    let found = crates::misplaced(&crates::workspace());
    assert!(found.is_empty(), "\n  {}", found.join("\n  "));
}

#[test]
fn pure_crates_touch_no_file_clock_network_or_process() {
    let packages = crates::workspace();
    for (name, never) in crates::PURE {
        let package = packages.iter().find(|package| package.name == *name).expect("a pure package");
        for target in targets(package) {
            let outside = target.outside();
            let touches = |path: &str| {
                never.iter().any(|never| path == *never || path.starts_with(&format!("{never}::")))
            };
            let found: Vec<String> = outside
                .iter()
                .filter(|(path, _)| touches(path))
                .map(|(path, place)| format!("{}:{}: {path}", below_root(&place.file), place.line))
                .collect();
            assert!(found.is_empty(), "{name} has no input and output\n  {}", found.join("\n  "));
        }
    }
}

/// Imports between the modules right below `above`, each standing for all below it.
fn between<'a>(above: &[String], imports: &'a [Import]) -> Vec<(&'a str, &'a str, &'a Import)> {
    let depth = above.len();
    let inside = |path: &[String]| path.len() > depth && path.starts_with(above);
    imports
        .iter()
        .filter(|import| inside(&import.from) && inside(&import.to) && import.from[depth] != import.to[depth])
        .map(|import| (import.from[depth].as_str(), import.to[depth].as_str(), import))
        .collect()
}

/// A graph of the modules right below `above`.
fn graph_below(above: &[String], target: &Modules, imports: &[Import]) -> Graph {
    let mut graph = Graph::new();
    for path in
        target.paths().into_keys().filter(|path| path.len() == above.len() + 1 && path.starts_with(above))
    {
        graph.insert(path[above.len()].clone(), BTreeSet::new());
    }
    for (from, to, _) in between(above, imports) {
        graph.entry(from.to_owned()).or_default().insert(to.to_owned());
    }
    graph
}

/// Every circle of a target. A module may use its parent, which lists it.
fn circles_of(target: &Modules) -> Vec<(String, BTreeSet<String>, String)> {
    let imports = target.imports();
    let paths = target.paths();
    let mut found = Vec::new();
    for above in paths.iter().filter(|(_, parent)| **parent).map(|(path, _)| *path) {
        for circle in circles::circles(&graph_below(above, target, &imports)) {
            let mut pairs: BTreeMap<(&str, &str), Vec<String>> = BTreeMap::new();
            for (from, to, import) in between(above, &imports) {
                if circle.contains(from) && circle.contains(to) {
                    let place = format!("{}:{}", below_root(&import.place.file), import.place.line);
                    pairs.entry((from, to)).or_default().push(format!("{place} {}", import.path));
                }
            }
            let lines = pairs.iter().map(|((from, to), places)| {
                let shown: Vec<_> =
                    places.iter().take(SHOWN).map(|place| format!("\n      {place}")).collect();
                format!("\n    {from} → {to}, {} imports{}", places.len(), shown.concat())
            });
            found.push((above.join("::"), circle.clone(), lines.collect::<String>()));
        }
    }
    found
}

#[test]
fn modules_of_one_folder_import_in_one_direction() {
    let mut wrong = Vec::new();
    for package in crates::workspace() {
        for target in targets(&package) {
            for (above, circle, lines) in circles_of(&target) {
                let members: Vec<String> = circle.into_iter().collect();
                wrong.push(format!("{}::{above}: {}\n{}", package.name, members.join(", "), lines));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn no_function_is_too_long_to_be_read_at_once() {
    let listed = std::process::Command::new("git")
        .args(["ls-files", "-z", "*.rs", "ui/*.mjs", "ui/*.ts", "ui/*.tsx"])
        .current_dir(root())
        .output();
    let listed =
        String::from_utf8(listed.expect("git lists files").stdout).expect("names of files are UTF-8");
    let names: Vec<&str> = listed.split('\0').filter(|name| root().join(name).is_file()).collect();
    assert!(names.len() > 1000, "only {} files found", names.len());
    let found = names.iter().flat_map(|name| {
        let long = length::too_long(&root().join(name)).into_iter();
        long.map(move |(line, function, lines)| format!("{name}:{line}: `{function}` has {lines} lines"))
    });
    let found: Vec<String> = found.collect();
    assert!(
        found.is_empty(),
        "a function has at most {} lines, beside a table at its end; part it by what it does\n  {}",
        length::MOST,
        found.join("\n  ")
    );
}

#[test]
fn the_interface_imports_downwards() {
    let imports = interface::imports(&root().join("ui/src"));
    assert!(imports.len() > 500, "only {} imports found", imports.len());
    let found: Vec<String> = imports
        .iter()
        .filter_map(|import| Some((import, interface::refused(import)?)))
        .map(|(import, why)| format!("ui/src/{}:{}: {why}", import.from.display(), import.line))
        .collect();
    assert!(found.is_empty(), "\n  {}", found.join("\n  "));
}

#[test]
fn the_drawing_shows_what_is_there() {
    let file = root().join("crates/README.md");
    let text = std::fs::read_to_string(&file).expect("the file that holds the drawing");
    let drawn = drawing::replace(&text, &drawing::draw(&crates::workspace()));
    if std::env::var_os("SIBYL_DRAW").is_some() {
        std::fs::write(&file, &drawn).expect("the drawing can be written");
    } else {
        assert!(text == drawn, "crates/README.md draws another graph; run this test with SIBYL_DRAW=1");
    }
}
