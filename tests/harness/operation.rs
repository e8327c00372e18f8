//! The operations in a server's description, and requests made up from them.

use crate::schema::Maker;
use crate::server::{Answer, Server};
use serde_json::{Map, Value};

/// What a server can be asked.
pub struct Operation {
    /// `GET`, `POST` or `DELETE`.
    pub method: String,
    /// Path with `{name}` for parameters.
    pub path: String,
    /// Its name, such as `search`.
    pub id: String,
    /// The command of the list that it is, such as `answer.ask`.
    pub command: Option<&'static str>,
    /// Schema of its whole input as one object: parameters and fields of the body.
    pub input: Value,
    /// Schema of its answer.
    pub output: Value,
    /// Names of the parameters in the path, and in the query.
    in_path: Vec<String>,
    in_query: Vec<String>,
    /// Whether a body is sent.
    posts: bool,
}

/// The description of `server`: its operations that take and give JSON, and the named types.
pub fn operations(server: &Server) -> (Vec<Operation>, Map<String, Value>) {
    let description = server.exchange("GET", "/openapi.json", &[], b"").json();
    let types = description["components"]["schemas"].as_object().cloned().unwrap_or_default();
    let mut all = Vec::new();
    for (path, methods) in description["paths"].as_object().into_iter().flatten() {
        for (method, operation) in methods.as_object().into_iter().flatten() {
            let gives_json = operation["responses"]["200"]["content"]["application/json"].is_object();
            let body = &operation["requestBody"]["content"];
            if !gives_json || body.is_object() && body["application/json"].is_null() {
                continue;
            }
            all.push(one(path, method, operation, &types));
        }
    }
    (all, types)
}

fn one(path: &str, method: &str, operation: &Value, types: &Map<String, Value>) -> Operation {
    let body = &operation["requestBody"]["content"]["application/json"]["schema"];
    let named =
        body["$ref"].as_str().and_then(|path| path.rsplit('/').next()).and_then(|name| types.get(name));
    let mut input = named.unwrap_or(body).clone();
    let posts = input.is_object();
    if !posts {
        input = serde_json::json!({ "type": "object", "properties": {}, "required": [] });
    }
    let (mut in_path, mut in_query) = (Vec::new(), Vec::new());
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        let Some(name) = parameter["name"].as_str() else { continue };
        if parameter["in"] == "path" { &mut in_path } else { &mut in_query }.push(name.to_owned());
        input["properties"][name] = parameter["schema"].clone();
        if parameter["required"] == true
            && let Some(required) = input["required"].as_array_mut()
        {
            required.push(name.into());
        }
    }
    let id = operation["operationId"].as_str().unwrap_or_default().to_owned();
    let command =
        sibyl_api::COMMANDS.iter().map(|entry| entry.name).find(|name| name.replace('.', "_") == id);
    let answers = &operation["responses"]["200"]["content"]["application/json"];
    Operation {
        method: method.to_uppercase(),
        path: path.to_owned(),
        id,
        command,
        input,
        output: answers["schema"].clone(),
        in_path,
        in_query,
        posts,
    }
}

impl Operation {
    /// An input that fits.
    pub fn fit(&self, types: &Map<String, Value>, seed: u64) -> Value {
        // The schema lives as long as this operation, and the types as long as the caller.
        let mut maker = Maker::new(types, seed);
        maker.fit(&self.input)
    }

    /// Whether `name` is in the path.
    pub fn is_in_path(&self, name: &str) -> bool {
        self.in_path.iter().any(|known| known == name)
    }

    /// Whether `name` is a text, or a list of texts, in the path or the query: there any value is valid.
    pub fn is_text_in_address(&self, name: &str) -> bool {
        let schema = &self.input["properties"][name];
        let text = |schema: &Value| {
            !["integer", "number", "boolean"].iter().any(|kind| schema["type"].to_string().contains(kind))
        };
        let item = if schema["type"] == "array" { &schema["items"] } else { schema };
        (self.is_in_path(name) || self.in_query.iter().any(|known| known == name)) && text(item)
    }

    /// Sends `input` to `server`.
    pub fn send(&self, server: &Server, input: &Value) -> Answer {
        let (target, body) = self.request(input);
        server.send(&self.method, &target, body.as_ref())
    }

    /// The address and the body of a request with `input`.
    pub fn request(&self, input: &Value) -> (String, Option<Value>) {
        let mut fields = input.as_object().cloned().unwrap_or_default();
        let (mut target, mut query) = (self.path.clone(), Vec::new());
        for name in &self.in_path {
            let value = fields.shift_remove(name).unwrap_or_default();
            target = target.replace(&format!("{{{name}}}"), &escaped(&value));
        }
        for name in &self.in_query {
            match fields.shift_remove(name) {
                None | Some(Value::Null) => {}
                Some(Value::Array(values)) => {
                    query.extend(values.iter().map(|value| format!("{name}={}", escaped(value))));
                }
                Some(value) => query.push(format!("{name}={}", escaped(&value))),
            }
        }
        if !self.posts {
            // A field without a place in the address is sent there nevertheless, to be refused.
            query.extend(fields.iter().map(|(name, value)| format!("{name}={}", escaped(value))));
        }
        if !query.is_empty() {
            target = format!("{target}?{}", query.join("&"));
        }
        (target, self.posts.then(|| fields.into()))
    }
}

/// `value` encoded for an address (RFC 3986, section 2).
fn escaped(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    text.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                char::from(byte).to_string()
            }
            _ => format!("%{byte:02X}"),
        })
        .collect()
}
