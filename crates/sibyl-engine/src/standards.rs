//! The standards as a reviewer reads them: a tree of what there is, and a page for each paragraph, item, term,
//! topic and metric. Each page has everything linked to it.
//!
//! It reads the stored chunks of the standards and the shipped `cross_references.json`; it retrieves nothing that
//! search does not.

pub mod context;
mod edition;
pub mod evidence;
mod finding;
mod kind;
pub mod page;
mod text;
pub mod tree;

pub use crate::counterpart::{Counterpart, CounterpartLevel};
pub use crate::metric::{List, MetricItem, RequirementKind, StandardMetric, StandardRequirement};
pub use context::{Orientation, StandardsContext};
pub use evidence::{Evidence, EvidenceRequest};
pub use finding::Asked;
pub use kind::{Modality, PartKind};
pub use page::{StandardPage, StandardVersion};
pub use tree::{NodeKind, TreeNode};

use crate::counterpart::Counterparts;
use crate::error::Result;
use crate::library::Standards;
use crate::requirement::Requirements;
use crate::shipped;
use crate::store::edition::Edition;
use crate::store::table::chunk::ChunkRow;
use serde::Deserialize;
use serde_json::Value;
use sibyl_text::source_type;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

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

impl CrossReferences {
    /// Adds the contents of another file.
    fn add(&mut self, more: Self) {
        self.cites.extend(more.cites);
        self.cited_by.extend(more.cited_by);
        self.terms.extend(more.terms);
        self.s2_to_sasb.extend(more.s2_to_sasb);
    }
}

/// The standards as stored: chunks in the order of the standard, with what links them.
pub(crate) struct StandardRows {
    pub rows: Vec<ChunkRow>,
    /// Chunks of IFRS S2 that the edition at hand does not have.
    pub apart: Vec<ChunkRow>,
    /// The edition of IFRS S2 that `rows` are of.
    pub edition: Edition,
    pub references: CrossReferences,
    pub counterparts: Arc<Counterparts>,
    pub requirements: Arc<Requirements>,
}

impl Standards<'_> {
    /// The chunks of the standards that `workspace` sees, with the links between them: of `edition`, or of the one
    /// in force.
    pub(crate) async fn rows(&self, workspace: i64, edition: Option<Edition>) -> Result<StandardRows> {
        let edition = edition.unwrap_or_else(|| self.library.edition());
        let types: Vec<&str> = source_type::standards().map(|(kind, _)| kind.name).collect();
        let rows = self.library.store().chunks_of_types(workspace, types).await?;
        let (rows, apart) = edition::divided(rows, edition);
        let mut references = CrossReferences::default();
        let files = source_type::standards().filter_map(|(_, one)| one.cross_references());
        for file in files.collect::<BTreeSet<_>>() {
            references.add(self.shipped_json(file).await?.unwrap_or_default());
        }
        let counterparts = self.library.search().counterparts().await?;
        let requirements = self.library.search().requirements().await?;
        Ok(StandardRows { rows, apart, edition, references, counterparts, requirements })
    }

    async fn shipped_json<T: serde::de::DeserializeOwned>(&self, name: &str) -> Result<Option<T>> {
        let Some((path, bytes)) = shipped::bytes(self.library.shipped(), name).await? else {
            return Ok(None);
        };
        Ok(Some(serde_json::from_slice(&bytes).map_err(|error| shipped::changed(&path, &error))?))
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
