//! The standards as a reviewer reads them: a tree of what there is, and a page for each paragraph, item, term,
//! topic and metric with everything that is linked to it.
//!
//! It reads the stored chunks of the standards and `cross_references.json` beside them; it retrieves nothing
//! that search does not.

pub mod evidence;
mod explanation;
pub mod page;
pub mod tree;

pub use evidence::{Evidence, EvidenceRequest};
pub use page::StandardPage;
pub use tree::{NodeKind, TreeNode};

use crate::error::{Error, Result};
use crate::library::Library;
use crate::store::table::chunk::ChunkRow;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Source types of the standards.
pub const STANDARDS: [&str; 3] = ["ifrs_s1", "ifrs_s2", "sasb"];

/// What the standards cite, and what belongs together.
#[derive(Debug, Clone, Default, Deserialize)]
pub(crate) struct CrossReferences {
    /// Paragraph to the paragraphs it points to.
    pub cites: BTreeMap<String, Vec<String>>,
    /// Paragraph to the paragraphs that point to it.
    pub cited_by: BTreeMap<String, Vec<String>>,
    /// Defined term to the paragraphs that rest on it.
    pub terms: BTreeMap<String, Vec<String>>,
    /// S2 paragraph to SASB topics by industry code.
    pub s2_to_sasb: BTreeMap<String, BTreeMap<String, Vec<String>>>,
}

/// The standards as stored: chunks in document order, with what links them.
pub(crate) struct Standards {
    pub rows: Vec<ChunkRow>,
    pub references: CrossReferences,
    pub counterparts: BTreeMap<String, Vec<String>>,
}

impl Library {
    /// The chunks of the standards that `workspace` sees, with what links them.
    pub(crate) async fn standards(&self, workspace: i64) -> Result<Standards> {
        let rows = self.store().chunks_of_types(workspace, &STANDARDS).await?;
        let references = self.shipped_json("ifrs/cross_references.json").await?.unwrap_or_default();
        let mapping: Option<Value> = self.shipped_json("ifrs/s1_s2_mapping.json").await?;
        let mut counterparts: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for pair in mapping.iter().filter_map(|m| m["item_pairs"].as_array()).flatten() {
            if let (Some(s2), Some(s1)) = (pair["s2"].as_str(), pair["s1"].as_str()) {
                counterparts.entry(s2.to_owned()).or_default().push(s1.to_owned());
                counterparts.entry(s1.to_owned()).or_default().push(s2.to_owned());
            }
        }
        Ok(Standards { rows, references, counterparts })
    }

    async fn shipped_json<T: serde::de::DeserializeOwned>(&self, name: &str) -> Result<Option<T>> {
        let Some(folder) = self.shipped() else { return Ok(None) };
        let path = folder.join(name);
        let file = path.clone();
        let read = tokio::task::spawn_blocking(move || std::fs::read(file));
        let bytes = match read.await.map_err(|_| Error::Closed)? {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::io(path, error)),
        };
        let parsed = serde_json::from_slice(&bytes)
            .map_err(|error| Error::Damaged(format!("{} is not what ships: {error}", path.display())))?;
        Ok(Some(parsed))
    }
}

/// The id that a chunk of the standards answers to: paragraph id, else topic code.
pub(crate) fn id_of(row: &ChunkRow) -> Option<&str> {
    let field = |name: &str| row.metadata.get(name).and_then(Value::as_str);
    field("paragraph_id").or_else(|| field("topic_code"))
}

pub(crate) fn field<'a>(row: &'a ChunkRow, name: &str) -> &'a str {
    row.metadata.get(name).and_then(Value::as_str).unwrap_or_default()
}
