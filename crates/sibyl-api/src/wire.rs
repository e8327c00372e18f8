//! Types on the wire as JSON Schema (draft 2020-12), derived from the types and their serde attributes. The
//! TypeScript, the description of the REST door and what agents read are all made from it.

use schemars::generate::SchemaSettings;
use schemars::transform::transform_subschemas;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

/// Where references to named types point.
pub const COMPONENTS: &str = "#/components/schemas/";

/// Collects types as they are read and as they are written. A field that a caller may leave out is in every
/// answer.
pub struct Types {
    read: SchemaGenerator,
    written: SchemaGenerator,
}

impl Types {
    pub(crate) fn new() -> Self {
        let settings = SchemaSettings::draft2020_12();
        let settings = settings.with(|settings| settings.definitions_path = "/components/schemas".into());
        Self {
            read: settings.clone().for_deserialize().into_generator(),
            written: settings.for_serialize().into_generator(),
        }
    }

    /// Adds `T` and its parts; returns it as it is read.
    pub fn read<T: JsonSchema>(&mut self) -> Value {
        self.add::<T>().0
    }

    /// Adds `T` and its parts; returns it as it is written.
    pub fn written<T: JsonSchema>(&mut self) -> Value {
        self.add::<T>().1
    }

    /// Both sides know every type, so that a name means the same on both.
    fn add<T: JsonSchema>(&mut self) -> (Value, Value) {
        let plain = |mut schema: Schema| {
            plain(&mut schema);
            schema.to_value()
        };
        (plain(self.read.subschema_for::<T>()), plain(self.written.subschema_for::<T>()))
    }

    /// The named types as they are read and as they are written.
    ///
    /// # Panics
    /// If two types have one name.
    pub(crate) fn into_named(self) -> [Map<String, Value>; 2] {
        [self.read, self.written].map(|mut side| {
            let mut types = side.take_definitions(false);
            let schemas = types.values_mut().flat_map(<&mut Schema>::try_from);
            schemas.for_each(if side.contract().is_serialize() { given } else { plain });
            for name in types.keys() {
                let other = name.trim_end_matches(|c: char| c.is_ascii_digit());
                assert!(
                    other == name || !types.contains_key(other),
                    "two types are called {other} on the wire; rename one"
                );
            }
            types.sort_keys();
            types
        })
    }
}

/// Names of number types that serve as `format` and that JSON Schema does not know, with the limits of integers.
const FORMATS: [(&str, Option<(i64, u64)>); 12] = [
    ("int8", None),
    ("int16", None),
    ("int32", Some((i32::MIN as i64, i32::MAX as u64))),
    ("int64", Some((i64::MIN, i64::MAX as u64))),
    ("int", Some((i64::MIN, i64::MAX as u64))),
    ("uint8", None),
    ("uint16", None),
    ("uint32", Some((0, u32::MAX as u64))),
    ("uint64", Some((0, u64::MAX))),
    ("uint", Some((0, u64::MAX))),
    ("float", None),
    ("double", None),
];

/// Reduces `schema` to keywords that every reader knows.
fn plain(schema: &mut Schema) {
    if schema.as_bool() == Some(true) {
        schema.ensure_object();
    }
    transform_subschemas(&mut plain, schema);
    let Some(fields) = schema.as_object_mut() else { return };
    if let Some(Value::String(description)) = fields.get_mut("description") {
        *description = description.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    let format = fields.get("format").and_then(Value::as_str);
    if let Some((_, range)) = FORMATS.iter().find(|(name, _)| format == Some(*name)) {
        fields.shift_remove("format");
        if let Some((least, most)) = range {
            fields.entry("minimum").or_insert_with(|| json!(least));
            fields.entry("maximum").or_insert_with(|| json!(most));
        }
    }
    // A field that may be null is null if left out, and the fields of an object have defaults of their own.
    if fields.get("default").is_some_and(|value| value.is_null() || value.is_object()) {
        fields.shift_remove("default");
    }
    if let Some(kinds) = fields.shift_remove("oneOf") {
        fields.insert("anyOf".to_owned(), kinds);
    }
    if let Some(names) = fields.get("anyOf").and_then(Value::as_array).and_then(|kinds| names(kinds)) {
        fields.shift_remove("anyOf");
        fields.insert("type".to_owned(), "string".into());
        fields.insert("enum".to_owned(), names.into());
    }
    if fields.contains_key("properties") {
        fields.entry("required").or_insert_with(|| json!([]));
        apart(fields);
    }
}

/// The same for what is written. It has no defaults, and a field that is left out when null is never null.
fn given(schema: &mut Schema) {
    fn narrow(schema: &mut Schema) {
        transform_subschemas(&mut narrow, schema);
        let Some(fields) = schema.as_object_mut() else { return };
        fields.shift_remove("default");
        let required = fields.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        let properties = fields.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten();
        for (name, property) in properties {
            if !required.iter().any(|one| one == name) {
                never_null(property);
            }
        }
    }
    plain(schema);
    narrow(schema);
}

fn never_null(schema: &mut Value) {
    if let Some(Value::Array(kinds)) = schema.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [kind] = kinds.as_slice() {
            schema["type"] = kind.clone();
        }
    }
    let Some(fields) = schema.as_object_mut() else { return };
    let Some(Value::Array(mut kinds)) = fields.shift_remove("anyOf") else { return };
    kinds.retain(|kind| kind["type"] != "null");
    match kinds.as_mut_slice() {
        [Value::Object(kind)] => fields.append(kind),
        _ => {
            fields.insert("anyOf".to_owned(), kinds.into());
        }
    }
}

/// The values of `kinds`, if all are fixed texts.
fn names(kinds: &[Value]) -> Option<Vec<Value>> {
    let all = kinds.iter().map(|kind| match (kind.get("const"), kind.get("enum")) {
        (Some(Value::String(name)), None) => Some(vec![name.as_str().into()]),
        (None, Some(Value::Array(names))) => Some(names.clone()),
        _ => None,
    });
    Some(all.collect::<Option<Vec<_>>>()?.concat())
}

/// Says that an object which is also another type has all the fields of both.
fn apart(fields: &mut Map<String, Value>) {
    let Some(other) = ["$ref", "anyOf"].into_iter().find(|other| fields.contains_key(*other)) else { return };
    let part = |fields: &mut Map<String, Value>, names: &[&str]| -> Map<String, Value> {
        names.iter().filter_map(|name| fields.shift_remove_entry(*name)).collect()
    };
    let object = part(fields, &["type", "properties", "required"]);
    let other = part(fields, &[other]);
    fields.insert("allOf".to_owned(), json!([object, other]));
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::{Deserialize, Serialize};

    /// Names, in some order.
    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    enum Level {
        /// The first.
        VeryLow,
        /// The last.
        High,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Place {
        /// First
        /// line.
        page: Option<u8>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "kind", rename_all = "snake_case")]
    enum Target {
        At(Place),
        Anywhere,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    struct Asked {
        id: i64,
        #[serde(default)]
        share: f64,
        #[serde(default)]
        level: Option<Level>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        targets: Vec<Target>,
        settings: Map<String, Value>,
    }

    #[test]
    fn types_are_described_in_plain_words() {
        let mut types = Types::new();
        let reference = json!({ "$ref": "#/components/schemas/Asked" });
        assert_eq!((types.read::<Asked>(), types.written::<Asked>()), (reference.clone(), reference));
        let whole = json!({ "type": "integer", "minimum": 0, "maximum": u64::MAX });
        assert_eq!(types.written::<Vec<usize>>(), json!({ "type": "array", "items": whole }));
        let [read, written] = types.into_named();

        let described = "Names, in some order.";
        let level = json!({ "type": "string", "enum": ["very_low", "high"], "description": described });
        assert_eq!((&read["Level"], &written["Level"]), (&level, &level));
        let page = |required: Value| {
            let page = json!({
                "type": ["integer", "null"], "minimum": 0, "maximum": 255, "description": "First line.",
            });
            json!({ "type": "object", "properties": { "page": page }, "required": required })
        };
        assert_eq!((&read["Place"], &written["Place"]), (&page(json!([])), &page(json!(["page"]))));
        let kind = |kind: &str| {
            let kind = json!({ "type": "string", "const": kind });
            json!({ "type": "object", "properties": { "kind": kind }, "required": ["kind"] })
        };
        let target = json!({ "anyOf": [
            { "allOf": [kind("at"), { "$ref": "#/components/schemas/Place" }] },
            kind("anywhere"),
        ] });
        assert_eq!(read["Target"], target);

        let level = json!({ "anyOf": [{ "$ref": "#/components/schemas/Level" }, { "type": "null" }] });
        let targets = json!({ "type": "array", "items": { "$ref": "#/components/schemas/Target" } });
        let mut asked = json!({
            "type": "object",
            "additionalProperties": false,
            "properties": {
                "id": { "type": "integer", "minimum": i64::MIN, "maximum": i64::MAX },
                "share": { "type": "number", "default": 0.0 },
                "level": level,
                "targets": targets,
                "settings": { "type": "object", "additionalProperties": {} },
            },
            "required": ["id", "settings"],
        });
        assert_eq!(read["Asked"], asked);
        asked["required"] = json!(["id", "share", "level", "settings"]);
        asked["properties"]["share"] = json!({ "type": "number" });
        assert_eq!(written["Asked"], asked);
    }

    #[test]
    #[should_panic(expected = "two types are called Place on the wire")]
    fn a_name_means_one_type() {
        mod other {
            #[derive(schemars::JsonSchema)]
            #[expect(dead_code, reason = "only its schema is looked at")]
            pub struct Place {
                line: u32,
            }
        }
        let mut types = Types::new();
        types.read::<Place>();
        types.written::<other::Place>();
        types.into_named();
    }
}
