//! Models, settings and keys of providers.

use super::{Outcome, print};
use crate::arguments::{Secret, Settings};
use crate::output::{cell, table};
use crate::session::Session;
use serde_json::{Map, Value};
use sibyl_api::command::Nothing;
use sibyl_api::command::answer::AnswerModels;
use sibyl_api::command::secret::{
    SecretClear, SecretInput, SecretRef, SecretSet, SecretStatus, SecretStatusGet, SecretTry,
};
use sibyl_api::command::settings::{ModelList, SettingView, SettingsChange, SettingsGet, SettingsSet};
use sibyl_api::{ApiError, SecretSource};
use std::io::{IsTerminal as _, Read as _};

pub async fn models(session: &Session) -> Outcome {
    let models = session.call::<ModelList>(Nothing {}).await?;
    let settings = session.call::<SettingsGet>(Nothing {}).await?;
    let keys = session.call::<SecretStatusGet>(Nothing {}).await?;
    print(&session.common, &models, |models| {
        let rows = models.iter().map(|model| {
            vec![
                cell(&model.space.tier),
                model.space.model.clone(),
                model.space.dimensions.to_string(),
                model.vectors.to_string(),
                if model.served { "yes" } else { "no" }.to_owned(),
                model.space_id.clone(),
            ]
        });
        let header = ["tier", "model", "dimensions", "vectors", "usable", "space"];
        table(&header, &[2, 3], rows) + &remote_tier(&settings, &keys)
    })
}

/// The models that the chat provider offers; the one of the settings is marked.
pub async fn chat_models(session: &Session) -> Outcome {
    let models = session.call::<AnswerModels>(Nothing {}).await?;
    let settings = session.call::<SettingsGet>(Nothing {}).await?;
    let chosen = SettingView::value_of(&settings, "chat_model").and_then(Value::as_str).unwrap_or_default();
    print(&session.common, &models, |models| {
        let price =
            |dollars: Option<f64>| dollars.map_or_else(|| "–".to_owned(), |dollars| format!("${dollars}"));
        let rows = models.iter().map(|model| {
            vec![
                format!("{}{}", model.id, if model.id == chosen { " *" } else { "" }),
                model.context_tokens.map_or_else(|| "–".to_owned(), |tokens| tokens.to_string()),
                price(model.prompt_price),
                price(model.completion_price),
            ]
        });
        let header = ["model", "context", "prompt, per million tokens", "answer, per million tokens"];
        table(&header, &[1, 2, 3], rows) + "\n* chosen; `sibyl settings chat_model NAME` chooses another\n"
    })
}

/// The remote model of the settings, whether it is switched on, and where its key comes from.
fn remote_tier(settings: &[SettingView], keys: &[SecretStatus]) -> String {
    let value = |name: &str| SettingView::value_of(settings, name).map(cell).unwrap_or_default();
    let switch = if value("remote_embedding") == "true" { "on" } else { "off" };
    let key = keys.iter().find(|key| key.secret == sibyl_api::Secret::Openrouter).map(source);
    format!(
        "\nremote: {} at {}, switched {switch}; key: {}\n",
        value("embedding_model"),
        value("base_url"),
        key.unwrap_or_default()
    )
}

pub async fn settings(session: &Session, words: Settings) -> Outcome {
    let mut shown = match (&words.name, &words.value) {
        (Some(name), None) if words.reset => change(session, name, Value::Null).await?,
        (Some(name), Some(value)) => change(session, name, value.as_str().into()).await?,
        _ => session.call::<SettingsGet>(Nothing {}).await?,
    };
    if let Some(name) = &words.name {
        shown.retain(|setting| setting.param.name == *name);
        if shown.is_empty() {
            let message = format!("setting `{name}` does not exist; `sibyl settings` lists them all");
            return Err(ApiError::invalid(message));
        }
    }
    print(&session.common, &shown, |shown| {
        let rows = shown.iter().map(|SettingView { param, value }| {
            let what = format!("{} · {}", param.unit, param.description);
            vec![param.name.clone(), cell(value), what.trim_start_matches(" · ").to_owned()]
        });
        table(&["setting", "value", "what it is"], &[], rows)
    })
}

async fn change(session: &Session, name: &str, value: Value) -> Result<Vec<SettingView>, ApiError> {
    let values = Map::from_iter([(name.to_owned(), value)]);
    session.call::<SettingsSet>(SettingsChange { values }).await
}

pub async fn secret(session: &Session, command: Option<Secret>) -> Outcome {
    let status = match command.unwrap_or(Secret::Status) {
        Secret::Status => session.call::<SecretStatusGet>(Nothing {}).await?,
        Secret::Set { secret } => {
            let input = SecretInput { secret: secret.into(), value: key_from_input()? };
            session.call::<SecretSet>(input).await?
        }
        Secret::Clear { secret } => session.call::<SecretClear>(SecretRef { secret: secret.into() }).await?,
        Secret::Test { secret } => {
            let answer = session.call::<SecretTry>(SecretRef { secret: secret.into() }).await?;
            return print(&session.common, &answer, |answer| {
                let vectors = answer.dimensions.map(|n| format!(" with {n} dimensions")).unwrap_or_default();
                format!("{} answered{vectors} in {:.0} ms\n", answer.model, answer.milliseconds)
            });
        }
    };
    print(&session.common, &status, |status| {
        let rows = status.iter().map(|key| vec![key.secret.name().to_owned(), source(key)]);
        table(&["key", "comes from"], &[], rows)
    })
}

/// Reads a key from a pipe: words on a command line or in a terminal stay readable.
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
fn source(key: &SecretStatus) -> String {
    let variable = &key.variable;
    let found = match key.source {
        SecretSource::Keychain => "the system's keychain".to_owned(),
        SecretSource::Environment => format!("the environment ({variable})"),
        SecretSource::None => format!("not set; set {variable}, or save a key with `sibyl secret set`"),
    };
    match &key.keychain_error {
        None => found,
        Some(cause) => format!("{found} (no keychain: {cause})"),
    }
}
