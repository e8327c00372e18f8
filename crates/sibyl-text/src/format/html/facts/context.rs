//! What facts are about: contexts and units (XBRL 2.1, sections 4.7 and 4.8; XBRL Dimensions 1.0).

use super::super::{attribute, name};
use dom_query::{Document as Tree, NodeRef};
use std::collections::HashMap;

/// When, who, and what else a fact is divided by.
type Context = (String, String, Vec<(String, String)>);

/// The contexts and units of a page, by their ids.
#[derive(Default)]
pub(super) struct Contexts {
    contexts: HashMap<String, Context>,
    units: HashMap<String, String>,
}

impl Contexts {
    pub(super) fn of(tree: &Tree) -> Self {
        let mut out = Self::default();
        for resources in tree.select("ix\\:resources").nodes() {
            for node in resources.children_it(false) {
                let Some(id) = attribute(&node, "id") else { continue };
                match local(&node).as_str() {
                    "context" => drop(out.contexts.insert(id, context(&node))),
                    "unit" => drop(out.units.insert(id, unit(&node))),
                    _ => {}
                }
            }
        }
        out
    }

    /// Period, entity and dimensions of the fact that `node` tags.
    pub(super) fn of_fact(&self, node: &NodeRef<'_>) -> Option<Context> {
        self.contexts.get(&attribute(node, "contextref")?).cloned()
    }

    /// The unit called `id`.
    pub(super) fn unit(&self, id: &str) -> Option<String> {
        self.units.get(id).cloned()
    }
}

/// Name of an element without its prefix.
fn local(node: &NodeRef<'_>) -> String {
    let name = name(node);
    name.rsplit(':').next().unwrap_or_default().to_owned()
}

fn text(node: &NodeRef<'_>) -> String {
    node.text().trim().to_owned()
}

fn context(node: &NodeRef<'_>) -> Context {
    let (mut entity, mut dimensions) = (String::new(), Vec::new());
    let (mut instant, mut start, mut end, mut forever) = (None, None, None, false);
    for inner in node.descendants_it() {
        match local(&inner).as_str() {
            "identifier" => entity = text(&inner),
            "instant" => instant = Some(text(&inner)),
            "startdate" => start = Some(text(&inner)),
            "enddate" => end = Some(text(&inner)),
            "forever" => forever = true,
            "explicitmember" | "typedmember" => {
                if let Some(axis) = attribute(&inner, "dimension") {
                    dimensions.push((axis, text(&inner)));
                }
            }
            _ => {}
        }
    }
    let period = match (instant, start, end) {
        (Some(day), _, _) => day,
        (None, Some(start), Some(end)) => format!("{start}/{end}"),
        _ if forever => "forever".to_owned(),
        _ => String::new(),
    };
    (period, entity, dimensions)
}

/// A unit: measures multiplied, and those that they are divided by.
fn unit(node: &NodeRef<'_>) -> String {
    let (mut above, mut below) = (Vec::new(), Vec::new());
    for inner in node.descendants_it().filter(|inner| local(inner) == "measure") {
        let divides = inner.ancestors_it(Some(4)).any(|above| local(&above) == "unitdenominator");
        if divides { below.push(text(&inner)) } else { above.push(text(&inner)) }
    }
    let above = above.join(" × ");
    if below.is_empty() { above } else { format!("{above} / {}", below.join(" × ")) }
}
