//! Figures that a filed report tags.

use super::{Figure, Origin, Status, habit};
use crate::document::{Document, Span};
use crate::language::number;
use crate::language::period::periods;
use crate::language::unit;

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
        if let Some(at) = same {
            let figure = &mut found[at];
            figure.label.insert(0, concept);
            figure.label.extend(members);
            figure.year = year.or(figure.year);
            figure.origin = Origin::Fact;
            continue;
        }
        let unit = fact.unit.as_deref().map(|unit| unit.rsplit(':').next().unwrap_or(unit).to_owned());
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
            read_as: unit.as_deref().and_then(unit::read),
            unit,
            value: read.value,
            status: Status::Actual,
            origin: Origin::Fact,
        });
    }
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
