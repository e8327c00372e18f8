//! A long way through the chunks of a large corpus: no frame may be late, and only rows in sight may exist.

use super::{WindowTable, document, goal};
use crate::Outcome;
use crate::timing::Times;
use serde_json::{Value, json};
use sibyl_lab::random::Random;
use sibyl_tests::desktop::Desktop;
use sibyl_tests::program::Sibyl;
use std::path::Path;

const CHUNKS: u64 = 200_000;
const MOST_ROWS: u64 = 200;
const FILES: usize = 20;
const PARAGRAPHS: usize = 12_000;
/// Characters of the longest chunk; a paragraph fits, two do not.
const CHUNK_SIZE: &str = "chunk_size=160";

/// Scrolls from the top to the end in sweeps, with a pause after each for loading and drawing what is in sight.
const SCROLL: &str = r#"
    const [sweeps, moving, halting] = arguments;
    const list = document.querySelector('[role=listbox][aria-label="Chunks"]');
    const scroller = list.parentElement;
    const end = scroller.scrollHeight - scroller.clientHeight;
    const frames = [];
    let rows = 0;
    let last;
    const frame = () => new Promise((next) => requestAnimationFrame(() => {
        const now = performance.now();
        if (last !== undefined) frames.push(now - last);
        last = now;
        rows = Math.max(rows, document.querySelectorAll("[role=option], [role=row]").length);
        next(now);
    }));
    for (let sweep = 0; sweep < sweeps; sweep++) {
        const start = await frame();
        for (let now = start; now < start + moving; now = await frame())
            scroller.scrollTop = (end * (sweep + (now - start) / moving)) / sweeps;
        for (let now = start; now < start + moving + halting; ) now = await frame();
    }
    scroller.scrollTop = end;
    for (let rest = 0; rest < 30; rest++) await frame();
    const foot = [...list.children].at(-1);
    return { frames, rows, foot: foot.getAttribute("aria-posinset"), words: foot.textContent };
"#;
const SWEEPS: u32 = 8;
const MOVING: u32 = 800;
const HALTING: u32 = 300;

/// Adds the frames to `report` and returns how many rows there were.
pub async fn measure(report: &mut WindowTable) -> Outcome<String> {
    let sibyl = Sibyl::fresh();
    let sources = tempfile::tempdir()?;
    write_files(sources.path())?;
    let path = sources.path().to_string_lossy();
    sibyl.json(&[
        "ingest",
        &path,
        "--corpus",
        "volumes",
        "--no-embed",
        "--strategy",
        "recursive",
        "--set",
        CHUNK_SIZE,
        "--set",
        "chunk_overlap=0",
    ]);
    let desktop = Desktop::open(sibyl.folder()).await;
    desktop.go("#/library?corpus=volumes").await;
    desktop.press_in("[role=radiogroup]", "Chunks ").await;
    let count = "return Number(document.querySelector('[role=listbox][aria-label=\"Chunks\"] [role=option]')?.ariaSetSize)";
    let count = desktop.until(count, &[]).await.as_u64().unwrap_or_default();
    let scrolled = desktop.measured(SCROLL, [json!(SWEEPS), json!(MOVING), json!(HALTING)]).await;
    desktop.close().await;
    if count < CHUNKS || scrolled["foot"] != json!(count.to_string()) || unread(&scrolled) {
        return Ok(format!("{count} chunks were not scrolled through: {}", scrolled["words"]));
    }
    let frames: Times =
        scrolled["frames"].as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
    let what = format!("Library, scroll through {count} chunks, one frame");
    report.times(&what, &frames, Some(goal::FRAME));
    Ok(format!("Row nodes while scrolling: {} at most (goal: {MOST_ROWS}).", scrolled["rows"]))
}

/// A row that is not loaded shows its number only.
fn unread(scrolled: &Value) -> bool {
    scrolled["words"].as_str().is_none_or(|words| words.starts_with('#'))
}

fn write_files(folder: &Path) -> Outcome<()> {
    let mut random = Random::new(9);
    for number in 0..FILES {
        let paragraphs: Vec<String> = (0..PARAGRAPHS).map(|_| document::sentence(&mut random, 16)).collect();
        let text = format!("# Volume {number}\n\n{}\n", paragraphs.join("\n\n"));
        std::fs::write(folder.join(format!("volume-{number:02}.md")), text)?;
    }
    Ok(())
}
