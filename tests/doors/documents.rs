//! A reader's own documents.

use sibyl_tests::program::Sibyl;
use std::fs;
use std::path::Path;

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn tree(folder: &Path) {
    write(
        folder,
        "guide/intro.md",
        "---\ntitle: Intro\ntags: [start]\n---\n# Intro\n\nThe purple walrus explains nodes.\n\n## Install\n\nRun the installer twice.\n",
    );
    write(folder, "guide/index.md", "# Guide\n\nAn overview of everything here.\n");
    write(
        folder,
        "reference/api.md",
        "# API\n\n```json\n{\"method\": \"eth_call\"}\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
    );
}

#[test]
fn a_folder_is_ingested_again_file_by_file() {
    let sibyl = Sibyl::fresh();
    let folder = tempfile::tempdir().unwrap();
    tree(folder.path());
    let path = folder.path().to_str().unwrap();
    let ingest =
        || sibyl.json(&["ingest", path, "--corpus", "handbook", "--source-type", "docs", "--no-embed"]);
    let first = ingest();
    assert_eq!(first["report"]["documents"]["created"], 3, "{first}");
    let second = ingest();
    assert_eq!(
        (&second["status"], &second["report"]["documents"]["unchanged"]),
        (&"already_ingested".into(), &3.into())
    );
    write(folder.path(), "guide/intro.md", "# Intro\n\nThe green heron explains nodes.\n");
    let third = ingest();
    assert_eq!(third["report"]["documents"]["updated"], 1, "{third}");
    assert_eq!(third["report"]["documents"]["unchanged"], 2);
    let found = sibyl.json(&["search", "heron", "--corpus", "handbook", "--mode", "keyword"]);
    assert_eq!(found["results"][0]["path"], "guide/intro.md");
    assert!(
        sibyl.json(&["search", "walrus", "--corpus", "handbook", "--mode", "keyword"])["results"]
            .as_array()
            .unwrap()
            .is_empty()
    );
    fs::remove_file(folder.path().join("reference/api.md")).unwrap();
    assert_eq!(ingest()["report"]["documents"]["deleted"], 1);
    assert_eq!(sibyl.json(&["documents", "--corpus", "handbook"]).as_array().unwrap().len(), 2);
}

#[test]
fn a_parsed_report_keeps_its_pages() {
    let sibyl = Sibyl::fresh();
    let folder = tempfile::tempdir().unwrap();
    let pages = [
        "# Report\n\n## Governance\n\nThe board oversees climate twice a year.\n",
        "## Metrics\n\nScope 1 emissions were 12.4 million tonnes.\n",
    ];
    write(folder.path(), "acme.md", &pages.concat());
    let metadata: Vec<_> = pages
        .iter()
        .enumerate()
        .map(|(i, text)| serde_json::json!({ "page": i + 1, "text": text }))
        .collect();
    write(folder.path(), "acme.pages.json", &serde_json::to_string(&metadata).unwrap());
    let path = folder.path().join("acme.md");
    let words = [
        "ingest",
        path.to_str().unwrap(),
        "--corpus",
        "reports",
        "--source-type",
        "report",
        "--report-id",
        "acme",
    ];
    let report = sibyl.json(&words);
    assert!(report["report"]["counts"]["report"].as_u64().unwrap() >= 1, "{report}");
    assert_eq!(sibyl.json(&["stats"])["report"], report["report"]["counts"]["report"]);
    let hit = &sibyl.json(&["search", "tonnes of scope 1", "--report", "acme"])["results"][0];
    assert_eq!((hit["source_type"].as_str(), hit["report_id"].as_str()), (Some("report"), Some("acme")));
    assert!(hit["metadata"]["page_end"].as_u64().unwrap() >= 2, "{hit}");
    let context = sibyl.json(&["lookup", "emissions", "--source-type", "report", "--report-id", "acme"]);
    assert!(context["text"].as_str().unwrap().contains("[Report: "), "{context}");
    assert!(sibyl.json(&["delete", "--report", "acme"])["deleted_count"].as_u64().unwrap() >= 1);
    assert_eq!(sibyl.json(&["stats"])["report"], 0);
}

#[test]
fn a_preview_stores_nothing_and_shows_every_boundary() {
    let sibyl = Sibyl::fresh();
    let folder = tempfile::tempdir().unwrap();
    let text: String = (0..200).map(|n| format!("Sentence number {n} says something of its own. ")).collect();
    write(folder.path(), "long.md", &format!("# Long\n\n{text}\n"));
    let path = folder.path().join("long.md");
    let preview = |target: &str| {
        sibyl.json(&[
            "chunk-preview",
            path.to_str().unwrap(),
            "--strategy",
            "report",
            "--set",
            target,
            "--set",
            "min_tokens=50",
        ])
    };
    let (coarse, fine) = (preview("target_tokens=600"), preview("target_tokens=200"));
    let count = |cut: &serde_json::Value| cut["statistics"]["count"].as_u64().unwrap();
    assert!(count(&fine) > count(&coarse), "{} and {}", count(&fine), count(&coarse));
    assert!(sibyl.json(&["documents"]).as_array().unwrap().iter().all(|d| d["path"] != "long.md"));
    let refused = sibyl.run(&[
        "chunk-preview",
        path.to_str().unwrap(),
        "--strategy",
        "report",
        "--set",
        "target_tokens=-1",
    ]);
    assert_ne!(refused.code, 0);
    assert!(refused.err.contains("target_tokens"), "{}", refused.err);
}
