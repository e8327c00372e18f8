//! The state of the standards: versions and dates, drafts under way, who uses them and from when. Orientation, not
//! advice.

use crate::error::Result;
use crate::library::Standards;
use crate::store::edition::Edition;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How certain something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Certainty {
    /// Sources that agree, or the text itself.
    High,
    /// One good source, or details that are open.
    Medium,
    /// A passing mention, or an inference.
    Low,
}

/// A version of a standard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StandardEntry {
    /// Name of the standard.
    pub standard: String,
    /// Its version.
    pub version: String,
    /// Day or month of issue.
    pub issued: String,
    /// First day of the periods that it applies to.
    pub applies_from: String,
    /// What it is.
    pub text: String,
    /// The source.
    pub sources: Vec<String>,
    /// How certain it is.
    pub confidence: Certainty,
}

/// A fact about the standards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ContextEntry {
    /// Jurisdiction, draft or material.
    pub subject: String,
    /// The fact.
    pub text: String,
    /// Its day, month or year.
    pub date: Option<String>,
    /// The source.
    pub sources: Vec<String>,
    /// How certain it is.
    pub confidence: Certainty,
    /// What the sources leave open.
    #[serde(default)]
    pub not_settled: Option<String>,
}

/// A count of jurisdictions, which means nothing without its definition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AdoptionCount {
    /// The number, or a range.
    pub count: String,
    /// Day or month of the count.
    pub date: String,
    /// What is counted.
    pub definition: String,
    /// Who counts.
    pub sources: Vec<String>,
    /// How certain it is.
    pub confidence: Certainty,
}

/// What ships in `context.json`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StandardsContext {
    /// What this is, and is not.
    pub notice: String,
    /// The day of it.
    pub as_of: String,
    /// What is missing from it.
    pub limits: String,
    /// The standards with their versions.
    pub standards: Vec<StandardEntry>,
    /// Drafts under way.
    pub drafts: Vec<ContextEntry>,
    /// Counts of jurisdictions.
    pub counts: Vec<AdoptionCount>,
    /// Jurisdictions by name.
    pub jurisdictions: Vec<ContextEntry>,
    /// Educational material.
    pub material: Vec<ContextEntry>,
}

/// The state of the standards, and the edition in force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Orientation {
    /// The edition of IFRS S2 that applies if none is named.
    pub edition: Edition,
    /// Facts about the standards; empty if nothing ships.
    pub context: StandardsContext,
}

impl Standards<'_> {
    /// The state of the standards.
    ///
    /// # Errors
    /// [`Error::Damaged`](crate::Error::Damaged) if the file is not what ships, and errors of reading.
    pub async fn orientation(&self) -> Result<Orientation> {
        let context = self.shipped_json("context.json").await?.unwrap_or_default();
        Ok(Orientation { edition: self.library.edition(), context })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ships_is_read_whole() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/context.json");
        let text = std::fs::read_to_string(path).unwrap();
        let context: StandardsContext = serde_json::from_str(&text).unwrap();
        let editions = context.standards.iter().filter(|one| one.standard == "IFRS S2");
        let dates: Vec<&str> = editions.map(|one| one.applies_from.as_str()).collect();
        assert_eq!(dates, ["2024-01-01", "2027-01-01"]);
        assert!(context.notice.contains("not legal or accounting advice"), "{}", context.notice);
        for count in &context.counts {
            assert!(count.definition.len() > 30 && !count.sources.is_empty(), "{count:?}");
        }
        for entry in context.drafts.iter().chain(&context.jurisdictions).chain(&context.material) {
            assert!(!entry.sources.is_empty(), "{entry:?}");
        }
    }
}
