//! A report chunked in other ways: boundaries and figures follow, two ways are compared, the cost is shown before it is
//! paid.

use crate::digits;
use serde_json::Value;
use sibyl_tests::desktop::Desktop;
use sibyl_tests::program::Sibyl;
use sibyl_tests::{fixture, root};

const STATS: &str = "[data-testid=chunk-lab-stats]";
/// Where chunks begin in the text on screen: the top of each entry in the gutter.
const BOUNDARIES: &str = "return [...document.querySelectorAll('.cm-content [data-chunk]')] \
    .map((each) => Math.round(each.getBoundingClientRect().top)).join(' ')";
/// The bars of the histogram.
const BARS: &str = "return [...document.querySelectorAll('[data-chart] rect, [data-chart] path')] \
    .map((each) => each.getAttribute('d') ?? `${each.getAttribute('x')} ${each.getAttribute('height')}`).join(' ')";
/// What the figures of the comparison say: `[name, a, b, change]`.
const FIGURES: &str = "return [...document.querySelectorAll('main table tbody tr')] \
    .map((row) => [...row.cells].map((cell) => cell.textContent))";

/// What the comparison says of the boundaries, by the innermost part that says it.
const SENTENCE: &str = "return [...document.querySelectorAll('main *')].map((each) => each.textContent) \
    .findLast((text) => /^[\\d,]+ boundaries are in both/.test(text))";

fn count(text: &str) -> u64 {
    digits(text.split("chunks").next().unwrap_or_default())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_is_cut_otherwise_compared_and_its_cost_is_told_first() {
    let sibyl = Sibyl::with_instant_vectors();
    let reports = root().join("crates/sibyl-text/tests/fixtures/reports");
    let run = sibyl.run(&["ingest", &reports.to_string_lossy(), "--corpus", "orders"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let documents = sibyl.json(&["documents", "--corpus", "orders"]);
    let order = documents.as_array().unwrap().iter().max_by_key(|row| row["chunks"].as_u64()).unwrap();
    let desktop = Desktop::open(sibyl.folder()).await;
    desktop.go(&format!("#/chunk-lab?document={}", order["id"])).await;

    // As stored.
    let stored = desktop.wait_for(STATS, |text| count(text) > 0).await;
    assert_eq!(count(&stored), order["chunks"].as_u64().unwrap());
    desktop.says("[data-testid=chunk-lab-difference]", "Same as in the library").await;
    let boundaries = desktop.until(BOUNDARIES, &[]).await;
    let bars = desktop.until(BARS, &[]).await;

    // Smaller chunks: more of them, other boundaries, another histogram, a difference to what is stored.
    for (parameter, value) in [("Minimum", "40"), ("Overlap", "20"), ("Target tokens", "120")] {
        desktop.fill(parameter, value).await;
    }
    let cut = desktop.wait_for(STATS, |text| count(text) > count(&stored)).await;
    desktop
        .until(
            "return document.querySelector('[data-testid=chunk-lab-rebuilt]').dataset.pending === 'false'",
            &[],
        )
        .await;
    desktop.until(&changed(BOUNDARIES), &[boundaries]).await;
    desktop.until(&changed(BARS), &[bars]).await;
    desktop.says("[data-testid=chunk-lab-difference]", "Library +").await;
    let painted = desktop
        .until("return document.querySelector('[data-testid=chunk-lab-rebuilt]').dataset.painted", &[])
        .await;
    assert!(painted.as_str().unwrap().parse::<f64>().unwrap() > 0.0);
    desktop.picture("chunk-lab").await;

    // A against B, which is as stored: both counts, and every boundary that only one of them has.
    desktop.press_in("[aria-label=View]", "Compare A/B").await;
    let figures =
        desktop.until(&format!("{FIGURES}.length > 0 && {}", &FIGURES["return ".len()..]), &[]).await;
    let row = |name: &str| figures.as_array().unwrap().iter().find(|row| row[0] == name).unwrap().clone();
    let number = |value: &Value| digits(value.as_str().unwrap());
    assert_eq!(number(&row("Chunks")[1]), count(&cut), "{figures:#}");
    assert_eq!(number(&row("Chunks")[2]), count(&stored), "{figures:#}");
    let sentence = desktop.until(SENTENCE, &[]).await.as_str().unwrap().to_owned();
    let told = sentence.split(" boundaries are in both, ").collect::<Vec<_>>();
    let both = digits(told[0]);
    let only_a = digits(told[1].split(" only in A").next().unwrap());
    assert!(only_a > 0 && both + only_a == number(&row("Boundaries")[1]), "{sentence}");
    desktop.press("Edit configuration B").await;
    desktop.choose("Strategy", "Recursive").await;
    desktop
        .until(
            &format!("{FIGURES}.length > 0 && {FIGURE_B} !== arguments[0]", FIGURE_B = figure_b()),
            &[row("Chunks")[2].clone()],
        )
        .await;
    desktop.keys("\u{e00c}").await;
    desktop.picture("chunk-lab-compare").await;

    // The cost comes before the job.
    let jobs = sibyl.json(&["jobs"]).as_array().unwrap().len();
    desktop.press("Apply B to corpus…").await;
    let cost = desktop.says("[data-testid=apply-cost]", "Cost").await;
    assert!(cost.contains(&format!("Documents{}", documents.as_array().unwrap().len())), "{cost}");
    assert!(cost.contains("free, on this computer"), "{cost}");
    desktop.press("Cancel").await;
    desktop.until("return !document.querySelector('[data-testid=apply-cost]')", &[]).await;
    assert_eq!(sibyl.json(&["jobs"]).as_array().unwrap().len(), jobs, "nothing was asked for yet");
    desktop.press("Apply B to corpus…").await;
    desktop.press("Apply and re-embed").await;
    desktop.says("body", "Chunking orders again").await;
    desktop.press("Show the job").await;
    desktop.says("[data-testid=job-dock] .heading", "Done").await;
    let applied = sibyl.json(&["documents", "--corpus", "orders"]);
    let strategies =
        applied.as_array().unwrap().iter().filter(|row| row["chunks"] == order["chunks"]).count();
    assert!(strategies < applied.as_array().unwrap().len(), "{applied:#}");
    desktop.close().await;
}

/// Width in pixels of the page that is drawn, once its picture is there and lines of it are marked.
const DRAWN: &str = "const picture = document.querySelector('[data-paper] img'); \
    return picture?.complete && document.querySelector('[data-paper] [data-mark]') && picture.naturalWidth";
/// Whether the picture says what a person sees on it.
const ALT: &str = "return document.querySelector('[data-paper] img')?.alt";

#[tokio::test(flavor = "multi_thread")]
async fn a_pdf_shows_its_pages_and_its_chunks_on_a_map() {
    let sibyl = Sibyl::with_instant_vectors();
    let pdf = fixture("pdf").join("federal-government-scorecard-fy2023.pdf");
    let run = sibyl.run(&["ingest", &pdf.to_string_lossy(), "--corpus", "scorecards"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let documents = sibyl.json(&["documents", "--corpus", "scorecards"]);
    let document = &documents[0];
    let desktop = Desktop::open(sibyl.folder()).await;
    desktop.go(&format!("#/chunk-lab?document={}", document["id"])).await;
    desktop.wait_for(STATS, |text| count(text) > 0).await;
    desktop.press_css("[role=listbox][aria-label=Chunks] [role=option]").await;

    let shown = "[role=radiogroup][aria-label='Show the document as']";
    desktop.press_in(shown, "Page").await;
    let width = desktop.until(DRAWN, &[]).await;
    assert!(width.as_u64().unwrap() >= 400, "{width}");
    let alt = desktop.until(ALT, &[]).await;
    assert!(alt.as_str().unwrap().contains("Page 1 of") && alt.as_str().unwrap().contains("marked"), "{alt}");
    desktop.picture("chunk-lab-page").await;
    desktop.press("Next page").await;
    desktop.until(&format!("{ALT}?.startsWith('Page 2 of')"), &[]).await;

    desktop.press_in(shown, "Map").await;
    let places = "return document.querySelectorAll('main svg path[data-group]').length";
    desktop.until(places, &[]).await;
    let said = format!("{} chunks on the first two principal components", document["chunks"]);
    desktop.says("main", &said).await;
    desktop.picture("chunk-lab-map").await;
    desktop.close().await;
}

fn changed(script: &str) -> String {
    format!("{} !== arguments[0]", script)
}

fn figure_b() -> &'static str {
    "[...document.querySelectorAll('main table tbody tr')][0].cells[2].textContent"
}
