//! The tree of the standards: every paragraph, item, term, industry, topic and metric under its heading.

use super::kind::{Modality, PartKind};
use super::{StandardRows, field, id_of};
use crate::error::Result;
use crate::explanation::joined;
use crate::library::Standards;
use crate::metric::StandardMetric;
use crate::store::edition::Edition;
use crate::store::table::chunk::ChunkRow;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// What a node of the tree is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NodeKind {
    /// A standard as a whole, such as IFRS S2.
    Standard,
    /// A heading of a standard.
    Section,
    /// A numbered paragraph.
    Paragraph,
    /// An item of a paragraph, or something to be discussed besides a metric.
    Item,
    /// A defined term.
    Term,
    /// A sector.
    Sector,
    /// An industry.
    Industry,
    /// A disclosure topic.
    Topic,
    /// A metric.
    Metric,
}

/// A row of the tree; rows are in reading order, children right after their parent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TreeNode {
    /// Identifier, if the node can be opened.
    pub id: Option<String>,
    /// Number as printed below its parent: `14`, `(a)`, a code; empty for headings.
    pub number: String,
    /// Heading or label.
    pub label: String,
    /// Its kind.
    pub kind: NodeKind,
    /// Depth, 0 for a standard.
    pub depth: usize,
    /// Row of its parent.
    pub parent: Option<usize>,
    /// Whether it asks for something that a report can be tested against.
    pub requirement: bool,
    /// Source type of the standard that it belongs to.
    pub source_type: String,
}

impl Standards<'_> {
    /// The tree of the standards that `workspace` sees: of `edition` of IFRS S2, or of the one in force.
    pub async fn tree(&self, workspace: &str, edition: Option<Edition>) -> Result<Vec<TreeNode>> {
        let workspace = self.library.store().workspace(workspace).await?.id;
        Ok(build(&self.rows(workspace, edition).await?))
    }
}

struct Builder {
    nodes: Vec<TreeNode>,
    headings: HashMap<Vec<String>, usize>,
}

impl Builder {
    /// The heading at the end of `path` in the standard of `source_type`.
    fn heading(
        &mut self,
        source_type: &str,
        path: &[String],
        kind_of: impl Fn(usize) -> NodeKind + Copy,
    ) -> Option<usize> {
        if path.is_empty() {
            return None;
        }
        if let Some(&row) = self.headings.get(path) {
            return Some(row);
        }
        let parent = self.heading(source_type, &path[..path.len() - 1], kind_of);
        let row = self.push(TreeNode {
            id: None,
            number: String::new(),
            label: path[path.len() - 1].clone(),
            kind: kind_of(path.len() - 1),
            depth: path.len() - 1,
            parent,
            requirement: false,
            source_type: source_type.to_owned(),
        });
        self.headings.insert(path.to_vec(), row);
        Some(row)
    }

    fn push(&mut self, node: TreeNode) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }
}

/// The tree of `standards`.
pub(crate) fn build(standards: &StandardRows) -> Vec<TreeNode> {
    let mut builder = Builder { nodes: Vec::new(), headings: HashMap::new() };
    let mut seen: HashMap<String, usize> = HashMap::new();
    for row in standards.rows.iter().filter(|row| !row.has_topics()) {
        paragraph(&mut builder, &mut seen, row);
    }
    let mut industries: Vec<&ChunkRow> = standards.rows.iter().filter(|row| row.has_topics()).collect();
    // Sectors and industries by name; topics stay in the order of their standard.
    let place = |row: &&ChunkRow| {
        let names = [field(row, "sector"), field(row, "industry_sector")].map(str::to_owned);
        (row.source_type.clone(), names, row.ordinal)
    };
    industries.sort_by_cached_key(place);
    // The parts of a topic follow each other; a metric may be split between them.
    for parts in industries.chunk_by(|a, b| a.document_id == b.document_id && id_of(a) == id_of(b)) {
        topic(&mut builder, &mut seen, parts);
    }
    depth_first(builder.nodes)
}

fn paragraph(builder: &mut Builder, seen: &mut HashMap<String, usize>, row: &ChunkRow) {
    let Some(id) = id_of(row).map(str::to_owned) else { return };
    if seen.contains_key(&id) {
        return; // a later part of the same paragraph
    }
    let headings = row.metadata.get("heading_path").and_then(Value::as_array);
    let mut path = vec![row.title.clone()];
    path.extend(headings.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned));
    let kind_of = |level: usize| if level == 0 { NodeKind::Standard } else { NodeKind::Section };
    let outer = id.rfind('(').map(|at| id[..at].to_owned());
    let parent = outer.as_ref().and_then(|outer| seen.get(outer).copied());
    let parent = parent.or_else(|| builder.heading(&row.source_type, &path, kind_of));
    let item = outer.is_some();
    let term = id.contains(".A.");
    let number = match id.rfind('(') {
        Some(at) => id[at..].to_owned(),
        None if term => String::new(),
        None => id.split_once('.').map_or(id.clone(), |(_, number)| number.to_owned()),
    };
    let label = field(row, "label").trim_start_matches("Term: ").to_owned();
    let depth = parent.map_or(0, |parent| builder.nodes[parent].depth + 1);
    let kind = match (item, term) {
        (true, _) => NodeKind::Item,
        (_, true) => NodeKind::Term,
        _ => NodeKind::Paragraph,
    };
    let requirement = Modality::of(row) == Modality::Mandatory && PartKind::of(row) == PartKind::Requirement;
    let source_type = row.source_type.clone();
    let node =
        TreeNode { id: Some(id.clone()), number, label, kind, depth, parent, requirement, source_type };
    seen.insert(id, builder.push(node));
}

fn topic(builder: &mut Builder, seen: &mut HashMap<String, usize>, parts: &[&ChunkRow]) {
    let Some(row) = parts.first() else { return };
    let code = field(row, "topic_code").to_owned();
    let industry_code = field(row, "standard_code").to_owned();
    let body = row.standard().map_or(row.title.as_str(), |standard| standard.body);
    let path = [body.to_owned(), field(row, "sector").to_owned()];
    let kind_of = |level: usize| if level == 0 { NodeKind::Standard } else { NodeKind::Sector };
    let Some(sector) = builder.heading(&row.source_type, &path, kind_of) else { return };
    let industry = *seen.entry(industry_code.clone()).or_insert_with(|| {
        builder.nodes.push(TreeNode {
            id: Some(industry_code.clone()),
            number: industry_code.clone(),
            label: field(row, "industry_sector").to_owned(),
            kind: NodeKind::Industry,
            depth: 2,
            parent: Some(sector),
            requirement: false,
            source_type: row.source_type.clone(),
        });
        builder.nodes.len() - 1
    });
    if code.is_empty() || code == industry_code {
        return;
    }
    let topic = *seen.entry(code.clone()).or_insert_with(|| {
        builder.nodes.push(TreeNode {
            id: Some(code.clone()),
            number: code.clone(),
            label: field(row, "disclosure_topic").to_owned(),
            kind: NodeKind::Topic,
            depth: 3,
            parent: Some(industry),
            requirement: true,
            source_type: row.source_type.clone(),
        });
        builder.nodes.len() - 1
    });
    for metric in StandardMetric::read(&joined(parts.iter().copied())) {
        let Entry::Vacant(unseen) = seen.entry(metric.code) else { continue };
        let node = TreeNode {
            id: Some(unseen.key().clone()),
            number: unseen.key().clone(),
            label: metric.label,
            kind: NodeKind::Metric,
            depth: 4,
            parent: Some(topic),
            requirement: true,
            source_type: row.source_type.clone(),
        };
        let metric_row = builder.push(node);
        unseen.insert(metric_row);
        for item in metric.also_to_be_discussed {
            builder.push(TreeNode {
                id: Some(item.id),
                number: item.number.to_string(),
                label: item.text,
                kind: NodeKind::Item,
                depth: 5,
                parent: Some(metric_row),
                requirement: true,
                source_type: row.source_type.clone(),
            });
        }
    }
}

/// Puts children right after their parent, keeping their order.
fn depth_first(nodes: Vec<TreeNode>) -> Vec<TreeNode> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    let mut pending: Vec<usize> = Vec::new();
    for (row, node) in nodes.iter().enumerate() {
        match node.parent {
            Some(parent) => children[parent].push(row),
            None => pending.push(row),
        }
    }
    pending.reverse();
    let mut place = vec![0; nodes.len()];
    let mut out: Vec<TreeNode> = Vec::with_capacity(nodes.len());
    while let Some(row) = pending.pop() {
        place[row] = out.len();
        let mut node = nodes[row].clone();
        node.parent = node.parent.map(|parent| place[parent]);
        out.push(node);
        pending.extend(children[row].iter().rev());
    }
    out
}
