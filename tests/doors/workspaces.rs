//! Workspaces share what is shared and nothing else.

use sibyl_tests::program::Sibyl;
use std::fs;

#[test]
fn one_workspace_never_sees_anothers_chunks() {
    let sibyl = Sibyl::with_standards();
    for (name, word) in [("north", "narwhal"), ("south", "penguin")] {
        sibyl.json(&["workspace", "create", name]);
        let folder = tempfile::tempdir().unwrap();
        fs::write(
            folder.path().join("private.md"),
            format!("# Private\n\nOnly the {word} knows about climate.\n"),
        )
        .unwrap();
        let path = folder.path().to_str().unwrap();
        sibyl.json(&["ingest", path, "--workspace", name, "--corpus", "own", "--no-embed"]);
    }
    for (name, own, other) in [("north", "narwhal", "penguin"), ("south", "penguin", "narwhal")] {
        let search = |query: &str| {
            sibyl.json(&["search", query, "--workspace", name, "--mode", "keyword", "-k", "50"]).to_string()
        };
        assert!(search(own).contains(&format!("Only the {own}")));
        assert!(!search(other).contains(&format!("Only the {other}")));
        assert!(search("climate governance").contains("S2.5"), "the shipped standards are shared");
    }
    let default = sibyl.json(&["search", "narwhal penguin", "--mode", "keyword"]).to_string();
    assert!(!default.contains("Only the"));
    sibyl.json(&["workspace", "delete", "north"]);
    assert_ne!(sibyl.run(&["stats", "--workspace", "north"]).code, 0);
    assert!(
        !sibyl.json(&["search", "penguin", "--workspace", "south"])["results"].as_array().unwrap().is_empty()
    );
}
