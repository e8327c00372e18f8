//! How an import settled what its files leave open: each case is named, with what counts and why.

use crate::error::{Error, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Maximum number of names in a note; beyond that it only gives their number.
const MOST_NAMES: usize = 100;

/// What a note of an import is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoteKind {
    /// A line that cannot be read is left out.
    LeftOut,
    /// Several grades for one document of a query: the highest counts.
    Grades,
    /// A repeated judgment counts once.
    RepeatedJudgment,
    /// Several texts for one query: the first counts.
    RepeatedQuery,
    /// Queries with the same words under several ids: each counts.
    SameWords,
    /// A result that is repeated in a ranking counts at its best place.
    RepeatedResult,
    /// Queries without labels are left out of every average.
    Unlabelled,
    /// A query whose labels contradict what it says of itself: the labels count.
    Contrary,
    /// Judged queries without a text are left out.
    NoText,
    /// Queries that a run answers and the set does not have are left out.
    UnknownQuery,
    /// Queries that a run does not answer count as having no results.
    Unanswered,
    /// Queries without judgments, such as those of another split, are left out.
    Unjudged,
    /// Ids that are counted as one.
    Folded,
    /// Labels that nothing in the workspace answers to are kept.
    Unmatched,
    /// An id was replaced by a lasting one, or a date by that of the import.
    Replaced,
}

impl NoteKind {
    /// Whether it is a fault of the files, for which a strict import is refused; else it is how files usually are.
    pub const fn is_fault(self) -> bool {
        !matches!(self, Self::Unanswered | Self::Unjudged | Self::Folded | Self::Unmatched | Self::Replaced)
    }
}

/// What an import did with something that its files leave open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ImportNote {
    /// What it is about.
    pub kind: NoteKind,
    /// What was found, by name, what counts, and the cure.
    pub message: String,
}

impl ImportNote {
    /// A note.
    pub fn new(kind: NoteKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }
}

impl fmt::Display for ImportNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// Refuses files with faults where the import is `strict`.
///
/// # Errors
/// [`Error::Invalid`] names every fault.
pub fn admit(notes: &[ImportNote], strict: bool) -> Result<()> {
    let faults: Vec<&str> = notes
        .iter()
        .filter(|note| strict && note.kind.is_fault())
        .map(|note| note.message.as_str())
        .collect();
    if faults.is_empty() {
        return Ok(());
    }
    let (what, them) = if faults.len() == 1 { ("a fault", "it") } else { ("faults", "them") };
    Err(Error::Invalid(format!(
        "nothing was imported, because a strict import accepts no file with {what}; correct {them}, or import without strict:\n{}",
        faults.join("\n")
    )))
}

/// `names` in a sentence, each in marks; of many the first ones, and how many more there are.
pub fn listed<T: AsRef<str>>(names: &[T]) -> String {
    let shown: Vec<String> =
        names.iter().take(MOST_NAMES).map(|name| format!("`{}`", name.as_ref())).collect();
    let more = names.len().saturating_sub(MOST_NAMES);
    if more == 0 { shown.join(", ") } else { format!("{} and {more} more", shown.join(", ")) }
}

/// `count` things that are called `one` or `many`.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {many}") }
}

/// Note of the queries called `ids`, which have no labels.
pub fn unlabelled<T: AsRef<str>>(ids: &[T]) -> Option<ImportNote> {
    let (it, has) = if ids.len() == 1 { ("it", "has") } else { ("them", "have") };
    (!ids.is_empty()).then(|| {
        let queries = counted(ids.len(), "query", "queries");
        let message = format!(
            "{queries} without labels {has} no part in any average: {}; judge {it}, or say that nothing answers {it}",
            listed(ids)
        );
        ImportNote::new(NoteKind::Unlabelled, message)
    })
}

/// Notes of `queries`, ids with their words, that ask the same.
pub fn same_words<'a>(queries: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<ImportNote> {
    let mut asked: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (id, text) in queries {
        let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
        asked.entry(words.join(" ")).or_default().push(id);
    }
    let told = asked.into_values().filter(|ids| ids.len() > 1).map(|ids| {
        let message = format!(
            "the queries {} have the same words: each counts in every average; delete those that are not meant",
            listed(&ids)
        );
        ImportNote::new(NoteKind::SameWords, message)
    });
    told.collect()
}

/// Lines of a file that say the same or contradict each other.
pub fn lines(numbers: &[u64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
    match numbers.split_last() {
        Some((last, [])) => format!("line {last}"),
        Some((last, rest)) => format!("lines {} and {last}", rest.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strict_import_is_refused_for_faults_alone() {
        let fault = ImportNote::new(NoteKind::Grades, "`a` has two grades");
        let usual = ImportNote::new(NoteKind::Unjudged, "3 queries are of another split");
        assert!(admit(std::slice::from_ref(&fault), false).is_ok());
        assert!(admit(std::slice::from_ref(&usual), true).is_ok());
        let refused = admit(&[usual, fault], true).unwrap_err().to_string();
        assert!(refused.contains("two grades") && !refused.contains("split"), "{refused}");
    }

    #[test]
    fn queries_with_the_same_words_are_told_together() {
        let queries = [("a", "Who  decides?"), ("b", "What is a plan?"), ("c", "who decides?")];
        let notes = same_words(queries.into_iter());
        assert_eq!(notes.len(), 1, "{notes:?}");
        assert!(notes[0].message.contains("`a`, `c`") && notes[0].kind.is_fault(), "{notes:?}");
    }

    #[test]
    fn names_are_told_as_far_as_somebody_reads() {
        assert_eq!(listed(&["a", "b"]), "`a`, `b`");
        let many: Vec<String> = (0..103).map(|n| n.to_string()).collect();
        assert!(listed(&many).ends_with("`99` and 3 more"));
        assert_eq!((lines(&[3]), lines(&[1, 3, 4])), ("line 3".to_owned(), "lines 1, 3 and 4".to_owned()));
        assert_eq!(unlabelled::<&str>(&[]), None);
    }
}
