//! The real window: it opens, shows the store's counts, and breaks no rule of its content security policy.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use sibyl_tests::desktop::{Desktop, data_folder};

fn digits(text: &str) -> u64 {
    text.chars().filter(char::is_ascii_digit).collect::<String>().parse().unwrap_or(0)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_start_makes_the_shipped_standards_searchable() {
    let folder = data_folder();
    let desktop = Desktop::open(folder.path()).await;
    assert_eq!(desktop.driver.title().await.unwrap(), "Sibyl");
    let chunks = desktop.wait_for("[data-testid=library-total-chunks]", |text| digits(text) > 1_000).await;
    desktop.picture("library-first-start").await;
    desktop.close().await;
    // What was stored is there when the window opens again.
    let again = Desktop::open(folder.path()).await;
    let seen = again.wait_for("[data-testid=library-total-chunks]", |text| digits(text) > 1_000).await;
    assert!(digits(&seen) >= digits(&chunks), "{seen} after {chunks}: what was stored is gone");
    again.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_screen_shows_the_library_in_its_way() {
    let folder = data_folder();
    let desktop = Desktop::open(folder.path()).await;
    desktop.wait_for("[data-testid=library-total-chunks]", |text| digits(text) > 1_000).await;

    desktop.go("#/standards/S2.14(a)(iv)").await;
    desktop.wait_for("main", |text| text.contains("Climate transition plan")).await;
    desktop.picture("standards").await;

    desktop.go("#/chunk-lab?document=1").await;
    desktop.wait_for(".cm-content", |text| text.len() > 500).await;
    desktop.wait_for("main", |text| text.contains("tokens")).await;
    desktop.picture("chunk-lab").await;

    desktop.go("#/search-lab?q=transition%20plan%20S2.14(a)(iv)").await;
    desktop.wait_for("main", |text| text.contains("S2.14(a)(iv)") && text.contains("RRF")).await;
    desktop.picture("search-lab").await;

    desktop.go("#/settings").await;
    desktop.wait_for("main", |text| text.contains("OpenRouter")).await;
    desktop.picture("settings").await;
    desktop.close().await;
}
