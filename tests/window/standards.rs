//! The way to a sub-requirement: by keys in the tree, by its filter and the pointer, and by the palette. Also what
//! is found there.

use serde_json::json;
use sibyl_tests::desktop::Desktop;
use sibyl_tests::program::Sibyl;
use thirtyfour::prelude::*;

const ITEM: &str = "S2.14(a)(iv)";
/// What the item says in Sibyl's words.
const SAYS: &str = "Climate transition plan, assumptions, dependencies";
/// Puts the focus on the first row.
const FIRST: &str = "const row = document.querySelector('[role=treeitem]'); row?.focus(); \
    return row && row === document.activeElement && row.dataset.index";
/// The row that has the focus.
const AT: &str = "return document.activeElement.dataset.index";
const MOVED: &str = "const now = document.activeElement.dataset.index; return now !== arguments[0] && now";
/// Whether the row is open.
const OPEN: &str = "return document.activeElement.getAttribute('aria-expanded') === 'true'";
const HERE: &str = "return document.activeElement.textContent";

/// Labels on the way to the item, from its standard down.
async fn way(desktop: &Desktop) -> Vec<String> {
    let ask = "return window.__TAURI_INTERNALS__.invoke('rpc', \
               { command: 'standards.tree', input: {}, requestId: 'way', workspace: 'default' })";
    let rows = desktop.script(ask, []).await;
    let rows = rows.as_array().unwrap();
    let mut at = rows.iter().position(|row| row["id"] == ITEM);
    let mut labels = Vec::new();
    while let Some(row) = at.map(|at| &rows[at]) {
        labels.push(row["label"].as_str().unwrap().to_owned());
        at = row["parent"].as_u64().map(|parent| parent as usize);
    }
    labels.reverse();
    labels
}

/// Waits for the paragraph in the reading pane: its row in the tree says the same words.
async fn arrived(desktop: &Desktop, id: &str, words: &str) {
    let at = "return location.hash.split('?')[0] === `#/standards/${arguments[0]}`";
    desktop.until(at, &[json!(id)]).await;
    desktop.says("#standards-title", words).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sub_requirement_is_reached_from_the_tree_and_from_the_palette() {
    let sibyl = Sibyl::with_words();
    let desktop = Desktop::open(sibyl.folder()).await;
    desktop.go("#/standards").await;
    desktop.says("[role=tree]", "IFRS S2").await;

    // Arrows alone lead there.
    let way = way(&desktop).await;
    assert!(way.len() > 4, "{way:?}");
    let mut at = desktop.until(FIRST, &[]).await;
    for (depth, label) in way.iter().enumerate() {
        let mut steps = 0;
        while !desktop.script(HERE, []).await.as_str().unwrap().contains(label) {
            assert!(steps < 60, "{label} does not come below {:?}", &way[..depth]);
            steps += 1;
            desktop.keys(Key::Down + "").await;
            // The focus follows with the next frame.
            at = desktop.until(MOVED, &[at]).await;
        }
        if depth + 1 == way.len() {
            desktop.keys(Key::Enter + "").await;
            break;
        }
        // Of a row that is open the focus moves on to its first child.
        let open = desktop.script(OPEN, []).await == json!(true);
        desktop.keys(Key::Right + "").await;
        at = if open {
            desktop.until(MOVED, &[at]).await
        } else {
            desktop.until(OPEN, &[]).await;
            desktop.script(AT, []).await
        };
    }
    arrived(&desktop, ITEM, SAYS).await;
    desktop.says("[role=treeitem][aria-selected=true]", way.last().unwrap()).await;
    desktop.picture("standards").await;

    // The filter narrows the tree, and a row is pressed.
    desktop.fill("Filter the standards", "aim decision-useful").await;
    desktop.until("return document.querySelectorAll('[role=treeitem]').length < 10", &[]).await;
    desktop.press_in("[role=tree]", "1Aim").await;
    arrived(&desktop, "S1.1", "Aim: decision-useful").await;

    // The palette accepts an id as written in a report.
    desktop
        .driver
        .action_chain()
        .key_down(Key::Control)
        .send_keys("k")
        .key_up(Key::Control)
        .perform()
        .await
        .unwrap();
    desktop.fill("Find a paragraph, document, command or setting", "S2 14 a iv").await;
    desktop.says("[role=option][aria-selected=true]", ITEM).await;
    desktop.keys(Key::Enter + "").await;
    arrived(&desktop, ITEM, SAYS).await;
    desktop.says("[role=treeitem][aria-selected=true]", way.last().unwrap()).await;
    desktop.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_finding_is_there_after_a_restart() {
    let sibyl = Sibyl::with_words();
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("mill.md");
    std::fs::write(&report, "# The mill, 2024\n\nThe way by which we leave brackwater rests on dams.\n")
        .unwrap();
    let report = report.to_str().unwrap();
    sibyl.json(&["ingest", report, "--source-type", "report", "--report-id", "mill-2024", "--no-embed"]);
    let address = format!("#/standards/{ITEM}");
    let note = "Names no dependencies.";

    let desktop = Desktop::open(sibyl.folder()).await;
    desktop.go(&address).await;
    arrived(&desktop, ITEM, SAYS).await;
    desktop.press_in("[role=radiogroup][aria-label=Status]", "Gap").await;
    desktop.fill("Reviewer’s note", note).await;
    let stored = "return window.__TAURI_INTERNALS__.invoke('rpc', \
        { command: 'review.list', input: {}, requestId: 'stored', workspace: 'default' }) \
        .then((rows) => rows[0]?.note === arguments[0])";
    desktop.until(stored, &[json!(note)]).await;
    desktop.close().await;

    let again = Desktop::open(sibyl.folder()).await;
    again.go(&address).await;
    arrived(&again, ITEM, SAYS).await;
    again.says("[role=radiogroup][aria-label=Status] [aria-checked=true]", "Gap").await;
    let field = again.field("Reviewer’s note").await;
    assert_eq!(field.value().await.unwrap().as_deref(), Some(note));
    again.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_item_of_a_metric_is_marked_counted_exported_and_looked_for() {
    let sibyl = Sibyl::with_words();
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("well.md");
    std::fs::write(
        &report,
        "# The well, 2024\n\n## Emissions\n\nOffsets and credits are not deducted from our gross emissions.\n\n\
         ## People\n\nTwelve people mend the pumps.\n",
    )
    .unwrap();
    let report = report.to_str().unwrap();
    sibyl.json(&["ingest", report, "--source-type", "report", "--report-id", "well-2024", "--no-embed"]);
    let metric = "EM-EP-110a.1";
    let items = "return document.querySelectorAll('[data-part] li').length";
    let covered = |count: u64, all: u64| format!("{count} of {all} items covered");

    let desktop = Desktop::open(sibyl.folder()).await;
    desktop.go(&format!("#/standards/{metric}")).await;
    arrived(&desktop, metric, metric).await;
    let optional = desktop.count("[data-part=may_be_added] li").await;
    let all = desktop.until(items, &[]).await.as_u64().unwrap() - optional;
    desktop.says("article", &covered(0, all)).await;

    // One item is met; another does not apply and is not counted.
    desktop.press_css("[data-part=does_not_count] li:nth-child(1) button[aria-label^=Status]").await;
    desktop.press_in("[role=menu]", "Met").await;
    desktop.says("article", &covered(1, all)).await;
    desktop.press_css("[data-part=counts] li:nth-child(2) button[aria-label^=Status]").await;
    desktop.press_in("[role=menu]", "Not applicable").await;
    desktop.says("article", &covered(1, all - 1)).await;

    // Both are in the export, each with its part.
    let exported = "return window.__TAURI_INTERNALS__.invoke('rpc', \
        { command: 'review.export', input: { format: 'json' }, requestId: 'export', workspace: 'default' }) \
        .then((table) => { const all = JSON.parse(table.text).map((each) => `${each.part} ${each.status}`); \
                           return all.length === 2 && all.sort().join(', ') })";
    let stored = desktop.until(exported, &[]).await;
    assert_eq!(stored, "counts not_applicable, does_not_count met");

    // Evidence for one item alone.
    desktop.press_css("[data-part=does_not_count] li:nth-child(1) button[aria-pressed]").await;
    desktop.until("return location.hash.includes('item=')", &[]).await;
    desktop.says("ul:has([data-passage])", "Offsets and credits are not deducted").await;
    desktop.picture("item-evidence").await;
    desktop.close().await;
}
