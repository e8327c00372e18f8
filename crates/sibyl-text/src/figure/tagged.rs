//! Figures that a filed report tags.

use super::{Figure, Origin, Status, habit};
use crate::document::{Document, Fact, Span};
use crate::language::number;
use crate::language::period::periods;
use crate::language::unit::{self, Unit};

/// Factor from the printed number to a tagged value, and the words for it.
const SCALES: [(f64, &str); 5] =
    [(1.0, ""), (1e3, "thousand "), (1e6, "million "), (1e9, "billion "), (1e12, "trillion ")];

/// Adds the tagged numbers of `document` to `found`, in place of those read from the same digits.
pub(super) fn read(document: &Document, found: &mut Vec<Figure>) {
    let decimal = habit(document);
    for fact in document.facts.iter().filter(|fact| fact.numeric) {
        let Some(span) = fact.span else { continue };
        let Some(read) = number::read(span.of(&document.text), decimal) else { continue };
        let start = span.start + (read.text.as_ptr() as usize - span.of(&document.text).as_ptr() as usize);
        let place = Span::new(start, start + read.text.len());
        let same = found.iter().position(|figure| figure.span.overlaps(place));
        let concept = words_of(fact.concept.rsplit(':').next().unwrap_or(&fact.concept));
        let members =
            fact.dimensions.iter().map(|(_, member)| words_of(member.rsplit(':').next().unwrap_or(member)));
        let ends = fact.period.rsplit('/').next().unwrap_or(&fact.period);
        let year = periods(ends.get(..4).unwrap_or_default()).first().map(|period| period.year);
        let (value, unit) = measured(fact, read.value);
        if let Some(at) = same {
            let figure = &mut found[at];
            figure.label.insert(0, concept);
            figure.label.extend(members);
            figure.year = year.or(figure.year);
            figure.origin = Origin::Fact;
            let said = figure.read_as.map(|own| (own.measure, value * own.factor));
            let tagged = unit.as_ref().map(|(_, own)| (own.measure, value * own.factor));
            let agree = matches!((said, tagged), (Some(one), Some(other)) if one.0 == other.0 && is_near(one.1, other.1));
            figure.value = value;
            if let Some((unit, read)) = unit.filter(|_| !agree) {
                (figure.unit, figure.read_as) = (Some(unit), Some(read));
            }
            continue;
        }
        let row =
            document.blocks.iter().find(|block| block.span.contains(place)).map_or(place, |block| block.span);
        found.push(Figure {
            span: place,
            row,
            head: None,
            label: std::iter::once(concept).chain(members).collect(),
            column: String::new(),
            above: document.path_at(place.start).into_iter().map(str::to_owned).collect(),
            year,
            part: None,
            read_as: unit.as_ref().map(|(_, read)| *read),
            unit: unit.map(|(unit, _)| unit),
            value,
            status: Status::Actual,
            origin: Origin::Fact,
        });
    }
}

/// The number of `fact`, which is printed as `printed`, with its sign, and the unit that goes with that number. A
/// value of 6,364,000,000 USD that is printed as 6,364 is 6,364 million USD.
fn measured(fact: &Fact, printed: f64) -> (f64, Option<(String, Unit)>) {
    let unit = fact.unit.as_deref().map(unit_of);
    let plain = |unit: Option<String>| unit.and_then(|unit| unit::read(&unit).map(|read| (unit, read)));
    let Some(value) = fact.value.parse::<f64>().ok().filter(|value| *value != 0.0 && printed != 0.0) else {
        return (printed, plain(unit));
    };
    let number = printed.abs().copysign(value);
    let times = value / number;
    if is_near(times, 0.01) && unit.as_deref().is_none_or(|unit| unit == "pure") {
        return (number, plain(Some("%".to_owned())));
    }
    match SCALES.iter().find(|(scale, _)| is_near(times, *scale)) {
        Some((_, words)) => (number, plain(unit.map(|unit| format!("{words}{unit}")))),
        // No word names this scale: the value stands for itself.
        None => (value, plain(unit)),
    }
}

/// Whether two numbers differ by no more than rounding.
fn is_near(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * one.abs().max(other.abs())
}

/// The unit of a fact without its prefixes: `iso4217:USD / xbrli:shares` is `USD / shares`.
fn unit_of(unit: &str) -> String {
    let parts = unit.split(" / ").map(|part| part.rsplit(':').next().unwrap_or(part));
    parts.collect::<Vec<_>>().join(" / ")
}

/// A name in camel case as words: `GrossScope1GHGEmissions` is `Gross Scope 1 GHG Emissions`.
fn words_of(name: &str) -> String {
    let mut out = String::new();
    let letters: Vec<char> = name.chars().collect();
    for (at, c) in letters.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| letters.get(at));
        let next = letters.get(at + 1);
        let begins = before.is_some_and(|before| {
            (c.is_uppercase() && (before.is_lowercase() || before.is_ascii_digit()))
                || (c.is_uppercase() && before.is_uppercase() && next.is_some_and(|next| next.is_lowercase()))
                || (c.is_ascii_digit() != before.is_ascii_digit())
        });
        if begins {
            out.push(' ');
        }
        out.push(*c);
    }
    out
}
