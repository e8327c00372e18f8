//! Answers checked against the schemas in the description.

use jsonschema::Validator;
use parking_lot::Mutex;
use serde_json::{Map, Value, json};
use sibyl_api::schema::{COMPONENTS, Schemas, schemas};
use sibyl_api::{ApiError, CommandKind};
use sibyl_tests::library::Opened;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

/// Rows of chunks have their pieces, in bytes of the document's text, which the description does not mention.
const SAYS_MORE: &str = "ChunkRow";

static SCHEMAS: LazyLock<Schemas> = LazyLock::new(|| schemas(&[]));
static VALIDATORS: Mutex<BTreeMap<&str, Arc<Validator>>> = Mutex::new(BTreeMap::new());

/// Calls `command` in `workspace`, and checks its answer against its schema.
pub fn answered(library: &Opened, workspace: &str, command: &str, input: &Value) -> Result<Value, ApiError> {
    let answer = library.call(workspace, command, input.clone())?;
    let faults = faults(command, &answer);
    assert!(
        faults.is_empty(),
        "`{command}` with {input} is not answered as described: {}",
        faults.join("; ")
    );
    Ok(answer)
}

/// Runs the queries among `calls` in `workspace`: most are answered, and all answers are as described.
pub fn most_are_answered<'a>(
    library: &Opened,
    workspace: &str,
    calls: impl Iterator<Item = (&'a str, &'a Value)>,
) {
    let asks = |name: &str| sibyl_api::entry(name).is_some_and(|entry| entry.kind == CommandKind::Query);
    let asked = calls.filter(|(name, _)| asks(name));
    let told: Vec<bool> =
        asked.map(|(name, input)| answered(library, workspace, name, input).is_ok()).collect();
    let count = told.iter().filter(|told| **told).count();
    assert!(count * 2 > told.len(), "only {count} of {} queries are answered", told.len());
}

/// Where `answer` departs from the schema of `command`, including every field that the schema does not name. Empty
/// for commands that no remote door may call, which have no schema.
pub fn faults(command: &str, answer: &Value) -> Vec<String> {
    let Some(described) = SCHEMAS.commands.iter().find(|described| described.entry.name == command) else {
        return Vec::new();
    };
    let validator = {
        let mut known = VALIDATORS.lock();
        let made = || Arc::new(validator(&described.output, &SCHEMAS.types));
        known.entry(described.entry.name).or_insert_with(made).clone()
    };
    departures(&validator, answer)
}

/// Where `answer` departs from what `validator` checks.
pub fn departures(validator: &Validator, answer: &Value) -> Vec<String> {
    validator.iter_errors(answer).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

/// What checks an answer with the schema `output`, which refers to `types`.
pub fn validator(output: &Value, types: &Map<String, Value>) -> Validator {
    let (mut output, mut types) = (output.clone(), types.clone());
    let mut parts = BTreeSet::new();
    types.values().for_each(|schema| note_parts(schema, &mut parts));
    for (name, schema) in &mut types {
        if name != SAYS_MORE && !parts.contains(name) {
            close(schema);
        }
    }
    close(&mut output);
    output["components"] = json!({ "schemas": types });
    jsonschema::validator_for(&output).unwrap()
}

/// Adds the names of types that are a part of another to `parts`.
fn note_parts(schema: &Value, parts: &mut BTreeSet<String>) {
    let refers = |part: &Value| part["$ref"].as_str()?.strip_prefix(COMPONENTS).map(str::to_owned);
    parts.extend(schema["allOf"].as_array().into_iter().flatten().filter_map(refers));
    match schema {
        Value::Object(fields) => fields.values().for_each(|field| note_parts(field, parts)),
        Value::Array(values) => values.iter().for_each(|value| note_parts(value, parts)),
        _ => {}
    }
}

/// Lets the objects that `schema` describes have no other fields than those it names.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            if fields.get("properties").is_some_and(Value::is_object) && fields.contains_key("required") {
                fields.entry("additionalProperties").or_insert(false.into());
            }
            if fields.contains_key("allOf") {
                fields.insert("unevaluatedProperties".to_owned(), false.into());
                return;
            }
            fields.values_mut().for_each(close);
        }
        Value::Array(values) => values.iter_mut().for_each(close),
        _ => {}
    }
}
