//! Cells that a question asks for and that hold no number: `n/a`, a dash, nothing.

use super::{Candidate, Fit};
use crate::question::Asked;
use sibyl_text::figure::Origin;
use sibyl_text::language::words::stem_set;
use std::collections::HashSet;

/// Share of what is asked for beyond the other names that a row or column has to be called.
const NAMED: f64 = 0.5;

/// The name of the column or row of its table that the words `asked` name rather than those of `fit`, if its row or column
/// has no figure there.
pub(super) fn vacant<'c>(candidates: &'c [Candidate], fit: &Fit, asked: &[&Asked]) -> Option<&'c str> {
    let own = &candidates[fit.index];
    if own.origin == Origin::Sentence || own.places.2.is_none() {
        return None;
    }
    let table: Vec<&Candidate> = candidates
        .iter()
        .filter(|one| {
            one.document == own.document && one.origin != Origin::Sentence && one.places.2 == own.places.2
        })
        .collect();
    let around = stems(own.above.iter().chain([&own.title]).chain(&own.unit));
    let in_row = |one: &Candidate| stems(&one.label);
    let in_column = |one: &Candidate| stem_set(&one.column);
    let column = other(
        asked,
        &[&around, &in_row(own)],
        &in_column(own),
        table.iter().copied().filter(|one| {
            !table.iter().any(|cell| cell.places.1 == own.places.1 && cell.column == one.column)
        }),
        in_column,
    );
    let row = other(
        asked,
        &[&around, &in_column(own)],
        &in_row(own),
        table.iter().copied().filter(|one| {
            !table.iter().any(|cell| cell.places.1 == one.places.1 && cell.column == own.column)
        }),
        in_row,
    );
    column.map(|one| one.column.as_str()).or_else(|| row.and_then(|one| one.label.last()).map(String::as_str))
}

/// The first of `others` whose names, by `of`, hold more than the names `own` of those `asked` that are not in `known`.
fn other<'c>(
    asked: &[&Asked],
    known: &[&HashSet<String>],
    own: &HashSet<String>,
    others: impl Iterator<Item = &'c Candidate>,
    of: impl Fn(&Candidate) -> HashSet<String>,
) -> Option<&'c Candidate> {
    let open: Vec<&&Asked> =
        asked.iter().filter(|one| !known.iter().any(|stems| one.held(stems) > 0.0)).collect();
    let held = |stems: &HashSet<String>| open.iter().map(|one| one.bears() * one.held(stems)).sum::<f64>();
    let least = held(own);
    let all: f64 = open.iter().map(|one| one.bears()).sum();
    let mut others =
        others.map(|one| (one, held(&of(one)))).filter(|(_, held)| *held > least && *held >= NAMED * all);
    others.next().map(|(one, _)| one)
}

fn stems<'n>(names: impl IntoIterator<Item = &'n String>) -> HashSet<String> {
    names.into_iter().flat_map(|name| stem_set(name)).collect()
}
