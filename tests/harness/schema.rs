//! Values made up from a JSON Schema: such that fit it, and such that do not.

use crate::random::Random;
use serde_json::{Map, Value, json};

/// Words that made-up texts are of: plain ones, ids of what ships, and signs.
const WORDS: [&str; 24] = [
    "climate",
    "transition",
    "plan",
    "S2.14",
    "S2.14(a)(iv)",
    "EM-EP-110a.1",
    "ifrs-s2",
    "Ångström",
    "漢字",
    "🌍",
    "a",
    "2024",
    "-1",
    "0.5",
    "\"",
    "'",
    "(",
    "*",
    "\\",
    "%",
    "<b>",
    "\u{200f}",
    "\t",
    "../x",
];
/// Items of a made-up list, and levels of optional fields inside each other.
const MOST_ITEMS: usize = 3;
const DEEPEST: usize = 4;

/// Makes values up.
pub struct Maker<'a> {
    /// Schemas of named types, as `#/components/schemas/NAME`.
    types: &'a Map<String, Value>,
    random: Random,
}

/// A value that does not fit its schema.
pub struct Unfit {
    /// The whole input.
    pub input: Value,
    /// The field that is wrong.
    pub field: String,
    /// What is wrong with it.
    pub what: &'static str,
}

impl<'a> Maker<'a> {
    /// One of `seed` that knows `types`.
    pub fn new(types: &'a Map<String, Value>, seed: u64) -> Self {
        Self { types, random: Random::new(seed) }
    }

    /// What `schema` refers to, or itself.
    pub fn resolved(&self, schema: &'a Value) -> &'a Value {
        let name = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next());
        name.and_then(|name| self.types.get(name)).unwrap_or(schema)
    }

    /// A value that fits `schema`.
    pub fn fit(&mut self, schema: &'a Value) -> Value {
        self.fit_within(schema, DEEPEST)
    }

    fn fit_within(&mut self, schema: &'a Value, deep: usize) -> Value {
        let schema = self.resolved(schema);
        if let Some(constant) = schema.get("const") {
            return constant.clone();
        }
        if let Some(values) = schema["enum"].as_array() {
            return self.random.pick(values).clone();
        }
        if let Some(kinds) = schema["anyOf"].as_array() {
            let kind = self.random.below(kinds.len());
            return self.fit_within(&kinds[kind], deep);
        }
        if let Some(parts) = schema["allOf"].as_array() {
            let parts = parts.iter().filter_map(|part| self.fit_within(part, deep).as_object().cloned());
            return Value::Object(parts.flatten().collect());
        }
        let kind = match &schema["type"] {
            Value::Array(kinds) => self.random.pick(kinds).as_str().unwrap_or_default().to_owned(),
            kind => kind.as_str().unwrap_or_default().to_owned(),
        };
        match kind.as_str() {
            "string" => self.text(schema).into(),
            "boolean" => (self.random.below(2) == 1).into(),
            "integer" => self.whole(schema),
            "number" => self.number(schema),
            "array" => self.list(schema, deep),
            "object" => self.object(schema, deep),
            "null" => Value::Null,
            // Anything fits.
            _ => json!({}),
        }
    }

    fn text(&mut self, schema: &Value) -> String {
        if let Some(examples) = schema["examples"].as_array() {
            return self.random.pick(examples).as_str().unwrap_or_default().to_owned();
        }
        let least = schema["minLength"].as_u64().unwrap_or(0) as usize;
        let most = schema["maxLength"].as_u64().map_or(60, |most| most.min(60) as usize);
        let words = self.random.below(4).max(usize::from(least > 0));
        let text: Vec<&str> = (0..words).map(|_| *self.random.pick(&WORDS)).collect();
        let text: String = text.join(" ").chars().take(most).collect();
        let said = schema["pattern"] != "\\S" || text.chars().any(|c| !c.is_whitespace());
        if said && text.chars().count() >= least { text } else { "a".repeat(least.max(1)) }
    }

    fn whole(&mut self, schema: &Value) -> Value {
        let bound = |name: &str| {
            let given = &schema[name];
            given.as_i64().map(i128::from).or_else(|| given.as_u64().map(i128::from))
        };
        let least = bound("minimum").unwrap_or(i128::from(i64::MIN));
        let most = bound("maximum").unwrap_or(i128::from(i64::MAX));
        let near = [0, 1, 2, 3, 10, least, most, least + 1, most - 1];
        let fits: Vec<i128> = near.into_iter().filter(|number| (least..=most).contains(number)).collect();
        let number = *self.random.pick(&fits);
        i64::try_from(number).map_or_else(|_| json!(number as u64), |number| json!(number))
    }

    fn number(&mut self, schema: &Value) -> Value {
        let above = schema["exclusiveMinimum"].as_f64().map(|least| least + 1e-3);
        let least = schema["minimum"].as_f64().or(above).unwrap_or(-1e9);
        let most = schema["maximum"].as_f64().unwrap_or(1e9);
        let share = *self.random.pick(&[0.0, 0.25, 0.5, 1.0]);
        json!(least + share * (most - least))
    }

    fn list(&mut self, schema: &'a Value, deep: usize) -> Value {
        if let Some(items) = schema["prefixItems"].as_array() {
            return items.iter().map(|item| self.fit_within(item, deep)).collect();
        }
        let least = schema["minItems"].as_u64().unwrap_or(0) as usize;
        let most = schema["maxItems"].as_u64().map_or(MOST_ITEMS, |most| (most as usize).min(MOST_ITEMS));
        let count = if deep == 0 { least } else { least + self.random.below(most.saturating_sub(least) + 1) };
        let mut items: Vec<Value> =
            (0..count).map(|_| self.fit_within(&schema["items"], deep.saturating_sub(1))).collect();
        if schema["uniqueItems"] == true {
            items.dedup();
            items.truncate(1);
        }
        items.into()
    }

    fn object(&mut self, schema: &'a Value, deep: usize) -> Value {
        let mut fields = Map::new();
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            let needed = is_required(schema, name);
            if needed || deep > 0 && self.random.below(3) == 0 {
                fields.insert(name.clone(), self.fit_within(property, deep.saturating_sub(1)));
            }
        }
        if schema["additionalProperties"].is_object() && deep > 0 {
            let name = (*self.random.pick(&["a", "b"])).to_owned();
            fields.insert(name, self.fit_within(&schema["additionalProperties"], deep - 1));
        }
        fields.into()
    }

    /// Inputs that fit the object `schema` except for one of its fields.
    pub fn unfit(&mut self, schema: &'a Value) -> Vec<Unfit> {
        let schema = self.resolved(schema);
        let mut all = Vec::new();
        let Some(properties) = schema["properties"].as_object() else { return all };
        let required: Map<String, Value> = properties
            .iter()
            .filter(|(name, _)| is_required(schema, name))
            .map(|(name, property)| (name.clone(), self.fit_within(property, 0)))
            .collect();
        let mut add = |name: &str, value: Option<Value>, what| {
            let mut input = required.clone();
            input.shift_remove(name);
            input.extend(value.map(|value| (name.to_owned(), value)));
            all.push(Unfit { input: input.into(), field: name.to_owned(), what });
        };
        for (name, property) in properties {
            let property = self.resolved(property);
            if is_required(schema, name) {
                add(name, None, "it is missing");
            }
            if let Some(wrong) = wrong_type(property) {
                add(name, Some(wrong), "it is of another type");
            }
            let beyond = |bound: &str, step: f64| Some(json!(property[bound].as_f64()? + step));
            if property["maximum"].as_f64().is_some_and(|most| most < 1e9) {
                add(name, beyond("maximum", 1.0).map(whole), "it is too large");
            }
            if property["minimum"].as_f64().is_some_and(|least| least > -1e9) {
                add(name, beyond("minimum", -1.0).map(whole), "it is too small");
            }
        }
        if schema["additionalProperties"] == false {
            add("no_such_field", Some(json!(1)), "there is none of this name");
        }
        all
    }
}

fn is_required(schema: &Value, name: &str) -> bool {
    schema["required"].as_array().is_some_and(|all| all.iter().any(|one| one == name))
}

/// A number without a fraction as a whole one.
fn whole(value: Value) -> Value {
    match value.as_f64() {
        Some(number) if number.fract() == 0.0 => json!(number as i64),
        _ => value,
    }
}

/// A value of a type that `schema` does not accept.
fn wrong_type(schema: &Value) -> Option<Value> {
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().find(|kind| *kind != "null")?.as_str()?,
        kind => kind.as_str()?,
    };
    Some(match kind {
        "string" => json!({ "a": 1 }),
        "integer" | "number" | "boolean" | "array" | "object" => json!("a word"),
        _ => return None,
    })
}
