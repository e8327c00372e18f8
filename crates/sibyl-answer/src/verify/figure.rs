//! Numbers with their unit and scale, and dates.

use super::CitedUnit;
use crate::answer::{AnswerDifference, DifferenceKind};
use sibyl_text::language::date::{Date, dates};
use sibyl_text::language::quantity::{Quantity, mentions, multiples, quantities};
use sibyl_text::language::unit::scale;
use sibyl_text::language::words::words;

/// Every figure and date of `sentence` must stand in the place that it rests on.
pub(super) fn check(
    sentence: &str,
    best: &[&CitedUnit<'_>],
    places: &[CitedUnit<'_>],
    differences: &mut Vec<AnswerDifference>,
) {
    let there: Vec<Quantity> = best.iter().flat_map(|place| super::figures_of(place)).collect();
    for figure in quantities(sentence) {
        let same = |other: &&Quantity| near(other.value, figure.value) && agrees(&figure, other);
        // A year may stand in the title or a heading.
        let above = figure.is_year
            && best.iter().any(|place| {
                place.around.contains(figure.text.as_str())
                    || place.passage.source.year.is_some_and(|year| near(year as f64, figure.value))
            });
        let unit_stands = |place: &&CitedUnit<'_>| {
            figure
                .unit
                .is_none_or(|unit| mentions(&place.text, unit) || mentions(&place.passage.text(), unit))
        };
        let bare = |place: &&CitedUnit<'_>| {
            super::figures_of(place).iter().any(|other| {
                other.unit.is_none()
                    && !other.is_year
                    && scaled(&figure, other, &place.text)
                    && unit_stands(place)
            })
        };
        if above || there.iter().any(|other| same(&other)) || best.iter().any(bare) {
            continue;
        }
        let kind = if figure.is_year { DifferenceKind::Date } else { DifferenceKind::Figure };
        let found = closest(&figure, &there);
        let found = found.or_else(|| {
            closest(&figure, &places.iter().flat_map(super::figures_of).collect::<Vec<_>>())
                .filter(|_| !best.is_empty())
        });
        differences.push(AnswerDifference { kind, said: figure.text, found });
    }
    let known: Vec<Date> = best.iter().flat_map(|place| dates(&place.text)).collect();
    for date in dates(sentence) {
        let holds = |other: &Date| {
            other.month == date.month
                && date.day.is_none_or(|day| other.day == Some(day))
                && date.year.is_none_or(|year| other.year.is_none_or(|known| known == year))
        };
        if !known.iter().any(holds) {
            let found = best.iter().find_map(|place| {
                dates(&place.text).first().map(|date| place.text[date.start..date.end].to_owned())
            });
            let said = sentence[date.start..date.end].to_owned();
            differences.push(AnswerDifference { kind: DifferenceKind::Date, said, found });
        }
    }
}

/// Whether both may mean the same: if both have a unit, the units agree.
fn agrees(said: &Quantity, other: &Quantity) -> bool {
    match (said.unit, other.unit) {
        (Some(a), Some(b)) => a == b,
        (Some(unit), None) => unit == "year",
        (None, _) => said.is_year == other.is_year || said.is_year,
    }
}

/// Whether the number of a cell, with the scale in the row's head, is the stated number.
fn scaled(said: &Quantity, cell: &Quantity, text: &str) -> bool {
    let Some(unit) = said.unit else { return near(said.value, cell.value) };
    let lower = text.to_lowercase();
    let all = words(&lower);
    let told = all.iter().filter(|word| word.text.len() > 2 && word.text.starts_with(char::is_alphabetic));
    let scales = told.filter_map(|word| scale(word.text));
    let scales: Vec<f64> = scales.chain([1.0]).collect();
    let factors = multiples(text, unit);
    let factors = if factors.is_empty() { vec![1.0] } else { factors };
    scales.iter().any(|scale| factors.iter().any(|factor| near(said.value, cell.value * scale * factor)))
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1e-12)
        // A minus sign is often put in words: "a loss of 95 million".
        || (a + b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1e-12)
}

/// The figure that takes the place of `said`: the nearest in value, of the same unit if there is one.
fn closest(said: &Quantity, there: &[Quantity]) -> Option<String> {
    let distance =
        |other: &Quantity| (other.value.abs().max(1e-12).ln() - said.value.abs().max(1e-12).ln()).abs();
    let like = |same: bool| {
        let those =
            there.iter().filter(|other| other.is_year == said.is_year && (!same || other.unit == said.unit));
        those.min_by(|a, b| distance(a).total_cmp(&distance(b))).map(|figure| figure.text.clone())
    };
    like(true).or_else(|| like(false))
}
