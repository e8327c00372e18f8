//! Results judged by key, a gold set run, another overlap tried and compared, and the better one applied to the corpus.

use serde_json::{Value, json};
use sibyl_tests::desktop::Desktop;
use sibyl_tests::program::Sibyl;
use sibyl_tests::root;
use std::time::Duration;
use thirtyfour::prelude::*;

/// Cells are chunked, embedded and searched at their own pace.
const MEASURING: Duration = Duration::from_secs(300);
const QUERY: &str = "how do I run a node behind a proxy";
const GRADES: [u8; 10] = [3, 2, 2, 1, 0, 0, 1, 0, 0, 0];

/// Grades of the fused list, from its first row on.
const GIVEN: &str = "return [...document.querySelectorAll('[aria-label=\"Fused list\"] [role=option]')] \
    .slice(0, arguments[0]).map((row) => row.querySelector('[role=img][data-tip]')?.textContent).join('')";
/// What the tiles say: `{ measure: value }`.
const TILES: &str = "const tiles = [...document.querySelectorAll('[aria-label=\"Measures of the run\"] button')]; \
    return tiles.length > 0 && Object.fromEntries(tiles.map((tile) => \
        [tile.querySelector('.lab').textContent, tile.textContent]))";

fn with_guide() -> Sibyl {
    let sibyl = Sibyl::with_instant_vectors();
    let tree = root().join("crates/sibyl-text/tests/fixtures/docs");
    sibyl.json(&["ingest", &tree.to_string_lossy(), "--corpus", "guide", "--source-type", "docs"]);
    let gold = root().join("tests/fixtures/gold/docs.jsonl");
    let imported = sibyl.json(&["gold", "import", &gold.to_string_lossy()]);
    assert_eq!(imported["unmatched"], json!([]), "{imported}");
    sibyl
}

#[tokio::test(flavor = "multi_thread")]
async fn results_are_judged_by_key_run_compared_and_the_better_overlap_applied() {
    let sibyl = with_guide();
    let desktop = Desktop::open(sibyl.folder()).await;
    judge(&desktop).await;
    let exported = sibyl.run(&["gold", "export", "docs"]);
    let kept = exported.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let kept: Vec<Value> = kept.filter(|line| line["query"] == QUERY).collect();
    assert_eq!(kept[0]["spans"].as_array().unwrap().len(), GRADES.len(), "{kept:#?}");

    desktop.go("#/evaluate?set=docs").await;
    desktop.says("main", "This gold set has not been run yet.").await;
    desktop.picture("evaluate-unrun").await;
    run(&desktop, 21, "As it was").await;
    desktop.picture("evaluate-queries").await;

    // Another overlap, and how the measure follows it.
    desktop.press("Matrix").await;
    matrix(&desktop).await;
    desktop.press_in("main table", "Recursive · Overlap in characters 48 × Hybrid, scores").await;
    desktop.says("main", "Open run").await;
    desktop.picture("evaluate-matrix").await;
    desktop.press("Open run").await;
    desktop.press("Use As it was as baseline A").await;
    desktop.press("Comparison").await;
    let verdict = desktop.says("[aria-label=Comparison] [role=status]", "over 21 queries").await;
    assert!(verdict.contains("95% interval") && verdict.contains("p "), "{verdict}");
    desktop.picture("evaluate-comparison").await;
    desktop.press("Queries").await;
    desktop.press_css("[role=treegrid] [role=row][data-index]").await;
    desktop.keys(Key::Enter + "").await;
    desktop.says("main", "What moved").await;
    desktop.picture("evaluate-query").await;

    // The choice is applied once its cost is shown.
    desktop.press("Matrix").await;
    desktop.press_in("main table", "Recursive · Overlap in characters 48 × Hybrid, scores").await;
    desktop.press("Apply chunking to corpus…").await;
    desktop.says("[data-testid=apply-cost]", "free, on this computer").await;
    desktop.picture("evaluate-apply").await;
    desktop.press("Apply and re-embed").await;
    desktop.press("Show the job").await;
    desktop.says("[data-testid=job-dock] .heading", "Done").await;
    desktop.go("#/evaluate?set=docs").await;
    run(&desktop, 21, "Overlap 48").await;
    desktop.press("Use As it was as baseline A").await;
    desktop.says("body", "Overlap 48 against As it was").await;
    desktop.picture("evaluate").await;
    let runs = sibyl.json(&["eval", "runs", "--set", "docs"]);
    let newest = &runs[0]["configuration"]["corpora"][0];
    assert_eq!(newest["strategy"], "recursive", "{newest}");
    assert_eq!(newest["settings"]["chunk_overlap"], 48, "{newest}");
    desktop.close().await;
}

/// Saves a search as a gold query and judges its first ten results by keyboard.
async fn judge(desktop: &Desktop) {
    let address = format!("#/search-lab?q={}&corpus=guide", QUERY.replace(' ', "%20"));
    desktop.go(&address).await;
    // On a slow machine the list is by words alone until the model has been loaded.
    let ten = "return document.querySelector('[data-testid=search-lab-work]')?.dataset.answered === arguments[0] \
        && document.querySelectorAll('[aria-label=\"Fused list\"] [role=option]').length === 10";
    desktop.until(ten, &[json!(QUERY)]).await;
    desktop.press("Save as gold query").await;
    desktop.press_in("[role=dialog]", "Save").await;
    desktop.says("[aria-label='Gold set']", "Nothing is judged yet").await;
    desktop.press_css("[aria-label='Fused list'] [aria-posinset='1']").await;
    for (at, grade) in GRADES.iter().enumerate() {
        if at > 0 {
            desktop.keys("j").await;
            let selected = "return document.querySelector('[aria-label=\"Fused list\"] [aria-selected=true]')\
                ?.getAttribute('aria-posinset') === String(arguments[0])";
            desktop.until(selected, &[json!(at + 1)]).await;
        }
        desktop.keys(grade.to_string()).await;
        let so_far: String = GRADES[..=at].iter().map(u8::to_string).collect();
        let given = format!("return (() => {{ {GIVEN} }})() === arguments[1]");
        desktop.until(&given, &[json!(at + 1), json!(so_far)]).await;
    }
    desktop.says("[aria-label='Gold set']", "First results all judged").await;
    desktop.picture("search-lab-judged").await;
    desktop.press_css("[role=switch][aria-label='Judge blind']").await;
    let blind =
        "return document.querySelectorAll('[aria-label=\"Results to judge\"] [role=option]').length === 10";
    desktop.until(blind, &[]).await;
    assert_eq!(desktop.count("[aria-label='Fused list']").await, 0);
    desktop.picture("search-lab-blind").await;
}

/// Runs the gold set over the corpus.
async fn run(desktop: &Desktop, queries: usize, name: &str) {
    desktop.press("Run gold set").await;
    desktop.fill("Name", name).await;
    only_guide(desktop, "[role=dialog]").await;
    desktop.picture("evaluate-form").await;
    desktop.press(&format!("Run {queries} queries")).await;
    let there = "return [...document.querySelectorAll('[data-run]')].some((row) => \
        row.textContent.includes(arguments[0]))";
    desktop.until_within(MEASURING, there, &[json!(name)]).await;
    desktop.until(TILES, &[]).await;
}

/// Leaves the corpus of the guide alone in a filter.
async fn only_guide(desktop: &Desktop, inside: &str) {
    desktop.press_in(inside, "Corpus").await;
    let others = "return [...document.querySelectorAll('[role=checkbox][aria-checked=true]')] \
        .find((each) => !each.textContent.startsWith('guide')) ?? null";
    while desktop.script(others, []).await != Value::Null {
        desktop.press_css("[role=checkbox][aria-checked=true]").await;
    }
    let chosen = "return [...document.querySelectorAll('[role=checkbox]')] \
        .some((each) => each.textContent.startsWith('guide') && each.ariaChecked === 'true')";
    if desktop.script(chosen, []).await == json!(false) {
        desktop.press_in("[role=group][aria-label=Corpus]", "guide").await;
    }
    desktop.press_in(inside, "Corpus").await;
}

/// Three overlaps and the corpus as it is, searched by words and by both.
async fn matrix(desktop: &Desktop) {
    only_guide(desktop, "main fieldset").await;
    desktop.press_in("main fieldset", "Semantic").await;
    desktop.press("Add chunking").await;
    desktop.choose("Strategy", "Recursive").await;
    desktop.press_in("[aria-label='What to add']", "Sweep").await;
    desktop.choose("Number to sweep", "Overlap").await;
    for (end, value) in [("To", "96"), ("Step", "48"), ("From", "0")] {
        desktop.fill(end, value).await;
    }
    desktop.picture("evaluate-sweep").await;
    desktop.press("Add 3 rows").await;
    desktop.press("Run 8 combinations").await;
    desktop.says("[role=alertdialog]", "Texts to embed").await;
    desktop.picture("evaluate-matrix-ask").await;
    desktop.press_css("[data-testid=confirm]").await;
    let done = "return document.querySelector('main').textContent.includes('8 of 8 combinations')";
    desktop.until_within(MEASURING, done, &[]).await;
}
