//! Questions that follow each other: what an earlier one lends to the next.

use sibyl_text::source_type;
use std::collections::HashSet;

/// Words that point back.
const POINTS_BACK: [&str; 17] = [
    "it", "its", "they", "them", "their", "that", "this", "those", "these", "he", "she", "his", "her", "one",
    "ones", "there", "same",
];
/// First words of a question that continues the one before.
const GOES_ON: [&str; 9] = ["and", "what about", "how about", "but", "then", "also", "or", "why", "which of"];
/// Most words of a question that may be half of one.
const HALF: usize = 4;

/// What is searched for when `question` follows `earlier`; `None` where the question stands for itself.
pub fn completed(earlier: &str, question: &str) -> Option<String> {
    let lower = question.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty()).collect();
    let points_back = words.iter().any(|word| POINTS_BACK.contains(word));
    let goes_on = GOES_ON.iter().any(|start| lower.trim_start().starts_with(&format!("{start} ")));
    let half = words.len() <= HALF && !words.is_empty();
    if earlier.trim().is_empty() || !(points_back || goes_on || half) {
        return None;
    }
    let said: HashSet<&str> = words.iter().copied().collect();
    let lent: Vec<&str> = earlier
        .split_whitespace()
        .filter(|word| {
            let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
            !word.is_empty() && !said.contains(word.as_str())
        })
        .map(|word| word.trim_end_matches(['?', '.', '!']))
        .collect();
    Some(format!("{} {}", question.trim(), lent.join(" "))).filter(|_| !lent.is_empty())
}

/// Whether `question` asks about a standard.
pub(super) fn names_a_standard(question: &str) -> bool {
    let lower = question.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    let of_a_body = |word: &str| {
        source_type::standards()
            .any(|(_, one)| one.body.split(' ').any(|part| part.eq_ignore_ascii_case(word)))
    };
    words.any(|word| matches!(word, "issb" | "standard" | "standards") || of_a_body(word))
}

/// Reports whose title begins with a word that the question names.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Named {
    /// Their ids, each once.
    pub reports: Vec<String>,
    /// The words, in lower case.
    pub words: Vec<String>,
}

impl Named {
    /// Whether `word` is a form of one of the names.
    pub fn holds(&self, word: &str) -> bool {
        let word = word.to_lowercase().replace('’', "'");
        let bare = word.strip_suffix("'s").unwrap_or(&word);
        self.words.iter().any(|name| bare == name || bare.strip_suffix('s') == Some(name))
    }
}

/// Those of `reports`, ids with titles, that `question` names.
pub(super) fn named_reports<'a>(question: &str, reports: impl Iterator<Item = (&'a str, &'a str)>) -> Named {
    const PLAIN: [&str; 8] =
        ["annual", "the", "report", "sustainability", "climate", "group", "integrated", "notes"];
    let lower = question.to_lowercase();
    let asked: HashSet<&str> = lower.split(|c: char| !c.is_alphanumeric()).collect();
    let mut found = Named::default();
    for (id, title) in reports {
        let first = title.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase();
        let named = first.chars().count() > 3
            && first.chars().all(char::is_alphabetic)
            && !PLAIN.contains(&first.as_str())
            && (asked.contains(first.as_str()) || asked.contains(format!("{first}s").as_str()));
        if named && !found.reports.iter().any(|known| known == id) {
            found.reports.push(id.to_owned());
            found.words.push(first);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_named_by_the_first_word_of_their_title() {
        let reports = || [("n-24", "Northwind Energy plc"), ("a", "Annual report")].into_iter();
        let named = named_reports("Is Northwind's annual target met?", reports());
        assert_eq!(named.reports, ["n-24"]);
        assert!(named.holds("Northwind's") && named.holds("northwinds") && !named.holds("wind"));
        assert_eq!(named_reports("Is it met?", reports()), Named::default());
        assert!(names_a_standard("what does S2 say") && !names_a_standard("what is said"));
    }

    #[test]
    fn a_question_that_points_back_is_completed() {
        let earlier = "What are Northwind's scope 2 emissions in 2024?";
        assert_eq!(
            completed(earlier, "And in 2023?").unwrap(),
            "And in 2023? What are Northwind's scope 2 emissions 2024"
        );
        assert!(
            completed(earlier, "How were they measured?").unwrap().contains("Northwind's scope 2 emissions")
        );
        assert_eq!(completed(earlier, "What must a transition plan disclose about dependencies?"), None);
        assert_eq!(completed("", "And in 2023?"), None);
    }
}
