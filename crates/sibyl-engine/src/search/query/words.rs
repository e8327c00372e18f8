//! A query in natural language as words, quoted phrases and identifiers.

use sibyl_text::Span;
use sibyl_text::reference::Reference;
use std::ops::Range;

/// A part of the query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Item {
    /// A word.
    Word(String),
    /// Text in quotation marks.
    Quoted(String),
    /// Letters and digits held together by punctuation, such as `EM-EP-110a.1`.
    Identifier(String),
    /// The reference of that index.
    Reference(usize),
}

const QUOTES: [(char, char); 4] = [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»')];

const APOSTROPHES: [char; 2] = ['\'', '’'];

/// The parts of `query` in order, without `references`.
pub(super) fn split(query: &str, references: &[Reference]) -> Vec<Item> {
    let mut items = Vec::new();
    let mut at = 0;
    for (index, reference) in references.iter().enumerate() {
        let Span { start, end } = reference.span;
        if start < at || end > query.len() {
            continue;
        }
        split_text(query.get(at..start).unwrap_or_default(), &mut items);
        items.push(Item::Reference(index));
        at = end;
    }
    split_text(query.get(at..).unwrap_or_default(), &mut items);
    items
}

fn split_text(text: &str, items: &mut Vec<Item>) {
    // Where each sign last closes, so that one that never does is not searched for from every place where it
    // opens.
    let last = QUOTES.map(|(_, close)| text.rfind(close));
    let mut at = 0;
    while let Some((whole, inside)) = next_quoted(text, at, &last) {
        split_words(&text[at..whole.start], items);
        let quoted = &text[inside];
        if quoted.chars().any(char::is_alphanumeric) {
            items.push(Item::Quoted(quoted.to_owned()));
        }
        at = whole.end;
    }
    split_words(&text[at..], items);
}

/// The place of the first pair of quotation marks from the byte `from` on, with its marks and without. `last` says
/// where each of [`QUOTES`] last closes. An unpaired mark is just a character.
fn next_quoted(
    text: &str,
    from: usize,
    last: &[Option<usize>; QUOTES.len()],
) -> Option<(Range<usize>, Range<usize>)> {
    text[from..].char_indices().find_map(|(start, c)| {
        let mark = QUOTES.iter().position(|(open, _)| *open == c)?;
        let (open, close) = QUOTES[mark];
        let (start, inner) = (from + start, from + start + open.len_utf8());
        last[mark].filter(|last| *last >= inner)?;
        let end = inner + text[inner..].find(close)?;
        Some((start..end + close.len_utf8(), inner..end))
    })
}

fn split_words(text: &str, items: &mut Vec<Item>) {
    for run in text.split_whitespace() {
        let run = run.trim_matches(|c: char| !c.is_alphanumeric());
        let joined = run.chars().any(|c| !c.is_alphanumeric());
        if joined && run.chars().any(char::is_numeric) {
            items.push(Item::Identifier(run.to_owned()));
            continue;
        }
        for part in run.split(|c: char| !c.is_alphanumeric() && !APOSTROPHES.contains(&c)) {
            // What follows an apostrophe (`company's`, `can't`, `we'll`) is no word.
            let mut words = part.split(APOSTROPHES);
            let first = words.next().into_iter().filter(|word| !word.is_empty());
            let words = first.chain(words.filter(|word| word.chars().count() > 2));
            items.extend(words.map(|word| Item::Word(word.to_owned())));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(items: &[Item]) -> Vec<String> {
        let show = |item: &Item| match item {
            Item::Word(word) => word.clone(),
            Item::Quoted(text) => format!("\"{text}\""),
            Item::Identifier(id) => format!("<{id}>"),
            Item::Reference(index) => format!("#{index}"),
        };
        items.iter().map(show).collect()
    }

    #[test]
    fn queries_fall_into_their_parts() {
        for (query, parts) in [
            ("scope 3 emissions?", &["scope", "3", "emissions"][..]),
            ("the company's plans, can't wait", &["the", "company", "plans", "can", "wait"]),
            ("R&D we'll O'Brien", &["R", "D", "we", "O", "Brien"]),
            ("value-chain and/or EM-EP-110a.1", &["value", "chain", "and", "or", "<EM-EP-110a.1>"]),
            ("\"transition plan\" offsets", &["\"transition plan\"", "offsets"]),
            ("an \"open quote", &["an", "open", "quote"]),
            ("“klimat” och „risk“ «plan»", &["\"klimat\"", "och", "\"risk\"", "\"plan\""]),
            ("\"\" \"—\" ** AND OR NOT ( ) -", &["AND", "OR", "NOT"]),
            ("CO2e 12-month", &["CO2e", "<12-month>"]),
            ("", &[]),
        ] {
            assert_eq!(shown(&split(query, &[])), parts, "{query}");
        }
    }

    #[test]
    fn references_are_taken_out() {
        let reference = |start, end| Reference {
            detector: "test".to_owned(),
            span: Span::new(start, end),
            ids: vec!["S2.14".to_owned()],
            range: false,
        };
        let items = split("see S2.14 and S1.3 too", &[reference(4, 9), reference(14, 18)]);
        assert_eq!(shown(&items), ["see", "#0", "and", "#1", "too"]);
    }
}
