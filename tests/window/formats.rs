//! A folder with files of every format, dropped on the window: each is ingested, found and shown.

use serde_json::json;
use sibyl_tests::desktop::Desktop;
use sibyl_tests::formats::{self, FILES};
use sibyl_tests::program::Sibyl;
use std::time::Duration;

const READING: Duration = Duration::from_secs(120);
/// Whether there is a hit whose passage marks the word.
const FIRST: &str = "return document.querySelector('[aria-label=\"Fused list\"] [role=option]') && \
    [...document.querySelectorAll('main mark.keyword')].some((mark) => \
        mark.textContent.toLowerCase().startsWith(arguments[0]))";

#[tokio::test(flavor = "multi_thread")]
async fn a_file_of_each_format_is_dropped_found_and_shown() {
    let sibyl = Sibyl::with_instant_vectors();
    let dropped = tempfile::tempdir().unwrap();
    formats::write(dropped.path()).unwrap();
    let desktop = Desktop::open(sibyl.folder()).await;
    desktop.says("[data-testid=library-corpora]", "sasb").await;
    desktop.drop_files(&[dropped.path()]).await;
    desktop.press(&format!("Add {} files", FILES.len())).await;
    let done = "return document.querySelector('[data-testid=job-dock]')?.textContent.includes(arguments[0])";
    let all = format!("Done · {0} of {0} files", FILES.len());
    desktop.until_within(READING, done, &[json!(all)]).await;
    let documents = sibyl.json(&["documents"]);
    let document = |name: &str| {
        let rows = documents.as_array().unwrap();
        let row = rows.iter().find(|row| row["path"].as_str().unwrap().ends_with(name));
        row.unwrap_or_else(|| panic!("{name}: {documents:#}"))["id"].clone()
    };
    for (name, word) in FILES {
        desktop.go(&format!("#/search-lab?q={word}&mode=keyword&spelling=0")).await;
        desktop.until(FIRST, &[json!(word)]).await;
        desktop.go(&format!("#/chunk-lab?document={}", document(name))).await;
        let text = desktop.wait_for("main .cm-content", |text| text.to_lowercase().contains(word)).await;
        assert!(!text.contains('\u{FFFD}'), "{name}: {text}");
    }
    desktop.go(&format!("#/chunk-lab?document={}&show=page", document("three-columns.pdf"))).await;
    desktop.until("return document.querySelector('[data-paper] img')?.clientWidth > 300", &[]).await;
    desktop.press("Blocks and reading order").await;
    let columns = "return [...document.querySelectorAll('[aria-label=\"Blocks of this page in reading order\"] *')] \
        .filter((each) => each.children.length === 0).map((each) => each.textContent).join(' ')";
    let told = desktop.until(columns, &[]).await;
    let told = told.as_str().unwrap();
    let at = |words: &str| told.find(words).unwrap_or_else(|| panic!("{words}: {told}"));
    assert!(at("Management") < at("Pay") && at("Pay") < at("What climate change means"), "{told}");
    desktop.picture("formats-page").await;
    desktop.close().await;
}
