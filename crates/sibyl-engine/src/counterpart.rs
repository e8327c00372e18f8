//! What answers to a part of IFRS S1 or S2 in the other standard.

use crate::error::Result;
use crate::shipped;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_text::chunk::ifrs::{Mapping, mapping, range};
use sibyl_text::reference::ifrs::parent;
use sibyl_text::source_type;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// How closely a counterpart answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CounterpartLevel {
    /// The two are paired with each other.
    Item,
    /// It is paired with the item or paragraph around this one.
    Enclosing,
    /// Only the paragraphs around them are counterparts.
    Range,
}

/// A part of the other standard that answers to this one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Counterpart {
    /// Identifier.
    pub id: String,
    /// Its label.
    pub label: String,
    /// Its first sentence.
    pub summary: String,
    /// How closely it answers.
    pub level: CounterpartLevel,
    /// What the mapping pairs it with on this side: this part, one around it, or paragraphs such as `S2.15-21`.
    pub of: String,
}

/// An id of the other standard, before it is looked up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    pub id: String,
    pub level: CounterpartLevel,
    pub of: String,
}

/// The mapping between the two standards, to be asked from either side.
#[derive(Debug, Clone, Default)]
pub(crate) struct Counterparts {
    pairs: BTreeMap<String, Vec<String>>,
    /// What the other standard has no twin of.
    alone: BTreeSet<String>,
    /// Paragraph, the paragraphs that answer to it, and the range it belongs to.
    ranges: BTreeMap<String, Vec<(Vec<String>, String)>>,
}

impl Counterparts {
    /// The mapping that ships in `folder`; without one, nothing is paired.
    ///
    /// # Errors
    /// [`Error::Damaged`](crate::Error::Damaged) if the file is not what ships, and errors of reading.
    pub(crate) async fn shipped(folder: Option<&Path>) -> Result<Self> {
        let Some(file) = source_type::counterparts() else { return Ok(Self::default()) };
        match shipped::bytes(folder, file).await? {
            Some((path, bytes)) => {
                Ok(Self::new(&mapping(&bytes).map_err(|error| shipped::changed(&path, &error))?))
            }
            None => Ok(Self::default()),
        }
    }

    pub(crate) fn new(mapping: &Mapping) -> Self {
        let mut out = Self::default();
        for pair in &mapping.pairs {
            match pair {
                (Some(s2), Some(s1)) => {
                    out.pairs.entry(s2.clone()).or_default().push(s1.clone());
                    out.pairs.entry(s1.clone()).or_default().push(s2.clone());
                }
                (Some(alone), None) | (None, Some(alone)) => {
                    out.alone.insert(alone.clone());
                }
                (None, None) => {}
            }
        }
        for row in &mapping.rows {
            for (side, other) in [(&row.s2, &row.s1), (&row.s1, &row.s2)] {
                for (n, id) in side.iter().enumerate() {
                    // Ranges of one length answer paragraph by paragraph, as in the chunks' metadata.
                    let answers = if side.len() == other.len() { &other[n..=n] } else { other.as_slice() };
                    out.ranges.entry(id.clone()).or_default().push((answers.to_vec(), range(side)));
                }
            }
        }
        out
    }

    /// Whether nothing is paired with anything.
    pub(crate) fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// What `id` itself is paired with.
    pub(crate) fn paired(&self, id: &str) -> &[String] {
        self.pairs.get(id).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether `id` is known to have no twin in the other standard. The mapping says so of it or of what it lies
    /// in, or it details something whose twin has no items, by `leaf`. Where the mapping is silent, nothing is
    /// claimed.
    pub(crate) fn is_added(&self, id: &str, leaf: impl Fn(&str) -> bool) -> bool {
        let inside = format!("{id}(");
        let twins_inside = self.pairs.range(inside.clone()..).next();
        if self.pairs.contains_key(id) || twins_inside.is_some_and(|(inner, _)| inner.starts_with(&inside)) {
            return false;
        }
        let mut at = Some(id);
        while let Some(here) = at {
            if self.alone.contains(here) {
                return true;
            }
            if let Some(twins) = self.pairs.get(here) {
                return twins.iter().all(|twin| leaf(twin));
            }
            at = parent(here);
        }
        false
    }

    /// The counterparts of `id`: what it is paired with, else what the nearest item or paragraph around it is
    /// paired with, else the paragraphs its paragraph is mapped to. An id that is known to have no twin does not
    /// inherit one.
    pub(crate) fn of(&self, id: &str) -> Vec<Answer> {
        let mut at = id;
        let mut alone = false;
        loop {
            alone |= self.alone.contains(at);
            if let Some(found) = self.pairs.get(at).filter(|_| !alone) {
                let level = if at == id { CounterpartLevel::Item } else { CounterpartLevel::Enclosing };
                return found.iter().map(|id| Answer { id: id.clone(), level, of: at.to_owned() }).collect();
            }
            match parent(at) {
                Some(outer) => at = outer,
                None => break,
            }
        }
        let rows = self.ranges.get(at).into_iter().flatten();
        rows.flat_map(|(answers, of)| {
            answers.iter().map(|id| Answer { id: id.clone(), level: CounterpartLevel::Range, of: of.clone() })
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = r#"{
        "mappings": [
            {"s2_paragraphs": "S2.14", "s1_paragraphs": "S1.33"},
            {"s2_paragraphs": "S2.15-17", "s1_paragraphs": "S1.34-36"},
            {"s2_paragraphs": "S2.23", "s1_paragraphs": "S1.46-48"},
            {"s2_paragraphs": "S2.29-31", "s1_paragraphs": "S1.46"}
        ],
        "item_pairs": [
            {"s2": "S2.14(a)", "s1": "S1.33(a)"},
            {"s2": "S2.14(b)", "s1": null},
            {"s2": null, "s1": "S1.33(c)"},
            {"s2": "S2.29", "s1": "S1.46(a)"}
        ]
    }"#;

    fn of(id: &str) -> Vec<(String, CounterpartLevel, String)> {
        let known = Counterparts::new(&mapping(TABLE.as_bytes()).unwrap());
        known.of(id).into_iter().map(|answer| (answer.id, answer.level, answer.of)).collect()
    }

    #[test]
    fn what_has_no_twin_is_known_where_the_mapping_tells() {
        let known = Counterparts::new(&mapping(TABLE.as_bytes()).unwrap());
        let leaf = |id: &str| id != "S1.46(a)";
        for (id, added) in [
            // S1.33(a) has no items, and these detail it as a whole.
            ("S2.14(a)(iv)", true),
            ("S2.14(b)", true),
            ("S2.14(b)(i)", true),
            ("S1.33(c)", true),
            ("S2.14(a)", false),
            // Parts of it have twins.
            ("S2.14", false),
            // What it details has a twin with items, and nothing says which of them are counterparts.
            ("S2.29(a)", false),
            // The mapping pairs ranges only.
            ("S2.14(c)", false),
            ("S2.16(d)", false),
            ("S1.99", false),
        ] {
            assert_eq!(known.is_added(id, leaf), added, "{id}");
        }
    }

    #[test]
    fn the_nearest_pair_answers_and_else_the_range() {
        use CounterpartLevel::{Enclosing, Item, Range};
        for (id, expected) in [
            ("S2.14(a)", vec![("S1.33(a)", Item, "S2.14(a)")]),
            ("S2.14(a)(iv)", vec![("S1.33(a)", Enclosing, "S2.14(a)")]),
            ("S2.14", vec![("S1.33", Range, "S2.14")]),
            ("S2.14(c)(i)", vec![("S1.33", Range, "S2.14")]),
            // It has no twin of its own, and so none through what is around it.
            ("S2.14(b)", vec![("S1.33", Range, "S2.14")]),
            ("S1.33(c)", vec![("S2.14", Range, "S1.33")]),
            ("S2.16(d)", vec![("S1.35", Range, "S2.15-17")]),
            ("S2.30", vec![("S1.46", Range, "S2.29-31")]),
            ("S1.46(a)", vec![("S2.29", Item, "S1.46(a)")]),
            ("S1.47", vec![("S2.23", Range, "S1.46-48")]),
            ("S2.23", vec![("S1.46", Range, "S2.23"), ("S1.47", Range, "S2.23"), ("S1.48", Range, "S2.23")]),
            ("S1.99", vec![]),
            ("EM-EP-110a.1", vec![]),
        ] {
            let expected: Vec<_> =
                expected.into_iter().map(|(id, level, of)| (id.to_owned(), level, of.to_owned())).collect();
            assert_eq!(of(id), expected, "{id}");
        }
        let every = of("S1.46");
        assert_eq!(every.len(), 4, "both rows that name it: {every:?}");
    }
}
