//! The description of everything that is served, as OpenAPI 3.1.

mod example;

use crate::contract::{self, Endpoint};
use crate::health::Health;
use crate::upload::KeptFile;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};
use sibyl_api::schema::{Beside, COMPONENTS, Described, Schemas, strict_written};
use sibyl_api::{CommandKind, Method, Route, Scope};

/// What a token may do, and where.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Session {
    pub scope: Scope,
    pub workspace: String,
    pub version: &'static str,
}

/// Schemas of everything that is served: the commands, and the documents' endpoints in their order.
pub(crate) fn schemas() -> Schemas {
    sibyl_api::schema::schemas(&contract::ENDPOINTS.each_ref().map(|endpoint| endpoint.describe))
}

/// The description, made from the command list and the documents' endpoints.
pub fn openapi() -> Value {
    described(&schemas())
}

/// The same from schemas that were made before.
pub(crate) fn described(schemas: &Schemas) -> Value {
    let mut paths = Map::new();
    let examples = example::all();
    for command in &schemas.commands {
        let Some(route) = command.entry.route else { continue };
        let example = examples.iter().find(|(name, _)| *name == command.entry.name);
        let example = example.map(|(_, example)| example.clone());
        paths.entry(route.path).or_insert_with(|| json!({}))[verb(route.method)] =
            of_command(command, route, example);
    }
    for (endpoint, beside) in contract::ENDPOINTS.iter().zip(&schemas.beside) {
        let Route { method, path } = endpoint.route;
        paths.entry(path).or_insert_with(|| json!({}))[verb(method)] = of_endpoint(endpoint, beside);
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

fn of_command(command: &Described, route: Route, example: Option<Value>) -> Value {
    let entry = command.entry;
    let mut operation = asked(route, command.input.clone(), example);
    let mut content = json!({ "application/json": { "schema": command.output } });
    if entry.kind == CommandKind::Stream {
        content["text/event-stream"] = json!({});
    }
    operation["operationId"] = entry.name.replace('.', "_").into();
    operation["tags"] = json!([entry.name.split('.').next()]);
    operation["summary"] = entry.summary.into();
    operation["description"] = format!("Scope `{}`.", entry.effect.scope().name()).into();
    operation["responses"] = responses("200", "The answer.", content);
    operation
}

/// An operation with its parameters and its body: the fields of `input`, with the values of `example`.
fn asked(Route { method, path }: Route, mut input: Value, example: Option<Value>) -> Value {
    let mut parameters = Vec::new();
    let in_path: Vec<String> = names_in(path);
    let posted = method == Method::Post;
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
    let mut operation = json!({ "parameters": parameters });
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

fn of_endpoint(endpoint: &Endpoint, beside: &Beside) -> Value {
    let mut operation = asked(endpoint.route, beside.input.clone(), (endpoint.example)());
    operation["operationId"] = endpoint.name.replace('.', "_").into();
    operation["tags"] = json!(["documents"]);
    operation["summary"] = endpoint.summary.into();
    let mut all = refusals();
    let statuses = [("200", "The answer."), ("409", "It was done before.")];
    for ((status, description), schema) in statuses.into_iter().zip(&beside.outputs) {
        let content = json!({ "application/json": { "schema": schema } });
        all.insert(status.to_owned(), json!({ "description": description, "content": content }));
    }
    all.sort_keys();
    operation["responses"] = all.into();
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
    let mut keep = operation(
        "file_keep",
        "Keeps the body for an hour, for calls that name it by `file`; the call that ingests it uses it up.",
        "201",
        json!({ "application/json": { "schema": strict_written::<KeptFile>() } }),
    );
    keep["requestBody"] = as_it_is;
    [upload, keep]
}

/// What a server reports of itself, and files that come as they are.
fn own() -> Vec<(&'static str, &'static str, Value)> {
    let mut well = operation(
        "health",
        "Whether the server can answer.",
        "200",
        json!({ "application/json": { "schema": strict_written::<Health>() } }),
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
    let session = operation(
        "session",
        "What the token may do, and in which workspace.",
        "200",
        json!({ "application/json": { "schema": strict_written::<Session>() } }),
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
        for (name, _) in example::all() {
            let entry = sibyl_api::entry(name).unwrap_or_else(|| panic!("{name}"));
            assert!(entry.remote, "{name}");
        }
    }
}
