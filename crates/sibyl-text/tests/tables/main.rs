//! Tables whose names and values are known, set in every format: each value is stored under its names.
//! `cargo xtask tables` tries thousands.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod generator;
mod truth;

use generator::{Element, Format, made};
use sibyl_text::Document;
use sibyl_text::format::{Input, format_of};

/// Tables of each format.
const TABLES: u64 = 300;

fn read(name: &str, bytes: &[u8]) -> Document {
    let input = Input { name, bytes, page_metadata: None };
    format_of(&input).unwrap().read(&input)
}

/// Share of the values that stand under all their names, which no format may fall below.
const fn least(format: Format) -> f64 {
    match format {
        Format::Ruled => 0.8,
        Format::Unruled => 0.65,
        Format::Tagged => 0.92,
        Format::PlainHtml => 0.99,
        _ => 1.0,
    }
}

#[test]
fn every_value_is_stored_under_its_names() {
    let mut low = Vec::new();
    for format in Format::ALL {
        let elements: Vec<Element> =
            Element::ALL.iter().copied().filter(|element| element.is_in(*format)).collect();
        let (mut right, mut all, mut faults) = (0, 0, Vec::new());
        for (seed, element) in (0..TABLES).zip(elements.iter().cycle()) {
            let made = made(seed, *format, *element);
            let verdict = truth::judge(&made, &read(made.name, &made.bytes));
            right += verdict.right;
            all += verdict.all;
            let shown: Vec<&str> = made.elements.iter().map(|element| element.name()).collect();
            faults
                .extend(verdict.faults.iter().map(|fault| format!("{seed} ({}): {fault}", shown.join(", "))));
        }
        let share = right as f64 / all as f64;
        println!("{}: {share:.4} of {all} values under their names", format.name());
        if share < least(*format) {
            faults.truncate(12);
            low.push(format!("{}: {share:.4}, as in\n{}", format.name(), faults.join("\n")));
        }
    }
    assert!(low.is_empty(), "{}", low.join("\n"));
}
