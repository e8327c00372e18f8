//! A query typed letter by letter: from each keystroke to its own results on screen.

use super::{WindowTable, column, goal};
use serde_json::{Value, json};
use sibyl_tests::desktop::Desktop;
use sibyl_tests::program::Sibyl;

const WARMTH: &str = "governance";
const QUERIES: &[&str] = &["transition plan for scope 3 emissions", "water stress S2.29(a)"];
/// Milliseconds between the results of one letter and the next letter.
const PAUSE: u32 = 150;

/// Types a query by an editor's command, which does what a key does. Every letter waits for the answer to the
/// query so far. It waits for the change of the page that brings it, and for the first task after the frame that
/// paints it.
const TYPE: &str = r#"
    const [text, pause] = arguments;
    const field = document.querySelector('input[aria-label="Query"]');
    const work = document.querySelector("[data-testid=search-lab-work]");
    const painted = () => new Promise((next) => requestAnimationFrame(() => setTimeout(next)));
    const measured = [];
    field.focus();
    field.select();
    document.execCommand("delete");
    for (let length = 1; length <= text.length; length++) {
        await new Promise((next) => setTimeout(next, pause));
        const query = text.slice(0, length);
        const answered = new Promise((next) => {
            const observer = new MutationObserver(() => {
                if (work.dataset.answered !== query) return;
                observer.disconnect();
                next(performance.now());
            });
            observer.observe(work, { attributes: true });
        });
        const start = performance.now();
        document.execCommand("insertText", false, text[length - 1]);
        const drawn = await answered;
        await painted();
        const end = performance.now();
        measured.push({ total: end - start, engine: Number(work.dataset.engine), paint: end - drawn });
    }
    return measured;
"#;

pub async fn measure(report: &mut WindowTable) {
    let sibyl = Sibyl::with_standards();
    let desktop = Desktop::open(sibyl.folder()).await;
    for mode in ["keyword", "hybrid"] {
        desktop.go(&format!("#/search-lab?mode={mode}")).await;
        desktop.field("Query").await;
        desktop.measured(TYPE, [json!(WARMTH), json!(PAUSE)]).await;
        let mut all = Vec::new();
        for query in QUERIES {
            let measured = desktop.measured(TYPE, [json!(query), json!(PAUSE)]).await;
            all.extend(measured.as_array().cloned().unwrap_or_default());
        }
        let all = Value::Array(all);
        let what = format!("Search Lab, keystroke to results on screen, {mode}");
        report.times(&what, &column(&all, "total"), Some(goal::SEARCH));
        report.times("… of which the engine", &column(&all, "engine"), None);
        report.times("… of which layout and painting", &column(&all, "paint"), None);
    }
    desktop.close().await;
}
