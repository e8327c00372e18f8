//! What agents read of the tools. Strict clients take no list of types and no `null` among the values of a field: what is
//! not known of a passage is left out of it.

use super::part::{count, list, needed, object, text, tool};
use super::tool::{BUDGET, kinds_of_laws};
use serde_json::{Map, Value, json};
use sibyl_api::{Edition, FigureStatus, source_type};

/// Their descriptions. `open` says whether text of a call may go over the network.
pub(super) fn all(open: bool) -> Value {
    let mut all = vec![lookup(open), laws(open), files(open), paragraph(), reports(), figures()];
    all.extend(super::assessment::descriptions());
    all.extend(super::proposal::descriptions());
    all.push(ask(open));
    all.into()
}

fn query() -> Value {
    let mut query = needed("What information you need, in natural language.");
    query["maxLength"] = sibyl_api::LONGEST_QUERY.into();
    query
}

fn limit(most: usize, default: usize) -> Value {
    json!({
        "type": "integer", "minimum": 1, "maximum": most, "default": default, "description": "Most passages.",
    })
}

fn budget() -> Value {
    json!({
        "type": "integer", "minimum": 1, "maximum": u32::MAX, "default": BUDGET,
        "description": "Most tokens of all passages together.",
    })
}

/// Which edition of IFRS S2 is meant.
pub(crate) fn edition() -> Value {
    json!({
        "type": "string", "enum": Edition::ALL.map(Edition::code),
        "description": "Edition of IFRS S2: as issued June 2023 or as amended December 2025 (periods from 1 January 2027); \
                        the one meant today if omitted.",
    })
}

fn similarity() -> Value {
    json!({
        "type": "number", "minimum": 0, "maximum": 1,
        "description": "How near it is in meaning, 0 to 1; left out of passages that words alone found.",
    })
}

fn pages() -> Value {
    let mut pages = list(
        "First and last page, counted from 1, of documents that have pages.",
        json!({ "type": "integer" }),
    );
    pages["minItems"] = 2.into();
    pages["maxItems"] = 2.into();
    pages
}

fn page_labels() -> Value {
    list("What is printed on these pages, where that is not their number.", json!({ "type": "string" }))
}

fn ocr() -> Value {
    let confidence =
        json!({ "type": "integer", "minimum": 0, "maximum": 100, "description": "Confidence in percent." });
    object("Where the text was read by OCR: how sure that is.", json!({ "confidence": confidence }), &[])
}

fn notices() -> Value {
    list("What was left out of the query or is degraded, and why.", json!({ "type": "string" }))
}

fn passages(fields: Value) -> Value {
    let passage = object("A passage.", fields, &["contextualHeader", "text", "chunkId"]);
    object(
        "What was found.",
        json!({
            "passages": list("The passages, best first.", passage),
            "omitted": count("Passages left out to keep within max_tokens."),
            "notices": notices(),
        }),
        &["passages", "omitted"],
    )
}

const HEADER: &str = "Where in its document the passage stands.";
const CHUNK: &str = "Id of the passage.";

fn lookup(open: bool) -> Value {
    let types = json!({ "type": "string", "enum": source_type::names() });
    tool(
        "rag_lookup",
        "Search the knowledge base for relevant IFRS standards, SASB guidance, or report content. With paragraph_id, \
         fetch exactly that paragraph.",
        json!({
            "query": {
                "type": "string", "maxLength": sibyl_api::LONGEST_QUERY,
                "description": "What information you need, in natural language; may be empty with paragraph_id.",
            },
            "source_types": list("Source types to search; all if omitted.", types),
            "top_k": {
                "type": "integer", "minimum": 1, "maximum": 1000, "default": 5, "description": "Number of results.",
            },
            "paragraph_id": text(
                "An exact paragraph, such as S2.14(a)(iv); query and source_types are then ignored.",
            ),
            "edition": edition(),
        }),
        &["query"],
        object(
            "What was found.",
            json!({ "text": text("The results as text."), "notices": notices() }),
            &["text"],
        ),
        (true, open),
    )
}

fn laws(open: bool) -> Value {
    let bodies: Vec<&str> = source_type::standards().map(|(_, standard)| standard.body).collect();
    tool(
        "search_laws",
        &format!("Search the standards ({}).", bodies.join(", ")),
        json!({
            "query": query(),
            "contentType": { "type": "string", "enum": kinds_of_laws(), "description": "One standard only; all if omitted." },
            "edition": edition(),
            "limit": limit(100, 10),
            "max_tokens": budget(),
        }),
        &["query"],
        passages(json!({
            "contextualHeader": text(HEADER),
            "documentNumber": text("Id of the paragraph, metric or topic."),
            "similarity": similarity(),
            "text": text("What the passage says."),
            "chunkId": text(CHUNK),
        })),
        (true, open),
    )
}

fn files(open: bool) -> Value {
    tool(
        "search_company_files",
        "Search reports and other files of companies.",
        json!({ "query": query(), "limit": limit(100, 5), "max_tokens": budget() }),
        &["query"],
        passages(json!({
            "contextualHeader": text(HEADER),
            "document": text("Title of its document."),
            "reportId": text("The report it belongs to."),
            "pages": pages(),
            "pageLabels": page_labels(),
            "ocr": ocr(),
            "similarity": similarity(),
            "text": text("What the passage says."),
            "chunkId": text(CHUNK),
        })),
        (true, open),
    )
}

/// A metric of a SASB standard, part by part.
fn metric() -> Value {
    let words = |description: &str| list(description, json!({ "type": "string" }));
    object(
        "A metric.",
        json!({
            "code": text("Its code."),
            "label": text("Its name."),
            "category": text("Quantitative, or Discussion and Analysis."),
            "unit": text("Its unit of measure."),
            "measured": text("What is measured or described."),
            "counts": words("What counts."),
            "does_not_count": words("What does not count."),
            "definitions": words("Defined terms."),
            "also_to_be_discussed": words("What is to be disclosed beside it."),
            "may_be_added": words("What may be added."),
        }),
        &["code", "label", "measured"],
    )
}

fn paragraph() -> Value {
    let item = object(
        "A part of it.",
        json!({ "id": text("Its id."), "label": text("Its name."), "text": text("Its wording.") }),
        &["id", "label", "text"],
    );
    tool(
        "get_paragraph",
        "Fetch one paragraph, item, topic or metric of the standards by its id.",
        json!({ "id": needed("Such as S2.14(a)(iv) or EM-EP-110a.1."), "edition": edition() }),
        &["id"],
        object(
            "The paragraph.",
            json!({
                "id": text("Its id."),
                "label": text("Its name."),
                "kind": text("What it is, such as paragraph or metric."),
                "modality": text("Whether it is required, allowed or explains."),
                "pillar": text("The pillar it belongs to."),
                "editions": list(
                    "Editions of IFRS S2 that have it as it stands here; none of other standards.",
                    json!({ "type": "string", "enum": Edition::ALL.map(Edition::code) }),
                ),
                "remarks": list(
                    "What is known of its edition, of amendments and of changes under way.",
                    json!({ "type": "string" }),
                ),
                "text": text("Its wording."),
                "items": list("Its parts.", item),
                "metrics": list("Its metrics, or itself where it is one, part by part.", metric()),
            }),
            &["id", "label", "text"],
        ),
        (true, false),
    )
}

fn reports() -> Value {
    let report = object(
        "A report.",
        json!({
            "report_id": text("Its id."),
            "title": text("Its title."),
            "issuer": text("Whose report it is."),
            "year": { "type": "integer", "description": "The year it reports on." },
            "pages": count("Its pages."),
            "chunks": count("Passages it was cut into."),
            "uri": text("The resource with its text."),
        }),
        &["report_id", "title", "uri"],
    );
    tool(
        "list_reports",
        "List the reports, with the ids that other tools and resources take.",
        json!({}),
        &[],
        object("The reports.", json!({ "reports": list("The reports.", report) }), &["reports"]),
        (true, false),
    )
}

fn figures() -> Value {
    let figure = object(
        "A number that a report gives.",
        json!({
            "what": text("What it is a number of: names of its row and column, or the sentence that says it."),
            "value": text("The number as it is printed."),
            "unit": text("Its unit as it is printed."),
            "year": { "type": "integer", "description": "The year that it is about, or that its period ends in." },
            "part": text("The part of that year, such as H1 or Q3."),
            "status": { "type": "string", "enum": FigureStatus::ALL.map(FigureStatus::name), "description": "What it says." },
            "report_id": text("The report."),
            "document": text("The title of the report."),
            "page": count("Its physical page."),
            "sheet": text("Its sheet, in a workbook."),
            "cells": text("The cells of its row, in a workbook."),
        }),
        &["what", "value", "status", "document"],
    );
    let mut what = needed(
        "What it is a number of, such as `scope 1` or `water withdrawn`. All words must stand in its names.",
    );
    what["maxLength"] = sibyl_api::LONGEST_QUERY.into();
    tool(
        "find_figures",
        "Find numbers that reports give, by what they are numbers of, as they are printed, with year, unit and place. One of \
         another year, scope or company is no answer.",
        json!({
            "what": what,
            "report_id": text("Only of this report."),
            "year": { "type": "integer", "minimum": 1950, "maximum": 2100, "description": "Only of this year." },
            "limit": { "type": "integer", "minimum": 1, "maximum": 200, "default": 30, "description": "Most figures." },
        }),
        &["what"],
        object(
            "The figures.",
            json!({ "figures": list("The figures, best first.", figure), "total": count("How many there are in all.") }),
            &["figures", "total"],
        ),
        (true, false),
    )
}

fn ask(open: bool) -> Value {
    let types = sibyl_api::schema::schemas().types;
    let mut question = needed("The question, in natural language.");
    question["maxLength"] = sibyl_api::LONGEST_QUESTION.into();
    let ignore = list(
        "What of `understood` in an earlier reply is not to hold.",
        strict(&types["Constraint"], &types),
    );
    tool(
        "ask",
        "Answer a question from the library, each sentence with its source and check; read `outcome` first. Question and \
         answer are kept in the log.",
        json!({ "question": question, "edition": edition(), "ignore": ignore }),
        &["question"],
        strict(&types["Reply"], &types),
        (false, open),
    )
}

/// `schema` as strict clients take it: named types in their place, and what may be null left out instead.
fn strict(schema: &Value, types: &Map<String, Value>) -> Value {
    let (found, _) = without_null(schema, types);
    let mut out = found.clone();
    if let Some(described) = schema.get("description") {
        out["description"] = described.clone();
    }
    if let Some(Value::Array(kinds)) = found.get("type") {
        out["type"] = kinds.iter().find(|kind| *kind != "null").cloned().unwrap_or_default();
    }
    if let Some(Value::Array(values)) = out.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if let Some(Value::Object(properties)) = found.get("properties") {
        let nullable =
            |name: &str| properties.get(name).is_some_and(|property| without_null(property, types).1);
        if let Some(Value::Array(required)) = out.get_mut("required") {
            required.retain(|name| name.as_str().is_some_and(|name| !nullable(name)));
        }
        let strict_ones = properties.iter().map(|(name, property)| (name.clone(), strict(property, types)));
        out["properties"] = Value::Object(strict_ones.collect());
    }
    if let Some(items) = found.get("items") {
        out["items"] = strict(items, types);
    }
    out
}

/// What `schema` stands for where it is not null, and whether it may be null.
fn without_null<'a>(schema: &'a Value, types: &'a Map<String, Value>) -> (&'a Value, bool) {
    if let Some(found) = sibyl_api::schema::resolved(schema, types) {
        return without_null(found, types);
    }
    let null = |kind: &Value| kind == "null" || kind["type"] == "null";
    if let Some(Value::Array(kinds)) = schema.get("anyOf") {
        let some = kinds.iter().find(|kind| !null(kind)).unwrap_or(schema);
        return (without_null(some, types).0, kinds.iter().any(null));
    }
    (schema, schema["type"].as_array().is_some_and(|kinds| kinds.iter().any(null)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever strict clients refuse in `schema`, which stands at `path`.
    fn faults(schema: &Value, path: &str, out: &mut Vec<String>) {
        if !schema["type"].is_string() {
            out.push(format!("{path} has no single type"));
        }
        if schema["enum"].as_array().is_some_and(|all| all.iter().any(Value::is_null)) {
            out.push(format!("{path} may be null"));
        }
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            let path = format!("{path}.{name}");
            if property["description"].as_str().is_none_or(str::is_empty) {
                out.push(format!("{path} is not described"));
            }
            faults(property, &path, out);
        }
        if let Some(items) = schema.get("items") {
            faults(items, &format!("{path}[]"), out);
        }
    }

    #[test]
    fn schemas_are_such_that_strict_clients_take_them() {
        let mut found = Vec::new();
        for tool in all(true).as_array().unwrap() {
            for side in ["inputSchema", "outputSchema"] {
                faults(&tool[side], &format!("{} {side}", tool["name"]), &mut found);
            }
        }
        assert_eq!(found, [""; 0]);
    }
}
