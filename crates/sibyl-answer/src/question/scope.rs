//! Scopes of emissions, and how Scope 2 is counted, by what a text says.

use sibyl_text::Span;

/// How Scope 2 emissions are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// By contracts.
    Market,
    /// By grids.
    Location,
}

/// The scopes that `lower` names: `scope 1`, `scopes 1 and 2`, `scope 1+2`, `scope 1, 2 and 3`.
pub fn scopes(lower: &str) -> Vec<u8> {
    scope_spans(lower).0
}

/// The same with where they are named.
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

/// How `lower` counts Scope 2; `None` where it does not say so, or says both.
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
    fn scopes_are_read_one_by_one() {
        assert_eq!(scopes("scopes 1 and 2 emissions"), [1, 2]);
        assert_eq!(scopes("scope 1, 2 and 3"), [1, 2, 3]);
    }
}
