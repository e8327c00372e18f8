//! Facts in a query: concepts and values that filed reports tag, named outright.

use super::fuse::Entry;
use super::notice::{NoticeCause, SearchNotice};
use super::reference::{Named, PARTS};
use crate::error::Result;
use crate::store::Store;
use crate::store::scope::Scope;
use crate::store::table::fact::{FactKey, FactRow};
use std::collections::HashSet;
use std::sync::Arc;

/// Minimum number of digits for a number on its own to be looked up as the value of a fact: fewer say too little.
const DIGITS: usize = 4;

/// Concepts and values of a query that are looked up, the first ones.
const LOOKED_UP: usize = 100;

/// Adds to `named` the chunks of `scope` that show a fact whose concept or value `query` names.
///
/// # Errors
/// Storage errors.
pub(super) async fn add(store: &dyn Store, scope: &Scope, query: &str, named: &mut Named) -> Result<()> {
    let mut seen: HashSet<i64> = named.entries.iter().map(|entry| entry.row).collect();
    let asked = asked(query);
    if let Some(passed_over) = asked.len().checked_sub(LOOKED_UP).filter(|more| *more > 0) {
        let message = format!(
            "the query names more facts than are looked up: its first {LOOKED_UP} were, {passed_over} were left out"
        );
        named.notices.push(SearchNotice::new(NoticeCause::QueryCut, message));
    }
    for (written, key) in asked.into_iter().take(LOOKED_UP) {
        let found = store.facts_named(key, Arc::clone(&scope.allowed)).await?;
        let mut rows: Vec<i64> = found.iter().map(|(row, _)| *row).collect();
        rows.dedup();
        if rows.len() > PARTS {
            let message = format!(
                "{written} is tagged in {} chunks; they are ranked by the words of the query. `sibyl facts` lists them",
                rows.len()
            );
            named.notices.push(SearchNotice::new(NoticeCause::MentionedWidely, message));
            continue;
        }
        for (row, fact) in found {
            let Some(chunk_id) = fact.chunk_id.clone() else { continue };
            if seen.insert(row) {
                named.entries.push(Entry { row, chunk_id, raw: None, label: label(&fact) });
            }
            let facts = named.facts.entry(row).or_default();
            if !facts.contains(&fact) {
                facts.push(fact);
            }
        }
    }
    Ok(())
}

/// A fact in one line, with its anchor in the source.
fn label(fact: &FactRow) -> String {
    let unit = fact.unit.iter().map(|unit| format!(" {unit}"));
    let anchor = fact.anchor.iter().map(|anchor| format!(" #{anchor}"));
    let parts: String = unit.chain([format!(", {}", fact.period)]).chain(anchor).collect();
    format!("{} = {}{parts}", fact.concept, fact.value)
}

/// The words of a query that name a concept or a value, each as written.
fn asked(query: &str) -> Vec<(&str, FactKey)> {
    query
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric() && c != '-'))
        .filter_map(|word| Some((word, concept(word).or_else(|| value(word))?)))
        .collect()
}

/// `us-gaap:Revenues`, or a name in camel case such as `GrossScope1GHGEmissions`.
fn concept(word: &str) -> Option<FactKey> {
    let (prefix, name) = word.split_once(':').unwrap_or(("", word));
    let plain = |text: &str| text.chars().all(|c| c.is_alphanumeric() || "-_.".contains(c));
    let humps = name.chars().zip(name.chars().skip(1)).filter(|(a, b)| !a.is_uppercase() && b.is_uppercase());
    let is_name = name.chars().next().is_some_and(char::is_alphabetic) && plain(prefix) && plain(name);
    let told = !prefix.is_empty() || humps.count() >= 1;
    (is_name && told).then(|| FactKey::Concept(word.to_owned()))
}

/// A number of at least [`DIGITS`] digits that is no year.
fn value(word: &str) -> Option<FactKey> {
    let number = word.replace(',', "");
    let digits = number.bytes().filter(u8::is_ascii_digit).count();
    let year = word.len() == 4 && (1900..=2100).contains(&number.parse::<u32>().unwrap_or(0));
    let whole = number.parse::<f64>().is_ok_and(f64::is_finite)
        && number.bytes().all(|b| b"-.0123456789".contains(&b));
    (whole && digits >= DIGITS && !year).then_some(FactKey::Value(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn concepts_and_values_are_told_from_words() {
        let concept = |name: &str| FactKey::Concept(name.to_owned());
        let value = |number: &str| FactKey::Value(number.to_owned());
        for (query, keys) in [
            ("what is us-gaap:Revenues?", vec![concept("us-gaap:Revenues")]),
            ("GrossScope1GHGEmissions in 2024", vec![concept("GrossScope1GHGEmissions")]),
            (
                "where are 1,032,600 tonnes, -1234.5 or 41200",
                vec![value("1032600"), value("-1234.5"), value("41200")],
            ),
            ("note: emissions 2024, S2.29(a)(vi) 12-month IFRS ESG 100", vec![]),
        ] {
            assert_eq!(asked(query).into_iter().map(|(_, key)| key).collect::<Vec<_>>(), keys, "{query}");
        }
    }
}
