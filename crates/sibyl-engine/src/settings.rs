//! Settings of a library: declared once, stored in it, read with their defaults.
//!
//! A new setting is one entry in [`SETTINGS`]; form, flag, check and documentation follow from it. Keys of
//! providers are not settings: they stay in the operating system's keychain or the environment.

use crate::error::Result;
use crate::library::Library;
use crate::rerank::cohere::PATIENCE;
use crate::search::usual::USUAL;
use serde_json::{Map, Value};
use sibyl_answer::sufficiency::PRESETS;
use sibyl_text::param::{Param, ParamKind, Settings};

/// Every setting there is.
pub static SETTINGS: &[Param] = &const { joined() };

/// How many settings there are.
const COUNT: usize = OWN.len() + USUAL.len();

const fn joined() -> [Param; COUNT] {
    let mut all = [OWN[0]; COUNT];
    let mut at = 1;
    while at < COUNT {
        all[at] = if at < OWN.len() { OWN[at] } else { USUAL[at - OWN.len()] };
        at += 1;
    }
    all
}

const OWN: [Param; 24] = [
    Param {
        name: "remote_embedding",
        kind: ParamKind::Switch { default: false },
        unit: "",
        description: "Use remote models: also embed with the remote model, if a key is set and the corpus allows it. Without \
                      this, nothing is sent to another machine, neither to a chat model nor to a reranker.",
    },
    Param {
        name: "base_url",
        kind: ParamKind::Text { default: "https://openrouter.ai/api/v1" },
        unit: "",
        description: "Base URL of the embedding provider: OpenRouter or any service that speaks the same protocol.",
    },
    Param {
        name: "embedding_model",
        kind: ParamKind::Text { default: "openai/text-embedding-3-small" },
        unit: "",
        description: "Name of the remote embedding model.",
    },
    Param {
        name: "embedding_dimensions",
        kind: ParamKind::Integer { min: 1, max: 8192, default: 1536 },
        unit: "dimensions",
        description: "Dimensions of the remote model's vectors.",
    },
    Param {
        name: "batch_pause",
        kind: ParamKind::Integer { min: 0, max: 60_000, default: 0 },
        unit: "ms",
        description: "Pause between two batches sent to the remote model.",
    },
    Param {
        name: "price_per_million_tokens",
        kind: ParamKind::Integer { min: 0, max: 1_000_000_000, default: 20_000 },
        unit: "millionths of a US dollar",
        description: "Price of a million tokens of the remote model, for estimates of cost.",
    },
    Param {
        name: "rerank_base_url",
        kind: ParamKind::Text { default: "" },
        unit: "",
        description: "Base URL of a Cohere-compatible reranker; empty for none.",
    },
    Param {
        name: "rerank_model",
        kind: ParamKind::Text { default: "cohere/rerank-v3.5" },
        unit: "",
        description: "Name of the reranker's model.",
    },
    Param {
        name: "rerank_time_limit",
        kind: ParamKind::Integer { min: 1, max: 60, default: PATIENCE.as_secs() as i64 },
        unit: "s",
        description: "How long a search waits for the reranker, all attempts together.",
    },
    Param {
        name: "rerank_top",
        kind: ParamKind::Integer { min: 0, max: 1000, default: 0 },
        unit: "hits",
        description: "Number of fused hits sent to the reranker, never fewer than the results requested; 0 sends \
                      four for each result.",
    },
    Param {
        name: "answer_generator",
        kind: ParamKind::Text { default: "extractive" },
        unit: "",
        description: "What writes answers: `extractive` quotes the sources, `chat` asks a chat model.",
    },
    Param {
        name: "chat_base_url",
        kind: ParamKind::Text { default: "" },
        unit: "",
        description: "Base URL of the chat model: a server on this computer, or empty for the embedding provider.",
    },
    Param {
        name: "chat_model",
        kind: ParamKind::Text { default: "openai/gpt-4.1-mini" },
        unit: "",
        description: "Name of the chat model that writes answers.",
    },
    Param {
        name: "chat_first_token",
        kind: ParamKind::Integer { min: 1, max: 600, default: 60 },
        unit: "s",
        description: "How long to wait for the first words of an answer.",
    },
    Param {
        name: "chat_silence",
        kind: ParamKind::Integer { min: 1, max: 600, default: 30 },
        unit: "s",
        description: "How long an answer may pause between two words.",
    },
    Param {
        name: "answer_threshold",
        kind: ParamKind::Integer { min: 0, max: 100, default: (PRESETS[0] * 100.0) as i64 },
        unit: "%",
        description: "Minimum relevance for a passage to answer a question: 60 is cautious, 50 answers more often.",
    },
    Param {
        name: "answer_log_days",
        kind: ParamKind::Integer { min: 0, max: 3650, default: 0 },
        unit: "days",
        description: "How long questions and answers are kept; 0 keeps them until you delete them.",
    },
    Param {
        name: "server_port",
        kind: ParamKind::Integer { min: 1, max: 65_535, default: 8340 },
        unit: "",
        description: "Port of `sibyl serve` if you start it without `--port`.",
    },
    Param {
        name: "server_address",
        kind: ParamKind::Text { default: "127.0.0.1" },
        unit: "",
        description: "Address of `sibyl serve` if you start it without `--host`: 127.0.0.1 serves this computer only, \
                      0.0.0.0 every network it is on.",
    },
    Param {
        name: "backup_keep",
        kind: ParamKind::Integer { min: 0, max: 100, default: 3 },
        unit: "backups",
        description: "How many backups are kept in the data folder; 0 makes none.",
    },
    Param {
        name: "backup_hours",
        kind: ParamKind::Integer { min: 1, max: 8760, default: 24 },
        unit: "hours",
        description: "How long after a backup the next one is made, if the library has changed. The window and `sibyl \
                      serve` make them.",
    },
    Param {
        name: "max_file_size",
        kind: ParamKind::Integer { min: 1, max: 4096, default: 200 },
        unit: "MB",
        description: "Files larger than this are not ingested.",
    },
    Param {
        name: "ocr",
        kind: ParamKind::Choice { options: &["ask", "on", "off"] },
        unit: "",
        description: "Use OCR on pages that contain a picture but no text, with Tesseract where it is installed: ask \
                      before an import, always (on), or never (off).",
    },
    Param {
        name: "ocr_languages",
        kind: ParamKind::Text { default: "eng" },
        unit: "",
        description: "Languages of scanned pages, as Tesseract names them, joined by +: eng+swe.",
    },
];

impl Library {
    /// All settings; those that are not stored have their defaults.
    ///
    /// # Errors
    /// Storage errors. A stored value that no longer fits its declaration counts as not stored.
    pub async fn settings(&self) -> Result<Settings> {
        let mut given = Map::new();
        for (name, value) in self.store().setting_values().await? {
            let one = Map::from_iter([(name.clone(), value.clone())]);
            if Settings::new(SETTINGS, &one).is_ok() {
                given.insert(name, value);
            }
        }
        Ok(Settings::new(SETTINGS, &given)?)
    }

    /// Changes settings; all or none. A value of `null` brings the default back. Providers follow at once.
    ///
    /// # Errors
    /// [`Error::Setting`](crate::Error::Setting) names the setting, the values it accepts and the given one.
    pub async fn change_settings(&self, changes: Map<String, Value>) -> Result<Settings> {
        let mut checked = changes.clone();
        for param in SETTINGS {
            if checked.get(param.name).is_some_and(Value::is_null) {
                checked.insert(param.name.to_owned(), param.default_value());
            }
        }
        let checked = Settings::new(SETTINGS, &checked)?;
        let mut all: Map<String, Value> = self.settings().await?.values().clone();
        let named = checked.values().iter().filter(|(name, _)| changes.contains_key(*name));
        all.extend(named.map(|(name, value)| (name.clone(), value.clone())));
        let all = Settings::new(SETTINGS, &all)?;
        let providers = crate::providers::SETTINGS.iter().any(|name| changes.contains_key(*name));
        if providers {
            crate::providers::check(&all)?;
        }
        if changes.contains_key("chat_base_url") {
            crate::providers::check_chat(&all)?;
        }
        let values = changes.into_iter().map(|(name, value)| {
            let kept = (!value.is_null()).then(|| checked.values().get(&name).cloned()).flatten();
            (name, kept)
        });
        self.store().put_settings(values.collect()).await?;
        if providers {
            self.models().apply().await?;
        }
        Ok(all)
    }
}
