//! What labels are called in lists and in files that know only ids, and which of them count.

use super::gold::fold;
use crate::store::short_hash;
use crate::store::table::gold::{GoldLabel, GoldSpan, GoldTarget};
use std::collections::BTreeMap;

/// Hex digits that tell the spans of a document apart.
const HASH: usize = 8;

/// Words of a quote that a name of a span shows.
const NAME_WORDS: usize = 6;

/// The labels that count: of several judgments of one target the latest.
pub fn counted(labels: &[GoldLabel]) -> Vec<&GoldLabel> {
    let mut latest: BTreeMap<String, &GoldLabel> = BTreeMap::new();
    for label in labels {
        let kept = latest.entry(label.target.key()).or_insert(label);
        if label.at >= kept.at {
            *kept = label;
        }
    }
    latest.into_values().collect()
}

/// The id of a span in files that know only ids: its path and the hash of its words.
pub fn span_id(span: &GoldSpan) -> String {
    let hash = short_hash(&[&span.path, &span.before, &span.quote]);
    format!("{}#{}", span.path, &hash[..HASH])
}

/// How a span is called in lists: its id and its first words.
pub fn span_name(span: &GoldSpan) -> String {
    let words: Vec<&str> = span.quote.split_whitespace().take(NAME_WORDS).collect();
    format!("{} {}", span_id(span), words.join(" "))
}

/// The id of a target in files that know only ids; nothing for what they cannot say.
pub fn label_id_of(target: &GoldTarget) -> Option<String> {
    match target {
        GoldTarget::Identifier { id } => Some(fold(id).into_owned()),
        GoldTarget::Span(span) => Some(span_id(span)),
        GoldTarget::Nothing => None,
    }
}

/// How a target is called in lists.
pub fn target_name(target: &GoldTarget) -> String {
    match target {
        GoldTarget::Identifier { id } => fold(id).into_owned(),
        GoldTarget::Span(span) => span_name(span),
        GoldTarget::Nothing => "nothing".to_owned(),
    }
}

/// The id in a name that [`span_name`] made; of an identifier the name itself.
pub fn label_id(name: &str) -> &str {
    let hash = |at: usize| {
        let (end, rest) = (at + 1 + HASH, name.as_bytes());
        let digits = rest.get(at + 1..end).is_some_and(|hash| hash.iter().all(u8::is_ascii_hexdigit));
        (digits && rest.get(end).is_none_or(|after| *after == b' ')).then_some(end)
    };
    let end = name.match_indices('#').find_map(|(at, _)| hash(at));
    end.and_then(|end| name.get(..end)).unwrap_or(name)
}

/// `text` without white space, which separates the fields of TREC.
pub fn token(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join("_")
}
