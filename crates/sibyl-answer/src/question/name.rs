//! Names in a question, as far as capital letters show them.

use super::german::is_german;
use sibyl_text::Span;
use sibyl_text::language::date::is_month;
use sibyl_text::language::unit::measured_in;
use sibyl_text::language::words::{Word, is_stop, words};

/// Words before the name of whom the question is about.
const BEFORE_A_NAME: [&str; 20] = [
    "of", "by", "at", "for", "from", "does", "did", "do", "has", "have", "had", "is", "was", "were", "are",
    "will", "can", "should", "must", "about",
];
/// Capitalised words that are nobody's name, beside months and units.
const NOBODY: [&str; 15] = [
    "scope",
    "scopes",
    "category",
    "ghg",
    "board",
    "committee",
    "audit",
    "chair",
    "director",
    "officer",
    "executive",
    "chief",
    "head",
    "president",
    "minister",
];

/// `word` without the ending of its genitive.
pub fn without_genitive(word: &str) -> &str {
    let bare = word.strip_suffix("'s").or_else(|| word.strip_suffix("’s"));
    bare.or_else(|| word.strip_suffix('\'')).or_else(|| word.strip_suffix('’')).unwrap_or(word)
}

/// Whether `word` is written as a name is.
fn is_name(word: &Word<'_>) -> bool {
    let lower = word.text.to_lowercase();
    let bare = without_genitive(&lower);
    word.is_capital()
        && word.text.chars().skip(1).any(char::is_lowercase)
        && !word.text.bytes().any(|b| b.is_ascii_digit())
        && !is_stop(&lower)
        && super::tells(&lower)
        && !(NOBODY.contains(&bare) || is_month(bare) || is_short_unit(bare))
}

/// Abbreviations that many reports use without being about them, or that say who reports.
const EVERYWHERE: [&str; 27] = [
    "GHG", "ESG", "CSR", "CEO", "CFO", "COO", "CTO", "USD", "EUR", "GBP", "CHF", "SEK", "NOK", "DKK", "JPY",
    "ETS", "TCFD", "IFRS", "SASB", "ISSB", "CDP", "CSRD", "ESRS", "GRI", "USA", "SBTI", "FTE",
];
/// Letters of the shortest abbreviation that stands for what is measured: `PUE`, `LTIF`.
const ABBREVIATION: usize = 3;

/// Whether `word` is an abbreviation of something that not every report is about.
fn is_abbreviation(word: &Word<'_>) -> bool {
    word.text.chars().count() >= ABBREVIATION
        && word.text.chars().all(|c| c.is_ascii_uppercase())
        && !EVERYWHERE.contains(&word.text)
        && measured_in(&word.text.to_lowercase()).is_none()
}

/// Whether a word is a unit of few letters; names may be called as longer ones are.
fn is_short_unit(word: &str) -> bool {
    word.chars().count() <= 3 && measured_in(word).is_some()
}

/// `lower`, the text in small letters, without words that it writes as names: those with a capital inside the text.
pub(super) fn without_names(text: &str, lower: &str) -> String {
    if is_german(text) {
        return lower.to_owned();
    }
    let is_name = |word: &&Word<'_>| {
        word.start > 0
            && word.is_capital()
            && word.text.chars().count() > 3
            && word.text.chars().skip(1).all(char::is_lowercase)
    };
    let all = words(text);
    let names: Vec<String> = all.iter().filter(is_name).map(|word| word.text.to_lowercase()).collect();
    let kept = lower.split(' ').filter(|word| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        !names.iter().any(|name| name == bare.trim_end_matches("'s").trim_end_matches("’s"))
    });
    kept.collect::<Vec<_>>().join(" ")
}

/// The words of `question`; empty if most of them are capitalised, so that no name stands out.
fn with_names(question: &str) -> Vec<Word<'_>> {
    let all = words(question);
    let capitals = all.iter().filter(|word| word.is_capital()).count();
    if all.len() > 3 && capitals * 3 > all.len() * 2 { Vec::new() } else { all }
}

/// Words of `question` that are written like names. The first word counts only if it is capitalised elsewhere too,
/// or set off by a comma.
pub(super) fn in_question(question: &str) -> Vec<String> {
    // German nouns are written as names are.
    if is_german(question) {
        return Vec::new();
    }
    let all = with_names(question);
    let inner = |word: &Word<'_>| word.text.chars().skip(1).any(char::is_uppercase);
    let set_off = |word: &Word<'_>| question[word.end()..].starts_with(',');
    let named = all
        .iter()
        .enumerate()
        .filter(|(at, word)| (*at > 0 || inner(word) || set_off(word)) && is_name(word));
    named.map(|(_, word)| word.text.to_owned()).collect()
}

/// Abbreviations in `question` that not every report is about.
pub(super) fn abbreviations(question: &str) -> Vec<String> {
    with_names(question)
        .iter()
        .filter(|word| is_abbreviation(word))
        .map(|word| word.text.to_owned())
        .collect()
}

/// Whom the question is about: capitalised words after `of`, `does` and the like, or in the genitive, each with
/// its place.
pub fn spoken(question: &str) -> Vec<(String, Span)> {
    let all = with_names(question);
    let mut found = Vec::new();
    let mut at = 0;
    while at < all.len() {
        let joined = |end: usize| {
            let between = &question[all[end - 1].end()..all[end].start];
            matches!(between, " " | " & ") && without_genitive(all[end - 1].text) == all[end - 1].text
        };
        let mut end = at;
        while end < all.len() && is_name(&all[end]) && (end == at || joined(end)) {
            end += 1;
        }
        if end == at {
            at += 1;
            continue;
        }
        let last = &all[end - 1];
        let genitive = without_genitive(last.text) != last.text;
        let before = at.checked_sub(1).map(|before| all[before].text.to_lowercase());
        if genitive || before.is_some_and(|before| BEFORE_A_NAME.contains(&before.as_str())) {
            let span = Span::new(all[at].start, last.end());
            found.push((without_genitive(span.of(question)).to_owned(), span));
        }
        at = end;
    }
    found
}

/// Whether `question` asks which of the reporting companies do something, and not which have a duty.
pub fn asks_which_reporter(question: &str) -> bool {
    const REPORTERS: [&str; 13] = [
        "company",
        "companies",
        "organisation",
        "organisations",
        "organization",
        "organizations",
        "report",
        "reports",
        "issuer",
        "issuers",
        "firm",
        "firms",
        "banks",
    ];
    const DUTY: [&str; 8] = ["must", "shall", "should", "required", "may", "can", "need", "have"];
    let lower = question.to_lowercase();
    let all: Vec<&str> = words(&lower).iter().map(|word| word.text).collect();
    let which = all.first().is_some_and(|word| matches!(*word, "which" | "what"));
    which
        && all.iter().skip(1).take(3).any(|word| REPORTERS.contains(word))
        && !all.iter().any(|word| DUTY.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abbreviations_of_what_is_measured_are_told_from_common_ones() {
        assert_eq!(abbreviations("What PUE does the ESG report aim at in GWh?"), ["PUE"]);
    }

    #[test]
    fn which_of_those_that_report_is_no_question_of_a_duty() {
        for question in [
            "Which companies use no offsets?",
            "Which of the organisations got an A-?",
            "which reports name a target",
        ] {
            assert!(asks_which_reporter(question), "{question}");
        }
        for question in
            ["Which companies must apply S2?", "Which scope is reported?", "Do companies use offsets?"]
        {
            assert!(!asks_which_reporter(question), "{question}");
        }
    }

    #[test]
    fn whoever_is_asked_about_is_heard() {
        let names =
            |question: &str| -> Vec<String> { spoken(question).into_iter().map(|(name, _)| name).collect() };
        assert_eq!(names("Scope 1 emissions of Tarn Logistics in 2020"), ["Tarn Logistics"]);
        assert_eq!(names("What was Ardent Gas's output?"), ["Ardent Gas"]);
        assert_eq!(names("Does Corvid use offsets?"), ["Corvid"]);
        assert_eq!(names("What is the Scope 1 target of the Board?"), Vec::<String>::new());
        assert_eq!(names("Emissions Of Every Site In May"), Vec::<String>::new());
        assert_eq!(in_question("Scope 1 emissions of the Glenarrow mill"), ["Glenarrow"]);
    }
}
