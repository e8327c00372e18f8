//! What labels of a gold set are called in lists and in files that know only ids, and which of them count.

use crate::store::table::gold::{GoldLabel, GoldSpan, GoldTarget};
use sibyl_measure::label::{fold, span_id};
use std::collections::BTreeMap;

/// Words of a quote that a name of a span shows.
const NAME_WORDS: usize = 6;

/// The labels that count: of several judgments of one target, the latest.
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

/// How a span is called in lists: its id and its first words.
pub fn span_name(span: &GoldSpan) -> String {
    let words: Vec<&str> = span.quote.split_whitespace().take(NAME_WORDS).collect();
    format!("{} {}", span_id(&span.path, &span.before, &span.quote), words.join(" "))
}

/// The id of a target in files that know only ids; `None` if they cannot express it.
pub fn label_id_of(target: &GoldTarget) -> Option<String> {
    match target {
        GoldTarget::Identifier { id } => Some(fold(id).into_owned()),
        GoldTarget::Span(span) => Some(span_id(&span.path, &span.before, &span.quote)),
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
