//! A hybrid search whose explanation adds up, and the fate of a paragraph that is not in the answer.

use serde_json::json;
use sibyl_tests::desktop::Desktop;
use sibyl_tests::program::Sibyl;
use thirtyfour::prelude::*;

/// The score of the selected hit as written: the sum at the head, each part with its list, and the score in the
/// row.
const WRITTEN: &str = "const section = document.querySelector('section[aria-label=Score]'); \
    const row = document.querySelector('[aria-label=\"Fused list\"] [aria-selected=true]'); \
    if (!section || !row || section.textContent.includes('provisional')) return null; \
    const bar = section.querySelector('[role=img]').getAttribute('aria-label'); \
    const cells = [...section.querySelectorAll('.mono.align-end')].map((each) => each.textContent); \
    return { sum: section.querySelector('.mono.sm').firstChild.textContent.trim(), bar, cells, \
             row: row.querySelector('[data-tip^=\"The sum of\"]').textContent, name: row.textContent }";

/// A decimal number as written, in units of its last place.
fn units(text: &str, places: usize) -> i128 {
    let (whole, fraction) = text.trim().trim_start_matches('+').split_once('.').unwrap();
    assert_eq!(fraction.len(), places, "{text} is written with other places");
    format!("{whole}{fraction}").parse().unwrap()
}

/// Checks that what is written on screen adds up, digit by digit. Gives how many parts there are.
async fn adds_up(desktop: &Desktop) -> usize {
    let written = desktop.until(WRITTEN, &[]).await;
    let sum = written["sum"].as_str().unwrap();
    let places = sum.split_once('.').unwrap().1.len();
    let cells: Vec<&str> =
        written["cells"].as_array().unwrap().iter().filter_map(|cell| cell.as_str()).collect();
    let parts: Vec<&str> = cells.iter().copied().filter(|cell| cell.starts_with('+')).collect();
    assert_eq!(parts.iter().map(|part| units(part, places)).sum::<i128>(), units(sum, places), "{written:#}");
    // The last line repeats the sum, the bar shows the same parts, and the row rounds the same number.
    assert_eq!(cells.last().copied(), Some(sum), "{written:#}");
    let bar = written["bar"].as_str().unwrap();
    assert!(parts.iter().all(|part| bar.contains(&part[1..])), "{written:#}");
    let row: f64 = written["row"].as_str().unwrap().parse().unwrap();
    assert!((row - sum.parse::<f64>().unwrap()).abs() < 0.000_51, "{written:#}");
    parts.len()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_explanation_adds_up_and_a_pinned_paragraph_tells_its_fate() {
    let sibyl = Sibyl::with_standards();
    let desktop = Desktop::open(sibyl.folder()).await;
    desktop.go("#/search-lab").await;
    desktop.fill("Query", "transition plan dependencies S2.14(a)(iv)").await;
    desktop
        .wait_for("[aria-label='Fused list'] [aria-posinset='1']", |text| text.contains("S2.14(a)(iv)"))
        .await;
    for list in ["Semantic list", "Keyword list"] {
        desktop
            .until(
                "return document.querySelectorAll(`[aria-label=\"${arguments[0]}\"] [role=option]`).length",
                &[json!(list)],
            )
            .await;
    }
    // The first was named, and both lists gave it something.
    assert_eq!(adds_up(&desktop).await, 3);
    desktop.picture("search-lab").await;
    for place in 2..=5 {
        desktop.press_css(&format!("[aria-label='Fused list'] [aria-posinset='{place}']")).await;
        desktop.until("return document.querySelector(`[aria-label=\"Fused list\"] [aria-posinset=\"${arguments[0]}\"]`).ariaSelected === 'true'", &[json!(place)]).await;
        assert!(adds_up(&desktop).await >= 1);
    }

    // Why not this one? Its fate is shown, and with every search from now on.
    desktop.fill("Paragraph id or chunk id", "S1.1\n").await;
    let fate = |text: &str| text.contains("S1.1") && !text.contains("will appear with the next results");
    desktop.wait_for("[aria-label='Why isn’t it here?']", fate).await;
    desktop.says("[aria-label=Score]", "not in the results").await;
    desktop.fill("Query", "greenhouse gas emissions of the value chain").await;
    desktop
        .wait_for("[aria-label='Fused list'] [aria-posinset='1']", |text| !text.contains("S2.14(a)(iv)"))
        .await;
    desktop.wait_for("[aria-label='Why isn’t it here?']", fate).await;

    // Enter keeps the run; the address alone brings it back, also after a restart.
    desktop.field("Query").await;
    desktop.keys(Key::Enter + "").await;
    desktop.until("return location.hash.includes('run=')", &[]).await;
    let address = desktop.script("return location.hash", []).await;
    desktop.close().await;
    let desktop = Desktop::open(sibyl.folder()).await;
    desktop.go("#/library").await;
    desktop.says("[data-testid=library-corpora]", "sasb").await;
    desktop.go(address.as_str().unwrap()).await;
    let kept = "return document.querySelector('input[aria-label=Query]')?.value";
    let value = desktop.until(kept, &[]).await;
    assert_eq!(value, "greenhouse gas emissions of the value chain");
    desktop.press_css("[aria-label='Fused list'] [aria-posinset='1']").await;
    assert_eq!(adds_up(&desktop).await, 2);
    desktop.close().await;
}
