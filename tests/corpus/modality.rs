//! A paragraph binds, permits or explains, and its explanation has the verbs for it.

use crate::explained::{self, Explanation};
use crate::facts::{self, Node};
use std::collections::BTreeMap;

/// Words of a paragraph that binds.
const BINDS: &[&str] = &[
    "must",
    "shall",
    "require",
    "requires",
    "required",
    "requirement",
    "requirements",
    "needs",
    "obliges",
    "obliged",
    "obligation",
    "duty",
    "duties",
    "mandatory",
    "has to",
    "have to",
    "is to",
    "are to",
    "calls for",
    "call for",
    "discloses",
    "explains",
    "provides",
    "states",
    "reports",
    "describes",
    "identifies",
];

/// Words of a paragraph that permits.
const PERMITS: &[&str] = &[
    "may",
    "need not",
    "can",
    "permits",
    "permitted",
    "permission",
    "permissible",
    "allows",
    "allowed",
    "encourages",
    "encouraged",
    "option",
    "optional",
    "choice",
    "choose",
    "chooses",
    "free",
    "relief",
    "reliefs",
    "not required",
    "excuses",
    "excused",
    "exempts",
    "exempt",
    "exemption",
    "without having to",
    "leaves",
    "possibilities",
];

fn has(text: &str, words: &[&str]) -> bool {
    let plain: String =
        text.to_lowercase().chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    let plain = format!(" {} ", plain.split_whitespace().collect::<Vec<_>>().join(" "));
    words.iter().any(|word| plain.contains(&format!(" {word} ")))
}

#[test]
fn the_verbs_of_a_paragraph_are_those_of_its_modality() {
    let issued = explained::issued();
    let issued = issued.iter().flat_map(|(_, text)| explained::explanations(text)).collect();
    let as_issued = ["s1", "s2"].into_iter().flat_map(facts::nodes).collect();
    let mut wrong = wrong_verbs(as_issued, &issued);
    wrong.extend(wrong_verbs(facts::amended(), &explained::amended()));
    assert_eq!(wrong, Vec::<String>::new());
}

/// Paragraphs whose explanation lacks the verbs of their modality.
fn wrong_verbs(nodes: Vec<Node>, explanations: &BTreeMap<String, Explanation>) -> Vec<String> {
    let said = |(id, explanation): (&String, &Explanation)| (id.clone(), explanation.said());
    let texts: BTreeMap<String, String> = explanations.iter().map(said).collect();
    let mut wrong = Vec::new();
    for node in nodes.into_iter().filter(|node| node.depth == 0) {
        let inside = format!("{}(", node.id);
        let own = texts.iter().filter(|(id, _)| **id == node.id || id.starts_with(&inside));
        let text = own.map(|(_, text)| text.as_str()).collect::<Vec<_>>().join(" ");
        let right = match node.language.as_str() {
            "mandatory" => has(&text, BINDS),
            "permissive" => has(&text, PERMITS),
            _ => true,
        };
        if !right {
            wrong.push(format!("{} is {}: {text}", node.id, node.language));
        }
    }
    wrong
}

#[test]
fn a_verb_is_a_word_of_its_own() {
    assert!(has("The entity Must\ntell.", BINDS) && has("It has to.", BINDS));
    assert!(!has("Mustard is a duty-free good.", &["must", "tells"]));
    assert!(has("It need not.", PERMITS) && !has("The mayor.", &["may"]));
}
