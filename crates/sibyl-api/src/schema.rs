//! Inputs and answers of commands as JSON Schema (draft 2020-12).

mod bounds;
mod strict;

use crate::command::Entry;
use crate::list::COMMANDS;
pub use crate::wire::{COMPONENTS, Types};
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
pub use strict::{strict_read, strict_written};

/// A command with its input and answer.
pub struct Described {
    /// Its row in the list.
    pub entry: &'static Entry,
    /// Schema of its input: an object whose fields may be left out where serde has a default.
    pub input: Value,
    /// Schema of its answer.
    pub output: Value,
}

/// Every remote command, and the types that they use.
pub struct Schemas {
    /// Schemas of named types, by name.
    pub types: Map<String, Value>,
    /// The commands, in the order of the list.
    pub commands: Vec<Described>,
    /// What a door answers besides, in the order in which it names them.
    pub beside: Vec<Beside>,
}

/// What a door answers besides commands.
pub struct Beside {
    /// Schema of its input, as that of a command.
    pub input: Value,
    /// Schemas of its answers.
    pub outputs: Vec<Value>,
}

/// Commands, and the types that they use as they are read and as they are written.
pub(crate) struct Listed {
    /// Named types as they are read.
    pub read: Map<String, Value>,
    /// Named types as they are written.
    pub written: Map<String, Value>,
    /// The commands; an input that is a named type refers to it.
    pub commands: Vec<Described>,
    /// What a door answers besides.
    pub beside: Vec<Beside>,
    /// Schemas of what is sent besides answers: errors, events, and what agents get.
    pub told: Vec<Value>,
}

/// Those of the list's commands that `are_wanted`, and what a door answers `beside` them.
///
/// # Panics
/// If two types have one name.
pub(crate) fn listed(are_wanted: impl Fn(&Entry) -> bool, beside: &[fn(&mut Types) -> Beside]) -> Listed {
    let mut wire = Types::new();
    let told = vec![
        wire.written::<crate::ApiError>(),
        wire.written::<crate::JobEvent>(),
        wire.written::<crate::Progress>(),
        // Agents get it alone; `answer.ask` has it among its own fields.
        wire.written::<crate::Reply>(),
    ];
    let wanted = COMMANDS.iter().filter(|entry| are_wanted(entry));
    let commands = wanted
        .map(|entry| {
            let (input, output) = (entry.describe)(&mut wire);
            Described { entry, input, output }
        })
        .collect();
    let beside = beside.iter().map(|describe| describe(&mut wire)).collect();
    let [mut read, written] = wire.into_named();
    read.iter_mut().for_each(|(name, schema)| bounds::bounded(name, schema));
    Listed { read, written, commands, beside, told }
}

/// The names that the values of an enum `T` have on the wire, in order, each with what it means.
pub fn names<T: JsonSchema>() -> Vec<(String, String)> {
    let mut schema = SchemaGenerator::default().into_root_schema_for::<T>().to_value();
    let kinds = match schema["oneOf"].take() {
        Value::Array(kinds) => kinds,
        // Its description is that of the whole type.
        _ => vec![json!({ "enum": schema["enum"] })],
    };
    let named = |kind: &Value| {
        let means = kind["description"].as_str().unwrap_or_default();
        let means = means.split_whitespace().collect::<Vec<_>>().join(" ");
        let names = kind["enum"].as_array().into_iter().flatten().chain([&kind["const"]]);
        let names = names.filter_map(Value::as_str).map(str::to_owned);
        names.map(|name| (name, means.trim_end_matches('.').to_owned())).collect::<Vec<_>>()
    };
    kinds.iter().flat_map(named).collect()
}

/// Ending of a type's name as callers send it, if answers have the type in another form.
const READ: &str = "Sent";

/// The schemas of every command that a remote door may call, and of what that door answers `beside` them.
///
/// # Panics
/// If two types have one name.
pub fn schemas(beside: &[fn(&mut Types) -> Beside]) -> Schemas {
    let Listed { mut read, written: mut types, mut commands, mut beside, told } =
        listed(|entry| entry.remote, beside);
    let (mut asked, mut answered) = (BTreeSet::new(), BTreeSet::new());
    let inputs = commands.iter().map(|command| &command.input).chain(beside.iter().map(|one| &one.input));
    inputs.for_each(|input| reach(input, &read, &mut asked));
    let told = commands.iter().map(|command| &command.output).chain(&told);
    told.chain(beside.iter().flat_map(|one| &one.outputs))
        .for_each(|schema| reach(schema, &types, &mut answered));
    let apart = apart(&read, &types, &asked, &answered);
    for name in asked {
        let mut schema = read.get_mut(&name).map(Value::take).unwrap_or_default();
        refer_to_read(&mut schema, &apart);
        if apart.contains(&name) {
            let other = types.insert(format!("{name}{READ}"), schema);
            assert!(other.is_none(), "two types are called {name}{READ} on the wire; rename one");
        } else {
            types.insert(name, schema);
        }
    }
    types.sort_keys();
    let inputs = commands.iter_mut().map(|command| &mut command.input);
    for input in inputs.chain(beside.iter_mut().map(|one| &mut one.input)) {
        refer_to_read(input, &apart);
        if let Some(found) = resolved(input, &types) {
            *input = found.clone();
        }
    }
    let completed = commands.iter_mut().filter(|command| command.entry.completed);
    completed.for_each(|command| without_defaults(&mut command.input));
    Schemas { types, commands, beside }
}

/// Types in both `asked` and `answered` that are read in a different form from the one written, or contain such
/// types.
fn apart(
    read: &Map<String, Value>,
    written: &Map<String, Value>,
    asked: &BTreeSet<String>,
    answered: &BTreeSet<String>,
) -> BTreeSet<String> {
    let differs = |name: &String| answered.contains(name) && read.get(name) != written.get(name);
    let consists_of_such = |name: &&String| {
        let mut parts = BTreeSet::from([(*name).clone()]);
        read.get(*name).into_iter().for_each(|schema| reach(schema, read, &mut parts));
        parts.iter().any(differs)
    };
    asked.intersection(answered).filter(consists_of_such).cloned().collect()
}

/// In `schema`, refers to the types in `apart` in the form in which they are read.
fn refer_to_read(schema: &mut Value, apart: &BTreeSet<String>) {
    if let Some(name) = name_of(schema)
        && apart.contains(name)
    {
        schema["$ref"] = format!("{COMPONENTS}{name}{READ}").into();
    }
    match schema {
        Value::Object(fields) => fields.values_mut().for_each(|field| refer_to_read(field, apart)),
        Value::Array(values) => values.iter_mut().for_each(|value| refer_to_read(value, apart)),
        _ => {}
    }
}

/// Adds the names of the types in `schema` to `found`.
pub(crate) fn reach(schema: &Value, types: &Map<String, Value>, found: &mut BTreeSet<String>) {
    if let Some(name) = name_of(schema)
        && found.insert(name.to_owned())
        && let Some(named) = types.get(name)
    {
        reach(named, types, found);
    }
    match schema {
        Value::Object(fields) => fields.values().for_each(|field| reach(field, types, found)),
        Value::Array(values) => values.iter().for_each(|value| reach(value, types, found)),
        _ => {}
    }
}

/// Removes the defaults of fields from `input`: the library has others.
fn without_defaults(input: &mut Value) {
    let fields = input["properties"].as_object_mut().into_iter().flat_map(Map::values_mut);
    fields.filter_map(Value::as_object_mut).for_each(|field| {
        field.shift_remove("default");
    });
}

/// The name of the type that `schema` refers to.
pub(crate) fn name_of(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()?.strip_prefix(COMPONENTS)
}

/// The schema itself, in place of a reference to a named type.
pub fn resolved<'a>(schema: &'a Value, types: &'a Map<String, Value>) -> Option<&'a Value> {
    types.get(name_of(schema)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input<'a>(schemas: &'a Schemas, name: &str) -> &'a Value {
        &schemas.commands.iter().find(|command| command.entry.name == name).unwrap().input
    }

    #[test]
    fn an_input_tells_what_serde_reads() {
        let schemas = schemas(&[]);
        let search = input(&schemas, "search");
        assert_eq!(search["additionalProperties"], false);
        assert_eq!(search["properties"]["top_k"]["type"], "integer");
        assert_eq!(search["properties"]["top_k"]["minimum"], 1);
        assert_eq!(search["properties"]["semantic_share"]["type"], "number");
        assert_eq!(search["properties"]["min_relevance"]["type"], json!(["number", "null"]));
        assert_eq!(search["required"], json!(["query"]));
        let layout = &schemas.types["FiltersSent"];
        assert_eq!((&layout["required"], &layout["additionalProperties"]), (&json!([]), &json!(false)));
        let answered = schemas.types["Filters"]["required"].as_array().unwrap();
        assert!(answered.contains(&json!("corpora")), "what an answer tells is there");
        let chunks = input(&schemas, "chunk.list");
        assert_eq!(chunks["required"], json!(["document"]));
        assert_eq!(chunks["properties"]["document"]["type"], "integer");
        assert_eq!(chunks["properties"]["document"]["description"], "Row id of the document.");
    }

    #[test]
    fn every_reference_leads_somewhere() {
        fn check(value: &Value, types: &Map<String, Value>) {
            match value {
                Value::Object(fields) => {
                    if fields.get("$ref").is_some_and(Value::is_string) {
                        assert!(resolved(value, types).is_some(), "{value}");
                    }
                    fields.values().for_each(|field| check(field, types));
                }
                Value::Array(values) => values.iter().for_each(|value| check(value, types)),
                _ => {}
            }
        }
        let schemas = schemas(&[]);
        for command in &schemas.commands {
            check(&command.input, &schemas.types);
            check(&command.output, &schemas.types);
        }
        schemas.types.values().for_each(|schema| check(schema, &schemas.types));
    }

    /// Input fields that name a place on a disk; `Filters.paths` are prefixes below an import root.
    fn names_disk(schema: &Value, types: &Map<String, Value>, seen: &mut Vec<String>) -> bool {
        match schema {
            Value::Object(fields) => fields.iter().any(|(name, field)| {
                if name == "$ref" {
                    let name = field.as_str().unwrap().trim_start_matches(COMPONENTS).to_owned();
                    if name == "FiltersSent" || seen.contains(&name) {
                        return false;
                    }
                    seen.push(name.clone());
                    return names_disk(&types[&name], types, seen);
                }
                ["path", "paths", "folder", "file_path"].contains(&name.as_str())
                    || names_disk(field, types, seen)
            }),
            Value::Array(values) => values.iter().any(|value| names_disk(value, types, seen)),
            _ => false,
        }
    }

    /// Inputs with a place on the disk, for each remote command that could be given one.
    fn with_a_place(name: &str) -> Option<Value> {
        let path = json!({ "kind": "path", "path": "/etc/passwd" });
        Some(match name {
            "ingest.start" | "ingest.preflight" => json!({ "sources": [path] }),
            "chunk.preview" | "chunk.difference" => json!({ "source": path }),
            "document.page_layout" => json!({ "source": path, "page": 1 }),
            "gold.import" => json!({ "path": "/etc/passwd" }),
            "gold.export" => json!({ "set": "any", "folder": "/tmp" }),
            "eval.run_import" => json!({ "path": "/etc/passwd", "set": "any" }),
            // The path of a pinned or judged passage is that of its document below the import root.
            "review.put" | "assess.decide" | "answer.ask" | "gold.judge" | "gold.decide" | "gold.suggest" => {
                return None;
            }
            _ => panic!("`{name}` takes a path: say what refuses one that lies on the server's disk"),
        })
    }

    #[tokio::test]
    async fn no_command_takes_a_place_on_the_disk_from_another_machine() {
        use crate::{Call, Door, Scope};
        let folder = tempfile::tempdir().unwrap();
        let library = crate::Library::open(sibyl_engine::OpenOptions::new(folder.path())).await.unwrap();
        let schemas = schemas(&[]);
        let mut refused = Vec::new();
        for command in &schemas.commands {
            let name = command.entry.name;
            if !names_disk(&command.input, &schemas.types, &mut Vec::new()) {
                continue;
            }
            let Some(input) = with_a_place(name) else { continue };
            let door = Door::Remote { most: Scope::Spend };
            let call = Call { door, ..Call::new(library.clone(), crate::DEFAULT_WORKSPACE) };
            let error = crate::dispatch(name, call, input).await.unwrap_err();
            assert_eq!(error.code, "forbidden", "{name}: {error}");
            refused.push(name);
        }
        assert_eq!(
            refused,
            [
                "ingest.preflight",
                "ingest.start",
                "document.page_layout",
                "chunk.preview",
                "chunk.difference",
                "gold.import",
                "gold.export",
                "eval.run_import",
            ]
        );
    }

    #[test]
    fn what_belongs_to_the_owner_of_the_machine_is_not_remote() {
        for entry in COMMANDS {
            let own = [
                "secret.",
                "workspace.create",
                "workspace.delete",
                "eval.gold",
                "eval.beir",
                "eval.answers",
                "log.",
                "settings.set",
                "sample.",
            ];
            let own = own.iter().any(|name| entry.name.starts_with(name))
                || ["library.move", "library.back_up", "library.diagnostics", "library.storage", "app.info"]
                    .contains(&entry.name)
                || ["ingest.unlock", "ingest.glance", "corpus.update"].contains(&entry.name);
            assert!(!(own && entry.remote), "{}", entry.name);
        }
    }
}
