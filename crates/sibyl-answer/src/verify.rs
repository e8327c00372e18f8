//! Whether a sentence is true to what it cites. Quotes, figures, dates, names and identifiers are checked word by
//! word, the rest by a score of support.
//!
//! The check is measured on false and on true sentences, see `tests/lies.rs`: [`MISSED`] and [`WRONGLY_FLAGGED`]
//! are the shares it promises.

mod figure;
mod name;
mod normal;

use crate::answer::{AnswerDifference, Check, DifferenceKind};
use crate::passage::Passage;
use crate::question::denial;
use normal::Normal;
use sibyl_text::Span;
use sibyl_text::language::quantity::{Quantity, quantities};
use sibyl_text::language::words::{stem_set, words};
use std::collections::HashSet;

/// Share of changed figures, quotes and names that may pass unnoticed.
pub const MISSED: f64 = 0.02;
/// Share of true sentences that may be flagged.
pub const WRONGLY_FLAGGED: f64 = 0.02;
/// Minimum support of a sentence that follows from what it cites.
pub const SUPPORTED: f64 = 0.5;

/// A place that a sentence rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Evidence {
    /// Number of the passage.
    pub passage: usize,
    /// The words there.
    pub span: Span,
}

/// What the check of a sentence found.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// The outcome.
    pub check: Check,
    /// What differs.
    pub differences: Vec<AnswerDifference>,
    /// Share of the sentence's words that the place it rests on has, 0 to 1.
    pub support: f64,
    /// The best place in each passage that supports it.
    pub evidence: Vec<Evidence>,
}

/// Checks `sentence` against the passages that it cites. `all` are those of the whole answer: a name in one of
/// them is a name in the sentence.
pub fn verify(sentence: &str, cited: &[&Passage], all: &[Passage]) -> Verdict {
    let wanted = Normal::of(sentence);
    for passage in cited {
        for span in passage.heads.iter().chain(&passage.spans) {
            if let Some(place) = Normal::of_span(&passage.source.text, *span).find(&wanted) {
                let evidence = vec![Evidence { passage: passage.number, span: place }];
                return Verdict { check: Check::Verified, differences: Vec::new(), support: 1.0, evidence };
            }
        }
    }
    if cited.is_empty() || wanted.is_empty() {
        return Verdict {
            check: Check::Unsupported,
            differences: Vec::new(),
            support: 0.0,
            evidence: Vec::new(),
        };
    }
    let places: Vec<CitedUnit<'_>> = cited.iter().flat_map(|passage| places(passage)).collect();
    let own = stem_set(sentence);
    let best = best(&own, &places);
    let support = covered(&own, &best);
    let mut differences = Vec::new();
    quotes(sentence, cited, &mut differences);
    figure::check(sentence, &best, &places, &mut differences);
    name::check(sentence, &best, cited, all, &mut differences);
    negation(sentence, support, &best, &mut differences);
    let check =
        if differences.iter().any(|difference| difference.found.is_some()) && support >= SUPPORTED / 2.0 {
            Check::Altered
        } else if !differences.is_empty() {
            Check::NotFound
        } else if support >= SUPPORTED {
            Check::Supported
        } else {
            Check::Unsupported
        };
    let mut evidence: Vec<Evidence> = Vec::new();
    for place in best.iter().filter(|_| support > 0.0) {
        if evidence.iter().all(|known| known.passage != place.passage.number) {
            evidence.push(Evidence { passage: place.passage.number, span: place.span });
        }
    }
    Verdict { check, differences, support, evidence }
}

/// A unit of a cited passage, with the words it is read with.
pub(crate) struct CitedUnit<'a> {
    passage: &'a Passage,
    span: Span,
    /// Its own words and, for a row, those of the header row.
    text: String,
    stems: HashSet<String>,
    /// Stems of headings, title and identifier above it.
    around: HashSet<String>,
}

fn places(passage: &Passage) -> Vec<CitedUnit<'_>> {
    let mut around = stem_set(&passage.source.title);
    around.extend(passage.section.iter().flat_map(|heading| stem_set(heading)));
    around.extend(passage.paragraph_id.iter().flat_map(|id| stem_set(id)));
    around.extend(passage.source.issuer.iter().flat_map(|issuer| stem_set(issuer)));
    let mut spans: Vec<(Span, String)> = Vec::new();
    for unit in passage.units() {
        let words = unit.of(passage);
        let text = match unit.head {
            Some(head) => format!("{}\n{words}", head.of(&passage.source.text)),
            None => words.to_owned(),
        };
        spans.push((unit.span, text));
    }
    if spans.is_empty() {
        spans = passage.spans.iter().map(|span| (*span, span.of(&passage.source.text).to_owned())).collect();
    }
    spans
        .into_iter()
        .map(|(span, text)| {
            let (mut around, section) = (around.clone(), passage.section_of(span));
            if section != passage.section {
                around.extend(section.iter().flat_map(|heading| stem_set(heading)));
            }
            CitedUnit { passage, span, stems: stem_set(&text), text, around }
        })
        .collect()
}

/// The places that together have most of `own`: the best, and up to three more that add to it.
fn best<'p, 'a>(own: &HashSet<String>, places: &'p [CitedUnit<'a>]) -> Vec<&'p CitedUnit<'a>> {
    let mut chosen: Vec<&CitedUnit<'_>> = Vec::new();
    let mut left: HashSet<&String> = own.iter().collect();
    while chosen.len() < 4 {
        let gain = |place: &CitedUnit<'_>| left.iter().filter(|stem| place.stems.contains(**stem)).count();
        // Of several equally good ones, the first.
        let Some(next) = places.iter().rev().max_by_key(|place| gain(place)).filter(|place| gain(place) > 0)
        else {
            break;
        };
        if !chosen.is_empty() && gain(next) < 2 && gain(next) * 4 < own.len() {
            break;
        }
        left.retain(|stem| !next.stems.contains(*stem));
        chosen.push(next);
    }
    chosen
}

/// Share of `own` that `best` have, together with what stands around them.
fn covered(own: &HashSet<String>, best: &[&CitedUnit<'_>]) -> f64 {
    if own.is_empty() || best.is_empty() {
        return 0.0;
    }
    let held = own
        .iter()
        .filter(|stem| best.iter().any(|place| place.stems.contains(*stem) || place.around.contains(*stem)));
    held.count() as f64 / own.len() as f64
}

/// Words in quotation marks must stand in a cited passage.
fn quotes(sentence: &str, cited: &[&Passage], differences: &mut Vec<AnswerDifference>) {
    for quote in quoted(sentence) {
        let wanted = Normal::of(quote);
        let stands = cited.iter().any(|passage| {
            passage
                .heads
                .iter()
                .chain(&passage.spans)
                .any(|span| Normal::of_span(&passage.source.text, *span).find(&wanted).is_some())
        });
        if !stands {
            let own = stem_set(quote);
            let places: Vec<CitedUnit<'_>> = cited.iter().flat_map(|passage| places(passage)).collect();
            let near = best(&own, &places);
            let found = near.first().filter(|_| covered(&own, &near) >= SUPPORTED);
            let found = found.map(|place| place.span.of(&place.passage.source.text).to_owned());
            differences.push(AnswerDifference { kind: DifferenceKind::Quote, said: quote.to_owned(), found });
        }
    }
}

/// Quoted text of two words or more.
fn quoted(sentence: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut open: Option<usize> = None;
    for (at, c) in sentence.char_indices() {
        match (c, open) {
            ('“' | '„' | '«', _) => open = Some(at + c.len_utf8()),
            ('"', None) => open = Some(at + 1),
            ('"' | '”' | '»', Some(from)) => {
                found.push(&sentence[from..at]);
                open = None;
            }
            _ => {}
        }
    }
    found.retain(|quote| words(quote).len() >= 2);
    found
}

/// A sentence that says "not" where its source does not, or the other way round.
fn negation(sentence: &str, support: f64, best: &[&CitedUnit<'_>], differences: &mut Vec<AnswerDifference>) {
    let denies = |text: &str| denial(text).is_some();
    let Some(place) = best.first().filter(|_| best.len() == 1 && support >= 0.8) else { return };
    // A sentence that renders one clause of its source is compared with that clause.
    let own = stem_set(sentence);
    let held = |clause: &&str| stem_set(clause).intersection(&own).count();
    let all: Vec<&str> = place.text.split([',', ';', ':']).collect();
    let best = all.iter().copied().max_by_key(held).filter(|clause| held(clause) * 10 >= own.len() * 8);
    if denies(sentence) != denies(best.unwrap_or(&place.text)) {
        differences.push(AnswerDifference {
            kind: DifferenceKind::Negation,
            said: sentence.to_owned(),
            found: Some(place.span.of(&place.passage.source.text).to_owned()),
        });
    }
}

/// The numbers in `text`, as written.
pub(crate) fn numbers(text: &str) -> Vec<String> {
    quantities(text).into_iter().map(|figure| figure.text).collect()
}

/// Whether `text` has a number that is no year.
pub(crate) fn measures(text: &str) -> bool {
    quantities(text).iter().any(|figure| !figure.is_year)
}

pub(crate) fn figures_of(place: &CitedUnit<'_>) -> Vec<Quantity> {
    quantities(&place.text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passage::tests::whole;

    const TEXT: &str = "The committee is chaired by Marian Osei, and met five times in 2024. Investments are tested at £78 a tonne in 2024, rising to £130 in 2030.\n\n| Plant | Output 2024 (GWh) | Output 2023 (GWh) |\n|---|---:|---:|\n| Offshore wind | 7,980 | 7,110 |\n| Gas | 7,240 | 7,520 |\n\nIt was “approved by the board” on 27 February 2025, and no forecast of 32,600 kt was made.";

    fn check(sentence: &str) -> Check {
        let passage = whole(TEXT);
        verify(sentence, &[&passage], std::slice::from_ref(&passage)).check
    }

    #[test]
    fn words_of_the_source_are_verified_whatever_their_white_space_hyphens_and_quotes() {
        assert_eq!(
            check("Investments are tested at £78 a tonne\nin 2024, rising to £130 in 2030."),
            Check::Verified
        );
        assert_eq!(check("It was \"approved by the board\" on 27 February 2025"), Check::Verified);
        assert_eq!(check("| Gas | 7,240 | 7,520 |"), Check::Verified);
    }

    #[test]
    fn true_sentences_in_other_words_are_supported() {
        for sentence in [
            "Marian Osei chairs the committee, which met five times in 2024.",
            "The internal price for investments is £78 per tonne in 2024.",
            "Offshore wind had an output of 7,980 GWh in 2024.",
            "The board approved it on 27 February 2025.",
        ] {
            assert_eq!(check(sentence), Check::Supported, "{sentence}");
        }
    }

    #[test]
    fn what_was_changed_is_flagged() {
        for sentence in [
            "Investments are tested at £87 a tonne in 2024.",
            "Offshore wind had an output of 7,520 GWh in 2024.",
            "Offshore wind had an output of 7,980 MWh in 2024.",
            "The committee is chaired by Miriam Oslo.",
            "It was approved on 28 February 2025.",
            "The committee met \"five times without a quorum\" in 2024.",
            "The committee is not chaired by Marian Osei, and met five times in 2024.",
        ] {
            let check = check(sentence);
            assert!(matches!(check, Check::Altered | Check::NotFound), "{sentence}: {check:?}");
        }
    }

    #[test]
    fn scales_are_read() {
        assert_eq!(check("No forecast of 32.6 Mt was made."), Check::Supported);
        assert_eq!(check("No forecast of 32.6 kt was made."), Check::Altered);
    }

    #[test]
    fn a_sentence_that_cites_nothing_or_something_else_is_unsupported() {
        let passage = whole(TEXT);
        assert_eq!(verify("Birds sing.", &[], std::slice::from_ref(&passage)).check, Check::Unsupported);
        assert_eq!(check("Birds sing beautifully every morning."), Check::Unsupported);
    }
}
