//! The description of everything that is served, as OpenAPI 3.1.

mod example;

use crate::contract;
use serde_json::{Map, Value, json};
use sibyl_api::schema::{COMPONENTS, Described, Schemas, schemas};
use sibyl_api::{CommandKind, Method};

/// The description, made from the command list and the documents' endpoints.
pub fn openapi() -> Value {
    described(&schemas())
}

/// The same from schemas that were made before.
pub(crate) fn described(schemas: &Schemas) -> Value {
    let mut paths = Map::new();
    for command in &schemas.commands {
        let Some(route) = command.entry.route else { continue };
        paths.entry(route.path).or_insert_with(|| json!({}))[verb(route.method)] = of_command(command);
    }
    for endpoint in contract::ENDPOINTS {
        paths.entry(endpoint.path).or_insert_with(|| json!({}))[verb(endpoint.method)] =
            of_endpoint(endpoint);
    }
    for (path, method, operation) in own() {
        paths.entry(path).or_insert_with(|| json!({}))[method] = operation;
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Sibyl",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Standards and reports as a searchable library. See docs/endpoints.md.",
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
        },
        "security": [{ "token": [] }],
        "paths": paths,
        "components": {
            "securitySchemes": { "token": { "type": "http", "scheme": "bearer" } },
            "schemas": schemas.types,
            "responses": { "Refusal": {
                "description": "Why there is no answer.",
                "content": { "application/json": { "schema": {
                    "type": "object",
                    "properties": { "error": { "$ref": format!("{COMPONENTS}ApiError") } },
                    "required": ["error"],
                }}},
            }},
        },
    })
}

const fn verb(method: Method) -> &'static str {
    match method {
        Method::Get => "get",
        Method::Post => "post",
        Method::Delete => "delete",
    }
}

/// Statuses that any operation may have besides its own.
fn refusals() -> Map<String, Value> {
    let statuses = ["400", "401", "403", "404", "409", "413", "415", "422", "429", "500", "502", "503"];
    let refusal = json!({ "$ref": "#/components/responses/Refusal" });
    statuses.iter().map(|status| ((*status).to_owned(), refusal.clone())).collect()
}

fn responses(status: &str, description: &str, content: Value) -> Value {
    let mut all = refusals();
    all.insert(status.to_owned(), json!({ "description": description, "content": content }));
    all.sort_keys();
    Value::Object(all)
}

fn of_command(command: &Described) -> Value {
    let entry = command.entry;
    let mut input = command.input.clone();
    let example = example::of(entry.name);
    let path = entry.route.map_or("", |route| route.path);
    let mut parameters = Vec::new();
    let in_path: Vec<String> = names_in(path);
    let posted = entry.route.is_some_and(|route| route.method == Method::Post);
    let required = input["required"].as_array().cloned().unwrap_or_default();
    if let Some(properties) = input.get_mut("properties").and_then(Value::as_object_mut) {
        let names: Vec<String> = properties.keys().cloned().collect();
        for name in names {
            let of_path = in_path.contains(&name);
            if posted && !of_path {
                continue;
            }
            let Some(mut schema) = properties.shift_remove(&name) else { continue };
            if of_path && schema["type"] == "string" {
                schema["minLength"] = 1.into();
            }
            // Parameters in the path are always given.
            if of_path && let Some(schema) = schema.as_object_mut() {
                schema.shift_remove("default");
            }
            if !of_path {
                without_null(&mut schema);
            }
            let needed = of_path || required.contains(&name.as_str().into());
            let mut parameter = json!({
                "name": name, "in": if of_path { "path" } else { "query" }, "required": needed, "schema": schema,
            });
            if let Some(value) = example.as_ref().and_then(|example| example.get(&name)) {
                parameter["example"] = value.clone();
            }
            parameters.push(parameter);
        }
    }
    if let Some(required) = input.get_mut("required").and_then(Value::as_array_mut) {
        required.retain(|name| !in_path.iter().any(|known| name == known));
    }
    let mut content = json!({ "application/json": { "schema": command.output } });
    if entry.kind == CommandKind::Stream {
        content["text/event-stream"] = json!({});
    }
    let mut operation = json!({
        "operationId": entry.name.replace('.', "_"),
        "tags": [entry.name.split('.').next()],
        "summary": entry.summary,
        "description": format!("Scope `{}`.", entry.effect.scope().name()),
        "parameters": parameters,
        "responses": responses("200", "The answer.", content),
    });
    if posted {
        let mut media = json!({ "schema": input });
        if let Some(Value::Object(mut example)) = example {
            example.retain(|name, _| !in_path.contains(name));
            media["example"] = example.into();
        }
        let needed = input_needed(&media["schema"]);
        operation["requestBody"] = json!({ "required": needed, "content": { "application/json": media } });
    }
    operation
}

fn input_needed(schema: &Value) -> bool {
    schema["required"].as_array().is_some_and(|required| !required.is_empty())
}

/// A query leaves a parameter out where a body says `null`.
fn without_null(schema: &mut Value) {
    if let Some(Value::Array(kinds)) = schema.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [kind] = kinds.as_slice() {
            schema["type"] = kind.clone();
        }
    }
    if let Some(Value::Array(kinds)) = schema.get_mut("anyOf") {
        kinds.retain(|kind| kind["type"] != "null");
    }
}

/// The names in braces of a path.
fn names_in(path: &str) -> Vec<String> {
    let parts = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    parts.map(str::to_owned).collect()
}

fn of_endpoint(endpoint: &contract::Endpoint) -> Value {
    let contract::Description { summary, request, parameter, choice, response, example } =
        (endpoint.describe)();
    let parameters = names_in(endpoint.path).into_iter().map(|name| {
        let value = example.as_ref().map(|example| example[name.as_str()].clone()).unwrap_or_default();
        json!({
            "name": name, "in": "path", "required": true, "schema": parameter, "example": value,
        })
    });
    let choice = choice.map(|(name, schema)| json!({ "name": name, "in": "query", "schema": schema }));
    let mut operation = json!({
        "operationId": endpoint.name.replace('.', "_"),
        "tags": ["documents"],
        "summary": summary,
        "parameters": parameters.chain(choice).collect::<Vec<_>>(),
        "responses": responses("200", "The answer.", json!({ "application/json": { "schema": response } })),
    });
    if endpoint.name == "rag.ingest" {
        let told = json!({ "type": "object", "required": ["status"] });
        operation["responses"]["409"] = json!({
            "description": "Everything is already ingested.", "content": { "application/json": { "schema": told } },
        });
    }
    if let Some(schema) = request {
        let needed = input_needed(&schema);
        let media = json!({ "schema": schema, "example": example });
        operation["requestBody"] = json!({ "required": needed, "content": { "application/json": media } });
    }
    operation
}

/// An operation that is no command of the list.
fn operation(id: &str, summary: &str, status: &str, content: Value) -> Value {
    json!({
        "operationId": id, "tags": ["server"], "summary": summary,
        "responses": responses(status, "The answer.", content),
    })
}

/// Operations with a file as the body, to ingest it and to keep it.
fn uploads() -> [Value; 2] {
    let mut upload = operation(
        "upload",
        "Ingests the body. Other parameters are those of `ingest_start`.",
        "202",
        json!({ "application/json": { "schema": { "$ref": format!("{COMPONENTS}JobId") } } }),
    );
    let named = |name: &str, least: u8| {
        let schema = json!({ "type": "string", "minLength": least });
        json!({ "name": name, "in": "query", "required": least > 0, "schema": schema })
    };
    upload["parameters"] = json!([named("name", 1), named("corpus", 0), named("report_id", 0)]);
    let as_it_is = json!({
        "required": true, "content": { "application/octet-stream": { "schema": { "type": "string", "format": "binary" } } },
    });
    upload["requestBody"] = as_it_is.clone();
    let kept = json!({
        "type": "object",
        "properties": { "file": { "type": "string" }, "bytes": { "type": "integer", "minimum": 0, "maximum": i64::MAX } },
        "required": ["file", "bytes"],
    });
    let mut keep = operation(
        "file_keep",
        "Keeps the body for an hour, for calls that name it by `file`; the call that ingests it uses it up.",
        "201",
        json!({ "application/json": { "schema": kept } }),
    );
    keep["requestBody"] = as_it_is;
    [upload, keep]
}

/// What a server reports of itself, and files that come as they are.
fn own() -> Vec<(&'static str, &'static str, Value)> {
    let health = json!({
        "type": "object",
        "properties": {
            "status": { "type": "string", "enum": ["ready", "degraded"] },
            "version": { "type": "string" },
            "cause": { "type": "string" },
        },
        "required": ["status", "version"],
    });
    let mut well = operation(
        "health",
        "Whether the server can answer.",
        "200",
        json!({ "application/json": { "schema": health } }),
    );
    well["responses"]["503"] = well["responses"]["200"].clone();
    well["security"] = json!([]);
    let [upload, keep] = uploads();
    let mut events = operation(
        "job_events",
        "Events of a job until it ends or is paused.",
        "200",
        json!({ "text/event-stream": {} }),
    );
    events["parameters"] = json!([
        { "name": "id", "in": "path", "required": true, "schema": { "type": "integer", "minimum": i64::MIN, "maximum": i64::MAX } },
    ]);
    let session = json!({
        "type": "object",
        "properties": {
            "scope": { "type": "string", "enum": ["read", "write", "spend"] },
            "workspace": { "type": "string" },
            "version": { "type": "string" },
        },
        "required": ["scope", "workspace", "version"],
    });
    let session = operation(
        "session",
        "What the token may do, and in which workspace.",
        "200",
        json!({ "application/json": { "schema": session } }),
    );
    let happens = operation(
        "events",
        "What changes in the library, by cache tags, and the state of jobs.",
        "200",
        json!({ "text/event-stream": {} }),
    );
    let mut cancel = operation(
        "stream_cancel",
        "Stops the work that a stream reports on.",
        "200",
        json!({ "application/json": { "schema": { "type": "object" } } }),
    );
    cancel["parameters"] = json!([
        { "name": "id", "in": "path", "required": true, "schema": { "type": "string", "minLength": 1 } },
    ]);
    let mut description = operation(
        "openapi",
        "This description.",
        "200",
        json!({ "application/json": { "schema": { "type": "object" } } }),
    );
    description["security"] = json!([]);
    vec![
        ("/health", "get", well),
        (
            "/metrics",
            "get",
            operation(
                "metrics",
                "Figures for Prometheus.",
                "200",
                json!({ "text/plain": { "schema": { "type": "string" } } }),
            ),
        ),
        ("/openapi.json", "get", description),
        ("/api/v1/session", "get", session),
        ("/api/v1/events", "get", happens),
        ("/api/v1/streams/{id}", "delete", cancel),
        ("/api/v1/files", "post", keep),
        ("/api/v1/uploads", "post", upload),
        ("/api/v1/jobs/{id}/events", "get", events),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `schema` refers to, or is.
    fn meant<'a>(description: &'a Value, schema: &'a Value) -> &'a Value {
        let named = schema["$ref"].as_str().and_then(|path| path.strip_prefix('#'));
        named.map_or(schema, |path| description.pointer(path).unwrap())
    }

    #[test]
    fn every_remote_command_is_described_at_its_route() {
        let description = openapi();
        for entry in sibyl_api::COMMANDS.iter().filter(|entry| entry.remote) {
            let route = entry.route.unwrap();
            let operation = &description["paths"][route.path][verb(route.method)];
            assert_eq!(operation["operationId"], entry.name.replace('.', "_"), "{}", entry.name);
            assert_eq!(operation["summary"], entry.summary);
            let parameters = operation["parameters"].as_array().unwrap();
            for name in names_in(route.path) {
                let found = parameters.iter().find(|parameter| parameter["name"] == *name);
                assert_eq!(found.map(|found| &found["in"]), Some(&json!("path")), "{name} of {}", entry.name);
            }
            for parameter in parameters {
                let schema = meant(&description, &parameter["schema"]);
                // An optional value is in a list of one.
                let schema = match schema["anyOf"].as_array().map(Vec::as_slice) {
                    Some([one]) => meant(&description, one),
                    _ => schema,
                };
                let item =
                    if schema["type"] == "array" { meant(&description, &schema["items"]) } else { schema };
                let plain =
                    ["string", "number", "integer", "boolean"].iter().any(|kind| item["type"] == *kind);
                assert!(
                    plain,
                    "{} of {} cannot stand in an address: {schema}",
                    parameter["name"], entry.name
                );
            }
        }
        let ids: Vec<&Value> = description["paths"]
            .as_object()
            .unwrap()
            .values()
            .flat_map(|path| path.as_object().unwrap().values().map(|operation| &operation["operationId"]))
            .collect();
        let mut once = ids.clone();
        once.sort_by_key(|id| id.to_string());
        once.dedup();
        assert_eq!(ids.len(), once.len(), "an operation has one name of its own");
    }

    #[test]
    fn examples_are_of_commands_that_are_served() {
        for name in example::names() {
            let entry = sibyl_api::entry(name).unwrap_or_else(|| panic!("{name}"));
            assert!(entry.remote, "{name}");
        }
    }
}
