//! Every sentence whole and in order, every table row intact, no prose in a table and no table in prose: over random documents.
//! `cargo xtask pages` tries thousands.

use crate::generator::{Element, Made, made};
use crate::read;
use crate::truth::faults;

/// Documents with each element, and those with any of them.
const EACH: u64 = 5;
const MIXED: u64 = 100;
/// Maximum number of faulty documents of a hundred with any of the elements.
const FAULTY: usize = 9;

fn wrong(seed: u64, element: Option<Element>) -> Option<String> {
    let made: Made = made(seed, element);
    let faults = faults(&made, &read(&made.bytes));
    (!faults.is_empty()).then(|| {
        format!("{}, document {seed}:\n  {}", element.map_or("all", Element::name), faults.join("\n  "))
    })
}

#[test]
fn documents_of_each_element_are_read_as_they_were_made() {
    let mut worse = Vec::new();
    let (mut all, mut expected) = (0, 0.0);
    for element in Element::ALL {
        let found: Vec<String> = (0..EACH).filter_map(|seed| wrong(seed, Some(*element))).collect();
        let most = EACH as f64 * f64::from(element.missed()) / 100.0;
        all += found.len();
        expected += most;
        if found.len() as f64 > most.ceil() {
            worse.push(format!("{} instead of {most}:\n{}", found.len(), found.join("\n")));
        }
    }
    assert!(worse.is_empty(), "{}", worse.join("\n"));
    assert!(all as f64 <= f64::ceil(expected), "{all} instead of {expected}");
}

#[test]
fn documents_of_all_elements_are_read_as_they_were_made() {
    let found: Vec<String> = (0..MIXED).filter_map(|seed| wrong(seed, None)).collect();
    assert!(
        found.len() <= FAULTY * MIXED as usize / 100,
        "{} of {MIXED}:\n{}",
        found.len(),
        found.join("\n")
    );
}
