//! Charts and diagrams of Office files: the figures of a chart are a table, the words of a diagram a list.

use super::builder::{DocumentBuilder, Mark};
use super::office::{Package, Parts, Reference, attribute, below, element, elements, parse};
use super::sheet::number_shown;
use super::table::{Cell, Table};
use roxmltree::Node;
use std::collections::HashMap;

/// Most points of a chart, and of a diagram, that are read.
const MOST: usize = 10_000;
/// Deepest nesting of a diagram.
const DEPTH: usize = 8;

/// What a drawing says.
#[derive(Debug, Clone)]
pub(super) enum Drawing {
    Chart {
        title: String,
        table: Table,
    },
    /// Depth and words of each point.
    Diagram(Vec<(usize, String)>),
}

impl Drawing {
    /// Reads the drawing that `id` refers to from a part that refers to the parts `beside`; `None` where it is of a kind that
    /// is not read, is missing, or says nothing.
    pub(super) fn of(
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
            "chartSpace" => chart(root),
            "dataModel" => diagram(root),
            _ => None,
        }
    }

    pub(super) fn write(&self, out: &mut DocumentBuilder) {
        match self {
            Self::Chart { title, table } => {
                out.paragraph(title);
                out.table(table.clone());
            }
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

fn chart(root: Node<'_, '_>) -> Option<Drawing> {
    let chart = element(root, "chart")?;
    let plot = element(chart, "plotArea")?;
    let series: Vec<_> = plot.descendants().filter(|node| node.tag_name().name() == "ser").collect();
    let mut names: Vec<String> = Vec::new();
    let mut columns: Vec<HashMap<usize, String>> = Vec::new();
    let mut labels: Vec<(usize, String)> = Vec::new();
    for (index, one) in series.iter().enumerate() {
        let name = element(*one, "tx")
            .map(|text| points(text).into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(" "));
        names.push(name.filter(|name| !name.is_empty()).unwrap_or_else(|| format!("Series {}", index + 1)));
        let across = element(*one, "cat").or_else(|| element(*one, "xVal")).map(points).unwrap_or_default();
        for (at, text) in across {
            if !labels.iter().any(|(known, _)| *known == at) {
                labels.push((at, text));
            }
        }
        let values = element(*one, "val").or_else(|| element(*one, "yVal")).map(points).unwrap_or_default();
        columns.push(values.into_iter().collect());
    }
    let mut rows: Vec<usize> = columns.iter().flat_map(HashMap::keys).copied().collect();
    rows.extend(labels.iter().map(|(at, _)| *at));
    rows.sort_unstable();
    rows.dedup();
    if rows.is_empty() || rows.len() * names.len() > MOST || columns.iter().all(HashMap::is_empty) {
        return None;
    }
    let axis = |kind: &str| {
        element(plot, kind).and_then(|axis| element(axis, "title")).map(words).unwrap_or_default()
    };
    let title = element(chart, "title").map(words).unwrap_or_default();
    let unit = axis("valAx");
    let title = match (title.is_empty(), unit.is_empty()) {
        (false, false) => format!("{title} ({unit})"),
        (true, _) => unit,
        _ => title,
    };
    let head = std::iter::once(axis("catAx")).chain(names).map(Cell::new).collect();
    let body = rows.iter().map(|row| {
        let label = labels
            .iter()
            .find(|(at, _)| at == row)
            .map_or_else(|| (row + 1).to_string(), |(_, text)| text.clone());
        let values = columns.iter().map(|column| column.get(row).cloned().unwrap_or_default());
        std::iter::once(label).chain(values).map(Cell::new).collect()
    });
    let rows = std::iter::once(head).chain(body).collect();
    Some(Drawing::Chart { title, table: Table { rows, declared: 1, complete: true, sheet: false } })
}

/// The points that a chart keeps below `node`, as they are shown.
fn points(node: Node<'_, '_>) -> Vec<(usize, String)> {
    // Labels on several levels: the innermost comes first in the file, and is what tells the points apart.
    let levels: Vec<_> = node.descendants().filter(|inner| inner.tag_name().name() == "lvl").collect();
    let holder = levels.first().copied().unwrap_or(node);
    let code =
        node.descendants().find(|inner| inner.tag_name().name() == "formatCode").and_then(|code| code.text());
    let code = code.unwrap_or("General");
    let numeric = node.descendants().any(|inner| matches!(inner.tag_name().name(), "numCache" | "numLit"));
    let found =
        holder.descendants().filter(|inner| inner.tag_name().name() == "pt").take(MOST).filter_map(|point| {
            let value = element(point, "v")?.text()?.trim();
            let shown = value.parse().ok().filter(|_| numeric).map(|number| number_shown(number, code));
            Some((attribute(point, "idx")?.parse().ok()?, shown.unwrap_or_else(|| value.to_owned())))
        });
    let found: Vec<_> = found.collect();
    // A name may be written out instead of referred to.
    let literal =
        || element(node, "v").and_then(|value| value.text()).map(|text| vec![(0, text.trim().to_owned())]);
    if found.is_empty() { literal().unwrap_or_default() } else { found }
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
