//! A library that no longer opens: the window says so at once, and saves what can be read.

use crate::digits;
use sibyl_tests::desktop::Desktop;
use sibyl_tests::program::Sibyl;
use std::fs::OpenOptions;
use std::io::Write as _;

#[tokio::test(flavor = "multi_thread")]
async fn a_library_whose_first_page_is_gone_is_told_of_and_saved_from_the_window() {
    let sibyl = Sibyl::with_words();
    let chunks = |sibyl: &Sibyl| sibyl.json(&["stats"])["total"].as_u64().unwrap();
    let before = chunks(&sibyl);
    let file = sibyl.folder().join("library.sibyl");
    let library = rusqlite::Connection::open(&file).unwrap();
    library.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    library.close().unwrap();
    OpenOptions::new().write(true).open(&file).unwrap().write_all(&[0x5a; 4096]).unwrap();

    let desktop = Desktop::open(sibyl.folder()).await;
    desktop.says("[data-testid=condition]", "damaged").await;
    desktop.picture("library-damaged").await;
    desktop.press_in("[data-testid=condition]", "Rescue or restore…").await;
    desktop.press_in("[data-row=rescue]", "Rescue what can be read").await;
    let told = desktop.wait_for("[data-row=rescue]", |text| text.contains("rows saved, 0 lost")).await;
    desktop.picture("library-rescued").await;
    assert!(digits(&told) > 0, "{told}");
    desktop.close().await;

    assert_eq!(chunks(&sibyl), before);
    let again = Desktop::open(sibyl.folder()).await;
    again.go("#/library").await;
    again.wait_for("[data-testid=library-total-chunks]", |text| digits(text) == before).await;
    assert_eq!(again.count("[data-testid=condition]").await, 0);
    again.close().await;
}
