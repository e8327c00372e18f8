//! What reads an input decides what its schema says: whether a number is whole and how large it may be, whether a field may
//! be left out, whether there may be others. Each place of a schema is tried with values in an input that is otherwise good.

use super::bounds::{bounded, is_needed};
use super::resolved;
use crate::command::Entry;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// Completes schemas by trying values.
pub(super) struct Reader {
    types: Map<String, Value>,
    /// Named types that are complete.
    seen: BTreeSet<String>,
}

/// Puts a value at one place of an input that is otherwise good, and says whether the whole can be read.
type Try<'a> = dyn Fn(Value) -> bool + 'a;

impl Reader {
    pub(super) fn new(mut types: Map<String, Value>) -> Self {
        types.iter_mut().for_each(|(name, schema)| bounded(name, schema));
        Self { types, seen: BTreeSet::new() }
    }

    pub(super) fn into_types(self) -> Map<String, Value> {
        self.types
    }

    /// The schema of the input of `entry`, which is declared as `declared`.
    pub(super) fn input(&mut self, entry: &Entry, mut declared: Value) -> Value {
        declared["optional"].take();
        let name = named(&declared).unwrap_or_default();
        let mut schema = resolved(&declared, &self.types).cloned().unwrap_or(declared);
        if let Some(object) = schema.as_object_mut() {
            object.remove("optional");
        }
        self.complete(&mut schema, &name, &|value| (entry.reads)(value));
        schema
    }

    /// Completes `schema`, which is that of the type called `name`, or of none.
    fn complete(&mut self, schema: &mut Value, name: &str, reads: &Try<'_>) {
        if let Some(name) = named(schema) {
            if self.seen.insert(name.clone())
                && let Some(mut found) = self.types.get(&name).cloned()
            {
                self.complete(&mut found, &name, reads);
                self.types.insert(name, found);
            }
            return;
        }
        if schema["properties"].is_object() {
            self.complete_object(schema, name, reads);
        }
        if let Some(Value::Array(parts)) = schema.get("allOf").cloned() {
            let samples: Vec<Value> = parts.iter().map(|part| sample(part, &self.types)).collect();
            for (at, part) in parts.into_iter().enumerate() {
                let others = samples.iter().enumerate().filter(|(other, _)| *other != at);
                let others = others.filter_map(|(_, sample)| sample.as_object()).flatten();
                let around: Map<String, Value> = others.map(|(k, v)| (k.clone(), v.clone())).collect();
                let with = |mut value: Value| {
                    if let Some(fields) = value.as_object_mut() {
                        fields.extend(around.clone());
                    }
                    reads(value)
                };
                self.complete_part(schema, at, part, &with);
            }
        }
        if let Some(Value::Array(kinds)) = schema.get("anyOf").cloned() {
            for (at, mut kind) in kinds.into_iter().enumerate() {
                self.complete(&mut kind, "", reads);
                schema["anyOf"][at] = kind;
            }
        }
        if let Some(Value::Array(items)) = schema.get("prefixItems").cloned() {
            let all: Vec<Value> = items.iter().map(|item| sample(item, &self.types)).collect();
            for (at, mut item) in items.into_iter().enumerate() {
                let with = |value: Value| {
                    let mut all = all.clone();
                    all[at] = value;
                    reads(all.into())
                };
                self.complete(&mut item, "", &with);
                schema["prefixItems"][at] = item;
            }
        }
        if let Some(mut items) = schema.get("items").cloned() {
            self.complete(&mut items, "", &|value| reads(json!([value])));
            schema["items"] = items;
        }
        if let Some(mut values) = schema.get("additionalProperties").filter(|of| of.is_object()).cloned() {
            self.complete(&mut values, "", &|value| reads(json!({ "a": value })));
            schema["additionalProperties"] = values;
        }
        complete_number(schema, reads);
    }

    /// The part `at` of an intersection. Whether it may have other fields is not its own to say.
    fn complete_part(&mut self, schema: &mut Value, at: usize, mut part: Value, reads: &Try<'_>) {
        let name = named(&part).unwrap_or_default();
        if !name.is_empty() {
            part = resolved(&part, &self.types).cloned().unwrap_or(part);
        }
        self.complete(&mut part, &name, reads);
        if let Some(object) = part.as_object_mut()
            && object.get("additionalProperties") == Some(&Value::Bool(false))
        {
            object.remove("additionalProperties");
        }
        schema["allOf"][at] = part;
    }

    fn complete_object(&mut self, schema: &mut Value, name: &str, reads: &Try<'_>) {
        let Value::Object(base) = sample(schema, &self.types) else { return };
        let with = |name: &str, value: Value| {
            let mut input = base.clone();
            input.insert(name.to_owned(), value);
            reads(input.into())
        };
        if let Some(Value::Array(required)) = schema.get_mut("required") {
            required.retain(|field| {
                let field = field.as_str().unwrap_or_default();
                let mut input = base.clone();
                input.shift_remove(field);
                is_needed(name, field) || !reads(input.into())
            });
        }
        if !with("no such field", Value::Null) {
            schema["additionalProperties"] = false.into();
        }
        let properties = schema["properties"].as_object().cloned().unwrap_or_default();
        for (name, mut property) in properties {
            self.complete(&mut property, "", &|value| with(&name, value));
            schema["properties"][&name] = property;
        }
    }
}

/// The named type that `schema` refers to.
fn named(schema: &Value) -> Option<String> {
    schema["$ref"].as_str()?.strip_prefix(super::COMPONENTS).map(str::to_owned)
}

/// Says of a number whether it is whole, and which there are.
fn complete_number(schema: &mut Value, reads: &Try<'_>) {
    let number = |kind: &Value| kind == "number";
    let is_number =
        number(&schema["type"]) || schema["type"].as_array().is_some_and(|kinds| kinds.iter().any(number));
    if !is_number || reads(json!(1.5)) {
        return;
    }
    match &mut schema["type"] {
        Value::Array(kinds) => {
            kinds.iter_mut().filter(|kind| number(kind)).for_each(|k| *k = "integer".into())
        }
        kind => *kind = "integer".into(),
    }
    let leasts = [json!(i64::MIN), json!(i32::MIN), json!(i16::MIN), json!(i8::MIN), json!(0)];
    let mosts = [
        json!(u64::MAX),
        json!(i64::MAX),
        json!(u32::MAX),
        json!(i32::MAX),
        json!(u16::MAX),
        json!(i16::MAX),
        json!(u8::MAX),
        json!(i8::MAX),
    ];
    let first = |all: &[Value]| all.iter().find(|one| reads((*one).clone())).cloned().unwrap_or_default();
    let Some(fields) = schema.as_object_mut() else { return };
    // What is said of it already is narrower than its type.
    fields.entry("minimum").or_insert_with(|| first(&leasts));
    fields.entry("maximum").or_insert_with(|| first(&mosts));
}

/// A value that fits `schema`, with its required fields alone.
pub(super) fn sample(schema: &Value, types: &Map<String, Value>) -> Value {
    if let Some(found) = resolved(schema, types) {
        return sample(found, types);
    }
    if let Some(first) = schema["enum"].get(0) {
        return first.clone();
    }
    if let Some(constant) = schema.get("const") {
        return constant.clone();
    }
    if let Some(Value::Array(kinds)) = schema.get("anyOf") {
        return kinds.first().map(|kind| sample(kind, types)).unwrap_or_default();
    }
    if let Some(Value::Array(parts)) = schema.get("allOf") {
        let parts = parts.iter().map(|part| sample(part, types));
        let fields =
            parts.filter_map(|part| if let Value::Object(fields) = part { Some(fields) } else { None });
        return fields.flatten().collect::<Map<_, _>>().into();
    }
    if let Some(Value::Array(items)) = schema.get("prefixItems") {
        return items.iter().map(|item| sample(item, types)).collect();
    }
    match schema["type"].as_str() {
        Some("number" | "integer") => json!(1),
        Some("string") => json!("a"),
        Some("boolean") => json!(false),
        Some("array") => json!([]),
        Some("object") => {
            let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let field = |name: &str| (name.to_owned(), sample(&schema["properties"][name], types));
            Value::Object(required.map(field).collect())
        }
        _ => Value::Null,
    }
}
