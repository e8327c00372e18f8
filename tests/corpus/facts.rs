//! The facts: what the standards' numbers, headings and codes are.

use serde_json::Value;
use sibyl_corpus::fixture;
use std::collections::{BTreeMap, BTreeSet};

pub fn load(name: &str) -> Value {
    let text = std::fs::read_to_string(fixture("facts").join(name)).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Rows of a file that has one on each line.
pub fn rows(name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(fixture("facts").join(name)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What the standard asks of a metric, item by item.
pub struct Asked {
    pub code: String,
    /// Kind and words of each item, in order.
    pub items: Vec<(&'static str, String)>,
}

/// Kinds of requirement, in their order.
pub const KINDS: [&str; 7] = ["measure", "base", "includes", "excludes", "terms", "discuss", "may"];

/// What the standards ask of every metric.
pub fn asked() -> Vec<Asked> {
    let items = |row: &Value, kind: &'static str| -> Vec<(&'static str, String)> {
        let one = row[kind].as_str().map(str::to_owned);
        one.into_iter().chain(strings(&row[kind])).map(|item| (kind, item)).collect()
    };
    let rows = rows("sasb_requirements.jsonl");
    let asked = |row: &Value| KINDS.into_iter().flat_map(|kind| items(row, kind)).collect();
    rows.iter().map(|row| Asked { code: text(&row["code"]), items: asked(row) }).collect()
}

/// Numbers that the facts have of each metric, and of each topic through its metrics.
pub fn numbers() -> BTreeMap<String, BTreeSet<String>> {
    let mut out: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let asked = asked()
        .into_iter()
        .map(|asked| (asked.code, asked.items.into_iter().map(|(_, item)| item).collect()));
    let others =
        rows("sasb_numbers.jsonl").into_iter().map(|row| (text(&row["code"]), strings(&row["numbers"])));
    for (code, words) in asked.chain(others) {
        let words: Vec<String> = words;
        let topic = code.split('.').next().unwrap_or_default().to_owned();
        let found: Vec<String> = words.iter().flat_map(|words| numbers_in(words)).collect();
        for id in [code, topic] {
            out.entry(id).or_default().extend(found.iter().cloned());
        }
    }
    out
}

/// The numbers that `words` hold, without the commas that group their digits.
pub fn numbers_in(words: &str) -> Vec<String> {
    let mut plain = String::with_capacity(words.len());
    let mut after_digit = false;
    let mut letters = words.chars().peekable();
    while let Some(letter) = letters.next() {
        let groups = letter == ',' && after_digit && letters.peek().is_some_and(char::is_ascii_digit);
        after_digit = letter.is_ascii_digit();
        if !groups {
            plain.push(letter);
        }
    }
    let words = plain.split(|c: char| !c.is_alphanumeric() && c != '.').map(|word| word.trim_matches('.'));
    words.filter(|word| word.starts_with(|c: char| c.is_ascii_digit())).map(str::to_owned).collect()
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

/// Nodes of `s1` or `s2` as issued in June 2023, in the order of the standard.
pub fn nodes(standard: &str) -> Vec<Node> {
    let mut out = structure(&format!("ifrs_{standard}_structure.json"));
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

/// Nodes that the amendments of December 2025 changed in IFRS S2 or added to it, in the order of the standard.
pub fn amended() -> Vec<Node> {
    structure("ifrs_s2_amended_structure.json")
}

/// Nodes of every text that ships: of both standards as issued, and of what the amendments touch.
pub fn both_editions() -> Vec<Node> {
    ["s1", "s2"].into_iter().flat_map(nodes).chain(amended()).collect()
}

fn structure(name: &str) -> Vec<Node> {
    let facts = load(name);
    let mut out = Vec::new();
    for paragraph in facts["paragraphs"].as_array().unwrap() {
        walk(paragraph, paragraph, 0, &mut out);
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

#[test]
fn numbers_are_read_as_people_write_them() {
    assert_eq!(
        numbers_in("1,000 ppm, 40–80%, 1.5°C, 4.1. ISO 14064-1, CO2, 3."),
        ["1000", "40", "80", "1.5", "4.1", "14064", "1", "3"]
    );
}
