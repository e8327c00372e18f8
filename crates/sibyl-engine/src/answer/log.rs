//! The log of questions and answers: listing, viewing, rating and deleting.

use super::{Answer, AskRequest, Outcome, Refusal};
use crate::error::{Error, Result};
use crate::library::Answering;
use crate::standing::{At, Cited, Standings};
use crate::store::table::answer::{AnswerFilter, LoggedAnswer, LoggedOutcome, NewAnswer};
use schemars::JsonSchema;
use serde::de::value::Error as Unnamed;
use serde::de::{DeserializeOwned, IntoDeserializer as _};
use serde::{Deserialize, Serialize};

/// What somebody thinks of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It is right.
    Right,
    /// It is wrong.
    Wrong,
    /// Something is missing.
    Incomplete,
    /// It rests on the wrong source.
    WrongSource,
}

/// A verdict with its reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Rating {
    /// The verdict.
    pub verdict: Verdict,
    /// Why; may be empty.
    #[serde(default)]
    pub reason: String,
}

/// Which entries of the log to list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct AskLogQuery {
    /// Text that the question or the answer contains; empty for all.
    pub search: String,
    /// Session; all by default.
    pub session: Option<String>,
    /// Entries to leave out at the start.
    pub offset: usize,
    /// Maximum number of entries.
    pub limit: usize,
}

impl Default for AskLogQuery {
    fn default() -> Self {
        Self { search: String::new(), session: None, offset: 0, limit: 100 }
    }
}

/// A question of the log as the list shows it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct LoggedQuestion {
    /// Id in the log.
    pub id: i64,
    /// When it was asked (ISO 8601, UTC).
    pub at: String,
    /// Session it belongs to; empty for none.
    pub session: String,
    /// The question.
    pub question: String,
    /// Its outcome.
    pub outcome: Outcome,
    /// Why it was refused; `None` if it was not.
    pub refusal: Option<Refusal>,
    /// How sure the answer is, 0 to 1.
    pub confidence: f64,
    /// Its band of confidence.
    pub band: super::Band,
    /// What wrote it.
    pub generator: String,
    /// Number of its readings; 0 if it has only one.
    pub readings: usize,
    /// Whether a source that the answer cites has changed since, or is gone.
    pub source_changed: bool,
    /// What somebody thinks of it.
    pub rating: Option<Rating>,
}

/// A page of the log.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct AnswerList {
    /// The entries, newest first.
    pub entries: Vec<LoggedQuestion>,
    /// How many there are in all that the query names.
    pub total: usize,
}

impl LoggedQuestion {
    /// The entry in `row`.
    ///
    /// # Errors
    /// [`Error::Damaged`] if why it was refused has an unknown name.
    fn of(row: LoggedAnswer<Rating>) -> Result<Self> {
        let LoggedAnswer {
            id,
            at,
            session,
            question,
            outcome,
            refusal,
            confidence,
            generator,
            readings,
            source_changed,
            rating,
        } = row;
        let band = super::Band::of(confidence);
        let (outcome, former) = read(outcome);
        let refusal = match &refusal {
            Some(refusal) => Some(named(id, refusal)?),
            None => former,
        };
        Ok(Self {
            id,
            at,
            session,
            question,
            outcome,
            refusal,
            confidence,
            band,
            generator,
            readings,
            source_changed,
            rating,
        })
    }
}

/// What is called `name` on the wire, in the entry `id`.
fn named<T: DeserializeOwned>(id: i64, name: &str) -> Result<T> {
    T::deserialize(name.into_deserializer())
        .map_err(|error: Unnamed| Error::Damaged(format!("answer {id} of the log cannot be read: {error}")))
}

/// What the log calls `outcome`.
const fn written(outcome: Outcome) -> LoggedOutcome {
    match outcome {
        Outcome::Complete => LoggedOutcome::Complete,
        Outcome::Incomplete => LoggedOutcome::Incomplete,
        Outcome::Refused => LoggedOutcome::Refused,
        Outcome::Faulted => LoggedOutcome::Faulted,
    }
}

/// The outcome that the log calls `outcome`, with why it was refused where an earlier version said it so.
const fn read(outcome: LoggedOutcome) -> (Outcome, Option<Refusal>) {
    match outcome {
        LoggedOutcome::Complete | LoggedOutcome::Answered => (Outcome::Complete, None),
        LoggedOutcome::Incomplete => (Outcome::Incomplete, None),
        LoggedOutcome::Refused => (Outcome::Refused, None),
        LoggedOutcome::NotFound => (Outcome::Refused, Some(Refusal::NotFound)),
        LoggedOutcome::Greeting => (Outcome::Refused, Some(Refusal::NoQuestion)),
        LoggedOutcome::Faulted | LoggedOutcome::Failed => (Outcome::Faulted, None),
    }
}

impl Answering<'_> {
    /// Keeps `answer` in the log, for as long as the settings say.
    ///
    /// # Errors
    /// Storage errors.
    pub(super) async fn keep(&self, workspace: &str, request: &AskRequest, answer: &Answer) -> Result<i64> {
        let days = self.library.settings().await?.integer("answer_log_days");
        let workspace = self.library.store().workspace(workspace).await?.id;
        let new = NewAnswer {
            session: &request.session,
            question: &answer.question,
            outcome: written(answer.reply.outcome),
            confidence: answer.reply.confidence,
            generator: &answer.reply.generator,
            config_hash: &answer.config_hash,
            request,
            answer,
        };
        Ok(self.library.store().put_answer(workspace, new, u32::try_from(days).unwrap_or_default()).await?)
    }

    /// Entries of the log of `workspace`.
    ///
    /// # Errors
    /// Storage errors, and [`Error::NotFound`](crate::Error::NotFound) for an unknown workspace.
    pub async fn logged(&self, workspace: &str, query: &AskLogQuery) -> Result<AnswerList> {
        let workspace = self.library.store().workspace(workspace).await?.id;
        let AskLogQuery { search, session, offset, limit } = query.clone();
        let filter = AnswerFilter { search, session, offset, limit };
        let (rows, total) = self.library.store().answers(workspace, filter).await?;
        Ok(AnswerList { entries: rows.into_iter().map(LoggedQuestion::of).collect::<Result<_>>()?, total })
    }

    /// The entry `id` of the log of `workspace`: its row, the question and the answer. Each citation says how its
    /// source stands now.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if there is none or it belongs to another workspace.
    pub async fn entry(&self, workspace: &str, id: i64) -> Result<(LoggedQuestion, AskRequest, Answer)> {
        let workspace = self.library.store().workspace(workspace).await?.id;
        let (row, request, mut answer): (LoggedAnswer<Rating>, AskRequest, Answer) =
            self.library.store().answer(workspace, id).await?;
        let row = LoggedQuestion::of(row)?;
        (answer.id, answer.reply.refusal) = (Some(id), row.refusal);
        Ok((row, request, self.compared(workspace, id, answer).await?))
    }

    /// `answer`, the entry `id`, whose citations say how their sources stand now.
    async fn compared(&self, workspace: i64, id: i64, mut answer: Answer) -> Result<Answer> {
        let store = self.library.store();
        let versions = store.versions_cited(id).await?;
        let mut standings = Standings::new(store, workspace);
        // For an answer kept before citations named versions, the log supplies them.
        let version = |own: &mut String, document: i64| {
            if own.is_empty() {
                own.clone_from(versions.get(&document).unwrap_or(&String::new()));
            }
        };
        for passage in &mut answer.passages {
            version(&mut passage.text_version, passage.document_id);
        }
        let readings = answer.reply.readings.iter_mut().flat_map(|reading| &mut reading.citations);
        for citation in answer.reply.citations.iter_mut().chain(readings) {
            if citation.document_id == 0 {
                continue;
            }
            version(&mut citation.text_version, citation.document_id);
            let cited = Cited {
                document: citation.document_id,
                version: &citation.text_version,
                at: At::Units(citation.span),
                quote: &citation.quote,
            };
            citation.source = standings.of(cited).await?;
        }
        answer.source_changed = answer.reply.citations.iter().any(|citation| citation.source.changed);
        Ok(answer)
    }

    /// Sets or removes somebody's rating of the entry `id`.
    ///
    /// # Errors
    /// As [`Answering::entry`].
    pub async fn rate(&self, workspace: &str, id: i64, rating: Option<&Rating>) -> Result<()> {
        let workspace = self.library.store().workspace(workspace).await?.id;
        Ok(self.library.store().rate_answer(workspace, id, rating).await?)
    }

    /// Deletes the entry `id`.
    ///
    /// # Errors
    /// As [`Answering::entry`].
    pub async fn delete(&self, workspace: &str, id: i64) -> Result<()> {
        let workspace = self.library.store().workspace(workspace).await?.id;
        Ok(self.library.store().delete_answer(workspace, id).await?)
    }

    /// Deletes every entry of the workspace. Returns how many there were.
    ///
    /// # Errors
    /// Storage errors.
    pub async fn clear(&self, workspace: &str) -> Result<usize> {
        let workspace = self.library.store().workspace(workspace).await?.id;
        Ok(self.library.store().clear_answers(workspace).await?)
    }
}
