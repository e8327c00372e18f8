//! Which fields of an input a caller may leave out. Serde itself answers: an input is read from ever fuller maps until
//! it no longer misses a field.

use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{self, DeserializeOwned, Deserializer, IntoDeserializer as _, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// Fields of an input.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fields {
    /// Those without a default.
    pub required: Vec<&'static str>,
    /// Those with one, in the order of their declaration.
    pub optional: Vec<&'static str>,
}

/// Which fields of `T` have a default. A type that reads itself by hand tells none: all of its fields are required.
///
/// # Errors
/// Names the field where a required one that comes before others has a type whose values cannot be made up, such as a
/// tagged enum.
pub(crate) fn fields<T: DeserializeOwned>() -> Result<Fields, String> {
    let mut fields: &[&str] = &[];
    let mut required: Vec<&str> = Vec::new();
    loop {
        match T::deserialize(Input { given: &required, fields: &mut fields }) {
            Ok(_) => return Ok(Fields { optional: left(fields, &required), required }),
            Err(Failure::Missing(field)) => required.push(field),
            Err(Failure::Other(message)) => {
                return match required.last() {
                    Some(last) if fields.last() == Some(last) => {
                        Ok(Fields { optional: left(fields, &required), required })
                    }
                    Some(last) => Err(format!("declare `{last}` last: {message}")),
                    // It reads itself by hand.
                    None => Ok(Fields { required, optional: Vec::new() }),
                };
            }
        }
    }
}

fn left(fields: &[&'static str], required: &[&str]) -> Vec<&'static str> {
    fields.iter().copied().filter(|field| !required.contains(field)).collect()
}

/// Why a value could not be read.
#[derive(Debug)]
enum Failure {
    Missing(&'static str),
    Other(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(field) => write!(f, "missing field `{field}`"),
            Self::Other(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for Failure {}

impl de::Error for Failure {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::Other(message.to_string())
    }

    fn missing_field(field: &'static str) -> Self {
        Self::Missing(field)
    }
}

/// A map that holds a made-up value for each of `given`. Notes the fields that the reader knows.
struct Input<'a> {
    given: &'a [&'static str],
    fields: &'a mut &'static [&'static str],
}

impl<'de> Deserializer<'de> for Input<'_> {
    type Error = Failure;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        *self.fields = fields;
        visitor.visit_map(MadeUp(self.given))
    }

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Failure> {
        Err(Failure::Other("an input is a struct with named fields".to_owned()))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// A value of whatever type is read.
struct Value;

macro_rules! made_up {
    ($($method:ident => $visit:ident($value:expr),)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
            visitor.$visit($value)
        })*
    };
}

impl<'de> Deserializer<'de> for Value {
    type Error = Failure;

    made_up! {
        deserialize_bool => visit_bool(false),
        deserialize_i8 => visit_i8(0),
        deserialize_i16 => visit_i16(0),
        deserialize_i32 => visit_i32(0),
        deserialize_i64 => visit_i64(0),
        deserialize_u8 => visit_u8(0),
        deserialize_u16 => visit_u16(0),
        deserialize_u32 => visit_u32(0),
        deserialize_u64 => visit_u64(0),
        deserialize_f32 => visit_f32(0.0),
        deserialize_f64 => visit_f64(0.0),
        deserialize_char => visit_char('a'),
        deserialize_str => visit_str(""),
        deserialize_string => visit_str(""),
        deserialize_bytes => visit_bytes(&[]),
        deserialize_byte_buf => visit_bytes(&[]),
        deserialize_map => visit_map(MadeUp(&[])),
        deserialize_seq => visit_seq(Repeated(0)),
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        visitor.visit_unit()
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        visitor.visit_none()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Failure> {
        visitor.visit_seq(Repeated(len))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        visitor.visit_map(MadeUp(fields))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        let Some(variant) = variants.first() else {
            return Err(Failure::Other(format!("`{name}` has no value")));
        };
        visitor.visit_enum(MapAccessDeserializer::new(MadeUp(std::slice::from_ref(variant))))
    }

    serde::forward_to_deserialize_any! {
        i128 u128 unit unit_struct tuple_struct identifier ignored_any
    }
}

/// A made-up value under each of these keys.
struct MadeUp<'a>(&'a [&'static str]);

impl<'de> MapAccess<'de> for MadeUp<'_> {
    type Error = Failure;

    fn next_key_seed<K: de::DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Failure> {
        let key = |key: &&'static str| -> StrDeserializer<'static, Failure> { key.into_deserializer() };
        self.0.first().map(|first| seed.deserialize(key(first))).transpose()
    }

    fn next_value_seed<V: de::DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Failure> {
        self.0 = self.0.get(1..).unwrap_or_default();
        seed.deserialize(Value)
    }
}

/// This many made-up values.
struct Repeated(usize);

impl<'de> SeqAccess<'de> for Repeated {
    type Error = Failure;

    fn next_element_seed<T: de::DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Failure> {
        match self.0.checked_sub(1) {
            None => Ok(None),
            Some(left) => {
                self.0 = left;
                seed.deserialize(Value).map(Some)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::fields;
    use serde::Deserialize;
    use serde_json::{Map, Value};
    use std::path::PathBuf;

    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Plain {
        One,
    }

    #[derive(Deserialize)]
    #[serde(tag = "kind")]
    enum Tagged {
        Number { _n: u8 },
    }

    #[derive(Deserialize)]
    struct Inner {
        _text: String,
        _pair: (u32, f64),
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only their types are looked at")]
    struct Mixed {
        path: PathBuf,
        limit: Option<usize>,
        inner: Inner,
        #[serde(default)]
        settings: Map<String, Value>,
        plain: Plain,
        value: Value,
        #[serde(default)]
        last: bool,
        #[serde(rename = "other")]
        renamed: Vec<String>,
        tagged: Tagged,
    }

    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct AllDefault {
        a: String,
        b: i64,
    }

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "only their types are looked at")]
    struct TaggedFirst {
        tagged: Tagged,
        #[serde(default)]
        flag: bool,
    }

    #[test]
    fn a_field_may_be_left_out_where_serde_has_a_value_for_it() {
        let mixed = fields::<Mixed>().unwrap();
        assert_eq!(mixed.required, ["path", "inner", "plain", "value", "other", "tagged"]);
        assert_eq!(mixed.optional, ["limit", "settings", "last"]);
        let all = fields::<AllDefault>().unwrap();
        assert_eq!((all.required, all.optional), (vec![], vec!["a", "b"]));
        let none = fields::<crate::command::Nothing>().unwrap();
        assert_eq!((none.required, none.optional), (vec![], vec![]));
    }

    #[test]
    fn an_input_that_reads_itself_by_hand_has_no_optional_fields() {
        let by_hand = fields::<Value>().unwrap();
        assert_eq!((by_hand.required, by_hand.optional), (vec![], vec![]));
    }

    #[test]
    fn an_input_that_cannot_be_asked_names_the_field_to_move() {
        let error = fields::<TaggedFirst>().unwrap_err();
        assert!(error.starts_with("declare `tagged` last"), "{error}");
    }
}
