//! What is shown beside a figure that answers: other places that state it, and other figures that were considered.

use super::shown::{Agreement, Other};
use super::{Candidate, Fit, Nearness, fitting, names_of, of_the_kind, other_than};
use crate::question::Question;
use sibyl_text::figure::Origin;
use sibyl_text::language::words::stem_set;

/// Maximum number shown of each.
const MOST: usize = 4;
/// Digits of a number that count even if they are zero: `2,900,000` may be rounded to hundreds of thousands.
const KEPT: usize = 2;
/// Rounding error by which equal values may differ, as a share of the greater one.
const HAIR: f64 = 1e-9;

/// What is shown beside figures that answer, by positions among the candidates.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Beside {
    /// The other passages that state the one figure that answers, and how they agree with it. They may give the
    /// same or a rounded value anywhere, or a different one where row and column have the same names.
    pub also: Vec<(usize, Agreement)>,
    /// Other figures for what is asked, each row once, with the way in which they differ.
    pub passed_over: Vec<(usize, Other)>,
}

/// Which `candidates`, as near to the question as `near` says, are shown beside those at `answers`. If none answers,
/// the figures that were passed over.
pub fn beside(question: &Question, candidates: &[Candidate], near: &Nearness, answers: &[usize]) -> Beside {
    let near = fitting(question, &question.focus(), candidates, near);
    Beside {
        also: match answers {
            [one] => also(question, candidates, &near, *one),
            _ => Vec::new(),
        },
        passed_over: passed_over(question, candidates, &near, answers.first().copied()),
    }
}

fn also(
    question: &Question,
    candidates: &[Candidate],
    near: &[Fit],
    answer: usize,
) -> Vec<(usize, Agreement)> {
    let told = &candidates[answer];
    let mut found: Vec<(usize, Agreement)> = Vec::new();
    for index in near.iter().map(|fit| fit.index) {
        let other = &candidates[index];
        let same = (other.year, &other.part, &other.measure, other.per)
            == (told.year, &told.part, &told.measure, told.per)
            && of_the_kind(other, &question.asks)
            && other_than(other, &question.asks).is_none()
            && !question.is_of_other_part(&names_of(other));
        if in_one_row(other, told) || !same {
            continue;
        }
        let Some(agreement) = agreement(told, other) else { continue };
        let again = found.iter().any(|(known, _)| in_one_row(&candidates[*known], other));
        if !again && found.len() < MOST {
            found.push((index, agreement));
        }
    }
    found
}

fn passed_over(
    question: &Question,
    candidates: &[Candidate],
    near: &[Fit],
    answer: Option<usize>,
) -> Vec<(usize, Other)> {
    let mut found: Vec<(usize, Other)> = Vec::new();
    for index in near.iter().map(|fit| fit.index) {
        let one = &candidates[index];
        let periods = &question.asks.periods;
        let of_period = periods.is_empty() || periods.iter().any(|period| Some(period.year) == one.year);
        let row = |known: usize| in_one_row(&candidates[known], one);
        if !of_period || answer.is_some_and(row) || found.iter().any(|(known, _)| row(*known)) {
            continue;
        }
        let part = question.is_of_other_part(&names_of(one)).then_some(Other::Part);
        let status = (!of_the_kind(one, &question.asks)).then_some(Other::Status);
        let other = other_than(one, &question.asks).or(part).or(status);
        if let Some(other) = other.filter(|_| found.len() < MOST) {
            found.push((index, other));
        }
    }
    found
}

/// Whether both are in one row or sentence.
fn in_one_row(one: &Candidate, other: &Candidate) -> bool {
    one.document == other.document && one.places.1 == other.places.1
}

/// How `other` agrees with `told`, both of the same period and measure; `None` if it is a figure of something
/// else.
pub fn agreement(told: &Candidate, other: &Candidate) -> Option<Agreement> {
    let (a, b) = (told.normal.unwrap_or(told.value), other.normal.unwrap_or(other.value));
    let (gap, hair) = ((a - b).abs(), HAIR * a.abs().max(b.abs()));
    if gap <= hair {
        return Some(Agreement::Agrees);
    }
    if gap <= step(told).max(step(other)) / 2.0 + hair {
        return Some(Agreement::Rounded);
    }
    let name = |one: &Candidate| stem_set(&names_of(one));
    let tables = told.origin != Origin::Sentence && other.origin != Origin::Sentence;
    (tables && name(told) == name(other)).then_some(Agreement::Differs)
}

/// What the last printed digit of `figure` is worth, in the base unit of its measure.
fn step(figure: &Candidate) -> f64 {
    let scale =
        figure.normal.filter(|_| figure.value != 0.0).map_or(1.0, |normal| (normal / figure.value).abs());
    let digits = figure.printed.bytes().filter(u8::is_ascii_digit).count();
    let whole = (figure.value.abs().max(1.0).log10().floor() + 1.0) as usize;
    let decimals = digits.saturating_sub(whole);
    if decimals > 0 {
        return scale * 0.1_f64.powi(i32::try_from(decimals).unwrap_or(i32::MAX));
    }
    let zeros =
        figure.printed.bytes().rev().filter(u8::is_ascii_digit).take_while(|digit| *digit == b'0').count();
    scale * 10_f64.powi(i32::try_from(zeros.min(digits.saturating_sub(KEPT))).unwrap_or(i32::MAX))
}
