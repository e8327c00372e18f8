//! Models, settings and keys of providers.

use super::show::cell;
use super::{End, Outcome, print};
use crate::arguments::{Secret, Settings};
use crate::output::{number, table, text};
use crate::session::Session;
use serde_json::{Value, json};
use sibyl_api::ApiError;
use std::io::{IsTerminal as _, Read as _};

pub async fn models(session: &Session) -> Outcome {
    let models = session.call("model.list", json!({})).await?;
    let settings = session.call("settings.get", json!({})).await?;
    let keys = session.call("secret.status", json!({})).await?;
    print(&session.common, &models, |models| {
        let rows: Vec<Vec<String>> = rows(models)
            .iter()
            .map(|model| {
                vec![
                    text(model, "space.tier").to_owned(),
                    text(model, "space.model").to_owned(),
                    number(model, "space.dimensions").to_string(),
                    number(model, "vectors").to_string(),
                    if model["served"] == true { "yes" } else { "no" }.to_owned(),
                    text(model, "space_id").to_owned(),
                ]
            })
            .collect();
        let header = ["tier", "model", "dimensions", "vectors", "usable", "space"];
        table(&header, &[2, 3], &rows) + &remote_tier(&settings, &keys)
    });
    Ok(End::Done)
}

/// The models that the chat provider offers; the one of the settings is marked.
pub async fn chat_models(session: &Session) -> Outcome {
    let models = session.call("answer.models", json!({})).await?;
    let settings = session.call("settings.get", json!({})).await?;
    let setting = rows(&settings).iter().find(|setting| setting["param"]["name"] == "chat_model");
    let chosen = setting.and_then(|setting| setting["value"].as_str()).unwrap_or_default();
    print(&session.common, &models, |models| {
        let price =
            |value: &Value| value.as_f64().map_or_else(|| "–".to_owned(), |dollars| format!("${dollars}"));
        let rows: Vec<Vec<String>> = rows(models)
            .iter()
            .map(|model| {
                let id = text(model, "id");
                vec![
                    format!("{id}{}", if id == chosen { " *" } else { "" }),
                    model["context_tokens"]
                        .as_u64()
                        .map_or_else(|| "–".to_owned(), |tokens| tokens.to_string()),
                    price(&model["prompt_price"]),
                    price(&model["completion_price"]),
                ]
            })
            .collect();
        let header = ["model", "context", "prompt, per million tokens", "answer, per million tokens"];
        table(&header, &[1, 2, 3], &rows) + "\n* chosen; `sibyl settings chat_model NAME` chooses another\n"
    });
    Ok(End::Done)
}

/// The remote model of the settings, whether it is switched on, and where its key comes from.
fn remote_tier(settings: &Value, keys: &Value) -> String {
    let value = |name: &str| {
        let setting = rows(settings).iter().find(|setting| setting["param"]["name"] == name);
        setting.map(|setting| cell(&setting["value"])).unwrap_or_default()
    };
    let switch = if value("remote_embedding") == "true" { "on" } else { "off" };
    let key = rows(keys).iter().find(|key| key["secret"] == "openrouter").map(source).unwrap_or_default();
    format!(
        "\nremote: {} at {}, switched {switch}; key: {key}\n",
        value("embedding_model"),
        value("base_url")
    )
}

pub async fn settings(session: &Session, words: Settings) -> Outcome {
    let all = match (&words.name, &words.value) {
        (Some(name), None) if words.reset => change(session, name, Value::Null).await?,
        (Some(name), Some(value)) => change(session, name, value.as_str().into()).await?,
        _ => session.call("settings.get", json!({})).await?,
    };
    let shown: Vec<&Value> = rows(&all)
        .iter()
        .filter(|setting| words.name.as_ref().is_none_or(|name| setting["param"]["name"] == name.as_str()))
        .collect();
    if let (Some(name), []) = (&words.name, shown.as_slice()) {
        let message = format!("setting `{name}` does not exist; `sibyl settings` lists them all");
        return Err(ApiError::invalid(message));
    }
    print(&session.common, &json!(shown), |_| {
        let rows: Vec<Vec<String>> = shown
            .iter()
            .map(|setting| {
                let what = [text(setting, "param.unit"), text(setting, "param.description")];
                vec![
                    text(setting, "param.name").to_owned(),
                    cell(&setting["value"]),
                    what.join(" · ").trim_start_matches(" · ").to_owned(),
                ]
            })
            .collect();
        table(&["setting", "value", "what it is"], &[], &rows)
    });
    Ok(End::Done)
}

async fn change(session: &Session, name: &str, value: Value) -> Result<Value, ApiError> {
    session.call("settings.set", json!({ "values": { name: value } })).await
}

pub async fn secret(session: &Session, command: Option<Secret>) -> Outcome {
    let status = match command.unwrap_or(Secret::Status) {
        Secret::Status => session.call("secret.status", json!({})).await?,
        Secret::Set { secret } => {
            let input = json!({ "secret": secret.name(), "value": key_from_input()? });
            session.call("secret.set", input).await?
        }
        Secret::Clear { secret } => session.call("secret.clear", json!({ "secret": secret.name() })).await?,
        Secret::Test { secret } => {
            let answer = session.call("secret.test", json!({ "secret": secret.name() })).await?;
            print(&session.common, &answer, |answer| {
                let dimensions = answer["dimensions"].as_u64();
                let vectors = dimensions.map(|n| format!(" with {n} dimensions")).unwrap_or_default();
                format!(
                    "{} answered{vectors} in {:.0} ms\n",
                    text(answer, "model"),
                    number(answer, "milliseconds")
                )
            });
            return Ok(End::Done);
        }
    };
    print(&session.common, &status, |status| {
        let rows: Vec<Vec<String>> =
            rows(status).iter().map(|key| vec![text(key, "secret").to_owned(), source(key)]).collect();
        table(&["key", "comes from"], &[], &rows)
    });
    Ok(End::Done)
}

/// A key as it comes in through a pipe: words of a command line and of a terminal stay readable.
fn key_from_input() -> Result<String, ApiError> {
    let refuse = |why: &str| {
        let cure =
            "pipe the key in, for example `sibyl secret set openrouter < FILE`, or enter it in the window";
        Err(ApiError::invalid(format!("{why}; {cure}")))
    };
    let mut input = std::io::stdin();
    if input.is_terminal() {
        return refuse("a key typed here would remain visible on the screen");
    }
    let mut key = String::new();
    match input.read_to_string(&mut key) {
        Ok(_) => Ok(key),
        Err(error) => refuse(&format!("the key could not be read from standard input ({error})")),
    }
}

/// Where a key comes from, in words.
fn source(key: &Value) -> String {
    let variable = text(key, "variable");
    let found = match text(key, "source") {
        "keychain" => "the system's keychain".to_owned(),
        "environment" => format!("the environment ({variable})"),
        _ => format!("not set; set {variable}, or save a key with `sibyl secret set`"),
    };
    match text(key, "keychain_error") {
        "" => found,
        cause => format!("{found} (no keychain: {cause})"),
    }
}

fn rows(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}
