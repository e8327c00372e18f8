//! `cargo xtask tables [COUNT] [FORMAT|ELEMENT]`: COUNT random tables in each format, or in FORMAT, or which show ELEMENT, read
//! and held against what they say.
#![allow(clippy::print_stdout)] // It is a program that talks to its user.
#![allow(missing_docs)] // What it shares with the tests is documented where it is not obvious.
#![allow(clippy::unwrap_used)] // What it sets is its own, and no input.

#[path = "../../../../crates/sibyl-text/tests/tables/generator/mod.rs"]
mod generator;
#[path = "../../../../crates/sibyl-text/tests/tables/truth.rs"]
mod truth;

use generator::{Element, Format, made};
use sibyl_lab::table::Table;
use sibyl_text::format::{Input, format_of};
use std::collections::BTreeMap;

const DEFAULT_COUNT: u64 = 1_000;
/// Faulty tables of a format that are shown.
const SHOWN: usize = 4;
/// Faults of a table that are shown.
const FAULTS: usize = 3;

/// Cells under all their names, and all cells.
#[derive(Default, Clone, Copy)]
struct Rate {
    right: usize,
    all: usize,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let count = words.first().and_then(|word| word.parse().ok()).unwrap_or(DEFAULT_COUNT);
    let only = words.get(1);
    let is = |name: &str| only.is_none_or(|only| only == name);
    let formats: Vec<Format> = Format::ALL.iter().copied().filter(|format| is(format.name())).collect();
    let elements: Vec<Element> = Element::ALL.iter().copied().filter(|element| is(element.name())).collect();
    let formats = if formats.is_empty() { Format::ALL } else { &formats };
    let elements = if elements.is_empty() { Element::ALL } else { &elements };
    let mut rates: BTreeMap<(&str, &str), Rate> = BTreeMap::new();
    let mut kinds: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for format in formats {
        let shown: Vec<Element> = elements.iter().copied().filter(|element| element.is_in(*format)).collect();
        let mut faulty = 0;
        for (seed, element) in (0..count).zip(shown.iter().cycle()) {
            let verdict = tried(seed, *format, *element, &mut faulty);
            for name in ["all", element.name()] {
                let rate = rates.entry((name, format.name())).or_default();
                rate.right += verdict.right;
                rate.all += verdict.all;
            }
            for (kind, count) in verdict.kinds {
                *kinds.entry((kind, format.name())).or_default() += count;
            }
        }
    }
    let names: Vec<&str> = formats.iter().map(|format| format.name()).collect();
    let mut table = Table::new(&[&["Cells under their names, %"], names.as_slice()].concat());
    let rows = std::iter::once("all").chain(elements.iter().map(|element| element.name()));
    for row in rows {
        let share = |format: &&str| {
            let rate = rates.get(&(row, *format)).filter(|rate| rate.all > 0);
            rate.map_or("–".to_owned(), |rate| {
                format!("{:.2}", 100.0 * rate.right as f64 / rate.all as f64)
            })
        };
        table.row(std::iter::once(row.to_owned()).chain(names.iter().map(share)));
    }
    println!("{}", table.markdown());
    let mut table = Table::new(&[&["Cells whose … is wrong"], names.as_slice()].concat());
    let mut rows: Vec<&str> = kinds.keys().map(|(kind, _)| *kind).collect();
    rows.dedup();
    for row in rows {
        let count = |format: &&str| kinds.get(&(row, *format)).copied().unwrap_or(0).to_string();
        table.row(std::iter::once(row.to_owned()).chain(names.iter().map(count)));
    }
    println!("{}", table.markdown());
}

/// What became of one table; shows it where it is among the first that are faulty.
fn tried(seed: u64, format: Format, element: Element, faulty: &mut usize) -> truth::Verdict {
    let made = made(seed, format, element);
    let input = Input { name: made.name, bytes: &made.bytes, page_metadata: None };
    let Some(document) = format_of(&input).map(|format| format.read(&input)) else {
        return truth::Verdict::default();
    };
    let verdict = truth::judge(&made, &document);
    if !verdict.faults.is_empty() {
        *faulty += 1;
        if *faulty <= SHOWN {
            let elements: Vec<&str> = made.elements.iter().map(|element| element.name()).collect();
            println!("{} {seed} ({}):", format.name(), elements.join(", "));
            println!("{}", document.text);
            verdict.faults.iter().take(FAULTS).for_each(|fault| println!("  {fault}"));
            println!();
        }
    }
    verdict
}
