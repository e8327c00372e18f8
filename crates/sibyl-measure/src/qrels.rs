//! Judgments and texts of queries from files of lines, with what these repeat.

use crate::measure::Judgments;
use crate::note::{ImportNote, NoteKind, counted, lines, listed};
use crate::query::{JudgedQuery, QuerySet};
use std::collections::{BTreeMap, HashMap};

/// Grade from which a document counts as relevant.
pub const RELEVANT_FROM: i32 = 1;

/// Note of a line that cannot be read.
pub fn left_out(message: String) -> ImportNote {
    ImportNote::new(NoteKind::LeftOut, message)
}

/// Values with their line numbers, in the order of the file.
type Said<T> = Vec<(u64, T)>;

/// Grades by query and document.
#[derive(Default)]
pub(crate) struct Qrels(BTreeMap<String, BTreeMap<String, Said<i32>>>);

impl Qrels {
    /// Adds the judgment on line `number`.
    pub fn add(&mut self, number: u64, query: String, document: String, grade: i32) {
        self.0.entry(query).or_default().entry(document).or_default().push((number, grade));
    }
}

/// Texts by query.
#[derive(Default)]
pub(crate) struct Texts {
    said: HashMap<String, Said<String>>,
    /// Ids in the order of the file.
    order: Vec<String>,
}

impl Texts {
    /// Adds the text on line `number`.
    pub fn add(&mut self, number: u64, id: &str, text: &str) {
        let said = self.said.entry(id.to_owned()).or_insert_with(|| {
            self.order.push(id.to_owned());
            Vec::new()
        });
        said.push((number, text.to_owned()));
    }
}

/// The queries that are judged and have a text in `place`, in the order of their file. `notices` are those of the
/// lines; this adds more for what is said twice or is missing.
pub(crate) fn joined(qrels: Qrels, texts: Texts, place: &str, mut notices: Vec<ImportNote>) -> QuerySet {
    let mut grades: BTreeMap<String, BTreeMap<String, i32>> = BTreeMap::new();
    for (query, documents) in qrels.0 {
        for (document, said) in documents {
            notices.extend(graded_twice(&query, &document, &said));
            let best = said.iter().map(|(_, grade)| *grade).max().unwrap_or_default();
            grades.entry(query.clone()).or_default().insert(document, best);
        }
    }
    let Texts { mut said, order } = texts;
    let (mut queries, mut unjudged) = (Vec::new(), Vec::new());
    for id in order {
        let Some(grades) = grades.remove(&id) else {
            unjudged.push(id);
            continue;
        };
        let said = said.remove(&id).unwrap_or_default();
        notices.extend(written_twice(&id, &said));
        let Some((_, text)) = said.into_iter().next() else { continue };
        let judgments = Judgments::new(grades, RELEVANT_FROM);
        queries.push(JudgedQuery {
            answerable: judgments.any_relevant(),
            id,
            text,
            kind: String::new(),
            judgments,
            spans: Vec::new(),
            units: Vec::new(),
        });
    }
    let missing: Vec<&String> = grades.keys().collect();
    if !missing.is_empty() {
        let (all, are) = (counted(missing.len(), "judged query", "judged queries"), verb(missing.len()));
        let message = format!("{all} without a text in {place} {are} left out: {}", listed(&missing));
        notices.push(ImportNote::new(NoteKind::NoText, message));
    }
    if !unjudged.is_empty() {
        let (all, are) = (counted(unjudged.len(), "query", "queries"), verb(unjudged.len()));
        let it = if unjudged.len() == 1 { "it" } else { "them" };
        let message = format!(
            "{all} of {place} {are} left out, because the qrels do not judge {it}: {}",
            listed(&unjudged)
        );
        notices.push(ImportNote::new(NoteKind::Unjudged, message));
    }
    QuerySet { queries, unlabelled: Vec::new(), notices }
}

const fn verb(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

/// Each of `said` once, in its order.
fn distinct<T: PartialEq>(said: &Said<T>) -> Vec<&T> {
    let mut once: Vec<&T> = Vec::new();
    for (_, one) in said {
        if !once.contains(&one) {
            once.push(one);
        }
    }
    once
}

/// `names` in a sentence.
fn and(names: &[String]) -> String {
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}

fn numbers<T>(said: &Said<T>) -> String {
    lines(&said.iter().map(|(number, _)| *number).collect::<Vec<_>>())
}

/// Which of the grades on several lines of the qrels for `document` and `query` counts; `None` if there is only
/// one line.
fn graded_twice(query: &str, document: &str, said: &Said<i32>) -> Option<ImportNote> {
    if said.len() < 2 {
        return None;
    }
    let (place, grades) = (numbers(said), distinct(said));
    if let [grade] = grades[..] {
        let message = format!(
            "`{document}` has the grade {grade} for `{query}` more than once ({place}): it counts once"
        );
        return Some(ImportNote::new(NoteKind::RepeatedJudgment, message));
    }
    let best = grades.iter().max()?;
    let grades = and(&grades.iter().map(ToString::to_string).collect::<Vec<_>>());
    let message = format!(
        "`{document}` has the grades {grades} for `{query}` ({place}): the highest, {best}, counts; leave one"
    );
    Some(ImportNote::new(NoteKind::Grades, message))
}

/// Which of the texts on several lines for the query `id` counts; `None` if there is only one line.
fn written_twice(id: &str, said: &Said<String>) -> Option<ImportNote> {
    if said.len() < 2 {
        return None;
    }
    let (place, texts) = (numbers(said), distinct(said));
    let message = if texts.len() == 1 {
        format!("`{id}` occurs more than once with the same text ({place}): it counts once")
    } else {
        let texts = and(&texts.iter().map(|text| format!("\"{text}\"")).collect::<Vec<_>>());
        format!("`{id}` has the texts {texts} ({place}): the first counts; leave one")
    };
    Some(ImportNote::new(NoteKind::RepeatedQuery, message))
}
