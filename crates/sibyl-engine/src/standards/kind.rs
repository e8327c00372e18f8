//! What a part of the standards is, and how binding it is.

use super::field;
use crate::store::table::chunk::ChunkRow;
use schemars::JsonSchema;
use serde::de::value::{Error as Unnamed, StrDeserializer};
use serde::de::{DeserializeOwned, IntoDeserializer as _};
use serde::{Deserialize, Serialize};

/// What a part of the standards is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PartKind {
    /// A paragraph that asks for something.
    Requirement,
    /// A paragraph that helps with what others ask for.
    Guidance,
    /// A defined term.
    Definition,
    /// What a standard or a section is for.
    Objective,
    /// What a standard applies to.
    Scope,
    /// From when on it applies, and what eases the first year.
    Transition,
    /// An industry.
    Industry,
    /// A disclosure topic of an industry.
    Topic,
    /// A metric of a topic.
    Metric,
    /// What a metric measures.
    Measured,
    /// An item of a metric: what counts.
    Counts,
    /// An item of a metric: what does not count.
    DoesNotCount,
    /// An item of a metric: what its words mean.
    Definitions,
    /// An item of a metric: what has to be discussed beside the figure.
    AlsoToBeDiscussed,
    /// An item of a metric: what may be added to it.
    MayBeAdded,
    /// Its standard does not say.
    #[default]
    #[serde(rename = "")]
    Unstated,
}

/// How binding a part of the standards is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Modality {
    /// It must be done.
    Mandatory,
    /// It may be done.
    Permissive,
    /// It explains.
    Explanatory,
    /// It does not apply, or the standard does not say.
    #[default]
    #[serde(rename = "")]
    Unstated,
}

impl PartKind {
    /// What the paragraph of a chunk is.
    pub(crate) fn of(row: &ChunkRow) -> Self {
        Self::named(field(row, "kind"))
    }

    /// What is called `name` in metadata and on the wire.
    pub(crate) fn named(name: &str) -> Self {
        known(name)
    }
}

impl Modality {
    /// How binding the paragraph of a chunk is.
    pub(crate) fn of(row: &ChunkRow) -> Self {
        known(field(row, "language"))
    }
}

/// What is called `name` on the wire; the default for an unknown name, which a document may have.
fn known<T: DeserializeOwned + Default>(name: &str) -> T {
    let name: StrDeserializer<'_, Unnamed> = name.into_deserializer();
    T::deserialize(name).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::{List, MEASURED};

    #[test]
    fn each_part_of_a_metric_is_a_kind_and_an_unknown_word_is_none() {
        let parts = std::iter::once(MEASURED).chain(List::ALL.map(List::name));
        for part in parts.chain(["requirement", "definition", "topic"]) {
            assert_eq!(serde_json::to_value(PartKind::named(part)).unwrap(), part);
        }
        for unknown in ["", "footnote", "Requirement"] {
            assert_eq!(PartKind::named(unknown), PartKind::Unstated, "{unknown}");
            assert_eq!(known::<Modality>(unknown), Modality::Unstated, "{unknown}");
        }
        assert_eq!(known::<Modality>("permissive"), Modality::Permissive);
    }
}
