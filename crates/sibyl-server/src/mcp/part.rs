//! What descriptions of tools are made of.

use serde_json::{Value, json};

pub(super) fn text(description: &str) -> Value {
    json!({ "type": "string", "description": description })
}

pub(super) fn count(description: &str) -> Value {
    json!({ "type": "integer", "minimum": 0, "description": description })
}

pub(super) fn object(description: &str, properties: Value, required: &[&str]) -> Value {
    json!({ "type": "object", "description": description, "properties": properties, "required": required })
}

pub(super) fn list(description: &str, items: Value) -> Value {
    json!({ "type": "array", "description": description, "items": items })
}

/// A text with something in it.
pub(super) fn needed(description: &str) -> Value {
    json!({ "type": "string", "minLength": 1, "pattern": "\\S", "description": description })
}

/// A passage of a report.
pub(super) fn passage() -> Value {
    object(
        "A passage of the report, word for word.",
        json!({
            "quote": text("Its words."),
            "document": text("Path of its document."),
            "page": count("Physical page."),
            "section": list("Headings above it.", json!({ "type": "string" })),
        }),
        &["quote", "document"],
    )
}

pub(super) fn tool(
    name: &str,
    description: &str,
    properties: Value,
    required: &[&str],
    output: Value,
    (reads_only, open): (bool, bool),
) -> Value {
    json!({
        "name": name,
        "description": description,
        "inputSchema": {
            "type": "object", "properties": properties, "required": required, "additionalProperties": false,
        },
        "outputSchema": output,
        "annotations": {
            "readOnlyHint": reads_only, "destructiveHint": false, "idempotentHint": reads_only, "openWorldHint": open,
        },
    })
}
