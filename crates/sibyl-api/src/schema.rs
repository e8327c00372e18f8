//! What commands take and give as JSON Schema (draft 2020-12), read from the declarations that TypeScript gets: one
//! description of a type serves the interface, the REST door and agents.

mod bounds;
mod declaration;
mod reader;

use crate::command::Entry;
use crate::list::COMMANDS;
use crate::wire::Types;
use declaration::{Declared, ty};
use reader::Reader;
use serde_json::{Map, Value};

/// Where schemas of named types are referred to.
pub const COMPONENTS: &str = "#/components/schemas/";

/// A command with what it takes and gives.
pub struct Described {
    /// Its row in the list.
    pub entry: &'static Entry,
    /// Schema of its input: an object whose fields may be left out where serde has a default.
    pub input: Value,
    /// Schema of its answer.
    pub output: Value,
}

/// Every remote command, and the types that they speak of.
pub struct Schemas {
    /// Schemas of named types, by name.
    pub types: Map<String, Value>,
    /// The commands, in the order of the list.
    pub commands: Vec<Described>,
}

/// The schemas of every command that a remote door may call.
///
/// # Panics
/// Where a declaration is written in a way that [`declaration`] does not read.
pub fn schemas() -> Schemas {
    let mut wire = Types::new();
    wire.name::<crate::ApiError>();
    wire.name::<crate::JobEvent>();
    wire.name::<crate::Progress>();
    // Agents get it by itself; `answer.ask` has it among its own fields.
    wire.name::<crate::Reply>();
    let remote = COMMANDS.iter().filter(|entry| entry.remote);
    let rows: Vec<_> = remote.map(|entry| (entry, (entry.describe)(&mut wire))).collect();
    let declared: Vec<Declared> = wire.declarations().map(declaration::declaration).collect();
    // A type with parameters has no schema of its own; no remote command speaks of one.
    let named = declared.into_iter().filter(|declared| !declared.generic);
    let types: Map<String, Value> = named.map(|declared| (declared.name, declared.schema)).collect();
    let mut reader = Reader::new(types);
    let commands = rows
        .into_iter()
        .map(|(entry, (input, output))| {
            let input = reader.input(entry, ty(&input));
            Described { entry, input, output: ty(&output) }
        })
        .collect();
    Schemas { types: reader.into_types(), commands }
}

/// What a schema that refers to a named type stands for.
pub fn resolved<'a>(schema: &'a Value, types: &'a Map<String, Value>) -> Option<&'a Value> {
    let name = schema["$ref"].as_str()?.strip_prefix(COMPONENTS)?;
    types.get(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn input<'a>(schemas: &'a Schemas, name: &str) -> &'a Value {
        &schemas.commands.iter().find(|command| command.entry.name == name).unwrap().input
    }

    #[test]
    fn an_input_tells_what_serde_reads() {
        let schemas = schemas();
        let search = input(&schemas, "search");
        assert_eq!(search["additionalProperties"], false);
        assert_eq!(search["properties"]["top_k"]["type"], "integer");
        assert_eq!(search["properties"]["top_k"]["minimum"], 1);
        assert_eq!(search["properties"]["semantic_share"]["type"], "number");
        assert_eq!(search["properties"]["min_relevance"]["type"], json!(["number", "null"]));
        assert_eq!(search["required"], json!(["query"]));
        let layout = &schemas.types["Filters"];
        assert_eq!((&layout["required"], &layout["additionalProperties"]), (&json!([]), &json!(false)));
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
        let schemas = schemas();
        for command in &schemas.commands {
            check(&command.input, &schemas.types);
            check(&command.output, &schemas.types);
        }
        schemas.types.values().for_each(|schema| check(schema, &schemas.types));
    }

    /// Names that inputs give to what lies on a disk; `Filters.paths` are prefixes below an import root.
    fn names_disk(schema: &Value, types: &Map<String, Value>, seen: &mut Vec<String>) -> bool {
        match schema {
            Value::Object(fields) => fields.iter().any(|(name, field)| {
                if name == "$ref" {
                    let name = field.as_str().unwrap().trim_start_matches(COMPONENTS).to_owned();
                    if name == "Filters" || seen.contains(&name) {
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
        let schemas = schemas();
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
