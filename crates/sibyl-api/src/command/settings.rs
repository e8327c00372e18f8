//! Settings and the models in use.

use crate::command::Nothing;
use crate::view::ParamView;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sibyl_engine::embed::Space;
use sibyl_engine::ingest::ocr::OcrState;
use sibyl_engine::proof::ModelProof;
use sibyl_engine::settings::SETTINGS;

/// A setting with its value.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SettingView {
    /// Its description and the values it takes.
    pub param: ParamView,
    /// Its value.
    #[schemars(extend("type" = ["number", "boolean", "string"]))]
    pub value: Value,
}

impl SettingView {
    /// The value of the setting called `name` among `settings`.
    pub fn value_of<'a>(settings: &'a [Self], name: &str) -> Option<&'a Value> {
        settings.iter().find(|setting| setting.param.name == name).map(|setting| &setting.value)
    }
}

/// Values to change; `null` restores a default.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SettingsChange {
    /// Values by name.
    #[schemars(extend("additionalProperties" = { "type": ["number", "boolean", "string", "null"] }))]
    pub values: Map<String, Value>,
}

/// A space by its id.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpaceId {
    /// Id of the space.
    pub space: String,
}

/// A model that the library knows.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ModelView {
    /// Id of its space.
    pub space_id: String,
    /// What it is.
    pub space: Space,
    /// Texts that have a vector of this model.
    pub vectors: u64,
    /// Whether it can be used now.
    pub served: bool,
}

command! {
    /// Every setting with its value.
    SettingsGet = "settings.get": Query, Read, ["settings"],
        remote Get "/api/v1/settings";
    (call, _input: Nothing) -> Vec<SettingView> {
        view(&call).await
    }
}

command! {
    /// Changes settings: all of them, or none.
    SettingsSet = "settings.set": Mutation, Write, ["settings", "models"];
    (call, input: SettingsChange) -> Vec<SettingView> {
        call.library.change_settings(input.values).await?;
        view(&call).await
    }
}

command! {
    /// The state of OCR on this machine: whether Tesseract was found, and its languages.
    OcrStateGet = "ocr.state": Query, Read, [];
    (call, _input: Nothing) -> OcrState {
        Ok(call.library.ocr_state().await?)
    }
}

command! {
    /// Models that the library can use or has vectors of, the instant tier first.
    ModelList = "model.list": Query, Read, ["models", "vectors", "settings"],
        remote Get "/api/v1/models";
    (call, _input: Nothing) -> Vec<ModelView> {
        let served: Vec<Space> = call.library.models().embedders().await.iter().map(|e| e.space().clone()).collect();
        let mut models: Vec<ModelView> = call
            .library
            .store()
            .spaces()
            .await?
            .into_iter()
            .map(|stored| ModelView {
                served: served.contains(&stored.space),
                space_id: stored.id,
                space: stored.space,
                vectors: stored.vectors,
            })
            .collect();
        for space in served {
            if models.iter().all(|model| model.space != space) {
                models.push(ModelView { space_id: space.id(), space, vectors: 0, served: true });
            }
        }
        models.sort_by(|a, b| (a.space.tier, &a.space.model).cmp(&(b.space.tier, &b.space.model)));
        Ok(models)
    }
}

command! {
    /// Embeds three sentences with a local model and checks whether the related ones are closer to each other.
    ModelTest = "model.test": Mutation, Read, [],
        remote Post "/api/v1/models/test";
    (call, input: SpaceId) -> ModelProof {
        Ok(call.library.models().prove(&input.space).await?)
    }
}

async fn view(call: &crate::Call) -> crate::Result<Vec<SettingView>> {
    let settings = call.library.settings().await?;
    let value = |name: &str| settings.values().get(name).cloned().unwrap_or_default();
    Ok(SETTINGS.iter().map(|param| SettingView { param: param.into(), value: value(param.name) }).collect())
}
