//! Rules that good prose keeps: enough of it, nothing templated, nothing invented, spelt right.

use crate::explained::{self, Explanation};
use crate::facts;
use sibyl_corpus::fixture;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

const PARAGRAPH_WORDS: usize = 40;
const ITEM_WORDS: usize = 15;
const METRIC_WORDS: usize = 12;
const MOST_ALIKE: f64 = 0.6;
const WIDTH: usize = 100;

fn all() -> Vec<(String, Explanation)> {
    explained::files().iter().flat_map(|(_, text)| explained::explanations(text)).collect()
}

/// All but metrics: the same metric is in many industries, with one protocol.
fn all_but_metrics() -> Vec<(String, Explanation)> {
    all().into_iter().filter(|(id, _)| !id.contains('-') || !id.contains('.')).collect()
}

fn words(text: &str) -> Vec<String> {
    let text = text.to_lowercase();
    text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).map(str::to_owned).collect()
}

#[test]
fn no_explanation_is_thin() {
    let issued = explained::issued();
    let issued = issued.iter().flat_map(|(_, text)| explained::explanations(text));
    let prose: BTreeMap<_, _> = issued.map(|(id, e)| (id, e.said())).collect();
    let amended: BTreeMap<_, _> = explained::amended().into_iter().map(|(id, e)| (id, e.said())).collect();
    let as_issued = ["s1", "s2"].into_iter().flat_map(facts::nodes).map(|node| (node, &prose));
    for (node, prose) in as_issued.chain(facts::amended().into_iter().map(|node| (node, &amended))) {
        let least = if node.depth == 0 { PARAGRAPH_WORDS } else { ITEM_WORDS };
        let have = words(&prose[&node.id]).len();
        assert!(have >= least, "{}: {have} words, {least} wanted", node.id);
    }
    for (id, text) in prose.iter().filter(|(id, _)| id.contains('-') && !id.contains("-000")) {
        let least = if id.contains('.') { METRIC_WORDS } else { PARAGRAPH_WORDS };
        assert!(words(text).len() >= least, "{id}: {text}");
    }
}

#[test]
fn no_two_explanations_are_alike() {
    let all = all_but_metrics();
    let grams: Vec<HashSet<[String; 3]>> = all
        .iter()
        .map(|(_, e)| {
            words(&e.said()).windows(3).map(|w| [w[0].clone(), w[1].clone(), w[2].clone()]).collect()
        })
        .collect();
    let mut holders: HashMap<&[String; 3], Vec<usize>> = HashMap::new();
    for (index, set) in grams.iter().enumerate() {
        for gram in set {
            holders.entry(gram).or_default().push(index);
        }
    }
    for (index, set) in grams.iter().enumerate() {
        let mut shared: HashMap<usize, usize> = HashMap::new();
        for other in set.iter().flat_map(|gram| &holders[gram]).filter(|other| **other > index) {
            *shared.entry(*other).or_default() += 1;
        }
        // The editions of a paragraph may share what did not change.
        for (other, count) in shared.into_iter().filter(|(other, _)| all[*other].0 != all[index].0) {
            let alike = count as f64 / (set.len() + grams[other].len() - count) as f64;
            assert!(alike <= MOST_ALIKE, "{} and {}: {alike:.2}", all[index].0, all[other].0);
        }
    }
}

#[test]
fn no_sentence_is_shared_by_ten() {
    let mut count: HashMap<String, usize> = HashMap::new();
    for (_, explanation) in all_but_metrics() {
        for sentence in explanation.prose.split(['.', '?', '!']).filter(|s| words(s).len() >= 4) {
            *count.entry(sentence.trim().to_lowercase()).or_default() += 1;
        }
    }
    let shared: Vec<_> = count.into_iter().filter(|(_, n)| *n >= 10).collect();
    assert_eq!(shared, []);
}

/// Numbers that the standards themselves have, or that are part of the name of a thing.
const NUMBERS: &[&str] = &[
    "1", "1.5", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "20", "25", "52",
    "0.4", "08", "30", "40", "50", "60", "80", "100", "169", "250", "360", "754", "1000", "2000", "2004",
    "2008", "2011", "2014", "2023", "2024", "2025", "2027", "8500", "14021", "14064", "14855", "18602",
    "18604", "50000", "61400", "62430", "62474", "200000", "1000000",
];

#[test]
fn no_number_is_invented() {
    let known = facts::numbers();
    let mut invented = Vec::new();
    for (id, explanation) in all() {
        let mut said = explanation.said();
        for found in sibyl_text::reference::detect(&said.clone()).iter().rev() {
            said.replace_range(found.span.start..found.span.end, " ");
        }
        for number in facts::numbers_in(&said) {
            let in_facts = known.get(&id).is_some_and(|known| known.contains(&number));
            if !in_facts && !NUMBERS.contains(&number.as_str()) {
                invented.push(format!("{id}: {number}"));
            }
        }
    }
    assert_eq!(invented, Vec::<String>::new());
}

/// Names that are known by their letters.
const NAMES: &[&str] = &[
    "ACGIH", "AFS", "AICPA", "ALB", "ANSI", "ASHRAE", "ASTM", "ATFS", "BCI", "BPI", "BREEAM", "CAIDI", "CDP",
    "COBIT", "COGCC", "COSO", "CSBP", "DVD", "EM", "EN", "ENERGY", "EPA", "EPEAT", "EPRA", "FEM", "FN",
    "FTSE", "GOTS", "GRESB", "GRS", "IAAPA", "IATA", "ICAS", "ICTI", "IEC", "IEEE", "IFRS", "II", "III",
    "IOGP", "IOSA", "IPCC", "ISO", "IV", "KM", "LEED", "LWG", "MARPOL", "MD", "MEPC", "MF", "MPS", "NABERS",
    "NASA", "NIST", "NT", "OCC", "OCS", "OECD", "OGP", "OIA", "OSHA", "PEFC", "RCS", "RDS", "REACH", "RG",
    "RMS", "RP", "RWS", "SAE", "SAI", "SAIDI", "SAIFI", "SASB", "SOLAS", "SPE", "SPEC", "STAR", "STCW",
    "TCFD", "TCO", "TJ", "TRACE", "UNESCO", "UNFCCC", "US", "USA", "USDA", "UTZ", "VI", "WOGCC", "WWF",
    "XVII",
];

#[test]
fn acronyms_are_spelt_out() {
    let all = all();
    let expanded: BTreeSet<String> = all
        .iter()
        .flat_map(|(_, e)| {
            let said = e.said();
            let inside = said.split('(').skip(1).filter_map(|rest| rest.split_once(')'));
            let inside = inside.map(|(inside, _)| inside.trim_end_matches('s').to_owned());
            // Or its letters stand before the brackets that spell them out.
            let before = said.match_indices(" (").filter_map(|(at, _)| said[..at].rsplit(' ').next());
            inside.chain(before.map(str::to_owned)).collect::<Vec<_>>()
        })
        .collect();
    let mut unknown = BTreeSet::new();
    for (id, explanation) in &all {
        let said = explanation.said();
        for word in said.split(|c: char| !c.is_alphanumeric()) {
            let singular = word.strip_suffix('s').unwrap_or(word);
            let acronym =
                (2..=6).contains(&singular.len()) && singular.chars().all(|c| c.is_ascii_uppercase());
            let known = singular == "LED"
                || singular == "SIB"
                || NAMES.contains(&singular)
                || expanded.contains(singular);
            // Letters of codes and paragraph numbers are names too.
            let code = said.contains(&format!("{word}-")) || said.contains(&format!("-{word}"));
            if acronym && !known && !code {
                unknown.insert(format!("{word} ({id})"));
            }
        }
    }
    assert_eq!(unknown, BTreeSet::new(), "spell it out somewhere, or add it to the names");
}

#[test]
fn every_word_is_spelt_as_the_list_has_it() {
    let list = std::fs::read_to_string(fixture("words.txt")).unwrap();
    let list: HashSet<&str> = list.lines().filter(|line| !line.starts_with('#')).collect();
    let mut unknown = BTreeSet::new();
    for (id, explanation) in all() {
        let questions = explanation.lines.get("Asked as").cloned().unwrap_or_default();
        for word in format!("{} {questions}", explanation.said())
            .split(|c: char| !c.is_alphabetic() && c != '\'' && c != '’')
            .map(|word| word.replace('’', "'"))
        {
            let word = word.trim_matches('\'');
            if word.chars().nth(1).is_some()
                && !list.contains(word)
                && !list.contains(word.to_lowercase().as_str())
            {
                unknown.insert(format!("{word} ({id})"));
            }
        }
    }
    assert_eq!(unknown, BTreeSet::new(), "mend the spelling, or add the word to tests/fixtures/words.txt");
}

#[test]
fn lines_have_a_readable_width() {
    for (name, text) in explained::files() {
        for (number, line) in text.lines().enumerate() {
            let whole =
                line.starts_with('#') || line.starts_with("**S") || line.contains(": ") && number < 12;
            assert!(whole || line.chars().count() <= WIDTH, "{name}:{}", number + 1);
        }
    }
}

/// Words of advice to reviewers, which is no part of a standard: inside a sentence, and at its start.
const ADVICE: &[&str] = &[
    "reviewer",
    "a good report",
    "A good report",
    "ood reports",
    "Check whether",
    "Check that",
    "Look for",
    "Watch for",
    "Ask ",
    "Beware",
];

#[test]
fn advice_stands_under_its_mark_alone() {
    let mut found = Vec::new();
    for (name, text) in explained::files() {
        for (id, mut explanation) in explained::explanations(&text) {
            explanation.lines.remove("In review");
            let said = explanation.said();
            let advice = ADVICE.iter().filter(|advice| said.contains(**advice));
            found.extend(advice.map(|advice| format!("{name}: {id}: {advice}")));
        }
    }
    assert_eq!(found, Vec::<String>::new());
}
