//! Years and numbers that only look like one.

/// Whether `name` says when something is, so that a year beside it is one.
pub(super) fn speaks_of_time(name: &str) -> bool {
    const WORDS: [&str; 24] = [
        "year",
        "years",
        "date",
        "period",
        "deadline",
        "target",
        "goal",
        "by",
        "until",
        "since",
        "from",
        "baseline",
        "base",
        "established",
        "founded",
        "expiry",
        "maturity",
        "jahr",
        "bis",
        "ziel",
        "år",
        "année",
        "año",
        "anno",
    ];
    let lower = name.to_lowercase();
    lower.split(|c: char| !c.is_alphanumeric()).any(|word| WORDS.contains(&word))
}

/// Whether a number has a sign between its thousands.
pub(super) fn is_grouped(number: &str) -> bool {
    let digits: Vec<&str> = number.split([',', '.', ' ', '\u{a0}', '\u{202f}', '\'', '’']).collect();
    let digit = |part: &str| part.chars().filter(char::is_ascii_digit).count();
    digits.windows(2).any(|pair| digit(pair[0]) > 0 && pair[1].len() == 3 && digit(pair[1]) == 3)
}
