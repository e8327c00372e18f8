//! Scopes of emissions, and how Scope 2 is counted, as texts say it.

use sibyl_text::Span;

/// How Scope 2 emissions are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// By contracts (market-based).
    Market,
    /// By grids (location-based).
    Location,
}

/// The scopes that `lower` names: `scope 1`, `scopes 1 and 2`, `scope 1+2`, `scope 1, 2 and 3`.
pub fn scopes(lower: &str) -> Vec<u8> {
    scope_spans(lower).0
}

/// The same, with their places.
pub(super) fn scope_spans(lower: &str) -> (Vec<u8>, Vec<Span>) {
    let (mut found, mut spans): (Vec<u8>, Vec<Span>) = (Vec::new(), Vec::new());
    for (at, _) in lower.match_indices("scope") {
        let mut end = None;
        let behind = at + "scope".len();
        let mut from = behind + lower[behind..].len()
            - lower[behind..].trim_start_matches(['s', ' ', '-', '\u{a0}']).len();
        while from < lower.len() {
            let part = lower[from..].split(|c: char| c.is_whitespace() || ",+&/".contains(c)).next();
            let part = part.unwrap_or_default();
            let word = part.trim_end_matches(|c: char| !c.is_alphanumeric());
            let scope = match word {
                "1" | "one" => Some(1),
                "2" | "two" => Some(2),
                "3" | "three" => Some(3),
                "and" | "plus" | "scope" | "scopes" | "" => None,
                _ => break,
            };
            if let Some(scope) = scope {
                found.push(scope);
                end = Some(from + word.len());
            }
            from += part.len() + lower[from + part.len()..].chars().next().map_or(0, char::len_utf8);
        }
        if let Some(end) = end.filter(|end| spans.last().is_none_or(|last| last.end < *end)) {
            spans.push(Span::new(at, end));
        }
    }
    found.sort_unstable();
    found.dedup();
    (found, spans)
}

/// The 15 categories of Scope 3, in their order, by words that their names hold (GHG Protocol, Corporate Value Chain (Scope 3)
/// Standard, chapter 5).
const CATEGORIES: [&[&str]; 15] = [
    &["purchased goods"],
    &["capital goods"],
    &["fuel- and energy-related", "fuel and energy related", "fuel and energy-related", "fuel-related"],
    &["upstream transport"],
    &["waste generated"],
    &["business travel"],
    &["commuting"],
    &["upstream leased"],
    &["downstream transport"],
    &["processing of sold"],
    &["use of sold"],
    &["end-of-life treatment", "end of life treatment"],
    &["downstream leased"],
    &["franchise"],
    &["investments"],
];

/// The category of Scope 3, 1 to 15, that `lower` names with the word or in its short form: `category 6`, `cat. 6`.
pub fn category(lower: &str) -> Option<u8> {
    let all: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let of_the_word = |pair: &[&str]| {
        let number = pair[1].parse().ok().filter(|number| (1..=15).contains(number));
        number.filter(|_| matches!(pair[0], "category" | "cat"))
    };
    all.windows(2).find_map(of_the_word)
}

/// The category of Scope 3 of the row or sentence `lower`: by its number, by a number before its name, or by its
/// name.
pub fn category_of(lower: &str) -> Option<u8> {
    let named = || {
        let says = |names: &&[&str]| names.iter().any(|name| lower.contains(name));
        let at = CATEGORIES.iter().position(says)?;
        u8::try_from(at + 1).ok()
    };
    category(lower).or_else(named)
}

/// Ways to say emissions of a scope without its number.
const BY_SOURCE: [(&str, u8); 6] = [
    ("value chain emissions", 3),
    ("value-chain emissions", 3),
    ("emissions in the value chain", 3),
    ("emissions of the value chain", 3),
    ("indirect emissions from energy", 2),
    ("direct emissions", 1),
];
/// Sources of Scope 2 emissions, when bought.
const BOUGHT: [&str; 5] = ["electricity", "power", "energy", "heat", "steam"];
/// The words of these names, which then say nothing else.
const OF_A_SOURCE: [&str; 16] = [
    "value",
    "chain",
    "bought",
    "purchased",
    "purchase",
    "electricity",
    "power",
    "energy",
    "heat",
    "steam",
    "direct",
    "indirect",
    "method",
    "basis",
    "s1",
    "s2",
];

/// The scopes that the question `lower` names, and the words that name one without its number.
pub(super) fn asked_scopes(lower: &str) -> (Vec<u8>, Vec<String>) {
    let numbered = scopes(lower);
    match scope_by_source(lower).filter(|_| numbered.is_empty()) {
        Some((scope, said)) => (vec![scope], said),
        None => (numbered, Vec::new()),
    }
}

/// The scope whose emissions `lower` asks for without its number, and the words that do so.
fn scope_by_source(lower: &str) -> Option<(u8, Vec<String>)> {
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).collect();
    let emissions =
        words.iter().any(|word| word.starts_with("emission") || matches!(*word, "co2" | "co2e" | "ghg"));
    // `direct emissions` also occurs in `indirect emissions`.
    let says =
        |way: &str| lower.match_indices(way).any(|(at, _)| !lower[..at].ends_with(char::is_alphanumeric));
    let scope = BY_SOURCE.iter().find(|(way, _)| says(way)).map(|(_, scope)| *scope);
    let of_bought = |pair: &[&str]| matches!(pair[0], "bought" | "purchased") && BOUGHT.contains(&pair[1]);
    let bought = (emissions && words.windows(2).any(of_bought)).then_some(2);
    // Only for Scope 2 do texts say how it is counted.
    let counted = basis(lower).filter(|_| emissions || words.contains(&"s2")).map(|_| 2);
    let scope = scope.or(bought).or(counted)?;
    let said = words.iter().filter(|word| OF_A_SOURCE.contains(word)).map(|word| (*word).to_owned());
    Some((scope, said.collect()))
}

/// How `lower` counts Scope 2; `None` if it does not say so, or says both.
pub fn basis(lower: &str) -> Option<Basis> {
    let market = ["market-based", "market based", "by market", "(market", "market basis", "market method"]
        .iter()
        .any(|words| lower.contains(words));
    let location =
        ["location-based", "location based", "by location", "(location", "location basis", "location method"]
            .iter()
            .any(|words| lower.contains(words));
    match (market, location) {
        (true, false) => Some(Basis::Market),
        (false, true) => Some(Basis::Location),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emissions_are_of_a_scope_by_their_source() {
        for (text, scope) in [
            ("emissions from bought power on the location method", Some(2)),
            ("market-based electricity emissions 2023", Some(2)),
            ("s2 location-based, whole group", Some(2)),
            ("total value chain emissions", Some(3)),
            ("direct emissions in norway", Some(1)),
            ("indirect emissions", None),
            ("emissions from diesel", None),
            ("emissions from purchased goods and services", None),
            ("emissions from electricity generation", None),
            ("purchased electricity in mwh", None),
            ("market-based pay", None),
        ] {
            assert_eq!(scope_by_source(text).map(|(scope, _)| scope), scope, "{text}");
        }
    }

    #[test]
    fn categories_are_read_by_number_and_by_name() {
        for (text, found) in [
            ("scope 3 category 9 (downstream transport) emissions", Some(9)),
            ("category 16", None),
            ("cat. 5 waste generated in operations", Some(5)),
            ("3 fuel- and energy-related activities", Some(3)),
            ("business travel", Some(6)),
            ("scope 3, total", None),
        ] {
            assert_eq!(category_of(text), found, "{text}");
        }
        assert_eq!(category("business travel"), None, "a question names it by its number");
    }

    #[test]
    fn scopes_are_read_one_by_one() {
        assert_eq!(scopes("scopes 1 and 2 emissions"), [1, 2]);
        assert_eq!(scopes("scope 1, 2 and 3"), [1, 2, 3]);
    }
}
