//! Examples of inputs. They are sent to a real server with the shipped standards by the tests.

use serde_json::{Value, json};

type Example = fn() -> Value;

/// An example for each of these commands.
const EXAMPLES: &[(&str, Example)] = &[
    ("library.stats", || json!({})),
    ("library.overview", || json!({})),
    ("corpus.inspect", || json!({ "name": "ifrs-s2" })),
    ("document.list", || json!({ "words": "climate", "limit": 5 })),
    ("document.get", || json!({ "id": 1 })),
    ("chunk.list", || json!({ "document": 1, "limit": 2 })),
    (
        "chunk.preview",
        || json!({ "source": { "kind": "text", "name": "a.md", "text": "# A\n\nOne sentence.\n" } }),
    ),
    ("strategy.list", || json!({})),
    ("source_type.list", || json!({})),
    ("standards.tree", || json!({})),
    ("standards.page", || json!({ "id": "S2.14(a)(iv)" })),
    ("standards.evidence", || json!({ "id": "S2.14", "mode": "keyword" })),
    ("search", || json!({ "query": "transition plan", "top_k": 3, "filters": { "standards": ["S2"] } })),
    ("rag_lookup", || json!({ "query": "transition plan", "source_types": ["ifrs_s2"] })),
    ("paragraph.get", || json!({ "id": "S2.14(a)(iv)" })),
    ("answer.ask", || json!({ "question": "What must a transition plan disclose?" })),
    ("answer.log.list", || json!({})),
    ("thesaurus.put", || json!({ "term": "roadmap", "expansion": "transition plan" })),
    ("review.list", || json!({})),
    ("job.list", || json!({})),
    ("model.list", || json!({})),
];

/// The example of the command called `name`.
pub(super) fn of(name: &str) -> Option<Value> {
    EXAMPLES.iter().find(|(known, _)| *known == name).map(|(_, example)| example())
}

/// The commands that have one.
#[cfg(test)]
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    EXAMPLES.iter().map(|(name, _)| *name)
}
