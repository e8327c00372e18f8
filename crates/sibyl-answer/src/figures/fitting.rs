//! How well a figure fits what is asked: the share of the question that its names hold, and the share of its names that
//! is asked for.

use super::telling::stretch;
use super::{Candidate, is_plain};
use crate::question::quantity::{Operation, Quantity};
use crate::question::{Asked, Question, is_said_by_scope};
use sibyl_text::Span;
use sibyl_text::figure::Origin;
use sibyl_text::language::sum::{is_bare, is_sum};
use sibyl_text::language::words::{is_stop, stem, stem_set, words};
use std::collections::HashSet;

/// Minimum share of what is asked that the names of an answering figure contain.
const COVERED: f64 = 0.7;
/// The same if the question may not want a number.
const COVERED_DOUBTFUL: f64 = 0.88;
/// Minimum share of a row's own name that is asked for, if the question may not want a number.
const PRECISE_DOUBTFUL: f64 = 0.6;
/// Weight of a word that stands only in headings or in the unit.
const ABOVE: f64 = 0.75;
/// Weight of the fit of a row's own name, beside the coverage.
const PRECISION: f64 = 0.35;
/// What a figure in a sentence loses against one in a table.
const IN_A_SENTENCE: f64 = 0.06;
/// What a figure in a sentence loses at most for standing far from the words that are asked for.
const AROUND: f64 = 0.04;
/// Number of the best figures that are compared by it.
const NEAREST: usize = 8;
/// What the row of a total gains if the whole is asked for.
const TOTAL: f64 = 0.45;

/// A candidate with how well it fits.
pub(super) struct Fit {
    pub index: usize,
    pub coverage: f64,
    pub precision: f64,
    pub score: f64,
}

/// Those of `candidates` that are about what `question` asks, in the words `asked`, the best first. Their scope,
/// part and period do not matter yet.
pub(super) fn fitting(question: &Question, asked: &[&Asked], candidates: &[Candidate]) -> Vec<Fit> {
    let asks = &question.asks;
    let plain = is_plain(asks);
    let least = if plain { COVERED } else { COVERED_DOUBTFUL };
    let mut fits: Vec<Fit> = candidates
        .iter()
        .enumerate()
        .filter(|(_, one)| !is_a_mark(one) && is_of_names(question, one))
        .filter(|(_, one)| question.counts(&stems_of(one)))
        .map(|(index, one)| fit(index, one, asked, asks))
        .filter(|fit| fit.coverage >= least && (plain || fit.precision >= PRECISE_DOUBTFUL))
        .collect();
    fits.sort_by(|a, b| b.score.total_cmp(&a.score));
    // Of the numbers of a sentence, the one nearest to what is asked comes first.
    for fit in fits.iter_mut().take(NEAREST).filter(|fit| candidates[fit.index].origin == Origin::Sentence) {
        fit.score -= AROUND * share_of_sentence(asked, &candidates[fit.index]);
    }
    fits.sort_by(|a, b| b.score.total_cmp(&a.score));
    fits
}

/// Share of its sentence, 0 to 1, that is needed around the number of `candidate` to say what is `asked`.
fn share_of_sentence(asked: &[&Asked], candidate: &Candidate) -> f64 {
    let Some(sentence) = candidate.label.first().filter(|text| !text.is_empty()) else { return 1.0 };
    let offset = candidate.places.0.start.saturating_sub(candidate.places.1.start);
    let places = sentence.match_indices(candidate.printed.as_str());
    let Some(at) = places.map(|(at, _)| at).min_by_key(|at| at.abs_diff(offset)) else { return 1.0 };
    let number = Span::new(at, at + candidate.printed.len());
    let around = stretch(asked, sentence, Span::new(0, sentence.len()), number);
    (around.end - around.start) as f64 / sentence.len() as f64
}

/// Whether the number is no figure but the mark of a note or the number of a line.
fn is_a_mark(candidate: &Candidate) -> bool {
    const MARKS: [&str; 12] =
        ["note", "notes", "ref", "reference", "no", "nr", "page", "line", "id", "footnote", "see note", "#"];
    let column = candidate.column.to_lowercase();
    let last = column.rsplit(['›', '/']).next().unwrap_or_default();
    MARKS.contains(&last.trim_matches(|c: char| !c.is_alphanumeric() && c != '#'))
}

/// Whether every name in `question` is among the names of `candidate`, or above it.
fn is_of_names(question: &Question, candidate: &Candidate) -> bool {
    let names = candidate.label.iter().chain([&candidate.column, &candidate.title]).chain(&candidate.above);
    question.is_of_names(&names.flat_map(|name| stem_set(name)).collect())
}

/// What `candidate` is called.
pub(super) fn names_of(candidate: &Candidate) -> String {
    format!("{} {}", candidate.label.join(" "), candidate.column)
}

/// Stems of what `candidate` is called, of what stands above it, and of its unit.
fn stems_of(candidate: &Candidate) -> HashSet<String> {
    let names =
        candidate.label.iter().chain([&candidate.column]).chain(&candidate.above).chain(&candidate.unit);
    names.flat_map(|name| stem_set(name)).collect()
}

fn fit(index: usize, candidate: &Candidate, asked: &[&Asked], asks: &Quantity) -> Fit {
    let ranks = matches!(asks.operation, Operation::Largest | Operation::Smallest);
    // In a ranking the group and the column name what is ranked; the rows are the answers.
    let rows = if ranks { candidate.label.len().saturating_sub(1) } else { candidate.label.len() };
    let own: HashSet<String> =
        candidate.label[..rows].iter().chain([&candidate.column]).flat_map(|name| stem_set(name)).collect();
    let mut around: HashSet<String> = candidate.above.iter().flat_map(|name| stem_set(name)).collect();
    around.extend(candidate.unit.iter().flat_map(|unit| stem_set(unit)));
    around.extend(stem_set(&candidate.title));
    let total: f64 = asked.iter().map(|one| one.bears()).sum::<f64>().max(1e-9);
    let held: f64 = asked.iter().map(|one| one.bears() * one.held(&own).max(ABOVE * one.held(&around))).sum();
    // A figure of the right scope may still be of the wrong part.
    let beyond: Vec<&&Asked> =
        asked.iter().filter(|one| !asks.scopes.is_empty() && !one.is_scope()).collect();
    let of_part = beyond.iter().any(|one| one.held(&own).max(one.held(&around)) > 0.0);
    let coverage = match asked {
        [] => 1.0,
        _ if beyond.is_empty() || of_part => held / total,
        _ => 0.0,
    };
    let precision = precision(candidate, asked, asks);
    let place = if candidate.origin == Origin::Sentence { IN_A_SENTENCE } else { 0.0 };
    let whole = candidate.label.last().is_some_and(|name| is_sum(name));
    let total = if asks.total && whole { TOTAL } else { 0.0 };
    Fit { index, coverage, precision, score: coverage + PRECISION * precision + total - place }
}

/// Share of the row's own name in `candidate` that is asked for, 0 to 1. The total of something is called by its
/// group.
fn precision(candidate: &Candidate, asked: &[&Asked], asks: &Quantity) -> f64 {
    let ranks = matches!(asks.operation, Operation::Largest | Operation::Smallest);
    if candidate.origin == Origin::Sentence {
        return 0.3;
    }
    let own = candidate.label.iter().rev().find(|name| !is_bare(name));
    let Some(own) = own.filter(|_| !ranks) else { return 0.5 };
    // Words that mark it as the total add no other name.
    let telling = |word: &String| !word.bytes().all(|b| b.is_ascii_digit()) && !is_bare(word);
    let telling: Vec<String> =
        words(own).iter().map(|word| word.text.to_lowercase()).filter(telling).collect();
    let wanted = |word: &&String| {
        let stems = HashSet::from([stem(word)]);
        asked.iter().any(|one| one.held(&stems) > 0.0) || is_said_by_scope(asks, word)
    };
    let own: Vec<&String> = match telling.iter().filter(|word| !is_stop(word)).collect::<Vec<_>>() {
        // `Other`: it names a part, even if its words say little.
        none if none.is_empty() => telling.iter().collect(),
        some => some,
    };
    if own.is_empty() { 0.5 } else { own.iter().copied().filter(wanted).count() as f64 / own.len() as f64 }
}
