//! What can write answers in this library.

use crate::error::{Error, Result};
use crate::http::{ApiKey, Endpoint, Patience, is_local};
use crate::library::Answering;
use crate::providers::admit;
use crate::secret::Secret;
use crate::store::table::corpus::Corpus;
use schemars::JsonSchema;
use serde::Serialize;
use sibyl_answer::GENERATORS;
use sibyl_answer::generate::chat::{self, Chat};
use sibyl_answer::generate::{Generator, extractive};
use sibyl_answer::prompt::Prompt;
use sibyl_text::param::Settings;
use std::path::Path;

/// A generator with its state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GeneratorView {
    /// Its name, such as `extractive`.
    pub name: String,
    /// What it does, in a sentence.
    pub description: String,
    /// Whether it sends passages to a provider on another machine.
    pub remote: bool,
    /// Chat model that it uses.
    pub model: Option<String>,
    /// Whether it writes answers by default.
    pub default: bool,
    /// Why it cannot be used now; empty if it can.
    pub unavailable: String,
}

/// A generator that is ready.
pub(super) struct Ready {
    /// Writes the answer.
    pub generator: Box<dyn Generator>,
    /// Chat model that it uses.
    pub model: Option<String>,
    /// Version of the prompt.
    pub prompt_version: Option<String>,
    /// Whether passages leave this machine.
    pub leaves: bool,
}

/// Base URL of the chat provider: its own, or else that of the embedding provider.
pub(super) fn base(settings: &Settings) -> &str {
    match settings.text("chat_base_url").trim() {
        "" => settings.text("base_url"),
        own => own,
    }
}

impl Answering<'_> {
    /// Every generator, with whether it can be used now.
    ///
    /// # Errors
    /// Storage errors.
    pub async fn generators(&self) -> Result<Vec<GeneratorView>> {
        let settings = self.library.settings().await?;
        let default = settings.text("answer_generator");
        let mut views = Vec::new();
        for info in &GENERATORS {
            let ready = self.ready(info.name, None).await;
            let chats = info.name == chat::INFO.name;
            views.push(GeneratorView {
                name: info.name.to_owned(),
                description: info.description.to_owned(),
                remote: info.remote && !is_local(base(&settings)),
                model: chats.then(|| settings.text("chat_model").to_owned()),
                default: info.name == default,
                unavailable: ready.err().map(|error| error.to_string()).unwrap_or_default(),
            });
        }
        Ok(views)
    }

    /// The generator called `name`, with the chat model `model` or the one in the settings.
    ///
    /// # Errors
    /// [`Error::UnknownChoice`] if there is no generator of this name. [`Error::RemoteOff`] if it is on another
    /// machine and remote models are switched off. [`Error::NoChatModel`] if it cannot be used for another reason.
    pub(super) async fn ready(&self, name: &str, model: Option<&str>) -> Result<Ready> {
        if name == extractive::INFO.name {
            let generator = Box::new(extractive::Extractive);
            return Ok(Ready { generator, model: None, prompt_version: None, leaves: false });
        }
        if name != chat::INFO.name {
            return Err(Error::unknown_choice("generator", name, GENERATORS.iter().map(|info| info.name)));
        }
        let settings = self.library.settings().await?;
        let base = base(&settings);
        admit(&settings, base)?;
        let local = is_local(base);
        let key = self.chat_key(&settings).await;
        if key.is_none() && !local {
            return Err(Error::NoChatModel(
                "the chat provider needs a key; save it in Settings, or set the chat provider to a server on this computer",
            ));
        }
        let model = model.unwrap_or_else(|| settings.text("chat_model")).to_owned();
        let prompt = self.prompt();
        let patience = Patience {
            first: std::time::Duration::from_secs(settings.integer("chat_first_token") as u64),
            silence: std::time::Duration::from_secs(settings.integer("chat_silence") as u64),
        };
        let chat = Chat::new(Endpoint::new(base, key)?, &model, prompt, patience);
        let prompt_version = Some(chat.prompt_version().to_owned());
        Ok(Ready { generator: Box::new(chat), model: Some(model), prompt_version, leaves: !local })
    }

    /// A question that `passage` of `corpus` answers, as the chat model of the settings writes it, and the name of that
    /// model.
    ///
    /// # Errors
    /// [`Error::NoChatModel`] and [`Error::RemoteOff`] if the chat model cannot be used. [`Error::KeptLocal`] if
    /// `corpus` may not leave the machine. [`Error::Chat`] with what the provider answered.
    pub(crate) async fn question_of(&self, passage: &str, corpus: &Corpus) -> Result<(String, String)> {
        let ready = self.ready(chat::INFO.name, None).await?;
        if ready.leaves && !corpus.remote {
            let otherwise = "use a chat model on this computer".to_owned();
            return Err(Error::KeptLocal { corpora: corpus.name.clone(), otherwise });
        }
        let Some(question) = ready.generator.question_of(passage) else {
            return Err(Error::NoChatModel("this chat model cannot write questions; choose another one"));
        };
        let question = question.await.map_err(Error::Chat)?;
        Ok((question, ready.model.unwrap_or_default()))
    }

    /// The key of the chat provider. It goes only to the provider that it is for.
    pub(super) async fn chat_key(&self, settings: &Settings) -> Option<ApiKey> {
        let same = base(settings).trim_end_matches('/') == settings.text("base_url").trim_end_matches('/');
        if same { self.library.keys().find(Secret::Openrouter).await.key } else { None }
    }

    /// The prompt: the one in the data folder if there is one, else the one that ships.
    fn prompt(&self) -> Prompt {
        let own = self.library.folder().join("prompts");
        let shipped = self.library.shipped().map(|folder| folder.join("prompts"));
        for folder in std::iter::once(own).chain(shipped) {
            if let Some(prompt) = read(&folder) {
                return prompt;
            }
        }
        Prompt::default()
    }
}

fn read(folder: &Path) -> Option<Prompt> {
    let system = std::fs::read_to_string(folder.join("system.md")).ok()?;
    let user = std::fs::read_to_string(folder.join("user.md")).ok()?;
    Some(Prompt::read(&system, &user))
}
