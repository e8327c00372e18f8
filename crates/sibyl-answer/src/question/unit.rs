//! Units and multiples, as words of a question.

use sibyl_text::language::unit::{Measure, read};

/// Words that are only parts of units, and multiples.
const PARTS: [&str; 15] = [
    "cubic",
    "metre",
    "metres",
    "meters",
    "short",
    "thousand",
    "thousands",
    "million",
    "millions",
    "billion",
    "billions",
    "mt",
    "co2e",
    "tco2e",
    "pound",
];

/// Whether `word`, in lower case, is a unit of what is measured, or a multiple of one. People, cases and times of
/// day are asked for themselves.
pub fn is_unit(word: &str) -> bool {
    let measured = |measure| !matches!(measure, Measure::Count | Measure::Time);
    PARTS.contains(&word)
        || (word.chars().nth(1).is_some() || word == "t")
            && read(word).is_some_and(|unit| measured(unit.measure))
}
