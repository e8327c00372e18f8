//! The facts: what the standards' numbers, headings and codes are.

use serde_json::Value;
use sibyl_tests::fixture;

pub fn load(name: &str) -> Value {
    let text = std::fs::read_to_string(fixture("facts").join(name)).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// A paragraph, item or term with its paragraph's fields.
pub struct Node {
    pub id: String,
    pub topic: String,
    pub depth: usize,
    pub children: Vec<String>,
    pub heading_path: Vec<String>,
    pub pillar: String,
    pub kind: String,
    pub language: String,
    pub cross_refs: Vec<String>,
    pub amended: bool,
}

/// Nodes of `s1` or `s2` in the order of the standard.
pub fn nodes(standard: &str) -> Vec<Node> {
    let facts = load(&format!("ifrs_{standard}_structure.json"));
    let mut out = Vec::new();
    for paragraph in facts["paragraphs"].as_array().unwrap() {
        walk(paragraph, paragraph, 0, &mut out);
    }
    let corrected = std::fs::read_to_string(fixture("facts/modality.tsv")).unwrap();
    for line in corrected.lines().filter(|line| !line.starts_with('#')) {
        let [id, former, language] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        for node in out.iter_mut().filter(|node| node.id == id && node.depth == 0) {
            assert_eq!(node.language, former, "{id}");
            node.language = language.to_owned();
        }
    }
    out
}

fn walk(node: &Value, paragraph: &Value, depth: usize, out: &mut Vec<Node>) {
    let children = node["children"].as_array().cloned().unwrap_or_default();
    out.push(Node {
        id: text(&node["id"]),
        topic: text(&node["topic"]),
        depth,
        children: children.iter().map(|child| text(&child["id"])).collect(),
        heading_path: strings(&paragraph["heading_path"]),
        pillar: text(&paragraph["pillar"]),
        kind: text(&paragraph["kind"]),
        language: text(&paragraph["language"]),
        cross_refs: if depth == 0 { strings(&node["cross_refs"]) } else { Vec::new() },
        amended: node["amended_dec_2025"].as_bool().unwrap_or(false),
    });
    for child in &children {
        walk(child, paragraph, depth + 1, out);
    }
}

pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

pub fn strings(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().map(text).collect()
}
