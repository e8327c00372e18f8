//! The models that a chat provider lists, with their prices: `/models` as OpenRouter and OpenAI answer it.

use super::chat::refused;
use crate::answer::{Fault, Usage};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sibyl_embed::http::Endpoint;
use std::collections::HashSet;

/// The provider gives the price of one token; people read prices per million.
const MILLION: f64 = 1e6;

/// A model that a chat provider offers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChatModel {
    /// The id to request it by, such as `openai/gpt-4.1-mini`.
    pub id: String,
    /// The provider's name for it; its id if it has no name.
    pub name: String,
    /// Maximum number of tokens of question, passages and answer together, if the provider says so.
    pub context_tokens: Option<u64>,
    /// Price of a million tokens of the prompt in US dollars, if the provider says so.
    pub prompt_price: Option<f64>,
    /// Price of a million tokens of the answer in US dollars, if the provider says so.
    pub completion_price: Option<f64>,
}

impl ChatModel {
    /// What `usage` costs in US dollars; `None` without prices.
    pub fn cost(&self, usage: &Usage) -> Option<f64> {
        let (prompt, completion) = self.prompt_price.zip(self.completion_price)?;
        let tokens = |count: u64, price: f64| count as f64 * price / MILLION;
        Some(tokens(usage.prompt_tokens, prompt) + tokens(usage.completion_tokens, completion))
    }
}

/// The models listed by the provider at `endpoint` that write text, by id.
///
/// # Errors
/// [`Fault`] with what the provider answered.
pub async fn models(endpoint: &Endpoint) -> Result<Vec<ChatModel>, Fault> {
    #[derive(Deserialize)]
    struct Listed {
        data: Vec<Value>,
    }
    let listed: Listed = endpoint.get("models").await.map_err(|failure| refused(&failure))?;
    let mut told = HashSet::new();
    let mut models: Vec<ChatModel> = listed.data.iter().filter_map(read).collect();
    models.retain(|model| told.insert(model.id.clone()));
    models.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(models)
}

/// A model of the list; `None` if it has no id or writes no text.
fn read(value: &Value) -> Option<ChatModel> {
    let id = value["id"].as_str().filter(|id| !id.is_empty())?;
    let gives = value.pointer("/architecture/output_modalities").and_then(Value::as_array);
    if gives.is_some_and(|kinds| !kinds.iter().any(|kind| kind == "text")) {
        return None;
    }
    Some(ChatModel {
        id: id.to_owned(),
        name: value["name"].as_str().filter(|name| !name.trim().is_empty()).unwrap_or(id).to_owned(),
        context_tokens: value["context_length"].as_u64(),
        prompt_price: price(&value["pricing"]["prompt"]),
        completion_price: price(&value["pricing"]["completion"]),
    })
}

/// US dollars for a million tokens, from the price of one, given as a number or a text. A price below zero means
/// that it depends on the question.
fn price(value: &Value) -> Option<f64> {
    let one = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())?;
    // Rounded to a millionth of a dollar, which no bill would show.
    (one.is_finite() && one >= 0.0).then(|| (one * MILLION * 1e6).round() / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn prices_are_for_a_million_tokens_and_only_where_they_are_told() {
        for (given, expected) in [
            (json!("0.0000004"), Some(0.4)),
            (json!(0.0000016), Some(1.6)),
            (json!("0"), Some(0.0)),
            (json!("-1"), None),
            (json!("free"), None),
            (json!("NaN"), None),
            (json!(null), None),
        ] {
            assert_eq!(price(&given), expected, "{given}");
        }
    }

    #[test]
    fn what_writes_no_text_or_has_no_id_is_no_model() {
        let painter = json!({ "id": "a/b", "architecture": { "output_modalities": ["image"] } });
        assert_eq!((read(&painter), read(&json!({ "name": "x" })), read(&json!("x"))), (None, None, None));
        let plain = read(&json!({ "id": "a/b", "name": " " })).unwrap();
        assert_eq!((plain.name.as_str(), plain.prompt_price, plain.context_tokens), ("a/b", None, None));
    }

    #[test]
    fn a_cost_is_reckoned_from_both_prices() {
        let mut model =
            read(&json!({ "id": "a", "pricing": { "prompt": "0.000001", "completion": "0.000002" } }))
                .unwrap();
        let usage = Usage { prompt_tokens: 1_000, completion_tokens: 500, cost: None, counted: true };
        assert!((model.cost(&usage).unwrap() - 0.002).abs() < 1e-12);
        model.completion_price = None;
        assert_eq!(model.cost(&usage), None);
    }
}
