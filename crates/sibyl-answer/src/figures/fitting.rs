//! How likely a figure is the one asked for. It depends on three things: how much of the question the figure's names
//! cover, how much of those names is asked for, and how near both are in meaning.

use super::telling::stretch;
use super::{Candidate, is_plain};
use crate::question::quantity::{Operation, Quantity};
use crate::question::{Asked, Question, is_said_by_scope};
use sibyl_embed::{Embedder, EmbeddingError, Purpose};
use sibyl_text::Span;
use sibyl_text::figure::Origin;
use sibyl_text::language::sum::{is_bare, is_sum};
use sibyl_text::language::words::{is_stop, stem, stem_set, words};
use std::collections::HashSet;

/// What each sign that a figure is the one asked for adds to its log odds.
///
/// They are fitted by logistic regression on 238 questions with an answer and 209 without, which six writers asked
/// about some 70 documents. Each figure that answers is set against the 25 others of its report that fit best. With
/// the documents held out by tenths, the first figure is right for .63 of the questions, and for .57 by words alone.
/// The sentence transformer instead of the static table (.65), and a list of 1,560 line items with their other names
/// (.63), are not worth their time.
struct Weights {
    /// Of the share of what is asked that its names hold.
    coverage: f64,
    /// Of the share of its own name that is asked for.
    precision: f64,
    /// Of its similarity in meaning.
    near: f64,
    /// For standing in a sentence.
    sentence: f64,
    /// Of what it lacks in coverage against the best.
    coverage_behind: f64,
    /// Of what it lacks in similarity against the nearest.
    near_behind: f64,
    /// If the question certainly wants a number.
    plain: f64,
    base: f64,
}

const WITH_MEANING: Weights = Weights {
    coverage: 1.73,
    precision: 1.64,
    near: 0.57,
    sentence: -0.69,
    coverage_behind: 4.34,
    near_behind: 3.01,
    plain: 0.52,
    base: -3.25,
};
const BY_WORDS: Weights = Weights {
    coverage: 2.01,
    precision: 1.95,
    near: 0.0,
    sentence: -0.63,
    coverage_behind: 4.9,
    near_behind: 0.0,
    plain: 0.48,
    base: -3.55,
};
/// Log odds from which a figure answers.
const LEAST: f64 = -1.6;
/// The same if the question may not want a number.
const LEAST_DOUBTFUL: f64 = 0.2;
/// Weight of a word that stands only in headings or in the unit.
const ABOVE: f64 = 0.75;
/// Most that a figure in a sentence loses for standing far from the words that are asked for.
const AROUND: f64 = 0.2;
/// Number of the best figures to which this applies.
const NEAREST: usize = 8;
/// What the row of a total gains if a question asks for the whole.
const TOTAL: f64 = 2.0;

/// How near each of some candidates is to a question in meaning, as a cosine; empty if it is not known.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Nearness(Vec<f64>);

impl Nearness {
    /// How near `candidates` are to `question`, by `table`.
    ///
    /// # Errors
    /// [`EmbeddingError`] where the table fails.
    pub async fn of(
        question: &Question,
        candidates: &[Candidate],
        table: Option<&dyn Embedder>,
    ) -> Result<Self, EmbeddingError> {
        let Some(table) = table else { return Ok(Self::default()) };
        let called: Vec<String> = candidates.iter().map(called).collect();
        let mut each: Vec<String> = called.clone();
        each.sort_unstable();
        each.dedup();
        let asked = table.embed(std::slice::from_ref(&question.compared), Purpose::Query).await?;
        let vectors = table.embed(&each, Purpose::Passage).await?;
        let Some(asked) = asked.first() else { return Ok(Self::default()) };
        let cosine = |vector: &Vec<f32>| asked.iter().zip(vector).map(|(a, b)| f64::from(a * b)).sum::<f64>();
        let near: Vec<f64> = vectors.iter().map(cosine).collect();
        let of = |name: &String| each.binary_search(name).ok().and_then(|at| near.get(at).copied());
        Ok(Self(called.iter().map(|name| of(name).unwrap_or_default()).collect()))
    }

    /// Leaves those candidates that are not `kept`.
    pub fn retain(&mut self, kept: &[bool]) {
        let mut kept = kept.iter();
        self.0.retain(|_| kept.next().copied().unwrap_or_default());
    }

    fn at(&self, index: usize) -> f64 {
        self.0.get(index).copied().unwrap_or_default()
    }
}

/// What `candidate` is called, from the group down, each name a sentence.
fn called(candidate: &Candidate) -> String {
    let column = Some(&candidate.column).filter(|column| !column.is_empty());
    candidate.label.iter().chain(column).map(String::as_str).collect::<Vec<_>>().join(". ")
}

/// A candidate with how well it fits.
pub(super) struct Fit {
    pub index: usize,
    pub precision: f64,
    /// Log odds that it is what is asked for.
    pub score: f64,
    in_a_sentence: bool,
}

/// Log odds that the best figure of all is right, and what its own log odds add to them. They are fitted on the same
/// questions: 149 were answered from tables, .65 of them rightly, and 32 from sentences (.59).
const IN_A_TABLE: (f64, f64) = (0.9, 1.2);
const IN_A_SENTENCE: (f64, f64) = (4.1, 3.4);

impl Fit {
    /// Probability that it is what is asked for if it is the best, 0 to 1.
    pub fn probability(&self) -> f64 {
        let (base, of_score) = if self.in_a_sentence { IN_A_SENTENCE } else { IN_A_TABLE };
        1.0 / (1.0 + (-base - of_score * self.score).exp())
    }
}

/// Those of `candidates` that are about what `question` asks, in the words `asked`, the best first. Their scope,
/// part and period do not matter yet.
pub(super) fn fitting(
    question: &Question,
    asked: &[&Asked],
    candidates: &[Candidate],
    near: &Nearness,
) -> Vec<Fit> {
    let asks = &question.asks;
    let weights = if near.0.is_empty() { &BY_WORDS } else { &WITH_MEANING };
    // `Electricity we buy` may want a number, or what to disclose about it.
    let dated = !asks.periods.is_empty() || !asks.scopes.is_empty();
    let least = if is_plain(asks) && (asks.number || dated) { LEAST } else { LEAST_DOUBTFUL };
    let sign = |holds: bool| f64::from(u8::from(holds));
    let may =
        |one: &Candidate| !is_a_mark(one) && is_of_names(question, one) && question.counts(&stems_of(one));
    let able: Vec<(usize, &Candidate, f64)> = candidates
        .iter()
        .enumerate()
        .filter(|(_, one)| may(one))
        .map(|(index, one)| (index, one, coverage(one, asked, asks)))
        .collect();
    let covered = able.iter().map(|(_, _, coverage)| *coverage).fold(0.0, f64::max);
    let nearest = able.iter().map(|(index, _, _)| near.at(*index)).fold(-1.0, f64::max);
    let mut fits: Vec<Fit> = able
        .into_iter()
        .map(|(index, one, coverage)| {
            let precision = precision(one, asked, asks);
            let whole = one.label.last().is_some_and(|name| is_sum(name));
            let in_a_sentence = one.origin == Origin::Sentence;
            let score = weights.base
                + weights.coverage * coverage
                + weights.coverage_behind * (coverage - covered)
                + weights.precision * precision
                + weights.near * near.at(index)
                + weights.near_behind * (near.at(index) - nearest)
                + weights.sentence * sign(in_a_sentence)
                + weights.plain * sign(is_plain(asks))
                + TOTAL * sign(asks.total && whole);
            Fit { index, precision, score, in_a_sentence }
        })
        .filter(|fit| fit.score >= least)
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

/// Whether every name in `question`, or one of those that it compares, is among the names of `candidate`, or above it.
fn is_of_names(question: &Question, candidate: &Candidate) -> bool {
    let names = candidate.label.iter().chain([&candidate.column, &candidate.title]).chain(&candidate.above);
    let stems = names.flat_map(|name| stem_set(name)).collect();
    if question.asks.alternatives { question.is_of_some_name(&stems) } else { question.is_of_names(&stems) }
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

/// Share of what is `asked`, 0 to 1, that the names of `candidate` and what stands above it hold.
fn coverage(candidate: &Candidate, asked: &[&Asked], asks: &Quantity) -> f64 {
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
    match asked {
        [] => 1.0,
        _ if beyond.is_empty() || of_part => held / total,
        _ => 0.0,
    }
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
    // Words that mark it as the total are no other name.
    let telling = |word: &String| !word.bytes().all(|b| b.is_ascii_digit()) && !is_bare(word);
    let telling: Vec<String> =
        words(own).iter().map(|word| word.text.to_lowercase()).filter(telling).collect();
    let all: HashSet<String> = telling.iter().map(|word| stem(word)).collect();
    let spelled: HashSet<&String> = asked.iter().flat_map(|one| one.spelled_by(&all)).collect();
    let wanted = |word: &&String| {
        let stems = HashSet::from([stem(word)]);
        spelled.contains(&stem(word))
            || asked.iter().any(|one| one.held(&stems) > 0.0)
            || is_said_by_scope(asks, word)
    };
    let own: Vec<&String> = match telling.iter().filter(|word| !is_stop(word)).collect::<Vec<_>>() {
        // `Other` names a part, even if its words say little.
        none if none.is_empty() => telling.iter().collect(),
        some => some,
    };
    if own.is_empty() { 0.5 } else { own.iter().copied().filter(wanted).count() as f64 / own.len() as f64 }
}
