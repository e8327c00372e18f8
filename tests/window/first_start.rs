//! What ships can be searched at once, and a person's settings are there the next time.

use crate::digits;
use serde_json::json;
use sibyl_tests::built;
use sibyl_tests::desktop::{Desktop, data_folder};
use std::process::Command;

const CHUNKS: &str = "[data-testid=library-total-chunks]";

/// The state of the window: theme, density, address, size.
const STANDING: &str = "const { mantineColorScheme, density } = document.documentElement.dataset; \
    return [mantineColorScheme, density, location.hash, innerWidth, innerHeight]";

#[tokio::test(flavor = "multi_thread")]
async fn what_ships_is_searchable_and_a_restart_keeps_everything() {
    let folder = data_folder();
    let desktop = Desktop::open(folder.path()).await;
    let chunks = desktop.wait_for(CHUNKS, |text| digits(text) > 1_000).await;
    desktop.picture("library-first-start").await;
    desktop.press_in("nav", "Search Lab").await;
    desktop.fill("Query", "which body oversees climate-related risks and opportunities").await;
    desktop.wait_for("[aria-label='Fused list']", |text| text.contains("S2.6(a)")).await;
    assert_eq!(desktop.driver.title().await.unwrap(), "Search Lab · Sibyl");

    desktop.go("#/settings/data/max_file_size").await;
    desktop.fill("Largest file", "123\n").await;
    desktop.says("[data-row=max_file_size]", "Saved").await;
    desktop.go("#/settings/appearance").await;
    desktop.press_in("[data-row=theme]", "Dark").await;
    desktop.press_in("[data-row=density]", "Compact").await;
    desktop.go("#/standards/S2.14(a)(iv)").await;
    desktop.says("#standards-title", "Climate transition plan").await;
    desktop.driver.set_window_rect(0, 0, 1_200, 780).await.unwrap();
    desktop.until("return innerWidth === 1200 && innerHeight === 780", &[]).await;
    let before = desktop.script(STANDING, []).await;
    assert_eq!(before, json!(["dark", "compact", "#/standards/S2.14(a)(iv)", 1_200, 780]));
    desktop.close().await;

    let again = Desktop::open(folder.path()).await;
    again.says("#standards-title", "Climate transition plan").await;
    assert_eq!(again.script(STANDING, []).await, before);
    again.go("#/settings/data").await;
    again
        .until("return document.querySelector('input[aria-label=\"Largest file\"]')?.value === '123'", &[])
        .await;
    again.go("#/library").await;
    let seen = again.wait_for(CHUNKS, |text| digits(text) > 1_000).await;
    assert!(digits(&seen) >= digits(&chunks), "{seen} after {chunks}: what was stored is gone");
    again.close().await;
}

#[test]
fn without_a_display_the_program_says_what_to_use_instead() {
    let folder = data_folder();
    let run = Command::new(built("sibyl-desktop"))
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env("SIBYL_DATA_DIR", folder.path())
        .env("XDG_DATA_HOME", folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(1), "{said}");
    assert!(said.contains("sibyl serve --ui"), "{said}");
    assert!(!said.contains("panicked"), "{said}");
}
