//! What is looked for in the keyword index, and the one place that writes it in the syntax of FTS5.

use sibyl_text::language::runs::{indexed, is_one_letter};
use std::fmt::Write as _;

/// Words that follow each other.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Phrase {
    /// The words as typed, with any characters.
    pub text: String,
    /// Whether the last word stands for every word that begins with it.
    pub prefix: bool,
}

impl Phrase {
    /// The words of `text`, each whole; a single letter of Han, Kana or Hangul stands for the pairs that it begins.
    pub fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        // Also one at the end of a run: `2024 年` of `2024 年度`.
        let prefix = indexed(&text).split_whitespace().next_back().is_some_and(is_one_letter);
        Self { prefix, text }
    }

    /// The phrase as FTS5 reads it.
    pub(super) fn expression(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        // A quotation mark or NUL ends what FTS5 reads as one phrase.
        let _ = write!(out, "\"{}\"", indexed(&self.text).replace(['"', '\0'], " "));
        if self.prefix {
            out.push_str(" *");
        }
    }
}

/// A condition on a chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Clause {
    /// The phrase occurs.
    Phrase(Phrase),
    /// At least one of these holds.
    Should(Vec<Clause>),
    /// Each of these holds.
    Must(Vec<Clause>),
    /// The first holds, and the second does not.
    MustNot(Box<[Clause; 2]>),
}

impl Clause {
    /// The condition as a MATCH expression; empty if it has no phrase.
    pub(super) fn expression(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, true);
        out
    }

    /// Appends the condition, in parentheses if it is part of another.
    fn write(&self, out: &mut String, outermost: bool) {
        let (parts, operator) = match self {
            Self::Phrase(phrase) => return phrase.write(out),
            Self::Should(parts) => (parts.as_slice(), " OR "),
            Self::Must(parts) => (parts.as_slice(), " AND "),
            Self::MustNot(parts) => (parts.as_slice(), " NOT "),
        };
        if let [only] = parts {
            return only.write(out, outermost);
        }
        let enclosed = !outermost && !parts.is_empty();
        out.push_str(if enclosed { "(" } else { "" });
        for (n, part) in parts.iter().enumerate() {
            out.push_str(if n == 0 { "" } else { operator });
            part.write(out, false);
        }
        out.push_str(if enclosed { ")" } else { "" });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phrase(text: &str) -> Clause {
        Clause::Phrase(Phrase::new(text))
    }

    #[test]
    fn a_condition_is_written_for_fts5() {
        let either = Clause::Should(vec![phrase("climate"), phrase("risk")]);
        let both = Clause::Must(vec![either.clone(), phrase("plan")]);
        let without = Clause::MustNot(Box::new([both, phrase("draft")]));
        assert_eq!(either.expression(), r#""climate" OR "risk""#);
        assert_eq!(without.expression(), r#"(("climate" OR "risk") AND "plan") NOT "draft""#);
        assert_eq!(Clause::Should(vec![phrase("one")]).expression(), r#""one""#);
        assert_eq!(Clause::Should(Vec::new()).expression(), "");
        let beginning = Phrase { text: "net ze".to_owned(), prefix: true };
        assert_eq!(Clause::Phrase(beginning).expression(), r#""net ze" *"#);
    }

    #[test]
    fn no_text_ends_its_phrase() {
        assert_eq!(Phrase::new("a\" OR b\0c").expression(), r#""a  OR b c""#);
    }
}
