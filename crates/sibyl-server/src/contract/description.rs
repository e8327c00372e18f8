//! The documents' endpoints, described.

use super::Description;
use super::rag::{groups, shipped};
use serde_json::{Value, json};
use sibyl_api::schema::COMPONENTS;
use sibyl_api::source_type;

fn object(properties: Value, required: &[&str]) -> Value {
    json!({ "type": "object", "properties": properties, "required": required })
}

fn closed(properties: Value, required: &[&str]) -> Value {
    let mut schema = object(properties, required);
    schema["additionalProperties"] = false.into();
    schema
}

fn text() -> Value {
    json!({ "type": "string" })
}

/// What is searched for.
fn asked(most: usize) -> Value {
    json!({ "type": "string", "minLength": 1, "maxLength": most, "pattern": "\\S" })
}

/// Which edition of IFRS S2 is meant.
fn edition() -> Value {
    json!({ "$ref": format!("{COMPONENTS}Edition") })
}

/// An id in the path.
pub(crate) fn id() -> Value {
    json!({ "type": "string", "minLength": 1 })
}

fn count() -> Value {
    json!({ "type": "integer", "minimum": 0, "maximum": i64::MAX })
}

fn deleted(of: &str) -> Value {
    object(
        json!({ "status": { "const": "deleted" }, of: text(), "deleted_count": count() }),
        &["status", of, "deleted_count"],
    )
}

/// A result of section 4.6.
fn result() -> Value {
    let fields = ["chunk_id", "chunk_text", "metadata", "source_type", "report_id", "score", "search_method"];
    object(
        json!({
            "chunk_id": text(),
            "chunk_text": text(),
            "metadata": { "type": "object" },
            "source_type": text(),
            "report_id": { "type": ["string", "null"] },
            "score": { "type": "number" },
            "search_method": { "enum": ["semantic", "keyword", "hybrid"] },
        }),
        &fields,
    )
}

pub(super) fn ingest() -> Description {
    let mut counts: Vec<String> = shipped().map(|(name, _)| format!("{name}_chunks")).collect();
    counts.push("total_chunks".to_owned());
    let mut properties =
        json!({ "status": { "const": "completed" }, "duration_seconds": { "type": "number" } });
    for name in &counts {
        properties[name] = count();
    }
    Description {
        summary: "Ingests the shipped corpora, and answers when that is done (000 §7.1).",
        parameter: id(),
        choice: None,
        request: Some(closed(json!({ "corpus": { "enum": groups() } }), &["corpus"])),
        response: object(properties, &counts.iter().map(String::as_str).collect::<Vec<_>>()),
        example: None,
    }
}

pub(super) fn status() -> Description {
    Description {
        summary: "Whether anything is being ingested, and what the library contains.",
        request: None,
        parameter: id(),
        choice: None,
        response: object(
            json!({
                "status": { "enum": ["ready", "ingesting", "empty"] },
                "job": { "type": ["integer", "null"] },
                "counts": { "type": "object" },
            }),
            &["status", "job", "counts"],
        ),
        example: Some(json!({})),
    }
}

pub(super) fn stats() -> Description {
    Description {
        summary: "Chunks by source type (000 §7.2).",
        request: None,
        parameter: id(),
        choice: None,
        response: json!({ "type": "object", "additionalProperties": count() }),
        example: Some(json!({})),
    }
}

pub(super) fn search() -> Description {
    let request = closed(
        json!({
            "query": asked(sibyl_api::LONGEST_QUERY),
            "top_k": { "type": "integer", "minimum": 1, "maximum": 1000, "default": 10 },
            "mode": { "enum": ["semantic", "keyword", "hybrid"], "default": "hybrid" },
            "source_types": { "type": ["array", "null"], "items": text() },
            "report_id": { "type": ["string", "null"] },
            "rrf_k": { "type": ["integer", "null"], "minimum": 0, "maximum": u32::MAX },
            "edition": edition(),
        }),
        &["query"],
    );
    Description {
        summary: "Searches (000 §7.3). `rrf_k` asks for reciprocal rank fusion with that constant.",
        parameter: id(),
        choice: None,
        request: Some(request),
        response: object(
            json!({
                "results": { "type": "array", "items": result() },
                "total_results": count(),
                "search_mode": text(),
            }),
            &["results", "total_results", "search_mode"],
        ),
        example: Some(json!({
            "query": "transition plan requirements", "top_k": 5, "mode": "hybrid",
            "source_types": ["ifrs_s1", "ifrs_s2"],
        })),
    }
}

pub(super) fn paragraph() -> Description {
    Description {
        summary: "One paragraph of IFRS by its id (000 §5.1).",
        request: None,
        parameter: id(),
        choice: Some(("edition", edition())),
        response: result(),
        example: Some(json!({ "paragraph_id": "S2.14(a)(iv)" })),
    }
}

pub(super) fn delete_corpus() -> Description {
    Description {
        summary: "Deletes everything of a source type (000 §7.4).",
        request: None,
        parameter: json!({ "enum": source_type::names() }),
        choice: None,
        response: deleted("source_type"),
        example: None,
    }
}

pub(super) fn ingest_report() -> Description {
    Description {
        summary: "Chunks, embeds and stores a report in Markdown (000 §5.1).",
        parameter: id(),
        choice: None,
        request: Some(closed(
            json!({
                "report_id": { "type": "string", "minLength": 1, "pattern": "\\S" },
                "markdown_content": text(),
                "page_metadata": { "type": ["array", "null"], "items": { "type": "object" } },
            }),
            &["report_id", "markdown_content"],
        )),
        response: object(
            json!({ "status": { "const": "completed" }, "report_id": text(), "chunk_count": count() }),
            &["status", "report_id", "chunk_count"],
        ),
        example: Some(
            json!({ "report_id": "acme-2024", "markdown_content": "# Acme 2024\n\nScope 3 fell.\n" }),
        ),
    }
}

pub(super) fn delete_report() -> Description {
    Description {
        summary: "Deletes a report (000 §5.1).",
        request: None,
        parameter: id(),
        choice: None,
        response: deleted("report_id"),
        example: None,
    }
}

pub(super) fn query() -> Description {
    Description {
        summary: "Answers a question from the library, or says that nothing was found (003). If there is nothing else \
                  to report, the body is that of FR-018.",
        parameter: id(),
        choice: None,
        request: Some(closed(
            json!({
                "query": asked(sibyl_api::LONGEST_QUESTION),
                "sources": { "type": "array", "items": text() },
                "ignore": { "type": "array", "items": { "$ref": format!("{COMPONENTS}Constraint") } },
            }),
            &["query"],
        )),
        response: json!({ "anyOf": [
            { "$ref": format!("{COMPONENTS}Reply") },
            closed(
                json!({ "answer": { "type": "null" }, "citations": { "type": "array", "maxItems": 0 }, "message": text() }),
                &["answer", "citations", "message"],
            ),
        ] }),
        example: Some(json!({ "query": "What must a transition plan disclose?", "sources": ["ifrs_s2"] })),
    }
}

pub(super) fn ingest_documents() -> Description {
    Description {
        summary: "Ingests a file or folder that the server's owner opened for it, and answers when it can be found (003).",
        parameter: id(),
        choice: None,
        request: Some(closed(json!({ "path": text(), "corpus": { "type": ["string", "null"] } }), &[])),
        response: object(
            json!({ "status": text(), "job": count(), "failed": { "type": "array" } }),
            &["status", "job", "failed"],
        ),
        example: None,
    }
}
