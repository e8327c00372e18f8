//! Charts and diagrams of Office files: the figures of a chart are a table, the words of a diagram a list.

mod chart;

use super::builder::{DocumentBuilder, Mark};
use super::office::{Package, Parts, Reference, attribute, below, element, elements, parse};
use chart::Chart;
use roxmltree::Node;
use std::collections::HashMap;

/// Most points of a diagram that are read.
const MOST: usize = 10_000;
/// Deepest nesting of a diagram.
const DEPTH: usize = 8;

/// What a drawing says.
#[derive(Debug, Clone)]
pub(super) enum Drawing {
    Chart(Chart),
    /// Depth and words of each point.
    Diagram(Vec<(usize, String)>),
}

impl Drawing {
    /// Reads the drawing that `id` refers to from a part that refers to the parts `beside`. `None` if it is of a kind
    /// that is not read, is missing, or says nothing.
    fn of(
        parts: &mut Parts<'_>,
        beside: &HashMap<String, Reference>,
        id: &str,
        kind: Package,
    ) -> Option<Self> {
        let reference = beside.get(id)?;
        let text = parts.text(&reference.part).ok()??;
        let tree = parse(&text, kind).ok()?;
        let root = tree.root_element();
        match root.tag_name().name() {
            "chartSpace" => chart::read(root).map(Self::Chart),
            "dataModel" => diagram(root),
            _ => None,
        }
    }

    /// Whether a reference is one to a drawing.
    pub(super) fn is(reference: &Reference) -> bool {
        matches!(reference.kind.as_str(), "chart" | "chartEx" | "diagramData")
    }

    /// All that the parts `beside` hold, by their references.
    pub(super) fn all(
        parts: &mut Parts<'_>,
        beside: &HashMap<String, Reference>,
        kind: Package,
    ) -> HashMap<String, Self> {
        let ids = beside.iter().filter(|(_, one)| Self::is(one)).map(|(id, _)| id);
        ids.filter_map(|id| Some((id.clone(), Self::of(parts, beside, id, kind)?))).collect()
    }

    /// Whether all that it shows are cells of sheets that are `read`.
    pub(super) fn shows_only(&self, read: impl Fn(&str) -> bool) -> bool {
        matches!(self, Self::Chart(chart) if chart.sheets.iter().all(|sheet| read(sheet)))
    }

    pub(super) fn write(&self, out: &mut DocumentBuilder) {
        match self {
            Self::Chart(chart) => chart.tables.iter().for_each(|(title, table)| {
                out.paragraph(title.as_str());
                out.table(table.clone());
            }),
            Self::Diagram(points) => {
                points.iter().for_each(|(depth, words)| out.item(*depth, &Mark::Bullet, words));
                out.end_list();
            }
        }
    }
}

/// The words of rich text below `node`, paragraph by paragraph.
fn words(node: Node<'_, '_>) -> String {
    let paragraphs = node.descendants().filter(|inner| inner.tag_name().name() == "p").map(|paragraph| {
        let texts = paragraph.descendants().filter(|inner| inner.tag_name().name() == "t");
        texts.filter_map(|text| text.text()).collect::<String>()
    });
    paragraphs.filter(|text| !text.trim().is_empty()).collect::<Vec<_>>().join(" ")
}

fn diagram(root: Node<'_, '_>) -> Option<Drawing> {
    let listed = |name: &str, of: &str| {
        element(root, name).map(|list| elements(list, of).collect::<Vec<_>>()).unwrap_or_default()
    };
    let points = listed("ptLst", "pt");
    let own = |point: &&Node<'_, '_>| {
        matches!(attribute(**point, "type").unwrap_or("node"), "node" | "asst" | "doc")
    };
    let mut said: HashMap<&str, String> = HashMap::new();
    let mut order: Vec<&str> = Vec::new();
    for point in points.iter().filter(own).take(MOST) {
        let id = attribute(*point, "modelId").unwrap_or_default();
        said.insert(id, element(*point, "t").map(words).unwrap_or_default());
        order.push(id);
    }
    let mut below: HashMap<&str, Vec<(u32, &str)>> = HashMap::new();
    for link in listed("cxnLst", "cxn") {
        if attribute(link, "type").is_none_or(|kind| kind == "parOf") {
            let place = attribute(link, "srcOrd").and_then(|place| place.parse().ok()).unwrap_or(0);
            let ends = attribute(link, "srcId").zip(attribute(link, "destId"));
            if let Some((from, to)) = ends {
                below.entry(from).or_default().push((place, to));
            }
        }
    }
    below.values_mut().for_each(|points| points.sort_unstable());
    let inner: Vec<&str> = below.values().flatten().map(|(_, id)| *id).collect();
    let mut out = Vec::new();
    let mut waiting: Vec<(usize, &str)> =
        order.iter().rev().filter(|id| !inner.contains(id)).map(|id| (0, *id)).collect();
    while let Some((depth, id)) = waiting.pop().filter(|_| out.len() < MOST) {
        let text = said.remove(id).unwrap_or_default();
        let deeper = if text.is_empty() { depth } else { (depth + 1).min(DEPTH) };
        if !text.is_empty() {
            out.push((depth, text));
        }
        let points = below.remove(id).unwrap_or_default();
        waiting.extend(points.into_iter().rev().map(|(_, id)| (deeper, id)));
    }
    (!out.is_empty()).then_some(Drawing::Diagram(out))
}

/// The reference of what a frame draws, which begins at `node`.
pub(super) fn reference<'t>(node: Node<'t, '_>) -> Option<&'t str> {
    let data = below(node, &["graphic", "graphicData"])?;
    let ids = data.descendants().flat_map(|inner| inner.attributes());
    ids.filter(|id| matches!(id.name(), "id" | "dm") && id.namespace().is_some()).map(|id| id.value()).next()
}
