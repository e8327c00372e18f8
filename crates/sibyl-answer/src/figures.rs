//! Figures that answer a question. Hard conditions come first (scope, basis, period, kind, unit), then the share
//! of what is asked that their names have. If there is a figure for what is asked but none meets the conditions,
//! nothing answers.

mod elsewhere;
mod operation;
pub mod shown;
mod telling;
#[cfg(test)]
mod tests;

pub use elsewhere::{Beside, agreement, beside};
use operation::{change, of_the_row, parts, ranked};
use shown::Other;
pub use telling::{clause, told};

use crate::question::quantity::{Operation, Quantity};
use crate::question::scope::{Basis, basis, category_of, scopes};
use crate::question::{Asked, Kind, Question, is_said_by_scope};
use sibyl_text::Span;
use sibyl_text::figure::{Origin, Status};
use sibyl_text::language::sum::{is_bare, is_sum};
use sibyl_text::language::unit::{Measure, scale};
use sibyl_text::language::words::{is_stop, stem, stem_set, words};
use std::collections::HashSet;

/// A figure that may answer, with its surroundings.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// Row of the document.
    pub document: i64,
    /// Title and issuer of the document.
    pub title: String,
    /// Year that the document is about.
    pub document_year: Option<i64>,
    /// Names of its row, from the group down; the sentence elsewhere.
    pub label: Vec<String>,
    /// Name of its column without period and unit.
    pub column: String,
    /// Headings and caption above.
    pub above: Vec<String>,
    /// Year that it is about.
    pub year: Option<u16>,
    /// Names of its row, from the group down; if it stands in no table, its sentence.
    pub part: Option<String>,
    /// The number as it is printed.
    pub printed: String,
    /// The unit as it is printed.
    pub unit: Option<String>,
    /// What the unit measures.
    pub measure: Option<Measure>,
    /// Whether it is per something.
    pub per: bool,
    /// The number as a value.
    pub value: f64,
    /// The value in the base unit of its measure, such as tonnes; `None` if that is not known.
    pub normal: Option<f64>,
    /// Whether it is an actual value, a target or another kind.
    pub status: Status,
    /// Where it stands.
    pub origin: Origin,
    /// The number, its row or sentence, and the row that names the columns.
    pub places: (Span, Span, Option<Span>),
}

/// A figure that was chosen, and how well it fits.
#[derive(Debug, Clone, PartialEq)]
pub struct Chosen {
    /// Position among the candidates.
    pub index: usize,
    /// Share of what is asked that its names hold, 0 to 1.
    pub coverage: f64,
}

/// What figures say to a question.
#[derive(Debug, Clone, PartialEq)]
pub enum Found {
    /// They answer it: these do, and this was calculated from them.
    Answer {
        /// The figures, in the order of the answer.
        chosen: Vec<Chosen>,
        /// What was calculated from them, in words.
        working: Option<String>,
    },
    /// There are figures for what is asked, but not the one asked for.
    Missing {
        /// Why, in words.
        why: String,
        /// Positions of the figures of the same row for other periods, if a period is what is missing.
        given: Vec<usize>,
        /// The years that are missing.
        years: Vec<u16>,
    },
    /// No figure has to do with it.
    Nothing,
}

/// Minimum share of what is asked that the names of an answering figure contain.
const COVERED: f64 = 0.72;
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
/// What the row of a total gains if the whole is asked for.
const TOTAL: f64 = 0.45;
/// Fits that differ by no more than this are equally good.
const TIE: f64 = 0.02;

/// A candidate with how well it fits.
struct Fit {
    index: usize,
    coverage: f64,
    precision: f64,
    score: f64,
}

/// What `candidates` contribute to `question`.
pub fn find(question: &Question, candidates: &[Candidate]) -> Found {
    let asks = question.asks.clone();
    let told_in_words = matches!(question.kind, Kind::Definition | Kind::Reason | Kind::Name);
    if candidates.is_empty() || told_in_words || !asks.may(&question.text) {
        return Found::Nothing;
    }
    let asked = question.focus();
    // A scope alone says what is asked for.
    if asked.is_empty() && asks.scopes.is_empty() {
        return Found::Nothing;
    }
    let plain = is_plain(&asks);
    let mut fits = fitting(question, &asked, candidates);
    fits.retain(|fit| !question.is_of_other_part(&names_of(&candidates[fit.index])));
    let Some(nearest) = fits.first().map(|fit| fit.index) else { return Found::Nothing };
    fits.retain(|fit| other_than(&candidates[fit.index], &asks).is_none());
    let Some(best) = fits.first() else {
        let set = !asks.scopes.is_empty() || asks.basis.is_some() || asks.measure.is_some();
        // A target may also be stated in words.
        if plain && set && asks.status.is_none() && candidates[nearest].origin != Origin::Sentence {
            let name = candidates[nearest].label.last().map_or("it", String::as_str);
            return not_given(format!(
                "There is {name}, but not of the scope, basis or unit that is asked for."
            ));
        }
        return Found::Nothing;
    };
    match asks.operation {
        Operation::Largest | Operation::Smallest => ranked(candidates, &fits, &asks),
        Operation::Change => change(candidates, &fits, &asks),
        Operation::Comparison if asks.periods.len() > 1 => {
            let each: Vec<Option<&Fit>> = asks
                .periods
                .iter()
                .map(|period| {
                    best_of(candidates, &fits, &asks, Some((period.year, period.part.map(|p| p.to_string()))))
                })
                .collect();
            if each.iter().all(Option::is_some) {
                return Found::Answer {
                    chosen: each.into_iter().flatten().map(chosen).collect(),
                    working: None,
                };
            }
            missing(candidates, &fits, &asks, &wanted_years(&asks))
        }
        Operation::Comparison if !parts(candidates, &fits, &asks).is_empty() => {
            Found::Answer { chosen: parts(candidates, &fits, &asks), working: None }
        }
        _ if asks.two_latest || (asks.operation == Operation::Comparison && asks.periods.len() == 1) => {
            let first = best_of(candidates, &fits, &asks, None);
            let second = match asks.periods.first() {
                Some(period) => best_of(
                    candidates,
                    &fits,
                    &asks,
                    Some((period.year, period.part.map(|part| part.to_string()))),
                ),
                None => best_of(candidates, &fits, &Quantity { before: true, ..asks.clone() }, None),
            };
            match first.zip(second) {
                Some((first, second)) if first.index != second.index => {
                    Found::Answer { chosen: vec![chosen(first), chosen(second)], working: None }
                }
                Some((one, _)) => Found::Answer { chosen: vec![chosen(one)], working: None },
                None => missing(candidates, &fits, &asks, &wanted_years(&asks)),
            }
        }
        _ => {
            let wanted =
                asks.periods.first().map(|period| (period.year, period.part.map(|part| part.to_string())));
            match best_of(candidates, &fits, &asks, wanted) {
                Some(fit) if fit.score + 0.15 >= best.score => Found::Answer {
                    chosen: if asks.both { of_the_row(candidates, fit) } else { vec![chosen(fit)] },
                    working: None,
                },
                _ if plain => missing(candidates, &fits, &asks, &wanted_years(&asks)),
                _ => Found::Nothing,
            }
        }
    }
}

/// Whether `asks` wants a number and nothing else.
const fn is_plain(asks: &Quantity) -> bool {
    asks.certain || asks.telegraphic || asks.direction
}

/// Those of `candidates` that are about what `question` asks, in the words `asked`, the best first. Their scope,
/// part and period do not matter yet.
fn fitting(question: &Question, asked: &[&Asked], candidates: &[Candidate]) -> Vec<Fit> {
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
    fits
}

/// Says that there is no such figure, with nothing beside it.
const fn not_given(why: String) -> Found {
    Found::Missing { why, given: Vec::new(), years: Vec::new() }
}

const fn chosen(fit: &Fit) -> Chosen {
    Chosen { index: fit.index, coverage: fit.coverage }
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
fn names_of(candidate: &Candidate) -> String {
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

/// In what way `candidate` differs from what is asked for, if its scope, basis or unit is another.
fn other_than(candidate: &Candidate, asks: &Quantity) -> Option<Other> {
    let names: Vec<String> =
        candidate.label.iter().chain([&candidate.column]).map(|name| name.to_lowercase()).collect();
    let above: Vec<String> = candidate.above.iter().map(|name| name.to_lowercase()).collect();
    if !asks.scopes.is_empty() {
        let own = names
            .iter()
            .rev()
            .chain(above.iter().rev())
            .map(|name| scopes(name))
            .find(|scopes| !scopes.is_empty());
        let fits = match (&own, candidate.origin) {
            (Some(own), Origin::Sentence) => asks.scopes.iter().all(|scope| own.contains(scope)),
            (Some(own), _) => *own == asks.scopes,
            // Only Scope 3 has categories.
            (None, _) => asks.category.is_some() && asks.scopes == [3],
        };
        if !fits {
            return Some(Other::Scope);
        }
    }
    if let Some(wanted) = asks.category {
        let told = names.iter().rev().chain(above.iter().rev()).find_map(|name| category_of(name));
        if told != Some(wanted) {
            return Some(Other::Scope);
        }
    }
    if let Some(wanted) = asks.basis {
        let told = names.iter().rev().chain(above.iter().rev()).find_map(|name| basis(name));
        let both = |name: &String| name.contains("market") && name.contains("location");
        let silent = told.is_none() && !names.iter().any(both);
        if told.is_some_and(|told: Basis| told != wanted)
            || (silent && asks.scopes == [2]) && candidate.origin != Origin::Sentence
        {
            return Some(Other::Basis);
        }
    }
    let own = candidate.measure;
    let in_a_sentence = candidate.origin == Origin::Sentence;
    // The unit of a table may stand where it is not read; that of a sentence stands next to its number.
    let paid = match own {
        Some(own) => own == Measure::Money || (own == Measure::Count && !in_a_sentence),
        None => !in_a_sentence,
    };
    let per = candidate.per || names.iter().any(|name| is_per(name));
    let other = (asks.money && !paid)
        || (asks.per && !per)
        || asks.measure.is_some_and(|measure| own != Some(measure))
        || (is_of_scopes(asks) && own == Some(Measure::Share))
        || (asks.counted.is_some() && !asks.of_emissions && asks.scopes.is_empty() && is_of_gases(candidate));
    other.then_some(Other::Measure)
}

/// Whether the unit of `candidate` is one of greenhouse gases: tonnes of waste are not tonnes of CO2e.
fn is_of_gases(candidate: &Candidate) -> bool {
    candidate.unit.as_deref().is_some_and(|unit| {
        let lower = unit.to_lowercase();
        lower.contains("co2") || lower.contains("co₂")
    })
}

/// Whether `lower` gives something per something else.
pub(crate) fn is_per(lower: &str) -> bool {
    // `£78 a tonne`.
    let of_one =
        [" a ", " an ", " each "].iter().flat_map(|word| lower.match_indices(word)).any(|(at, _)| {
            let before = lower[..at].rsplit(' ').next().unwrap_or_default();
            before.bytes().any(|b| b.is_ascii_digit()) || before.len() > 2 && scale(before).is_some()
        });
    lower.contains("per ") && !lower.contains("per cent") || lower.contains('/') || of_one
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

/// Whether the question asks for emissions of a scope, which are no share of anything.
const fn is_of_scopes(asks: &Quantity) -> bool {
    !asks.scopes.is_empty()
        && asks.measure.is_none()
        && !matches!(asks.operation, Operation::Change)
        && !asks.per
}

/// Whether `candidate` is of the kind asked for: an actual figure if no other kind is named, and that kind if one
/// is.
fn of_the_kind(candidate: &Candidate, asks: &Quantity) -> bool {
    // What a report says about a year after its own is no actual figure, whatever its column is called.
    let ahead =
        candidate.year.zip(candidate.document_year).is_some_and(|(year, own)| i64::from(year) > own + 1);
    match asks.status {
        Some(Status::Target) if ahead => true,
        None if ahead => asks.periods.iter().any(|period| Some(period.year) == candidate.year),
        Some(Status::Target) => candidate.status == Status::Target,
        Some(Status::Base) if !asks.periods.is_empty() => {
            let named = asks.periods.iter().any(|period| Some(period.year) == candidate.year);
            candidate.status != Status::Target && named
        }
        Some(Status::Base) => candidate.status == Status::Base,
        Some(Status::Estimate) => matches!(candidate.status, Status::Estimate | Status::Target),
        // Whoever names the base year asks for its figure.
        _ if candidate.status == Status::Base => {
            asks.periods.iter().any(|period| Some(period.year) == candidate.year)
        }
        _ => matches!(candidate.status, Status::Actual | Status::Restated | Status::Estimate),
    }
}

/// The best figure of the period `wanted`, or of the latest one.
fn best_of<'f>(
    candidates: &[Candidate],
    fits: &'f [Fit],
    asks: &Quantity,
    wanted: Option<(u16, Option<String>)>,
) -> Option<&'f Fit> {
    let kind: Vec<&Fit> = fits.iter().filter(|fit| of_the_kind(&candidates[fit.index], asks)).collect();
    if let Some((year, part)) = wanted {
        let of = |fit: &&&Fit| {
            let one = &candidates[fit.index];
            let same =
                one.year == Some(year) || (one.year.is_none() && one.document_year == Some(i64::from(year)));
            same && (part.is_none() && (one.part.is_none() || one.status != Status::Actual)
                || one.part == part)
        };
        return kind.iter().find(of).copied();
    }
    let best = kind.first()?;
    let alike: Vec<&&Fit> = kind.iter().filter(|fit| fit.score + TIE >= best.score).collect();
    if asks.before {
        let mut years: Vec<u16> = alike.iter().filter_map(|fit| candidates[fit.index].year).collect();
        years.sort_unstable();
        years.dedup();
        let year = years.iter().rev().nth(1)?;
        return alike.iter().find(|fit| candidates[fit.index].year == Some(*year)).map(|fit| **fit);
    }
    let latest = alike.iter().filter_map(|fit| candidates[fit.index].year).max();
    alike.iter().find(|fit| candidates[fit.index].year == latest).map(|fit| **fit)
}

/// The years that `asks` names.
fn wanted_years(asks: &Quantity) -> Vec<u16> {
    asks.periods.iter().map(|period| period.year).collect()
}

/// Why none of the figures for what is asked is the right one, which would be of the years `wanted`.
fn missing(candidates: &[Candidate], fits: &[Fit], asks: &Quantity, wanted: &[u16]) -> Found {
    let best = fits[0].score;
    // The sentence that answers may follow one that comes close.
    if candidates[fits[0].index].origin == Origin::Sentence {
        return Found::Nothing;
    }
    let alike: Vec<usize> = fits.iter().filter(|fit| fit.score + TIE >= best).map(|fit| fit.index).collect();
    let first = &candidates[alike[0]];
    let name = first.label.last().filter(|_| first.origin != Origin::Sentence).map_or("it", String::as_str);
    let of_kind: Vec<usize> =
        alike.into_iter().filter(|index| of_the_kind(&candidates[*index], asks)).collect();
    if of_kind.is_empty() {
        // Targets and base years are also stated in sentences and in columns of words.
        return match asks.status {
            Some(_) => Found::Nothing,
            None => not_given(format!("There are figures of {name}, but none of them is an actual figure.")),
        };
    }
    let mut years: Vec<u16> = of_kind.iter().filter_map(|index| candidates[*index].year).collect();
    years.sort_unstable();
    years.dedup();
    let wanted: Vec<u16> = wanted.iter().copied().filter(|year| !years.contains(year)).collect();
    if years.is_empty() || wanted.is_empty() {
        return not_given(format!("There are figures of {name}, but not the one that is asked for."));
    }
    let given = of_kind
        .into_iter()
        .filter(|index| candidates[*index].label == first.label && candidates[*index].part.is_none())
        .collect();
    Found::Missing { why: given_and_not(name, &years, &wanted), given, years: wanted }
}

/// The years for which `name` is `given`, and those for which it is `missing`, in words.
fn given_and_not(name: &str, given: &[u16], missing: &[u16]) -> String {
    let joined = |years: &[u16]| years.iter().map(u16::to_string).collect::<Vec<_>>().join(", ");
    let listed = |years: &[u16]| match years {
        [years @ .., last] if !years.is_empty() => format!("{} and {last} are", joined(years)),
        years => format!("{} is", joined(years)),
    };
    format!("{name}: {} given; {} not.", listed(given), listed(missing))
}
