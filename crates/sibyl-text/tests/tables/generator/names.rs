//! Names of columns.

use super::element::Element;
use super::random::Random;
use std::collections::BTreeSet;

/// The name of a column, and what it tells.
#[derive(Debug, Clone, Default)]
pub(super) struct Name {
    pub(super) text: String,
    /// It without period, unit and marks.
    pub(super) said: String,
    pub(super) year: Option<u16>,
    pub(super) part: Option<&'static str>,
    pub(super) unit: Option<&'static str>,
}

const WORDS: &[&[&str]] = &[
    &["Plan", "Actual", "Change", "Target"],
    &["Steel", "Paper", "Glass", "Cement"],
    &["Water withdrawn", "Water used", "Water returned", "Water sold"],
    &["Scope 1", "Scope 2", "Scope 3", "All scopes"],
];
const LONG: &[&str] = &[
    "Approximate value of what may yet be bought under the plans that were announced",
    "Average price that was paid for each of them",
    "Number of those that were bought as part of a plan",
    "What was held at the end",
];
/// Names over others.
const OVER_DATED: &[&[&str]] = &[&["Products", "Services", "Trade"], &["Group", "Parent", "Others"]];

/// `count` names that differ, in the style that `elements` ask for.
pub(super) fn names(random: &mut Random, elements: &BTreeSet<Element>, count: usize) -> Vec<Name> {
    let style = elements.iter().copied().min().unwrap_or(Element::Years);
    let first = 2_021 + u16::try_from(random.below(4)).expect("small");
    let words = WORDS[random.below(WORDS.len())];
    let word = |text: &str| Name { text: text.to_owned(), said: text.to_owned(), ..Name::default() };
    (0..count)
        .map(|at| {
            let year = first - u16::try_from(at).expect("a small number of columns");
            let dated = |text: String| Name { text, year: Some(year), ..Name::default() };
            match style {
                Element::MarkedYears => dated(format!("{year}{}", if at < 2 { "*" } else { "" })),
                Element::Dates => dated(format!("31.12.{year}")),
                Element::Halves => Name { part: Some("H1"), ..dated(format!("1H {year}")) },
                Element::Fiscal => dated(format!("FY{}", year % 100)),
                Element::Estimates => dated(format!("{year}{}", if at < 1 { "E" } else { "A" })),
                Element::DatedUnits => Name { unit: Some("kt"), ..dated(format!("{year} kt")) },
                Element::Words => word(words[at]),
                Element::LongNames => word(LONG[at]),
                _ => dated(year.to_string()),
            }
        })
        .collect()
}

/// `count` names that stand over others: words over periods, years over words.
pub(super) fn over(random: &mut Random, inner: &[Name], count: usize) -> Vec<Name> {
    if inner.iter().any(|name| name.year.is_some()) {
        let words = OVER_DATED[random.below(OVER_DATED.len())];
        let name =
            |text: &&str| Name { text: (*text).to_owned(), said: (*text).to_owned(), ..Name::default() };
        return words.iter().take(count).map(name).collect();
    }
    (0..count)
        .map(|at| {
            let year = 2_024 - u16::try_from(at).expect("a small number of columns");
            Name { text: year.to_string(), year: Some(year), ..Name::default() }
        })
        .collect()
}
