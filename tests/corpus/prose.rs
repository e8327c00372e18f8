//! Rules that good prose keeps: enough of it, nothing templated, nothing invented, spelt right.

use crate::explained::{self, Explanation};
use crate::facts;
use sibyl_tests::fixture;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

const PARAGRAPH_WORDS: usize = 40;
const ITEM_WORDS: usize = 15;
const MOST_ALIKE: f64 = 0.6;
const WIDTH: usize = 100;

fn all() -> Vec<(String, Explanation)> {
    explained::files().iter().flat_map(|(_, text)| explained::explanations(text)).collect()
}

fn words(text: &str) -> Vec<String> {
    let text = text.to_lowercase();
    text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).map(str::to_owned).collect()
}

#[test]
fn no_explanation_is_thin() {
    let prose: BTreeMap<_, _> = all().into_iter().map(|(id, e)| (id, e.prose)).collect();
    for node in ["s1", "s2"].into_iter().flat_map(facts::nodes) {
        let least = if node.depth == 0 { PARAGRAPH_WORDS } else { ITEM_WORDS };
        let have = words(&prose[&node.id]).len();
        assert!(have >= least, "{}: {have} words, {least} wanted", node.id);
    }
    for (id, text) in prose.iter().filter(|(id, _)| id.contains('-') && !id.ends_with("-000")) {
        let least = if id.contains('.') { 12 } else { PARAGRAPH_WORDS };
        assert!(words(text).len() >= least, "{id}: {text}");
    }
}

#[test]
fn no_two_explanations_are_alike() {
    let all = all();
    let grams: Vec<HashSet<[String; 3]>> = all
        .iter()
        .map(|(_, e)| {
            words(&e.prose).windows(3).map(|w| [w[0].clone(), w[1].clone(), w[2].clone()]).collect()
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
        for (other, count) in shared {
            let alike = count as f64 / (set.len() + grams[other].len() - count) as f64;
            assert!(alike <= MOST_ALIKE, "{} and {}: {alike:.2}", all[index].0, all[other].0);
        }
    }
}

#[test]
fn no_sentence_is_shared_by_ten() {
    let mut count: HashMap<String, usize> = HashMap::new();
    for (_, explanation) in all() {
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
    "100", "360", "2004", "2011", "2023", "2024", "62474",
];

#[test]
fn no_number_is_invented() {
    for (id, explanation) in all() {
        let mut prose = explanation.prose;
        for found in sibyl_text::reference::detect(&prose.clone()).iter().rev() {
            prose.replace_range(found.span.start..found.span.end, " ");
        }
        for word in prose.split(|c: char| !c.is_alphanumeric() && c != '.') {
            let word = word.trim_matches('.');
            let number = word.starts_with(|c: char| c.is_ascii_digit());
            assert!(!number || NUMBERS.contains(&word), "{id}: {word}");
        }
    }
}

/// Names that are known by their letters.
const NAMES: &[&str] = &[
    "ALB", "CAIDI", "EPEAT", "ENERGY", "FN", "IEC", "IFRS", "IPCC", "ISO", "KM", "MD", "MF", "NIST", "SAIDI",
    "SAIFI", "SASB", "STAR", "TCFD", "UNFCCC", "US",
];

#[test]
fn acronyms_are_spelt_out() {
    let all = all();
    let expanded: BTreeSet<String> = all
        .iter()
        .flat_map(|(_, e)| e.prose.split('(').skip(1).filter_map(|rest| rest.split_once(')')))
        .map(|(inside, _)| inside.trim_end_matches('s').to_owned())
        .collect();
    for (id, explanation) in &all {
        for word in explanation.prose.split(|c: char| !c.is_alphanumeric()) {
            let singular = word.strip_suffix('s').unwrap_or(word);
            let acronym =
                (2..=6).contains(&singular.len()) && singular.chars().all(|c| c.is_ascii_uppercase());
            let known = singular == "LED"
                || singular == "SIB"
                || NAMES.contains(&singular)
                || expanded.contains(singular);
            // Letters of codes and paragraph numbers are names too.
            let code = explanation.prose.contains(&format!("{word}-"))
                || explanation.prose.contains(&format!("-{word}"));
            assert!(!acronym || known || code, "{id}: {word} is not spelt out anywhere");
        }
    }
}

#[test]
fn every_word_is_spelt_as_the_list_has_it() {
    let list = std::fs::read_to_string(fixture("words.txt")).unwrap();
    let list: HashSet<&str> = list.lines().filter(|line| !line.starts_with('#')).collect();
    let mut unknown = BTreeSet::new();
    for (id, explanation) in all() {
        let questions = explanation.lines.get("Asked as").cloned().unwrap_or_default();
        for word in format!("{} {questions}", explanation.prose)
            .split(|c: char| !c.is_alphabetic() && c != '\'' && c != '’')
            .map(|word| word.replace('’', "'"))
        {
            let word = word.trim_matches('\'');
            if word.len() > 1 && !list.contains(word) && !list.contains(word.to_lowercase().as_str()) {
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
