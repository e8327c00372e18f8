//! How much of what the standards ask for the explanations mention, by kind. A measure to find gaps, not a proof
//! that a sentence is right: an item counts as mentioned if its words are somewhere in its metric.

use crate::explained::{self, Explanation};
use crate::facts;
use std::collections::{BTreeMap, BTreeSet};

/// Kinds of requirement with the share of their items that must be mentioned; what may be added is open.
const REQUIREMENTS: [(&str, f64); 6] = [
    ("measure", 0.95),
    ("base", 0.95),
    ("includes", 0.95),
    ("excludes", 0.95),
    ("terms", 0.95),
    ("discuss", 0.95),
];
/// Share of the metrics that mention every item of those kinds.
const WHOLE: f64 = 0.85;
const SUBJECTS: f64 = 0.70;
const TERMS: f64 = 0.95;

/// For one kind: what is mentioned, out of how much, and what is not.
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

/// Words that say nothing of what an item is about.
const FUNCTION: &str = "the and for with from that this than its not are was were has have had been being any all each per \
    into other others such only also one two may shall must can entity entities closed list note etc incl which who whom \
    whose where when while either both more most less least their there these those they";

/// The first letters of a word without its ending.
fn stem(word: &str) -> String {
    const ENDINGS: [&str; 15] = [
        "ations", "ation", "ments", "ment", "ings", "ing", "ers", "er", "ity", "ion", "ed", "es", "ly", "al",
        "s",
    ];
    let word = word.to_lowercase();
    let word = ENDINGS.iter().find_map(|ending| word.strip_suffix(ending)).unwrap_or(&word);
    word.chars().take(6).collect()
}

/// Stems of the words of three letters and more.
pub fn stems(text: &str) -> BTreeSet<String> {
    text.split(|c: char| !c.is_ascii_alphabetic())
        .filter(|word| word.len() > 2 && FUNCTION.split(' ').all(|other| !other.eq_ignore_ascii_case(word)))
        .map(stem)
        .collect()
}

/// The figures in `text`, anywhere in a word, without the commas that group their digits.
pub fn figures(text: &str) -> BTreeSet<String> {
    let found = text.split(|c: char| !c.is_ascii_digit() && c != '.' && c != ',');
    let found = found.filter_map(|word| word.find(|c: char| c.is_ascii_digit()).map(|at| &word[at..]));
    found.map(|word| word.trim_end_matches(['.', ',']).replace(',', "")).collect()
}

/// Whether three fifths of an item's words are in `text`, and all of its figures.
fn mentions(text: &(BTreeSet<String>, BTreeSet<String>), item: &str) -> bool {
    let wanted = stems(item);
    wanted.intersection(&text.0).count() * 5 >= wanted.len() * 3 && figures(item).is_subset(&text.1)
}

/// What the facts have besides the text: names of topics, labels of paragraphs, category and unit of metrics.
fn printed() -> BTreeMap<String, String> {
    let facts = facts::load("sasb_industries.json");
    let industries = facts["industries"].as_array().unwrap().iter();
    let mut out: BTreeMap<String, String> = BTreeMap::new();
    for topic in industries.flat_map(|industry| industry["disclosure_topics"].as_array().unwrap()) {
        out.insert(facts::text(&topic["code"]), facts::text(&topic["topic"]));
        for metric in topic["metrics"].as_array().unwrap() {
            let words = ["category", "unit"].map(|field| facts::text(&metric[field]));
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
    let mut whole = Share::default();
    for facts::Asked { code, items } in facts::asked() {
        let explanation = &explanations[&code];
        let said = format!("{} {} {}", printed[&code], explanation.label, explanation.required());
        let have = (stems(&said), figures(&said));
        let mut missed = Vec::new();
        for (kind, item) in items.iter().filter(|(kind, _)| REQUIREMENTS.iter().any(|(k, _)| k == kind)) {
            let mentioned = mentions(&have, item);
            shares.entry(kind).or_default().count(mentioned, || format!("{code}: {item}"));
            missed.extend((!mentioned).then_some(item.as_str()));
        }
        whole.count(missed.is_empty(), || format!("{code}: {missed:?}"));
    }
    for (kind, least) in REQUIREMENTS {
        shares[kind].check(kind, least);
    }
    whole.check("whole", WHOLE);
}

/// One requirement has one text; where two metrics read alike and ask for different things, one of them is wrong.
#[test]
fn metrics_that_read_alike_ask_for_the_same() {
    let explanations = explanations();
    let mut alike: BTreeMap<String, Vec<facts::Asked>> = BTreeMap::new();
    for asked in facts::asked() {
        alike.entry(explanations[&asked.code].required()).or_default().push(asked);
    }
    let differ = alike.values().filter(|metrics| metrics.iter().any(|other| other.items != metrics[0].items));
    let codes: Vec<Vec<&str>> =
        differ.map(|metrics| metrics.iter().map(|asked| asked.code.as_str()).collect()).collect();
    assert_eq!(codes, Vec::<Vec<&str>>::new());
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
fn three_fifths_of_the_words_and_every_figure_mention_an_item() {
    for (word, stemmed) in [
        ("emissions", "emissi"),
        ("consumed", "consum"),
        ("activities", "activi"),
        ("stations", "st"),
        ("royalty", "royalt"),
    ] {
        assert_eq!(stem(word), stemmed);
    }
    assert_eq!(figures("CO2, 1,000 ppm and 2.5."), ["2", "1000", "2.5"].map(str::to_owned).into());
    let text = "The entity discusses the strikes that it saw, of 30 days.";
    let have = (stems(text), figures(text));
    assert!(mentions(&have, "strikes of 30 days, lockouts"));
    assert!(!mentions(&have, "strikes of 31 days") && !mentions(&have, "strikes, lockouts, wages"));
}
