//! Numbers that stand for themselves, with their currency or unit.

/// What may follow a number and is part of it.
const UNITS: [&str; 40] = [
    "%", "percent", "per", "cent", "million", "billion", "trillion", "thousand", "mn", "bn", "m", "b", "k",
    "t", "kt", "mt", "mtco2e", "tco2e", "co2e", "co₂e", "co2", "tonnes", "tons", "metric", "kwh", "mwh",
    "gwh", "twh", "kw", "mw", "gw", "gj", "tj", "pj", "ha", "hectares", "m3", "m³", "x", "+",
];
/// Codes of currencies that stand before a number.
const CURRENCIES: [&str; 14] =
    ["EUR", "USD", "GBP", "CHF", "SEK", "NOK", "DKK", "JPY", "CNY", "RMB", "INR", "AUD", "CAD", "HKD"];
/// Words between the numbers of a share.
const SHARES: [&str; 3] = ["of", "in", "out"];

/// Whether a text is nothing but a number with its currency or unit, a share such as `3 of 5` or zero.
pub(super) fn is_number(text: &str) -> bool {
    let mut words = text.split_whitespace().peekable();
    if words.next_if(|word| CURRENCIES.contains(word)).is_none()
        && words.next_if(|word| word.eq_ignore_ascii_case("zero")).is_some()
    {
        return words.next().is_none();
    }
    let first = words.next().unwrap_or_default();
    first.starts_with(|c: char| c.is_ascii_digit() || "$€£¥~<>≈+-−–".contains(c))
        && first.chars().any(|c| c.is_ascii_digit())
        && !first.ends_with('.')
        && !SHARES.contains(&text.split_whitespace().next_back().unwrap_or_default())
        && words.all(|word| {
            UNITS.contains(&word.to_lowercase().as_str())
                || SHARES.contains(&word)
                || word.chars().any(|c| c.is_ascii_digit())
        })
}
