//! What is done with figures besides giving one: showing them side by side, and finding the difference, the greatest
//! or the least.

use super::telling::with_unit;
use super::{Candidate, Chosen, Fit, Found, best_of, chosen, missing, wanted};
use crate::question::quantity::{Operation, Quantity};
use sibyl_text::figure::{Origin, Status};
use sibyl_text::language::sum::is_sum;
use sibyl_text::language::unit::{self, Measure};

/// The figures of the row of `fit` that are of its period or of none.
pub(super) fn of_the_row(candidates: &[Candidate], fit: &Fit) -> Vec<Chosen> {
    let like = &candidates[fit.index];
    let row = |at: &usize| {
        let one = &candidates[*at];
        one.document == like.document
            && one.origin != Origin::Sentence
            && one.places.1 == like.places.1
            && (one.year == like.year || one.year.is_none() || like.year.is_none())
    };
    let all: Vec<Chosen> = (0..candidates.len())
        .filter(row)
        .map(|index| Chosen { index, probability: fit.probability() })
        .collect();
    if (2..=4).contains(&all.len()) { all } else { vec![chosen(fit)] }
}

/// The rows of one column that the question names one by one: "in Iberia and in the United Kingdom".
pub(super) fn parts(candidates: &[Candidate], fits: &[Fit], asks: &Quantity) -> Vec<Chosen> {
    let Some(best) = best_of(candidates, fits, asks, wanted(asks)) else { return Vec::new() };
    let like = &candidates[best.index];
    let same = |one: &Candidate| {
        one.document == like.document
            && one.places.2.is_some()
            && (one.places.2, one.year, &one.part, &one.column, one.status)
                == (like.places.2, like.year, &like.part, &like.column, like.status)
    };
    let named: Vec<Chosen> =
        fits.iter().filter(|fit| fit.precision > 0.99 && same(&candidates[fit.index])).map(chosen).collect();
    if (2..=4).contains(&named.len()) { named } else { Vec::new() }
}

/// By how much a figure differs between two periods.
pub(super) fn change(candidates: &[Candidate], fits: &[Fit], asks: &Quantity) -> Found {
    let plain = Quantity { status: None, before: false, ..asks.clone() };
    let pair = match asks.status {
        Some(Status::Base) if asks.periods.is_empty() => {
            best_of(candidates, fits, asks, None).zip(best_of(candidates, fits, &plain, None))
        }
        _ => {
            let Some((first, last)) = ends(candidates, fits, asks, &plain) else { return Found::Nothing };
            let part = asks.periods.first().and_then(|period| period.part).map(|part| part.to_string());
            let of = |year| best_of(candidates, fits, &plain, Some((year, part.clone())));
            let pair = of(first).zip(of(last));
            if pair.is_none() && asks.certain {
                return missing(candidates, fits, asks, &[first, last]);
            }
            pair
        }
    };
    let Some((old, new)) = pair else { return Found::Nothing };
    let (a, b) = (&candidates[old.index], &candidates[new.index]);
    if a.measure != b.measure || a.document != b.document && a.title != b.title {
        return Found::Nothing;
    }
    difference(a, b).map_or(Found::Nothing, |working| Found::Answer {
        chosen: vec![chosen(old), chosen(new)],
        working: Some(working),
    })
}

/// The two figures that are compared with the difference between them, the greater first.
pub(super) fn compared(candidates: &[Candidate], mut parts: Vec<Chosen>) -> Found {
    parts.sort_by(|a, b| candidates[b.index].value.total_cmp(&candidates[a.index].value));
    let working = match parts.as_slice() {
        [more, less] => difference(&candidates[less.index], &candidates[more.index]),
        _ => None,
    };
    Found::Answer { chosen: parts, working }
}

/// By how much `b` differs from `a`, with the working; `None` if their units cannot be compared.
fn difference(a: &Candidate, b: &Candidate) -> Option<String> {
    let before = in_unit_of(a, b)?;
    let difference = b.value - before;
    let share = if before.abs() > 1e-12 && b.measure != Some(Measure::Share) {
        format!(" ({:+.1} %)", difference / before.abs() * 100.0)
    } else {
        String::new()
    };
    let decimals = decimals(&a.printed).max(decimals(&b.printed));
    let unit = match b.unit.as_deref().or(a.unit.as_deref()) {
        Some(unit)
            if unit::read(unit).is_some_and(|unit| unit.measure == Measure::Share && unit.factor == 1.0) =>
        {
            Some("percentage points")
        }
        unit => unit,
    };
    let sign = if difference < 0.0 { "−" } else { "+" };
    let result = with_unit(&grouped(difference, decimals), unit);
    let was = if a.unit == b.unit { a.printed.clone() } else { with_unit(&a.printed, a.unit.as_deref()) };
    Some(format!("{} − {was} = {sign}{result}{share}", b.printed))
}

/// The years between which something changed, the earlier first; `plain` asks for an actual figure.
fn ends(candidates: &[Candidate], fits: &[Fit], asks: &Quantity, plain: &Quantity) -> Option<(u16, u16)> {
    let latest = || best_of(candidates, fits, plain, None).map(|latest| candidates[latest.index].year);
    let years: Vec<u16> = asks.periods.iter().map(|period| period.year).collect();
    match years.as_slice() {
        [] => latest()?.map(|year| (year - 1, year)),
        [year] if asks.since => Some((*year, latest()?.unwrap_or(*year))),
        [year] => Some((year.saturating_sub(1), *year)),
        [a, .., b] => Some((*a.min(b), *a.max(b))),
    }
}

/// Digits after the decimal sign of `printed`.
fn decimals(printed: &str) -> usize {
    printed.rsplit_once('.').map_or(0, |(_, rest)| rest.bytes().filter(u8::is_ascii_digit).count())
}

/// The value of `figure` in the unit of `like`; `None` if their units cannot be compared.
pub(super) fn in_unit_of(figure: &Candidate, like: &Candidate) -> Option<f64> {
    if figure.unit == like.unit || figure.unit.is_none() || like.unit.is_none() {
        return Some(figure.value);
    }
    let scale = like.normal.filter(|_| like.value != 0.0)? / like.value;
    figure.normal.filter(|_| scale != 0.0).map(|normal| normal / scale)
}

/// The absolute value of `value` with `decimals` digits after the point, and commas between thousands.
fn grouped(value: f64, decimals: usize) -> String {
    let plain = format!("{:.decimals$}", value.abs());
    let (whole, rest) =
        plain.split_once('.').map_or((plain.as_str(), None), |(whole, rest)| (whole, Some(rest)));
    let mut out = String::new();
    for (at, c) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at) % 3 == 0 {
            out.push(',');
        }
        out.push(c);
    }
    rest.map_or_else(|| out.clone(), |rest| format!("{out}.{rest}"))
}

/// What has the greatest or the least figure of its column.
pub(super) fn ranked(candidates: &[Candidate], fits: &[Fit], asks: &Quantity) -> Found {
    let wanted = asks.periods.first().map(|period| (period.year, None));
    let Some(best) = best_of(candidates, fits, asks, wanted) else { return Found::Nothing };
    let like = &candidates[best.index];
    let Some(head) = like.places.2 else { return Found::Nothing };
    let rows: Vec<usize> = (0..candidates.len())
        .filter(|at| {
            let one = &candidates[*at];
            let total =
                one.label.last().is_some_and(|name| is_sum(name) || name.to_lowercase().starts_with("group"));
            one.document == like.document
                && one.places.2 == Some(head)
                && (one.year, &one.part, &one.column, one.status)
                    == (like.year, &like.part, &like.column, like.status)
                && one.measure == like.measure
                && one.label.len() == like.label.len()
                && one.label[..one.label.len().saturating_sub(1)]
                    == like.label[..like.label.len().saturating_sub(1)]
                && !total
        })
        .collect();
    if rows.len() < 2 {
        return Found::Nothing;
    }
    let value = |at: &&usize| candidates[**at].value;
    let most = if asks.operation == Operation::Largest {
        rows.iter().max_by(|a, b| value(a).total_cmp(&value(b)))
    } else {
        rows.iter().min_by(|a, b| value(a).total_cmp(&value(b)))
    };
    most.map_or(Found::Nothing, |at| Found::Answer {
        chosen: vec![Chosen { index: *at, probability: best.probability() }],
        working: None,
    })
}
