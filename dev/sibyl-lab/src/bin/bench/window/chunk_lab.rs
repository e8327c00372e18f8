//! A large document chunked again: from the change of a parameter to boundaries on screen.

use super::{WindowTable, column, document, goal};
use crate::Outcome;
use serde_json::json;
use sibyl_lab::random::Random;
use sibyl_tests::desktop::Desktop;
use sibyl_tests::program::Sibyl;

const BYTES: usize = 1 << 20;
/// Sizes that are asked for, one after the other.
const FIRST: usize = 400;
const STEP: usize = 15;
const CHANGES: usize = 25;
/// How the size is changed, with the milliseconds between two changes: enough for everything that follows a
/// change, or not.
const WAYS: &[(&str, &str, u32)] = &[("typed", "a size typed", 600), ("slider", "the slider moved", 40)];

/// Changes the parameter again and again. Every change waits for the chunks that answer it, and for the first task
/// after the frame that paints its boundaries. A size is typed by an editor's command and the slider moved by its
/// key, as a person does. If a script sets the value of a focused field, WebKit paints the whole page.
const CHANGE: &str = r#"
    const [way, label, first, step, changes, pause] = arguments;
    const field = document.querySelector(`input[aria-label="${label}"]`);
    const thumb = document.querySelector(`[role=slider][aria-label="${label}"]`);
    const chunking = () => document.querySelector("[data-testid=chunk-lab-rebuilt]").dataset.chunking;
    const painted = () => new Promise((next) => requestAnimationFrame(() => setTimeout(next)));
    const change = {
        typed: (value) => document.execCommand("insertText", false, value),
        slider: () => thumb.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true })),
    }[way];
    const measured = [];
    (way === "typed" ? field : thumb).focus();
    for (let count = 0; count < changes; count++) {
        await new Promise((next) => setTimeout(next, pause));
        const before = chunking();
        const drawn = new Promise((next) => {
            const observer = new MutationObserver(() => {
                if (chunking() === before) return;
                observer.disconnect();
                next();
            });
            observer.observe(document.querySelector("main"), { subtree: true, attributes: true, childList: true });
        });
        if (way === "typed") field.select();
        const start = performance.now();
        change(String(first + count * step));
        await drawn;
        await painted();
        measured.push({ total: performance.now() - start, chunking: Number(chunking()) });
    }
    return measured;
"#;

pub async fn measure(report: &mut WindowTable) -> Outcome<()> {
    let sibyl = Sibyl::fresh();
    let sources = tempfile::tempdir()?;
    let path = sources.path().join("report.md");
    std::fs::write(&path, document::report(&mut Random::new(5), BYTES))?;
    let path = path.to_string_lossy();
    sibyl.json(&["ingest", &path, "--corpus", "measured", "--strategy", "report", "--no-embed"]);
    let documents = sibyl.json(&["documents", "--corpus", "measured"]);
    let desktop = Desktop::open(sibyl.folder()).await;
    desktop.go(&format!("#/chunk-lab?document={}", documents[0]["id"])).await;
    desktop.until("return document.querySelector('[data-testid=chunk-lab-rebuilt]')", &[]).await;
    let cut = |way: &str, first: usize, changes: usize, pause: u32| {
        let arguments =
            [json!(way), json!("Target tokens"), json!(first), json!(STEP), json!(changes), json!(pause)];
        desktop.measured(CHANGE, arguments)
    };
    // Once for warmth.
    cut("typed", FIRST - STEP, 1, 1_000).await;
    for (way, name, pause) in WAYS {
        let measured = cut(way, FIRST, CHANGES, *pause).await;
        let what = format!("Chunk Lab, {name}, 1 MB chunked again to boundaries on screen");
        report.times(&what, &column(&measured, "total"), Some(goal::CUT));
        report.times("… of which chunking", &column(&measured, "chunking"), Some(goal::CHUNKING));
    }
    desktop.close().await;
    Ok(())
}
