//! Figures that answer a question. Hard conditions come first (scope, basis, period, kind, unit), then how likely
//! each is what is asked for. If there is a figure for what is asked but none meets the conditions,
//! nothing answers.

mod elsewhere;
mod fitting;
mod operation;
mod ratio;
pub mod shown;
mod telling;
#[cfg(test)]
mod tests;
mod vacant;

pub use elsewhere::{Beside, agreement, beside};
pub use fitting::Nearness;
use fitting::{Fit, fitting, names_of};
use operation::{change, compared, of_the_row, parts, ranked};
use ratio::ratio;
use shown::Other;
pub use telling::{clause, told};
use vacant::vacant;

use crate::question::quantity::{Operation, Quantity};
use crate::question::scope::{Basis, basis, category_of, scopes};
use crate::question::{Kind, Question};
use sibyl_text::Span;
use sibyl_text::figure::{Origin, Status};
use sibyl_text::language::period::periods;
use sibyl_text::language::unit::{Measure, scale};

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
    /// Probability that it is what is asked for, 0 to 1.
    pub probability: f64,
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

/// Fits that differ by no more than this are equally good.
const TIE: f64 = 0.1;
/// Log odds by which the figure of the right period may be behind the best.
const BEHIND: f64 = 0.75;

/// Whether figures may answer `question` at all.
pub fn may_answer(question: &Question) -> bool {
    let told_in_words = matches!(question.kind, Kind::Definition | Kind::Reason | Kind::Name);
    !told_in_words && question.asks.may(&question.text)
}

/// What `candidates`, as near to it as `near` says, contribute to `question`.
pub fn find(question: &Question, candidates: &[Candidate], near: &Nearness) -> Found {
    if candidates.is_empty() || !may_answer(question) {
        return Found::Nothing;
    }
    let given = given(question, candidates, near);
    ratio(question, candidates, &given).unwrap_or(given)
}

/// What `candidates` contribute to `question` as they are, compared or ranked.
fn given(question: &Question, candidates: &[Candidate], near: &Nearness) -> Found {
    let asks = question.asks.clone();
    let asked = question.focus();
    // A question that only names a scope says what it asks for.
    if asked.is_empty() && asks.scopes.is_empty() {
        return Found::Nothing;
    }
    let plain = is_plain(&asks);
    let mut fits = fitting(question, &asked, candidates, near);
    let named = fits.first().and_then(|fit| candidates[fit.index].label.last());
    let other_part = |fit: &Fit| question.is_of_other_part(&names_of(&candidates[fit.index]));
    fits.retain(|fit| !other_part(fit));
    let Some(nearest) = fits.first().map(|fit| fit.index) else {
        return match named {
            Some(name) if plain => {
                not_given(format!("There is {name}, but not of the part that is asked for."))
            }
            _ => Found::Nothing,
        };
    };
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
    if plain
        && asks.operation == Operation::Value
        && let Some(name) = vacant(candidates, best, &asked)
    {
        return not_given(format!("{name}: no figure is given for what is asked."));
    }
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
            let parts = parts(candidates, &fits, &asks);
            if asks.alternatives {
                compared(candidates, parts)
            } else {
                Found::Answer { chosen: parts, working: None }
            }
        }
        Operation::Comparison if asks.alternatives => Found::Nothing,
        _ if asks.two_latest || (asks.operation == Operation::Comparison && asks.periods.len() == 1) => {
            // If the year before a named one is asked for, the named one stands beside it.
            let here = Quantity { before: false, ..asks.clone() };
            let first = match wanted(&here).filter(|_| asks.before) {
                Some(named) => best_of(candidates, &fits, &here, Some(named)),
                None => best_of(candidates, &fits, &asks, None),
            };
            let second = match wanted(&asks) {
                Some(wanted) => best_of(candidates, &fits, &asks, Some(wanted)),
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
        _ => match best_of(candidates, &fits, &asks, wanted(&asks)) {
            Some(fit) if fit.score + BEHIND >= best.score => Found::Answer {
                chosen: if asks.both { of_the_row(candidates, fit) } else { vec![chosen(fit)] },
                working: None,
            },
            _ if plain => missing(candidates, &fits, &asks, &wanted_years(&asks)),
            _ => Found::Nothing,
        },
    }
}

/// The period that `asks` wants a figure of: the first that it names, or the one before that.
fn wanted(asks: &Quantity) -> Option<(u16, Option<String>)> {
    let first = asks.periods.first()?;
    Some((first.year - u16::from(asks.before), first.part.map(|part| part.to_string())))
}

/// Whether `asks` wants a number and nothing else.
const fn is_plain(asks: &Quantity) -> bool {
    asks.certain || asks.telegraphic || asks.direction
}

/// Says that there is no figure of that kind, and shows nothing beside it.
const fn not_given(why: String) -> Found {
    Found::Missing { why, given: Vec::new(), years: Vec::new() }
}

fn chosen(fit: &Fit) -> Chosen {
    Chosen { index: fit.index, probability: fit.probability() }
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
    // The unit of a table may stand in a place that is not read. The unit of a sentence stands next to its number.
    let paid = match own {
        Some(own) => own == Measure::Money || (own == Measure::Count && !in_a_sentence),
        None => !in_a_sentence,
    };
    let per = candidate.per || names.iter().any(|name| is_per(name));
    let other = (asks.money && !paid)
        || (asks.per && !per)
        || asks.measure.is_some_and(|measure| own != Some(measure))
        || asks.expected.is_some_and(|expected| !may_measure(candidate, expected))
        || (gives_gases(asks)
            && own == Some(Measure::Mass)
            && !is_of_gases(candidate)
            && !speaks_of_gases(&names, &above))
        || (is_of_scopes(asks) && own == Some(Measure::Share))
        || (asks.counted.is_some() && !asks.of_emissions && asks.scopes.is_empty() && is_of_gases(candidate));
    other.then_some(Other::Measure)
}

/// Whether `candidate` may be in a unit of the measure `expected`. The unit of a table is not always read, and a
/// table of thousands or of calendar years may be of anything.
fn may_measure(candidate: &Candidate, expected: Measure) -> bool {
    let in_a_table = candidate.origin != Origin::Sentence;
    match candidate.measure {
        Some(measure) => {
            let counts = matches!(measure, Measure::Count | Measure::Time);
            measure == expected || counts && (in_a_table || expected == Measure::Count)
        }
        None => in_a_table || expected == Measure::Count,
    }
}

/// Whether `asks` wants a mass of greenhouse gases.
fn gives_gases(asks: &Quantity) -> bool {
    asks.of_emissions && matches!(asks.measure.or(asks.expected), Some(Measure::Mass))
}

/// Whether `names`, or else the headings `above`, in lower case, speak of greenhouse gases.
fn speaks_of_gases(names: &[String], above: &[String]) -> bool {
    const GASES: [&str; 8] = ["emission", "co2", "co₂", "ghg", "greenhouse", "carbon", "scope ", "footprint"];
    names.iter().chain(above).any(|name| GASES.iter().any(|gas| name.contains(gas)))
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
    // A figure for a year after the report's own is no actual figure, whatever its column is called.
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
        // A question that names the base year asks for its figure.
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
            let same = one.year == Some(year)
                || (is_of_its_document(one) && one.document_year == Some(i64::from(year)));
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

/// Whether `candidate` may be of the year of its document: nothing else dates it. A sentence that names years is
/// about no other year.
fn is_of_its_document(candidate: &Candidate) -> bool {
    let dated = || candidate.label.iter().any(|name| !periods(name).is_empty());
    candidate.year.is_none() && !(candidate.origin == Origin::Sentence && dated())
}

/// The years that `asks` wants figures of.
fn wanted_years(asks: &Quantity) -> Vec<u16> {
    asks.periods.iter().map(|period| period.year - u16::from(asks.before)).collect()
}

/// Why none of the figures for what is asked is right: a right one would be of the years `wanted`.
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
        // Reports also state targets and base years in sentences and in columns of words.
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
