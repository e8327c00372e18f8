//! Requirements: the parts of the standards in an assessment's scope, in reading order under their headings.

use super::phrases::{said, telling};
use super::quantity::Quantity;
use super::{AssessmentLevel, AssessmentScope};
use crate::explanation::{explain, joined};
use crate::metric::StandardMetric;
use crate::standards::evidence::query;
use crate::standards::tree::build;
use crate::standards::{NodeKind, PartKind, StandardRows, TreeNode, id_of};
use crate::store::short_hash;
use crate::store::table::chunk::ChunkRow;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_text::source_type;
use std::collections::{HashMap, HashSet};

/// A row of the grid; rows are in reading order, children right after their parent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RequirementRow {
    /// Identifier; `None` for a heading.
    pub id: Option<String>,
    /// Number as printed below its parent.
    pub number: String,
    /// Heading or label.
    pub label: String,
    /// Its kind.
    pub kind: NodeKind,
    /// Depth, 0 for a standard.
    pub depth: usize,
    /// Row of its parent.
    pub parent: Option<usize>,
    /// Whether it is to be decided; all others sum up what is below them.
    pub requirement: bool,
    /// Number of items of its checklist.
    pub mandatory: bool,
    /// Items of its checklist.
    pub items: usize,
    /// Source type of the standard that it belongs to.
    pub source_type: String,
    /// Reports that it is asked of; `None` if it is asked of all.
    pub reports: Option<Vec<String>>,
}

impl RequirementRow {
    /// Whether it is asked of the report called `id`.
    pub fn is_asked_of(&self, id: &str) -> bool {
        self.reports.as_ref().is_none_or(|reports| reports.iter().any(|report| report == id))
    }
}

/// A part of what a requirement asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AskedPart {
    /// Its identifier.
    pub id: String,
    /// Name of its list, as data spell it; empty for an item of a checklist.
    pub list: &'static str,
    /// Its words.
    pub text: String,
}

/// What a requirement asks for.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Requirement {
    pub id: String,
    pub label: String,
    /// Its explanation; what is measured, for a metric.
    pub prose: String,
    /// Its checklist: id and words of each item.
    pub items: Vec<(String, String)>,
    /// Unit of measure, for a metric.
    pub unit: Option<String>,
    /// What else its explanation lists. What a metric has besides its checklist: what counts, definitions and the
    /// like.
    pub parts: Vec<AskedPart>,
    /// How reports say what each item asks for.
    pub said: Vec<Vec<String>>,
    /// The words that tell each item from others, as stems with their weights.
    pub telling: Vec<Vec<(String, f64)>>,
    /// The figures that it asks for.
    pub quantity: Option<Quantity>,
    /// What is searched for.
    pub query: String,
    /// Hash of all of it.
    pub hash: String,
}

impl Requirement {
    /// Whether it is a metric of an industry: its first item is what is measured, and the others say more of that.
    pub fn is_metric(&self) -> bool {
        self.id.contains('-')
    }

    fn new(id: &str, label: &str, prose: &str, items: Vec<(String, String)>, unit: Option<String>) -> Self {
        let part = |(id, text): &(String, String)| AskedPart { id: id.clone(), list: "", text: text.clone() };
        let parts = items.iter().map(part).collect();
        let items = if items.is_empty() { vec![(id.to_owned(), label.to_owned())] } else { items };
        let query = query(label, prose);
        let prose_of =
            |item: &str| if item == id || item.strip_suffix(".measured") == Some(id) { prose } else { "" };
        let said: Vec<Vec<String>> =
            items.iter().map(|(item, words)| said(item, words, prose_of(item))).collect();
        let telling = items.iter().zip(&said).map(|((item, _), said)| telling(item, said)).collect();
        let quantity = match &unit {
            Some(unit) => Some(Quantity::of_metric(label, unit)),
            None => Quantity::of(id),
        };
        let mut all: Vec<&str> = vec![id, &query, unit.as_deref().unwrap_or_default()];
        all.extend(items.iter().flat_map(|(id, words)| [id.as_str(), words.as_str()]));
        let hash = short_hash(&all);
        let (id, label, prose) = (id.to_owned(), label.to_owned(), prose.to_owned());
        Self { id, label, prose, items, unit, parts, said, telling, quantity, query, hash }
    }
}

/// The rows of the grid, and what the ones to decide ask for, in their order.
#[derive(Debug, Default)]
pub(super) struct Requirements {
    pub rows: Vec<RequirementRow>,
    pub asked: Vec<Requirement>,
}

/// The standards with what finds their parts.
pub(super) struct Catalogue<'a> {
    nodes: Vec<TreeNode>,
    chunks: HashMap<&'a str, Vec<&'a ChunkRow>>,
    children: Vec<Vec<usize>>,
}

impl<'a> Catalogue<'a> {
    pub fn new(standards: &'a StandardRows) -> Self {
        let nodes = build(standards);
        let mut chunks: HashMap<&str, Vec<&ChunkRow>> = HashMap::new();
        for row in &standards.rows {
            if let Some(id) = id_of(row) {
                chunks.entry(id).or_default().push(row);
            }
        }
        let mut children = vec![Vec::new(); nodes.len()];
        for (at, node) in nodes.iter().enumerate() {
            if let Some(parent) = node.parent {
                children[parent].push(at);
            }
        }
        Self { nodes, chunks, children }
    }

    /// The nodes of the tree.
    pub fn nodes(&self) -> &[TreeNode] {
        &self.nodes
    }

    /// What is in `scope`.
    pub fn requirements(&self, scope: &AssessmentScope) -> Requirements {
        let decided: Vec<usize> = self.decided(scope);
        let mut wanted: HashSet<usize> = HashSet::new();
        for &at in &decided {
            let mut next = Some(at);
            while let Some(at) = next.filter(|at| wanted.insert(*at)) {
                next = self.nodes[at].parent;
            }
        }
        let mut place: HashMap<usize, usize> = HashMap::new();
        let mut out = Requirements::default();
        let mut metrics: HashMap<&str, Vec<StandardMetric>> = HashMap::new();
        for (at, node) in self.nodes.iter().enumerate().filter(|(at, _)| wanted.contains(at)) {
            place.insert(at, out.rows.len());
            let requirement = decided.binary_search(&at).is_ok();
            let asked = requirement.then(|| self.asked(at, scope, &mut metrics)).flatten();
            out.rows.push(RequirementRow {
                id: node.id.clone(),
                number: node.number.clone(),
                label: label(node),
                kind: node.kind,
                depth: node.depth,
                parent: node.parent.and_then(|parent| place.get(&parent).copied()),
                requirement: asked.is_some(),
                mandatory: node.requirement && !self.is_metric(at),
                items: asked.as_ref().map_or(0, |asked| asked.items.len()),
                source_type: node.source_type.clone(),
                reports: self.reports(at, scope),
            });
            out.asked.extend(asked);
        }
        out
    }

    /// Reports to which `at` applies, if not all.
    fn reports(&self, at: usize, scope: &AssessmentScope) -> Option<Vec<String>> {
        let industry = scope.industry(self.industry(at)?)?;
        (!industry.reports.is_empty()).then(|| industry.reports.clone())
    }

    fn is_metric(&self, at: usize) -> bool {
        self.nodes[at].kind == NodeKind::Metric
    }

    /// Whether the part of a standard with paragraphs asks for something that is in `scope`.
    fn asks(&self, at: usize, scope: &AssessmentScope) -> bool {
        let node = &self.nodes[at];
        if node.requirement || scope.mandatory {
            return node.requirement;
        }
        let row = node.id.as_deref().and_then(|id| self.chunks.get(id)?.first());
        row.is_some_and(|row| PartKind::of(row) == PartKind::Requirement)
    }

    /// The nodes to be decided, in their order.
    fn decided(&self, scope: &AssessmentScope) -> Vec<usize> {
        let out = |id: &str| scope.left_out.iter().any(|left| is_below(id, &left.id));
        let mut decided = Vec::new();
        for (at, node) in self.nodes.iter().enumerate() {
            let Some(id) = node.id.as_deref().filter(|id| !out(id)) else { continue };
            let counts = match node.kind {
                NodeKind::Metric => self.industry(at).is_some_and(|code| scope.industry(code).is_some()),
                NodeKind::Paragraph | NodeKind::Item if scope.standards.contains(&node.source_type) => {
                    match scope.level {
                        AssessmentLevel::Item => self.asks(at, scope) && self.leaves(at, scope).is_empty(),
                        AssessmentLevel::Paragraph => {
                            node.kind == NodeKind::Paragraph
                                && (self.asks(at, scope) || !self.leaves(at, scope).is_empty())
                        }
                    }
                }
                _ => false,
            };
            if counts && self.chunks_or_metric(id, node.kind) {
                decided.push(at);
            }
        }
        decided
    }

    fn chunks_or_metric(&self, id: &str, kind: NodeKind) -> bool {
        kind == NodeKind::Metric || self.chunks.contains_key(id)
    }

    /// The code of the industry that a node is or belongs to.
    fn industry(&self, at: usize) -> Option<&String> {
        let mut next = Some(at);
        while let Some(at) = next {
            if self.nodes[at].kind == NodeKind::Industry {
                return self.nodes[at].id.as_ref();
            }
            next = self.nodes[at].parent;
        }
        None
    }

    /// The deepest parts below `at` that ask for something in `scope`.
    fn leaves(&self, at: usize, scope: &AssessmentScope) -> Vec<usize> {
        let mut leaves = Vec::new();
        for &child in &self.children[at] {
            let below = self.leaves(child, scope);
            if below.is_empty() && self.asks(child, scope) {
                leaves.push(child);
            }
            leaves.extend(below);
        }
        leaves
    }

    fn asked(
        &self,
        at: usize,
        scope: &AssessmentScope,
        metrics: &mut HashMap<&'a str, Vec<StandardMetric>>,
    ) -> Option<Requirement> {
        let node = &self.nodes[at];
        let id = node.id.as_deref()?;
        if node.kind == NodeKind::Metric {
            return self.metric(id, metrics);
        }
        let items = self.leaves(at, scope).into_iter().filter_map(|leaf| {
            let leaf = &self.nodes[leaf];
            Some((leaf.id.clone()?, leaf.label.clone()))
        });
        let prose = self.prose(id);
        Some(Requirement::new(id, &node.label, &prose, items.collect(), None))
    }

    fn prose(&self, id: &str) -> String {
        self.chunks.get(id).map(|rows| explain(rows).prose).unwrap_or_default()
    }

    /// The metric `code`. Its checklist is what is measured, followed by what is also to be discussed.
    fn metric(&self, code: &str, metrics: &mut HashMap<&'a str, Vec<StandardMetric>>) -> Option<Requirement> {
        let topic = code.rsplit_once('.')?.0;
        let (&topic, rows) = self.chunks.get_key_value(topic)?;
        let of_topic =
            metrics.entry(topic).or_insert_with(|| StandardMetric::read(&joined(rows.iter().copied())));
        let metric = of_topic.iter().find(|metric| metric.code == code)?;
        let mut items = vec![(metric.measured.id.clone(), metric.label.clone())];
        items.extend(metric.also_to_be_discussed.iter().map(|item| (item.id.clone(), item.text.clone())));
        let unit = (metric.category == "Quantitative").then(|| metric.unit.clone());
        let asked = Requirement::new(code, &metric.label, &metric.measured.text, items, unit);
        // What is measured is the explanation itself.
        let parts = metric.items().skip(1);
        let parts =
            parts.map(|(list, item)| AskedPart { id: item.id.clone(), list, text: item.text.clone() });
        Some(Requirement { parts: parts.collect(), ..asked })
    }

    /// Requirements that a report is not about: metrics of industries outside `scope`, `count` of them spread over
    /// all.
    pub fn foreign(&self, scope: &AssessmentScope, count: usize) -> Vec<Requirement> {
        let all: Vec<usize> = (0..self.nodes.len())
            .filter(|&at| self.is_metric(at))
            .filter(|&at| self.industry(at).is_some_and(|code| scope.industry(code).is_none()))
            .collect();
        let mut metrics = HashMap::new();
        let step = (all.len() / count.max(1)).max(1);
        let codes = all.iter().step_by(step).take(count).filter_map(|&at| self.nodes[at].id.as_deref());
        codes.filter_map(|code| self.metric(code, &mut metrics)).collect()
    }
}

/// What a node is called; a standard by its body, too.
fn label(node: &TreeNode) -> String {
    let body = source_type::standards().find(|(kind, _)| kind.name == node.source_type);
    match body {
        Some((_, standard)) if node.kind == NodeKind::Standard && standard.body != node.label => {
            format!("{} · {}", standard.body, node.label)
        }
        _ => node.label.clone(),
    }
}

/// Whether `id` is `outer` or is below it.
pub(super) fn is_below(id: &str, outer: &str) -> bool {
    id.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with(['(', '.']))
}

#[cfg(test)]
mod tests {
    use super::is_below;

    #[test]
    fn what_stands_below_a_paragraph_is_told_by_its_id() {
        assert!(is_below("S2.14(a)(iv)", "S2.14") && is_below("S2.14", "S2.14"));
        assert!(is_below("IF-EU-110a.2", "IF-EU-110a"));
        assert!(!is_below("S2.140", "S2.14") && !is_below("S2.1", "S2.14"));
    }
}
