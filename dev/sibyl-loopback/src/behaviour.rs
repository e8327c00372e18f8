//! What a provider does instead of answering.

use std::time::Duration;

/// How a request is met.
#[derive(Debug, Clone, PartialEq)]
pub enum Behaviour {
    /// As it should be.
    Answer,
    /// With this HTTP status and an error in the provider's form.
    Status(u16),
    /// With HTTP 429, and this `Retry-After` if there is one.
    TooMany {
        /// The header's value: seconds or a date.
        retry_after: Option<String>,
    },
    /// With HTTP 401 and a message that repeats the given key.
    EchoKey,
    /// With HTTP 200 and an error of this code in the body, as OpenRouter does when the model's host fails.
    ErrorInBody(u16),
    /// With HTTP 307 to this URL.
    Redirect(String),
    /// By closing the connection without a word.
    Drop,
    /// By closing the connection in the middle of the answer.
    DropHalfway,
    /// As it should be, after this time.
    Slow(Duration),
    /// As it should be, in 100 pieces with this time between them.
    Drip(Duration),
    /// With vectors of the right length that another model made, which it names.
    OtherModel,
    /// With vectors that are one number short.
    ShortVectors,
    /// With one vector too few.
    TooFew,
    /// With all vectors, last first; their `index` is right.
    Shuffled,
    /// With an `index` that comes twice.
    SameIndex,
    /// With a number that is not valid: `NaN`, as some Python servers send it.
    NotANumber,
    /// With numbers beyond the range of an f32.
    Infinite,
    /// With vectors of zeros.
    Zeros,
    /// With HTML.
    NotJson,
    /// With a list of models in OpenAI's form, which has no prices, and with chats that state no cost.
    PlainModels,
    /// With this answer of a chat model, word by word.
    Say(String),
    /// By saying nothing for long, before a chat model's answer begins.
    Hang,
    /// With an answer, and this reason for its end, such as `length`.
    SayThenStop(String, String),
    /// With the beginning of an answer, and then nothing for long.
    SayThenHang(String),
    /// With the beginning of an answer, and then the end of the connection.
    SayThenDrop(String),
    /// With the beginning of an answer, and then a fragment that is not valid JSON.
    SayThenRubbish(String),
    /// With the beginning of an answer, and then an error.
    SayThenError(String),
    /// With an answer that never ends.
    Endless,
}

impl Behaviour {
    /// Its name on a command line, such as `status=500`, `retry-after=2`, `slow=500` (milliseconds) or `drop`.
    ///
    /// # Errors
    /// Says which names there are.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        let number = || value.parse::<u16>().map_err(|e| format!("{text}: {e}"));
        Ok(match name {
            "answer" => Self::Answer,
            "status" => Self::Status(number()?),
            "retry-after" => Self::TooMany { retry_after: Some(value.to_owned()) },
            "too-many" => Self::TooMany { retry_after: None },
            "echo-key" => Self::EchoKey,
            "error-in-body" => Self::ErrorInBody(number()?),
            "redirect" => Self::Redirect(value.to_owned()),
            "drop" => Self::Drop,
            "drop-halfway" => Self::DropHalfway,
            "slow" => Self::Slow(Duration::from_millis(number()?.into())),
            "drip" => Self::Drip(Duration::from_millis(number()?.into())),
            "other-model" => Self::OtherModel,
            "short-vectors" => Self::ShortVectors,
            "too-few" => Self::TooFew,
            "shuffled" => Self::Shuffled,
            "same-index" => Self::SameIndex,
            "not-a-number" => Self::NotANumber,
            "infinite" => Self::Infinite,
            "zeros" => Self::Zeros,
            "not-json" => Self::NotJson,
            "plain-models" => Self::PlainModels,
            "say" => Self::Say(value.to_owned()),
            "hang" => Self::Hang,
            "say-then-stop" => {
                let (reason, text) = value.split_once(':').ok_or(format!("{text}: expected REASON:TEXT"))?;
                Self::SayThenStop(text.to_owned(), reason.to_owned())
            }
            "say-then-hang" => Self::SayThenHang(value.to_owned()),
            "say-then-drop" => Self::SayThenDrop(value.to_owned()),
            "say-then-rubbish" => Self::SayThenRubbish(value.to_owned()),
            "say-then-error" => Self::SayThenError(value.to_owned()),
            "endless" => Self::Endless,
            _ => return Err(format!("`{text}` is not a behaviour; see the variants of `Behaviour`")),
        })
    }
}
