//! Every screen under axe in the real window, once: the pictures see every state in both themes, but in another
//! engine.

use crate::screens::SCREENS;
use serde_json::json;
use sibyl_tests::desktop::Desktop;
use sibyl_tests::program::Sibyl;
use sibyl_tests::root;

/// Serious and critical findings about what is on screen.
const FINDINGS: &str = "const done = arguments[arguments.length - 1]; \
    window.axe.run(document, { resultTypes: ['violations'] }).then((result) => done(result.violations \
        .filter((each) => ['serious', 'critical'].includes(each.impact)) \
        .flatMap((each) => each.nodes.map((node) => `${each.id}: ${node.html} ${node.any[0]?.message ?? ''}`))), \
    (error) => done([String(error)]))";

/// Loads axe into the page.
async fn load(desktop: &Desktop) {
    let axe = std::fs::read_to_string(root().join("ui/node_modules/axe-core/axe.min.js")).unwrap();
    desktop.script(&axe, []).await;
    assert_eq!(desktop.script("return typeof window.axe?.run", []).await, json!("function"));
}

/// Serious and critical findings about what is on screen.
async fn findings(desktop: &Desktop) -> Vec<String> {
    let answer = desktop.driver.execute_async(FINDINGS, Vec::new()).await.unwrap();
    serde_json::from_value(answer.json().clone()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn axe_finds_nothing_serious_on_any_screen() {
    let sibyl = Sibyl::with_instant_vectors();
    let desktop = Desktop::open(sibyl.folder()).await;
    load(&desktop).await;
    let mut found = Vec::new();
    for (address, css, words) in SCREENS {
        desktop.go(address).await;
        desktop.says(css, words).await;
        desktop.until("return !document.querySelector('main [aria-busy=true]')", &[]).await;
        let name = address.trim_start_matches("#/");
        let short: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        found.extend(findings(&desktop).await.into_iter().map(|each| format!("{name}: {each}")));
        desktop.picture(&short).await;
    }
    assert_eq!(found, [""; 0], "{}", found.join("\n"));
    desktop.close().await;
}
