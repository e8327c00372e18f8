//! What restricts a search, as requests spell it.

use schemars::generate::Contract;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value, json};
use sibyl_text::source_type::field::{Field, Values};
use sibyl_text::source_type::{self, fields};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// Lists that restrict chunks of every kind.
const OF_EVERY_KIND: [&str; 4] = ["source_types", "corpora", "reports", "paths"];

/// Restricts a search before the nearest are selected. An empty list restricts nothing; values of one list are
/// alternatives, lists are joined with AND.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(extend("additionalProperties" = false))]
pub struct Filters {
    /// Names of source types.
    pub source_types: Vec<String>,
    /// Corpus names.
    pub corpora: Vec<String>,
    /// Report ids.
    pub reports: Vec<String>,
    /// A report id: chunks of every other report are left out, and chunks that belong to no report stay.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub report_or_none: Option<String>,
    /// Values of the fields that kinds of sources list.
    #[serde(flatten)]
    pub fields: FieldFilters,
    /// Path prefixes below the import root.
    pub paths: Vec<String>,
}

impl Filters {
    /// The filters as text, the same for the same restrictions.
    pub fn key(&self) -> String {
        // Lists of text always become JSON.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// These filters, and `values` of `field` in place of those that it had.
    #[must_use]
    pub fn with(mut self, field: &Field, values: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.fields.set(field, values);
        self
    }
}

/// Values of fields. On the wire each field has its list, next to those of [`Filters`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FieldFilters(BTreeMap<&'static str, Vec<String>>);

impl FieldFilters {
    /// The values of `field`; none if it restricts nothing.
    pub fn values(&self, field: &Field) -> &[String] {
        self.0.get(field.list).map_or(&[], Vec::as_slice)
    }

    /// Restricts `field` to `values`, or not at all if there are none.
    pub fn set(&mut self, field: &Field, values: impl IntoIterator<Item = impl Into<String>>) {
        let values: Vec<String> = values.into_iter().map(Into::into).collect();
        if values.is_empty() {
            self.0.remove(field.list);
        } else {
            self.0.insert(field.list, values);
        }
    }
}

impl Serialize for FieldFilters {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(fields().iter().map(|field| (field.list, self.values(field))))
    }
}

impl<'de> Deserialize<'de> for FieldFilters {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Lists)
    }
}

/// Reads the lists of fields.
struct Lists;

impl<'de> Visitor<'de> for Lists {
    type Value = FieldFilters;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("lists of values")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<FieldFilters, A::Error> {
        let mut filters = FieldFilters::default();
        while let Some(list) = map.next_key::<String>()? {
            let Some(field) = source_type::field(&list) else {
                let known: Vec<String> = OF_EVERY_KIND
                    .into_iter()
                    .chain(fields().iter().map(|field| field.list))
                    .map(|list| format!("`{list}`"))
                    .collect();
                let known = known.join(", ");
                return Err(A::Error::custom(format!("unknown field `{list}`, expected one of {known}")));
            };
            let values: Vec<String> = map.next_value()?;
            if filters.0.contains_key(field.list) {
                return Err(A::Error::custom(format!("duplicate field `{list}`")));
            }
            if let (Some(other), Values::Only(known)) =
                (values.iter().find(|value| !field.allows(value)), field.values)
            {
                let known: Vec<String> = known.iter().map(|(value, _)| format!("`{value}`")).collect();
                let known = known.join(", ");
                return Err(A::Error::custom(format!("`{list}`: expected one of {known}, not `{other}`")));
            }
            filters.set(field, values);
        }
        Ok(filters)
    }
}

impl JsonSchema for FieldFilters {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "FieldFilters".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let list = |field: &&Field| {
            let items = match field.values {
                Values::Only(known) => {
                    let known: Vec<&str> = known.iter().map(|(value, _)| *value).collect();
                    json!({ "type": "string", "enum": known })
                }
                _ => json!({ "type": "string" }),
            };
            let schema =
                json!({ "description": described(field), "type": "array", "items": items, "default": [] });
            (field.list.to_owned(), schema)
        };
        let properties: Map<String, Value> = fields().iter().map(list).collect();
        let mut schema = json_schema!({ "type": "object", "properties": properties });
        if *generator.contract() == Contract::Serialize {
            let lists: Vec<&str> = fields().iter().map(|field| field.list).collect();
            schema.insert("required".to_owned(), json!(lists));
        }
        schema
    }
}

/// What the list of `field` holds, as a sentence.
fn described(field: &Field) -> String {
    format!("{}.", field.described())
}

#[cfg(test)]
mod tests {
    use super::*;
    use sibyl_text::source_type::field::{EDITION, PILLAR, TOPIC};

    #[test]
    fn each_list_keeps_its_name_on_the_wire() {
        let sent =
            json!({ "corpora": ["a"], "pillars": ["strategy"], "topics": [], "editions": ["2025-12"] });
        let filters: Filters = serde_json::from_value(sent).unwrap();
        let own = Filters { corpora: vec!["a".to_owned()], ..Filters::default() };
        assert_eq!(filters, own.with(&PILLAR, ["strategy"]).with(&EDITION, ["2025-12"]));
        assert_eq!(filters.fields.values(&TOPIC), [""; 0]);
        let written = serde_json::to_value(&filters).unwrap();
        assert_eq!((&written["pillars"], &written["topics"]), (&json!(["strategy"]), &json!([])));
        // In the order of requests that were kept before fields were data: hashes of runs go by it.
        let mut lists: Vec<&String> = written.as_object().unwrap().keys().collect();
        let of_every_kind = ["source_types", "corpora", "reports"];
        let of_fields = ["pillars", "standards", "editions", "sections", "industries", "topics", "tags"];
        let of_docs = ["modules", "chapters", "content_types", "paths"];
        assert_eq!(lists, [&of_every_kind[..], &of_fields, &of_docs].concat());
        lists.sort_unstable();
        lists.dedup();
        let count = OF_EVERY_KIND.len() + fields().len();
        assert_eq!(lists.len(), count, "no field takes the name of another list");
        assert_eq!(serde_json::from_value::<Filters>(written).unwrap(), filters);
    }

    #[test]
    fn what_is_no_filter_is_refused_with_those_that_are() {
        let refused = |sent: Value| serde_json::from_value::<Filters>(sent).unwrap_err().to_string();
        let unknown = refused(json!({ "pilars": ["strategy"] }));
        assert!(unknown.contains("`pilars`") && unknown.contains("`corpora`"), "{unknown}");
        assert!(unknown.contains("`pillars`") && unknown.contains("`content_types`"), "{unknown}");
        let edition = refused(json!({ "editions": ["2024-01"] }));
        assert!(edition.contains("`2024-01`") && edition.contains("`2025-12`"), "{edition}");
    }
}
