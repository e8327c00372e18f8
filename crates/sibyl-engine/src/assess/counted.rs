//! Passages that do not count as evidence: they are about the subject, but do not speak for the reporting entity.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_answer::Passage;
use sibyl_text::language::words::words;
use std::collections::HashSet;

/// Why a passage does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReasonNotCounted {
    /// It is what an auditor or assurance provider says.
    Auditor,
    /// It is a list of contents or an index.
    Contents,
    /// It explains words.
    Glossary,
    /// It quotes what a standard asks for.
    Standard,
}

/// Headings and words that show what a passage is, in lower case.
const AUDITOR: [&str; 8] = [
    "independent auditor",
    "independent assurance",
    "independent limited assurance",
    "assurance statement",
    "assurance report",
    "verification statement",
    "verification opinion",
    "auditor's report",
];
const CONTENTS: [&str; 8] = [
    "table of contents",
    "contents",
    "content index",
    "gri index",
    "sasb index",
    "tcfd index",
    "disclosure index",
    "cross-reference",
];
const GLOSSARY: [&str; 6] =
    ["glossary", "abbreviations", "acronyms", "definitions", "defined terms", "list of terms"];
/// Words for others than the reporting entity, whose figures a report may give.
const OTHERS: [&str; 15] = [
    "global emissions",
    "world total",
    "industry average",
    "sector average",
    "peer average",
    "peer group",
    "benchmark",
    "national total",
    "national emissions",
    "total u.s.",
    "u.s. greenhouse gas",
    "u.s. emissions",
    "economic sector",
    "competitors",
    "per capita",
];
/// Verbs that a requirement begins with.
const ASKS: [&str; 4] = ["describe ", "disclose ", "an entity shall ", "the entity shall "];
/// Leaders (`.....`) from which text is a list of contents.
const LEADERS: usize = 3;
/// Share of the words of a requirement from which a sentence that asks is the standard's.
const QUOTED: f64 = 0.5;

/// Why `passage` does not count for the requirement explained in `asked`; `None` if it does.
pub(super) fn not_counted(passage: &Passage, asked: &str) -> Option<ReasonNotCounted> {
    let text = passage.text().to_lowercase();
    let headings: Vec<String> = passage.section.iter().map(|heading| heading.trim().to_lowercase()).collect();
    let headed =
        |names: &[&str]| headings.iter().any(|heading| names.iter().any(|name| is_headed(heading, name)));
    if headed(&AUDITOR) || AUDITOR.iter().any(|name| text.contains(name) && text.contains("we have")) {
        return Some(ReasonNotCounted::Auditor);
    }
    if headed(&CONTENTS) || text.matches(".....").count() >= LEADERS {
        return Some(ReasonNotCounted::Contents);
    }
    if headed(&GLOSSARY) {
        return Some(ReasonNotCounted::Glossary);
    }
    quotes_standard(&text, asked).then_some(ReasonNotCounted::Standard)
}

/// Whether a figure with the names `called` belongs to others than the reporting entity.
pub(super) fn is_of_others(called: &str) -> bool {
    let lower = called.to_lowercase();
    OTHERS.iter().any(|name| lower.contains(name))
}

/// Whether a heading is `name`, apart from numbers and signs around it, or ends with it.
fn is_headed(heading: &str, name: &str) -> bool {
    let bare = heading.trim_matches(|c: char| !c.is_alphabetic());
    bare == name || (name.contains(' ') && bare.contains(name))
}

/// Bytes of a cell that may answer the one beside it.
const ANSWERS: usize = 25;

/// Whether `text` only asks for something, as standards do: it, or a cell of it beside which nothing answers.
pub(super) fn is_asking(text: &str) -> bool {
    let asks = |cell: &&str| {
        let bare = cell.trim_start_matches(|c: char| !c.is_alphabetic());
        ASKS.iter().any(|verb| bare.get(..verb.len()).is_some_and(|head| head.eq_ignore_ascii_case(verb)))
    };
    let (asking, others): (Vec<&str>, Vec<&str>) = text.split('|').partition(asks);
    !asking.is_empty() && !others.into_iter().any(|cell| cell.trim().len() > ANSWERS)
}

/// Whether the first sentence of `text`, in small letters, asks for what `asked` says.
fn quotes_standard(text: &str, asked: &str) -> bool {
    let first = text.trim_start_matches(|c: char| !c.is_alphabetic());
    if !ASKS.iter().any(|verb| first.starts_with(verb)) {
        return false;
    }
    let lower = asked.to_lowercase();
    let wanted: HashSet<&str> =
        words(&lower).iter().map(|word| word.text).filter(|word| word.len() > 3).collect();
    let said: HashSet<&str> =
        words(first).iter().take(40).map(|word| word.text).filter(|word| word.len() > 3).collect();
    let shared = said.intersection(&wanted).count();
    !said.is_empty() && shared as f64 >= QUOTED * said.len().min(wanted.len()) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use sibyl_answer::Source;
    use sibyl_text::Span;
    use std::sync::Arc;

    #[test]
    fn what_stands_beside_a_quoted_requirement_answers_it() {
        assert!(is_asking("| a) | Describe the board's oversight. | Yes |"));
        assert!(!is_asking(
            "| Governance a) | Describe the board's oversight. | The board reviews climate risk each quarter. |"
        ));
    }

    fn reason(section: &[&str], text: &str) -> Option<ReasonNotCounted> {
        let source = Arc::new(Source { text: text.to_owned(), ..Source::default() });
        let passage = Passage {
            number: 0,
            chunk_id: String::new(),
            source,
            spans: vec![Span::new(0, text.len())],
            heads: Vec::new(),
            section: section.iter().map(|&heading| heading.to_owned()).collect(),
            paragraph_id: None,
            relevance: 0.0,
        };
        not_counted(
            &passage,
            "The report describes how the board oversees climate-related risks and opportunities.",
        )
    }

    #[test]
    fn a_quoted_requirement_asks_and_a_statement_does_not() {
        assert!(is_asking("1(a) | Describe the board's oversight of risks"));
        assert!(is_asking("- Disclose Scope 1 emissions."));
        assert!(!is_asking("We describe the board's oversight below."));
        assert!(!is_asking("| Scope 1 | 12,450 |"));
    }

    #[test]
    fn only_what_speaks_for_the_entity_counts() {
        assert_eq!(
            reason(&["Governance"], "The board of Quillmoor reviews climate risks each quarter."),
            None
        );
        assert_eq!(
            reason(&["Independent Assurance Statement"], "Our scope was energy."),
            Some(ReasonNotCounted::Auditor)
        );
        assert_eq!(reason(&["9 Glossary"], "Scope 1: direct emissions."), Some(ReasonNotCounted::Glossary));
        assert_eq!(
            reason(&[], "Water ..... 4\nEnergy ..... 5\nBoard ..... 6\n"),
            Some(ReasonNotCounted::Contents)
        );
        let asks = "Describe the board's oversight of climate-related risks and opportunities.";
        assert_eq!(reason(&["TCFD table"], asks), Some(ReasonNotCounted::Standard));
        assert_eq!(reason(&["Strategy"], "Describe-and-forget is not how the mill works on water."), None);
    }
}
