//! The search that a library makes if nobody says how: the engine's own, with the changes in its settings.

use super::stages::check_ranking;
use super::{DEFAULT_RRF_K, DEFAULT_SEMANTIC_SHARE, MAX_WEIGHT, SearchRequest};
use crate::error::{Error, Result};
use serde_json::{Map, Value};
use sibyl_text::param::{Param, ParamKind};

/// Prefix of settings that stand for a field of a search.
const PREFIX: &str = "search_";

/// Settings of the usual search. Each is called like the field of [`SearchRequest`] that it stands for, after [`PREFIX`];
/// shares and weights are per cent.
pub const USUAL: [Param; 12] = [
    Param {
        name: "search_mode",
        kind: ParamKind::Choice { options: &["hybrid", "semantic", "keyword"] },
        unit: "",
        description: "How this library searches by default: by meaning and by words (hybrid), or by one of the two.",
    },
    Param {
        name: "search_fusion",
        kind: ParamKind::Choice { options: &["scores", "rrf"] },
        unit: "",
        description: "How the results by meaning and by words become one list by default: by their scores, or by \
                      reciprocal rank fusion (rrf).",
    },
    percent(
        "search_semantic_share",
        (DEFAULT_SEMANTIC_SHARE * 100.0) as i64,
        100,
        "Share of the results by meaning in fusion by scores, by default; the results by words have the rest.",
    ),
    Param {
        name: "search_rrf_k",
        kind: ParamKind::Integer { min: 0, max: u32::MAX as i64, default: DEFAULT_RRF_K as i64 },
        unit: "",
        description: "Constant of reciprocal rank fusion, by default.",
    },
    percent(
        "search_semantic_weight",
        100,
        (MAX_WEIGHT * 100.0) as i64,
        "Weight of the results by meaning in reciprocal rank fusion, by default.",
    ),
    percent(
        "search_keyword_weight",
        100,
        (MAX_WEIGHT * 100.0) as i64,
        "Weight of the results by words in reciprocal rank fusion, by default.",
    ),
    switch("search_correct_spelling", true, "Match unknown words to their nearest known words, by default."),
    switch("search_thesaurus", true, "Add words from the thesaurus, by default."),
    switch(
        "search_counterparts",
        true,
        "Let the counterpart of a good result in the other standard follow it, by default.",
    ),
    switch("search_feedback", true, "Add words of the best passages to the search by words, by default."),
    switch("search_dedupe", true, "Leave out near-duplicates of a better result, by default."),
    switch("search_rerank", false, "Rerank results with the configured provider, by default."),
];

const fn percent(name: &'static str, default: i64, max: i64, description: &'static str) -> Param {
    Param { name, kind: ParamKind::Integer { min: 0, max, default }, unit: "%", description }
}

const fn switch(name: &'static str, default: bool, description: &'static str) -> Param {
    Param { name, kind: ParamKind::Switch { default }, unit: "", description }
}

/// Puts the values of `settings`, or their defaults, wherever `request`, a [`SearchRequest`] as JSON, says
/// nothing.
pub(crate) fn fill(request: &mut Map<String, Value>, settings: &Map<String, Value>) {
    for (param, field) in fields() {
        let stored = settings.get(param.name).cloned().unwrap_or_else(|| param.default_value());
        let value = match (param.unit, stored.as_f64()) {
            ("%", Some(percent)) => Value::from(percent / 100.0),
            _ => stored,
        };
        request.entry(field).or_insert(value);
    }
}

/// The settings under which `search` is the usual one: what it asks for, and `null` for each setting that it
/// leaves to the engine. Without a search all are the engine's own.
///
/// # Errors
/// [`Error::Invalid`] for numbers that no search accepts.
pub(crate) fn settings_of(search: Option<&SearchRequest>) -> Result<Map<String, Value>> {
    let mut settings: Map<String, Value> =
        USUAL.iter().map(|param| (param.name.to_owned(), Value::Null)).collect();
    let Some(search) = search else { return Ok(settings) };
    check_ranking(search)?;
    let written = serde_json::to_value(search)
        .map_err(|error| Error::Invalid(format!("the search cannot be written down: {error}")))?;
    for (param, field) in fields() {
        let value = match (param.unit, written[field].as_f64()) {
            ("%", Some(share)) => Value::from((share * 100.0).round() as i64),
            _ => written[field].clone(),
        };
        if value != param.default_value() {
            settings.insert(param.name.to_owned(), value);
        }
    }
    Ok(settings)
}

/// Each setting with the field that it stands for.
fn fields() -> impl Iterator<Item = (&'static Param, &'static str)> {
    USUAL.iter().map(|param| (param, param.name.strip_prefix(PREFIX).unwrap_or(param.name)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Fusion, Mode};

    fn filled(settings: &Map<String, Value>, given: &Value) -> SearchRequest {
        let mut request = given.as_object().unwrap().clone();
        fill(&mut request, settings);
        serde_json::from_value(Value::Object(request)).unwrap()
    }

    #[test]
    fn without_settings_the_usual_search_is_the_engines_own() {
        assert_eq!(filled(&Map::new(), &serde_json::json!({})), SearchRequest::default());
        assert!(settings_of(Some(&SearchRequest::default())).unwrap().values().all(Value::is_null));
    }

    #[test]
    fn a_search_made_usual_is_the_one_that_is_filled_in_and_what_is_said_stays() {
        let best = SearchRequest {
            mode: Mode::Semantic,
            fusion: Fusion::Rrf,
            semantic_share: 0.55,
            rrf_k: 10,
            semantic_weight: 2.5,
            keyword_weight: 0.0,
            correct_spelling: false,
            thesaurus: false,
            counterparts: false,
            feedback: false,
            dedupe: false,
            rerank: true,
            ..SearchRequest::default()
        };
        let stored = settings_of(Some(&best)).unwrap();
        assert_eq!(filled(&stored, &serde_json::json!({})), best);
        let said = filled(&stored, &serde_json::json!({ "mode": "keyword", "dedupe": true }));
        assert_eq!(said, SearchRequest { mode: Mode::Keyword, dedupe: true, ..best });
    }
}
