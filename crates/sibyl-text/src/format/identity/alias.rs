//! What a report calls its issuer besides its name: `Example Holdings plc (“Example” or “the Group”; LSE: EXH)`.

use super::form::{FORMS, without_owner};
use crate::language::words::{folded, words};

/// Most names of one issuer that are kept.
const MOST: usize = 8;
/// Bytes of the text, from its beginning, in which a report says what it calls its issuer.
const READ: usize = 200_000;
/// Bytes behind a name in which the bracket opens, and bytes of the longest bracket.
const NEAR: usize = 60;
const BRACKET: usize = 240;
/// Letters of the longest name in a bracket, and of the longest sign at an exchange.
const LONGEST: usize = 40;
const SIGN: usize = 6;
/// Where shares are traded, as a bracket names it before the sign of a share.
const EXCHANGES: [&str; 30] = [
    "nyse", "nasdaq", "lse", "aim", "tse", "tyo", "hkex", "sehk", "six", "asx", "tsx", "xetra", "fra",
    "euronext", "epa", "ams", "omx", "b3", "bme", "bit", "sse", "szse", "twse", "krx", "nse", "bse", "jse",
    "sgx", "ticker", "symbol",
];
/// Quotation marks, each with those that close it.
const QUOTES: [(char, &str); 7] =
    [('“', "”“\""), ('"', "\"”"), ('„', "“”\""), ('«', "»"), ('‘', "’"), ('「', "」"), ('『', "』")];
/// What anybody calls himself.
const SPEAKERS: [&str; 8] = ["we", "us", "our", "ours", "wir", "nous", "vi", "nosotros"];

/// The other names of `issuer` in `text`, in the order in which it gives them.
pub(super) fn of(text: &str, issuer: &str) -> Vec<String> {
    let text = &text[..text.floor_char_boundary(READ)];
    let name = bare(issuer);
    let mut found: Vec<String> = Vec::new();
    if name.is_empty() {
        return found;
    }
    // A name in capitals is the same name, and letters of one byte keep their places.
    let (lower, wanted) = (text.to_ascii_lowercase(), name.to_ascii_lowercase());
    for (at, _) in lower.match_indices(&wanted) {
        let whole = text[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric());
        let Some(bracket) = bracket(&text[at + name.len()..]).filter(|_| whole) else { continue };
        let said = quoted(bracket).into_iter().chain(plain(bracket, name));
        let said =
            said.chain(sign(bracket).map(str::to_owned)).chain(initials(bracket, name).map(str::to_owned));
        for alias in said.take(MOST) {
            let known = found.iter().map(String::as_str).chain([issuer, name]);
            if !known.into_iter().any(|one| one.eq_ignore_ascii_case(&alias)) && found.len() < MOST {
                found.push(alias);
            }
        }
    }
    found
}

/// A name without the form of its company.
fn bare(name: &str) -> &str {
    let mut name = name.trim();
    while let Some((rest, last)) = name.rsplit_once(' ') {
        let last = last.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        if !(last.is_empty() || FORMS.contains(&last.as_str())) {
            break;
        }
        name = rest.trim_end_matches([',', ' ']);
    }
    name
}

/// What stands in the bracket that opens in `rest`, behind the form of a company and those that belong to it at most.
fn bracket(rest: &str) -> Option<&str> {
    let near = &rest[..rest.floor_char_boundary(NEAR)];
    let open = near.find(['(', '（'])?;
    let between = without_start(near[..open].trim_end());
    let subsidiaries = ["and its subsidiaries", "and subsidiaries", "together with its subsidiaries"];
    let between = subsidiaries.iter().find_map(|end| between.strip_suffix(end)).unwrap_or(between);
    let mut forms = between.split([' ', ',']).map(|word| word.trim_matches('.').to_lowercase());
    if between.contains('\n') || !forms.all(|word| word.is_empty() || FORMS.contains(&word.as_str())) {
        return None;
    }
    let inside = &rest[open..];
    let inside = &inside[inside.chars().next().map_or(0, char::len_utf8)..];
    let inside = &inside[..inside.floor_char_boundary(BRACKET)];
    inside.find([')', '）']).map(|close| &inside[..close])
}

/// What stands behind the sign of an owner, where one begins a text.
fn without_start(text: &str) -> &str {
    text.strip_prefix("’s").or_else(|| text.strip_prefix("'s")).unwrap_or(text)
}

/// The names of a bracket without quotation marks, of which one at least has an article: `the Company or Example`.
fn plain(bracket: &str, issuer: &str) -> Vec<String> {
    let all: Vec<&str> =
        bracket.split([',', ';']).flat_map(|part| part.split(" or ")).map(str::trim).collect();
    let capital = |word: &str| word.starts_with(char::is_uppercase) && word.chars().all(char::is_alphabetic);
    let noun = |part: &&str| part.strip_prefix("the ").is_some_and(capital);
    let own = |part: &&str| capital(part) && issuer.split(' ').any(|word| word.eq_ignore_ascii_case(part));
    let all_names = all.iter().all(|part| noun(part) || own(part));
    if all_names && all.iter().any(noun) { all.into_iter().map(str::to_owned).collect() } else { Vec::new() }
}

/// The names that a bracket has in quotation marks, with the `the` before them.
fn quoted(bracket: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = bracket;
    while let Some((open, mark)) = rest.char_indices().find(|(_, c)| QUOTES.iter().any(|(mark, _)| mark == c))
    {
        let inside = &rest[open + mark.len_utf8()..];
        let closes = QUOTES.iter().find(|(one, _)| *one == mark).map_or("", |(_, closes)| closes);
        let Some(close) = inside.find(|c| closes.contains(c)) else { break };
        let name = inside[..close].trim_matches([' ', ',', ';']);
        let before = rest[..open].split_whitespace().next_back().unwrap_or_default();
        let named = name.chars().any(char::is_alphabetic) && name.chars().count() <= LONGEST;
        if named && !SPEAKERS.contains(&name.to_lowercase().as_str()) {
            let article = before.eq_ignore_ascii_case("the");
            found.push(if article { format!("the {name}") } else { name.to_owned() });
        }
        rest = &inside[close + inside[close..].chars().next().map_or(0, char::len_utf8)..];
    }
    found
}

/// The sign of a share: `NYSE: EXH`.
fn sign(bracket: &str) -> Option<&str> {
    let (before, behind) = bracket.split_once([':', '：'])?;
    let exchange = before.rsplit(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty())?;
    let sign = behind.trim_start();
    let sign = &sign[..sign.find(|c: char| !(c.is_ascii_alphanumeric() || c == '.')).unwrap_or(sign.len())];
    let shouted =
        sign.bytes().all(|b| !b.is_ascii_lowercase()) && sign.bytes().any(|b| b.is_ascii_alphanumeric());
    (EXCHANGES.contains(&exchange.to_lowercase().as_str()) && shouted && sign.len() <= SIGN).then_some(sign)
}

/// A bracket of nothing but the initials of `name`: `United Example Mills (UEM)`.
fn initials<'b>(bracket: &'b str, name: &str) -> Option<&'b str> {
    let letters = bracket.trim();
    let capitals: String = words(name)
        .iter()
        .filter(|word| word.is_capital())
        .filter_map(|word| folded(without_owner(word.text)).chars().next())
        .collect();
    (letters.len() > 1 && letters == capitals).then_some(letters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bracket_behind_the_name_says_what_else_the_issuer_is_called() {
        for (text, issuer, names) in [
            (
                "This is the report of Corvane Glass plc (“Corvane” or “the Group”).",
                "Corvane Glass plc",
                &["Corvane", "the Group"][..],
            ),
            (
                "Corvane Glass plc and its subsidiaries (the \"Company\", \"we\", \"our\").",
                "Corvane Glass plc",
                &["the Company"],
            ),
            ("Corvane Glass AG (im Folgenden „Corvane“ genannt)", "Corvane Glass AG", &["Corvane"]),
            ("Corvane Glass, Inc. (NYSE: CVG) makes glass.", "Corvane Glass, Inc.", &["CVG"]),
            ("Corvane Glass, Inc. (“Korva,” “we” or “us”)", "CORVANE GLASS, INC.", &["Korva"]),
            (
                "The Corvane Company’s (the Company or Corvane) statements",
                "The Corvane Company",
                &["the Company", "Corvane"],
            ),
            ("United Corvane Glass (UCG) makes glass.", "United Corvane Glass", &["UCG"]),
            ("水沢精密工業株式会社（以下「水沢」）は", "水沢精密工業株式会社", &["水沢"]),
        ] {
            assert_eq!(of(text, issuer), names, "{text}");
        }
    }

    #[test]
    fn brackets_of_others_and_of_other_things_name_no_issuer() {
        for text in [
            "Corvane Glass plc (2024: 12 kt)",
            "Corvane Glass plc bought Lind AB (“Lind”).",
            "Corvane Glass plc (see note 7)",
            "Corvane Glass plc (the largest, or the Hague)",
            "NewCorvane Glass (“Other”)",
            "Corvane Glass plc (founded in: OSLO)",
        ] {
            assert_eq!(of(text, "Corvane Glass plc"), [""; 0], "{text}");
        }
    }
}
