//! Every cross-reference resolves, in both directions.

use crate::explained;
use crate::facts;
use serde_json::Value;
use sibyl_corpus::root;
use std::collections::{BTreeMap, BTreeSet};

fn references() -> Value {
    let text = std::fs::read_to_string(root().join("data/ifrs/cross_references.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn map(value: &Value) -> BTreeMap<String, Vec<String>> {
    value.as_object().unwrap().iter().map(|(key, ids)| (key.clone(), facts::strings(ids))).collect()
}

fn identifiers() -> BTreeSet<String> {
    facts::both_editions().into_iter().map(|node| node.id).collect()
}

#[test]
fn what_is_cited_exists_and_cited_by_is_its_inverse() {
    let (ids, references) = (identifiers(), references());
    let (cites, cited_by) = (map(&references["cites"]), map(&references["cited_by"]));
    let mut inverse: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (from, to) in &cites {
        assert!(ids.contains(from), "{from}");
        for id in to {
            assert!(ids.contains(id), "{from} → {id}");
            inverse.entry(id.clone()).or_default().insert(from.clone());
        }
    }
    let given: BTreeMap<_, BTreeSet<_>> =
        cited_by.into_iter().map(|(k, v)| (k, v.into_iter().collect())).collect();
    assert_eq!(given, inverse);
}

#[test]
fn every_printed_reference_is_among_those_cited() {
    let cites = map(&references()["cites"]);
    for node in facts::both_editions() {
        for reference in &node.cross_refs {
            for found in sibyl_text::reference::detect(reference) {
                for id in found.ids.iter().filter(|id| **id != node.id) {
                    assert!(cites.get(&node.id).is_some_and(|to| to.contains(id)), "{} → {id}", node.id);
                }
            }
        }
    }
}

#[test]
fn terms_and_topics_exist() {
    let (ids, references) = (identifiers(), references());
    let terms = map(&references["terms"]);
    let wanted: BTreeSet<_> = ids.iter().filter(|id| id.contains(".A.")).cloned().collect();
    assert_eq!(terms.keys().cloned().collect::<BTreeSet<_>>(), wanted);
    for (term, users) in &terms {
        assert!(!users.is_empty(), "{term} is used nowhere");
        assert!(users.iter().all(|id| ids.contains(id)), "{term}");
    }
    let codes = facts::load("sasb_industries.json").to_string();
    for (paragraph, industries) in references["s2_to_sasb"].as_object().unwrap() {
        assert!(ids.contains(paragraph), "{paragraph}");
        for (industry, topics) in map(industries) {
            for topic in topics {
                assert!(topic.starts_with(&industry) && codes.contains(&format!("\"{topic}\"")), "{topic}");
            }
        }
    }
}

#[test]
fn every_identifier_named_in_an_explanation_exists() {
    let ids = identifiers();
    let codes = facts::load("sasb_industries.json").to_string();
    for (name, text) in explained::files() {
        for (id, explanation) in explained::explanations(&text) {
            for found in sibyl_text::reference::detect(&explanation.prose) {
                for reference in found.ids.iter().filter(|_| found.detector != "sfs") {
                    let known = ids.contains(reference) || codes.contains(&format!("\"{reference}\""));
                    assert!(known, "{name}, {id}: {reference}");
                }
            }
        }
    }
}
