//! Front matter: the YAML (`---`) or TOML (`+++`) block at the head of a document.

use crate::document::{Notice, Severity};
use serde_json::{Map, Value};

/// Longest front matter (bytes) that is parsed; longer blocks are text that happens to start with a rule.
const LIMIT: usize = 64 * 1024;

/// Front matter as it was found.
#[derive(Debug, Default)]
pub(crate) struct FrontMatter {
    /// The fields.
    pub fields: Map<String, Value>,
    /// First byte of the body.
    pub body: usize,
    /// Why a block that looks like front matter stayed text.
    pub notice: Option<Notice>,
}

/// Reads the front matter of `text`, which has LF line ends. A broken block stays body text and gives a notice.
pub(crate) fn read(text: &str) -> FrontMatter {
    let Some((fence, inner, body)) = delimit(text) else {
        return FrontMatter::default();
    };
    let parsed = if fence == "+++" { toml_fields(inner) } else { yaml_fields(inner) };
    match parsed {
        Ok(fields) => FrontMatter { fields, body, notice: None },
        Err((line, reason)) => {
            let message = format!(
                "expected front matter as `key: value` pairs between the `{fence}` lines, found: {reason}; it stays \
                 part of the text until it is fixed"
            );
            // The opening fence is line 1, so the block's own first line is line 2 of the file.
            let notice = Notice::new(Severity::Warning, "front_matter_broken", message).at_line(line + 1);
            FrontMatter { notice: Some(notice), ..FrontMatter::default() }
        }
    }
}

/// Fence, inner text and start of the body.
fn delimit(text: &str) -> Option<(&'static str, &str, usize)> {
    let fence = ["---", "+++"].into_iter().find(|fence| text.starts_with(fence))?;
    let start = text.find('\n')? + 1;
    if !text[3..start].trim().is_empty() {
        return None;
    }
    let mut at = start;
    for line in text[start..].split_inclusive('\n') {
        let end = at + line.len();
        let bare = line.trim_end();
        if bare == fence || (fence == "---" && bare == "...") {
            return Some((fence, &text[start..at], end));
        }
        if end - start > LIMIT {
            return None;
        }
        at = end;
    }
    None
}

type Failure = (u32, String);

fn yaml_fields(inner: &str) -> Result<Map<String, Value>, Failure> {
    let options = serde_saphyr::options! { strict_booleans: true, with_snippet: false };
    let value: Value = serde_saphyr::from_str_with_options(inner, options).map_err(|error| {
        let line = error.location().map_or(1, |place| u32::try_from(place.line()).unwrap_or(1));
        (line, error.to_string())
    })?;
    match value {
        Value::Object(fields) => Ok(fields),
        Value::Null => Ok(Map::new()),
        Value::Array(_) => Err((1, "a list".to_owned())),
        other => Err((1, format!("the bare text {other}"))),
    }
}

fn toml_fields(inner: &str) -> Result<Map<String, Value>, Failure> {
    let table: toml::Table = inner.parse().map_err(|error: toml::de::Error| {
        let before = error.span().map_or(0, |span| span.start).min(inner.len());
        let line = inner.as_bytes()[..before].iter().filter(|&&b| b == b'\n').count() + 1;
        (u32::try_from(line).unwrap_or(1), error.message().to_owned())
    })?;
    Ok(table.into_iter().map(|(key, value)| (key, toml_value(value))).collect())
}

fn toml_value(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => text.into(),
        toml::Value::Integer(number) => number.into(),
        toml::Value::Float(number) => number.into(),
        toml::Value::Boolean(on) => on.into(),
        toml::Value::Datetime(moment) => moment.to_string().into(),
        toml::Value::Array(items) => items.into_iter().map(toml_value).collect(),
        toml::Value::Table(table) => {
            table.into_iter().map(|(key, value)| (key, toml_value(value))).collect::<Map<_, _>>().into()
        }
    }
}
