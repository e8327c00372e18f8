//! Schemas for strict readers: they take no reference to a named type, no list of types and no `null` among the values of a
//! field.

use super::{bounds, resolved};
use crate::wire::Types;
use schemars::JsonSchema;
use serde_json::{Map, Value};

/// The largest whole number that every reader of JSON keeps (2^53).
const LARGEST: f64 = 9_007_199_254_740_992.0;

/// `T` as it is read.
///
/// # Panics
/// Where two types that it consists of have one name.
pub fn strict_read<T: JsonSchema>() -> Value {
    let mut wire = Types::new();
    let schema = wire.read::<T>();
    let [mut types, _] = wire.into_named();
    types.iter_mut().for_each(|(name, schema)| bounds::bounded(name, schema));
    strict(&schema, &types)
}

/// `T` as it is written, without the fields that are null.
///
/// # Panics
/// Where two types that it consists of have one name.
pub fn strict_written<T: JsonSchema>() -> Value {
    let mut wire = Types::new();
    let schema = wire.written::<T>();
    let [_, types] = wire.into_named();
    strict(&schema, &types)
}

/// `schema` with named types in their place, and with what may be null left out instead.
fn strict(schema: &Value, types: &Map<String, Value>) -> Value {
    let (found, _) = without_null(schema, types);
    let mut out = found.clone();
    for beside in ["description", "default"] {
        if let Some(told) = schema.get(beside) {
            out[beside] = told.clone();
        }
    }
    if let Some(Value::Array(kinds)) = found.get("type") {
        out["type"] = kinds.iter().find(|kind| *kind != "null").cloned().unwrap_or_default();
    }
    if let Some(Value::Array(values)) = out.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if let Some(fields) = out.as_object_mut() {
        for end in ["minimum", "maximum"] {
            if fields.get(end).and_then(Value::as_f64).is_some_and(|limit| limit.abs() > LARGEST) {
                fields.shift_remove(end);
            }
        }
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
    if let Some(found) = resolved(schema, types) {
        return without_null(found, types);
    }
    let null = |kind: &Value| kind == "null" || kind["type"] == "null";
    if let Some(Value::Array(kinds)) = schema.get("anyOf") {
        let some = kinds.iter().find(|kind| !null(kind)).unwrap_or(schema);
        return (without_null(some, types).0, kinds.iter().any(null));
    }
    (schema, schema["type"].as_array().is_some_and(|kinds| kinds.iter().any(null)))
}
