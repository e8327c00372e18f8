//! Parameters that describe themselves: from one declaration follow the form, the flag, the docs and the check.

use serde::Serialize;
use serde_json::{Map, Value};

/// The values that a [`Param`] accepts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ParamKind {
    /// A whole number in `min..=max`.
    Integer {
        /// Smallest value allowed.
        min: i64,
        /// Largest value allowed.
        max: i64,
        /// Default value.
        default: i64,
    },
    /// Yes or no.
    Switch {
        /// Default value.
        default: bool,
    },
    /// One of the named values; the first is the default.
    Choice {
        /// The values allowed.
        options: &'static [&'static str],
    },
    /// Free text.
    Text {
        /// Default value.
        default: &'static str,
    },
}

/// One parameter of a strategy.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Param {
    /// Name in settings and, with dashes, as a flag.
    pub name: &'static str,
    /// Type, range and default.
    pub kind: ParamKind,
    /// Unit of the value, such as `tokens`; empty if it has none.
    pub unit: &'static str,
    /// One sentence for form, help and docs.
    pub description: &'static str,
}

impl Param {
    /// The default value.
    pub fn default_value(&self) -> Value {
        match self.kind {
            ParamKind::Integer { default, .. } => default.into(),
            ParamKind::Switch { default } => default.into(),
            ParamKind::Choice { options } => options.first().copied().unwrap_or_default().into(),
            ParamKind::Text { default } => default.into(),
        }
    }

    fn check(&self, value: &Value) -> Result<Value, String> {
        match self.kind {
            ParamKind::Integer { min, max, .. } => {
                let number = value.as_i64().or_else(|| value.as_str()?.parse().ok());
                match number {
                    Some(n) if (min..=max).contains(&n) => Ok(n.into()),
                    _ => Err(format!("a whole number from {min} to {max}")),
                }
            }
            ParamKind::Switch { .. } => match (value.as_bool(), value.as_str()) {
                (Some(on), _) => Ok(on.into()),
                (_, Some("true" | "on" | "yes")) => Ok(true.into()),
                (_, Some("false" | "off" | "no")) => Ok(false.into()),
                _ => Err("true or false".to_owned()),
            },
            ParamKind::Choice { options } => match value.as_str() {
                Some(text) if options.contains(&text) => Ok(text.into()),
                _ => Err(format!("one of {}", options.join(", "))),
            },
            ParamKind::Text { .. } => value.as_str().map(Into::into).ok_or_else(|| "a text".to_owned()),
        }
    }
}

/// A setting that was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParamError {
    /// No such parameter.
    #[error("`{name}` is not a setting here; the settings are {known}")]
    Unknown {
        /// The name given.
        name: String,
        /// The names there are.
        known: String,
    },
    /// The value does not fit.
    #[error("`{name}` takes {expected}, not {got}")]
    Value {
        /// The parameter.
        name: String,
        /// The values it accepts.
        expected: String,
        /// The given value.
        got: String,
    },
    /// Two values contradict each other.
    #[error("{0}")]
    Conflict(String),
}

/// Checked values for every parameter of a strategy. Made by [`Settings::new`], so that chunking cannot fail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Settings(Map<String, Value>);

impl Settings {
    /// Checks `given` against `params` and fills in the defaults.
    ///
    /// # Errors
    /// [`ParamError`] names the parameter, the values it accepts and the given one.
    pub fn new(params: &[Param], given: &Map<String, Value>) -> Result<Self, ParamError> {
        if let Some(name) = given.keys().find(|name| params.iter().all(|p| p.name != name.as_str())) {
            let known = params.iter().map(|p| p.name).collect::<Vec<_>>().join(", ");
            return Err(ParamError::Unknown { name: name.clone(), known });
        }
        let mut values = Map::new();
        for param in params {
            let value = match given.get(param.name) {
                None => param.default_value(),
                Some(value) => param.check(value).map_err(|expected| ParamError::Value {
                    name: param.name.to_owned(),
                    expected,
                    got: value.to_string(),
                })?,
            };
            values.insert(param.name.to_owned(), value);
        }
        Ok(Self(values))
    }

    /// The whole number `name`; 0 if the strategy does not declare it.
    pub fn integer(&self, name: &str) -> usize {
        self.0.get(name).and_then(Value::as_u64).map_or(0, |n| usize::try_from(n).unwrap_or(usize::MAX))
    }
    /// The switch `name`; off if the strategy does not declare it.
    pub fn switch(&self, name: &str) -> bool {
        self.0.get(name).and_then(Value::as_bool).unwrap_or(false)
    }
    /// The text or choice `name`; empty if the strategy does not declare it.
    pub fn text(&self, name: &str) -> &str {
        self.0.get(name).and_then(Value::as_str).unwrap_or_default()
    }
    /// All values, in the order of the declaration.
    pub fn values(&self) -> &Map<String, Value> {
        &self.0
    }
}
