//! A stream reports its progress to the page, through the door of every call of the window.

use serde_json::{Value, json};
use sibyl_tests::desktop::Desktop;
use sibyl_tests::fixture;
use sibyl_tests::program::Sibyl;

/// Calls `eval.gold` and returns its progress, with the names in its answer.
const FOLLOW: &str = "const told = []; const { invoke, transformCallback } = window.__TAURI_INTERNALS__; \
    const channel = transformCallback((raw) => { if ('message' in raw) told.push(raw.message); }); \
    const input = { path: arguments[0], modes: ['keyword'] }; \
    const answer = await invoke('rpc', { command: 'eval.gold', input, requestId: 'stream-1', workspace: 'default', \
        progress: `__CHANNEL__:${channel}` }); \
    return { told, answered: Object.keys(answer) };";

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_tells_the_page_how_far_it_has_come() {
    let sibyl = Sibyl::with_instant_vectors();
    let desktop = Desktop::open(sibyl.folder()).await;
    let gold = fixture("gold/standards.jsonl");
    let heard = desktop.measured(FOLLOW, [json!(gold)]).await;
    let names = ["evaluation", "shortfalls", "checks", "runs", "comparison"];
    assert_eq!(heard["answered"], json!(names));
    let told = heard["told"].as_array().unwrap();
    assert!(told.len() > 1, "{told:?}");
    assert!(told.iter().all(|each| each["kind"] == "evaluating"), "{told:?}");
    let done: Vec<u64> = told.iter().filter_map(|each| each["done"].as_u64()).collect();
    assert!(done.is_sorted(), "{done:?}");
    let last: &Value = told.last().unwrap();
    assert_eq!((&last["stage"], &last["done"]), (&json!("search"), &last["total"]));
    desktop.close().await;
}
