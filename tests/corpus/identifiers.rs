//! The set of identifiers, their order and what is said about each equal the facts.

use crate::explained;
use crate::facts::{self, Node};
use serde_json::{Map, Value};
use sibyl_corpus::root;
use sibyl_text::chunk::ifrs::counterparts;
use sibyl_text::chunk::{self, ChunkContext};
use sibyl_text::format::{Input, format_of};
use sibyl_text::tokens::CharsPerToken;
use sibyl_text::{Chunk, Document};
use std::collections::{BTreeMap, BTreeSet};

fn cut(name: &str) -> (Document, Vec<Chunk>, BTreeMap<String, String>) {
    let bytes = std::fs::read(root().join("data/ifrs").join(name)).unwrap();
    let input = Input { name, bytes: &bytes, page_metadata: None };
    let document = format_of(&input).unwrap().read(&input);
    assert_eq!(document.notices, []);
    let mapping = std::fs::read(root().join("data/ifrs/s1_s2_mapping.json")).unwrap();
    let counterparts = counterparts(&mapping).unwrap();
    let strategy = chunk::strategy("ifrs").unwrap();
    let settings = chunk::settings(strategy, &Map::new()).unwrap();
    let context = ChunkContext {
        path: name,
        tokens: &CharsPerToken,
        window: None,
        counterparts: &counterparts,
        base_url: "",
    };
    let chunks = strategy.chunk(&document, &settings, &context);
    (document, chunks, counterparts)
}

/// First chunk of each identifier, in order.
fn by_id(chunks: &[Chunk]) -> Vec<(String, &Chunk)> {
    let mut out: Vec<(String, &Chunk)> = Vec::new();
    for chunk in chunks {
        if let Some(id) = chunk.metadata.get("paragraph_id").and_then(Value::as_str)
            && out.iter().all(|(other, _)| other != id)
        {
            out.push((id.to_owned(), chunk));
        }
    }
    out
}

fn check(name: &str, standard: &str, nodes: &[Node], count: usize) {
    let (_, chunks, counterparts) = cut(name);
    let found = by_id(&chunks);
    assert_eq!(nodes.len(), count);
    let wanted: Vec<_> = nodes.iter().map(|n| n.id.as_str()).collect();
    assert_eq!(found.iter().map(|(id, _)| id.as_str()).collect::<Vec<_>>(), wanted);
    for (node, (_, chunk)) in nodes.iter().zip(&found) {
        check_metadata(node, &chunk.metadata, standard, &counterparts);
    }
}

fn check_metadata(
    node: &Node,
    metadata: &Map<String, Value>,
    standard: &str,
    counterparts: &BTreeMap<String, String>,
) {
    let field = |name: &str| metadata.get(name).cloned().unwrap_or_default();
    assert_eq!(field("standard"), standard.to_uppercase(), "{}", node.id);
    assert_eq!(field("pillar"), *node.pillar, "{}", node.id);
    assert_eq!(field("heading_path"), Value::from(node.heading_path.clone()), "{}", node.id);
    assert_eq!(field("section"), *node.heading_path.last().unwrap().as_str(), "{}", node.id);
    assert_eq!(field("sub_requirements"), Value::from(node.children.clone()), "{}", node.id);
    if standard == "s2"
        && node.pillar != "appendix"
        && let Some(own) = counterparts.get(&node.id)
    {
        assert_eq!(field("s1_counterpart"), **own, "{}", node.id);
    }
    if standard == "s1" {
        assert_eq!(field("s1_counterpart"), Value::Null, "{}", node.id);
    }
}

#[test]
fn s1_has_every_identifier_in_its_place() {
    check("s1_full.md", "s1", &facts::nodes("s1"), 375);
}

#[test]
fn s2_has_every_identifier_in_its_place() {
    check("s2_full.md", "s2", &facts::nodes("s2"), 323);
}

#[test]
fn what_the_amendments_touch_has_every_identifier_in_its_place() {
    check(explained::AMENDED, "s2", &facts::amended(), 33);
    let list = &facts::load("ifrs_s2_structure.json")["amendments_december_2025"];
    let listed = ["paragraphs_amended", "paragraphs_added"].map(|name| facts::strings(&list[name]));
    let touched: BTreeSet<String> = listed.into_iter().flatten().collect();
    let explained = facts::amended().into_iter().filter(|node| node.depth == 0).map(|node| node.id);
    assert_eq!(explained.collect::<BTreeSet<_>>(), touched);
}

/// Each says from when it applies and what changed. What the facts do not confirm is said not to be settled.
#[test]
fn an_amended_paragraph_says_what_is_certain() {
    let explanations = explained::amended();
    for paragraph in facts::load("ifrs_s2_amended_structure.json")["paragraphs"].as_array().unwrap() {
        let id = facts::text(&paragraph["id"]);
        let lines = &explanations[&id].lines;
        let edition = "as amended December 2025, applies from 1 January 2027, earlier use permitted.";
        assert_eq!(lines["Edition"], edition, "{id}");
        let changed = &lines["Changed"];
        let added = facts::text(&paragraph["status"]) == "added";
        assert_eq!(changed.starts_with("New paragraph."), added, "{id}: {changed}");
        let open = lines.get("Not settled");
        assert!(paragraph["not_seen"].is_null() || open.is_some(), "{id}: what was not seen");
        let sure = facts::text(&paragraph["confidence"]) == "high";
        assert!(sure || open.is_some() || changed.contains("confidence"), "{id}: how sure it is");
    }
}

#[test]
fn every_identifier_is_a_hit_of_its_own_and_names_itself() {
    for name in ["s1_full.md", "s2_full.md", explained::AMENDED] {
        let (document, chunks, _) = cut(name);
        for (id, chunk) in by_id(&chunks) {
            let text = chunk.text(&document.text);
            let header = text.lines().next().unwrap();
            assert!(
                header.ends_with(&format!("> {id}]")) || header.contains(&format!("> {id}] [Part ")),
                "{header}"
            );
        }
    }
}

#[test]
fn every_mapping_row_gives_a_counterpart() {
    let facts = facts::load("s1_s2_mapping.json");
    let mapping: Value =
        serde_json::from_slice(&std::fs::read(root().join("data/ifrs/s1_s2_mapping.json")).unwrap()).unwrap();
    assert_eq!(mapping["mappings"], facts["mappings"]);
    let rows = mapping["mappings"].as_array().unwrap();
    assert_eq!(rows.len(), 14);
    let counterparts = counterparts(mapping.to_string().as_bytes()).unwrap();
    for row in rows {
        let first = row["s2_paragraphs"].as_str().unwrap().split('-').next().unwrap();
        assert!(counterparts.contains_key(first), "{row}");
    }
    for paragraph in facts::nodes("s2").iter().filter(|node| node.depth == 0 && node.pillar != "appendix") {
        assert!(counterparts.contains_key(&paragraph.id), "{}", paragraph.id);
    }
    for pair in facts["item_pairs"].as_array().unwrap() {
        if let (Some(s2), Some(s1)) = (pair["s2"].as_str(), pair["s1"].as_str()) {
            assert_eq!(counterparts.get(s2).map(String::as_str), Some(s1));
        }
    }
}

#[test]
fn labels_kinds_and_modalities_are_those_of_the_facts() {
    let texts = [
        ("s1_full.md", facts::nodes("s1")),
        ("s2_full.md", facts::nodes("s2")),
        (explained::AMENDED, facts::amended()),
    ];
    for (name, nodes) in texts {
        let text = std::fs::read_to_string(root().join("data/ifrs").join(name)).unwrap();
        let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut at = 0;
        for node in nodes {
            let label = match node.topic.split_once(" (term") {
                Some((term, rest)) => format!("Term: {term}{}", rest.trim_end_matches(')')),
                None => node.topic.clone(),
            };
            let line = if node.depth == 0 {
                format!("**{} · {label}** *({} · {})*", node.id, node.kind, node.language)
            } else {
                let number = node.id.rfind('(').unwrap();
                format!("**{} {label}.**", &node.id[number..])
            };
            at += flat[at..]
                .find(&line)
                .unwrap_or_else(|| panic!("{}: `{line}` is not where it belongs", node.id));
            let next = flat[at..].find("\u{a0}").map_or(flat.len(), |n| at + n);
            if node.amended {
                assert!(flat[at..next].contains("*Amended December 2025:*"), "{}", node.id);
            }
        }
    }
}

#[test]
fn no_strategy_hands_out_what_the_explanations_are_only_found_by() {
    let aids = ["*Asked as:*", "*Points to:*", "*Terms:*"];
    for name in ["ifrs/s2_full.md", "sasb/airlines.md"] {
        // A strategy for standards of the other kind keeps its units, whatever they are.
        let fits =
            |strategy: &dyn chunk::Strategy| !strategy.has_units() || name.starts_with(strategy.name());
        let bytes = std::fs::read(root().join("data").join(name)).unwrap();
        let input = Input { name, bytes: &bytes, page_metadata: None };
        let document = format_of(&input).unwrap().read(&input);
        let context = ChunkContext {
            path: name,
            tokens: &CharsPerToken,
            window: None,
            counterparts: &BTreeMap::new(),
            base_url: "",
        };
        let listed: usize = aids.iter().map(|aid| document.text.matches(aid).count()).sum();
        for strategy in chunk::STRATEGIES {
            let settings = chunk::settings(*strategy, &Map::new()).unwrap();
            let chunks = strategy.chunk(&document, &settings, &context);
            let mut phrases = 0;
            for chunk in &chunks {
                let text = chunk.text(&document.text);
                let passage = chunk::passage(&chunk.pieces, &text);
                let name = strategy.name();
                let readable = !passage.trim().is_empty();
                assert!(readable || !fits(*strategy), "{name} cuts nothing but aids: {text}");
                assert!(aids.iter().all(|aid| !passage.contains(aid)), "{name}: {passage}");
                phrases += aids.iter().map(|aid| text.matches(aid).count()).sum::<usize>();
            }
            // An opening word may be cut off, and a paragraph repeats the aids of its items.
            assert!(phrases * 10 > listed * 9, "{} lost aids: {phrases} of {listed}", strategy.name());
        }
    }
}
