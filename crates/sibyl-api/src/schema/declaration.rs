//! TypeScript declarations as [`ts_rs`] writes them, read as JSON Schema.

use super::COMPONENTS;
use serde_json::{Map, Value, json};

/// A declared type.
pub(super) struct Declared {
    pub name: String,
    pub schema: Value,
    /// Whether it has parameters, which leaves its schema open.
    pub generic: bool,
}

/// Reads `type NAME = …;`.
pub(super) fn declaration(text: &str) -> Declared {
    let mut reader = Reader::new(text);
    reader.expect_word("type");
    let name = reader.word();
    let generic = reader.take('<');
    if generic {
        return Declared { name, schema: json!({}), generic };
    }
    reader.expect('=');
    Declared { name, schema: reader.union(), generic }
}

/// Reads a type. `Partial` and `Optional` leave what may be left out under `optional`: `true` for all fields.
pub(super) fn ty(text: &str) -> Value {
    Reader::new(text).union()
}

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Word(String),
    Text(String),
    Mark(char),
    Doc(String),
}

struct Reader {
    tokens: Vec<Token>,
    at: usize,
}

impl Reader {
    fn new(text: &str) -> Self {
        Self { tokens: tokens(text), at: 0 }
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn next(&mut self) -> Option<Token> {
        let token = self.peek().cloned();
        self.at += 1;
        token
    }

    fn take(&mut self, mark: char) -> bool {
        let there = self.peek() == Some(&Token::Mark(mark));
        self.at += usize::from(there);
        there
    }

    fn expect(&mut self, mark: char) {
        assert!(self.take(mark), "`{mark}` was expected, not {:?}", self.peek());
    }

    fn expect_word(&mut self, word: &str) {
        let found = self.word();
        assert_eq!(found, word, "a declaration is written otherwise");
    }

    fn word(&mut self) -> String {
        match self.next() {
            Some(Token::Word(word) | Token::Text(word)) => word,
            other => panic!("a name was expected, not {other:?}"),
        }
    }

    fn union(&mut self) -> Value {
        self.take('|');
        let mut kinds = vec![self.intersection()];
        while self.take('|') {
            kinds.push(self.intersection());
        }
        one_of(kinds)
    }

    fn intersection(&mut self) -> Value {
        let mut parts = vec![self.array()];
        while self.take('&') {
            parts.push(self.array());
        }
        if parts.len() == 1 { parts.remove(0) } else { json!({ "allOf": parts }) }
    }

    fn array(&mut self) -> Value {
        let mut kind = self.primary();
        while self.peek() == Some(&Token::Mark('[')) {
            self.expect('[');
            self.expect(']');
            kind = json!({ "type": "array", "items": kind });
        }
        kind
    }

    fn primary(&mut self) -> Value {
        match self.next() {
            Some(Token::Mark('{')) => self.object(),
            Some(Token::Mark('[')) => {
                let mut items = Vec::new();
                while !self.take(']') {
                    items.push(self.union());
                    self.take(',');
                }
                let length = items.len();
                json!({ "type": "array", "prefixItems": items, "minItems": length, "maxItems": length })
            }
            Some(Token::Mark('(')) => {
                let kind = self.union();
                self.expect(')');
                kind
            }
            Some(Token::Text(text)) => json!({ "const": text }),
            Some(Token::Word(word)) => self.named(&word),
            other => panic!("a type was expected, not {other:?}"),
        }
    }

    fn named(&mut self, word: &str) -> Value {
        let mut given = Vec::new();
        if self.take('<') {
            while !self.take('>') {
                given.push(self.union());
                self.take(',');
            }
        }
        let first = |given: &mut Vec<Value>| given.drain(..1).next().unwrap_or_default();
        match word {
            "string" => json!({ "type": "string" }),
            "number" => json!({ "type": "number" }),
            "boolean" => json!({ "type": "boolean" }),
            "null" => json!({ "type": "null" }),
            "unknown" => json!({}),
            "symbol" | "never" => Value::Null,
            "Array" => json!({ "type": "array", "items": first(&mut given) }),
            "Record" => match given.pop() {
                Some(Value::Null) | None => json!({ "type": "object", "additionalProperties": false }),
                Some(values) => json!({ "type": "object", "additionalProperties": values }),
            },
            "Partial" => {
                let mut whole = first(&mut given);
                whole["optional"] = true.into();
                whole
            }
            "Optional" => {
                let names = given.pop().unwrap_or_default();
                let mut whole = first(&mut given);
                whole["optional"] = match names.get("enum") {
                    Some(names) => names.clone(),
                    None => json!([names["const"]]),
                };
                whole
            }
            _ if given.is_empty() => json!({ "$ref": format!("{COMPONENTS}{word}") }),
            // A type with parameters: what it holds is left open.
            _ => json!({}),
        }
    }

    /// The fields behind `{`.
    fn object(&mut self) -> Value {
        let (mut properties, mut required) = (Map::new(), Vec::new());
        let mut doc = String::new();
        while !self.take('}') {
            match self.peek() {
                Some(Token::Doc(text)) => {
                    doc.clone_from(text);
                    self.at += 1;
                    continue;
                }
                Some(Token::Mark('[')) => {
                    // `[key in string]: T`
                    while !self.take(']') {
                        self.at += 1;
                    }
                    self.take('?');
                    self.expect(':');
                    let values = self.union();
                    self.take(',');
                    self.expect('}');
                    return json!({ "type": "object", "additionalProperties": values });
                }
                _ => {}
            }
            let name = self.word();
            let optional = self.take('?');
            self.expect(':');
            let mut kind = self.union();
            // Serde reads what may be `null` as such where it is left out.
            if !optional && !nullable(&kind) {
                required.push(name.clone());
            }
            if !doc.is_empty() {
                kind["description"] = std::mem::take(&mut doc).into();
            }
            properties.insert(name, kind);
            let _ = self.take(',') || self.take(';');
        }
        json!({ "type": "object", "properties": properties, "required": required })
    }
}

/// Whether `kind` allows `null`.
fn nullable(kind: &Value) -> bool {
    let null = |kinds: &Value| kinds.as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "null"));
    null(&kind["type"])
        || kind["anyOf"].as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind["type"] == "null"))
}

/// A schema for any of `kinds`.
fn one_of(mut kinds: Vec<Value>) -> Value {
    if kinds.len() == 1 {
        return kinds.remove(0);
    }
    if kinds.iter().all(|kind| kind.get("const").is_some()) {
        let names: Vec<Value> = kinds.iter_mut().map(|kind| kind["const"].take()).collect();
        return json!({ "type": "string", "enum": names });
    }
    let plain = kinds
        .iter()
        .all(|kind| kind.as_object().is_some_and(|kind| kind.len() == 1 && kind.contains_key("type")));
    if plain {
        let names: Vec<Value> = kinds.iter_mut().map(|kind| kind["type"].take()).collect();
        return json!({ "type": names });
    }
    json!({ "anyOf": kinds })
}

fn tokens(text: &str) -> Vec<Token> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if let Some(comment) = rest.strip_prefix("/**") {
            let end = comment.find("*/").unwrap_or(comment.len());
            let lines = comment[..end].lines().map(|line| line.trim().trim_start_matches('*').trim());
            out.push(Token::Doc(lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")));
            3 + (end + 2).min(comment.len())
        } else if first == '"' {
            let end = rest[1..].find('"').unwrap_or(rest.len() - 1);
            out.push(Token::Text(rest[1..=end].to_owned()));
            end + 2
        } else if first.is_alphanumeric() || first == '_' {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            out.push(Token::Word(rest[..end].to_owned()));
            end
        } else {
            if !first.is_whitespace() {
                out.push(Token::Mark(first));
            }
            first.len_utf8()
        };
        rest = &rest[length.min(rest.len())..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_read_as_schemas() {
        for (text, schema) in [
            ("string | null", json!({ "type": ["string", "null"] })),
            ("\"a\" | \"b\"", json!({ "type": "string", "enum": ["a", "b"] })),
            ("Array<Hit>", json!({ "type": "array", "items": { "$ref": "#/components/schemas/Hit" } })),
            (
                "[number, number] | null",
                json!({ "anyOf": [
                    { "type": "array", "prefixItems": [{ "type": "number" }, { "type": "number" }], "minItems": 2, "maxItems": 2 },
                    { "type": "null" },
                ] }),
            ),
            (
                "{ [key in string]: number }",
                json!({ "type": "object", "additionalProperties": { "type": "number" } }),
            ),
            ("Record<symbol, never>", json!({ "type": "object", "additionalProperties": false })),
            (
                "Optional<Page, \"start\" | \"end\">",
                json!({ "$ref": "#/components/schemas/Page", "optional": ["start", "end"] }),
            ),
            ("Partial<Page>", json!({ "$ref": "#/components/schemas/Page", "optional": true })),
        ] {
            assert_eq!(ty(text), schema, "{text}");
        }
        let read = declaration(
            "type Page = { \n/**\n * From\n * 1.\n */\nnumber: number, label?: string, note: string | null, };",
        );
        assert_eq!((read.name.as_str(), read.generic), ("Page", false));
        let schema = json!({
            "type": "object",
            "properties": {
                "number": { "type": "number", "description": "From 1." },
                "label": { "type": "string" },
                "note": { "type": ["string", "null"] },
            },
            "required": ["number"],
        });
        assert_eq!(read.schema, schema);
        assert!(declaration("type ByMode<T> = { hybrid?: T | null, };").generic);
    }
}
