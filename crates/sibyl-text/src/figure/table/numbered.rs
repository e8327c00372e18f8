//! Columns with numbers that are no figures: those of rows, and those before names.

use super::bare;
use crate::language::unit;
use std::collections::HashSet;

/// Whether `cells` are names with a number before each, like those of categories: the numbers rise, and most names
/// differ.
pub(super) fn lists_names(cells: &[&str]) -> bool {
    let numbered: Vec<(u32, &str)> = cells
        .iter()
        .filter_map(|cell| {
            let (number, name) = bare(cell).split_once([' ', '\u{a0}'])?;
            let name = name.trim().trim_start_matches(['–', '-', '.', ')']).trim_start();
            let number = number.trim_end_matches(['.', ')']).parse().ok()?;
            let names = name.starts_with(|c: char| c.is_alphabetic() && !c.is_lowercase());
            (names && unit::read(name).is_none()).then_some((number, name))
        })
        .collect();
    let names: HashSet<&str> = numbered.iter().map(|(_, name)| *name).collect();
    let filled = cells.iter().filter(|cell| !cell.is_empty()).count();
    numbered.len() > 2
        && numbered.len() + 1 >= filled
        && numbered.windows(2).all(|pair| pair[0].0 < pair[1].0)
        && 2 * names.len() > numbered.len()
}

/// Whether a column called `name`, in lower case, numbers the rows, so that its `cells` are no figures. `named_after` tells
/// whether a column behind it has a name.
pub(super) fn numbers_rows(name: &str, cells: &[&str], named_after: bool) -> bool {
    const NAMES: [&str; 14] = [
        "id", "no", "no.", "nr", "nr.", "#", "line", "row", "index", "item no.", "row id", "row no.", "序号",
        "序號",
    ];
    let numbers: Option<Vec<u32>> = cells.iter().map(|cell| cell.parse().ok()).collect();
    let Some(numbers) = numbers.filter(|numbers| numbers.len() > 1) else { return false };
    let counts = numbers.windows(2).all(|pair| pair[0].checked_add(1) == Some(pair[1]));
    let rises = numbers.windows(2).all(|pair| pair[1] > pair[0]);
    // One number for all rows, under no name, refers to something else.
    let refers = named_after && numbers.iter().all(|number| *number == numbers[0]);
    (NAMES.contains(&name) && rises) || (name.is_empty() && (counts && numbers[0] <= 1 || refers))
}
