//! What a score means: how many of a question's words a passage has, and how near it is in meaning.
//!
//! Half of a passage's worth is its share of the question's words, weighted by how rare they are; the other half
//! is its similarity in meaning. Its search aids count as well as what it says. Its rank among the best scores of
//! questions that cannot be answered says what that is worth, see [`super::calibration`].

use super::named::{Named, spelled_out};
use crate::search::{Hit, Leg, ParsedQuery, Term, TermFate};
use sibyl_answer::question::{Asked, tells};
use sibyl_text::language::period::periods;
use sibyl_text::language::words::alike;
use std::collections::HashMap;

/// Cosine similarity that leaves nothing to wish.
const NEAREST: f64 = 0.7;
/// Weight of a name relative to other words: a report is not an answer just because it is the right one.
const NAME: f64 = 0.5;

/// A word of the question as the search read it.
struct SearchedWord {
    stems: Vec<String>,
    weight: f64,
    /// Whether it is the name of a report that was searched alone: all that was found has it.
    named: bool,
}

/// What a question asks for, as the search read it.
pub(crate) struct Searched(Vec<SearchedWord>);

impl Searched {
    /// `named` are the reports that were searched alone.
    pub fn new(query: &ParsedQuery, chunks: usize, named: &Named) -> Self {
        let mut words: Vec<SearchedWord> = Vec::new();
        let mut by_text: HashMap<String, usize> = HashMap::new();
        for term in &query.terms {
            match &term.fate {
                TermFate::StopWord | TermFate::Feedback => {}
                _ if !tells(&term.text.to_lowercase()) => {}
                TermFate::Expansion { of } => {
                    for word in of.split(' ') {
                        if let Some(&at) = by_text.get(&word.to_lowercase()) {
                            words[at].stems.push(term.stem.clone());
                        }
                    }
                }
                fate => {
                    let mut stems = vec![term.stem.clone()];
                    if let TermFate::Corrected { to } = fate {
                        stems.extend(to.iter().map(|word| word.to_lowercase()));
                    }
                    by_text.insert(term.text.to_lowercase(), words.len());
                    let named = named.holds(&term.text);
                    let weight = weight(term, chunks) * if named { NAME } else { 1.0 };
                    words.push(SearchedWord { stems, weight, named });
                }
            }
        }
        Self(words)
    }

    /// Share of the question, 0 to 1, that `hit` has in its text or its search aids.
    pub fn coverage(&self, hit: &Hit) -> f64 {
        let total: f64 = self.0.iter().map(|word| word.weight).sum();
        let held = self.0.iter().filter(|word| {
            let holds = |stem: &String| hit.matched_terms.iter().any(|matched| alike(stem, matched));
            word.named || word.stems.iter().any(holds)
        });
        if total > 0.0 { held.map(|word| word.weight).sum::<f64>() / total } else { 0.0 }
    }
}

/// How much a word says: the logarithm of how few chunks have it. A word that occurs only as a near spelling does
/// not outweigh the rest.
fn weight(term: &Term, chunks: usize) -> f64 {
    let holding = match term.fate {
        TermFate::Corrected { .. } => 30.0,
        _ => term.document_frequency as f64,
    };
    ((chunks as f64 + 1.0) / (holding + 0.5)).ln().max(0.3)
}

/// The words that an answer is about, as the search read, corrected and expanded them. An abbreviation that the
/// library does not know counts where `hits` have the words that it abbreviates.
pub(super) fn asked(query: &ParsedQuery, hits: &[Hit], chunks: usize) -> Vec<Asked> {
    let expansions = |word: &str| -> Vec<String> {
        // What replaces several words replaces each of them.
        let of = |term: &&Term| match &term.fate {
            TermFate::Expansion { of } => of.split(' ').any(|one| one.eq_ignore_ascii_case(word)),
            _ => false,
        };
        query.terms.iter().filter(of).map(|term| term.text.clone()).collect()
    };
    let mut asked = Vec::new();
    for term in query.terms.iter().filter(|term| !is_with_a_year(&term.text)) {
        let corrections = match &term.fate {
            TermFate::StopWord | TermFate::Expansion { .. } | TermFate::Feedback => continue,
            TermFate::Corrected { to } => to.as_slice(),
            _ => &[],
        };
        let mut expansions = expansions(&term.text);
        if term.fate == TermFate::Unknown {
            expansions.extend(spelled_out(&term.text, hits.iter().map(|hit| hit.passage.as_str())));
        }
        asked.push(Asked::new(&term.text, corrections, &expansions, weight(term, chunks)));
    }
    asked
}

/// Whether `text` is a word followed by a year. They were searched for together, but together they say no more.
fn is_with_a_year(text: &str) -> bool {
    text.split_once(' ').is_some_and(|(_, behind)| !periods(behind).is_empty())
}

/// How much of the question a passage answers, 0 to 1, before it is compared with questions without an answer.
pub(crate) fn raw(hit: &Hit, searched: &Searched) -> f64 {
    if let Some(score) = hit.rerank_score {
        return score.clamp(0.0, 1.0);
    }
    if hit.contributions.iter().any(|leaf| leaf.leg == Leg::Reference) {
        return 1.0;
    }
    let coverage = searched.coverage(hit);
    match hit.relevance {
        Some(similarity) => 0.5 * coverage + 0.5 * (similarity / NEAREST).clamp(0.0, 1.0),
        None => coverage,
    }
}

/// Raw score from which a passage may answer. It refuses one in forty of the questions that have an answer in the
/// project's two development sets.
const LIMIT: f64 = 0.53;
/// Relevance of [`LIMIT`]: the threshold of source document 001.
const LIMIT_RELEVANCE: f64 = 0.6;

/// Relevance, 0 to 1, of a raw score.
pub(super) fn relevance(raw: f64) -> f64 {
    let relevance = if raw < LIMIT {
        LIMIT_RELEVANCE * raw / LIMIT
    } else {
        LIMIT_RELEVANCE + (1.0 - LIMIT_RELEVANCE) * (raw - LIMIT) / (1.0 - LIMIT)
    };
    relevance.clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_begin_at_the_limit() {
        assert_eq!([relevance(0.0), relevance(LIMIT), relevance(1.0)], [0.0, 0.6, 1.0]);
        assert!((relevance(0.265) - 0.3).abs() < 1e-9, "half the limit");
    }
}
