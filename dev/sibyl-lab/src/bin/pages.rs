//! `cargo xtask pages [COUNT] [ELEMENT]`: reads COUNT random documents of each element, or of one, and compares
//! them with what they show.
#![allow(clippy::print_stdout)] // It is a program that talks to its user.
#![allow(missing_docs)] // What it shares with the tests is documented where it is not obvious.

#[path = "../../../../crates/sibyl-text/tests/pdf/generator/mod.rs"]
mod generator;
#[path = "../../../../crates/sibyl-text/tests/pdf/truth.rs"]
mod truth;
#[allow(dead_code)] // Tests use more of it to set pages.
#[path = "../../../../crates/sibyl-text/tests/pdf/writer.rs"]
mod writer;

use generator::{Element, made};
use sibyl_lab::table::Table;
use sibyl_text::format::pdf::{Trust, read};
use std::process::ExitCode;

const DEFAULT_COUNT: u64 = 1_000;
/// Faults that are shown of one element.
const SHOWN: usize = 5;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let count = words.first().and_then(|word| word.parse().ok()).unwrap_or(DEFAULT_COUNT);
    let only = words.get(1);
    let mixed = std::iter::once(("all of them", None));
    let each = Element::ALL.iter().map(|element| (element.name(), Some(*element)));
    let mut table = Table::new(&["Element", "Documents", "Faulty", "%", "Expected faulty, %"]);
    let mut worse = Vec::new();
    for (name, element) in mixed.chain(each).filter(|(name, _)| only.is_none_or(|only| only == name)) {
        let mut faulty = 0;
        for seed in 0..count {
            let made = made(seed, element);
            let faults = truth::faults(&made, &read(&made.bytes, Trust::Place));
            faulty += u64::from(!faults.is_empty());
            if only.is_some() && !faults.is_empty() && faulty <= SHOWN as u64 {
                println!("document {seed}:\n  {}", faults.join("\n  "));
            }
        }
        let share = 100.0 * faulty as f64 / count.max(1) as f64;
        let known = element.map(Element::missed);
        if known.is_some_and(|known| share > f64::from(known)) {
            worse.push(name);
        }
        let known = known.map_or("–".to_owned(), |known| known.to_string());
        table.row([name.to_owned(), count.to_string(), faulty.to_string(), format!("{share:.1}"), known]);
    }
    println!("{}", table.markdown());
    if worse.is_empty() {
        return ExitCode::SUCCESS;
    }
    println!("More documents are faulty than expected: {}", worse.join(", "));
    ExitCode::FAILURE
}
