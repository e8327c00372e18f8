//! JSON Schema as types of TypeScript.

use crate::schema::name_of;
use serde_json::Value;

/// The type that `schema` describes; its lines after the first are indented by `deep` steps.
pub(super) fn ty(schema: &Value, deep: usize) -> String {
    let joined = |schemas: &Value, by: &str| -> Option<String> {
        let types = schemas.as_array()?.iter().map(|schema| ty(schema, deep));
        Some(types.collect::<Vec<_>>().join(by))
    };
    if let Some(name) = name_of(schema) {
        return name.to_owned();
    }
    if let Some(types) = joined(&schema["allOf"], " & ") {
        return types;
    }
    if let Some(types) = joined(&schema["anyOf"], " | ") {
        return types;
    }
    if let Some(value) = schema.get("const") {
        return value.to_string();
    }
    if let Some(values) = schema["enum"].as_array() {
        return values.iter().map(Value::to_string).collect::<Vec<_>>().join(" | ");
    }
    match &schema["type"] {
        Value::Array(kinds) => {
            let kinds = kinds.iter().filter_map(Value::as_str);
            kinds.map(|kind| of_kind(kind, schema, deep)).collect::<Vec<_>>().join(" | ")
        }
        Value::String(kind) => of_kind(kind, schema, deep),
        _ => "unknown".to_owned(),
    }
}

/// `schema`, if it is of the JSON type `kind`.
fn of_kind(kind: &str, schema: &Value, deep: usize) -> String {
    match kind {
        "integer" => "number".to_owned(),
        "array" => list(schema, deep),
        "object" => object(schema, deep),
        kind => kind.to_owned(),
    }
}

fn list(schema: &Value, deep: usize) -> String {
    if let Some(items) = schema["prefixItems"].as_array() {
        return format!("[{}]", items.iter().map(|item| ty(item, deep)).collect::<Vec<_>>().join(", "));
    }
    let item = ty(&schema["items"], deep);
    match (schema["minItems"].as_u64(), schema["maxItems"].as_u64()) {
        (Some(least), Some(most)) if least == most => {
            format!("[{}]", vec![item; least as usize].join(", "))
        }
        _ => format!("Array<{item}>"),
    }
}

fn object(schema: &Value, deep: usize) -> String {
    let properties = schema["properties"].as_object().filter(|properties| !properties.is_empty());
    let Some(properties) = properties else {
        return match &schema["additionalProperties"] {
            Value::Bool(false) => "Record<string, never>".to_owned(),
            values => format!("Record<string, {}>", ty(values, deep)),
        };
    };
    let mut out = String::from("{\n");
    for (name, property) in properties {
        out.push_str(&comment(property, deep + 1));
        let required = schema["required"].as_array().is_some_and(|all| all.iter().any(|one| one == name));
        let mark = if required { "" } else { "?" };
        out.push_str(&format!("{}{name}{mark}: {},\n", "  ".repeat(deep + 1), ty(property, deep + 1)));
    }
    out + &"  ".repeat(deep) + "}"
}

/// The description of `schema`, on a line of its own, indented by `deep` steps.
pub(super) fn comment(schema: &Value, deep: usize) -> String {
    let Some(description) = schema["description"].as_str() else { return String::new() };
    format!("{}/** {} */\n", "  ".repeat(deep), description.replace("*/", "*\\/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn schemas_are_written_as_types() {
        let number = json!({ "type": "integer", "minimum": 0 });
        for (schema, expected) in [
            (json!({}), "unknown"),
            (json!({ "type": ["string", "null"] }), "string | null"),
            (json!({ "type": "string", "enum": ["a", "b"] }), "\"a\" | \"b\""),
            (
                json!({ "type": "array", "items": { "$ref": "#/components/schemas/Hit", "description": "It." } }),
                "Array<Hit>",
            ),
            (
                json!({ "anyOf": [{ "type": "array", "prefixItems": [number, { "type": "string" }] }, { "type": "null" }] }),
                "[number, string] | null",
            ),
            (json!({ "type": "array", "items": number, "minItems": 2, "maxItems": 2 }), "[number, number]"),
            (json!({ "type": "object", "additionalProperties": number }), "Record<string, number>"),
            (json!({ "type": "object", "additionalProperties": false }), "Record<string, never>"),
            (
                json!({ "allOf": [
                    { "type": "object", "properties": { "kind": { "const": "at" } }, "required": ["kind"] },
                    { "$ref": "#/components/schemas/Place" },
                ] }),
                "{\n  kind: \"at\",\n} & Place",
            ),
            (
                json!({
                    "type": "object",
                    "properties": {
                        "page": { "type": ["number", "null"], "description": "From 1, in */." },
                        "inner": { "type": "object", "properties": { "label": { "type": ["string", "null"] } } },
                    },
                    "required": ["page"],
                }),
                "{\n  /** From 1, in *\\/. */\n  page: number | null,\n  inner?: {\n    label?: string | null,\n  },\n}",
            ),
        ] {
            assert_eq!(ty(&schema, 0), expected, "{schema}");
        }
    }
}
