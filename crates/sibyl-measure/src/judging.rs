//! A ranking held against ids, documents, pages and passages.
//!
//! With ids every chunk has one id, and only the first chunk of each id counts. A chunk also answers to its
//! document and to its pages. If it names nothing else that was judged, only the first chunk of each of these
//! counts. With passages a chunk holds letters of a document. A labelled passage is found at the place with which
//! the chunks so far hold at least half of its letters (character recall ≥ ½, as INEX counts it). A chunk with at
//! least half of its letters in passages already found is another part of the same. It is passed over, as the
//! second chunk of an id is. If each labelled passage is a chunk of its own, both give the same figures.

use crate::label::{label_id, token};
use crate::measure::{Judged, JudgedRanking, Read};
use crate::query::{JudgedQuery, RankedId};
use crate::unit::{Unit, UnitLabel};
use sibyl_text::Span;
use std::collections::{HashMap, HashSet};

/// A place in a ranking that counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JudgedPlace {
    /// Position in the ranking that was judged, from 0.
    pub at: usize,
    /// The best grade of its labels; `None` if it was not judged.
    pub grade: Option<i32>,
    /// Names of the labels that are found here.
    pub labels: Vec<String>,
}

/// A labelled passage, and how much of it the chunks so far have.
struct Watched<'a> {
    name: &'a str,
    path: &'a str,
    span: Span,
    grade: i32,
    relevant: bool,
    held: Vec<Span>,
    found: bool,
}

/// A labelled document or page.
struct Awaited<'a> {
    label: &'a UnitLabel,
    relevant: bool,
    found: bool,
}

impl Awaited<'_> {
    /// Whether `ranked` is of it: as a chunk, or by its ids where another system found it.
    fn holds(&self, ranked: &RankedId) -> bool {
        match &ranked.passage {
            Some(passage) => self.label.unit.holds(&passage.path, passage.pages),
            None => {
                let unit = &self.label.unit;
                let spelt = Unit { path: token(&unit.path), page: unit.page };
                ids(ranked).map(Unit::of).any(|named| unit.contains(&named) || spelt.contains(&named))
            }
        }
    }
}

/// The ids that `ranked` is judged under.
fn ids(ranked: &RankedId) -> impl Iterator<Item = &str> {
    std::iter::once(ranked.id.as_str()).chain(ranked.also.iter().map(String::as_str))
}

/// What `query` expects: a ranking of nothing yet, its passages, and its documents and pages.
fn expected(query: &JudgedQuery) -> (JudgedRanking, Vec<Watched<'_>>, Vec<Awaited<'_>>) {
    let relevant_from = query.judgments.relevant_from();
    let mut judged = query.judgments.ideal();
    let mut watched: Vec<Watched<'_>> = Vec::new();
    for label in &query.spans {
        let relevant = label.grade >= relevant_from;
        judged.grades.push(label.grade);
        if relevant {
            judged.relevant += 1;
            judged.relevant_letters += label.span.map_or(label.letters, length);
        } else if label.grade >= 0 {
            judged.irrelevant += 1;
        }
        watched.extend(label.span.map(|span| Watched {
            name: &label.name,
            path: &label.path,
            span,
            grade: label.grade,
            relevant,
            held: Vec::new(),
            found: false,
        }));
    }
    let mut awaited = Vec::with_capacity(query.units.len());
    for label in &query.units {
        let relevant = label.grade >= relevant_from;
        judged.grades.push(label.grade);
        judged.relevant += usize::from(relevant);
        judged.irrelevant += usize::from(!relevant && label.grade >= 0);
        awaited.push(Awaited { label, relevant, found: false });
    }
    judged.sort();
    (judged, watched, awaited)
}

/// Compares `ranking`, best first, with the labels of `query`. Returns the places that count as well.
pub fn judge(query: &JudgedQuery, ranking: &[RankedId]) -> (JudgedRanking, Vec<JudgedPlace>) {
    let (mut judged, mut watched, mut awaited) = expected(query);
    let mut seen = HashSet::new();
    // Letters by path that are relevant and were read.
    let mut answered: HashMap<&str, Vec<Span>> = HashMap::new();
    let mut places = Vec::new();
    for (at, ranked) in ranking.iter().enumerate() {
        let first = seen.insert(ranked.id.as_str());
        let mut read = Read::default();
        let own = query.judgments.place(&ranked.id);
        let mut relevant = own.found > 0;
        let mut place = if first { own } else { Judged::default() };
        let mut further = !first;
        let mut labels: Vec<String> = place.grade.iter().map(|_| ranked.id.clone()).collect();
        for id in ranked.also.iter().filter(|id| seen.insert(id.as_str())) {
            let also = query.judgments.place(id);
            place.grade = place.grade.max(also.grade);
            place.found += also.found;
            relevant |= also.found > 0;
            labels.extend(also.grade.map(|_| id.clone()));
        }
        place.splittable = place.found;
        for unit in awaited.iter_mut().filter(|unit| unit.holds(ranked)) {
            relevant |= unit.relevant;
            if unit.found {
                further |= labels.is_empty();
                continue;
            }
            unit.found = true;
            labels.push(unit.label.name.clone());
            place.grade = place.grade.max(Some(unit.label.grade));
            place.found += usize::from(unit.relevant);
        }
        if let Some(passage) = &ranked.passage {
            read.tokens = passage.tokens;
            read.letters = passage.spans.iter().copied().map(length).sum();
            place.intact = if passage.whole { place.splittable } else { 0 };
            let mut again = 0;
            let held = answered.entry(passage.path.as_str()).or_default();
            let before = covered(held);
            if relevant {
                held.extend(&passage.spans);
            }
            for label in watched.iter_mut().filter(|label| label.path == passage.path) {
                let parts: Vec<Span> =
                    passage.spans.iter().filter_map(|span| common(*span, label.span)).collect();
                let part: usize = parts.iter().copied().map(length).sum();
                if part == 0 {
                    continue;
                }
                if label.found {
                    again += part;
                }
                let had = covered(&label.held);
                label.held.extend(&parts);
                let has = covered(&label.held);
                if label.relevant {
                    read.labelled_letters += has - had;
                    held.extend(parts);
                }
                if !label.found && 2 * has >= length(label.span) {
                    label.found = true;
                    labels.push(label.name.to_owned());
                    place.grade = place.grade.max(Some(label.grade));
                    place.found += usize::from(label.relevant);
                    place.splittable += usize::from(label.relevant);
                    place.intact += usize::from(label.relevant && part >= length(label.span));
                }
            }
            read.relevant_letters = covered(held) - before;
            further |= labels.is_empty() && again > 0 && 2 * again >= read.letters;
        } else {
            // Another system names a passage by the id that it has in qrels.
            for label in watched.iter_mut().filter(|label| !label.found) {
                let own = label_id(label.name);
                if ids(ranked).any(|id| id == own || id == token(own)) {
                    label.found = true;
                    labels.push(label.name.to_owned());
                    place.grade = place.grade.max(Some(label.grade));
                    place.found += usize::from(label.relevant);
                }
            }
        }
        judged.read.push(read);
        if further && labels.is_empty() {
            continue;
        }
        judged.ranked.push(place);
        places.push(JudgedPlace { at, grade: place.grade, labels });
    }
    (judged, places)
}

fn length(span: Span) -> usize {
    span.end - span.start
}

fn common(a: Span, b: Span) -> Option<Span> {
    let (start, end) = (a.start.max(b.start), a.end.min(b.end));
    (start < end).then(|| Span::new(start, end))
}

/// Bytes in at least one of `spans`.
fn covered(spans: &[Span]) -> usize {
    let mut sorted: Vec<(usize, usize)> = spans.iter().map(|span| (span.start, span.end)).collect();
    sorted.sort_unstable();
    let (mut sum, mut reached) = (0, 0);
    for (start, end) in sorted {
        sum += end.saturating_sub(start.max(reached));
        reached = reached.max(end);
    }
    sum
}

#[cfg(test)]
mod tests;
