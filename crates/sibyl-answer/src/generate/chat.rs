//! A chat model behind an API that speaks the protocol of OpenAI: OpenRouter, or a server on this machine.

use super::{
    Generator, GeneratorInfo, Listener, QuestionFuture, ReadFuture, Review, Spending, Task, WriteFuture,
};
use crate::answer::{Fault, Usage};
use crate::citation::SentenceStream;
use crate::draft::{Draft, DraftSentence, Piece};
use crate::prompt::{Prompt, question_of, second_reading};
use serde_json::{Value, json};
use sibyl_embed::http::{Broken, Endpoint, Failure, Patience};
use sibyl_text::tokens::{CHARS_PER_TOKEN, CharsPerToken, TokenCounter as _};

/// What it is.
pub const INFO: GeneratorInfo = GeneratorInfo {
    name: "chat",
    description: "A chat model writes from the passages; every sentence is checked against what it cites.",
    remote: true,
};

/// Maximum number of tokens requested.
const MOST_TOKENS: usize = 1_500;
/// Maximum number of characters accepted; beyond that an answer counts as endless.
const MOST_CHARACTERS: usize = 24_000;

/// Maximum length of a written question, in characters.
const LONGEST_QUESTION: usize = 300;

/// A chat model.
pub struct Chat {
    endpoint: Endpoint,
    model: String,
    prompt: Prompt,
    patience: Patience,
}

impl Chat {
    /// The model called `model` at `endpoint`, instructed by `prompt`.
    pub fn new(endpoint: Endpoint, model: &str, prompt: Prompt, patience: Patience) -> Self {
        Self { endpoint, model: model.to_owned(), prompt, patience }
    }

    /// Version of the prompt.
    pub fn prompt_version(&self) -> &str {
        &self.prompt.version
    }

    async fn run(&self, task: &Task, listener: &Listener<'_>) -> Draft {
        let [system, user] = self.prompt.fill(&task.question.text, &task.passages);
        let estimated = CharsPerToken.count(&system) + CharsPerToken.count(&user);
        let body = self.body(&system, &user);
        let mut draft = Draft::default();
        let mut stream = match self.endpoint.stream("chat/completions", &body, self.patience).await {
            Ok(stream) => stream,
            Err(failure) => {
                draft.fault = Some(refused(&failure));
                return draft;
            }
        };
        let mut sentences =
            SentenceStream::new(task.passages.iter().map(|passage| passage.number).max().unwrap_or_default());
        let (mut characters, mut finished, mut counted) = (0, false, None);
        let told = |draft: &mut Draft, found: Vec<DraftSentence>| {
            for sentence in found {
                listener(&Piece::Sentence(sentence.clone()));
                draft.sentences.push(sentence);
            }
        };
        loop {
            let event = match stream.next().await {
                Ok(Some(event)) => event,
                Ok(None) => break,
                Err(broken) => {
                    draft.fault = Some(cut(&broken));
                    break;
                }
            };
            if event.trim() == "[DONE]" {
                finished = true;
                break;
            }
            let event = match read_event(&event) {
                Ok(event) => event,
                Err(fault) => {
                    draft.fault = Some(fault);
                    break;
                }
            };
            if event["usage"].is_object() {
                counted = Some(usage(&event["usage"]));
            }
            let choice = &event["choices"][0];
            if let Some(text) = choice["delta"]["content"].as_str().filter(|text| !text.is_empty()) {
                characters += text.chars().count();
                listener(&Piece::Delta(text.to_owned()));
                let found = sentences.push(text);
                told(&mut draft, found);
            }
            match choice["finish_reason"].as_str() {
                Some("length") => {
                    draft.fault =
                        Some(fault("chat_too_long", "the model ran out of room; ask a narrower question"));
                }
                Some("content_filter") => {
                    draft.fault = Some(fault(
                        Fault::FILTERED,
                        "the provider's filter stopped the answer; rephrase the question",
                    ));
                }
                Some(_) => finished = true,
                None => {}
            }
            if characters > MOST_CHARACTERS {
                draft.fault = Some(fault(
                    "chat_endless",
                    "the answer exceeded the maximum length and was cut off; the part that arrived is kept; ask a \
                     narrower question",
                ));
                break;
            }
        }
        // Dropping the stream closes the connection, so the provider writes nothing that is not read.
        drop(stream);
        told(&mut draft, sentences.end().into_iter().collect());
        if draft.fault.is_none() && !finished {
            draft.fault = Some(torn());
        }
        if draft.fault.is_none() && draft.sentences.is_empty() {
            draft.fault = Some(fault(
                "chat_empty",
                "the model returned an empty answer; ask again, or choose another model",
            ));
        }
        draft.usage = Some(counted.unwrap_or_else(|| estimate(estimated, characters)));
        draft
    }

    fn body(&self, system: &str, user: &str) -> Value {
        json!({
            "model": self.model,
            "messages": [{ "role": "system", "content": system }, { "role": "user", "content": user }],
            "stream": true,
            "stream_options": { "include_usage": true },
            "usage": { "include": true },
            "temperature": 0,
            "max_tokens": MOST_TOKENS,
        })
    }
}

/// Estimated use for a provider that does not count.
fn estimate(prompt_tokens: usize, characters: usize) -> Usage {
    Usage {
        prompt_tokens: prompt_tokens as u64,
        completion_tokens: characters.div_ceil(CHARS_PER_TOKEN) as u64,
        cost: None,
        counted: false,
    }
}

/// A chat model's reply to two messages.
#[derive(Default)]
struct Said {
    text: String,
    /// `None` if the provider did not start.
    usage: Option<Usage>,
    /// Why it is incomplete.
    fault: Option<Fault>,
}

impl Chat {
    /// The model's reply to two messages, as one text; `spent` receives what it uses.
    async fn say(&self, system: &str, user: &str, spent: &Spending<'_>) -> Said {
        let body = self.body(system, user);
        let prompt = CharsPerToken.count(system) + CharsPerToken.count(user);
        let mut said = Said::default();
        spent(&estimate(prompt, 0));
        let mut stream = match self.endpoint.stream("chat/completions", &body, self.patience).await {
            Ok(stream) => stream,
            Err(failure) => {
                said.fault = Some(refused(&failure));
                return said;
            }
        };
        let (mut characters, mut finished, mut counted) = (0, false, None);
        while characters <= MOST_CHARACTERS {
            let event = match stream.next().await {
                Ok(Some(event)) if event.trim() != "[DONE]" => event,
                Ok(end) => {
                    if !finished && end.is_none() {
                        said.fault = Some(torn());
                    }
                    break;
                }
                Err(broken) => {
                    said.fault = Some(cut(&broken));
                    break;
                }
            };
            let event = match read_event(&event) {
                Ok(event) => event,
                Err(fault) => {
                    said.fault = Some(fault);
                    break;
                }
            };
            if event["usage"].is_object() {
                counted = Some(usage(&event["usage"]));
            }
            let text = event["choices"][0]["delta"]["content"].as_str().unwrap_or_default();
            characters += text.chars().count();
            said.text.push_str(text);
            finished |= event["choices"][0]["finish_reason"].is_string();
            spent(counted.as_ref().unwrap_or(&estimate(prompt, characters)));
        }
        said.usage = Some(counted.unwrap_or_else(|| estimate(prompt, characters)));
        said
    }

    async fn question(&self, passage: &str) -> Result<String, Fault> {
        let [system, user] = question_of(passage);
        let said = self.say(&system, &user, &|_| ()).await;
        if let Some(fault) = said.fault {
            return Err(fault);
        }
        let line = said.text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        let question = line.trim_matches(|c: char| c.is_whitespace() || "\"“”*-–".contains(c));
        if question.is_empty() {
            return Err(fault(
                "chat_empty",
                "the model returned an empty answer; ask again, or choose another model",
            ));
        }
        Ok(question.chars().take(LONGEST_QUESTION).collect())
    }

    async fn read(&self, pairs: &[(String, String)], spent: &Spending<'_>) -> Review {
        let [system, user] = second_reading(pairs);
        let Said { text, usage, fault } = self.say(&system, &user, spent).await;
        let mut review = Review { verdicts: vec![None; pairs.len()], usage, fault };
        for line in text.lines() {
            let mut words = line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
            let number = words.next().and_then(|word| word.parse::<usize>().ok());
            let verdict = match words.next().map(str::to_lowercase).as_deref() {
                Some("yes") => true,
                Some("no") => false,
                _ => continue,
            };
            if let Some(place) =
                number.and_then(|n| n.checked_sub(1)).and_then(|n| review.verdicts.get_mut(n))
            {
                *place = Some(verdict);
            }
        }
        review
    }
}

impl Generator for Chat {
    fn info(&self) -> GeneratorInfo {
        INFO
    }

    fn write<'a>(&'a self, task: &'a Task, listener: &'a Listener<'a>) -> WriteFuture<'a> {
        Box::pin(self.run(task, listener))
    }

    fn question_of<'a>(&'a self, passage: &'a str) -> Option<QuestionFuture<'a>> {
        Some(Box::pin(self.question(passage)))
    }

    fn read_again<'a>(
        &'a self,
        pairs: &'a [(String, String)],
        spent: &'a Spending<'a>,
    ) -> Option<ReadFuture<'a>> {
        Some(Box::pin(self.read(pairs, spent)))
    }
}

fn fault(code: &str, message: &str) -> Fault {
    Fault { code: code.to_owned(), message: message.to_owned() }
}

fn torn() -> Fault {
    fault("chat_cut", "the answer broke off; the part that arrived is kept; ask again for a complete answer")
}

/// A fragment of an answer, or what the provider says went wrong in the middle of it.
fn read_event(event: &str) -> Result<Value, Fault> {
    let event: Value = serde_json::from_str(event).map_err(|_| {
        fault("chat_unreadable", "the provider sent a fragment that is not valid JSON; ask again")
    })?;
    if event["error"].is_null() {
        return Ok(event);
    }
    let reason = event["error"]["message"].as_str().unwrap_or("no reason given");
    let said: String = reason.chars().take(300).collect();
    Err(fault("chat_failed", &format!("the provider failed in the middle: {said}; ask again")))
}

fn usage(value: &Value) -> Usage {
    Usage {
        prompt_tokens: value["prompt_tokens"].as_u64().unwrap_or_default(),
        completion_tokens: value["completion_tokens"].as_u64().unwrap_or_default(),
        cost: value["cost"].as_f64(),
        counted: true,
    }
}

fn cut(broken: &Broken) -> Fault {
    match broken {
        Broken::Silent(time) => fault(
            "chat_silent",
            &format!("the provider sent nothing for {} s; ask again", time.as_secs_f64()),
        ),
        Broken::Lost(why) => {
            fault("chat_cut", &format!("the connection was lost ({why}); ask again for the rest"))
        }
    }
}

pub(super) fn refused(failure: &Failure) -> Fault {
    match failure {
        Failure::Status { status: 401 | 403, message, .. } => fault(
            "chat_unauthorised",
            &format!("the provider rejected the key ({message}); set it in Settings"),
        ),
        Failure::Status { status, attempts, message } => fault(
            "chat_failed",
            &format!("the provider answered {status} in {attempts} attempts ({message}); ask again later"),
        ),
        Failure::Unreachable { message, .. } => fault(
            "chat_unreachable",
            &format!("the provider could not be reached ({message}); check the base URL and the connection"),
        ),
        Failure::Unreadable { message } => fault(
            "chat_unreadable",
            &format!("the provider does not speak the chat protocol ({message}); check the base URL"),
        ),
    }
}
