//! A large document cut anew: from the change of a parameter to boundaries on screen.

use super::{Report, column, document, goal};
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
/// Milliseconds from the boundaries of one change to the next: enough for all that follows a change, or not.
const PACES: &[(&str, u32)] = &[("", 600), (" while the slider moves", 40)];

/// Changes the parameter again and again. Every change waits for the cut that answers it, and for the first task after
/// the frame that paints its boundaries.
const CHANGE: &str = r#"
    const [label, first, step, changes, pause] = arguments;
    const field = document.querySelector(`input[aria-label="${label}"]`);
    const value = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
    const chunking = () => document.querySelector("[data-testid=chunk-lab-rebuilt]").dataset.chunking;
    const painted = () => new Promise((next) => requestAnimationFrame(() => setTimeout(next)));
    const measured = [];
    for (let change = 0; change < changes; change++) {
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
        const start = performance.now();
        value.set.call(field, first + change * step);
        field.dispatchEvent(new InputEvent("input", { bubbles: true }));
        await drawn;
        await painted();
        measured.push({ total: performance.now() - start, chunking: Number(chunking()) });
    }
    return measured;
"#;

pub async fn measure(report: &mut Report) -> Outcome<()> {
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
    let cut = |first: usize, changes: usize, pause: u32| {
        let arguments = [json!("Target tokens"), json!(first), json!(STEP), json!(changes), json!(pause)];
        desktop.measured(CHANGE, arguments)
    };
    // Once for warmth.
    cut(FIRST - STEP, 1, 1_000).await;
    for (name, pause) in PACES {
        let measured = cut(FIRST, CHANGES, *pause).await;
        let what = format!("Chunk Lab, 1 MB cut anew to boundaries on screen{name}");
        report.times(&what, &column(&measured, "total"), Some(goal::CUT));
        report.times("… of which chunking", &column(&measured, "chunking"), Some(goal::CHUNKING));
    }
    desktop.close().await;
    Ok(())
}
