//! How much of what the standards ask for the explanations mention, by kind. A measure to find holes with, not proof
//! that a sentence is right: the facts hold key words, which a sentence must share.

use crate::explained::{self, Explanation};
use crate::facts;
use std::collections::{BTreeMap, BTreeSet};

/// Kinds of pointer with the share that must be mentioned.
const POINTERS: [(&str, f64); 5] =
    [("discuss", 0.95), ("in", 0.90), ("out", 0.90), ("only", 0.90), ("divide_by", 0.95)];
const SUBJECTS: f64 = 0.70;
const TERMS: f64 = 0.95;

/// What of a kind is mentioned, of how much, and what is not.
#[derive(Default)]
struct Share {
    mentioned: usize,
    asked: usize,
    missing: Vec<String>,
}

impl Share {
    fn count(&mut self, mentioned: bool, what: impl FnOnce() -> String) {
        self.asked += 1;
        self.mentioned += usize::from(mentioned);
        if !mentioned {
            self.missing.push(what());
        }
    }

    fn check(&self, kind: &str, least: f64) {
        let share = self.mentioned as f64 / self.asked as f64;
        let missing = self.missing.join("\n");
        assert!(share >= least, "{kind}: {share:.3}, {least} wanted; not mentioned:\n{missing}");
    }
}

/// The first letters of a word without its ending.
fn stem(word: &str) -> String {
    const ENDINGS: [&str; 13] =
        ["ations", "ation", "ments", "ment", "ings", "ing", "ity", "ion", "ed", "es", "ly", "al", "s"];
    let word = word.to_lowercase();
    let word = ENDINGS.iter().find_map(|ending| word.strip_suffix(ending)).unwrap_or(&word);
    word.chars().take(7).collect()
}

/// Stems of the words of three letters and more.
fn stems(text: &str) -> BTreeSet<String> {
    text.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| word.len() > 2).map(stem).collect()
}

/// Whether a third of what `pointer` says stands in `text`.
fn mentions(text: &BTreeSet<String>, pointer: &str) -> bool {
    let wanted = stems(pointer);
    wanted.intersection(text).count() * 3 >= wanted.len()
}

/// What the facts print beside the text: names of topics, labels of paragraphs, label, category and unit of metrics.
fn printed() -> BTreeMap<String, String> {
    let facts = facts::load("sasb_industries.json");
    let industries = facts["industries"].as_array().unwrap().iter();
    let mut out: BTreeMap<String, String> = BTreeMap::new();
    for topic in industries.flat_map(|industry| industry["disclosure_topics"].as_array().unwrap()) {
        out.insert(facts::text(&topic["code"]), facts::text(&topic["topic"]));
        for metric in topic["metrics"].as_array().unwrap() {
            let words = ["category", "unit", "label"].map(|field| facts::text(&metric[field]));
            out.insert(facts::text(&metric["code"]), words.join(" "));
        }
    }
    let nodes = ["s1", "s2"].into_iter().flat_map(facts::nodes);
    out.extend(nodes.map(|node| (node.id, node.topic)));
    out
}

fn explanations() -> BTreeMap<String, Explanation> {
    explained::issued().iter().flat_map(|(_, text)| explained::explanations(text)).collect()
}

#[test]
fn what_the_protocols_ask_for_is_mentioned() {
    let (explanations, printed) = (explanations(), printed());
    let mut shares: BTreeMap<&str, Share> = BTreeMap::new();
    for row in facts::rows("sasb_pointers.jsonl") {
        let code = facts::text(&row["code"]);
        let have = stems(&format!("{} {}", printed[&code], explanations[&code].said()));
        for (kind, _) in POINTERS {
            for pointer in facts::strings(&row[kind]) {
                let mentioned = mentions(&have, &pointer);
                shares.entry(kind).or_default().count(mentioned, || format!("{code}: {pointer}"));
            }
        }
    }
    for (kind, least) in POINTERS {
        shares[kind].check(kind, least);
    }
}

#[test]
fn the_introduction_of_a_topic_names_its_subjects() {
    let (explanations, printed) = (explanations(), printed());
    let mut share = Share::default();
    for row in facts::rows("sasb_subjects.jsonl") {
        let code = facts::text(&row["code"]);
        let lines = explanations[&code].lines.iter().filter(|(name, _)| *name != "Asked as");
        let said = lines
            .map(|(_, line)| line.as_str())
            .chain([explanations[&code].prose.as_str(), printed[&code].as_str()]);
        let have = stems(&said.collect::<Vec<_>>().join(" "));
        for subject in facts::strings(&row["subjects"]) {
            share.count(stems(&subject).is_subset(&have), || format!("{code}: {subject}"));
        }
    }
    share.check("subjects", SUBJECTS);
}

#[test]
fn terms_of_art_stand_as_they_are() {
    let (explanations, printed) = (explanations(), printed());
    let mut share = Share::default();
    for row in facts::rows("terms_of_art.jsonl") {
        let id = facts::text(&row["id"]);
        // A paragraph is read with its items.
        let inside = format!("{id}(");
        let own = explanations.iter().filter(|(other, _)| **other == id || other.starts_with(&inside));
        let said = own.map(|(id, explanation)| format!("{} {}", printed[id], explanation.said()));
        let said = said.collect::<Vec<_>>().join(" ").to_lowercase();
        for term in facts::strings(&row["terms"]) {
            share.count(said.contains(&term.to_lowercase()), || format!("{id}: {term}"));
        }
    }
    share.check("terms of art", TERMS);
}

#[test]
fn a_third_of_the_words_mentions_a_pointer() {
    for (word, stemmed) in [
        ("emissions", "emissio"),
        ("consumed", "consum"),
        ("activities", "activit"),
        ("stations", "st"),
        ("royalty", "royalty"),
    ] {
        assert_eq!(stem(word), stemmed);
    }
    let have = stems("The entity discusses the strikes that it saw.");
    assert!(mentions(&have, "strikes lockouts"));
    assert!(!mentions(&have, "lockouts wages hours of work"));
}
