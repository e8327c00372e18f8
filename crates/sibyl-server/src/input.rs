//! What a request says, as the input of a command.

use axum::http::{HeaderMap, header};
use serde_json::{Map, Value};
use sibyl_api::ApiError;

/// Whole numbers up to it are exact as floats.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The JSON object in a body; an empty one without a body.
pub(crate) fn object(headers: &HeaderMap, bytes: &[u8]) -> Result<Map<String, Value>, ApiError> {
    if bytes.is_empty() {
        return Ok(Map::new());
    }
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    if !kind.eq_ignore_ascii_case("application/json") {
        let message = format!("send the body as application/json, not `{kind}`");
        return Err(ApiError::new("media_type", message));
    }
    match serde_json::from_slice(bytes) {
        Ok(Value::Object(mut fields)) => {
            fields.values_mut().for_each(whole);
            Ok(fields)
        }
        Ok(_) => Err(ApiError::invalid("the body is an object with named fields")),
        Err(error) => {
            Err(ApiError::invalid(format!("the body is not valid JSON ({error}); send a JSON object")))
        }
    }
}

/// Writes each number without a fraction as an integer, as JSON does not distinguish `3.0` from `3`.
fn whole(value: &mut Value) {
    match value {
        Value::Number(number) => {
            let float = number.as_f64().filter(|f| number.is_f64() && f.fract() == 0.0 && f.abs() <= EXACT);
            if let Some(float) = float {
                *value = Value::from(float as i64);
            }
        }
        Value::Array(values) => values.iter_mut().for_each(whole),
        Value::Object(fields) => fields.values_mut().for_each(whole),
        _ => {}
    }
}

/// Puts `pairs` of names and texts into `fields`, each in the form that `schema` gives it: a number, a switch or a
/// text. A name that may be given more than once becomes a list.
///
/// # Errors
/// `invalid` names a field that does not exist or a value of the wrong type.
pub(crate) fn fill(
    fields: &mut Map<String, Value>,
    schema: &Value,
    pairs: impl IntoIterator<Item = (String, String)>,
) -> Result<(), ApiError> {
    for (name, text) in pairs {
        let property = &schema["properties"][name.as_str()];
        if property.is_null() {
            return Err(ApiError::invalid(format!(
                "the parameter `{name}` is unknown; `sibyl serve --openapi` lists all of them"
            )));
        }
        if is(property, "array") {
            let item = value(&name, &property["items"], text)?;
            match fields.get_mut(&name) {
                Some(Value::Array(items)) => items.push(item),
                _ => {
                    fields.insert(name, Value::Array(vec![item]));
                }
            }
        } else {
            let value = value(&name, property, text)?;
            if fields.insert(name.clone(), value).is_some() {
                return Err(ApiError::invalid(format!("`{name}` was given twice; send it once")));
            }
        }
    }
    Ok(())
}

/// Whether `schema` allows values of `kind`.
fn is(schema: &Value, kind: &str) -> bool {
    match &schema["type"] {
        Value::Array(kinds) => kinds.iter().any(|one| one == kind),
        one => one == kind,
    }
}

fn value(name: &str, schema: &Value, text: String) -> Result<Value, ApiError> {
    let number = is(schema, "number") || is(schema, "integer");
    if number || is(schema, "boolean") {
        let parsed: Option<Value> = serde_json::from_str(&text).ok();
        let parsed = parsed.map(|mut value| {
            whole(&mut value);
            value
        });
        let fits = parsed.filter(|value| if number { value.is_number() } else { value.is_boolean() });
        let expected = if number { "a number" } else { "true or false" };
        return fits.ok_or_else(|| ApiError::invalid(format!("`{name}` is {expected}, not `{text}`")));
    }
    Ok(Value::from(text))
}

/// The pairs of a query string.
pub(crate) fn pairs(query: &str) -> Vec<(String, String)> {
    let parts = query.split('&').filter(|part| !part.is_empty());
    parts
        .map(|part| {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            (unescaped(name), unescaped(value))
        })
        .collect()
}

/// `text` with `+` as a space and `%41` as the byte with that number.
fn unescaped(text: &str) -> String {
    let spaced = text.replace('+', " ");
    percent_encoding::percent_decode_str(&spaced).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn texts_become_what_the_schema_says() {
        let schema = json!({ "properties": {
            "limit": { "type": ["integer", "null"] },
            "reports": { "type": "boolean" },
            "words": { "type": "string" },
            "ids": { "type": "array", "items": { "type": "number" } },
        }});
        let filled = |query: &str| {
            let mut fields = Map::new();
            fill(&mut fields, &schema, pairs(query)).map(|()| Value::Object(fields)).map_err(|e| e.message)
        };
        assert_eq!(
            filled("limit=3&reports=true&words=20%2B24+%C3%A5r&ids=4&ids=5"),
            Ok(json!({ "limit": 3, "reports": true, "words": "20+24 år", "ids": [4, 5] }))
        );
        assert_eq!(filled("limit=3.0"), Ok(json!({ "limit": 3 })));
        assert_eq!(filled("limit=-9007199254740992.0"), Ok(json!({ "limit": -9_007_199_254_740_992_i64 })));
        assert_eq!(filled("words=2024"), Ok(json!({ "words": "2024" })));
        assert_eq!(filled("limit=many").unwrap_err(), "`limit` is a number, not `many`");
        assert_eq!(
            filled("pages=2").unwrap_err(),
            "the parameter `pages` is unknown; `sibyl serve --openapi` lists all of them"
        );
        assert_eq!(filled("limit=1&limit=2").unwrap_err(), "`limit` was given twice; send it once");
    }
}
