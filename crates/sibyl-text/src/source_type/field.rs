//! Fields by which chunks are found: pillar, industry, topic and the like.

use serde_json::{Map, Value};

/// A field of chunks. A kind of source lists those by which its chunks are found.
#[derive(Debug)]
pub struct Field {
    /// Stable name, as the store keeps it; with hyphens, an option of the command line.
    pub name: &'static str,
    /// The list of its values in a filter.
    pub list: &'static str,
    /// What people call it.
    pub label: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// What its values may be.
    pub values: Values,
    /// Entries of a chunk's metadata that hold it, as text or as a list: the first one that does is taken. By
    /// default, the one of its name.
    pub metadata: &'static [&'static str],
    /// Entries that hold other names of the same thing, such as its code. A chunk without the field has none.
    pub codes: &'static [&'static str],
    /// Whether a filter leaves chunks without the field in. Only kinds that list such a field have it.
    pub spares: bool,
}

impl PartialEq for Field {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// What the values of a field may be. Each comes with what people call it.
#[derive(Debug, Clone, Copy)]
pub enum Values {
    /// Any text.
    Any,
    /// Usually one of these.
    Usual(&'static [(&'static str, &'static str)]),
    /// One of these.
    Only(&'static [(&'static str, &'static str)]),
    /// The short name of a standard that lists the field.
    Standards,
}

impl Field {
    /// A field that stands in the metadata under its own name.
    pub const fn new(name: &'static str, list: &'static str, label: &'static str) -> Self {
        Self {
            name,
            list,
            label,
            about: label,
            values: Values::Any,
            metadata: &[],
            codes: &[],
            spares: false,
        }
    }

    /// Its name in a sentence.
    pub fn in_words(&self) -> String {
        self.name.replace('_', " ")
    }

    /// What it is, with the values that are known.
    pub fn described(&self) -> String {
        let (Values::Usual(known) | Values::Only(known)) = self.values else { return self.about.to_owned() };
        let known: Vec<&str> = known.iter().map(|(value, _)| *value).collect();
        format!("{}: {}", self.about, known.join(", "))
    }

    /// Whether `value` may be one of its values.
    pub fn allows(&self, value: &str) -> bool {
        match self.values {
            Values::Only(known) => known.iter().any(|(one, _)| *one == value),
            _ => true,
        }
    }

    /// Entries of a chunk's metadata that hold it.
    pub fn entries(&self) -> &[&'static str] {
        if self.metadata.is_empty() { std::slice::from_ref(&self.name) } else { self.metadata }
    }

    /// Its values in the metadata of a chunk, the one that names it first.
    pub fn of<'m>(&self, metadata: &'m Map<String, Value>) -> Vec<&'m str> {
        let mut found =
            self.entries().iter().map(|entry| texts(metadata, entry)).find(|found| !found.is_empty());
        if let Some(found) = &mut found {
            found.extend(self.codes.iter().flat_map(|entry| texts(metadata, entry)));
        }
        found.unwrap_or_default()
    }
}

/// The texts of an entry of `metadata`.
fn texts<'m>(metadata: &'m Map<String, Value>, entry: &str) -> Vec<&'m str> {
    let value = metadata.get(entry);
    let many = value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    value.and_then(Value::as_str).into_iter().chain(many).filter(|text| !text.is_empty()).collect()
}

/// The id of a paragraph. Every chunk with one is known by it, and no kind lists it.
pub static PARAGRAPH: Field = Field::new("paragraph_id", "paragraph_ids", "Paragraph");

/// The pillar of a paragraph.
pub static PILLAR: Field = Field {
    values: Values::Usual(&[
        ("governance", "Governance"),
        ("strategy", "Strategy"),
        ("risk_management", "Risk management"),
        ("metrics_targets", "Metrics and targets"),
        ("general", "General"),
        ("appendix", "Appendix"),
    ]),
    ..Field::new("pillar", "pillars", "Pillar")
};

/// Which standard a paragraph belongs to.
pub static STANDARD: Field = Field {
    about: "Standard, such as S1",
    values: Values::Standards,
    ..Field::new("standard", "standards", "Standard")
};

/// The editions of IFRS S2 that a paragraph belongs to.
pub static EDITION: Field = Field {
    about: "Edition of IFRS S2 (by default the one in force; chunks of other texts stay)",
    values: Values::Only(&[("2023-06", "As issued June 2023"), ("2025-12", "As amended December 2025")]),
    metadata: &["editions"],
    spares: true,
    ..Field::new("edition", "editions", "Edition of IFRS S2")
};

/// The section that a passage is in.
pub static SECTION: Field = Field {
    metadata: &["section", "section_heading", "section_path"],
    ..Field::new("section", "sections", "Section")
};

/// The industry of a topic.
pub static INDUSTRY: Field = Field {
    about: "Industry by name or code",
    metadata: &["industry_sector"],
    codes: &["standard_code"],
    ..Field::new("industry", "industries", "Industry")
};

/// The topic of a disclosure.
pub static TOPIC: Field = Field {
    about: "Disclosure topic by name or code",
    metadata: &["disclosure_topic"],
    codes: &["topic_code"],
    ..Field::new("topic", "topics", "Topic")
};

/// A tag of a document.
pub static TAG: Field =
    Field { about: "Tag from front matter", metadata: &["tags"], ..Field::new("tag", "tags", "Tags") };

/// The module of a page of documentation.
pub static MODULE: Field =
    Field { about: "Module of a documentation tree", ..Field::new("module", "modules", "Module") };

/// The chapter of a page of documentation.
pub static CHAPTER: Field =
    Field { about: "Chapter of a documentation tree", ..Field::new("chapter", "chapters", "Chapter") };

/// What a passage consists of.
pub static CONTENT_TYPE: Field = Field {
    values: Values::Usual(&[
        ("prose", "Prose"),
        ("code", "Code"),
        ("table", "Tables"),
        ("lab", "Labs"),
        ("quiz", "Quizzes"),
        ("assessment", "Assessments"),
    ]),
    ..Field::new("content_type", "content_types", "Content type")
};

/// The order in which requests name the fields; others follow. What is kept of a request is hashed in this order.
pub(super) static ORDER: [&Field; 10] =
    [&PILLAR, &STANDARD, &EDITION, &SECTION, &INDUSTRY, &TOPIC, &TAG, &MODULE, &CHAPTER, &CONTENT_TYPE];

/// What the chunks of a corpus are counted by: each by the first of these that it has.
pub static GROUPS: [&Field; 4] = [&PILLAR, &CONTENT_TYPE, &TOPIC, &SECTION];

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_what_the_metadata_say() {
        let of = |field: &Field, metadata: Value| {
            let metadata = metadata.as_object().cloned().unwrap();
            field.of(&metadata).into_iter().map(str::to_owned).collect::<Vec<_>>()
        };
        let water =
            json!({ "disclosure_topic": "Water", "topic_code": "EM-EP-140a", "section_path": ["A", "B"] });
        assert_eq!(of(&TOPIC, water.clone()), ["Water", "EM-EP-140a"]);
        assert_eq!(of(&SECTION, water), ["A", "B"]);
        assert_eq!(of(&SECTION, json!({ "section_heading": "C", "section_path": ["A", "B"] })), ["C"]);
        assert_eq!(of(&SECTION, json!({ "section": "", "section_path": ["A", 7, ""] })), ["A"]);
        assert_eq!(of(&TOPIC, json!({ "topic_code": "EM-EP-140a" })), [""; 0], "a code alone names no topic");
        assert_eq!(of(&TAG, json!({ "tags": ["a", "b"] })), ["a", "b"]);
        assert_eq!(of(&PILLAR, json!({ "pillar": null })), [""; 0]);
    }
}
