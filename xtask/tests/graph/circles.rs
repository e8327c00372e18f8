//! Circles in a graph of names.

use std::collections::{BTreeMap, BTreeSet};

/// What each name leads to.
pub type Graph = BTreeMap<String, BTreeSet<String>>;

/// The largest sets of names that all lead to one another, of two names or more.
pub fn circles(graph: &Graph) -> Vec<BTreeSet<String>> {
    let reached: BTreeMap<&String, BTreeSet<&String>> =
        graph.keys().map(|name| (name, reach(graph, name))).collect();
    let both = |a: &String, b: &String| {
        let leads = |a, b| reached.get(a).is_some_and(|set: &BTreeSet<&String>| set.contains(b));
        leads(a, b) && leads(b, a)
    };
    let mut found: Vec<BTreeSet<String>> = Vec::new();
    for name in graph.keys() {
        let circle: BTreeSet<String> =
            graph.keys().filter(|other| *other == name || both(name, other)).cloned().collect();
        if circle.len() > 1 && !found.contains(&circle) {
            found.push(circle);
        }
    }
    found
}

/// Every name that `from` leads to, over any number of steps.
fn reach<'a>(graph: &'a Graph, from: &String) -> BTreeSet<&'a String> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&String> = graph.get(from).into_iter().flatten().collect();
    while let Some(name) = open.pop() {
        if reached.insert(name) {
            open.extend(graph.get(name).into_iter().flatten());
        }
    }
    reached
}

/// The names by their height above the lowest: each leads only to lower names, or to its own circle.
pub fn ranks(graph: &Graph) -> Vec<BTreeSet<String>> {
    let circles = circles(graph);
    let same = |a: &String, b: &String| {
        a == b || circles.iter().any(|circle| circle.contains(a) && circle.contains(b))
    };
    let mut ranks: Vec<BTreeSet<String>> = Vec::new();
    let mut placed: BTreeSet<&String> = BTreeSet::new();
    while placed.len() < graph.len() {
        let ready = |name: &&String| {
            !placed.contains(name)
                && reach(graph, name)
                    .into_iter()
                    .all(|other| same(name, other) || placed.contains(other) || !graph.contains_key(other))
        };
        let rank: Vec<&String> = graph.keys().filter(ready).collect();
        ranks.push(rank.iter().map(|name| (*name).clone()).collect());
        placed.extend(rank);
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::{Graph, circles, ranks};
    use std::collections::BTreeSet;

    fn graph(edges: &[(&str, &str)]) -> Graph {
        let mut graph = Graph::new();
        for (from, to) in edges {
            graph.entry((*to).to_owned()).or_default();
            graph.entry((*from).to_owned()).or_default().insert((*to).to_owned());
        }
        graph
    }

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn a_circle_over_several_steps_is_found_and_a_diamond_is_none() {
        let diamond = graph(&[("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")]);
        assert!(circles(&diamond).is_empty());
        assert_eq!(ranks(&diamond), [set(&["d"]), set(&["b", "c"]), set(&["a"])]);
        let round = graph(&[("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")]);
        assert_eq!(circles(&round), [set(&["a", "b", "c"])]);
        assert_eq!(ranks(&round), [set(&["d"]), set(&["a", "b", "c"])]);
    }
}
